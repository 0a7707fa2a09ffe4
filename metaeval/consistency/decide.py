"""Decide whether conditions contradict each other: a circle of demands, multiples of demands, a witness, or neither."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from graphlib import TopologicalSorter
from itertools import combinations, count, pairwise

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components

from metaeval.catalogue.condition import Group
from metaeval.consistency.answer import Answer, CircleLink, Order
from metaeval.consistency.beyond import cases_beyond, complete_beyond
from metaeval.consistency.graph import TOP, CaseGraph, Link, Listen, chosen, complete_lists, growing_graph, path_to
from metaeval.consistency.linear import contradiction
from metaeval.consistency.witness import witness
from metaeval.core.errors import InputError
from metaeval.core.renaming import renaming


def smallest_impossible(graph: CaseGraph, conditions: Sequence[str]) -> tuple[str, ...] | None:
    """The fewest of these conditions whose arrows contradict each other, or None if there is no circle."""
    if not _in_circles(graph, conditions):
        return None
    subsets = (some for number in range(1, len(conditions) + 1) for some in combinations(conditions, number))
    return next(some for some in subsets if _in_circles(graph, some))


def contradicts(graph: CaseGraph, conditions: Collection[str]) -> bool:
    """Whether the graph shows that these conditions contradict each other."""
    return bool(_in_circles(graph, conditions)) or contradiction(graph, conditions) is not None


def shortest_circle(graph: CaseGraph, conditions: Collection[str]) -> list[Link]:
    """The fewest links from a node back to it, one strict; of equally few, one whose strict case is smallest."""
    links = graph.links(conditions)
    closing = sorted(_in_circles(graph, conditions), key=lambda link: link.case.size)
    matrix = adjacency(links, graph.size)
    before = {upper: breadth_first_order(matrix, upper)[1] for upper in {link.upper for link in closing}}
    # From the upper end of each strict link back to its lower end.
    paths = ((link, path_to(link.lower, before[link.upper])) for link in closing)
    first, path = min(paths, key=lambda found: len(found[1]))
    smallest: dict[tuple[int, int], Link] = {}
    for link in sorted(links, key=lambda link: link.case.size):
        smallest.setdefault((link.lower, link.upper), link)
    return [first, *(smallest[step] for step in pairwise(path))]


def _in_circles(graph: CaseGraph, conditions: Collection[str]) -> list[Link]:
    """The strict links between nodes that can be reached from each other."""
    links = graph.links(conditions)
    component = components(links, graph.size)
    return [link for link in links if link.arrow.strict and component[link.lower] == component[link.upper]]


def components(links: Sequence[Link], size: int) -> Sequence[int]:
    """The number of the strong component of each node."""
    found: Sequence[int] = connected_components(adjacency(links, size), directed=True, connection="strong")[1]
    return found


def adjacency(links: Sequence[Link], size: int) -> csr_matrix:
    """The links as a sparse matrix, from the lower to the upper."""
    ends = np.array([(link.lower, link.upper) for link in links], dtype=np.int32).reshape(-1, 2)
    return csr_matrix((np.ones(len(ends), dtype=np.int8), (ends[:, 0], ends[:, 1])), shape=(size, size))


def order_of(graph: CaseGraph, conditions: Sequence[str]) -> Order:
    """An order of a scope's sides along the arrows of conditions that do not contradict each other."""
    links = graph.links(conditions)
    component = components(links, graph.size)
    below: dict[int, set[int]] = defaultdict(set)
    for link in links:
        if component[link.lower] != component[link.upper]:
            below[component[link.upper]].add(component[link.lower])
    # Below the optimum is everything that need not be above it.
    reached = breadth_first_order(adjacency(links, graph.size), TOP, return_predecessors=False)
    below[component[TOP]] |= {*component} - {component[node] for node in reached}
    # Ranks from 1 up, each as low as possible.
    sorter = TopologicalSorter(below)
    sorter.prepare()
    rank: dict[int, int] = {}
    for level in count(1):
        if not sorter.is_active():
            break
        ready = sorter.get_ready()
        rank.update(dict.fromkeys(ready, level))
        sorter.done(*ready)
    ranked = [(side, rank[component[node]]) for node, side in enumerate(graph.sides) if side is not None]
    sides, ranks = tuple(side for side, _ in ranked), tuple(rank for _, rank in ranked)
    return Order(sides, ranks, optimum=rank[component[TOP]])


#: Cases are listed up to this number of objects by default.
OBJECTS = 6
#: With more objects there are too many partitions to list.
MOST_OBJECTS = 10


def consistency(
    conditions: Iterable[str] | None = None,
    readings: Iterable[str] | Mapping[str, str] | str | None = None,
    objects: int = OBJECTS,
    *,
    listen: Listen = lambda under_way: None,
) -> Answer:
    """Whether any measure that is blind to names can satisfy conditions together.

    ``conditions`` are ids, by default the paper's ten. ``readings`` is the name of a reading for all of them, words
    such as "A.1=literal" for one each, or a mapping; by default canonical. All cases with at most ``objects`` objects
    are tried, if they can be listed. ``listen`` is called with what comes next.

    The answer is "impossible", with a certificate; "possible", with a registered measure that is proved under all of
    them; or "open" up to that number of objects.

    >>> import metaeval
    >>> answer = metaeval.consistency(["A.1", "A.2"], objects=4)
    >>> answer.answer, answer.witness
    ('possible', 'rand')
    """
    return decide(chosen(conditions, readings), objects, listen)


def decide(groups: Sequence[Group], objects: int = OBJECTS, listen: Listen = lambda under_way: None) -> Answer:
    """The answer for conditions under readings that need not be registered."""
    if isinstance(objects, bool) or not isinstance(objects, int) or not 1 <= objects <= MOST_OBJECTS:
        raise InputError(f"objects is {objects!r}; expected a whole number from 1 to {MOST_OBJECTS}")
    ids = [group.condition.id for group in groups]
    for graph in growing_graph(groups, objects, listen):
        if (refuted := _refutation(groups, graph)) is not None:
            return refuted
    complete = tuple(complete_lists(graph.listed))
    answer = Answer(objects, dict(group.id for group in groups), graph.listed, graph.size - 1, complete=complete)
    listen("looking for a measure that is proved under all of them")
    if (known := witness(groups)) is not None:
        return replace(answer, witness=known)
    order = None if graph.sums(ids) else order_of(graph, ids)
    for portion in cases_beyond(groups, listen):
        for demand in portion:
            graph.add_case(*demand)
        if portion and (refuted := _refutation(groups, graph)) is not None:
            return refuted
    return replace(answer, order=order, complete=(*complete, *complete_beyond(groups)))


def _refutation(groups: Sequence[Group], graph: CaseGraph) -> Answer | None:
    """The answer that conditions contradict each other, with a certificate; None if the graph does not show it."""
    ids = [group.condition.id for group in groups]
    answer = Answer(graph.objects, dict(group.id for group in groups), graph.listed, graph.size - 1)
    if (minimal := smallest_impossible(graph, ids)) is not None:
        answer = replace(answer, circle=_circle(shortest_circle(graph, minimal)), minimal=minimal)
    else:
        multiples = contradiction(graph, ids) or []
        # None of the conditions can be left out.
        for id in sorted({one.condition for one in multiples}):
            multiples = contradiction(graph, {one.condition for one in multiples} - {id}) or multiples
        if not multiples:
            return None
        used = {one.condition for one in multiples}
        answer = replace(answer, farkas=(*multiples,), minimal=tuple(id for id in ids if id in used))
    return replace(answer, objects=max(graph.objects, *(one.case.objects for one in answer.certificate)))


def _circle(links: Sequence[Link]) -> tuple[CircleLink, ...]:
    circle = [CircleLink(*link.group.id, link.case, link.arrow, None) for link in links]
    return tuple(
        one._replace(renaming=renaming(one.upper, following.lower) if one.upper and following.lower else None)
        for one, following in zip(circle, [*circle[1:], circle[0]], strict=True)
    )
