"""Grouping: which sets hold an element, which objects are alike, and what is connected."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from metaeval.core.case import Case

_T = TypeVar("_T", bound=Hashable)


def holders(sets: Iterable[Iterable[_T]]) -> dict[_T, tuple[int, ...]]:
    """For each element the numbers of the sets that hold it. Elements in no set are left out."""
    found: dict[_T, list[int]] = {}
    for number, members in enumerate(sets):
        for element in members:
            found.setdefault(element, []).append(number)
    return {element: tuple(numbers) for element, numbers in found.items()}


def grouped(items: Iterable[_T], key: Callable[[_T], Hashable]) -> list[list[_T]]:
    """Lists of the items that share a key. Lists and items keep their order.

    >>> grouped(["one", "three", "two"], len)
    [['one', 'two'], ['three']]
    """
    groups: dict[Hashable, list[_T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())


def masks(sets: Iterable[Iterable[int]], count: int) -> list[int]:
    """For each of ``count`` elements the sets that hold it, numbered in their order, as a bitmask."""
    found = [0] * count
    for number, members in enumerate(sets):
        bit = 1 << number
        for element in members:
            found[element] |= bit
    return found


def memberships(case: Case) -> list[tuple[tuple[int, ...], ...]]:
    """For each object and each family the numbers of the biclusters that hold the object."""
    held = [holders(rows for rows, _ in family) for family in case.families]
    return [tuple([family.get(row, ()) for family in held]) for row in range(case.objects)]


def like_objects(case: Case) -> list[list[int]]:
    """The objects in groups: those of one group are in the same biclusters of all families."""
    held = masks((rows for family in case.families for rows, _ in family), case.objects)
    return grouped(range(case.objects), held.__getitem__)


def connected(nodes: Iterable[_T], links: Iterable[Iterable[_T]]) -> list[list[_T]]:
    """The nodes in connected parts: the nodes of one link belong together. Parts and nodes keep their order.

    >>> connected(range(5), [(1, 3), (3, 4)])
    [[0], [1, 3, 4], [2]]
    """
    parent = {node: node for node in nodes}

    def root(node: _T) -> _T:
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for link in links:
        first, *others = map(root, link)
        for other in others:
            parent[root(other)] = root(first)
    return grouped(parent, root)
