"""Canonical forms: the same for two sides exactly if they differ by the names of objects and features alone.

A bicluster is known by its role, candidate or gold; an object by the biclusters that hold it, and so is a feature. How
many objects and features lie in which biclusters is all there is to a side but names. So a form is a table of these
numbers, with the biclusters in an order that does not depend on names. The order is found by refinement: biclusters
are told apart by the company they keep, and where that leaves several alike, each is tried as the first of them
(B. D. McKay and A. Piperno 2014, doi:10.1016/j.jsc.2013.09.003, describe the method, with far more pruning).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from metaeval.core.case import Side

#: Sets of biclusters as bitmasks, each with how many objects, or features, lie in just these biclusters.
Counts = tuple[tuple[int, int], ...]
#: The roles of biclusters in order, and the counts of objects and of features.
Part = tuple[tuple[int, ...], Counts, Counts]
#: Objects (0) or features (1), how many lie in just the same biclusters, and the colours of these.
Company = tuple[int, int, tuple[int, ...]]

_MOST_REMEMBERED = 1 << 16


class Form(NamedTuple):
    """A side without names: what all its biclusters share, and its connected parts, in order.

    ``idle`` are the objects and features in no bicluster, ``common`` those in every one.
    """

    idle: tuple[int, int]
    common: tuple[int, int]
    parts: tuple[Part, ...]


class Renaming(NamedTuple):
    """New names: object i is called ``objects[i]``, and so with the features."""

    objects: tuple[int, ...]
    features: tuple[int, ...]


def form(side: Side) -> Form:
    """The form of a side.

    >>> from metaeval.core.biclustering import Biclustering
    >>> gold = Biclustering.from_labels([0, 0, 1])
    >>> one, other = Biclustering.from_labels([0, 1, 1]), Biclustering.from_labels([0, 1, 0])
    >>> form(Side(one, gold)) == form(Side(other, gold)), form(Side(one, gold)) == form(Side(gold, gold))
    (True, False)
    """
    return _Named(side).form


def renaming(one: Side, other: Side) -> Renaming | None:
    """New names that turn the first side into the second, or None where there are none.

    >>> from metaeval.core.biclustering import Biclustering
    >>> gold = Biclustering.from_labels([0, 0, 1])
    >>> left, right = Biclustering.from_labels([0, 1, 1]), Biclustering.from_labels([0, 1, 0])
    >>> renaming(Side(left, gold), Side(right, gold))
    Renaming(objects=(1, 0, 2), features=(0,))
    """
    left, right = _Named(one), _Named(other)
    if left.form != right.form:
        return None
    objects, features = (_paired(*places) for places in zip(left.places(), right.places(), strict=True))
    return Renaming(objects, features)


def renames(side: Side, names: Renaming, into: Side) -> bool:
    """Whether these names turn the first side into the second, found by doing it."""
    if matrix(side) != matrix(into) or not _are_names(names, matrix(side)):
        return False
    renamed = (
        Counter(
            (frozenset(names.objects[row] for row in rows), frozenset(names.features[col] for col in cols))
            for rows, cols in family
        )
        for family in side
    )
    return all(found == Counter(family.biclusters) for found, family in zip(renamed, into, strict=True))


def matrix(side: Side) -> tuple[int, int]:
    """The smallest matrix that holds both parts' matrices."""
    (objects, features), (others, further) = side.candidate.shape, side.gold.shape
    return max(objects, others), max(features, further)


def _are_names(names: Renaming, shape: tuple[int, int]) -> bool:
    return all(sorted(some) == [*range(count)] for some, count in zip(names, shape, strict=True))


def _paired(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """What each element is called where elements with the same place are each other's, in order."""
    targets = sorted(range(len(other)), key=lambda element: (other[element], element))
    sources = sorted(range(len(one)), key=lambda element: (one[element], element))
    names = dict(zip(sources, targets, strict=True))
    return tuple(names[element] for element in range(len(one)))


class _Named:
    """A side with the biclusters that hold each object and feature, and the order that its form puts them in."""

    def __init__(self, side: Side) -> None:
        held = [(role, bicluster) for role, family in enumerate(side) for bicluster in family]
        self._roles = tuple(role for role, _ in held)
        self._holders = tuple(
            _holders([bicluster[axis] for _, bicluster in held], count) for axis, count in enumerate(matrix(side))
        )
        everywhere = (1 << len(held)) - 1
        rows, cols = (Counter(holders) for holders in self._holders)
        idle = rows.pop(0, 0), cols.pop(0, 0)
        common = rows.pop(everywhere, 0), cols.pop(everywhere, 0)
        # What all biclusters share does not connect them: else every lifted clustering would be a single part.
        parts = sorted(_ordered(self._roles, rows, cols, members) for members in _connected(len(held), rows, cols))
        self._order = [index for _, members in parts for index in members]
        self.form = Form(idle, common, tuple(part for part, _ in parts))

    def places(self) -> tuple[list[int], list[int]]:
        """For each object, and for each feature, the biclusters that hold it, numbered as the form has them."""
        rows, cols = (_renumbered(holders, self._order) for holders in self._holders)
        return rows, cols


def _holders(sets: Sequence[frozenset[int]], count: int) -> tuple[int, ...]:
    """For each element the sets that hold it, as a bitmask."""
    holders = [0] * count
    for index, members in enumerate(sets):
        for element in members:
            holders[element] |= 1 << index
    return tuple(holders)


@lru_cache(_MOST_REMEMBERED)
def _bits(mask: int) -> tuple[int, ...]:
    """The numbers of the biclusters in a bitmask."""
    return tuple(index for index in range(mask.bit_length()) if mask >> index & 1)


def _renumbered(masks: Iterable[int], order: Sequence[int]) -> list[int]:
    """The masks with the number of each bicluster turned into its place in the order."""
    bit = {index: 1 << place for place, index in enumerate(order)}
    return [sum([bit[index] for index in _bits(mask)]) for mask in masks]


def _connected(count: int, *tables: Counter[int]) -> list[int]:
    """The biclusters that are connected by what they hold together, as bitmasks."""
    groups = [1 << index for index in range(count)]
    for mask in (mask for table in tables for mask in table):
        touched = [group for group in groups if group & mask]
        groups = [group for group in groups if not group & mask] + [sum(touched)]
    return groups


def _ordered(
    roles: Sequence[int], rows: Counter[int], cols: Counter[int], members: int
) -> tuple[Part, tuple[int, ...]]:
    """A connected part in canonical order, and the numbers of its biclusters in that order."""
    indices = _bits(members)
    own = [tuple((mask, n) for mask, n in table.items() if mask & members) for table in (rows, cols)]
    part, order = _canonical(_reordered((tuple(roles), own[0], own[1]), indices))
    return part, tuple(indices[place] for place in order)


@lru_cache(_MOST_REMEMBERED)
def _canonical(part: Part) -> tuple[Part, tuple[int, ...]]:
    """The least of the part's reorderings that refinement leads to, and the order that gives it."""
    return min((_reordered(part, order), order) for order in _orders(part, _refined(part, part[0])))


def _reordered(part: Part, order: Sequence[int]) -> Part:
    roles, rows, cols = part
    return tuple([roles[index] for index in order]), _counted(rows, order), _counted(cols, order)


def _counted(counts: Counts, order: Sequence[int]) -> Counts:
    masks = _renumbered([mask for mask, _ in counts], order)
    return tuple(sorted(zip(masks, [n for _, n in counts], strict=True)))


def _refined(part: Part, colours: Sequence[int]) -> tuple[int, ...]:
    """Colours that tell apart what differs by the colours of those it shares objects or features with."""
    found = tuple(colours)
    while True:
        signatures = [*zip(found, _company(part, found), strict=True)]
        ranks = {signature: rank for rank, signature in enumerate(sorted(set(signatures)))}
        finer = tuple(ranks[signature] for signature in signatures)
        if len(ranks) == len(set(found)):
            return finer
        found = finer


def _company(part: Part, colours: Sequence[int]) -> Iterator[tuple[Company, ...]]:
    """For each bicluster what it shares objects with, and features: how many, and the colours of those that do."""
    company: list[list[Company]] = [[] for _ in colours]
    for axis, table in enumerate(part[1:]):
        for mask, n in table:
            sharing = _bits(mask)
            shared = axis, n, tuple(sorted([colours[index] for index in sharing]))
            for index in sharing:
                company[index].append(shared)
    return (tuple(sorted(some)) for some in company)


def _orders(part: Part, colours: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The orders that refinement leads to, one at least of each kind that differs by more than names."""
    undecided = _undecided(colours)
    if not undecided:
        yield _by_colour(colours)
        return
    met: set[Part] = set()
    for index in _representatives(part, undecided):
        finer = _told_apart(part, colours, index)
        # Where the same is met again, names can be exchanged that lead from one to the other: so with all that follows.
        first = _reordered(part, _first_order(part, finer))
        if first not in met:
            met.add(first)
            yield from _orders(part, finer)


def _first_order(part: Part, colours: tuple[int, ...]) -> tuple[int, ...]:
    """The order that comes of telling apart the first of those alike, again and again."""
    while undecided := _undecided(colours):
        colours = _told_apart(part, colours, undecided[0])
    return _by_colour(colours)


def _undecided(colours: Sequence[int]) -> list[int]:
    """Those of the first colour that several have; none where each has its own."""
    often = Counter(colours)
    shared = min((colour for colour in often if often[colour] > 1), default=None)
    return [index for index, colour in enumerate(colours) if colour == shared]


def _told_apart(part: Part, colours: Sequence[int], index: int) -> tuple[int, ...]:
    return _refined(part, [2 * colour + (at != index) for at, colour in enumerate(colours)])


def _by_colour(colours: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(range(len(colours)), key=lambda index: colours[index]))


def _representatives(part: Part, alike: Iterable[int]) -> list[int]:
    """Of those that can be exchanged for each other without any change, one."""
    chosen: list[int] = []
    for index in alike:
        if not any(_exchangeable(part, index, other) for other in chosen):
            chosen.append(index)
    return chosen


def _exchangeable(part: Part, one: int, other: int) -> bool:
    order = [*range(len(part[0]))]
    order[one], order[other] = other, one
    return _reordered(part, order) == part
