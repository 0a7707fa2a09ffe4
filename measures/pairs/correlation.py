"""The correlation of being together, and the angle that it is the cosine of."""

from fractions import Fraction
from math import acos, pi

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import RootSum, sqrt
from metaeval.kernel.overlay import overlay
from metaeval.measures._objects import pairs

CITATION = "Gösgens et al. 2021, arXiv:1911.04773"


@measure("correlation", name="Correlation", low=-1, citation=CITATION, domain="partitions")
def correlation(candidate: Biclustering, gold: Biclustering) -> RootSum:
    """Pearson's correlation, over pairs of objects, of being together in the candidate and in the gold standard.

        CC = (N₁₁·N₀₀ − N₁₀·N₀₁) / √((N₁₁ + N₁₀)·(N₁₁ + N₀₁)·(N₀₀ + N₁₀)·(N₀₀ + N₀₁))

    N₁₁ pairs of objects are together on both sides, N₁₀ in the gold standard only, N₀₁ in the candidate only, N₀₀ on
    neither.

    Undefined when a side is one cluster, or singletons alone; by convention 1 when both are the same, else 0, for what
    is constant goes with nothing.

    >>> correlation(Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 0, 1]))
    0
    >>> correlation(Biclustering.from_labels([0, 0, 1, 2]), Biclustering.from_labels([0, 0, 0, 1]))
    1/5·√5
    """
    n11, n10, n01, n00 = pairs(overlay(candidate, gold))
    if not n10 and not n01:
        return sqrt(1)
    spread = (n11 + n10) * (n11 + n01) * (n00 + n10) * (n00 + n01)
    found: RootSum = (n11 * n00 - n10 * n01) * sqrt(Fraction(1, spread)) if spread else sqrt(0)
    return found


@measure(
    "correlation-distance",
    name="Correlation distance",
    best=0,
    low=1,
    citation=CITATION,
    smaller_is_better=True,
    domain="partitions",
)
def correlation_distance(candidate: Biclustering, gold: Biclustering) -> float:
    """The angle between the two sides, as vectors of pairs, in half turns.

        CD = arccos(CC) / π

    It orders pairs as the correlation CC does, and the other way round; CC is exact and this is a float. A
    dissimilarity: its score is reported as −CD.

    Undefined when CC is; by convention 0 when both sides are the same, else 1/2.

    >>> correlation_distance(Biclustering.from_labels([0, 0, 1, 1]), Biclustering.from_labels([0, 0, 0, 1]))
    0.5
    """
    return acos(float(correlation(candidate, gold))) / pi
