"""Blocks of plain text: in columns, in bands that fit a width, side by side."""

from __future__ import annotations

import textwrap
from itertools import pairwise, zip_longest

_GAP = "   "


def bands(columns: list[list[str]], room: int) -> list[list[list[str]]]:
    """The columns in groups, none wider than there is room for."""
    bands: list[list[list[str]]] = []
    left = 0
    for column in columns:
        needed = max(map(len, column)) + 1
        if not bands or needed > left:
            bands.append([])
            left = room + 1
        bands[-1].append(column)
        left -= needed
    return bands


def joined(columns: list[list[str]]) -> list[str]:
    """Columns of text side by side, each as wide as its widest entry."""
    widths = [max(map(len, column)) for column in columns]
    return [
        " ".join(entry.ljust(width) for entry, width in zip(line, widths, strict=True))
        for line in zip(*columns, strict=True)
    ]


def side_by_side(blocks: list[list[str]], width: int) -> list[str]:
    """Blocks side by side where they fit, else one below the other."""
    widths = [max(map(len, block)) for block in blocks]
    if sum(widths) + len(_GAP) * (len(blocks) - 1) > width:
        return [line for at, block in enumerate(blocks) for line in ([""] if at else []) + block]
    lines = zip_longest(*blocks, fillvalue="")
    return [_GAP.join(piece.ljust(size) for piece, size in zip(line, widths, strict=True)) for line in lines]


def wrapped(text: str, width: int) -> list[str]:
    """A sentence in lines, those after the first indented."""
    return textwrap.wrap(text, max(width, 20), subsequent_indent="  ")


#: Runs of consecutive indices at least this long are written as first … last.
_RUN = 5


def indices(members: frozenset[int]) -> str:
    """A set of indices, long runs shortened.

    >>> indices(frozenset({0, 2, 5, 6, 7, 8, 9}))
    '{0, 2, 5…9}'
    """
    ordered = sorted(members)
    breaks = [0, *(at for at, (a, b) in enumerate(pairwise(ordered), start=1) if b != a + 1), len(ordered)]
    runs = (ordered[start:stop] for start, stop in pairwise(breaks))
    shown = (f"{run[0]}…{run[-1]}" if len(run) >= _RUN else ", ".join(map(str, run)) for run in runs)
    return "{" + ", ".join(shown) + "}"


def plural(amount: int, noun: str) -> str:
    """'1 object', '1,200 objects'."""
    return f"{amount:,} {noun}" if amount == 1 else f"{amount:,} {noun}s"
