"""Extended BCubed F₁ over all cells of the matrix."""

from metaeval.catalogue.measure import measure
from metaeval.equations import (
    Equation, cells, classes, clusters, f1, in_class, in_cluster, least, mates, matrix, over, swapped,
)  # fmt: skip

#: A cell that the other side leaves uncovered is together there with itself alone.
ALONE = over(1 - in_class, clusters(1) * mates(1), 0)
MEAN = over(mates(least(clusters(1), classes(1)) / clusters(1)), mates(1), 0)
PRECISION = (cells(MEAN + ALONE) + matrix - cells(in_cluster)) / matrix

ebc = measure(
    "ebc", name="Extended BCubed F₁", family="items", citation="Amigó et al. 2009, doi:10.1007/s10791-008-9066-8",
    equation=Equation(f1(PRECISION, swapped(PRECISION)), empty=1, one_empty=0, low=0),
    doc="""BCubed F₁ over all cells of the n × m matrix, where each cell that a side leaves uncovered is a singleton.

    Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016, print for each cell a ratio of two sums instead of the mean of
    ratios; their tables were computed as it is here.

    Undefined when the matrix has no cells; by convention 1 when both sides are empty, 0 when one is.

    >>> ebc(Biclustering.lifted([{0, 1, 2}]), Biclustering.lifted([{0, 1}], shape=(4, 1)))
    Fraction(4, 5)
    """)  # fmt: skip
