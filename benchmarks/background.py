"""Measures that count every cell of the matrix, most of which are uncovered. There are twenty biclusters per side on
20,000 × 1,000. The same biclusters on a matrix with ten thousand times as many cells cost no more. Each bicluster has a
tenth of the rows and of the columns of the smaller matrix. Each measure runs in its own process."""

from __future__ import annotations

from collections.abc import Iterator

from child import measured
from table import Row

NAME = "background"

IDS = ("rand-background", "csi", "ebc")
#: Seconds of wall time, and MiB.
LIMITS = (5, 1024)


def rows(quick: bool) -> Iterator[Row]:
    """Two rows per measure: the matrix, and a much larger one."""
    size = (1_000, 100, 5) if quick else (20_000, 1_000, 20)
    for id in IDS:
        near = _row(id, id, "overlapping", *size)
        yield near.within(*LIMITS)
        yield _row(id, f"{id}, larger matrix", "surrounded", *size).beside("the same biclusters alone", near.ours)


def _row(id: str, what: str, maker: str, *size: int) -> Row:
    found = measured(id, maker, *size)
    return Row(NAME, what, **{name: found[name] for name in ("ours", "inputs", "wall", "mib")})
