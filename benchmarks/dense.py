"""MOCICE-BCubed as straightforward NumPy code: every pair of atoms, every bicluster and every class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaeval import Biclustering

Array = NDArray[Any]


def mocice(candidate: Biclustering, gold: Biclustering) -> float:
    """MOCICE-BCubed F₁ from tables of atom × bicluster; each step compares one atom with all others."""
    G, C, weights = atoms(candidate, gold)
    J = similarities(G, C, weights)
    reach_G, reach_C = reach(G, weights), reach(C, weights)
    precision = recall = 0.0
    for x in np.flatnonzero(G.any(axis=1) & C.any(axis=1)):
        both_G, both_C = G & G[x], C & C[x]
        g, c = both_G.sum(axis=1), both_C.sum(axis=1)
        best = (both_C[:, None, :] * J).max(axis=2)
        phi = (both_G * best).sum(axis=1) / np.maximum(g, 1)
        value = np.minimum(g, c) * phi * weights
        precision += weights[x] / reach_G[x] * (value / np.maximum(g, 1)).sum()
        recall += weights[x] / reach_C[x] * (value / np.maximum(c, 1)).sum()
    precision /= weights[G.any(axis=1)].sum()
    recall /= weights[C.any(axis=1)].sum()
    return float(2 * precision * recall / (precision + recall))


def atoms(candidate: Biclustering, gold: Biclustering) -> tuple[Array, Array, Array]:
    """The distinct memberships of the cells of the whole matrix, and the number of cells with each."""
    n, m = candidate.shape
    cells = np.zeros((n, m, len(candidate) + len(gold)), dtype=bool)
    for number, (rows, cols) in enumerate((*candidate, *gold)):
        cells[np.ix_(sorted(rows), sorted(cols), [number])] = True
    found, weights = np.unique(np.packbits(cells.reshape(n * m, -1), axis=1), axis=0, return_counts=True)
    table = np.unpackbits(found, axis=1, count=cells.shape[2]).astype(bool)
    covered = table.any(axis=1)
    table, weights = table[covered], weights[covered].astype(float)
    return table[:, : len(candidate)], table[:, len(candidate) :], weights


def similarities(G: Array, C: Array, weights: Array) -> Array:
    """|G ∩ C| / |G ∪ C| for every bicluster and every class."""
    shared = (G.T * weights) @ C
    sizes = (G.T @ weights)[:, None] + C.T @ weights
    return np.asarray(shared / (sizes - shared))


def reach(side: Array, weights: Array) -> Array:
    """For every atom, the number of cells that share a bicluster with it."""
    return np.array([(side & side[x]).any(axis=1) @ weights for x in range(len(side))])
