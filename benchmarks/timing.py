"""What a call costs, and what a process does."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inputs import Pair

import metaeval
from metaeval.kernel.overlay import forget_overlays

Call = Callable[[], object]

#: A call that takes longer than this many seconds is not made twice.
LONG = 5
#: Enough rounds even for a call of some microseconds.
ROUNDS = 1_000


@dataclass
class Cost:
    """Seconds of the processor and on the wall, and what the call returned."""

    processor: float = 0.0
    wall: float = 0.0
    value: object = None


def seconds(call: Call, least: float = 0.2) -> Cost:
    """What a call costs: the best of two rounds or more, the least disturbed one."""
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
    """What the processes cost that are started and ended meanwhile, with all that those start."""
    cost, started, on_the_wall = Cost(), _children_s(), time.perf_counter()
    yield cost
    cost.processor, cost.wall = _children_s() - started, time.perf_counter() - on_the_wall


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak_mib() -> float:
    """The most memory this process has held."""
    status = Path("/proc/self/status")
    if status.exists():
        # Linux counts into ru_maxrss what the parent process held when it started this one.
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if "VmHWM" in line) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def anew(id: str, pair: Pair, exact: bool = False) -> Call:
    """A call that computes everything anew: the overlay of a pair is remembered otherwise."""

    def call() -> object:
        forget_overlays()
        return metaeval.score(id, *pair, exact=exact)

    return call
