"""Making a counterexample smaller: take things away for as long as it stays one.

The premise is the guard, so any case of any condition can be shrunk without knowing how it was built.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations_with_replacement

from metaeval.cases import Case, Side
from metaeval.engine.multiplying import alike
from metaeval.engine.thinning import LEAST_OBJECTS, closed_up, followed, numbered_less, thinned
from metaeval.model import Bicluster, Biclustering

#: A bound on attempts, so that a slow measure does not stall a cell.
ATTEMPTS = 4000
#: From so many objects on, not all of a kind are tried one by one.
_MANY = 30

#: The cases of a left side, for a number, as a condition has it.
FromLeft = Callable[[Side, int], Iterator[Case]]


def shrunk(
    case: Case, stays: Callable[[Case], bool], attempts: int = ATTEMPTS, from_left: FromLeft | None = None
) -> Case:
    """A smaller case that ``stays`` a counterexample, found greedily; deterministic.

    Much is taken away at once first, then little. ``from_left`` where the right follows from the left.
    """
    while True:
        for smaller in chain(_much_smaller(case, from_left), smaller_cases(case)):
            attempts -= 1
            if attempts <= 0:
                return case
            if smaller.size < case.size and stays(smaller):
                case = smaller
                break
        else:
            return case


def _much_smaller(case: Case, from_left: FromLeft | None) -> Iterator[Case]:
    if from_left is None:
        yield from thinned(case, without)
    elif case.objects >= LEAST_OBJECTS:
        yield from numbered_less(case, from_left)
        left = Case(case.left, case.left)
        for less in chain(thinned(left, without), smaller_cases(left)):
            yield from followed(case, less, from_left)


def smaller_cases(case: Case) -> Iterator[Case]:
    """The case with a little less of something, in every way."""
    yield from _without_elements(case, axis=0)
    yield from _without_elements(case, axis=1)
    yield from _without_biclusters(case)
    yield from _with_thinner_biclusters(case)
    yield from _without_groups(case)


def _without_elements(case: Case, axis: int) -> Iterator[Case]:
    """Without one object (or feature) everywhere; on the right, without its copies, however laid out."""
    count, right_count = (max(biclustering.shape[axis] for biclustering in side) for side in case)
    copies = max(1, right_count // max(1, count))
    for index in _representatives(case, axis, count):
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
    """Without two or three objects at once: some conditions tie the sizes of several clusters together."""
    if len({biclustering.shape[0] for side in case for biclustering in side}) > 1:
        return
    kinds = alike(case)
    for size in (2, 3):
        for chosen in combinations_with_replacement(range(len(kinds)), size):
            gone = tuple(row for kind, count in Counter(chosen).items() for row in kinds[kind][-count:])
            if len(gone) == size:
                yield without(case, gone)


def _representatives(case: Case, axis: int, count: int) -> list[int]:
    """The objects (or features) to try, last first: of many, two of every kind are enough."""
    if axis == 1 or count < _MANY or count != case.objects:
        return [*reversed(range(count))]
    return sorted({row for kind in alike(case) for row in (kind[0], kind[-1])}, reverse=True)


def without(case: Case, gone: tuple[int, ...]) -> Case:
    """The case without these objects."""
    return Case(dropped(case.left, 0, gone), dropped(case.right, 0, gone))


def dropped(side: Side, axis: int, gone: tuple[int, ...]) -> Side:
    """The side without these objects (or features), the others closing up."""
    return Side(*(closed_up(biclustering, axis, gone) for biclustering in side))


def _without_biclusters(case: Case) -> Iterator[Case]:
    """Without one bicluster of a role: the equal one on both sides, or the one at the same places."""
    for role in (0, 1):
        left, right = case.left[role], case.right[role]
        for index, bicluster in enumerate(left):
            places = [[index], list(range(index, len(right), max(1, len(left))))]
            if bicluster in right.biclusters:
                places.insert(0, [right.biclusters.index(bicluster)])
            for there in places:
                yield _with_role(case, role, _lacking(left, [index]), _lacking(right, there))


def _with_thinner_biclusters(case: Case) -> Iterator[Case]:
    """With one element less in a bicluster that both sides have."""
    for role in (0, 1):
        left, right = case.left[role], case.right[role]
        for index, bicluster in enumerate(left):
            if bicluster not in right.biclusters:
                continue
            there = right.biclusters.index(bicluster)
            for thin in _thinner(bicluster):
                yield _with_role(case, role, _replacing(left, index, thin), _replacing(right, there, thin))


def _thinner(bicluster: Bicluster) -> Iterator[Bicluster]:
    rows, cols = bicluster
    yield from ((rows - {row}, cols) for row in sorted(rows) if len(rows) > 1)
    yield from ((rows, cols - {col}) for col in sorted(cols) if len(cols) > 1)


def _with_role(case: Case, role: int, left: Biclustering, right: Biclustering) -> Case:
    """The case with another candidate (role 0) or gold (role 1) on both sides."""
    if role == 0:
        return Case(Side(left, case.left.gold), Side(right, case.right.gold))
    return Case(Side(case.left.candidate, left), Side(case.right.candidate, right))


def _lacking(biclustering: Biclustering, places: list[int]) -> Biclustering:
    kept = [bicluster for place, bicluster in enumerate(biclustering) if place not in places]
    return Biclustering.trusted(kept, biclustering.shape)


def _replacing(biclustering: Biclustering, place: int, bicluster: Bicluster) -> Biclustering:
    family = list(biclustering.biclusters)
    family[place] = bicluster
    return Biclustering.trusted(family, biclustering.shape)
