"""The commands about runs and conditions: what they print, where, and how they end."""

import contextlib
import copy
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tools import ROOT, Outcome, assert_one_sentence, plain, put, run_inside, run_process

import metaeval
from metaeval import Biclustering, Case, Results, Side
from metaeval.catalogue.condition import CONDITIONS, classify, example, exchanged
from metaeval.display.picture import draw_case
from metaeval.literature.shelf import PAPER
from metaeval.records.certificate import side_to_json
from metaeval.records.compare import Kind, compare
from metaeval.verification.baseline import make
from metaeval.verification.golden import panel_scores

CELL = ["--measure", "ce", "--condition", "A.1", "--reading", "canonical"]
TINY = ["--examples", "5", "--exhaustive", "4"]

Data = dict[str, Any]
Write = Callable[..., str]


def cell_of(data: Data, measure: str, reading: str = "canonical") -> Data:
    found: Data = next(c for c in data["cells"] if (c["measure"], c["reading"]) == (measure, reading))
    return found


# --- run
def test_run_writes_the_file_and_shows_the_matrix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run_inside("run", *CELL, *TINY)
    assert outcome.code == 0
    assert re.search(r"^ce +✗", outcome.out, re.MULTILINE)
    assert "✗  violated:" in outcome.out
    assert "✓  holds" not in outcome.out  # the legend explains what is there
    lines = outcome.err.splitlines()
    assert re.fullmatch(r"0/\d+  started: 1 measure, 1 cell", lines[0])
    assert re.fullmatch(r"(\d+)/\1  A\.1 canonical: 1 violated; so far 1 violated", lines[-2])
    assert lines[-1].endswith("results.json; next: metaeval report results.json --format html --out page.html")
    cell = Results.load("results.json").cell("ce", "A.1")
    assert cell.verdict == "violated"
    assert cell.certificate is not None
    assert (cell.certificate.objects, cell.certificate.certified) == (3, True)
    # What is there is resumed, and other settings are refused.
    args = ["run", "--condition", "A.1", "--measure", "ce", *TINY, "--out", "results.json", "--resume", "--quiet"]
    assert run_inside(*args)[::2] == (0, "")
    assert [cell.reading for cell in Results.load("results.json")] == ["canonical", "literal", "overlapping"]
    before = Path("results.json").read_text()
    assert_one_sentence(run_inside(*args, "--seed", "7"), "results.json", "seed")
    assert Path("results.json").read_text() == before


INTERRUPTING = """
import os, signal, sys
from metaeval.cli import progress
from metaeval.cli import main
from metaeval.runner.events import GroupDone
signal.signal(signal.SIGINT, signal.default_int_handler)
shown = progress.Watcher.on_event
def on_event(self, event):
    shown(self, event)
    if isinstance(event, GroupDone) or "{moment}" == "start":
        os.kill(os.getpid(), signal.SIGINT)
progress.Watcher.on_event = on_event
main(sys.argv[1:], prog_name="metaeval")
"""


def interrupted(moment: str, *args: str) -> Outcome:
    return run_process(*args, code=INTERRUPTING.replace("{moment}", moment))


def test_control_c_leaves_a_valid_file_and_resume_completes_it(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.json", tmp_path / "cut.json"
    readings = ["--reading", "canonical", "--reading", "literal"]
    args = ["run", "--measure", "ce", "--measure", "rnia", "--condition", "A.1", *readings, *TINY, "--jobs", "1"]
    outcome = interrupted("cells", *args, "--out", str(cut))
    assert (outcome.code, outcome.out) == (130, "")
    assert outcome.err.splitlines()[-1] == (
        f"metaeval: interrupted; {cut} holds the cells that are done; the same command with --resume continues "
        "from there"
    )
    assert "Traceback" not in outcome.err
    assert 0 < len(Results.load(cut)) < 4
    # Before the first cell.
    outcome = interrupted("start", *args, "--out", str(whole))
    assert (outcome.code, outcome.out) == (130, "")
    assert outcome.err.splitlines()[-1].startswith("metaeval: interrupted")
    assert "Traceback" not in outcome.err
    assert run_inside(*args, "--out", str(cut), "--resume").code == 0
    assert run_inside(*args, "--out", str(whole)).code == 0
    assert plain(cut) == plain(whole)


RESULTS = str(ROOT / "docs" / "results.json")
#: A command, and what is wrong with it -> what the sentence must name.
REFUSED = {
    "run": [
        (["--measure", "cee"], ["'cee'", "did you mean 'ce'"]),
        (["--condition", "A.9"], ["'A.9'"]),
        (["--reading", "canonicl"], ["'canonicl'", "canonical"]),
        (["--condition", "A.1", "--reading", "repeated"], ["A.1 has no reading repeated"]),
        (["--examples", "-1"], ["--examples", "-1"]),
        (["--examples", "many"], ["--examples", "many"]),
        (["--exhaustive", "-2"], ["--exhaustive", "-2"]),
        (["--seed", "x"], ["--seed", "x"]),
        (["--jobs", "0"], ["--jobs", "0"]),
        (["--budget", "0"], ["--budget", "a number of seconds above 0"]),
        (["--budget", "nan"], ["--budget", "above 0"]),
        (["--out", "-"], ["--out", "file"]),
        (["--out", "/no/where/r.json"], ["/no/where/r.json cannot be written"]),
        (["--out", "/"], ["directory"]),
        (["surplus"], ["surplus"]),
    ],
    "explain": [
        ([], ["metaeval explain --help"]),
        (["A.9"], ["'A.9'", "did you mean 'A.", "expected a condition, a measure"]),
        (["rag bags"], ["'rag bags'", "did you mean 'A.3'?"]),
        (["mocise"], ["'mocise'", "did you mean 'mocice'?"]),
        (["B.2", "--reading", "literal"], ["B.2 has no reading 'literal'"]),
        (["B.2/literal"], ["B.2 has no reading 'literal'"]),
        (["mocice", "--reading", "literal"], ["mocice is a measure, which has no readings"]),
        (["nowhere.json"], ["nowhere.json does not exist"]),
        ([RESULTS], ["holds 348 cells; say which one"]),
        (["mocice/A.1/litteral", "--results", RESULTS], ["did you mean mocice/A.1/literal?"]),
        (["mocice", "--results", RESULTS], ["'mocice' names no cell"]),
    ],
    "verify": [([], ["metaeval verify --help"])],
    "diff": [(["a.json"], ["metaeval diff --help"]), (["-", "-"], ["standard input"])],
    "classify": [([], ["metaeval classify --help"])],
}


@pytest.mark.parametrize("command", REFUSED)
def test_bad_usage_costs_one_sentence(command: str) -> None:
    for args, parts in REFUSED[command]:
        assert_one_sentence(run_inside(command, *args), *parts)


OWN = """
import os
def mine(candidate, gold):
    with open(os.environ["ASKED"], "a") as file:
        file.write("x")
    return float(candidate == gold)
"""


def test_run_takes_ones_own_measures_beside_ids_and_resumes_them(tmp_path, write, monkeypatch):
    file, out, asked = write(OWN, "own.py"), tmp_path / "results.json", tmp_path / "asked"
    monkeypatch.setenv("ASKED", str(asked))
    own = ["--measure", f"{file}:mine", "--measure", "ce", "--condition", "A.1", "--reading", "canonical"]
    args = ["run", *own, *TINY, "--out", str(out)]
    first = run_inside(*args)
    assert first.code == 0, first.err
    assert re.search("^mine .*✗", first.out, re.MULTILINE)
    results = Results.load(out)
    # In the order of the registry, one's own behind.
    assert list(results.measures) == ["ce", "mine"]
    certificate = results.cell("mine", "A.1").certificate
    assert certificate is not None
    assert (certificate.left.number, certificate.right.number) == (0.0, 0.0)
    # Certificates of both kinds are re-checked.
    assert "REFUSED  mine A.1 canonical" in run_inside("verify", str(out)).out
    assert run_inside("verify", str(out), "--target", f"{file}:mine").out.splitlines()[-1] == "2 certificates, all hold"
    asked.unlink()
    assert run_inside(*args, "--resume").out == first.out
    assert not asked.exists()
    more = run_inside(*args, "--resume", "--reading", "literal")
    assert more.code == 0, more.err
    assert asked.exists()
    assert len(Results.load(out)) == 4
    assert_one_sentence(run_inside("run", "--measure", f"{file}:mime", "--out", str(out)), "'mime'", "'mine'?")


def test_a_terminal_gets_a_bar_that_goes_away(tmp_path: Path) -> None:
    shown: list[bytes] = []

    def read(descriptor: int) -> bytes:
        shown.append(os.read(descriptor, 1 << 16))
        return shown[-1]

    code = (
        "import os, sys; os.environ.update(COLUMNS='60', TERM='xterm')\n"
        "from metaeval.cli import main; main(sys.argv[1:], prog_name='metaeval')"
    )
    command = [sys.executable, "-c", code, "run", *CELL, *TINY, "--out", str(tmp_path / "r.json")]
    leader, follower = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, stdin=subprocess.DEVNULL) as process:
        os.close(follower)
        assert process.stdout is not None
        printed = process.stdout.read().decode()
    with open(leader, "rb", buffering=0) as screen, contextlib.suppress(OSError):  # how a terminal ends
        while read(screen.fileno()):
            pass
    text = b"".join(shown).decode()
    assert process.returncode == 0
    assert "1 violated" in text
    assert "5/5" in text  # a gate, the draws of three readings, a cell
    assert "\x1b" not in printed
    assert re.search(r"^ce +✗", printed, re.MULTILINE)


# --- verify
def test_verify_reads_results_a_certificate_a_baseline_and_standard_input(results_file, data, write):
    both = "ok  ce A.1 canonical  3 objects\nok  ce A.1 literal  3 objects\n2 certificates, all hold\n"
    assert run_inside("verify", str(results_file)) == (0, both, "")
    checked = json.loads(run_inside("verify", str(results_file), "--json").out)
    assert checked[0] == {"place": "ce A.1 canonical", "objects": 3, "refusal": None, "claim": None}
    certificate = cell_of(data, "ce")["certificate"]
    expected = (0, "ok  ce A.1 canonical  3 objects\n1 certificate, all hold\n", "")
    assert run_inside("verify", write(certificate)) == expected
    assert run_inside("verify", "-", input=json.dumps(certificate)) == expected
    own = Results.from_json({**data, "measures": {"ce": data["measures"]["ce"]}, "cells": [cell_of(data, "ce")]})
    ce = metaeval.measures()["ce"]
    assert run_inside("verify", write(make(ce, own, panel=panel_scores(ce, effort=0)).to_json())) == expected
    data["cells"] = [cell_of(data, "mocice")]
    assert run_inside("verify", write(data)) == (0, "no certificates\n", "")


@pytest.mark.parametrize(("change", "reason"), [
    (lambda cell: put(cell, "certificate.scores.left.exact", "1/9"), "not '1/9'"),
    (lambda cell: put(cell, "certificate.right", cell["certificate"]["left"]), "no instance of A.1"),
    (lambda cell: put(cell, "certificate.measure", "rnia"), "about the measure 'rnia'"),
    (lambda cell: put(cell, "certificate.reading", "literal"), "about the reading 'literal'"),
    (lambda cell: put(cell, "certificate.relation", "equal"), "A.1 demands 'worse'"),
    (lambda cell: put(cell, "certificate", None), "no certificate"),
    (lambda cell: cell.update(verdict="holds", violations=0), "the verdict 'holds'"),
    (lambda cell: put(cell, "certificate", [1]), "the certificate must be a JSON object, not [1]"),
    (lambda cell: put(cell, "certificate.left.gold.biclusters.0.rows", list(range(200_000))), "indices; at most"),
])  # fmt: skip
def test_verify_refuses_what_was_tampered_with(change, reason, data, write):
    change(cell_of(data, "ce"))
    outcome = run_inside("verify", write(data))
    assert (outcome.code, outcome.err) == (1, "")
    first, *_, last = outcome.out.splitlines()
    assert first.startswith("REFUSED  ce A.1 canonical  ")
    assert reason in first
    assert last == "2 certificates, 1 refused"


@pytest.mark.parametrize(("content", "part"), [
    ("{", "not JSON"),
    ("[]", "neither results nor a certificate"),
    ('{"schema": "other"}', "neither results nor a certificate"),
    ('{"cells": {}}', "neither results nor a certificate"),
    ('{"cells": [3]}', "its schema is None"),
    ('{"schema": "metaeval.results/1", "cells": []}', 'the results file has no "provenance"'),
])  # fmt: skip
def test_bad_files_cost_one_sentence(content: str, part: str, write: Write) -> None:
    path = write(content)
    assert_one_sentence(run_inside("verify", path), path, part)
    for args in (["diff", path, path], ["classify", path], ["run", *CELL, "--out", path, "--resume"]):
        assert_one_sentence(run_inside(*args), path)


# --- diff
def changed(data: Data, measure: str, **values: Any) -> Data:
    other = copy.deepcopy(data)
    cell_of(other, measure).update(values)
    return other


GONE = {"violations": 0, "certificate": None}


@pytest.mark.parametrize(("measure", "values", "code", "part"), [
    ("ce", {}, 0, "0 changed, 4 unchanged\n"),
    ("mocice", {"verdict": "error", "message": "no"}, 1, "mocice A.1 canonical: holds → error (no)"),
    ("mocice", {"cases": 24}, 0, "mocice A.1 canonical: holds, 24 cases, was"),
    ("mocice", {"exhaustive": None}, 1, "exhaustive up to 0 objects, was 4"),
    ("mocice", {"exhaustive": {"objects": 3, "cases": 9}}, 1, "exhaustive up to 3 objects, was 4"),
    ("mocice", {"exhaustive": {"objects": 4, "cases": 1}}, 0, "1 exhaustive cases, was"),
    ("mocice", {"cases": 10**6}, 0, "0 changed"),
    ("ce", {"verdict": "holds", **GONE}, 0, "ce A.1 canonical: violated → holds"),
    ("ce", {"verdict": "timeout", **GONE}, 1, "ce A.1 canonical: violated → timeout"),
])  # fmt: skip
def test_diff_tells_what_changed(measure, values, code, part, results_file, data, write):
    outcome = run_inside("diff", str(results_file), write(changed(data, measure, **values)))
    assert outcome.code == code
    assert part in outcome.out
    assert outcome.out.rstrip().endswith("a regression") == bool(code)


def test_diff_both_ways_adds_and_removes(results_file: Path, data: Data, write: Write) -> None:
    odd = write(changed(data, "mocice", exhaustive={"objects": "x", "cases": 1}), "odd.json")
    assert_one_sentence(run_inside("diff", str(results_file), odd), odd, "mocice A.1 canonical", "not 'x'")
    halves = []
    for measure in ("ce", "mocice"):
        half = {**data, "cells": [cell for cell in data["cells"] if cell["measure"] == measure]}
        halves.append(write(half, f"{measure}.json"))
    assert_one_sentence(run_inside("diff", *halves), *halves, "have nothing in common: no cell is in both")
    data["cells"].remove(cell_of(data, "ce"))
    fewer = write(data)
    gone = run_inside("diff", str(results_file), fewer, "--json")
    assert gone.code == 1
    told = json.loads(gone.out)
    assert (told["regression"], told["same"]) == (True, 3)
    assert told["differences"][0]["kind"] == "removed"
    back = run_inside("diff", fewer, str(results_file))
    assert back.code == 0
    assert "Added: not checked before (1)\n  ce A.1 canonical: violated" in back.out


def test_a_larger_counterexample_is_weaker_evidence_and_no_regression(data: Data) -> None:
    before = Results.from_json(data)
    cell_of(data, "ce")["certificate"]["minimal"] = {"objects": 5, "certified": False}
    found = compare(before, Results.from_json(data))
    assert not found.regression
    assert found.of(Kind.WEAKER)[0].detail == "counterexample of 5 objects, was 3"


# --- classify
def lifted(gold: str, left: str, right: str) -> Case:
    one, first, other = (Biclustering.from_labels(list(word), n_features=3) for word in (gold, left, right))
    return Case(Side(first, one), Side(other, one))


#: The paper's two pairs, on three features.
FILED_UNDER_HOMOGENEITY = lifted("aabcde", "xyzzzz", "xxzzzz")
RAG_BAG = lifted("aabcd", "xxxyy", "xxyyy")


def pair_of(case: Case) -> Data:
    return {"left": side_to_json(case.left), "right": side_to_json(case.right)}


def test_classify_names_condition_readings_and_demand(data: Data, write: Write) -> None:
    told = "A.3 Rag bag: canonical, literal, overlapping\n  the left must score strictly lower than the right\n"
    assert run_inside("classify", write(pair_of(RAG_BAG))) == (0, told, "")
    assert "A.1 Homogeneity: canonical" in run_inside("classify", write(cell_of(data, "ce")["certificate"])).out
    outcome = run_inside("classify", write(pair_of(exchanged(RAG_BAG))))
    assert outcome == (0, "no condition\n", "with left and right exchanged it is an instance of A.3\n")
    assert json.loads(run_inside("classify", write(pair_of(exchanged(RAG_BAG))), "--json").out) == []


def test_two_clusters_joined_inside_a_class_are_completeness(write: Write) -> None:
    assert {id for id, _ in classify(FILED_UNDER_HOMOGENEITY, PAPER.conditions)} == {"A.2"}
    answer = json.loads(run_inside("classify", write(pair_of(FILED_UNDER_HOMOGENEITY)), "--json").out)
    # The union of two clusters inside a class is a perfect merger as well.
    wanted = [("A.2", "worse"), ("G.1", "worse"), ("G.2", "not-better")]
    assert [(entry["condition"], entry["relation"]) for entry in answer] == wanted


def test_classify_agrees_with_every_enumerator() -> None:
    for condition in metaeval.conditions().values():
        for reading in condition.readings.values():
            smallest = next(case for objects in range(1, 10) for case in reading.enumerate_(objects))
            assert (condition.id, reading.name) in classify(smallest)


def test_classify_refuses_half_a_pair_and_more_biclusters_than_are_judged(write: Write) -> None:
    half = {"left": side_to_json(RAG_BAG.left)}
    assert_one_sentence(run_inside("classify", write(half)), "file.json", '"left" and "right"')
    pair = pair_of(RAG_BAG)
    pair["left"]["gold"]["biclusters"] *= 400
    outcome = run_inside("classify", write(pair))
    assert_one_sentence(outcome, "left gold lists", "biclusters; at most 1000 are accepted")


def endless(case: Case) -> bool:
    while True:
        pass


def hungry(case: Case) -> bool:
    raise MemoryError


@pytest.mark.parametrize(("premise", "part"), [
    (endless, "could not be judged within 0.2 s of processor time; --budget gives it more"),
    (hungry, "it is too large to be judged"),
])  # fmt: skip
def test_classify_ends_with_its_budget(premise, part, write, monkeypatch):
    condition = metaeval.conditions()["A.1"]
    readings = {**condition.readings, "canonical": replace(condition.reading("canonical"), premise=premise)}
    monkeypatch.setitem(CONDITIONS._entries, "A.1", replace(condition, readings=readings))
    path = write(pair_of(RAG_BAG))
    assert_one_sentence(run_inside("classify", path, "--budget", "0.2"), path, part)


# --- explain
@pytest.mark.parametrize("id", metaeval.conditions())
def test_explain_tells_and_draws_every_reading(id: str) -> None:
    condition, columns = metaeval.conditions()[id], 60 if id < "G" else 80
    told = explained_here(id, columns=columns)
    flat = " ".join(told.split())
    assert told.startswith(f"{id} {condition.name}\n")
    for text in (condition.statement, condition.citation, condition.relation.demand):
        assert text in flat
    for reading in condition.readings.values():
        assert f"Reading: {reading.name} {reading.adds}" in flat
        assert reading.scope in flat
    if (condition.relation.sides, condition.relation.pooled) != (2, False):
        assert told.count("object") >= len(condition.readings)
    else:
        # In S.3 nothing changes: both sides are the gold itself. What is left out is drawn too.
        drawn = 0 if id == "S.3" else len(condition.readings) + len(condition.excluded)
        assert told.count("changed:") == drawn
    assert max(map(len, told.splitlines())) <= columns


def test_an_example_shows_what_its_reading_adds() -> None:
    for condition in metaeval.conditions().values():
        before: list[Any] = []
        for reading in condition.readings.values():
            case = example(condition, reading)
            assert case is not None
            assert reading.premise(case)
            # Two readings take away from a wider one; all others add to those before them.
            wider = ("overlapping", "repeated") if reading.name in ("proper", "non-trivial") else ()
            wider += ("canonical",) if reading.domain == "partitions" else ()
            others = [earlier for earlier in before if earlier.name not in wider]
            assert not any(earlier.premise(case) for earlier in others), (condition.id, draw_case(case))
            before.append(reading)


@pytest.fixture
def certificate(tmp_path: Path) -> str:
    witness = Results.load(RESULTS).cell("mocice", "A.3", "literal").certificate
    assert witness is not None
    (tmp_path / "certificate.json").write_text(json.dumps(witness.to_json()))
    return str(tmp_path / "certificate.json")


def explained_here(*args: str, columns: int = 80) -> str:
    result = run_inside("explain", *args, COLUMNS=str(columns))
    assert result.code == 0, result.err
    return result.out.removesuffix("\n")


def test_explain_takes_the_same_things_in_python_and_on_the_command_line(certificate: str) -> None:
    results, explain = Results.load(RESULTS), metaeval.explain
    cell, holding = (results.cell("mocice", "A.3", name) for name in ("literal", "canonical"))
    assert explained_here("a.3") == explain("A.3") == explain(metaeval.conditions()["A.3"])
    literal = explain("A.3", reading="literal")
    assert "Reading: literal" in literal
    assert "Reading: canonical" not in literal
    assert explained_here("A.3/Literal") == explained_here("a.3", "--reading", "LITERAL") == literal
    assert explained_here("Mocice") == explain("mocice") == explain(metaeval.measures()["mocice"])
    named = explained_here("MOCICE/a.3/literal", "--results", RESULTS)
    assert named == explain(cell) == metaeval.describe(cell)
    assert named == explain("mocice/A.3", reading="literal", results=results)
    assert explained_here("mocice/A.3", "--results", RESULTS) == explain(holding)
    assert explained_here(certificate) == explain(Path(certificate)) == explain(cell.certificate)


def test_a_certificate_is_told_like_its_cell_but_for_the_evidence_and_a_measure_with_its_source(
    certificate: str,
) -> None:
    cell = metaeval.describe(Results.load(RESULTS).cell("mocice", "A.3", "literal"))
    told = explained_here(certificate)
    assert told.splitlines()[:10] == cell.splitlines()[:10]
    assert ("\nevidence " in cell, "\nevidence " in told) == (True, False)
    assert told.partition("Reproduce")[2] == cell.partition("Reproduce")[2]
    told, measure = explained_here("rnia"), metaeval.measures()["rnia"]
    assert told.startswith(f"rnia {measure.name}\n\n{measure.summary}\n")
    assert measure.citation in " ".join(told.split())
    assert "Best score: 1, as a similarity" in told
