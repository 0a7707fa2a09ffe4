"""The report as plain text, at most 100 columns wide."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from metaeval.display.layout import paragraph, shorten, table
from metaeval.reports.document import Block, Code, Heading, Items, Matrix, Paragraph, Table, document
from metaeval.reports.view import ConditionColumn, Report

WIDTH = 100
_UNDERLINES = {1: "=", 2: "-"}
#: Longer ids are cut in tables, but not in the list of measures.
_MOST_ID = 24
#: Spaces between two columns of the matrix.
_GAP = 2
_NO_BREAK = "\N{NO-BREAK SPACE}"
#: A short bicluster with its label, or the shape of a matrix, which reads best on one line.
_BICLUSTER = re.compile(r"\w+′? = \{[^{}]{0,40}\} × \{[^{}]{0,24}\}|\(on [^()]*\)")


def render(report: Report) -> str:
    """The whole report."""
    return "\n\n".join("\n".join(lines(block)) for block in document(report)) + "\n"


def lines(block: Block, width: int = WIDTH) -> Iterator[str]:
    """A block as lines of text; tables and code are not wrapped."""
    match block:
        case Heading():
            heading = _wrap(block.text, width)
            yield from heading
            if block.level in _UNDERLINES:
                yield _UNDERLINES[block.level] * max(map(len, heading))
        case Paragraph(text):
            yield from _wrap(text, width)
        case Items(pairs):
            yield from _items(pairs, width)
        case Table():
            rows = [
                [value if len(value) <= _MOST_ID else shorten(value, _MOST_ID) for value in row] for row in block.rows
            ]
            yield from table(block.headers, rows, [block.headers[at] for at in block.numbers]).splitlines()
        case Code(text):
            yield from textwrap.indent(text, "    ").splitlines()
        case Matrix(report):
            yield from matrix(report, width)


def _items(pairs: tuple[tuple[str, str], ...], width: int) -> Iterator[str]:
    """Terms in a column; a term that is too long for it gets a line of its own."""
    indent = min(max((len(term) for term, _ in pairs), default=0), 18) + 4
    for term, text in pairs:
        lead = f"  {term}".ljust(indent)
        if not lead.endswith(" "):
            yield from _wrap(lead.strip(), width, "  ", "  ")
            lead = " " * indent
        yield from _wrap(text, width, lead, " " * indent) or [lead.rstrip()]


def _wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """The lines of a text, with short biclusters kept whole."""
    whole = _BICLUSTER.sub(lambda found: found[0].replace(" ", _NO_BREAK), text)
    return [line.replace(_NO_BREAK, " ") for line in paragraph(whole, width, first, rest)]


def matrix(report: Report, width: int = WIDTH) -> Iterator[str]:
    """The matrix, in as many tables as the width needs."""
    labels = ["", "", *(shorten(row.id, _MOST_ID) for row in report.measures)]
    room = width - max(map(len, labels))
    for at, columns in enumerate(_packed(report.conditions, room)):
        if at:
            yield ""
        yield from _side_by_side([labels, *([column.id, *_signs(report, column)] for column in columns)])


def _signs(report: Report, column: ConditionColumn) -> Iterator[str]:
    """A column of the matrix below its id: the letters of its readings, then their symbols per measure."""
    yield column.letters
    for row in report.measures:
        entries = (report.at(row.id, column.id, each.name) for each in column.readings)
        yield "".join(entry.symbol + entry.mark for entry in entries)


def _side_by_side(columns: list[list[str]]) -> Iterator[str]:
    """Columns as lines, with a rule below the two lines of their headings."""
    widths = [max(map(len, column)) for column in columns]
    rows = list(zip(*columns, strict=True))
    for row in (*rows[:2], tuple("-" * width for width in widths), *rows[2:]):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield (" " * _GAP).join(cells).rstrip()


def _packed(columns: tuple[ConditionColumn, ...], room: int) -> list[list[ConditionColumn]]:
    """The columns in groups, none wider than ``room``."""
    groups: list[list[ConditionColumn]] = []
    left = 0
    for column in columns:
        width = max(len(column.id), len(column.letters)) + _GAP
        if width > left:
            groups.append([])
            left = room
        groups[-1].append(column)
        left -= width
    return groups
