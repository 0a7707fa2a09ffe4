"""Violations that a weak search misses: they need size, or company, and are found at the defaults."""

from __future__ import annotations

from random import Random

import pytest
import reference

from metaeval.cases import Case
from metaeval.certificates import case_from_json
from metaeval.climb import climb
from metaeval.condition import find_condition
from metaeval.outcomes import Verdict
from metaeval.runner import run
from metaeval.surroundings import surrounded


@pytest.mark.parametrize(
    ("measure", "condition", "reading"),
    [
        ("e4sc", "A.2", "canonical"),  # two dozen objects: many poor clusters around
        ("e4sc", "A.4", "canonical"),
        ("mocice-precision", "A.3", "literal"),
        ("mocice", "A.3", "literal"),
        ("mocice", "A.5", "repeated"),  # six biclusters against seven, over three objects
        ("bcubed", "A.5", "overlapping"),
        ("e4sc", "A.1", "canonical"),
    ],
)
def test_it_is_found_at_the_defaults(measure, condition, reading):
    cell = run([measure], [condition], [reading]).cell(measure, condition, reading)
    assert cell.verdict is Verdict.VIOLATED
    case = case_from_json(cell.certificate)
    assert find_condition(condition).reading(reading).premise(case)
    # Once more, by the definition over single cells.
    left, right = (reference.MEASURES[measure](*side) for side in case)
    assert left >= (1 if condition == "A.5" else right)


def test_company_keeps_the_case_an_instance():
    reading = find_condition("A.2").reading("canonical")
    core = next(reading.enumerate_(3))
    around = [case for case in surrounded(core, right_is_gold=False) if reading.premise(case)]
    assert len(around) == 32
    assert all(case.objects > core.objects for case in around)


def test_a_climb_ends_where_the_margin_does():
    """A measure whose margin shrinks with every object: six more make it a violation."""
    reading = find_condition("A.2").reading("canonical")
    start = next(reading.enumerate_(2))

    def margin(case: Case) -> float:
        return (8 - case.objects) / case.objects

    found = climb(start, reading.premise, margin, Random(0), right_is_gold=False)
    assert found is not None
    assert found.objects >= 8
    assert reading.premise(found)


def test_a_climb_without_a_slope_comes_back_empty_handed():
    reading = find_condition("A.2").reading("canonical")
    start = next(reading.enumerate_(2))
    assert climb(start, reading.premise, lambda case: 1.0, Random(0), right_is_gold=False) is None
