"""The narrowest pass of a cell that holds, held against a search of the whole list."""

import pytest

import metaeval
from metaeval.catalogue.condition import find_condition

OBJECTS = 4


@pytest.mark.parametrize(("measure", "condition"), [("mocice", "A.1"), ("rand", "A.2"), ("mocice", "B.5")])
def test_no_listed_case_is_passed_by_less(measure: str, condition: str) -> None:
    results = metaeval.check(
        measure, conditions=[condition], readings=["canonical"], examples=5, exhaustive=OBJECTS, effort=0, jobs=1
    )
    cell = results.cell(measure, condition)
    assert cell.verdict == "proved"  # which leaves what was tried as it is
    assert cell.narrowest is not None
    reading = find_condition(condition).reading("canonical")
    assert reading.premise(cell.narrowest.case)

    def width(case: metaeval.Case) -> float:
        left, right = (metaeval.score(measure, *side, exact=True) for side in case)
        return 1 - left if condition == "B.5" else right - left

    listed = [case for objects in range(1, OBJECTS + 1) for case in reading.enumerate_(objects)]
    assert width(cell.narrowest.case) == min(map(width, listed))
    scores = [metaeval.score(measure, *side, exact=True) for side in cell.narrowest.case]
    assert [score.exact for score in cell.narrowest.scores] == scores


def test_an_equality_shows_a_score_between_nothing_and_the_best() -> None:
    results = metaeval.check(
        "mocice", conditions=["B.4"], readings=["canonical"], examples=5, exhaustive=4, effort=0, jobs=1
    )
    passed = results.cell("mocice", "B.4").narrowest
    assert passed is not None
    left, right = passed.scores
    assert 0 < left.value == right.value < 1


def test_a_violated_cell_has_none() -> None:
    results = metaeval.check(
        "rnia", conditions=["A.1"], readings=["canonical"], examples=5, exhaustive=3, effort=0, jobs=1
    )
    assert results.cell("rnia", "A.1").narrowest is None
