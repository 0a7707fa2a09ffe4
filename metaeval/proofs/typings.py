"""Typings: equations that do not change under scaling, copies, repetition, a larger matrix or exchanged sides.

Lemma: if every part of an equation is multiplied by a fixed power of k, and these powers cancel, its value stays.
"""

from collections.abc import Iterable
from fractions import Fraction

from metaeval.equations.equation import Equation
from metaeval.equations.tree import SUMS, ZERO, Expression, swapped
from metaeval.proofs.algebra import Number, Refused
from metaeval.proofs.normal_form import (
    ANY_PAIR, IN_PARTS, SIDE, Normal, R, demand_non_negative, flat, ordered, rational, replaced, vanishes,
)  # fmt: skip
from metaeval.proofs.obligation import Moves, Obligation, Same, Scales
from metaeval.proofs.situation import Situation, kind_for

#: A power of k; None for 0, which has every degree.
Degree = Fraction | None

_AT_TOP = ("clusters", "classes", "meetings", "matching", "cells", "pairs", "matrix")


class Grading:
    """The power of k by which each part grows: in ``scale`` every object and feature becomes k of them, in ``copy``
    there are k copies of both sides, in ``repeat`` every bicluster is there k times."""

    def __init__(self, kind: str, equation: Equation, matrix: int = 0) -> None:
        self.kind, self.matrix = kind, matrix
        self.cell = 1 if equation.unit == "objects" else 2

    def of(self, e: Expression, top: bool = True) -> Degree:
        """The degree of an expression, or a refusal where it has no single one."""
        if e.op == "number":
            return None if e.value == 0 else Fraction(0)
        if not e.args:
            return Fraction(self._leaf(e.op))
        if e.op in SUMS:
            return self._sum(e, top)
        degrees = [self.of(x, top) for x in e.args]
        if e.op in ("+", "least", "largest"):
            return _common(degrees, e)
        if e.op == "*":
            return None if None in degrees else sum(filter(None, degrees), Fraction(0))
        if e.op == "^":
            return None if degrees[0] is None else degrees[0] * e.args[1].value
        if e.op in ("/", "over"):
            quotient = None if degrees[0] is None else degrees[0] - (degrees[1] or 0)
            return quotient if e.op == "/" else _common([quotient, degrees[2]], e)
        if e.op == "sqrt":
            return None if degrees[0] is None else degrees[0] / 2
        if degrees[0] not in (None, 0):  # log, exp, arccos
            raise Refused(f"{e.op} stands around {e.args[0]}, which grows.")
        return Fraction(0)

    def _leaf(self, op: str) -> int:
        if op == "matrix":
            return {"scale": self.cell, "repeat": 0}.get(self.kind, self.matrix)
        if self.kind != "scale" or op in ("in_cluster", "in_class"):
            return 0
        return {"rows": 1, "cols": self.cell - 1}.get(op.partition(".")[2], self.cell)

    def _sum(self, e: Expression, top: bool) -> Degree:
        term = e.args[0]
        inner = self.of(term, top and e.op not in ("cells", "pairs", "mates", "classmates"))
        if self.kind == "scale" and e.op == "pairs":
            raise Refused("Pairs of different cells do not grow by one power.")
        if self.kind == "copy":
            self._demand_copies(e, top)
        if e.op in ("best", "matching"):
            demand_non_negative(term)
        return None if inner is None else inner + self._added(e.op, top)

    def _added(self, op: str, top: bool) -> int:
        """What the sum itself adds to the degree of its term."""
        if self.kind == "scale":
            return self.cell if op in ("cells", "mates", "classmates") else 0
        if self.kind == "copy":
            return int(op in ("meetings", "matching", "cells", "pairs") or (top and op in ("clusters", "classes")))
        return {"clusters": 1, "classes": 1, "meetings": 2, "matching": 1}.get(op, 0)

    def _demand_copies(self, e: Expression, top: bool) -> None:
        """Refuse what pairs of different copies would add."""
        if e.op == "pairs" and replaced(e.args[0], dict.fromkeys(SIDE, ZERO)) != ZERO:  # where nothing is in view
            raise Refused("Pairs that share nothing count, and grow by the square.")
        if e.op == "matching" and not vanishes(e.args[0]):
            raise Refused(f"{e.args[0]} need not be 0 where nothing is shared.")
        if e.op == "best" and top and not vanishes(e.args[0]):
            # Copies share features with a cluster, or nothing, and never a row.
            whole = rational(e.args[0]).put(IN_PARTS)
            for gone in (("n_rows",), ("n_rows", "n_cols")):
                if not ANY_PAIR.at_least_zero(whole - whole.put({name: R.constant(0) for name in gone})):
                    raise Refused(f"A copy may be a better partner: {e}.")


def _common(degrees: Iterable[Degree], e: Expression) -> Degree:
    found = {degree for degree in degrees if degree is not None}
    if len(found) > 1:
        raise Refused(f"The parts of {e} grow by different powers.")
    return found.pop() if found else None


# --- the rules


def free(equation: Equation, situation: Situation) -> list[Obligation]:
    """B.2: nothing sees the matrix, or on disjoint inputs it cancels."""
    e = equation.expression
    found: list[Obligation] = [Moves(x, "stays", rule="no matrix") for x in _sums(e) if not x.uses("matrix")]
    if not e.uses("matrix"):
        return found
    if kind_for(equation, situation) == "any":
        raise Refused("It sees the size of the matrix.")
    flattened = _without_matrix(e)
    return [Same(e, flattened, rule="flattening"), Moves(flattened, "stays", rule="the matrix cancels"), *found]


def _without_matrix(e: Expression) -> Expression:
    """The flat form, where the matrix cancels in it, at any depth."""
    flattened, normal = flat(e), Normal("disjoint")
    if normal.uses(normal.top(flattened), "matrix"):
        raise Refused("It sees the size of the matrix.")
    return flattened


def graded(equation: Equation, situation: Situation) -> list[Obligation]:
    """B.3 and B.4 repeated: degree 0 under scaling or repetition."""
    return _graded(equation, Grading(situation.scheme, equation))


def copy(equation: Equation, situation: Situation) -> list[Obligation]:
    """B.4: degree 0 under copies, whether they share features or not; else homogeneous in its flat form."""
    e = equation.expression
    try:
        # The matrix of k copies has k times as many cells where features are shared, else k².
        once, twice = (_graded(equation, Grading("copy", equation, matrix)) for matrix in (1, 2))
        return [one for one in once if one in twice]
    except Refused:
        if kind_for(equation, situation) == "any":
            raise
    flattened, normal = _without_matrix(e), Normal("disjoint")
    if _homogeneous(normal, normal.top(flattened)) != 0:
        raise Refused("It grows with the number of copies.")
    return [Same(e, flattened, rule="flattening"), Moves(flattened, "stays", rule="copies")]


def _graded(equation: Equation, grading: Grading) -> list[Obligation]:
    if grading.of(equation.expression) not in (None, 0):
        raise Refused("It grows with k.")
    degrees = [(x, grading.of(x)) for x in _sums(equation.expression)]
    followed = [(x, degree) for x, degree in degrees if not (grading.kind == "copy" and x.uses("matrix"))]
    return [Scales(x, degree, rule=f"degree, {grading.kind}") for x, degree in followed if degree is not None]


def _sums(e: Expression) -> list[Expression]:
    """The closed sums at the top."""
    return [e] if e.op in _AT_TOP else [y for x in e.args for y in _sums(x)]


def _homogeneous(normal: Normal, number: Number) -> Fraction:
    """The power of k by which a number in the atoms of a flat form grows."""

    def weight(name: str) -> Fraction:
        kind, *parts = normal.key(name)
        if kind in ("clusters", "classes", "meetings") and not parts[1]:
            return Fraction(1)
        if kind == "over":
            a, b, v = parts
            grown = degree(a) - degree(b)
            if v.is_zero or (degree(v) == 0 and grown == 0):
                return grown
        raise Refused("A part of its flat form has no degree.")

    def degree(one: Number) -> Fraction:
        above, below = (
            {sum((weight(name) * k for name, k in powers.items()), Fraction(0)) for powers, _ in part.terms()}
            for part in (one, Number(one.ring, one.bottom))
        )
        if len(above) > 1 or len(below) > 1:
            raise Refused("Its flat form is not homogeneous.")
        return sum(above, Fraction(0)) - sum(below, Fraction(0))

    return degree(number)


def swap(equation: Equation, situation: Situation) -> list[Obligation]:
    """S.1, H.6: the equation with exchanged sides is the same."""
    e, kind = equation.expression, kind_for(equation, situation)
    found: list[Obligation] = [Same(e, swapped(e), rule="exchange"), Moves(e, "stays", rule="exchange")]
    if kind == "any":
        same = ordered(e) == ordered(swapped(e))
    else:
        flattened, normal = flat(e), Normal(kind)
        same = normal.top(flattened) == normal.top(swapped(flattened))
        found.insert(0, Same(e, flattened, rule="flattening"))
    if not same:
        raise Refused("With exchanged sides it is another equation.")
    return found


def names(equation: Equation, situation: Situation) -> list[Obligation]:
    """S.4: an equation sees no names and no order."""
    return [Moves(x, "stays", rule="no names") for x in _sums(equation.expression)]
