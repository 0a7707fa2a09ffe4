"""Rand's index over pairs of objects, corrected for chance."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import overlay
from metaeval.measures._objects import pairs


@measure(
    "adjusted-rand",
    name="Adjusted Rand",
    low=-0.5,
    citation="Hubert & Arabie 1985, doi:10.1007/BF01908075",
    domain="partitions",
)
def adjusted_rand(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How far the agreement on pairs of objects exceeds that of random partitions with the same sizes.

        ARI = (Rand − E[Rand]) / (1 − E[Rand])
            = 2·(N₁₁·N₀₀ − N₁₀·N₀₁) / ( (N₁₁ + N₁₀)·(N₁₀ + N₀₀) + (N₁₁ + N₀₁)·(N₀₁ + N₀₀) )

    N₁₁ pairs of objects are together on both sides, N₁₀ in the gold standard only, N₀₁ in the candidate only, N₀₀ on
    neither. No two partitions score below −1/2 (Chacón & Rastrojo 2023, doi:10.1007/s11634-022-00491-w).

    Undefined when both sides are one cluster, or both singletons alone; 1 by convention, for they are the same.

    >>> adjusted_rand(Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 1, 2]))
    Fraction(4, 7)
    """
    n11, n10, n01, n00 = pairs(overlay(candidate, gold))
    if not n10 and not n01:
        return Fraction(1)
    return Fraction(2 * (n11 * n00 - n10 * n01), (n11 + n10) * (n10 + n00) + (n11 + n01) * (n01 + n00))
