"""Purity and its kin: objects in the class that their cluster meets most."""

from metaeval.catalogue.measure import measure
from metaeval.equations import best, c, cells, classes, clusters, f1, g, n, partition_equation, swapped

AMIGO = "Amigó et al. 2009, doi:10.1007/s10791-008-9066-8"
PURITY = clusters(best(n)) / cells(1)

purity = measure(
    "purity", name="Purity", family="matching", citation=AMIGO,
    equation=partition_equation(PURITY, empty=1, low=0),
    doc="""The share of the objects that are in the class that prevails in their cluster.

    Undefined when there are no objects; 1 by convention, for both sides are the same then.

    >>> purity(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(2, 3)
    """)  # fmt: skip

inverse_purity = measure(
    "inverse-purity", name="Inverse purity", family="matching", citation=AMIGO,
    equation=partition_equation(swapped(PURITY), empty=1, low=0),
    doc="""The share of the objects that are in the cluster that prevails in their class.

    Undefined when there are no objects; 1 by convention, for both sides are the same then.

    >>> inverse_purity(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 0, 0]))
    Fraction(2, 3)
    """)  # fmt: skip

purity_f = measure(
    "purity-f", name="Purity F₁", family="matching", citation=f"{AMIGO}; Gösgens et al. 2021, arXiv:1911.04773",
    equation=partition_equation(f1(PURITY, swapped(PURITY)), empty=1, low=0),
    doc="""The harmonic mean of purity and inverse purity.

    Undefined when there are no objects; 1 by convention, for both sides are the same then.

    >>> purity_f(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(4, 5)
    """)  # fmt: skip

f_measure = measure(
    "f-measure", name="F measure", family="matching", citation=AMIGO,
    equation=partition_equation(classes(c * best(2 * n / (g + c))) / cells(1), empty=1, low=0),
    doc="""The mean, over the objects, of the F₁ of their class with the cluster that is most like it.

    Undefined when there are no objects; 1 by convention, for both sides are the same then.

    >>> f_measure(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(7, 10)
    """)  # fmt: skip

edit_distance = measure(
    "edit-distance", name="Edit distance", family="matching", citation=f"Pantel & Lin 2002; {AMIGO}",
    equation=partition_equation((clusters(best(n)) - clusters(1)) / cells(1), empty=1, best=None, low=0),
    doc="""1 less the edits an object: each cluster costs a merge, and a move for each object outside its prevailing class.

    It has no constant optimum: a perfect match of k classes scores 1 − k/N, and fewer clusters may score higher.

    Undefined when there are no objects; 1 by convention, for there is nothing to edit.

    >>> edit_distance(Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    Fraction(1, 2)
    """)  # noqa: E501  # fmt: skip
