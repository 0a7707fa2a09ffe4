"""Equations in print: Unicode for terminals and JSON for nobody's eyes aside, LaTeX for papers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from metaeval.equations.tree import ONE, Expression, number

if TYPE_CHECKING:
    from metaeval.equations.equation import Equation

_MINUS_ONE = number(-1)
#: A longer formula is printed with names for its parts.
_LONG = 72
#: Binding strength: sums, products, quotients, powers.
_SUM, _PRODUCT, _QUOTIENT, _POWER = range(4)


def f1_parts(e: Expression) -> tuple[Expression, Expression] | None:
    """p and r where this is f1(p, r), as :func:`metaeval.equations.f1` makes it."""
    if e.op != "over" or e.args[1].op != "+" or len(e.args[1].args) != 2 or e.args[2] != number(0):
        return None
    p, r = e.args[1].args
    return (p, r) if e.args[0] == number(2) * p * r else None


def _signed(e: Expression) -> tuple[bool, Expression]:
    """Whether a summand is subtracted, and without its sign."""
    if e.op == "*" and e.args[0] == _MINUS_ONE:
        return True, e.args[1] if len(e.args) == 2 else Expression("*", *e.args[1:])
    if e.op == "number" and e.value < 0:
        return True, number(-e.value)
    return False, e


def _summands(e: Expression) -> list[Expression]:
    return [y for x in e.args for y in _summands(x)] if e.op == "+" else [e]


def unicode_text(e: Expression, strength: int = _SUM, names: dict[Expression, str] | None = None) -> str:
    """An expression on one line, with ``names`` in place of some of its parts."""
    if names and e in names:
        return names[e]

    def inner(x: Expression, strength: int = _SUM) -> str:
        return unicode_text(x, strength, names)

    if e.op == "number":
        text = str(e.value).replace("-", "−")
        return f"({text})" if strength > (_SUM if e.value < 0 else _PRODUCT) and not text.isdigit() else text
    if not e.args:
        return e.op
    if e.op == "+":
        text = ""
        for minus, x in map(_signed, _summands(e)):
            text += (" − " if minus else " + ") + inner(x, _PRODUCT)
        text = text[3:] if text.startswith(" + ") else "−" + text[3:]
        return f"({text})" if strength > _SUM else text
    if e.op == "*":
        minus, rest = _signed(e)
        if minus:
            return f"(−{inner(rest, _PRODUCT)})" if strength > _SUM else f"−{inner(rest, _PRODUCT)}"
        text = "·".join(inner(x, _PRODUCT) for x in e.args)
        return f"({text})" if strength > _PRODUCT else text
    if e.op == "/":
        text = f"{inner(e.args[0], _PRODUCT)}/{inner(e.args[1], _POWER)}"
        return f"({text})" if strength > _PRODUCT else text
    if e.op == "over":
        return _over_text(e, names)
    if e.op == "^":
        return f"{inner(e.args[0], _POWER)}^{e.args[1].value}"
    return f"{e.op}({', '.join(inner(x) for x in e.args)})"


def _over_text(e: Expression, names: dict[Expression, str] | None) -> str:
    a, b, v = (unicode_text(x, _SUM, names) for x in e.args)
    parts = f1_parts(e)
    if parts:
        return f"f1({', '.join(unicode_text(x, _SUM, names) for x in parts)})"
    return f"share({a}, {b})" if e.args[2] == ONE else f"over({a}, {b}, {v})"


def equation_text(equation: Equation) -> str:
    """The formula; a long one in several lines, with letters for the parts that recur or are long themselves."""
    return formula_text(equation.expression)


def formula_text(e: Expression) -> str:
    """An expression as one line, or as a line with letters and one line per letter."""
    names: dict[Expression, str] = {}
    whole = unicode_text(e)
    if len(whole) <= _LONG:
        return whole
    for part in _parts(e):
        if len(names) < len(_LETTERS):
            names[part] = _LETTERS[len(names)]
    lines = [unicode_text(e, _SUM, names)]
    for part, letter in names.items():
        others = {other: name for other, name in names.items() if other != part and other.nodes < part.nodes}
        if any(f"{letter}" in line for line in lines):
            lines.append(f"{letter} = {unicode_text(part, _SUM, others)}")
    return "\n".join(lines)


_LETTERS = "PQRSTVWXYZ"


def _parts(e: Expression) -> list[Expression]:
    """Closed parts that are worth a letter, larger ones first: they occur twice, or are long."""
    often = Counter(x for x in _closed(e) if x.nodes > 3)
    chosen = [x for x, count in often.items() if x is not e and count > 1 and len(unicode_text(x)) > 12]
    outer = {x for part in f1_parts(e) or () for x in (part,) if part.nodes > 3}
    return sorted({*chosen, *outer}, key=lambda x: (-x.nodes, str(x)))


def _closed(e: Expression) -> list[Expression]:
    """The parts of the top level: what stands inside a sum depends on its place there."""
    inside = [] if e.op in ("clusters", "classes", "meetings", "matching", "cells", "pairs") else e.args
    return [e, *(y for x in inside for y in _closed(x))]


_LATEX_SUMS = {
    "clusters": r"\sum_{G}", "classes": r"\sum_{C}", "meetings": r"\sum_{G \cap C \neq \emptyset}",
    "matching": r"\max_{M} \sum_{(G, C) \in M}", "best": r"\max_{\ast}", "cells": r"\sum_{x}",
    "pairs": r"\sum_{\{x, y\}}", "mates": r"\sum_{y \sim_G x}", "classmates": r"\sum_{y \sim_C x}",
}  # fmt: skip
_LATEX_NAMES = {
    "matrix": "N", "in_cluster": "[G]", "in_class": "[C]", "n": "n", "g": "g", "c": "c",
    **{f"{size}.{part}": rf"{size}_{{\mathrm{{{part}}}}}" for size in "ngc" for part in ("rows", "cols")},
}  # fmt: skip
_LATEX_FUNCTIONS = {"least": r"\min", "largest": r"\max", "log": r"\log", "exp": r"\exp",
                    "arccos": r"\tfrac{1}{\pi}\arccos"}  # fmt: skip


def latex_text(e: Expression, strength: int = _SUM) -> str:
    """An expression in LaTeX, for math mode."""
    if e.op == "number":
        top, below = e.value.as_integer_ratio()
        text = str(top) if below == 1 else rf"{'-' if top < 0 else ''}\tfrac{{{abs(top)}}}{{{below}}}"
        return rf"\left({text}\right)" if strength > _SUM and top < 0 else text
    if e.op in _LATEX_NAMES:
        return _LATEX_NAMES[e.op]
    if e.op in _LATEX_SUMS:
        text = f"{_LATEX_SUMS[e.op]} {latex_text(e.args[0], _PRODUCT)}"
        return rf"\left({text}\right)" if strength >= _PRODUCT else text
    if e.op == "+":
        text = "".join((" - " if minus else " + ") + latex_text(x, _PRODUCT) for minus, x in map(_signed, _summands(e)))
        text = text[3:] if text.startswith(" + ") else "-" + text[3:]
        return rf"\left({text}\right)" if strength > _SUM else text
    if e.op == "*":
        minus, rest = _signed(e)
        if minus:
            text = "-" + latex_text(rest, _PRODUCT)
            return rf"\left({text}\right)" if strength > _SUM else text
        return r" \cdot ".join(latex_text(x, _PRODUCT) for x in e.args)
    if e.op == "/":
        return rf"\frac{{{latex_text(e.args[0])}}}{{{latex_text(e.args[1])}}}"
    if e.op == "over":
        a, b, v = map(latex_text, e.args)
        parts = f1_parts(e)
        if parts:
            return rf"F_1\!\left({', '.join(map(latex_text, parts))}\right)"
        return rf"\left[\frac{{{a}}}{{{b}}}\right]_{{0/0 = {v}}}"
    if e.op == "^":
        return rf"{{{latex_text(e.args[0], _POWER)}}}^{{{e.args[1].value}}}"
    if e.op == "sqrt":
        return rf"\sqrt{{{latex_text(e.args[0])}}}"
    return rf"{_LATEX_FUNCTIONS[e.op]}\left({', '.join(map(latex_text, e.args))}\right)"
