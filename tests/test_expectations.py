"""Expected violations: one judgement for the command line and for pytest, each in its own words."""

import pytest

from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell
from metaeval.runner.plan import Plan
from metaeval.verification.outcome import Judgement, judge_cell, no_longer, places_expected, problem, reasons_by_cell

PLAN = Plan.of(["ce"], ["A.1", "B.5"], ["canonical", "literal"])


@pytest.mark.parametrize("verdict", Verdict)
def test_an_expectation_excuses_a_violation_and_nothing_else(verdict):
    fails = verdict not in (Verdict.PROVED, Verdict.HOLDS, Verdict.UNDEFINED, Verdict.VACUOUS)
    assert verdict.counts_against == fails
    cell = Cell("ce", "A.1", "literal", verdict)
    assert judge_cell(cell, False) is (Judgement.FAILS if fails else Judgement.PASSES)
    excused = Judgement.EXPECTED if verdict is Verdict.VIOLATED else Judgement.FAILS
    assert judge_cell(cell, True) is (excused if fails else Judgement.OBSOLETE)


def test_both_ways_to_expect_name_the_same_cells():
    places = places_expected(["A.1/literal", "B.5/canonical"], PLAN)
    reasons = reasons_by_cell({"ce": {"A.1/literal": "known", "B.5/canonical": "too"}}, PLAN)
    assert {("ce", *place) for place in places} == set(reasons)
    assert reasons["ce", "A.1", "literal"] == "known"
    assert places_expected(["a.1/LITERAL", "b.5/Canonical"], PLAN) == places


def test_a_problem_is_a_sentence():
    cell = Cell("ce", "A.1", "literal", Verdict.ERROR, message="it raised KeyError")
    assert problem(cell, expected=True).text == "A.1/literal: error, it raised KeyError"
    assert problem(Cell("ce", "A.1", "literal", Verdict.VIOLATED), expected=False).text == "A.1/literal: violated"
    assert problem(Cell("ce", "A.1", "literal", Verdict.VIOLATED), expected=True) is None
    assert problem(Cell("ce", "A.1", "literal", Verdict.HOLDS), expected=False) is None
    gone = Cell("ce", "A.1", "literal", Verdict.HOLDS)
    assert problem(gone, expected=True).text == (
        "A.1/literal: a violation was expected and none was found (verdict: holds); "
        "remove it from --expect-violation, `expect` in pyproject.toml or expected_violations"
    )
    assert no_longer(gone, "known").startswith("ce no longer violates A.1 (literal), which was expected: known\n")
