"""Ayadi's score: the share of the rows times the share of the columns."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.best_match import best_counterparts
from metaeval.kernel.overlay import overlay, sum_of_ratios


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
    ratios = {}
    for (i, j), n in overlay(candidate, gold).meetings.items():
        (R, S), (gold_R, gold_S) = candidate.biclusters[i], gold.biclusters[j]
        # |R ∩ R′|·|S ∩ S′| is the number of cells in which they meet.
        ratios[i, j] = n, len(R | gold_R) * len(S | gold_S)
    return sum_of_ratios(best_counterparts(ratios, len(candidate)), over=len(candidate))
