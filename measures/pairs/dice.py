"""Dice's index over pairs of objects."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay
from metaeval.measures._objects import pairs, share


@measure("dice", name="Dice", low=0, citation="Gösgens et al. 2021, arXiv:1911.04773", domain="partitions")
def dice(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The F₁ of putting pairs of objects together.

        Dice = 2·N₁₁ / (2·N₁₁ + N₁₀ + N₀₁)

    N₁₁ pairs of objects are together on both sides, N₁₀ in the gold standard only, N₀₁ in the candidate only.

    Undefined when neither side has two objects together; 1 by convention, for both are the same then.

    >>> dice(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(1, 2)
    """
    n11, n10, n01, _ = pairs(overlay(candidate, gold))
    return share(2 * n11, n10 + n01)
