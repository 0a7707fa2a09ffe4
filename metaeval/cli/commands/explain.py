"""``metaeval explain``: a condition, a measure, a cell, or what a file holds in words."""

from pathlib import Path

import click

from metaeval.cli.options import complete
from metaeval.cli.tables import page_width
from metaeval.display.explain import explain
from metaeval.files.json_file import read_json

_EPILOG = """\b
Examples:
  metaeval explain A.3
  metaeval explain A.3 --reading literal
  metaeval explain mocice
  metaeval explain mocice/A.1/overlapping --results results.json
  metaeval explain certificate.json

In Python, metaeval.explain takes the same things, answers apart.
"""


@click.command(epilog=_EPILOG)
@click.argument("what", metavar="WHAT", shell_complete=complete("condition", "measure"))
@click.option("--reading", metavar="NAME", shell_complete=complete("reading"),
              help="Only this reading of a condition, or of a cell that names none.")  # fmt: skip
@click.option("--results", metavar="FILE", help="Results file with the cell.")
def command(what: str, reading: str | None, results: str | None) -> None:
    """Explain WHAT: a condition, a measure, a cell of results, or a file.

    A file holds an equation, a certificate, a proof, or an answer of `metaeval consistency`. - is standard input.

    A condition comes with its demand and a drawn example per reading; a cell with its verdict and evidence, and with
    its counterexample or proof.
    """
    click.echo(_answer(what) or explain(what, reading=reading, results=results, width=page_width()))


def _answer(what: str) -> str | None:
    """The words of an answer on consistency, if the file holds one."""
    data = read_json(what) if Path(what).is_file() else None
    if not isinstance(data, dict) or not str(data.get("schema")).startswith("metaeval.consistency/"):
        return None
    from metaeval.consistency.answer import Answer  # loaded here: nothing else in this command needs it
    from metaeval.consistency.answer_text import told

    return told(Answer.from_json(data, what), page_width())
