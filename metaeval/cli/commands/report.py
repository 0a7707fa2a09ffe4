"""``metaeval report``: a results file as a document."""

from __future__ import annotations

import click

from metaeval.errors import InputError
from metaeval.evidence.results import Results
from metaeval.files import write_atomically
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
    text = render(Results.load(results), format_, None if old is None else Results.load(old))
    if out is None:
        click.echo(text, nl=False)
    else:
        write_atomically(out, text)
