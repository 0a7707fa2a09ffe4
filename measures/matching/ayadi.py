"""Ayadi's score: the share of the rows times the share of the columns."""

from fractions import Fraction

from metaeval.kernel import overlay, sum_of_ratios
from metaeval.kernel_matching import best_counterparts, column_jaccards, row_jaccards
from metaeval.measuring import measure
from metaeval.model import Biclustering


@measure(
    "ayadi",
    name="Ayadi",
    low=0,
    citation="Ayadi et al. 2012; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016",
)
def ayadi(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How much each bicluster shares with its best counterpart, of the smallest bicluster that holds both.

        Ayadi = mean over G of max over C of |R ∩ R′|·|S ∩ S′| / (|R ∪ R′|·|S ∪ S′|)

    with R and S the rows and columns of G, and R′ and S′ those of C.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> ayadi(Biclustering([({0, 1}, {0})]), Biclustering([({1, 2}, {0, 1})]))
    Fraction(1, 6)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    cols = column_jaccards(cells)
    ratios = {pair: (n * cols[pair][0], d * cols[pair][1]) for pair, (n, d) in row_jaccards(cells).items()}
    return sum_of_ratios(best_counterparts(ratios, len(candidate)), over=len(candidate))
