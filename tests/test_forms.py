"""Canonical forms against brute force: two sides share a form exactly if some renaming turns one into the other."""

from itertools import combinations, permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_pairs, quick

import metaeval
from metaeval import Biclustering, Side
from metaeval.core.renaming import Renaming, form, renames, renaming


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


def families(objects, features, most):
    cells = [
        (set(rows), set(cols))
        for height in range(1, objects + 1)
        for rows in combinations(range(objects), height)
        for width in range(1, features + 1)
        for cols in combinations(range(features), width)
    ]
    chosen = [some for count in range(most + 1) for some in combinations(cells, count)]
    return [Biclustering(some, (objects, features)) for some in chosen]


@pytest.mark.parametrize(("objects", "features", "most", "sample"), [(3, 1, 7, 60), (2, 2, 3, 60), (3, 2, 2, 40)])
def test_forms_are_equal_exactly_where_a_renaming_is_found(objects, features, most, sample):
    every = families(objects, features, most)
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
