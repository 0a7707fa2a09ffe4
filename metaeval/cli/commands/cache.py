"""``metaeval cache``: the cases that searches keep on disk."""

from __future__ import annotations

import click

from metaeval.cases.store import MOST_BYTES, Disk, KeptFile
from metaeval.display.layout import plural, table

_EPILOG = """\b
Examples:
  metaeval cache
  metaeval cache clear
"""


@click.command(epilog=_EPILOG)
@click.argument("action", type=click.Choice(["show", "clear"]), default="show")
def command(action: str) -> None:
    """Show the cache of cases, or clear it.

    Making cases takes far longer than reading them. Clearing the cache is safe: cases that are missing, outdated or
    damaged are made anew. METAEVAL_CACHE_DIR names another folder.
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
        click.echo("\n" + table(headers, _rows(files)))


def _rows(files: list[KeptFile]) -> list[list[str]]:
    found = []
    for one in files:
        key = one.key()
        asked = [str(key.get(name, "?")) for name in ("condition", "examples", "exhaustive", "seed")]
        found.append([_size(one.size), *asked, one.path.name])
    return sorted(found, key=lambda row: row[1:])


def _size(count: int) -> str:
    return f"{count / 1024**2:.1f} MB"
