"""Large cases drawn in plain text: one column per group of like objects, headed by their number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from metaeval.core.case import Case
from metaeval.display.condense import Ground, grounds, legend, on_all_features
from metaeval.display.labels import Family
from metaeval.display.layout import bands, joined, named_bands, plural, side_by_side, wrapped

#: The most groups of like objects that are drawn; a certificate has all objects.
MOST_IN_LINES = 400
MOST_IN_MATRICES = 60

_UNCOVERED = "·"
_MARK = "!"
#: A cell with more letters is cut, so that a line has room for it.
_WIDEST = 24


def draw_large(case: Case, width: int, *, brief: bool = False) -> Iterator[str]:
    """The lines of a drawing; the ``brief`` form does not say how many objects changed."""
    drawn = grounds(case)
    for number, ground in enumerate(drawn):
        marked = _changed(ground.families)
        if ground.is_lifted:
            lines = _in_lines(ground, marked, width)
        else:
            blocks = [[family.title, *_matrix(ground, family, marked, width)] for family in ground.families]
            lines = side_by_side(blocks, width)
        yield from ([""] if number else [])
        yield from (line.rstrip() for line in lines)
    for note in (*_notes(drawn), *([] if brief else _changes(drawn))):
        yield from wrapped(note, width)


def _in_lines(ground: Ground, marked: frozenset[int], width: int) -> list[str]:
    columns = [
        [ground.label(0, row), *(_cell(family, row, 0) for family in ground.families), _MARK if row in marked else ""]
        for row in range(len(ground.matrix.rows))[:MOST_IN_LINES]
    ]
    return named_bands(["objects", *(family.title for family in ground.families), ""], columns, width)


def _matrix(ground: Ground, family: Family, marked: frozenset[int], width: int) -> list[str]:
    rows, cols = range(len(ground.matrix.rows))[:MOST_IN_MATRICES], range(len(ground.matrix.cols))
    if not rows or not cols:
        return ["no cells"]
    # A gold standard that both sides share does not change.
    shown = marked if family.title != "gold" else frozenset()
    labels = [ground.label(0, row) for row in rows]
    if shown:
        labels = [f"{_MARK if row in shown else ' '} {label}" for row, label in zip(rows, labels, strict=True)]
    labels = ["", *labels]
    margin = max(map(len, labels)) + 2
    columns = [[ground.label(1, col), *(_cell(family, row, col) for row in rows)] for col in cols]
    return [
        label.ljust(margin) + line
        for band in bands(columns, width - margin)
        for label, line in zip(labels, joined(band), strict=True)
    ]


def _cell(family: Family, row: int, col: int) -> str:
    """The letters of the biclusters on a group of objects and a group of features."""
    text = "".join(sorted(member.starred for member in family.members if row in member.rows and col in member.cols))
    return text[: _WIDEST - 1] + "+" if len(text) > _WIDEST else text or _UNCOVERED


def _changed(families: Iterable[Family]) -> frozenset[int]:
    """The groups of objects that change."""
    changed = (member.changed_objects for family in families for member in family.members if member.changed)
    return frozenset().union(*changed)


def _notes(drawn: tuple[Ground, ...]) -> Iterator[str]:
    yield legend(drawn)
    for ground in drawn:
        yield from ground.repeats()
        groups, most = len(ground.matrix.rows), MOST_IN_LINES if ground.is_lifted else MOST_IN_MATRICES
        if groups > most:
            yield f"drawn: {most} of {groups} groups of like objects"
    yield from on_all_features(drawn)


def _changes(drawn: tuple[Ground, ...]) -> Iterator[str]:
    for matrix, families in drawn:
        rows = _changed(families)
        if rows:
            amount = sum(matrix.amount(matrix.rows[row]) for row in rows)
            yield f"changed: {amount} of {plural(matrix.shape[0], 'object')}"
