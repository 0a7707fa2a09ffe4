"""Pairs of biclusterings to score, generated from sizes and a seed."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metaeval import Biclustering
from metaeval.kernel.overlay import overlay

Pair = tuple[Biclustering, Biclustering]


class Labels(NamedTuple):
    """Two label vectors as arrays; a score is timed from these on."""

    found: NDArray[Any]
    true: NDArray[Any]
    classes: int


def overlapping(n: int, m: int, k: int, share: float = 0.1, seed: int = 0) -> Pair:
    """A random gold standard, and a candidate with 80 % of each bicluster's rows and columns and some noise.

    Each of the k biclusters has the ``share`` of all rows and of all columns.
    """
    random = np.random.default_rng(seed)

    def some(size: int, part: float) -> list[int]:
        return [int(x) for x in random.choice(size, max(1, int(size * part)), replace=False)]

    def noisy(indices: list[int], size: int) -> set[int]:
        kept = random.choice(indices, max(1, int(len(indices) * 0.8)), replace=False)
        return {*map(int, kept), *some(size, 0.2 * share)}

    gold = [(some(n, share), some(m, share)) for _ in range(k)]
    candidate = [(noisy(rows, n), noisy(cols, m)) for rows, cols in gold]
    return Biclustering(candidate, (n, m)), Biclustering(gold, (n, m))


def surrounded(n: int, m: int, k: int) -> Pair:
    """An overlapping pair on a matrix with 100 times as many objects and features; the added ones are background."""
    candidate, gold = overlapping(n, m, k)
    return candidate.on((100 * n, 100 * m)), gold.on((100 * n, 100 * m))


def copied(times: int) -> Pair:
    """The same overlapping pair with copies of every object and feature: more cells, the same number of atoms."""

    def copies(indices: frozenset[int]) -> list[int]:
        return [times * index + copy for index in indices for copy in range(times)]

    base = overlapping(1_000, 100, 20)
    n, m = base[0].shape
    shape = n * times, m * times
    one, other = (Biclustering([(copies(rows), copies(cols)) for rows, cols in side], shape) for side in base)
    return one, other


def crowded(share: float, k: int = 20) -> Pair:
    """Biclusters of about 500 × 30 cells; each has this ``share`` of the rows and of the columns of the matrix."""
    return overlapping(round(500 / share), round(30 / share), k, share)


def labelled(objects: int, features: int, clusters: int, seed: int) -> Pair:
    """A random pair of lifted partitions."""
    random = Random(seed)
    sides = [[random.randrange(clusters) for _ in range(objects)] for _ in range(2)]
    return Biclustering.from_labels(sides[0], features), Biclustering.from_labels(sides[1], features)


def covering(objects: int, features: int, clusters: int, seed: int) -> Pair:
    """A random pair of lifted families; every object is in one or two clusters."""
    random = Random(seed)

    def side() -> Biclustering:
        chosen = [{random.randrange(clusters), random.randrange(clusters)} for _ in range(objects)]
        members = [{x for x in range(objects) if number in chosen[x]} for number in range(clusters)]
        return Biclustering([(rows, range(features)) for rows in members if rows], (objects, features))

    return side(), side()


def shifted(blocks: int, rows: int, cols: int) -> Pair:
    """Disjoint equal blocks; the candidate has three quarters of each block right, so all similarities are 3/5."""
    quarter = rows // 4

    def side(offset: int) -> Biclustering:
        starts = [(block * (rows + quarter) + offset, block * cols) for block in range(blocks)]
        family = [(range(row, row + rows), range(col, col + cols)) for row, col in starts]
        return Biclustering(family, (blocks * (rows + quarter), blocks * cols))

    return side(quarter), side(0)


def label_arrays(objects: int, classes: int, seed: int = 6) -> Labels:
    """Random labels, of which the candidate has half; the others are random again."""
    random = np.random.default_rng(seed)
    true, found = random.integers(classes, size=(2, objects))
    return Labels(np.where(random.random(objects) < 0.5, true, found), true, classes)


def sides(pair: Pair | Labels) -> Pair:
    """The candidate and the gold standard."""
    if isinstance(pair, Labels):
        return Biclustering.from_labels(pair.found), Biclustering.from_labels(pair.true)
    return pair


def described(pair: Pair | Labels) -> str:
    """The sizes of a pair as text."""
    if isinstance(pair, Labels):
        return f"{len(pair.true):,} labels, {pair.classes:,} classes"
    (n, m), atoms = pair[0].shape, overlay(*pair).size
    return f"{n:,} × {m:,}, {len(pair[0])} + {len(pair[1])} biclusters, {atoms:,} atoms"
