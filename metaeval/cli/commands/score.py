"""``metaeval score``: the scores of a pair of files."""

import json
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import click

from metaeval.catalogue.measure import Measure, measures
from metaeval.cli import targets
from metaeval.cli.options import complete
from metaeval.cli.tables import Growing, StepNotice
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.core.errors import InputError, Undefined
from metaeval.display.layout import shorten
from metaeval.exact import Exact, is_exact, simplest
from metaeval.files.label_chunks import is_chunked, pairs_of_chunks
from metaeval.files.match_names import Match, Names, match
from metaeval.files.shown import clean
from metaeval.files.text_input import FORMATS
from metaeval.files.user_file import read
from metaeval.literature.shelf import PAPER

_FAILED = 1
#: A longer error text is cut in the table.
_MOST_ERROR = 120

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
  labels, one per line; or CSV or TSV of objects and labels; -1, NA or nothing is unclustered
  CSV or TSV of zeros and ones, one line per object, one column per cluster
  clusters, one per line; pairs of object and cluster; JSON lists of members, or of labels
  .parquet of labels, with the column after a colon (needs pyarrow)
  .npy of labels or memberships; .npz of rows and columns, as scikit-learn's rows_ and columns_
"""


@dataclass(frozen=True)
class Row:
    """A measure's answer: a score, or why there is none."""

    measure: Measure
    score: float | None = None
    exact: Exact | None = None
    error: str | None = None
    #: Whether the measure failed. One that says it is undefined did not.
    failed: bool = False
    #: The number of the object that the error is about.
    object: int | None = None


@click.command(epilog=_EPILOG)
@click.option("--gold", required=True, metavar="GOLD", help="Gold standard; - is stdin.")
@click.option("--candidate", required=True, metavar="FOUND", help="Biclustering to score; - is stdin.")
@click.option("--measure", "chosen", multiple=True, metavar="ID|TARGET", shell_complete=complete("measure"),
              help="Only this measure; may be repeated. Your own is path/to/file.py:name, package.module:name or "
              "equation.json; `all` is every registered one.")  # fmt: skip
@click.option("--format", "formats", multiple=True, metavar="[SIDE=]FORMAT",
              type=click.Choice([*FORMATS, *(f"{side}={one}" for side in ("gold", "candidate") for one in FORMATS)]),
              help=f"What text files hold, or that of gold= or candidate=: {', '.join(FORMATS)}.")  # fmt: skip
@click.option("--exact", is_flag=True, help="Show exact scores, with logarithms and roots, even if they take long.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    gold: str, candidate: str, chosen: tuple[str, ...], formats: tuple[str, ...], exact: bool, as_json: bool
) -> int:
    """Score a candidate biclustering against a gold standard; larger is better.

    In JSON an exact score is null where there is none, and for large inputs without --exact. The exit code is 1 if a
    measure fails; a measure that says it is undefined does not fail.
    """
    if gold == candidate == "-":
        raise InputError("--gold and --candidate are both -; only one can come from standard input")
    registered = list(measures().values())
    subjects = targets.load_several(chosen) if chosen else PAPER.chosen_measures()
    matched = _read(gold, candidate, formats)
    side = Side(matched.candidate, matched.gold)
    # A dissimilarity is reported with a minus sign; an error stands behind the last column.
    foreseen = [
        (one.id, one.name, _decimal(-0.5 if one.smaller_is_better else 0.5), *([""] * exact), "") for one in subjects
    ]
    table = Growing(("measure", "name", "score", *(["exact"] * exact), ""), foreseen, right=["score"], padding=2)
    if not as_json:
        click.echo(table.head())
    rows = []
    with StepNotice() as notice:
        for number, measure in enumerate(subjects, start=1):
            notice(f"{number}/{len(subjects)}  {measure.id}")
            row = (score_row if measure in registered else score_apart)(measure, side.candidate, side.gold, exact)
            notice.clear()
            rows.append(_with_name(row, matched.names[0]))
            if not as_json:
                click.echo(_line(table, rows[-1], exact))
    if as_json:
        click.echo(json.dumps({row.measure.id: _cell(row) for row in rows}, indent=2, allow_nan=False))
    return _FAILED if any(row.failed for row in rows) else 0


def _counted(candidate: str, gold: str) -> Match:
    """Label vectors in files that are read in chunks."""
    from metaeval.kernel.label_table import LabelTable, counted  # loaded here: NumPy is large

    table = LabelTable()
    with StepNotice() as notice:
        for table in counted(pairs_of_chunks(candidate, gold)):
            notice(f"{table.objects:,} rows read")
    return Match(*table.sides(), (None, None), [])


def _read(gold: str, candidate: str, formats: tuple[str, ...]) -> Match:
    """Both files on the same objects and features; notes on stderr say how text files were read."""
    if not formats and (is_chunked(gold) or is_chunked(candidate)):
        return _counted(candidate, gold)
    given = {side: format for side, _, format in (word.rpartition("=") for word in formats)}
    files = (("gold", gold), ("candidate", candidate))
    classes, clusters = (read(file, given.get(side, given.get(""))) for side, file in files)
    matched = match(clusters, classes)
    for note in (*(f"{one.source}: {one.told}" for one in (classes, clusters) if one.told), *matched.notes):
        click.echo(f"metaeval: {note}", err=True)
    return matched


def _with_name(row: Row, names: Names | None) -> Row:
    """The row with the name of the object that its error is about, in place of the number."""
    if row.object is None or row.error is None or names is None or row.object >= len(names):
        return row
    return replace(row, error=row.error.replace(f"object {row.object}", f"object {clean(names[row.object])}", 1))


def score_apart(measure: Measure, candidate: Biclustering, gold: Biclustering, exact: bool) -> Row:
    """Score with a user's measure in a worker: a measure that ends its process costs only its own row."""
    # Loaded here: metaeval's own measures need no worker.
    from metaeval.workers.worker import Finished, supervise

    ending = supervise(None, _answer, measure, candidate, gold, exact)
    if isinstance(ending, Finished):
        return Row(measure, *ending.value)
    return Row(measure, error=f"its process {getattr(ending, 'how', 'hung')}", failed=True)


def _answer(_: object, *asked: Any) -> tuple[float | None, Exact | None, str | None, bool, int | None]:
    row = score_row(*asked)
    return row.score, row.exact, row.error, row.failed, row.object


def score_row(measure: Measure, candidate: Biclustering, gold: Biclustering, exact: bool) -> Row:
    """Score with one measure; an exception becomes the error of its row."""
    try:
        if not exact and measure.scores_on_arrays(candidate, gold):
            return Row(measure, measure.score(candidate, gold))
        value = measure.value(candidate, gold)
        return Row(measure, float(value), simplest(value) if is_exact(value) else None)
    except Undefined as error:
        return Row(measure, error=f"undefined: {error}", object=error.object)
    except Exception as error:
        return Row(measure, error=f"{type(error).__name__}: {error}", failed=True)


def _line(table: Growing, row: Row, exact: bool) -> str:
    shown = ["-" if row.exact is None else str(row.exact)] if exact else []
    error = shorten(row.error or "", _MOST_ERROR)
    return table.row([row.measure.id, row.measure.name, _decimal(row.score), *shown, error])


def _decimal(score: float | None) -> str:
    return "-" if score is None else f"{score + 0.0:.6f}"


def _cell(row: Row) -> dict[str, Any]:
    number = row.score if row.score is None or isfinite(row.score) else str(row.score)
    cell = {"float": number, "exact": None if row.exact is None else str(row.exact)}
    return cell if row.error is None else {**cell, "error": shorten(row.error, 500)}
