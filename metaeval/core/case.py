"""Sides and cases: what a condition generates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from operator import itemgetter
from typing import Self, TypeVar

from metaeval.core.biclustering import Biclustering, Shape

_T = TypeVar("_T")


class _Several(tuple[_T, ...]):
    """A tuple that is made of its parts, and shows its name."""

    __slots__ = ()

    def __new__(cls, *parts: _T) -> Self:
        return tuple.__new__(cls, parts)

    def __getnewargs__(self) -> tuple[_T, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self))})"


class Side(_Several[Biclustering]):
    """A candidate and the gold it is scored against; or a pool, several candidates whose scores' mean is its score."""

    __slots__ = ()

    candidate: Biclustering = property(itemgetter(0), doc="The candidate; in a pool, the first.")  # type: ignore[assignment]
    gold: Biclustering = property(itemgetter(-1), doc="The gold standard.")  # type: ignore[assignment]

    @property
    def candidates(self) -> tuple[Biclustering, ...]:
        """The candidate or, of a pool, all of them."""
        return self[:-1]

    @property
    def is_pool(self) -> bool:
        """Whether there are several candidates."""
        return len(self) > 2

    @property
    def shape(self) -> Shape:
        """The shape of the smallest matrix that holds the matrices of all families."""
        one, other = self[0].shape, self[-1].shape
        if one == other and not self.is_pool:
            return one
        return max(family.shape[0] for family in self), max(family.shape[1] for family in self)

    @property
    def pairs(self) -> tuple[Side, ...]:
        """Every candidate with the gold: what a measure is asked to score."""
        return tuple(Side(candidate, self.gold) for candidate in self.candidates) if self.is_pool else (self,)


class Case(_Several[Side]):
    """Sides to score, mostly ``left`` and ``right``; a condition demands a relation between their scores."""

    __slots__ = ()

    left: Side = property(itemgetter(0), doc="The first side.")  # type: ignore[assignment]
    right: Side = property(itemgetter(1), doc="The second side.")  # type: ignore[assignment]

    @property
    def families(self) -> Iterator[Biclustering]:
        """The candidates and golds of all sides, in order."""
        return (family for side in self for family in side)

    def mapped(self, change: Callable[[Biclustering], Biclustering]) -> Case:
        """The case with every family changed; one that stands in several places, as golds do, is changed once."""
        changed = {key: change(family) for key, family in {id(one): one for one in self.families}.items()}
        return Case(*[Side(*[changed[id(family)] for family in side]) for side in self])

    @property
    def crosses_roles(self) -> bool:
        """Whether the gold standard of one side is the candidate of another, and not the gold standard of all."""
        if all(side.gold == self[0].gold for side in self[1:]):
            return False
        return any(side.gold in other.candidates for side, other in permutations(self, 2))

    @property
    def objects(self) -> int:
        """The number of objects of the larger matrix."""
        return self._largest(0)

    @property
    def features(self) -> int:
        """The number of features of the larger matrix."""
        return self._largest(1)

    def _largest(self, axis: int) -> int:
        # Asked for every case of every list: written out for a pair, it takes a third of the time.
        try:
            (a, b), (c, d) = self
        except ValueError:
            return max(family.shape[axis] for family in self.families)
        return max(a.shape[axis], b.shape[axis], c.shape[axis], d.shape[axis])

    @property
    def most_biclusters(self) -> int:
        """The number of biclusters of the largest family."""
        try:
            (a, b), (c, d) = self
        except ValueError:
            return max(map(len, self.families))
        return max(len(a), len(b), len(c), len(d))

    @property
    def size(self) -> tuple[int, int, int, int]:
        """What makes one counterexample simpler than another: objects, features, biclusters, indices."""
        families = list(self.families)
        indices = sum(len(rows) + len(cols) for family in families for rows, cols in family)
        return self.objects, self.features, sum(map(len, families)), indices


def side_names(sides: int) -> tuple[str, ...]:
    """What the sides of a case are called: left and right, or by number where there are not two."""
    return ("left", "right") if sides == 2 else tuple(f"side {number}" for number in range(1, sides + 1))
