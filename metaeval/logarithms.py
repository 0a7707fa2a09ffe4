"""Sums of logarithms as numbers. That their normal form decides is shown in :mod:`metaeval.exact`; here it is computed.

Nothing rests on a float. Logarithms are integers, scaled by a power of two, that are off by less than one; they come
from ``decimal``. A sum lies between two integers, then, and precision rises until these have the same sign, or round to
the same float. Only where the first precision does not tell is the normal form looked at: that is rare but for ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import isfinite, isnan, lcm
from numbers import Rational
from operator import eq, ge, gt, le, lt
from typing import Any

from metaeval.factors import over_coprimes

#: Bits behind the point at first: of a score, 50 more than a float has.
BITS = 128
#: So many scaled logarithms are remembered.
_MOST_REMEMBERED = 1 << 14


#: One of the operators == < <= > >=, as a function.
Comparison = Callable[[Any, Any], bool]


class Ordered:
    """A number that is compared exactly, with floats too: every finite one is a fraction."""

    __slots__ = ()

    def __hash__(self) -> int:
        """Equal numbers have equal hashes, and only a kind of number knows its normal form."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self._compared(other, eq)

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, lt)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, le)

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, gt)

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, ge)

    def _compared(self, other: Any, how: Comparison) -> bool:
        if not isinstance(other, float):
            return self._compared_exactly(other, how)
        if not isfinite(other):
            return not isnan(other) and how(0.0, other)
        return self._compared_exactly(Fraction(other), how)

    def _compared_exactly(self, other: Any, how: Comparison) -> bool:
        """How this compares to a number that is no float; NotImplemented where it is not known."""
        raise NotImplementedError


class LogSum(Ordered):
    """A rational number plus a rational combination of logarithms of positive integers; immutable.

    Made by :func:`log` and by +, −, and × and ÷ with rational numbers; with floats it becomes a float. A sum divided by
    another is a :class:`LogRatio`, or a rational sum where one is a multiple of the other. Two are equal if
    and only if their normal forms over the logarithms of primes are, and <, ≤, >, ≥ are exact. ``float`` gives the
    nearest float. Factors beyond 2³² whose primes are not quickly found stand in the printed form as they are.

    >>> from metaeval.exact import log
    >>> x = log(12) / 3 - log(6) / 2
    >>> x
    1/6·log 2 − 1/6·log 3
    >>> x < 0, x == log(Fraction(2, 3)) / 6, float(x)
    (True, True, -0.0675775180180274)
    """

    __slots__ = ("_float", "_over", "_terms", "_whole")

    def __init__(self, terms: Mapping[int, int], whole: int = 0, over: int = 1) -> None:
        # (whole + Σ coefficient·log argument) / over. The arguments may be any integers from 1 up, and ``over`` may be
        # negative: it turns the sign at no cost.
        self._terms = terms
        self._whole = whole
        self._over = over
        self._float: float | None = None

    def __reduce__(self) -> tuple[type[LogSum], tuple[Mapping[int, int], int, int]]:
        return LogSum, (self._terms, self._whole, self._over)

    # --- what it is

    @property
    def fraction(self) -> Fraction | None:
        """The number as a Fraction where it is rational, else None."""
        return None if self._form() else Fraction(self._whole, self._over)

    @property
    def over(self) -> int:
        """The denominator of all coefficients as they are held; it may be negative."""
        return self._over

    @property
    def terms(self) -> Mapping[int, int]:
        """Integers and the coefficients of their logarithms, times :attr:`over`, in no normal form."""
        return self._terms

    @property
    def whole(self) -> Fraction:
        """The rational summand."""
        return Fraction(self._whole, self._over)

    @property
    def coefficients(self) -> dict[int, Fraction]:
        """The normal form: the coefficients of the logarithms, by prime."""
        form = self._form()
        return {prime: Fraction(form[prime], self._over) for prime in sorted(form)}

    def _form(self) -> dict[int, int]:
        return over_coprimes(self._terms)

    def _enclosed(self, bits: int) -> tuple[int, int]:
        """Two integers between which the sum lies, times |over|·2^bits; both are the sum if it has no terms."""
        log = _FIRST if bits == BITS else {argument: _scaled_log(argument, bits) for argument in self._terms}
        terms = self._terms.items()
        middle = sum([coefficient * log[argument] for argument, coefficient in terms]) + (self._whole << bits)
        error = sum(map(abs, self._terms.values()))
        return (middle - error, middle + error)

    def enclosures(self) -> Iterator[tuple[int, int, int]]:
        """Ever narrower ones with their bits; in the end one that is a single number, where the number is rational.

        The number lies between low and high, divided by :attr:`over` · 2^bits.
        """
        yield *self._enclosed(BITS), BITS
        normal = LogSum(self._form(), self._whole, self._over)
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
                return sign if self._over > 0 else -sign
        raise AssertionError  # pragma: no cover

    def __float__(self) -> float:
        if self._float is None:
            self._float = self._rounded()
        return self._float

    def _rounded(self) -> float:
        for low, high, bits in self.enclosures():
            scale = self._over << bits
            # A quotient of integers is rounded correctly, and rounding keeps the order.
            number = low / scale
            if number == high / scale:
                return number + 0.0  # no −0.0
        raise AssertionError  # pragma: no cover

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

    def __neg__(self) -> LogSum:
        return LogSum(self._terms, self._whole, -self._over)

    def __pos__(self) -> LogSum:
        return self

    def __abs__(self) -> LogSum:
        return -self if self.sign < 0 else self

    def __add__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) + other
        return self._plus(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) - other
        return self._plus(other, -1)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def _plus(self, other: Any, sign: int) -> Any:
        summand = _as_log_sum(other)
        if summand is None:
            return NotImplemented
        over = lcm(self._over, summand._over)
        mine, others = over // self._over, sign * (over // summand._over)
        terms = {argument: coefficient * mine for argument, coefficient in self._terms.items()}
        for argument, coefficient in summand._terms.items():
            terms[argument] = terms.get(argument, 0) + coefficient * others
        return LogSum(terms, self._whole * mine + summand._whole * others, over)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) * other
        if not isinstance(other, Rational):
            return NotImplemented
        return self._times(int(other.numerator), int(other.denominator))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return float(self) / other
        if isinstance(other, LogSum):
            # Loaded here: quotients are made of sums.
            from metaeval.quotients import quotient

            return quotient(self, other)
        if not isinstance(other, Rational):
            return NotImplemented
        if not other:
            raise ZeroDivisionError(f"{self} divided by 0")
        return self._times(int(other.denominator), int(other.numerator))

    def __rtruediv__(self, other: Any) -> Any:
        if isinstance(other, float):
            return other / float(self)
        dividend = _as_log_sum(other)
        return NotImplemented if dividend is None else dividend / self

    def _times(self, numerator: int, denominator: int) -> LogSum:
        terms = {argument: coefficient * numerator for argument, coefficient in self._terms.items()}
        return LogSum(terms, self._whole * numerator, self._over * denominator)

    # --- order

    def _compared_exactly(self, other: Any, how: Comparison) -> bool:
        beside = _as_log_sum(other)
        if beside is None:
            return NotImplemented  # type: ignore[no-any-return]  # passed on by the operators
        if self._float is not None and beside._float is not None and self._float != beside._float:
            return how(self._float, beside._float)  # rounding keeps the order
        difference: LogSum = self._plus(beside, -1)
        return how(difference.sign, 0)

    # --- in words

    def __str__(self) -> str:
        whole = self.whole
        parts = [(whole, str(abs(whole)))] if whole else []
        for prime, coefficient in self.coefficients.items():
            factor = "" if abs(coefficient) == 1 else f"{abs(coefficient)}·"
            parts.append((coefficient, f"{factor}log {prime}"))
        if not parts:
            return "0"
        (first, opening), *rest = parts
        following = [f" {'−' if number < 0 else '+'} {text}" for number, text in rest]
        return "".join([f"{'−' if first < 0 else ''}{opening}", *following])

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)


def _as_log_sum(value: Any) -> LogSum | None:
    if isinstance(value, LogSum):
        return value
    if isinstance(value, Rational):
        return LogSum({}, int(value.numerator), int(value.denominator))
    return None


# --- logarithms as integers


@lru_cache(maxsize=256)
def _scaled_log(argument: int, bits: int) -> int:
    """The logarithm times 2^bits, off by less than one."""
    # An integer of so many bits has a logarithm with this many digits before the point; two more are to spare.
    digits = len(str(argument.bit_length())) + bits * 30103 // 100000 + 3
    numerator, denominator = (
        Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX).ln(Decimal(argument)).as_integer_ratio()
    )
    return ((numerator << bits + 1) + denominator) // (2 * denominator)


class _Remembered(dict[int, int]):
    """Scaled logarithms with the bits of the first precision."""

    def __missing__(self, argument: int) -> int:
        if len(self) >= _MOST_REMEMBERED:
            self.clear()
        self[argument] = found = _scaled_log(argument, BITS)
        return found


_FIRST = _Remembered()
