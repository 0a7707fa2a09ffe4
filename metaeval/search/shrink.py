"""Make a counterexample smaller for as long as the premise admits it and the measure still fails.

First whole groups of like objects are thinned out, then single objects, features, biclusters and memberships go.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, combinations_with_replacement, product

from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.grouping import grouped, like_objects, memberships

#: The limit of attempts, so that a slow measure does not stall a cell.
ATTEMPTS = 4000
#: From this number of objects on, only two objects per kind are tried.
_MANY = 30

#: The cases of a left side, for a number, as a condition has it.
FromLeft = Callable[[Side, int], Iterator[Case]]


def shrinking(
    case: Case, stays: Callable[[Case], bool], attempts: int = ATTEMPTS, from_left: FromLeft | None = None
) -> Iterator[Case]:
    """Smaller and smaller cases for which ``stays`` is true, found greedily; deterministic.

    Much is taken away at once first, then little. ``from_left`` where the right follows from the left.
    """
    found: Case | None = case
    while found is not None:
        case, found = found, None
        for smaller in chain(_much_smaller(case, from_left), smaller_cases(case)):
            attempts -= 1
            if attempts <= 0:
                return
            if smaller.size < case.size and stays(smaller):
                found = smaller
                yield found
                break


def shrunk(
    case: Case, stays: Callable[[Case], bool], attempts: int = ATTEMPTS, from_left: FromLeft | None = None
) -> Case:
    """The last of :func:`shrinking`; the case itself where nothing can be taken away."""
    return [case, *shrinking(case, stays, attempts, from_left)][-1]


def _much_smaller(case: Case, from_left: FromLeft | None) -> Iterator[Case]:
    if from_left is None:
        yield from thinned(case)
    elif case.objects >= LEAST_OBJECTS:
        (before, narrow), (after, wide) = (side.shape for side in case)
        # The same left and a smaller number.
        for most in sorted({after // max(1, before), after - before, wide - narrow}):
            for number in sorted({1, 2, 3, *(most >> halvings for halvings in range(1, 9)), most - 1}):
                if 1 <= number < most:
                    yield from from_left(case.left, number)
        # A smaller left, with the numbers that the case may have been made with.
        left, numbers = Case(case.left, case.left), sorted({1, 2, after // max(1, before), after - before})
        for less in chain(thinned(left), smaller_cases(left)):
            for number in numbers:
                if number >= 1:
                    yield from from_left(less.left, number)


def smaller_cases(case: Case) -> Iterator[Case]:
    """The case with a little less of something, in every way."""
    yield from _without_elements(case, axis=0)
    yield from _without_elements(case, axis=1)
    for ways in (_without_biclusters, _with_thinner_biclusters, _without_groups, _with_smaller_families):
        yield from ways(case)


def _without_elements(case: Case, axis: int) -> Iterator[Case]:
    """Without one object (or feature) everywhere; on the right, without its copies, however laid out."""
    count, *others = (side.shape[axis] for side in case)
    chosen: Iterable[int] = reversed(range(count))
    if axis == 0 and count >= _MANY and count == case.objects:
        # Of many objects, two of every kind are enough.
        chosen = sorted({row for kind in like_objects(case) for row in (kind[0], kind[-1])}, reverse=True)
    for index in chosen:
        layouts = zip(*(_layouts(index, count, other) for other in (count, *others)), strict=True)
        for layout in sorted(set(layouts)):
            sides = [dropped(side, axis, gone) for side, gone in zip(case, layout, strict=True)]
            # In every way, if there are pools.
            yield from (Case(*chosen) for chosen in product(*map(_sorted_out, sides)))
    for place, other in enumerate(others, start=1):
        for index in range(count, other):
            yield Case(*case[:place], dropped(case[place], axis, (index,)), *case[place + 1 :])


def _layouts(index: int, count: int, other: int) -> list[tuple[int, ...]]:
    """Where the copies of one of ``count`` objects can be among those of another side."""
    copies = range(max(1, other // max(1, count)))
    together, apart = [index * len(copies) + copy for copy in copies], [index + copy * count for copy in copies]
    return [(index,), tuple(together), tuple(apart)]


def _without_groups(case: Case) -> Iterator[Case]:
    """Without two or three objects at once: some conditions tie the sizes of several clusters together."""
    if len({family.shape[0] for family in case.families}) > 1:
        return
    kinds = like_objects(case)
    for size in (2, 3):
        for chosen in combinations_with_replacement(range(len(kinds)), size):
            gone = tuple(row for kind, count in Counter(chosen).items() for row in kinds[kind][-count:])
            if len(gone) == size:
                yield without(case, gone)


def without(case: Case, gone: tuple[int, ...]) -> Case:
    return case.mapped(lambda family: closed_up(family, 0, gone))


def _sorted_out(side: Side) -> list[Side]:
    """The side itself; of a pool, those of its candidates that have clusters of the same sizes, each once.

    What is left of a pool when an object is gone are several pools, by how large the cluster was that held it.
    """
    if not side.is_pool:
        return [side]
    pools: dict[tuple[tuple[int, int], ...], dict[Biclustering, None]] = {}
    for candidate in side.candidates:
        sizes = tuple(sorted((len(rows), len(cols)) for rows, cols in candidate))
        pools.setdefault(sizes, {}).setdefault(candidate)
    return [Side(*candidates, side.gold) for candidates in pools.values()]


def dropped(side: Side, axis: int, gone: tuple[int, ...]) -> Side:
    """The side without these objects (or features), the others closing up."""
    return Side(*(closed_up(biclustering, axis, gone) for biclustering in side))


def _without_biclusters(case: Case) -> Iterator[Case]:
    """Without one bicluster of a role: the equal one on all sides, or the one at the same places."""
    for role, families in _roles(case):
        left, *others = families
        for index, bicluster in enumerate(left):
            ways = [[[index] for _ in others], [[*range(index, len(one), max(1, len(left)))] for one in others]]
            if all(bicluster in other.biclusters for other in others):
                ways.insert(0, [[other.biclusters.index(bicluster)] for other in others])
            for places in ways if others else ways[:1]:
                yield with_role(case, role, map(_lacking, families, [[index], *places]))


def _with_thinner_biclusters(case: Case) -> Iterator[Case]:
    """With one element less in a bicluster that all sides have."""
    for role, families in _roles(case):
        for bicluster in families[0]:
            if all(bicluster in family.biclusters for family in families):
                for thin in _thinner(bicluster):
                    yield with_role(case, role, (_replacing(family, bicluster, thin) for family in families))


def _roles(case: Case) -> list[tuple[int, list[Biclustering]]]:
    """The candidates (role 0) and the golds (role 1); not of pools, whose candidates belong together."""
    if any(side.is_pool for side in case):
        return []
    return [(role, [side[role] for side in case]) for role in (0, 1)]


def _with_smaller_families(case: Case) -> Iterator[Case]:
    """With a bicluster less, or a thinner one, in a biclustering that is both candidate and gold: everywhere."""
    if not case.crosses_roles and all(side.candidate != side.gold for side in case):
        return
    for family in dict.fromkeys(case.families):
        for index, bicluster in enumerate(family):
            yield replacing(case, family, _lacking(family, [index]))
            for thin in _thinner(bicluster):
                yield replacing(case, family, _replacing(family, bicluster, thin))


def replacing(case: Case, old: Biclustering, new: Biclustering) -> Case:
    """The case with one of its biclusterings replaced, wherever it stands."""
    return case.mapped(lambda family: new if family == old else family)


def _thinner(bicluster: Bicluster) -> Iterator[Bicluster]:
    rows, cols = bicluster
    yield from ((rows - {row}, cols) for row in sorted(rows) if len(rows) > 1)
    yield from ((rows, cols - {col}) for col in sorted(cols) if len(cols) > 1)


def with_role(case: Case, role: int, families: Iterable[Biclustering]) -> Case:
    """The case with another candidate (role 0) or gold (role 1) on every side."""
    sides = zip(case, families, strict=True)
    return Case(*(Side(new, side.gold) if role == 0 else Side(side.candidate, new) for side, new in sides))


def _lacking(biclustering: Biclustering, places: list[int]) -> Biclustering:
    kept = [bicluster for place, bicluster in enumerate(biclustering) if place not in places]
    return Biclustering.trusted(kept, biclustering.shape)


def _replacing(biclustering: Biclustering, old: Bicluster, bicluster: Bicluster) -> Biclustering:
    family = list(biclustering.biclusters)
    family[family.index(old)] = bicluster
    return Biclustering.trusted(family, biclustering.shape)


#: Cases with fewer objects are left to reductions by single objects.
LEAST_OBJECTS = 12
#: The number of sorts that are thinned in pairs, the most numerous first.
_IN_PAIRS = 6

#: Objects that only go together.
Unit = tuple[int, ...]


def thinned(case: Case) -> Iterator[Case]:
    """The case without many objects of one sort, or of two; the largest numbers first."""
    if case.objects < LEAST_OBJECTS or len({family.shape[0] for family in case.families}) > 1:
        return
    sorts = sorted(_sorts(case), key=len, reverse=True)
    for units in sorts:
        for amount in _amounts(len(units)):
            yield without(case, tuple(chain(*units[-amount:])))
    for one, other in combinations(sorts[:_IN_PAIRS], 2):
        for amount in _amounts(min(len(one), len(other))):
            yield without(case, tuple(chain(*one[-amount:], *other[-amount:])))


def _amounts(most: int) -> Iterator[int]:
    """All, then half of it, and so on down to two."""
    while most >= 2:
        yield most
        most //= 2


def _sorts(case: Case) -> list[list[Unit]]:
    """The objects in biclusters of the same sizes: one by one, and by the biclusters of each family that hold them."""
    held = memberships(case)
    sizes = [[(len(rows), len(cols)) for rows, cols in family] for family in case.families]

    def sizes_around(row: int) -> tuple[tuple[tuple[int, int], ...], ...]:
        return tuple(tuple(sorted(known[at] for at in own)) for known, own in zip(sizes, held[row], strict=True))

    found: dict[tuple[Unit, ...], None] = {}
    for rows in grouped(range(case.objects), sizes_around):
        found.setdefault(tuple((row,) for row in rows))
        for in_family in zip(*held, strict=True):
            found.setdefault(tuple(map(tuple, grouped(rows, in_family.__getitem__))))
    return [list(units) for units in found if len(units) > 1]


def closed_up(biclustering: Biclustering, axis: int, gone: tuple[int, ...]) -> Biclustering:
    """The biclustering without these objects (or features), the others closing up."""
    kept = sorted({*range(biclustering.shape[axis])}.difference(gone))
    place = {index: new for new, index in enumerate(kept)}
    family = []
    for bicluster in biclustering:
        if inside := frozenset(place[index] for index in bicluster[axis] if index in place):
            family.append((inside, bicluster[1]) if axis == 0 else (bicluster[0], inside))
    objects, features = biclustering.shape
    return Biclustering.trusted(family, (len(kept), features) if axis == 0 else (objects, len(kept)))
