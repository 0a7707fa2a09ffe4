"""The exact path for many atoms: sums over their pairs, counted with arrays and still exact.

The sums are those of :mod:`metaeval.kernel.pair_sums`, taken by pairs: a block for each bicluster and class, in which a
pair of atoms counts unless a more similar class holds it, too. What is counted are integers, because every rate gets
one common denominator and every similarity another; the only ratios are those of the last step.
"""

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaeval.kernel.large_overlay import AtomTable
from metaeval.kernel.overlay import Overlay, sum_of_ratios
from metaeval.kernel.pair_sums import in_common, only, reach_of, words_of

Array = NDArray[Any]

#: Pairs of atoms in one block: few enough for the processor's cache.
_BLOCK = 1 << 16
#: NumPy's integers end here.
_LARGEST = 1 << 63


# Three measures ask for the same two numbers. An overlay is equal to itself alone.
@lru_cache(maxsize=8)
def precision_recall(cells: Overlay, identity: bool) -> tuple[Fraction, Fraction]:
    """(MOCICE-)BCubed precision and recall; ``identity`` multiplies every pair with Φ."""
    candidate, gold, weights = cells.table
    covered = (candidate.depths > 0) & (gold.depths > 0)
    if not covered.any():
        return Fraction(0), Fraction(0)
    atoms = AtomTable(only(candidate, covered), only(gold, covered), weights[covered].astype(np.int64))
    alike, scale = _similarities(cells) if identity else ([[1] * len(cells.gold)] * len(cells.candidate), 1)
    # An upper bound of the number of pairs of cells that are counted at once.
    most = int(atoms.weights.max()) * int(atoms.weights.sum())
    # Without Φ the sum over the shared biclusters is their number g, so that 1/g becomes 1/g².
    sums = (
        (_rates(lambda g, c: Fraction(min(g, c), g * g), atoms, most), candidate, cells.candidate_covered),
        (_rates(lambda g, c: Fraction(min(g, c), g * c), atoms, most), gold, cells.gold_covered),
    )
    reaches = [reach_of(side, weights)[covered].astype(np.int64).tolist() for _, side, _ in sums]
    totals = _totals(atoms, alike, [rates for (rates, _), _, _ in sums], reaches)
    precision, recall = (
        sum_of_ratios([(n, reach) for reach, n in total.items()], over=whole * over * scale)
        for total, ((_, over), _, whole) in zip(totals, sums, strict=True)
    )
    return precision, recall


def pair_depths(cells: Overlay) -> tuple[tuple[int, int, int], ...]:
    """(biclusters, classes, pairs of cells): how many of each hold both cells of a pair."""
    atoms = cells.table
    biclusters, classes = words_of(atoms.candidate), words_of(atoms.gold)
    deepest, width = int(atoms.candidate.depths.max()) + 1, int(atoms.gold.depths.max()) + 1
    kind = np.int64 if cells.union**2 < _LARGEST else object
    found = np.zeros(deepest * width, dtype=kind)
    size = max(1, _BLOCK // len(atoms.weights))
    for start in range(0, len(atoms.weights), size):
        block = slice(start, start + size)
        g, c = in_common(biclusters[block], biclusters), in_common(classes[block], classes)
        place = g.astype(np.intp) * width + c + len(found) * np.arange(len(g))[:, None]
        # For each atom at most all cells, which floats hold.
        weights = np.broadcast_to(atoms.weights.astype(float), place.shape)
        counts = np.bincount(place.ravel(), weights.ravel(), len(found) * len(g)).reshape(len(g), -1)
        found += atoms.weights[block].astype(kind) @ counts.astype(np.int64).astype(kind)
    # These are ordered pairs, and each cell is paired with itself, too.
    np.subtract.at(found, atoms.candidate.depths * width + atoms.gold.depths, atoms.weights.astype(kind))
    return tuple([(*divmod(at, width), n // 2) for at, n in enumerate(found.tolist()) if n])


def _totals(
    atoms: AtomTable, alike: list[list[int]], rates: list[Array], reaches: list[list[int]]
) -> list[dict[int, int]]:
    """For each rate, Σ over pairs (x, y) of rate · similarity by the reach of x, by which it is yet to be divided."""
    totals: list[dict[int, int]] = [defaultdict(int) for _ in rates]
    biclusters, classes = words_of(atoms.candidate), words_of(atoms.gold)
    inside = atoms.candidate.table[atoms.candidate.kinds] > 0, atoms.gold.table[atoms.gold.kinds] > 0
    for i, similarities in enumerate(alike):
        here = np.flatnonzero(inside[0][:, i])
        held = np.flatnonzero(inside[1][here].any(axis=0)).tolist()
        seen = np.zeros_like(classes[:1])
        for j in sorted(held, key=lambda j: -similarities[j]):
            chosen = here[inside[1][here, j]]
            size = max(1, _BLOCK // max(1, len(chosen)))
            for x, y in ((chosen[start : start + size], chosen) for start in range(0, len(chosen), size)):
                g = in_common(biclusters[x], biclusters[y])
                c = in_common(classes[x], classes[y]) * (in_common(classes[x], classes[y] & seen) == 0)
                for total, table, reach in zip(totals, rates, reaches, strict=True):
                    sums = (table[g, c] * atoms.weights[y]).sum(axis=1) * atoms.weights[x]
                    for atom, n in zip(x.tolist(), sums.tolist(), strict=True):
                        total[reach[atom]] += n * similarities[j]
            seen[0, j // 64] |= np.uint64(1 << j % 64)
    return totals


def _rates(rate: Callable[[int, int], Fraction], atoms: AtomTable, most: int) -> tuple[Array, int]:
    """The rates by (g, c), 0 where either is, as integers over a common denominator, which is returned, too.

    They are Python's integers where sums of ``most`` cells would not fit a word.
    """
    deepest = range(1, int(atoms.candidate.depths.max()) + 1), range(1, int(atoms.gold.depths.max()) + 1)
    found = [[rate(g, c) for c in deepest[1]] for g in deepest[0]]
    over = lcm(*(one.denominator for line in found for one in line))
    numerators = [[0, *(int(one * over) for one in line)] for line in found]
    kind = np.int64 if max(map(max, numerators)) * most < _LARGEST else object
    return np.array([[0] * len(numerators[0]), *numerators], dtype=kind), over


def _similarities(cells: Overlay) -> tuple[list[list[int]], int]:
    """|G ∩ C| / |G ∪ C| for every bicluster and class, likewise."""
    ratios = [
        [Fraction(n, size + gold_size - n) for n, gold_size in zip(line, cells.gold_sizes, strict=True)]
        for line, size in zip(cells.intersections, cells.candidate_sizes, strict=True)
    ]
    over = lcm(*(ratio.denominator for line in ratios for ratio in line))
    return [[int(ratio * over) for ratio in line] for line in ratios], over
