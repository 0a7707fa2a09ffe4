"""Relative non-intersecting area with cells counted as often as they are covered, as a similarity."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, cells, classes, clusters, largest, least

rnia_multiset = measure(
    "rnia-multiset", name="RNIA (multiset)", family="cells",
    citation="Patrikainen & Meilă 2006, doi:10.1109/TKDE.2006.106",
    equation=Equation(cells(least(clusters(1), classes(1))) / cells(largest(clusters(1), classes(1))), empty=1, low=0),
    doc="""The share of the cells that both sides cover, each counted as often as it is covered.

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> rnia_multiset(Biclustering.lifted([{0, 1}, {0, 1}]), Biclustering.lifted([{0, 1}]))
    Fraction(1, 2)
    """)  # fmt: skip
