"""Clustering error and relative non-intersecting area, as similarities."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, cells, classes, clusters, in_class, in_cluster, largest, matching, n

PATRIKAINEN = "Patrikainen & Meilă 2006, doi:10.1109/TKDE.2006.106"
ce = measure(
    "ce", name="CE", family="cells", citation=PATRIKAINEN,
    equation=Equation(matching(n) / cells(1), empty=1),
    doc="""The share of the covered cells that the best one-to-one matching of biclusters explains.

    This is the paper's set form. Under overlap a cell can be matched more than once while |U| counts
    it once, so scores above 1 are possible; they are reported as they are.

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> family = Biclustering.lifted([{0, 1, 2}, {1, 2, 3}])
    >>> ce(family, family)
    Fraction(3, 2)
    """)  # fmt: skip

ce_multiset = measure(
    "ce-multiset", name="CE (multiset)", family="cells", citation=PATRIKAINEN,
    equation=Equation(matching(n) / cells(largest(clusters(1), classes(1))), empty=1),
    doc="""Clustering error in the form its authors use under overlap.

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> family = Biclustering.lifted([{0, 1, 2}, {1, 2, 3}])
    >>> ce_multiset(family, family)
    Fraction(1, 1)
    """)  # fmt: skip

rnia = measure(
    "rnia", name="RNIA", family="cells", citation=PATRIKAINEN,
    equation=Equation(cells(in_cluster * in_class) / cells(1), empty=1),
    doc="""The share of the covered cells that both sides cover.

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> rnia(Biclustering.lifted([{0, 1}]), Biclustering.lifted([{1, 2}]))
    Fraction(1, 3)
    """)  # fmt: skip
