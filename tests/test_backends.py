"""Backends: the same results from this machine and from a cluster, whatever happens to its workers."""

import importlib
import json
import os
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from tools import as_json, plain, run_inside, words

import metaeval
from metaeval import Cell, InputError, MetaevalError, Results
from metaeval.catalogue.measure import make_measure
from metaeval.core.settings import Settings
from metaeval.core.verdict import Verdict
from metaeval.runner import dask as parcels
from metaeval.runner.events import GroupDone, Restarted, Settled
from metaeval.runner.jobs import Gating, ReadingSearch, SearchJob
from metaeval.search.gate import PANEL, Passage, extremes
from metaeval.workers.worker import Died, Finished, Hung, PartialResult

#: Seconds after which what does not happen counts as hung: a failure, where waiting on would be silence.
PATIENCE = 300
#: As `--quick` asks for, whose cases come with the package.
PROVED = {"conditions": ["A.1", "B.2"], "readings": ["canonical"], "examples": 20, "exhaustive": 3, "effort": 0}
SMALL = {**PROVED, "proofs": False}
FEWEST = {**SMALL, "conditions": ["B.2"], "examples": 0, "exhaustive": 1}
LOST = Died(None, "went down with its worker")


def wait_until(done) -> None:
    given_up = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < given_up, "what was waited for did not happen"
        time.sleep(0.02)


#: The matrices of the gate, which is on this machine whatever the backend.
OF_THE_GATE = {side.gold.shape for side in (*PANEL, *extremes("biclusterings"))}


def is_small(biclustering) -> bool:
    """As only a biclustering of a search is, and none of the gate."""
    return biclustering.shape[0] < 4 and biclustering.shape not in OF_THE_GATE


# --- a cluster -----------------------------------------------------------------------------------------
class Cluster:
    """A scheduler and the processes of its workers, on this machine's loopback."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._folder, self._processes = folder, []
        file = folder / "scheduler.json"
        self._start("scheduler", "--port", "0", "--no-show", "--no-dashboard", "--scheduler-file", str(file))
        wait_until(lambda: file.exists() and file.read_text().strip().endswith("}"))
        self.address = json.loads(file.read_text())["address"]
        if workers:
            self.start_workers("--nworkers", str(workers))

    def start_workers(self, *options: str) -> None:
        self._start("worker", self.address, "--nthreads", "1", "--memory-limit", "0", "--no-dashboard", *options)

    def _start(self, what: str, *options: str) -> None:
        command = [sys.executable, "-m", "dask", what, "--host", "127.0.0.1", *options]
        log = (self._folder / f"{what}.log").open("w")
        with log:
            self._processes.append(subprocess.Popen(command, cwd=self._folder, stdout=log, stderr=log))

    def kill_workers(self) -> None:
        """Kill what started the workers and would start them again; they end with it."""
        self._processes[-1].kill()

    def close(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait(PATIENCE)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), workers=2)
    yield cluster
    cluster.close()


@pytest.fixture
def on_dask(cluster) -> dict[str, str]:
    return {"backend": "dask", "address": cluster.address}


# --- the same results ----------------------------------------------------------------------------------
def of_this_file(candidate, gold):
    """Of this file, which the workers do not have."""
    return float(len(candidate) == len(gold))


def test_the_backend_changes_nothing(on_dask, tmp_path):
    """A registered measure, one that is proved, one registered here, and a function that no worker could import."""

    def mine(candidate, gold):
        return of_this_file(candidate, gold)

    @metaeval.measure("registered-here")
    def registered_here(candidate, gold):
        return metaeval.score("rnia", candidate, gold, exact=True)

    try:
        chosen, out = ["ce", "bcubed", registered_here, mine], tmp_path / "there.json"
        whole = metaeval.run(chosen, **PROVED, jobs=2)
        assert {cell.verdict for cell in whole if cell.measure == "bcubed"} >= {Verdict.PROVED}
        assert plain(metaeval.run(chosen, **PROVED, **on_dask)) == plain(whole)
        # A file of one backend is resumed by the other.
        metaeval.run(["ce"], **PROVED, jobs=1, out=out)
        metaeval.run(chosen, **PROVED, **on_dask, out=out, resume=True)
        assert plain(out) == plain(whole)
    finally:
        metaeval.forget("registered-here")


# --- workers and processes that are lost ---------------------------------------------------------------
OWN = """
import functools, metaeval
def overlap(labels_true, labels_pred): return helper(labels_true, labels_pred)
def helper(one, other): return float((one == other).mean())
adapted = metaeval.adapters.labels(overlap)
def scaled(candidate, gold, factor): return factor * (len(candidate) == len(gold))
half = functools.partial(scaled, factor=0.5)
lone = lambda candidate, gold: float(len(candidate))
"""


def test_the_measures_of_a_file_are_sent_to_the_cluster(on_dask, tmp_path):
    file = tmp_path / "own.py"
    file.write_text(OWN)
    chosen = words("--measure", [f"{file}:{name}" for name in ("adapted", "half", "lone")])
    chosen += ["--condition", "A.1", "--reading", "canonical", "--examples", "0", "--exhaustive", "2", "--quiet"]
    found = []
    for backend in ([], ["--backend", "dask", "--address", on_dask["address"]]):
        done = run_inside("run", *chosen, *backend, "--no-proofs", "--out", str(tmp_path / "out"))
        assert (done.code, done.err) == (0, "")
        found.append(plain(tmp_path / "out"))
    assert found[0] == found[1]
    assert set(found[0]["measures"]) == {"overlap", "scaled", "lone"}


def test_a_worker_killed_in_mid_run_loses_nothing(on_dask, tmp_path):
    note = tmp_path / "worker"

    def waiting(candidate, gold):
        if is_small(gold) and not note.exists():
            note.with_suffix(".new").write_text(str(os.getppid()))
            note.with_suffix(".new").rename(note)
            time.sleep(PATIENCE)
        return metaeval.score("rnia", candidate, gold, exact=True)

    def kill() -> None:
        wait_until(note.exists)
        os.kill(int(note.read_text()), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    there = metaeval.run(["ce", waiting], **SMALL, **on_dask, budget=None)
    killer.join()
    assert {cell.verdict for cell in there} <= {Verdict.HOLDS, Verdict.VIOLATED}
    assert plain(metaeval.run(["ce", waiting], **SMALL, jobs=1)) == plain(there)


def dies(candidate, gold):
    return os._exit(3) if is_small(gold) else metaeval.score("rnia", candidate, gold)


def hangs(candidate, gold):
    while is_small(gold):
        pass
    return metaeval.score("rnia", candidate, gold)


def kills_its_parent(candidate, gold):
    if is_small(gold):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(PATIENCE)
    return metaeval.score("rnia", candidate, gold)


def test_a_measure_that_misbehaves_costs_its_own_cell(on_dask):
    where = {**FEWEST, "exhaustive": 2}
    there = metaeval.run(["rnia", dies, hangs, kills_its_parent, "ce"], **where, **on_dask, budget=1.0)
    found = {cell.measure: (cell.verdict, cell.message) for cell in there}
    assert found["dies"] == (Verdict.ERROR, "its process was lost on a case: ended with exit code 3")
    assert found["hangs"] == (Verdict.TIMEOUT, "it gave no answer on a case within 1 s")
    lost = "went down with its worker"
    assert found["kills-its-parent"] == (Verdict.ERROR, f"its process was lost on a case: {lost}")
    here = metaeval.run(["rnia", "ce"], **where, jobs=1)
    assert plain([as_json(cell) for cell in here]) == plain([as_json(there.cell(*cell.key)) for cell in here])


#: The measure notes its process and waits, on a matrix that the gate has not, until the test has struck.
PROGRAM = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job inherits an ignored one
import metaeval

def waiting(candidate, gold):
    if gold.shape[0] < 4 and gold.shape not in {known!r} and os.path.exists({gate!r}):
        with open({note!r}, "w") as file:
            file.write(f"{{os.getpid()}} ")
        time.sleep({patience})
    return metaeval.score("rnia", candidate, gold, exact=True)

metaeval.run(
    ["ce", waiting], ["A.1", "B.2"], ["canonical"], examples=0, exhaustive=2, effort=0, budget=None, proofs=False,
    out={out!r},
    **({{"resume": True}} if "resume" in sys.argv else {{"backend": "dask", "address": {address!r}}}),
)
"""


@pytest.mark.parametrize("strike", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_the_cluster_stops_when_its_client_is_stopped(cluster, tmp_path, strike):
    gate, note, out = tmp_path / "gate", tmp_path / "note", tmp_path / "results.json"
    gate.touch()
    names = {"gate": str(gate), "note": str(note), "out": str(out), "address": cluster.address}
    program = [sys.executable, "-c", PROGRAM.format(**names, known=OF_THE_GATE, patience=PATIENCE)]
    with subprocess.Popen(program, stderr=subprocess.PIPE, text=True) as run:
        wait_until(lambda: run.poll() is not None or (note.exists() and note.read_text().endswith(" ")))
        run.send_signal(strike)
        _, errors = run.communicate(timeout=PATIENCE)
    assert run.returncode != 0
    assert errors.endswith("KeyboardInterrupt\n" if strike is signal.SIGINT else "")
    wait_until(lambda: not Path(f"/proc/{note.read_text().strip()}").exists())
    assert len(Results.load(out)) < 4
    gate.unlink()
    subprocess.run([*program, "resume"], check=True)
    assert [cell.verdict for cell in Results.load(out)].count(Verdict.VIOLATED) > 0
    assert len(Results.load(out)) == 4


# --- what follows from how a job ends ------------------------------------------------------------------
SEARCH = ReadingSearch(("B.2", "canonical"), ("rnia", "ce", "vi"), b"", Settings())
HOLDS = Cell("rnia", "B.2", "canonical", Verdict.HOLDS)


def told(events):
    return [event.measure.id if isinstance(event, Settled) else type(event) for event in events]


def test_a_group_lost_twice_goes_on_one_measure_at_a_time():
    events, job = SEARCH.outcome(LOST)
    assert (events, job) == ([], replace(SEARCH, lost_before=True))
    events, job = job.outcome(LOST)
    assert (events, job.subjects, job.apart, job.lost_before) == ([], ("rnia",), ("ce", "vi"), False)
    events, job = job.outcome(Finished([HOLDS]))
    assert (told(events), job.subjects) == (["rnia", Restarted], ("ce",))
    events, job = job.outcome(LOST)
    assert (events, job.subjects, job.lost_before) == ([], ("ce",), True)
    events, job = job.outcome(LOST)
    assert events[0].cell.verdict is Verdict.ERROR
    assert (told(events), job.subjects, job.lost_before) == (["ce", Restarted], ("vi",), False)
    events, job = job.outcome(Hung(0))
    assert (told(events), job) == (["vi", GroupDone], None)


OVERLAPPING = replace(SEARCH, group_key=("B.2", "overlapping"))
IN_TURN = SearchJob((SEARCH, OVERLAPPING))


def test_what_a_job_told_is_settled_whatever_becomes_of_it():
    events, job = IN_TURN.outcome(PartialResult(0, [HOLDS] * 3))
    assert (told(events), job) == (["rnia", "ce", "vi", GroupDone], None)
    assert {event.reading.name for event in events if isinstance(event, Settled)} == {"canonical"}
    # It dies in the second group, in the hands of the second measure: once more, to learn on which input.
    died = Died(1, "was killed by SIGSEGV", told=1)
    assert IN_TURN.outcome(died) == ([], SearchJob((replace(OVERLAPPING, lost=died),)))
    # It hangs there: the group goes on without it.
    events, job = IN_TURN.outcome(Hung(1, told=1))
    assert (told(events), job) == (["ce", Restarted], SearchJob((replace(OVERLAPPING, subjects=("rnia", "vi")),)))
    assert events[0].reading.name == "overlapping"
    assert IN_TURN.outcome(Finished(None)) == ([], None)
    assert IN_TURN.outcome(Died(None, "was killed", told=2)) == ([], None)
    # Groups that were not begun go on together.
    events, job = IN_TURN.outcome(Hung(0))
    rest = replace(SEARCH, subjects=("ce", "vi"))
    assert (told(events), job) == (["rnia", Restarted], SearchJob((rest, OVERLAPPING)))
    events, job = SearchJob((replace(SEARCH, subjects=("ce",)), OVERLAPPING)).outcome(Hung(0))
    assert (told(events), job) == (["ce", GroupDone], SearchJob((OVERLAPPING,)))


def test_a_gate_lost_once_is_tried_again():
    gate = Gating("rnia", 1.0)
    events, again = gate.outcome(LOST)
    assert (events, again) == ([], replace(gate, lost_before=True))
    # It may have been an extreme input, without which the measure can still be judged.
    events, on_plain_inputs = again.outcome(LOST)
    assert (events, on_plain_inputs.tripped.check) == ([], "survives")
    (event,), successor = on_plain_inputs.outcome(LOST)
    assert (event.failure.check, successor) == ("survives", None)
    # One that dies in the measure's own hands on a plain input is not.
    (event,), successor = gate.outcome(Died(0, "was killed by SIGSEGV", PANEL[0]))
    assert (event.failure.message, successor) == ("its process was killed by SIGSEGV", None)
    # One that trips on an extreme input goes on without.
    extreme = extremes("biclusterings")[0]
    events, on_plain_inputs = gate.outcome(Hung(0, extreme))
    assert (events, on_plain_inputs.tripped.verdict) == ([], Verdict.TIMEOUT)
    (event,), successor = on_plain_inputs.outcome(Finished((Passage(remark=on_plain_inputs.tripped), 0.1, None)))
    assert (event.failure, event.remark, successor) == (None, on_plain_inputs.tripped, None)
    # Where plain inputs fare no better, the extreme one is the smallest.
    (event,), successor = on_plain_inputs.outcome(Hung(0, PANEL[0]))
    assert event.failure.diagnosis.side == extreme


# --- what is refused -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("options", "says"), [
    ({"backend": "slurm"}, "backend is 'slurm'; expected one of local, dask"),
    ({"address": "tcp://127.0.0.1:1"}, "'tcp://127.0.0.1:1' is for the backend dask"),
    ({"backend": "dask"}, "needs the address of a scheduler"),
    ({"backend": "dask", "address": "nonsense://x"}, "no address of a Dask scheduler"),
    ({"backend": "dask", "address": "tcp://127.0.0.1:1"}, r"no Dask scheduler answers at tcp://127.0.0.1:1"),
    ({"backend": "dask", "address": "without the extra"}, r"pip install 'metaeval\[dask\]'"),
])  # fmt: skip
def test_bad_requests_are_named(options, says, monkeypatch, tmp_path):
    monkeypatch.setattr("metaeval.runner.dask.CONNECT", 0.5)
    if "extra" in options.get("address", ""):
        monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=says):
        metaeval.run(["rnia"], **SMALL, **options, out=tmp_path / "results.json")
    assert list(tmp_path.iterdir()) == []


def test_a_scheduler_without_workers_that_will_do_is_named(tmp_path, monkeypatch):
    """One that has none, one whose last worker is gone, and one whose worker cannot load metaeval."""
    monkeypatch.setattr("metaeval.runner.dask.PATIENCE", 1)
    monkeypatch.setattr("metaeval.runner.dask.CONNECT", 1)
    cluster, note = Cluster(tmp_path, workers=0), tmp_path / "begun"
    there = {"backend": "dask", "address": cluster.address}

    def waiting(candidate, gold):
        if is_small(gold):
            note.touch()
            time.sleep(PATIENCE)
        return metaeval.score("rnia", candidate, gold, exact=True)

    def strike() -> None:
        wait_until(note.exists)
        cluster.kill_workers()

    try:
        with pytest.raises(InputError, match=rf"{cluster.address} has no worker; start one with `dask worker"):
            metaeval.run(["rnia"], **SMALL, **there)
        monkeypatch.setattr("metaeval.runner.dask.CONNECT", PATIENCE)
        cluster.start_workers("--nworkers", "1")
        striker = threading.Thread(target=strike)
        striker.start()
        with pytest.raises(MetaevalError, match=rf"{cluster.address} has had no worker for 1 s; with --resume"):
            metaeval.run([waiting], **SMALL, **there, budget=None)
        striker.join()
        cluster.start_workers("--no-nanny", "--preload", "import sys; sys.modules['metaeval'] = None")
        with pytest.raises(InputError, match=rf"workers at {cluster.address} cannot load metaeval \d"):
            metaeval.run(["rnia"], **SMALL, **there)
    finally:
        cluster.close()


@pytest.mark.parametrize(("other", "says"), [
    ({"numpy": "0.1"}, r"has numpy \d.*, this machine has 0\.1; install the same version there"),
    ({"files": "0"}, r"has other files of metaeval .* than this machine"),
])  # fmt: skip
def test_workers_that_would_find_other_results_are_refused(on_dask, monkeypatch, other, says):
    mine = replace(parcels.Installation.here(), **other)
    monkeypatch.setattr(parcels.Installation, "here", lambda: mine)
    with pytest.raises(InputError, match=rf"the Dask worker at tcp://127\.0\.0\.1:\d+ {says}"):
        metaeval.run(["rnia"], **SMALL, **on_dask)


def test_a_measure_that_cannot_be_sent_or_loaded_is_named(on_dask, monkeypatch):
    lock = threading.Lock()

    def locked(candidate, gold):
        with lock:
            return 1.0

    package = ModuleType("only_here")
    package.__file__ = sysconfig.get_path("purelib") + "/only_here.py"
    exec("def score(candidate, gold): return 1.0", vars(package))
    monkeypatch.setitem(sys.modules, "only_here", package)
    lacking = make_measure(importlib.import_module("only_here").score, id="only-here")
    with pytest.raises(InputError, match=r"locked cannot be sent to another machine: .*lock"):
        metaeval.run([locked], **SMALL, **on_dask)
    with pytest.raises(InputError, match=r"cannot load the measure only-here: .*No module named 'only_here'"):
        metaeval.run([lacking], **SMALL, **on_dask)
