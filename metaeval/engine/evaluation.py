"""The boundary between metaeval and a measure's code: every call ends in a score or a typed fault."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite, isnan
from numbers import Integral, Rational, Real
from typing import Any

from metaeval.cases import ScoreValue, Side
from metaeval.errors import Undefined
from metaeval.measuring import Measure
from metaeval.verdicts import Verdict

#: A ratio of smaller integers is certainly a finite float.
_HARMLESS = 1 << 256


class Fault(Exception):
    """A measure gave no score: what that means for a verdict, and in words why."""

    def __init__(self, verdict: Verdict, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict
        self.message = message


def evaluate(measure: Measure, side: Side) -> ScoreValue:
    """The measure's score of one side, or a :class:`Fault`."""
    try:
        value = measure.value(*side)
    except Undefined as reason:
        raise Fault(Verdict.UNDEFINED, f"says it is undefined: {reason}") from None
    except RecursionError:
        raise Fault(Verdict.ERROR, "raised RecursionError") from None
    except MemoryError:
        raise Fault(Verdict.ERROR, "raised MemoryError") from None
    except (Exception, SystemExit) as error:
        raise Fault(Verdict.ERROR, f"raised {_described(error)}") from None
    return as_score(value)


def as_score(value: Any) -> ScoreValue:
    """``value`` as an exact or a float score, or a :class:`Fault` where it is no real finite number."""
    if type(value) is Fraction and value.denominator < _HARMLESS and -_HARMLESS < value.numerator < _HARMLESS:
        return value  # the usual case, and the tests below take as long as many a measure
    if isinstance(value, bool) or not isinstance(value, Real):
        shown = _said(repr, value, 40)
        raise Fault(Verdict.ERROR, f"returned {shown} ({type(value).__name__}); expected a real number")
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError):
        raise Fault(Verdict.ERROR, "returned a number too large for a float; expected a finite number") from None
    if isinstance(value, (Integral, Rational)):
        return Fraction(int(value.numerator), int(value.denominator))
    if isnan(number):
        raise Fault(Verdict.UNDEFINED, "returned nan; raise metaeval.Undefined to say why")
    if not isfinite(number):
        raise Fault(Verdict.ERROR, f"returned {number}; expected a finite number")
    return number


def _described(error: BaseException) -> str:
    shown = " ".join(_said(str, error, 200).split())
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__


def _said(how: Callable[[Any], str], value: Any, most: int) -> str:
    """What a value says of itself, cut short; its words are a measure's code too, and may fail."""
    try:
        text = str(how(value))
    except Exception:
        return "something that cannot be shown"
    return text if len(text) <= most else text[: most - 3] + "..."
