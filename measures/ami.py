"""Mutual information corrected for chance, normalised by the arithmetic and by the geometric mean.

These are functions: the mean over all partitions with the same sizes is a sum that equations cannot express.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb, lcm, sqrt
from typing import Any, NamedTuple

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.exact import Exact, LogSum, log, sum_of_logs
from metaeval.kernel.overlay import Overlay, check_partitions, objects, overlay, remembered

CITATION = "Vinh et al. 2010; Gösgens et al. 2021, arXiv:1911.04773"


#: From so many objects on, what would be exact takes too long, and floats are computed.
LARGE = 5_000


class _Information(NamedTuple):
    """H of the clusters and of the classes, I, and the mean of I over all partitions with the same sizes."""

    candidate: Any
    gold: Any
    mutual: Any
    expected: Any


@measure("ami", name="AMI", citation=CITATION, domain="partitions", family="information")
def ami(candidate: Biclustering, gold: Biclustering) -> Exact | float:
    """How far the mutual information exceeds that of random partitions with the same sizes.

        AMI = (I − E[I]) / ( (H(gold) + H(candidate))/2 − E[I] )

    E[I] is the mean over all partitions with the same sizes: a sum of logarithms with rational coefficients, and so
    exact. From 5,000 objects on, the score is a float.

    Undefined when both sides are one cluster, or both singletons alone; 1 by convention, for they are the same.

    >>> ami(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1]))
    −1/2
    """
    known = _information(overlay(candidate, gold))
    most = (known.gold + known.candidate) / 2 - known.expected
    one: Exact | float = 1.0 if isinstance(most, float) else Fraction(1)
    return (known.mutual - known.expected) / most if most else one


@measure("ami-geometric", name="AMI (geometric)", citation=CITATION, domain="partitions", family="information")
def ami_geometric(candidate: Biclustering, gold: Biclustering) -> float:
    """AMI, normalised by the geometric mean of both entropies.

        AMI = (I − E[I]) / ( √(H(gold)·H(candidate)) − E[I] )

    A float: the root of a product of logarithms has no exact form here. From 5,000 objects on, the logarithms are
    floats, too.

    Undefined when both sides are one cluster, or both singletons alone (1 by convention, for they are the same), and
    when one side is one cluster (0, for it tells nothing).

    >>> ami_geometric(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1]))
    -0.5
    """
    known = _information(overlay(candidate, gold))
    if known.gold == known.candidate:
        return float(ami(candidate, gold))
    above = float(known.mutual - known.expected)
    return above / (sqrt(float(known.gold) * float(known.candidate)) - float(known.expected)) if above else 0.0


@remembered
def _information(cells: Overlay) -> _Information:
    check_partitions(cells)
    o = objects(cells)
    if o.union >= LARGE:
        # Imported here: NumPy and SciPy take longer to load than most commands take to run.
        from metaeval.kernel.expectation import information

        return _Information(*information(o))
    total = max(1, o.union)
    candidate, gold, joint = (
        sum_of_logs([(sum(sizes), total), *((-n, n) for n in sizes)], over=total)  # Σ n/N · log(N/n)
        for sizes in (o.candidate_sizes, o.gold_sizes, tuple(o.meetings.values()))
    )
    # The mean of n over all partitions is ab/N, and with that only Σ n/N · log n is left to do.
    expected: LogSum = candidate + gold - log(total) + _mean_of_logs(o)
    return _Information(candidate, gold, candidate + gold - joint, expected)


def _mean_of_logs(o: Overlay) -> LogSum:
    """Σ over pairs of a cluster and a class of the mean of n/N · log n.

    A cluster of a objects and a class of b have n in common as often as b objects drawn from N, of which a are
    marked, have n marked ones.
    """
    total, clusters, classes = o.union, Counter(o.candidate_sizes), Counter(o.gold_sizes)
    over = lcm(*(comb(total, b) for b in classes))
    terms = []
    for b, number in classes.items():
        ways: Counter[int] = Counter()
        for a, often in clusters.items():
            for n, draws in _draws(a, b, total):
                ways[n] += often * draws
        scale = number * (over // comb(total, b))
        terms += [(n * draws * scale, n) for n, draws in ways.items() if n > 1]
    return sum_of_logs(terms, over=over * max(1, total))


def _draws(marked: int, drawn: int, total: int) -> Iterator[tuple[int, int]]:
    """How many ways there are to draw so many objects with n marked ones among them, for every n that is possible."""
    least, unmarked = max(0, marked + drawn - total), total - marked
    ways = comb(marked, least) * comb(unmarked, drawn - least)
    for n in range(least, min(marked, drawn) + 1):
        yield n, ways
        # Each number of ways from the one before: of large inputs these have thousands of digits.
        ways = ways * (marked - n) * (drawn - n) // ((n + 1) * (unmarked - drawn + n + 1))
