"""Baselines: what is stored, read back, refused, and told apart from what a measure does now."""

from __future__ import annotations

import copy
import json
import math
import os
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metaeval
from metaeval.catalogue.measure import Measure, make_measure
from metaeval.core.errors import InputError
from metaeval.core.relation import TOLERANCE
from metaeval.core.verdict import Verdict
from metaeval.verification import baseline
from metaeval.verification.baseline import Baseline, State
from metaeval.verification.golden import (
    HUGE,
    HUGE_FROM,
    LARGE,
    LARGE_FROM,
    SIDES,
    Golden,
    NoAnswer,
    golden_scores,
    panel_scores,
)


def shared(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> Fraction:
    return metaeval.score("rnia", candidate, gold, exact=True)


def as_mine(function: Callable[..., Any], **options: Any) -> Measure:
    return make_measure(function, id="mine", **options)


MINE = as_mine(shared)


def baseline_of(measure: Measure, effort: int = HUGE_FROM) -> Baseline:
    results = metaeval.check(
        measure, ["A.1", "B.1"], ["canonical"], examples=0, exhaustive=3, jobs=1, effort=effort
    )  # fmt: skip
    return baseline.make(measure, results)


@pytest.fixture(scope="module")
def stored() -> Baseline:
    return baseline_of(MINE)


@pytest.fixture
def data(stored: Baseline) -> dict[str, Any]:
    return copy.deepcopy(json.loads(json.dumps(stored.to_json())))


def test_a_baseline_comes_back_as_it_was(stored: Baseline, tmp_path: Path) -> None:
    path = tmp_path / "mine.metaeval.json"
    stored.save(path)
    again = Baseline.load(path)
    assert again == stored
    assert again.to_json() == json.loads(path.read_text())
    assert list(again.to_json()) == ["schema", "provenance", "measure", "cells", "golden", "tolerance"]


def test_a_baseline_says_what_was_found(stored: Baseline) -> None:
    assert (stored.id, stored.best, stored.tolerance) == ("mine", 1.0, TOLERANCE)
    assert {cell.condition: cell.verdict for cell in stored.cells} == {
        "A.1": Verdict.VIOLATED,
        "B.1": Verdict.HOLDS,
    }
    assert {cell.seconds for cell in stored.cells} == {0.0}
    assert [cell.key for cell in stored.results] == [cell.key for cell in stored.cells]
    assert [golden.side for golden in stored.golden] == [*SIDES, *LARGE, *HUGE]
    assert len(SIDES) == 25


def test_the_panel_has_every_kind_of_side() -> None:
    def covered(part: metaeval.Biclustering) -> list[tuple[int, int]]:
        return [(row, col) for rows, cols in part for row in rows for col in cols]

    kinds = {"disjoint": 0, "overlapping": 0, "repeated": 0, "empty": 0}
    for side in SIDES:
        repeated = any(len(set(part)) < len(part) for part in side)
        overlapping = any(len(set(covered(part))) < len(covered(part)) for part in side)
        empty = not all(side)
        kinds["repeated" if repeated else "overlapping" if overlapping else "empty" if empty else "disjoint"] += 1
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
    assert [one.to_json().get("undefined") for one in golden].count(True) == 2
    for one in golden:
        assert Golden.from_json(json.loads(json.dumps(one.to_json()))) == one


# --- large pairs


def test_the_large_pairs_go_beyond_what_implementations_may_have_room_for() -> None:
    families = [family for side in LARGE for family in side]
    sizes = {len(rows) for family in families for rows, _ in family}
    assert {127, 128, 129, 255, 256} <= sizes
    assert min(max(side.gold.shape) for side in LARGE) > 64
    assert max(family.shape[0] for family in families) > 256
    assert max(family.shape[1] for family in families) > 64
    assert max(map(len, families)) > 128
    assert any(len(side.candidate) > 10 * len(side.gold) for side in LARGE)
    assert any(10 * len(side.candidate) < len(side.gold) for side in LARGE)
    assert any(
        sum(len(r) * len(c) for r, c in f) > len({(x, y) for r, c in f for x in r for y in c}) for f in families
    )
    assert not set(LARGE) & set(SIDES)


def test_a_counter_that_wraps_is_seen_on_large_pairs_alone(stored: Baseline) -> None:
    def wrapping(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> Fraction:
        covered = {(row, col) for rows, cols in gold for row in rows for col in cols}
        return shared(candidate, gold) if len(covered) < 256 else Fraction(len(covered) % 256, 256)

    changed = baseline.changed_scores(stored, as_mine(wrapping))
    assert changed
    assert all(one.was.side in (*LARGE, *HUGE) for one in changed)


def test_a_slow_measure_gets_no_large_pairs_and_its_baseline_says_so(tmp_path: Path) -> None:
    made = baseline_of(MINE, effort=LARGE_FROM - 1)
    assert [golden.side for golden in made.golden] == list(SIDES)
    assert made.left_out == len(LARGE) + len(HUGE)
    assert made.measure.effort == LARGE_FROM - 1
    made.save(tmp_path / "slow.json")
    again = Baseline.load(tmp_path / "slow.json")
    assert again == made
    assert json.loads((tmp_path / "slow.json").read_text())["left_out"] == len(LARGE) + len(HUGE)
    assert baseline.changed_scores(again, MINE) == []  # what is stored is compared, and nothing else


def test_a_measure_that_hangs_on_large_pairs_is_asked_for_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def hanging(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> Fraction:
        while max(gold.shape) > 100:
            pass
        return shared(candidate, gold)

    monkeypatch.setattr("metaeval.verification.golden.LONGEST", 0.2)
    panel = panel_scores(as_mine(hanging))
    assert [golden.side for golden in panel.golden] == list(SIDES)
    left_out = len(LARGE) + len(HUGE)
    assert (panel.left_out, panel.why) == (left_out, "mine gave no answer within 0.2 s")


def test_the_huge_pairs_have_products_of_numbers_of_pairs_that_64_bits_do_not_hold() -> None:
    for side in HUGE:
        together = [sum(len(rows) * (len(rows) - 1) for rows, _ in family) for family in side]
        apart = [family.shape[0] * (family.shape[0] - 1) - n for family, n in zip(side, together, strict=True)]
        assert sum(n * m for n, m in zip(together, apart, strict=True)) > 2**63 - 1


def test_huge_pairs_take_little_room_in_a_file(stored: Baseline, tmp_path: Path) -> None:
    stored.save(tmp_path / "mine.json")
    written = json.loads((tmp_path / "mine.json").read_text())["golden"][-len(HUGE) :]
    assert [one["gold"] for one in written] == [{"runs": [34_999, 35_001]}]
    assert [Golden.from_json(one).side for one in written] == [*HUGE]


@pytest.mark.parametrize("runs", [None, 5, "5", [], [0, 5], [-1], [2.5], [True], [10**12]])
def test_runs_that_are_no_sizes_are_refused(runs: Any) -> None:
    rolled = {"candidate": {"runs": runs}, "gold": {"runs": [5]}, "score": {"float": 1.0, "exact": None}}
    with pytest.raises(metaeval.InputError, match='"runs" of a golden score is'):
        Golden.from_json(rolled)


def test_a_measure_without_room_for_huge_pairs_keeps_the_large_ones() -> None:
    def square(candidate: metaeval.Biclustering, gold: metaeval.Biclustering) -> Fraction:
        np.ones((gold.shape[0], gold.shape[0]))
        return shared(candidate, gold)

    panel = panel_scores(as_mine(square))
    assert [golden.side for golden in panel.golden] == [*SIDES, *LARGE]
    assert (panel.left_out, panel.why) == (len(HUGE), "mine fails on 70,000 objects")


def test_a_baseline_from_before_large_pairs_is_compared_as_it_is(data: dict[str, Any]) -> None:
    del data["golden"][len(SIDES) :]
    old = Baseline.from_json(data)
    assert old.left_out == 0
    assert baseline.changed_scores(old, MINE) == []
    assert len(baseline.changed_scores(old, as_mine(lambda c, g: shared(c, g) + 1))) == len(SIDES)


def test_sets_of_a_saved_baseline_are_a_line_each(stored: Baseline, tmp_path: Path) -> None:
    stored.save(tmp_path / "mine.json")
    text = (tmp_path / "mine.json").read_text()
    assert not any(line.strip(" ,").isdigit() for line in text.splitlines())
    assert json.loads(text) == stored.to_json()


def test_a_dissimilarity_keeps_its_own_best() -> None:
    measure = as_mine(lambda c, g: 7 - shared(c, g), best=6, smaller_is_better=True)
    again = Baseline.from_json(json.loads(json.dumps(baseline_of(measure).to_json())))
    assert again.best == 6.0
    assert again.measure.best == -6.0


# --- the measure as it is now


def test_an_unchanged_measure(stored: Baseline) -> None:
    assert [one.state for one in baseline.recheck(stored, MINE)] == [State.HOLDS]
    assert baseline.changed_scores(stored, MINE) == []


def test_a_better_measure_is_fixed(stored: Baseline) -> None:
    better = as_mine(metaeval.measures()["mocice"].function)
    (one,) = baseline.recheck(stored, better)
    assert (one.condition, one.reading, one.state) == ("A.1", "canonical", State.FIXED)
    assert "no longer breaks it" in one.sentence
    assert baseline.changed_scores(stored, better)


def test_a_measure_that_fails_on_the_counterexample(stored: Baseline) -> None:
    (one,) = baseline.recheck(stored, as_mine(lambda c, g: 1 / 0))
    assert one.state is State.BROKEN
    assert "it raised ZeroDivisionError" in one.sentence
    failing = baseline.changed_scores(stored, as_mine(lambda c, g: 1 / 0))[0]
    assert (str(failing), failing.amount) == ("golden-01: expected 1 (1), got an error", "–")


def test_a_measure_that_scores_the_counterexample_otherwise(stored: Baseline) -> None:
    (one,) = baseline.recheck(stored, as_mine(lambda c, g: shared(c, g) / 2))
    assert one.state is State.BROKEN
    assert "scored 1 (1) and 1 (1), and now 1/2 (0.5) and 1/2 (0.5)" in one.sentence


def test_exactness_lost_is_a_change(stored: Baseline) -> None:
    inexact = as_mine(lambda c, g: float(shared(c, g)))
    assert len(baseline.changed_scores(stored, inexact)) == len(stored.golden)
    first = baseline.changed_scores(stored, inexact)[0]
    assert (str(first), first.amount) == ("golden-01: expected 1 (1), got 1.0", "no longer exact")
    assert [one.state for one in baseline.recheck(stored, inexact)] == [State.BROKEN]


def test_differences_are_signed(stored: Baseline) -> None:
    half = baseline.changed_scores(stored, as_mine(lambda c, g: shared(c, g) / 2))
    assert (half[0].pair, half[0].amount) == (1, "-1/2")
    double = baseline.changed_scores(
        baseline_of(as_mine(lambda c, g: float(shared(c, g)))), as_mine(lambda c, g: 1.5)
    )
    assert double[0].amount == "+0.5"
    assert half[0].to_json() == {"pair": 1, "expected": stored.golden[0].to_json(), "got": half[0].now.to_json()}


def test_floats_may_differ_within_the_stated_tolerance(data: dict[str, Any]) -> None:
    def moved(by: float) -> Measure:
        return as_mine(lambda c, g: float(shared(c, g)) - by)

    was = baseline_of(moved(0))
    assert baseline.changed_scores(was, moved(1e-12)) == []
    assert len(baseline.changed_scores(was, moved(1e-6))) == len(was.golden)
    assert [one.state for one in baseline.recheck(was, moved(1e-6))] == [State.BROKEN]
    lenient = Baseline.from_json(json.loads(json.dumps({**was.to_json(), "tolerance": 1e-3})))
    assert baseline.changed_scores(lenient, moved(1e-6)) == []
    assert [one.state for one in baseline.recheck(lenient, moved(1e-6))] == [State.HOLDS]
    assert len(baseline.changed_scores(lenient, moved(0.1))) == len(lenient.golden)


def test_a_certificate_of_another_case_does_not_hold(data: dict[str, Any]) -> None:
    certificate = data["cells"][0]["certificate"]
    certificate["left"] = certificate["right"]  # no instance of A.1
    (one,) = baseline.recheck(Baseline.from_json(data), MINE)
    assert one.state is State.BROKEN
    assert "no instance of A.1" in one.sentence


def test_a_measure_that_hangs_or_dies_is_named(stored: Baseline) -> None:
    with pytest.raises(NoAnswer, match=r"mine gave no answer within 0\.1 s"):
        baseline.changed_scores(stored, as_mine(lambda c, g: time.sleep(9)), budget=0.1)
    with pytest.raises(NoAnswer, match="mine lost its process, which ended with exit code 3"):
        baseline.recheck(stored, as_mine(lambda c, g: os._exit(3)))


# --- bad files


def put(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """A change of the file at a path such as ``cells.0.cases``; ``...`` takes the key out."""

    def change(data: dict[str, Any]) -> None:
        *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
        inner: Any = data
        for key in way:
            inner = inner[key]
        if value is ...:
            del inner[last]
        else:
            inner[last] = value

    return change


BAD: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "another schema": (put("schema", "metaeval.results/1"), "the schema of the baseline is 'metaeval.results/1'"),
    "no cells": (put("cells", ...), 'the baseline has no "cells"'),
    "cells no list": (put("cells", {}), '"cells" of the baseline must be a list'),
    "no tolerance": (put("tolerance", ...), 'the baseline has no "tolerance"'),
    "odd key": (put("extra", 1), "unknown key 'extra'"),
    "negative tolerance": (put("tolerance", -1), '"tolerance" of the baseline must be a number from 0 up, not -1'),
    "tolerance true": (put("tolerance", True), '"tolerance" of the baseline must be a number, not True'),
    "tolerance nan": (
        put("tolerance", math.nan),
        '"tolerance" of the baseline must be a number from 0 up, not nan',
    ),
    "id no text": (put("measure.id", 3), '"id" of its measure must be a string, not 3'),
    "best no number": (put("measure.best", "1"), "\"best\" of the measure mine must be a number or null, not '1'"),
    "no direction": (
        put("measure.smaller_is_better", None),
        '"smaller_is_better" of its measure must be true or false, not None',
    ),
    "unknown domain": (put("measure.domain", "all"), "\"domain\" of its measure is 'all'"),
    "no seed": (put("provenance.seed", ...), 'its provenance has no "seed"'),
    "examples no number": (
        put("provenance.examples", "many"),
        "whole number, not 'many'",
    ),
    "negative exhaustive": (
        put("provenance.exhaustive", -1),
        '"exhaustive" of its provenance must be',
    ),
    "cell no object": (put("cells.0", 3), "cell 1 must be a JSON object, not 3"),
    "unknown verdict": (put("cells.0.verdict", "maybe"), "'maybe'"),
    "another measure's cell": (put("cells.1.measure", "other"), "is about 'other', not 'mine'"),
    "unknown condition": (put("cells.1.condition", "A.9"), "no condition 'A.9'"),
    "unknown reading": (put("cells.1.reading", "loose"), "no reading 'loose'"),
    "cell twice": (lambda data: data["cells"].append(data["cells"][1]), "a cell occurs twice"),
    "cases no number": (
        put("cells.1.cases", "many"),
        "\"cases\" of cell 2 (mine B.1 canonical) must be a whole number, not 'many'",
    ),
    "exhaustive no object": (
        put("cells.1.exhaustive", 3),
        '"exhaustive" of cell 2 (mine B.1 canonical) must be a JSON object or null, not 3',
    ),
    "exhaustive without cases": (
        put("cells.1.exhaustive.cases", ...),
        '"exhaustive" of cell 2 (mine B.1 canonical) has no "cases"',
    ),
    "no certificate": (put("cells.0.certificate", None), "if, and only if, it is violated"),
    "certificate no object": (
        put("cells.0.certificate", [1]),
        "the certificate of cell 1 (mine A.1 canonical) must be a JSON object, not [1]",
    ),
    "certificate of another cell": (put("cells.0.certificate.condition", "A.2"), "of the condition 'A.2'"),
    "certificate without case": (
        put("cells.0.certificate.left", ...),
        'must be a JSON object with "left" and "right"',
    ),
    "certificate without scores": (
        put("cells.0.certificate.scores", {}),
        '"scores" of the certificate of cell 1 (mine A.1 canonical) has no "optimum"',
    ),
    "certificate without size": (
        put("cells.0.certificate.minimal", {}),
        '"minimal" of the certificate of cell 1 (mine A.1 canonical) has no "objects"',
    ),
    "golden no object": (put("golden.0", 1), "a golden score must be an object"),
    "golden without gold": (put("golden.0.gold", ...), "a golden score must be an object"),
    "golden without score": (put("golden.0.score", ...), 'must hold "score"'),
    "golden of nothing": (put("golden.0.gold", 7), "gold: a biclustering is a JSON object"),
    "score no object": (put("golden.0.score", 0.5), "a golden score must be a JSON object, not 0.5"),
    "score no fraction": (put("golden.0.score.exact", "1/0"), "divides by zero; expected a fraction, not '1/0'"),
    "left out a text": (
        put("left_out", "some"),
        "\"left_out\" of the baseline must be a whole number, not 'some'",
    ),
    "left out too few": (
        put("left_out", -1),
        '"left_out" of the baseline must be a whole number from 0 up, not -1',
    ),
    "score no number": (
        put("golden.0.score", {"float": "x", "exact": None}),
        '"float" of a golden score must be a number',
    ),
}


@pytest.mark.parametrize("wrong", BAD)
def test_a_bad_file_costs_one_sentence(wrong: str, data: dict[str, Any], tmp_path: Path) -> None:
    change, part = BAD[wrong]
    change(data)
    with pytest.raises(InputError) as caught:
        Baseline.from_json(data)
    assert part in str(caught.value)
    if wrong != "tolerance nan":
        path = tmp_path / "bad.json"
        path.write_text(json.dumps(data))
        with pytest.raises(InputError, match=r"bad\.json is no baseline: ") as caught:
            Baseline.load(path)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("other", [None, [], 3, "text"])
def test_what_is_no_object_is_no_baseline(other: Any) -> None:
    with pytest.raises(InputError, match="the baseline must be a JSON object"):
        Baseline.from_json(other)
