"""Pictures of a counterexample as data: which cells to draw, whose they are, and which changed hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from metaeval.evidence.labelling import Family
from metaeval.evidence.wording import indices, plural, shape_of

#: A picture with more rows or columns would be too small to read.
MOST = 60
_MOST_LETTERS = 120

_CAPTIONS = {
    "gold": "Gold standard",
    "left": "Left candidate",
    "right": "Right candidate",
    "left gold": "Left gold standard",
    "right gold": "Right gold standard",
}


def pictures(families: Sequence[Family]) -> list[dict[str, Any]]:
    """One picture a family, all of one matrix with the same rows and columns."""
    touched = [_touched(families, axis) for axis in (0, 1)]
    return [_picture(family, touched) for family in families]


def _touched(families: Iterable[Family], axis: int) -> list[int]:
    """The rows (or columns) that some bicluster of the case has."""
    found: set[int] = set()
    for family in families:
        for bicluster in family.biclustering:
            found |= bicluster[axis]
    return sorted(found)


def _picture(family: Family, touched: Sequence[list[int]]) -> dict[str, Any]:
    size = family.biclustering.shape
    rows, cols = (_shown(size[axis], touched[axis]) for axis in (0, 1))
    return {
        "title": _CAPTIONS[family.title],
        "shape": shape_of(family),
        "rows": list(map(str, rows)),
        "cols": list(map(str, cols)),
        "biclusters": [
            {
                "label": member.label,
                "colour": member.number,
                "set": f"{_short(indices(member.rows))} × {_short(indices(member.cols))}",
                "size": member.size,
                "changed": member.changed,
            }
            for member in family.members
        ],
        "cells": list(_cells(family, rows, cols)),
        "note": _note(size, (rows, cols)),
    }


def _shown(size: int, touched: list[int]) -> list[int]:
    """Every index of a small matrix; of a large one those that matter, as many as fit."""
    return list(range(size)) if size <= MOST else [index for index in touched if index < size][:MOST]


def _cells(family: Family, rows: list[int], cols: list[int]) -> Iterator[list[Any]]:
    """[row, column, biclusters that cover it, did it change hands] for every covered cell that is shown."""
    for at, row in enumerate(rows):
        there = [(number, member) for number, member in enumerate(family.members) if row in member.rows]
        for across, col in enumerate(cols):
            here = [(number, member) for number, member in there if col in member.cols]
            if here:
                moved = any(member.moved(row, col) for _, member in here)
                yield [at, across, [number for number, _ in here], int(moved)]


def _short(members: str) -> str:
    """A set cut to a caption's length; the code and the certificate have it whole."""
    return members if len(members) <= _MOST_LETTERS else members[:_MOST_LETTERS].rpartition(",")[0] + ", …}"


def _note(size: tuple[int, int], shown: tuple[list[int], list[int]]) -> str:
    missing = [
        plural(total - len(some), noun)
        for total, some, noun in zip(size, shown, ("object", "feature"), strict=True)
        if total > len(some)
    ]
    return f"Not drawn: {' and '.join(missing)}." if missing else ""
