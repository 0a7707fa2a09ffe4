"""How like its best counterpart each bicluster is, by several coefficients; and the best matching of all."""

from metaeval.catalogue.measure import measure
from metaeval.equations import Equation, best, c, classes, clusters, g, largest, matching, n

JACCARD, DICE = n / (g + c - n), 2 * n / (g + c)
LINES = (n.rows + n.cols) / (g.rows + c.rows - n.rows + g.cols + c.cols - n.cols)

liu_wang = measure(
    "liu-wang", name="Liu & Wang", family="matching", citation="Liu & Wang 2007, doi:10.1093/bioinformatics/btl560",
    equation=Equation(clusters(best(LINES)) / clusters(1), empty=1, one_empty=0, low=0),
    doc="""How many rows and columns each bicluster shares with its best counterpart, of those that either has.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> liu_wang(Biclustering([({0, 1}, {0})]), Biclustering([({1, 2}, {0})]))
    Fraction(1, 2)
    """)  # fmt: skip

santamaria = measure(
    "santamaria", name="Santamaría", family="matching",
    citation="Santamaría et al. 2007; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016",
    equation=Equation(clusters(best(DICE)) / clusters(1), empty=1, one_empty=0, low=0),
    doc="""How like its best counterpart each bicluster is, by Dice's coefficient of their cells.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> santamaria(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    Fraction(11, 15)
    """)  # fmt: skip

weighted_jaccard = measure(
    "weighted-jaccard", name="Weighted Jaccard", family="matching",
    citation="Lee et al. 2009; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016",
    equation=Equation(clusters(g * best(JACCARD)) / clusters(g), empty=1, one_empty=0, low=0),
    doc="""How like its best counterpart each bicluster is, by Jaccard's coefficient; larger ones count for more.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> weighted_jaccard(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    Fraction(5, 8)
    """)  # fmt: skip

weighted_dice = measure(
    "weighted-dice", name="Weighted Dice", family="matching",
    citation="Lee et al. 2009; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016",
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
