"""``metaeval diff``: what changed between two results files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

import click

from metaeval.cli.tables import shorten
from metaeval.errors import InputError
from metaeval.evidence.comparison import Difference, Differences, Kind, compare
from metaeval.evidence.results import Results
from metaeval.files import read_json

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
    Kind.FIXED: "Fixed: holds now",
    Kind.ADDED: "Added: not checked before",
}

REGRESSION = 1


@click.command(epilog=_EPILOG)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(old: str, new: str, as_json: bool) -> int:
    """Show what changed between the results files OLD and NEW.

    Ends with 1 for a regression: a cell that held and no longer does, or that holds on weaker evidence, or
    that is gone.
    """
    if old == new == "-":
        raise InputError("OLD and NEW are both -; only one can come from standard input")
    before, after = _load(old), _load(new)
    try:
        found = compare(before, after)
    except InputError as error:
        raise InputError(f"{old} or {new}: {error}") from None
    click.echo(_json(found) if as_json else "\n".join(_lines(found)))
    return REGRESSION if found.regression else 0


def _load(path: str) -> Results:
    data = read_json(path)
    try:
        return Results.from_json(data)
    except InputError as error:
        raise InputError(f"{'standard input' if path == '-' else path}: {error}") from None


def _lines(found: Differences) -> Iterator[str]:
    for kind, title in _TITLES.items():
        entries = found.of(kind)
        if entries:
            yield f"{title} ({len(entries)})"
            yield from (f"  {_line(entry)}" for entry in entries)
            yield ""
    changed = len(found.differences)
    yield f"{changed} changed, {found.same} unchanged" + ("; a regression" if found.regression else "")


def _line(entry: Difference) -> str:
    place = f"{entry.measure} {entry.condition} {entry.reading}"
    if entry.kind is Kind.WEAKER:
        return f"{place}: {entry.new}, {entry.detail}"
    verdicts = " → ".join(verdict for verdict in (entry.old, entry.new) if verdict is not None)
    return f"{place}: {verdicts}" + (f" ({shorten(entry.detail, 120)})" if entry.detail else "")


def _json(found: Differences) -> str:
    data = {
        "regression": found.regression,
        "same": found.same,
        "differences": [asdict(difference) for difference in found.differences],
    }
    return json.dumps(data, indent=2, ensure_ascii=False)
