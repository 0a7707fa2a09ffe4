"""Violations that a weak search misses: they need size, or a context, and are found at the defaults."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest
import reference
from hunting import search_without_reduction

from metaeval.cases.enlarge import MOST_OBJECTS
from metaeval.cases.order import CaseSource
from metaeval.cases.sampling import sample_here
from metaeval.catalogue.condition import conditions, find_condition
from metaeval.catalogue.measure import Measure, as_measure, find_measure
from metaeval.core.case import Case
from metaeval.core.effort import HIGHEST, LEVELS
from metaeval.core.verdict import Verdict
from metaeval.search.climb import Slope, climb


def counterexample(measure: Measure, condition: str, reading: str) -> Case:
    """What the search finds against a measure, an instance of its condition."""
    where = find_condition(condition)
    (found,) = search_without_reduction(where, where.reading(reading), [measure])
    assert found.verdict is Verdict.VIOLATED
    assert where.reading(reading).premise(found.witness)
    return found.witness


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
    case = counterexample(find_measure(measure), condition, reading)
    # Once more, by the definition over single cells.
    left, right = (reference.MEASURES[measure](*side) for side in case)
    assert left >= (1 if condition == "A.5" else right)


# --- what one reading's cases show, another reading's cell knows --------------------------------------


def dice(a, b):
    return Fraction(2 * shared(a, b), cells(a) + cells(b))


def shared(a, b):
    return len(a[0] & b[0]) * len(a[1] & b[1])


def cells(bicluster):
    return len(bicluster[0]) * len(bicluster[1])


def unless_empty(function):
    def score(candidate, gold):
        return function([*candidate], [*gold]) if candidate and gold else Fraction(len(candidate) == len(gold))

    score.__name__ = function.__name__
    return score


@unless_empty
def liu_wang(found, gold):
    """Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016."""

    def likeness(a, b):
        return Fraction(len(a[0] & b[0]) + len(a[1] & b[1]), len(a[0] | b[0]) + len(a[1] | b[1]))

    return sum(max(likeness(one, other) for other in gold) for one in found) / len(found)


@unless_empty
def weighted_jaccard(found, gold):
    """The same source."""

    def jaccard(a, b):
        return Fraction(shared(a, b), cells(a) + cells(b) - shared(a, b))

    total = sum(map(cells, found))
    return sum(max(jaccard(one, other) for other in gold) * cells(one) for one in found) / total


@unless_empty
def average_f1(found, gold):
    """The mean of every bicluster's best F₁ with the other side, either way (Yang & Leskovec 2013)."""
    ways = ((found, gold), (gold, found))
    return sum(sum(max(dice(a, b) for b in there) for a in here) / len(here) for here, there in ways) / 2


@pytest.mark.parametrize(
    ("measure", "condition", "readings"),
    [
        (liu_wang, "B.1", ("canonical", "overlapping")),
        (weighted_jaccard, "B.1", ("canonical", "overlapping")),
        (average_f1, "A.2", ("canonical", "literal")),
    ],
)
def test_a_wider_reading_is_broken_by_the_cases_of_a_narrower_one(measure, condition, readings):
    for reading in readings:
        case = counterexample(as_measure(measure), condition, reading)
        assert measure(*case.left) >= measure(*case.right)


@pytest.mark.parametrize("condition", conditions())
def test_a_source_holds_instances_once(condition):
    """Enough objects that the readings' lists differ; whatever comes from elsewhere is admitted and new."""
    readings = find_condition(condition).readings.values()
    drawn = [case for reading in readings for case in sample_here((condition, reading.name), 8, 1)]

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


def test_a_climb_without_a_slope_comes_back_empty_handed():
    reading = find_condition("A.2").reading("canonical")
    start = next(reading.enumerate_(2))
    slope = Slope(reading.premise, lambda case: 1.0, LEVELS[HIGHEST], MOST_OBJECTS)
    assert climb(start, slope, Random(0)) is None
