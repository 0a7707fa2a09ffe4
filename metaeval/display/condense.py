"""A large matrix as what it is: kinds of objects with their numbers, and parts that stand several times.

Objects that all families treat alike are one kind, and so are features. What is left often repeats itself: thirty
clusters of one object each, say, in the same class. The biclusters on many kinds tie a matrix together; without them
it falls into pieces, and pieces that look alike and hang on the same ties are one part that stands several times.

Nothing is lost: :meth:`Condensed.restored` has the same families, up to names and order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from metaeval.core.biclustering import Biclustering, Shape
from metaeval.display.patterns import Form, Pattern, Piece, Shaper, Ties, pieces_of, ways


class Kind(NamedTuple):
    """So many objects (or features) that all families treat alike, in a part that may stand several times."""

    number: int
    part: int


class Member(NamedTuple):
    """A bicluster on kinds; ``equal`` times the same one, and each time that its part stands, one of its own."""

    rows: frozenset[int]
    cols: frozenset[int]
    equal: int
    part: int


@dataclass(frozen=True)
class Condensed:
    """Families of one matrix; ``times`` says how often each part stands, and part 0, the frame, stands once."""

    times: tuple[int, ...]
    rows: tuple[Kind, ...]
    cols: tuple[Kind, ...]
    families: tuple[tuple[Member, ...], ...]

    @property
    def shape(self) -> Shape:
        """The shape of the whole matrix."""
        objects, features = (sum(map(self.amount, kinds)) for kinds in (self.rows, self.cols))
        return objects, features

    def amount(self, kind: Kind) -> int:
        """How many objects (or features) of a kind there are in all."""
        return kind.number * self.times[kind.part]

    def label(self, kind: Kind) -> str:
        """``40`` are alike; ``37×2`` are two alike, and that 37 times."""
        return f"{self.times[kind.part]}×{kind.number}" if kind.part else str(kind.number)

    def small(self, family: int) -> Biclustering:
        """A family with an object for each kind of objects and a feature for each kind of features."""
        members = ((member.rows, member.cols) for member in self.families[family])
        return Biclustering.trusted(members, (len(self.rows), len(self.cols)))

    def restored(self) -> tuple[Biclustering, ...]:
        """The families written out again, with names of their own for objects and features."""
        rows, cols = self._places(self.rows), self._places(self.cols)
        return tuple(
            Biclustering.trusted(
                (
                    (
                        self._indices(rows, member.rows, member, turn),
                        self._indices(cols, member.cols, member, turn),
                    )
                    for member in family
                    for turn in range(self.times[member.part])
                    for _ in range(member.equal)
                ),
                self.shape,
            )
            for family in self.families
        )

    def _places(self, kinds: Sequence[Kind]) -> list[tuple[Kind, int]]:
        """Every kind with the first of its indices."""
        return list(zip(kinds, accumulate(map(self.amount, kinds), initial=0), strict=False))

    def _indices(
        self, places: list[tuple[Kind, int]], at: Iterable[int], member: Member, turn: int
    ) -> frozenset[int]:
        """The indices of some kinds; of the member's own part, those of this turn."""
        found: set[int] = set()
        for kind, first in (places[position] for position in at):
            own = member.part and kind.part == member.part
            start = first + turn * kind.number if own else first
            found.update(range(start, start + (kind.number if own else self.amount(kind))))
        return frozenset(found)


def condensed(families: Sequence[Biclustering]) -> Condensed:
    """Families of the same shape, condensed as far as one of a few ways of taking them apart goes.

    >>> singles = Biclustering([({row}, {0}) for row in range(40)], shape=(100, 1))
    >>> whole = Biclustering([(range(40), {0})], shape=(100, 1))
    >>> found = condensed([singles, whole])
    >>> [found.label(kind) for kind in found.rows]
    ['40×1', '60']
    """
    pattern = Pattern.of(families)
    best = min((_Parts.of(pattern, ties) for ties in ways(pattern)), key=lambda parts: parts.cost)
    return best.condensed(len(families))


class _Parts(NamedTuple):
    """A pattern in pieces, those together that are alike."""

    pattern: Pattern
    ties: Ties
    alike: list[list[Piece]]

    @classmethod
    def of(cls, pattern: Pattern, ties: Ties) -> _Parts:
        """A pattern taken apart at its ties."""
        alike: dict[Form, list[Piece]] = {}
        shaper = Shaper(pattern, ties)
        for piece in pieces_of(pattern, ties):
            alike.setdefault(shaper.form(piece), []).append(piece)
        return cls(pattern, ties, list(alike.values()))

    @property
    def cost(self) -> int:
        """How much there is to draw."""
        tied = len(self.ties.members) + (len(self.pattern.numbers[1]) if self.ties.features else 0)
        return tied + sum(sum(map(len, pieces[0])) for pieces in self.alike)

    def condensed(self, families: int) -> Condensed:
        """One piece of each form, numbered anew."""
        times, part_of = [1], dict.fromkeys(self.ties.members, 0)
        shown: list[list[tuple[int, int]]] = [[], []]  # for each axis, kinds and their parts
        if self.ties.features:
            shown[1] += ((col, 0) for col in range(len(self.pattern.numbers[1])))
        for pieces in self.alike:
            part = 0 if len(pieces) == 1 else len(times)
            times += [len(pieces)] if part else []
            part_of |= dict.fromkeys(pieces[0].members, part)
            for axis, kinds in enumerate(pieces[0][1:]):
                shown[axis] += ((kind, part) for kind in kinds)
        rows, cols = (
            tuple(Kind(numbers[kind], part) for kind, part in axis)
            for numbers, axis in zip(self.pattern.numbers, shown, strict=True)
        )
        places = [{kind: place for place, (kind, _) in enumerate(axis)} for axis in shown]
        return Condensed(tuple(times), rows, cols, self._members(part_of, places, families))

    def _members(
        self, part_of: Mapping[int, int], places: Sequence[Mapping[int, int]], families: int
    ) -> tuple[tuple[Member, ...], ...]:
        """The biclusters of every family, on those of their kinds that are shown."""
        members: list[list[Member]] = [[] for _ in range(families)]
        for at in sorted(part_of):
            placed = self.pattern.members[at]
            rows, cols = (
                frozenset(place[kind] for kind in kinds if kind in place)
                for kinds, place in zip(placed.kinds, places, strict=True)
            )
            members[placed.family].append(Member(rows, cols, placed.equal, part_of[at]))
        return tuple(map(tuple, members))
