"""Measures over every cell of the matrix, of which most are covered by nothing: twenty biclusters per side on
20,000 × 1,000, and the same biclusters on a matrix with ten thousand times as many cells, which costs no more. Each
bicluster has a tenth of the rows and of the columns of the smaller matrix, and each measure a process of its own."""

from __future__ import annotations

from collections.abc import Iterator

from child import measured
from table import Row

NAME = "background"

IDS = ("rand-background", "csi", "ebc")
#: Seconds on the wall, and MiB.
LIMITS = (5, 1024)


def rows(quick: bool) -> Iterator[Row]:
    """Every measure on the matrix, and on a much larger one."""
    size = (1_000, 100, 5) if quick else (20_000, 1_000, 20)
    for id in IDS:
        near = _row(id, id, "overlapping", *size)
        yield near.within(*LIMITS)
        yield _row(id, f"{id}, larger matrix", "surrounded", *size).beside("the same biclusters alone", near.ours)


def _row(id: str, what: str, maker: str, *size: int) -> Row:
    found = measured(id, maker, *size)
    return Row(NAME, what, **{name: found[name] for name in ("ours", "inputs", "wall", "mib")})
