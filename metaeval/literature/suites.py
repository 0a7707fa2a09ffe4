"""Suites: the measures and conditions that belong together, and what is meant where a user names none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from metaeval.catalogue.condition import Condition, conditions
from metaeval.catalogue.measure import Measure, is_own, measures
from metaeval.catalogue.registry import match
from metaeval.core.errors import InputError
from metaeval.literature.shelf import FIRST, SOURCES
from metaeval.literature.source import Source


@dataclass(frozen=True)
class Suite:
    """Measures and conditions by their ids; None stands for all that are registered."""

    name: str
    measures: tuple[str, ...] | None = None
    conditions: tuple[str, ...] | None = None

    def chosen_measures(self) -> list[Measure]:
        """The suite's measures, and all that are not metaeval's own: whoever registers one wants it to be seen."""
        ids = self.measures
        return [one for id, one in measures().items() if ids is None or id in ids or not is_own(one)]

    def chosen_conditions(self) -> list[Condition]:
        """The suite's conditions."""
        ids = self.conditions
        return [one for id, one in conditions().items() if ids is None or id in ids]

    def condition_ids(self) -> list[str]:
        """Their ids."""
        return [condition.id for condition in self.chosen_conditions()]


def _of(source: Source, name: str | None = None) -> Suite:
    return Suite(name or source.id, source.measures, source.conditions)


#: What is run where nothing else is asked for: the first paper's ten conditions for its twelve measures.
PAPER = _of(FIRST, "paper")
#: What anybody asks of a metric first: symmetry, range, a perfect match, and that names do not matter.
SANITY = Suite("sanity", conditions=("S.1", "S.2", "S.3", "S.4"))
#: What one measure is held against where nothing else is asked for.
CHECK = Suite("check", PAPER.measures, (*(PAPER.conditions or ()), *(SANITY.conditions or ())))

SUITES: Mapping[str, Suite] = MappingProxyType(
    {
        suite.name: suite
        for suite in (
            PAPER,
            SANITY,
            *(_of(source) for source in SOURCES.values() if source is not FIRST),
            Suite("all"),
        )
    }
)


def find_suite(name: str) -> Suite:
    """A suite by its name, whatever its case."""
    found = match(str(name), SUITES)
    if found is None:
        raise InputError(f"no suite {name!r}; expected one of {', '.join(SUITES)}")
    return SUITES[found]
