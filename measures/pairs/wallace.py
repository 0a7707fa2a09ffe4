"""Wallace's index: the recall of pairs of objects."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay
from metaeval.measures._objects import pairs, share


@measure("wallace", name="Wallace", low=0, citation="Gösgens et al. 2021, arXiv:1911.04773", domain="partitions")
def wallace(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """Of the pairs of objects that belong together, the share that is put together.

        Wallace = N₁₁ / (N₁₁ + N₁₀)

    N₁₁ pairs of objects are together on both sides, N₁₀ in the gold standard only.

    Undefined when the gold standard has no two objects together; 1 by convention, for then there is no pair to miss.

    >>> wallace(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 0, 0]))
    Fraction(1, 3)
    """
    n11, n10, _, _ = pairs(overlay(candidate, gold))
    return share(n11, n10)
