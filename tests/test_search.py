"""The search: exact comparison, margins, smallest first, and making counterexamples smaller."""

from collections import Counter
from fractions import Fraction
from math import isqrt

import pytest
from brute_force import EVERY, EVERY_ID, condition_of, reading_of
from hunting import search_among
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs
from strategies import quick

import metaeval
from metaeval import Biclustering, Side
from metaeval.adapters import as_measure
from metaeval.cases.pack import opened, packed
from metaeval.cases.sampling import cell_settings, sample_here
from metaeval.catalogue.measure import Measure, find_measure
from metaeval.core.relation import EQUAL, NOT_OPTIMAL, PERFECT_MATCH, TOLERANCE, WORSE, Bounds, broken
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Exhaustive
from metaeval.search.scorecard import Scorecard
from metaeval.search.search import search
from metaeval.search.shrink import shrunk
from metaeval.workers.budget import Meter
from metaeval.workers.call import CachedScore, Caller, ScoreCaches

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
HAIR = Fraction(1, 10**30)


# --- relations ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("relation", "left", "right", "kept"), [
    (WORSE, THIRD, HALF, True), (WORSE, HALF, HALF, False), (WORSE, HALF, THIRD, False),
    (WORSE, HALF, HALF + HAIR, True), (WORSE, 0.5, 0.5 + TOLERANCE / 2, False), (WORSE, 0.5, 0.5 + TOLERANCE * 2, True),
    (EQUAL, HALF, HALF, True), (EQUAL, HALF, HALF + HAIR, False), (EQUAL, 0.5, 0.5 + TOLERANCE / 2, True),
    (EQUAL, 0.5, 0.5 + TOLERANCE * 2, False), (NOT_OPTIMAL, 1 - HAIR, HALF, True),
    (NOT_OPTIMAL, Fraction(1), HALF, False), (NOT_OPTIMAL, Fraction(2), HALF, False),
    (NOT_OPTIMAL, 1.0 - TOLERANCE / 2, 0.5, False), (PERFECT_MATCH, HALF, Fraction(1), True),
    (PERFECT_MATCH, HALF, 1 - HAIR, False), (PERFECT_MATCH, Fraction(1), Fraction(1), False),
    (PERFECT_MATCH, 0.5, 1 - TOLERANCE / 2, True),
    (EQUAL, HALF, 0.5 + TOLERANCE / 2, True),  # mixed: as floats
])  # fmt: skip
def test_relations(relation, left, right, kept):
    assert (broken(relation, (left, right), Bounds(best=1.0)) is None) == kept


# --- the search ---------------------------------------------------------------------------------------
def found(measure, condition, reading, drawn=(), **options):
    (finding,) = search_among(condition_of(condition), reading_of(condition, reading), [measure], drawn, **options)
    return finding


def test_a_find_in_the_list_is_certified_and_another_is_not():
    rnia = find_measure("rnia")
    cases = sample_here(("A.1", "canonical"), 20, 1)
    assert found(rnia, "A.1", "canonical", cases, exhaustive=4).certificate.certified
    alone = found(rnia, "A.1", "canonical", cases, exhaustive=0)
    assert alone.verdict == Verdict.VIOLATED
    assert not alone.certificate.certified
    assert alone.exhaustive is None
    # Reduced from whatever was drawn to the smallest there is.
    assert alone.certificate.case.objects == 2


def test_all_cases_are_counted():
    finding = found(find_measure("mocice"), "A.1", "canonical", exhaustive=5)
    assert (finding.cases, finding.violations) == (1 + 4 + 19 + 75, 0)
    assert finding.exhaustive == Exhaustive(objects=5, cases=finding.cases)


def test_a_minimal_counterexample_ends_the_search():
    """The first case has two objects and breaks it; what is larger is not even looked at."""
    asked = []

    def covered(candidate, gold):
        asked.append(gold.shape[0])
        return find_measure("rnia")(candidate, gold)

    finding = found(as_measure(covered), "A.1", "canonical", exhaustive=5)
    assert (finding.cases, finding.violations, finding.exhaustive.objects) == (1, 1, 2)
    assert finding.certificate.certified
    assert set(asked) == {2}


def test_a_counterexample_with_fewer_objects_is_still_taken_from_the_drawn_ones():
    """Lists have one feature; on more of them fewer objects may do."""

    def wide(candidate, gold):
        return -len(gold) if gold.shape[0] >= 2 or gold.shape[1] >= 2 else 0

    listed = found(as_measure(wide), "B.4", "repeated", exhaustive=2)
    drawn = sample_here(("B.4", "repeated"), 200, 0)
    assert min(case.objects for case in drawn) == 1
    assert listed.certificate.case.objects == 2
    assert found(as_measure(wide), "B.4", "repeated", drawn=drawn, exhaustive=2).certificate.case.objects == 1


@pytest.mark.parametrize("relation", [WORSE, EQUAL, NOT_OPTIMAL, PERFECT_MATCH], ids=lambda one: one.demand[:12])
@given(
    values=st.tuples(*[st.integers(-3, 3)] * 2), nudges=st.tuples(*[st.integers(-2, 2)] * 2), best=st.integers(-1, 1)
)
def test_floats_decide_as_the_exact_scores_would(relation, values, nudges, best):
    """Scores that differ by less than a float can tell, from each other and from the optimum."""
    scores = [Fraction(value) + Fraction(nudge, 10**40) for value, nudge in zip(values, nudges, strict=True)]
    sides = [Side(Biclustering(), Biclustering()), Side(Biclustering(), Biclustering())]
    left, right = (CachedScore(side, score, float(score)) for side, score in zip(sides, scores, strict=True))
    caller = Caller(Measure("m", "m", len, best=best), Meter(None), 0, lambda position, since=None: None)
    tally = Scorecard(caller, relation)
    assert tally._answers_break([left, right]) == (relation.broken(scores, Bounds(best=Fraction(best)), 0) is not None)


def test_a_side_is_asked_about_once_under_all_readings():
    condition, asked = condition_of("A.1"), Counter()

    def counted(candidate, gold):
        asked[id(candidate), id(gold)] += 1
        return find_measure("e4sc")(candidate, gold)

    stock = packed(condition, {name: [] for name in condition.readings}, 3)
    memories, measure = ScoreCaches(dict), as_measure(counted)
    together = [
        search(condition, one, [measure], opened(stock), score_caches=memories)[0]
        for one in condition.readings.values()
    ]
    # A violation is scored again to see that it stays one.
    again = [sides for sides, times in asked.items() if times > 1]
    assert len(again) <= 2 * sum(finding.verdict is Verdict.VIOLATED for finding in together)
    apart = [search(condition, one, [measure], opened(stock))[0] for one in condition.readings.values()]
    assert [structs.replace(one, seconds=0) for one in together] == [structs.replace(one, seconds=0) for one in apart]


def test_measures_in_one_group_do_not_see_each_other():
    names = ["rnia", "ce", "mocice"]
    measures = [find_measure(name) for name in names]
    cases = sample_here(("A.1", "literal"), 20, 1)
    condition, reading = condition_of("A.1"), reading_of("A.1", "literal")
    together = search_among(condition, reading, measures, cases, exhaustive=4)
    apart = [search_among(condition, reading, [one], cases, exhaustive=4)[0] for one in measures]
    for a, b in zip(together, apart, strict=True):
        assert structs.replace(a, seconds=0) == structs.replace(b, seconds=0)


def test_a_violation_outside_the_list_is_found_by_drawing():
    """A flaw that shows from eleven objects on, beyond every list."""

    def late(candidate, gold):
        score = metaeval.measures()["mocice"](candidate, gold)
        return Fraction(1) if candidate.shape[0] > 10 else score

    finding = found(as_measure(late), "A.2", "canonical", sample_here(("A.2", "canonical"), 100, 0), exhaustive=5)
    assert finding.verdict == Verdict.VIOLATED
    assert finding.certificate.case.objects == 11
    assert not finding.certificate.certified


def test_float_noise_is_no_violation():
    def noisy(candidate, gold):
        return float(metaeval.measures()["rnia"](candidate, gold)) + candidate.shape[0] * 1e-13

    assert found(as_measure(noisy), "B.2", "canonical", sample_here(("B.2", "canonical"), 30, 0)).verdict == "holds"


def test_every_setting_of_hypothesis_is_said_outright(monkeypatch):
    monkeypatch.setenv("CI", "1")
    chosen = cell_settings(17)
    assert chosen.max_examples == 17
    assert chosen.database is None
    assert chosen.deadline is None
    assert chosen.derandomize is False


# --- reduction ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("condition", "reading"), EVERY, ids=EVERY_ID)
def test_reduction_keeps_instances_and_what_is_asked_for(condition, reading):
    """From some dozens of objects down to about the smallest case there is."""
    cases = sample_here((condition.id, reading.name), 20, 3)
    assert len(set(cases)) == len(cases) <= 20
    case = max(cases, key=lambda case: case.size)
    least = next(n for n in range(1, reading.reach + 1) if any(True for _ in reading.enumerate_(n)))
    small = shrunk(case, reading.premise)
    assert reading.premise(small)
    assert small.size <= case.size
    # In A.3, A.4 and H.7 several objects must go at once, and in H.6 a bicluster on both sides in other places.
    assert small.objects <= max(least + 4, 2 * least + 2)
    assert shrunk(small, reading.premise) == small


@quick
@given(data=st.data())
def test_a_reduced_counterexample_is_still_one(data):
    measure = find_measure("rnia")
    condition = data.draw(st.sampled_from(["A.1", "A.2"]))
    reading = reading_of(condition, data.draw(st.sampled_from(["canonical", "literal"])))
    case = data.draw(reading.strategy())
    relation = condition_of(condition).relation

    def stays(case):
        return (
            reading.premise(case)
            and broken(relation, [measure.value(*side) for side in case], Bounds(best=1.0)) is not None
        )

    assume(stays(case))
    small = shrunk(case, stays)
    assert stays(small)
    assert small.objects == 2
    assert small.features == 1


def test_reduction_stops_at_its_bound():
    case = max(sample_here(("A.1", "canonical"), 40, 3), key=lambda case: case.size)
    asked = []

    def stays(case):
        asked.append(case)
        return False

    assert shrunk(case, stays, attempts=7) == case
    assert len(asked) <= 7


def test_reduction_finds_what_a_property_needs():
    """A flaw that needs a square number of objects: reduction must not step over the property."""

    def stays(case):
        classes = len(case.left.gold)
        return reading_of("A.2", "literal").premise(case) and isqrt(classes) ** 2 == classes

    drawn = sample_here(("A.2", "literal"), 200, 1)
    many = next(case for case in drawn if len(case.left.gold) == 4 and case.objects > 9)
    small = shrunk(many, stays)
    assert stays(small)
    assert small.objects < many.objects
