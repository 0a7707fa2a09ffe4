"""The consensus score: the best one-to-one matching by Jaccard's coefficient."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.best_match import best_matching, jaccards, rounded_matching
from metaeval.kernel.overlay import overlay


def _fast_consensus(candidate: Biclustering, gold: Biclustering) -> float:
    if not candidate or not gold:
        return float(not candidate and not gold)
    sizes = len(candidate), len(gold)
    return rounded_matching(jaccards(overlay(candidate, gold)), *sizes) / max(sizes)


@measure(
    "consensus",
    name="Consensus",
    low=0,
    citation="Hochreiter et al. 2010, doi:10.1093/bioinformatics/btq227",
    fast=_fast_consensus,
)
def consensus(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How alike biclusters and classes are in the best one-to-one matching; those left over count 0.

        Consensus = the largest Σ |G ∩ C_σ(G)| / |G ∪ C_σ(G)| over one-to-one matchings σ, divided by max(|𝒢|, |𝒞|)

    Undefined when both sides are empty; 1 by convention, for they are equal.

    >>> consensus(Biclustering.lifted([{0, 1}, {2}]), Biclustering.lifted([{0, 1, 2}]))
    Fraction(1, 3)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    sizes = len(candidate), len(gold)
    n, d = best_matching(jaccards(overlay(candidate, gold)), *sizes)
    return Fraction(n, d * max(sizes))
