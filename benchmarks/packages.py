"""Measures that other packages also provide: BCubed in `bcubed` from PyPI, and scikit-learn's `rand_score` and
`consensus_score`. `consensus_score` compares biclusters pairwise and never overlays them, which takes less time. It
equals `ce` only on disjoint blocks of equal size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import bcubed
import numpy as np
from inputs import Pair, covering, labelled, overlapping, shifted
from numpy.typing import NDArray
from sklearn.metrics import consensus_score, rand_score
from table import Row, compared, timed
from timing import Call, anew, seconds

from metaeval import Biclustering

NAME = "packages"

Cells = dict[tuple[int, int], set[int]]
Table = NDArray[np.bool_]


def rows(quick: bool) -> Iterator[Row]:
    """Each package on a pair for which it computes the same as our measure, except for the last row."""
    yield from beside_bcubed(quick)
    yield from beside_pair_metrics(quick)
    yield from beside_consensus(quick)


def beside_bcubed(quick: bool) -> Iterator[Row]:
    pair = covering(20, 2, 4, seed=4) if quick else covering(200, 5, 10, seed=4)
    found, true = map(cells_of, pair)

    def package() -> float:
        return float(bcubed.fscore(bcubed.precision(found, true), bcubed.recall(found, true)))

    yield compared(NAME, "bcubed", pair, anew("bcubed", pair), "bcubed (PyPI)", package)


def beside_pair_metrics(quick: bool) -> Iterator[Row]:
    for what, objects, clusters in (("rand, few labels", 100, 5), ("rand, many labels", 20_000, 50)):
        pair = labelled(objects // 10 if quick else objects, 1, clusters, seed=5)
        labels = [[min(names) for _, names in sorted(cells_of(side).items())] for side in pair]
        package = partial(rand_score, *labels)
        yield compared(NAME, what, pair, anew("rand", pair), "rand_score (scikit-learn)", package)


def beside_consensus(quick: bool) -> Iterator[Row]:
    against = "consensus_score (scikit-learn)"
    apart = shifted(3, 8, 2) if quick else shifted(30, 400, 20)
    yield compared(NAME, "ce, blocks apart", apart, anew("ce", apart), against, consensus_of(apart))
    pair = overlapping(100, 20, 3) if quick else overlapping(5_000, 300, 20)
    ours, other = seconds(anew("ce", pair)), seconds(consensus_of(pair))
    row = timed(NAME, "ce, overlapping; the scores differ", pair, ours.processor, ours.wall)
    yield row.beside(against, other.processor)


def consensus_of(pair: Pair) -> Call:
    tables = [indicators(side) for side in pair]
    return partial(consensus_score, *tables)


def cells_of(side: Biclustering) -> Cells:
    """For every covered cell, the indices of its biclusters."""
    names: Cells = {}
    for number, (rows, cols) in enumerate(side):
        for row in rows:
            for col in cols:
                names.setdefault((row, col), set()).add(number)
    return names


def indicators(side: Biclustering) -> tuple[Table, Table]:
    """A biclustering in scikit-learn's format: two boolean tables, bicluster × row and bicluster × column."""
    tables = np.zeros((len(side), side.shape[0]), bool), np.zeros((len(side), side.shape[1]), bool)
    for number, parts in enumerate(side):
        for table, indices in zip(tables, parts, strict=True):
            table[number, list(indices)] = True
    return tables
