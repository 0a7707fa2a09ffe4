"""Effort levels: how much a cell tries beyond its lists and draws.

A slow measure would spend nearly all its time on large cases. So a level fixes how many of them are tried and how
large they are, how far a climb goes and how many calls a reduction may make. Lists and draws do not depend on it.

The level is a number that results files hold. The evidence follows from it and from the seed, never from the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf


@dataclass(frozen=True)
class Effort:
    """What a level allows in one cell of the results."""

    #: How many large cases are tried, and the most cells that their matrix may have.
    large_cases: float
    cells: float
    #: A climb's steps, the objects of all cases that it scores, and the most objects that one may have.
    steps: int
    climbed_objects: int
    climbed_size: int
    #: The calls that may be made to reduce a counterexample and the input of a fault.
    calls: float
    #: About what all this costs a measure whose time grows with the cells, in calls on the gate's sample.
    sample_calls: int

    def choice(self, sizes: Sequence[int]) -> list[int]:
        """Which large cases are tried: places in ``sizes``, their cells in ascending order, evenly spread."""
        fitting = sum(size <= self.cells for size in sizes)
        if fitting <= self.large_cases:
            return list(range(fitting))
        most = int(self.large_cases)
        return [(place + 1) * fitting // most - 1 for place in range(most)]

    def __str__(self) -> str:
        if not self.large_cases:
            return "no large cases"
        if self.large_cases == inf:
            return "all large cases"
        return f"{self.large_cases} large cases per cell, each with a matrix of up to {self.cells} entries"


#: By level, from 0, for a measure that is too slow for large cases, to one that tries everything.
LEVELS = (
    Effort(large_cases=0, cells=0, steps=0, climbed_objects=0, climbed_size=0, calls=60, sample_calls=0),
    Effort(large_cases=12, cells=150, steps=30, climbed_objects=100, climbed_size=40, calls=200, sample_calls=4),
    Effort(large_cases=24, cells=400, steps=60, climbed_objects=250, climbed_size=80, calls=400, sample_calls=20),
    Effort(
        large_cases=60, cells=1000, steps=100, climbed_objects=500, climbed_size=200, calls=1000, sample_calls=120
    ),
    Effort(
        large_cases=inf, cells=inf, steps=150, climbed_objects=1000, climbed_size=400, calls=inf, sample_calls=1200
    ),
)
HIGHEST = len(LEVELS) - 1

#: A measure has one level more for each of these that it keeps to: seconds of processor time for a call on the sample.
#: They lie a factor of eight apart, so that noise matters only to a measure right at one of them.
_LIMITS = (0.512, 0.064, 0.008, 0.001)


def level_of(seconds: float) -> int:
    """The level of a measure that takes this processor time on the sample.

    >>> [level_of(seconds) for seconds in (0.001, 0.003, 0.02, 0.2, 3.0)]
    [4, 3, 2, 1, 0]
    """
    return sum(seconds <= limit for limit in _LIMITS)


class OutOfCalls(Exception):
    """A reduction has made all the calls that its level allows."""


class Calls:
    """The calls that are left, counted as if nothing were cached: what is cached depends on how jobs are cut."""

    def __init__(self, most: float) -> None:
        self._left = most

    def take(self, number: int) -> None:
        """Count ``number`` calls that are about to be made."""
        if self._left < number:
            raise OutOfCalls
        self._left -= number
