"""``metaeval run``: every measure against every condition under every reading."""

from __future__ import annotations

import math
import os
import textwrap
from pathlib import Path

import click

from metaeval.cli.dispatch import INTERRUPTED, Stop
from metaeval.cli.progress import Watcher
from metaeval.cli.tables import terminal_width
from metaeval.condition import READINGS, conditions, find_condition
from metaeval.engine import runner
from metaeval.errors import InputError
from metaeval.evidence.results import Results
from metaeval.measuring import find_measure

_EPILOG = """\b
Examples:
  metaeval run
  metaeval run --measure mocice --measure ce --condition A.1 --reading canonical
  metaeval run --out results.json --resume
"""

_WIDEST = 100


@click.command(epilog=_EPILOG)
@click.option("--measure", "measures", multiple=True, metavar="ID", help="Only this measure; may be repeated.")
@click.option("--condition", "chosen", multiple=True, metavar="ID", help="Only this condition; may be repeated.")
@click.option("--reading", "readings", multiple=True, metavar="NAME", help="Only this reading; may be repeated.")
@click.option("--examples", type=click.IntRange(min=0), metavar="N", default=runner.EXAMPLES, show_default=True,
              help="Cases to draw for a condition under a reading.")  # fmt: skip
@click.option("--exhaustive", type=click.IntRange(min=0), metavar="N",
              help="Try all cases up to so many objects.  [default: as far as is practical]")  # fmt: skip
@click.option("--seed", type=int, metavar="S", default=runner.SEED, show_default=True,
              help="Decides which cases are drawn.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: one a core]")
@click.option("--budget", type=float, metavar="SECONDS", default=runner.BUDGET, show_default=True,
              help="Time a cell may spend in its measure.")  # fmt: skip
@click.option("--out", metavar="FILE", default="results.json", show_default=True, help="The results file.")
@click.option("--resume", is_flag=True, help="Go on from what the results file holds.")
@click.option("--quiet", is_flag=True, help="No progress and no messages.")
def command(
    measures: tuple[str, ...],
    chosen: tuple[str, ...],
    readings: tuple[str, ...],
    examples: int,
    exhaustive: int | None,
    seed: int,
    jobs: int | None,
    budget: float,
    out: str,
    resume: bool,
    quiet: bool,
) -> None:
    """Check every measure against every condition under every reading; write the results, show the matrix.

    The file is written as cells are done: after an interruption --resume goes on from there. Ends with 0 when
    complete, whatever the verdicts.
    """
    _check_choice(measures, chosen, readings)
    _check_budget(budget)
    _check_out(out)
    try:
        with Watcher(quiet) as watcher:
            results = runner.run(
                measures or None,
                chosen or None,
                readings or None,
                examples=examples,
                exhaustive=exhaustive,
                seed=seed,
                jobs=jobs,
                budget=budget,
                out=out,
                resume=resume,
                listen=watcher.on_event,
            )
    except KeyboardInterrupt:
        raise Stop(_interruption(out), INTERRUPTED) from None
    click.echo(matrix(results), nl=False)
    if not quiet:
        click.echo(_next_steps(out), err=True)


def _check_choice(measures: tuple[str, ...], chosen: tuple[str, ...], readings: tuple[str, ...]) -> None:
    """Refuse what would leave nothing to check, before anything is."""
    for id in measures:
        find_measure(id)
    wanted = [find_condition(id) for id in chosen] or list(conditions().values())
    for name in readings:
        if name not in READINGS:
            raise InputError(f"no reading {name!r}; expected one of {', '.join(READINGS)}")
    if readings and not any(name in condition.readings for condition in wanted for name in readings):
        ids = ", ".join(condition.id for condition in wanted)
        raise InputError(f"nothing to check: {ids} has no reading {' or '.join(readings)}")


def _check_budget(budget: float) -> None:
    if not (math.isfinite(budget) and budget > 0):
        raise InputError(f"--budget is {budget}; expected a number of seconds above 0")


def _check_out(out: str) -> None:
    """A file that cannot be written is better known now than after the first group."""
    folder = Path(out).parent
    if out in ("", "-"):
        raise InputError(f"--out is {out!r}; expected the name of a file")
    if Path(out).is_dir():
        raise InputError(f"--out is {out}, a directory; expected the name of a file")
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{out} cannot be written: {folder} is no directory that can be written to")


def _interruption(out: str) -> str:
    if not Path(out).exists():
        return f"interrupted before the first cells were done; {out} was not written"
    return f"interrupted; {out} holds what is done, and the same command with --resume goes on from there"


def _next_steps(out: str) -> str:
    return f"metaeval: results in {out}; next: metaeval report {out} --format html --out page.html"


def matrix(results: Results) -> str:
    """The compliance matrix with what it takes to read it; the evidence is left to ``metaeval report``."""
    from metaeval.reports import build
    from metaeval.reports.document import legend, naming, overview
    from metaeval.reports.text import matrix as matrix_lines

    def wrap(text: str, lead: str = "") -> list[str]:
        rest = " " * len(lead)
        return textwrap.wrap(text, width, initial_indent=lead, subsequent_indent=rest, break_on_hyphens=False)

    report = build(results.to_json())
    width = min(terminal_width(), _WIDEST)
    lines = [*wrap(overview(report)), ""]
    if report.ordered:
        lines += [*matrix_lines(report), "", *wrap(naming(report)), ""]
        shown = {
            report.at(row.id, column.id, reading.name).symbol
            for row in report.measures
            for column in report.conditions
            for reading in column.readings
        }
        for symbol, meaning in legend(report):
            if symbol in shown:
                lines += wrap(meaning, f"{symbol}  ")
    return "\n".join(lines).rstrip() + "\n"
