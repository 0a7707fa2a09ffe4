"""Bounds: every closed sum in a basis of unknowns that are 0 or more; range, and the value of the gold against itself.

A sum that is no combination of the basis is an unknown of its own if it is known to be at most something: a *bounded
sum*. Then a ≤ b is a question of signs: no coefficient of b − a is negative, with bounded sums as they are, or as their
bounds less a slack that is 0 or more.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import add, mul

from metaeval.equations.equation import Equation
from metaeval.equations.tree import (
    ONE,
    ZERO,
    Expression,
    c,
    cells,
    classes,
    clusters,
    g,
    in_class,
    in_cluster,
    largest,
    least,
    log,
    matrix,
    meetings,
    n,
    number,
    pairs,
)  # fmt: skip
from metaeval.proofs.algebra import Facts, Number, Refused, ring
from metaeval.proofs.normal_form import (
    MEET,
    Normal,
    coefficient,
    f1_parts,
    flat,
    ordered,
    rational,
    simplify,
    size,
    view,
)  # fmt: skip
from metaeval.proofs.obligation import AtMost, Obligation, Perfect, Same
from metaeval.proofs.shares import (
    CLASS_DEPTH,
    DEPTH,
    SHARED_DEPTH,
    constant_in_view,
    is_mean,
    mean_is_attained,
    non_negative_term,
    share_of,
    view_shares,
)  # fmt: skip
from metaeval.proofs.situation import Situation, kind_for

_U, _MATRIX_LESS_ONE = cells(1), simplify(matrix - 1)
_LOGS = (meetings(n * log(n)), clusters(g * log(g)), classes(c * log(c)))

#: The basis: what each unknown is. All are 0 or more; those with logarithms are used where nothing overlaps.
UNKNOWNS: dict[str, Expression] = {
    "both": cells(in_cluster * in_class),
    "candidate_only": cells(in_cluster * (1 - in_class)),
    "gold_only": cells((1 - in_cluster) * in_class),
    "pairs_both": pairs(in_cluster * in_class),
    "pairs_candidate": pairs(in_cluster * (1 - in_class)),
    "pairs_gold": pairs((1 - in_cluster) * in_class),
    "pairs_neither": pairs((1 - in_cluster) * (1 - in_class)),
    "clusters": DEPTH,
    "classes": CLASS_DEPTH,
    "depth_both": cells(SHARED_DEPTH),
    "depth_candidate": cells(DEPTH - SHARED_DEPTH),
    "depth_gold": cells(CLASS_DEPTH - SHARED_DEPTH),
    "logs_both": _LOGS[0],
    "logs_candidate": _LOGS[1] - _LOGS[0],
    "logs_gold": _LOGS[2] - _LOGS[0],
    "information": meetings(n * log(_U * n / (g * c))),
    "outside": matrix - _U,
    "pairs_outside": matrix * (matrix - 1) / 2 - pairs(1),
}
_PAIRS = ("pairs_both", "pairs_candidate", "pairs_gold", "pairs_neither")
#: What is 0 where the gold is scored against itself.
ABSENT_AT_ITSELF = ("candidate_only", "gold_only", "pairs_candidate", "pairs_gold", "depth_candidate", "depth_gold",
                    "logs_candidate", "logs_gold")  # fmt: skip
#: More sums than any proof needs.
MOST_UNKNOWNS = 40
BASIS_RING = ring((*UNKNOWNS, *(f"sum{k}" for k in range(MOST_UNKNOWNS))))
#: Every unknown is 0 or more, and no more is known.
SIGNS = Facts(BASIS_RING)
#: Sums of logarithms on partitions.
_PARTITION_LOGS: dict[Expression, tuple[str, ...]] = {
    ordered(e): names
    for e, names in (
        (UNKNOWNS["information"], ("information",)),
        (clusters(g * log(_U / g)), ("information", "logs_gold")),
        (classes(c * log(_U / c)), ("information", "logs_candidate")),
        (meetings(n * log(g / n)), ("logs_candidate",)),
        (meetings(n * log(c / n)), ("logs_gold",)),
        (meetings(n * log(g * c / n**2)), ("logs_candidate", "logs_gold")),
    )
}


def symbol(name: str) -> Number:
    """An unknown by its name."""
    return BASIS_RING.symbol(name)


def constant(value: int | Fraction) -> Number:
    """A plain number in the basis."""
    return BASIS_RING.constant(value)


@dataclass(frozen=True)
class Bounded:
    """A sum between 0 and its bound: its symbol, its slack's, and whether the gold against itself attains the bound.

    It exceeds none of the numbers in ``bounds``; ``bound`` says the same as an expression.
    """

    sum: Expression
    symbol: str
    slack: str
    bounds: tuple[Number, ...]
    bound: Expression
    attained: bool
    rule: str


@dataclass(frozen=True)
class _Side:
    """What differs between clusters and classes in the basis."""

    size: Expression
    member: Expression
    count: str
    only: str
    pairs: str
    depth: str


_SIDES = {
    "clusters": _Side(g, in_cluster, "clusters", "candidate_only", "pairs_candidate", "depth_candidate"),
    "classes": _Side(c, in_class, "classes", "gold_only", "pairs_gold", "depth_gold"),
}


class Basis:
    """Closed expressions in the basis, for an equation and a kind of sides.

    ``steps`` collects what the numbers rest on. ``low`` is the least number of clusters, and of classes.
    """

    def __init__(self, equation: Equation, kind: str) -> None:
        self.equation, self.kind = equation, kind
        self.partitions = kind == "partitions"
        two_sided = self.partitions or equation.one_empty is not None or equation.domain == "partitions"
        self.low = 1 if two_sided else 0
        self.bounded: dict[Expression, Bounded] = {}
        self.steps: dict[Obligation, None] = {}
        self._allocated: dict[Hashable, str] = {}

    def note(self, *steps: Obligation) -> None:
        """Add to what the proof rests on."""
        self.steps.update(dict.fromkeys(steps))

    def unknown(self, kind: str, key: Hashable) -> Number:
        """An unknown of its own for this key, allocated when it is first asked for."""
        if (kind, key) not in self._allocated:
            if len(self._allocated) >= MOST_UNKNOWNS:
                raise Refused("It has too many different sums.")
            self._allocated[kind, key] = f"sum{len(self._allocated)}"
        return symbol(self._allocated[kind, key])

    def unknown_name(self, kind: str, key: Hashable) -> str:
        """The name of that unknown."""
        self.unknown(kind, key)
        return self._allocated[kind, key]

    def base(self, name: str) -> Number:
        """An unknown of the basis; that it is 0 or more is a step."""
        if self.partitions and name in ("candidate_only", "gold_only"):
            self.note(Same(UNKNOWNS[name], ZERO, rule="partitions of the same cells"))
            return constant(0)
        self.note(AtMost(ZERO, UNKNOWNS[name], rule="basis"))
        return symbol(name)

    def number_of(self, e: Expression) -> Number:
        """A closed expression as a quotient of polynomials in the unknowns, or Refused."""
        if self.kind != "any" and e.op in ("+", "meetings", "clusters", "classes", "cells") and e.uses("log"):
            if not self.partitions:
                return self._disjoint_logs(e)
            if e.op != "+":
                return self._partition_logs(e)
        if e.op == "number":
            return constant(e.value)
        if e.op == "+":
            return reduce(add, map(self.number_of, e.args))
        if e.op == "*":
            return self._product(e)
        if e.op == "^":
            return self.number_of(e.args[0]) ** int(e.args[1].value)
        if e.op == "/":
            return self.number_of(e.args[0]) / self.number_of(e.args[1])
        if e.op == "matrix":
            return reduce(add, map(self.base, ("both", "candidate_only", "gold_only", "outside")))
        if e.op == "pairs":
            values = (constant_in_view(e.args[0], v, self.kind != "any") for v in ("GC", "G", "C", ""))
            return reduce(add, (self.base(name) * value for name, value in zip(_PAIRS, values, strict=True)))
        if e.op == "cells":
            return self._cells(e)
        if e.op in _SIDES:
            return self._side(e, simplify(e.args[0]), _SIDES[e.op])
        if e.op == "matching":
            return self._matching(e)
        if e.op == "meetings":
            return self._meetings(e)
        raise Refused(f"{e.op}(…) is not in the basis.")

    def _product(self, e: Expression) -> Number:
        e = simplify(e)
        factors = list(e.args) if e.op == "*" else [e]
        found = constant(1)
        if matrix in factors and _MATRIX_LESS_ONE in factors:  # twice the pairs of the matrix: those of U, and others
            factors.remove(matrix)
            factors.remove(_MATRIX_LESS_ONE)
            found = reduce(add, map(self.base, (*_PAIRS, "pairs_outside"))) * 2
        return reduce(mul, map(self.number_of, factors), found)

    def _cells(self, e: Expression) -> Number:
        t, disjoint = simplify(e.args[0]), self.kind != "any"
        names = ("both", "candidate_only", "gold_only")
        try:
            values = [constant_in_view(t, v, disjoint) for v in ("GC", "G", "C")]
            return reduce(add, (self.base(name) * value for name, value in zip(names, values, strict=True)))
        except Refused:
            pass
        if disjoint:
            return self._cells_by_views(e, t)
        depths = {SHARED_DEPTH: (), DEPTH: ("depth_candidate",), CLASS_DEPTH: ("depth_gold",),
                  simplify(largest(DEPTH, CLASS_DEPTH)): ("depth_candidate", "depth_gold")}  # fmt: skip
        if t in depths:
            return reduce(add, map(self.base, ("depth_both", *depths[t])))
        if not is_mean(t, "mates", "classmates"):
            raise Refused(f"{e} is no sum of means over mates.")
        covered = cells(in_cluster if t.args[0].op == "mates" else in_class)
        attained = mean_is_attained(t.args[0].args[0])
        return self.bounded_sum(e, (self.number_of(covered),), covered, attained, "mean over mates")

    def _cells_by_views(self, e: Expression, t: Expression) -> Number:
        shares = view_shares(t)
        attained = (1 - shares[0].put({"g": size("n"), "c": size("n")})).is_zero
        views = (("both", in_cluster * in_class), ("candidate_only", in_cluster * (1 - in_class)),
                 ("gold_only", (1 - in_cluster) * in_class))  # fmt: skip
        used = [one for one, share in zip(views, shares, strict=True) if not share.is_zero]
        bound = reduce(add, (self.base(name) for name, _ in used), constant(0))
        says = cells(reduce(add, (where for _, where in used), ZERO))
        return self.bounded_sum(e, (bound,), says, attained, "cells by views")

    def _side(self, e: Expression, t: Expression, side: _Side) -> Number:
        """A sum over clusters, or over classes."""
        if t == ONE:
            self.note(AtMost(number(self.low), e, rule="least count"))
            return self.base(side.count) + self.low
        disjoint, all_of = self.kind != "any", cells(side.member if self.kind != "any" else Expression(e.op, ONE))
        if t == side.size:
            self.note(Same(e, all_of, rule="cells by their biclusters"))
            return self.base("both") + self.base(side.only) if disjoint else self.number_of(all_of)
        if disjoint and not t.uses("best") and rational(t) == rational(side.size * (side.size - 1) / 2):
            self.note(Same(e, pairs(side.member), rule="pairs by their biclusters"))
            return self.base("pairs_both") + self.base(side.pairs)
        weighted = t.op == "*" and len(t.args) == 2 and side.size in t.args
        best = t if t.op == "best" else next((x for x in t.args if weighted and x.op == "best"), None)
        if best is None:
            raise Refused(f"{e} is not in the basis.")
        whole = best.args[0] == n and not weighted
        attained = whole or share_of(best.args[0]).attained
        bound = Expression(e.op, side.size if weighted or whole else ONE)
        return self.bounded_sum(e, (self.number_of(bound),), bound, attained, "best partners")

    def _matching(self, e: Expression) -> Number:
        if e.args[0] == n:
            shared = cells(SHARED_DEPTH if self.kind == "any" else in_cluster * in_class)
            return self.bounded_sum(e, (self.number_of(shared),), shared, True, "matching of cells")
        if not share_of(e.args[0]).attained:
            raise Refused(f"{e.args[0]} is not 1 for equal biclusters.")
        counts = self.number_of(DEPTH), self.number_of(CLASS_DEPTH)
        return self.bounded_sum(e, counts, least(DEPTH, CLASS_DEPTH), True, "matching of shares")

    def _meetings(self, e: Expression) -> Number:
        if self.kind == "any":
            raise Refused("Under overlap, meetings share cells.")
        term = rational(e.args[0])
        if not (MEET.at_least_zero(term) and MEET.at_least_zero(size("n") - term)):
            raise Refused(f"{e.args[0]} is not between 0 and n.")
        attained = (size("n") - term.put({"g": size("n"), "c": size("n")})).is_zero
        return self.bounded_sum(e, (self.base("both"),), UNKNOWNS["both"], attained, "sum over meetings")

    def bounded_sum(
        self, e: Expression, bounds: tuple[Number, ...], bound: Expression, attained: bool, rule: str
    ) -> Number:
        """An unknown for a sum that is 0 or more, and at most its bound."""
        key = ordered(e)
        found = self.unknown("bounded sum", key)
        if key not in self.bounded:
            names = [self.unknown_name(kind, key) for kind in ("bounded sum", "slack")]
            self.bounded[key] = Bounded(e, names[0], names[1], bounds, bound, attained, rule)
            self.note(AtMost(ZERO, e, rule=rule), AtMost(e, bound, rule=rule))
        return found

    def _partition_logs(self, e: Expression) -> Number:
        if e.op == "cells" and simplify(view(e.args[0], "GC")) == ZERO:  # on partitions every cell is in both
            self.note(Same(e, ZERO, rule="partitions of the same cells"))
            return constant(0)
        names = _PARTITION_LOGS.get(ordered(e))
        if names is None:
            raise Refused(f"{e} is no known sum of logarithms.")
        self.note(Same(e, reduce(add, (UNKNOWNS[name] for name in names)), rule="entropies"))
        return reduce(add, map(self.base, names))

    def _disjoint_logs(self, e: Expression) -> Number:
        """Σ x log x is the least over meetings, for x log x is superadditive; all other logarithms must cancel."""
        normal = Normal("disjoint")
        atoms = {next(iter(normal.top(x).names)): x for x in _LOGS}
        found = normal.top(flat(e))
        if not (found.names <= set(atoms) and Number(found.ring, found.bottom).is_constant):
            raise Refused(f"{e} is no known sum of logarithms.")
        whole = dict(zip(_LOGS, ("", "logs_candidate", "logs_gold"), strict=True))
        result, says = constant(0), ZERO
        for powers, times in found.terms():
            if sum(powers.values()) != 1:
                raise Refused(f"{e} is no sum of logarithms.")
            (atom,) = powers
            factor = Fraction(times, int(found.bottom.leading_coefficient()))
            extra = whole[atoms[atom]]
            result = result + (self.base("logs_both") + (self.base(extra) if extra else 0)) * factor
            says = says + factor * atoms[atom]
        self.note(Same(e, says, rule="logarithms without overlap"))
        return result

    def lifted(self, difference: Number) -> Number:
        """With every bounded sum as its bound less its slack."""
        for one in self.bounded.values():
            if one.symbol in difference.names:
                ways = [difference.put({one.symbol: bound - symbol(one.slack)}) for bound in one.bounds]
                if len(ways) > 1:  # both counts bound a matching of shares; the one that shows the sign is taken
                    ways = [way for way in ways if SIGNS.at_least_zero(way)]
                if not ways:
                    raise Refused(f"{one.sum} may be larger than what it is divided by.")
                difference = ways[0]
        return difference

    def at_most(self, a: Expression, b: Expression) -> None:
        """Refused unless a ≤ b."""
        difference = self.number_of(b) - self.number_of(a)
        if not (SIGNS.at_least_zero(difference) or SIGNS.at_least_zero(self.lifted(difference))):
            raise Refused(f"It is not shown that {a} is at most {b}.")
        self.note(AtMost(a, b, rule="signs in the basis"))

    def holds(self, check: Callable[..., object], *args: Expression) -> bool:
        """Whether a check does not refuse."""
        try:
            check(*args)
        except Refused:
            return False
        return True

    def upper_bound(self, e: Expression) -> Fraction:
        """A number that the expression does not exceed, or Refused."""
        if e.op == "number":
            return e.value
        found = self._upper_bound(e)
        self.note(AtMost(e, number(found), rule="upper bound"))
        return found

    def _upper_bound(self, e: Expression) -> Fraction:
        parts = f1_parts(e)
        if parts:
            self.demand_shares(*parts)
            return Fraction(1)
        if e.op == "/" and e.args[1].op == "number" and e.args[1].value > 0:
            return self.upper_bound(e.args[0]) / e.args[1].value
        if e.op in ("/", "over"):
            self._demand_quotient_share(e)
            return Fraction(1)
        if e.op == "*":
            bound = Fraction(1)
            for x in e.args:
                self.non_negative(x)
                bound *= self.upper_bound(x)
            return bound
        if e.op == "+":
            bound = Fraction(0)
            for x in e.args:
                factor, rest = coefficient(x)
                if factor >= 0:
                    bound += factor * self.upper_bound(rest)
                else:
                    self.non_negative(rest)
            return bound
        if e.op == "sqrt" and self.upper_bound(e.args[0]) <= 1:
            return Fraction(1)
        if e.op == "exp" and self._is_least_less_largest(e.args[0]):
            return Fraction(1)
        raise Refused(f"No upper bound of {e} is known.")

    def demand_shares(self, *parts: Expression) -> None:
        """Refused unless all of these are between 0 and 1."""
        for x in parts:
            self.non_negative(x)
            if self.upper_bound(x) > 1:
                raise Refused(f"{x} may be more than 1.")

    def _demand_quotient_share(self, e: Expression) -> None:
        a, b = e.args[:2]
        if e.op == "over" and self.upper_bound(e.args[2]) > 1:
            raise Refused(f"{e} may be more than 1 where its divisor is 0.")
        self.non_negative(b)
        if b.op == "largest":
            if any(self.holds(self.at_most, a, x) for x in b.args):
                return
            if a.op == "matching" and (DEPTH in b.args or CLASS_DEPTH in b.args):
                share_of(a.args[0])
                self.note(AtMost(a, b, rule="matching of shares"))
                return
        self.at_most(a, b)

    def _is_least_less_largest(self, e: Expression) -> bool:
        """Whether this is least(…) − largest(…) of the same, over nothing or over what is not negative."""
        e = simplify(e)
        if e.op == "/" and self.holds(self.non_negative, e.args[1]):
            e = e.args[0]
        if e.op != "+" or len(e.args) != 2:
            return False
        (plus, least_), (minus, largest_) = map(coefficient, e.args)
        shape = (plus, least_.op, minus, largest_.op) == (1, "least", -1, "largest")
        return shape and {*map(ordered, least_.args)} == {*map(ordered, largest_.args)}

    def non_negative(self, e: Expression) -> None:
        """Refused unless the expression is 0 or more."""
        if not self._is_non_negative(e):
            raise Refused(f"{e} may be negative.")
        if e.op != "number":
            self.note(AtMost(ZERO, e, rule="sign"))

    def _is_non_negative(self, e: Expression) -> bool:
        if e.op == "number":
            return e.value >= 0
        try:
            if SIGNS.at_least_zero(self.number_of(e)):
                return True
        except Refused:
            pass
        if e.op in ("*", "least", "largest", "/", "over"):
            return all(self.holds(self.non_negative, x) for x in e.args)
        if e.op == "+":
            low = Fraction(0)
            for x in e.args:
                factor, rest = coefficient(x)
                if rest == ONE:
                    low += factor
                elif factor >= 0:
                    self.non_negative(rest)
                else:
                    low += factor * self.upper_bound(rest)
            return low >= 0
        return e.op in ("sqrt", "exp", "matching", "cells", "clusters", "classes", "meetings") and non_negative_term(e)


class AtItself:
    """The values of expressions where the gold, which is not empty, is scored against itself."""

    def __init__(self, basis: Basis) -> None:
        self.basis = basis
        more = 1 - basis.low  # there is a class, and so a cluster
        count = symbol("clusters") + more
        self.values = dict.fromkeys(ABSENT_AT_ITSELF, constant(0)) | {"clusters": count, "classes": count}
        #: Cells that both have: there is one.
        self.facts = Facts(BASIS_RING, {name: symbol(name) + 1 for name in ("both", "depth_both")})

    def value(self, e: Expression) -> Number:
        """The value as a number in the basis, or Refused."""
        try:
            found = self._in_basis(self.basis.number_of(e))
        except Refused:
            found = self._value(e)
        return found

    def _in_basis(self, found: Number) -> Number:
        values = dict(self.values)
        for one in self.basis.bounded.values():
            if one.symbol in found.names:
                if not one.attained:
                    raise Refused(f"{one.sum} need not reach its bound.")
                self.basis.note(Perfect(one.sum, one.bound, rule=one.rule))
                values[one.symbol] = one.bounds[0].put(self.values)
        absent = [UNKNOWNS[name] for name in ABSENT_AT_ITSELF if name in found.names]
        self.basis.note(*(Perfect(x, ZERO, rule="nothing is missed or added") for x in absent))
        if Number(BASIS_RING, found.bottom).put(values).is_zero:
            raise Refused("A divisor is 0 for the gold against itself.")
        return found.put(values)

    def _value(self, e: Expression) -> Number:
        if e.op in ("/", "over"):
            return self._quotient(e)
        if e.op not in ("+", "*", "least", "largest", "sqrt", "exp", "arccos"):
            raise Refused(f"The value of {e} for the gold against itself is not known.")
        xs = [self.value(x) for x in e.args]
        if e.op in ("+", "*"):
            return reduce(add if e.op == "+" else mul, xs)
        if e.op in ("least", "largest"):
            return self._extreme(e, xs)
        if e.op == "sqrt":
            return self._root(xs[0])
        if e.op == "exp" and xs[0].is_zero:
            return constant(1)
        if e.op == "arccos" and xs[0] == constant(1):
            return constant(0)
        raise Refused(f"The value of {e} for the gold against itself is not known.")

    def _quotient(self, e: Expression) -> Number:
        a, b = self.value(e.args[0]), self.value(e.args[1])
        if b.is_zero:
            if e.op == "/":
                raise Refused("A divisor is 0 for the gold against itself.")
            return self.value(e.args[2])
        if e.op == "over" and not self.facts.more_than_zero(b):
            # Where b is 0 the value is v: it must be the same.
            ratio = a / b
            if not ratio.is_constant or self.value(e.args[2]) != ratio:
                raise Refused(f"The divisor of {e} may be 0 for the gold against itself.")
        return a / b

    def _extreme(self, e: Expression, xs: Sequence[Number]) -> Number:
        """The one that is least (largest) whatever the unknowns are."""
        sign = 1 if e.op == "least" else -1
        for x in xs:
            if all(self.facts.at_least_zero((other - x) * sign) for other in xs):
                return x
        raise Refused(f"The value of {e} for the gold against itself is not known.")

    def _root(self, x: Number) -> Number:
        """The root of a square whose sign is known."""
        unit, factors = x.top.factor()
        if not x.bottom.is_one() or int(unit) != 1 or any(int(power) % 2 for _, power in factors):
            raise Refused("A root of what is no square.")
        root = constant(1)
        for poly, power in factors:
            base = Number(BASIS_RING, poly)
            if not self.facts.at_least_zero(base):
                base = -base
            if not self.facts.at_least_zero(base):
                raise Refused("The sign of what is squared under a root is not known.")
            root = root * base ** (int(power) // 2)
        return root


def perfect_steps(basis: Basis) -> None:
    """Refused unless the gold against itself has the best score, also where it is empty."""
    equation = basis.equation
    if equation.best is None or equation.empty != equation.best:
        raise Refused("The score where both sides are empty is not the best.")
    found = AtItself(basis).value(equation.expression)
    if found != constant(equation.best):
        raise Refused(f"The gold against itself is not shown to score {equation.best}.")
    basis.note(Perfect(equation.expression, number(equation.best), rule="value at itself"))


def started(equation: Equation, situation: Situation) -> Basis:
    """A basis for the equation, once its totality is known."""
    basis = Basis(equation, kind_for(equation, situation))
    return basis


def itself(equation: Equation, situation: Situation) -> list[Obligation]:
    """The rule of the scheme *itself*: the gold against itself has the best score."""
    basis = started(equation, situation)
    perfect_steps(basis)
    return [*basis.steps]


def in_range(equation: Equation, situation: Situation) -> list[Obligation]:
    """The rule of the scheme *range*: no score is above the best or below the lowest."""
    basis = started(equation, situation)
    if equation.best is None:
        raise Refused("The equation has no best score.")
    high, low = equation.best, equation.low
    if equation.smaller_is_better:
        high, low = low, high
    ends = [x for x in (equation.empty, equation.one_empty) if x is not None]
    if any((high is not None and x > high) or (low is not None and x < low) for x in ends):
        raise Refused("The score of an empty side is outside the range.")
    if high is not None and basis.upper_bound(equation.expression) > high:
        raise Refused(f"The score is not shown to be at most {high}.")
    if low is not None:
        basis.non_negative(simplify(equation.expression - low) if low else equation.expression)
    return [*basis.steps]
