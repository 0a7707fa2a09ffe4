"""The strategies that metaeval exports for users' own properties."""

from __future__ import annotations

from itertools import combinations

import pytest
from brute_force import EVERY, EVERY_ID
from hypothesis import Phase, find, given, settings
from strategies import quick, thorough

import metaeval
from metaeval import Biclustering, InputError
from metaeval.strategies import biclusterings, cases

search = settings(database=None, deadline=None, derandomize=True, max_examples=500, phases=[Phase.generate])


def meet(part):
    return any(a[0] & b[0] and a[1] & b[1] for a, b in combinations(part, 2))


def repeats(part):
    return len(set(part.biclusters)) < len(part)


@thorough
@given(biclusterings())
def test_by_default_they_are_sound_small_and_without_repeats(part):
    assert Biclustering(part, part.shape) == part
    assert 1 <= part.shape[0] <= 8
    assert 1 <= part.shape[1] <= 4
    assert len(part) <= 5
    assert not repeats(part)


@thorough
@given(biclusterings(disjoint=True))
def test_disjoint_ones_are(part):
    assert Biclustering(part, part.shape) == part
    assert not meet(part)
    assert not repeats(part)


@thorough
@given(biclusterings(shape=(3, 2), disjoint=True, min_biclusters=2))
def test_disjoint_ones_have_the_least_number_asked_for(part):
    assert len(part) >= 2
    assert not meet(part)


@pytest.mark.parametrize(("shape", "least"), [((1, 2), 2), ((2, 2), 4), ((1, 3), 3), ((2, 3), 4)], ids=str)
def test_disjoint_ones_find_room_beside_each_other(shape, least):
    """The matrix has as many cells as biclusters are asked for, or more."""

    @quick
    @given(biclusterings(shape=shape, disjoint=True, min_biclusters=least))
    def check(part):
        assert len(part) >= least
        assert not meet(part)

    check()


@thorough
@given(biclusterings(shape=(5, 3), min_biclusters=2, max_biclusters=3))
def test_shape_and_numbers(part):
    assert part.shape == (5, 3)
    assert 2 <= len(part) <= 3


@thorough
@given(biclusterings(max_objects=2, max_features=1))
def test_bounds_on_the_shape(part):
    assert part.shape[0] <= 2
    assert part.shape[1] == 1


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, meet),
        ({}, lambda part: not part),
        ({}, lambda part: len(part) == 5),
        ({}, lambda part: part.shape == (8, 4)),
        ({"repeats": True}, repeats),
        ({"disjoint": True}, lambda part: len(part) >= 3),
        ({"disjoint": True}, lambda part: any(a[0] & b[0] for a, b in combinations(part, 2))),
        ({"disjoint": True}, lambda part: any(a[1] & b[1] for a, b in combinations(part, 2))),
    ],
)
def test_what_they_reach(options, wanted):
    assert wanted(find(biclusterings(**options), wanted, settings=search))


def test_disjoint_repeats_are_refused():
    with pytest.raises(InputError, match="no repeats"):
        find(biclusterings(disjoint=True, repeats=True), lambda part: True, settings=search)


@pytest.mark.parametrize(("condition", "reading"), EVERY, ids=EVERY_ID)
def test_cases_are_instances(condition, reading):
    @settings(quick, max_examples=15)
    @given(cases(condition.id, reading=reading.name))
    def check(case):
        assert reading.premise(case)
        assert all(Biclustering(part, part.shape) == part for side in case for part in side)

    check()


def test_cases_are_canonical_unless_told():
    premise = metaeval.conditions()["A.3"].reading("canonical").premise

    @settings(quick, max_examples=15)
    @given(metaeval.strategies.cases("A.3"))
    def check(case):
        assert premise(case)

    check()


@pytest.mark.parametrize(
    ("arguments", "says"), [(("A.9",), "A.9"), (("A.1", "repeated"), "repeated"), (("mocice",), "mocice")]
)
def test_unknown_conditions_and_readings_are_named(arguments, says):
    with pytest.raises(InputError, match=says):
        cases(*arguments)
