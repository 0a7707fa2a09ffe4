"""What all parts of the interpreter share: loops over entries, sums, and what is a number, a list, or true."""

from __future__ import annotations

import ast
from fractions import Fraction
from typing import Any

from metaeval.proving.entries import Bag, Line, Opaque, SymbolicSide
from metaeval.proving.refusal import Refused
from metaeval.proving.scopes import Inside, Items, Rows, Scope, name_of, parts_of
from metaeval.proving.worlds import ALONG, MISSING, Sym, World, is_number

_MOST_STEPS = 100_000


class Machine:
    """A world, and where in the code the interpreter is."""

    def __init__(self, world: World) -> None:
        self.world = world
        #: What the loops over entries run over, the innermost last.
        self._loops: list[str] = []
        #: The features that biclusterings were replaced by before they were laid over each other.
        self._features: set[int | None] = set()
        self._steps = 0
        self._line = 0

    def _at(self, what: str) -> str:
        return f"{what} (line {self._line})."

    def _step(self, node: ast.AST) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise Refused("It does not come to an end in reasonable time.")
        self._line = getattr(node, "lineno", self._line)

    def _inside(self, over: str | None, scope: Scope) -> Inside:
        if over is not None and self._loops != (["clusters"] if over in ALONG else []):
            raise Refused(self._at("It has a loop over all entries inside a loop over entries"))
        return Inside(self._loops, None if over is None else ALONG.get(over, over), scope)

    def _entries(self, values: Any) -> Any:
        """What a loop runs over: a bag, or a list of known length."""
        if isinstance(values, Bag):
            return values
        if isinstance(values, Line):
            if self._loops != ["clusters"]:
                raise Refused(self._at("It looks at a line of intersections outside a loop over the clusters"))
            return self._along(self.world.sym("n"), 0)
        if isinstance(values, SymbolicSide):
            if not self.world.has[values.kind]:
                return Bag(())
            over = "clusters" if values.kind == "candidate" else "classes"
            return Bag(((over, (Rows(values), Opaque("the features of a bicluster"))),))
        return self._listed(values)

    def _along(self, meeting: Any, missing: Any) -> Bag:
        """What stands along a line of intersections: for classes that the cluster meets, and for the others."""
        if not self.world.has["gold"]:
            return Bag(())
        return Bag((("line", meeting), ("gap", missing)) if self.world.has_pairs else (("gap", missing),))

    def _total(self, values: Any) -> Any:
        """The sum of a list."""
        if isinstance(values, Line):
            raise Refused("It sums over all entries inside a loop over entries.")
        if not isinstance(values, Bag):
            total: Any = 0
            for value in self._listed(values):
                total = total + self._plain_number(value)
            return total
        if any(over is not None and (self._loops or over in ALONG) for over, _ in values.parts):
            raise Refused("It sums over all entries inside a loop over entries.")
        total = 0
        for over, value in values.parts:
            total = total + (self._plain_number(value) if over is None else self.world.sum_of(over, value))
        return total

    def _sum(self, values: Any, start: Any = 0) -> Any:
        return self._plain_number(start) + self._total(values)

    def _plain_number(self, value: Any) -> Any:
        if isinstance(value, float):
            raise Refused("It computes with floats, which are not exact.")
        if not is_number(value):
            raise Refused(f"It computes with {name_of(value)}.")
        return value

    def _fraction(self, top: Any = 0, below: Any = 1) -> Any:
        one, other = self._plain_number(top), self._plain_number(below)
        if isinstance(one, Sym) or isinstance(other, Sym):
            return symbolic(one, self.world).over(other)
        if other == 0:
            raise Refused("It divides by 0.")
        return Fraction(one, other)

    def _listed(self, values: Any = ()) -> list[Any]:
        """A plain list, whose length is the same in every context."""
        if isinstance(values, (tuple, list)):
            return list(values)
        if isinstance(values, (set, frozenset)):
            return sorted(values)
        raise Refused(f"It takes {name_of(values)} for a list of known length.")

    def _joined(self, one: Any, other: Any) -> Any:
        """Two lists as one, which is a new one: whoever adds to a list that has another name is refused before."""
        if not isinstance(other, (list, tuple, Bag)):
            raise Refused(self._at(f"It joins a list and {name_of(other)}"))
        if isinstance(one, Bag) or isinstance(other, Bag):
            return Bag((*parts_of(one), *parts_of(other)))
        return Items([*one, *other], len(self._loops))

    def truth(self, value: Any) -> bool:
        """Whether a value counts as true, for all sizes."""
        if isinstance(value, SymbolicSide):
            return self.world.has[value.kind]
        if isinstance(value, (Bag, Items)) and value.once:
            raise Refused("It asks whether an iterator is true.")
        if isinstance(value, Bag):
            if any(over == MISSING or over in ALONG for over, _ in value.parts):
                raise Refused("It asks whether there are entries, which depends on the context.")
            return bool(value.parts)
        if value is None or isinstance(value, (bool, int, Fraction, Sym, tuple, list, frozenset, str)):
            return bool(value)
        raise Refused(f"It branches on {name_of(value)}.")


def symbolic(value: Any, world: World) -> Sym:
    if isinstance(value, Sym):
        return value
    return world.sym("n") * 0 + Fraction(value)
