"""Rand's index over pairs of cells, on the covered cells or on the whole matrix."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, in_class, in_cluster, matrix, over, pairs

#: Pairs of cells that are together on one side only.
APART = pairs(in_cluster + in_class - 2 * in_cluster * in_class)

rand = measure(
    "rand", name="Rand", family="pairs", citation="Rand 1971, doi:10.1080/01621459.1971.10482356",
    equation=Equation(1 - over(APART, pairs(1), 0), empty=1),
    doc="""The share of the pairs of covered cells on which "together in some bicluster" agrees.

    A cell that a side leaves uncovered is a singleton there, together with no other.

    Undefined when U has fewer than two cells; 1 by convention, for there is nothing to disagree on.

    >>> rand(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1]))
    Fraction(1, 3)
    """)  # fmt: skip

rand_background = measure(
    "rand-background", name="Rand (background)", family="pairs",
    citation="Rand 1971, doi:10.1080/01621459.1971.10482356",
    equation=Equation(1 - over(APART, matrix * (matrix - 1) / 2, 0), empty=1),
    doc="""Rand's index over the pairs of all cells of the matrix, covered or not.

    Undefined when the matrix has fewer than two cells; 1 by convention.

    >>> found, gold = Biclustering([({0}, {0, 1})], shape=(2, 2)), Biclustering([({0}, {0})], shape=(2, 2))
    >>> rand_background(found, gold)
    Fraction(5, 6)
    """)  # fmt: skip
