"""The report as plain text, at most 100 columns wide."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from tabulate import tabulate

from metaeval.reports.document import Block, Code, Heading, Items, Matrix, Paragraph, Table, document
from metaeval.reports.view import ConditionColumn, Report

WIDTH = 100
_UNDERLINES = {1: "=", 2: "-"}
#: Longer ids are cut in tables; the list of measures has them whole.
_MOST_ID = 24
#: Between two columns tabulate leaves two spaces, and it pads a column's heading by two.
_GAP = 4
_NO_BREAK = "\N{NO-BREAK SPACE}"
#: A short bicluster with its label, or the shape of a matrix, which reads best on one line.
_BICLUSTER = re.compile(r"\w+′? = \{[^{}]{0,40}\} × \{[^{}]{0,24}\}|\(on [^()]*\)")


def render(report: Report) -> str:
    """The whole report."""
    return "\n\n".join("\n".join(lines(block)) for block in document(report)) + "\n"


def lines(block: Block) -> Iterator[str]:
    """A block as lines of text."""
    match block:
        case Heading():
            yield from _heading(block)
        case Paragraph(text):
            yield from _wrap(text)
        case Items(pairs):
            yield from _items(pairs)
        case Table():
            yield from _table(block).splitlines()
        case Code(text):
            yield from textwrap.indent(text, "    ").splitlines()
        case Matrix(report):
            yield from matrix(report)


def _heading(block: Heading) -> Iterator[str]:
    lines = _wrap(block.text)
    yield from lines
    if block.level in _UNDERLINES:
        yield _UNDERLINES[block.level] * max(map(len, lines))


def _items(pairs: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """Terms in a column of their own; a term too long for it gets a line."""
    indent = min(max((len(term) for term, _ in pairs), default=0), 18) + 4
    for term, text in pairs:
        lead = f"  {term}".ljust(indent)
        if len(lead) > indent:
            yield from _wrap(lead.strip(), "  ", "  ")
            lead = " " * indent
        yield from _wrap(text, lead, " " * indent) or [lead.rstrip()]


def _wrap(text: str, first: str = "", rest: str = "") -> list[str]:
    """Lines of at most the width, broken between biclusters rather than inside one."""
    whole = _BICLUSTER.sub(lambda found: found[0].replace(" ", _NO_BREAK), text)
    lines = textwrap.wrap(whole, WIDTH, initial_indent=first, subsequent_indent=rest)
    return [line.replace(_NO_BREAK, " ") for line in lines]


def _table(block: Table) -> str:
    align = ["right" if at in block.numbers else "left" for at in range(len(block.headers))]
    rows = [[shorten(value) for value in row] for row in block.rows]
    table: str = tabulate(rows, block.headers, tablefmt="simple", disable_numparse=True, colalign=align)
    return table


def matrix(report: Report) -> Iterator[str]:
    """The matrix, in as many tables as the width asks for."""
    labels = [shorten(row.id) for row in report.measures]
    room = WIDTH - max(map(len, labels))
    for at, columns in enumerate(_packed(report.conditions, room)):
        if at:
            yield ""
        headers = ["", *(f"{column.id}\n{column.letters}" for column in columns)]
        rows = [
            [label, *("".join(report.at(row.id, column.id, each.name).symbol for each in column.readings)
                      for column in columns)]
            for label, row in zip(labels, report.measures, strict=True)
        ]  # fmt: skip
        yield from tabulate(rows, headers, tablefmt="simple", disable_numparse=True).splitlines()


def _packed(columns: tuple[ConditionColumn, ...], room: int) -> list[list[ConditionColumn]]:
    """The columns in groups, none wider than there is room for."""
    groups: list[list[ConditionColumn]] = []
    left = 0
    for column in columns:
        width = max(len(column.id), len(column.readings)) + _GAP
        if width > left:
            groups.append([])
            left = room
        groups[-1].append(column)
        left -= width
    return groups


def shorten(text: str, most: int = _MOST_ID) -> str:
    """``text`` cut to a width, the cut shown."""
    return text if len(text) <= most else text[: most - 1] + "…"
