"""Sums of logarithms and of square roots, each with one normal form: integers are split into coprime factors."""

from collections.abc import Iterable, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from functools import cache, lru_cache
from math import gcd, isqrt
from typing import Any

from metaeval.exact.combination import Combination

#: The limit of trial division. A cofactor below its square is a prime.
BOUND = 1 << 16


def aligned(*products: Mapping[int, int]) -> list[dict[int, int]]:
    """Products Π nᵏ, given as {n: k}, over the same coprime factors above 1, none of them with exponent 0.

    >>> aligned({12: 1, 18: -1})
    [{2: 1, 3: -1}]
    """
    forms = []
    for exponents in products:
        form: dict[int, int] = {}
        for number, exponent in exponents.items():
            for factor, power in factored(number):
                form[factor] = form.get(factor, 0) + power * exponent
        forms.append(form)
    if any(form and max(form) >= BOUND**2 for form in forms):
        base = coprime_base(factor for form in forms for factor in form if factor > BOUND)
        forms = [_refined(form, base) for form in forms]
    return [{factor: exponent for factor, exponent in form.items() if exponent} for form in forms]


@lru_cache(maxsize=1 << 14)
def factored(number: int) -> tuple[tuple[int, int], ...]:
    """The factors of a positive integer with their powers: primes, and at most one large cofactor."""
    found = []
    for prime in _primes():
        if prime * prime > number:
            break
        if number % prime == 0:
            power = _power(prime, number)
            number //= prime**power
            found.append((prime, power))
    return tuple(found) if number == 1 else (*found, (number, 1))


@cache
def _primes() -> tuple[int, ...]:
    """The primes below the bound: the sieve of Eratosthenes."""
    is_prime = bytearray([1]) * BOUND
    is_prime[:2] = b"\0\0"
    for number in range(2, isqrt(BOUND) + 1):
        if is_prime[number]:
            is_prime[number * number :: number] = bytes(len(range(number * number, BOUND, number)))
    return tuple(number for number in range(BOUND) if is_prime[number])


def _refined(form: dict[int, int], base: list[int]) -> dict[int, int]:
    """The same product where large factors, which may have primes in common, are divided into those of a base."""
    large = [factor for factor in form if factor > BOUND]
    refined = {factor: exponent for factor, exponent in form.items() if factor <= BOUND}
    for coprime in base:
        refined[coprime] = sum(form[factor] * _power(coprime, factor) for factor in large)
    return refined


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers above 1 of which the given ones are products.

    >>> sorted(coprime_base([12, 18]))
    [2, 3]
    """
    base: list[int] = []
    waiting = list(numbers)
    while waiting:
        number = waiting.pop()
        for index, other in enumerate(base):
            common = gcd(number, other)
            if common > 1:
                del base[index]
                waiting += [common, number // common, other // common]
                break
        else:
            base += [number] if number > 1 else []
    return base


def _power(factor: int, number: int) -> int:
    power = 0
    while number % factor == 0:
        number //= factor
        power += 1
    return power


class LogSum(Combination):
    """A rational number plus a rational combination of logarithms of positive integers; immutable.

    Made by :func:`log` and by +, −, and × and ÷ with rational numbers; with floats it becomes a float. A sum divided by
    another is a :class:`LogRatio`, or a rational sum where one is a multiple of the other. Two are equal if
    and only if their normal forms over the logarithms of primes are, and <, ≤, >, ≥ are exact. ``float`` gives the
    nearest float. Factors beyond 2³² whose primes are not quickly found stand in the printed form as they are.

    >>> from fractions import Fraction
    >>> from metaeval.exact import log
    >>> x = log(12) / 3 - log(6) / 2
    >>> x
    1/6·log 2 − 1/6·log 3
    >>> x < 0, x == log(Fraction(2, 3)) / 6, float(x)
    (True, True, -0.0675775180180274)
    """

    __slots__ = ()

    symbol = "log "

    @classmethod
    def forms(cls, *sums: Combination) -> list[dict[int, int]]:
        """The terms of some sums over the logarithms of the same coprime numbers."""
        return aligned(*(one.terms for one in sums))

    def _scaled(self, bits: int) -> Mapping[int, int]:
        return {argument: _scaled_log(argument, bits) for argument in self.terms}


@lru_cache(maxsize=1 << 14)
def _scaled_log(argument: int, bits: int) -> int:
    """The logarithm times 2^bits, off by less than one."""
    # An integer of so many bits has a logarithm with this many digits before the point; two more are to spare.
    digits = len(str(argument.bit_length())) + bits * 30103 // 100000 + 3
    numerator, denominator = Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX).ln(Decimal(argument)).as_integer_ratio()
    return ((numerator << bits + 1) + denominator) // (2 * denominator)


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
        multiples = {radicand: _without_squares(factored(radicand)) for one in sums for radicand in one.terms}
        if any(rest >= BOUND**2 for _, rest in multiples.values()):
            products = [tuple(one.items()) for one in aligned(*({radicand: 1} for radicand in multiples))]
            multiples = dict(zip(multiples, map(_without_squares, products), strict=True))
        forms = []
        for one in sums:
            form: dict[int, int] = {}
            for radicand, coefficient in one.terms.items():
                factor, rest = multiples[radicand]
                form[rest] = form.get(rest, 0) + coefficient * factor
            forms.append({rest: coefficient for rest, coefficient in form.items() if coefficient})
        return forms

    def _scaled(self, bits: int) -> Mapping[int, int]:
        return {radicand: isqrt(radicand << 2 * bits) for radicand in self.terms}

    def _times(self, other: Any) -> Any:
        if not isinstance(other, RootSum):
            return super()._times(other)
        products = [
            # √(g·x) · √(g·y) = g·√(xy)
            (one * another * (common := gcd(x, y)), x // common * (y // common))
            for x, one in self._with_whole()
            for y, another in other._with_whole()
        ]
        return sum_of_roots(products, self.over * other.over)

    def _with_whole(self) -> list[tuple[int, int]]:
        """The terms, the rational summand as a multiple of √1."""
        return [*self.terms.items(), (1, self._whole)]

    def _divided_by(self, other: Any) -> Any:
        if isinstance(other, RootSum) and len(form := other._form()) == 1 and not other.whole:
            ((radicand, coefficient),) = form.items()
            return self * sum_of_roots([(other.over, radicand)], coefficient * radicand)
        return super()._divided_by(other)


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
def _without_squares(product: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    """(f, n) of which a product of coprime factors is f²·n, with no square left in n that is quickly found.

    Without square factors, coprime numbers multiply to a square only if there are none: n is the same for all products
    that are each other's multiples by a square.
    """
    factor = rest = 1
    for base, power in product:
        # A large factor may be a square.
        base, power = (isqrt(base), 2 * power) if _is_square(base) else (base, power)
        factor *= base ** (power // 2)
        rest *= base ** (power % 2)
    return factor, rest


def _is_square(number: int) -> bool:
    return isqrt(number) ** 2 == number
