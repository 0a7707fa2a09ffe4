"""Source texts of numbers, and what operators make of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from metaeval.equations.tree import SIZES, Expression, cells

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
        scaled = (tuple((_product(a.above, k), x) for k, x in some) for some in (b.logs, b.lists))
        logs, lists = scaled
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


def _summands(e: Expression) -> list[Expression]:
    return [y for x in e.args for y in _summands(x)] if e.op == "+" else [e]


def _write_sum(w: Writer, e: Expression) -> Value:
    values = [w.value(x) for x in _summands(e)]
    if all(v.kind == RATIO and v.below == values[0].below for v in values):
        return Value(_joined([v.above for v in values]), values[0].below)
    return reduce(plus, values)


def _write_product(w: Writer, e: Expression) -> Value:
    return reduce(times, map(w.value, e.args))


def _writepower(w: Writer, e: Expression) -> Value:
    base, k = w.value(e.args[0]), int(e.args[1].value)
    if base.kind == RATIO:
        return Value(power(base.above, k), power(base.below, k))
    return reduce(times, [base] * k)


def _inverse(b: Value) -> Value | None:
    """1/b of a ratio or a root; None of anything else."""
    if b.kind == RATIO:
        return Value(b.below, b.above)
    return Value(b.below, b.above, ROOT, (b.radicand[1], b.radicand[0])) if b.kind == ROOT else None


def _quotient(a: Value, b: Value) -> Value:
    inverse = _inverse(b)
    if inverse is None:
        return Value(f"divided({as_object(a)}, {as_object(b)})", kind=OBJECT)
    return times(a, inverse)


def _write_quotient(w: Writer, e: Expression) -> Value:
    return _quotient(w.value(e.args[0]), w.value(e.args[1]))


def _write_over(w: Writer, e: Expression) -> Value:
    a, b, nothing = (w.value(x) for x in e.args)
    if b.kind == RATIO:
        b = replace(b, above=w.kept(b.above))
    test = {RATIO: b.above, ROOT: f"{b.above} * {b.radicand[0]}"}.get(b.kind) or w.kept(as_object(b))
    if b.kind == LOGS:
        b = Value(test, kind=OBJECT)
    found = _quotient(a, b)
    if found.kind == nothing.kind == RATIO:
        p, q = w.new(), w.new()
        w.add(f"{p}, {q} = ({found.above}, {found.below}) if {test} else ({nothing.above}, {nothing.below})")
        return Value(p, q)
    return Value(f"{as_object(found)} if {test} else {as_object(nothing)}", kind=OBJECT)


def _write_extreme(w: Writer, e: Expression) -> Value:
    values, sign = [w.value(x) for x in e.args], 1 if e.op == "largest" else -1
    if all(v.kind == RATIO for v in values):
        if all(v.below == "1" for v in values):
            return Value(f"{'max' if sign > 0 else 'min'}({', '.join(v.above for v in values)})")
        p, q = w.new(), w.new()
        ratios = ", ".join(f"turned({v.above}, {v.below})" for v in values)
        w.add(f"{p}, {q} = extreme([{ratios}], {sign})")
        return Value(p, q)
    return Value(f"extreme_number([{', '.join(map(as_object, values))}], {sign})", kind=OBJECT)


def _write_root(w: Writer, e: Expression) -> Value:
    v = w.value(e.args[0])
    if v.kind != RATIO:
        return Value(f"root({as_object(v)})", kind=OBJECT)
    p, q = w.new(), w.new()
    w.add(f"{p}, {q} = {positive_ratio(v.above, v.below)}")
    return Value("1", kind=ROOT, radicand=(p, q))


def _write_log(w: Writer, e: Expression) -> Value:
    factors = _factors(e.args[0])
    if factors is not None:
        logs = [(k, w.value(x).above) for x, k in factors]
        return Value("1", kind=LOGS, logs=tuple((str(k), text) for k, text in logs))
    v = w.value(e.args[0])
    if v.kind != RATIO:
        return Value(f"logarithm({as_object(v)})", kind=OBJECT)
    p, q = w.new(), w.new()
    w.add(f"{p}, {q} = turned({v.above}, {v.below})")
    return Value("1", kind=LOGS, logs=(("1", p), ("-1", q)))


def _factors(e: Expression) -> list[tuple[Expression, int]] | None:
    """Sizes, totals and positive whole numbers with powers, of which e is the product; None where it is none."""
    if e.op in SIZES or e.op == "matrix" or e == cells(1):
        return [(e, 1)]
    if e.op == "number" and e.value > 0:
        return [
            (Expression("number", value=Fraction(k)), p)
            for k, p in zip(e.value.as_integer_ratio(), (1, -1), strict=True)
        ]
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
    "+": _write_sum, "*": _write_product, "^": _writepower, "/": _write_quotient, "over": _write_over,
    "least": _write_extreme, "largest": _write_extreme, "sqrt": _write_root, "log": _write_log,
    "exp": _write_float("exponential"), "arccos": _write_float("half_turns"),
}  # fmt: skip
