"""Settings of a search, and how the command line and pytest ask for each of them.

Every pytest session on a machine with metaeval loads this module, so it imports only light modules.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from metaeval.core.effort import HIGHEST
from metaeval.core.errors import InputError

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
            return isinstance(value, (int, float)) and math.isfinite(value) and value > 0
        low = -math.inf if self.least is None else self.least
        high = math.inf if self.most is None else self.most
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


_ROWS = (
    Option("examples", "N", "cases that Hypothesis draws per condition and reading", f"{EXAMPLES}", least=0),
    Option("exhaustive", "N", "try all cases with at most N objects", "as far as is practical", least=0),
    Option("seed", "SEED", "seed of the drawn cases", f"{SEED}"),
    Option("budget", "SECONDS", "processor time per cell in its measure", f"{BUDGET:g}", seconds=True),
    Option("effort", "N", f"effort level, from 0 (no large cases) to {HIGHEST} (all of them)", "by the measure's speed",
           least=0, most=HIGHEST),
    Option("jobs", "N", "number of worker processes", "one per core", least=1),
)  # fmt: skip
OPTIONS = {option.name: option for option in _ROWS}

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

    def words(self, names: Iterable[str] = ("examples", "exhaustive", "seed", "budget", "effort")) -> list[str]:
        """The options of a command line for every setting that is not the default.

        >>> Settings(examples=20, budget=2.5).words()
        ['--examples', '20', '--budget', '2.5']
        """
        usual, words = Settings(), []
        for name in names:
            value = getattr(self, name)
            if value != getattr(usual, name):
                words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
        return words
