"""The patterns of large matrices: kinds of objects and features, and the pieces a pattern falls into."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from metaeval.core.biclustering import Bicluster, Biclustering

#: A kind of objects (axis 0) or of features (axis 1), by its position.
_Node = tuple[int, int]


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
    holders: dict[int, list[int]] = {}
    for number, bicluster in enumerate(biclusters):
        for index in bicluster[axis]:
            holders.setdefault(index, []).append(number)
    positions: dict[tuple[int, ...], int] = {}
    kinds = {index: positions.setdefault(tuple(holders[index]), len(positions)) for index in sorted(holders)}
    count = Counter(kinds.values())
    rest = size - len(holders)  # not looked at one by one: a background may be vast
    return (*(count[kind] for kind in range(len(positions))), *([rest] if rest else [])), kinds


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
    head = _joined(nodes, held.values())
    found = {node: Piece([], [], []) for node in nodes if head[node] == node}
    for node in nodes:
        axis, kind = node
        found[head[node]][1 + axis].append(kind)
    for at, own in held.items():
        found[head[own[0]]].members.append(at)
    return list(found.values())


def _joined(nodes: Iterable[_Node], groups: Iterable[list[_Node]]) -> dict[_Node, _Node]:
    """For every node the first of those that groups join with it, directly or by way of others."""
    parent = {node: node for node in nodes}

    def head(node: _Node) -> _Node:
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for group in groups:
        heads = {head(node) for node in group}
        first = min(heads)
        parent.update(dict.fromkeys(heads, first))
    return {node: head(node) for node in parent}


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
