"""Shares: terms between 0 and 1, of a cluster with a class and of a view; and signs of terms."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from metaeval.equations.tree import ONE, SIZES, ZERO, Expression, classes, clusters, in_class, in_cluster, least
from metaeval.proofs.algebra import Cases, Facts, Number, Refused, attempt
from metaeval.proofs.normal_form import (
    ANY_PAIR, IN_PARTS, MEET, STRANGERS, R, larger, ordered, rational, simplify, squared, view,
)  # fmt: skip

#: How many clusters, how many classes are in view, and the smaller of both.
DEPTH, CLASS_DEPTH = clusters(1), classes(1)
SHARED_DEPTH = simplify(least(DEPTH, CLASS_DEPTH))


def counts(parts: Iterable[Expression]) -> int:
    """How many of the two numbers, of clusters and of classes, are among these."""
    return len({DEPTH, CLASS_DEPTH}.intersection(parts))


def f1_parts(e: Expression) -> tuple[Expression, Expression] | None:
    """p and r where this is f1(p, r), up to order, with a v of at least 0 and less than 1."""
    if e.op != "over" or e.args[1].op != "+" or len(e.args[1].args) != 2:
        return None
    p, r = e.args[1].args
    return (p, r) if is_below_one(e.args[2]) and ordered(e.args[0]) == ordered(2 * p * r) else None


def is_below_one(v: Expression) -> bool:
    """Whether this is a number of at least 0 and less than 1: no best score."""
    return v.op == "number" and 0 <= v.value < 1


@dataclass(frozen=True)
class Share:
    """A term in [0, 1] for any pair: whether it is 1 for equal ones, and the sizes that keep it below."""

    attained: bool
    strict: frozenset[str]


_EQUAL = {f"{x}{part}": R.symbol(f"n{part}") for x in ("g", "c") for part in ("", "_rows", "_cols")}


def less_than_one(term: Number, *sides: str) -> bool:
    """Whether a term of any pair, strangers too, is less than 1 where one of these sizes exceeds what is shared."""
    return Cases((*map(larger, sides), *STRANGERS)).more_than_zero(1 - term)


def share_of(t: Expression) -> Share:
    """A term as a share, or Refused. A root is looked at by its square."""
    term = squared(t)
    for x in (term, 1 - term):
        if not (ANY_PAIR.at_least_zero(x) or ANY_PAIR.at_least_zero(x.put(IN_PARTS))):
            raise Refused(f"{t} is not between 0 and 1 for every pair.")
    short = 1 - term.put(_EQUAL)
    attained = short.is_zero or short.put({"n": IN_PARTS["n"]}).is_zero
    return Share(attained, frozenset(side for side in ("g", "c") if less_than_one(term, side)))


def constant_in_view(t: Expression, v: str, disjoint: bool) -> Fraction:
    """A term of a view as a plain number, where ``v`` says what is in view: GC, G, C or nothing."""
    if t.op == "number":
        return t.value
    if t.op == "in_cluster" or (disjoint and t == DEPTH):
        return Fraction("G" in v)
    if t.op == "in_class" or (disjoint and t == CLASS_DEPTH):
        return Fraction("C" in v)
    if t.op not in ("+", "*", "^", "/", "over", "least", "largest"):
        raise Refused(f"{t} is no constant of a view.")
    xs = [constant_in_view(x, v, disjoint) for x in t.args]
    if t.op in ("/", "over"):
        if xs[1] == 0 and t.op == "/":
            raise Refused(f"The divisor of {t} is 0 in a view.")
        return xs[0] / xs[1] if xs[1] else xs[2]
    if t.op == "^":
        return xs[0] ** int(xs[1])
    joined: dict[str, Callable[[list[Fraction]], Fraction | int]] = {
        "+": sum, "*": prod, "least": min, "largest": max
    }  # fmt: skip
    return Fraction(joined[t.op](xs))


def constants_in_views(t: Expression, *views: str) -> list[Fraction] | None:
    """A term as plain numbers, one for each of these views; None where it is none."""
    found = [attempt(constant_in_view, t, v, False) for v in views]
    return None if None in found else [x for x in found if x is not None]


def view_shares(t: Expression) -> tuple[Number, Number, Number]:
    """On disjoint inputs, what a cell counts in the views of both, of a cluster, of a class: each in [0, 1]."""
    both, found, gold = (rational(simplify(view(t, v))) for v in ("GC", "G", "C"))
    for x in (both, found, gold):
        if not (MEET.at_least_zero(x) and MEET.at_least_zero(1 - x)):
            raise Refused(f"{t} is not between 0 and 1 in every view.")
    return both, found, gold


@dataclass(frozen=True)
class ViewProduct:
    """A product in a view: least(γ, κ)/γ, least(γ, κ)/κ, means of best partners (whose: clusters or classes), rest."""

    by_clusters: bool
    by_classes: bool
    means: tuple[tuple[str, Expression], ...]
    rest: tuple[Expression, ...]


def view_product(t: Expression) -> ViewProduct:
    """The factors of a term of a view under overlap."""
    above, below = _factors(t)
    for divisor in below:
        if divisor not in (DEPTH, CLASS_DEPTH) or SHARED_DEPTH not in above:
            raise Refused(f"{t} is divided by more than the number of clusters or classes in view.")
        above.remove(SHARED_DEPTH)
    best = [x for x in above if is_mean(x, "clusters", "classes") and x.args[0].args[0].op == "best"]
    means = tuple((x.args[0].op, x.args[0].args[0].args[0]) for x in best)
    return ViewProduct(DEPTH in below, CLASS_DEPTH in below, means, tuple(x for x in above if x not in best))


def _factors(t: Expression) -> tuple[list[Expression], list[Expression]]:
    t = simplify(t)
    if t.op == "/":
        above, below = _factors(t.args[0])
        return above, [*below, t.args[1]]
    if t.op != "*":
        return [t], []
    parts = [_factors(x) for x in t.args]
    return [x for above, _ in parts for x in above], [x for _, below in parts for x in below]


def is_mean(e: Expression, *ops: str) -> bool:
    """Whether this is over(Σ t, Σ 1, 0) for one of these sums."""
    return e.op == "over" and e.args[0].op in ops and e.args[1:] == (Expression(e.args[0].op, ONE), ZERO)


def mean_is_attained(t: Expression) -> bool:
    """Whether a mean over mates of t, which must be in [0, 1] in every view, is 1 where both sides are equal."""
    values = constants_in_views(t, "GC", "G", "C")
    if values is not None and all(0 <= x <= 1 for x in values):
        return values[0] == 1
    product = view_product(t)
    numbers = [x.value for x in product.rest if x.op == "number"]
    if not all(x in (in_cluster, in_class) or (x.op == "number" and 0 <= x.value <= 1) for x in product.rest):
        raise Refused(f"{t} is not known to be between 0 and 1 in every view.")
    # All shares are looked at: each must be one, whether or not an earlier one is attained.
    shares = [share_of(term) for _, term in product.means]
    return all(x.attained for x in shares) and all(k == 1 for k in numbers)


def non_negative_term(t: Expression, pairs: Facts | Cases = ANY_PAIR) -> bool:
    """Whether a term of a sum is never negative; ``pairs`` says which pairs of a cluster and a class there are."""
    if t.op == "number":
        return t.value >= 0
    if t.op in (*SIZES, "matrix", "in_cluster", "in_class", "best", "sqrt", "exp", "matching", "arccos"):
        return True
    if t.op == "log":
        return non_negative_quotient(t.args[0], pairs, less=1)
    constants = constants_in_views(t, "GC", "G", "C", "")
    if non_negative_quotient(t, pairs) or (constants is not None and min(constants) >= 0):
        return True
    if t.op == "largest":
        return any(non_negative_term(x, pairs) for x in t.args)
    if t.op in ("clusters", "classes", "cells", "mates", "classmates"):
        return non_negative_term(t.args[0])
    if t.op == "meetings":
        return non_negative_term(t.args[0], MEET)
    return t.op in ("+", "*", "/", "over", "least") and all(non_negative_term(x, pairs) for x in t.args)


def non_negative_quotient(t: Expression, pairs: Facts | Cases, less: int = 0) -> bool:
    """Whether t − less is a quotient of sizes that is never negative."""
    found = attempt(rational, t)
    return found is not None and pairs.at_least_zero(found - less)
