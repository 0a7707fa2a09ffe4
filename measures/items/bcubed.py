"""Extended BCubed F₁ over cells."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel import pair_sums as kernel_numpy
from metaeval.kernel import pair_sums_exact as kernel_exact
from metaeval.kernel.overlay import harmonic_mean, overlay, sum_of_ratios


def _fast_bcubed(candidate: Biclustering, gold: Biclustering) -> float:
    precision, recall = kernel_numpy.precision_recall(overlay(candidate, gold), identity=False)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@measure("bcubed", name="BCubed F₁", citation="Amigó et al. 2009, doi:10.1007/s10791-008-9066-8", fast=_fast_bcubed)
def bcubed(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """Whether pairs of cells that are together on one side are as often together on the other.

        Precision = mean over x of U_G, mean over y sharing a bicluster with x, of min(g, c) / g
        Recall    = mean over x of U_C, mean over y sharing a class with x,      of min(g, c) / c

    with g and c the number of biclusters and of classes that hold both x and y. F₁ is their harmonic mean.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> bcubed(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(5, 7)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    if cells.is_tangled:
        return harmonic_mean(*kernel_exact.precision_recall(cells, identity=False))
    precision, recall = [], []
    for pairs in cells.together:
        g, c = pairs.candidate.bit_count(), pairs.gold.bit_count()
        precision += [(n * min(g, c), reach * g) for n, reach in pairs.precision]
        recall += [(n * min(g, c), reach * c) for n, reach in pairs.recall]
    return harmonic_mean(
        sum_of_ratios(precision, over=cells.candidate_covered), sum_of_ratios(recall, over=cells.gold_covered)
    )
