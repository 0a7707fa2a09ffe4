"""``metaeval explain``: a condition, a measure, a cell, a certificate or a proof in words."""

import click

from metaeval.cli.tables import page_width
from metaeval.display.explain import explain

_EPILOG = """\b
Examples:
  metaeval explain A.3
  metaeval explain A.3 --reading literal
  metaeval explain mocice
  metaeval explain mocice/A.1/overlapping --results results.json
  metaeval explain certificate.json

In Python, metaeval.explain takes the same things.
"""


@click.command(epilog=_EPILOG)
@click.argument("what", metavar="WHAT")
@click.option("--reading", metavar="NAME", help="Only this reading of a condition, or of a cell that names none.")
@click.option("--results", metavar="FILE", help="Results file with the cell.")
def command(what: str, reading: str | None, results: str | None) -> None:
    """Explain WHAT: a condition, a measure, a cell of results, or a file with an equation, a certificate or a proof.

    - is standard input.

    A condition comes with its demand and a drawn example per reading; a cell with its verdict and evidence, and with
    its counterexample or proof.
    """
    click.echo(explain(what, reading=reading, results=results, width=page_width()))
