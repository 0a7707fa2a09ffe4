"""``metaeval list``: the measures and the conditions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import click

from metaeval.catalogue.condition import READINGS, conditions
from metaeval.catalogue.measure import Measure, by_family, measures
from metaeval.cli.tables import render
from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError
from metaeval.core.verdict import Verdict
from metaeval.display.layout import table
from metaeval.records.results import load_all
from metaeval.reports import build
from metaeval.reports.view import NOT_RUN, SATISFIED, Entry, Report, plain


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


_EPILOG = """\b
Examples:
  metaeval list
  metaeval list measures
  metaeval list measures --satisfying A.1,B.3 --reading canonical --results results.json
"""


@click.command(epilog=_EPILOG)
@click.argument("what", type=click.Choice(["measures", "conditions"]), required=False)
@click.option("--satisfying", metavar="IDS", help="Rank the measures by these conditions, such as A.1,B.3.")
@click.option("--reading", "readings", multiple=True, metavar="NAME",
              help="Under this reading; may be repeated.  [default: canonical]")  # fmt: skip
@click.option("--results", "files", multiple=True, metavar="FILE", help="Results to rank by; may be repeated.")
def command(what: str | None, satisfying: str | None, readings: tuple[str, ...], files: tuple[str, ...]) -> None:
    """Show the measures, the conditions, or both; or rank the measures by chosen conditions."""
    if satisfying is not None or readings or files:
        click.echo(_ranked(what, satisfying, readings, files))
        return
    if what != "conditions":
        click.echo(_measures())
    if what is None:
        click.echo()
    if what != "measures":
        click.echo(_conditions())


def _ranked(what: str | None, satisfying: str | None, readings: Sequence[str], files: Sequence[str]) -> str:
    """The measures of results files; those that satisfy the most of the chosen cells come first."""
    if what != "measures":
        raise InputError("--satisfying, --reading and --results rank measures; use `metaeval list measures`")
    if satisfying is None or not files:
        missing = "--satisfying" if satisfying is None else "--results"
        raise InputError(
            f"{missing} is missing; expected for instance "
            "--satisfying A.1,B.3 --reading canonical --results results.json"
        )
    report = build(load_all(files))
    known = {column.id: column for column in report.conditions}
    asked = _chosen("--satisfying", satisfying.split(","), list(known))
    asked_readings = {reading.name for id in asked for reading in known[id].readings}
    offered = [name for name in report.readings.values() if name in asked_readings]
    under = _chosen("--reading", ",".join(readings or (READINGS[0],)).split(","), offered)
    rows = [
        [row.measure, f"{len(row.satisfied)}/{row.asked}", _said(row, several=len(under) > 1)]
        for row in ranking(report, asked, under)
    ]
    return table(["measure", "satisfies", "violates"], rows, right=["satisfies"])


def _chosen(option: str, words: Sequence[str], known: Sequence[str]) -> list[str]:
    """The names that an option lists, found whatever their case."""
    named = {name.casefold(): name for name in known}
    chosen = []
    for word in words:
        if word.strip().casefold() not in named:
            raise InputError(f"{option} names {word.strip()!r}; the results have {', '.join(known)}")
        chosen.append(named[word.strip().casefold()])
    return chosen


def _said(row: Ranked, several: bool) -> str:
    """The cells that a measure does not satisfy, with their verdicts where these are not plain violations."""

    def named(entry: Entry) -> str:
        place = f"{entry.condition} {entry.reading}" if several else entry.condition
        return place if entry.verdict == Verdict.VIOLATED else f"{place} ({entry.verdict})"

    return ", ".join(map(named, (*row.broken, *row.unknown))) or "nothing"


def _measures() -> str:
    rows = [
        [measure.id, family, measure.name, plain(measure.optimum), _form(measure), measure.summary]
        for family, members in by_family(measures().values()).items()
        for measure in members
    ]
    headers = ["measure", "family", "name", "best", "scores", "summary"]
    return render(headers, rows, right=["best"], optional=["name", "family"])


def _conditions() -> str:
    rows = [
        [condition.id, condition.name, condition.relation.name, ", ".join(condition.readings), condition.statement]
        for condition in conditions().values()
    ]
    return render(["condition", "name", "relation", "readings", "statement"], rows, optional=["readings", "relation"])


def _form(measure: Measure) -> str:
    """Whether the scores are exact: by the function's annotation, else by its score of a small pair."""
    declared = getattr(measure.function, "__annotations__", {}).get("return")
    name = declared if isinstance(declared, str) else getattr(declared, "__name__", "")
    if name in ("float", "Fraction", "LogSum", "LogRatio", "RootSum", "RootRatio", "int"):
        return "float" if name == "float" else "exact"
    found = Biclustering.from_labels([0, 0, 1])
    gold = Biclustering.from_labels([0, 1, 1])
    try:
        measure.exact(found, gold)
    except InputError:
        return "float"
    except Exception:
        return "?"  # a measure that raises is still listed
    return "exact"
