"""A large matrix as what it is: kinds of objects with their numbers, and parts that stand several times.

Objects that all families treat alike are one kind, and so are features. What is left often repeats itself: thirty
clusters of one object each, say, in the same class. The biclusters on many kinds tie a matrix together; without them
it falls into pieces, and pieces that look alike and hang on the same ties are one part that stands several times.

Nothing is lost: :meth:`Condensed.restored` has the same families, up to names and order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from typing import NamedTuple

from metaeval.model import Bicluster, Biclustering, Shape


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
    pattern = _Pattern.of(families)
    best = min((_Parts.of(pattern, ties) for ties in _ways(pattern)), key=lambda parts: parts.cost)
    return best.condensed(len(families))


# --- kinds


class _Placed(NamedTuple):
    """A bicluster of some family on kinds of objects and of features."""

    family: int
    equal: int
    kinds: tuple[frozenset[int], frozenset[int]]


class _Pattern(NamedTuple):
    """All families on kinds; ``numbers`` are those of objects and of features."""

    members: tuple[_Placed, ...]
    numbers: tuple[tuple[int, ...], tuple[int, ...]]

    @classmethod
    def of(cls, families: Sequence[Biclustering]) -> _Pattern:
        distinct = [
            (at, equal, bicluster)
            for at, family in enumerate(families)
            for bicluster, equal in Counter(family).items()
        ]
        axes = [
            _kinds([bicluster for *_, bicluster in distinct], axis, families[0].shape[axis]) for axis in (0, 1)
        ]
        (rows, of_row), (cols, of_col) = axes
        members = (
            _Placed(
                at, equal, (frozenset(map(of_row.__getitem__, own)), frozenset(map(of_col.__getitem__, across)))
            )
            for at, equal, (own, across) in distinct
        )
        return cls(tuple(members), (rows, cols))


def _kinds(biclusters: Sequence[Bicluster], axis: int, size: int) -> tuple[tuple[int, ...], dict[int, int]]:
    """How many indices of each kind there are, and the kind of every index that some bicluster has."""
    holders: dict[int, list[int]] = {}
    for number, bicluster in enumerate(biclusters):
        for index in bicluster[axis]:
            holders.setdefault(index, []).append(number)
    positions: dict[tuple[int, ...], int] = {}
    kinds = {index: positions.setdefault(tuple(holders[index]), len(positions)) for index in sorted(holders)}
    count = Counter(kinds.values())
    rest = size - len(holders)  # not looked at one by one: a background may be vast
    return (*(count[kind] for kind in range(len(positions))), *([rest] if rest else [])), kinds


# --- parts


class _Ties(NamedTuple):
    """What holds a pattern together and belongs to no piece: some biclusters, and all features or none."""

    members: frozenset[int]
    features: bool


def _ways(pattern: _Pattern) -> Iterator[_Ties]:
    """Ways of taking a pattern apart; at equal cost the first is taken, which has the fewest ties."""
    tried = set()
    for most in (inf, 24, 12, 6, 3, 2, 1):
        members = frozenset(at for at, member in enumerate(pattern.members) if len(member.kinds[0]) > most)
        for features in (True, False):
            if (members, features) not in tried:
                tried.add((members, features))
                yield _Ties(members, features)


class _Piece(NamedTuple):
    """Biclusters and kinds that hang together."""

    members: list[int]
    rows: list[int]
    cols: list[int]


#: A piece such that two with the same form are alike: kinds by number and ties, biclusters by what they hold.
_Form = tuple[tuple[object, ...], ...]


class _Parts(NamedTuple):
    """A pattern in pieces, those together that are alike."""

    pattern: _Pattern
    ties: _Ties
    alike: list[list[_Piece]]

    @classmethod
    def of(cls, pattern: _Pattern, ties: _Ties) -> _Parts:
        alike: dict[_Form, list[_Piece]] = {}
        shaper = _Shaper(pattern, ties)
        for piece in _pieces(pattern, ties):
            alike.setdefault(shaper.form(piece), []).append(piece)
        return cls(pattern, ties, list(alike.values()))

    @property
    def cost(self) -> int:
        """How much there is to draw."""
        return sum(sum(map(len, pieces[0])) for pieces in self.alike) + len(self.ties.members)

    def condensed(self, families: int) -> Condensed:
        """One piece of every kind, numbered anew."""
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
        places = [{kind: place for place, (kind, _) in enumerate(axis)} for axis in shown]
        members: list[list[Member]] = [[] for _ in range(families)]
        for at in sorted(part_of):
            placed = self.pattern.members[at]
            rows, cols = (
                frozenset(place[kind] for kind in kinds if kind in place)
                for kinds, place in zip(placed.kinds, places, strict=True)
            )
            members[placed.family].append(Member(rows, cols, placed.equal, part_of[at]))
        rows_shown, cols_shown = (
            tuple(Kind(numbers[kind], part) for kind, part in axis)
            for numbers, axis in zip(self.pattern.numbers, shown, strict=True)
        )
        return Condensed(tuple(times), rows_shown, cols_shown, tuple(map(tuple, members)))


def _pieces(pattern: _Pattern, ties: _Ties) -> list[_Piece]:
    """What hangs together without the ties, by its first kind of objects."""
    first: dict[tuple[int, int], int] = {}  # kinds, by axis and position, and the group they are in
    groups: list[list[tuple[int, int]]] = []
    inside: list[tuple[int, int]] = []  # a bicluster and a group that it is in
    axes = (0,) if ties.features else (0, 1)
    for at, placed in enumerate(pattern.members):
        if at in ties.members:
            continue
        nodes = [(axis, kind) for axis in axes for kind in sorted(placed.kinds[axis])]
        met = sorted({first[node] for node in nodes if node in first})
        home = met[0] if met else len(groups)
        groups += [] if met else [[]]
        fresh = [node for node in nodes if node not in first]
        for other in met[1:]:
            fresh += groups[other]
            groups[other] = []
        groups[home] += fresh
        first |= dict.fromkeys(fresh, home)
        inside.append((at, nodes[0][1]))
    for axis in axes:
        for kind in range(len(pattern.numbers[axis])):
            if (axis, kind) not in first:
                first[axis, kind] = len(groups)
                groups.append([(axis, kind)])
    members: list[list[int]] = [[] for _ in groups]
    for at, row in inside:
        members[first[0, row]].append(at)
    pieces = [
        _Piece(members[number], *(sorted(kind for axis, kind in group if axis == one) for one in (0, 1)))
        for number, group in enumerate(groups)
        if group
    ]
    return sorted(pieces, key=lambda piece: piece.rows[:1] or [len(pattern.numbers[0])])


class _Shaper:
    """Gives pieces their forms."""

    def __init__(self, pattern: _Pattern, ties: _Ties) -> None:
        self._pattern = pattern
        self._ties = ties
        #: The names of features that are no piece's own.
        self._features = {col: col for col in range(len(pattern.numbers[1]))}
        #: For every axis and kind, the ties it hangs on.
        self._hung: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
        for at in sorted(ties.members):
            for axis, hung in enumerate(self._hung):
                for kind in pattern.members[at].kinds[axis]:
                    hung.setdefault(kind, []).append(at)

    def form(self, piece: _Piece) -> _Form:
        """Forms are compared whole, so that what they say alike is alike; a poor order only finds less."""
        placed = [self._pattern.members[at] for at in piece.members]
        axes = [self._ordered(axis, piece[1 + axis], placed) for axis in (0, 1)]
        rows, cols = ({kind: place for place, kind in enumerate(kinds)} for kinds in axes)
        if self._ties.features:
            cols = self._features
        held = (
            (
                member.family,
                member.equal,
                tuple(sorted(map(rows.__getitem__, member.kinds[0]))),
                tuple(sorted(map(cols.__getitem__, member.kinds[1]))),
            )
            for member in placed
        )
        seen = (tuple(self._seen(axis, kind) for kind in kinds) for axis, kinds in enumerate(axes))
        return (*seen, tuple(sorted(held)))

    def _seen(self, axis: int, kind: int) -> tuple[int, tuple[int, ...]]:
        return self._pattern.numbers[axis][kind], tuple(self._hung[axis].get(kind, ()))

    def _ordered(self, axis: int, kinds: list[int], placed: Sequence[_Placed]) -> list[int]:
        """Kinds by what they look like from inside the piece, and then by where they stand."""
        looks: dict[int, list[tuple[int, ...]]] = {kind: [] for kind in kinds}
        for member in placed if len(kinds) > 1 else ():
            for kind in member.kinds[axis]:
                looks[kind].append((member.family, member.equal, *map(len, member.kinds)))
        return sorted(kinds, key=lambda kind: (self._seen(axis, kind), sorted(looks[kind]), kind))
