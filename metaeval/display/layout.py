"""Blocks of plain text: in columns, in bands that fit a width, side by side."""

from __future__ import annotations

import textwrap
from itertools import zip_longest

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
