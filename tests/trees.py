"""Random equations near the rules of the prover: made of what the rules look at, or measures with nodes changed."""

from fractions import Fraction
from random import Random
from typing import Any

import metaeval
from metaeval.core.errors import InputError
from metaeval.equations.tree import Expression, expression, number, rebuilt

from metaeval.equations import (  # isort: skip
    Equation, best, c, cells, classes, clusters, exp, f1, g, in_class, in_cluster, largest, least, log, matching, mates,
    matrix, meetings, n, over, pairs, share, sqrt, swapped,
)  # fmt: skip

i, j, depth, class_depth, union = in_cluster, in_class, clusters(1), classes(1), cells(1)
both, found, gold = i * j, i * (1 - j), j * (1 - i)
common, most = least(depth, class_depth), largest(depth, class_depth)
r, s = (n.rows, g.rows, c.rows), (n.cols, g.cols, c.cols)
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
#: The places where a term stands, and those where clusters and classes are in view.
_TERMS, _VIEWS = ("best", "matching", "meetings"), ("cells", "pairs", "mates", "classmates")
_PLACES = (*_TERMS, *_VIEWS, "clusters", "classes")

#: Terms of a pair: shares, and what is nearly one.
PAIR = (
    n / (g + c - n), 2 * n / (g + c), n / g, n / c, n * n / (g * c), n / sqrt(g * c), sqrt(n / g),
    sqrt(n / (g + c - n)), -n / sqrt(g * c), (n + 1) / g, (n + 1) / (g + 1), (n - 1) / g, n / (2 * g), (g - n) / g,
    1 - (g - n) / (g + c),
    (g + c - 2 * n) / (g + c), n, n * n, g, number(1), number(HALF), r[0] / r[1], s[0] / s[1], n / (r[1] * s[1]),
    r[0] / (r[1] + r[2] - r[0]), r[0] * s[0] / (g + c - n), r[0] * s[0] / (r[1] * s[2]), n * r[0] / (g * r[1]),
    (r[0] + s[0]) / (r[1] + s[1] + r[2] + s[2] - r[0] - s[0]), n / ((r[1] + r[2] - r[0]) * (s[1] + s[2] - s[0])),
    over(n * n, n * g, 1), over(n * n, n * (g + c - n), 0), over(n, g + c - 2 * n, 1), over(n, g - n, 1), n / (g + c),
    n * n / (g * (g + c - n)), (n * n + n) / (g * g + g), n / (g + c - n + 1), 2 * n / (g + n), least(n / g, n / c),
    largest(n / g, n / c), 2 - n, n**3 / (g * g * c), n / largest(g, c), n / least(g, c), (n + g) / (g + c),
)  # fmt: skip
#: Terms of meetings.
MEETING = (
    n, n * n / g, n * n / c, n**3 / (g * c), n**3 / (g * (g + c - n)), n**3 / (c * (g + c - n)), 2 * n * n / (g + c),
    n * n, n * (g - n) / g, n / g, n * n / (g + 1), (n * n + n) / (2 * g), n**3 / (g * g), n - 1, n * (n - 1) / g,
    n * n / (g + c - n), n**2 / (c + 3), n - n * n / c, 1 - 3 * n, n * g / c, n * (n - 1) / 2, n * n - n * n / (2 * g),
    n * c / g, number(1), g - n, n * r[0] / r[1], n**2 / c**2, (g + c - n) / g, n * g.rows / g,
    n - n**2 / c + Fraction(11, 5) * n**2 / c**2, n * g.rows, n * n.cols / g.cols, n * c.rows / c,
)  # fmt: skip
#: What a cell or a pair counts.
VALUE = (
    i, j, both, number(1), common, most, depth, class_depth, found, gold, i + j - 2 * both, (1 - i) * (1 - j), i + j,
    1 - j, 1 - both, least(1, depth), depth * class_depth, over(both, clusters(g), 0), over(i, clusters(g), 0),
    over(both, classes(c), 0), 1 - over(i, clusters(g), 0), over(j, classes(c * c), 0), depth - common, most - common,
    over(common, most, 1), depth**2, clusters(g), classes(1 / c), clusters(1 / g) * j, i + j - both,
)  # fmt: skip
#: Sums of logarithms, known to the rules and nearly so.
LOGS = (
    meetings(n * log(n)), clusters(g * log(g)), classes(c * log(c)), meetings(n * log(g / n)), meetings(n * log(c / n)),
    clusters(g * log(union / g)), classes(c * log(union / c)), meetings(n * log(union * n / (g * c))),
    meetings(n * log(g * c / n**2)), cells(clusters(log(g)) * (1 - j)), cells(classes(log(c)) * (1 - i)),
    cells(clusters(log(g)) * j), clusters(log(g)), meetings(n * log(g)), meetings(n * log(c)), cells(classes(log(c))),
    meetings(n * log(2 * g / n)), meetings(n * log(union / n)), meetings(log(g / n)), meetings(n * log(g * c / n)),
)  # fmt: skip


class Trees:
    """Draws equations for a scheme; always the same for a seed. What is ``kept`` is changed further later on."""

    def __init__(self, scheme: str, seed: object) -> None:
        self.scheme = scheme
        self.random = Random(f"{scheme} {seed}")
        self.kept = [one.equation for one in metaeval.measures().values() if one.equation is not None]

    def equation(self) -> Equation:
        """An equation that the constructor accepts."""
        while True:
            try:
                return self._changed() if self.random.random() < 0.6 else self._built()
            except InputError:
                continue

    def keep(self, equation: Equation) -> None:
        """Change this one further, later on."""
        if equation.expression.nodes <= 150 and len(self.kept) < 400:
            self.kept.append(equation)

    def pick(self, *options: Any) -> Any:
        return self.random.choice(options)

    def factor(self) -> Expression:
        return number(self.pick(1, 1, 2, HALF, THIRD, 3, -1, -HALF, -2))

    def term(self) -> Expression:
        t = self.pick(*PAIR)
        if self.random.random() < 0.2:
            t = self.pick(t * self.pick(*PAIR[:8]), self.factor() * t, (t + self.pick(*PAIR[:8])) / 2, swapped(t))
        return t

    def meeting(self) -> Expression:
        t = self.pick(*MEETING)
        if self.random.random() < 0.3:
            t = self.pick(t + self.factor() * self.pick(*MEETING), self.factor() * t, swapped(t), n * self.term())
        return t

    def value(self) -> Expression:
        v = self.pick(*VALUE)
        if self.random.random() < 0.2:
            v = self.pick(v * self.pick(*VALUE), v + self.factor() * self.pick(*VALUE), self.factor() * v)
        return v

    def logs(self) -> Expression:
        e = self.pick(*LOGS)
        for _ in range(self.pick(0, 0, 1, 1, 2)):
            e = e + self.factor() * self.pick(*LOGS)
        if self.random.random() < 0.15:
            e = e + self.factor() * self.pick(pairs(found), pairs(gold), cells(found), cells(gold), depth, cells(both))
        return e

    def in_view(self) -> Expression:
        """A term of a mean over mates."""
        t, at_zero = self.term(), self.pick(0, 0, 0, 1)
        mean = over(clusters(best(t)), depth, at_zero)
        part = common / self.pick(depth, class_depth)
        return self.pick(part, part * mean, part * swapped(mean), mean, swapped(mean), i, j, both, 1 - j, part * HALF,
                         part * j, number(1), number(HALF), part * mean * swapped(mean), over(common, depth, 0),
                         least(1, class_depth), part * (mean + 1) / 2, part**2)  # fmt: skip

    def mean(self) -> Expression:
        """A mean over mates, of all cells."""
        v = self.pick(0, 0, 0, 0, 1)
        e = cells(over(mates(self.in_view()), mates(1), v)) / self.pick(cells(i), cells(i), union, clusters(g))
        if self.random.random() < 0.2:
            alone = self.pick(over(1 - j, depth * mates(1), 0), over(1 - j, mates(1), 0), 1 - j, i * (1 - j))
            e = (cells(over(mates(self.in_view()), mates(1), 0) + alone) + matrix - cells(i)) / self.pick(matrix, union)
        return self.pick(e, swapped(e))

    def part(self) -> Expression:
        """Something near a share, at the top."""
        t, t2 = self.term(), self.term()
        two = lambda x: x * (x - 1) / 2  # noqa: E731
        pick, zero = self.pick, self.pick(0, 1, 1, HALF)
        value, other = cells(self.value()), cells(self.value())
        options = (
            lambda: clusters(best(t)) / depth, lambda: clusters(g * best(t)) / pick(clusters(g), union, cells(i)),
            lambda: clusters(best(n)) / pick(union, clusters(g), cells(i)),
            lambda: clusters(best(t) * best(t2)) / depth,
            lambda: matching(t) / pick(largest(depth, class_depth), depth, largest(depth, cells(both)), union),
            lambda: matching(n) / pick(union, cells(most), clusters(g), largest(clusters(g), classes(c)), value),
            lambda: over(matching(t), least(depth, class_depth), 1), lambda: matching(n * t) / pick(union, cells(i)),
            lambda: meetings(self.meeting()) / pick(clusters(g), classes(c), union, meetings(n), cells(i), matrix),
            lambda: over(value, other, zero), lambda: over(pairs(self.value()), pairs(self.value()), zero),
            lambda: over(value, pick(matrix, union + depth, cells(i) + cells(j)), zero), self.mean, self.mean,
            lambda: over(pairs(self.value()), pick(two(matrix), matrix * (matrix - 1), matrix**2, two(union)), zero),
            lambda: share(pairs(pick(common, both)), pick(clusters(two(g)), classes(two(c)),
                                                          largest(clusters(two(g)), classes(two(c))))),
            lambda: over(self.logs(), pick(self.logs(), union, clusters(g), union * log(union + 1)), zero),
            lambda: over(meetings(two(n)), pick(clusters(two(g)), two(union), pairs(1)), zero),
            lambda: over(pick(1, depth - 1, depth), pick(depth + class_depth, largest(depth, class_depth)), zero),
        )  # fmt: skip
        e = expression(pick(*options)())
        return pick(e, swapped(e))

    def movable(self) -> Expression:
        """Something near what is known to rise or fall, at the top."""
        pick, over_cells = self.pick, self.pick(cells(i), cells(i), cells(j), union, union, matrix, clusters(g))
        parts = (
            lambda: meetings(self.meeting()), lambda: meetings(self.meeting()), self.logs,
            lambda: cells(pick(both, both, self.value())), lambda: pairs(pick(both, (1 - i) * (1 - j))),
            lambda: matching(pick(n, n, n * self.term())), lambda: pick(clusters, classes)(best(n)),
            lambda: clusters(pick(1, g) * best(self.term())), lambda: pairs(pick(both, self.value())),
        )  # fmt: skip
        e = pick(*parts)()
        if self.random.random() < 0.3:
            e = e + self.factor() * pick(*parts)()
        e = pick(e / over_cells, e / over_cells, over(e, pick(*parts)() + e, pick(0, 1)), self.mean())
        return pick(e, e, swapped(e))

    def _built(self) -> Equation:
        if self.scheme != "fall" and self.random.random() < 0.2:
            return self._cost()
        part = self.movable if self.scheme in ("rise", "fall") and self.random.random() < 0.8 else self.part
        x, y, v = part(), part(), self.pick(0, 0, 0, HALF, 1, 2)
        e = self.pick(
            x, x, x, 1 - x, f1(x, y), f1(x, swapped(x)), f1(x, swapped(x)), (x + y) / 2,
            over(2 * x * y, x + y, v), (x + swapped(x)) / 2,
            x * y, x * swapped(x), sqrt(x), sqrt(x * y), over(x, y, v), x - y / 2, least(x, y), largest(x, swapped(x)),
            x**2, 1 - x * y, (2 * x + y) / 3, x * (1 - y), exp(least(x, y) - largest(x, y)),
        )  # fmt: skip
        if self.random.random() < 0.25:
            e = self.mutated(e)
        unit = self.pick("cells", "cells", "cells", "objects")
        domain = self.pick("biclusterings", "biclusterings", "disjoint", "clusterings", "partitions")
        return Equation(e, empty=self.pick(1, 1, 1, 0), one_empty=self.pick(None, 0, 0, 1), unit=unit, domain=domain,
                        low=self.pick(0, 0, None, -1))  # fmt: skip

    def _cost(self) -> Equation:
        e = self.logs() / self.pick(union, union, cells(i), matrix, union * log(union + 1), clusters(g), number(1))
        e = self.pick(e, e, over(self.logs(), self.logs(), 0), e + self.part(), 1 - self.part(), e * self.factor())
        domain = self.pick("biclusterings", "disjoint", "partitions")
        unit, one_empty = self.pick("cells", "cells", "objects"), self.pick(None, None, 1, 0, -1)
        return Equation(e, empty=self.pick(0, 0, 0, 1), one_empty=one_empty, best=0, domain=domain, unit=unit,
                        smaller_is_better=True)  # fmt: skip

    def _changed(self) -> Equation:
        """A registered measure with one or two nodes changed, and sometimes its header."""
        q = self.random.choice(self.kept)
        e = q.expression
        for _ in range(self.pick(1, 1, 2)):
            e = self.mutated(e)
        if e.nodes > 250:
            raise InputError("too long")
        header = {name: getattr(q, name) for name in ("empty", "one_empty", "unit", "domain", "best", "low",
                                                       "smaller_is_better")}  # fmt: skip
        changes = {"unit": ("cells", "objects"), "domain": ("biclusterings", "disjoint", "clusterings", "partitions"),
                   "one_empty": (None, 0, 1, 2), "empty": (0, 1), "best": (0, 1, 2), "low": (None, 0, -1)}  # fmt: skip
        for name, chance in (("unit", 0.2), ("domain", 0.4), ("one_empty", 0.15), ("empty", 0.05), ("best", 0.03),
                             ("low", 0.1)):  # fmt: skip
            if self.random.random() < chance:
                header[name] = self.pick(*changes[name])
        if self.random.random() < 0.03:
            header["smaller_is_better"] = not header["smaller_is_better"]
        return Equation(e, **header)

    def mutated(self, e: Expression) -> Expression:
        """The tree with another node in place of one of its nodes; it may have no value."""
        places = [*_paths(e, (), "top")]
        x, path, place = self.random.choice(places)
        return _put(e, path, expression(self._other(x, place)))

    def _other(self, x: Expression, place: str) -> Any:
        if x.op == "number":
            return number(self.pick(0, 1, 2, HALF, x.value + 1, -x.value, x.value * 2))
        options: list[Any] = [self._fresh(place), self.factor() * x, x + self.factor(), 1 - x]
        if len(x.args) > 1 and x.op != "^":
            options += [*x.args[:2], rebuilt(x, [self.factor() * x.args[0], *x.args[1:]])]
            options += [rebuilt(x, [*x.args[:1], x.args[1] + x.args[0], *x.args[2:]])]
        other = {"+": "*", "*": "+", "least": "largest", "largest": "least", "cells": "pairs", "pairs": "cells"}
        if x.op in other:
            options += [rebuilt(x, [*x.args], other[x.op])] * 2
        if x.op == "over":
            options += [rebuilt(x, [*x.args[:2], number(self.pick(0, 1, HALF, 2))])] * 3 + [x.args[0] / x.args[1]]
        if x.op == "/":
            options += [over(*x.args, self.pick(0, 1))] * 2
        if x.op in _PLACES:
            options += [Expression(x.op, expression(self._fresh(x.op)))] * 3
            options += [Expression(x.op, x.args[0] * self._fresh(x.op)), swapped(x)]
        if x.op in ("in_cluster", "in_class", "g", "c", "n"):
            options += [swapped(x), x * x]
        if x.op in ("log", "sqrt"):
            options += [Expression(x.op, x.args[0] * 2), Expression(x.op, x.args[0] + 1), x.args[0]]
        return self.pick(*options)

    def _fresh(self, place: str) -> Any:
        """Something that may stand in this place."""
        if place in _TERMS:
            return self.meeting() if place == "meetings" else self.term()
        if place in _VIEWS:
            return self.in_view() if place in ("mates", "classmates") else self.value()
        t = self.pick(g, g * g, g - 1, number(1), g + 1, best(self.term()), g * best(self.term()), log(g),
                      g * (g - 1) / 2, 1 / g)  # fmt: skip
        if place in ("clusters", "classes"):
            return t if place == "clusters" else swapped(t)
        return self.pick(
            self.part(), clusters(t), swapped(clusters(t)), cells(self.value()), pairs(self.value()), matrix
        )


def _paths(e: Expression, path: tuple[int, ...], place: str) -> Any:
    yield e, path, place
    for number_, x in enumerate(e.args):
        if e.op != "^" or number_ == 0:
            yield from _paths(x, (*path, number_), e.op if e.op in _PLACES else place)


def _put(e: Expression, path: tuple[int, ...], new: Expression) -> Expression:
    if not path:
        return new
    return rebuilt(e, [_put(x, path[1:], new) if place == path[0] else x for place, x in enumerate(e.args)])
