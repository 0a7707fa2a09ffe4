"""Numbers with symbols: quotients of polynomials with integer coefficients, and what is known of their signs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

from metaeval.proof import Poly, Quotient
from metaeval.proving.refusal import Refused


class Ring:
    """The polynomials in some symbols."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    @cached_property
    def context(self) -> Any:
        """What flint keeps of these symbols; imported here, for the package is whole without it."""
        import flint

        return flint.fmpz_mpoly_ctx.get(list(self.names), flint.Ordering.lex)

    @cached_property
    def _symbols(self) -> dict[str, Number]:
        gens = zip(self.names, self.context.gens(), strict=True)
        return {name: Number(self, symbol) for name, symbol in gens}

    def symbol(self, name: str) -> Number:
        """A symbol as a number."""
        return self._symbols[name]

    def constant(self, value: int | Fraction) -> Number:
        """A plain number as one of this ring."""
        top, below = Fraction(value).as_integer_ratio()
        return Number(self, self.context.constant(top), self.context.constant(below))

    def parse(self, text: str) -> Number:
        """The polynomial that a text such as "2*p + q" or "(n + 1)*w" says."""
        return self._value(ast.parse(text, mode="eval").body, text)

    def _value(self, node: ast.expr, text: str) -> Number:
        match node:
            case ast.Constant(value=int() as value):
                return self.constant(value)
            case ast.Name(id=name) if name in self._symbols:
                return self.symbol(name)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self._value(left, text) + self._value(right, text)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                return self._value(left, text) - self._value(right, text)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return self._value(left, text) * self._value(right, text)
        raise ValueError(f"{text!r} is no polynomial in {', '.join(self.names)}; use +, -, * and whole numbers")


@lru_cache(maxsize=64)
def ring(names: tuple[str, ...]) -> Ring:
    """The ring of these symbols, made once."""
    return Ring(names)


#: More terms than any proof needs; beyond, polynomials only cost time.
_MOST_TERMS = 20_000


def _bounded(terms: int) -> None:
    if terms > _MOST_TERMS:
        raise Refused("Its polynomials grow beyond what is followed.")


class Number:
    """A quotient of polynomials, reduced."""

    __slots__ = ("bottom", "ring", "top")

    def __init__(self, ring: Ring, top: Any, bottom: Any = None) -> None:
        self.ring = ring
        one = ring.context.constant(1)
        bottom = one if bottom is None else bottom
        common = top.gcd(bottom)
        if common != one:
            top, bottom = top // common, bottom // common
        if bottom.leading_coefficient() < 0:
            top, bottom = -top, -bottom
        self.top, self.bottom = top, bottom

    def _other(self, other: object) -> Number:
        if isinstance(other, Number):
            return other
        if isinstance(other, (int, Fraction)):
            return self.ring.constant(other)
        raise Refused(f"It computes with {type(other).__name__} values; whole numbers and Fractions are exact.")

    def __add__(self, other: object) -> Number:
        that = self._other(other)
        _bounded(len(self.top) * len(that.bottom) + len(that.top) * len(self.bottom))
        return Number(self.ring, self.top * that.bottom + that.top * self.bottom, self.bottom * that.bottom)

    __radd__ = __add__

    def __sub__(self, other: object) -> Number:
        return self + (-self._other(other))

    def __rsub__(self, other: object) -> Number:
        return self._other(other) - self

    def __neg__(self) -> Number:
        return Number(self.ring, -self.top, self.bottom)

    def __mul__(self, other: object) -> Number:
        that = self._other(other)
        _bounded(len(self.top) * len(that.top) + len(self.bottom) * len(that.bottom))
        return Number(self.ring, self.top * that.top, self.bottom * that.bottom)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Number:
        """Whoever divides must know that the other is not zero."""
        that = self._other(other)
        return Number(self.ring, self.top * that.bottom, self.bottom * that.top)

    def __pow__(self, exponent: int) -> Number:
        _bounded(len(self.top) ** exponent + len(self.bottom) ** exponent)
        return Number(self.ring, self.top**exponent, self.bottom**exponent)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.top == other.top and self.bottom == other.bottom

    def __hash__(self) -> int:
        return hash((str(self.top), str(self.bottom)))

    def __str__(self) -> str:
        return f"{self.top}" if self.bottom.is_one() else f"({self.top})/({self.bottom})"

    @property
    def short(self) -> str:
        """For a sentence: cut where it is long."""
        text = str(self)
        return text if len(text) <= 80 else f"{text[:77]}…"

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 whatever the symbols are."""
        return bool(self.top.is_zero())

    @property
    def names(self) -> frozenset[str]:
        """The symbols that it depends on."""
        return _names(self.ring, self.top) | _names(self.ring, self.bottom)

    def put(self, values: Mapping[str, Number], into: Ring | None = None) -> Number:
        """With numbers in place of symbols; those of another ring all, or symbols of the same name."""
        target = into or self.ring
        if target is self.ring and not values:
            return self
        places = [
            values[name] if name in values else target.symbol(name) if name in target.names else None
            for name in self.ring.names
        ]
        return _evaluated(self.top, places, target) / _evaluated(self.bottom, places, target)

    def at(self, values: Mapping[str, Fraction]) -> Fraction:
        """With plain numbers in place of all symbols."""
        places = [values.get(name) for name in self.ring.names]
        below = _plain(self.bottom, places)
        return _plain(self.top, places) / below

    def quotient(self) -> Quotient:
        """As data."""
        return Quotient(as_data(self.ring, self.top), as_data(self.ring, self.bottom))


def _names(ring: Ring, poly: Any) -> frozenset[str]:
    return frozenset(name for name, degree in zip(ring.names, poly.degrees(), strict=True) if degree > 0)


def _evaluated(poly: Any, places: list[Number | None], target: Ring) -> Number:
    used = [degree > 0 for degree in poly.degrees()]
    if any(place is None for place, needed in zip(places, used, strict=True) if needed):
        raise Refused("Its form has a symbol that the situation says nothing of.")
    zero = target.constant(0)
    numbers = [place if needed and place else zero for place, needed in zip(places, used, strict=True)]
    if all(number.bottom.is_one() for number in numbers):
        return Number(target, poly.compose(*(number.top for number in numbers), ctx=target.context))
    total = zero
    for exponents, coefficient in poly.to_dict().items():
        term = target.constant(int(coefficient))
        for number, exponent in zip(numbers, exponents, strict=True):
            if exponent:
                term = term * number ** int(exponent)
        total = total + term
    return total


def _plain(poly: Any, places: list[Fraction | None]) -> Fraction:
    total = Fraction(0)
    for exponents, coefficient in poly.to_dict().items():
        term = Fraction(int(coefficient))
        for place, exponent in zip(places, exponents, strict=True):
            if exponent:
                assert place is not None
                term *= place ** int(exponent)
        total += term
    return total


def as_data(ring: Ring, poly: Any) -> Poly:
    """A polynomial as sorted monomials."""
    monomials = []
    for exponents, coefficient in poly.to_dict().items():
        powers = sorted((name, int(power)) for name, power in zip(ring.names, exponents, strict=True) if power)
        monomials.append((int(coefficient), tuple(powers)))
    return tuple(sorted(monomials, key=lambda one: one[1]))


class Facts:
    """What is known of the symbols: each is what ``known`` says of it, with every symbol in there 0 or more.

    A symbol that ``known`` does not name is 0 or more itself; those in ``positive`` are more than 0.
    """

    def __init__(self, ring: Ring, known: Mapping[str, Number], positive: Iterable[str] = ()) -> None:
        self.ring = ring
        self._known = dict(known)
        self._positive = frozenset(positive)
        self._signs: dict[str, tuple[bool, bool]] = {}

    def with_positive(self, *names: str) -> Facts:
        """The same, with more symbols that are more than 0."""
        return Facts(self.ring, self._known, self._positive | {*names})

    def at_least_zero(self, number: Number) -> bool:
        """Whether the signs of coefficients alone show it."""
        return self._sign(number)[0]

    def more_than_zero(self, number: Number) -> bool:
        """Whether the signs of coefficients alone show it."""
        return self._sign(number)[1]

    def obstacle(self, number: Number) -> str | None:
        """A product of symbols, each beyond its bound, whose coefficient is negative: a direction to look in."""
        shifted = Number(self.ring, number.top).put(self._known).top
        turned = -shifted if self._shown(-number.bottom)[1] else shifted
        for exponents, coefficient in turned.to_dict().items():
            if coefficient < 0:
                powers = zip(self.ring.names, exponents, strict=True)
                return "·".join(name if power == 1 else f"{name}^{power}" for name, power in powers if power) or "1"
        return None

    def _sign(self, number: Number) -> tuple[bool, bool]:
        bottom = self._shown(number.bottom)
        if not bottom[1]:
            flipped = self._shown(-number.bottom)
            return self._shown(-number.top) if flipped[1] else (False, False)
        return self._shown(number.top)

    def _shown(self, poly: Any) -> tuple[bool, bool]:
        """Whether a polynomial is at least 0, and whether it is more."""
        key = str(poly)
        if key not in self._signs:
            self._signs[key] = self._look(poly)
        return self._signs[key]

    def _look(self, poly: Any) -> tuple[bool, bool]:
        shifted = Number(self.ring, poly).put(self._known).top
        at_least, more = True, False
        for exponents, coefficient in shifted.to_dict().items():
            if coefficient < 0:
                return False, False
            used = {name for name, power in zip(self.ring.names, exponents, strict=True) if power}
            more = more or used <= self._positive
        return at_least, more


def is_whole_multiple(number: Number, divisor: int) -> bool:
    """Whether a polynomial over a constant is a multiple of the divisor, for all whole values of its symbols."""
    if not number.bottom.is_constant():
        return False
    modulus = divisor * int(number.bottom.leading_coefficient())
    names = sorted(_names(number.ring, number.top))
    if modulus ** len(names) > 10_000:
        return False
    terms = [(int(one), exponents) for exponents, one in number.top.to_dict().items()]
    index = {name: number.ring.names.index(name) for name in names}
    for residues in product(range(modulus), repeat=len(names)):
        total = 0
        for coefficient, exponents in terms:
            for name, residue in zip(names, residues, strict=True):
                coefficient *= residue ** int(exponents[index[name]])
            total += coefficient
        if total % modulus:
            return False
    return True
