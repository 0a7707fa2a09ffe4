"""The measures of the first paper's suite against their equations, computed cell by cell (`tests/reference.py`).
`mocice` is also compared with straightforward NumPy code (`benchmarks/dense.py`): every pair of atoms, every bicluster,
every class."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

import dense
import reference
from inputs import labelled, overlapping
from table import Row, compared
from timing import anew

from metaeval.literature.shelf import PAPER

NAME = "definition"


def rows(quick: bool) -> Iterator[Row]:
    """Exact and float scores against definitions; MOCICE against dense NumPy on inputs too large for definitions."""
    yield from exact()
    small = overlapping(10, 5, 3, 0.4, seed=3) if quick else overlapping(20, 10, 4, 0.4, seed=3)
    for id in filter(PAPER.measures.__contains__, reference.MEASURES):
        definition = reference.MEASURES[id]
        yield compared(NAME, id, small, anew(id, small), "the definition", partial(definition, *small))
    large = overlapping(200, 50, 5) if quick else overlapping(5_000, 300, 20)
    yield compared(NAME, "mocice", large, anew("mocice", large), "dense NumPy", partial(dense.mocice, *large), 4)


def exact() -> Iterator[Row]:
    """Exact MOCICE on a pair like those that a search draws."""
    pair = labelled(40, 5, 4, seed=2)
    ours = anew("mocice", pair, exact=True)
    yield compared(NAME, "mocice, exact", pair, ours, "the definition", partial(reference.mocice, *pair), 10)
