"""Bounds: comparisons in the basis; the schemes range and itself."""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction

from metaeval.equations.equation import Equation
from metaeval.equations.tree import ONE, ZERO, Expression, number
from metaeval.proofs.algebra import Facts, Number, Refused, arithmetic, attempt
from metaeval.proofs.basis import ABSENT_AT_ITSELF, BASIS_RING, SIGNS, UNKNOWNS, Basis, constant, symbol
from metaeval.proofs.normal_form import coefficient, simplify
from metaeval.proofs.obligation import AtMost, Obligation, Perfect
from metaeval.proofs.shares import counts, f1_parts, non_negative_term, share_of
from metaeval.proofs.situation import Situation, kind_for


class Bounds(Basis):
    """Upper bounds and signs of expressions, by the signs of coefficients in the basis."""

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
        with suppress(Refused):
            check(*args)
            return True
        return False

    def upper_bound(self, e: Expression) -> Fraction:
        """A number that the expression does not exceed, or Refused."""
        if e.op == "number":
            return e.value
        found = self._upper_bound(e)
        self.note(AtMost(e, number(found), rule="upper bound"))
        return found

    def _upper_bound(self, e: Expression) -> Fraction:
        if e.op == "/" and e.args[1].op == "number" and e.args[1].value > 0:
            return self.upper_bound(e.args[0]) / e.args[1].value
        if e.op in ("/", "over"):
            if parts := f1_parts(e):
                self.demand_shares(*parts)
            else:
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
            for factor, rest in map(coefficient, e.args):
                if factor >= 0:
                    bound += factor * self.upper_bound(rest)
                else:
                    self.non_negative(rest)
            return bound
        # Totality shows that the argument of exp is not positive.
        if e.op == "exp" or (e.op == "sqrt" and self.upper_bound(e.args[0]) <= 1):
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
            if a.op == "matching" and counts(b.args) >= 1:
                share_of(a.args[0])
                self.note(AtMost(a, b, rule="matching of shares"))
                return
        self.at_most(a, b)

    def non_negative(self, e: Expression) -> None:
        """Refused unless the expression is 0 or more."""
        if not self._is_non_negative(e):
            raise Refused(f"{e} may be negative.")
        if e.op != "number":
            self.note(AtMost(ZERO, e, rule="sign"))

    def _is_non_negative(self, e: Expression) -> bool:
        if e.op == "number":
            return e.value >= 0
        found = attempt(self.number_of, e)
        if found is not None and SIGNS.at_least_zero(found):
            return True
        if e.op in ("*", "least", "largest", "/", "over"):
            return all(self.holds(self.non_negative, x) for x in e.args)
        if e.op == "+":
            low = Fraction(0)
            for factor, rest in map(coefficient, e.args):
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

    def __init__(self, basis: Bounds) -> None:
        self.basis = basis
        count = symbol("clusters") + (1 - basis.low)  # there is a class, and so a cluster
        self.values = dict.fromkeys(ABSENT_AT_ITSELF, constant(0)) | {"clusters": count, "classes": count}
        #: Cells that both have: there is one.
        self.facts = Facts(BASIS_RING, {name: symbol(name) + 1 for name in ("both", "depth_both")})

    def value(self, e: Expression) -> Number:
        """The value as a number in the basis, or Refused."""
        with suppress(Refused):
            return self._in_basis(e)
        return self._value(e)

    def _in_basis(self, e: Expression) -> Number:
        found, values = self.basis.number_of(e), dict(self.values)
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
        if e.op in ("+", "*"):
            return arithmetic(e, self.value)
        if e.op == "sqrt":
            return self._root(self.value(e.args[0]))
        if e.op == "exp" and self.value(e.args[0]).is_zero:
            return constant(1)
        if e.op == "arccos" and self.value(e.args[0]) == constant(1):
            return constant(0)
        if e.op in ("least", "largest"):  # one of them is, whatever the unknowns are
            xs, sign = [*map(self.value, e.args)], 1 if e.op == "least" else -1
            for x in xs:
                if all(self.facts.at_least_zero((other - x) * sign) for other in xs):
                    return x
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

    def _root(self, x: Number) -> Number:
        """The root of a square whose sign is known."""
        unit, factors = x.top.factor()
        if not x.bottom.is_one() or int(unit) != 1 or any(int(power) % 2 for _, power in factors):
            raise Refused("A root of what is no square.")
        root = constant(1)
        for poly, power in factors:
            base = Number(BASIS_RING, poly)
            base = base if self.facts.at_least_zero(base) else -base
            self.demand_sign(base)
            root = root * base ** (int(power) // 2)
        return root

    def demand_sign(self, base: Number) -> None:
        """Refused unless what is squared under a root is 0 or more."""
        if not self.facts.at_least_zero(base):
            raise Refused("The sign of what is squared under a root is not known.")


def perfect_steps(basis: Bounds) -> None:
    """Refused unless the gold against itself has the best score, also where it is empty."""
    equation = basis.equation
    if equation.best is None or equation.empty != equation.best:
        raise Refused("The score where both sides are empty is not the best.")
    if AtItself(basis).value(equation.expression) != constant(equation.best):
        raise Refused(f"The gold against itself is not shown to score {equation.best}.")
    basis.note(Perfect(equation.expression, number(equation.best), rule="value at itself"))


def itself(equation: Equation, situation: Situation) -> list[Obligation]:
    """The rule of the scheme *itself*: the gold against itself has the best score."""
    basis = Bounds(equation, kind_for(equation, situation))
    perfect_steps(basis)
    return [*basis.steps]


def in_range(equation: Equation, situation: Situation) -> list[Obligation]:
    """The rule of the scheme *range*: no score is above the best or below the lowest."""
    basis = Bounds(equation, kind_for(equation, situation))
    if equation.best is None:
        raise Refused("The equation has no best score.")
    ends = equation.best, equation.low
    low, high = ends if equation.smaller_is_better else ends[::-1]
    stated = [x for x in (equation.empty, equation.one_empty) if x is not None]
    if any((high is not None and x > high) or (low is not None and x < low) for x in stated):
        raise Refused("The score of an empty side is outside the range.")
    if high is not None and basis.upper_bound(equation.expression) > high:
        raise Refused(f"The score is not shown to be at most {high}.")
    if low is not None:
        basis.non_negative(simplify(equation.expression - low) if low else equation.expression)
    return [*basis.steps]
