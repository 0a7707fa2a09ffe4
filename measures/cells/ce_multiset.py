"""Clustering error with cells counted as often as they are covered."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay


@measure(
    "ce-multiset",
    name="CE (multiset)",
    citation="Patrikainen & Meilă 2006, doi:10.1109/TKDE.2006.106",
)
def ce_multiset(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """Clustering error in the form its authors use under overlap.

        CE = D_max / Σ_cells max(N_G, N_C),  N the number of biclusters of a side that cover the cell

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> family = Biclustering.lifted([{0, 1, 2}, {1, 2, 3}])
    >>> ce_multiset(family, family)
    Fraction(1, 1)
    """
    cells = overlay(candidate, gold)
    return Fraction(cells.matching, cells.multiset_union) if cells.union else Fraction(1)
