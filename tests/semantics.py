"""What an equation means, cell by cell: slow, and independent of everything that compiles or scores it."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import combinations, permutations, product
from math import acos, exp, inf, log, pi, sqrt
from operator import add, mul
from typing import Any


@dataclass(frozen=True)
class Here:
    """Both sides as pairs of rows and columns, the numbers of those in view, and what a sum has chosen."""

    sides: tuple[list[Any], list[Any]]
    view: tuple[list[int], list[int]]
    i: int | None = None
    j: int | None = None
    x: Any = None


def score(equation, candidate, gold):
    """The score of two biclusterings inside the domain of the equation."""
    sides = [
        [(rows, frozenset({0}) if equation.unit == "objects" else cols) for rows, cols in side]
        for side in (candidate, gold)
    ]
    if not all(sides) and (not any(sides) or equation.one_empty is not None):
        return equation.one_empty if any(sides) else equation.empty
    shape = [max(sizes) for sizes in zip(candidate.shape, gold.shape, strict=True)]
    matrix = shape[0] * (1 if equation.unit == "objects" else shape[1])
    return value(equation.expression, everything(tuple(sides)), matrix)


def everything(sides):
    return Here(sides, tuple(list(range(len(side))) for side in sides))


def cells_of(bicluster):
    return set(product(*bicluster))


def holding(here, *cells):
    """The same with what holds all these cells in view."""
    found = tuple(
        [k for k, (r, c) in enumerate(side) if all(x in r and y in c for x, y in cells)] for side in here.sides
    )
    return replace(here, view=found)


ARITHMETIC = {
    "+": lambda *some: reduce(add, some), "*": lambda *some: reduce(mul, some), "^": lambda a, k: a ** int(k),
    "/": lambda a, b: a / b, "over": lambda a, b, v: a / b if b else v, "least": min, "largest": max,
    "sqrt": sqrt, "log": log, "exp": lambda a: exp(a) if a < 709 else inf,
    "arccos": lambda a: acos(max(-1.0, min(1.0, a))) / pi,
}  # fmt: skip


def value(e, here, matrix):
    def at(x, **chosen):
        return value(x, replace(here, **chosen), matrix)

    letter, _, lines = e.op.partition(".")
    if e.op == "number":
        return e.value
    if e.op == "matrix":
        return Fraction(matrix)
    if letter in ("n", "g", "c"):
        chosen = [here.sides[side][at] for side, at in enumerate((here.i, here.j)) if letter != "cg"[side]]
        shared = [frozenset.intersection(*axis) for axis in zip(*chosen, strict=True)]
        return Fraction(len(shared[lines == "cols"]) if lines else len(shared[0]) * len(shared[1]))
    if e.op in ("in_cluster", "in_class"):
        return Fraction(bool(here.view[e.op == "in_class"]))
    if e.op in ARITHMETIC:
        return ARITHMETIC[e.op](*[at(x) for x in e.args])
    (term,) = e.args
    if e.op in ("clusters", "classes"):
        side = int(e.op == "classes")
        names = {"j" if side else "i": None, "i" if side else "j": None}
        return sum((at(term, **names | {"j" if side else "i": k}) for k in here.view[side]), Fraction(0))
    if e.op == "best":
        name, others = ("i", here.view[0]) if here.i is None else ("j", here.view[1])
        return max([Fraction(0), *(at(term, **{name: k}) for k in others)])
    return closed_or_mates(e.op, term, here, matrix)


def closed_or_mates(op, term, here, matrix):
    top = everything(here.sides)
    covered = sorted(set().union(*(cells_of(one) for side in here.sides for one in side)))
    if op in ("mates", "classmates"):
        side = int(op == "classmates")
        views = [holding(top, here.x, y) for y in covered]
        return sum((value(term, view, matrix) for view in views if view.view[side]), Fraction(0))
    if op == "cells":
        return sum((value(term, replace(holding(top, x), x=x), matrix) for x in covered), Fraction(0))
    if op == "pairs":
        return sum((value(term, holding(top, x, y), matrix) for x, y in combinations(covered, 2)), Fraction(0))
    pairs = {(i, j): replace(top, i=i, j=j) for i in top.view[0] for j in top.view[1]}
    if op == "meetings":
        met = [here for (i, j), here in pairs.items() if cells_of(top.sides[0][i]) & cells_of(top.sides[1][j])]
        return sum((value(term, here, matrix) for here in met), Fraction(0))
    assert op == "matching"
    weights = {pair: max(Fraction(0), value(term, here, matrix)) for pair, here in pairs.items()}
    few, many = sorted((0, 1), key=lambda side: len(top.view[side]))
    chosen = permutations(top.view[many], len(top.view[few]))
    return max((sum(weights[(a, b) if few == 0 else (b, a)] for a, b in enumerate(one)) for one in chosen), default=0)
