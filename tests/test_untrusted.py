"""What a file cannot make us believe, wait for or lose: locks, pipes, contradictions, claims and budgets."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import results_samples as samples
from test_cli import assert_one_sentence, run_inside, run_process
from test_commands import CELL, TINY, Data, Write, cell_of, explained_here

import metaeval
from metaeval import Biclustering, Case, Cell, Results, Side
from metaeval.catalogue.measure import make_measure
from metaeval.files import json_file as locks
from metaeval.files.json_file import locked
from metaeval.records.certificate import Certificate, case_from_json
from metaeval.verification.verify import refuted


# --- where a run saves
def test_run_refuses_to_save_to_what_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    linked = tmp_path / "link"
    linked.symlink_to(pipe)
    for name in (pipe, linked):
        for more in ([], ["--resume"]):
            outcome = run_inside("run", *CELL, *TINY, "--out", str(name), *more)
            assert_one_sentence(outcome, f"--out is {str(name)!r}, a named pipe; expected the name of a file")
    assert_one_sentence(run_inside("check", "ce", *TINY, "--save", str(pipe)), "--save", "a named pipe")
    with pytest.raises(metaeval.InputError, match="is a named pipe"):
        metaeval.run(["ce"], ["A.1"], out=pipe)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_report_goes_to_a_pipe_that_is_read_and_waits_for_no_reader(tmp_path: Path, results_file: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = ["report", str(results_file), "--format", "csv", "--out", str(pipe)]
    assert_one_sentence(run_inside(*command), f"{pipe} cannot be written: nobody reads from it")
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True) as reader:
        descriptor = os.open(pipe, os.O_WRONLY)  # returns when there is a reader
        assert run_inside(*command).code == 0
        os.close(descriptor)
        assert reader.stdout is not None
        assert reader.stdout.read() == run_inside(*command[:-2]).out


def test_the_null_device_is_no_file_and_keeps_nothing() -> None:
    assert run_inside("run", *CELL, *TINY, "--quiet", "--out", os.devnull).code == 0
    assert not list(Path(os.devnull).parent.glob(".metaeval-*"))


HOLDING = """
import os, sys
from metaeval.verification.verify import refuted
from metaeval.files.json_file import locked
from metaeval.catalogue.measure import make_measure
with locked(sys.argv[1]):
    child = os.fork()
    if child == 0:  # as a measure's process, which may outlive a run that is killed
        sys.stdin.read()
        os._exit(0)
    print(child, flush=True)
    sys.stdin.read()
"""


def test_a_second_run_on_one_file_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    args = ["run", *CELL, *TINY, "--out", str(out)]
    command = [sys.executable, "-c", HOLDING, str(out)]
    (tmp_path / "link.json").symlink_to(out)
    with locked(out):  # as beside another of its process
        for name in ("r.json", "link.json"):
            assert_one_sentence(run_inside("run", *CELL, "--out", str(tmp_path / name)), "another run")
    (tmp_path / "link.json").unlink()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        child = int(first.stdout.readline())
        for more in ([], ["--resume"]):
            outcome = run_inside(*args, *more)
            assert_one_sentence(outcome, f"{out} is being written by another run", "give another file")
        assert not out.exists()
        first.kill()
        first.wait()
        os.kill(child, 0)  # it still lives, and holds nothing
        assert run_inside(*args, "--resume").code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]


def test_without_locks_of_the_system_a_file_beside_it_stands_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "fcntl", None)
    out = tmp_path / "r.json"
    with locked(out):
        assert [path.name for path in tmp_path.iterdir()] == [".metaeval-r.json.lock"]
    assert not list(tmp_path.iterdir())
    (tmp_path / ".metaeval-r.json.lock").touch()
    assert_one_sentence(run_inside("run", *CELL, "--out", str(out)), "r.json.lock", "remove it")


# --- files that contradict themselves
def put(place: str, value: Any) -> Callable[[Data], None]:
    """Sets what is at a place in the first cell, or in the file where it begins with a slash."""

    def change(data: Data) -> None:
        *path, last = place.lstrip("/").split(".")
        at = data if place.startswith("/") else cell_of(data, "ce")
        for key in path:
            at = at[key]
        at[last] = value

    return change


CONTRADICTIONS = {
    "negative cases": (put("cases", -1), '"cases" of cell 1 (ce A.1 canonical) must be a whole number from 0 up'),
    "negative violations": (put("violations", -3), "whole number from 0 up, not -3"),
    "more violations than cases": (put("violations", 10**6), "expected no more violations than cases"),
    "exhaustive beyond all": (put("exhaustive", {"objects": 4, "cases": 10**6}), "cases exhaustively, of"),
    "seconds no number": (put("seconds", "x"), "(ce A.1 canonical) must be a number, not 'x'"),
    "seconds before the start": (put("seconds", -1), "must be a number from 0 up, not -1"),
    "violated without violations": (put("violations", 0), "is violated, and no case violates it"),
    "holds with violations": (put("verdict", "holds"), "has the verdict holds, and "),
    "unknown verdict": (put("verdict", "proven"), "'proven'; expected one of"),
    "reached below 0": (put("reached", {"objects": -1}), '"objects" of "reached" of cell 1'),
    "reached no number": (put("reached", {"objects": "many"}), "must be a whole number, not 'many'"),
    "reached no object": (put("reached", 40), '"reached" of cell 1'),
    "another schema": (put("/schema", "metaeval.results/2"), "'metaeval.results/2'"),
    "no schema": (put("/schema", None), "None"),
    "version no text": (put("/provenance.version", 1), '"version" of its provenance must be a string, not 1'),
    "seed no number": (put("/provenance.seed", True), '"seed" of its provenance must be a whole number, not True'),
    "examples below 0": (put("/provenance.examples", -5), '"examples" of its provenance must be a whole number'),
    "nested provenance": (put("/provenance.more", {"a": 1}), "must be a plain value"),
    "a cell twice": (lambda data: data["cells"].append(data["cells"][0]), "a second answer for ce A.1 canonical"),
}


@pytest.mark.parametrize(("change", "part"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_file_that_no_run_has_written_is_refused_everywhere(
    change: Callable[[Data], None], part: str, data: Data, write: Write
) -> None:
    change(data)
    path = write(data)
    before = Path(path).read_text()
    for command in (
        ["verify", path],
        ["run", *CELL, *TINY, "--out", path, "--resume"],
        ["report", path, "--format", "text"],
        ["diff", path, path],
    ):
        assert_one_sentence(run_inside(*command), path, part)
    assert Path(path).read_text() == before


@pytest.mark.parametrize(("change", "part"), [
    (put("certificate", None), "has the verdict violated and no certificate"),
    (put("certificate.reading", "literal"), "has a certificate of the reading 'literal'"),
    (put("certificate.schema", "metaeval.certificate/2"), "'metaeval.certificate/2'"),
    (put("proof", "trust me"), "the proof of cell 1"),
    (put("proof", {"schema": "x"}), "'x'; expected 'metaeval.proof/2'"),
])  # fmt: skip
def test_a_violated_cell_is_resumed_with_its_certificate_alone(
    change: Callable[[Data], None], part: str, data: Data, write: Write
) -> None:
    """`verify` counts such evidence among the refused; whoever goes on from the file refuses the file."""
    change(data)
    path = write(data)
    assert_one_sentence(run_inside("run", *CELL, *TINY, "--out", path, "--resume"), path, part)
    assert run_inside("verify", path).code == 1


def test_how_far_a_search_went_and_a_proof_are_kept(data: Data) -> None:
    """Whoever saves a file again must not lose what others wrote into it."""
    cell = cell_of(data, "mocice")
    cell |= {
        "verdict": "proved",
        "reached": {"objects": 400, "biclusters": 64, "features": 0},
        "proof": samples.proof("mocice", "A.1"),
    }
    assert Cell.from_json(cell).to_json() == cell
    assert cell in Results.from_json(data).to_json()["cells"]
    assert not {"reached", "proof"} & set(Cell.from_json(cell_of(data, "ce")).to_json())


# --- what verify re-checks
def test_verify_refuses_an_inflated_case_that_is_called_minimal(data: Data, write: Write) -> None:
    certificate = cell_of(data, "ce")["certificate"]
    assert certificate["minimal"] == {"objects": 3, "certified": True}
    for side in ("left", "right"):
        for role in ("candidate", "gold"):
            family = certificate[side][role]
            family["shape"][0] = 4
            family["biclusters"].append({"rows": [3], "cols": [0]})
    case = case_from_json(certificate)
    for side, pair in zip(("left", "right"), case, strict=True):
        score = metaeval.score("ce", *pair, exact=True)
        certificate["scores"][side] = {"float": float(score), "exact": str(score)}
    certificate["minimal"]["objects"] = 4
    outcome = run_inside("verify", write(certificate))
    assert (outcome.code, outcome.err) == (1, "")
    assert "its 4 objects are called the fewest, and there is a counterexample with 3" in outcome.out
    certificate["minimal"]["certified"] = False
    assert run_inside("verify", write(certificate)).code == 0


def test_verify_tries_what_is_said_to_hold(data: Data, write: Write) -> None:
    """A violated cell that was made to hold by hand: its bound says that it does in all cases up to 3 objects."""
    cell = cell_of(data, "ce")
    assert cell["exhaustive"]["objects"] == 3
    cell |= {"verdict": "holds", "violations": 0, "certificate": None}
    outcome = run_inside("verify", write(data))
    assert (outcome.code, outcome.err) == (1, "")
    lines = outcome.out.splitlines()
    assert "REFUSED  ce A.1 canonical  it is said to hold in all cases up to 3 objects, and one with" in lines[-2]
    assert lines[-1] == "1 certificate, all hold; but 1 cell is said to hold and does not"
    told = json.loads(run_inside("verify", write(data), "--json").out)
    assert [one["place"] for one in told if one["refusal"]] == ["ce A.1 canonical"]
    # What is said of no case, or of nobody here, is not tried.
    cell["exhaustive"] = None
    assert run_inside("verify", write(data)).code == 0
    cell |= {"measure": "mine", "exhaustive": {"objects": 3, "cases": 5}}
    data["measures"]["mine"] = data["measures"]["ce"]
    assert run_inside("verify", write(data)).code == 0


def test_trying_what_holds_ends_with_its_budget(data: Data) -> None:
    def endless(candidate: Any, gold: Any) -> float:
        while True:
            pass

    own = {id: make_measure(endless, id=id) for id in ("ce", "mocice")}
    assert list(refuted(data, own, 0.2)) == []


@cache
def tangled(biclusters: int, objects: int) -> Certificate:
    """Recall does not see an object more in the candidate: B.1 is broken among as many biclusters as one likes."""
    draw = Random(11)

    def family() -> list[tuple[list[int], list[int]]]:
        return [(draw.sample(range(objects), 20), draw.sample(range(objects), 20)) for _ in range(biclusters)]

    shape = (objects + 1, objects)
    gold, found = Biclustering(family(), shape), family()
    more = Biclustering([*found, ([objects], [0])], shape)
    case = Case(Side(more, gold), Side(Biclustering(found, shape), gold))
    measure = metaeval.measures()["mocice-recall"]
    scores = measure.value(*case.left), measure.value(*case.right)
    return Certificate.of(measure, metaeval.conditions()["B.1"], "overlapping", case, scores, certified=False)


def test_verify_rechecks_forty_and_forty_biclusters_over_each_other(write: Write) -> None:
    """Within the budget that every certificate has. Pair by pair, its scores take minutes."""
    certificate = tangled(40, 40).to_json()
    path = write(certificate)
    assert Path(path).stat().st_size > 30_000
    assert run_process("verify", path) == (  # a new process: this one knows the scores already
        0,
        "ok  mocice-recall B.1 overlapping  41 objects\n1 certificate, all hold\n",
        "",
    )
    numerator, _, denominator = certificate["scores"]["left"]["exact"].partition("/")
    certificate["scores"]["left"]["exact"] = f"{int(numerator) + 1}/{denominator}"
    refused = run_inside("verify", write(certificate))
    assert refused.code == 1
    assert "REFUSED  mocice-recall B.1 overlapping  the left scores" in refused.out


def test_verify_stops_where_its_budget_ends_and_refuses_what_is_larger(write: Write) -> None:
    path = write(tangled(40, 40).to_json())
    outcome = run_process("verify", path, "--budget", "0.01")
    assert outcome.code == 1
    assert "could not be re-checked within 0.01 s of processor time; --budget gives it more" in outcome.out
    certificate = json.loads(Path(path).read_text())
    for side in ("left", "right"):
        certificate[side]["gold"]["biclusters"] *= 30
    outcome = run_inside("verify", write(certificate))
    assert (outcome.code, outcome.err) == (1, "")
    assert "left gold lists 1200 biclusters; at most 1000 are accepted" in outcome.out


def test_verify_says_how_to_give_a_measure_of_ones_own(write: Write, data: Data, tmp_path: Path) -> None:
    file = write("def mine(candidate, gold):\n    return float(candidate == gold)\n", "own.py")
    out = tmp_path / "own.json"
    chosen = ["--condition", "A.1", "--reading", "canonical"]
    assert run_inside("run", "--measure", f"{file}:mine", *chosen, *TINY, "--quiet", "--out", str(out)).code == 0
    alone = run_inside("verify", str(out))
    assert alone.code == 1
    assert f"no measure 'mine' is registered; give your own with --target {file}:mine" in alone.out
    assert run_inside("verify", str(out), "--target", f"{file}:mine").code == 0
    certificate = {**cell_of(data, "ce")["certificate"], "measure": "nobody"}
    unknown = run_inside("verify", write(certificate))
    assert "no measure 'nobody' is registered; give your own with --target path/to/file.py:function" in unknown.out
    told = explained_here("mine/A.1/canonical", "--results", str(out))
    assert f"metaeval check {file}:mine --condition A.1 --reading canonical" in told
    assert f"mine = runpy.run_path('{file}')['mine']" in told


def test_verify_and_explain_know_the_options_of_a_plain_function(data: Data, write: Write) -> None:
    data["measures"] = {"mine": {**data["measures"]["ce"], "target": "own.py:mine --best 0\x1b"}}
    cell = cell_of(data, "ce")
    data["cells"] = [{**cell, "measure": "mine", "certificate": {**cell["certificate"], "measure": "mine"}}]
    path = write(data)
    said = run_inside("verify", path).out
    assert "--target own.py:mine --best" in said
    assert "\x1b" not in said
    told = explained_here("mine/A.1/canonical", "--results", path)
    assert "metaeval check own.py:mine --condition A.1 --reading canonical --examples" in told
    assert " --best " in told


def test_a_file_of_a_version_that_cannot_be_known_is_not_verified_or_resumed(data: Data, write: Write) -> None:
    for version in ("99.0", "0.1.1", "newest", "", ["0.1.0", "7"]):
        data["provenance"]["version"] = version
        path = write(data)
        stated = version[-1] if isinstance(version, list) else version
        assert_one_sentence(run_inside("verify", path), path, f"{stated!r}", f"up to {metaeval.__version__}")
        outcome = run_inside("run", *CELL, *TINY, "--out", path, "--resume")
        assert_one_sentence(outcome, path, f"was made with version {version!r}")
    for version in (metaeval.__version__, "0.0.9", None, [metaeval.__version__, "0.0.1"]):
        data["provenance"]["version"] = version
        if version is None:
            del data["provenance"]["version"]
        assert run_inside("verify", write(data)).code == 0
