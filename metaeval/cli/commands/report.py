"""``metaeval report``: results files as one document."""

import re
import shlex
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import click

from metaeval.cli.options import chosen_names
from metaeval.core.errors import InputError
from metaeval.files.json_file import write_atomically
from metaeval.records.results import Results, load_each, merged
from metaeval.reports import FORMATS, build, render
from metaeval.reports.view import Chosen

_EPILOG = """\b
Examples:
  metaeval report results.json --format text
  metaeval report results.json --format html --out matrix.html
  metaeval report results.json mine.json --format html --out matrix.html
  metaeval report new.json --format markdown --compare old.json
  metaeval report results.json --consistency survey.json
  metaeval report results.json --format latex --table-only --reading canonical --out table.tex
"""


@click.command(epilog=_EPILOG)
@click.argument("files", metavar="RESULTS…", nargs=-1, required=True)
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True,
              help="Format of the document.")  # fmt: skip
@click.option("--condition", "ids", multiple=True, metavar="ID", help="Show only this condition; may be repeated.")
@click.option("--reading", "readings", multiple=True, metavar="NAME", help="Show only this reading; may be repeated.")
@click.option("--table-only", is_flag=True, help="With --format latex: one tabular for \\input in another document.")
@click.option("--out", metavar="FILE", help="Write to this file instead of standard output.")
@click.option("--compare", "old", metavar="OLD", help="Show only what changed since these older results.")
@click.option("--consistency", "survey", metavar="FILE", help="Add a survey by `metaeval consistency --survey`.")
@click.option("--date", metavar="DATE", help="Day of the run, YYYY-MM-DD, for the page.  [default: that of the files]")
def command(
    files: tuple[str, ...], format_: str, ids: tuple[str, ...], readings: tuple[str, ...], table_only: bool,
    out: str | None, old: str | None, survey: str | None, date: str | None,
) -> None:  # fmt: skip
    """Render RESULTS, files that `metaeval run` or `metaeval check --json` wrote, as one document.

    It has the matrix, the evidence and every counterexample. Several files become one matrix; no cell may be in two
    of them. With a survey, readings that no measure can satisfy together are marked. Chosen conditions and readings
    are shown in the order in which they are named.
    """
    excluded = {"--compare": old, "--consistency": survey, f"--format {format_}": format_ != "latex"}
    if table_only and (other := next((name for name, given in excluded.items() if given), None)):
        raise InputError(f"--table-only is the matrix as a table of --format latex; leave {other} out")
    if "-" in files and old == "-":
        raise InputError("RESULTS and --compare are both -; only one can come from standard input")
    older = None if old is None else Results.load(old)
    surveyed = None
    if survey is not None:
        from metaeval.consistency.survey import load_survey

        surveyed = load_survey(survey)
    loaded = load_each(files)
    results = merged(loaded)
    only = _only(results, ids, readings)
    if table_only:
        from metaeval.reports.latex import table

        chosen = (*(f"--condition={id}" for id in ids), *(f"--reading={name}" for name in readings))
        command = shlex.join(["metaeval", "report", *files, "--format=latex", "--table-only", *chosen])
        text = table(build(results, only=only), command)
    else:
        measures = {file: list(part.measures) for file, part in loaded.items()}
        text = render(results, format_, older, _day(date, files), surveyed, only, measures)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_atomically(out, text)


def _only(results: Results, ids: Sequence[str], names: Sequence[str]) -> Chosen | None:
    """The conditions and readings to show; None where all are."""
    if not ids and not names:
        return None
    every = results.conditions
    chosen = {id: every[id].readings for id in chosen_names("--condition", ids or every, every)}
    known = dict.fromkeys(name for readings in chosen.values() for name in readings)
    wanted = chosen_names("--reading", names or known, known)
    for id, readings in chosen.items():
        if ids and not readings.keys() & set(wanted):
            raise InputError(f"{id} has no reading {' or '.join(wanted)}; the results have {', '.join(readings)}")
    return {id: [name for name in wanted if name in readings] for id, readings in chosen.items()}


def _day(stated: str | None, files: Sequence[str]) -> str:
    """The day as stated, or that of the newest file: results have no date, so that the same run gives the same file."""
    if stated is not None:
        with suppress(ValueError):
            if not stated or (re.fullmatch("[0-9-]{10}", stated) and datetime.fromisoformat(stated)):
                return stated
        raise InputError(f"--date is {stated!r}; expected a day such as 2026-01-31")
    written = [Path(file).stat().st_mtime for file in files if Path(file).is_file()]
    return datetime.fromtimestamp(max(written), UTC).date().isoformat() if written else ""
