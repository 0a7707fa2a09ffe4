"""Prelić's relevance and recovery: rows and columns each with their best counterpart, joined by a geometric mean."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, best, c, clusters, g, n, sqrt, swapped

PRELIC = "Prelić et al. 2006, doi:10.1093/bioinformatics/btl060"
ROWS = clusters(best(n.rows / (g.rows + c.rows - n.rows))) / clusters(1)
COLUMNS = clusters(best(n.cols / (g.cols + c.cols - n.cols))) / clusters(1)
RELEVANCE = sqrt(ROWS * COLUMNS)

prelic_relevance = measure(
    "prelic-relevance", name="Prelić relevance", family="matching", citation=PRELIC,
    equation=Equation(RELEVANCE, empty=1, one_empty=0, low=0),
    doc="""How like its best counterparts among the classes each bicluster is, in its rows and in its columns.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> prelic_relevance(Biclustering([({0, 1}, {0})]), Biclustering([({0, 1, 2}, {0})]))
    1/3·√6
    """)  # fmt: skip

prelic_recovery = measure(
    "prelic-recovery", name="Prelić recovery", family="matching", citation=PRELIC,
    equation=Equation(swapped(RELEVANCE), empty=1, one_empty=0, low=0),
    doc="""How like its best counterparts among the biclusters each class is, in its rows and in its columns.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> prelic_recovery(Biclustering([({0}, {0})]), Biclustering([({0}, {0}), ({1}, {1})]))
    1/2
    """)  # fmt: skip
