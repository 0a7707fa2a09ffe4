"""``metaeval cache``: the cases that searches keep on disk."""

import click

from metaeval.cases.store import MOST_BYTES, Disk
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
        names = ("condition", "examples", "exhaustive", "seed")
        keyed = ((one, one.key()) for one in files)
        rows = [[_size(one.size), *(str(key.get(name, "?")) for name in names), one.path.name] for one, key in keyed]
        rows.sort(key=lambda row: row[1:])
        click.echo("\n" + table(["size", *names, "file"], rows))


def _size(count: int) -> str:
    return f"{count / 1024**2:.1f} MB"
