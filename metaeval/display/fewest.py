"""The fewest counterexamples that explain every violation: a smallest set cover, as a case may break several."""

from collections.abc import Collection, Iterable, Mapping
from itertools import product
from math import isfinite
from typing import NamedTuple

from metaeval.catalogue.condition import conditions
from metaeval.core.relation import Bounds, broken
from metaeval.records.cell import Cell
from metaeval.records.certificate import Certificate

#: The size of a case, or of several: objects, features, biclusters and indices.
Size = tuple[int, ...]


class Explanation(NamedTuple):
    """A counterexample and every violated cell that it breaks; the cell it was found for comes first."""

    cell: Cell
    explained: tuple[Cell, ...]


def fewest(cells: Iterable[Cell], bounds: Bounds) -> list[Explanation]:
    """The fewest counterexamples that break all violated cells of a measure; of equally many, the smallest."""
    # Nothing is scored here: the scores of a case do not depend on the condition.
    violated = [cell for cell in cells if cell.certificate is not None]
    certificates = [cell.certificate for cell in violated if cell.certificate is not None]
    reach = {at: frozenset({at}) for at in range(len(violated))}
    for (at, certificate), (place, other) in product(enumerate(certificates), enumerate(violated)):
        if place != at and breaks(certificate, other.condition, other.reading, bounds):
            reach[at] |= {place}
    chosen = smallest_cover(reach, {at: one.case.size for at, one in enumerate(certificates)})
    others = {at: [violated[place] for place in sorted(reach[at]) if place != at] for at in chosen}
    return [Explanation(violated[at], (violated[at], *others[at])) for at in chosen]


def breaks(certificate: Certificate, condition: str, reading: str, bounds: Bounds) -> bool:
    """Whether the case of a certificate is an instance of this condition and reading too, and breaks it."""
    known = conditions().get(condition)
    if known is None or reading not in known.readings:
        return False
    # The demand of a condition is the same in all its readings, and the certificate breaks its own.
    if condition != certificate.condition:
        relation, scores = known.relation, tuple(score.number for score in certificate.scores)
        if not relation.fits(certificate.case) or (relation.needs_optimum and bounds.best is None):
            return False
        # A missing score breaks only the condition that demands one.
        if not all(map(isfinite, scores)) or broken(relation, scores, bounds) is None:
            return False
    return known.admits(reading, certificate.case)


def smallest_cover(reach: Mapping[int, frozenset[int]], sizes: Mapping[int, Size]) -> list[int]:
    """The fewest keys whose sets hold everything that any set holds; of equally many, the smallest in all.

    >>> smallest_cover({0: frozenset({0, 1}), 1: frozenset({1}), 2: frozenset({2, 1})}, {0: (1,), 1: (1,), 2: (9,)})
    [0, 2]
    """

    def beats(one: int, other: int) -> bool:
        """Whether a key covers all that another covers and is no larger; of two equal ones the first is kept."""
        alike = reach[one] == reach[other] and sizes[one] == sizes[other]
        no_worse = reach[one] >= reach[other] and sizes[one] <= sizes[other]
        return one != other and no_worse and (not alike or one < other)

    def cost(keys: Collection[int]) -> tuple[int, Size, list[int]]:
        """How many, how large, and which; the last makes the answer independent of the order of the search."""
        return len(keys), tuple(map(sum, zip(*(sizes[key] for key in keys), strict=True))), sorted(keys)

    def cover(missing: frozenset[int], most: int) -> tuple[int, ...] | None:
        """The best cover of ``missing`` with at most ``most`` keys, or None; exact, by branch and bound."""
        if not missing:
            return ()
        if most == 0 or most * max((len(reach[key] & missing) for key in useful), default=0) < len(missing):
            return None
        # The place with the fewest keys gives the fewest branches.
        hardest = min(sorted(missing), key=lambda place: sum(place in reach[key] for key in useful))
        best: tuple[int, ...] | None = None
        for key in (key for key in useful if hardest in reach[key]):
            rest = cover(missing - reach[key], most - 1)
            if rest is not None and (best is None or cost((key, *rest)) < cost(best)):
                best = (key, *rest)
                most = len(best)
        return best

    useful = [key for key in reach if not any(beats(other, key) for other in reach)]
    return sorted(cover(frozenset().union(*reach.values()), len(reach)) or [])
