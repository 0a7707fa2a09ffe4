"""Exact scores: fractions, and rational combinations of logarithms or of roots, which are compared without a tolerance.

A number of the kind

    r + q₁·log n₁ + … + qₖ·log nₖ        r, qᵢ rational, nᵢ positive integers

can be written over the logarithms of primes, and in one way only: 1 and the logarithms of primes are linearly
independent over the rationals. For if r + Σ qₚ·log p were 0, with N a common denominator, e^(−Nr) would be Π p^(N·qₚ),
which is rational. By the theorem of Lindemann that demands r = 0, and then unique factorisation that every qₚ is 0. So
two such numbers are equal exactly if their normal forms are; and the sign of one whose form is not 0 is seen by
computing it with enough digits. One sum divided by another is a number of its own, which can be compared, too.

With √nᵢ in place of log nᵢ there is one way, too: over the roots of square-free integers. These are linearly
independent over the rationals, as Besicovitch showed in 1940. Products of such numbers are of the same kind again.
"""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import lcm
from numbers import Rational, Real
from operator import index
from typing import Any, TypeGuard, TypeVar

from metaeval.exact.combination import Combination
from metaeval.exact.irrational import LogSum, RootSum, sum_of_roots
from metaeval.exact.ratio import LogRatio, RootRatio, SumRatio

__all__ = [
    "Exact", "LogRatio", "LogSum", "RootRatio", "RootSum", "is_exact", "log", "parse", "plain", "simplest", "sqrt",
    "sum_of_logs", "sum_of_roots",
]  # fmt: skip

#: The form of a stated sum: what is read is exactly what is printed. Integers are bounded, for so is patience.
_INTEGER = "[1-9][0-9]{0,299}"
_NUMBER = rf"(?:(?P<number>{_INTEGER})(?:/(?P<over>{_INTEGER}))?)?"
_LOG = re.compile(rf"{_NUMBER}(?:·?log (?P<argument>{_INTEGER}))?")
#: The root of a fraction, written over a common denominator, has twice the digits.
_ROOT = re.compile(rf"{_NUMBER}(?:·?√(?P<argument>[1-9][0-9]{{0,599}}))?")
_SIGN = re.compile(r" ([+−]) ")
_QUOTIENT = re.compile(r"\(([^()]+)\) / \(([^()]+)\)")
_LONGEST_TEXT = 100_000

#: Pairs (k, n) of k·log n or k·√n.
Terms = Iterable[tuple[int, int]]

_Sum = TypeVar("_Sum", bound=Combination)

#: What verdicts are decided by without a tolerance.
Exact = Fraction | LogSum | LogRatio | RootSum | RootRatio


def plain(value: Any) -> Any:
    """A number that a measure returns as one of Python's own; anything that is no number as it is.

    NumPy's integers compute with overflow, its scalars and arrays without dimensions compare to NumPy's booleans, and a
    Decimal, which is rounded, counts as a float.

    >>> from decimal import Decimal
    >>> plain(Decimal("0.25"))
    0.25
    """
    if type(value) is float or type(value) is int:
        return value
    if isinstance(value, Fraction):
        numerator, denominator = value.numerator, value.denominator
        if type(value) is Fraction and type(numerator) is int and type(denominator) is int:
            return value
        return Fraction(int(numerator), int(denominator))
    if isinstance(value, Decimal):
        return float(value)
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()
        # A long double stays one, though it is a kind of float.
        return value if isinstance(value, (bool, int, float)) or not isinstance(value, Real) else float(value)
    return value


_KINDS = (LogSum, RootSum, LogRatio, RootRatio)


def is_exact(value: object) -> TypeGuard[Exact | int]:
    """Whether a score is compared exactly. A subclass of ours is not: it may compare as it likes."""
    return type(value) in _KINDS or (isinstance(value, (Fraction, int)) and not isinstance(value, bool))


def have_difference(*numbers: Any) -> bool:
    """Whether one can be subtracted from another; exact numbers that have no difference can still be compared."""
    kinds = {type(number) for number in numbers} - {Fraction, int}
    return len(kinds) < 2 and not any(issubclass(kind, SumRatio) for kind in kinds)


def simplest(value: Exact | int) -> Exact:
    """A Fraction where the number is rational, so that it is written and shown as one."""
    if isinstance(value, Combination):
        fraction = value.fraction
        return value if fraction is None else fraction
    return Fraction(value) if isinstance(value, int) else value


def log(x: int | Fraction) -> LogSum:
    """The natural logarithm of a positive integer or Fraction, as an exact number.

    >>> log(8) - 3 * log(2) == 0
    True
    >>> log(Fraction(3, 4)) / 2 + 1
    1 − log 2 + 1/2·log 3
    """
    if isinstance(x, bool) or not isinstance(x, Rational):
        raise TypeError(f"the exact logarithm of {x!r}, a {type(x).__name__}; expected an int or a Fraction")
    if x <= 0:
        raise ValueError(f"the logarithm of {x}; expected a number above 0")
    return sum_of_logs([(1, int(x.numerator)), (-1, int(x.denominator))])


def sum_of_logs(terms: Terms, over: int = 1) -> LogSum:
    """Σ k·log n of pairs (k, n) of integers, n from 1 up, divided by ``over``: faster than adding them one by one.

    >>> sum_of_logs([(3, 2), (-1, 6)], over=4)
    1/2·log 2 − 1/4·log 3
    """
    merged: dict[int, int] = {}
    for coefficient, argument in terms:
        if argument > 1:
            merged[argument] = merged.get(argument, 0) + coefficient
        elif argument < 1:
            raise ValueError(f"the logarithm of {argument}; expected a number above 0")
    if not over:
        raise ZeroDivisionError("a sum of logarithms divided by 0")
    # NumPy's integers, which overflow, become Python's.
    return LogSum({index(argument): index(coefficient) for argument, coefficient in merged.items()}, 0, index(over))


def sqrt(x: int | Fraction) -> RootSum:
    """The square root of an integer or Fraction from 0 up, as an exact number.

    >>> sqrt(Fraction(1, 2)), sqrt(Fraction(9, 4))
    (1/2·√2, 3/2)
    """
    if isinstance(x, bool) or not isinstance(x, Rational):
        raise TypeError(f"the exact root of {x!r}, a {type(x).__name__}; expected an int or a Fraction")
    if x < 0:
        raise ValueError(f"the root of {x}; expected a number from 0 up")
    numerator, denominator = int(x.numerator), int(x.denominator)
    return sum_of_roots([(1, numerator * denominator)], denominator)


def parse(text: str) -> LogSum | LogRatio | RootSum | RootRatio | None:
    """The sum of logarithms or roots, or the quotient, that is printed like this, or None: only normal forms are read.

    >>> parse("1/2·log 2 − log 3"), parse("1 + 1/2·√3")
    (1/2·log 2 − log 3, 1 + 1/2·√3)
    >>> parse("log 4") is None  # that is 2·log 2
    True
    """
    if len(text) > _LONGEST_TEXT:
        return None
    part, made = (_ROOT, sum_of_roots) if "√" in text else (_LOG, sum_of_logs)
    read: Callable[[str], Any] = partial(_parsed, part=part, made=made)
    if divided := _QUOTIENT.fullmatch(text):
        above, below = map(read, divided.groups())
        ratio = above / below if above is not None and below else None
        return ratio if str(ratio) == text else None
    found: LogSum | RootSum | None = read(text)
    return found


def _parsed(text: str, part: re.Pattern[str], made: Callable[[Terms, int], _Sum]) -> _Sum | None:
    signed = text if text.startswith("−") else f"+{text}"
    pieces = _SIGN.split(signed[1:])
    matches = [part.fullmatch(piece) for piece in pieces[::2]]
    over = lcm(*(int(match["over"] or 1) for match in matches if match))
    parts = []
    for sign, match in zip((signed[0], *pieces[1::2]), matches, strict=True):
        if match is None:
            return None
        coefficient = int(match["number"] or 1) * (over // int(match["over"] or 1))
        parts.append((coefficient if sign == "+" else -coefficient, int(match["argument"] or 0)))
    irrational = made((part for part in parts if part[1]), over)
    found: _Sum = irrational + Fraction(sum(whole for whole, argument in parts if not argument), over)
    # Whatever else the pattern lets through is not printed like this.
    return found if str(found) == text else None
