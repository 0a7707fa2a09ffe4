"""The boundary between metaeval and a measure's code: every call ends in a score or a typed fault."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite, isnan
from numbers import Integral, Rational, Real
from typing import Any

from metaeval.catalogue.measure import Measure
from metaeval.core.case import NO_SCORE, Case, Relation, Scores, ScoreValue, Side, mean
from metaeval.core.errors import Undefined
from metaeval.core.verdict import Verdict
from metaeval.exact import is_exact
from metaeval.workers.faults import Fault, Kind
from metaeval.workers.locate import raising

#: A ratio of smaller integers is certainly a finite float.
_HARMLESS = 1 << 256


def evaluate(measure: Measure, side: Side) -> ScoreValue:
    """The measure's score of one side, of a pool the mean over its candidates; or a :class:`Fault`."""
    if len(side) > 2:
        return mean([evaluate(measure, pair) for pair in side.pairs])
    try:
        return as_score(measure.value(*side))
    except Fault as fault:
        fault.side = side
        raise
    except (Exception, SystemExit) as error:
        raise _raised(error, side) from None


def _raised(error: BaseException, side: Side) -> Fault:
    place = raising(error.__traceback__)
    if isinstance(error, Undefined):
        fault = Fault(Verdict.UNDEFINED, f"says it is undefined: {error}", Kind.UNDEFINED, place)
    elif isinstance(error, (RecursionError, MemoryError)):
        # What they say of themselves is only of how deep Python was, or nothing.
        fault = Fault(Verdict.ERROR, f"raised {type(error).__name__}", place=place)
    else:
        fault = Fault(Verdict.ERROR, f"raised {described(error)}", place=place)
    fault.side = side
    return fault


def evaluate_case(measure: Measure, case: Case, relation: Relation) -> Scores:
    """The scores of a case, or a :class:`Fault`."""
    return all_scores(case, relation, lambda side: evaluate(measure, side))


def all_scores(case: Case, relation: Relation, score: Callable[[Side], ScoreValue]) -> Scores:
    """The ``score`` of every side of a case, or a :class:`Fault`.

    Where the right must reach the optimum, a measure that is undefined there has no excuse: that is no fault but
    breaks the relation, and ``NO_SCORE`` says so.
    """
    if not relation.right_is_best:
        return tuple(map(score, case))
    right = _score_or_none(case.right, score)
    return (score(case.left) if right is not NO_SCORE else _score_or_none(case.left, score)), right


def _score_or_none(side: Side, score: Callable[[Side], ScoreValue]) -> ScoreValue:
    try:
        return score(side)
    except Fault as fault:
        if fault.verdict is not Verdict.UNDEFINED:
            raise
        return NO_SCORE


def as_score(value: Any) -> ScoreValue:
    """``value`` as an exact or a float score, or a :class:`Fault` where it is no real finite number."""
    if type(value) is Fraction and value.denominator < _HARMLESS and -_HARMLESS < value.numerator < _HARMLESS:
        return value  # the usual case, and the tests below take as long as many a measure
    if isinstance(value, bool) or not (isinstance(value, Real) or is_exact(value)):
        shown = _said(repr, value, 40)
        raise Fault(
            Verdict.ERROR, f"returned {shown} ({type(value).__name__}); expected a real number", Kind.NO_NUMBER
        )
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError):
        message = "returned a number too large for a float; expected a finite number"
        raise Fault(Verdict.ERROR, message, Kind.INFINITE) from None
    if isinstance(value, (Integral, Rational)):
        return Fraction(int(value.numerator), int(value.denominator))
    if is_exact(value):
        return value
    if isnan(number):
        raise Fault(Verdict.UNDEFINED, "returned nan; raise metaeval.Undefined to say why", Kind.NAN)
    if not isfinite(number):
        raise Fault(Verdict.ERROR, f"returned {number}; expected a finite number", Kind.INFINITE)
    return number


def described(error: BaseException) -> str:
    """The type of an exception and what it says, on one line."""
    shown = " ".join(_said(str, error, 200).split())
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__


def _said(how: Callable[[Any], str], value: Any, most: int) -> str:
    """What a value says of itself, cut short; its words are a measure's code too, and may fail."""
    try:
        text = str(how(value))
    except Exception:
        return "something that cannot be shown"
    return text if len(text) <= most else text[: most - 3] + "..."
