"""The runner: the same results however they are made, files that survive, and nothing left behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec import structs
from tools import as_json, plain, run_process

import metaeval
from metaeval import InputError, Results
from metaeval.cases.sampling import sample_here
from metaeval.core.verdict import Verdict
from metaeval.reports import render
from metaeval.runner.events import Drawn, Event, Gated, GroupDone, Settled, Started
from metaeval.search.gate import gate
from metaeval.search.scorecard import Scorecard

SMALL = {"measures": ["rnia", "ce"], "conditions": ["A.1", "B.2"], "examples": 12, "exhaustive": 2, "effort": 1}
#: Processes of a run carry this in their environment, so that survivors can be found.
MARK = "METAEVAL_TEST_MARK"


def of(results, measure):
    """The cells of a measure, without their seconds."""
    return [cell for cell in plain(results)["cells"] if cell["measure"] == measure]


@pytest.fixture(scope="module")
def small():
    return metaeval.run(**SMALL, jobs=1)


# --- the same seed gives the same results --------------------------------------------------------------
@pytest.fixture(scope="module")
def heard(tmp_path_factory):
    """The same by two processes, with all events and a file."""
    events: list[Event] = []
    out = tmp_path_factory.mktemp("heard") / "results.json"
    return metaeval.run(**SMALL, jobs=2, out=out, listen=events.append), out, events


def test_the_number_of_processes_changes_nothing_and_the_file_is_the_results(small, heard):
    results, out, _ = heard
    assert plain(results) == plain(Results.load(out)) == plain(small)
    assert list(plain(small)) == ["schema", "provenance", "measures", "conditions", "cells"]


def test_the_program_around_it_changes_nothing(small, tmp_path):
    """Under pytest a hundred modules are loaded, from which Hypothesis would take constants."""
    out = tmp_path / "results.json"
    code = f"import metaeval; metaeval.run(**{SMALL!r}, jobs=2, out={str(out)!r})"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "CI": "1"}
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path, env=environment)
    assert plain(json.loads(out.read_text())) == plain(small)
    assert plain(Results.load(out)) == plain(small)
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


def test_other_measures_in_the_run_and_the_order_of_the_request_change_nothing(small):
    more = metaeval.run(**{**SMALL, "measures": ["mocice", "ce", "vi", "rnia"], "conditions": ["B.2", "A.1"]}, jobs=2)
    for cell in small:
        other = more.cell(*cell.key)
        assert {**cell.to_json(), "seconds": 0} == {**other.to_json(), "seconds": 0}


def test_another_seed_draws_other_cases(small):
    assert sample_here(("A.1", "literal"), 40, 0) != sample_here(("A.1", "literal"), 40, 1)
    assert small.provenance["seed"] == 0
    assert metaeval.run(["rnia"], ["B.2"], examples=0, exhaustive=1, seed=1, jobs=1).provenance["seed"] == 1


# --- what is asked for ---------------------------------------------------------------------------------
def test_listeners_hear_how_many_steps_follow_of_every_cell_and_then_of_its_group(heard):
    results, _, events = heard
    started, *others = events
    assert isinstance(started, Started)
    assert started.steps == sum(isinstance(event, (Drawn, Gated, GroupDone)) for event in others)
    cells = [(e.measure.id, e.condition.id, e.reading.name) for e in events if isinstance(e, Settled)]
    assert sorted(cells) == sorted(cell.key for cell in results)
    told = [event.group.id for event in events if isinstance(event, GroupDone)]
    assert sorted(told) == sorted({cell.key[1:] for cell in results})
    for group_id in told:
        done = next(n for n, e in enumerate(events) if isinstance(e, GroupDone) and e.group.id == group_id)
        later = [e for e in events[done:] if isinstance(e, Settled)]
        assert group_id not in [(e.condition.id, e.reading.name) for e in later]


# --- files ---------------------------------------------------------------------------------------------
def test_resuming_with_other_settings_is_refused(tmp_path):
    """Where there is no file to resume, the run starts."""
    out = tmp_path / "results.json"
    options = {"measures": ["rnia"], "conditions": ["B.2"], "examples": 0, "exhaustive": 1, "seed": 3, "jobs": 1}
    metaeval.run(**options, out=out, resume=True)
    assert len(Results.load(out)) == 2
    before = out.read_bytes()
    for setting in ("seed", "examples", "exhaustive"):
        was = options[setting]
        with pytest.raises(InputError, match=rf"{setting} {was}, this run has {was + 1}"):
            metaeval.run(**{**options, setting: was + 1}, out=out, resume=True)
    assert out.read_bytes() == before


def test_resuming_a_whole_file_runs_nothing(tmp_path):
    out = tmp_path / "results.json"
    calls = tmp_path / "calls"

    def noting(candidate, gold):
        with calls.open("a") as file:
            file.write(".")
        return 1.0

    options = {"measures": [noting], "conditions": ["A.1"], "examples": 0, "exhaustive": 2, "jobs": 1, "out": out}
    first = metaeval.run(**options)
    count = calls.stat().st_size
    again = metaeval.run(**options, resume=True)
    assert calls.stat().st_size == count
    assert again.to_json() == first.to_json()


def test_cells_missing_from_a_file_are_added(small, tmp_path):
    """As if the run had been killed after any cell whatever."""
    out = tmp_path / "results.json"
    data = small.to_json()
    data["cells"] = data["cells"][::2]
    out.write_text(json.dumps(data))
    assert plain(metaeval.run(**SMALL, jobs=2, out=out, resume=True)) == plain(small)
    assert plain(Results.load(out)) == plain(small)


# --- killed and interrupted ----------------------------------------------------------------------------

#: Seconds after which a process that does not end counts as hung: a failure, where waiting on would be silence.
PATIENCE = 300

#: The measure waits where the classes differ in their columns, in B.5, until the test has struck.
PROGRAM = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job inherits an ignored one
import metaeval
from metaeval.catalogue.measure import make_measure

def waiting(candidate, gold):
    if len({{cols for _, cols in gold}}) > 1:
        while os.path.exists({gate!r}):
            time.sleep(0.02)
    return metaeval.measures()["rnia"](candidate, gold)

metaeval.run(
    ["rnia", make_measure(waiting, id="waiting")], ["A.1", "A.2", "B.5"], ["canonical"],
    examples=12, exhaustive=3, jobs=2, budget=None, effort=0, proofs=False, out={out!r}, resume="resume" in sys.argv,
)
"""


class Launched:
    """A run in a process of its own, which waits in the middle as long as the file ``gate`` is there."""

    def __init__(self, folder: Path) -> None:
        self.gate, self.out = folder / "gate", folder / "results.json"
        self.gate.touch()
        self.mark = f"{os.getpid()}-{folder.name}-{time.monotonic_ns()}"
        self.program = PROGRAM.format(gate=str(self.gate), out=str(self.out))
        self.process = subprocess.Popen(
            [sys.executable, "-c", self.program], env={**os.environ, MARK: self.mark}, stderr=subprocess.PIPE, text=True
        )

    def wait_for_cells(self) -> None:
        """Until cells are saved and a measure is under way."""
        self._wait_until(
            lambda: self.out.exists() and json.loads(self.out.read_text())["cells"] and len(self.survivors()) > 1
        )
        assert self.process.poll() is None, self.process.stderr.read()

    def _wait_until(self, done) -> None:
        given_up = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < given_up, "what was waited for did not happen"
            time.sleep(0.05)

    def survivors(self) -> list[int]:
        """Processes with our mark, zombies aside."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                marked = f"{MARK}={self.mark}".encode() in (path / "environ").read_bytes().split(b"\0")
                alive = (path / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
            except OSError:
                continue
            if marked and alive:
                found.append(int(path.name))
        return found

    def finish(self) -> None:
        """Wait until every process is gone. Those that draw notice it when they next hand over cases."""
        self.process.wait(PATIENCE)
        self._wait_until(lambda: not self.survivors())

    def resume(self) -> None:
        self.gate.unlink()
        subprocess.run([sys.executable, "-c", self.program, "resume"], check=True)


@pytest.fixture
def started(tmp_path):
    if not Path("/proc/self/environ").exists():
        pytest.skip("needs /proc to find processes")
    run = Launched(tmp_path)
    yield run
    run.gate.unlink(missing_ok=True)
    if run.process.poll() is None:
        run.process.kill()
    run.process.wait()
    run.process.stderr.close()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The same run to its end, which leaves no process behind."""
    run = Launched(tmp_path_factory.mktemp("whole"))
    run.gate.unlink()
    run.process.communicate(timeout=PATIENCE)
    assert run.survivors() == []
    return plain(Results.load(run.out))


def test_a_killed_run_is_resumed_to_the_same_file(started, uninterrupted):
    started.wait_for_cells()
    started.process.kill()
    started.finish()
    half = Results.load(started.out)
    assert 0 < len(half) < len(uninterrupted["cells"])
    # Killed while it saved, the run leaves a file that was to become this one, and others are none of its business.
    leftover = started.out.parent / f".metaeval-{started.out.name}-0123456789abcdef.tmp"
    other = started.out.parent / ".metaeval-other.json-0123456789abcdef.tmp"
    for file in (leftover, other):
        file.write_text("half a fi")
    started.resume()
    assert plain(Results.load(started.out)) == uninterrupted
    assert list(started.out.parent.glob("*.tmp*")) == [other]


def test_an_interrupted_run_leaves_a_whole_file(started, uninterrupted):
    started.wait_for_cells()
    started.process.send_signal(signal.SIGINT)
    _, errors = started.process.communicate(timeout=PATIENCE)
    assert started.process.returncode != 0
    assert "KeyboardInterrupt" in errors
    started.finish()
    half = Results.load(started.out)
    assert 0 < len(half) < len(uninterrupted["cells"])
    whole = {tuple(cell[key] for key in ("measure", "condition", "reading")): cell for cell in uninterrupted["cells"]}
    for cell in plain(half)["cells"]:
        assert cell == whole[tuple(cell[key] for key in ("measure", "condition", "reading"))]


def test_an_interrupt_during_a_fork_is_not_lost():
    program = """
import os, signal
from metaeval.workers.worker import Worker

signal.signal(signal.SIGINT, signal.default_int_handler)
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    Worker(lambda notice: None)
except KeyboardInterrupt:
    print("heard")
signal.raise_signal(signal.SIGINT)  # and it is heard as ever afterwards
"""
    done = run_process(code=program)
    assert done.out == "heard\n"
    assert done.err.endswith("KeyboardInterrupt\n")


def test_a_failing_listener_ends_the_run_and_its_processes(tmp_path):
    def listen(event):
        raise RuntimeError("enough")

    before = children()
    with pytest.raises(RuntimeError, match="enough"):
        metaeval.run(**SMALL, jobs=2, out=tmp_path / "results.json", listen=listen)
    assert children() == before


def children() -> set[int]:
    """The processes that this one has started and not buried."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == os.getpid():
            found.add(int(path.parent.name))
    return found


# --- mistakes of our own -------------------------------------------------------------------------------
def fail_for(measure: str, reading: str):
    """In place of Scorecard.cell: code of ours that fails in one cell."""
    cell = Scorecard.cell

    def fails(card, condition, searched, reduce):
        if (card.measure.id, condition.id, searched.name) == (measure, "A.1", reading):
            raise ZeroDivisionError("planted")
        return cell(card, condition, searched, reduce)

    return fails


@pytest.mark.parametrize("jobs", [1, 8])
def test_a_mistake_of_our_own_in_a_worker_costs_one_cell(small, monkeypatch, jobs):
    monkeypatch.setattr(Scorecard, "cell", fail_for("ce", "canonical"))
    results = metaeval.run(**SMALL, jobs=jobs)
    cell = results.cell("ce", "A.1", "canonical")
    assert cell.verdict is Verdict.ERROR
    assert cell.message == "this cell failed in metaeval itself: ZeroDivisionError: planted"
    assert "Traceback" in cell.fault.trace
    assert 'raise ZeroDivisionError("planted")' in cell.fault.trace
    others = [one for one in plain(small)["cells"] if (one["measure"], one["condition"], one["reading"]) != cell.key]
    assert [one for one in plain(results)["cells"] if one["verdict"] != "error"] == others
    # The file is read again, and the report shows the traceback.
    again = Results.from_json(as_json(results))
    assert again.to_json() == results.to_json()
    assert "ZeroDivisionError: planted" in render(again, "text")
    assert "in fails" in render(again, "text")


def test_a_mistake_of_our_own_at_the_gate_costs_that_measure(small, monkeypatch):
    def gate_or_fail(measure, *rest):
        return 1 / 0 if measure.id == "ce" else gate(measure, *rest)

    monkeypatch.setattr("metaeval.runner.jobs.gate", gate_or_fail)
    results = metaeval.run(**SMALL, jobs=2)
    assert {cell["verdict"] for cell in of(results, "ce")} == {"error"}
    assert "failed in metaeval itself: ZeroDivisionError" in results.measures["ce"].gate
    assert of(results, "rnia") == of(small, "rnia")


def test_what_cannot_be_sent_costs_its_cell(small, monkeypatch):
    cell = Scorecard.cell

    def unsendable(card, *where):
        found = cell(card, *where)
        return structs.replace(found, message=lambda: None) if card.measure.id == "ce" else found

    monkeypatch.setattr(Scorecard, "cell", unsendable)
    results = metaeval.run(**SMALL, jobs=1)
    assert {cell["verdict"] for cell in of(results, "ce")} == {"error"}
    assert all("failed in metaeval itself" in cell["message"] for cell in of(results, "ce"))
    assert of(results, "rnia") == of(small, "rnia")
