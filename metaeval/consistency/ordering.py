"""Sides put in order along the arrows of conditions that do not contradict each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from graphlib import TopologicalSorter

from scipy.sparse.csgraph import breadth_first_order

from metaeval.consistency.circles import adjacency, components
from metaeval.consistency.graph import TOP, Link, Scope
from metaeval.consistency.orders import Order


def order_of(scope: Scope, conditions: Sequence[str]) -> Order:
    """An order of a scope's sides along the arrows of conditions that do not contradict each other."""
    links = scope.links(conditions)
    component = components(links, scope.size)
    rank = _ranks(_below(links, component, scope.size))
    ranked = [(side, rank[component[node]]) for node, side in enumerate(scope.sides) if side is not None]
    sides, ranks = tuple(side for side, _ in ranked), tuple(rank for _, rank in ranked)
    return Order(sides, ranks, optimum=rank[component[TOP]])


def _below(links: Sequence[Link], component: Sequence[int], size: int) -> dict[int, set[int]]:
    """What lies below each component; below the optimum is everything that need not be above it."""
    below: dict[int, set[int]] = defaultdict(set)
    for link in links:
        if component[link.lower] != component[link.upper]:
            below[component[link.upper]].add(component[link.lower])
    above = {
        component[node] for node in breadth_first_order(adjacency(links, size), TOP, return_predecessors=False)
    }
    below[component[TOP]] |= {*component} - above
    return below


def _ranks(below: dict[int, set[int]]) -> dict[int, int]:
    """Integers from 1 up: each as low as what lies below it allows."""
    sorter = TopologicalSorter(below)
    sorter.prepare()
    ranks: dict[int, int] = {}
    rank = 0
    while sorter.is_active():
        rank += 1
        ready = sorter.get_ready()
        ranks.update(dict.fromkeys(ready, rank))
        sorter.done(*ready)
    return ranks
