"""Santamaría's score: Dice's coefficient with the best counterpart."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.best_match import best_counterparts, dices
from metaeval.kernel.overlay import overlay, sum_of_ratios


@measure(
    "santamaria",
    name="Santamaría",
    low=0,
    citation="Santamaría et al. 2007; Horta & Campello 2014, doi:10.1109/TCBB.2014.2325016",
)
def santamaria(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How like its best counterpart each bicluster is, by Dice's coefficient of their cells.

        Santamaría = mean over G of max over C of 2·|G ∩ C| / (|G| + |C|)

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> santamaria(Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1]))
    Fraction(11, 15)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    best = best_counterparts(dices(overlay(candidate, gold)), len(candidate))
    return sum_of_ratios(best, over=len(candidate))
