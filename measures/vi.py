"""Variation of information, as a similarity."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, c, cells, classes, clusters, g, in_class, in_cluster, log, meetings, n

#: A cell that one side leaves uncovered is a singleton there.
ALONE = cells(clusters(log(g)) * (1 - in_class) + classes(log(c)) * (1 - in_cluster))

vi = measure(
    "vi", name="VI", family="information", citation="Meilă 2007, doi:10.1016/j.jmva.2006.11.013",
    equation=Equation((meetings(n * log(g * c / n**2)) + ALONE) / cells(1), empty=0, best=0, smaller_is_better=True),
    doc="""The information lost and gained between the two sides, in nats.

    Each side is padded with singletons to cover U. A dissimilarity: its score is reported as −VI.

    Undefined when both sides are empty; 0 by convention, for they are equal.

    >>> vi(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    −2/3·log 2 + log 3
    """)  # fmt: skip
