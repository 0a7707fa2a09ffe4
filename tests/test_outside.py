"""A score above the declared best: every cell in which it happened says so, and no other."""

from fractions import Fraction

import pytest
from tools import as_json, plain, run_inside

import metaeval
from metaeval import Cell, Results
from metaeval.catalogue.measure import make_measure
from metaeval.display.cell_facts import full_message
from metaeval.reports.page_data import page_data
from metaeval.reports.view import build

QUICK = {"examples": 20, "exhaustive": 3, "effort": 0}
SENTENCE = "The score 3/2 of {0}×{0} {0}×{0, 1} against itself exceeds the declared best, 1."


@pytest.fixture(scope="module")
def results() -> Results:
    return metaeval.run(["ce", "mocice"], ["A.5", "B.2", "B.3"], **QUICK, jobs=1)


def checked(function, condition="A.5", reading="overlapping", **options) -> Cell:
    """The cell of a function of one's own."""
    mine = make_measure(function, id="mine", **options)
    return metaeval.check(mine, conditions=[condition], readings=[reading], **QUICK, jobs=1).cell(
        "mine", condition, reading
    )


def test_ce_exceeds_its_best_under_overlap() -> None:
    found = metaeval.run(["ce"], ["A.5"], readings=["overlapping"]).cell("ce", "A.5", "overlapping")
    assert found.verdict == "violated"
    assert found.outside is not None
    assert (found.outside.score.exact, found.outside.best) == (Fraction(3, 2), 1.0)
    assert metaeval.score("ce", *found.outside.side, exact=True) == Fraction(3, 2)
    assert found.outside.side.shape[0] <= 2


@pytest.mark.parametrize(("condition", "verdict"), [("A.5", "violated"), ("B.2", "proved"), ("B.3", "holds")])
def test_it_is_reported_whatever_the_verdict(results: Results, condition: str, verdict: str) -> None:
    cell = results.cell("ce", condition, "overlapping")
    assert cell.verdict == verdict
    assert full_message(cell) == SENTENCE
    assert SENTENCE in metaeval.explain(cell, width=120)
    assert results.cell("ce", condition, "canonical").outside is None


def test_a_measure_within_its_bounds_has_none(results: Results) -> None:
    own = [cell for cell in results if cell.measure == "mocice"]
    assert own
    for cell in own:
        assert cell.outside is None
        assert "outside" not in cell.to_json()
        assert "declared best" not in metaeval.explain(cell)


def test_files_keep_it_and_may_lack_it(results: Results) -> None:
    cell = results.cell("ce", "A.5", "overlapping")
    data = as_json(cell)
    assert data["outside"] == {
        "score": {"float": 1.5, "exact": "3/2"},
        "best": 1.0,
        "side": {role: family.to_json() for role, family in zip(("candidate", "gold"), cell.outside.side, strict=True)},
    }
    assert Cell.from_json(data).outside == cell.outside
    del data["outside"]
    assert Cell.from_json(data).outside is None


def test_reports_say_it_in_the_cell(results: Results, tmp_path) -> None:
    view = build(results)
    assert page_data(view)["cells"]["ce.A.5.overlapping"]["message"] == SENTENCE
    assert page_data(view)["cells"]["mocice.A.5.overlapping"]["message"] == ""
    file = tmp_path / "results.json"
    results.save(file)
    for form in ("text", "csv"):
        assert SENTENCE in " ".join(run_inside("report", str(file), "--format", form).out.split())


def test_check_says_it_beside_the_evidence() -> None:
    words = ("--condition", "B.2", "--reading", "overlapping", "--quick")
    assert "the score 3/2 exceeds the declared best, 1" in " ".join(run_inside("check", "ce", *words).out.split())
    assert "exceeds" not in run_inside("check", "mocice", *words).out


@pytest.mark.parametrize(
    ("above", "shown"),
    [(1e-12, ""), (1e-6, "1.000001"), (1e-7, "1.0000001"), (Fraction(1, 10**15), "1.000000000000001")],
)
def test_rounding_is_not_reported_and_any_exact_excess_is(above: float | Fraction, shown: str) -> None:
    cell = checked(lambda candidate, gold: 1 + (above if len(candidate) > len(gold) else 0), "B.2")
    assert (cell.outside.words[0] if cell.outside else "") == shown
    assert ("exceeds" in full_message(cell)) == bool(shown)


def test_an_exact_excess_that_no_float_shows() -> None:
    tiny = Fraction(1, 10**40)
    cell = checked(lambda candidate, gold: 1 + (tiny if len(candidate) > len(gold) else 0), "B.2")
    assert cell.outside.score.exact == 1 + tiny


def test_a_dissimilarity_is_turned_round() -> None:
    cell = checked(
        lambda candidate, gold: Fraction(-1, 2) if len(candidate) > len(gold) else len(gold) - len(candidate), "B.2",
        best=0, smaller_is_better=True,
    )  # fmt: skip
    assert (cell.outside.score.exact, cell.outside.best) == (Fraction(1, 2), 0)
    assert full_message(cell).endswith(" exceeds the declared best, 0.")
    assert (
        checked(lambda candidate, gold: abs(len(gold) - len(candidate)), best=0, smaller_is_better=True).outside is None
    )


def test_without_a_best_score_nothing_exceeds_it() -> None:
    assert checked(lambda candidate, gold: len(candidate), "B.2", best=None).outside is None


def test_of_a_pool_the_candidate_is_named() -> None:
    cell = checked(lambda candidate, gold: 2 if len(candidate) > len(gold) else 1, "G.4", "canonical")
    assert cell.outside is not None
    assert not cell.outside.side.is_pool
    assert len(cell.outside.side.candidate) > len(cell.outside.side.gold)


def test_a_score_beside_one_that_is_missing_counts() -> None:
    def partial(candidate, gold):
        if candidate.shape[0] < 3:
            raise metaeval.Undefined("small")
        return 2 if len(candidate) > len(gold) else 1

    assert checked(partial, "B.2").outside is not None


def test_it_depends_neither_on_jobs_nor_on_what_was_scored_before() -> None:
    """Readings share a score cache in one job; apart, each is searched with an empty one."""
    asked = {"measures": ["ce"], "conditions": ["A.5", "B.4"], **QUICK}
    together = plain(metaeval.run(**asked, jobs=1))["cells"]
    assert plain(metaeval.run(**asked, jobs=2))["cells"] == together
    apart = [
        cell
        for condition, reading in dict.fromkeys((one["condition"], one["reading"]) for one in together)
        for cell in plain(metaeval.run(["ce"], [condition], readings=[reading], **QUICK))["cells"]
    ]
    assert apart == together
    assert any("outside" in cell for cell in together)
