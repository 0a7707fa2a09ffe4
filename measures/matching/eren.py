"""Eren's relevance and recovery: Jaccard's coefficient with the best counterpart."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.best_match import best_counterparts, jaccards
from metaeval.kernel.overlay import overlay, sum_of_ratios

CITATION = "Eren et al. 2013, doi:10.1093/bib/bbs032"


@measure("eren-relevance", name="Eren relevance", low=0, citation=CITATION)
def eren_relevance(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How like its best counterpart among the classes each bicluster is, by Jaccard's coefficient of their cells.

        Relevance = mean over G of max over C of |G ∩ C| / |G ∪ C|

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> eren_relevance(Biclustering.lifted([{0, 1}]), Biclustering.lifted([{0, 1, 2}, {3}]))
    Fraction(2, 3)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    best = best_counterparts(jaccards(overlay(candidate, gold)), len(candidate))
    return sum_of_ratios(best, over=len(candidate))


@measure("eren-recovery", name="Eren recovery", low=0, citation=CITATION)
def eren_recovery(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How like its best counterpart among the biclusters each class is, by Jaccard's coefficient of their cells.

        Recovery = mean over C of max over G of |G ∩ C| / |G ∪ C|

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> eren_recovery(Biclustering.lifted([{0, 1}]), Biclustering.lifted([{0, 1, 2}, {3}]))
    Fraction(1, 3)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    best = best_counterparts(jaccards(overlay(candidate, gold)), len(gold), side=1)
    return sum_of_ratios(best, over=len(gold))
