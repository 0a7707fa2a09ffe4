"""``metaeval report``: results files as one document."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import click

from metaeval.core.errors import InputError
from metaeval.files.json_file import write_atomically
from metaeval.records.results import Results, load_each, merged
from metaeval.reports import FORMATS, render

_EPILOG = """\b
Examples:
  metaeval report results.json --format text
  metaeval report results.json --format html --out matrix.html
  metaeval report results.json mine.json --format html --out matrix.html
  metaeval report new.json --format markdown --compare old.json
  metaeval report results.json --consistency survey.json
"""


@click.command(epilog=_EPILOG)
@click.argument("files", metavar="RESULTS…", nargs=-1, required=True)
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True,
              help="Format of the document.")  # fmt: skip
@click.option("--out", metavar="FILE", help="Write to this file instead of standard output.")
@click.option("--compare", "old", metavar="OLD", help="Show only what changed since these older results.")
@click.option("--consistency", "survey", metavar="FILE", help="Add a survey by `metaeval consistency --survey`.")
@click.option("--date", metavar="DATE", help="Day of the run, YYYY-MM-DD, for the page.  [default: that of the files]")
def command(
    files: tuple[str, ...], format_: str, out: str | None, old: str | None, survey: str | None, date: str | None
) -> None:
    """Render RESULTS, files that `metaeval run` or `metaeval check --json` wrote, as one document.

    It has the matrix, the evidence and every counterexample. Several files become one matrix; no cell may be in two
    of them. With a survey, readings that no measure can satisfy together are marked.
    """
    if "-" in files and old == "-":
        raise InputError("RESULTS and --compare are both -; only one can come from standard input")
    older = None if old is None else Results.load(old)
    surveyed = None
    if survey is not None:
        from metaeval.consistency.survey import load_survey

        surveyed = load_survey(survey)
    loaded = load_each(files)
    measures = {file: list(results.measures) for file, results in loaded.items()}
    text = render(merged(loaded), format_, older, _day(date, files), surveyed, measures)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_atomically(out, text)


def _day(stated: str | None, files: Sequence[str]) -> str:
    """The day as stated, or that of the newest file: results have no date, so that the same run gives the same file."""
    if stated is not None:
        with suppress(ValueError):
            if not stated or (re.fullmatch("[0-9-]{10}", stated) and datetime.fromisoformat(stated)):
                return stated
        raise InputError(f"--date is {stated!r}; expected a day such as 2026-01-31")
    written = [Path(file).stat().st_mtime for file in files if Path(file).is_file()]
    return datetime.fromtimestamp(max(written), UTC).date().isoformat() if written else ""
