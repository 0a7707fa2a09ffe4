"""The functions of the kernel and of Python that a measure may call, on symbols."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from metaeval.core.biclustering import Biclustering
from metaeval.kernel import overlay as kernel
from metaeval.proving.entries import Bag, Index, Line, Mask, SymbolicOverlay, SymbolicSide
from metaeval.proving.machine import Machine
from metaeval.proving.refusal import Refused
from metaeval.proving.scopes import Items, Rows, hashable
from metaeval.proving.worlds import ALONG


class Natives(Machine):
    """What stands for each of these functions."""

    def _known(self, function: Any) -> Callable[..., Any] | None:
        """What stands for a function of the kernel or of Python."""
        by_function: list[tuple[Any, Callable[..., Any]]] = [
            (kernel.overlay, self._overlay),
            (kernel.sum_of_ratios, self._sum_of_ratios),
            (kernel.harmonic_mean, self._harmonic_mean),
            (kernel.members, self._members),
            (kernel.largest, self._largest),
            (Biclustering.trusted, self._trusted),
            (builtins.sum, self._sum),
            (builtins.zip, self._zip),
            (builtins.min, lambda *values: self._extreme(min, values)),
            (builtins.max, lambda *values: self._extreme(max, values)),
            (builtins.abs, lambda value: abs(self._plain_number(value))),
            (builtins.bool, self.truth),
            (builtins.list, self._listed),
            (builtins.tuple, lambda values=(): tuple(self._listed(values))),
            (builtins.frozenset, lambda values=(): frozenset(hashable(self._listed(values)))),
            (builtins.len, self._length),
            (Fraction, self._fraction),
        ]
        return next((native for one, native in by_function if one is function or one == function), None)

    def _overlay(self, candidate: Any, gold: Any) -> SymbolicOverlay:
        sides = (candidate, gold)
        if not all(isinstance(side, SymbolicSide) for side in sides):
            raise Refused("It lays something over something that is neither the candidate nor the gold.")
        if (candidate.kind, gold.kind) != ("candidate", "gold") or candidate.feature != gold.feature:
            raise Refused("It lays other biclusterings over each other than the candidate over the gold.")
        self._features.add(candidate.feature)
        if len(self._features) > 1:
            raise Refused("It looks at cells and at objects alone, which are counted differently.")
        return SymbolicOverlay(self.world, on_objects=candidate.feature is not None)

    def _sum_of_ratios(self, ratios: Any, over: Any = 1) -> Any:
        if isinstance(ratios, Bag):
            divided: Any = Bag(tuple((kind, self._ratio(value)) for kind, value in ratios.parts))
        else:
            divided = Items([self._ratio(value) for value in self._listed(ratios)], len(self._loops))
        return self._fraction(self._total(divided), over)

    def _ratio(self, pair: Any) -> Any:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise Refused("It sums ratios that are no pairs (n, d).")
        return self._fraction(*pair)

    def _harmonic_mean(self, precision: Any, recall: Any) -> Any:
        one, other = self._plain_number(precision), self._plain_number(recall)
        if not self.truth(one) and not self.truth(other):
            return Fraction(0)
        return self._fraction(2 * one * other, one + other)

    def _largest(self, ratios: Any) -> tuple[Any, Any]:
        if isinstance(ratios, (Bag, Line)):
            raise Refused("It asks for the largest over all entries, which is no sum.")
        best, *others = self._listed(ratios)
        for ratio in others:
            if ratio[0] * best[1] > best[0] * ratio[1]:
                best = ratio
        return best  # type: ignore[no-any-return]

    def _members(self, mask: Any) -> tuple[Index, ...]:
        if not isinstance(mask, Mask):
            raise Refused("It asks for the members of a mask that is not a pair's.")
        return (Index(mask.kind),)

    def _trusted(self, biclusters: Any, shape: Any) -> SymbolicSide:
        """A side with every bicluster's columns replaced by one: known where all columns were the same before."""
        match biclusters:
            case Bag(parts=((_, (Rows(side=side), frozenset() as columns)),)) if len(columns) == 1:
                if self.world.one_feature is not None:
                    return SymbolicSide(side.kind, *columns)
        raise Refused("It builds biclusterings of its own.")

    def _zip(self, *lists: Any, strict: bool = False) -> Any:
        if any(isinstance(one, Line) for one in lists):
            lists = tuple(self._entries(one) if isinstance(one, Line) else self._beside_line(one) for one in lists)
        bags = [one for one in lists if isinstance(one, Bag)]
        if not bags:
            return Items(zip(*(self._listed(one) for one in lists), strict=strict), len(self._loops), once=True)
        kinds = {tuple(over for over, _ in bag.parts) for bag in bags}
        # Lists over pairs may have them in different orders: along the lines of a table, or as the kernel met them.
        ordered = [("clusters",), ("classes",), ("gap",), tuple(ALONG), ()]
        if len(bags) < len(lists) or len(kinds) != 1 or kinds.pop() not in ordered:
            raise Refused("It zips lists that do not surely have the same entries in the same order.")
        zipped = zip(*(bag.parts for bag in bags), strict=True)
        return Bag(tuple((together[0][0], tuple(value for _, value in together)) for together in zipped), once=True)

    def _beside_line(self, other: Any) -> Bag:
        """The classes, in the order of a line of intersections."""
        match other:
            case Bag(parts=(("classes", value),)):
                return self._along(value, value)
            case Bag(parts=()) if not self.world.has["gold"]:
                return other
        raise Refused("It zips a line of intersections with something other than the gold's sizes.")

    def _extreme(self, choose: Callable[..., Any], values: tuple[Any, ...]) -> Any:
        if len(values) == 1:
            if isinstance(values[0], (Bag, Line)):
                raise Refused("It asks for the largest or smallest over all entries, which is no sum.")
            values = tuple(self._listed(values[0]))
        return choose([self._plain_number(value) for value in values])

    def _length(self, values: Any) -> int:
        if isinstance(values, SymbolicSide):
            raise Refused(f"It looks at len({values.kind}), the number of biclusters, which depends on the context.")
        if isinstance(values, (Bag, Line)):
            raise Refused("It asks with len() for the number of entries, which depends on the context.")
        return len(self._listed(values))
