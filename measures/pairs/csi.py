"""Campello's soft index over pairs of cells, which may be together more than once.

The functions before it have all sums over ordered pairs, and so twice.
"""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel import pair_sums as kernel_numpy
from metaeval.kernel import pair_sums_exact as kernel_exact
from metaeval.kernel.overlay import Overlay, overlay


def _of_one_side(sizes: list[int], covered: int, others: int) -> int:
    """Σ α(x, y) + β(x) + β(y) of a side, where every cell is in a pair with so many others."""
    # Each bicluster adds 1 to α of each of its pairs, and 1 to β of each of its cells but where it is the first.
    return sum(n * (n - 1) for n in sizes) + 2 * others * (sum(sizes) - covered)


def _of_both_sides(cells: Overlay) -> int:
    others = cells.matrix_cells - 1
    return _of_one_side(cells.candidate_sizes, cells.candidate_covered, others) + _of_one_side(
        cells.gold_sizes, cells.gold_covered, others
    )


def _by_themselves(cells: Overlay) -> int:
    """Σ min(β, β′), less Σ min(g, c) over the cells, which are no pairs with themselves."""
    smaller = sum(cells.candidate_sizes) + sum(cells.gold_sizes) - cells.multiset_union
    return 2 * (cells.matrix_cells - 1) * (smaller - cells.shared) - smaller


def _together(cells: Overlay) -> int:
    """Σ min(g, c) over the pairs of cells, of which g biclusters and c classes hold both; a cell with itself is one."""
    if cells.is_tangled:
        return kernel_exact.agreements(cells)
    total = 0
    for pairs in cells.together:
        shared = min(pairs.candidate.bit_count(), pairs.gold.bit_count())
        total += sum(n * shared for n, _ in pairs.precision)
    return total


def _fast_csi(candidate: Biclustering, gold: Biclustering) -> float:
    if not candidate or not gold:
        return float(not candidate and not gold)
    cells = overlay(candidate, gold)
    whole = _of_both_sides(cells)
    if not whole:
        return 1.0
    agreed = kernel_numpy.agreements(cells, whole) + _by_themselves(cells) / whole
    return agreed / (1 - agreed)


@measure(
    "csi",
    name="CSI",
    low=0,
    citation="Campello 2010; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016",
    fast=_fast_csi,
)
def csi(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How far the two sides agree on how often pairs of cells are together, and on how often each cell is covered.

        CSI = a / (a + d), two sums over the pairs {x, y} of the n × m cells:
        a   = Σ min(α(x, y), α′(x, y)) + min(β(x), β′(x)) + min(β(y), β′(y))
        d   = Σ |α(x, y) − α′(x, y)| + |β(x) − β′(x)| + |β(y) − β′(y)|

    with α and α′ the number of biclusters and of classes that hold both cells, and β and β′ one less than the number
    that hold a cell. A cell that a side leaves uncovered is a singleton there: α and β are 0. So the size of the matrix
    counts only under overlap.

    Undefined when a + d = 0, which is 1 by convention, for nothing differs; by convention also 1 when both sides are
    empty, 0 when one is.

    >>> csi(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(1, 3)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    agreed = _together(cells) + _by_themselves(cells)
    # |α − α′| = α + α′ − 2·min(α, α′), and so is |β − β′|.
    either = _of_both_sides(cells) - agreed
    return Fraction(agreed, either) if either else Fraction(1)
