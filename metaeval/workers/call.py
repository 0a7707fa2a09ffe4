"""One call of a measure: a score or a typed fault. Scores are cached per side, calls are metered."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import inf, isclose, isfinite, isnan
from numbers import Integral, Rational, Real
from typing import Any, NamedTuple

from metaeval.catalogue.measure import Measure
from metaeval.core.case import Case, Side
from metaeval.core.errors import Undefined
from metaeval.core.relation import NO_SCORE, WITHIN, Bounds, Relation, Scores, ScoreValue, broken, mean
from metaeval.core.verdict import Verdict
from metaeval.exact import is_exact
from metaeval.records.cell import Outside
from metaeval.records.score import Score
from metaeval.workers.budget import Meter, OutOfTime, now
from metaeval.workers.faults import USED_OTHERWISE, Fault, FaultKind
from metaeval.workers.locate import raising

#: A fraction of integers below this is always a finite float.
_HARMLESS = 1 << 256
#: How far a float score may be from the declared equation.
_ROUNDING = 1e-9
#: Within the declared bounds, of which one may be missing.
_IN_RANGE = replace(WITHIN, needs_optimum=False)


def evaluate(measure: Measure, side: Side) -> ScoreValue:
    """The score of one side, for a pool the mean over its candidates; or a :class:`Fault`."""
    if len(side) > 2:
        return mean([evaluate(measure, pair) for pair in side.pairs])
    try:
        return as_score(measure.value(*side))
    except Fault as fault:
        fault.side = side
        raise
    except (Exception, SystemExit) as error:
        place = raising(error.__traceback__)
        if isinstance(error, Undefined):
            message = f"says it is undefined: {error}"
            raise Fault(Verdict.UNDEFINED, message, FaultKind.UNDEFINED, place, side) from None
        # The text of these two says only how deep Python was, or nothing.
        without_text = isinstance(error, (RecursionError, MemoryError))
        message = f"raised {type(error).__name__ if without_text else described(error)}"
        kind = FaultKind.FORM if USED_OTHERWISE.search(message) else FaultKind.RAISED
        raise Fault(Verdict.ERROR, message, kind, place, side) from None


def evaluate_case(measure: Measure, case: Case, relation: Relation) -> Scores:
    """The scores of a case, or a :class:`Fault`."""
    return all_scores(case, relation, lambda side: evaluate(measure, side))


def all_scores(case: Case, relation: Relation, score: Callable[[Side], ScoreValue]) -> Scores:
    """The ``score`` of every side of a case, or a :class:`Fault`.

    If the right side must reach the optimum, a measure that is undefined there breaks the relation. This is not a
    fault: the score is then ``NO_SCORE``.
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
    """``value`` as an exact or a float score, or a :class:`Fault` if it is not a real finite number."""
    if type(value) is Fraction and value.denominator < _HARMLESS and -_HARMLESS < value.numerator < _HARMLESS:
        return value  # the usual case; the tests below would take as long as many measures
    if isinstance(value, bool) or not (isinstance(value, Real) or is_exact(value)):
        message = f"returned {_shown(repr, value, 40)} ({type(value).__name__}); expected a real number"
        raise Fault(Verdict.ERROR, message, FaultKind.NO_NUMBER)
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError):
        message = "returned a number too large for a float; expected a finite number"
        raise Fault(Verdict.ERROR, message, FaultKind.INFINITE) from None
    if isinstance(value, (Integral, Rational)):
        return Fraction(int(value.numerator), int(value.denominator))
    if is_exact(value):
        return value
    if isnan(number):
        raise Fault(Verdict.UNDEFINED, "returned nan; raise metaeval.Undefined to say why", FaultKind.NAN)
    if not isfinite(number):
        raise Fault(Verdict.ERROR, f"returned {number}; expected a finite number", FaultKind.INFINITE)
    return number


def described(error: BaseException) -> str:
    """The type and the text of an exception, on one line."""
    shown = " ".join(_shown(str, error, 200).split())
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__


def _shown(how: Callable[[Any], str], value: Any, most: int) -> str:
    """The text of a value, cut short. Making the text runs code of the measure, which may fail."""
    try:
        text = str(how(value))
    except Exception:
        return "something that cannot be shown"
    return text if len(text) <= most else text[: most - 3] + "..."


#: Called before each call of a measure, with its position among the measures, the start of the call as ``now`` gives
#: it, if it is known, and the number of the measure's case, from 1. Called with None after the call.
Notice = Callable[..., None]


class CachedScore(NamedTuple):
    """The score of a side and the nearest float, or a fault."""

    #: Kept alive, so that no other side gets the same id.
    side: Side
    value: ScoreValue
    number: float
    fault: Fault | None = None
    #: Whether it was compared with the declared equation.
    compared: bool = False
    #: The score, or that of a candidate in the pool, if it is outside the declared range.
    outside: Outside | None = None


#: The scores of one measure, by the id of the side object; and the score caches of all measures, by measure id.
ScoreCache = dict[int, CachedScore]
ScoreCaches = defaultdict[str, ScoreCache]


@dataclass
class Caller:
    """Calls one measure; ``notice`` gets its ``position`` before each call."""

    measure: Measure
    meter: Meter
    position: int
    notice: Notice
    #: The number of cases so far, cached ones included, and the limit.
    cases: int = 0
    most_cases: float = inf
    #: Whether the last score was compared with the equation that the measure declares.
    compared: bool = False
    #: The last score, or the first such score in the last pool, if it is outside the declared range.
    outside: Outside | None = None

    def begin_case(self) -> None:
        """Count another case, whether its sides are scored or taken from the score cache."""
        if self.cases >= self.most_cases:
            raise OutOfTime
        self.cases += 1

    def score(self, side: Side, past_budget: bool = False) -> ScoreValue:
        """The score of a side, or a :class:`Fault`. ``past_budget`` is for the few calls that confirm a verdict.

        Any other exception ends the worker. Then there is no second notice, so the parent knows which measure did it.
        """
        if len(side) > 2:
            scores, compared, outside = [], True, None
            for pair in side.pairs:
                scores.append(self.score(pair, past_budget))
                compared &= self.compared
                outside = outside or self.outside
            self.compared, self.outside = compared, outside
            return mean(scores)
        if self.meter.spent and not past_budget:
            raise OutOfTime
        candidate, gold = side
        before = candidate.biclusters, gold.biclusters
        start = now()
        self.notice(self.position, start, self.cases)
        try:
            score = evaluate(self.measure, side)
            self.compared = self._compare(score, side)
            self.notice(None)
        except Fault:
            self.notice(None)
            raise
        finally:
            self.meter.add_since(start)
            changed = candidate.biclusters is not before[0] or gold.biclusters is not before[1]
            if changed:  # put back for the other measures
                for biclustering, family in zip(side, before, strict=True):
                    object.__setattr__(biclustering, "_biclusters", family)
        if changed:
            raise Fault(Verdict.ERROR, "changes its inputs", FaultKind.CHANGES_INPUTS, side=side)
        self.outside = Outside.of(Score.of(score), self.bounds, side) if self._is_outside(score) else None
        return score

    @cached_property
    def bounds(self) -> Bounds:
        """The lowest and the best score that the measure declares."""
        return self.measure.bounds

    @cached_property
    def _range(self) -> tuple[tuple[int, int], tuple[int, int], float, float]:
        """The declared lowest and best score as ratios and as floats; infinite where none is declared."""
        low, best = self.bounds
        least = (-1, 0) if low is None else low.as_integer_ratio()
        most = (1, 0) if best is None else best.as_integer_ratio()
        return least, most, -inf if low is None else float(low), inf if best is None else float(best)

    def _is_outside(self, score: ScoreValue) -> bool:
        # This is asked of every score. Ratios are compared by hand, and a float settles most others, as rounding keeps
        # the order.
        if isinstance(score, Fraction):
            numerator, denominator = score.as_integer_ratio()
            (low, unit), (best, one), _, _ = self._range
            return numerator * one > best * denominator or numerator * unit < low * denominator
        *_, lowest, highest = self._range
        return not lowest < float(score) < highest and broken(_IN_RANGE, (score,), self.bounds) is not None

    def _compare(self, score: ScoreValue, side: Side) -> bool:
        """Whether the declared equation is defined here; a :class:`Fault` if its score is another."""
        if (declared := self.measure.declared) is None:
            return False
        try:
            value = declared(*side)
        except Undefined:
            return False
        expected = -value if declared.smaller_is_better else value
        if is_exact(score) and is_exact(expected):
            equal = score == expected
        else:
            equal = isclose(score, expected, rel_tol=_ROUNDING, abs_tol=_ROUNDING)
        if not equal:
            message = f"returned {_shown(str, score, 60)}, and its declared equation gives {_shown(str, expected, 60)}"
            raise Fault(Verdict.ERROR, message, FaultKind.NOT_ITS_EQUATION, side=side)
        return True
