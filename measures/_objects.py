"""What the measures of partitions and of overlapping clusterings see: objects, where the kernel counts cells.

In a lifted clustering every cluster has the same features, so that each object is that many cells. All counts are
divided by this number here, once, and a lifted clustering scores as the clustering of its objects that it is. What is
no clustering of objects, or no partition where one is needed, has no score.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import Undefined
from metaeval.kernel.overlay import Overlay, overlay, remembered


class Table(NamedTuple):
    """Two partitions of the same objects: the sizes of clusters and classes, and of what they have in common."""

    clusters: list[int]
    classes: list[int]
    meetings: dict[tuple[int, int], int]
    objects: int


class Pairs(NamedTuple):
    """Numbers of pairs of objects: together on both sides, in the gold only, in the candidate only, on neither."""

    both: int
    gold_only: int
    candidate_only: int
    neither: int


@remembered
def table(cells: Overlay) -> Table:
    """The contingency table of two partitions; undefined where the sides are none."""
    width = features(cells)
    if not cells.disjoint:
        raise Undefined("an object is in two clusters of a side, and the measure compares partitions")
    if cells.shared < cells.union:
        raise Undefined(
            "an object is in no cluster of one side, and the measure compares partitions of the same objects"
        )
    return Table(
        [n // width for n in cells.candidate_sizes],
        [n // width for n in cells.gold_sizes],
        {met: n // width for met, n in cells.meetings.items()},
        cells.union // width,
    )


@remembered
def pairs(cells: Overlay) -> Pairs:
    """N₁₁, N₁₀, N₀₁ and N₀₀ of two partitions."""
    clusters, classes, meetings, objects = table(cells)
    both = _pairs_in(meetings.values())
    gold, candidate = _pairs_in(classes), _pairs_in(clusters)
    return Pairs(both, gold - both, candidate - both, _pairs_in([objects]) - gold - candidate + both)


@remembered
def pairs_by_depth(cells: Overlay) -> Counter[tuple[int, int]]:
    """How many pairs of the objects that a side covers share so many clusters and so many classes."""
    width = features(cells)
    found: Counter[tuple[int, int]] = Counter()
    for place, (candidate, gold, weight) in enumerate(cells.atoms):
        n = weight // width
        found[candidate.bit_count(), gold.bit_count()] += n * (n - 1) // 2
        for other_candidate, other_gold, other_weight in cells.atoms[:place]:
            shared = (candidate & other_candidate).bit_count(), (gold & other_gold).bit_count()
            found[shared] += n * (other_weight // width)
    return found


def lifted(candidate: Biclustering, gold: Biclustering) -> Overlay:
    """The overlay of two clusterings of objects; undefined where the sides are none."""
    cells = overlay(candidate, gold)
    features(cells)
    return cells


def features(cells: Overlay) -> int:
    """How many features the clusters of both sides have; undefined where these are not always the same."""
    different = {columns for side in (cells.candidate, cells.gold) for _, columns in side}
    if len(different) > 1:
        raise Undefined("the biclusters have different features, and the measure compares clusterings of objects")
    return len(next(iter(different), (0,)))


def share(part: int, rest: int) -> Fraction:
    """The part of a whole; all of it where there is nothing, for then nothing is missed."""
    return Fraction(part, part + rest) if part + rest else Fraction(1)


def _pairs_in(sizes: Iterable[int]) -> int:
    return sum(n * (n - 1) // 2 for n in sizes)


@remembered
def largest_meetings(cells: Overlay) -> tuple[list[int], list[int]]:
    """How many objects each cluster has in common with the class it meets most, and each class with such a cluster."""
    counts = table(cells)
    by_cluster, by_class = [0] * len(counts.clusters), [0] * len(counts.classes)
    for (i, j), n in counts.meetings.items():
        by_cluster[i], by_class[j] = max(by_cluster[i], n), max(by_class[j], n)
    return by_cluster, by_class
