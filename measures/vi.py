"""Variation of information, as a similarity."""

from math import fsum, log

from metaeval import kernel_numpy
from metaeval.kernel import Overlay, overlay
from metaeval.measuring import measure
from metaeval.model import Biclustering


def _matched(cells: Overlay) -> list[float]:
    return [
        n * log(size * gold_size / n**2)
        for size, line in zip(cells.candidate_sizes, cells.intersections, strict=True)
        for gold_size, n in zip(cells.gold_sizes, line, strict=True)
        if n
    ]


def _fast_vi(candidate: Biclustering, gold: Biclustering) -> float:
    cells = overlay(candidate, gold)
    sizes = (*cells.candidate_sizes, *cells.gold_sizes)
    candidate_only, gold_only = kernel_numpy.uncovered(cells)
    alone = (n * log(size) for n, size in zip((*candidate_only, *gold_only), sizes, strict=True))
    return fsum((*_matched(cells), *alone)) / max(1, cells.union)


@measure(
    "vi",
    name="VI",
    best=0,
    citation="Meilă 2007, doi:10.1016/j.jmva.2006.11.013",
    fast=_fast_vi,
    smaller_is_better=True,
)
def vi(candidate: Biclustering, gold: Biclustering) -> float:
    """The information lost and gained between the two sides, in nats.

        VI = 1/|U| · Σᵢ Σⱼ |Gᵢ ∩ Cⱼ| · log(|Gᵢ|·|Cⱼ| / |Gᵢ ∩ Cⱼ|²)

    Each side is padded with singletons to cover U. A dissimilarity: its score is reported as −VI.

    Undefined when both sides are empty; 0 by convention, for they are equal.

    >>> vi(Biclustering.from_labels([0, 0]), Biclustering.from_labels([0, 1])) == log(2)
    True
    """
    cells = overlay(candidate, gold)
    if not cells.union:
        return 0.0
    # A padding singleton {x} meets each bicluster B that covers x in one cell: log(1·|B| / 1²).
    candidate_only = (
        atom.weight * log(size)
        for atom in cells.atoms
        if not atom.gold
        for index, size in enumerate(cells.candidate_sizes)
        if atom.candidate >> index & 1
    )
    gold_only = (
        atom.weight * log(size)
        for atom in cells.atoms
        if not atom.candidate
        for index, size in enumerate(cells.gold_sizes)
        if atom.gold >> index & 1
    )
    return fsum((*_matched(cells), *candidate_only, *gold_only)) / cells.union
