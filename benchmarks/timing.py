"""The cost of a call in time, and of a process in memory."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inputs import Labels, Pair, sides

import metaeval
from metaeval.kernel.overlay import forget_overlays

Call = Callable[[], object]

#: A call that takes longer than this many seconds is not repeated.
LONG = 5
#: The most rounds; enough even for a call of some microseconds.
ROUNDS = 1_000


@dataclass
class Cost:
    """Seconds of processor time and of wall time, and the value that the call returned."""

    processor: float = 0.0
    wall: float = 0.0
    value: object = None


def seconds(call: Call, least: float = 0.2) -> Cost:
    """The cost of a call: the best of at least two rounds, unless the first one is long."""
    first = best = _once(call)
    spent, rounds = first.processor, 1
    while first.processor < LONG and (rounds < 2 or (spent < least and rounds < ROUNDS)):
        cost = _once(call)
        best = Cost(min(best.processor, cost.processor), min(best.wall, cost.wall), first.value)
        spent, rounds = spent + cost.processor, rounds + 1
    return best


def _once(call: Call) -> Cost:
    started, on_the_wall = time.process_time(), time.perf_counter()
    value = call()
    return Cost(time.process_time() - started, time.perf_counter() - on_the_wall, value)


@contextmanager
def children() -> Iterator[Cost]:
    """The cost of all child processes that start and end inside the block, including their own children."""
    cost, started, on_the_wall = Cost(), _children_s(), time.perf_counter()
    yield cost
    cost.processor, cost.wall = _children_s() - started, time.perf_counter() - on_the_wall


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak_mib() -> float:
    """The peak memory of this process."""
    status = Path("/proc/self/status")
    if status.exists():
        # On Linux, ru_maxrss includes the memory that the parent process held when it started this one.
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if "VmHWM" in line) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def anew(id: str, pair: Pair | Labels, exact: bool = False) -> Call:
    """A call that computes everything again, of labels their clusterings, too; the overlay of a pair is cached."""

    def call() -> object:
        forget_overlays()
        return metaeval.score(id, *sides(pair), exact=exact)

    return call
