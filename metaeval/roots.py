"""Sums of square roots as numbers. Why their normal form decides is said in :mod:`metaeval.exact`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import gcd, isqrt
from typing import Any

from metaeval.combinations import Combination
from metaeval.factors import BOUND, factored


class RootSum(Combination):
    """A rational number plus a rational combination of square roots of positive integers; immutable.

    Made by :func:`sqrt` and by +, − and × with one another and with rational numbers, and by ÷ with these and with
    multiples of a single root; with floats it becomes a float. Two are equal if and only if their normal forms over
    the roots of square-free integers are, and <, ≤, >, ≥ are exact. ``float`` gives the nearest float. Squares of
    primes beyond 2¹⁶ that are not quickly found stay below the root in the printed form.

    >>> from fractions import Fraction
    >>> from metaeval.exact import sqrt
    >>> sqrt(Fraction(2, 3)), sqrt(8) - sqrt(2), sqrt(2) * sqrt(6) / 2
    (1/3·√6, √2, √3)
    >>> sqrt(2) + sqrt(3) > Fraction(22, 7), sqrt(Fraction(4, 9)) == Fraction(2, 3)
    (True, True)
    """

    # No term is the root of a square: what is rational is in the rational summand.
    __slots__ = ()

    symbol = "√"

    def _form(self) -> dict[int, int]:
        form: dict[int, int] = {}
        for radicand, coefficient in self._terms.items():
            factor, rest = _without_squares(radicand)
            form[rest] = form.get(rest, 0) + coefficient * factor
        if form and max(form) >= BOUND**2:
            form = _merged(form)
        return {radicand: coefficient for radicand, coefficient in form.items() if coefficient}

    def _scaled(self, bits: int) -> Mapping[int, int]:
        return {radicand: isqrt(radicand << 2 * bits) for radicand in self._terms}

    def _times(self, other: Any) -> Any:
        if not isinstance(other, RootSum):
            return NotImplemented
        products = [
            # √(g·x) · √(g·y) = g·√(xy)
            (one * another * (common := gcd(x, y)), x // common * (y // common))
            for x, one in self._with_whole()
            for y, another in other._with_whole()
        ]
        return sum_of_roots(products, self._over * other._over)

    def _with_whole(self) -> list[tuple[int, int]]:
        """The terms, the rational summand as a multiple of √1."""
        return [*self._terms.items(), (1, self._whole)]

    def _divided_by(self, other: Any) -> Any:
        if not isinstance(other, RootSum):
            return NotImplemented
        form = other._form()
        if not form:
            return self / other.whole
        if len(form) > 1 or other.whole:
            return NotImplemented
        ((radicand, coefficient),) = form.items()
        return self * sum_of_roots([(other._over, radicand)], coefficient * radicand)


def sum_of_roots(terms: Iterable[tuple[int, int]], over: int = 1) -> RootSum:
    """Σ k·√n of pairs (k, n) of integers, n from 0 up, divided by ``over``.

    >>> sum_of_roots([(1, 12), (1, 9)], over=2)
    3/2 + √3
    """
    merged: dict[int, int] = {}
    whole = 0
    for coefficient, radicand in terms:
        root = isqrt(radicand)
        if root * root == radicand:
            whole += coefficient * root
        else:
            merged[radicand] = merged.get(radicand, 0) + coefficient
    if not over:
        raise ZeroDivisionError("a sum of roots divided by 0")
    return RootSum(merged, whole, over)


@lru_cache(maxsize=1 << 12)
def _without_squares(number: int) -> tuple[int, int]:
    """(f, n) of which the number is f²·n, with no square left in n that is quickly found."""
    factor = rest = 1
    for prime, power in factored(number):
        root = isqrt(prime)  # the large cofactor may be a square
        base, power = (root, 2 * power) if root * root == prime else (prime, power)
        factor *= base ** (power // 2)
        rest *= base ** (power % 2)
    return factor, rest


def _merged(form: Mapping[int, int]) -> dict[int, int]:
    """The same sum where no two roots are rational multiples of each other.

    Those of a and b are if ab is a square. With g the greatest common divisor, so are then a/g and b/g, for these have
    no factor in common.
    """
    merged: dict[int, int] = {}
    for radicand, coefficient in form.items():
        for other in merged:
            common = gcd(radicand, other)
            mine, others = isqrt(radicand // common), isqrt(other // common)
            if mine * mine * common == radicand and others * others * common == other:
                coefficient = coefficient * mine + merged.pop(other) * others
                radicand = common
                break
        merged[radicand] = coefficient
    return merged
