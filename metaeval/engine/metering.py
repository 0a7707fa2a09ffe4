"""What a measure's calls cost, and when that is too much.

A budget is counted in the processor time of the measure itself: in wall time, a verdict would depend on what
else the machine does. A measure that sleeps takes no processor time, so there is a limit of wall time too,
wide enough that a busy machine does not reach it.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from itertools import pairwise
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

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return is_spent(self.budget, self.processor, self.wall)

    def add_since(self, start: tuple[float, float]) -> None:
        """Add what has passed since ``start``, a value of :func:`now`."""
        processor, wall = now()
        self.processor += processor - start[0]
        self.wall += wall - start[1]


class Clock:
    """The time between one call and the next."""

    def __init__(self) -> None:
        self._marks: list[float] = []

    def mark(self) -> None:
        """A call begins."""
        self._marks.append(time.perf_counter())

    @property
    def typical(self) -> float | None:
        """The median: the first call often takes longer, since a measure may have things to load."""
        lengths = [end - start for start, end in pairwise(self._marks)]
        return median(lengths) if lengths else None


def now() -> tuple[float, float]:
    """This process's processor time and the wall time."""
    return time.process_time(), time.monotonic()


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
