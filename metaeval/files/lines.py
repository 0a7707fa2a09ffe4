"""Lines of text as a table, whatever divides its columns."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from io import StringIO

from metaeval.core.errors import InputError
from metaeval.files.label_values import as_number


@dataclass(frozen=True)
class Table:
    """Lines of equally many columns, each with its number in the file."""

    source: str
    numbers: list[int]
    rows: list[list[str]]

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.rows[0])

    def column(self, index: int) -> list[str]:
        """A column from top to bottom."""
        return [row[index] for row in self.rows]

    def without_header(self) -> Table:
        """All but the first line, of which there must be some."""
        if len(self.rows) == 1:
            raise self.error(0, "a header, and nothing below it; expected a line for each object")
        return Table(self.source, self.numbers[1:], self.rows[1:])

    def error(self, at: int, what: str) -> InputError:
        """An error that names the file and a line of the table."""
        return InputError(f"{self.source}, line {self.numbers[at]}: {what}")


def read_lines(text: str, source: str) -> Table:
    """The lines of a text as a table; blank lines at its end are none."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text))
    numbers: list[int] = []
    rows: list[list[str]] = []
    try:
        for row in reader:
            if reader.line_num > 1 + (numbers[-1] if numbers else 0):
                raise csv.Error("a quotation mark is opened and not closed on the line where it stands")
            numbers.append(reader.line_num)
            rows.append([cell.strip() for cell in row])
    except csv.Error as error:
        raise InputError(f"{source}, line {reader.line_num}: {error}") from None
    while rows and not any(rows[-1]):
        rows.pop()
    if not rows:
        raise InputError(
            f"{source} is empty; expected a label a line, or a table of objects and labels or clusters"
        )
    return _even(Table(source, numbers[: len(rows)], rows))


def _delimiter(text: str) -> str:
    """What divides the columns: of tab, comma and semicolon the one that the first line has most of."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    for line in (first, text):
        mark = max("\t,;", key=line.count)
        if mark in line:
            return mark
    return "\t"


def _even(table: Table) -> Table:
    """The same table where every line has as many columns; blank lines count where there is one column only."""
    width = max(map(len, table.rows[:2]))
    if width <= 1:
        rows = [row or [""] for row in table.rows]
        lines = list(range(len(rows)))
    else:
        lines = [at for at, row in enumerate(table.rows) if any(row)]
        rows = [table.rows[at] for at in lines]
        if len(rows[0]) == width - 1 and all(as_number(cell) is None for cell in rows[0]):
            rows[0] = ["", *rows[0]]  # R leaves out what stands over the names of the rows
    even = Table(table.source, [table.numbers[at] for at in lines], rows)
    for at, row in enumerate(rows):
        if len(row) != max(width, 1):
            raise even.error(at, f"{counted(len(row), 'column')}; expected {max(width, 1)}, as above")
    return even


def counted(amount: int, thing: str) -> str:
    """So many things, in words."""
    return f"{amount} {thing}" if amount == 1 else f"{amount} {thing}s"
