"""Sokal and Sneath's first index over pairs of objects."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay
from metaeval.measures._objects import pairs, share


@measure(
    "sokal-sneath",
    name="Sokal & Sneath 1",
    low=0,
    citation="Gösgens et al. 2021, arXiv:1911.04773",
    domain="partitions",
)
def sokal_sneath(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The mean of four shares: of the pairs together on a side, and of those apart, those on which the other agrees.

        S&S₁ = 1/4 · ( N₁₁/(N₁₁ + N₁₀) + N₁₁/(N₁₁ + N₀₁) + N₀₀/(N₀₀ + N₁₀) + N₀₀/(N₀₀ + N₀₁) )

    N₁₁ pairs of objects are together on both sides, N₁₀ in the gold standard only, N₀₁ in the candidate only, N₀₀ on
    neither.

    Undefined when a side has no two objects together, or none apart; a share of nothing is 1 by convention, for there
    is no pair to disagree on.

    >>> sokal_sneath(Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 0, 1]))
    Fraction(1, 2)
    """
    n11, n10, n01, n00 = pairs(overlay(candidate, gold))
    return (share(n11, n10) + share(n11, n01) + share(n00, n10) + share(n00, n01)) / 4
