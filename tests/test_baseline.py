"""Baselines: what is stored, read back, refused, and told apart from what a measure does now."""

import json
import math
import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tools import as_json, put

import metaeval
from metaeval.catalogue.measure import Measure, make_measure
from metaeval.core.errors import InputError
from metaeval.core.relation import TOLERANCE
from metaeval.core.verdict import Verdict
from metaeval.verification import baseline
from metaeval.verification.baseline import Baseline, State

from metaeval.verification.golden import (  # isort: skip
    HUGE, HUGE_FROM, LARGE, LARGE_FROM, SIDES, Golden, NoAnswer, golden_scores, panel_scores,
)  # fmt: skip


def shared(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> Fraction:
    return metaeval.score("rnia", candidate, gold, exact=True)


def as_mine(function: Callable[..., Any], **options: Any) -> Measure:
    return make_measure(function, id="mine", **options)


MINE = as_mine(shared)


def baseline_of(measure: Measure, effort: int = HUGE_FROM) -> Baseline:
    settings = {"examples": 0, "exhaustive": 2, "jobs": 1, "effort": effort, "proofs": False}
    return baseline.make(measure, metaeval.check(measure, ["A.1", "B.1"], ["canonical"], **settings))


@pytest.fixture(scope="module")
def stored() -> Baseline:
    return baseline_of(MINE)


@pytest.fixture
def data(stored: Baseline) -> dict[str, Any]:
    """As parsed JSON, without the large pairs, to be changed."""
    return as_json(replace(stored, golden=stored.golden[: len(SIDES)]))


def test_a_baseline_comes_back_as_it_was_and_takes_little_room(stored: Baseline, tmp_path: Path) -> None:
    path = tmp_path / "mine.metaeval.json"
    stored.save(path)
    assert Baseline.load(path) == stored
    written = json.loads(path.read_text())
    assert written == stored.to_json()
    assert list(written) == ["schema", "provenance", "measure", "cells", "golden", "tolerance"]
    # A set is a line.
    assert not any(line.strip(" ,").isdigit() for line in path.read_text().splitlines())
    huge = written["golden"][-len(HUGE) :]
    assert [one["gold"] for one in huge] == [{"runs": [34_999, 35_001]}]
    assert [Golden.from_json(one).side for one in huge] == [*HUGE]


def test_a_baseline_says_what_was_found(stored: Baseline) -> None:
    assert (stored.id, stored.best, stored.tolerance) == ("mine", 1.0, TOLERANCE)
    assert {cell.condition: cell.verdict for cell in stored.cells} == {"A.1": Verdict.VIOLATED, "B.1": Verdict.HOLDS}
    assert {cell.seconds for cell in stored.cells} == {0.0}
    assert [cell.key for cell in stored.results] == [cell.key for cell in stored.cells]
    assert [golden.side for golden in stored.golden] == [*SIDES, *LARGE, *HUGE]
    assert len(SIDES) == 40


def test_the_panel_has_every_kind_of_side() -> None:
    def kind(side: metaeval.Side) -> str:
        covered = [[(row, col) for rows, cols in part for row in rows for col in cols] for part in side]
        if any(len(set(part)) < len(part) for part in side):
            return "repeated"
        if any(len(set(cells)) < len(cells) for cells in covered):
            return "overlapping"
        return "disjoint" if all(side) else "empty"

    kinds = Counter(map(kind, SIDES))
    assert set(kinds) == {"disjoint", "overlapping", "repeated", "empty"}
    assert min(kinds.values()) >= 2
    assert len(set(SIDES)) == len(SIDES)


def test_golden_scores_say_where_there_is_none() -> None:
    def picky(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> float:
        if not gold:
            raise metaeval.Undefined("no gold standard")
        return len(candidate) / len(gold) if candidate else 1 / 0

    golden = golden_scores(as_mine(picky), SIDES)
    assert {one.fault for one in golden if not one.side.gold} == {Verdict.UNDEFINED}
    assert {one.fault for one in golden if one.side.gold and not one.side.candidate} == {Verdict.ERROR}
    assert [one.to_json().get("undefined") for one in golden].count(True) == 4
    for one in golden:
        assert Golden.from_json(as_json(one)) == one


# --- large pairs
def test_the_large_pairs_go_beyond_what_implementations_may_have_room_for() -> None:
    families = [family for side in LARGE for family in side]
    assert {127, 128, 129, 255, 256} <= {len(rows) for family in families for rows, _ in family}
    assert min(max(side.gold.shape) for side in LARGE) > 64
    assert max(family.shape[0] for family in families) > 256
    assert max(family.shape[1] for family in families) > 64
    assert max(map(len, families)) > 128
    assert any(len(side.candidate) > 10 * len(side.gold) for side in LARGE)
    assert any(10 * len(side.candidate) < len(side.gold) for side in LARGE)
    covered = [[(x, y) for rows, cols in family for x in rows for y in cols] for family in families]
    assert any(len(cells) > len(set(cells)) for cells in covered)
    assert not set(LARGE) & set(SIDES)
    # Products of numbers of pairs that 64 bits do not hold.
    for side in HUGE:
        together = [sum(len(rows) * (len(rows) - 1) for rows, _ in family) for family in side]
        apart = [family.shape[0] * (family.shape[0] - 1) - n for family, n in zip(side, together, strict=True)]
        assert sum(n * m for n, m in zip(together, apart, strict=True)) > 2**63 - 1


def test_a_counter_that_wraps_is_seen_on_large_pairs_alone(stored: Baseline) -> None:
    def wrapping(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> Fraction:
        covered = {(row, col) for rows, cols in gold for row in rows for col in cols}
        return shared(candidate, gold) if len(covered) < 256 else Fraction(len(covered) % 256, 256)

    changed = baseline.changed_scores(stored, as_mine(wrapping))
    assert changed
    assert all(one.was.side in (*LARGE, *HUGE) for one in changed)


def test_a_slow_measure_gets_no_large_pairs_and_a_dissimilarity_keeps_its_best(tmp_path: Path, data: Any) -> None:
    measure = as_mine(lambda c, g: 7 - shared(c, g), best=6, smaller_is_better=True)
    made = baseline_of(measure, effort=LARGE_FROM - 1)
    assert [golden.side for golden in made.golden] == list(SIDES)
    assert made.left_out == len(LARGE) + len(HUGE)
    assert made.measure.effort == LARGE_FROM - 1
    made.save(tmp_path / "slow.json")
    again = Baseline.load(tmp_path / "slow.json")
    assert again == made
    assert (again.best, again.measure.best) == (6.0, -6.0)
    assert json.loads((tmp_path / "slow.json").read_text())["left_out"] == len(LARGE) + len(HUGE)
    assert baseline.changed_scores(again, measure) == []  # what is stored is compared, and nothing else
    # One from before large pairs is compared as it is.
    old = Baseline.from_json(data)
    assert (old.left_out, len(baseline.changed_scores(old, as_mine(lambda c, g: shared(c, g) + 1)))) == (0, len(SIDES))


def test_a_measure_that_fails_on_large_or_huge_pairs_is_asked_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def hanging(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> Fraction:
        while max(gold.shape) > 100:
            pass
        return shared(candidate, gold)

    def square(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> Fraction:
        np.ones((gold.shape[0], gold.shape[0]))
        return shared(candidate, gold)

    panel = panel_scores(as_mine(square))
    assert [golden.side for golden in panel.golden] == [*SIDES, *LARGE]
    assert (panel.left_out, panel.why) == (len(HUGE), "mine fails on 70,000 objects")
    monkeypatch.setattr("metaeval.verification.golden.LONGEST", 0.1)
    panel = panel_scores(as_mine(hanging))
    assert [golden.side for golden in panel.golden] == list(SIDES)
    assert (panel.left_out, panel.why) == (len(LARGE) + len(HUGE), "mine gave no answer within 0.1 s")


@pytest.mark.parametrize("runs", [None, 5, "5", [], [0, 5], [-1], [2.5], [True], [10**12]])
def test_runs_that_are_no_sizes_are_refused(runs: Any) -> None:
    rolled = {"candidate": {"runs": runs}, "gold": {"runs": [5]}, "score": {"float": 1.0, "exact": None}}
    with pytest.raises(metaeval.InputError, match='"runs" of a golden score is'):
        Golden.from_json(rolled)


# --- the measure as it is now
@pytest.mark.parametrize(("function", "state", "sentence", "first", "amount"), [
    (shared, State.HOLDS, "", None, None),
    (metaeval.measures()["mocice"].function, State.FIXED, "no longer breaks it", "", ""),
    (lambda c, g: 1 / 0, State.BROKEN, "it raised ZeroDivisionError", "golden-01: expected 1 (1), got an error", "–"),
    (
        lambda c, g: shared(c, g) / 2, State.BROKEN, "scored 1 (1) and 1 (1), and now 1/2 (0.5) and 1/2 (0.5)",
        "golden-01: expected 1 (1), got 1/2 (0.5)", "-1/2",
    ),
    (lambda c, g: float(shared(c, g)), State.BROKEN, "", "golden-01: expected 1 (1), got 1.0", "no longer exact"),
], ids=["unchanged", "better", "failing", "halved", "inexact"])  # fmt: skip
def test_what_a_measure_does_now(function, state, sentence, first, amount, data: dict[str, Any]) -> None:
    was = Baseline.from_json(data)
    (one,) = baseline.recheck(was, as_mine(function))
    assert (one.condition, one.reading, one.state) == ("A.1", "canonical", state)
    assert sentence in one.sentence
    changed = baseline.changed_scores(was, as_mine(function))
    assert bool(changed) == (first is not None)
    if first:
        assert (changed[0].pair, str(changed[0]), changed[0].amount) == (1, first, amount)
        assert changed[0].to_json()["expected"] == was.golden[0].to_json()
        assert changed[0].to_json()["got"] == changed[0].now.to_json()


def test_floats_may_differ_within_the_stated_tolerance() -> None:
    def moved(by: float) -> Measure:
        return as_mine(lambda c, g: float(shared(c, g)) - by)

    was = baseline_of(moved(0), effort=0)
    assert baseline.changed_scores(was, moved(1e-12)) == []
    changed = baseline.changed_scores(was, moved(1e-6))
    assert (len(changed), changed[0].amount[0]) == (len(was.golden), "-")
    assert [one.state for one in baseline.recheck(was, moved(1e-6))] == [State.BROKEN]
    lenient = Baseline.from_json({**as_json(was), "tolerance": 1e-3})
    assert baseline.changed_scores(lenient, moved(1e-6)) == []
    assert [one.state for one in baseline.recheck(lenient, moved(1e-6))] == [State.HOLDS]
    assert len(baseline.changed_scores(lenient, moved(0.1))) == len(lenient.golden)


def test_a_certificate_of_another_case_does_not_hold(data: dict[str, Any]) -> None:
    certificate = data["cells"][0]["certificate"]
    certificate["left"] = certificate["right"]  # no instance of A.1
    (one,) = baseline.recheck(Baseline.from_json(data), MINE)
    assert one.state is State.BROKEN
    assert "no instance of A.1" in one.sentence


def test_a_measure_that_hangs_or_dies_is_named(data: dict[str, Any]) -> None:
    was = Baseline.from_json(data)
    with pytest.raises(NoAnswer, match=r"mine gave no answer within 0\.05 s"):
        baseline.changed_scores(was, as_mine(lambda c, g: time.sleep(9)), budget=0.05)
    with pytest.raises(NoAnswer, match="mine lost its process, which ended with exit code 3"):
        baseline.recheck(was, as_mine(lambda c, g: os._exit(3)))


# --- bad files
OF_CELL_2, OF_CERTIFICATE = "of cell 2 (mine B.1 canonical)", "the certificate of cell 1 (mine A.1 canonical)"
#: What is put where, and what the sentence says of it.
BAD = [
    ("schema", "metaeval.results/1", "the schema of the baseline is 'metaeval.results/1'"),
    ("cells", ..., 'the baseline has no "cells"'),
    ("cells", {}, '"cells" of the baseline must be a list'),
    ("tolerance", ..., 'the baseline has no "tolerance"'),
    ("extra", 1, "unknown key 'extra'"),
    ("tolerance", -1, '"tolerance" of the baseline must be a number from 0 up, not -1'),
    ("tolerance", True, '"tolerance" of the baseline must be a number, not True'),
    ("tolerance", math.nan, '"tolerance" of the baseline must be a number from 0 up, not nan'),
    ("measure.id", 3, '"id" of its measure must be a string, not 3'),
    ("measure.best", "1", "\"best\" of the measure mine must be a number or null, not '1'"),
    ("measure.smaller_is_better", None, '"smaller_is_better" of its measure must be true or false, not None'),
    ("measure.domain", "all", "\"domain\" of its measure is 'all'"),
    ("provenance.seed", ..., 'its provenance has no "seed"'),
    ("provenance.examples", "many", "whole number, not 'many'"),
    ("provenance.exhaustive", -1, '"exhaustive" of its provenance must be'),
    ("cells.0", 3, "cell 1 must be a JSON object, not 3"),
    ("cells.0.verdict", "maybe", "'maybe'"),
    ("cells.1.measure", "other", "is about 'other', not 'mine'"),
    ("cells.1.condition", "A.9", "no condition 'A.9'"),
    ("cells.1.reading", "loose", "no reading 'loose'"),
    ("cells.1.condition", "A.1", "a cell occurs twice"),
    ("cells.1.cases", "many", f"\"cases\" {OF_CELL_2} must be a whole number, not 'many'"),
    ("cells.1.exhaustive", 3, f'"exhaustive" {OF_CELL_2} must be a JSON object or null, not 3'),
    ("cells.1.exhaustive.cases", ..., f'"exhaustive" {OF_CELL_2} has no "cases"'),
    ("cells.0.certificate", None, "if, and only if, it is violated"),
    ("cells.0.certificate", [1], f"{OF_CERTIFICATE} must be a JSON object, not [1]"),
    ("cells.0.certificate.condition", "A.2", "of the condition 'A.2'"),
    ("cells.0.certificate.left", ..., 'must be a JSON object with "left" and "right"'),
    ("cells.0.certificate.scores", {}, f'"scores" of {OF_CERTIFICATE} has no "optimum"'),
    ("cells.0.certificate.minimal", {}, f'"minimal" of {OF_CERTIFICATE} has no "objects"'),
    ("golden.0", 1, "a golden score must be an object"),
    ("golden.0.gold", ..., "a golden score must be an object"),
    ("golden.0.score", ..., 'must hold "score"'),
    ("golden.0.gold", 7, "gold: a biclustering is a JSON object"),
    ("golden.0.score", 0.5, "a golden score must be a JSON object, not 0.5"),
    ("golden.0.score.exact", "1/0", "divides by zero; expected a fraction, not '1/0'"),
    ("golden.0.score", {"float": "x", "exact": None}, '"float" of a golden score must be a number'),
    ("left_out", "some", "\"left_out\" of the baseline must be a whole number, not 'some'"),
    ("left_out", -1, '"left_out" of the baseline must be a whole number from 0 up, not -1'),
]


@pytest.mark.parametrize(("path", "value", "part"), BAD)
def test_a_bad_file_costs_one_sentence(path: str, value: Any, part: str, data: Any, tmp_path: Path) -> None:
    put(data, path, value)
    with pytest.raises(InputError) as caught:
        Baseline.from_json(data)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    if value is not math.nan:
        (tmp_path / "bad.json").write_text(json.dumps(data))
        with pytest.raises(InputError, match=r"bad\.json is no baseline: "):
            Baseline.load(tmp_path / "bad.json")


@pytest.mark.parametrize("other", [None, [], 3, "text"])
def test_what_is_no_object_is_no_baseline(other: Any) -> None:
    with pytest.raises(InputError, match="the baseline must be a JSON object"):
        Baseline.from_json(other)
