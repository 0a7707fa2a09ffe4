"""MOCICE-BCubed: BCubed over cells, each pair weighted by how identical its clusters and classes are."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel import pair_sums as kernel_numpy
from metaeval.kernel import pair_sums_exact as kernel_exact
from metaeval.kernel.overlay import Overlay, harmonic_mean, overlay, remembered, sum_of_ratios

CITATION = "Rosales-Méndez & Ramírez-Cruz 2015, arXiv:1512.00228"


@remembered
def _parts(cells: Overlay) -> tuple[Fraction, Fraction]:
    """Precision, 1/|U_G| · Σ_x 1/|E(x)| · Σ_y min(g, c)·Φ(x, y) / g, and recall, the same over U_C and c."""
    if cells.is_tangled:
        return kernel_exact.precision_recall(cells, identity=True)
    precision, recall = [], []
    for pairs in cells.together:
        g, c = pairs.candidate.bit_count(), pairs.gold.bit_count()
        phi, over = cells.identity(pairs.candidate, pairs.gold)
        phi *= min(g, c)
        precision += [(n * phi, reach * g * over) for n, reach in pairs.precision]
        recall += [(n * phi, reach * c * over) for n, reach in pairs.recall]
    return sum_of_ratios(precision, over=cells.candidate_covered), sum_of_ratios(recall, over=cells.gold_covered)


@remembered
def _f1(cells: Overlay) -> Fraction:
    return harmonic_mean(*_parts(cells))


def _fast_precision(candidate: Biclustering, gold: Biclustering) -> float:
    return kernel_numpy.precision_recall(overlay(candidate, gold), identity=True)[0]


def _fast_recall(candidate: Biclustering, gold: Biclustering) -> float:
    return kernel_numpy.precision_recall(overlay(candidate, gold), identity=True)[1]


def fast_mocice(candidate: Biclustering, gold: Biclustering) -> float:
    """:func:`mocice` as a float, by array operations."""
    precision, recall = kernel_numpy.precision_recall(overlay(candidate, gold), identity=True)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@measure("mocice", name="MOCICE-BCubed F₁", citation=CITATION, fast=fast_mocice)
def mocice(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """BCubed F₁ over pairs of cells, each pair weighted by its cluster identity index Φ.

        Precision = mean over x of U_G, mean over y sharing a bicluster with x, of min(g, c)·Φ(x, y) / g
        Recall    = mean over x of U_C, mean over y sharing a class with x,      of min(g, c)·Φ(x, y) / c
        Φ(x, y)   = mean over the biclusters G with x and y, of max over the classes C with both, of |G∩C| / |G∪C|

    with g and c the number of biclusters and of classes that hold both x and y. F₁ is the harmonic mean of
    precision and recall.

    Undefined when a side is empty (by convention 1 when both are, 0 when one is) and Φ when no class
    holds both cells (0).

    >>> mocice(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(5, 12)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    return _f1(overlay(candidate, gold))


@measure("mocice-precision", name="MOCICE-BCubed precision", citation=CITATION, fast=_fast_precision)
def mocice_precision(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The precision part of MOCICE-BCubed: how right it is to put pairs of cells together.

        Precision = mean over x of U_G, mean over y sharing a bicluster with x, of min(g, c)·Φ(x, y) / g

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> mocice_precision(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(1, 3)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    return _parts(overlay(candidate, gold))[0]


@measure("mocice-recall", name="MOCICE-BCubed recall", citation=CITATION, fast=_fast_recall)
def mocice_recall(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The recall part of MOCICE-BCubed: how many of the pairs that belong together are put together.

        Recall = mean over x of U_C, mean over y sharing a class with x, of min(g, c)·Φ(x, y) / c

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> mocice_recall(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(5, 9)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    return _parts(overlay(candidate, gold))[1]
