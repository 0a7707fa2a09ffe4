"""Clustering error, as a similarity."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay


@measure(
    "ce",
    name="CE",
    citation="Patrikainen & Meilă 2006, doi:10.1109/TKDE.2006.106",
)
def ce(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The share of the covered cells that the best one-to-one matching of biclusters explains.

        CE = D_max / |U|,  D_max the largest Σ |Gᵢ ∩ C_σ(i)| over one-to-one matchings σ

    This is the paper's set form. Under overlap a cell can be matched more than once while |U| counts
    it once, so scores above 1 are possible; they are reported as they are.

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> family = Biclustering.lifted([{0, 1, 2}, {1, 2, 3}])
    >>> ce(family, family)
    Fraction(3, 2)
    """
    cells = overlay(candidate, gold)
    return Fraction(cells.matching, cells.union) if cells.union else Fraction(1)
