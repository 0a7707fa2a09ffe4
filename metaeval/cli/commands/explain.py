"""``metaeval explain``: a condition in words, its readings, and a drawn example of each."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import islice

import click

from metaeval.cases import Case
from metaeval.cli.tables import terminal_width
from metaeval.condition import Condition, Reading, find_condition
from metaeval.evidence.text_pictures import KEY, draw_case

_WIDEST = 100
_INDENT = "  "
#: So many cases of a size are looked at for one that shows a reading well.
_LOOKED_AT = 300


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


def example(condition: Condition, reading: Reading) -> Case | None:
    """A small case that shows what the reading is about, or None where none is listed.

    It comes from the two smallest sizes there are. The second leaves room for a context, and a case that no
    reading before this one admits shows best what this one adds.
    """
    before = list(condition.readings.values())
    before = before[: before.index(reading)]
    sizes = (list(islice(reading.enumerate_(objects), _LOOKED_AT)) for objects in range(1, reading.reach + 1))
    smallest = list(islice(filter(None, sizes), 2))
    cases = [case for size in reversed(smallest) for case in size]
    return max(cases, key=lambda case: _interest(case, before), default=None)


def _interest(case: Case, before: list[Reading]) -> tuple[bool, ...]:
    """What makes an example a good one, the most important first; of equally good ones the first is taken."""
    candidate, gold = case.left
    kept = set(candidate) & set(case.right.candidate)
    return (
        not any(reading.premise(case) for reading in before),
        bool(len(gold) and len(candidate)),
        set(gold) != set(candidate),
        bool(kept),
        len(gold) > 1,
    )
