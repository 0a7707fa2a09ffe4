"""Integers as products of coprime factors: primes wherever these are quickly found.

Trial division by the primes below 2¹⁶ factors everything below 2³². What remains of a larger number is kept as it is,
for finding its primes may take for ever. It is only made coprime to the others, by greatest common divisors; and that
is as good for comparing products: coprime numbers above 1 are multiplicatively independent, just as primes are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from math import gcd, isqrt

#: Trial division goes so far. A cofactor below the square of this is a prime.
BOUND = 1 << 16


def over_coprimes(exponents: Mapping[int, int]) -> dict[int, int]:
    """Π nᵏ, given as {n: k}, over coprime factors above 1, none of them with exponent 0.

    >>> over_coprimes({12: 1, 18: -1})
    {2: 1, 3: -1}
    """
    return aligned(exponents)[0]


def aligned(*products: Mapping[int, int]) -> list[dict[int, int]]:
    """Several such products, all over the same coprime factors."""
    forms = [_over_factors(exponents) for exponents in products]
    if any(form and max(form) >= BOUND**2 for form in forms):
        base = coprime_base(factor for form in forms for factor in form if factor > BOUND)
        forms = [_refined(form, base) for form in forms]
    return [{factor: exponent for factor, exponent in form.items() if exponent} for form in forms]


def _over_factors(exponents: Mapping[int, int]) -> dict[int, int]:
    form: dict[int, int] = {}
    for number, exponent in exponents.items():
        for factor, power in factored(number):
            form[factor] = form.get(factor, 0) + power * exponent
    return form


@lru_cache(maxsize=1 << 14)
def factored(number: int) -> tuple[tuple[int, int], ...]:
    """The factors of a positive integer with their powers: primes, and at most one large cofactor."""
    found = []
    for prime in _primes():
        if prime * prime > number:
            break
        power = 0
        while number % prime == 0:
            number //= prime
            power += 1
        if power:
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
    """How often a factor divides a number."""
    power = 0
    while number % factor == 0:
        number //= factor
        power += 1
    return power
