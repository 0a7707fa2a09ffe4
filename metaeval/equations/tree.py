"""Expressions of the equation language: immutable trees, made by Python's operators and the functions below.

A *view* says which clusters and classes are looked at. At the top all of them are in view; inside ``cells(v)`` those
that hold the cell; inside ``pairs(v)``, ``mates(v)`` and ``classmates(v)`` those that hold both cells. ``clusters(t)``
and ``classes(t)`` sum over what is in view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from metaeval.core.biclustering import Unchangeable
from metaeval.core.errors import InputError

#: One table of limits for equations and their proofs, in Python and in files: nodes, levels, digits of a number, an
#: exponent, exponents inside each other multiplied, obligations of a proof, bytes of a file with one of either.
MOST_NODES = 4_000
MOST_DEPTH = 60
MOST_DIGITS = 40
MOST_EXPONENT = 12
MOST_POWER = 144
MOST_OBLIGATIONS = 200
MOST_BYTES = 1_000_000
#: The work that one derivation may take, in terms of polynomials, and the most terms of one polynomial.
MOST_WORK = 400_000
MOST_TERMS = 20_000

#: Sizes of what a cluster and a class share, of the cluster, of the class: in cells, rows and columns.
SIZES = ("n", "g", "c", "n.rows", "g.rows", "c.rows", "n.cols", "g.cols", "c.cols")
#: Sums over everything, whatever is in view.
CLOSED = ("meetings", "matching", "cells", "pairs")
SUMS = ("clusters", "classes", "best", "mates", "classmates", *CLOSED)
FUNCTIONS = ("sqrt", "log", "exp", "arccos")
#: How many arguments each operator takes; None is two or more.
ARITY: dict[str, int | None] = {
    **dict.fromkeys((*SIZES, "matrix", "in_cluster", "in_class"), 0),
    **dict.fromkeys((*SUMS, *FUNCTIONS), 1),
    **dict.fromkeys(("+", "*", "least", "largest"), None),
    **{"^": 2, "/": 2, "over": 3},
}


class Expression(Unchangeable):
    """One node: a number, or an operator with its arguments."""

    __slots__ = ("_hash", "args", "depth", "nodes", "op", "value")

    _refusal = "an expression does not change; make a new one"
    op: str
    args: tuple[Expression, ...]
    value: Fraction
    nodes: int
    depth: int
    _hash: int

    def __init__(self, op: str, *args: Expression, value: Fraction = Fraction(0)) -> None:
        nodes, depth = 1 + sum(x.nodes for x in args), 1 + max((x.depth for x in args), default=0)
        if nodes > MOST_NODES:
            raise InputError(f"an equation has at most {MOST_NODES} nodes, and this one has more")
        if depth > MOST_DEPTH:
            raise InputError(f"an equation is at most {MOST_DEPTH} levels deep, and this one is deeper")
        for name, given in (("op", op), ("args", args), ("value", value), ("nodes", nodes), ("depth", depth)):
            object.__setattr__(self, name, given)
        object.__setattr__(self, "_hash", hash((op, args, value)))

    def __init_subclass__(cls) -> None:
        raise TypeError("an expression has no subclasses")

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Expression, self.op, *self.args, value=self.value), ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Expression) or self._hash != other._hash:
            return False
        return self.op == other.op and self.value == other.value and self.args == other.args

    def __hash__(self) -> int:
        return int(self._hash)

    def __bool__(self) -> bool:
        raise InputError("an expression is neither true nor false; use least(…), largest(…) or over(a, b, v), not if")

    def __add__(self, other: Any) -> Expression:
        return Expression("+", self, expression(other))

    def __radd__(self, other: Any) -> Expression:
        return Expression("+", expression(other), self)

    def __sub__(self, other: Any) -> Expression:
        return Expression("+", self, -expression(other))

    def __rsub__(self, other: Any) -> Expression:
        return Expression("+", expression(other), -self)

    def __neg__(self) -> Expression:
        return number(-self.value) if self.op == "number" else Expression("*", number(-1), self)

    def __mul__(self, other: Any) -> Expression:
        return Expression("*", self, expression(other))

    def __rmul__(self, other: Any) -> Expression:
        return Expression("*", expression(other), self)

    def __truediv__(self, other: Any) -> Expression:
        return Expression("/", self, expression(other))

    def __rtruediv__(self, other: Any) -> Expression:
        return Expression("/", expression(other), self)

    def __pow__(self, exponent: Any) -> Expression:
        if isinstance(exponent, bool) or not isinstance(exponent, int) or not 1 <= exponent <= MOST_EXPONENT:
            raise InputError(f"the exponent is {str(exponent)[:40]}; expected a whole number from 1 to {MOST_EXPONENT}")
        return Expression("^", self, number(exponent))

    def __str__(self) -> str:
        from metaeval.equations.equation_text import unicode_text

        return unicode_text(self)

    __repr__ = __str__

    @property
    def rows(self) -> Expression:
        """The same size in rows: ``g.rows``."""
        return self._part("rows")

    @property
    def cols(self) -> Expression:
        """The same size in columns: ``g.cols``."""
        return self._part("cols")

    def _part(self, name: str) -> Expression:
        if self.op not in ("n", "g", "c"):
            raise InputError(f"{self} has no {name}; only n, g and c have rows and cols")
        return Expression(f"{self.op}.{name}")

    def walk(self) -> Iterator[Expression]:
        """This node and all below it."""
        yield self
        for x in self.args:
            yield from x.walk()

    def uses(self, *ops: str) -> bool:
        """Whether one of these operators occurs."""
        return any(x.op in ops for x in self.walk())


def expression(x: object) -> Expression:
    """An expression as it is, a number as one."""
    if isinstance(x, Expression):
        return x
    if isinstance(x, (int, Fraction)) and not isinstance(x, bool):
        return number(x)
    hint = "; write Fraction(1, 10) for 0.1" if isinstance(x, float) else ""
    raise InputError(f"{x!r} is no part of an equation; expected an expression, a whole number or a Fraction{hint}")


def number(x: int | Fraction) -> Expression:
    """A rational number as an expression."""
    value = Fraction(x)
    if max(abs(value.numerator), value.denominator) >= 10**MOST_DIGITS:
        raise InputError(f"a number of an equation has at most {MOST_DIGITS} digits above and below the line")
    return Expression("number", value=value)


ZERO, ONE = number(0), number(1)
n, g, c = Expression("n"), Expression("g"), Expression("c")
matrix = Expression("matrix")
in_cluster, in_class = Expression("in_cluster"), Expression("in_class")


def _of_one(op: str, doc: str) -> Callable[[Any], Expression]:
    def made(t: Any) -> Expression:
        return Expression(op, expression(t))

    made.__name__ = made.__qualname__ = op
    made.__doc__ = doc
    return made


clusters = _of_one("clusters", "Σ t over the clusters in view; t may use g and best(…).")
classes = _of_one("classes", "Σ t over the classes in view; t may use c and best(…).")
meetings = _of_one("meetings", "Σ t over the pairs of a cluster and a class that share a cell; t may use n, g and c.")
matching = _of_one(
    "matching", "The largest Σ t over one-to-one matchings of clusters to classes; t may use n, g and c."
)
best = _of_one("best", "The largest of 0 and t over all partners in view; inside clusters(…) or classes(…).")
cells = _of_one("cells", "Σ t over the cells that either side covers.")
pairs = _of_one("pairs", "Σ t over the unordered pairs of different cells that either side covers.")
mates = _of_one("mates", "Σ t over the cells that share a cluster with the cell of ``cells``, itself included.")
classmates = _of_one("classmates", "Σ t over the cells that share a class with the cell of ``cells``, itself included.")
sqrt = _of_one("sqrt", "The square root.")
log = _of_one("log", "The natural logarithm.")
exp = _of_one("exp", "The exponential; it makes the score a float.")
arccos = _of_one("arccos", "The angle with this cosine, in half turns: from 0 to 1. It makes the score a float.")


def least(*args: Any) -> Expression:
    """The smallest argument."""
    return _of_two_or_more("least", args)


def largest(*args: Any) -> Expression:
    """The largest argument."""
    return _of_two_or_more("largest", args)


def _of_two_or_more(op: str, args: tuple[Any, ...]) -> Expression:
    if len(args) < 2:
        raise InputError(f"{op} takes two or more arguments, not {len(args)}")
    return Expression(op, *map(expression, args))


def over(a: Any, b: Any, v: Any) -> Expression:
    """a / b, and v where b is 0."""
    return Expression("over", expression(a), expression(b), expression(v))


def share(a: Any, b: Any) -> Expression:
    """a / b, and 1 where both are 0: then nothing is missed."""
    return over(a, b, 1)


def f1(p: Any, r: Any) -> Expression:
    """The harmonic mean; 0 where both are 0."""
    p, r = expression(p), expression(r)
    return over(2 * p * r, p + r, 0)


_SWAPPED = {
    "clusters": "classes", "classes": "clusters", "mates": "classmates", "classmates": "mates",
    "in_cluster": "in_class", "in_class": "in_cluster", "g": "c", "c": "g",
    "g.rows": "c.rows", "c.rows": "g.rows", "g.cols": "c.cols", "c.cols": "g.cols",
}  # fmt: skip


def swapped(x: Any) -> Expression:
    """The same expression with candidate and gold exchanged.

    >>> swapped(clusters(best(n / g)))
    classes(best(n/c))
    """
    e = expression(x)
    return rebuilt(e, [swapped(y) for y in e.args], _SWAPPED.get(e.op, e.op))


def summands(e: Expression) -> list[Expression]:
    """The summands of a sum, of sums inside it, too; of anything else it alone."""
    return [y for x in e.args for y in summands(x)] if e.op == "+" else [e]


def rebuilt(e: Expression, args: list[Expression], op: str | None = None) -> Expression:
    """The node with other arguments, or another operator."""
    return Expression(op or e.op, *args, value=e.value)
