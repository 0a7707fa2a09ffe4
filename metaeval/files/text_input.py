"""Clusterings in text files, as labels, memberships, clusters or pairs: lines, separators, header, values."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from itertools import chain
from math import isnan
from pathlib import PurePath
from typing import NamedTuple

from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError, naming
from metaeval.core.grouping import grouped
from metaeval.files.match_names import Named, Names, distinct
from metaeval.files.shown import show


class Table(NamedTuple):
    """Lines, each with its line number in the file. Mostly they have the same number of columns."""

    source: str
    numbers: list[int]
    rows: list[list[str]]

    @property
    def width(self) -> int:
        return len(self.rows[0])

    def column(self, index: int) -> list[str]:
        return [row[index] for row in self.rows]

    def without_header(self) -> Table:
        """All lines but the first; there must be some."""
        if len(self.rows) == 1:
            raise self.error(0, "a header, and nothing below it; expected one line per object")
        return Table(self.source, self.numbers[1:], self.rows[1:])

    def filled(self) -> Table:
        kept = [at for at, row in enumerate(self.rows) if any(row)]
        return Table(self.source, [self.numbers[at] for at in kept], [self.rows[at] for at in kept])

    def error(self, at: int, what: str) -> InputError:
        """An error that names the file and a line of the table."""
        return InputError(f"{self.source}, line {self.numbers[at]}: {what}")


def read_lines(text: str, source: str) -> Table:
    """The lines of a text, without blank lines at the end."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text))
    rows: list[list[str]] = []
    try:
        for row in reader:
            if reader.line_num > len(rows) + 1:
                raise csv.Error("a quotation mark is opened and not closed on the line where it stands")
            rows.append([cell.strip() for cell in row])
    except csv.Error as error:
        raise InputError(f"{source}, line {reader.line_num}: {error}") from None
    while rows and not any(rows[-1]):
        rows.pop()
    if not rows:
        raise InputError(
            f"{source} is empty; expected one label per line, or a table of objects and labels or clusters"
        )
    return Table(source, list(range(1, len(rows) + 1)), rows)


def _tabbed(text: str, words: bool = False) -> str:
    """The text with a tab for blanks between numbers and, if asked for, between words that nothing else separates."""
    lines = text.splitlines()
    numbers = any(" " in line.strip() for line in lines) and None not in map(as_number, text.split())
    blanks = numbers or (words and not re.search("[\t,;]", text))
    return "\n".join("\t".join(line.split()) for line in lines) if blanks else text


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
    width = max(1, *map(len, table.rows[:2]))
    if width == 1:
        even = Table(table.source, table.numbers, [row or [""] for row in table.rows])
    else:
        even = table.filled()
        if len(even.rows[0]) == width - 1 and all(as_number(cell) is None for cell in even.rows[0]):
            even.rows[0] = ["", *even.rows[0]]  # R writes no header above the row names
    for at, row in enumerate(even.rows):
        if len(row) != width:
            raise even.error(at, f"{counted(len(row), 'column')}; expected {width}, as above ({_OTHERS})")
    return even


def counted(amount: int, thing: str) -> str:
    """A number and its noun: "2 columns"."""
    return f"{amount} {thing}" if amount == 1 else f"{amount} {thing}s"


#: Labels of unclustered objects, besides -1 and NaN in any spelling.
UNCLUSTERED = ("", "NA")


def from_labels(labels: Sequence[str], source: str, objects: Names | None = None, header: bool = False) -> Named:
    """The clustering with one label per object; ``header`` says if a header was found above them."""
    clusters = grouped(range(len(labels)), labels.__getitem__)
    kept = [rows for rows in clusters if not is_unclustered(labels[rows[0]])]
    told = f"labels of {counted(len(labels), 'object')} in {counted(len(kept), 'cluster')}"
    if outside := len(labels) - sum(map(len, kept)):
        told += f", {outside} unclustered"
    return clustering(kept, len(labels), source, objects, _with_header(told, header), disjoint=True)


def clustering(
    clusters: Iterable[Iterable[int]], objects: int, source: str, names: Names | None, told: str | None,
    disjoint: bool = False,
) -> Named:  # fmt: skip
    """A clustering of objects; if their names are numbers, the objects are put in that order."""
    if names is not None and set(names) == set(map(str, range(objects))):
        # The names are the objects' numbers, so a file without names can be matched.
        place = [int(name) for name in names]
        clusters = [[place[row] for row in rows] for rows in clusters]
        names = tuple(map(str, range(objects)))
    if disjoint:
        number_of = {row: number for number, rows in enumerate(clusters) for row in rows}
        family = Biclustering.from_labels([number_of.get(row, -1) for row in range(objects)])
    else:
        family = Biclustering.lifted(clusters, shape=(objects, 1))
    return Named(family, source, (names, None), clustering=True, counted=True, told=told)


def clustered(clusters: Mapping[str, Sequence[str]], source: str, what: str, header: bool = False) -> Named:
    """The clustering with these clusters by their places, for errors; objects in none of them are not known."""
    for place, members in clusters.items():
        where = place[:60]  # a cluster's name can be long
        distinct(members, where)
        if none := [name for name in members if is_unclustered(name.strip())]:
            raise InputError(f"{where} has the member {show(none[0])}; expected the name or the number of an object")
    kept = [members for members in clusters.values() if members]  # an empty cluster is not a cluster
    often = Counter(chain.from_iterable(kept))
    place_of = {name: at for at, name in enumerate(often)}
    family = Biclustering.lifted([map(place_of.__getitem__, members) for members in kept], shape=(len(often), 1))
    several, objects = sum(number > 1 for number in often.values()), counted(len(often), "object")
    told = f"{what}: {objects} in {counted(len(kept), 'cluster')}"
    if several:
        told += f"; {several} of {objects} {'is' if several == 1 else 'are'} in several clusters"
    return Named(family, source, (tuple(often), None), (True, False), True, told=_with_header(told, header))


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


LABELS, MEMBERSHIP, CLUSTERS, PAIRS = FORMATS = ("labels", "membership", "clusters", "pairs")
_OTHERS = f"--format {CLUSTERS} reads one cluster per line, --format {PAIRS} an object and its clusters"
#: Files with these names hold one cluster per line. In gene sets, a name and a description come before the members.
_GENE_SETS = ".gmt"
_OF_CLUSTERS = (_GENE_SETS, ".cover", ".cnl")
_COMMENT, _NO_MEMBERS = r"(?m)^[ \t]*#.*$", r"(?m)^[^\t\r\n]*\t?[^\t\r\n]*\t?"

#: Words that mark a header, in lower case. pandas and R write nothing above the names.
_OBJECT_WORDS = frozenset(
    ["", "object", "objects", "id", "name", "names", "gene", "genes", "sample", "samples", "row", "item", "index"]
)  # fmt: skip
_LABEL_WORDS = frozenset(["label", "labels", "cluster", "clusters", "class", "classes", "group", "module"])
_TRUTH = {"true": True, "false": False}


def parse(text: str, source: str, format: str | None = None) -> Named:
    """The clustering in a text; ``format``, one of :data:`FORMATS`, is needed if it can be read in two ways."""
    suffix = PurePath(source).suffix.lower()
    format = format or (CLUSTERS if suffix in _OF_CLUSTERS else None)
    if format in (CLUSTERS, PAIRS):
        plain = re.sub(_NO_MEMBERS if suffix == _GENE_SETS else _COMMENT, "", text)
        lines = read_lines(_tabbed(plain, words=True), source)
        return _clusters(lines) if format == CLUSTERS else _pairs(lines)
    tabbed = _tabbed(text)
    lines = read_lines(tabbed, source)
    cells = list(filter(None, chain.from_iterable(lines.rows)))
    # Labels and memberships are repeated; names are not, if clusters do not overlap.
    different = len({*cells}) == len(cells) and all(as_number(cell) is None or cell.isdecimal() for cell in cells)
    try:
        table = _even(lines)
    except InputError:
        if format is not None or not different or _has_label_words(lines.rows[0] or [""]):
            raise
        return _clusters(lines)
    blanks = tabbed != text or (table.width == 1 and any(" " in label for label in table.column(0)))
    if format is None and blanks and (different or len(table.rows) == 1):
        either = f"--format {LABELS} or --format {CLUSTERS}; of one side alone, with gold={CLUSTERS} for instance"
        raise InputError(f"{source} can be read as labels or as one cluster per line; say which with {either}")
    return {LABELS: _labels, MEMBERSHIP: _membership, PAIRS: _pairs}[format or _recognised(table)](table)


def _recognised(table: Table) -> str:
    """Whether these are labels, memberships or pairs. One or two columns are labels, if they can be."""
    if table.width != 2:
        return LABELS if table.width < 2 else MEMBERSHIP
    below = table.rows[1:] or table.rows
    if any(_mark(cell) is None for row in below for cell in row):
        body = table.rows[int(_is_header_of_labels(table)) :]
        # Objects are on several lines; if there are not more of them than clusters, it may be the clusters that are.
        return PAIRS if len(body) > len({row[0] for row in body}) > len({row[1] for row in body}) else LABELS
    if len({row[0] for row in below}) < len(below):  # not names: names would be distinct
        return MEMBERSHIP
    if _has_label_words(table.rows[0]):
        return LABELS
    raise InputError(
        f"{table.source} can be read as labels of objects called 0 and 1 or as memberships in two clusters; "
        f"say which with --format {LABELS} or --format {MEMBERSHIP}"
    )


# --- labels, clusters, pairs


def _labels(table: Table) -> Named:
    if table.width > 2:
        raise table.error(0, f"{table.width} columns; expected a label, or an object and its label")
    header = _is_header_of_labels(table)
    body = table.without_header() if header else table
    objects = _objects(body) if table.width == 2 else None
    return from_labels(body.column(body.width - 1), table.source, objects, header)


def _is_header_of_labels(table: Table) -> bool:
    """Whether the first line is a header: it has such words, or its label is the only one that is not a number."""
    if _has_label_words(table.rows[0]):
        return True
    label, others = table.rows[0][-1], {row[-1] for row in table.rows[1:]}
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
        if (first := seen.setdefault(name, at)) < at:
            raise table.error(
                at,
                f"the object {show(name)} was on line {table.numbers[first]} already; expected one line per object "
                f"(a membership matrix, or pairs with --format {PAIRS}, can put an object into several clusters)",
            )
    return names


def _with_header(told: str, header: bool) -> str:
    return f"{told}; its first line is taken as a header" if header else told


def _clusters(lines: Table) -> Named:
    """One cluster per line."""
    numbered = zip(lines.numbers, lines.rows, strict=True)
    found = {f"line {number}": [name for name in row if name] for number, row in numbered}
    with naming(lines.source):
        return clustered(found, lines.source, "one cluster per line")


def _pairs(lines: Table) -> Named:
    """On each line an object and its clusters, mostly one; an object may have several lines."""
    table = lines.filled()
    header = _is_header_of_labels(table)
    body = table.without_header() if header else table
    found: dict[str, list[str]] = {}
    for at, (name, *clusters) in enumerate(body.rows):
        if not name or not clusters:
            raise body.error(at, f"it holds {show(name)} alone; expected an object and its clusters")
        for cluster in clusters:
            found.setdefault("" if is_unclustered(cluster) else f"cluster {cluster!r}", []).append(name)
    found.pop("", None)  # in no cluster
    with naming(table.source):
        return clustered(found, table.source, "pairs of object and cluster", header)


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
    above_names = named and table.rows[0][0].lower() in _OBJECT_WORDS
    words = any(as_number(cell) is None and cell and _mark(cell) is None for cell in first)
    numbers = len(set(first)) == len(first) and all(cell.isdecimal() for cell in first)
    return above_names or words or (numbers and any(_mark(cell) is None for cell in first))


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
            f"(a file of labels has one column, or two; {_OTHERS})",
        )
    marked = np.isin(values, [value for value, mark in meaning.items() if mark])
    return [np.flatnonzero(column).tolist() for column in marked.T]


def _mark(cell: str) -> bool | None:
    """A cell of a membership matrix as true or false; None if it is neither."""
    number = as_number(cell)
    return _TRUTH.get(cell.lower()) if number not in (0, 1) else bool(number)
