"""Files changed at random: whatever a file holds, a command answers, and never with a traceback."""

from __future__ import annotations

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
from test_cli import run_inside

import metaeval
from metaeval.records.certificate import case_to_json
from metaeval.records.results import Results
from metaeval.verification.baseline import make

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

Path_ = tuple[Any, ...]


def places(data: Any, above: Path_ = ()) -> Iterator[Path_]:
    """The places of all values in parsed JSON."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*above, key)
        yield from places(value, (*above, key))


def at(data: Any, path: Path_) -> Any:
    for key in path:
        data = data[key]
    return data


@st.composite
def changed(draw: st.DrawFn, original: Any) -> Any:
    """A few values taken out, put in, exchanged or doubled."""
    data = copy.deepcopy(original)
    for _ in range(draw(st.integers(1, 3))):
        known = list(places(data))
        *above, key = draw(st.sampled_from(known))
        holder = at(data, tuple(above))
        kind = draw(st.sampled_from(["put", "put", "drop", "copy", "double", "rename"]))
        if kind == "put":
            holder[key] = draw(VALUES)
        elif kind == "drop":
            del holder[key]
        elif kind == "copy":
            holder[key] = copy.deepcopy(at(data, draw(st.sampled_from(known))))
        elif kind == "double" and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        elif kind == "rename" and isinstance(holder, dict):
            holder[str(draw(VALUES))[:30_000]] = holder.pop(key)
    return data


@pytest.fixture(scope="module")
def results() -> Results:
    return metaeval.run(["ce", "rnia"], ["A.1", "B.4"], examples=3, exhaustive=3, jobs=1)


@pytest.fixture(scope="module")
def baseline(results: Results) -> Any:
    """A baseline as parsed JSON: made once, since it scores large samples."""
    own = [cell.to_json() for cell in results][:7]
    return make(metaeval.measures()["ce"], Results.from_json({**results.to_json(), "cells": own})).to_json()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzzed") / "file.json"


FUZZED = settings(thorough, suppress_health_check=list(HealthCheck))
#: For what holds a proof, which takes long to check.
FEWER = settings(FUZZED, max_examples=25)


def answers(file: Path, data: Any, *command: str) -> None:
    """The command ends as commands do: done, not held, or one sentence on bad input."""
    file.write_text(json.dumps(data))
    outcome = run_inside(*command)  # a traceback is an exception here
    assert outcome.code in (0, 1, 2), outcome
    assert "Traceback" not in outcome.err
    assert len(outcome.err.splitlines()) == (outcome.code == 2)
    assert "\x1b" not in outcome.err + outcome.out


@given(data=st.data())
@FEWER
def test_verify_answers_whatever_results_it_is_given(data: st.DataObject, results: Results, file: Path) -> None:
    answers(file, data.draw(changed(results.to_json())), "verify", str(file), "--budget", "5")


@given(data=st.data())
@FUZZED
def test_verify_answers_whatever_certificate_it_is_given(
    data: st.DataObject, results: Results, file: Path
) -> None:
    certificates = [cell.certificate.to_json() for cell in results if cell.certificate is not None]
    original = data.draw(st.sampled_from(certificates))
    answers(file, data.draw(changed(original)), "verify", str(file), "--budget", "5")


@given(data=st.data())
@FEWER
def test_verify_answers_whatever_baseline_it_is_given(data: st.DataObject, baseline: Any, file: Path) -> None:
    answers(file, data.draw(changed(baseline)), "verify", str(file), "--budget", "5")


@pytest.mark.long
@given(data=st.data())
@settings(FUZZED, max_examples=200)
def test_verify_answers_whatever_it_is_given_for_long(
    data: st.DataObject, results: Results, baseline: Any, file: Path
) -> None:
    original = data.draw(st.sampled_from([results.to_json(), baseline]))
    answers(file, data.draw(changed(original)), "verify", str(file), "--budget", "5")


@pytest.mark.parametrize("format", ["text", "html", "latex", "csv", "markdown"])
@given(data=st.data())
@settings(FUZZED, max_examples=30)
def test_report_answers_whatever_results_it_is_given(
    format: str, data: st.DataObject, results: Results, file: Path
) -> None:
    answers(file, data.draw(changed(results.to_json())), "report", str(file), "--format", format)


@given(data=st.data())
@FUZZED
def test_what_is_resumed_is_refused_or_goes_on(data: st.DataObject, results: Results, file: Path) -> None:
    """A run of cells that are there already: nothing is searched, unless they were taken out."""
    chosen = ["--measure", "rnia", "--condition", "A.1", "--reading", "canonical"]
    limits = ["--examples", "3", "--exhaustive", "3", "--jobs", "1", "--quiet"]
    answers(file, data.draw(changed(results.to_json())), "run", *chosen, *limits, "--out", str(file), "--resume")
    assert not list(file.parent.glob(".metaeval-*"))


@given(data=st.data())
@FUZZED
def test_diff_answers_whatever_results_it_is_given(data: st.DataObject, results: Results, file: Path) -> None:
    other = file.parent / "other.json"
    other.write_text(json.dumps(results.to_json()))
    answers(file, data.draw(changed(results.to_json())), "diff", str(other), str(file))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[" * 100_000, "nested too deeply"),
        ("[" * 900 + "]" * 900, "neither results nor a certificate"),
        ('{"schema": ' + "[" * 900 + "]" * 900 + "}", "its schema is"),
        ('{"a": ' * 900 + "1" + "}" * 900, "its schema is None"),
        ("1" * 10**6, "of 1000000 digits is too large"),
        ("0." + "1" * 10**6, "of 1000002 characters is too long"),
        ("1e999999999", "is too large"),
        ("NaN", "is not JSON"),
        ('{"schema": 1, "schema": 2}', "the key 'schema' occurs twice"),
        ("{" + ", ".join(f'"{at}": 1' for at in [*range(50_000), 49_999]) + "}", "the key '49999' occurs twice"),
        ('"' + "x" * 10**7 + '"', "neither results nor a certificate"),
    ],
    ids=lambda value: value[:20],
)
def test_absurd_json_costs_one_sentence(text: str, part: str, tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)
    outcome = run_inside("verify", str(file))
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert part in outcome.err
    assert len(outcome.err) < 400


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no /dev/zero here")
def test_a_file_without_an_end_is_not_read_to_it() -> None:
    outcome = run_inside("verify", "/dev/zero")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == ("metaeval: /dev/zero is larger than 256 MiB, the limit for files of its kind\n")


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


@given(data=st.data())
@FUZZED
def test_classify_answers_whatever_pair_it_is_given(data: st.DataObject, results: Results, file: Path) -> None:
    cases = [cell.certificate.case for cell in results if cell.certificate is not None]
    pair = data.draw(changed(case_to_json(data.draw(st.sampled_from(cases)))))
    file.write_text(json.dumps(pair))
    outcome = run_inside("classify", str(file), "--budget", "1")
    assert outcome.code in (0, 2)
    assert "Traceback" not in outcome.err
    assert len(outcome.err.splitlines()) <= 1  # a hint, where left and right are exchanged
    assert "\x1b" not in outcome.err + outcome.out
