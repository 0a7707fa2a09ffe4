"""Labels and membership tables in text files: lines, separators, header, labels as values."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isnan

from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError
from metaeval.files.match_names import Named, Names
from metaeval.files.shown import show


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


#: Labels of objects that are in no cluster, beside the number -1 and not-a-number however they are written.
UNCLUSTERED = ("", "NA")


def from_labels(
    labels: Iterable[str], source: str, objects: Names | None = None, told: str | None = None
) -> Named:
    """The clustering of one label an object."""
    clusters: dict[str, list[int]] = {}
    count = 0
    for label in labels:
        clusters.setdefault(label, []).append(count)
        count += 1
    kept = [rows for label, rows in clusters.items() if not is_unclustered(label)]
    return clustering(kept, count, source, objects, told)


def clustering(
    clusters: Iterable[Iterable[int]], objects: int, source: str, names: Names | None, told: str | None
) -> Named:
    """A clustering of so many objects; those numbered by their names are put in that order."""
    if names is not None and set(names) == set(map(str, range(objects))):
        # Numbers of objects, in any order: another file without names means these.
        place = [int(name) for name in names]
        clusters = [[place[row] for row in rows] for rows in clusters]
        names = tuple(map(str, range(objects)))
    family = Biclustering.lifted(clusters, shape=(objects, 1))
    return Named(family, source, (names, None), clustering=True, counted=True, told=told)


def is_unclustered(label: str) -> bool:
    """Whether a label says that its object is in no cluster."""
    number = as_number(label)
    return label in UNCLUSTERED or (number is not None and (number == -1 or isnan(number)))


def as_number(text: str) -> float | None:
    """The number that a text is, or None."""
    try:
        return float(text)
    except ValueError:
        return None


LABELS, MEMBERSHIP = "labels", "membership"
FORMATS = (LABELS, MEMBERSHIP)

#: Words over a column that tell a header from a first object, in lower case. pandas and R write none over names.
_OBJECT_WORDS = frozenset(
    ["", "object", "objects", "id", "name", "names", "gene", "genes", "sample", "samples", "row", "item", "index"]
)  # fmt: skip
_LABEL_WORDS = frozenset(["label", "labels", "cluster", "clusters", "class", "classes", "group", "module"])
_TRUTH = {"true": True, "false": False}


def parse(text: str, source: str, format: str | None = None) -> Named:
    """The clustering that a text gives; ``format`` says which of :data:`FORMATS` it is where it could be either."""
    table = read_lines(text, source)
    if (format or _recognised(table)) == MEMBERSHIP:
        return _membership(table)
    return _labels(table)


def _recognised(table: Table) -> str:
    """Whether these are labels or memberships. One or two columns are labels, unless they can only be clusters."""
    if table.width != 2:
        return LABELS if table.width < 2 else MEMBERSHIP
    below = table.rows[1:] or table.rows
    if any(_mark(cell) is None for row in below for cell in row):
        return LABELS
    if len({row[0] for row in below}) < len(below):  # no names, which would differ
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
    """Whether the first line is a header: by its words, or as the only label that is no number."""
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
    """The first column as names, each there and each once."""
    names = tuple(table.column(0))
    seen: dict[str, int] = {}
    for at, name in enumerate(names):
        if not name:
            raise table.error(at, "the object has no name; expected one in the first column")
        if name in seen:
            before = table.numbers[seen[name]]
            raise table.error(
                at,
                f"the object {show(name)} was on line {before} already; expected one line an object "
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
    kept = [rows for rows in clusters if rows]  # a cluster without objects is none
    told = f"memberships of {counted(len(body.rows), 'object')} in {counted(len(kept), 'cluster')}"
    return clustering(kept, len(body.rows), table.source, objects, _with_header(told, header))


def _has_names(table: Table) -> bool:
    """Whether the first column holds names: something but 0 and 1, or the header says so."""
    if table.width == 1:
        return False
    below = table.column(0)[1:] or table.column(0)
    return table.rows[0][0].lower() in _OBJECT_WORDS or any(_mark(cell) is None for cell in below)


def _is_header_of_clusters(table: Table, named: bool) -> bool:
    """Whether the first line is a header: words, or the clusters' numbers. A wrong value is not taken for a name."""
    first = table.rows[0][int(named) :]
    if named and table.rows[0][0].lower() in _OBJECT_WORDS:
        return True
    if any(as_number(cell) is None and cell and _mark(cell) is None for cell in first):
        return True
    numbers = len(set(first)) == len(first) and all(cell.isdecimal() for cell in first)
    return numbers and any(_mark(cell) is None for cell in first)


def _members(table: Table, start: int, header: Sequence[str] | None) -> list[list[int]]:
    """The objects of each cluster; a value that is neither 0 nor 1 is named with its line."""
    import numpy as np  # only for tables: label files are read without

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
    """What a cell of a membership matrix says, or None where it says neither."""
    number = as_number(cell)
    return _TRUTH.get(cell.lower()) if number not in (0, 1) else bool(number)
