"""The strategies that metaeval exports for users' own properties."""

from itertools import combinations

import pytest
from brute_force import EVERY, EVERY_ID
from hypothesis import Phase, find, given, settings
from strategies import quick

from metaeval import Biclustering, InputError
from metaeval.strategies import biclusterings, cases

search = settings(database=None, deadline=None, derandomize=True, max_examples=500, phases=[Phase.generate])


def meet(part):
    return any(a[0] & b[0] and a[1] & b[1] for a, b in combinations(part, 2))


def repeats(part):
    return len(set(part.biclusters)) < len(part)


@pytest.mark.parametrize(("options", "promised"), [
    ({}, lambda part: 1 <= part.shape[0] <= 8 and 1 <= part.shape[1] <= 4 and len(part) <= 5),
    ({"disjoint": True}, lambda part: not meet(part)),
    ({"shape": (3, 2), "disjoint": True, "min_biclusters": 2}, lambda part: len(part) >= 2 and not meet(part)),
    ({"shape": (5, 3), "min_biclusters": 2, "max_biclusters": 3},
     lambda part: part.shape == (5, 3) and 2 <= len(part) <= 3),
    ({"max_objects": 2, "max_features": 1}, lambda part: part.shape[0] <= 2 and part.shape[1] == 1),
    # As many cells as biclusters are asked for, or few more: disjoint ones find room beside each other.
    *(({"shape": shape, "disjoint": True, "min_biclusters": least},
       lambda part, least=least: len(part) >= least and not meet(part))
      for shape, least in (((1, 2), 2), ((2, 2), 4), ((1, 3), 3), ((2, 3), 4))),
])  # fmt: skip
def test_what_they_promise(options, promised):
    @quick
    @given(biclusterings(**options))
    def check(part):
        assert promised(part)
        assert Biclustering(part, part.shape) == part
        assert not repeats(part)

    check()


@pytest.mark.parametrize(("options", "wanted"), [
    ({}, meet), ({}, lambda part: not part), ({}, lambda part: len(part) == 5), ({}, lambda part: part.shape == (8, 4)),
    ({"repeats": True}, repeats), ({"disjoint": True}, lambda part: len(part) >= 3),
    ({"disjoint": True}, lambda part: any(a[0] & b[0] for a, b in combinations(part, 2))),
    ({"disjoint": True}, lambda part: any(a[1] & b[1] for a, b in combinations(part, 2))),
])  # fmt: skip
def test_what_they_reach(options, wanted):
    assert wanted(find(biclusterings(**options), wanted, settings=search))


def test_disjoint_repeats_are_refused():
    with pytest.raises(InputError, match="no repeats"):
        find(biclusterings(disjoint=True, repeats=True), lambda part: True, settings=search)


@pytest.mark.parametrize(("condition", "reading"), EVERY, ids=EVERY_ID)
def test_cases_are_instances(condition, reading):
    @settings(quick, max_examples=15)
    @given(cases(condition.id, reading=reading.name) if reading.name != "canonical" else cases(condition.id))
    def check(case):
        assert reading.premise(case)
        assert all(Biclustering(part, part.shape) == part for side in case for part in side)

    check()


@pytest.mark.parametrize(
    ("arguments", "says"), [(("A.9",), "A.9"), (("A.1", "repeated"), "repeated"), (("mocice",), "mocice")]
)
def test_unknown_conditions_and_readings_are_named(arguments, says):
    with pytest.raises(InputError, match=says):
        cases(*arguments)
