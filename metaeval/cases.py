"""Cases and relations: what a condition generates, and what it demands of the two scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isnan, nan
from typing import NamedTuple

from metaeval.exact import Exact, have_difference, is_exact
from metaeval.model import Biclustering

#: A score: a Fraction, or a sum of logarithms or roots, where the measure is exact.
ScoreValue = Exact | float

#: What stands for the score that a measure does not give where a relation demands one. Always this object, so that
#: two pairs of scores with it can be equal.
NO_SCORE = nan

#: Where a score is only a float, differences up to this much count as ties.
TOLERANCE = 1e-9


class Side(NamedTuple):
    """A candidate and the gold standard it is scored against."""

    candidate: Biclustering
    gold: Biclustering


class Case(NamedTuple):
    """Two pairs to score, ``left`` and ``right``; a condition demands a relation between their scores."""

    left: Side
    right: Side

    @property
    def objects(self) -> int:
        """The number of objects of the larger matrix."""
        return self._largest(0)

    @property
    def features(self) -> int:
        """The number of features of the larger matrix."""
        return self._largest(1)

    def _largest(self, axis: int) -> int:
        # Asked for every case of every list: written out, it takes a third of the time.
        (a, b), (c, d) = self
        return max(a.shape[axis], b.shape[axis], c.shape[axis], d.shape[axis])

    @property
    def size(self) -> tuple[int, int, int, int]:
        """What makes one counterexample simpler than another: objects, features, biclusters, indices."""
        families = [family for side in self for family in side]
        return (
            self.objects,
            self.features,
            sum(map(len, families)),
            sum(len(rows) + len(cols) for family in families for rows, cols in family),
        )


@dataclass(frozen=True)
class Relation:
    """What must hold between the left and the right score.

    ``demand`` says it in words; ``broken`` says why a pair of scores breaks it, or None. Exact scores are
    compared exactly; ``tolerance`` is 0 for them. ``margin`` says by how much it is kept, where that is a
    matter of degree. ``formula`` is the demand with places for the scores, the best score, and what a
    tolerance adds to a strict relation (``by``) or to an equality (``within``). ``needs_optimum`` where the
    best possible score is part of the demand, so that whoever re-checks a pair of scores must know it.
    ``right_is_best`` where the right must reach it: a measure that is undefined there breaks the relation.
    """

    name: str
    demand: str
    formula: str
    broken: Callable[[ScoreValue, ScoreValue, ScoreValue, float], str | None]
    margin: Callable[[float, float, float], float] | None
    needs_optimum: bool = False
    right_is_best: bool = False


def broken(relation: Relation, left: ScoreValue, right: ScoreValue, optimum: float | None) -> str | None:
    """Why these scores break the relation, or None where they keep it; an optimum is needed where it is spoken of."""
    if optimum is None:
        if relation.needs_optimum:
            raise ValueError(f"{relation.name} speaks of the optimum, and the measure has none")
        optimum = 0.0
    if is_exact(left) and is_exact(right):
        if not have_difference(left, right):
            one, other, best = _ranks(left, right, Fraction(optimum))
            return relation.broken(one, other, best, 0)
        return relation.broken(left, right, Fraction(optimum), 0)
    return relation.broken(float(left), float(right), optimum, TOLERANCE)


def _ranks(*scores: Exact | int) -> list[int]:
    """Integers in the same order, for exact numbers that can be compared, but have no exact difference."""
    return [sum(other < one for other in scores) for one in scores]


def _not_worse(left: ScoreValue, right: ScoreValue, _: ScoreValue, tolerance: float) -> str | None:
    if right - left > tolerance:
        return None
    return "the left scores as high as the right" if left - right <= tolerance else "the left scores higher"


def _not_equal(left: ScoreValue, right: ScoreValue, _: ScoreValue, tolerance: float) -> str | None:
    return None if -tolerance <= left - right <= tolerance else "the scores differ"


def _optimal(left: ScoreValue, _: ScoreValue, optimum: ScoreValue, tolerance: float) -> str | None:
    return "the left reaches the optimum" if optimum - left <= tolerance else None


def _better(left: ScoreValue, right: ScoreValue, _: ScoreValue, tolerance: float) -> str | None:
    return "the left scores higher" if left - right > tolerance else None


def _missed(_: ScoreValue, right: ScoreValue, optimum: ScoreValue, tolerance: float) -> str | None:
    if isnan(right):
        return "the gold standard itself has no score: the measure is undefined there"
    return "the gold standard itself misses the optimum" if optimum - right > tolerance else None


def _mismatched(left: ScoreValue, right: ScoreValue, optimum: ScoreValue, tolerance: float) -> str | None:
    return _missed(left, right, optimum, tolerance) or _optimal(left, right, optimum, tolerance)


def _rise(left: float, right: float, _: float) -> float:
    return right - left


def _short_of(left: float, _: float, optimum: float) -> float:
    return optimum - left


WORSE = Relation(
    "worse", "the left must score strictly lower than the right", "{left} < {right}{by}", _not_worse, _rise
)
EQUAL = Relation("equal", "both must score the same", "{left} = {right}{within}", _not_equal, None)
NOT_OPTIMAL = Relation(
    "not-optimal", "the left must not reach the optimum", "{left} < {best}{by}", _optimal, _short_of, True
)
PERFECT_MATCH = Relation(
    "not-optimal",
    "the left must not reach the optimum, and the right must reach it",
    "{left} < {best}{by} and {right} ≥ {best}",
    _mismatched,
    _short_of,
    needs_optimum=True,
    right_is_best=True,
)
NOT_BETTER = Relation(
    "not-better", "the left must not score higher than the right", "{left} ≤ {right}{within}", _better, _rise
)
OPTIMAL = Relation(
    "optimal",
    "the right must reach the optimum",
    "{right} ≥ {best}",
    _missed,
    None,
    needs_optimum=True,
    right_is_best=True,
)

#: Every relation; of those that share a name, the plain one comes first.
RELATIONS = (WORSE, EQUAL, NOT_OPTIMAL, PERFECT_MATCH, NOT_BETTER, OPTIMAL)


def relation_of(name: str, demand: str = "") -> Relation | None:
    """The relation that a file names, or None where there is none of that name.

    Where several share the name, the words of the demand tell them apart; without known words it is the
    first of the name, which demands the least.

    >>> relation_of("not-optimal", PERFECT_MATCH.demand) is PERFECT_MATCH
    True
    >>> relation_of("not-optimal") is NOT_OPTIMAL
    True
    >>> relation_of("better") is None
    True
    """
    namesakes = [relation for relation in RELATIONS if relation.name == name]
    exact = [relation for relation in namesakes if relation.demand == demand]
    return next(iter(exact + namesakes), None)
