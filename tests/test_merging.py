"""Several results files as one, the ranking by what matters, and the sentence on a scored case."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import results_samples as samples
from test_cli import Outcome, assert_one_sentence, run_inside

from metaeval.core.errors import InputError
from metaeval.core.relation import EQUAL, NOT_OPTIMAL, PERFECT_MATCH, WORSE, Bounds, Relation
from metaeval.display.counterexample import in_a_sentence
from metaeval.records.described import DescribedCondition
from metaeval.records.results import Results, merged
from metaeval.records.score import Score
from metaeval.reports.page_data import linked, linked_parts


def only(data: dict[str, Any], keep: Callable[[dict[str, Any]], bool]) -> Results:
    """The results with some of their cells, and with the measures that these are of."""
    cells = [cell for cell in data["cells"] if keep(cell)]
    named = {cell["measure"] for cell in cells}
    measures = {id: entry for id, entry in data["measures"].items() if id in named}
    return Results.from_json({**data, "cells": cells, "measures": measures})


def test_results_cut_in_two_are_whole_again() -> None:
    whole = samples.paper_sized()
    by_measure = only(whole, lambda cell: cell["measure"] < "m"), only(whole, lambda cell: cell["measure"] >= "m")
    by_family = (only(whole, lambda cell: cell["condition"] < "B"), only(whole, lambda cell: cell["condition"] >= "B"))
    # What two runs do not share is told of both.
    other = {**whole, "provenance": {**whole["provenance"], "seed": 7}}
    parts = {"a": by_measure[0], "b": only(other, lambda cell: cell["measure"] >= "m")}
    assert merged(parts).provenance["seed"] == [0, 7]
    for parts in (by_measure, by_family):
        found = merged(dict(zip("ab", parts, strict=True)))
        assert {cell.key: cell for cell in found} == {cell.key: cell for cell in Results.from_json(whole)}
        assert found.provenance == whole["provenance"]
        assert set(found.measures) == set(whole["measures"])


def test_an_older_file_without_an_example_takes_the_other_s() -> None:
    newer = samples.with_passes()
    assert [cell.to_json() for cell in Results.from_json(newer)] == newer["cells"]
    older = samples.frame(("ce",), ("A.3",))
    older["cells"] = [samples.cell("ce", "A.3", "canonical")]
    for order in ((older, newer), (newer, older)):
        found = merged({name: Results.from_json(data) for name, data in zip("ab", order, strict=True)})
        assert found.conditions["A.3"].example is not None
        assert found.conditions["A.3"].step == "after the move"


@pytest.mark.parametrize(("change", "message"), [
    (lambda other: None, "a and b both answer mocice A.1 canonical; expected every cell in one file"),
    (lambda other: other["conditions"]["A.1"].update(statement="x"), "a and b describe the condition A.1 diff"),
    (lambda other: other["measures"]["ce"].update(best=0.0), "a and b describe the measure ce differently"),
], ids=["a cell twice", "another condition", "another measure"])  # fmt: skip
def test_contradictions_are_refused(change: Callable[[dict[str, Any]], None], message: str) -> None:
    other = samples.no_violations()
    change(other)
    with pytest.raises(InputError, match=message):
        merged({"a": Results.from_json(samples.no_violations()), "b": Results.from_json(other)})


# --- The ranking on the command line
def listed(tmp_path: Path, *words: str) -> Outcome:
    (tmp_path / "r.json").write_text(json.dumps(samples.paper_sized()))
    chosen = words if words[0] == "report" else ("list", "measures", *words)
    return run_inside(*(word.replace("FILE", str(tmp_path / "r.json")) for word in chosen))


def test_the_measures_are_ranked_by_what_is_asked(tmp_path: Path) -> None:
    done = listed(tmp_path, "--satisfying", "A.1,a.3,B.1", "--reading", "canonical", "--results", "FILE")
    assert done.code == 0
    rows = {line.split()[0]: re.split(" {2,}", line)[1:] for line in done.out.splitlines()[2:]}
    broken: dict[str, list[str]] = {id: [] for id in samples.PAPER_MEASURES}
    for cell in samples.paper_sized()["cells"]:
        asked = cell["reading"] == "canonical" and cell["condition"] in ("A.1", "A.3", "B.1")
        if asked and cell["verdict"] == "violated":
            broken[cell["measure"]].append(cell["condition"])
    assert rows == {id: [f"{3 - len(ids)}/3", ", ".join(ids) or "nothing", "nothing"] for id, ids in broken.items()}
    amounts = [len(broken[id]) for id in rows]
    assert amounts == sorted(amounts)
    assert len(set(amounts)) > 1


def test_several_readings_are_named(tmp_path: Path) -> None:
    done = listed(tmp_path, "--satisfying", "B.1", "--reading", "canonical,literal", "--results", "FILE")
    (line,) = (line for line in done.out.splitlines() if line.startswith("mocice "))
    assert line.split() == ["mocice", "1/2", "B.1", "literal", "nothing"]


def test_what_was_not_tested_is_no_violation_and_ranks_last(tmp_path: Path) -> None:
    """Untested: one cell of ce, which comes first all the same; every cell of rnia; those of e4sc, for lack of time."""
    data = samples.paper_sized()
    verdicts: dict[str, dict[str, str]] = {
        "rnia": {}, "e4sc": dict.fromkeys(("A.1", "A.3"), "timeout"), "rand": dict.fromkeys(("A.1", "A.3"), "error"),
        "ce": {"A.1": "holds"},
    }  # fmt: skip
    plain = {"certificate": None, "violations": None, "claim": None}
    data["cells"] = [
        {**cell, **plain, "verdict": verdicts[cell["measure"]][cell["condition"]]}
        for cell in data["cells"]
        if cell["condition"] in verdicts.get(cell["measure"], ()) and cell["reading"] == "canonical"
    ]
    data["measures"] = {id: data["measures"][id] for id in verdicts}
    (tmp_path / "some.json").write_text(json.dumps(data))
    done = run_inside("list", "measures", "--satisfying", "A.1,A.3", "--results", str(tmp_path / "some.json"))
    assert [re.split(" {2,}", line.strip()) for line in done.out.splitlines()[2:]] == [
        ["ce", "1/2", "nothing", "A.3"], ["rand", "0/2", "A.1 (error), A.3 (error)", "nothing"],
        ["rnia", "0/2", "nothing", "A.1, A.3"], ["e4sc", "0/2", "nothing", "A.1 (timeout), A.3 (timeout)"],
    ], done  # fmt: skip


@pytest.mark.parametrize(("words", "message"), [
    (["--satisfying", "A.1"], "--results is missing"),
    (["--results", "FILE"], "--satisfying is missing"),
    (["--satisfying", "A.9", "--results", "FILE"], "--satisfying names 'A.9'; the results have A.1, A.2"),
    (["--satisfying", "B.2", "--reading", "literal", "--results", "FILE"], "--reading names 'literal'"),
    (["--satisfying", "A.1", "--results", "nowhere.json"], "nowhere.json"),
    *(
        (["report", "FILE", "--date", date], f"--date is {date!r}; expected a day such as 2026-01-31")
        for date in ("yesterday", "2026-02-31", "20260131--")
    ),
])  # fmt: skip
def test_a_bad_question_costs_one_sentence(tmp_path: Path, words: list[str], message: str) -> None:
    assert_one_sentence(listed(tmp_path, *words), message)


# --- The sentence
@pytest.mark.parametrize(("relation", "left", "right", "sentence"), [
    (WORSE, 0.5, 0.4997, "After the move, the score should rise; it fell by 0.0003."),
    (WORSE, 0.5, 0.5 + 1e-12, "After the move, the score should rise; it stayed the same."),
    (WORSE, 0.5, 0.75, "After the move, the score should rise; it rose by 0.25."),
    (EQUAL, 0.5, 0.75, "After the move, the score should stay the same; it rose by 0.25."),
    (EQUAL, 0.5, 0.5, "After the move, the score should stay the same; it does."),
    (NOT_OPTIMAL, 1.0, 1.0, "This candidate should stay below the best score, 1; it scores 1."),
    (PERFECT_MATCH, 1.0, 1.0,
     "Only the gold standard itself should reach the best score, 1; this other candidate does, too."),
    (PERFECT_MATCH, 0.2, 0.5, "Only the gold standard itself should reach the best score, 1; it scores 0.5."),
    (PERFECT_MATCH, 0.2, float("nan"),
     "Only the gold standard itself should reach the best score, 1; it has no score."),
    (WORSE, float("nan"), 0.5, "Both scores should be numbers; one is not."),
])  # fmt: skip
def test_a_scored_case_in_one_sentence(relation: Relation, left: float, right: float, sentence: str) -> None:
    condition = DescribedCondition("x", relation=relation.name, demand=relation.demand, step="after the move")
    assert in_a_sentence(condition, [Score(left), Score(right)], Bounds(best=1.0)) == sentence


# --- Links
@pytest.mark.parametrize(("text", "addresses"), [
    ("Rand 1971, doi:10.1080/01621459.1971.10482356", ["https://doi.org/10.1080/01621459.1971.10482356"]),
    ("x, doi:10.1007/978-3-642-41822-8_20; arXiv:1512.00228, section 2",
     ["https://doi.org/10.1007/978-3-642-41822-8_20", "https://arxiv.org/abs/1512.00228"]),
    ("no source, doi:11.1/x, javascript:alert(1), arXiv:x", []),
])  # fmt: skip
def test_sources_are_links(text: str, addresses: list[str]) -> None:
    assert [piece.href for piece in linked_parts(text) if piece.href] == addresses
    assert "".join(piece.text for piece in linked_parts(text)) == text
    markup = str(linked(text + ' doi:10.1000/a"onclick="x <b>'))
    assert not {'onclick="', "<b>"} & set(re.findall(r'onclick="|<b>', markup))
