"""The report as plain text, at most 100 columns wide."""

import re
import textwrap
from collections.abc import Iterator

from metaeval.display.layout import bands, joined, paragraph, shorten, table
from metaeval.reports.document import Block, Code, Heading, Items, Matrix, Paragraph, Table, document
from metaeval.reports.view import Report

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
            # A term that is too long for its column gets a line of its own.
            indent = min(max((len(term) for term, _ in pairs), default=0), 18) + 4
            for term, text in pairs:
                lead = f"  {term}".ljust(indent)
                if not lead.endswith(" "):
                    yield from _wrap(lead.strip(), width, "  ", "  ")
                    lead = " " * indent
                yield from _wrap(text, width, lead, " " * indent) or [lead.rstrip()]
        case Table(headers, all_rows, numbers):
            rows = [[one if len(one) <= _MOST_ID else shorten(one, _MOST_ID) for one in row] for row in all_rows]
            yield from table(headers, rows, numbers).splitlines()
        case Code(text):
            yield from textwrap.indent(text, "    ").splitlines()
        case Matrix(report):
            yield from matrix(report, width)


def _wrap(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """The lines of a text, with short biclusters kept whole."""
    whole = _BICLUSTER.sub(lambda found: found[0].replace(" ", _NO_BREAK), text)
    return [line.replace(_NO_BREAK, " ") for line in paragraph(whole, width, first, rest)]


def matrix(report: Report, width: int = WIDTH) -> Iterator[str]:
    """The matrix, in as many tables as the width needs."""
    labels = ["", "", *(shorten(row.id, _MOST_ID) for row in report.measures)]
    columns = []
    for column in report.conditions:
        # The letters of its readings, then their symbols per measure.
        columns.append([column.id, column.letters])
        for row in report.measures:
            entries = ((report.at(row.id, column.id, each.name), len(each.mark)) for each in column.readings)
            columns[-1].append("".join(entry.symbol + entry.mark.ljust(wide) for entry, wide in entries))
    for at, band in enumerate(bands(columns, width - max(map(len, labels)) - _GAP, _GAP)):
        yield from [""] if at else []
        # A rule stands below the two lines of the headings.
        ruled = [[*column[:2], "-" * max(map(len, column)), *column[2:]] for column in (labels, *band)]
        yield from map(str.rstrip, joined(ruled, _GAP))
