"""Where each operator of the equation language may stand."""

from fractions import Fraction

from metaeval.core.errors import InputError
from metaeval.equations.tree import ARITY, CLOSED, FUNCTIONS, MOST_EXPONENT, MOST_POWER, SIZES, SUMS, Expression, number

_SIZES_IN = {
    "clusters": ("g", "g.rows", "g.cols"), "classes": ("c", "c.rows", "c.cols"),
    "meetings": SIZES, "matching": SIZES, "best": SIZES,
}  # fmt: skip
_VIEWS = ("cells", "pairs", "mates", "classmates")
#: The sums that each of these stands directly inside of.
_PLACES = {
    "best": ("clusters", "classes"), "mates": ("cells",), "classmates": ("cells",),
    "in_cluster": _VIEWS, "in_class": _VIEWS,
}  # fmt: skip


def check_types(e: Expression, place: str = "top", view: str = "top", power: int = 1) -> None:
    """Raise one sentence where an operator stands where it has no meaning.

    ``place`` is the innermost sum; ``view`` is the innermost of cells, pairs, mates and classmates, or the top.
    ``power`` is the product of the exponents around it: a tower of them would make numbers that no machine holds.
    """
    op = e.op
    _check_node(e)
    if op == "^":
        power *= int(e.args[1].value)
        if power > MOST_POWER:
            raise InputError(f"exponents inside each other multiply to at most {MOST_POWER}, and these to more")
    if op in SIZES and op not in _SIZES_IN.get(place, ()):
        where = "at the top" if place == "top" else f"in {place}(…)"
        raise InputError(f"{e} has no value {where}; g stands in clusters, c in classes, and n with both in meetings, "
                         "matching and best")  # fmt: skip
    if op in _PLACES and place not in _PLACES[op]:
        *most, last = (f"{name}(…)" for name in _PLACES[op])
        raise InputError(f"{_named(e)} stands inside {' or '.join(filter(None, (', '.join(most), last)))} only")
    if op in CLOSED and view != "top":
        raise InputError(f"{_named(e)} does not stand inside {view}(…): it sums over everything, whatever is in view")
    # In a view, a sum inside another would be over what is in view, or over everything: neither is plain.
    if op in ("clusters", "classes") and (place == "best" or (view != "top" and place in ("clusters", "classes"))):
        raise InputError(f"{_named(e)} does not stand inside {place}(…){'' if view == 'top' else f' in {view}(…)'}")
    if op == "matching" and e.uses(*FUNCTIONS):
        raise InputError("matching(…) needs rational weights: a matching of roots or logarithms has no exact value")
    inner = op if op in _VIEWS else "top" if op in CLOSED else view
    for x in e.args:
        check_types(x, op if op in (*_SIZES_IN, *_VIEWS) else place, inner, power)


def _check_node(e: Expression) -> None:
    """Refuse a node that the operators and functions of the language do not make."""
    wanted, given = ARITY.get(e.op, 0), len(e.args)
    known = e.op == "number" or e.op in ARITY
    if not known or type(e) is not Expression or (given < 2 if wanted is None else given != wanted):
        raise InputError(f"{e.op} with {given} arguments is no part of an equation")
    if e.op == "number" and (type(e.value) is not Fraction or number(e.value) != e):
        raise InputError(f"{e.value!r} is no number of an equation; expected a whole number or a Fraction")
    if e.op == "^" and (e.args[1].op != "number" or e.args[1].value not in range(1, MOST_EXPONENT + 1)):
        raise InputError(f"an exponent is a whole number from 1 to {MOST_EXPONENT}")


def _named(e: Expression) -> str:
    return f"{e.op}(…)" if e.args else e.op


def is_float(e: Expression) -> bool:
    """Whether a score may be a float, as with exp, arccos, products of logarithms, and roots beside logarithms."""
    return _number_kind(e) == "float"


def _number_kind(e: Expression) -> str:
    """rational, roots, logs, a ratio of roots or of logs, or float: what exact arithmetic makes of the expression."""
    kinds = [_number_kind(x) for x in e.args]
    others = [kind for kind in kinds if kind != "rational"]
    if e.op in ("exp", "arccos") or "float" in kinds:
        return "float"
    if e.op in ("sqrt", "log"):
        return "float" if others else {"sqrt": "roots", "log": "logs"}[e.op]
    if e.op in ("/", "over"):
        quotient = "roots" if e.args[1].op == "sqrt" and kinds[0] in ("rational", "roots") else _ratio_kind(*kinds[:2])
        return _common_kind([quotient, *kinds[2:]])
    if e.op in ("*", "^"):
        times = int(e.args[1].value) if e.op == "^" else 1
        return _common_kind(others) if len(others) * times <= 1 or {*others} == {"roots"} else "float"
    # Two ratios have no exact sum; which of them is larger is decided exactly.
    ratios = sum(kind.startswith("ratio of") for kind in kinds)
    if (e.op == "+" and ratios > 1) or (e.op in SUMS and e.op != "best" and ratios):
        return "float"
    return _common_kind(kinds)


def _ratio_kind(above: str, below: str) -> str:
    if below == "rational":
        return above
    return f"ratio of {below}" if above in ("rational", below) and below in ("roots", "logs") else "float"


def _common_kind(kinds: list[str]) -> str:
    different = {kind for kind in kinds if kind != "rational"}
    return "float" if len(different) > 1 else different.pop() if different else "rational"
