"""The clustering similarity index: how often pairs of cells are together, and how often each cell is covered."""

from metaeval.catalogue.measure import measure
from metaeval.equations import (
    Equation, cells, classes, clusters, g, in_cluster, largest, least, matrix, pairs, share, swapped,
)  # fmt: skip

AGREED = least(clusters(1), classes(1))
#: Where both sides agree, over the pairs of cells and over the cells that are covered more than once.
BOTH = pairs(AGREED) + (matrix - 1) * cells(largest(AGREED, 1) - 1)
#: The same of the candidate alone.
OWN = clusters(g * (g - 1) / 2) + (matrix - 1) * (clusters(g) - cells(in_cluster))

csi = measure(
    "csi", name="CSI", family="pairs", citation="Campello 2010; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016",
    equation=Equation(share(BOTH, OWN + swapped(OWN) - BOTH), empty=1, one_empty=0, low=0),
    doc="""How far the two sides agree on how often pairs of cells are together, and on how often each cell is covered.

    Undefined when a + d = 0, which is 1 by convention, for nothing differs; by convention also 1 when both sides are
    empty, 0 when one is.

    >>> csi(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(1, 3)
    """)  # fmt: skip
