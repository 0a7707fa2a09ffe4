"""Labels and membership tables in text files: lines, separators, header, labels as values."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isnan

from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError
from metaeval.core.grouping import grouped
from metaeval.files.match_names import Named, Names
from metaeval.files.shown import show


@dataclass(frozen=True)
class Table:
    """Lines with the same number of columns, each with its line number in the file."""

    source: str
    numbers: list[int]
    rows: list[list[str]]

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    def column(self, index: int) -> list[str]:
        """The values of a column."""
        return [row[index] for row in self.rows]

    def without_header(self) -> Table:
        """All lines but the first; there must be some."""
        if len(self.rows) == 1:
            raise self.error(0, "a header, and nothing below it; expected one line per object")
        return Table(self.source, self.numbers[1:], self.rows[1:])

    def error(self, at: int, what: str) -> InputError:
        """An error that names the file and a line of the table."""
        return InputError(f"{self.source}, line {self.numbers[at]}: {what}")


def read_lines(text: str, source: str) -> Table:
    """The lines of a text as a table, without blank lines at the end."""
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
            f"{source} is empty; expected one label per line, or a table of objects and labels or clusters"
        )
    return _even(Table(source, numbers[: len(rows)], rows))


def _delimiter(text: str) -> str:
    """The separator of columns: of tab, comma and semicolon, the most frequent on the first line."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    for line in (first, text):
        mark = max("\t,;", key=line.count)
        if mark in line:
            return mark
    return "\t"


def _even(table: Table) -> Table:
    """The table if all lines have the same number of columns; blank lines count only in a single column."""
    width = max(map(len, table.rows[:2]))
    if width <= 1:
        rows = [row or [""] for row in table.rows]
        lines = list(range(len(rows)))
    else:
        lines = [at for at, row in enumerate(table.rows) if any(row)]
        rows = [table.rows[at] for at in lines]
        if len(rows[0]) == width - 1 and all(as_number(cell) is None for cell in rows[0]):
            rows[0] = ["", *rows[0]]  # R writes no header above the row names
    even = Table(table.source, [table.numbers[at] for at in lines], rows)
    for at, row in enumerate(rows):
        if len(row) != max(width, 1):
            raise even.error(at, f"{counted(len(row), 'column')}; expected {max(width, 1)}, as above")
    return even


def counted(amount: int, thing: str) -> str:
    """A number and its noun: "2 columns"."""
    return f"{amount} {thing}" if amount == 1 else f"{amount} {thing}s"


#: Labels of unclustered objects, besides -1 and NaN in any spelling.
UNCLUSTERED = ("", "NA")


def from_labels(labels: Iterable[str], source: str, objects: Names | None = None, told: str | None = None) -> Named:
    """The clustering with one label per object."""
    found = list(labels)
    clusters = grouped(range(len(found)), found.__getitem__)
    kept = [rows for rows in clusters if not is_unclustered(found[rows[0]])]
    return clustering(kept, len(found), source, objects, told)


def clustering(
    clusters: Iterable[Iterable[int]], objects: int, source: str, names: Names | None, told: str | None
) -> Named:
    """A clustering of objects; if their names are numbers, the objects are put in that order."""
    if names is not None and set(names) == set(map(str, range(objects))):
        # The names are the objects' numbers, so a file without names can be matched.
        place = [int(name) for name in names]
        clusters = [[place[row] for row in rows] for rows in clusters]
        names = tuple(map(str, range(objects)))
    family = Biclustering.lifted(clusters, shape=(objects, 1))
    return Named(family, source, (names, None), clustering=True, counted=True, told=told)


def is_unclustered(label: str) -> bool:
    """Whether the object of this label is in no cluster."""
    number = as_number(label)
    return label in UNCLUSTERED or (number is not None and (number == -1 or isnan(number)))


def as_number(text: str) -> float | None:
    """The text as a number, or None."""
    try:
        return float(text)
    except ValueError:
        return None


LABELS, MEMBERSHIP = "labels", "membership"
FORMATS = (LABELS, MEMBERSHIP)

#: Words that mark a header, in lower case. pandas and R write nothing above the names.
_OBJECT_WORDS = frozenset(
    ["", "object", "objects", "id", "name", "names", "gene", "genes", "sample", "samples", "row", "item", "index"]
)  # fmt: skip
_LABEL_WORDS = frozenset(["label", "labels", "cluster", "clusters", "class", "classes", "group", "module"])
_TRUTH = {"true": True, "false": False}


def parse(text: str, source: str, format: str | None = None) -> Named:
    """The clustering in a text; ``format``, one of :data:`FORMATS`, is needed if it could be either."""
    table = read_lines(text, source)
    return (_membership if (format or _recognised(table)) == MEMBERSHIP else _labels)(table)


def _recognised(table: Table) -> str:
    """Whether these are labels or memberships. One or two columns are labels, if they can be."""
    if table.width != 2:
        return LABELS if table.width < 2 else MEMBERSHIP
    below = table.rows[1:] or table.rows
    if any(_mark(cell) is None for row in below for cell in row):
        return LABELS
    if len({row[0] for row in below}) < len(below):  # not names: names would be distinct
        return MEMBERSHIP
    if _has_label_words(table.rows[0]):
        return LABELS
    raise InputError(
        f"{table.source} can be read as labels of objects called 0 and 1 or as memberships in two clusters; "
        f"say which with --format {LABELS} or --format {MEMBERSHIP}"
    )


# --- labels


def _labels(table: Table) -> Named:
    if table.width > 2:
        raise table.error(0, f"{table.width} columns; expected a label, or an object and its label")
    header = _is_header_of_labels(table)
    body = table.without_header() if header else table
    labels = body.column(body.width - 1)
    objects = _objects(body) if table.width == 2 else None
    clusters = len({label for label in labels if not is_unclustered(label)})
    outside = sum(map(is_unclustered, labels))
    told = f"labels of {counted(len(labels), 'object')} in {counted(clusters, 'cluster')}"
    told += f", {outside} unclustered" if outside else ""
    return from_labels(labels, table.source, objects, _with_header(told, header))


def _is_header_of_labels(table: Table) -> bool:
    """Whether the first line is a header: it has such words, or its label is the only one that is not a number."""
    if _has_label_words(table.rows[0]):
        return True
    label = table.rows[0][-1]
    others = {row[-1] for row in table.rows[1:]}
    numbers = [other for other in others if as_number(other) is not None]
    number_like = all(as_number(other) is not None or is_unclustered(other) for other in others)
    return as_number(label) is None and not is_unclustered(label) and number_like and bool(numbers)


def _has_label_words(row: list[str]) -> bool:
    *objects, label = row
    return label.lower() in _LABEL_WORDS or any(name.lower() in _OBJECT_WORDS for name in objects)


def _objects(table: Table) -> tuple[str, ...]:
    """The first column as names; each must be present and unique."""
    names = tuple(table.column(0))
    seen: dict[str, int] = {}
    for at, name in enumerate(names):
        if not name:
            raise table.error(at, "the object has no name; expected one in the first column")
        if name in seen:
            before = table.numbers[seen[name]]
            raise table.error(
                at,
                f"the object {show(name)} was on line {before} already; expected one line per object "
                "(a membership matrix can put an object into several clusters)",
            )
        seen[name] = at
    return names


def _with_header(told: str, header: bool) -> str:
    return f"{told}; its first line is taken as a header" if header else told


# --- memberships


def _membership(table: Table) -> Named:
    named = _has_names(table)
    header = _is_header_of_clusters(table, named)
    body = table.without_header() if header else table
    objects = _objects(body) if named else None
    clusters = _members(body, int(named), table.rows[0] if header else None)
    kept = [rows for rows in clusters if rows]  # an empty cluster is not a cluster
    told = f"memberships of {counted(len(body.rows), 'object')} in {counted(len(kept), 'cluster')}"
    return clustering(kept, len(body.rows), table.source, objects, _with_header(told, header))


def _has_names(table: Table) -> bool:
    """Whether the first column holds names: values other than 0 and 1, or a header that says so."""
    if table.width == 1:
        return False
    below = table.column(0)[1:] or table.column(0)
    return table.rows[0][0].lower() in _OBJECT_WORDS or any(_mark(cell) is None for cell in below)


def _is_header_of_clusters(table: Table, named: bool) -> bool:
    """Whether the first line is a header: words, or numbers of clusters."""
    first = table.rows[0][int(named) :]
    if named and table.rows[0][0].lower() in _OBJECT_WORDS:
        return True
    if any(as_number(cell) is None and cell and _mark(cell) is None for cell in first):
        return True
    numbers = len(set(first)) == len(first) and all(cell.isdecimal() for cell in first)
    return numbers and any(_mark(cell) is None for cell in first)


def _members(table: Table, start: int, header: Sequence[str] | None) -> list[list[int]]:
    """The objects of each cluster; an error names the line of a value that is neither 0 nor 1."""
    import numpy as np  # slow to load, and label files do not need it

    values = np.array([row[start:] for row in table.rows], dtype=np.str_)
    meaning = {value: _mark(value) for value in set(values.ravel().tolist())}
    wrong = [value for value, mark in meaning.items() if mark is None]
    if wrong:
        at, column = np.argwhere(np.isin(values, wrong))[0].tolist()
        cluster = header[start + column] if header else column + 1
        raise table.error(
            at,
            f"the membership in cluster {cluster} is {show(str(values[at, column]))}; expected 0 or 1 "
            "(a file of labels has one column, or two)",
        )
    marked = np.isin(values, [value for value, mark in meaning.items() if mark])
    return [np.flatnonzero(column).tolist() for column in marked.T]


def _mark(cell: str) -> bool | None:
    """A cell of a membership matrix as true or false; None if it is neither."""
    number = as_number(cell)
    return _TRUTH.get(cell.lower()) if number not in (0, 1) else bool(number)
