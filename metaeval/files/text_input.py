"""Label files and membership matrices as text: with or without names and a header."""

from __future__ import annotations

from collections.abc import Sequence

from metaeval.core.errors import InputError
from metaeval.files.codec import show
from metaeval.files.label_values import as_number, clustering, from_labels, is_unclustered
from metaeval.files.lines import Table, counted, read_lines
from metaeval.files.match_names import Named

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
