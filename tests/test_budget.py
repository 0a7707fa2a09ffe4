"""Budgets: a measure's own processor time counts, and what else the machine does counts for nothing."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
import zoo

import metaeval
from metaeval.core.verdict import Verdict
from metaeval.workers import worker as isolation
from metaeval.workers.budget import PATIENCE, Meter, is_spent, now, processor_time_of
from metaeval.workers.worker import Watch

BUDGET = 0.5
OPTIONS = {"conditions": ["B.2"], "readings": ["canonical"], "examples": 0, "exhaustive": 2, "jobs": 1, "effort": 0,
           "proofs": False}  # fmt: skip

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


def is_small(biclustering):
    return biclustering.shape[0] < 4


def verdict_of(measure, budget=BUDGET):
    (cell,) = metaeval.check(measure, **OPTIONS, budget=budget)
    return cell


def spend(seconds):
    """Keep the processor busy for so many seconds of its time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


# --- what is stopped -----------------------------------------------------------------------------------
def on_small(do):
    """A sound measure that does this first, on what the gate has not."""

    def measure(candidate, gold):
        if is_small(gold):
            do()
        return zoo.sound(candidate, gold)

    return measure


@pytest.mark.parametrize("wait", [spend, time.sleep], ids=["spins", "sleeps"])
def test_a_call_without_an_end_is_stopped(wait):
    start = time.monotonic()
    cell = verdict_of(on_small(lambda: wait(300)))
    assert cell.verdict is Verdict.TIMEOUT
    assert cell.message == f"it gave no answer on a case within {BUDGET:g} s"
    assert time.monotonic() - start > (BUDGET if wait is spend else PATIENCE * BUDGET)


def test_calls_that_spend_the_budget_between_them_are_stopped():
    cell = verdict_of(on_small(lambda: spend(BUDGET / 5)))
    assert cell.verdict is Verdict.TIMEOUT
    assert cell.message == f"stopped after {BUDGET:g} s: {cell.cases} cases tried"
    # Two calls a case: the fifth call spends the budget, in the middle of the third case.
    assert cell.cases == 2
    assert BUDGET < cell.seconds < 2 * BUDGET


def test_calls_that_sleep_are_given_more_time_and_then_stopped():
    start = time.monotonic()
    cell = verdict_of(on_small(lambda: time.sleep(BUDGET / 5)))
    assert cell.verdict is Verdict.TIMEOUT
    assert cell.message.startswith(f"stopped after {BUDGET:g} s")
    assert time.monotonic() - start > PATIENCE * BUDGET
    # A case has at least one side that was not scored before.
    assert 0 < cell.cases <= PATIENCE * 5 + 1
    assert cell.seconds < BUDGET


# --- what is not ---------------------------------------------------------------------------------------
@needs_proc
@pytest.mark.parametrize("at_the_gate", [False, True], ids=["on a case", "at the gate"])
def test_a_process_that_is_frozen_for_longer_than_the_budget_keeps_its_verdict(tmp_path, at_the_gate):
    budget, pause = 1.0, 1.5  # enough below the limit of wall time that a busy machine does not reach it
    note = tmp_path / "pid"

    def frozen(candidate, gold):
        if is_small(gold) != at_the_gate and not note.exists():
            note.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGSTOP)
        return zoo.sound(candidate, gold)

    thaw = f"until [ -s {note} ]; do sleep 0.05; done; sleep {pause}; kill -CONT $(cat {note})"
    start = time.monotonic()
    with subprocess.Popen(["sh", "-c", thaw]):
        cell = verdict_of(frozen, budget)
    assert time.monotonic() - start > pause
    assert note.exists()
    assert cell.verdict is Verdict.HOLDS
    assert cell.message is None
    assert cell.seconds < budget


def test_without_a_budget_nothing_is_stopped():
    assert verdict_of(on_small(lambda: spend(0.001)), budget=None).verdict is Verdict.HOLDS


# --- the meter and the watch ---------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("budget", "processor", "wall", "spent"),
    [(None, 1e9, 1e9, False), (1.0, 0.9, 3.9, False), (1.0, 1.1, 1.1, True), (1.0, 0.0, PATIENCE + 0.1, True)],
)
def test_when_a_budget_is_spent(budget, processor, wall, spent):
    assert is_spent(budget, processor, wall) is spent


def test_a_meter_tells_sleep_from_work():
    meter = Meter(None)
    start = now()
    time.sleep(0.2)
    meter.add_since(start)
    assert meter.processor < 0.1
    assert meter.wall >= 0.2
    start = now()
    spend(0.1)
    meter.add_since(start)
    assert 0.1 <= meter.processor < 0.2


@needs_proc
def test_the_processor_time_of_a_process_is_the_one_it_has_itself():
    spend(0.05)
    told = processor_time_of(os.getpid())
    assert told is not None
    assert abs(told - time.process_time()) < 0.1
    assert processor_time_of(2**30) is None


@needs_proc
def test_a_watch_goes_by_processor_time_where_the_system_tells_it(monkeypatch):
    watch, budget = Watch(), 0.5
    assert watch.hung(os.getpid(), budget) is None
    watch(3)
    time.sleep(budget + 0.1)
    assert watch.hung(os.getpid(), budget) is None
    monkeypatch.setattr(isolation, "processor_time_of", lambda pid: None)
    assert watch.hung(os.getpid(), budget) == 3
    watch(None)
    assert watch.hung(os.getpid(), budget) is None
