"""Sums over cells and over pairs of cells under overlap, on arrays.

A pair of cells counts by the numbers of clusters and classes that hold both, its *depths*, and perhaps by how like
these clusters are to the best of these classes. :mod:`metaeval.kernel.pair_sums` adds up what vanishes where either
depth is 0; the rest depends on one side, or on none, and is taken apart from it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache, reduce
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from metaeval.equations import rounded as r
from metaeval.equations.array_score import Entries, NoForm
from metaeval.equations.rounded import Rounded
from metaeval.equations.tree import ONE, ZERO, Expression, cells, over
from metaeval.kernel.large_overlay import AtomTable, Signatures
from metaeval.kernel.pair_sums import PairTerm, Rate, pair_sums

if TYPE_CHECKING:
    from metaeval.equations.array_score import Arrays

_MATES = ("mates", "classmates")
_AT_ATOMS = Entries(in_view=True, atoms=True)
#: Which pairs count: all, or those that share a cluster (0), or those that share a class (1).
Among = int | None
Chosen = Callable[[Expression], bool]


class _Request(NamedTuple):
    """A sum that is yet to be taken: which atoms and similarities it needs, and its term."""

    like: Expression | int | None
    term: PairTerm
    error: float


class _Sum(NamedTuple):
    """A closed sum: what is known of it, the requests that are added; times ``over``, if not 0, it is whole."""

    known: Rounded
    requests: list[_Request]
    over: int = 0


def overlap_sums(arrays: Arrays) -> dict[Expression, Rounded]:
    """All sums over cells and pairs of cells of an expression at once: those that need the same pairs share them."""
    closed = [x for x in arrays.expression.walk() if x.op in ("cells", "pairs") and x not in arrays.o._values]
    wanted = [x for x in dict.fromkeys(y for x in closed for y in summands(x)) if x not in arrays.o._values]
    sums = {e: (_cells if e.op == "cells" else _pairs)(arrays, e.args[0]) for e in wanted}
    requests = [request for one in sums.values() for request in one.requests]
    answers: dict[int, Rounded] = {}
    for like in dict.fromkeys(request.like for request in requests):
        some = [request for request in requests if request.like == like]
        table, similarity = _asked(arrays, like)
        peak = 1.0 if similarity is None else float(similarity.max(initial=0.0))
        found = pair_sums(table, [request.term for request in some], similarity)
        for request, (value, error) in zip(some, found, strict=True):
            # Without an error, no pair counts.
            answers[id(request)] = Rounded(np.float64(value), error and error + request.error * peak)
    return {e: _settled(one, [answers[id(request)] for request in one.requests]) for e, one in sums.items()}


def summands(e: Expression) -> list[Expression]:
    """Sums over cells of which one is made: other measures may have asked for them."""
    if e.op == "cells" and e.args[0].op == "+":
        return [y for x in e.args[0].args for y in summands(cells(x))]
    return [e]


def _settled(one: _Sum, parts: list[Rounded]) -> Rounded:
    found = reduce(r.plus, parts, one.known)
    if one.over and found.error * one.over < 1 / 4:
        # Only one whole number is near.
        whole = r.counted(np.rint(found.value * one.over))
        return r.divided(whole, r.constant(one.over)) if one.over > 1 else whole
    return found


def _asked(arrays: Arrays, like: Expression | int | None) -> tuple[AtomTable, Any]:
    """The atoms, and how like each cluster is to each class. A number stands for one side alone."""
    candidate, gold, weights = arrays.o.table
    if isinstance(like, int):
        side = (candidate, gold)[like]
        everywhere = Signatures(np.ones((1, 1), dtype=np.uint8), np.zeros(len(side.table), dtype=np.int64))
        alike = Signatures(side.table, np.arange(len(side.table)))
        return AtomTable(alike, everywhere, _by_signature(side, weights)), None
    if like is None:
        return arrays.o.table, None
    likeness = arrays.table(like.args[0].args[0]).value
    if like.op == "classes":
        return AtomTable(gold, candidate, weights), likeness.T
    return arrays.o.table, likeness


def _by_signature(side: Signatures, amounts: Any) -> Any:
    return np.bincount(side.kinds, amounts, len(side.table))


# --- Cells ---------------------------------------------------------------------------------------------------


def _cells(arrays: Arrays, v: Expression) -> _Sum:
    weights = r.counted(arrays.o.table.weights)
    known, requests = r.constant(0), list[_Request]()
    for factor, mates in _linear(v, _sums_over_mates):
        share = r.times(weights, arrays.value(factor, _AT_ATOMS))
        share = Rounded(np.broadcast_to(share.value, weights.value.shape), share.error, share.whole)
        if mates is None:
            known = r.plus(known, r.total(share, len(weights.value)))
            continue
        side = _MATES.index(mates.op)
        found = _over_pairs(arrays, mates.args[0], share, side, arrays.reach(side))
        known, requests = r.plus(known, found.known), requests + found.requests
    return _Sum(known, requests)


def _sums_over_mates(e: Expression) -> bool:
    return e.op in _MATES and e.args[0] != ONE


def _best_likeness(e: Expression) -> bool:
    return e.op in ("clusters", "classes") and e.args[0].op == "best"


@lru_cache(maxsize=1 << 10)
def _linear(e: Expression, chosen: Chosen) -> tuple[tuple[Expression, Expression | None], ...]:
    """Products of which e is the sum: a factor without any chosen node, and at most one chosen node."""
    if chosen(e):
        return ((ONE, e),)
    holders = [x for x in e.args if any(map(chosen, x.walk()))]
    if not holders:
        return ((e, None),)
    if e.op == "+":
        return tuple(product for x in e.args for product in _linear(x, chosen))
    if e.op == "*" and len(holders) == 1:
        others = [x for x in e.args if x is not holders[0]]
        return tuple((Expression("*", factor, *others), node) for factor, node in _linear(holders[0], chosen))
    if (e.op == "/" or (e.op == "over" and e.args[2] == ZERO)) and holders == [e.args[0]]:
        # a / b, or 0 where b is 0, is a times 1 / b, or 0.
        inverse = over(1, e.args[1], 0) if e.op == "over" else 1 / e.args[1]
        return tuple((factor * inverse, node) for factor, node in _linear(e.args[0], chosen))
    raise NoForm


# --- Pairs of cells ------------------------------------------------------------------------------------------


def _pairs(arrays: Arrays, v: Expression) -> _Sum:
    """Unordered pairs of different cells: half of the ordered ones without the cells by themselves."""
    candidate, gold, weights = arrays.o.table
    ordered = _over_pairs(arrays, v / 2, r.counted(weights), None, np.full(len(weights), float(arrays.o.union)))
    grid = np.array([[float(x) for x in line] for line in _grid(v / 2, None, _deepest(arrays))])
    alone = r.total(r.times(r.counted(weights), Rounded(grid[candidate.depths, gold.depths], 2.0**-52)), len(weights))
    parts = lcm(*(x.denominator for line in _grid(v, None, _deepest(arrays)) for x in line))
    return _Sum(r.plus(ordered.known, r.times(r.constant(-1), alone)), ordered.requests, parts)


def _over_pairs(arrays: Arrays, v: Expression, share: Rounded, among: Among, reach: Any) -> _Sum:
    """Σ share(x) · v over the ordered pairs (x, y) of cells among these, each x with at most so many y."""
    size, error = np.abs(share.value) @ reach, float(np.sum(share.error * reach))
    known, requests, deepest = r.constant(0), list[_Request](), _deepest(arrays)
    for factor, like in _linear(v, _best_likeness):
        if like is not None:
            rate = _rate(factor, None, like.op)
            peak = _peak(rate, deepest if like.op == "clusters" else deepest[::-1])
            requests.append(_Request(like, PairTerm(rate, share.value, float(size)), error * peak))
            continue
        grid = _grid(factor, among, deepest)
        if grid[0][0]:
            everyone = r.times(r.total(share, len(reach)), r.constant(arrays.o.union))
            known = r.plus(known, r.times(everyone, r.constant(grid[0][0])))
        for side, line in enumerate(([line[0] for line in grid], grid[0])):
            if len({*line[1:]} - {line[0]}) == 1 == len({*line[1:]}):
                # It counts only whether the two share anything, and so with how many cells each shares something.
                inside = np.where(arrays.o.table.sides[side].depths > 0, arrays.reach(side), 0)
                near = r.total(r.times(share, r.counted(inside)), len(reach))
                known = r.plus(known, r.times(near, r.constant(line[1] - line[0])))
            elif any(x != line[0] for x in line):
                rate = _rate(factor, among, ("clusters alone", "classes alone")[side])
                peak = _peak(rate, (deepest[side], 1))
                alike = _by_signature(arrays.o.table.sides[side], share.value)
                requests.append(_Request(side, PairTerm(rate, alike, float(size)), error * peak))
        if any(x - line[0] - y + grid[0][0] for line in grid for x, y in zip(line, grid[0], strict=True)):
            rate = _rate(factor, among, "both")
            requests.append(_Request(None, PairTerm(rate, share.value, float(size)), error * _peak(rate, deepest)))
    return _Sum(known, requests)


def _deepest(arrays: Arrays) -> tuple[int, int]:
    candidate, gold = (int(side.table.sum(axis=1).max(initial=0)) for side in arrays.o.table.sides)
    return candidate, gold


@lru_cache(maxsize=1 << 10)
def _peak(rate: Rate, deepest: tuple[int, int]) -> float:
    """The largest that a rate counts for a pair."""
    first, second = (range(1, depth + 1) for depth in deepest)
    return max((float(abs(rate(g, c))) * g for g in first for c in second), default=0.0)


@lru_cache(maxsize=1 << 10)
def _grid(v: Expression, among: Among, deepest: tuple[int, int]) -> tuple[tuple[Fraction, ...], ...]:
    """The value of a pair by its depths."""
    first, second = (range(depth + 1) for depth in deepest)
    return tuple(tuple(_at_depths(v, among, g, c) for c in second) for g in first)


@lru_cache(maxsize=1 << 10)
def _rate(v: Expression, among: Among, part: str) -> Rate:
    """What a pair counts for each of its clusters; the first number is of classes where those have best clusters."""

    @cache
    def rate(g: int, c: int) -> Fraction:
        if part == "clusters":
            return _at_depths(v, None, g, c)
        if part == "classes":
            return _at_depths(v, None, c, g)
        nothing = _at_depths(v, among, 0, 0)
        if part == "clusters alone":
            return (_at_depths(v, among, g, 0) - nothing) / g
        if part == "classes alone":
            return (_at_depths(v, among, 0, g) - nothing) / g
        alone = _at_depths(v, among, g, 0) + _at_depths(v, among, 0, c)
        return (_at_depths(v, among, g, c) - alone + nothing) / g

    return rate


@lru_cache(maxsize=1 << 14)
def _at_depths(e: Expression, among: Among, g: int, c: int) -> Fraction:
    """A value in the view of so many clusters and classes; 0 where the pair is not among those that count."""
    if among is not None and not (g, c)[among]:
        return Fraction(0)
    if e.op == "number":
        return e.value
    if e.op in ("in_cluster", "in_class"):
        return Fraction(int((g, c)[e.op == "in_class"] > 0))
    if e.op in ("clusters", "classes") and e.args[0] == ONE:
        return Fraction((g, c)[e.op == "classes"])
    if e.op not in _RATIONAL:
        raise NoForm
    return Fraction(_RATIONAL[e.op](*[_at_depths(x, None, g, c) for x in e.args]))


_RATIONAL: dict[str, Any] = {
    "+": lambda *some: sum(some), "*": lambda *some: reduce(lambda a, b: a * b, some), "^": lambda a, k: a ** int(k),
    "/": lambda a, b: a / b, "over": lambda a, b, v: a / b if b else v, "least": min, "largest": max,
}  # fmt: skip
