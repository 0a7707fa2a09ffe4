"""``metaeval report``: a results file as a document."""

from __future__ import annotations

import click

from metaeval.errors import InputError
from metaeval.files import read_json, write_atomically
from metaeval.reports import FORMATS, render

_EPILOG = """\b
Examples:
  metaeval report results.json --format text
  metaeval report results.json --format html --out matrix.html
  metaeval report new.json --format markdown --compare old.json
"""


@click.command(epilog=_EPILOG)
@click.argument("results", metavar="RESULTS")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True,
              help="What to write.")  # fmt: skip
@click.option("--out", metavar="FILE", help="Write to this file instead of standard output.")
@click.option("--compare", "old", metavar="OLD", help="Show only what changed since these older results.")
def command(results: str, format_: str, out: str | None, old: str | None) -> None:
    """Render RESULTS, a file that `metaeval run` wrote: the matrix, the evidence, every counterexample."""
    if results == old == "-":
        raise InputError("RESULTS and --compare are both -; only one can come from standard input")
    new, before = read_json(results), None if old is None else read_json(old)
    try:
        text = render(new, format_, before)
    except InputError as error:
        place = results if old is None else f"{results} or {old}"
        raise InputError(f"{place}: {error}") from None
    if out is None:
        click.echo(text, nl=False)
    else:
        write_atomically(out, text)
