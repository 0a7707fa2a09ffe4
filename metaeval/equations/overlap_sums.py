"""Sums over cells and over pairs of cells under overlap, on arrays: those that the registered measures are made of.

A cell counts by its own view, or by a mean over its mates as BCubed and MOCICE have it. A pair of cells counts by the
numbers of clusters and classes that hold both, its *depths*. :mod:`metaeval.kernel.pair_sums` adds up what vanishes
where either depth is 0; what is left may tell whether one side holds both, and no more. Other sums have no form here.
"""

from fractions import Fraction
from functools import cache, lru_cache, reduce
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from metaeval.equations import rounded as r
from metaeval.equations.array_score import Arrays, Entries, NoForm
from metaeval.equations.rounded import Rounded
from metaeval.equations.source_text import JACCARD, KNOWN_MEANS, mean_over_mates
from metaeval.equations.tree import ONE, Expression, cells, over
from metaeval.kernel.pair_sums import PairTerm, Rate, pair_sums

_AT_ATOMS = Entries(in_view=True, atoms=True)


class _Sum(NamedTuple):
    """A closed sum: what is known of it, and a sum over pairs that is yet to be taken and added, with its own error.

    Pairs count by Φ with ``identity``. Times ``over``, if not 0, the sum is a whole number.
    """

    known: Rounded
    term: PairTerm | None = None
    error: float = 0.0
    identity: bool = False
    over: int = 0


def overlap_sums(arrays: Arrays) -> dict[Expression, Rounded]:
    """All sums over cells and pairs of cells of an expression at once: those that need the same pairs share them."""
    closed = [x for x in arrays.expression.walk() if x.op in ("cells", "pairs") and x not in arrays.o._values]
    wanted = [x for x in dict.fromkeys(y for x in closed for y in summands(x)) if x not in arrays.o._values]
    sums = {e: (_cells if e.op == "cells" else _pairs)(arrays, e.args[0]) for e in wanted}
    found = {e: one.known for e, one in sums.items()}
    for identity in (False, True):
        asked = {e: one.term for e, one in sums.items() if one.term and one.identity == identity}
        similarity = arrays.table(JACCARD).value if identity and asked else None
        answers = pair_sums(arrays.o.table, list(asked.values()), similarity) if asked else []
        for e, (value, error) in zip(asked, answers, strict=True):
            # Without an error, no pair counts.
            found[e] = r.plus(found[e], Rounded(np.float64(value), error and error + sums[e].error))
    return {e: _settled(found[e], one.over) for e, one in sums.items()}


def summands(e: Expression) -> list[Expression]:
    """Sums over cells of which one is made: other measures may have asked for them."""
    if e.op == "cells" and e.args[0].op == "+":
        return [y for x in e.args[0].args for y in summands(cells(x))]
    return [e]


def _settled(found: Rounded, parts: int) -> Rounded:
    if parts and found.error * parts < 1 / 4:
        # Only one whole number is near.
        whole = r.counted(np.rint(found.value * parts))
        return r.divided(whole, r.constant(parts)) if parts > 1 else whole
    return found


def _cells(arrays: Arrays, v: Expression) -> _Sum:
    weights, mean = r.counted(arrays.o.table.weights), mean_over_mates(v)
    if mean is None or mean not in KNOWN_MEANS:
        share = r.times(weights, arrays.value(v, _AT_ATOMS))
        return _Sum(r.total(share, len(weights.value)))
    side, identity = KNOWN_MEANS[mean]
    share, reach = r.times(weights, arrays.value(over(1, *v.args[1:]), _AT_ATOMS)), arrays.reach(side)
    # No pair counts for more than 1, and so the errors of the shares do not, either.
    error = float(np.sum(share.error * reach))
    return _Sum(r.constant(0), PairTerm(_MEANS[side], share.value, float(share.value @ reach)), error, identity)


#: What a pair with so many clusters and classes counts in a mean over mates, and over classmates, for each cluster.
_MEANS = cache(lambda g, c: Fraction(min(g, c), g * g)), cache(lambda g, c: Fraction(min(g, c), g * c))


def _pairs(arrays: Arrays, v: Expression) -> _Sum:
    """Unordered pairs of different cells: half of the ordered ones without the cells by themselves."""
    table, union = arrays.o.table, arrays.o.union
    weights, depths = r.counted(table.weights), [side.depths for side in table.sides]
    grid = _grid(v / 2, *(int(some.max(initial=0)) for some in depths))
    values = np.array([[float(x) for x in line] for line in grid])
    own = Rounded(values[depths[0], depths[1]], 2.0**-52 * np.abs(values).max())
    alone = r.total(r.times(weights, own), len(weights.value))
    known = r.plus(r.constant(union * union * grid[0][0]), r.times(r.constant(-1), alone))
    for side, line in enumerate(([line[0] for line in grid], grid[0])):
        if len({*line[1:]}) > 1:
            raise NoForm
        if line[-1] != line[0]:
            # With how many cells each shares something on this side.
            inside = r.counted(np.where(depths[side] > 0, arrays.reach(side), 0))
            near = r.total(r.times(weights, inside), len(weights.value))
            known = r.plus(known, r.times(near, r.constant(line[-1] - line[0])))
    both = [abs(x - line[0] - y + grid[0][0]) for line in grid for x, y in zip(line, grid[0], strict=True)]
    parts = lcm(*((2 * x).denominator for line in grid for x in line))
    if not any(both):
        return _Sum(known, over=parts)
    error = float(np.sum(weights.error)) * union * float(max(both))
    return _Sum(known, PairTerm(_rate(v / 2), weights.value, float(union) ** 2), error, over=parts)


@lru_cache(maxsize=1 << 10)
def _grid(v: Expression, clusters: int, classes: int) -> tuple[tuple[Fraction, ...], ...]:
    """The value of a pair by its depths, up to the largest there are."""
    return tuple(tuple(_at_depths(v, g, c) for c in range(classes + 1)) for g in range(clusters + 1))


@lru_cache(maxsize=1 << 10)
def _rate(v: Expression) -> Rate:
    """What a pair counts beyond what either side alone makes of it, for each of its clusters."""

    @cache
    def rate(g: int, c: int) -> Fraction:
        return (_at_depths(v, g, c) - _at_depths(v, g, 0) - _at_depths(v, 0, c) + _at_depths(v, 0, 0)) / g

    return rate


@lru_cache(maxsize=1 << 14)
def _at_depths(e: Expression, g: int, c: int) -> Fraction:
    """A value in the view of so many clusters and classes."""
    if e.op == "number":
        return e.value
    if e.op in ("in_cluster", "in_class"):
        return Fraction(int((g, c)[e.op == "in_class"] > 0))
    if e.op in ("clusters", "classes") and e.args[0] == ONE:
        return Fraction((g, c)[e.op == "classes"])
    if e.op not in _RATIONAL:
        raise NoForm
    return Fraction(_RATIONAL[e.op](*[_at_depths(x, g, c) for x in e.args]))


_RATIONAL: dict[str, Any] = {
    "+": lambda *some: sum(some), "*": lambda *some: reduce(lambda a, b: a * b, some), "^": lambda a, k: a ** int(k),
    "/": lambda a, b: a / b, "over": lambda a, b, v: a / b if b else v, "least": min, "largest": max,
}  # fmt: skip
