"""Canonical forms against brute force: two sides share a form exactly if some renaming turns one into the other.

Scaled, copied and renamed sides are held against a slow search, too, which matches biclusters one by one.
"""

from collections import Counter
from itertools import combinations, islice, permutations, product
from random import Random

import pytest
from brute_force import copied, families, scaled
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_pairs, quick

import metaeval
from metaeval import Biclustering, Side
from metaeval.core.renaming import Renaming, form, is_copied, is_scaled, renames, renaming


def named_anew(side, objects, features):
    """The side with other names, and its biclusters in another order."""
    families = []
    for family in side:
        biclusters = [({objects[row] for row in rows}, {features[col] for col in cols}) for rows, cols in family]
        families.append(Biclustering(biclusters[::-1], side.gold.shape))
    return Side(*families)


def isomorphic(one, other):
    """Every renaming is tried."""
    if one.gold.shape != other.gold.shape:
        return False
    objects, features = (list(permutations(range(count))) for count in one.gold.shape)
    wanted = [sorted((sorted(rows), sorted(cols)) for rows, cols in family) for family in other]
    for names in product(objects, features):
        renamed = named_anew(one, *names)
        if [sorted((sorted(rows), sorted(cols)) for rows, cols in family) for family in renamed] == wanted:
            return True
    return False


@pytest.mark.parametrize(("objects", "features", "most", "sample"), [(3, 1, 7, 60), (2, 2, 3, 60), (3, 2, 2, 40)])
def test_forms_are_equal_exactly_where_a_renaming_is_found(objects, features, most, sample):
    every = families((objects, features), 0, most)
    random = Random(f"{objects} × {features}")
    sides = [Side(random.choice(every), random.choice(every)) for _ in range(sample)]
    # Half of them again under other names, or there would be hardly any that are alike.
    for side in sides[: sample // 2]:
        names = [random.sample(range(count), count) for count in (objects, features)]
        sides.append(named_anew(side, *names))
    agreed = {(form(one) == form(other), isomorphic(one, other)) for one, other in combinations(sides, 2)}
    assert agreed == {(True, True), (False, False)}


def test_partitions_number_as_they_are_known_to():
    """Pairs of partitions of n objects up to names: 4, 10, 33, 91, 298 and 910 for n = 2 … 7."""
    reading = metaeval.conditions()["A.5"].reading("canonical")
    for objects, number in zip(range(2, 8), (4, 10, 33, 91, 298, 910), strict=True):
        assert len({form(side) for case in reading.enumerate_(objects) for side in case}) == number


@quick
@given(any_pairs, st.randoms(use_true_random=False))
def test_new_names_do_not_change_the_form_and_are_found_again(pair, random):
    side = Side(*pair)
    shape = tuple(max(counts) for counts in zip(*(family.shape for family in side), strict=True))
    side = Side(*(family.on(shape) for family in side))
    objects, features = (random.sample(range(count), count) for count in shape)
    renamed = named_anew(side, objects, features)
    assert form(renamed) == form(side)
    found = renaming(side, renamed)
    assert found is not None
    assert renames(side, found, renamed)


def test_many_that_are_alike_take_no_time():
    """Twelve copies of a structure, and a hub with twelve like neighbours: 12! orders if each were tried."""
    copies = Biclustering([({2 * at, 2 * at + 1}, {0, 1}) for at in range(12)], shape=(24, 2))
    parts = Biclustering([({2 * at}, {0}) for at in range(12)], shape=(24, 2))
    hub, spokes = Biclustering([(range(12), {0})], shape=(12, 1)), Biclustering.from_labels(range(12))
    for side in (Side(parts, copies), Side(hub, spokes)):
        turned = named_anew(side, range(side.gold.shape[0])[::-1], range(side.gold.shape[1])[::-1])
        assert form(side) == form(turned)
        assert form(side) != form(Side(side.gold, side.candidate))


GOLD = Biclustering.from_labels([0, 0, 1])
ONE, OTHER = Side(Biclustering.from_labels([0, 1, 1]), GOLD), Side(Biclustering.from_labels([0, 1, 0]), GOLD)


@pytest.mark.parametrize(("names", "right"), [
    (Renaming((1, 0, 2), (0,)), True),
    (Renaming((0, 1, 2), (0,)), False),  # no renaming at all
    (Renaming((1, 1, 2), (0,)), False),  # two objects of one name
    (Renaming((1, 0, 3), (0,)), False),  # a name that there is not
    (Renaming((1, 0), (0,)), False),  # an object without a name
    (Renaming((1, 0, 2), ()), False),
])  # fmt: skip
def test_a_renaming_is_one_only_if_it_does_what_it_says(names, right):
    assert renames(ONE, names, OTHER) == right


def test_sides_that_differ_have_no_renaming():
    assert renaming(ONE, Side(GOLD, GOLD)) is None
    assert form(ONE) != form(Side(ONE.candidate.on((4, 1)), GOLD.on((4, 1))))
    assert form(Side(GOLD, ONE.candidate)) == form(ONE)  # each cluster has the sizes of each class
    assert form(Side(Biclustering(shape=(3, 1)), GOLD)) != form(Side(GOLD, Biclustering(shape=(3, 1))))


# --- against a slow search
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


def each(change, side, *how):
    return Side(*(change(family, *how) for family in side))


def jumbled(side, random):
    """The side under other names and in another order."""
    named = named_anew(side, *(random.sample(range(count), count) for count in side.shape))
    return Side(*(Biclustering(random.sample(family.biclusters, len(family)), side.shape) for family in named))


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
    left, right = (each(Biclustering.on, side, side.shape) for side in (left, right))
    times = right.shape[0] // left.shape[0] if left.shape[0] else 0
    for other in (right, jumbled(right, random), spoilt(right, random), jumbled(spoilt(right, random), random)):
        yield form(left) == form(other), matched(left, other)
        if times and other.shape == each(scaled, left, times).shape:
            yield is_scaled(left, other, times), matched(each(scaled, left, times), other)
        for shared in (True, False):
            copies = each(copied, left, times, shared)
            if times and other.shape == copies.shape:
                yield is_copied(left, other, times, shared), matched(copies, other, named=shared)


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
        assert is_scaled(side, each(scaled, other, 2), 2)
