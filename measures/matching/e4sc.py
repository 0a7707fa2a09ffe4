"""E4SC: the F₁ of two macro-averaged F₁ scores."""

from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.kernel.overlay import harmonic_mean, largest, overlay, sum_of_ratios

#: n/d as (n, d).
Ratio = tuple[int, int]


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
    by_cluster: list[list[Ratio]] = [[] for _ in candidate]
    by_class: list[list[Ratio]] = [[] for _ in gold]
    for (i, j), n in cells.meetings.items():
        f1 = 2 * n, cells.candidate_sizes[i] + cells.gold_sizes[j]
        by_cluster[i].append(f1)
        by_class[j].append(f1)
    return harmonic_mean(_mean_of_best(by_cluster), _mean_of_best(by_class))


def _mean_of_best(lines: list[list[Ratio]]) -> Fraction:
    return sum_of_ratios([largest(line) for line in lines if line], over=len(lines))
