"""Relative non-intersecting area, as a similarity."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay


@measure(
    "rnia",
    name="RNIA",
    citation="Patrikainen & Meilă 2006, doi:10.1109/TKDE.2006.106",
)
def rnia(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The share of the covered cells that both sides cover.

        RNIA = |U_G ∩ U_C| / |U_G ∪ U_C|

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> rnia(Biclustering.lifted([{0, 1}]), Biclustering.lifted([{1, 2}]))
    Fraction(1, 3)
    """
    cells = overlay(candidate, gold)
    return Fraction(cells.shared, cells.union) if cells.union else Fraction(1)
