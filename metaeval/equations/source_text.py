"""Source texts of numbers and what operators make of them; what the shape of a term tells of how it can be summed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import permutations
from typing import TYPE_CHECKING

from metaeval.equations.tree import (
    CLOSED, ONE, SIZES, ZERO, Expression, best, c, cells, classes, classmates, clusters, g, in_class, in_cluster,
    largest, least, matching, mates, n, over, pairs, rebuilt, summands,
)  # fmt: skip

if TYPE_CHECKING:
    from metaeval.equations.statements import Writer

RATIO, ROOT, LOGS, OBJECT = "ratio", "root", "logs", "object"


@dataclass(frozen=True)
class Value:
    """What an expression has become: source texts.

    A ratio is ``above`` / ``below``; a root is that times the root of ``radicand``, a ratio of texts; logarithms are
    that times Σ k·log n over the pairs of texts ``logs`` and over the lists of such pairs ``lists``; anything else is
    an object, in ``above``.
    """

    above: str
    below: str = "1"
    kind: str = RATIO
    radicand: tuple[str, str] = ("1", "1")
    logs: tuple[tuple[str, str], ...] = ()
    lists: tuple[tuple[str, str], ...] = ()


#: A text that needs no name, and texts of numbers that are positive whatever the case: sizes, and those of unions.
PLAIN = re.compile(r"\w+\Z")
POSITIVE = re.compile(r"(?:[1-9]\d*|[gc][rs]?|\(g([rs]?) \+ c\1 - n\1\)| \* | \+ |[()])+\Z")


def as_object(v: Value) -> str:
    """The text of a number: a whole number, a fraction, or a sum of roots or of logarithms."""
    if v.kind == OBJECT:
        return v.above
    if v.kind == LOGS:
        return f"sum_of_logs({log_list(v)}, {v.below})"
    if v.kind == ROOT:
        return f"root_sum([{root_item(v)}])"
    return v.above if v.below == "1" else f"Fraction({v.above}, {v.below})"


def root_item(v: Value) -> str:
    # k/d·√(a/b) is k/(d·b)·√(a·b).
    return f"({v.above}, {_product(v.below, v.radicand[1])}, {_product(*v.radicand)})"


def log_list(v: Value) -> str:
    plain = [f"({k}, {argument})" for k, argument in v.logs]
    lists = [f"*[({_product(k, 'k')}, m) for k, m in {name}]" if k != "1" else f"*{name}" for k, name in v.lists]
    return f"[{', '.join([*plain, *lists])}]"


def _product(a: str, b: str) -> str:
    if a == "1" or b == "1":
        return b if a == "1" else a
    return f"{a} * {b}"


def power(a: str, k: int) -> str:
    return a if a == "1" else f"{a}**{k}" if PLAIN.match(a) else f"({a})**{k}"


def positive_ratio(above: str, below: str) -> str:
    return f"{above}, {below}" if POSITIVE.match(below) else f"turned({above}, {below})"


def times(a: Value, b: Value) -> Value:
    if a.kind != RATIO and b.kind == RATIO:
        a, b = b, a
    if a.kind == RATIO and b.kind == LOGS:
        logs, lists = (tuple((_product(a.above, k), x) for k, x in some) for some in (b.logs, b.lists))
        return replace(b, below=_product(a.below, b.below), logs=logs, lists=lists)
    if a.kind == RATIO and b.kind in (RATIO, ROOT):
        return replace(b, above=_product(a.above, b.above), below=_product(a.below, b.below))
    if a.kind == b.kind == ROOT:
        radicand = _product(a.radicand[0], b.radicand[0]), _product(a.radicand[1], b.radicand[1])
        return Value(_product(a.above, b.above), _product(a.below, b.below), ROOT, radicand)
    return Value(f"times({as_object(a)}, {as_object(b)})", kind=OBJECT)


def plus(a: Value, b: Value) -> Value:
    if a.kind == b.kind == RATIO:
        if a.below == b.below:
            return Value(_joined([a.above, b.above]), a.below)
        return Value(_joined([_product(a.above, b.below), _product(b.above, a.below)]), _product(a.below, b.below))
    if a.kind == b.kind == LOGS and a.below == b.below:
        return replace(a, logs=a.logs + b.logs, lists=a.lists + b.lists)
    return Value(f"plus({as_object(a)}, {as_object(b)})", kind=OBJECT)


def _joined(summands: list[str]) -> str:
    first, *rest = summands
    return f"({first}{''.join(f' - {x[5:]}' if x.startswith('-1 * ') else f' + {x}' for x in rest)})"


def _write_sum(w: Writer, e: Expression) -> Value:
    values = [w.value(x) for x in summands(e)]
    if all(v.kind == RATIO and v.below == values[0].below for v in values):
        return Value(_joined([v.above for v in values]), values[0].below)
    return reduce(plus, values)


def _write_power(w: Writer, e: Expression) -> Value:
    base, k = w.value(e.args[0]), int(e.args[1].value)
    if base.kind == RATIO:
        return Value(power(base.above, k), power(base.below, k))
    return reduce(times, [base] * k)


def _quotient(a: Value, b: Value) -> Value:
    if b.kind in (RATIO, ROOT):
        return times(a, Value(b.below, b.above, b.kind, (b.radicand[1], b.radicand[0])))
    return Value(f"divided({as_object(a)}, {as_object(b)})", kind=OBJECT)


def _write_over(w: Writer, e: Expression) -> Value:
    a, b, nothing = (w.value(x) for x in e.args)
    if b.kind == RATIO:
        b = replace(b, above=w.kept(b.above))
    test = {RATIO: b.above, ROOT: f"{b.above} * {b.radicand[0]}"}.get(b.kind) or w.kept(as_object(b))
    if b.kind == LOGS:
        b = Value(test, kind=OBJECT)
    found = _quotient(a, b)
    if found.kind == nothing.kind == RATIO:
        return Value(*w.pair(f"({found.above}, {found.below}) if {test} else ({nothing.above}, {nothing.below})"))
    return Value(f"{as_object(found)} if {test} else {as_object(nothing)}", kind=OBJECT)


def _write_extreme(w: Writer, e: Expression) -> Value:
    values, sign = [w.value(x) for x in e.args], 1 if e.op == "largest" else -1
    if all(v.kind == RATIO for v in values):
        if all(v.below == "1" for v in values):
            return Value(f"{'max' if sign > 0 else 'min'}({', '.join(v.above for v in values)})")
        ratios = ", ".join(f"turned({v.above}, {v.below})" for v in values)
        return Value(*w.pair(f"extreme([{ratios}], {sign})"))
    return Value(f"extreme_number([{', '.join(map(as_object, values))}], {sign})", kind=OBJECT)


def _write_root(w: Writer, e: Expression) -> Value:
    v = w.value(e.args[0])
    if v.kind != RATIO:
        return Value(f"root({as_object(v)})", kind=OBJECT)
    return Value("1", kind=ROOT, radicand=w.pair(positive_ratio(v.above, v.below)))


def _write_log(w: Writer, e: Expression) -> Value:
    factors = _factors(e.args[0])
    if factors is not None:
        return Value("1", kind=LOGS, logs=tuple((str(k), w.value(x).above) for x, k in factors))
    v = w.value(e.args[0])
    if v.kind != RATIO:
        return Value(f"logarithm({as_object(v)})", kind=OBJECT)
    p, q = w.pair(f"turned({v.above}, {v.below})")
    return Value("1", kind=LOGS, logs=(("1", p), ("-1", q)))


def _factors(e: Expression) -> list[tuple[Expression, int]] | None:
    """Sizes, totals and positive whole numbers with powers, of which e is the product; None where it is none."""
    if e.op in SIZES or e.op == "matrix" or e == cells(1):
        return [(e, 1)]
    if e.op == "number" and e.value > 0:
        above, below = map(Fraction, e.value.as_integer_ratio())
        return [(Expression("number", value=above), 1), (Expression("number", value=below), -1)]
    if e.op not in ("*", "/", "^"):
        return None
    parts = [_factors(x) for x in (e.args[:1] if e.op == "^" else e.args)]
    powers = [int(e.args[1].value)] if e.op == "^" else [1, -1] if e.op == "/" else [1] * len(parts)
    found: list[tuple[Expression, int]] = []
    for part, power in zip(parts, powers, strict=True):
        if part is None:
            return None
        found += [(x, k * power) for x, k in part]
    return found


def _write_float(name: str) -> Callable[[Writer, Expression], Value]:
    return lambda w, e: Value(f"{name}({as_object(w.value(e.args[0]))})", kind=OBJECT)


OPERATORS: dict[str, Callable[[Writer, Expression], Value]] = {
    "+": _write_sum, "*": lambda w, e: reduce(times, map(w.value, e.args)), "^": _write_power,
    "/": lambda w, e: _quotient(*map(w.value, e.args)), "over": _write_over,
    "least": _write_extreme, "largest": _write_extreme, "sqrt": _write_root, "log": _write_log,
    "exp": _write_float("exponential"), "arccos": _write_float("half_turns"),
}  # fmt: skip

# --- Shapes: which pairs count, whether numbers in view suffice, which sums are known -------------------------

#: Sums that an overlay knows.
TOTALS = {
    Expression("matrix"): "o.matrix_cells", cells(1): "o.union", cells(in_cluster): "o.candidate_covered",
    cells(in_class): "o.gold_covered", cells(in_cluster * in_class): "o.shared",
    cells(largest(clusters(1), classes(1))): "o.multiset_union",
    cells(least(clusters(1), classes(1))): "(sum(o.candidate_sizes) + sum(o.gold_sizes) - o.multiset_union)",
    clusters(1): "len(o.candidate_sizes)", classes(1): "len(o.gold_sizes)", clusters(g): "sum(o.candidate_sizes)",
    classes(c): "sum(o.gold_sizes)", matching(n): "o.matching", pairs(1): "(o.union * (o.union - 1) // 2)",
}  # fmt: skip
JACCARD = n / (g + c - n)
#: Φ, the mean likeness of the clusters in view to their best classes in view.
IDENTITY = over(clusters(best(JACCARD)), clusters(1), 0)
#: Means over mates that arrays know when clusters are tangled: the side, and whether the term has the factor Φ.
KNOWN_MEANS = {
    mean(agreed * IDENTITY / own if identity else agreed / own): (side, identity)
    for agreed in (least(*both) for both in permutations((clusters(1), classes(1))))
    for side, (mean, own) in enumerate(((mates, clusters(1)), (classmates, classes(1))))
    for identity in (False, True)
}


def mean_over_mates(e: Expression) -> Expression | None:
    """The sum over mates of which an expression is the mean; None where it is none."""
    if e.op == "over" and e.args[0].op in ("mates", "classmates") and e.args[2] == ZERO:
        return e.args[0] if e.args[1] == Expression(e.args[0].op, ONE) else None
    return None


#: What is in view in numbers that are never negative.
_COUNTS = (clusters(1), classes(1), in_cluster, in_class)


def vanishes(e: Expression, *names: str) -> bool:
    """Whether an expression is plainly 0 where these parts are."""
    if e.op in names or e == ZERO:
        return True
    if e.op in ("*", "^", "/"):
        return any(vanishes(x, *names) for x in (e.args if e.op == "*" else e.args[:1]))
    if e.op == "least" and all(x in _COUNTS or (x.op == "number" and x.value >= 0) for x in e.args):
        return any(vanishes(x, *names) for x in e.args)
    if e.op in ("+", "least", "largest"):
        return all(vanishes(x, *names) for x in e.args)
    return e.op == "sqrt" and vanishes(e.args[0], *names)


def bests_of(term: Expression) -> list[Expression]:
    """The ``best`` nodes of a sum over clusters or classes, each once."""
    if term.op == "best":
        return [term]
    if term.op in ("clusters", "classes", *CLOSED):
        return []
    return list(dict.fromkeys(b for x in term.args for b in bests_of(x)))


def uses_lines(term: Expression) -> bool:
    """Whether rows or columns count by themselves, outside of sums over everything."""
    if term.op in CLOSED:
        return False
    return "." in term.op or any(map(uses_lines, term.args))


def by_depth(term: Expression) -> bool:
    """Whether only the numbers of clusters and classes in view count."""
    if term.op in ("mates", "classmates") or (term.op in ("clusters", "classes") and term.args[0] != ONE):
        return False
    return all(map(by_depth, term.args))


def indicators(e: Expression) -> tuple[dict[Expression, bool], Expression]:
    """Factors that are 0 or 1, as conditions that must be true or false, and the term without them."""
    if e in (in_cluster, in_class):
        return {e: True}, ONE
    if e in _OUTSIDE:
        return {_OUTSIDE[e]: False}, ONE
    if e.op == "over" and e.args[2] == ZERO:
        found, rest = indicators(e.args[0])
        return found, over(rest, *e.args[1:])
    if e.op != "*":
        return {}, e
    parts = [indicators(x) for x in e.args]
    found = {condition: truth for conditions, _ in parts for condition, truth in conditions.items()}
    if any(found[condition] != truth for conditions, _ in parts for condition, truth in conditions.items()):
        return {}, e
    return found, rebuilt(e, [rest for _, rest in parts])


_OUTSIDE = {1 - in_cluster: in_cluster, 1 - in_class: in_class}
