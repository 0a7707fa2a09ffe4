"""Files changed at random: whatever a file holds, a command answers, and never with a traceback."""

import copy
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import thorough
from tools import assert_one_sentence, run_inside

import metaeval
from metaeval.records.certificate import case_to_json
from metaeval.records.results import Results
from metaeval.verification.baseline import make
from metaeval.verification.golden import panel_scores

#: What may stand anywhere in JSON, from the plausible to the absurd.
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(
        [None, True, False, 0, 1, -1, 2, 10**12, 10**39, -(10**39), 0.5, -0.0, 1e308, "", "nan", "x", [], {}, [[]]]
    ),
    st.sampled_from(["1e999999999", "1/0", "-1/2", "1" * 5000, "metaeval.results/1", "holds", "violated", "A.1"]),
    st.sampled_from(["\x1b[2J", "\ud800", "\u202e", "a\nb", "x" * 20_000, "0" * 300, "canonical", "ce", "rnia"]),
    st.lists(st.integers(-1, 5), max_size=4),
    st.fixed_dictionaries({"rows": st.just([0]), "cols": st.just([0])}),
)


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """The places of all values in parsed JSON: what holds each, and under which key."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield data, key
        yield from places(value)


@st.composite
def changed(draw: st.DrawFn, original: Any) -> Any:
    """A few values taken out, put in, exchanged or doubled."""
    data = copy.deepcopy(original)
    for _ in range(draw(st.integers(1, 3))):
        known = list(places(data))
        holder, key = known[draw(st.integers(0, len(known) - 1))]
        kind = draw(st.sampled_from(["put", "put", "drop", "copy", "double", "rename"]))
        if kind == "put":
            holder[key] = draw(VALUES)
        elif kind == "drop":
            del holder[key]
        elif kind == "copy":
            other, at = known[draw(st.integers(0, len(known) - 1))]
            holder[key] = copy.deepcopy(other[at])
        elif kind == "double" and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        elif kind == "rename" and isinstance(holder, dict):
            holder[str(draw(VALUES))[:30_000]] = holder.pop(key)
    return data


@pytest.fixture(scope="module")
def results() -> Results:
    return metaeval.run(["ce", "rnia"], ["A.1", "B.4"], examples=3, exhaustive=3, jobs=1, effort=0)


@pytest.fixture(scope="module")
def originals(results: Results) -> dict[str, Any]:
    """Files of every kind as parsed JSON, made once. Of the large pairs the baseline has one, as runs."""
    certificates = [cell.certificate for cell in results if cell.certificate is not None]
    own = [cell.to_json() for cell in results][:7]
    ce = metaeval.measures()["ce"]
    one = Results.from_json({**results.to_json(), "cells": own})
    baseline = make(ce, one, panel=panel_scores(ce, effort=0)).to_json()
    baseline["golden"].append(
        {"candidate": {"runs": [3, 2]}, "gold": {"runs": [5]}, "score": {"float": 1.0, "exact": None}}
    )
    return {
        "results": results.to_json(), "certificate": [one.to_json() for one in certificates], "baseline": baseline,
        "pair": [case_to_json(one.case) for one in certificates],
    }  # fmt: skip


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzzed") / "file.json"


FUZZED = settings(thorough, suppress_health_check=list(HealthCheck))


def answers(file: Path, data: Any, *command: str) -> None:
    """The command ends as commands do: done, not held, or one sentence on bad input."""
    file.write_text(json.dumps(data))
    outcome = run_inside(*command)  # a traceback is an exception here
    assert outcome.code in (0, 1, 2), outcome
    assert "Traceback" not in outcome.err
    # A pair may get a hint, where left and right are exchanged.
    assert len(outcome.err.splitlines()) == (outcome.code == 2) or command[0] == "classify"
    assert len(outcome.err.splitlines()) <= 1
    assert "\x1b" not in outcome.err + outcome.out


CELL = ["--measure", "rnia", "--condition", "A.1", "--reading", "canonical", "--examples", "3", "--exhaustive", "3"]
#: What is changed, the command that is given FILE, beside an unchanged OTHER, and how many examples are drawn.
COMMANDS = [
    # What holds a proof takes long to check.
    ("results", ["verify", "FILE", "--budget", "5"], 15),
    ("baseline", ["verify", "FILE", "--budget", "5"], 15),
    ("certificate", ["verify", "FILE", "--budget", "5"], 50),
    ("pair", ["classify", "FILE", "--budget", "1"], 50),
    ("results", ["diff", "OTHER", "FILE"], 50),
    # A run of cells that are there already: nothing is searched, unless they were taken out.
    ("results", ["run", *CELL, "--jobs", "1", "--quiet", "--out", "FILE", "--resume"], 50),
    *(
        ("results", ["report", "FILE", "--format", format], 20)
        for format in ("text", "html", "latex", "csv", "markdown")
    ),
    *(
        pytest.param(kind, ["verify", "FILE", "--budget", "5"], 100, marks=pytest.mark.long)
        for kind in ("results", "baseline")
    ),
]


@pytest.mark.parametrize(("kind", "command", "examples"), COMMANDS)
def test_a_command_answers_whatever_file_it_is_given(kind, command, examples, originals, file):
    other = file.parent / "other.json"
    other.write_text(json.dumps(originals["results"]))
    args = [{"FILE": str(file), "OTHER": str(other)}.get(word, word) for word in command]

    @given(data=st.data())
    @settings(FUZZED, max_examples=examples)
    def fuzz(data: st.DataObject) -> None:
        known = originals[kind]
        original = data.draw(st.sampled_from(known)) if isinstance(known, list) else known
        answers(file, data.draw(changed(original)), *args)

    fuzz()
    assert not list(file.parent.glob(".metaeval-*"))


@pytest.mark.parametrize(("text", "part"), [
    ("[" * 100_000, "nested too deeply"), ("[" * 900 + "]" * 900, "neither results nor a certificate"),
    ('{"schema": ' + "[" * 900 + "]" * 900 + "}", "its schema is"),
    ('{"a": ' * 900 + "1" + "}" * 900, "its schema is None"), ("1" * 10**6, "of 1000000 digits is too large"),
    ("0." + "1" * 10**6, "of 1000002 characters is too long"), ("1e999999999", "is too large"), ("NaN", "is not JSON"),
    ('{"schema": 1, "schema": 2}', "the key 'schema' occurs twice"),
    ("{" + ", ".join(f'"{at}": 1' for at in [*range(50_000), 49_999]) + "}", "the key '49999' occurs twice"),
    ('"' + "x" * 10**7 + '"', "neither results nor a certificate"),
], ids=lambda value: value[:20])  # fmt: skip
def test_absurd_json_costs_one_sentence(text: str, part: str, tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)
    outcome = run_inside("verify", str(file))
    assert_one_sentence(outcome, part)
    assert len(outcome.err) < 400


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero here")
def test_a_file_without_an_end_is_not_read_to_it() -> None:
    outcome = run_inside("verify", "/dev/zero")
    assert_one_sentence(outcome, "/dev/zero is larger than 256 MiB, the limit for files of its kind")


def test_a_matrix_that_is_said_to_be_huge_costs_no_more_than_the_budget(file: Path) -> None:
    """B.4 compares with as many copies as the matrix is larger; whether it makes them or not, there is an answer."""
    one, many = metaeval.Biclustering.lifted([{0}]), metaeval.Biclustering.lifted([{0}], shape=(10**12, 1))
    case = metaeval.Case(metaeval.Side(one, one), metaeval.Side(many, many))
    answers(file, case_to_json(case), "classify", str(file), "--budget", "1")
    scores = {"left": {"float": 1.0, "exact": "1/1"}, "right": {"float": 1.0, "exact": "1/1"}, "optimum": None}
    certificate = {
        "schema": "metaeval.certificate/1", "measure": "ce", "condition": "B.4", "reading": "canonical",
        "relation": "equal", **case_to_json(case), "scores": scores,
        "minimal": {"objects": 10**12, "certified": False},
    }  # fmt: skip
    answers(file, certificate, "verify", str(file), "--budget", "1")
