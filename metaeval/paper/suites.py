"""Suites: the measures and conditions that belong together, and what is meant where a user names none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from metaeval.errors import InputError
from metaeval.measuring import Measure, is_own, measures
from metaeval.registry import match


@dataclass(frozen=True)
class Suite:
    """Measures and conditions by their ids."""

    name: str
    measures: tuple[str, ...]
    conditions: tuple[str, ...]

    def chosen_measures(self) -> list[Measure]:
        """The suite's measures, and all that are not metaeval's own: whoever registers one wants it to be seen."""
        return [one for id, one in measures().items() if id in self.measures or not is_own(one)]


#: What is run where nothing else is asked for: the first paper's ten conditions for its twelve measures.
PAPER = Suite(
    "paper",
    measures=(
        "ce", "ce-multiset", "rnia", "rand", "rand-background", "vi", "e4sc", "bcubed", "mocice", "mocice-precision",
        "mocice-recall", "cice",
    ),
    conditions=("A.1", "A.2", "A.3", "A.4", "A.5", "B.1", "B.2", "B.3", "B.4", "B.5"),
)  # fmt: skip

SUITES: Mapping[str, Suite] = MappingProxyType({suite.name: suite for suite in (PAPER,)})


def find_suite(name: str) -> Suite:
    """A suite by its name, whatever its case."""
    found = match(str(name), SUITES)
    if found is None:
        raise InputError(f"no suite {name!r}; expected one of {', '.join(SUITES)}")
    return SUITES[found]
