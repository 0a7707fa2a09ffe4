"""``metaeval explain``: a condition in words, its readings, and a drawn example of each."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from metaeval.cli.tables import terminal_width
from metaeval.condition import Condition, Reading, find_condition
from metaeval.evidence.examples import example
from metaeval.evidence.text_pictures import KEY, draw_case

_WIDEST = 100
_INDENT = "  "


@click.command(epilog="\b\nExamples:\n  metaeval explain A.3\n  metaeval explain A.3 --reading literal")
@click.argument("id", metavar="CONDITION")
@click.option("--reading", "name", metavar="NAME", help="Only this reading.")
def command(id: str, name: str | None) -> None:
    """Explain CONDITION: what it says and demands, and each reading with a drawn example."""
    condition = find_condition(id)
    readings = list(condition.readings.values()) if name is None else [condition.reading(name)]
    width = min(terminal_width(), _WIDEST)
    click.echo("\n".join(_lines(condition, readings, width)))


def _lines(condition: Condition, readings: list[Reading], width: int) -> Iterator[str]:
    yield f"{condition.id} {condition.name}"
    yield ""
    yield from _paragraph(condition.statement, width)
    yield from _paragraph(f"Demanded: {condition.relation.demand} ({condition.relation.name}).", width)
    yield from _paragraph(f"Source: {condition.citation}", width)
    for reading in readings:
        yield ""
        yield f"Reading: {reading.name}"
        yield from _paragraph(reading.adds, width, _INDENT)
        yield from _paragraph(_searched(reading), width, _INDENT)
        case = example(condition, reading)
        if case is not None:
            yield ""
            yield textwrap.indent(draw_case(case, width - len(_INDENT)), _INDENT)
    yield ""
    yield from _paragraph(KEY + ".", width)


def _searched(reading: Reading) -> str:
    limit = f"all cases up to {reading.complete} objects"
    more = f", and many with up to {reading.reach}" if reading.reach > reading.complete else ""
    return f"Exhaustive search: {limit}{more} ({reading.scope})."


def _paragraph(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
