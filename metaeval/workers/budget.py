"""What a measure's calls cost, and when that is too much.

A budget is counted in the processor time of the measure itself: in wall time, a verdict would depend on what
else the machine does. A measure that sleeps takes no processor time, so there is a limit of wall time too,
wide enough that a busy machine does not reach it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median

#: The limit of wall time, as a multiple of the budget.
PATIENCE = 4


class OutOfTime(BaseException):
    """A cell's budget is spent. Not an Exception, so that nothing on the way swallows it."""


def is_spent(budget: float | None, processor: float, wall: float) -> bool:
    """Whether so many seconds of processor time and of wall time are more than a budget allows."""
    return budget is not None and (processor > budget or wall > PATIENCE * budget)


@dataclass
class Meter:
    """The cost of a cell's calls so far, in seconds."""

    budget: float | None
    processor: float = 0.0
    wall: float = 0.0
    #: Whether the budget is used up.
    spent: bool = False

    def add_since(self, start: tuple[float, float]) -> None:
        """Add what has passed since ``start``, a value of :func:`now`."""
        processor, wall = now()
        self.processor += processor - start[0]
        self.wall += wall - start[1]
        self.spent = is_spent(self.budget, self.processor, self.wall)


def wall_clock() -> float:
    """Seconds of wall time, from any point on; for whatever waits."""
    return time.monotonic()


def processor_clock() -> float:
    """Seconds of processor time of this process."""
    return time.process_time()


#: How often a call is timed; one that takes longer than this is timed once.
_REPEATS, _LONG = 5, 1.0


def least_time(call: Callable[[], object]) -> float:
    """The least processor time of some calls: what else the machine does adds to a call, and never takes away."""
    least = inf
    for _ in range(_REPEATS):
        start = processor_clock()
        call()
        least = min(least, processor_clock() - start)
        if least > _LONG:
            break
    return least


class Clock:
    """The time between one call and the next."""

    def __init__(self) -> None:
        self._marks: list[float] = []

    def mark(self) -> None:
        """A call begins."""
        self._marks.append(wall_clock())

    @property
    def typical(self) -> float | None:
        """The median: the first call often takes longer, since a measure may have things to load."""
        lengths = [end - start for start, end in pairwise(self._marks)]
        return median(lengths) if lengths else None


def now() -> tuple[float, float]:
    """This process's processor time and the wall time.

    Asking the system for the processor time takes as long as many a measure takes, so within a millisecond it is
    asked once. What passes meanwhile is then counted for whoever is under way, now one measure and now another.
    """
    wall = wall_clock()
    if wall - _asked.wall > _STALE:
        _asked.processor, _asked.wall = processor_clock(), wall
    return _asked.processor, wall


class _Asked:
    """The processor time when it was last asked for, and when that was."""

    processor = 0.0
    wall = -inf


_asked = _Asked()
_STALE = 0.001
if hasattr(os, "register_at_fork"):
    # A child's processor time begins anew.
    os.register_at_fork(after_in_child=lambda: setattr(_asked, "wall", -inf))


def processor_time_of(pid: int) -> float | None:
    """The processor time that another process has used, or None where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            # The name of the program comes second, in brackets, and may hold blanks.
            fields = file.read().rpartition(")")[2].split()
        user, system = fields[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return None
