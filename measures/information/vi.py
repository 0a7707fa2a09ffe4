"""Variation of information, as a similarity."""

from math import fsum, log

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import LogSum, sum_of_logs
from metaeval.kernel import pair_sums as kernel_numpy
from metaeval.kernel.overlay import Overlay, members, overlay


def _fast_vi(candidate: Biclustering, gold: Biclustering) -> float:
    cells = overlay(candidate, gold)
    matched = (
        n * log(size * gold_size / n**2)
        for size, line in zip(cells.candidate_sizes, cells.intersections, strict=True)
        for gold_size, n in zip(cells.gold_sizes, line, strict=True)
        if n
    )
    sizes = (*cells.candidate_sizes, *cells.gold_sizes)
    candidate_only, gold_only = kernel_numpy.uncovered(cells)
    alone = (n * log(size) for n, size in zip((*candidate_only, *gold_only), sizes, strict=True))
    return fsum((*matched, *alone)) / max(1, cells.union)


def _terms(cells: Overlay) -> list[tuple[int, int]]:
    """Pairs (k, n) of which |U| · VI is Σ k·log n."""
    sizes, gold_sizes = cells.candidate_sizes, cells.gold_sizes
    if cells.disjoint:
        # Each cell of a bicluster meets one class or one padding singleton, so log|Gᵢ| is there |Gᵢ| times.
        shared = [n for candidate, gold, n in cells.atoms if candidate and gold]
        return [(n, n) for n in sizes + gold_sizes] + [(-2 * n, n) for n in shared]
    table = cells.intersections
    terms = [(-2 * n, n) for line in table for n in line if n]
    terms += zip(map(sum, table), sizes, strict=True)
    terms += zip(map(sum, zip(*table, strict=True)), gold_sizes, strict=bool(table))
    for candidate, gold, weight in cells.atoms:
        # A padding singleton {x} meets each bicluster B that covers x in one cell: log(1·|B| / 1²).
        if not gold:
            terms += [(weight, sizes[i]) for i in members(candidate)]
        elif not candidate:
            terms += [(weight, gold_sizes[j]) for j in members(gold)]
    return terms


@measure(
    "vi",
    name="VI",
    best=0,
    citation="Meilă 2007, doi:10.1016/j.jmva.2006.11.013",
    fast=_fast_vi,
    smaller_is_better=True,
)
def vi(candidate: Biclustering, gold: Biclustering) -> LogSum:
    """The information lost and gained between the two sides, in nats.

        VI = 1/|U| · Σᵢ Σⱼ |Gᵢ ∩ Cⱼ| · log(|Gᵢ|·|Cⱼ| / |Gᵢ ∩ Cⱼ|²)

    Each side is padded with singletons to cover U. A dissimilarity: its score is reported as −VI.

    Undefined when both sides are empty; 0 by convention, for they are equal.

    >>> vi(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    −2/3·log 2 + log 3
    """
    cells = overlay(candidate, gold)
    return sum_of_logs(_terms(cells), over=max(1, cells.union))
