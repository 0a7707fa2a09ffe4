"""BCubed F₁ over cells; MOCICE-BCubed, where pairs weigh by how identical clusters and classes are; CICE."""

from metaeval.catalogue.measure import measure
from metaeval.equations import (
    Equation, best, c, cells, classes, classmates, clusters, f1, g, in_class, in_cluster, least, mates, n, over,
    swapped,
)  # fmt: skip

MOCICE = "Rosales-Méndez & Ramírez-Cruz 2015, arXiv:1512.00228"
BCUBED = cells(over(mates(least(clusters(1), classes(1)) / clusters(1)), mates(1), 0)) / cells(in_cluster)
#: The clusters in view, each with the class in view that it is most like.
IDENTITY = over(clusters(best(n / (g + c - n))), clusters(1), 0)
AGREED = least(clusters(1), classes(1)) * IDENTITY
PRECISION = cells(over(mates(AGREED / clusters(1)), mates(1), 0)) / cells(in_cluster)
RECALL = cells(over(classmates(AGREED / classes(1)), classmates(1), 0)) / cells(in_class)

bcubed = measure(
    "bcubed", name="BCubed F₁", family="items", citation="Amigó et al. 2009, doi:10.1007/s10791-008-9066-8",
    equation=Equation(f1(BCUBED, swapped(BCUBED)), empty=1, one_empty=0),
    doc="""Whether pairs of cells that are together on one side are as often together on the other.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> bcubed(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(5, 7)
    """)  # fmt: skip

mocice = measure(
    "mocice", name="MOCICE-BCubed F₁", family="items", citation=MOCICE,
    equation=Equation(f1(PRECISION, RECALL), empty=1, one_empty=0),
    doc="""BCubed F₁ over pairs of cells, each pair weighted by its cluster identity index Φ.

    Undefined when a side is empty (by convention 1 when both are, 0 when one is) and Φ when no class
    holds both cells (0).

    >>> mocice(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(5, 12)
    """)  # fmt: skip

mocice_precision = measure(
    "mocice-precision", name="MOCICE-BCubed precision", family="items", citation=MOCICE,
    equation=Equation(PRECISION, empty=1, one_empty=0),
    doc="""The precision part of MOCICE-BCubed: how right it is to put pairs of cells together.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> mocice_precision(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(1, 3)
    """)  # fmt: skip

mocice_recall = measure(
    "mocice-recall", name="MOCICE-BCubed recall", family="items", citation=MOCICE,
    equation=Equation(RECALL, empty=1, one_empty=0),
    doc="""The recall part of MOCICE-BCubed: how many of the pairs that belong together are put together.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> mocice_recall(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(5, 9)
    """)  # fmt: skip

cice = measure(
    "cice", name="CICE-BCubed F₁", family="items",
    citation="Rosales-Méndez & Ramírez-Cruz 2013, doi:10.1007/978-3-642-41822-8_20",
    equation=Equation(f1(PRECISION, RECALL), empty=1, one_empty=0, unit="objects"),
    doc="""MOCICE-BCubed F₁ of the objects alone, blind to the features.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> found, gold = Biclustering([({0, 1}, {0})]), Biclustering([({0, 1}, {1, 2})])
    >>> cice(found, gold)
    Fraction(1, 1)
    """)  # fmt: skip
