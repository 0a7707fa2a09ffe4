"""E4SC: the harmonic mean of how well biclusters are met by classes, and classes by biclusters."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, best, c, clusters, f1, g, n, swapped

MEAN = clusters(best(2 * n / (g + c))) / clusters(1)

e4sc = measure(
    "e4sc", name="E4SC", family="matching", citation="Günnemann et al. 2011, doi:10.1145/2063576.2063774",
    equation=Equation(f1(MEAN, swapped(MEAN)), empty=1, one_empty=0),
    doc="""How well each bicluster is met by its best counterpart, in both directions.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> e4sc(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(104, 145)
    """)  # fmt: skip
