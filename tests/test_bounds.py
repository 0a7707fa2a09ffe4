"""Measures without a constant optimum, and what is declared of the worst score."""

from fractions import Fraction
from pathlib import Path

import pytest

import metaeval
from metaeval import InputError, explain
from metaeval.catalogue.measure import Measure, make_measure
from metaeval.core.relation import NOT_OPTIMAL, WORSE, Bounds, broken
from metaeval.records.described import DescribedMeasure
from metaeval.reports import render
from metaeval.runner.plan import Plan
from metaeval.search.gate import gate
from metaeval.verification import baseline
from metaeval.verification.outcome import reasons_by_cell

FEW = {"examples": 0, "exhaustive": 2, "readings": ["canonical"], "proofs": False, "effort": 0}


def shared_pairs(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> int:
    """Pairs of objects together in both: its best depends on the gold."""
    together = [
        {frozenset((a, b)) for rows, _ in family for a in rows for b in rows if a < b} for family in (candidate, gold)
    ]
    return len(together[0] & together[1])


def unbounded(**more: object) -> Measure:
    return make_measure(shared_pairs, id="shared-pairs", name="Together", best=None, **more)  # type: ignore[arg-type]


def test_a_bound_is_turned_with_the_score() -> None:
    plain = make_measure(shared_pairs, id="one", best=2, low=-3)
    turned = make_measure(shared_pairs, id="one", best=2, low=5, smaller_is_better=True)
    assert (plain.optimum, plain.lowest) == (2, -3)
    assert (turned.optimum, turned.lowest) == (-2, -5)
    assert (unbounded().optimum, unbounded().lowest) == (None, None)
    assert make_measure(shared_pairs, id="one", low=Fraction(1, 2)).low == 0.5


@pytest.mark.parametrize("low", [float("nan"), float("-inf"), True, "0"])
def test_a_lowest_score_is_a_finite_number(low: object) -> None:
    with pytest.raises(InputError, match=r"low is .*; expected the finite score of the worst match, or None"):
        make_measure(shared_pairs, id="one", low=low)  # type: ignore[arg-type]


def test_a_measure_without_an_optimum_passes_the_gate_that_another_fails() -> None:
    assert gate(unbounded()).failure is None
    failure = gate(make_measure(shared_pairs, id="one")).failure
    assert failure is not None
    assert failure.check == "best for a perfect match"


def test_its_results_are_kept_shown_and_compared(tmp_path: Path) -> None:
    measure = unbounded(low=0)
    results = metaeval.check(measure, conditions=["A.1", "A.2", "A.5"], **FEW)  # type: ignore[arg-type]
    assert {(cell.condition, str(cell.verdict)) for cell in results} == {("A.1", "violated"), ("A.2", "holds")}
    described = results.measures["shared-pairs"]
    assert (described.best, described.low) == (None, 0.0)
    assert DescribedMeasure.from_json("shared-pairs", described.to_json()) == described
    for format in ("text", "markdown", "latex", "csv", "html"):
        assert ("shared-pairs" if format == "csv" else "Together") in render(results, format)
    assert "no constant best score" in render(results, "markdown").lower()
    stored = baseline.make(measure, results)
    stored.save(tmp_path / "b.json")
    again = baseline.Baseline.load(tmp_path / "b.json")
    assert (again.best, again.low) == (None, 0.0)
    again.demand_same(measure, "b.json")
    with pytest.raises(InputError, match=r"with the low 0\.0, and this one has None"):
        again.demand_same(unbounded(), "b.json")
    assert again.declared(shared_pairs).best is None
    assert {one.state for one in baseline.recheck(again, measure)} == {baseline.State.HOLDS}


def test_it_is_not_asked_what_speaks_of_the_optimum() -> None:
    asked = {cell[1] for cell in Plan.of([unbounded()]).cell_ids()}
    assert asked == {"A.1", "A.2", "A.3", "A.4", "B.1", "B.2", "B.3", "B.4", "S.1", "S.4"}
    with pytest.raises(InputError, match="speaks of no optimum, of which it has none"):
        Plan.of([unbounded()], ["A.5", "B.5"]).demand_cells()
    with pytest.raises(InputError, match="shared-pairs has no constant best score"):
        reasons_by_cell({"shared-pairs": {"A.5/canonical": "no"}}, Plan.of([unbounded()]))
    assert broken(WORSE, (Fraction(1), Fraction(2)), Bounds()) is None
    assert broken(WORSE, (Fraction(2), Fraction(1)), Bounds()) == "the left scores higher"
    with pytest.raises(ValueError, match="speaks of the optimum"):
        broken(NOT_OPTIMAL, (Fraction(1), Fraction(2)), Bounds())
    assert "Best score: none that is constant, worst 0, as a similarity" in explain(unbounded(low=0))
