"""Violations that a weak search misses: they need size, or a context, and are found at the defaults."""

from fractions import Fraction
from functools import cache
from random import Random

import pytest
import reference
from hunting import search_without_reduction

from metaeval.adapters import as_measure
from metaeval.cases.enlarge import MOST_OBJECTS
from metaeval.cases.order import CaseSource
from metaeval.cases.sampling import sample_here
from metaeval.catalogue.condition import conditions, find_condition
from metaeval.catalogue.measure import Measure, find_measure
from metaeval.core.case import Case
from metaeval.core.settings import HIGHEST, LEVELS
from metaeval.core.verdict import Verdict
from metaeval.literature.lutov2019 import f1a_as_printed
from metaeval.search.climb import Slope, climb

BOTH = ("canonical", "overlapping")


def counterexample(measure: Measure, condition: str, reading: str) -> Case:
    """What the search finds against a measure, an instance of its condition."""
    where = find_condition(condition)
    (found,) = search_without_reduction(where, where.reading(reading), [measure])
    assert found.verdict is Verdict.VIOLATED
    assert where.reading(reading).premise(found.certificate.case)
    return found.certificate.case


@pytest.mark.parametrize(("measure", "condition", "reading"), [
    ("e4sc", "A.2", "canonical"),  # two dozen objects: many poor clusters around
    ("e4sc", "A.4", "canonical"), ("mocice-precision", "A.3", "literal"), ("mocice", "A.3", "literal"),
    ("mocice", "A.5", "repeated"),  # six biclusters against seven, over three objects
    ("bcubed", "A.5", "overlapping"), ("e4sc", "A.1", "canonical"),
    # What one reading's cases show, another reading's cell knows.
    *((measure, "B.1", reading) for measure in ("liu-wang", "weighted-jaccard") for reading in BOTH),
])  # fmt: skip
def test_it_is_found_at_the_defaults(measure, condition, reading):
    case = counterexample(find_measure(measure), condition, reading)
    # Once more, by the definition over single cells.
    left, right = (reference.MEASURES[measure](*side) for side in case)
    assert left >= (1 if condition == "A.5" else right)


def average_f1(candidate, gold):
    """The mean of every bicluster's best F₁ with the other side, either way (Yang & Leskovec 2013)."""
    if not candidate or not gold:
        return Fraction(len(candidate) == len(gold))
    return f1a_as_printed(candidate, gold)


@pytest.mark.parametrize("reading", ["canonical", "literal"])
def test_a_wider_reading_is_broken_by_the_cases_of_a_narrower_one(reading):
    case = counterexample(as_measure(average_f1), "A.2", reading)
    assert average_f1(*case.left) >= average_f1(*case.right)


@pytest.mark.parametrize("condition", conditions())
def test_a_source_holds_instances_once(condition):
    """Enough objects that the readings' lists differ; whatever comes from elsewhere is admitted and new."""
    readings = find_condition(condition).readings.values()
    drawn = [case for reading in readings for case in sample_here((condition, reading.name), 5, 1)]

    @cache
    def listed(name: str, objects: int) -> list[Case]:
        return list(find_condition(condition).reading(name).enumerate_(objects))

    shared = {"listing": lambda reading, objects: listed(reading.name, objects), "enlarged": {}}
    for reading in readings:
        source = CaseSource(find_condition(condition), reading, drawn, 3, seed=1, most_large=4, **shared)
        own = {case for _, cases in source.levels() for case in cases}
        further = [*source.listed_elsewhere(), *source.drawn(), *source.large()]
        assert all(map(reading.premise, further))
        assert len({*further}) == len(further)
        assert own.isdisjoint(further)
        mine = [case for case in drawn if reading.premise(case)]
        assert all(case in own or case in further or case.features == 1 for case in mine)


def test_wider_readings_borrow_from_narrower_ones():
    condition = find_condition("A.1")
    borrowed = {
        name: [reading.name for reading in CaseSource(condition, condition.reading(name), [], None)._narrower]
        for name in condition.readings
    }
    assert borrowed == {"canonical": [], "literal": ["canonical"], "overlapping": ["canonical", "literal"]}


def test_a_climb_ends_where_the_margin_does():
    """A measure whose margin shrinks with every object: six more make it a violation."""
    reading = find_condition("A.2").reading("canonical")
    start = next(reading.enumerate_(2))

    def margin(case: Case) -> float:
        return (8 - case.objects) / case.objects

    found = climb(start, Slope(reading.premise, margin, LEVELS[HIGHEST], MOST_OBJECTS), Random(0))
    assert found is not None
    assert found.objects >= 8
    assert reading.premise(found)
    # Without a slope it comes back empty-handed.
    assert climb(start, Slope(reading.premise, lambda case: 1.0, LEVELS[HIGHEST], MOST_OBJECTS), Random(0)) is None
