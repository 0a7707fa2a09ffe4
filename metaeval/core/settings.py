"""How hard a search is: its settings, and how the command line and pytest ask for each of them.

Every pytest session on a machine with metaeval loads this module, so it imports nothing but the standard
library and metaeval's errors.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from metaeval.core.errors import InputError

EXAMPLES = 200
SEED = 0
#: Seconds of processor time that a cell may spend in its measure.
BUDGET = 60.0


#: What --quick asks for: cases on few objects, few drawn ones, no large ones, and some seconds for each cell.
QUICK: dict[str, Any] = {"examples": 20, "exhaustive": 3, "effort": 0, "budget": 10.0}


@dataclass(frozen=True)
class Option:
    """A setting as a user is asked for it: its name, what it may be, and what it does.

    It is an integer, from ``least`` up and up to ``most`` where these are given, or a time in ``seconds``. ``help`` is
    a phrase without capital or full stop; ``default`` says in words what holds without the option.
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
        """Whether a value will do."""
        if isinstance(value, bool):
            return False
        if self.seconds:
            return isinstance(value, (int, float)) and math.isfinite(value) and value > 0
        low, high = (
            (-math.inf if self.least is None else self.least),
            (math.inf if self.most is None else self.most),
        )
        return isinstance(value, int) and low <= value <= high

    def parse(self, text: str) -> int | float:
        """The value that a text stands for, or an error that says what was expected."""
        try:
            value = float(text) if self.seconds else int(text)
        except ValueError:
            value = None
        if value is None or not self.admits(value):
            raise InputError(f"{text!r} is not {self.expected}")
        return value

    def check(self, value: Any) -> None:
        """Refuse a value that was given in Python."""
        if not self.admits(value):
            raise InputError(f"{self.name} is {value!r}; expected {self.expected}")


OPTIONS = {
    option.name: option
    for option in (
        Option("examples", "N", "cases that Hypothesis draws for each condition and reading", f"{EXAMPLES}", least=0),
        Option("exhaustive", "N", "try all cases up to N objects", "as far as is practical", least=0),
        Option("seed", "SEED", "the seed of what is drawn", f"{SEED}"),
        Option("budget", "SECONDS", "processor time that a cell may spend in its measure", f"{BUDGET:g}", seconds=True),
        Option("effort", "N", "effort level: from 0, no large cases, to 4, all of them", "by speed", least=0, most=4),
        Option("jobs", "N", "processes to use", "one a core", least=1),
    )
}  # fmt: skip

#: Settings that may be None: as far as is practical, without a limit, by the measure's speed, one a core.
_OPTIONAL = ("exhaustive", "budget", "effort", "jobs")


@dataclass(frozen=True)
class Settings:
    """How hard is searched.

    ``examples`` cases are drawn for a condition under a reading, ``exhaustive`` is the number of objects up to
    which all cases are tried (None: as far as is practical), ``budget`` the processor time in seconds that a
    cell may spend in its measure (None: no limit), ``effort`` the level of every measure (None: 4 for metaeval's own,
    for others by what a call takes), ``jobs`` the number of processes (None: one a core). Without
    ``cache`` nothing is read from the user's cache folder, nor written there; without ``proofs`` none is tried.
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
                option.check(value)

    @property
    def processes(self) -> int:
        """The number of processes to use."""
        return self.jobs or os.cpu_count() or 1

    def words(self, names: Iterable[str] = ("examples", "exhaustive", "seed", "budget", "effort")) -> list[str]:
        """The words on a command line that ask for what differs from the defaults.

        >>> Settings(examples=20, budget=2.5).words()
        ['--examples', '20', '--budget', '2.5']
        """
        usual, words = Settings(), []
        for name in names:
            value = getattr(self, name)
            if value != getattr(usual, name):
                words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
        return words
