"""Python source of an expression: statements that compute in whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial, reduce
from itertools import count
from typing import Any

from metaeval.equations import exact_sums
from metaeval.equations.source_text import (
    IDENTITY, KNOWN_MEANS, LOGS, OBJECT, OPERATORS, PLAIN, POSITIVE, RATIO, ROOT, TOTALS, Value, as_object, bests_of,
    by_depth, indicators, log_list, mean_over_mates, plus, positive_ratio, power, root_item, times,
    uses_lines, vanishes,
)  # fmt: skip
from metaeval.equations.tree import CLOSED, ONE, SIZES, Expression, cells, in_cluster
from metaeval.exact import sum_of_logs
from metaeval.kernel.atoms import members
from metaeval.kernel.overlay import Overlay, extreme, ratio_sum


@dataclass(frozen=True)
class Scope:
    """Where a statement stands: the texts of sizes, of masks in view or their numbers, and of parts that are known."""

    sizes: dict[str, str] = field(default_factory=dict)
    masks: tuple[str, str] | None = None
    numbers: tuple[str, str] | None = None
    known: dict[Expression, Value] = field(default_factory=dict)

    @property
    def views(self) -> tuple[str, str] | None:
        """Numbers that are 0 if no cluster, or no class, is in view; None outside cells, pairs, mates, classmates."""
        return self.masks or self.numbers


_SIZE_NAMES = {"n": "n", "g": "g", "c": "c", "n.rows": "nr", "g.rows": "gr", "c.rows": "cr",
               "n.cols": "ns", "g.cols": "gs", "c.cols": "cs"}  # fmt: skip
_LINES = ((0, "rows"), (1, "cols"))


class Writer:
    """Writes the statements of one block; a block inside a loop has a writer of its own."""

    def __init__(self, place: Scope, parent: Writer | None = None) -> None:
        self.place = place
        self.lines: list[str] = []
        self.indent: str = "    " if parent is None else parent.indent + "    "
        self.root: Writer = self if parent is None else parent.root
        self.names: dict[str, Any] = _names() if parent is None else parent.names
        self._numbers: Iterator[int] = count() if parent is None else parent._numbers
        self._known: dict[Expression, Value] = {}

    def function(self, result: str) -> Callable[[Overlay], Any]:
        """The function of an overlay ``o`` that these statements make, with this result."""
        source = "\n".join(["def value(o):", *self.lines, f"    return {result}"])
        # The names are those of this module and numbers; no text of a user is in this source.
        exec(compile(source, "<equation>", "exec"), self.names)
        made: Callable[[Overlay], Any] = self.names["value"]
        return made

    def add(self, line: str) -> None:
        self.lines.append(self.indent + line)

    def new(self) -> str:
        return f"v{next(self._numbers)}"

    def kept(self, text: str) -> str:
        """The name of a variable that holds this value."""
        if PLAIN.match(text):
            return text
        name = self.new()
        self.add(f"{name} = {text}")
        return name

    def pair(self, text: str) -> tuple[str, str]:
        """The names of two variables that hold these values."""
        p, q = self.new(), self.new()
        self.add(f"{p}, {q} = {text}")
        return p, q

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
            above = self.kept(v.above)
            return replace(v, above=above, below=v.below if POSITIVE.match(v.below) else self.kept(v.below))
        return v

    def _value(self, e: Expression) -> Value:
        op, place = e.op, self.place
        if op == "number":
            return Value(str(e.value.numerator), str(e.value.denominator))
        if e in place.known:
            return place.known[e]
        if op in SIZES:
            return Value(place.sizes[op])
        if op in CLOSED or op == "matrix" or (op in ("clusters", "classes") and place.views is None):
            return self.root.closed(e)
        if op in ("in_cluster", "in_class", "clusters", "classes", "mates", "classmates"):
            return self._in_view(e)
        return OPERATORS[op](self, e)

    def closed(self, e: Expression) -> Value:
        """A sum over everything: a total of the overlay, or a function that the overlay remembers."""
        if e not in self._known:
            self._known[e] = Value(self.kept(TOTALS[e])) if e in TOTALS else self._remembered(e)
        return self._known[e]

    def _remembered(self, e: Expression) -> Value:
        kind, function = closed_sum(e)
        name, v = f"sum{next(self._numbers)}", self.new()
        self.names[name] = function
        # As @remembered does; a call and an exception would cost as much as a small sum.
        self.add(f"{v} = o._values.get({name})")
        self.add(f"if {v} is None: {v} = o._values[{name}] = {name}(o)")
        if kind == RATIO:
            self.add(f"{v}, {v}d = {v}")
            return Value(v, f"{v}d")
        if kind == LOGS:
            return Value("1", kind=LOGS, lists=(("1", v),))
        return Value(v, kind=OBJECT if kind == OBJECT else RATIO)

    # --- what is in view

    def _in_view(self, e: Expression) -> Value:
        side = 0 if e.op in ("in_cluster", "clusters", "mates") else 1
        masks, numbers, views = self.place.masks, self.place.numbers, self.place.views
        assert views is not None
        if e.op in ("in_cluster", "in_class"):
            return Value(f"({views[side]} > 0)")
        if e.args[0] == ONE and e.op in ("clusters", "classes"):
            return Value(numbers[side] if numbers else f"{views[side]}.bit_count()")
        assert masks is not None
        if e.op in ("clusters", "classes"):
            return self._over_members(e.args[0], side, masks)
        if e.args[0] == ONE:
            return Value(f"reach(o)[{side}][{masks[side]}]")
        a, b, w = self.new(), self.new(), self.new()
        loop = f"for {a}, {b}, {w} in mates(o, {masks[0]}, {masks[1]}, {side})"
        return self.sum(loop, Writer(Scope(masks=(a, b)), self), e.args[0], w)

    def _over_members(self, term: Expression, side: int, masks: tuple[str, str]) -> Value:
        """Σ over the clusters, or classes, in view; their best partners are those in view."""
        i = self.new()
        body = Writer(Scope(sizes=_sizes_of_one(side, i)), self)
        for one in bests_of(term):
            j = self.new()
            pair = (i, j) if side == 0 else (j, i)
            inner = Writer(Scope(sizes=_sizes_of_two(*pair)), body)
            v = self.new()
            start, winner = inner.keep_largest(one.args[0], v)
            body.add(f"{v} = {start}")
            body.add(f"for {j} in members({masks[1 - side]}):")
            body.lines += inner.lines
            body.place.known[one] = winner(v)
        return self.sum(f"for {i} in members({masks[side]})", body, term)

    # --- sums

    def sum(self, loop: str, body: Writer, e: Expression, weight: str = "1", unless: str = "") -> Value:
        """Σ weight·e over a loop, of which the body writes the statements; a turn is left out under a condition."""
        value = times(Value(weight), body.value(e))
        if value.kind == LOGS and value.below != "1":
            value = Value(body.kept(as_object(value)), kind=OBJECT)
        item = value.above
        if value.kind == RATIO and value.below != "1":
            item = f"({value.above}, {value.below})"
        elif value.kind == ROOT:
            item = root_item(value)
        v = self.new()
        if body.lines or value.kind == LOGS:
            # Equal sizes are common, so logarithms are collected by what they are of.
            collected = value.kind == LOGS and not value.lists
            self.add(f"{v} = {'{}' if collected else '[]'}")
            self.add(f"{loop}:")
            if unless:
                self.add(f"    if {unless}: continue")
            self.lines += body.lines
            if collected:
                for k, argument in value.logs:
                    self.add(f"    {v}[{argument}] = {v}.get({argument}, 0) + {k}")
                self.add(f"{v} = [(k, m) for m, k in {v}.items()]")
            else:
                self.add(f"    {v} += {log_list(value)}" if value.kind == LOGS else f"    {v}.append({item})")
        else:
            self.add(f"{v} = [{item} {loop}{f' if not ({unless})' if unless else ''}]")
        if value.kind == LOGS:
            return Value("1", kind=LOGS, lists=(("1", v),))
        if value.kind == RATIO and value.below == "1":
            return Value(f"sum({v})")
        if value.kind == RATIO:
            self.add(f"{v}, {v}d = ratio_sum({v}) if {v} else (0, 1)")
            return Value(v, f"{v}d")
        return Value(f"{'root_sum(' if value.kind == ROOT else 'reduce(plus, '}{v}) if {v} else 0", kind=OBJECT)

    def keep_largest(self, e: Expression, slot: str) -> tuple[str, Callable[[str], Value]]:
        """Write a loop's body that keeps the largest e in a slot; the text it starts with, and its value at the end.

        A slot holds a whole number, a ratio, the ratio that a root is of, or an object.
        """
        value = self.value(e)
        whole = value.kind == RATIO and value.below == "1"
        if whole or value.kind in (LOGS, OBJECT):
            p = self.kept(as_object(value))
            self.add(f"if {p} > {slot}: {slot} = {p}")
            return "0", Value if whole else partial(Value, kind=OBJECT)
        above, below = value.above, value.below
        if value.kind == ROOT:
            p = self.kept(value.above)
            above, below = f"{p} * abs({p}) * {value.radicand[0]}", f"{power(value.below, 2)} * {value.radicand[1]}"
        p, q = self.pair(positive_ratio(above, below))
        old = self.new()
        self.add(f"{old} = {slot}")
        self.add(f"if {p} * {old}[1] > {old}[0] * {q}: {slot} = {p}, {q}")
        if value.kind == ROOT:
            return "(0, 1)", lambda text: Value("1", kind=ROOT, radicand=(f"{text}[0]", f"{text}[1]"))
        return "(0, 1)", lambda text: Value(f"{text}[0]", f"{text}[1]")


# --- Closed sums ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def closed_sum(e: Expression) -> tuple[str, Callable[[Overlay], Any]]:
    """A closed sum as a function of an overlay, and what it returns: a whole number, a ratio, logarithms, an object."""
    top = Writer(Scope())
    value = _CLOSED_SUMS[e.op](top, e.args[0])
    if value.kind == RATIO and value.below == "1":
        return "whole", top.function(value.above)
    if value.kind == RATIO:
        return RATIO, top.function(f"{value.above}, {value.below}")
    if value.kind == LOGS and value.below == "1":
        return LOGS, top.function(f"tuple({log_list(value)})")
    return OBJECT, top.function(as_object(value))


def _each_pair(term: Expression, met: bool) -> str:
    """A loop over the pairs of a cluster and a class that share a cell, or over all pairs."""
    if uses_lines(term) or not met:
        return f"for i, j, n, g, c, nr, gr, cr, ns, gs, cs in {'met_partners' if met else 'partners'}(o)"
    return "for i, j, n, g, c in met(o)"


def _matching(top: Writer, term: Expression) -> Value:
    body, v = Writer(Scope(sizes=_SIZE_NAMES), top), top.new()
    value = body.value(term)
    top.add(f"{v} = {{}}")
    top.add(f"{_each_pair(term, vanishes(term, 'n'))}:")
    top.lines += body.lines
    top.add(f"    {v}[i, j] = {value.above}, {value.below}")
    top.add(f"{v}, {v}d = matching({v}, o)")
    return Value(v, f"{v}d")


def _of_each(side: int, top: Writer, term: Expression) -> Value:
    letter, family = ("g", "candidate") if side == 0 else ("c", "gold")
    known, lists, names = {}, [f"o.{family}_sizes"], [letter]
    for one in bests_of(term):
        v, b = top.new(), top.new()
        body = Writer(Scope(sizes=_SIZE_NAMES), top)
        start, winner = body.keep_largest(one.args[0], f"{v}[{'ij'[side]}]")
        top.add(f"{v} = [{start}] * len(o.{family}_sizes)")
        top.add(f"{_each_pair(one.args[0], vanishes(one.args[0], 'n'))}:")
        top.lines += body.lines
        known[one] = winner(b)
        lists.append(v)
        names.append(b)
    sizes = {letter: letter}
    if uses_lines(term):
        lists.append(f"o.{family}")
        names.append("(rows, cols)")
        sizes |= {f"{letter}.rows": "len(rows)", f"{letter}.cols": "len(cols)"}
    loop = f"for {', '.join(names)} in {'zip' if len(lists) > 1 else ''}({', '.join(lists)})"
    return top.sum(loop, Writer(Scope(sizes=sizes, known=known), top), term)


def _cells(top: Writer, term: Expression) -> Value:
    if term.op == "+" and any(mean_over_mates(x) is not None or indicators(x)[0] for x in term.args):
        return reduce(plus, [top.value(cells(x)) for x in term.args])
    mean = mean_over_mates(term)
    other_side = ("in_class", "classes") if term.uses("mates") else ("in_cluster", "clusters")
    if mean is not None and vanishes(mean.args[0], *other_side):
        found = _mean_over_mates(top, mean)
        if found is not None:
            return found
    if by_depth(term):
        return top.sum("for x, y, w in depths(o)", Writer(Scope(numbers=("x", "y")), top), term, "w")
    conditions, rest = indicators(term)
    unless = [f"{'not ' if truth else ''}{'A' if one == in_cluster else 'B'}" for one, truth in conditions.items()]
    body = Writer(Scope(masks=("A", "B")), top)
    return top.sum("for A, B, w in o.atoms", body, rest, "w", unless=" or ".join(unless))


def _mean_over_mates(top: Writer, mean: Expression) -> Value | None:
    """By what pairs of cells share on both sides; None where the term is no ratio."""
    term = mean.args[0]
    body = Writer(Scope(masks=("A", "B"), numbers=("x", "y"), known={IDENTITY: Value("P", "Q")}), top)
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
    if by_depth(term):
        known = "pair_depths" if term.uses("clusters", "classes") else "pair_kinds"
        return top.sum(f"for x, y, w in {known}(o)", Writer(Scope(numbers=("x", "y")), top), term, "w")
    return top.sum("for A, B, w in pair_views(o)", Writer(Scope(masks=("A", "B")), top), term, "w")


_CLOSED_SUMS: dict[str, Callable[[Writer, Expression], Value]] = {
    "meetings": lambda top, term: top.sum(_each_pair(term, True), Writer(Scope(sizes=_SIZE_NAMES), top), term),
    "matching": _matching, "cells": _cells, "pairs": _pairs,
    "clusters": partial(_of_each, 0), "classes": partial(_of_each, 1),
}  # fmt: skip


def _sizes_of_one(side: int, i: str) -> dict[str, str]:
    letter, family = ("g", "candidate") if side == 0 else ("c", "gold")
    lines = {f"{letter}.{name}": f"len(o.{family}.biclusters[{i}][{axis}])" for axis, name in _LINES}
    return {letter: f"o.{family}_sizes[{i}]", **lines}


def _sizes_of_two(i: str, j: str) -> dict[str, str]:
    own, its = f"o.candidate.biclusters[{i}]", f"o.gold.biclusters[{j}]"
    shared = {f"n.{name}": f"len({own}[{axis}] & {its}[{axis}])" for axis, name in _LINES}
    return {"n": f"o.meetings.get(({i}, {j}), 0)", **_sizes_of_one(0, i), **_sizes_of_one(1, j), **shared}


def _names() -> dict[str, Any]:
    """What compiled source may name."""
    others = {"members": members, "extreme": extreme, "ratio_sum": ratio_sum, "sum_of_logs": sum_of_logs}
    return {**vars(exact_sums), **others, "Fraction": Fraction, "reduce": reduce}
