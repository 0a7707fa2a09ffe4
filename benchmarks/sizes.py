"""Every measure of the first paper's suite from 1,000 × 100 to 20,000 × 1,000, overlay included, each in a process of
its own. A bicluster has a tenth of the rows and of the columns; the candidate has 80 % of each, and some noise."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

import reference
from child import measured
from table import Row

from metaeval.literature.shelf import PAPER

NAME = "sizes"

#: (objects, features, biclusters per side)
SIZES = ((1_000, 100, 10), (5_000, 300, 20), (10_000, 500, 30), (20_000, 1_000, 50))
#: What `mocice` may take at the two largest: seconds on the wall, MiB.
LIMITS = {SIZES[2]: (2, 2048), SIZES[3]: (60, 2048)}


def rows(quick: bool) -> Iterator[Row]:
    """Every size for every measure."""
    for size in SIZES[:1] if quick else SIZES:
        for id in filter(PAPER.measures.__contains__, reference.MEASURES):
            found = measured(id, "overlapping", *size)
            row = Row(NAME, id, **{name: found[name] for name in ("ours", "inputs", "wall", "mib")})
            yield row.within(*LIMITS[size]) if id == "mocice" and size in LIMITS else row
