"""Entropies of two partitions as exact sums of logarithms, in nats, for the measures of information."""

from collections import Counter
from collections.abc import Iterator
from math import comb, lcm
from typing import NamedTuple

from metaeval.exact import LogSum, log, sum_of_logs
from metaeval.kernel.overlay import Overlay, remembered
from metaeval.measures._objects import Table, table


class Entropies(NamedTuple):
    """H of the clusters, of the classes, and of both together."""

    candidate: LogSum
    gold: LogSum
    joint: LogSum

    @property
    def information(self) -> LogSum:
        """I, what a side tells about the other."""
        shared: LogSum = self.candidate + self.gold - self.joint
        return shared


@remembered
def entropies(cells: Overlay) -> Entropies:
    """The entropies of two partitions."""
    clusters, classes, meetings, objects = table(cells)
    return Entropies(_entropy(clusters, objects), _entropy(classes, objects), _entropy([*meetings.values()], objects))


def _entropy(sizes: list[int], objects: int) -> LogSum:
    # Σ n/N · log(N/n)
    return sum_of_logs([(objects, max(1, objects)), *((-n, n) for n in sizes)], over=max(1, objects))


@remembered
def expected_information(cells: Overlay) -> LogSum:
    """E[I], the mean of I over all partitions with the same sizes, each as likely as the next.

    A cluster of a objects and a class of b have n in common as often as b objects drawn from N, of which a are
    marked, have n marked ones. The mean of n over these draws is ab/N, and with that only Σ n/N · log n is left to do.
    """
    known, counts = entropies(cells), table(cells)
    rest: LogSum = known.candidate + known.gold - log(max(1, counts.objects))
    expected: LogSum = rest + _mean_of_logs(counts)
    return expected


def _mean_of_logs(counts: Table) -> LogSum:
    """Σ over pairs of a cluster and a class of the mean of n/N · log n."""
    total, clusters, classes = counts.objects, Counter(counts.clusters), Counter(counts.classes)
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
