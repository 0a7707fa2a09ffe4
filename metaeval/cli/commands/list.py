"""``metaeval list``: the measures and the conditions."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import click

from metaeval.catalogue.condition import READINGS, conditions
from metaeval.catalogue.measure import Measure, by_family, measures
from metaeval.cli.options import chosen_names, complete
from metaeval.cli.tables import render
from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError
from metaeval.core.verdict import Verdict
from metaeval.display.layout import table
from metaeval.equations.types import is_float
from metaeval.exact import is_exact
from metaeval.records.results import load_each, merged
from metaeval.reports import build
from metaeval.reports.view import NOT_RUN, SATISFIED, Entry, Report, plain


class Ranked(NamedTuple):
    """A measure with the cells that it satisfies, those that it does not, and those of which nothing is known."""

    measure: str
    satisfied: list[Entry]
    broken: list[Entry]
    unknown: list[Entry]


def ranking(report: Report, conditions: Collection[str], readings: Collection[str]) -> list[Ranked]:
    """The measures by cells satisfied, then by cells violated, then as in the report; those not tested come last."""
    ranked = {row.id: Ranked(row.id, [], [], []) for row in report.measures}
    for entry in report.entries.values():
        if entry.condition in conditions and entry.reading in readings:
            _, satisfied, broken, unknown = ranked[entry.measure]
            failed = unknown if entry.cell is None or entry.verdict in (Verdict.VACUOUS, Verdict.TIMEOUT) else broken
            (satisfied if entry.verdict in SATISFIED else failed).append(entry)
    return sorted(ranked.values(), key=lambda each: (not any(each[1:3]), -len(each.satisfied), len(each.broken)))


_EPILOG = """\b
Examples:
  metaeval list
  metaeval list measures
  metaeval list measures --satisfying A.1,B.3 --reading canonical --results results.json
"""


@click.command(epilog=_EPILOG)
@click.argument("what", type=click.Choice(["measures", "conditions"]), required=False)
@click.option("--satisfying", metavar="IDS", help="Rank the measures by these conditions, such as A.1,B.3.")
@click.option("--reading", "readings", multiple=True, metavar="NAME", shell_complete=complete("reading"),
              help="Under this reading; may be repeated.  [default: canonical]")  # fmt: skip
@click.option("--results", "files", multiple=True, metavar="FILE", help="Results to rank by; may be repeated.")
def command(what: str | None, satisfying: str | None, readings: tuple[str, ...], files: tuple[str, ...]) -> None:
    """Show the measures, the conditions, or both; or rank the measures by chosen conditions."""
    if satisfying is not None or readings or files:
        click.echo(_ranked(what, satisfying, readings, files))
        return
    if what != "conditions":
        rows = [
            [measure.id, family, measure.name, measure.domain, plain(measure.optimum), _form(measure), measure.summary]
            for family, members in by_family(measures().values()).items()
            for measure in members
        ]
        headers = ["measure", "family", "name", "domain", "best", "scores", "summary"]
        click.echo(render(headers, rows, right=["best"], optional=["name", "family", "best", "scores"]))
    if what is None:
        click.echo()
    if what != "measures":
        rows = [
            [one.id, one.name, one.relation.name, ", ".join(one.readings), one.statement]
            for one in conditions().values()
        ]
        headers = ["condition", "name", "relation", "readings", "statement"]
        click.echo(render(headers, rows, optional=["readings", "relation"]))


def _ranked(what: str | None, satisfying: str | None, readings: Sequence[str], files: Sequence[str]) -> str:
    """The measures of results files; those that satisfy the most of the chosen cells come first."""
    if what != "measures":
        raise InputError("--satisfying, --reading and --results rank measures; use `metaeval list measures`")
    if satisfying is None or not files:
        raise InputError(
            f"{'--satisfying' if satisfying is None else '--results'} is missing; expected for instance "
            "--satisfying A.1,B.3 --reading canonical --results results.json"
        )
    report = build(merged(load_each(files)))
    known = {column.id: column for column in report.conditions}
    asked = chosen_names("--satisfying", satisfying.split(","), list(known))
    asked_readings = {reading.name for id in asked for reading in known[id].readings}
    offered = [name for name in report.readings.values() if name in asked_readings]
    under = chosen_names("--reading", ",".join(readings or (READINGS[0],)).split(","), offered)

    def named(entry: Entry) -> str:
        """A cell, with its verdict where that is not a plain violation."""
        place = f"{entry.condition} {entry.reading}" if len(under) > 1 else entry.condition
        return place if entry.verdict in (Verdict.VIOLATED, NOT_RUN) else f"{place} ({entry.verdict})"

    rows = []
    for row in ranking(report, asked, under):
        words = (", ".join(map(named, some)) or "nothing" for some in (row.broken, row.unknown))
        rows.append([row.measure, f"{len(row.satisfied)}/{sum(map(len, row[1:]))}", *words])
    return table(["measure", "satisfies", "violates", "not tested"], rows, right=["satisfies"])


def _form(measure: Measure) -> str:
    """Whether the scores are exact: by the equation, else by the score of a small pair."""
    if measure.is_equation and measure.equation is not None:
        return "float" if is_float(measure.equation.expression) else "exact"
    try:
        score = measure.value(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1]))
    except Exception:
        return "?"  # a measure that raises is still listed
    return "exact" if is_exact(score) else "float"
