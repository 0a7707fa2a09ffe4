"""Clusterings as sets of objects, and the cases that are made of them.

The sentences of A.1–A.4 are about a few clusters; all others are the same on both sides. So such a condition
says what its left and its right are with a function ``sides`` of the clusters it names, and what surrounds
them is added here.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations, pairwise

from metaeval.core.biclustering import Biclustering, Shape
from metaeval.core.case import Case, Side

Cluster = frozenset[int]
#: The clusters that a sentence names, left and right.
Sides = tuple[list[Cluster], list[Cluster]]

_ONE_FEATURE = frozenset({0})


def cut(sizes: Iterable[int], start: int = 0) -> list[range]:
    """Consecutive runs of objects of these sizes."""
    return [range(*ends) for ends in pairwise(accumulate(sizes, initial=start))]


def mask_of(objects: Iterable[int]) -> int:
    """A set of objects as a bitmask."""
    return sum(1 << row for row in objects)


def groupings(objects: Sequence[int], sizes: Sequence[int]) -> Iterator[list[Cluster]]:
    """Every way to group the objects into clusters of these sizes, each once."""
    if not objects:
        yield []
        return
    first, *rest = objects
    for size in dict.fromkeys(sizes):
        others = list(sizes)
        others.remove(size)
        for mates in combinations(rest, size - 1):
            left = [row for row in rest if row not in mates]
            for more in groupings(left, others):
                yield [frozenset({first, *mates}), *more]


def lift(clusters: Iterable[Iterable[int]], shape: Shape, features: frozenset[int] = _ONE_FEATURE) -> Biclustering:
    """The clusters as biclusters on one set of features."""
    return Biclustering.trusted([(frozenset(cluster), features) for cluster in clusters], shape)


def lifted_case(
    gold: Iterable[Iterable[int]],
    sides: Sides,
    context: Sequence[Iterable[int]],
    shape: Shape,
    features: frozenset[int] = _ONE_FEATURE,
) -> Case:
    """The case of two clusterings against one gold standard; the context is the same on both sides."""
    lifted_gold = lift(gold, shape, features)
    left, right = (Side(lift([*named, *context], shape, features), lifted_gold) for named in sides)
    return Case(left, right)
