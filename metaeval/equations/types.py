"""Where each operator of the equation language may stand."""

from __future__ import annotations

from metaeval.core.errors import InputError
from metaeval.equations.tree import CLOSED, FUNCTIONS, MOST_POWER, SIZES, Expression

_SIZES_IN = {
    "clusters": ("g", "g.rows", "g.cols"),
    "classes": ("c", "c.rows", "c.cols"),
    "meetings": SIZES,
    "matching": SIZES,
    "best": SIZES,
}
_VIEWS = ("cells", "pairs", "mates", "classmates")
_PLACES = {
    "best": "inside clusters(…) or classes(…)",
    "mates": "inside cells(…)",
    "classmates": "inside cells(…)",
    "in_cluster": "inside cells(…), pairs(…), mates(…) or classmates(…)",
    "in_class": "inside cells(…), pairs(…), mates(…) or classmates(…)",
}


def check_types(e: Expression) -> None:
    """Raise one sentence where an operator stands where it has no meaning."""
    _check(e, "top", "top", 1)


def _check(e: Expression, place: str, view: str, power: int) -> None:
    """``place`` is the innermost sum; ``view`` is the innermost of cells, pairs, mates and classmates, or the top.

    ``power`` is the product of the exponents around it: a tower of them would make numbers that no machine holds.
    """
    op = e.op
    if op == "^":
        power *= int(e.args[1].value)
        if power > MOST_POWER:
            raise InputError(f"exponents inside each other multiply to at most {MOST_POWER}, and these to more")
    if op in SIZES and op not in _SIZES_IN.get(place, ()):
        where = "at the top" if place == "top" else f"in {place}(…)"
        raise InputError(f"{e} has no value {where}; g stands in clusters, c in classes, and n with both in meetings, "
                         "matching and best")  # fmt: skip
    if op in _PLACES and not _allowed(op, place, view):
        raise InputError(f"{_named(e)} stands {_PLACES[op]} only")
    if op in CLOSED and view != "top":
        raise InputError(f"{_named(e)} does not stand inside {view}(…): it sums over everything, whatever is in view")
    if op in ("clusters", "classes") and place == "best":
        raise InputError(f"{_named(e)} does not stand inside best(…)")
    if op == "matching" and e.uses(*FUNCTIONS):
        raise InputError("matching(…) needs rational weights: a matching of roots or logarithms has no exact value")
    inner = "top" if op in CLOSED else view
    if op in _VIEWS:
        inner = op
    for x in e.args:
        _check(x, op if op in (*_SIZES_IN, *_VIEWS) else place, inner, power)


def _allowed(op: str, place: str, view: str) -> bool:
    if op == "best":
        return place in ("clusters", "classes")
    if op in ("mates", "classmates"):
        return place == "cells"
    return place in _VIEWS


def _named(e: Expression) -> str:
    return f"{e.op}(…)" if e.args else e.op
