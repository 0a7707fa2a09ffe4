"""Mean best matches of clusters and classes, weighted by size: F1a, F1h and F1p."""

from collections.abc import Callable
from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import Exact, RootSum, sqrt
from metaeval.kernel.overlay import Overlay, harmonic_mean, largest, remembered, sum_of_ratios
from metaeval.measures._objects import lifted

CITATION = "Lutov et al. 2019, arXiv:1902.01691, doi:10.1109/BIGCOMP.2019.8679398"

#: n/d as (n, d).
Ratio = tuple[int, int]
#: Clusters or classes: the size of each, and how well its best counterpart matches it.
Matches = list[tuple[int, Ratio]]


@measure("f1a", name="F1a", low=0, citation=CITATION, domain="clusterings")
def f1a(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The mean of how well clusters are met by classes, and classes by clusters.

        F1a     = (F(𝒢, 𝒞) + F(𝒞, 𝒢)) / 2
        F(𝒳, 𝒴) = Σ_X |X| · max_Y F₁(X, Y) / Σ_X |X|,  F₁(X, Y) = 2·|X ∩ Y| / (|X| + |Y|)

    The source prints a plain mean in F; its own table weighs by size.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> f1a(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(3, 4)
    """
    cells = lifted(candidate, gold)
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    found, expected = _by_f1(cells)
    return (found + expected) / 2


@measure("f1h", name="F1h", low=0, citation=CITATION, domain="clusterings")
def f1h(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """The harmonic mean of how well clusters are met by classes, and classes by clusters.

        F1h     = 2·F(𝒢, 𝒞)·F(𝒞, 𝒢) / (F(𝒢, 𝒞) + F(𝒞, 𝒢))
        F(𝒳, 𝒴) = Σ_X |X| · max_Y F₁(X, Y) / Σ_X |X|,  F₁(X, Y) = 2·|X ∩ Y| / (|X| + |Y|)

    The source prints a plain mean in F; its own table weighs by size.

    Undefined when a side is empty; by convention 1 when both are, 0 when one is.

    >>> f1h(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    Fraction(56, 75)
    """
    cells = lifted(candidate, gold)
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    return harmonic_mean(*_by_f1(cells))


@measure("f1p", name="F1p", low=0, citation=CITATION, domain="clusterings")
def f1p(candidate: Biclustering, gold: Biclustering) -> Exact:
    """F1h with another match: the geometric mean, not the harmonic one, of the shares that X and Y have in common.

        F1p     = 2·F(𝒢, 𝒞)·F(𝒞, 𝒢) / (F(𝒢, 𝒞) + F(𝒞, 𝒢))
        F(𝒳, 𝒴) = Σ_X |X| · max_Y P(X, Y) / Σ_X |X|,  P(X, Y) = |X ∩ Y| / √(|X|·|Y|)

    The source prints a plain mean in F; its own table weighs by size. An object in several clusters counts fully in
    each of them.

    Undefined when a side is empty (by convention 1 when both are, 0 when one is) and when no cluster meets a class (0).

    >>> f1p(Biclustering.from_labels([0, 0, 0]), Biclustering.from_labels([0, 0, 1]))
    (8 + 2·√2) / (√3 + 5·√6)
    """
    cells = lifted(candidate, gold)
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    found, expected = (_mean_of_roots(side) for side in _matches(cells, lambda n, x, y: (n * n, x * y)))
    both = found + expected
    return 2 * found * expected / both if both else Fraction(0)


@remembered
def _by_f1(cells: Overlay) -> tuple[Fraction, Fraction]:
    """F(𝒢, 𝒞) and F(𝒞, 𝒢)."""
    found, expected = _matches(cells, lambda n, x, y: (2 * n, x + y))
    return _mean(found), _mean(expected)


def _matches(cells: Overlay, match: Callable[[int, int, int], Ratio]) -> tuple[Matches, Matches]:
    """How well the best counterpart matches, for every cluster and every class."""
    by_cluster: list[list[Ratio]] = [[(0, 1)] for _ in cells.candidate]
    by_class: list[list[Ratio]] = [[(0, 1)] for _ in cells.gold]
    for (i, j), n in cells.meetings.items():
        matched = match(n, cells.candidate_sizes[i], cells.gold_sizes[j])
        by_cluster[i].append(matched)
        by_class[j].append(matched)
    return (
        list(zip(cells.candidate_sizes, map(largest, by_cluster), strict=True)),
        list(zip(cells.gold_sizes, map(largest, by_class), strict=True)),
    )


def _mean(matches: Matches) -> Fraction:
    return sum_of_ratios([(size * n, d) for size, (n, d) in matches], over=sum(size for size, _ in matches))


def _mean_of_roots(matches: Matches) -> RootSum:
    total: RootSum = sum((size * sqrt(Fraction(*match)) for size, match in matches), start=sqrt(0))
    mean: RootSum = total / sum(size for size, _ in matches)
    return mean
