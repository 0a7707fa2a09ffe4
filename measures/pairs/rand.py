"""Rand's index over pairs of cells, on the covered cells or on the whole matrix."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel import pair_sums as kernel_numpy
from metaeval.kernel.overlay import overlay


def _pairs(cells: int) -> int:
    return cells * (cells - 1) // 2


def _fast_rand(candidate: Biclustering, gold: Biclustering) -> float:
    cells = overlay(candidate, gold)
    return 1 - kernel_numpy.disagreements(cells) / max(1, _pairs(cells.union))


def _fast_rand_background(candidate: Biclustering, gold: Biclustering) -> float:
    cells = overlay(candidate, gold)
    return 1 - kernel_numpy.disagreements(cells) / max(1, _pairs(cells.matrix_cells))


@measure("rand", name="Rand", citation="Rand 1971, doi:10.1080/01621459.1971.10482356", fast=_fast_rand)
def rand(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The share of the pairs of covered cells on which "together in some bicluster" agrees.

        Rand = (N₀₀ + N₁₁) / N  over the pairs of cells of U

    A cell that a side leaves uncovered is a singleton there, together with no other.

    Undefined when U has fewer than two cells; 1 by convention, for there is nothing to disagree on.

    >>> rand(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1]))
    Fraction(1, 3)
    """
    cells = overlay(candidate, gold)
    pairs = _pairs(cells.union)
    return Fraction(pairs - cells.disagreements, pairs) if pairs else Fraction(1)


@measure(
    "rand-background",
    name="Rand (background)",
    citation="Rand 1971, doi:10.1080/01621459.1971.10482356",
    fast=_fast_rand_background,
)
def rand_background(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """Rand's index over the pairs of all cells of the matrix, covered or not.

        Rand = (N₀₀ + N₁₁) / N  over the pairs of cells of the n × m matrix

    Undefined when the matrix has fewer than two cells; 1 by convention.

    >>> found, gold = Biclustering([({0}, {0, 1})], shape=(2, 2)), Biclustering([({0}, {0})], shape=(2, 2))
    >>> rand_background(found, gold)
    Fraction(5, 6)
    """
    cells = overlay(candidate, gold)
    pairs = _pairs(cells.matrix_cells)
    return Fraction(pairs - cells.disagreements, pairs) if pairs else Fraction(1)
