"""Polynomials and quotients of them in plain integers, as small as checking a proof allows.

They share nothing with what the prover computes with. Files are not trusted, so that whoever multiplies pays from a
purse: a file made to stall the check empties it and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

#: Symbols with their exponents, in the order of their names.
Monomial = tuple[tuple[str, int], ...]

#: What a whole proof may cost, in products of two monomials; the largest of metaeval's own needs a thirtieth.
MOST_PRODUCTS = 1_000_000


class TooLarge(Exception):
    """The polynomials of a proof have grown beyond what any honest one needs."""


class _Purse:
    def __init__(self, products: int) -> None:
        self.left = products

    def pay(self, products: int) -> None:
        self.left -= products
        if self.left < 0:
            raise TooLarge


_PURSE: ContextVar[_Purse | None] = ContextVar("purse", default=None)


@contextmanager
def bounded(products: int = MOST_PRODUCTS) -> Iterator[None]:
    """Let everything that is multiplied inside cost at most so many products of monomials."""
    token = _PURSE.set(_Purse(products))
    try:
        yield
    finally:
        _PURSE.reset(token)


class Poly:
    """A polynomial with integer coefficients; never changed once it is made.

    >>> p, q = Poly.symbol("p"), Poly.symbol("q")
    >>> (p + q) * (p - q) == p * p - q * q
    True
    >>> (p * p).at({"p": q + 1}) == q * q + 2 * q + 1
    True
    """

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms = {monomial: coefficient for monomial, coefficient in terms.items() if coefficient}

    @classmethod
    def number(cls, value: int) -> Poly:
        """A constant."""
        return cls({(): value})

    @classmethod
    def symbol(cls, name: str) -> Poly:
        """A symbol by itself."""
        return cls({((name, 1),): 1})

    def __add__(self, other: Poly | int) -> Poly:
        return added((self, _poly(other)))

    __radd__ = __add__

    def __neg__(self) -> Poly:
        return Poly({monomial: -coefficient for monomial, coefficient in self.terms.items()})

    def __sub__(self, other: Poly | int) -> Poly:
        return self + -_poly(other)

    def __rsub__(self, other: int) -> Poly:
        return _poly(other) - self

    def __mul__(self, other: Poly | int) -> Poly:
        second = _poly(other)
        purse = _PURSE.get()
        if purse is not None:
            purse.pay(len(self.terms) * len(second.terms))
        terms: dict[Monomial, int] = {}
        for one, a in self.terms.items():
            for two, b in second.terms.items():
                both = _times(one, two)
                terms[both] = terms.get(both, 0) + a * b
        return Poly(terms)

    __rmul__ = __mul__

    def __pow__(self, exponent: int) -> Poly:
        return reduce(Poly.__mul__, [self] * exponent, Poly.number(1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Poly) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __repr__(self) -> str:
        return f"Poly({self.terms!r})"

    @property
    def symbols(self) -> frozenset[str]:
        """The names that occur."""
        return frozenset(name for monomial in self.terms for name, _ in monomial)

    def at(self, values: Mapping[str, Poly]) -> Poly:
        """The polynomial with symbols replaced; those without a value stay."""
        if not self.symbols & values.keys():
            return self
        return added(self._term_at(monomial, values) for monomial in self.terms)

    def _term_at(self, monomial: Monomial, values: Mapping[str, Poly]) -> Poly:
        kept = tuple((name, power) for name, power in monomial if name not in values)
        replaced = (values[name] ** power for name, power in monomial if name in values)
        return reduce(Poly.__mul__, replaced, Poly({kept: self.terms[monomial]}))

    def value(self, numbers: Mapping[str, int | Fraction]) -> Fraction:
        """The number that comes out where every symbol is one."""
        total = Fraction(0)
        for monomial, coefficient in self.terms.items():
            product = Fraction(coefficient)
            for name, power in monomial:
                product *= numbers[name] ** power
            total += product
        return total

    @property
    def never_negative(self) -> bool:
        """Whether no coefficient is negative: then no value is, where the symbols are at least 0."""
        return all(coefficient > 0 for coefficient in self.terms.values())

    def positive_if(self, positive: Iterable[str]) -> bool:
        """Whether no coefficient is negative, and some term consists of symbols that are surely positive."""
        sure = frozenset(positive)
        return self.never_negative and any(all(name in sure for name, _ in one) for one in self.terms)


def added(polys: Iterable[Poly]) -> Poly:
    """The sum of polynomials."""
    terms: dict[Monomial, int] = {}
    for poly in polys:
        for monomial, coefficient in poly.terms.items():
            terms[monomial] = terms.get(monomial, 0) + coefficient
    return Poly(terms)


def _poly(value: Poly | int) -> Poly:
    return value if isinstance(value, Poly) else Poly.number(value)


def _times(one: Monomial, two: Monomial) -> Monomial:
    if not one or not two:
        return one or two
    powers = dict(one)
    for name, power in two:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))


@dataclass(frozen=True)
class Ratio:
    """A quotient of polynomials. Nothing is cancelled: a product of positive factors shows its sign just as well."""

    numerator: Poly
    denominator: Poly

    @classmethod
    def whole(cls, poly: Poly) -> Ratio:
        """A polynomial as a quotient."""
        return cls(poly, Poly.number(1))

    def __add__(self, other: Ratio) -> Ratio:
        if self.denominator == other.denominator:
            return Ratio(self.numerator + other.numerator, self.denominator)
        if self.denominator == Poly.number(1) or not self.numerator:
            return Ratio(self.numerator * other.denominator + other.numerator, other.denominator)
        if other.denominator == Poly.number(1) or not other.numerator:
            return Ratio(self.numerator + other.numerator * self.denominator, self.denominator)
        return Ratio(
            self.numerator * other.denominator + other.numerator * self.denominator,
            self.denominator * other.denominator,
        )

    def __sub__(self, other: Ratio) -> Ratio:
        return self + Ratio(-other.numerator, other.denominator)

    def times(self, factor: Poly) -> Ratio:
        """The quotient multiplied by a polynomial."""
        return Ratio(self.numerator * factor, self.denominator)

    def at(self, values: Mapping[str, Poly]) -> Ratio:
        """The quotient with symbols replaced by polynomials."""
        return Ratio(self.numerator.at(values), self.denominator.at(values))

    def put(self, values: Mapping[str, Ratio]) -> Ratio:
        """The quotient with symbols replaced by quotients.

        Every term is brought to the same denominator: each replaced symbol's, as often as the symbol occurs at most.
        """
        used = {name: one for name, one in values.items() if name in self.symbols}
        highest = {name: max(_power(self.numerator, name), _power(self.denominator, name)) for name in used}
        return Ratio(_cleared(self.numerator, used, highest), _cleared(self.denominator, used, highest))

    @property
    def symbols(self) -> frozenset[str]:
        """The names that occur."""
        return self.numerator.symbols | self.denominator.symbols

    def equals(self, other: Ratio) -> bool:
        """Whether both are the same quotient, by multiplying crosswise."""
        return self.numerator * other.denominator == other.numerator * self.denominator

    def value(self, numbers: Mapping[str, int | Fraction]) -> Fraction | None:
        """The number that comes out, or None where the denominator is 0."""
        below = self.denominator.value(numbers)
        return self.numerator.value(numbers) / below if below else None


def _power(poly: Poly, name: str) -> int:
    return max((dict(monomial).get(name, 0) for monomial in poly.terms), default=0)


def _cleared(poly: Poly, values: Mapping[str, Ratio], highest: Mapping[str, int]) -> Poly:
    """The polynomial at these quotients, times each denominator to the power stated."""

    def cleared(monomial: Monomial) -> Poly:
        powers = dict(monomial)
        product = Poly({tuple((name, power) for name, power in monomial if name not in values): poly.terms[monomial]})
        for name, one in values.items():
            power = powers.get(name, 0)
            product = product * one.numerator**power * one.denominator ** (highest[name] - power)
        return product

    return added(map(cleared, poly.terms))


def total(ratios: Iterable[Ratio]) -> Ratio:
    """The sum of quotients, those with the same denominator first."""
    groups: dict[Poly, Poly] = {}
    for one in ratios:
        groups[one.denominator] = groups.get(one.denominator, Poly({})) + one.numerator
    return reduce(Ratio.__add__, (Ratio(above, below) for below, above in groups.items()), Ratio.whole(Poly({})))
