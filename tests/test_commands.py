"""The commands about runs and conditions: what they print, where, and how they end."""

from __future__ import annotations

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
from click.testing import CliRunner
from test_cli import Outcome, assert_one_sentence, run_inside, run_process

import metaeval
from metaeval import Biclustering, Case, Side, cli
from metaeval.catalogue.classify import classify, example, exchanged
from metaeval.catalogue.condition import CONDITIONS
from metaeval.display.picture import draw_case
from metaeval.literature.shelf import PAPER
from metaeval.records.certificate import side_to_json
from metaeval.records.compare import Kind, compare
from metaeval.records.results import Results
from metaeval.verification.baseline import make

CELL = ["--measure", "ce", "--condition", "A.1", "--reading", "canonical"]
TINY = ["--examples", "5", "--exhaustive", "4"]

Data = dict[str, Any]


Write = Callable[..., str]


def cell_of(data: Data, measure: str, reading: str = "canonical") -> Data:
    found: Data = next(c for c in data["cells"] if (c["measure"], c["reading"]) == (measure, reading))
    return found


def without_seconds(path: Path) -> Data:
    data: Data = json.loads(path.read_text())
    for cell in data["cells"]:
        del cell["seconds"]
    return data


# --- run


def test_run_writes_the_file_and_shows_the_matrix(tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    outcome = run_process("run", *CELL, *TINY, "--out", str(out))
    assert outcome.code == 0
    assert re.search(r"^ce +✗", outcome.out, re.MULTILINE)
    assert "✗  violated:" in outcome.out
    assert "✓  holds" not in outcome.out  # the legend explains what is there
    lines = outcome.err.splitlines()
    assert re.fullmatch(r"0/\d+  started: 1 measure, 1 cell", lines[0])
    assert re.fullmatch(r"(\d+)/\1  A\.1 canonical: 1 violated; so far 1 violated", lines[-2])
    assert lines[-1].endswith(f"results in {out}; next: metaeval report {out} --format html --out page.html")
    cell = Results.load(out).cell("ce", "A.1")
    assert cell.verdict == "violated"
    assert cell.certificate is not None
    assert (cell.certificate.objects, cell.certificate.certified) == (3, True)


def test_run_writes_to_results_json_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run_inside("run", *CELL, *TINY, "--quiet")
    assert (outcome.code, outcome.err) == (0, "")
    assert "results.json" in os.listdir(tmp_path)


def test_run_resumes_what_is_there_and_refuses_other_settings(tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    args = ["run", "--condition", "A.1", "--measure", "ce", *TINY, "--out", str(out)]
    assert run_inside(*args, "--reading", "canonical").code == 0
    assert run_inside(*args, "--resume").code == 0
    assert [cell.reading for cell in Results.load(out)] == ["canonical", "literal", "overlapping"]
    before = out.read_text()
    assert_one_sentence(run_inside(*args, "--resume", "--seed", "7"), str(out), "seed")
    assert out.read_text() == before


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
    code = INTERRUPTING.replace("{moment}", moment)
    done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, encoding="utf-8")
    return Outcome(done.returncode, done.stdout, done.stderr)


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
    assert run_process(*args, "--out", str(cut), "--resume").code == 0
    assert run_process(*args, "--out", str(whole)).code == 0
    assert without_seconds(cut) == without_seconds(whole)


def test_control_c_before_the_first_cell(tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    outcome = interrupted("start", "run", *CELL, *TINY, "--out", str(out))
    assert (outcome.code, outcome.out) == (130, "")
    assert outcome.err.splitlines()[-1].startswith("metaeval: interrupted")
    assert "Traceback" not in outcome.err
    if out.exists():
        Results.load(out)


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (["--measure", "cee"], ["'cee'", "did you mean 'ce'"]),
        (["--condition", "A.9"], ["'A.9'"]),
        (["--reading", "canonicl"], ["'canonicl'", "canonical"]),
        (["--condition", "A.1", "--reading", "repeated"], ["A.1 has no reading repeated"]),
        (["--examples", "-1"], ["--examples", "-1"]),
        (["--examples", "many"], ["--examples", "many"]),
        (["--exhaustive", "-2"], ["--exhaustive", "-2"]),
        (["--seed", "x"], ["--seed", "x"]),
        (["--jobs", "0"], ["--jobs", "0"]),
        (["--budget", "0"], ["--budget", "range x>0"]),
        (["--budget", "nan"], ["--budget", "above 0"]),
        (["--out", "-"], ["--out", "file"]),
        (["--out", "/no/where/r.json"], ["/no/where/r.json cannot be written"]),
        (["--out", "/"], ["directory"]),
        (["surplus"], ["surplus"]),
    ],
)
def test_run_refuses_bad_values(args: list[str], parts: list[str]) -> None:
    assert_one_sentence(run_inside("run", *args), *parts)


OWN = """
import os
def mine(candidate, gold):
    with open(os.environ["ASKED"], "a") as file:
        file.write("x")
    return float(candidate == gold)
"""


def test_run_takes_ones_own_measures_beside_ids_and_resumes_them(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert (
        run_inside("verify", str(out), "--target", f"{file}:mine").out.splitlines()[-1]
        == "2 certificates, all hold"
    )
    asked.unlink()
    assert run_inside(*args, "--resume").out == first.out
    assert not asked.exists()
    more = run_inside(*args, "--resume", "--reading", "literal")
    assert more.code == 0, more.err
    assert asked.exists()
    assert len(Results.load(out)) == 4
    assert_one_sentence(run_inside("run", "--measure", f"{file}:mime", "--out", str(out)), "'mime'", "'mine'?")


def test_run_refuses_to_resume_from_something_else(write: Write) -> None:
    path = write({"schema": "other"}, "r.json")
    assert_one_sentence(run_inside("run", *CELL, "--out", path, "--resume"), path, "not a results file")


@pytest.mark.parametrize("columns", ["60", "80"])
def test_a_terminal_gets_a_bar_that_goes_away(columns: str, tmp_path: Path) -> None:
    shown: list[bytes] = []

    def read(descriptor: int) -> bytes:
        shown.append(os.read(descriptor, 1 << 16))
        return shown[-1]

    out = tmp_path / "r.json"
    code = (
        "import os, sys; os.environ.update(COLUMNS=sys.argv.pop(1), TERM='xterm')\n"
        "from metaeval.cli import main; main(sys.argv[1:], prog_name='metaeval')"
    )
    command = [sys.executable, "-c", code, columns, "run", *CELL, *TINY, "--out", str(out)]
    leader, follower = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=follower, stdin=subprocess.DEVNULL) as process:
        os.close(follower)
        assert process.stdout is not None
        printed = process.stdout.read().decode()
    with open(leader, "rb", buffering=0) as screen:
        try:
            while read(screen.fileno()):
                pass
        except OSError:  # how a terminal ends
            pass
    text = b"".join(shown).decode()
    assert process.returncode == 0
    assert "1 violated" in text
    assert "5/5" in text  # a gate, the draws of three readings, a cell
    assert "\x1b" not in printed
    assert re.search(r"^ce +✗", printed, re.MULTILINE)


# --- verify


def test_verify_accepts_what_run_wrote(results_file: Path) -> None:
    outcome = run_process("verify", str(results_file))
    assert outcome == (
        0,
        "ok  ce A.1 canonical  3 objects\nok  ce A.1 literal  3 objects\n2 certificates, all hold\n",
        "",
    )


def test_verify_reads_a_certificate_a_baseline_and_standard_input(data: Data, write: Write) -> None:
    certificate = cell_of(data, "ce")["certificate"]
    expected = (0, "ok  ce A.1 canonical  3 objects\n1 certificate, all hold\n", "")
    assert run_inside("verify", write(certificate)) == expected
    assert run_inside("verify", "-", input=json.dumps(certificate)) == expected
    own = {**data, "measures": {"ce": data["measures"]["ce"]}, "cells": [cell_of(data, "ce")]}
    baseline = make(metaeval.measures()["ce"], Results.from_json(own)).to_json()
    assert run_inside("verify", write(baseline)) == expected


def test_verify_as_json(results_file: Path) -> None:
    checked = json.loads(run_inside("verify", str(results_file), "--json").out)
    assert checked[0] == {"place": "ce A.1 canonical", "objects": 3, "refusal": None, "claim": None}


def score_changed(cell: Data) -> None:
    cell["certificate"]["scores"]["left"]["exact"] = "1/9"


def premise_broken(cell: Data) -> None:
    cell["certificate"]["right"] = cell["certificate"]["left"]


def measure_changed(cell: Data) -> None:
    cell["certificate"]["measure"] = "rnia"


def reading_changed(cell: Data) -> None:
    cell["certificate"]["reading"] = "literal"


def relation_kept(cell: Data) -> None:
    cell["certificate"]["relation"] = "equal"


def certificate_dropped(cell: Data) -> None:
    cell["certificate"] = None


def verdict_changed(cell: Data) -> None:
    cell |= {"verdict": "holds", "violations": 0}


def certificate_of_another_kind(cell: Data) -> None:
    cell["certificate"] = [1]


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (score_changed, "not '1/9'"),
        (premise_broken, "no instance of A.1"),
        (measure_changed, "about the measure 'rnia'"),
        (reading_changed, "about the reading 'literal'"),
        (relation_kept, "A.1 demands 'worse'"),
        (certificate_dropped, "no certificate"),
        (verdict_changed, "the verdict 'holds'"),
        (certificate_of_another_kind, "the certificate must be a JSON object, not [1]"),
    ],
)
def test_verify_refuses_what_was_tampered_with(
    tamper: Callable[[Data], None], reason: str, data: Data, write: Write
) -> None:
    tamper(cell_of(data, "ce"))
    outcome = run_inside("verify", write(data))
    assert (outcome.code, outcome.err) == (1, "")
    first, *_, last = outcome.out.splitlines()
    assert first.startswith("REFUSED  ce A.1 canonical  ")
    assert reason in first
    assert last == "2 certificates, 1 refused"


def test_verify_refuses_absurd_sizes(data: Data, write: Write) -> None:
    certificate = cell_of(data, "ce")["certificate"]
    certificate["left"]["gold"]["biclusters"][0]["rows"] = list(range(200_000))
    outcome = run_inside("verify", write(certificate))
    assert outcome.code == 1
    assert "200001 indices" in outcome.out or "indices; at most" in outcome.out


def test_verify_with_nothing_to_verify(data: Data, write: Write) -> None:
    data["cells"] = [cell_of(data, "mocice")]
    assert run_inside("verify", write(data)) == (0, "no certificates\n", "")


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("{", "not JSON"),
        ("[]", "neither results nor a certificate"),
        ('{"schema": "other"}', "neither results nor a certificate"),
        ('{"cells": {}}', "neither results nor a certificate"),
        ('{"cells": [3]}', "its schema is None"),
        ('{"schema": "metaeval.results/1", "cells": []}', "not a results file"),
    ],
)
def test_bad_files_cost_one_sentence(content: str, part: str, write: Write) -> None:
    path = write(content)
    assert_one_sentence(run_inside("verify", path), path, part)
    assert_one_sentence(run_inside("diff", path, path), path)
    assert_one_sentence(run_inside("classify", path), path)


@pytest.mark.parametrize("args", [["verify"], ["diff", "a.json"], ["classify"], ["explain"]])
def test_a_missing_argument_costs_one_sentence(args: list[str]) -> None:
    assert_one_sentence(run_inside(*args), f"metaeval {args[0]} --help")


# --- diff


def test_no_difference(results_file: Path) -> None:
    path = str(results_file)
    assert run_process("diff", path, path) == (0, "0 changed, 4 unchanged\n", "")


def changed(data: Data, measure: str, **values: Any) -> Data:
    other = copy.deepcopy(data)
    cell_of(other, measure).update(values)
    return other


@pytest.mark.parametrize(
    ("measure", "values", "code", "part"),
    [
        (
            "mocice",
            {"verdict": "error", "message": "it raised"},
            1,
            "mocice A.1 canonical: holds → error (it raised)",
        ),
        ("mocice", {"cases": 24}, 0, "mocice A.1 canonical: holds, 24 cases, was"),
        ("mocice", {"exhaustive": None}, 1, "exhaustive up to 0 objects, was 4"),
        ("mocice", {"exhaustive": {"objects": 3, "cases": 9}}, 1, "exhaustive up to 3 objects, was 4"),
        ("mocice", {"exhaustive": {"objects": 4, "cases": 1}}, 0, "1 exhaustive cases, was"),
        ("mocice", {"cases": 10**6}, 0, "0 changed"),
        (
            "ce",
            {"verdict": "holds", "violations": 0, "certificate": None},
            0,
            "ce A.1 canonical: violated → holds",
        ),
        (
            "ce",
            {"verdict": "timeout", "violations": 0, "certificate": None},
            1,
            "ce A.1 canonical: violated → timeout",
        ),
    ],
)
def test_diff_tells_what_changed(
    measure: str, values: Data, code: int, part: str, results_file: Path, data: Data, write: Write
) -> None:
    outcome = run_inside("diff", str(results_file), write(changed(data, measure, **values)))
    assert outcome.code == code
    assert part in outcome.out
    assert outcome.out.rstrip().endswith("a regression") == bool(code)


def test_diff_both_ways_adds_and_removes(results_file: Path, data: Data, write: Write) -> None:
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
    other = copy.deepcopy(data)
    cell_of(other, "ce")["certificate"]["minimal"] = {"objects": 5, "certified": False}
    found = compare(Results.from_json(data), Results.from_json(other))
    assert not found.regression
    assert found.of(Kind.WEAKER)[0].detail == "counterexample of 5 objects, was 3"


def test_diff_of_files_without_a_common_cell_is_no_regression(data: Data, write: Write) -> None:
    halves = []
    for measure in ("ce", "mocice"):
        half = {**data, "cells": [cell for cell in data["cells"] if cell["measure"] == measure]}
        halves.append(write(half, f"{measure}.json"))
    outcome = run_inside("diff", *halves)
    assert_one_sentence(outcome, *halves, "have nothing in common: no cell is in both")
    assert "regression" not in outcome.err


def test_diff_refuses_odd_evidence(results_file: Path, data: Data, write: Write) -> None:
    odd = write(changed(data, "mocice", exhaustive={"objects": "x", "cases": 1}))
    assert_one_sentence(run_inside("diff", str(results_file), odd), odd, "mocice A.1 canonical", "not 'x'")
    assert_one_sentence(run_inside("diff", "-", "-"), "standard input")


# --- classify


def lifted(gold: str, left: str, right: str) -> Case:
    one, first, other = (Biclustering.from_labels(list(word), n_features=3) for word in (gold, left, right))
    return Case(Side(first, one), Side(other, one))


#: The paper's two pairs, on three features.
FILED_UNDER_HOMOGENEITY = lifted("aabcde", "xyzzzz", "xxzzzz")
RAG_BAG = lifted("aabcd", "xxxyy", "xxyyy")


def pair_of(case: Case) -> Data:
    return {"left": side_to_json(case.left), "right": side_to_json(case.right)}


def test_classify_names_condition_readings_and_demand(write: Write) -> None:
    outcome = run_process("classify", write(pair_of(RAG_BAG)))
    assert outcome == (
        0,
        "A.3 Rag bag: canonical, literal, overlapping\n  the left must score strictly lower than the right\n",
        "",
    )


def test_two_clusters_joined_inside_a_class_are_completeness(write: Write) -> None:
    assert {id for id, _ in classify(FILED_UNDER_HOMOGENEITY, PAPER.conditions)} == {"A.2"}
    answer = json.loads(run_inside("classify", write(pair_of(FILED_UNDER_HOMOGENEITY)), "--json").out)
    # The union of two clusters inside a class is a perfect merger as well.
    wanted = [("A.2", "worse"), ("G.1", "worse"), ("G.2", "not-better")]
    assert [(entry["condition"], entry["relation"]) for entry in answer] == wanted


def test_a_pair_the_wrong_way_round_gets_a_hint(write: Write) -> None:
    outcome = run_inside("classify", write(pair_of(exchanged(RAG_BAG))))
    assert outcome == (0, "no condition\n", "with left and right exchanged it is an instance of A.3\n")
    answer = run_inside("classify", write(pair_of(exchanged(RAG_BAG))), "--json")
    assert json.loads(answer.out) == []


def test_classify_reads_a_certificate(data: Data, write: Write) -> None:
    assert "A.1 Homogeneity: canonical" in run_inside("classify", write(cell_of(data, "ce")["certificate"])).out


def test_classify_agrees_with_every_enumerator() -> None:
    for condition in metaeval.conditions().values():
        for reading in condition.readings.values():
            smallest = next(case for objects in range(1, 10) for case in reading.enumerate_(objects))
            assert (condition.id, reading.name) in classify(smallest)


def test_classify_refuses_half_a_pair(write: Write) -> None:
    half = {"left": side_to_json(RAG_BAG.left)}
    assert_one_sentence(run_inside("classify", write(half)), "file.json", '"left" and "right"')


def endless(case: Case) -> bool:
    while True:
        pass


def hungry(case: Case) -> bool:
    raise MemoryError


@pytest.mark.parametrize(
    ("premise", "part"),
    [
        (endless, "could not be judged within 0.2 s of processor time; --budget gives it more"),
        (hungry, "it is too large to be judged"),
    ],
)
def test_classify_ends_with_its_budget(
    premise: Callable[[Case], bool], part: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    condition = metaeval.conditions()["A.1"]
    readings = {**condition.readings, "canonical": replace(condition.reading("canonical"), premise=premise)}
    monkeypatch.setitem(CONDITIONS._entries, "A.1", replace(condition, readings=readings))
    path = write(pair_of(RAG_BAG))
    assert_one_sentence(run_inside("classify", path, "--budget", "0.2"), path, part)


def test_classify_refuses_more_biclusters_than_are_judged(write: Write) -> None:
    pair = pair_of(RAG_BAG)
    pair["left"]["gold"]["biclusters"] *= 400
    outcome = run_inside("classify", write(pair))
    assert_one_sentence(outcome, "left gold lists", "biclusters; at most 1000 are accepted")


# --- explain


@pytest.mark.parametrize("id", metaeval.conditions())
@pytest.mark.parametrize("columns", [60, 80])
def test_explain_tells_and_draws_every_reading(id: str, columns: int) -> None:
    result = CliRunner(env={"COLUMNS": str(columns)}).invoke(cli.main, ["explain", id])
    assert result.exit_code == 0
    condition = metaeval.conditions()[id]
    flat = " ".join(result.stdout.split())
    assert result.stdout.startswith(f"{id} {condition.name}\n")
    for text in (condition.statement, condition.citation, condition.relation.demand):
        assert text in flat
    for reading in condition.readings.values():
        assert f"Reading: {reading.name} {reading.adds}" in flat
        assert reading.scope in flat
    if (condition.relation.sides, condition.relation.pooled) != (2, False):
        assert result.stdout.count("object") >= len(condition.readings)
    else:
        # In S.3 nothing changes: both sides are the gold itself. What is left out is drawn too.
        drawn = 0 if id == "S.3" else len(condition.readings) + len(condition.excluded)
        assert result.stdout.count("changed:") == drawn
    assert max(map(len, result.stdout.splitlines())) <= columns


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


def test_explain_one_reading() -> None:
    out = run_process("explain", "A.3", "--reading", "literal").out
    assert "Reading: literal" in out
    assert "Reading: canonical" not in out


RESULTS = str(Path(__file__).resolve().parent.parent / "docs" / "results.json")


@pytest.fixture
def certificate(tmp_path: Path) -> str:
    witness = Results.load(RESULTS).cell("mocice", "A.3", "literal").certificate
    assert witness is not None
    (tmp_path / "certificate.json").write_text(json.dumps(witness.to_json()))
    return str(tmp_path / "certificate.json")


def explained_here(*args: str) -> str:
    result = CliRunner(env={"COLUMNS": "80"}).invoke(cli.main, ["explain", *args])
    assert result.exit_code == 0, result.stderr
    return result.stdout.removesuffix("\n")


def test_explain_takes_the_same_things_in_python_and_on_the_command_line(certificate: str) -> None:
    results = Results.load(RESULTS)
    cell = results.cell("mocice", "A.3", "literal")
    holding = results.cell("mocice", "A.3", "canonical")
    assert explained_here("a.3") == metaeval.explain("A.3") == metaeval.explain(metaeval.conditions()["A.3"])
    literal = metaeval.explain("A.3", reading="literal")
    assert explained_here("A.3/Literal") == explained_here("a.3", "--reading", "LITERAL") == literal
    assert (
        explained_here("Mocice") == metaeval.explain("mocice") == metaeval.explain(metaeval.measures()["mocice"])
    )
    named = explained_here("MOCICE/a.3/literal", "--results", RESULTS)
    assert named == metaeval.explain(cell) == metaeval.describe(cell)
    assert named == metaeval.explain("mocice/A.3", reading="literal", results=results)
    assert explained_here("mocice/A.3", "--results", RESULTS) == metaeval.explain(holding)
    assert explained_here(certificate) == metaeval.explain(Path(certificate)) == metaeval.explain(cell.certificate)


def test_a_certificate_by_itself_is_told_like_its_cell_but_for_the_evidence(certificate: str) -> None:
    cell = metaeval.describe(Results.load(RESULTS).cell("mocice", "A.3", "literal"))
    told = explained_here(certificate)
    assert told.splitlines()[:10] == cell.splitlines()[:10]
    assert "\nevidence " in cell
    assert "\nevidence " not in told
    assert told.partition("Reproduce")[2] == cell.partition("Reproduce")[2]


def test_a_measure_is_told_with_its_definition_and_its_source() -> None:
    told = explained_here("rnia")
    measure = metaeval.measures()["rnia"]
    assert told.startswith(f"rnia {measure.name}\n\n{measure.summary}\n")
    assert measure.citation in " ".join(told.split())
    assert "Best score: 1, as a similarity" in told


@pytest.mark.parametrize(
    ("args", "parts"),
    [
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
)
def test_explain_refuses_what_it_does_not_know(args: list[str], parts: list[str]) -> None:
    assert_one_sentence(run_inside("explain", *args), *parts)
