"""How like its best counterpart each bicluster is, by several coefficients; the best matching of all; shared area.

Prelić's measures take rows and columns each with their best counterpart, joined by a geometric mean.
"""

from metaeval.catalogue.measure import measure
from metaeval.equations import (
    Equation, best, c, cells, classes, clusters, g, in_class, in_cluster, largest, least, matching, n, sqrt, swapped,
)  # fmt: skip

PRELIC = "Prelić et al. 2006, doi:10.1093/bioinformatics/btl060"
HORTA = "Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016"
JACCARD, DICE = n / (g + c - n), 2 * n / (g + c)
LINES = (n.rows + n.cols) / (g.rows + c.rows - n.rows + g.cols + c.cols - n.cols)
#: The smallest bicluster that holds both.
AROUND = (g.rows + c.rows - n.rows) * (g.cols + c.cols - n.cols)
RELEVANCE = clusters(best(JACCARD)) / clusters(1)
ROWS = clusters(best(n.rows / (g.rows + c.rows - n.rows))) / clusters(1)
COLUMNS = clusters(best(n.cols / (g.cols + c.cols - n.cols))) / clusters(1)
LINE_RELEVANCE = sqrt(ROWS * COLUMNS)

prelic_relevance = measure(
    "prelic-relevance", name="Prelić relevance", family="matching", citation=PRELIC,
    equation=Equation(LINE_RELEVANCE, empty=1, one_empty=0, low=0),
    doc="""How like its best counterparts among the classes each bicluster is, in its rows and in its columns.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> prelic_relevance(Biclustering([({0, 1}, {0})]), Biclustering([({0, 1, 2}, {0})]))
    1/3·√6
    """)  # fmt: skip

prelic_recovery = measure(
    "prelic-recovery", name="Prelić recovery", family="matching", citation=PRELIC,
    equation=Equation(swapped(LINE_RELEVANCE), empty=1, one_empty=0, low=0),
    doc="""How like its best counterparts among the biclusters each class is, in its rows and in its columns.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> prelic_recovery(Biclustering([({0}, {0})]), Biclustering([({0}, {0}), ({1}, {1})]))
    1/2
    """)  # fmt: skip

rnia_multiset = measure(
    "rnia-multiset", name="RNIA (multiset)", family="cells",
    citation="Patrikainen & Meilă 2006, doi:10.1109/TKDE.2006.106",
    equation=Equation(cells(least(clusters(1), classes(1))) / cells(largest(clusters(1), classes(1))), empty=1, low=0),
    doc="""The share of the cells that both sides cover, each counted as often as it is covered.

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> rnia_multiset(Biclustering.lifted([{0, 1}, {0, 1}]), Biclustering.lifted([{0, 1}]))
    Fraction(1, 2)
    """)  # fmt: skip

liu_wang = measure(
    "liu-wang", name="Liu & Wang", family="matching", citation="Liu & Wang 2007, doi:10.1093/bioinformatics/btl560",
    equation=Equation(clusters(best(LINES)) / clusters(1), empty=1, one_empty=0, low=0),
    doc="""How many rows and columns each bicluster shares with its best counterpart, of those that either has.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> liu_wang(Biclustering([({0, 1}, {0})]), Biclustering([({1, 2}, {0})]))
    Fraction(1, 2)
    """)  # fmt: skip

santamaria = measure(
    "santamaria", name="Santamaría", family="matching", citation=f"Santamaría et al. 2007; {HORTA}",
    equation=Equation(clusters(best(DICE)) / clusters(1), empty=1, one_empty=0, low=0),
    doc="""How like its best counterpart each bicluster is, by Dice's coefficient of their cells.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> santamaria(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    Fraction(11, 15)
    """)  # fmt: skip

weighted_jaccard = measure(
    "weighted-jaccard", name="Weighted Jaccard", family="matching", citation=f"Lee et al. 2009; {HORTA}",
    equation=Equation(clusters(g * best(JACCARD)) / clusters(g), empty=1, one_empty=0, low=0),
    doc="""How like its best counterpart each bicluster is, by Jaccard's coefficient; larger ones count for more.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> weighted_jaccard(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    Fraction(5, 8)
    """)  # fmt: skip

weighted_dice = measure(
    "weighted-dice", name="Weighted Dice", family="matching", citation=f"Lee et al. 2009; {HORTA}",
    equation=Equation(clusters(g * best(DICE)) / clusters(g), empty=1, one_empty=0, low=0),
    doc="""How like its best counterpart each bicluster is, by Dice's coefficient; larger ones count for more.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> weighted_dice(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    Fraction(23, 30)
    """)  # fmt: skip

consensus = measure(
    "consensus", name="Consensus", family="matching",
    citation="Hochreiter et al. 2010, doi:10.1093/bioinformatics/btq227",
    equation=Equation(matching(JACCARD) / largest(clusters(1), classes(1)), empty=1, low=0),
    doc="""How alike biclusters and classes are in the best one-to-one matching; those left over count 0.

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> consensus(Biclustering.lifted([{0, 1}, {2}]), Biclustering.lifted([{0, 1, 2}]))
    Fraction(1, 3)
    """)  # fmt: skip

# Uncovered and extra area, as similarities: the shares of the gold and of the candidate that are common.

bozdag_u = measure(
    "bozdag-u", name="Bozdağ U", family="cells", citation=f"Bozdağ et al. 2010; {HORTA}",
    equation=Equation(cells(in_cluster * in_class) / cells(in_class), empty=1, one_empty=0, low=0),
    doc="""The share of the gold standard's cells that the candidate covers, which leaves out what is uncovered.

    Undefined when the gold standard is empty; by convention 1 when both sides are empty, 0 when one is.

    >>> bozdag_u(Biclustering.lifted([{0, 1, 2}]), Biclustering.lifted([{2, 3}]))
    Fraction(1, 2)
    """)  # fmt: skip

bozdag_e = measure(
    "bozdag-e", name="Bozdağ E", family="cells", citation=f"Bozdağ et al. 2010; {HORTA}",
    equation=Equation(cells(in_cluster * in_class) / cells(in_cluster), empty=1, one_empty=0, low=0),
    doc="""The share of the candidate's cells that the gold standard covers, which leaves out what is extra.

    Undefined when the candidate is empty; by convention 1 when both sides are empty, 0 when one is.

    >>> bozdag_e(Biclustering.lifted([{0, 1, 2}]), Biclustering.lifted([{2, 3}]))
    Fraction(1, 3)
    """)  # fmt: skip

ayadi = measure(
    "ayadi", name="Ayadi", family="matching", citation=f"Ayadi et al. 2012; {HORTA}",
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
