"""Relative non-intersecting area with cells counted as often as they are covered, as a similarity."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay


@measure(
    "rnia-multiset",
    name="RNIA (multiset)",
    low=0,
    citation="Patrikainen & Meilă 2006, doi:10.1109/TKDE.2006.106",
)
def rnia_multiset(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The share of the cells that both sides cover, each counted as often as it is covered.

        RNIA = Σ_cells min(N_G, N_C) / Σ_cells max(N_G, N_C),  N the number of biclusters of a side that cover the cell

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> rnia_multiset(Biclustering.lifted([{0, 1}, {0, 1}]), Biclustering.lifted([{0, 1}]))
    Fraction(1, 2)
    """
    cells = overlay(candidate, gold)
    larger = cells.multiset_union
    # min(a, b) = a + b − max(a, b)
    smaller = sum(cells.candidate_sizes) + sum(cells.gold_sizes) - larger
    return Fraction(smaller, larger) if larger else Fraction(1)
