"""E4SC: the F₁ of two macro-averaged F₁ scores."""

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
    f1 = [
        [(2 * n, size + gold_size) for n, gold_size in zip(line, cells.gold_sizes, strict=True)]
        for line, size in zip(cells.intersections, cells.candidate_sizes, strict=True)
    ]
    return harmonic_mean(_mean_of_best(f1), _mean_of_best(list(zip(*f1, strict=True))))


def _mean_of_best(table: list[list[tuple[int, int]]] | list[tuple[tuple[int, int], ...]]) -> Fraction:
    return sum_of_ratios([largest(line) for line in table], over=len(table))
