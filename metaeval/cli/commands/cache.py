"""``metaeval cache``: what is kept on disk from one search to the next."""

from __future__ import annotations

import click

from metaeval.cases.store import MOST_BYTES, Disk, KeptFile
from metaeval.cli.tables import NO_LIMIT, render
from metaeval.display.layout import plural

_EPILOG = """\b
Examples:
  metaeval cache
  metaeval cache clear
"""


@click.command(epilog=_EPILOG)
@click.argument("action", type=click.Choice(["show", "clear"]), default="show")
def command(action: str) -> None:
    """Show the cases that are kept from one search to the next, or clear them.

    They are kept because making them takes far longer than reading them. Nothing is lost with them: what is
    missing, outdated or damaged is made anew. METAEVAL_CACHE_DIR names another folder.
    """
    cache = Disk()
    if action == "clear":
        click.echo(f"{cache.folder}: {plural(cache.clear(), 'file')} removed")
        return
    files = cache.files()
    total = sum(one.size for one in files)
    click.echo(f"{cache.folder}: {plural(len(files), 'file')}, {_size(total)} of at most {_size(MOST_BYTES)}")
    if files:
        headers = ["size", "condition", "examples", "exhaustive", "seed", "file"]
        # The name of a file is of use only whole.
        click.echo("\n" + render(headers, _rows(files), width=NO_LIMIT))


def _rows(files: list[KeptFile]) -> list[list[str]]:
    found = []
    for one in files:
        key = one.key()
        asked = [str(key.get(name, "?")) for name in ("condition", "examples", "exhaustive", "seed")]
        found.append([_size(one.size), *asked, one.path.name])
    return sorted(found, key=lambda row: row[1:])


def _size(count: int) -> str:
    return f"{count / 1024**2:.1f} MB"
