"""Scores of files: a float and, if the measure is exact, the exact number."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, get_args

from msgspec import field

from metaeval.core.relation import ScoreValue
from metaeval.exact import Exact, have_difference, parse, simplest
from metaeval.files.codec import Record, decode, stand_in
from metaeval.files.shown import show

_NON_FINITE = ("nan", "inf", "-inf")
#: No score has more digits above or below the line; parsing millions of digits takes too long.
MOST_DIGITS = 4000
#: Plain digits only: Fraction itself also reads exponents, and "1e999999999" takes too long.
_FRACTION = re.compile(r"-?([0-9]+)/([0-9]+)\Z")
#: Longer fractions are harder to read than their decimals.
_LONGEST_FRACTION = 30
_DIGITS = 6
_MOST_DIGITS = 17


def _float_from_json(value: Any) -> float:
    if value in _NON_FINITE or (isinstance(value, (int, float)) and not isinstance(value, bool)):
        return float(value)
    raise ValueError(f'must be a number, "nan", "inf" or "-inf", not {show(value)}')


def exact_to_json(value: Exact) -> str:
    """An exact value as files have it.

    >>> exact_to_json(Fraction(-3)), exact_from_json("-3/1")
    ('-3/1', Fraction(-3, 1))
    """
    number = simplest(value)
    return f"{number.numerator}/{number.denominator}" if isinstance(number, Fraction) else str(number)


def exact_from_json(value: Any) -> Exact:
    """The exact value of a file: ``-?digits/digits`` in plain ASCII, or logarithms or roots as they are printed."""
    written = _FRACTION.match(value) if isinstance(value, str) else None
    if written is None:
        irrational = parse(value) if isinstance(value, str) and ("log" in value or "√" in value) else None
        if irrational is None:
            raise ValueError(
                'must be a fraction such as "1/2", logarithms of primes such as "1/2·log 2 − log 3", '
                f'roots such as "1/3·√6", or null, not {show(value)}'
            )
        return irrational
    if any(len(digits) > MOST_DIGITS for digits in written.groups()):
        raise ValueError(f"is {show(value)}; at most {MOST_DIGITS} digits are accepted")
    try:
        return Fraction(value)
    except ZeroDivisionError:
        raise ValueError(f"divides by zero; expected a fraction, not {show(value)}") from None


if TYPE_CHECKING:
    AnyFloat = float
    AnyExact = Exact
else:
    # Non-finite floats and exact numbers are strings in files.
    AnyFloat = stand_in("AnyFloat", [float], _float_from_json)
    AnyExact = stand_in("AnyExact", get_args(Exact), exact_from_json)


class Score(Record, frozen=True):
    """A score as a float and, if the measure is exact, as a fraction or a sum of logarithms or roots.

    >>> print(Score.of(Fraction(2, 3)), Score.of(Fraction(1, 2)), Score.of(0.25), sep="; ")
    2/3 ≈ 0.666667; 1/2 = 0.5; 0.25
    """

    value: AnyFloat = field(name="float")
    exact: AnyExact | None = None

    @classmethod
    def of(cls, value: ScoreValue) -> Score:
        """The score that a measure returned."""
        return cls(float(value), value if isinstance(value, Exact) else None)

    @classmethod
    def from_json(cls, data: Any, where: str) -> Score:
        """The score in parsed JSON: ``{"float": 0.5, "exact": "1/2"}``, or ``"1/2·log 2 − log 3"``."""
        return decode(cls, data, where)

    def to_json(self) -> dict[str, Any]:
        """The score as data."""
        exact = None if self.exact is None else exact_to_json(self.exact)
        # JSON has no non-finite floats.
        return {"float": self.value if math.isfinite(self.value) else str(self.value), "exact": exact}

    @property
    def number(self) -> ScoreValue:
        """The number that relations compare: the exact one, else the float."""
        return self.value if self.exact is None else self.exact

    @property
    def fraction(self) -> str:
        """The exact number as text; empty if there is none."""
        return "" if self.exact is None else str(simplest(self.exact))

    def rounded(self, digits: int = _DIGITS) -> str:
        """Significant digits, without a minus on zero; "undefined" for NaN."""
        if self.is_missing:
            return "undefined"
        return format(self.value, f".{digits}g") if self.value else "0"

    @property
    def brief(self) -> str:
        """The fraction if it is short enough to read, else six digits."""
        return self.fraction if self._reads_as_fraction else self.rounded()

    @property
    def noted(self) -> str:
        """For a comment beside a call: what Python prints, or the float if the fraction is too long to read."""
        if self.is_missing:
            return self.rounded()
        return self.fraction if self._reads_as_fraction else repr(self.value)

    @property
    def _reads_as_fraction(self) -> bool:
        return 0 < len(self.fraction) <= _LONGEST_FRACTION

    def __str__(self) -> str:
        return self.shown()

    def shown(self, digits: int = _DIGITS) -> str:
        """Fraction and decimal; only one of them if they are the same text or the other is missing."""
        decimal = self.rounded(digits)
        if not self._reads_as_fraction or self.fraction == decimal:
            return decimal
        return f"{self.fraction} {'=' if Fraction(decimal) == self.exact else '≈'} {decimal}"

    @property
    def is_missing(self) -> bool:
        """Whether the measure returned no score."""
        return math.isnan(self.value)

    def __neg__(self) -> Score:
        return Score(0.0 - self.value) if self.exact is None else Score.of(-self.exact)

    def __sub__(self, other: Score) -> Score:
        if self.exact is None or other.exact is None or not have_difference(self.exact, other.exact):
            return Score(self.value - other.value)
        return Score.of(self.exact - other.exact)


def digits_apart(*scores: Score) -> int:
    """The number of digits, at least six, at which scores differ.

    >>> digits_apart(Score(0.12345678), Score(0.12345679))
    8
    """
    digits = _DIGITS
    different = {score.value: score for score in scores if not score.is_missing}.values()
    while digits < _MOST_DIGITS and len({score.rounded(digits) for score in different}) < len(different):
        digits += 1
    return digits
