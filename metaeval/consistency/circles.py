"""Circles of demands: whether there is one shows in the strong components; the shortest one is found by its paths."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, pairwise

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components

from metaeval.consistency.graph import Link, Scope


def smallest_impossible(scope: Scope, conditions: Sequence[str]) -> tuple[str, ...] | None:
    """The fewest of these conditions that contradict each other, or None where all go together."""
    if not _in_circles(scope, conditions):
        return None
    subsets = (some for count in range(1, len(conditions) + 1) for some in combinations(conditions, count))
    return next(some for some in subsets if _in_circles(scope, some))


def shortest_circle(scope: Scope, conditions: Collection[str]) -> list[Link]:
    """The fewest links that lead from a node back to it, at least one of them strict.

    Of circles with as few links, one whose strict case is smallest.
    """
    links = scope.links(conditions)
    graph = adjacency(links, scope.size)
    closing = sorted(_in_circles(scope, conditions), key=lambda link: link.case.size)
    best: list[int] | None = None
    first = closing[0]
    for link, path in _paths(graph, closing):
        if best is None or len(path) < len(best):
            best, first = path, link
    assert best is not None
    smallest = _smallest_links(links)
    return [first, *(smallest[step] for step in pairwise(best))]


def _in_circles(scope: Scope, conditions: Collection[str]) -> list[Link]:
    """The strict links between nodes that can be reached from each other."""
    links = scope.links(conditions)
    component = components(links, scope.size)
    return [link for link in links if link.arrow.strict and component[link.lower] == component[link.upper]]


def components(links: Sequence[Link], size: int) -> Sequence[int]:
    """For each node the number of its strong component: its nodes can be reached from each other."""
    _, component = connected_components(adjacency(links, size), directed=True, connection="strong")
    found: Sequence[int] = component
    return found


def adjacency(links: Sequence[Link], size: int) -> csr_matrix:
    """The links as a sparse matrix, from the lower to the upper."""
    ends = np.array([(link.lower, link.upper) for link in links], dtype=np.int32).reshape(-1, 2)
    return csr_matrix((np.ones(len(ends), dtype=np.int8), (ends[:, 0], ends[:, 1])), shape=(size, size))


def _paths(graph: csr_matrix, closing: Sequence[Link]) -> Iterator[tuple[Link, list[int]]]:
    """For each strict link the fewest nodes that lead from its upper end back to its lower one."""
    before: dict[int, Sequence[int]] = {}
    for link in closing:
        if link.upper not in before:
            _, before[link.upper] = breadth_first_order(graph, link.upper)
        path = [link.lower]
        while path[-1] != link.upper:
            path.append(int(before[link.upper][path[-1]]))
        yield link, path[::-1]


def _smallest_links(links: Sequence[Link]) -> dict[tuple[int, int], Link]:
    """For each two nodes the link with the smallest case."""
    smallest: dict[tuple[int, int], Link] = {}
    for link in links:
        ends = link.lower, link.upper
        if ends not in smallest or link.case.size < smallest[ends].case.size:
            smallest[ends] = link
    return smallest
