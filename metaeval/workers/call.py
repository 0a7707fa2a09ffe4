"""One call of a measure: a score or a typed fault. Scores are cached per side, calls are metered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, isnan
from numbers import Integral, Rational, Real
from typing import Any, NamedTuple, Protocol

from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Bicluster
from metaeval.core.case import Case, Side
from metaeval.core.errors import Undefined
from metaeval.core.relation import NO_SCORE, Relation, Scores, ScoreValue, mean
from metaeval.core.verdict import Verdict
from metaeval.exact import is_exact
from metaeval.workers.budget import Meter, OutOfTime, now
from metaeval.workers.faults import Fault, FaultKind
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
        fault = Fault(Verdict.UNDEFINED, f"says it is undefined: {error}", FaultKind.UNDEFINED, place)
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
            Verdict.ERROR,
            f"returned {shown} ({type(value).__name__}); expected a real number",
            FaultKind.NO_NUMBER,
        )
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


class Notice(Protocol):
    """Told before a measure is called, with its position among the measures, and with None after it answered.

    ``since`` is when the call began, a value of :func:`metaeval.workers.budget.now`, for who has asked for it already;
    ``case`` is the number of the measure's case, from 1.
    """

    def __call__(
        self, position: int | None, since: tuple[float, float] | None = None, case: int = 0, /
    ) -> None: ...


class Answer(NamedTuple):
    """What a measure said of a side: a score and the float nearest to it, or a fault."""

    #: Kept, so that no other side comes to stand at its address.
    side: Side
    value: ScoreValue
    number: float
    fault: Fault | None = None


#: The answers of one measure, by the identity of the side; and those of all measures, by id.
Memory = dict[int, Answer]
Memories = defaultdict[str, Memory]


@dataclass
class Caller:
    """Calls one measure; ``notice`` is told its ``position`` before each call."""

    measure: Measure
    meter: Meter
    position: int
    notice: Notice
    #: The cases that it was asked about, counted as if nothing were cached, and how many it may be asked about.
    cases: int = 0
    most_cases: float = inf

    def begin_case(self) -> None:
        """The sides of another case are scored next, or taken from the score cache."""
        if self.cases >= self.most_cases:
            raise OutOfTime
        self.cases += 1

    def score(self, side: Side, past_budget: bool = False) -> ScoreValue:
        """The score of a side, or a :class:`Fault`; ``past_budget`` for the few that settle what was found in time.

        There is no notice after anything but a score or a fault: what else can be raised ends the process, and
        the notice that still stands then tells the parent which measure did it.
        """
        if len(side) > 2:
            return mean([self.score(pair, past_budget) for pair in side.pairs])
        if self.meter.spent and not past_budget:
            raise OutOfTime
        candidate, gold = side
        before = candidate.biclusters, gold.biclusters
        start = now()
        self.notice(self.position, start, self.cases)
        try:
            score = evaluate(self.measure, side)
            self.notice(None)
        except Fault:
            self.notice(None)
            raise
        finally:
            self.meter.add_since(start)
            changed = _restore(side, before)
        if changed:
            fault = Fault(Verdict.ERROR, "changes its inputs", FaultKind.CHANGES_INPUTS)
            fault.side = side
            raise fault
        return score


def _restore(side: Side, before: tuple[tuple[Bicluster, ...], tuple[Bicluster, ...]]) -> bool:
    """Whether a measure changed what it was given; it is put back for the others."""
    if side[0].biclusters is before[0] and side[1].biclusters is before[1]:
        return False
    for biclustering, family in zip(side, before, strict=True):
        object.__setattr__(biclustering, "_biclusters", family)
    return True
