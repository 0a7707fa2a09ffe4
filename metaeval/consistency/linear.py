"""Contradictions that are no circles: multiples of demands that add up to 0 > 0, found by a linear program.

A relation between more than two scores is linear in them. The unknowns of the program are the multiples of the demands.
They are rounded to integers and checked in exact arithmetic, so nothing rests on the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order

from metaeval.consistency.answer import Multiple
from metaeval.consistency.graph import TOP, Arrow, CaseGraph, Link, Sum, path_to
from metaeval.core.case import Case

#: Denominators of the multiples up to this are tried.
_MOST_DENOMINATOR = 720
_NEAR = 1e-6


class _Row(NamedTuple):
    """Terms that must not be negative, positive if ``strict``; the links that lead there, or the sum and its sign."""

    terms: dict[int, Fraction]
    strict: bool
    links: Sequence[Link] = ()
    sum: Sum | None = None
    sign: int = 1


def contradiction(graph: CaseGraph, conditions: Collection[str]) -> list[Multiple] | None:
    """Demands whose multiples add up to 0 > 0, or None if none are found. No circle may be among the arrows."""
    if not (sums := graph.sums(conditions)):
        return None
    rows = list(_rows(graph, graph.links(conditions), sums))
    if (times := _multipliers(rows)) is None:
        return None
    demands: Counter[tuple[str, str, Case, Arrow | None]] = Counter()
    for row, number in zip(rows, times, strict=True):
        for link in row.links:
            demands[*link.group.id, link.case, link.arrow] += number
        if row.sum is not None:
            demands[*row.sum.group.id, row.sum.case, None] += row.sign * number
    return [Multiple(*demand, number) for demand, number in demands.items() if number]


def _rows(graph: CaseGraph, links: Sequence[Link], sums: Sequence[Sum]) -> Iterator[_Row]:
    """The sums, and what chains of arrows demand between the nodes that occur in sums."""
    for one in sums:
        for sign in (1, -1) if one.equal else (1,):
            yield _Row({node: sign * times for node, times in one.terms}, strict=False, sum=one, sign=sign)
    touched = sorted({TOP, *(node for one in sums for node, _ in one.terms)})
    for lower, upper, path in _chains(graph.size, links, touched):
        yield _Row({lower: Fraction(-1), upper: Fraction(1)}, any(link.arrow.strict for link in path), path)


def _chains(size: int, links: Sequence[Link], touched: Sequence[int]) -> Iterator[tuple[int, int, list[Link]]]:
    """For every two of the nodes that are connected, a shortest chain of arrows; if there is one, a strict chain.

    Each node stands twice in the matrix: as reached by arrows that are not strict, and by a chain with a strict one.
    """
    best: dict[tuple[int, int], Link] = {}
    for link in links:
        for strict in (False, True):
            best.setdefault((link.lower + size * strict, link.upper + size * (strict or link.arrow.strict)), link)
    pairs = np.array([*best], dtype=np.int32).reshape(-1, 2)
    matrix = csr_matrix((np.ones(len(pairs), dtype=np.int8), (pairs[:, 0], pairs[:, 1])), shape=(2 * size, 2 * size))
    for lower in touched:
        before = breadth_first_order(matrix, lower)[1]
        for upper in touched:
            end = next((node for node in (upper + size, upper) if before[node] >= 0), None)
            if upper != lower and end is not None:
                yield lower, upper, [best[step] for step in pairwise(path_to(end, before))]


def _multipliers(rows: Sequence[_Row]) -> list[int] | None:
    """Multiples of the rows, one strict row among them, that add up to nothing; None if none are found exactly."""
    from scipy.optimize import linprog  # loaded here: nothing else needs it

    nodes = {node: place for place, node in enumerate(sorted({node for row in rows for node in row.terms}))}
    matrix = np.zeros((len(nodes) + 1, len(rows)))
    for place, row in enumerate(rows):
        for node, times in row.terms.items():
            matrix[nodes[node], place] = float(times)
        matrix[-1, place] = row.strict
    found = linprog(np.ones(len(rows)), A_eq=matrix, b_eq=[*[0] * len(nodes), 1], method="highs")
    return None if found.x is None else _rounded(rows, found.x)


def _rounded(rows: Sequence[_Row], values: np.ndarray) -> list[int] | None:
    """The values as integers, if multiples of them add up to nothing exactly."""
    exact = [Fraction(value).limit_denominator(_MOST_DENOMINATOR) for value in values.tolist()]
    if any(abs(float(one) - value) > _NEAR for one, value in zip(exact, values, strict=True)):
        return None
    scale = lcm(*(one.denominator for one in exact))
    times = [max(0, int(one * scale)) for one in exact]
    total: Counter[int] = Counter()
    for row, number in zip(rows, times, strict=True):
        for node, one in row.terms.items():
            total[node] += one * number  # type: ignore[assignment]
    return None if any(total.values()) or not any(map(int.__mul__, times, (row.strict for row in rows))) else times
