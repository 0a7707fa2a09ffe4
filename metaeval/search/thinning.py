"""Taking much away from a large case at once: whole families of objects, or half of them.

A case of hundreds of objects consists of few sorts of objects: those of two hundred clusters of one object, those
of a large class. Sorts are thinned out before single objects are tried, so that a few dozen attempts do
what would take thousands. Some conditions tie the sizes of sorts together; so two sorts lose equally many as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from metaeval.cases.multiplying import memberships
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side

#: Cases with fewer objects are left to reductions by single objects.
LEAST_OBJECTS = 12
#: How many sorts are thinned in pairs, the most numerous first.
_IN_PAIRS = 6

#: Objects that only go together.
Unit = tuple[int, ...]


def thinned(case: Case, without: Callable[[Case, tuple[int, ...]], Case]) -> Iterator[Case]:
    """The case without much of one sort of objects, or of two, the most first; ``without`` takes objects away."""
    if case.objects < LEAST_OBJECTS or len({family.shape[0] for side in case for family in side}) > 1:
        return
    sorts = sorted(_sorts(case), key=len, reverse=True)
    for units in sorts:
        for amount in _amounts(len(units)):
            yield without(case, _objects(units[-amount:]))
    for one, other in combinations(sorts[:_IN_PAIRS], 2):
        for amount in _amounts(min(len(one), len(other))):
            gone = {*_objects(one[-amount:]), *_objects(other[-amount:])}
            yield without(case, tuple(sorted(gone)))


def _amounts(most: int) -> Iterator[int]:
    """All, then half of it, and so on down to two."""
    while most >= 2:
        yield most
        most //= 2


def _objects(units: list[Unit]) -> tuple[int, ...]:
    return tuple(sorted(row for unit in units for row in unit))


def _sorts(case: Case) -> list[list[Unit]]:
    """The objects of each sort: one by one, and by the classes and clusters in which they are."""
    held = memberships(case)
    sizes = [[(len(rows), len(cols)) for rows, cols in family] for side in case for family in side]
    sorts: dict[tuple[tuple[tuple[int, int], ...], ...], list[int]] = {}
    for row, places in enumerate(held):
        signature = tuple(
            tuple(sorted(known[number] for number in numbers))
            for known, numbers in zip(sizes, places, strict=True)
        )
        sorts.setdefault(signature, []).append(row)
    found: dict[tuple[Unit, ...], None] = {}
    for rows in sorts.values():
        found.setdefault(tuple((row,) for row in rows))
        for family in range(len(sizes)):
            found.setdefault(_together(rows, held, family))
    return [list(units) for units in found if len(units) > 1]


def _together(rows: list[int], held: list[tuple[tuple[int, ...], ...]], family: int) -> tuple[Unit, ...]:
    """The objects of a sort by the biclusters of a family that hold them."""
    units: dict[tuple[int, ...], list[int]] = {}
    for row in rows:
        units.setdefault(held[row][family], []).append(row)
    return tuple(map(tuple, units.values()))


def followed(case: Case, left: Case, from_left: Callable[[Side, int], Iterator[Case]]) -> Iterator[Case]:
    """The cases that follow from a smaller left, with the numbers that the case may have been made with."""
    before, after = (max(family.shape[0] for family in side) for side in case)
    for number in sorted({1, 2, after // max(1, before), after - before}):
        if number >= 1:
            yield from from_left(left.left, number)


def numbered_less(case: Case, from_left: Callable[[Side, int], Iterator[Case]]) -> Iterator[Case]:
    """The cases with the same left and a smaller number."""
    before, after = (max(family.shape[0] for family in side) for side in case)
    wider = (max(family.shape[1] for family in side) for side in case)
    narrow, wide = wider
    for most in sorted({after // max(1, before), after - before, wide - narrow}):
        for number in sorted({1, 2, 3, *(most >> halvings for halvings in range(1, 9)), most - 1}):
            if 1 <= number < most:
                yield from from_left(case.left, number)


def closed_up(biclustering: Biclustering, axis: int, gone: tuple[int, ...]) -> Biclustering:
    """The biclustering without these objects (or features), the others closing up."""
    away, size = frozenset(gone), biclustering.shape[axis]
    kept = [index for index in range(size) if index not in away]
    place = dict(zip(kept, range(len(kept)), strict=True))
    family = []
    for bicluster in biclustering:
        inside = frozenset(place[index] for index in bicluster[axis] if index in place)
        if inside:
            family.append((inside, bicluster[1]) if axis == 0 else (bicluster[0], inside))
    shape = list(biclustering.shape)
    shape[axis] = len(kept)
    return Biclustering.trusted(family, (shape[0], shape[1]))
