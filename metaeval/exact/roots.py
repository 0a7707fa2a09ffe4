"""Sums of square roots as numbers. Why their normal form decides is said in :mod:`metaeval.exact`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import gcd, isqrt
from typing import Any

from metaeval.exact.combination import Combination
from metaeval.exact.factors import BOUND, factored


class RootSum(Combination):
    """A rational number plus a rational combination of square roots of positive integers; immutable.

    Made by :func:`sqrt` and by +, − and × with one another and with rational numbers, and by ÷ with these and with
    multiples of a single root; any other ÷ makes a :class:`RootRatio`, and floats make floats. Two are equal if and
    only if their normal forms over the roots of square-free integers are, and <, ≤, >, ≥ are exact. ``float`` gives the
    nearest float. Squares of primes beyond 2¹⁶ that are not quickly found stay below the root in the printed form.

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

    @classmethod
    def forms(cls, *sums: Combination) -> list[dict[int, int]]:
        """The terms of some sums over roots of which no two are rational multiples of each other."""
        multiples = {radicand: _without_squares(radicand) for one in sums for radicand in one.terms}
        if any(rest >= BOUND**2 for _, rest in multiples.values()):
            multiples = _aligned(multiples)
        return [_over_roots(one.terms, multiples) for one in sums]

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
        if len(form) == 1 and not other.whole:
            ((radicand, coefficient),) = form.items()
            return self * sum_of_roots([(other._over, radicand)], coefficient * radicand)
        # Loaded here: quotients are made of sums.
        from metaeval.exact.ratio import quotient

        return quotient(self, other)


def sum_of_roots(terms: Iterable[tuple[int, int]], over: int = 1) -> RootSum:
    """Σ k·√n of pairs (k, n) of integers, n from 0 up, divided by ``over``.

    >>> sum_of_roots([(1, 12), (1, 9)], over=2)
    3/2 + √3
    """
    merged: dict[int, int] = {}
    whole = 0
    for coefficient, radicand in terms:
        if _is_square(radicand):
            whole += coefficient * isqrt(radicand)
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
        # The large cofactor may be a square.
        base, power = (isqrt(prime), 2 * power) if _is_square(prime) else (prime, power)
        factor *= base ** (power // 2)
        rest *= base ** (power % 2)
    return factor, rest


def _over_roots(terms: Mapping[int, int], multiples: Mapping[int, tuple[int, int]]) -> dict[int, int]:
    form: dict[int, int] = {}
    for radicand, coefficient in terms.items():
        factor, rest = multiples[radicand]
        form[rest] = form.get(rest, 0) + coefficient * factor
    return {rest: coefficient for rest, coefficient in form.items() if coefficient}


def _aligned(multiples: Mapping[int, tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """The same multiples f·√n, where √n are the same if they are rational multiples of each other.

    Those of a and b are if ab is a square. Then the greatest common divisor is a divided by a square, and b by another.
    """
    shared: list[int] = []
    for _, rest in multiples.values():
        place = next((i for i, other in enumerate(shared) if _is_square(rest * other)), None)
        if place is None:
            shared.append(rest)
        else:
            shared[place] = gcd(shared[place], rest)
    found = {}
    for radicand, (factor, rest) in multiples.items():
        root = next(other for other in shared if _is_square(rest * other))
        found[radicand] = factor * isqrt(rest // root), root
    return found


def _is_square(number: int) -> bool:
    return isqrt(number) ** 2 == number
