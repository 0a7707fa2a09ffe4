"""The settings of a search and their options; the effort levels.

Every pytest session loads this module, so it imports only the standard library and metaeval's errors.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from types import MappingProxyType
from typing import Any

from metaeval.core.errors import InputError


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
    Effort(large_cases=60, cells=1000, steps=100, climbed_objects=500, climbed_size=200, calls=1000, sample_calls=120),
    Effort(large_cases=inf, cells=inf, steps=150, climbed_objects=1000, climbed_size=400, calls=inf, sample_calls=1200),
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


EXAMPLES = 200
SEED = 0
#: Seconds of processor time that a cell may spend in its measure.
BUDGET = 60.0

#: The settings of --quick: small cases, few drawn ones, no large ones, ten seconds per cell.
QUICK: dict[str, Any] = {"examples": 20, "exhaustive": 3, "effort": 0, "budget": 10.0}


@dataclass(frozen=True)
class Option:
    """A setting as users see it: an integer between ``least`` and ``most``, or a time in ``seconds``.

    ``help`` has neither a capital nor a full stop; ``default`` says in words what holds without the option.
    """

    name: str
    metavar: str
    help: str
    default: str
    least: int | None = None
    most: int | None = None
    seconds: bool = False

    @property
    def expected(self) -> str:
        """What a value must be, with its article."""
        if self.seconds:
            return "a number of seconds above 0"
        if self.least is None:
            return "an integer"
        return f"an integer from {self.least} {'up' if self.most is None else f'to {self.most}'}"

    def admits(self, value: Any) -> bool:
        """Whether a value is allowed."""
        if isinstance(value, bool):
            return False
        if self.seconds:
            return isinstance(value, (int, float)) and isfinite(value) and value > 0
        low, high = (-inf if self.least is None else self.least), (inf if self.most is None else self.most)
        return isinstance(value, int) and low <= value <= high

    def parse(self, text: str) -> int | float:
        """The value of a text, or an error that says what was expected."""
        try:
            return self.checked(float(text) if self.seconds else int(text))
        except ValueError:
            raise InputError(f"{text!r} is not {self.expected}") from None

    def checked(self, value: Any) -> int | float:
        """The value itself, or an error that says what was expected."""
        if not self.admits(value):
            raise InputError(f"{self.name} is {value!r}; expected {self.expected}")
        number: int | float = value
        return number


OPTIONS = {option.name: option for option in (
    Option("examples", "N", "cases that Hypothesis draws per condition and reading", f"{EXAMPLES}", least=0),
    Option("exhaustive", "N", "try all cases with at most N objects", "as far as is practical", least=0),
    Option("seed", "SEED", "seed of the drawn cases", f"{SEED}"),
    Option("budget", "SECONDS", "processor time per cell in its measure", f"{BUDGET:g}", seconds=True),
    Option("effort", "N", f"effort level, from 0 (no large cases) to {HIGHEST} (all of them)", "by the measure's speed",
           least=0, most=HIGHEST),
    Option("jobs", "N", "number of worker processes", "one per core", least=1),
)}  # fmt: skip

#: Settings that may be None: as far as is practical, without a limit, by the measure's speed, one per core.
_OPTIONAL = ("exhaustive", "budget", "effort", "jobs")


@dataclass(frozen=True)
class Settings:
    """How hard a search tries.

    ``examples`` cases are drawn per condition and reading. All cases with at most ``exhaustive`` objects are tried
    (None: as far as is practical). ``budget`` is the processor time in seconds that a cell may spend in its measure
    (None: no limit). ``effort`` is the level of every measure (None: 4 for metaeval's own, by speed for others).
    ``jobs`` is the number of worker processes (None: one per core). Without ``cache`` the user's cache folder is
    neither read nor written. Without ``proofs`` no proof is tried.
    """

    examples: int = EXAMPLES
    exhaustive: int | None = None
    seed: int = SEED
    budget: float | None = BUDGET
    jobs: int | None = None
    effort: int | None = None
    cache: bool = True
    proofs: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.proofs, bool):
            raise InputError(f"proofs is {self.proofs!r}; expected True or False")
        for name, option in OPTIONS.items():
            value = getattr(self, name)
            if value is not None or name not in _OPTIONAL:
                option.checked(value)

    @property
    def processes(self) -> int:
        """The number of processes to use."""
        return self.jobs or os.cpu_count() or 1

    def words(
        self, names: Iterable[str] = ("examples", "exhaustive", "seed", "budget", "effort"),
        below: Mapping[str, Any] = MappingProxyType({}),
    ) -> list[str]:  # fmt: skip
        """The options of a command line for every setting that is not the default, or not what a project has ``below``.

        >>> Settings(examples=20, budget=2.5).words()
        ['--examples', '20', '--budget', '2.5']
        """
        usual, words = Settings(), []
        for name in names:
            value = getattr(self, name)
            if value is not None and {value} != {getattr(usual, name), below.get(name, value)}:
                words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
        return words if self.proofs else [*words, "--no-proofs"]
