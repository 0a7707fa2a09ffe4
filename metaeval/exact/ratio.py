"""Quotients of sums of logarithms, such as entropies divided by entropies, and of sums of roots.

Whether one is a given rational number r is decided by normal forms: a/b = r says that a − r·b, again a sum, is 0. Two
quotients of logarithms are equal if their forms are, up to a common factor. If they are not, intervals tell the order
as soon as precision is high enough. That it ever is follows from a conjecture only: that the logarithms of primes are
algebraically independent. Nothing is believed on its account, for two quotients that are never told apart end in an
error and not in a verdict. Quotients of roots need no conjecture: sums of roots can be multiplied, so that a/b and c/d
compare as a·d and b·c do.
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import gcd, lcm
from numbers import Rational
from typing import Any, ClassVar, Self

from metaeval.exact.combination import Combination, Comparison, Ordered
from metaeval.exact.irrational import LogSum, RootSum

#: If two quotients agree in this number of bits, the comparison ends in an error.
MOST_BITS = 1 << 13

#: The place of the rational summand among the coefficients.
_WHOLE = 1

#: A number as numerator and denominator, which is positive.
_Rational = tuple[int, int]


class SumRatio(Ordered):
    """A sum divided by another of its kind, irrational; immutable."""

    __slots__ = ("_above", "_below")

    #: What it is a quotient of.
    kind: ClassVar[type[Combination]]

    def __init__(self, above: Combination, below: Combination) -> None:
        self._above = above
        self._below = below
        self._float = None

    def __reduce__(self) -> tuple[type[Self], tuple[Combination, Combination]]:
        return type(self), (self._above, self._below)

    def _enclosures(self) -> Iterator[tuple[_Rational, _Rational, int]]:
        """Ever narrower ones: two ratios of integers between which the quotient lies, and the bits."""
        factor, divisor = self._below.over, self._above.over
        if divisor < 0:
            factor, divisor = -factor, -divisor
        for (a, b, bits), (c, d, _) in zip(self._above.enclosures(), self._below.enclosures(), strict=False):
            if c <= 0 <= d:
                continue
            if d < 0:
                a, b, c, d = -b, -a, -d, -c
            low = a * factor, (d if a > 0 else c) * divisor
            high = b * factor, (c if b > 0 else d) * divisor
            yield (low, high, bits) if factor > 0 else (high, low, bits)

    def _rounded(self) -> Iterator[tuple[float, float]]:
        # It is irrational, so that in the end both sides round to the same float.
        return ((low[0] / low[1], high[0] / high[1]) for low, high, _ in self._enclosures())

    def __hash__(self) -> int:
        return hash(float(self))  # equal numbers round to the same float

    # --- arithmetic

    def __neg__(self) -> Self:
        return type(self)(-self._above, self._below)

    def _plus(self, other: Any, sign: int) -> Any:
        if not isinstance(other, Rational):
            return NotImplemented
        return type(self)(self._above + self._below * (sign * other), self._below)

    def _times(self, other: Any) -> Any:
        return (self._above * other) / self._below if isinstance(other, Rational) else NotImplemented

    def _divided_by(self, other: Any) -> Any:
        return type(self)(self._above / other, self._below) if isinstance(other, Rational) else NotImplemented

    def _dividing(self, other: Any) -> Any:
        return (self._below * other) / self._above if isinstance(other, Rational) else NotImplemented

    # --- order

    def _compared_exactly(self, other: Any, how: Comparison) -> bool:
        if isinstance(other, Rational):
            return how((self._above - self._below * other).sign * self._below.sign, 0)
        if isinstance(other, self.kind):
            other = type(self)(other, self.kind({}, 1))
        if not isinstance(other, type(self)):
            return self._compared_to_another_kind(other, how)
        return how(self._beside(other), 0)

    #: −1, 0 or 1, as this one is smaller, the same or larger than another.
    _beside: Callable[[Any], int]

    # --- in words

    def __str__(self) -> str:
        above, below = _vectors(self._above, self._below)
        numbers = (*above.values(), *below.values())
        common = lcm(*(number.denominator for number in numbers))
        # Integers without a common factor, and the first below positive: so every quotient of logarithms has one form.
        scale = Fraction(common, gcd(*(int(number * common) for number in numbers)))
        scale = scale if below[min(below)] > 0 else -scale
        return f"({self._above * scale}) / ({self._below * scale})"


class LogRatio(SumRatio):
    """A sum of logarithms divided by another, irrational; immutable.

    Made by ÷ of two :class:`LogSum`. +, −, × and ÷ with rational numbers give another one, with floats a float;
    comparisons are exact. ``float`` gives the nearest float.

    >>> from metaeval.exact import log
    >>> log(3) / log(2), 1 - log(9) / log(8), log(9) / log(3)
    ((log 3) / (log 2), (3·log 2 − 2·log 3) / (3·log 2), 2)
    >>> log(3) / log(2) > Fraction(3, 2), log(9) / log(4) == log(3) / log(2)
    (True, True)
    """

    __slots__ = ()

    kind = LogSum

    def _beside(self, other: Self) -> int:
        mine_above, mine_below, above, below = _vectors(self._above, self._below, other._above, other._below)
        if _multiple(_joined(mine_above, mine_below), _joined(above, below)) is not None:
            return 0
        for (low, high, bits), (least, most, _) in zip(self._enclosures(), other._enclosures(), strict=False):
            if _is_less(high, least) or _is_less(most, low):
                return -1 if _is_less(high, least) else 1
            if bits > MOST_BITS:
                break
        raise ArithmeticError(f"{self} and {other} agree in {MOST_BITS} bits, and no form says that they are equal")


class RootRatio(SumRatio):
    """A sum of roots divided by another that is no multiple of a single root, irrational; immutable.

    Made by ÷ of two :class:`RootSum`. +, −, × and ÷ with rational numbers give another one, with floats a float;
    comparisons are exact. ``float`` gives the nearest float. What is equal may be printed in several ways.

    >>> from metaeval.exact import sqrt
    >>> 1 / (1 + sqrt(2)), 1 / (1 + sqrt(2)) == sqrt(2) - 1
    ((1) / (1 + √2), True)
    """

    __slots__ = ()

    kind = RootSum

    def _beside(self, other: Self) -> int:
        difference = self._above * other._below - other._above * self._below
        sign: int = difference.sign * self._below.sign * other._below.sign
        return sign


_RATIOS: Mapping[type[Combination], type[SumRatio]] = {LogSum: LogRatio, RootSum: RootRatio}


def quotient(above: Combination, below: Combination) -> Combination | SumRatio:
    """One sum divided by another: again a sum where the divisor is rational, or divides to a rational number."""
    upper, lower = _vectors(above, below)
    if not lower:
        raise ZeroDivisionError(f"{above} divided by 0")
    if lower.keys() == {_WHOLE}:
        divided: Combination = above / lower[_WHOLE]
        return divided
    ratio = _multiple(lower, upper) if upper else Fraction(0)
    kind = type(above)
    return _RATIOS[kind](above, below) if ratio is None else kind({}, ratio.numerator, ratio.denominator)


def _vectors(*sums: Combination) -> list[dict[int, Fraction]]:
    """The coefficients of some sums by the same numbers, those that are not 0; the rational one by 1."""
    return [
        ({_WHOLE: one.whole} if one.whole else {}) | {name: Fraction(number, one.over) for name, number in form.items()}
        for one, form in zip(sums, type(sums[0]).forms(*sums), strict=True)
    ]


def _joined(above: Mapping[int, Fraction], below: Mapping[int, Fraction]) -> dict[tuple[bool, int], Fraction]:
    """Both as one vector: a quotient is the same if that is a multiple."""
    upper = {(True, factor): number for factor, number in above.items()}
    return upper | {(False, factor): number for factor, number in below.items()}


def _multiple(of: Mapping[Any, Fraction], vector: Mapping[Any, Fraction]) -> Fraction | None:
    """The number that a vector is a multiple by, or None where it is none."""
    if of.keys() != vector.keys():
        return None
    first = next(iter(of))
    ratio = vector[first] / of[first]
    return ratio if all(vector[key] == ratio * number for key, number in of.items()) else None


def _is_less(one: _Rational, other: _Rational) -> bool:
    return one[0] * other[1] < other[0] * one[1]
