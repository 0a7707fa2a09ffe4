"""What slips are made of: the originals, and biclusterings that are seen in part."""

from collections.abc import Callable, Iterable
from fractions import Fraction

from reference import f1 as harmonic_mean

from flawed.registry import ORIGINALS
from metaeval import Biclustering
from metaeval.kernel.overlay import Overlay, Together, sum_of_ratios

bcubed, ce, ce_multiset, e4sc, mocice, rand, rnia, vi = (
    ORIGINALS[id].function for id in ("bcubed", "ce", "ce-multiset", "e4sc", "mocice", "rand", "rnia", "vi")
)
rand_background = ORIGINALS["rand-background"].function
precision, recall = (ORIGINALS[f"mocice-{part}"].function for part in ("precision", "recall"))


def family(side: Biclustering, biclusters: Iterable[tuple[Iterable[int], Iterable[int]]]) -> Biclustering:
    """These biclusters on the matrix of that side; those that have become empty are gone."""
    kept = [(frozenset(rows), frozenset(cols)) for rows, cols in biclusters]
    return Biclustering.trusted([(rows, cols) for rows, cols in kept if rows and cols], side.shape)


def rows_to(change: Callable[[Iterable[int]], Iterable[int]], *sides: Biclustering) -> list[Biclustering]:
    """Both sides with the rows of every bicluster changed."""
    return [family(side, ((change(rows), cols) for rows, cols in side)) for side in sides]


def cols_to(change: Callable[[Iterable[int]], Iterable[int]], *sides: Biclustering) -> list[Biclustering]:
    """Both sides with the columns of every bicluster changed."""
    return [family(side, ((rows, change(cols)) for rows, cols in side)) for side in sides]


def objects(*sides: Biclustering) -> int:
    """How many objects both sides hold."""
    return len({row for side in sides for rows, _ in side for row in rows})


def features(*sides: Biclustering) -> int:
    """How many features both sides hold."""
    return len({col for side in sides for _, cols in side for col in cols})


def penalty(candidate: Biclustering, gold: Biclustering, over: int) -> Fraction:
    """1 + (K − L)² / over, for K clusters and L classes."""
    return 1 + Fraction((len(candidate) - len(gold)) ** 2, over)


def either_empty(candidate: Biclustering, gold: Biclustering) -> bool:
    return not candidate or not gold


def bcubed_of(cells: Overlay, groups: Iterable[Together], counted: Callable[[int], int] = int) -> Fraction:
    """BCubed F₁ over these pairs of cells, of which there are so many as ``counted`` says."""
    precision, recall = [], []
    for pairs in groups:
        g, c = pairs.candidate.bit_count(), pairs.gold.bit_count()
        precision += [(counted(n) * min(g, c), reach * g) for n, reach in pairs.precision]
        recall += [(counted(n) * min(g, c), reach * c) for n, reach in pairs.recall]
    return harmonic_mean(
        sum_of_ratios(precision, over=cells.candidate_covered), sum_of_ratios(recall, over=cells.gold_covered)
    )
