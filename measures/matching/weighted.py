"""Jaccard's and Dice's coefficients with the best counterpart, weighted by size."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.best_match import Ratios, best_counterparts, dices, jaccards
from metaeval.kernel.overlay import Overlay, overlay, sum_of_ratios

CITATION = "Lee et al. 2009; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016"


def _weighted_mean(cells: Overlay, ratios: Ratios) -> Fraction:
    sizes = cells.candidate_sizes
    best = best_counterparts(ratios, len(sizes))
    return sum_of_ratios([(size * n, d) for size, (n, d) in zip(sizes, best, strict=True)], over=sum(sizes))


@measure("weighted-jaccard", name="Weighted Jaccard", low=0, citation=CITATION)
def weighted_jaccard(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How like its best counterpart each bicluster is, by Jaccard's coefficient; larger ones count for more.

        WJ = Σ over G of |G| · max over C of |G ∩ C| / |G ∪ C|, divided by Σ |G|

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> weighted_jaccard(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    Fraction(5, 8)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    return _weighted_mean(cells, jaccards(cells))


@measure("weighted-dice", name="Weighted Dice", low=0, citation=CITATION)
def weighted_dice(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How like its best counterpart each bicluster is, by Dice's coefficient; larger ones count for more.

        WD = Σ over G of |G| · max over C of 2·|G ∩ C| / (|G| + |C|), divided by Σ |G|

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> weighted_dice(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    Fraction(23, 30)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    return _weighted_mean(cells, dices(cells))
