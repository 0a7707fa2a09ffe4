"""Large cases in few words: like objects as one group with its size, repeated parts as one part with its number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import inf
from typing import NamedTuple

from metaeval.core.biclustering import Bicluster, Biclustering, Shape
from metaeval.core.case import Case, Side
from metaeval.core.grouping import connected, grouped, holders
from metaeval.display.labels import Family, Labelled, has_pools, is_pair, label_apart, label_sides, titles_of


class Placed(NamedTuple):
    """A bicluster of some family on kinds of objects and of features."""

    family: int
    equal: int
    kinds: tuple[frozenset[int], frozenset[int]]


class Pattern(NamedTuple):
    """All families on kinds; ``numbers`` are those of objects and of features."""

    members: tuple[Placed, ...]
    numbers: tuple[tuple[int, ...], tuple[int, ...]]

    @classmethod
    def of(cls, families: Sequence[Biclustering]) -> Pattern:
        """The pattern of families of the same shape."""
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
            Placed(
                at, equal, (frozenset(map(of_row.__getitem__, own)), frozenset(map(of_col.__getitem__, across)))
            )
            for at, equal, (own, across) in distinct
        )
        return cls(tuple(members), (rows, cols))


def _kinds(biclusters: Sequence[Bicluster], axis: int, size: int) -> tuple[tuple[int, ...], dict[int, int]]:
    """How many indices of each kind there are, and the kind of every index that some bicluster has."""
    held = holders(bicluster[axis] for bicluster in biclusters)
    groups = grouped(sorted(held), held.__getitem__)
    kinds = {index: kind for kind, group in enumerate(groups) for index in group}
    rest = size - len(held)  # not looked at one by one: a background may be vast
    return (*map(len, groups), *([rest] if rest else [])), kinds


# --- pieces


class Ties(NamedTuple):
    """What holds a pattern together and belongs to no piece: some biclusters, and all features or none."""

    members: frozenset[int]
    features: bool


def ways(pattern: Pattern) -> Iterator[Ties]:
    """Ways of taking a pattern apart; at equal cost the first is taken, which has the fewest ties."""
    tried = set()
    for most in (inf, 24, 12, 6, 3, 2, 1):
        members = frozenset(at for at, member in enumerate(pattern.members) if len(member.kinds[0]) > most)
        for features in (True, False):
            if (members, features) not in tried:
                tried.add((members, features))
                yield Ties(members, features)


class Piece(NamedTuple):
    """Biclusters and kinds that hang together."""

    members: list[int]
    rows: list[int]
    cols: list[int]


def pieces_of(pattern: Pattern, ties: Ties) -> list[Piece]:
    """What hangs together without the ties, by its first kind of objects."""
    axes = (0,) if ties.features else (0, 1)
    held = {
        at: [(axis, kind) for axis in axes for kind in sorted(placed.kinds[axis])]
        for at, placed in enumerate(pattern.members)
        if at not in ties.members
    }
    nodes = [(axis, kind) for axis in axes for kind in range(len(pattern.numbers[axis]))]
    parts = connected(nodes, held.values())
    part_of = {node: number for number, part in enumerate(parts) for node in part}
    members: list[list[int]] = [[] for _ in parts]
    for at, own in held.items():
        members[part_of[own[0]]].append(at)
    kinds = ([[kind for axis, kind in part if axis == wanted] for part in parts] for wanted in (0, 1))
    return list(map(Piece, members, *kinds))


#: A piece such that two with the same form are alike: kinds by number and ties, biclusters by what they hold.
Form = tuple[tuple[object, ...], ...]


class Shaper:
    """Gives pieces their forms."""

    def __init__(self, pattern: Pattern, ties: Ties) -> None:
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

    def form(self, piece: Piece) -> Form:
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

    def _ordered(self, axis: int, kinds: list[int], placed: Sequence[Placed]) -> list[int]:
        """Kinds by what they look like from inside the piece, and then by where they stand."""
        looks: dict[int, list[tuple[int, ...]]] = {kind: [] for kind in kinds}
        for member in placed if len(kinds) > 1 else ():
            for kind in member.kinds[axis]:
                looks[kind].append((member.family, member.equal, *map(len, member.kinds)))
        return sorted(kinds, key=lambda kind: (self._seen(axis, kind), sorted(looks[kind]), kind))


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


#: A case with more objects or features than this, or with more biclusters in a family, is shown condensed.
MOST_OBJECTS = 24
MOST_FEATURES = 24
MOST_BICLUSTERS = 12


class Ground(NamedTuple):
    """Families of one matrix, condensed and labelled."""

    matrix: Condensed
    families: tuple[Family, ...]

    @property
    def is_lifted(self) -> bool:
        """Whether every bicluster has all features, so that a line says as much as a matrix."""
        return len(self.matrix.cols) == 1 and not self.matrix.cols[0].part and bool(self.matrix.rows)

    def repeats(self) -> Iterator[str]:
        """What stands for several equal biclusters."""
        for family in self.families:
            for member in family.members:
                if member.equal > 1:
                    yield f"{family.title} {member.starred}: {member.equal} equal biclusters"

    def written(self, member: Labelled) -> str:
        """A bicluster by how many objects and features it has: ``c* = 1 object × 2 features, 37 times``."""
        rows, cols = self.matrix.rows, self.matrix.cols
        held = (
            self._amount([rows[at] for at in sorted(member.rows)], member, "object"),
            self._amount([cols[at] for at in sorted(member.cols)], member, "feature"),
        )
        equal = f", {member.equal} equal ones" if member.equal > 1 else ""
        often = f", {member.times} times" if member.times > 1 else ""
        return f"{member.label} = {' × '.join(held)}{equal}{often}"

    def _amount(self, kinds: Sequence[Kind], member: Labelled, noun: str) -> str:
        """How many objects (or features) these kinds are; of a part that repeats with the member, those of one time."""
        amounts = [str(kind.number) if member.times > 1 else self.matrix.label(kind) for kind in kinds]
        return f"{' + '.join(amounts)} {noun}{'' if amounts == ['1'] else 's'}"

    def label(self, axis: int, position: int) -> str:
        """How many objects (or features) of a kind there are."""
        return self.matrix.label((self.matrix.rows, self.matrix.cols)[axis][position])


def is_large(case: Case) -> bool:
    """Whether a case is shown condensed; one with a side on two matrices never is, as they share no objects."""
    return (
        case.objects > MOST_OBJECTS
        or case.features > MOST_FEATURES
        or any(len(family) > MOST_BICLUSTERS for family in case.families)
    ) and _can_be_condensed(case)


def _can_be_condensed(case: Case) -> bool:
    if is_pair(case):
        return all(side.candidate.shape == side.gold.shape for side in case)
    return not has_pools(case) and len({family.shape for family in case.families}) == 1


def grounds(case: Case) -> tuple[Ground, ...]:
    """All sides on one ground, or each on its own where the matrices differ: numbers then differ in meaning."""
    if len({side.gold.shape for side in case}) == 1:
        return _together(case)
    return _apart(case)


def _together(case: Case) -> tuple[Ground, ...]:
    matrix = condensed(list(case.families))
    small = list(map(matrix.small, range(len(matrix.families))))
    places = titles_of(case).places

    def size(rows: frozenset[int]) -> int:
        return sum(matrix.amount(matrix.rows[row]) for row in rows)

    if is_pair(case):
        pair = Case(Side(*small[:2]), Side(*small[2:]))
        labelled = label_sides(pair, shared="gold" in places, comparable=True, size=size)
    else:
        labelled = label_apart(small, places)
    return (Ground(matrix, tuple(_marked(family, matrix, places[family.title]) for family in labelled)),)


def _apart(case: Case) -> tuple[Ground, ...]:
    matrices = [condensed(side) for side in case]
    left, right = (Side(matrix.small(0), matrix.small(1)) for matrix in matrices)
    labelled = label_sides(Case(left, right), shared=False, comparable=False)
    return tuple(
        Ground(matrix, tuple(_marked(family, matrix, at) for family, at in zip(families, (1, 0), strict=True)))
        for matrix, families in zip(matrices, (labelled[:2], labelled[2:]), strict=True)
    )


def _marked(family: Family, matrix: Condensed, at: int) -> Family:
    """The family, which stands at this place of the matrix's; its members told apart that stand for several."""
    members = (
        replace(member, equal=known.equal, times=matrix.times[known.part])
        for member, known in zip(family.members, matrix.families[at], strict=True)
    )
    return replace(family, members=tuple(members))


def on_all_features(drawn: Sequence[Ground]) -> list[str]:
    """What lines in place of matrices leave to words."""
    features = sorted({ground.matrix.shape[1] for ground in drawn})
    if features == [1] or not all(ground.is_lifted for ground in drawn):
        return []
    return [f"every bicluster has all {' or '.join(map(str, features))} features"]


def legend(drawn: Sequence[Ground]) -> str:
    """What the numbers and stars of a drawing mean, told by some that occur in it."""
    lifted = all(ground.is_lifted for ground in drawn)
    nouns = "objects" if lifted else "objects (rows) or features (columns)"
    kinds = [(ground, kind) for ground in drawn for kind in (*ground.matrix.rows, *ground.matrix.cols)]
    plain = next((kind for _, kind in kinds if not kind.part), None)
    text = f"{'n' if plain is None else plain.number}: so many {nouns} alike"
    repeated = next(((ground.matrix, kind) for ground, kind in kinds if kind.part), None)
    if repeated is None:
        return text
    matrix, kind = repeated
    star = next(member.starred for ground in drawn for family in ground.families for member in family.members
                if member.times > 1)  # fmt: skip
    text += f"; {matrix.label(kind)}: {matrix.times[kind.part]} times {kind.number}; {star}: one each time"
    if any(_repeats_together(ground.matrix) for ground in drawn):
        text += "; what shares a starred letter stands together each time"
    return text


def _repeats_together(matrix: Condensed) -> bool:
    """Whether some part has several kinds, so that a reader must see which of them belong together."""
    return any(_several(kinds) for kinds in (matrix.rows, matrix.cols))


def _several(kinds: Sequence[Kind]) -> bool:
    parts = [kind.part for kind in kinds if kind.part]
    return len(set(parts)) < len(parts)
