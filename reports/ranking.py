"""The measures ranked by chosen conditions and readings."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from metaeval.reports.view import NOT_RUN, SATISFIED, Entry, Report


@dataclass(frozen=True)
class Ranked:
    """A measure with the cells that it satisfies, those that it does not, and those that were not run."""

    measure: str
    satisfied: tuple[Entry, ...]
    broken: tuple[Entry, ...]
    unknown: tuple[Entry, ...]

    @property
    def asked(self) -> int:
        """How many cells were asked for."""
        return len(self.satisfied) + len(self.broken) + len(self.unknown)


def ranking(report: Report, conditions: Collection[str], readings: Collection[str]) -> list[Ranked]:
    """The measures; those that satisfy the most cells come first, equal ones in the report's order."""
    ranked = [_judged(report, row.id, conditions, readings) for row in report.measures]
    return sorted(ranked, key=lambda each: (-len(each.satisfied), len(each.broken)))


def _judged(report: Report, measure: str, conditions: Collection[str], readings: Collection[str]) -> Ranked:
    asked = [
        entry
        for (row, condition, reading), entry in report.entries.items()
        if row == measure and condition in conditions and reading in readings
    ]
    return Ranked(
        measure,
        tuple(entry for entry in asked if entry.verdict in SATISFIED),
        tuple(entry for entry in asked if entry.verdict not in (*SATISFIED, NOT_RUN)),
        tuple(entry for entry in asked if entry.verdict == NOT_RUN),
    )
