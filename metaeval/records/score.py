"""Scores as evidence: a float and, where the measure is exact, the exact number; read, written and shown in one way."""

from __future__ import annotations

import contextlib
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from metaeval.core.errors import InputError
from metaeval.core.relation import ScoreValue
from metaeval.exact import Exact, have_difference, parse, simplest
from metaeval.files.fields import mapping, need
from metaeval.files.shown import show

_NON_FINITE = ("nan", "inf", "-inf")
#: More digits than any score has above and below the line; parsing a number of millions would take for ever.
MOST_DIGITS = 4000
#: Plain digits only: Fraction itself would take exponents, and be busy with "1e999999999" for ever.
_FRACTION = re.compile(r"-?([0-9]+)/([0-9]+)\Z")
#: Longer fractions tell a reader less than their decimals do.
_LONGEST_FRACTION = 30
_DIGITS = 6
_MOST_DIGITS = 17


@dataclass(frozen=True)
class Score:
    """A score as a float and, where the measure is exact, as a fraction or a sum of logarithms or roots.

    >>> print(Score.of(Fraction(2, 3)), Score.of(Fraction(1, 2)), Score.of(0.25), sep="; ")
    2/3 ≈ 0.666667; 1/2 = 0.5; 0.25
    """

    value: float
    exact: Exact | None = None

    @classmethod
    def of(cls, value: ScoreValue) -> Score:
        """The score that a measure gave."""
        return cls(float(value), value if isinstance(value, Exact) else None)

    @classmethod
    def from_json(cls, data: Any, where: str) -> Score:
        """The score in parsed JSON: ``{"float": 0.5, "exact": "1/2"}``, or ``"1/2·log 2 − log 3"``."""
        entry = mapping(data, where)
        exact = need(entry, "exact", where)
        return cls(
            number_from_json(need(entry, "float", where), where),
            None if exact is None else exact_from_json(exact, f'"exact" of {where}'),
        )

    def to_json(self) -> dict[str, Any]:
        """The score as data."""
        exact = None if self.exact is None else exact_to_json(self.exact)
        return {"float": number_to_json(self.value), "exact": exact}

    @property
    def number(self) -> ScoreValue:
        """What the relation compares: the exact number, or the float where there is none."""
        return self.value if self.exact is None else self.exact

    @property
    def fraction(self) -> str:
        """The fraction, the sum of logarithms or roots, or nothing where there is none."""
        return "" if self.exact is None else str(simplest(self.exact))

    def rounded(self, digits: int = _DIGITS) -> str:
        """Significant digits, without a minus on zero; a measure that gives no number is undefined there."""
        if self.is_missing:
            return "undefined"
        return format(self.value, f".{digits}g") if self.value else "0"

    @property
    def brief(self) -> str:
        """The fraction where there is one short enough to read, else six digits."""
        return self.fraction if self._reads_as_fraction else self.rounded()

    @property
    def noted(self) -> str:
        """As a comment beside a call: what Python prints, or the float where the fraction is too long to read."""
        if self.is_missing:
            return self.rounded()
        return self.fraction if self._reads_as_fraction else repr(self.value)

    @property
    def _reads_as_fraction(self) -> bool:
        return 0 < len(self.fraction) <= _LONGEST_FRACTION

    def __str__(self) -> str:
        return self.shown()

    def shown(self, digits: int = _DIGITS) -> str:
        """Fraction and decimal, or one of them where they read alike or there is no other."""
        decimal = self.rounded(digits)
        if not self._reads_as_fraction or self.fraction == decimal:
            return decimal
        return f"{self.fraction} {'=' if Fraction(decimal) == self.exact else '≈'} {decimal}"

    @property
    def is_missing(self) -> bool:
        """Whether the measure gave no score."""
        return math.isnan(self.value)

    def __sub__(self, other: Score) -> Score:
        if self.exact is None or other.exact is None or not have_difference(self.exact, other.exact):
            return Score(self.value - other.value)
        return Score.of(self.exact - other.exact)


def shown_apart(*scores: Score) -> tuple[str, ...]:
    """Scores, with as many digits as it takes to tell them apart.

    >>> shown_apart(Score(0.12345678), Score(0.12345679))
    ('0.12345678', '0.12345679')
    """
    digits = digits_apart(*scores)
    return tuple(score.shown(digits) for score in scores)


def decimals_apart(*scores: Score) -> tuple[str, ...]:
    """Scores as decimals, with as many digits as it takes to tell them apart."""
    digits = digits_apart(*scores)
    return tuple(score.rounded(digits) for score in scores)


def digits_apart(*scores: Score) -> int:
    """Six, or as many digits as it takes to tell scores apart."""
    digits = _DIGITS
    different = {score.value: score for score in scores if not score.is_missing}.values()
    while digits < _MOST_DIGITS and len({score.rounded(digits) for score in different}) < len(different):
        digits += 1
    return digits


def number_to_json(value: float) -> float | str:
    """JSON has no words for non-finite floats; they are written as strings."""
    return value if math.isfinite(value) else str(value)


def number_from_json(value: Any, where: str) -> float:
    """A float; the non-finite ones come as strings."""
    if isinstance(value, str) and value in _NON_FINITE:
        return float(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError):
            return float(value)
    raise InputError(f'{where} must be a number, "nan", "inf" or "-inf", not {show(value)}')


# --- exact values: how one is written in a file is decided here, and nowhere else


def exact_to_json(value: Exact) -> str:
    """An exact value as files have it.

    >>> exact_to_json(Fraction(-3)), exact_from_json("-3/1", "it")
    ('-3/1', Fraction(-3, 1))
    """
    number = simplest(value)
    return f"{number.numerator}/{number.denominator}" if isinstance(number, Fraction) else str(number)


def exact_from_json(value: Any, what: str) -> Exact:
    """The exact value that a file states: ``-?digits/digits`` in plain ASCII, or logarithms or roots as printed."""
    written = _FRACTION.match(value) if isinstance(value, str) else None
    if written is None:
        irrational = parse(value) if isinstance(value, str) and ("log" in value or "√" in value) else None
        if irrational is None:
            raise InputError(
                f'{what} must be a fraction such as "1/2", logarithms of primes such as "1/2·log 2 − log 3", '
                f'roots such as "1/3·√6", or null, not {show(value)}'
            )
        return irrational
    if any(len(digits) > MOST_DIGITS for digits in written.groups()):
        raise InputError(f"{what} is {show(value)}; at most {MOST_DIGITS} digits are accepted")
    try:
        return Fraction(value)
    except ZeroDivisionError:
        raise InputError(f"{what} divides by zero; expected a fraction, not {show(value)}") from None
