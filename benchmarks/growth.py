"""How the time and memory of `mocice` grow with one quantity at a time: the number of cells with the same structure,
the number of biclusters, and the overlap, which is the average number of classes per covered cell. Every point is
measured in its own process. The interpreter and its libraries take the first 40 MiB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from child import measured
from table import Row

NAME = "growth"

CELLS, BICLUSTERS, OVERLAP = "more cells", "more biclusters", "more overlap"


def rows(quick: bool) -> Iterator[Row]:
    """Three curves; each point is compared with the first point of its curve."""
    yield from curve(CELLS, "cells", "copied", [(1,), (2,), (4,), (8,), (16,)][: 2 if quick else None])
    if quick:
        yield from curve(BICLUSTERS, "biclusters", "overlapping", [(500, 50, k) for k in (5, 10)])
    else:
        yield from curve(BICLUSTERS, "biclusters", "overlapping", [(5_000, 300, k) for k in (10, 20, 40, 80)])
    shares = (0.05, 0.1) if quick else (0.05, 0.2, 0.3, 0.35, 0.4)
    yield from curve(OVERLAP, "depth", "crowded", [(share,) for share in shares])


def curve(what: str, along: str, maker: str, points: Sequence[tuple[float, ...]]) -> Iterator[Row]:
    first = None
    for arguments in points:
        found = measured("mocice", maker, *arguments)
        kept = {name: found[name] for name in ("ours", "inputs", "wall", "mib")}
        first = first or found["ours"]
        yield Row(NAME, what, at=found[along], **kept).beside("the first of the curve", first)
