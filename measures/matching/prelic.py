"""Prelić's relevance and recovery: rows and columns each with their best counterpart, joined by a geometric mean."""

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import RootSum, sqrt
from metaeval.kernel.best_match import best_lines, rows_and_columns
from metaeval.kernel.overlay import sum_of_ratios

CITATION = "Prelić et al. 2006, doi:10.1093/bioinformatics/btl060"


def _match_score(these: Biclustering, those: Biclustering) -> RootSum:
    """How like its best counterparts among those each of these is."""
    rows, cols = (
        sum_of_ratios(best_lines(one, other), over=len(these))
        for one, other in zip(rows_and_columns(these), rows_and_columns(those), strict=True)
    )
    return sqrt(rows * cols)


@measure("prelic-relevance", name="Prelić relevance", low=0, citation=CITATION)
def prelic_relevance(candidate: Biclustering, gold: Biclustering) -> RootSum:
    """How like its best counterparts among the classes each bicluster is, in its rows and in its columns.

        Relevance = √(rows · columns)
        rows      = mean over G of max over C of |R ∩ R′| / |R ∪ R′|
        columns   = mean over G of max over C of |S ∩ S′| / |S ∪ S′|

    with R and S the rows and columns of G, and R′ and S′ those of C. The best C may be one for the rows and another for
    the columns.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> prelic_relevance(Biclustering([({0, 1}, {0})]), Biclustering([({0, 1, 2}, {0})]))
    1/3·√6
    """
    if not candidate or not gold:
        return sqrt(int(not candidate and not gold))
    return _match_score(candidate, gold)


@measure("prelic-recovery", name="Prelić recovery", low=0, citation=CITATION)
def prelic_recovery(candidate: Biclustering, gold: Biclustering) -> RootSum:
    """How like its best counterparts among the biclusters each class is, in its rows and in its columns.

        Recovery = √(rows · columns)
        rows     = mean over C of max over G of |R ∩ R′| / |R ∪ R′|
        columns  = mean over C of max over G of |S ∩ S′| / |S ∪ S′|

    with R and S the rows and columns of G, and R′ and S′ those of C. The best G may be one for the rows and another for
    the columns.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> prelic_recovery(Biclustering([({0}, {0})]), Biclustering([({0}, {0}), ({1}, {1})]))
    1/2
    """
    if not candidate or not gold:
        return sqrt(int(not candidate and not gold))
    return _match_score(gold, candidate)
