"""Budgets: the time that a measure's calls take, and when it is too much.

A budget limits the processor time of the measure. With wall time, a verdict would depend on what else the machine
does. A measure that sleeps takes no processor time, so wall time has a limit too. This limit is so wide that a busy
machine does not reach it.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf

#: The limit of wall time, as a multiple of the budget.
PATIENCE = 4


class OutOfTime(BaseException):
    """The budget of a cell is spent. Not an Exception, so that no handler between swallows it."""


def is_spent(budget: float | None, processor: float, wall: float) -> bool:
    """Whether these seconds of processor time and of wall time exceed a budget."""
    return budget is not None and (processor > budget or wall > PATIENCE * budget)


@dataclass
class Meter:
    """The seconds that the calls of a cell have taken so far."""

    budget: float | None
    processor: float = 0.0
    wall: float = 0.0
    #: Whether the budget is used up.
    spent: bool = False

    def add_since(self, start: tuple[float, float]) -> None:
        """Add the time since ``start``, a value of :func:`now`."""
        processor, wall = now()
        self.processor += processor - start[0]
        self.wall += wall - start[1]
        self.spent = is_spent(self.budget, self.processor, self.wall)


#: Seconds of wall time since an arbitrary point, and of processor time of this process.
wall_clock, processor_clock = time.monotonic, time.process_time

#: How often a call is timed, and the seconds above which it is not repeated.
_REPEATS, _LONG = 5, 1.0


def least_time(call: Callable[[], object]) -> float:
    """The shortest processor time of several calls: other load can only make a call slower."""
    least = inf
    for _ in range(_REPEATS):
        start = processor_clock()
        call()
        least = min(least, processor_clock() - start)
        if least > _LONG:
            break
    return least


def now() -> tuple[float, float]:
    """The processor time of this process, and the wall time.

    Reading the processor time takes as long as a call of many measures, so it is read at most once per millisecond.
    The time in between is charged to whichever measure is being called at the next reading.
    """
    wall = wall_clock()
    if wall - _last["wall"] > _STALE:
        _last.update(processor=processor_clock(), wall=wall)
    return _last["processor"], wall


#: The last reading of the processor time, and the wall time of that reading.
_last = {"processor": 0.0, "wall": -inf}
_STALE = 0.001
if hasattr(os, "register_at_fork"):
    # The processor time of a forked process starts at 0.
    os.register_at_fork(after_in_child=lambda: _last.update(wall=-inf))


def processor_time_of(pid: int) -> float | None:
    """The processor time of another process, or None if the system does not report it."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            # The second field is the program's name in brackets, which may contain spaces.
            fields = file.read().rpartition(")")[2].split()
        user, system = fields[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return None
