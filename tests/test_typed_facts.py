"""Facts are fields, not sentences that are parsed: each test shows a mistake that a sentence led to."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from tools import as_json, assert_one_sentence, run_inside

import metaeval
from metaeval import Cell, InputError, Undefined
from metaeval.catalogue.condition import conditions
from metaeval.cli.commands.check_output import Showing, conclusion
from metaeval.core.relation import NOT_OPTIMAL, PERFECT_MATCH, RELATIONS, Bounds, relation_of
from metaeval.core.settings import BUDGET
from metaeval.core.verdict import Verdict
from metaeval.display.counterexample import in_a_sentence
from metaeval.records.described import DescribedCondition
from metaeval.records.results import Results
from metaeval.records.score import Score
from metaeval.verification.outcome import CheckProblem, Outcome, judge

BEST = Bounds(best=1.0)


# --- relations
def test_a_relation_survives_new_words_for_its_demand() -> None:
    """The words of the demand told namesakes apart, so that other words meant another relation."""
    reworded = structs.replace(
        DescribedCondition.of(conditions()["A.5"]), demand="only the right may reach the optimum"
    )
    stored = DescribedCondition.from_json("A.5", as_json(reworded))
    assert stored.known_relation is PERFECT_MATCH
    assert "Only the gold standard" in in_a_sentence(stored, [Score(1.0), Score(1.0)], BEST)
    # An older file without a key is read by its demand.
    data = DescribedCondition.of(conditions()["A.5"]).to_json()
    del data["relation_key"]
    assert DescribedCondition.from_json("A.5", data).known_relation is PERFECT_MATCH
    assert DescribedCondition.from_json("B.5", data | {"demand": "?"}).known_relation is NOT_OPTIMAL


def test_a_relation_without_a_sentence_does_not_get_that_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every relation that had no sentence got the one of not-optimal."""
    fresh = replace(NOT_OPTIMAL, name="far-below")
    monkeypatch.setattr("metaeval.core.relation.RELATIONS", (*RELATIONS, fresh))
    assert relation_of("far-below") is fresh
    with pytest.raises(InputError, match="no sentence says what the relation 'far-below' demands"):
        in_a_sentence(DescribedCondition("x", relation="far-below"), [Score(0.1), Score(0.2)], BEST)


def test_a_file_with_an_unknown_relation_costs_one_sentence(tmp_path: Path) -> None:
    data = json.loads(Path("docs/results.json").read_text(encoding="utf-8"))
    data["conditions"]["A.1"] |= {"relation": "far-below"}
    (tmp_path / "r.json").write_text(json.dumps(data), encoding="utf-8")
    outcome = run_inside("report", str(tmp_path / "r.json"), "--format", "html")
    assert_one_sentence(outcome, "no relation is called 'far-below'; known are worse, equal")


# --- settings, captions
@pytest.mark.parametrize(("provenance", "options"), [
    ({"examples": 200, "seed": 0, "exhaustive": None}, ()),
    ({"examples": 20, "seed": 7}, ("--examples", "20", "--seed", "7")),
    # The number had to look like an integer, and to differ from the words of the default.
    ({"budget": 2.5}, ("--budget", "2.5")),
    ({"budget": BUDGET}, ()),
    # Several runs as one have lists: no option repeats them all.
    ({"examples": [20, 200], "seed": "7"}, ()),
])  # fmt: skip
def test_the_options_that_repeat_a_run(provenance: dict[str, object], options: tuple[str, ...]) -> None:
    assert Results(provenance).search_words("ce") == [*options]


def test_captions_are_those_of_the_relation_and_namesakes_have_different_keys() -> None:
    alone = {relation.name for relation in RELATIONS if relation.captions[0] == "Candidate"}
    assert alone == {"not-optimal", "optimal"}
    assert len({(relation.name, relation.key) for relation in RELATIONS}) == len(RELATIONS)


# --- problems
def test_only_plain_violations_are_told_together() -> None:
    """A problem that read like a violation of a cell was counted as one."""
    cells = [Cell("ce", "A.1", reading, Verdict.VIOLATED) for reading in ("canonical", "literal", "overlapping")]
    outcome = Outcome(Results({}), None)
    outcome.problems = [CheckProblem(f"A.1/{cell.reading}: violated", cell) for cell in cells[:2]]
    outcome.problems.append(CheckProblem("A.1/overlapping: violated"))
    lines = conclusion(outcome, Showing("ce")).splitlines()
    assert lines[-2:] == ["  FAIL  A.1/overlapping: violated", "  FAIL  violated: A.1/canonical, A.1/literal"]


@pytest.mark.parametrize(("best", "hinted"), [(2.0, True), (1.0, False)])
def test_the_hint_on_the_best_score_follows_the_kind_of_the_fault(best: float, hinted: bool) -> None:
    measure = metaeval.measure("typed-facts", best=best)(lambda candidate, gold: 1.0 if candidate == gold else 0.0)
    from metaeval.catalogue.measure import MEASURES

    MEASURES.remove("typed-facts")
    results = metaeval.check(measure, conditions=["A.1"], readings=["canonical"], examples=0, exhaustive=3, effort=0)
    notes = judge(measure, results, frozenset()).notes
    assert any("--smaller-is-better" in note for note in notes) == hinted


# --- names of objects
OWN = """
import metaeval
def counts(candidate, gold):
    raise metaeval.Undefined("object 1 of 2 is missing")
def names(candidate, gold):
    raise metaeval.Undefined("object 1 is missing", object=1)
"""


def test_a_number_is_a_name_only_where_the_measure_says_so(tmp_path: Path) -> None:
    """Every number after the word "object" was taken for that object's place, and replaced by its name."""
    (tmp_path / "m.py").write_text(OWN)
    for name in ("gold", "found"):
        (tmp_path / f"{name}.csv").write_text("object,label\nann,0\nbob,1\n")
    files = ["--gold", str(tmp_path / "gold.csv"), "--candidate", str(tmp_path / "found.csv"), "--json"]
    errors = {}
    for function in ("counts", "names"):
        done = run_inside("score", *files, "--measure", f"{tmp_path / 'm.py'}:{function}")
        errors[function] = json.loads(done.out)[function]["error"]
    assert errors == {"counts": "undefined: object 1 of 2 is missing", "names": "undefined: object bob is missing"}
    assert (str(Undefined("object 3 is missing", object=3)), Undefined("why").object) == ("object 3 is missing", None)


# --- options that click checks
@pytest.mark.parametrize("words", [
    ["paper", "--examples", "-1"], ["paper", "--jobs", "0"], ["check", "ce", "--effort", "5"],
    ["check", "ce", "--budget", "0"], ["verify", "docs/results.json", "--budget", "nan"],
    ["classify", "docs/results.json", "--budget", "inf"],
])  # fmt: skip
def test_a_number_out_of_range_costs_one_sentence(words: list[str]) -> None:
    assert_one_sentence(run_inside(*words), words[-2])
