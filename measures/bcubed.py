"""Extended BCubed F₁ over cells."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, cells, classes, clusters, f1, in_cluster, least, mates, over, swapped

PRECISION = cells(over(mates(least(clusters(1), classes(1)) / clusters(1)), mates(1), 0)) / cells(in_cluster)


bcubed = measure(
    "bcubed",
    name="BCubed F₁",
    family="items",
    citation="Amigó et al. 2009, doi:10.1007/s10791-008-9066-8",
    equation=Equation(f1(PRECISION, swapped(PRECISION)), empty=1, one_empty=0),
    doc="""Whether pairs of cells that are together on one side are as often together on the other.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> bcubed(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(5, 7)
    """,
)
