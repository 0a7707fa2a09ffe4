"""Scaled, copied and renamed sides against a slow search that matches biclusters one by one."""

from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import quick

import metaeval
from metaeval import Biclustering, Side
from metaeval.core.renaming import form, is_copied, is_scaled, renames, renaming

READINGS = [
    pytest.param(reading, id=f"{id}-{reading.name}")
    for id in ("B.3", "B.4", "S.4")
    for reading in metaeval.conditions()[id].readings.values()
    if reading.name != "repeated"  # copies over the same cells: compared without names
]


def matched(one, other, named=False):
    """Whether biclusters can be paired so that equally many objects, and features, lie in the same ones."""
    if one.shape != other.shape or list(map(len, one)) != list(map(len, other)):
        return False
    mine, theirs = ([(role, *pair) for role, family in enumerate(side) for pair in family] for side in (one, other))

    def signature(chosen, axis):
        held = {}
        for place, bicluster in enumerate(chosen):
            for element in bicluster[axis]:
                held.setdefault(element, []).append(place)
        return held if named and axis == 2 else Counter(map(tuple, held.values()))

    def paired(left, right, rest):
        if any(signature(left, axis) != signature(right, axis) for axis in (1, 2)):
            return False
        if not rest:
            return True
        following = mine[len(left)]
        return any(
            paired([*left, following], [*right, one], rest[:at] + rest[at + 1 :])
            for at, one in enumerate(rest)
            if one[0] == following[0]
        )

    return paired([], [], theirs)


def scaled(side, times):
    def several(elements):
        return {element * times + copy for element in elements for copy in range(times)}

    shape = tuple(times * count for count in side.shape)
    return Side(*(Biclustering([(several(r), several(c)) for r, c in family], shape) for family in side))


def copied(side, times, shared):
    (objects, features), step = side.shape, 0 if shared else side.shape[1]
    return Side(
        *(
            Biclustering(
                [
                    ({row + copy * objects for row in rows}, {col + copy * step for col in cols})
                    for copy in range(times)
                    for rows, cols in family
                ],
                (objects * times, features + step * (times - 1)),
            )
            for family in side
        )
    )


def jumbled(side, random):
    """The side under other names and in another order."""
    objects, features = (random.sample(range(count), count) for count in side.shape)
    families = []
    for family in side:
        named = [({objects[row] for row in rows}, {features[col] for col in cols}) for rows, cols in family]
        families.append(Biclustering(random.sample(named, len(named)), side.shape))
    return Side(*families)


def spoilt(side, random):
    """The side with one object of one bicluster exchanged, or the side itself."""
    families = [[(set(rows), cols) for rows, cols in family] for family in side]
    rows = random.choice([rows for family in families for rows, _ in family] or [set()])
    if rows and len(rows) < side.shape[0]:
        rows.remove(random.choice(sorted(rows)))
        rows.add(random.choice(sorted({*range(side.shape[0])} - rows)))
    return Side(*(Biclustering(family, side.shape) for family in families))


def is_small(case):
    """Whether the slow search ends soon."""
    return max(map(len, case.families)) <= 6


def answers(case, random):
    """What the canonical forms say and what the slow search says, of the case and of cases like it."""
    left, right = case
    left, right = (Side(*(family.on(side.shape) for family in side)) for side in (left, right))
    times = right.shape[0] // left.shape[0] if left.shape[0] else 0
    for other in (right, jumbled(right, random), spoilt(right, random), jumbled(spoilt(right, random), random)):
        yield form(left) == form(other), matched(left, other)
        if times and other.shape == scaled(left, times).shape:
            yield is_scaled(left, other, times), matched(scaled(left, times), other)
        for shared in (True, False):
            if times and other.shape == copied(left, times, shared).shape:
                yield (is_copied(left, other, times, shared), matched(copied(left, times, shared), other, named=shared))


@pytest.mark.parametrize("reading", READINGS)
def test_forms_agree_with_the_slow_search_on_listed_cases(reading):
    random = Random(reading.name)
    found = Counter()
    for objects in range(1, 7):
        listed = [case for case in islice(reading.enumerate_(objects), 2000) if is_small(case)]
        for case in random.sample(listed, min(15, len(listed))):
            found.update(answers(case, random))
    assert found.keys() == {(True, True), (False, False)}


@pytest.mark.parametrize("reading", READINGS)
@quick
@given(st.data(), st.randoms(use_true_random=False))
def test_forms_agree_with_the_slow_search_on_drawn_cases(reading, data, random):
    case = data.draw(reading.strategy())
    if is_small(case):
        assert {one == other for one, other in answers(case, random)} == {True}


@quick
@given(st.data(), st.randoms(use_true_random=False))
def test_names_are_found_again(data, random):
    reading = metaeval.conditions()["B.4"].reading("overlapping")
    side = data.draw(reading.strategy()).right
    other = jumbled(side, random)
    assert renames(side, renaming(side, other), other)


def test_parts_that_are_alike_take_no_time():
    """In one class: 120 singletons, and 20 pairs of clusters of which one holds the other."""
    whole = Biclustering([(range(120), {0})])
    singles = Side(Biclustering.from_labels(range(120)), whole)
    nested = [({2 * at, 2 * at + 1}, {0}) for at in range(20)] + [({2 * at}, {0}) for at in range(20)]
    for side in (singles, Side(Biclustering(nested, (120, 1)), whole)):
        other = jumbled(side, Random(0))
        assert form(side) == form(other)
        assert is_copied(side, other, 1, shared_features=False)
        assert is_scaled(side, scaled(other, 2), 2)
