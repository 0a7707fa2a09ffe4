"""The float path: the kernel's quadratic sums over atoms as array operations, for large overlays.

Rows of the atom × atom table are worked off in blocks, so memory stays linear in the number of atoms.
Property tests hold these sums against the exact ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaeval.kernel import Overlay

Array = NDArray[Any]
_BLOCK = 256


def precision_recall(cells: Overlay, identity: bool) -> tuple[float, float]:
    """(MOCICE-)BCubed precision and recall; ``identity`` multiplies every pair with Φ."""
    if not cells.candidate or not cells.gold:
        both_empty = float(not cells.candidate and not cells.gold)
        return both_empty, both_empty
    candidate, gold, weights = _memberships(cells)
    candidate_reach = _reach(candidate, weights)
    gold_reach = _reach(gold, weights)
    phi = _Phi(cells, candidate, gold) if identity else None
    precision = recall = 0.0
    for block in _blocks(len(weights)):
        shared_candidate = candidate[block] @ candidate.T
        shared_gold = gold[block] @ gold.T
        agreed = np.minimum(shared_candidate, shared_gold) * weights
        if phi is not None:
            agreed *= phi.rows(block, shared_candidate)
        # Where nothing is shared, agreed is 0 and the divisor does not matter.
        precision += (weights[block] / candidate_reach[block]) @ (agreed / np.maximum(shared_candidate, 1)).sum(1)
        recall += (weights[block] / gold_reach[block]) @ (agreed / np.maximum(shared_gold, 1)).sum(1)
    return float(precision) / cells.candidate_covered, float(recall) / cells.gold_covered


def disagreements(cells: Overlay) -> float:
    """How many unordered pairs of cells are together in some bicluster of one side only."""
    candidate, gold, weights = _memberships(cells)
    ordered = 0.0
    for block in _blocks(len(weights)):
        differ = (candidate[block] @ candidate.T > 0) != (gold[block] @ gold.T > 0)
        ordered += float(weights[block] @ (differ @ weights))
    # A cell paired with itself is no pair.
    alone = weights[candidate.any(axis=1) != gold.any(axis=1)].sum()
    return (ordered - float(alone)) / 2


class _Phi:
    """Φ(x, y) for blocks of atoms x against all atoms y."""

    def __init__(self, cells: Overlay, candidate: Array, gold: Array) -> None:
        self._candidate = candidate > 0
        self._gold = gold > 0
        shared = np.array(cells.intersections, dtype=float)
        sizes = np.add.outer(np.array(cells.candidate_sizes, float), np.array(cells.gold_sizes, float))
        self._jaccard = shared / (sizes - shared)

    def rows(self, block: slice, shared_candidate: Array) -> Array:
        total = np.zeros(shared_candidate.shape)
        for bicluster, similarities in enumerate(self._jaccard):
            here = np.flatnonzero(self._candidate[block, bicluster])
            there = np.flatnonzero(self._candidate[:, bicluster])
            if not here.size:
                continue
            best = np.zeros((here.size, there.size))
            # In ascending order, so that what is written last is the largest.
            for gold_class in np.argsort(similarities, kind="stable"):
                if similarities[gold_class] > 0:
                    inside = self._gold[block, gold_class][here]
                    best[np.ix_(inside, self._gold[there, gold_class])] = similarities[gold_class]
            total[np.ix_(here, there)] += best
        return total / np.maximum(shared_candidate, 1)


def _memberships(cells: Overlay) -> tuple[Array, Array, Array]:
    """Two atom × bicluster tables of zeros and ones, and the atoms' weights."""
    weights = np.array([atom.weight for atom in cells.atoms], dtype=float)
    return (
        _bits([atom.candidate for atom in cells.atoms], len(cells.candidate)),
        _bits([atom.gold for atom in cells.atoms], len(cells.gold)),
        weights,
    )


def _bits(masks: list[int], width: int) -> Array:
    size = (width + 7) // 8
    packed = np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in masks), dtype=np.uint8)
    table = np.unpackbits(packed.reshape(len(masks), size), axis=1, bitorder="little")
    return table[:, :width].astype(float)


def _reach(table: Array, weights: Array) -> Array:
    """For every atom the number of cells that share a bicluster of this side with it; at least 1."""
    reach = np.empty(len(weights))
    for block in _blocks(len(weights)):
        reach[block] = (table[block] @ table.T > 0) @ weights
    return np.maximum(reach, 1)


def _blocks(length: int) -> Iterator[slice]:
    return (slice(start, start + _BLOCK) for start in range(0, length, _BLOCK))
