"""``metaeval run``: every measure against every condition under every reading."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metaeval.cli import tables as colour
from metaeval.cli import targets
from metaeval.cli.dispatch import INTERRUPTED, Stop
from metaeval.cli.options import Asked, check_file, search_options
from metaeval.cli.progress import Watcher
from metaeval.cli.tables import terminal_width
from metaeval.records.results import Results
from metaeval.runner.local import BACKENDS, LOCAL
from metaeval.session import carry_out

if TYPE_CHECKING:
    from metaeval.reports.view import Report

_EPILOG = """\b
Examples:
  metaeval run
  metaeval run --measure mocice --measure ce --condition A.1 --reading canonical
  metaeval run --measure measures.py:mine --measure all
  metaeval run --suite horta2014 --out horta2014.json
  metaeval run --out results.json --resume
  metaeval run --backend dask --address tcp://10.0.0.1:8786
"""

_WIDEST = 100


@click.command(epilog=_EPILOG)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="ID|TARGET",
    help="Only this measure; may be repeated. One of your own is path/to/file.py:function or "
    "package.module:function; `all` is every registered one.",
)
@search_options
@click.option("--out", metavar="FILE", default="results.json", show_default=True, help="The results file.")
@click.option("--resume", is_flag=True, help="Go on from what the results file holds.")
@click.option(
    "--backend",
    type=click.Choice(BACKENDS),
    default=LOCAL,
    show_default=True,
    help="Where measures are run: in processes of this machine, or on a Dask cluster.",
)
@click.option("--address", metavar="ADDR", help="The cluster's scheduler, such as tcp://10.0.0.1:8786.")
def command(
    measures: tuple[str, ...], asked: Asked, out: str, resume: bool, backend: str, address: str | None
) -> None:
    """Check every measure against every condition under every reading; write the results, show the matrix.

    Every one of a suite, that is; unless another is named, of the first paper's twelve measures and ten conditions.

    The file is written as cells are done: after an interruption --resume goes on from there. Ends with 0 when
    complete, whatever the verdicts.
    """
    check_file("--out", out)
    plan = asked.plan(targets.load_several(measures) if measures else None)
    try:
        with Watcher(asked.quiet, asked.quick) as watcher:
            results = carry_out(
                plan,
                asked.settings,
                out=out,
                resume=resume,
                backend=backend,
                address=address,
                listen=watcher.on_event,
            )
    except KeyboardInterrupt:
        raise Stop(_interruption(out), INTERRUPTED) from None
    click.echo(colour.symbols(matrix(results)), nl=False)
    if (left_out := asked.left_out()) is not None:
        click.echo("\n" + "\n".join(_wrapped(left_out)))
    if not asked.quiet:
        click.echo(_next_steps(out), err=True)


def _interruption(out: str) -> str:
    if not Path(out).exists():
        return f"interrupted before the first cells were done; {out} was not written"
    return f"interrupted; {out} holds what is done, and the same command with --resume goes on from there"


def _next_steps(out: str) -> str:
    return f"metaeval: results in {out}; next: metaeval report {out} --format html --out page.html"


def matrix(results: Results) -> str:
    """The compliance matrix with what it takes to read it; the evidence is left to ``metaeval report``."""
    from metaeval.reports import build
    from metaeval.reports.document import naming, overview
    from metaeval.reports.text import matrix as matrix_lines

    report = build(results)
    lines = [*_wrapped(overview(report)), ""]
    if report.ordered:
        shown = matrix_lines(report, min(terminal_width(), _WIDEST))
        lines += [*shown, "", *_wrapped(naming(report)), "", *_legend(report)]
    return "\n".join(lines).rstrip() + "\n"


def _legend(report: Report) -> Iterator[str]:
    """The meaning of the symbols that the matrix has."""
    from metaeval.reports.document import legend

    shown = {
        report.at(row.id, column.id, reading.name).symbol
        for row in report.measures
        for column in report.conditions
        for reading in column.readings
    }
    for symbol, meaning in legend():
        if symbol in shown:
            yield from _wrapped(meaning, f"{symbol}  ")


def _wrapped(text: str, lead: str = "") -> list[str]:
    width, rest = min(terminal_width(), _WIDEST), " " * len(lead)
    return textwrap.wrap(text, width, initial_indent=lead, subsequent_indent=rest, break_on_hyphens=False)
