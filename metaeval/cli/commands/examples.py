"""``metaeval examples``: files to try metaeval with."""

import shlex
from pathlib import Path

import click

import metaeval
from metaeval.core.errors import InputError

_EPILOG = """\b
Example:
  metaeval examples .
"""
_FILES = ("gold.json", "found.json", "measures.py", "test_measures.py", "github-actions.yml")
_DONE = f"""Written to {{0}}: {", ".join(_FILES)}. Try this:

    cd {{0}}
    metaeval score --gold gold.json --candidate found.json --measure rnia --measure mocice --exact
    metaeval check measures.py:flawed --quick
    metaeval check measures.py:mine --quick --save baselines.json
    pytest --metaeval-examples 20 --metaeval-no-proofs test_measures.py"""


@click.command(epilog=_EPILOG)
@click.argument("folder", metavar="DIR")
def command(folder: str) -> None:
    """Write example files into DIR: biclusterings, a good and a flawed measure, tests and a GitHub workflow.

    Files that exist are never overwritten.
    """
    target, package = Path(folder), Path(metaeval.__file__).parent
    for name in _FILES:
        if (target / name).exists():
            raise InputError(f"{target / name} exists, and is not overwritten; expected a folder without {name}")
    target.mkdir(parents=True, exist_ok=True)
    # In a checkout the folder of examples lies beside the package, as conditions and measures do.
    source = next(one for one in (package / "examples", package.parent / "examples") if one.is_dir())
    for name in _FILES:
        with (target / name).open("xb") as file:
            file.write((source / name).read_bytes())
    click.echo(_DONE.format(shlex.quote(folder)))
