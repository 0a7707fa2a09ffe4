"""An order of sides: where it keeps what conditions demand, it is a measure that satisfies them, if a finite one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import le

from metaeval.catalogue.measure import Measure, make_measure
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.core.errors import Undefined
from metaeval.core.forms import Form, form, matrix


@dataclass(frozen=True)
class Order:
    """Sides, each standing for all that differ from it by names, with their ranks, and the rank of the optimum."""

    sides: tuple[Side, ...]
    ranks: tuple[int, ...]
    optimum: int

    @cached_property
    def by_form(self) -> dict[Form, int]:
        """The ranks by what the sides are without names."""
        return dict(zip(map(form, self.sides), self.ranks, strict=True))

    @cached_property
    def _largest(self) -> tuple[int, int, int]:
        """The most objects, features and biclusters of a side."""
        sizes = [_size(side) for side in self.sides]
        objects, features, biclusters = map(max, zip(*sizes, strict=True))
        return objects, features, biclusters

    def rank(self, side: Side) -> int | None:
        """The rank of a side; a perfect match that is not in the order has the optimum, and others have none."""
        # A large side is in no order, and it would take long to find its form.
        small = all(map(le, _size(side), self._largest))
        known = self.by_form.get(form(side)) if small else None
        if known is None and side.candidate.family == side.gold.family:
            return self.optimum
        return known

    def score(self, candidate: Biclustering, gold: Biclustering) -> Fraction:
        """The rank as a share of the optimum's; undefined for what is not in the order."""
        rank = self.rank(Side(candidate, gold))
        if rank is None:
            raise Undefined("the pair is not among those that were put in order")
        return Fraction(rank, self.optimum)

    def measure(self, id: str = "ordered") -> Measure:
        """The order as a measure, best at 1."""
        return make_measure(self.score, id=id, name="a finite order", best=1)


def _size(side: Side) -> tuple[int, int, int]:
    return *matrix(side), len(side.candidate) + len(side.gold)
