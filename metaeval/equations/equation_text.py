"""Equations in print: Unicode for terminals and documents, LaTeX for papers."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from metaeval.equations.tree import CLOSED, ONE, ZERO, Expression, number, summands

Names = Mapping[Expression, str]

_MINUS_ONE = number(-1)
#: A longer line is printed with letters for its parts; a shorter part is not worth one.
_LONG, _SHORT = 76, 15
_LETTERS = "PQRSTVWXYZ"
#: Binding strength: sums, products, quotients, powers.
_SUM, _PRODUCT, _QUOTIENT, _POWER = range(4)
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def f1_parts(e: Expression) -> tuple[Expression, Expression] | None:
    """p and r where this is f1(p, r), as :func:`metaeval.equations.f1` makes it."""
    if e.op != "over" or e.args[1].op != "+" or len(e.args[1].args) != 2 or e.args[2] != ZERO:
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


def unicode_text(e: Expression, strength: int = _SUM, names: Names | None = None) -> str:
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
        text = "".join((" − " if minus else " + ") + inner(x, _PRODUCT) for minus, x in map(_signed, summands(e)))
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
        if parts := f1_parts(e):
            return f"f1({', '.join(map(inner, parts))})"
        return f"{'share' if e.args[2] == ONE else 'over'}({', '.join(map(inner, _arguments(e)))})"
    if e.op == "^":
        return f"{inner(e.args[0], _POWER)}{str(e.args[1].value).translate(_RAISED)}"
    return f"{e.op}({', '.join(map(inner, e.args))})"


def formula_text(e: Expression) -> str:
    """An expression as one line; a long one with letters for parts that recur or are long, and a line per letter."""
    names = letters(e)
    return "\n".join([_line(e, names), *(f"{letter} = {_line(x, names)}" for x, letter in names.items())])


def _line(e: Expression, names: Names) -> str:
    """An expression with letters for its parts, though it has one itself."""
    return unicode_text(e, _SUM, {x: letter for x, letter in names.items() if x != e})


# --- letters


def letters(e: Expression) -> dict[Expression, str]:
    """Letters for parts of a long expression: those that recur, and those that split what is still too long.

    A letter stands for its text, wherever it occurs. They are in the order in which a reader meets them.
    """
    if len(unicode_text(e)) <= _LONG:
        return {}
    views: dict[Expression, set[str]] = {}
    for x, view in _walk(e, ""):
        views.setdefault(x, set()).add(view)
    # What is in view differs from place to place: a part that stands in two views has no letter.
    apart = {x for x, found in views.items() if len(found) > 1 or len(unicode_text(x)) < _SHORT}
    chosen = [x for x, times in _occurrences(e).items() if times > 1 and x not in apart]
    while len(chosen) < len(_LETTERS):
        found = _splitting(e, chosen, apart)
        if not found:
            break
        chosen += found
    return _in_order(e, chosen[: len(_LETTERS)])


def _parts(e: Expression) -> tuple[Expression, ...]:
    """The parts of an expression as it is printed."""
    if e.op == "+":
        return tuple(x for _, x in map(_signed, summands(e)))
    minus, rest = _signed(e)
    return (rest,) if minus and e.args else f1_parts(e) or _arguments(e)


def _arguments(e: Expression) -> tuple[Expression, ...]:
    """What is printed of the arguments: share(a, b) has two, a power is no part."""
    return e.args[: {"^": 1, "over": 2 if e.args[-1] == ONE else 3}.get(e.op)] if e.args else ()


def _inner_view(op: str, view: str) -> str:
    if op in CLOSED:
        return {"cells": "x", "pairs": "xy"}.get(op, "")
    return "xy" if op in ("mates", "classmates") else view


def _walk(e: Expression, view: str) -> Iterator[tuple[Expression, str]]:
    """All parts, each with its view: of everything, of a cell x, of two cells."""
    yield e, view
    for x in _parts(e):
        yield from _walk(x, _inner_view(e.op, view))


def _occurrences(e: Expression) -> Counter[Expression]:
    """How often each part occurs; what recurs is looked into once."""
    found: Counter[Expression] = Counter()
    waiting = [e]
    while waiting:
        x = waiting.pop()
        found[x] += 1
        waiting += _parts(x) if found[x] == 1 else ()
    return found


def _splitting(e: Expression, chosen: list[Expression], apart: set[Expression]) -> list[Expression]:
    """Parts that split the longest line, and those beside them that are built alike; none if all lines are short."""
    names = dict.fromkeys(chosen, "P")
    whole = max((e, *chosen), key=lambda x: len(_line(x, names)))
    length = len(_line(whole, names))
    if length <= _LONG:
        return []
    best: tuple[int, list[Expression]] = length, []
    waiting = [whole]
    while waiting:
        row = [x for x in _parts(waiting.pop()) if x not in names]
        waiting += row
        for x in row:
            text = len(_line(x, names))
            longer = max(text, length - text)
            if x not in apart and longer < best[0]:
                best = longer, [y for y in dict.fromkeys(row) if (y.op, y.nodes) == (x.op, x.nodes) and y not in apart]
    return best[1]


def _in_order(e: Expression, chosen: list[Expression]) -> dict[Expression, str]:
    names: dict[Expression, str] = {}
    lines = [e]
    for line in lines:  # grows on the way
        waiting = [*reversed(_parts(line))]
        while waiting:
            x = waiting.pop()
            if x not in chosen:
                waiting += reversed(_parts(x))
            elif x not in names:
                names[x] = _LETTERS[len(names)]
                lines.append(x)
    return names


# --- LaTeX

_LATEX_NAMES = {
    "matrix": "N", "n": "n", "g": "g", "c": "c",
    **{f"{size}.{part}": rf"{size}_{{\mathrm{{{part}}}}}" for size in "ngc" for part in ("rows", "cols")},
}  # fmt: skip
_LATEX_FUNCTIONS = {"least": r"\min", "largest": r"\max", "log": r"\log", "exp": r"\exp",
                    "arccos": r"\tfrac{1}{\pi}\arccos"}  # fmt: skip
_CLUSTERS, _CLASSES = r"\mathcal{G}", r"\mathcal{C}"


def latex_text(e: Expression) -> str:
    """An expression in LaTeX, for math mode; a long one is ``aligned``, of amsmath, with letters for its parts."""
    names = letters(e)
    if not names:
        return _Latex({}).text(e)
    views = dict(_walk(e, ""))
    tex = _Latex({x: rf"{letter}_{{{views[x]}}}" if views[x] else letter for x, letter in names.items()})
    # A part that has a letter itself is defined without it.
    parts = {x: _Latex({y: name for y, name in tex.names.items() if y != x}).text(x, view=views[x]) for x in names}
    lines = [rf"& {tex.text(e)}", *(rf"{tex.names[x]} &= {text}" for x, text in parts.items())]
    return "\n".join([r"\begin{aligned}", " \\\\\n".join(lines), r"\end{aligned}"])


class _Latex:
    """LaTeX of expressions, with ``names`` in place of some parts.

    𝒢 and 𝒞 are the clusters and the classes in view, with the cells that they hold as an index.
    """

    def __init__(self, names: Names) -> None:
        self.names = names

    def text(self, e: Expression, strength: int = _SUM, view: str = "", flat: bool = False, of: str = "") -> str:
        """``flat`` inside a fraction, where another one would be small; ``of`` is the sum that ``best`` stands in."""
        if e in self.names:
            return self.names[e]

        def inner(x: Expression, strength: int = _SUM, flat: bool = flat) -> str:
            return self.text(x, strength, view, flat, of)

        if e.op == "number":
            top, below = e.value.as_integer_ratio()
            text = str(top) if below == 1 else rf"{'-' if top < 0 else ''}\tfrac{{{abs(top)}}}{{{below}}}"
            return _bracketed(text, strength > _SUM and top < 0)
        if e.op in _LATEX_NAMES:
            return _LATEX_NAMES[e.op]
        if e.op in ("in_cluster", "in_class"):
            return f"[{_CLUSTERS if e.op == 'in_cluster' else _CLASSES}_{{{view}}}]"
        if e.op == "+":
            text = "".join((" - " if minus else " + ") + inner(x, _PRODUCT) for minus, x in map(_signed, summands(e)))
            return _bracketed(text[3:] if text.startswith(" + ") else "-" + text[3:], strength > _SUM)
        if e.op == "*":
            minus, rest = _signed(e)
            if minus:
                return _bracketed("-" + inner(rest, _PRODUCT), strength > _SUM)
            # What a sum is over ends with the product: only the last factor needs no brackets.
            texts = [*(inner(x, _QUOTIENT) for x in e.args[:-1]), inner(e.args[-1], max(strength, _PRODUCT))]
            text = texts[0] + "".join((r" \cdot " if x[0].isdigit() else r"\, ") + x for x in texts[1:])
            return _bracketed(text, strength > _QUOTIENT)
        if e.op in ("/", "over"):
            return self._quotient(e, inner, strength, flat)
        if e.op == "^":
            return rf"{{{inner(e.args[0], _POWER)}}}^{{{e.args[1].value}}}"
        if e.op == "sqrt":
            return rf"\sqrt{{{inner(e.args[0])}}}"
        if e.op in _LATEX_FUNCTIONS:
            return rf"{_LATEX_FUNCTIONS[e.op]}\left({', '.join(map(inner, e.args))}\right)"
        return self._sum(e, strength, view, flat, of)

    def _quotient(self, e: Expression, inner: Callable[..., str], strength: int, flat: bool) -> str:
        if parts := f1_parts(e):
            return rf"F_1\!\left({', '.join(map(inner, parts))}\right)"
        if flat:
            text = f"{inner(e.args[0], _QUOTIENT)} / {inner(e.args[1], _POWER)}"
        else:
            text = rf"\frac{{{inner(e.args[0], _SUM, True)}}}{{{inner(e.args[1], _SUM, True)}}}"
        if e.op == "/":
            return _bracketed(text, strength > _PRODUCT and (flat or strength == _POWER))
        return rf"\left[{text}\right]_{{0/0 = {inner(e.args[2])}}}"

    def _sum(self, e: Expression, strength: int, view: str, flat: bool, of: str) -> str:
        index, within = f"_{{{view}}}" if view else "", _inner_view(e.op, view)
        if e.args[0] == ONE and e.op in ("clusters", "classes", "cells", "pairs"):
            counted = {"clusters": f"|{_CLUSTERS}{index}|", "classes": f"|{_CLASSES}{index}|", "cells": "|U|"}
            return counted.get(e.op, r"\tbinom{|U|}{2}")
        clusters, classes = rf"G \in {_CLUSTERS}{index}", rf"C \in {_CLASSES}{index}"
        sign = {
            "clusters": rf"\sum_{{{clusters}}}", "classes": rf"\sum_{{{classes}}}",
            "best": rf"\max_{{{clusters if of == 'classes' else classes}}}",
            "meetings": r"\sum_{G \cap C \neq \emptyset}", "matching": r"\max_{M} \sum_{(G, C) \in M}",
            "cells": r"\sum_{x \in U}", "pairs": r"\sum_{\{x, y\} \subseteq U}",
            "mates": rf"\sum_{{y:\, {_CLUSTERS}_{{xy}} \neq \emptyset}}",
            "classmates": rf"\sum_{{y:\, {_CLASSES}_{{xy}} \neq \emptyset}}",
        }[e.op]  # fmt: skip
        return _bracketed(f"{sign} {self.text(e.args[0], _PRODUCT, within, flat, e.op)}", strength >= _QUOTIENT)


def _bracketed(text: str, needed: bool) -> str:
    return rf"\left({text}\right)" if needed else text
