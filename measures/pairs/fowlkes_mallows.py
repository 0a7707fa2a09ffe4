"""Fowlkes and Mallows's index: the geometric mean of precision and recall of pairs of objects."""

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import RootSum, sqrt
from metaeval.kernel.overlay import overlay
from metaeval.measures._objects import pairs, share


@measure(
    "fowlkes-mallows",
    name="Fowlkes–Mallows",
    low=0,
    citation="Fowlkes & Mallows 1983, doi:10.1080/01621459.1983.10478008",
    domain="partitions",
)
def fowlkes_mallows(candidate: Biclustering, gold: Biclustering) -> RootSum:
    """The geometric mean of how many pairs belong together that are, and are together that should be.

        FM = √( N₁₁ / (N₁₁ + N₁₀) · N₁₁ / (N₁₁ + N₀₁) )

    N₁₁ pairs of objects are together on both sides, N₁₀ in the gold standard only, N₀₁ in the candidate only.

    Undefined when a side has no two objects together; by convention 1 when neither has, for both are the same then, and
    0 when one has. scikit-learn up to version 1.9 gives 0 to the former, too.

    >>> fowlkes_mallows(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    1/3·√3
    """
    n11, n10, n01, _ = pairs(overlay(candidate, gold))
    return sqrt(share(n11, n10) * share(n11, n01))
