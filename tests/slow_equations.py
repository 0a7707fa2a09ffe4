"""The equation language, read straight from its definition: cell by cell, and as slow as that is. Random trees of it.

Nothing here is taken from the product but the tree and its operators. Rational trees have exact values, others floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from metaeval import Biclustering, InputError
from metaeval.equations.tree import number

from metaeval.equations import (  # isort: skip
    Equation, Expression, arccos, best, c, cells, classes, classmates, clusters, exp, f1, g, in_class, in_cluster,
    largest, least, log, matching, mates, matrix, meetings, n, over, pairs, share, sqrt,
)  # fmt: skip

Cell = tuple[int, int]
Cells = frozenset[Cell]
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt, "log": math.log, "exp": lambda x: math.exp(x) if x < 709 else math.inf,
    "arccos": lambda x: math.acos(max(-1.0, min(1.0, x))) / math.pi,
}  # fmt: skip


@dataclass(frozen=True)
class Scope:
    """What is in view, and the cluster, the class, the cell that sums outside have chosen; whose sum is innermost."""

    clusters: tuple[Cells, ...]
    classes: tuple[Cells, ...]
    cluster: Cells = frozenset()
    of_class: Cells = frozenset()
    cell: Cell = (-1, -1)
    over: str = ""

    def of(self, *some: Cell) -> Scope:
        """With those in view that hold all of these cells."""
        here = ([x for x in side if x.issuperset(some)] for side in (self.clusters, self.classes))
        return replace(self, **dict(zip(("clusters", "classes"), map(tuple, here), strict=True)))


class Slow:
    """The values of expressions on one pair."""

    def __init__(self, candidate: Biclustering, gold: Biclustering, in_objects: bool) -> None:
        sides = []
        for side in (candidate, gold):
            families = [(rows, frozenset({0}) if in_objects else cols) for rows, cols in side]
            sides.append(tuple(frozenset((row, col) for row in rows for col in cols) for rows, cols in families))
        self.top = Scope(*sides)
        self.union = sorted(frozenset().union(*sides[0], *sides[1]))
        self.matrix = candidate.shape[0] * (1 if in_objects else candidate.shape[1])

    def value(self, e: Expression, at: Scope) -> Any:
        if e.op == "number":
            return e.value
        if hasattr(self, f"_{e.op}"):
            return getattr(self, f"_{e.op}")(e.args[0] if len(e.args) == 1 else e.args, at)
        if e.op[0] in "ngc" and e.op.partition(".")[0] in ("n", "g", "c"):
            return Fraction(self._size(e.op, at))
        xs = [self.value(x, at) for x in e.args]
        if e.op in _FUNCTIONS:
            return _FUNCTIONS[e.op](float(xs[0]))
        return {"+": sum, "*": math.prod, "least": min, "largest": max, "/": _divided, "^": _power}[e.op](xs)

    def _size(self, name: str, at: Scope) -> int:
        which, _, lines = name.partition(".")
        own = {"g": at.cluster, "c": at.of_class, "n": at.cluster & at.of_class}[which]
        if not lines:
            return len(own)
        axis = 0 if lines == "rows" else 1
        if which != "n":
            return len({cell[axis] for cell in own})
        return len({cell[axis] for cell in at.cluster} & {cell[axis] for cell in at.of_class})

    def _matrix(self, _: Any, at: Scope) -> Fraction:
        return Fraction(self.matrix)

    def _in_cluster(self, _: Any, at: Scope) -> Fraction:
        return Fraction(bool(at.clusters))

    def _in_class(self, _: Any, at: Scope) -> Fraction:
        return Fraction(bool(at.classes))

    def _over(self, args: Any, at: Scope) -> Any:
        above, below = (self.value(x, at) for x in args[:2])
        # The language promises that b = 0 forces a = 0.
        assert below != 0 or abs(above) < 1e-9
        return self.value(args[2], at) if below == 0 else _divided([above, below])

    def _clusters(self, t: Expression, at: Scope) -> Any:
        return sum(self.value(t, replace(at, cluster=x, over="clusters")) for x in at.clusters)

    def _classes(self, t: Expression, at: Scope) -> Any:
        return sum(self.value(t, replace(at, of_class=x, over="classes")) for x in at.classes)

    def _best(self, t: Expression, at: Scope) -> Any:
        if at.over == "clusters":
            partners = [replace(at, of_class=x) for x in at.classes]
        else:
            partners = [replace(at, cluster=x) for x in at.clusters]
        return max([Fraction(0), *(self.value(t, one) for one in partners)])

    def _meetings(self, t: Expression, at: Scope) -> Any:
        found = ((x, y) for x in self.top.clusters for y in self.top.classes if x & y)
        return sum(self.value(t, replace(self.top, cluster=x, of_class=y)) for x, y in found)

    def _matching(self, t: Expression, at: Scope) -> Any:
        def most(left: tuple[Cells, ...], right: tuple[Cells, ...]) -> Any:
            """The first cluster stays alone, or goes with one of the classes that are left."""
            if not left:
                return Fraction(0)
            ways = [most(left[1:], right)]
            for k, y in enumerate(right):
                here = self.value(t, replace(self.top, cluster=left[0], of_class=y))
                ways.append(here + most(left[1:], right[:k] + right[k + 1 :]))
            return max(ways)

        return most(self.top.clusters, self.top.classes)

    def _cells(self, v: Expression, at: Scope) -> Any:
        return sum(self.value(v, replace(self.top.of(x), cell=x)) for x in self.union)

    def _pairs(self, v: Expression, at: Scope) -> Any:
        return sum(self.value(v, self.top.of(*two)) for two in combinations(self.union, 2))

    def _mates(self, v: Expression, at: Scope) -> Any:
        together = frozenset().union(*at.clusters)
        return sum(self.value(v, self.top.of(at.cell, y)) for y in together)

    def _classmates(self, v: Expression, at: Scope) -> Any:
        together = frozenset().union(*at.classes)
        return sum(self.value(v, self.top.of(at.cell, y)) for y in together)


def _divided(xs: Any) -> Any:
    return xs[0] / xs[1] if isinstance(xs[0], float) or isinstance(xs[1], float) else Fraction(xs[0]) / xs[1]


def _power(xs: Any) -> Any:
    return xs[0] ** int(xs[1])


def slow_score(equation: Equation, candidate: Biclustering, gold: Biclustering) -> Any:
    """The score by definition."""
    if not candidate and not gold:
        return equation.empty
    if equation.one_empty is not None and not (candidate and gold):
        return equation.one_empty
    slow = Slow(candidate, gold, equation.unit == "objects")
    return slow.value(equation.expression, slow.top)


# --- random equations and pairs
class Trees:
    """Draws equations that the constructor accepts; divisors are often what is nearly sure to be positive."""

    def __init__(self, seed: object) -> None:
        self.random = Random(str(seed))
        self.refused = 0

    def equation(self, most: int = 4) -> Equation:
        """An equation of random parts and conventions."""
        pick = self.random.choice
        while True:
            domain = pick(("biclusterings", "biclusterings", "disjoint", "clusterings", "partitions"))
            one_empty, unit = pick((None, 0)), pick(("cells", "cells", "objects"))
            try:
                return Equation(self.closed(most), empty=1, one_empty=one_empty, unit=unit, domain=domain)
            except InputError:
                self.refused += 1

    def closed(self, most: int) -> Expression:
        """An expression of the top level."""
        pick = self.random.choice
        if most <= 0 or self.random.random() < 0.45:
            op = pick((clusters, classes, meetings, matching, cells, pairs, cells, pairs, None))
            return matrix if op is None else op(self._term(op, most - 1))
        return self._combined(lambda: self.closed(most - 1), lambda: pick(_DIVISORS))

    def _term(self, op: Any, most: int, view: bool = False) -> Expression:
        if op in (cells, pairs, mates, classmates):
            return self._view_term(op, most)
        leaves = {clusters: (g, g.rows, g.cols), classes: (c, c.rows, c.cols)}.get(
            op, (n, g, c, n, g, c, n.rows, g.cols, c.rows)
        )
        if most <= 0 or self.random.random() < 0.4:
            small = self.random.random()
            if op in (clusters, classes) and small < 0.4:
                return best(self._term(best, most - 1, view))
            if not view and small > 0.9:
                return self.closed(0)
            return self.random.choice(_NUMBERS if small < 0.5 else leaves)
        divisors = leaves if len(leaves) == 3 else (g, c, g + c - n, g * c, g + n, n, largest(g, c), g - n, n + 1)
        return self._combined(lambda: self._term(op, most - 1, view), lambda: self.random.choice(divisors))

    def _view_term(self, op: Any, most: int) -> Expression:
        pick = self.random.choice
        if most <= 0 or self.random.random() < 0.45:
            inner = pick((clusters, classes, mates, classmates) if op is cells else (clusters, classes))
            leaf = pick((in_cluster, in_class, in_cluster * in_class, None, None))
            return leaf if leaf is not None else inner(self._term(inner, most - 1, view=True))
        divisors = (clusters(1), classes(1), largest(clusters(1), classes(1)), clusters(g), in_cluster + in_class)
        if op is cells:
            divisors += (mates(1), classmates(1), mates(in_class))
        return self._combined(lambda: self._view_term(op, most - 1), lambda: pick(divisors))

    def _combined(self, part: Callable[[], Expression], divisor: Callable[[], Expression]) -> Expression:
        """Parts under an operator; a divisor is a known one, or a random part, or the dividend again."""
        kind, a = self.random.random(), part()
        below = divisor() if self.random.random() < 0.7 else part()
        if kind < 0.2:
            return a + part()
        if kind < 0.3:
            return a - part()
        if kind < 0.42:
            return a * part()
        if kind < 0.57:
            return a / below
        if kind < 0.77:
            again = self.random.choice((below, a + below, least(a, below), a * below, a))
            top = self.random.choice((a, a * below, least(a, below), below))
            return self.random.choice((over(top, again, self.random.choice(_NUMBERS)), share(top, again), f1(a, below)))
        if kind < 0.9:
            return self.random.choice((least, largest))(a, below)
        return self.random.choice((sqrt, log, lambda x: x**2, sqrt, log, exp, arccos))(a)


_NUMBERS = tuple(map(number, (0, 1, 1, 2, -1, Fraction(1, 2))))
_DIVISORS = (
    cells(1), matrix, clusters(1), classes(1), cells(in_cluster), cells(in_class), largest(clusters(1), classes(1)),
    clusters(1) + classes(1), cells(in_cluster * in_class), pairs(1), meetings(n), meetings(1), matching(n),
    clusters(g), cells(largest(clusters(1), classes(1))), pairs(in_cluster), clusters(best(n)),
    classes(best(n / (g + c - n))),
    cells(1) - 1, matrix - cells(1) + 1, clusters(g * g), cells(clusters(1)) - cells(in_cluster),
)  # fmt: skip


def random_pairs(random: Random, domain: str, count: int) -> Iterator[tuple[Biclustering, Biclustering]]:
    """Small pairs of a domain: overlapping, repeated, with several features, and with one side or both empty."""
    for _ in range(count):
        objects, features = random.randint(1, 4), random.randint(1, 3)
        if domain == "partitions":
            columns = frozenset(random.sample(range(features), random.randint(1, features)))
            yield tuple(_partition(random, objects, columns, (objects, features)) for _ in range(2))  # type: ignore[misc]
            continue
        columns = frozenset(random.sample(range(features), random.randint(1, features)))
        sides = []
        for _ in range(2):
            family: list[tuple[frozenset[int], frozenset[int]]] = []
            for _ in range(random.choice((0, 1, 1, 2, 3, 4))):
                rows = frozenset(random.sample(range(objects), random.randint(1, objects)))
                cols = frozenset(random.sample(range(features), random.randint(1, features)))
                new = random.choice(family) if family and random.random() < 0.15 else (rows, cols)
                new = (new[0], columns) if domain == "clusterings" else new
                apart = all(not (new[0] & x and new[1] & y) for x, y in family)
                family += [new] if apart or domain != "disjoint" else []
            sides.append(Biclustering(family, shape=(objects, features)))
        if random.random() < 0.15:
            sides[1] = sides[0]
        yield sides[0], sides[1]


def _partition(random: Random, objects: int, columns: frozenset[int], shape: tuple[int, int]) -> Biclustering:
    parts: dict[int, set[int]] = {}
    for one in range(objects):
        parts.setdefault(random.randrange(objects), set()).add(one)
    return Biclustering([(rows, columns) for rows in parts.values()], shape=shape)
