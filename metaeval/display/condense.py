"""Large cases in short: like objects as one group with its size, equal parts as one part with its number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product, starmap
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
        distinct = [
            (at, equal, bicluster) for at, family in enumerate(families) for bicluster, equal in Counter(family).items()
        ]
        axes = [_kinds([bicluster for *_, bicluster in distinct], axis, families[0].shape[axis]) for axis in (0, 1)]
        (rows, of_row), (cols, of_col) = axes
        members = (
            Placed(at, equal, (frozenset(map(of_row.__getitem__, own)), frozenset(map(of_col.__getitem__, across))))
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
    """What connects all parts of a pattern and belongs to none: some biclusters, and all features or none."""

    members: frozenset[int]
    features: bool


def ways(pattern: Pattern) -> Iterator[Ties]:
    """Ways of taking a pattern apart; those with the fewest ties come first."""
    sizes = [len(member.kinds[0]) for member in pattern.members]
    large = ((at for at, size in enumerate(sizes) if size > most) for most in (inf, 24, 12, 6, 3, 2, 1))
    return starmap(Ties, product(dict.fromkeys(map(frozenset, large)), (True, False)))


class ConnectedPart(NamedTuple):
    """Connected biclusters and groups."""

    members: list[int]
    rows: list[int]
    cols: list[int]


def pieces_of(pattern: Pattern, ties: Ties) -> list[ConnectedPart]:
    """The parts that are connected without the ties, by their first group of objects."""
    axes, of_member = ((0,) if ties.features else (0, 1)), 2
    nodes = [(axis, kind) for axis in axes for kind in range(len(pattern.numbers[axis]))]
    members = [(of_member, at) for at in range(len(pattern.members)) if at not in ties.members]
    links = [
        [member, *((axis, kind) for axis in axes for kind in pattern.members[member[1]].kinds[axis])]
        for member in members
    ]
    return [
        ConnectedPart(*([number for what, number in part if what == wanted] for wanted in (of_member, 0, 1)))
        for part in connected([*nodes, *members], links)
    ]


#: A piece such that two with the same form are alike: kinds by number and ties, biclusters by what they hold.
Form = tuple[tuple[object, ...], ...]


class Shaper:
    """Gives pieces their forms."""

    def __init__(self, pattern: Pattern, ties: Ties) -> None:
        self._pattern, self._ties = pattern, ties
        #: The names of features that are no piece's own.
        self._features = {col: col for col in range(len(pattern.numbers[1]))}
        tied = [pattern.members[at].kinds for at in sorted(ties.members)]
        #: For every axis and kind, the numbers of the ties it hangs on.
        self._hung = [holders(kinds[axis] for kinds in tied) for axis in (0, 1)]

    def form(self, piece: ConnectedPart) -> Form:
        """The form of a part. Parts with equal forms are alike; alike parts may have different forms."""
        placed = [self._pattern.members[at] for at in piece.members]
        axes = [self._ordered(axis, piece[1 + axis], placed) for axis in (0, 1)]
        rows, cols = ({kind: place for place, kind in enumerate(kinds)} for kinds in axes)
        if self._ties.features:
            cols = self._features
        held = []
        for member in placed:
            places = zip((rows, cols), member.kinds, strict=True)
            held.append(
                (member.family, member.equal, *(tuple(sorted(place[kind] for kind in some)) for place, some in places))
            )
        seen = (tuple(self._seen(axis, kind) for kind in kinds) for axis, kinds in enumerate(axes))
        return (*seen, tuple(sorted(held)))

    def _seen(self, axis: int, kind: int) -> tuple[int, tuple[int, ...]]:
        return self._pattern.numbers[axis][kind], self._hung[axis].get(kind, ())

    def _ordered(self, axis: int, kinds: list[int], placed: Sequence[Placed]) -> list[int]:
        """Groups in the order of their looks inside the part, then of their positions."""
        looks: dict[int, list[tuple[int, ...]]] = {kind: [] for kind in kinds}
        for member in placed if len(kinds) > 1 else ():
            for kind in member.kinds[axis]:
                looks[kind].append((member.family, member.equal, *map(len, member.kinds)))
        return sorted(kinds, key=lambda kind: (self._seen(axis, kind), sorted(looks[kind]), kind))


class LikeGroup(NamedTuple):
    """``number`` objects (or features) that all families treat alike, in a part that may be repeated."""

    number: int
    part: int


class Member(NamedTuple):
    """A bicluster on groups: ``equal`` copies of it, in every repetition of its part."""

    rows: frozenset[int]
    cols: frozenset[int]
    equal: int
    part: int


class Condensed(NamedTuple):
    """Families of one matrix; ``times`` says how often each part is repeated; part 0, the frame, is there once."""

    times: tuple[int, ...]
    rows: tuple[LikeGroup, ...]
    cols: tuple[LikeGroup, ...]
    families: tuple[tuple[Member, ...], ...]

    @property
    def shape(self) -> Shape:
        objects, features = (sum(map(self.amount, kinds)) for kinds in (self.rows, self.cols))
        return objects, features

    def amount(self, kind: LikeGroup) -> int:
        """How many objects (or features) of a kind there are in all."""
        return kind.number * self.times[kind.part]

    def label(self, kind: LikeGroup) -> str:
        """``40``: 40 alike; ``37×2``: two alike, 37 times."""
        return f"{self.times[kind.part]}×{kind.number}" if kind.part else str(kind.number)

    def small(self, family: int) -> Biclustering:
        """A family with an object for each kind of objects and a feature for each kind of features."""
        members = ((member.rows, member.cols) for member in self.families[family])
        return Biclustering.trusted(members, (len(self.rows), len(self.cols)))


def condensed(families: Sequence[Biclustering]) -> Condensed:
    """Families of the same shape, condensed in the cheapest of a few ways.

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
    """A pattern in parts, grouped by form."""

    pattern: Pattern
    ties: Ties
    alike: list[list[ConnectedPart]]

    @classmethod
    def of(cls, pattern: Pattern, ties: Ties) -> _Parts:
        return cls(pattern, ties, grouped(pieces_of(pattern, ties), Shaper(pattern, ties).form))

    @property
    def cost(self) -> int:
        """How much there is to draw."""
        tied = len(self.ties.members) + (len(self.pattern.numbers[1]) if self.ties.features else 0)
        return tied + sum(sum(map(len, pieces[0])) for pieces in self.alike)

    def condensed(self, families: int) -> Condensed:
        """One part of each form, with new numbers."""
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
            tuple(LikeGroup(numbers[kind], part) for kind, part in axis)
            for numbers, axis in zip(self.pattern.numbers, shown, strict=True)
        )
        places = [{kind: place for place, (kind, _) in enumerate(axis)} for axis in shown]
        # The biclusters of every family, on those of their kinds that are shown.
        members: list[list[Member]] = [[] for _ in range(families)]
        for at in sorted(part_of):
            placed = self.pattern.members[at]
            own = zip(placed.kinds, places, strict=True)
            objects, features = (frozenset(place[one] for one in kinds if one in place) for kinds, place in own)
            members[placed.family].append(Member(objects, features, placed.equal, part_of[at]))
        return Condensed(tuple(times), rows, cols, tuple(map(tuple, members)))


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
        """Whether every bicluster has all features, so that a line is enough."""
        return len(self.matrix.cols) == 1 and not self.matrix.cols[0].part and bool(self.matrix.rows)

    def repeats(self) -> Iterator[str]:
        """Notes on letters that stand for several equal biclusters."""
        for family in self.families:
            for member in family.members:
                if member.equal > 1:
                    yield f"{family.title} {member.starred}: {member.equal} equal biclusters"

    def written(self, member: Labelled) -> str:
        """A bicluster by its numbers of objects and features: ``c* = 1 object × 2 features, 37 times``."""
        held = []
        for axis, (groups, noun) in enumerate(((member.rows, "object"), (member.cols, "feature"))):
            kinds = [(self.matrix.rows, self.matrix.cols)[axis][at] for at in sorted(groups)]
            # Of a repeated part, the numbers are those of one repetition.
            amounts = [str(kind.number) if member.times > 1 else self.matrix.label(kind) for kind in kinds]
            held.append(f"{' + '.join(amounts)} {noun}{'' if amounts == ['1'] else 's'}")
        equal = f", {member.equal} equal ones" if member.equal > 1 else ""
        often = f", {member.times} times" if member.times > 1 else ""
        return f"{member.label} = {' × '.join(held)}{equal}{often}"

    def label(self, axis: int, position: int) -> str:
        """The number of objects (or features) of a group."""
        return self.matrix.label((self.matrix.rows, self.matrix.cols)[axis][position])


def is_large(case: Case) -> bool:
    """Whether a case is shown condensed; never one with a side on two matrices, which share no objects."""
    return (
        case.objects > MOST_OBJECTS
        or case.features > MOST_FEATURES
        or any(len(family) > MOST_BICLUSTERS for family in case.families)
    ) and (
        all(side.candidate.shape == side.gold.shape for side in case)
        if is_pair(case)
        else not has_pools(case) and len({family.shape for family in case.families}) == 1
    )


def grounds(case: Case) -> tuple[Ground, ...]:
    """All sides on one ground; each on its own where the matrices differ, as numbers then mean other objects."""
    places = titles_of(case).places
    if len({side.gold.shape for side in case}) > 1:
        matrices = [condensed(side) for side in case]
        labelled = label_apart([matrix.small(at) for matrix in matrices for at in (0, 1)], places)
        return tuple(
            Ground(matrix, tuple(_marked(family, matrix, at) for family, at in zip(families, (1, 0), strict=True)))
            for matrix, families in zip(matrices, (labelled[:2], labelled[2:]), strict=True)
        )
    matrix = condensed(list(case.families))
    small = list(map(matrix.small, range(len(matrix.families))))

    def size(rows: frozenset[int]) -> int:
        return sum(matrix.amount(matrix.rows[row]) for row in rows)

    if is_pair(case):
        labelled = label_sides(Case(Side(*small[:2]), Side(*small[2:])), shared="gold" in places, size=size)
    else:
        labelled = label_apart(small, places)
    return (Ground(matrix, tuple(_marked(family, matrix, places[family.title]) for family in labelled)),)


def _marked(family: Family, matrix: Condensed, at: int) -> Family:
    """The family at this place of the matrix; its members know for how many biclusters they stand."""
    members = (
        member._replace(equal=known.equal, times=matrix.times[known.part])
        for member, known in zip(family.members, matrix.families[at], strict=True)
    )
    return family._replace(members=tuple(members))


def on_all_features(drawn: Sequence[Ground]) -> list[str]:
    """A note on the features where lines are drawn instead of matrices."""
    features = sorted({ground.matrix.shape[1] for ground in drawn})
    if features == [1] or not all(ground.is_lifted for ground in drawn):
        return []
    return [f"every bicluster has all {' or '.join(map(str, features))} features"]


def legend(drawn: Sequence[Ground]) -> str:
    """The meaning of the numbers and stars of a drawing, by examples from it."""
    nouns = "objects" if all(ground.is_lifted for ground in drawn) else "objects (rows) or features (columns)"
    kinds = [(ground, kind) for ground in drawn for kind in (*ground.matrix.rows, *ground.matrix.cols)]
    number = next((str(kind.number) for _, kind in kinds if not kind.part), "n")
    text = f"{number}: number of like {nouns}"
    repeated = next(((ground.matrix, kind) for ground, kind in kinds if kind.part), None)
    if repeated is None:
        return text
    matrix, kind = repeated
    star = next(member.starred for ground in drawn for family in ground.families for member in family.members
                if member.times > 1)  # fmt: skip
    text += f"; {matrix.label(kind)}: {matrix.times[kind.part]} times {kind.number}; {star}: one each time"
    axes = (axis for ground in drawn for axis in (ground.matrix.rows, ground.matrix.cols))
    if any(often > 1 for axis in axes for often in Counter(one.part for one in axis if one.part).values()):
        # The reader must see which groups belong together.
        text += "; groups that share a starred letter are together each time"
    return text
