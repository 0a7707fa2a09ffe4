"""Python source of an expression: statements that compute in whole numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import count
from typing import Any

from metaeval.equations import exact_sums
from metaeval.equations.tree import (
    CLOSED,
    ONE,
    SIZES,
    ZERO,
    Expression,
    best,
    c,
    cells,
    classes,
    classmates,
    clusters,
    g,
    in_class,
    in_cluster,
    largest,
    least,
    matching,
    mates,
    n,
    over,
    pairs,
)
from metaeval.exact import sum_of_logs
from metaeval.kernel.overlay import Overlay, members, remembered

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


@dataclass(frozen=True)
class Place:
    """Where a statement stands: the texts of sizes, of the masks in view or their numbers, and of parts that are known."""

    sizes: dict[str, str] = field(default_factory=dict)
    masks: tuple[str, str] | None = None
    numbers: tuple[str, str] | None = None
    known: dict[Expression, Value] = field(default_factory=dict)

    @property
    def in_view(self) -> bool:
        """Whether it is inside cells, pairs, mates or classmates."""
        return self.masks is not None or self.numbers is not None

    def number(self, side: int) -> str:
        """The number of clusters (side 0) or classes in view."""
        if self.numbers is not None:
            return self.numbers[side]
        assert self.masks is not None
        return f"{self.masks[side]}.bit_count()"


#: Sums that an overlay knows.
_UP_TO = least(clusters(1), classes(1))
_TOTALS = {
    Expression("matrix"): "o.matrix_cells",
    cells(1): "o.union",
    cells(in_cluster): "o.candidate_covered",
    cells(in_class): "o.gold_covered",
    cells(in_cluster * in_class): "o.shared",
    cells(largest(clusters(1), classes(1))): "o.multiset_union",
    cells(_UP_TO): "(sum(o.candidate_sizes) + sum(o.gold_sizes) - o.multiset_union)",
    clusters(1): "len(o.candidate_sizes)",
    classes(1): "len(o.gold_sizes)",
    clusters(g): "sum(o.candidate_sizes)",
    classes(c): "sum(o.gold_sizes)",
    matching(n): "o.matching",
    pairs(1): "(o.union * (o.union - 1) // 2)",
}
#: Φ, the mean likeness of the clusters in view to their best classes in view.
IDENTITY = over(clusters(best(n / (g + c - n))), clusters(1), 0)
#: Means over mates that arrays know when clusters are tangled: by the term, whether it has the factor Φ.
KNOWN_MEANS = {
    mates(_UP_TO / clusters(1)): (0, False), mates(_UP_TO * IDENTITY / clusters(1)): (0, True),
    classmates(_UP_TO / classes(1)): (1, False), classmates(_UP_TO * IDENTITY / classes(1)): (1, True),
}  # fmt: skip
_PLAIN = re.compile(r"\w+\Z")
#: Texts of numbers that are positive whatever the case: sizes of clusters and classes, and of their unions.
_POSITIVE = re.compile(r"(?:[1-9]\d*|[gc][rs]?|\(g([rs]?) \+ c\1 - n\1\)| \* | \+ |[()])+\Z")
_SIZE_NAMES = {"n": "n", "g": "g", "c": "c", "n.rows": "nr", "g.rows": "gr", "c.rows": "cr",
               "n.cols": "ns", "g.cols": "gs", "c.cols": "cs"}  # fmt: skip
_ALL_LINES = "for i, j, n, g, c, nr, gr, cr, ns, gs, cs in "


def mean_over_mates(e: Expression) -> Expression | None:
    """The sum over mates of which an expression is the mean; None where it is none."""
    if e.op == "over" and e.args[0].op in ("mates", "classmates") and e.args[2] == ZERO:
        return e.args[0] if e.args[1] == Expression(e.args[0].op, ONE) else None
    return None


def vanishes(e: Expression, *names: str) -> bool:
    """Whether an expression is plainly 0 where these parts are."""
    if e.op in names or e == ZERO:
        return True
    if e.op in ("*", "^", "/"):
        return any(vanishes(x, *names) for x in (e.args if e.op == "*" else e.args[:1]))
    if e.op in ("+", "least", "largest"):
        return all(vanishes(x, *names) for x in e.args)
    return e.op == "sqrt" and vanishes(e.args[0], *names)


class Writer:
    """Writes the statements of one block; a block inside a loop has a writer of its own."""

    def __init__(self, place: Place, parent: Writer | None = None) -> None:
        self.place = place
        self.lines: list[str] = []
        self.indent = "    " if parent is None else parent.indent + "    "
        self.root: Writer = self if parent is None else parent.root
        self.names: dict[str, Any] = _names() if parent is None else parent.names
        self._numbers = count() if parent is None else parent._numbers
        self._known: dict[Expression, Value] = {}

    def function(self, result: str) -> Callable[[Overlay], Any]:
        """The function of an overlay ``o`` that these statements make, with this result."""
        source = "\n".join(["def value(o):", *self.lines, f"    return {result}"])
        # The names are those of this module and numbers; no text of a user is in this source.
        exec(compile(source, "<equation>", "exec"), self.names)
        made: Callable[[Overlay], Any] = self.names["value"]
        return made

    def add(self, line: str) -> None:
        """Write a line."""
        self.lines.append(self.indent + line)

    def new(self) -> str:
        """A name for a variable."""
        return f"v{next(self._numbers)}"

    def kept(self, text: str) -> str:
        """The name of a variable that holds this value."""
        if _PLAIN.match(text):
            return text
        name = self.new()
        self.add(f"{name} = {text}")
        return name

    def value(self, e: Expression) -> Value:
        """The source of an expression, with statements before it where it needs some; each is written once."""
        if e not in self._known:
            self._known[e] = self._short(self._value(e))
        return self._known[e]

    def _short(self, v: Value) -> Value:
        if v.kind == OBJECT:
            return replace(v, above=self.kept(v.above))
        if v.kind == RATIO and len(v.above) + len(v.below) > 50:
            # What is known to be positive stays in sight.
            below = v.below if _POSITIVE.match(v.below) else self.kept(v.below)
            return replace(v, above=self.kept(v.above), below=below)
        return v

    def _value(self, e: Expression) -> Value:
        op, place = e.op, self.place
        if op == "number":
            return Value(str(e.value.numerator), str(e.value.denominator))
        if e in place.known:
            return place.known[e]
        if op in SIZES:
            return Value(place.sizes[op])
        if op in CLOSED or op == "matrix" or (op in ("clusters", "classes") and not place.in_view):
            return self.root.closed(e)
        if op in ("in_cluster", "in_class", "clusters", "classes", "mates", "classmates"):
            return self._in_view(e)
        return _WRITERS[op](self, e)

    def closed(self, e: Expression) -> Value:
        """A sum over everything: a total of the overlay, or a function that the overlay remembers."""
        if e not in self._known:
            self._known[e] = Value(self.kept(_TOTALS[e])) if e in _TOTALS else self._remembered(e)
        return self._known[e]

    def _remembered(self, e: Expression) -> Value:
        kind, function = closed_sum(e)
        name, v = f"sum{next(self._numbers)}", self.new()
        self.names[name] = function
        if kind == RATIO:
            self.add(f"{v}, {v}d = {name}(o)")
            return Value(v, f"{v}d")
        self.add(f"{v} = {name}(o)")
        return Value(v, kind=OBJECT if kind == OBJECT else RATIO)

    # --- what is in view

    def _in_view(self, e: Expression) -> Value:
        side = 0 if e.op in ("in_cluster", "clusters", "mates") else 1
        number = self.place.number(side)
        if e.op in ("in_cluster", "in_class"):
            return Value(f"({number} > 0)")
        if e == clusters(1) or e == classes(1):
            return Value(number)
        masks = self.place.masks
        assert masks is not None
        if e.op in ("clusters", "classes"):
            return self._over_members(e.args[0], side, masks)
        if e.args[0] == ONE:
            return Value(f"reach(o)[{side}][{masks[side]}]")
        a, b, w = self.new(), self.new(), self.new()
        loop = f"for {a}, {b}, {w} in mates(o, {masks[0]}, {masks[1]}, {side})"
        return self.sum(loop, Writer(Place(masks=(a, b)), self), e.args[0], w)

    def _over_members(self, term: Expression, side: int, masks: tuple[str, str]) -> Value:
        """Σ over the clusters, or classes, in view; their best partners are those in view."""
        i = self.new()
        body = Writer(Place(sizes=_sizes_of_one(side, i)), self)
        for one in bests_of(term):
            j = self.new()
            pair = (i, j) if side == 0 else (j, i)
            inner = Writer(Place(sizes=_sizes_of_two(*pair)), body)
            v = self.new()
            start, winner = inner.keep_largest(one.args[0], v)
            body.add(f"{v} = {start}")
            body.add(f"for {j} in members({masks[1 - side]}):")
            body.lines += inner.lines
            body.place.known[one] = winner(v)
        return self.sum(f"for {i} in members({masks[side]})", body, term)

    # --- sums

    def sum(self, loop: str, body: Writer, e: Expression, weight: str = "1") -> Value:
        """Σ weight·e over a loop, of which the body writes the statements."""
        value = _times(Value(weight), body.value(e))
        if value.kind == LOGS and value.below != "1":
            value = Value(body.kept(as_object(value)), kind=OBJECT)
        item = value.above
        if value.kind == RATIO and value.below != "1":
            item = f"({value.above}, {value.below})"
        elif value.kind == ROOT:
            item = _root_item(value)
        v = self.new()
        if body.lines or value.kind == LOGS:
            self.add(f"{v} = []")
            self.add(f"{loop}:")
            self.lines += body.lines
            self.add(f"    {v} += {_log_list(value)}" if value.kind == LOGS else f"    {v}.append({item})")
        else:
            self.add(f"{v} = [{item} {loop}]")
        if value.kind == LOGS:
            return Value("1", kind=LOGS, lists=(("1", v),))
        if value.kind == RATIO and value.below == "1":
            return Value(f"sum({v})")
        if value.kind == RATIO:
            self.add(f"{v}, {v}d = ratio_sum({v}) if {v} else (0, 1)")
            return Value(v, f"{v}d")
        return Value(f"{'root_sum' if value.kind == ROOT else 'object_sum'}({v}) if {v} else 0", kind=OBJECT)

    def keep_largest(self, e: Expression, slot: str) -> tuple[str, Callable[[str], Value]]:
        """Write a loop's body that keeps the largest e in a slot; the text it starts with, and its value at the end.

        A slot holds a whole number, a ratio, the ratio that a root is of, or an object.
        """
        value = self.value(e)
        if value.kind == RATIO and value.below == "1":
            p = self.kept(value.above)
            self.add(f"if {p} > {slot}: {slot} = {p}")
            return "0", Value
        if value.kind in (LOGS, OBJECT):
            p = self.kept(as_object(value))
            self.add(f"if {p} > {slot}: {slot} = {p}")
            return "0", lambda text: Value(text, kind=OBJECT)
        above, below = value.above, value.below
        if value.kind == ROOT:
            p = self.kept(value.above)
            above, below = f"{p} * abs({p}) * {value.radicand[0]}", f"{_power(value.below, 2)} * {value.radicand[1]}"
        p, q, old = self.new(), self.new(), self.new()
        self.add(f"{p}, {q} = {_positive_ratio(above, below)}")
        self.add(f"{old} = {slot}")
        self.add(f"if {p} * {old}[1] > {old}[0] * {q}: {slot} = {p}, {q}")
        if value.kind == ROOT:
            return "(0, 1)", lambda text: Value("1", kind=ROOT, radicand=(f"{text}[0]", f"{text}[1]"))
        return "(0, 1)", lambda text: Value(f"{text}[0]", f"{text}[1]")


# --- Closed sums ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def closed_sum(e: Expression) -> tuple[str, Callable[[Overlay], Any]]:
    """A closed sum as a function of an overlay, and whether it returns a whole number, a ratio or an object."""
    top = Writer(Place())
    value = _CLOSED_SUMS[e.op](top, e.args[0])
    if value.kind == RATIO and value.below == "1":
        return "whole", remembered(top.function(value.above))
    if value.kind == RATIO:
        return RATIO, remembered(top.function(f"{value.above}, {value.below}"))
    return OBJECT, remembered(top.function(as_object(value)))


def _meetings(top: Writer, term: Expression) -> Value:
    if _uses_lines(term):
        return top.sum(f"{_ALL_LINES}met_partners(o)", Writer(Place(sizes=_SIZE_NAMES), top), term)
    return top.sum("for n, g, c in met_sizes(o)", Writer(Place(sizes=_SIZE_NAMES), top), term)


def _partners(term: Expression) -> str:
    """A loop over the pairs for which a term may be more than 0."""
    met = vanishes(term, "n")
    if _uses_lines(term) or not met:
        return f"{_ALL_LINES}{'met_partners' if met else 'partners'}(o)"
    return "for i, j, n, g, c in met(o)"


def _matching(top: Writer, term: Expression) -> Value:
    body, v = Writer(Place(sizes=_SIZE_NAMES), top), top.new()
    value = body.value(term)
    top.add(f"{v} = {{}}")
    top.add(f"{_partners(term)}:")
    top.lines += body.lines
    top.add(f"    {v}[i, j] = {value.above}, {value.below}")
    top.add(f"{v}, {v}d = matching({v}, o)")
    return Value(v, f"{v}d")


def _of_each(side: int) -> Callable[[Writer, Expression], Value]:
    def written(top: Writer, term: Expression) -> Value:
        letter, family = ("g", "candidate") if side == 0 else ("c", "gold")
        known, lists, names = {}, [f"o.{family}_sizes"], [letter]
        for one in bests_of(term):
            v, b = top.new(), top.new()
            body = Writer(Place(sizes=_SIZE_NAMES), top)
            start, winner = body.keep_largest(one.args[0], f"{v}[{'ij'[side]}]")
            top.add(f"{v} = [{start}] * len(o.{family}_sizes)")
            top.add(f"{_partners(one.args[0])}:")
            top.lines += body.lines
            known[one] = winner(b)
            lists.append(v)
            names.append(b)
        sizes = {letter: letter}
        if _uses_lines(term):
            lists.append(f"o.{family}")
            names.append("(rows, cols)")
            sizes |= {f"{letter}.rows": "len(rows)", f"{letter}.cols": "len(cols)"}
        loop = f"for {', '.join(names)} in {'zip' if len(lists) > 1 else ''}({', '.join(lists)})"
        return top.sum(loop, Writer(Place(sizes=sizes, known=known), top), term)

    return written


def _cells(top: Writer, term: Expression) -> Value:
    if term.op == "+" and any(mean_over_mates(x) is not None for x in term.args):
        return reduce(_plus, [top.value(cells(x)) for x in term.args])
    mean = mean_over_mates(term)
    if mean is not None and _needs_other_side(mean.args[0], 1 if mean.op == "mates" else 0):
        found = _mean_over_mates(top, mean)
        if found is not None:
            return found
    if _by_depth(term):
        return top.sum("for x, y, w in depths(o)", Writer(Place(numbers=("x", "y")), top), term, "w")
    return top.sum("for A, B, w in o.atoms", Writer(Place(masks=("A", "B")), top), term, "w")


def _mean_over_mates(top: Writer, mean: Expression) -> Value | None:
    """By what pairs of cells share on both sides; None where the term is no ratio."""
    term = mean.args[0]
    known = {IDENTITY: Value("P", "Q")}
    body = Writer(Place(masks=("A", "B"), numbers=("x", "y"), known=known), top)
    value = body.value(term)
    if value.kind != RATIO:
        return None
    if mean in KNOWN_MEANS:
        side, identity = KNOWN_MEANS[mean]
        top.add("if o.is_tangled:")
        top.add(f"    return tangled_mean(o, {side}, {identity})")
    top.add("terms = []")
    top.add("for A, B, precision, recall in o.together:")
    top.add("    x, y = A.bit_count(), B.bit_count()")
    if term.uses("best"):
        top.add("    P, Q = o.identity(A, B)")
    top.lines += body.lines
    above, below = top.new(), top.new()
    top.add(f"    {above}, {below} = {value.above}, {value.below}")
    shares = "precision" if mean.op == "mates" else "recall"
    top.add(f"    terms += [(k * {above}, r * {below}) for k, r in {shares}]")
    top.add("total, over = ratio_sum(terms) if terms else (0, 1)")
    return Value("total", "over")


def _pairs(top: Writer, term: Expression) -> Value:
    if _by_depth(term):
        return top.sum("for x, y, w in pair_depths(o)", Writer(Place(numbers=("x", "y")), top), term, "w")
    return top.sum("for A, B, w in pair_views(o)", Writer(Place(masks=("A", "B")), top), term, "w")


_CLOSED_SUMS = {
    "meetings": _meetings, "matching": _matching, "clusters": _of_each(0), "classes": _of_each(1),
    "cells": _cells, "pairs": _pairs,
}  # fmt: skip


def bests_of(term: Expression) -> list[Expression]:
    """The ``best`` nodes of a sum over clusters or classes, each once."""
    if term.op == "best":
        return [term]
    if term.op in ("clusters", "classes", *CLOSED):
        return []
    return list(dict.fromkeys(b for x in term.args for b in bests_of(x)))


def _uses_lines(term: Expression) -> bool:
    """Whether rows or columns count by themselves, outside of sums over everything."""
    if term.op in CLOSED:
        return False
    return "." in term.op or any(map(_uses_lines, term.args))


def _by_depth(term: Expression) -> bool:
    """Whether only the numbers of clusters and classes in view count."""
    if term.op in ("mates", "classmates") or (term.op in ("clusters", "classes") and term.args[0] != ONE):
        return False
    return all(map(_by_depth, term.args))


def _needs_other_side(term: Expression, side: int) -> bool:
    """Whether a term is plainly 0 where no class (side 1), or cluster, is in view."""
    names = ("in_cluster", "clusters") if side == 0 else ("in_class", "classes")
    if term.op == "least":
        counts = all(x in (clusters(1), classes(1), in_cluster, in_class) or x.op == "number" for x in term.args)
        return counts and any(x.op in names for x in term.args)
    if term.op in ("*", "/", "^"):
        return any(_needs_other_side(x, side) for x in (term.args if term.op == "*" else term.args[:1]))
    return term.op in names


def _sizes_of_one(side: int, i: str) -> dict[str, str]:
    letter, family = ("g", "candidate") if side == 0 else ("c", "gold")
    lines = {
        f"{letter}.{name}": f"len(o.{family}.biclusters[{i}][{axis}])" for axis, name in enumerate(("rows", "cols"))
    }
    return {letter: f"o.{family}_sizes[{i}]", **lines}


def _sizes_of_two(i: str, j: str) -> dict[str, str]:
    shared = {
        f"n.{name}": f"len(o.candidate.biclusters[{i}][{axis}] & o.gold.biclusters[{j}][{axis}])"
        for axis, name in enumerate(("rows", "cols"))
    }
    return {"n": f"o.meetings.get(({i}, {j}), 0)", **_sizes_of_one(0, i), **_sizes_of_one(1, j), **shared}


# --- Arithmetic of texts -------------------------------------------------------------------------------------


def as_object(v: Value) -> str:
    """The text of a number: a whole number, a fraction, or a sum of roots or of logarithms."""
    if v.kind == OBJECT:
        return v.above
    if v.kind == LOGS:
        return f"sum_of_logs({_log_list(v)}, {v.below})"
    if v.kind == ROOT:
        return f"root_sum([{_root_item(v)}])"
    return v.above if v.below == "1" else f"Fraction({v.above}, {v.below})"


def _root_item(v: Value) -> str:
    # k/d·√(a/b) is k/(d·b)·√(a·b).
    return f"({v.above}, {_product(v.below, v.radicand[1])}, {_product(*v.radicand)})"


def _log_list(v: Value) -> str:
    plain = [f"({k}, {argument})" for k, argument in v.logs]
    lists = [f"*[({_product(k, 'k')}, m) for k, m in {name}]" if k != "1" else f"*{name}" for k, name in v.lists]
    return f"[{', '.join([*plain, *lists])}]"


def _product(a: str, b: str) -> str:
    if a == "1" or b == "1":
        return b if a == "1" else a
    return f"{a} * {b}"


def _power(a: str, k: int) -> str:
    return a if a == "1" else f"{a}**{k}" if _PLAIN.match(a) else f"({a})**{k}"


def _positive_ratio(above: str, below: str) -> str:
    return f"{above}, {below}" if _POSITIVE.match(below) else f"turned({above}, {below})"


def _times(a: Value, b: Value) -> Value:
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


def _plus(a: Value, b: Value) -> Value:
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
    return reduce(_plus, values)


def _write_product(w: Writer, e: Expression) -> Value:
    return reduce(_times, map(w.value, e.args))


def _write_power(w: Writer, e: Expression) -> Value:
    base, k = w.value(e.args[0]), int(e.args[1].value)
    if base.kind == RATIO:
        return Value(_power(base.above, k), _power(base.below, k))
    return reduce(_times, [base] * k)


def _inverse(b: Value) -> Value | None:
    """1/b of a ratio or a root; None of anything else."""
    if b.kind == RATIO:
        return Value(b.below, b.above)
    return Value(b.below, b.above, ROOT, (b.radicand[1], b.radicand[0])) if b.kind == ROOT else None


def _quotient(a: Value, b: Value) -> Value:
    inverse = _inverse(b)
    if inverse is None:
        return Value(f"divided({as_object(a)}, {as_object(b)})", kind=OBJECT)
    return _times(a, inverse)


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
    w.add(f"{p}, {q} = {_positive_ratio(v.above, v.below)}")
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
        return [(Expression("number", value=Fraction(k)), p) for k, p in zip(e.value.as_integer_ratio(), (1, -1))]
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


_WRITERS: dict[str, Callable[[Writer, Expression], Value]] = {
    "+": _write_sum, "*": _write_product, "^": _write_power, "/": _write_quotient, "over": _write_over,
    "least": _write_extreme, "largest": _write_extreme, "sqrt": _write_root, "log": _write_log,
    "exp": _write_float("exponential"), "arccos": _write_float("half_turns"),
}  # fmt: skip


def _names() -> dict[str, Any]:
    """What compiled source may name."""
    return {**vars(exact_sums), "members": members, "sum_of_logs": sum_of_logs, "Fraction": Fraction}
