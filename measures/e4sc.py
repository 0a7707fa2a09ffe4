"""E4SC: the F₁ of two macro-averaged F₁ scores."""

from collections.abc import Sequence
from fractions import Fraction

from metaeval.kernel import harmonic_mean, largest, overlay, sum_of_ratios
from metaeval.measuring import measure
from metaeval.model import Biclustering


@measure("e4sc", name="E4SC", citation="Günnemann et al. 2011, doi:10.1145/2063576.2063774")
def e4sc(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How well each bicluster is met by its best counterpart, in both directions.

        F₁(G, C)      = 2·|G ∩ C| / (|G| + |C|)
        macroF₁(𝒢, 𝒞) = mean over G of max over C of F₁(G, C)
        E4SC          = the harmonic mean of macroF₁(𝒢, 𝒞) and macroF₁(𝒞, 𝒢)

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> e4sc(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(104, 145)
    """
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    table, sizes, gold_sizes = cells.intersections, cells.candidate_sizes, cells.gold_sizes
    return harmonic_mean(
        _macro_f1(table, sizes, gold_sizes), _macro_f1(list(zip(*table, strict=True)), gold_sizes, sizes)
    )


def _macro_f1(table: Sequence[Sequence[int]], sizes: Sequence[int], others: Sequence[int]) -> Fraction:
    best = [
        largest([(2 * n, size + other) for n, other in zip(line, others, strict=True) if n] or [(0, 1)])
        for line, size in zip(table, sizes, strict=True)
    ]
    return sum_of_ratios(best, over=len(best))
