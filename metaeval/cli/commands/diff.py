"""``metaeval diff``: what changed between two results files."""

import json
from collections.abc import Iterator
from dataclasses import asdict

import click

from metaeval.cli import tables
from metaeval.core.errors import InputError
from metaeval.display.layout import paragraph, shorten
from metaeval.files.json_file import shown_name
from metaeval.records.compare import Comparison, Kind, compare
from metaeval.records.results import Results

_EPILOG = """\b
Examples:
  metaeval diff old.json new.json
  metaeval diff old.json new.json --json
"""

_TITLES = {
    Kind.BROKEN: "Broken: held before",
    Kind.REMOVED: "Removed: no longer checked",
    Kind.WEAKER: "Weaker evidence",
    Kind.CHANGED: "Other verdicts",
    Kind.STRONGER: "Stronger: proved now",
    Kind.FIXED: "Fixed: holds now",
    Kind.ADDED: "Added: not checked before",
}

#: Red for the worse, green for the better.
_PAINTS = {Kind.BROKEN: tables.red, Kind.REMOVED: tables.red, Kind.STRONGER: tables.green, Kind.FIXED: tables.green}


@click.command(epilog=_EPILOG)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(old: str, new: str, as_json: bool) -> int:
    """Show what changed between the results files OLD and NEW.

    The exit code is 1 for a regression: a cell that held and no longer does, whose cases were all tried up to fewer
    objects, that is no longer proved although a proof was tried, or that is gone. A few cases more or less are no
    regression. Files without a common cell are not compared.
    """
    if old == new == "-":
        raise InputError("OLD and NEW are both -; only one can come from standard input")
    before, after = Results.load(old), Results.load(new)
    if not any(before.get(cell.key) for cell in after):
        raise InputError(
            f"{shown_name(old)} and {shown_name(new)} have nothing in common: no cell is in both; "
            "expected two results of the same measures and conditions"
        )
    found = compare(before, after)
    if as_json:
        data = {"regression": found.regression, "same": found.same, "efforts": found.efforts}
        changes = [asdict(change) for change in found.changes]
        click.echo(json.dumps({**data, "differences": changes}, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(_lines(found)))
    return 1 if found.regression else 0


def _lines(found: Comparison) -> Iterator[str]:
    for kind, title in _TITLES.items():
        if entries := found.of(kind):
            yield _PAINTS.get(kind, str)(f"{title} ({len(entries)})")
            for entry in entries:
                known = entry.kind is Kind.WEAKER  # its summary has the detail
                reason = f" ({shorten(entry.detail, 120)})" if entry.detail and not known else ""
                line = f"{' '.join(entry.key)}: {entry.summary}{reason}"
                yield from paragraph(line, tables.terminal_width(), "  ", "    ")
            yield ""
    for id, (before, after) in found.efforts.items():
        yield f"{id}: effort level {before} → {after}: other cases were tried; --effort {before} tries the same again"
    changed = len(found.changes)
    yield f"{changed} changed, {found.same} unchanged" + (tables.red("; a regression") if found.regression else "")
