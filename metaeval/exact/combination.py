"""Rational combinations of irrational numbers of one kind, such as logarithms or square roots, as exact numbers.

Nothing rests on a float. The irrational numbers are integers, scaled by a power of two, that are off by less than one.
A combination lies between two integers, then, and precision rises until these have the same sign, or round to the same
float. Only where the first precision does not tell is the normal form looked at: that is rare but for ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from math import isfinite, isnan, lcm
from numbers import Rational
from operator import eq, ge, gt, le, lt
from typing import Any, ClassVar, Self

#: Bits behind the point at first: of a score, 50 more than a float has.
BITS = 128

#: One of the operators == < <= > >=, as a function.
Comparison = Callable[[Any, Any], bool]


def _operator(how: Comparison) -> Callable[[Any, Any], bool]:
    return lambda self, other: self._compared(other, how)


class Ordered:
    """A number that is compared exactly, with floats too: every finite one is a fraction."""

    __slots__ = ("_float",)

    _float: float | None

    def __hash__(self) -> int:
        """Equal numbers have equal hashes, and only a kind of number knows its normal form."""
        raise NotImplementedError

    #: The floats nearest to both ends of ever narrower enclosures: rounding keeps the order.
    _rounded: Callable[[], Iterator[tuple[float, float]]]

    def __float__(self) -> float:
        if self._float is None:
            self._float = next(low for low, high in self._rounded() if low == high) + 0.0  # no −0.0
        return self._float

    __eq__, __lt__, __le__, __gt__, __ge__ = map(_operator, (eq, lt, le, gt, ge))

    def _compared(self, other: Any, how: Comparison) -> bool:
        if not isinstance(other, float):
            return self._compared_exactly(other, how)
        if not isfinite(other):
            return not isnan(other) and how(0.0, other)
        return self._compared_exactly(Fraction(other), how)

    #: How this compares to a number that is no float; NotImplemented where it is not known.
    _compared_exactly: Callable[[Any, Comparison], bool]

    def _compared_to_another_kind(self, other: Any, how: Comparison) -> bool:
        """By the nearest floats where these differ, for rounding keeps the order; else it is not known."""
        with suppress(OverflowError):
            if isinstance(other, Ordered) and float(self) != float(other):
                return how(float(self), float(other))
        return NotImplemented  # type: ignore[no-any-return]  # passed on by the operators

    # --- arithmetic: with floats it gives floats

    #: With any other number: plus or minus it, times it, divided by it, and it divided by this one.
    _plus: Callable[[Any, int], Any]
    _times: Callable[[Any], Any]
    _divided_by: Callable[[Any], Any]
    _dividing: Callable[[Any], Any]

    def __neg__(self) -> Self:
        raise NotImplementedError

    def __add__(self, other: Any) -> Any:
        return float(self) + other if isinstance(other, float) else self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return float(self) - other if isinstance(other, float) else self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        return float(self) * other if isinstance(other, float) else self._times(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return float(self) / other if isinstance(other, float) else self._divided_by(other)

    def __rtruediv__(self, other: Any) -> Any:
        return other / float(self) if isinstance(other, float) else self._dividing(other)

    def __repr__(self) -> str:
        return str(self)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)


class Combination(Ordered):
    """A rational number plus a rational combination of numbers of one kind, each named by an integer; immutable.

    A kind has its normal form: over numbers that with 1 are linearly independent over the rationals.
    """

    __slots__ = ("_whole", "over", "terms")

    #: What stands before the integer in print.
    symbol: ClassVar[str]
    #: Integers and the coefficients of their numbers, times ``over``, in no normal form.
    terms: Mapping[int, int]
    #: The denominator of all coefficients as they are held; it may be negative, which turns the sign at no cost.
    over: int

    def __init__(self, terms: Mapping[int, int], whole: int = 0, over: int = 1) -> None:
        # (whole + Σ coefficient·number) / over
        self.terms = terms
        self._whole = whole
        self.over = over
        self._float = None

    def __reduce__(self) -> tuple[type[Self], tuple[Mapping[int, int], int, int]]:
        return type(self), (self.terms, self._whole, self.over)

    @classmethod
    def forms(cls, *sums: Combination) -> list[dict[int, int]]:
        """The terms of the normal forms of some sums, over the same numbers; none of the terms is 0."""
        raise NotImplementedError

    def _form(self) -> dict[int, int]:
        return self.forms(self)[0]

    #: The number of each term times 2^bits, off by less than one.
    _scaled: Callable[[int], Mapping[int, int]]

    # --- what it is

    @property
    def fraction(self) -> Fraction | None:
        """The number as a Fraction where it is rational, else None."""
        return None if self._form() else Fraction(self._whole, self.over)

    @property
    def whole(self) -> Fraction:
        """The rational summand."""
        return Fraction(self._whole, self.over)

    @property
    def coefficients(self) -> dict[int, Fraction]:
        """The normal form: coefficients by the integer that names the number."""
        form = self._form()
        return {argument: Fraction(form[argument], self.over) for argument in sorted(form)}

    def _enclosed(self, bits: int) -> tuple[int, int]:
        """Two integers between which the sum lies, times |over|·2^bits; both are the sum if it has no terms."""
        scaled = self._scaled(bits)
        middle = (self._whole << bits) + sum([number * scaled[argument] for argument, number in self.terms.items()])
        error = sum(map(abs, self.terms.values()))
        return (middle - error, middle + error)

    def enclosures(self) -> Iterator[tuple[int, int, int]]:
        """Ever narrower ones with their bits; in the end one that is a single number, where the number is rational.

        The number lies between low and high, divided by :attr:`over` · 2^bits.
        """
        yield *self._enclosed(BITS), BITS
        normal = type(self)(self._form(), self._whole, self.over)
        bits = BITS
        while True:
            yield *normal._enclosed(bits), bits
            bits *= 2

    @property
    def sign(self) -> int:
        """−1, 0 or 1."""
        for low, high, _ in self.enclosures():
            if low > 0 or high < 0 or low == high:
                sign = (low > 0) - (high < 0)
                return sign if self.over > 0 else -sign
        raise AssertionError  # pragma: no cover

    def _rounded(self) -> Iterator[tuple[float, float]]:
        # A quotient of integers is rounded correctly.
        return ((low / (self.over << bits), high / (self.over << bits)) for low, high, bits in self.enclosures())

    def __bool__(self) -> bool:
        return self.sign != 0

    def __hash__(self) -> int:
        fraction = self.fraction
        if fraction is not None:
            return hash(fraction)
        try:
            return hash(float(self))  # equal numbers round to the same float
        except OverflowError:
            return self.sign

    # --- arithmetic

    def __neg__(self) -> Self:
        return type(self)(self.terms, self._whole, -self.over)

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Self:
        return -self if self.sign < 0 else self

    def _plus(self, other: Any, sign: int) -> Any:
        summand = self._of_this_kind(other)
        if summand is None:
            return NotImplemented
        over = lcm(self.over, summand.over)
        mine, others = over // self.over, sign * (over // summand.over)
        terms = {argument: coefficient * mine for argument, coefficient in self.terms.items()}
        for argument, coefficient in summand.terms.items():
            terms[argument] = terms.get(argument, 0) + coefficient * others
        return type(self)(terms, self._whole * mine + summand._whole * others, over)

    def _of_this_kind(self, value: Any) -> Self | None:
        """A number of this kind or a rational one as a combination, else None."""
        if isinstance(value, type(self)):
            return value
        return type(self)({}, int(value.numerator), int(value.denominator)) if isinstance(value, Rational) else None

    def _times(self, other: Any) -> Any:
        if not isinstance(other, Rational):
            return NotImplemented
        return self._scaled_by(int(other.numerator), int(other.denominator))

    def _divided_by(self, other: Any) -> Any:
        if isinstance(other, type(self)):
            # Loaded here: quotients are made of sums.
            from metaeval.exact.ratio import quotient

            return quotient(self, other)
        if not isinstance(other, Rational):
            return NotImplemented
        if not other:
            raise ZeroDivisionError(f"{self} divided by 0")
        return self._scaled_by(int(other.denominator), int(other.numerator))

    def _dividing(self, other: Any) -> Any:
        dividend = self._of_this_kind(other)
        return NotImplemented if dividend is None else dividend / self

    def _scaled_by(self, numerator: int, denominator: int) -> Self:
        terms = {argument: coefficient * numerator for argument, coefficient in self.terms.items()}
        return type(self)(terms, self._whole * numerator, self.over * denominator)

    # --- order

    def _compared_exactly(self, other: Any, how: Comparison) -> bool:
        beside = self._of_this_kind(other)
        if beside is None:
            return self._compared_to_another_kind(other, how)
        if self._float is not None and beside._float is not None and self._float != beside._float:
            return how(self._float, beside._float)  # rounding keeps the order
        difference: Self = self._plus(beside, -1)
        return how(difference.sign, 0)

    # --- in words

    def __str__(self) -> str:
        whole = self.whole
        parts = [(whole, str(abs(whole)))] if whole else []
        for argument, coefficient in self.coefficients.items():
            factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)}·"
            parts.append((coefficient, f"{factor}{self.symbol}{argument}"))
        if not parts:
            return "0"
        (first, opening), *rest = parts
        following = [f" {'−' if number < 0 else '+'} {text}" for number, text in rest]
        return "".join([f"{'−' if first < 0 else ''}{opening}", *following])
