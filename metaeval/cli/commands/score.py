"""``metaeval score``: one pair of files, every measure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from typing import Any

import click

from metaeval.catalogue.measure import Measure, measures
from metaeval.cli import targets
from metaeval.cli.notices import notices
from metaeval.cli.tables import shorten, terminal_width
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.core.errors import InputError, Undefined
from metaeval.exact import Exact, is_exact, simplest
from metaeval.files.match_names import Match, Names, match
from metaeval.files.shown import clean
from metaeval.files.text_input import FORMATS
from metaeval.files.user_file import read
from metaeval.kernel.overlay import LARGE, overlay
from metaeval.literature.shelf import PAPER

_FAILED = 1
#: An error text is cut to fit the terminal, but not to less than says anything, nor left longer than a line.
_LEAST_ERROR, _MOST_ERROR = 60, 120

_EPILOG = """\b
Examples:
  metaeval score --gold gold.json --candidate found.json
  metaeval score --gold gold.json --candidate found.json --measure mocice --exact
  metaeval score --gold gold.csv --candidate found.csv --measure measures.py:mine --measure all

\b
A biclustering's file:
  {"shape": [6, 3], "biclusters": [{"rows": [0, 1, 2], "cols": [0, 1]}]}

\b
Other files:
  labels, one a line; or CSV or TSV of objects and labels; -1, NA or nothing is unclustered
  CSV or TSV of objects (lines) and clusters (columns), in it 0 and 1
  .npy of labels or memberships; .npz of rows and columns, as scikit-learn's rows_ and columns_
"""


@dataclass(frozen=True)
class Row:
    """A measure's answer: a score, or why there is none."""

    measure: Measure
    score: float | None = None
    exact: Exact | None = None
    error: str | None = None
    #: Whether the measure failed. One that says it is undefined has not.
    failed: bool = False


@click.command(epilog=_EPILOG)
@click.option("--gold", required=True, metavar="GOLD", help="The gold standard; - is stdin.")
@click.option("--candidate", required=True, metavar="FOUND", help="The biclustering to score; - is stdin.")
@click.option(
    "--measure",
    "chosen",
    multiple=True,
    metavar="ID|TARGET",
    help="Only this measure; may be repeated. One of your own is path/to/file.py:function or "
    "package.module:function; `all` is every registered one.",
)
@click.option(
    "--format",
    "format",
    type=click.Choice(FORMATS),
    help="What a text file holds, where it can be read as either.  [default: seen by its columns]",
)
@click.option(
    "--exact", is_flag=True, help="Show exact scores, with logarithms and roots, however long they take."
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(
    gold: str, candidate: str, chosen: tuple[str, ...], format: str | None, exact: bool, as_json: bool
) -> int:
    """Score a candidate biclustering against a gold standard; larger is better.

    In JSON an exact score is null where there is none, and for large inputs unless --exact asks for it. Ends with 1
    if a measure fails; one that says it is undefined does not.
    """
    if gold == candidate == "-":
        raise InputError("--gold and --candidate are both -; only one can come from standard input")
    registered = list(measures().values())
    subjects = targets.load_several(chosen) if chosen else PAPER.chosen_measures()
    matched = _read(gold, candidate, format)
    side = Side(matched.candidate, matched.gold)
    table = _Table(subjects, exact)
    if not as_json:
        click.echo(table.head)
    rows = []
    for row in _rows(subjects, registered, side, exact):
        rows.append(_with_names(row, matched.names))
        if not as_json:
            click.echo(table.line(rows[-1]))
    if as_json:
        click.echo(_json(rows))
    return _FAILED if any(row.failed for row in rows) else 0


def _read(gold: str, candidate: str, format: str | None) -> Match:
    """Both files on the same objects and features; how texts were understood is told on stderr."""
    classes, clusters = read(gold, format), read(candidate, format)
    matched = match(clusters, classes)
    told = [f"{one.source}: {one.told}" for one in (classes, clusters) if one.told]
    for note in (*told, *matched.notes):
        click.echo(f"metaeval: {note}", err=True)
    return matched


def _with_names(row: Row, names: tuple[Names | None, Names | None]) -> Row:
    """The row with the names of objects and features that its error speaks of by number."""
    error = row.error
    for kind, known in zip(("object", "feature"), names, strict=True):
        if error is not None and known is not None:
            error = re.sub(rf"\b{kind} (\d+)\b", partial(_name, kind, known), error)
    return replace(row, error=error)


def _name(kind: str, names: Names, found: re.Match[str]) -> str:
    number = int(found[1])
    return f"{kind} {clean(names[number])}" if number < len(names) else found[0]


def _rows(subjects: list[Measure], trusted: list[Measure], side: Side, exact: bool) -> Iterator[Row]:
    notice = notices()
    for number, measure in enumerate(subjects, start=1):
        with notice(f"{number}/{len(subjects)}  {measure.id}"):
            row = (score_row if measure in trusted else score_apart)(measure, side.candidate, side.gold, exact)
        yield row


def score_apart(measure: Measure, candidate: Biclustering, gold: Biclustering, exact: bool) -> Row:
    """Score with a measure of the user's in a process of its own: one that ends its process costs its own row."""
    # Loaded here: metaeval's own measures need none of it.
    from metaeval.workers.worker import Finished, supervise

    ending = supervise(None, _answer, measure, candidate, gold, exact)
    if isinstance(ending, Finished):
        return Row(measure, *ending.value)
    return Row(measure, error=f"its process {getattr(ending, 'how', 'hung')}", failed=True)


def _answer(_: object, *asked: Any) -> tuple[float | None, Exact | None, str | None, bool]:
    row = score_row(*asked)
    return row.score, row.exact, row.error, row.failed


def score_row(measure: Measure, candidate: Biclustering, gold: Biclustering, exact: bool) -> Row:
    """Score with one measure. Whatever it raises is its own row's affair."""
    try:
        if not exact and measure.fast is not None and overlay(candidate, gold).size >= LARGE:
            return Row(measure, measure.score(candidate, gold))
        value = measure.value(candidate, gold)
        return Row(measure, float(value), simplest(value) if is_exact(value) else None)
    except Undefined as error:
        return Row(measure, error=f"undefined: {error}")
    except Exception as error:
        return Row(measure, error=f"{type(error).__name__}: {error}", failed=True)


class _Table:
    """A table whose lines can be printed one by one: its widths follow from the measures, before any is scored."""

    def __init__(self, chosen: list[Measure], exact: bool) -> None:
        headers = ["measure", "name", "score"] + ["exact"] * exact
        # A dissimilarity is reported with a minus sign.
        scores = [_decimal(-0.5 if measure.smaller_is_better else 0.5) for measure in chosen]
        columns = [[measure.id for measure in chosen], [measure.name for measure in chosen], scores] + [
            [""]
        ] * exact
        self._exact = exact
        self._widths = [
            max(len(header) + 2, *map(len, cells)) for header, cells in zip(headers, columns, strict=True)
        ]
        self.head = f"{self._joined(headers)}\n{self._joined(['-' * width for width in self._widths])}"

    def line(self, row: Row) -> str:
        """One measure's answer. An error stands behind the last column."""
        cells = [row.measure.id, row.measure.name, _decimal(row.score)]
        if self._exact:
            cells.append("-" if row.exact is None else str(row.exact))
        text = self._joined(cells)
        if row.error is None:
            return text
        taken = sum(self._widths) + 2 * len(self._widths)
        room = min(max(terminal_width() - taken, _LEAST_ERROR), _MOST_ERROR)
        return f"{text:<{taken}}{shorten(row.error, room)}"

    def _joined(self, cells: list[str]) -> str:
        placed = [cell.ljust(width) for cell, width in zip(cells, self._widths, strict=True)]
        placed[2] = cells[2].rjust(self._widths[2])
        return "  ".join(placed).rstrip()


def _decimal(score: float | None) -> str:
    return "-" if score is None else f"{score + 0.0:.6f}"


def _json(rows: list[Row]) -> str:
    return json.dumps({row.measure.id: _cell(row) for row in rows}, indent=2, allow_nan=False)


def _cell(row: Row) -> dict[str, Any]:
    number = row.score if row.score is None or isfinite(row.score) else str(row.score)
    cell = {"float": number, "exact": None if row.exact is None else str(row.exact)}
    return cell if row.error is None else {**cell, "error": shorten(row.error, 500)}
