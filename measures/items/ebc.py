"""Extended BCubed F₁ over all cells of the matrix."""

from fractions import Fraction
from math import fsum

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel import pair_sums as kernel_numpy
from metaeval.kernel import pair_sums_exact as kernel_exact
from metaeval.kernel.overlay import Overlay, Terms, harmonic_mean, overlay, sum_of_ratios


def _terms(cells: Overlay) -> tuple[Terms, Terms]:
    """What the cells that a side covers add to the sum of precisions, and to that of recalls."""
    if cells.is_tangled:
        shares = kernel_exact.precision_recall(cells, identity=False)
        sums = shares[0] * cells.candidate_covered, shares[1] * cells.gold_covered
        alone = kernel_numpy.alone(cells)
        return [*alone[0], sums[0].as_integer_ratio()], [*alone[1], sums[1].as_integer_ratio()]
    # A cell that the other side leaves uncovered is together there with itself alone, once.
    precision, recall = map(list, cells.alone)
    for pairs in cells.together:
        g, c = pairs.candidate.bit_count(), pairs.gold.bit_count()
        precision += [(n * min(g, c), reach * g) for n, reach in pairs.precision]
        recall += [(n * min(g, c), reach * c) for n, reach in pairs.recall]
    return precision, recall


def _fast_ebc(candidate: Biclustering, gold: Biclustering) -> float:
    if not candidate or not gold:
        return float(not candidate and not gold)
    cells = overlay(candidate, gold)
    parts = zip(
        kernel_numpy.precision_recall(cells, identity=False),
        (cells.candidate_covered, cells.gold_covered),
        kernel_numpy.alone(cells),
        strict=True,
    )
    # A cell that a side leaves uncovered is a singleton there, and as pure as can be.
    precision, recall = (
        (share * covered + fsum(n / d for n, d in alone) + cells.matrix_cells - covered) / cells.matrix_cells
        for share, covered, alone in parts
    )
    return 2 * precision * recall / (precision + recall)


@measure(
    "ebc",
    name="Extended BCubed F₁",
    low=0,
    citation="Amigó et al. 2009, doi:10.1007/s10791-008-9066-8",
    fast=_fast_ebc,
)
def ebc(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """BCubed F₁ over all cells of the n × m matrix, where each cell that a side leaves uncovered is a singleton.

        Precision = mean over all cells x, mean over y sharing a bicluster with x, of min(g, c) / g
        Recall    = mean over all cells x, mean over y sharing a class with x,      of min(g, c) / c

    with g and c the number of biclusters and of classes, singletons included, that hold both x and y; y may be x. F₁ is
    the harmonic mean of precision and recall. Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016, print for each x a
    ratio of two sums over y instead of the mean of ratios; their tables were computed as it is here.

    Undefined when the matrix has no cells; by convention 1 when both sides are empty, 0 when one is.

    >>> ebc(Biclustering.lifted([{0, 1, 2}]), Biclustering.lifted([{0, 1}], shape=(4, 1)))
    Fraction(4, 5)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    precision, recall = _terms(cells)
    # A cell that a side leaves uncovered is a singleton there, and as pure as can be.
    precision.append((cells.matrix_cells - cells.candidate_covered, 1))
    recall.append((cells.matrix_cells - cells.gold_covered, 1))
    return harmonic_mean(
        sum_of_ratios(precision, over=cells.matrix_cells), sum_of_ratios(recall, over=cells.matrix_cells)
    )
