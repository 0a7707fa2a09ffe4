"""Ayadi's score, and Eren's relevance and recovery."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, best, c, clusters, g, n, swapped

RELEVANCE = clusters(best(n / (g + c - n))) / clusters(1)
#: The smallest bicluster that holds both.
AROUND = (g.rows + c.rows - n.rows) * (g.cols + c.cols - n.cols)

ayadi = measure(
    "ayadi", name="Ayadi", family="matching",
    citation="Ayadi et al. 2012; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016",
    equation=Equation(clusters(best(n / AROUND)) / clusters(1), empty=1, one_empty=0, low=0),
    doc="""How much each bicluster shares with its best counterpart, of the smallest bicluster that holds both.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> ayadi(Biclustering([({0, 1}, {0})]), Biclustering([({1, 2}, {0, 1})]))
    Fraction(1, 6)
    """)  # fmt: skip

eren_relevance = measure(
    "eren-relevance", name="Eren relevance", family="matching", citation="Eren et al. 2013, doi:10.1093/bib/bbs032",
    equation=Equation(RELEVANCE, empty=1, one_empty=0, low=0),
    doc="""How like its best counterpart among the classes each bicluster is, by Jaccard's coefficient of their cells.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> eren_relevance(Biclustering.lifted([{0, 1}]), Biclustering.lifted([{0, 1, 2}, {3}]))
    Fraction(2, 3)
    """)  # fmt: skip

eren_recovery = measure(
    "eren-recovery", name="Eren recovery", family="matching", citation="Eren et al. 2013, doi:10.1093/bib/bbs032",
    equation=Equation(swapped(RELEVANCE), empty=1, one_empty=0, low=0),
    doc="""How like its best counterpart among the biclusters each class is, by Jaccard's coefficient of their cells.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> eren_recovery(Biclustering.lifted([{0, 1}]), Biclustering.lifted([{0, 1, 2}, {3}]))
    Fraction(1, 3)
    """)  # fmt: skip
