"""A scored case in one sentence: what the score should do, and what it did."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal

from metaeval.core.case import (
    EQUAL,
    MEAN_EQUAL,
    NOT_BETTER,
    OPTIMAL,
    PERFECT_MATCH,
    TOLERANCE,
    TRIANGLE,
    WITHIN,
    WORSE,
    Bounds,
    relation_of,
)
from metaeval.records.described import DescribedCondition
from metaeval.records.score import Score


def in_a_sentence(condition: DescribedCondition, scores: Sequence[Score], bounds: Bounds) -> str:
    """What scores should do and do; empty where a file names a relation that nobody knows.

    >>> rag_bag = DescribedCondition("Rag bag", relation="worse", step="after the move")
    >>> in_a_sentence(rag_bag, [Score(0.5), Score(0.4997)], Bounds(best=1.0))
    'After the move, the score should rise; it fell by 0.0003.'
    """
    relation = relation_of(condition.relation, condition.demand)
    if relation is None or len(scores) != relation.sides:
        return ""
    if not all(math.isfinite(score.value) for score in scores) and not relation.right_is_best:
        return "All scores should be numbers; one is not." if len(scores) != 2 else _NO_NUMBER
    if relation is WITHIN:
        return _in_range(scores[0], bounds)
    if relation is TRIANGLE:
        return _on_the_way(scores, bounds)
    left, right = scores
    best = None if bounds.best is None else float(bounds.best)
    step = condition.step or "from left to right"
    opening = f"{step[0].upper()}{step[1:]}, the {'mean ' if relation is MEAN_EQUAL else ''}score should"
    if relation is WORSE:
        return f"{opening} rise; it {_moved(left, right)}."
    if relation is NOT_BETTER:
        return f"{opening} not fall; it {_moved(left, right)}."
    if relation in (EQUAL, MEAN_EQUAL):
        moved = _moved(left, right)
        return f"{opening} stay the same; it {'does' if moved == _STAYED else moved}."
    goal = "the best score" if best is None else f"the best score, {best + 0.0:g}"
    if relation is OPTIMAL:
        scored = f"scores {right.brief}" if math.isfinite(right.value) else "has no score"
        return f"The gold standard itself should reach {goal}; it {scored}."
    if relation is PERFECT_MATCH:
        return f"Only the gold standard itself should reach {goal}; {_match(left, right, best)}."
    return f"This candidate should stay below {goal}; it scores {left.brief}."


_STAYED = "stayed the same"
_NO_NUMBER = "Both scores should be numbers; one is not."


def _in_range(score: Score, bounds: Bounds) -> str:
    top = "the best score" if bounds.best is None else f"{bounds.best + 0.0:g}"
    goal = f"stay at or below {top}" if bounds.low is None else f"lie between {bounds.low + 0.0:g} and {top}"
    return f"The score should {goal}; it is {score.brief}."


def _on_the_way(scores: Sequence[Score], bounds: Bounds) -> str:
    if bounds.best is None or TRIANGLE.margin is None:
        return ""
    longer = TRIANGLE.margin([score.value for score in scores], bounds)
    said = "longer" if longer > TOLERANCE else "as long" if longer >= -TOLERANCE else "shorter"
    by = "" if said == "as long" else f" by {_short(abs(longer))}"
    demand = "From the first to the third, the way by the second should not be shorter than the direct one"
    return f"{demand}; it is {said}{by}."


def _moved(left: Score, right: Score) -> str:
    by = right - left
    # Exact scores differ or do not; of floats, what is within the tolerance counts as a tie.
    if abs(by.value) <= (0 if by.exact is not None else TOLERANCE):
        return _STAYED
    return f"{'rose' if by.value > 0 else 'fell'} by {_short(abs(by.value))}"


def _match(left: Score, right: Score, best: float | None) -> str:
    if not math.isfinite(right.value):
        return "it has no score"
    if not math.isfinite(left.value):
        return "this other candidate has no score"
    if best is not None and best - right.value > TOLERANCE:
        return f"it scores {right.brief}"
    if best is not None and best - left.value <= TOLERANCE:
        return "this other candidate does, too"
    return f"this other candidate scores {left.brief}"


def _short(value: float) -> str:
    """Two digits that say something, never with an exponent."""
    return format(Decimal(f"{value:.2g}"), "f")
