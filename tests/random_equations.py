"""Random equations, and small pairs of biclusterings that they are defined on."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

from metaeval import Biclustering
from metaeval.core.errors import InputError
from metaeval.equations import (
    Equation,
    Expression,
    arccos,
    best,
    c,
    cells,
    classes,
    classmates,
    clusters,
    exp,
    f1,
    g,
    in_class,
    in_cluster,
    largest,
    least,
    log,
    matching,
    mates,
    matrix,
    meetings,
    n,
    over,
    pairs,
    share,
    sqrt,
)  # fmt: skip
from metaeval.equations.tree import number


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
