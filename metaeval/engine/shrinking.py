"""Making a counterexample smaller: take things away for as long as it stays one.

The premise is the guard, so any case of any condition can be reduced without knowing how it was built.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement

from metaeval.cases import Case, Side
from metaeval.model import Biclustering

#: A bound on attempts, so that a slow measure does not stall a cell.
ATTEMPTS = 4000


def reduced(case: Case, stays: Callable[[Case], bool], attempts: int = ATTEMPTS) -> Case:
    """A smaller case that ``stays`` a counterexample, found greedily; deterministic."""
    progress = True
    while progress and attempts > 0:
        progress = False
        for smaller in _smaller(case):
            attempts -= 1
            if attempts <= 0:
                break
            if smaller.size < case.size and stays(smaller):
                case, progress = smaller, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    yield from _without_elements(case, axis=0)
    yield from _without_elements(case, axis=1)
    yield from _without_biclusters(case)
    yield from _with_thinner_biclusters(case)
    yield from _without_groups(case)


def _without_elements(case: Case, axis: int) -> Iterator[Case]:
    """Without one object (or feature) everywhere; on the right, without its copies, however laid out."""
    count, right_count = (max(part.shape[axis] for part in side) for side in case)
    copies = max(1, right_count // max(1, count))
    for index in reversed(range(count)):
        layouts = {
            (index,),
            tuple(index * copies + copy for copy in range(copies)),
            tuple(index + copy * count for copy in range(copies)),
        }
        for layout in sorted(layouts):
            yield Case(dropped(case.left, axis, (index,)), dropped(case.right, axis, layout))
    for index in range(count, right_count):
        yield Case(case.left, dropped(case.right, axis, (index,)))


def _without_groups(case: Case) -> Iterator[Case]:
    """Without two or three objects at once: some conditions tie the sizes of several clusters together.

    Objects that all four families treat alike are interchangeable, so one choice of each kind is enough.
    """
    if len({part.shape[0] for side in case for part in side}) > 1:
        return
    alike: dict[tuple[frozenset[int], ...], list[int]] = {}
    for row in range(case.objects):
        places = tuple(
            frozenset(index for index, (rows, _) in enumerate(part) if row in rows)
            for side in case
            for part in side
        )
        alike.setdefault(places, []).append(row)
    kinds = list(alike.values())
    for size in (2, 3):
        for chosen in combinations_with_replacement(range(len(kinds)), size):
            gone = tuple(row for kind, count in Counter(chosen).items() for row in kinds[kind][-count:])
            if len(gone) == size:
                yield Case(dropped(case.left, 0, gone), dropped(case.right, 0, gone))


def dropped(side: Side, axis: int, gone: tuple[int, ...]) -> Side:
    """The side without these elements, the others closing up."""

    def renumbered(indices: frozenset[int]) -> frozenset[int]:
        return frozenset(i - sum(g < i for g in gone) for i in indices if i not in gone)

    parts = []
    for part in side:
        family = []
        for bicluster in part:
            changed = renumbered(bicluster[axis])
            if changed:
                family.append((changed, bicluster[1]) if axis == 0 else (bicluster[0], changed))
        shape = list(part.shape)
        shape[axis] = max(0, shape[axis] - sum(g < shape[axis] for g in gone))
        parts.append(Biclustering.trusted(family, (shape[0], shape[1])))
    return Side(*parts)


def _without_biclusters(case: Case) -> Iterator[Case]:
    """Without one bicluster of a role: the equal one on both sides, or the one at the same places."""
    for role in (0, 1):
        left, right = case.left[role], case.right[role]
        for index, bicluster in enumerate(left):
            if bicluster in right.biclusters:
                yield _with_parts(
                    case, role, _lacking(left, [index]), _lacking(right, [right.biclusters.index(bicluster)])
                )
            for places in ([index], list(range(index, len(right), max(1, len(left))))):
                yield _with_parts(case, role, _lacking(left, [index]), _lacking(right, places))


def _with_thinner_biclusters(case: Case) -> Iterator[Case]:
    """With one element less in a bicluster that both sides have."""
    for role in (0, 1):
        left, right = case.left[role], case.right[role]
        for index, bicluster in enumerate(left):
            if bicluster not in right.biclusters:
                continue
            there = right.biclusters.index(bicluster)
            for axis in (0, 1):
                for element in sorted(bicluster[axis]) if len(bicluster[axis]) > 1 else ():
                    thin = list(bicluster)
                    thin[axis] = bicluster[axis] - {element}
                    yield _with_parts(case, role, _replacing(left, index, thin), _replacing(right, there, thin))


def _with_parts(case: Case, role: int, left: Biclustering, right: Biclustering) -> Case:
    sides = []
    for side, part in ((case.left, left), (case.right, right)):
        parts = list(side)
        parts[role] = part
        sides.append(Side(*parts))
    return Case(*sides)


def _lacking(part: Biclustering, places: list[int]) -> Biclustering:
    return Biclustering.trusted([b for i, b in enumerate(part) if i not in places], part.shape)


def _replacing(part: Biclustering, place: int, bicluster: list[frozenset[int]]) -> Biclustering:
    family = list(part.biclusters)
    family[place] = (bicluster[0], bicluster[1])
    return Biclustering.trusted(family, part.shape)
