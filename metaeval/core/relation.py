"""Relations: what the scores of a case must satisfy, and by how much they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, isnan, nan
from typing import Any, NamedTuple

from metaeval.core.case import Case
from metaeval.core.errors import InputError
from metaeval.exact import Exact, have_difference, is_exact

#: A score: a Fraction, or a sum of logarithms or roots, where the measure is exact.
ScoreValue = Exact | float

#: What stands for the score that a measure does not give where a relation demands one. Always this object, so that
#: two pairs of scores with it can be equal.
NO_SCORE = nan

#: Where a score is only a float, differences up to this much count as ties.
TOLERANCE = 1e-9


class Bounds(NamedTuple):
    """The lowest and the best score of a measure, None where there is none."""

    low: float | Fraction | None = None
    best: float | Fraction | None = None

    @property
    def exact(self) -> Bounds:
        """The same as fractions."""
        return Bounds(*(None if one is None else Fraction(one) for one in self))


#: The scores of a case, side by side.
Scores = tuple[ScoreValue, ...]


@dataclass(frozen=True)
class Relation:
    """What must hold between the scores of a case.

    ``sides`` is the number of sides, which may be pools if it is ``pooled``. ``demand`` says it in words; ``broken``
    says why scores break it, or None. Exact scores are compared exactly; the tolerance is 0 for them. ``margin`` says
    by how much it is kept, where that is a matter of degree. Most relations only compare scores, with each other and
    with the best; one that ``adds`` them needs numbers that can be added. ``formula`` is the demand with places for the
    scores, by number or as left and right, for the lowest and the best score, and for what a tolerance adds to a
    strict relation (``by``) or to one that is not (``within``). ``needs_optimum`` where the best possible score is part
    of the demand, so that whoever re-checks scores must know it, and ``needs_lowest`` where the lowest is, if it is
    declared. ``right_is_best`` where the right must reach the best: a measure that is undefined there breaks the
    relation. ``decides`` names what the margin is. ``captions`` are what drawings call the left and the right.
    ``key`` tells relations of one name apart, in files too; the plain one has none.
    """

    name: str
    demand: str
    formula: str
    broken: Callable[[Scores, Bounds, float], str | None]
    margin: Callable[[Any, Bounds], Any] | None
    needs_optimum: bool = False
    right_is_best: bool = False
    sides: int = 2
    pooled: bool = False
    adds: bool = False
    needs_lowest: bool = False
    decides: str = "right − left"
    captions: tuple[str, str] = ("Before", "After")
    key: str = ""

    def fits(self, case: Case) -> bool:
        """Whether a case has the sides that this is about, so that a premise can judge it."""
        return len(case) == self.sides and (self.pooled or not any(side.is_pool for side in case))


def broken(relation: Relation, scores: Scores, bounds: Bounds) -> str | None:
    """Why these scores break the relation, or None where they keep it; an optimum is needed where it is spoken of."""
    if relation.needs_optimum and bounds.best is None:
        raise ValueError(f"{relation.name} speaks of the optimum, and the measure has none")
    if not is_decided_exactly(relation, scores):
        return relation.broken(tuple(map(float, scores)), bounds, TOLERANCE)
    if not have_difference(*scores):
        return relation.broken(*_ranked(scores, bounds.exact), 0)
    return relation.broken(scores, bounds.exact, 0)


def is_decided_exactly(relation: Relation, scores: Scores) -> bool:
    """Whether no tolerance is needed: some exact numbers can be compared, but not added to each other."""
    return all(map(is_exact, scores)) and (not relation.adds or have_difference(*scores))


def _ranked(scores: Scores, bounds: Bounds) -> tuple[Scores, Bounds]:
    """Integers in the same order, for exact numbers that can be compared, but have no exact difference."""
    every = [one for one in (*scores, *bounds) if one is not None]

    def rank(one: Any) -> Any:
        return None if one is None else sum(other < one for other in every)

    return tuple(map(rank, scores)), Bounds(*map(rank, bounds))


def mean(scores: Sequence[ScoreValue]) -> ScoreValue:
    """The mean of scores: exact where they are and can be added, else the float nearest to that of their floats.

    >>> mean([Fraction(1), Fraction(1, 2)]), mean([1.0, Fraction(1, 2)])
    (Fraction(3, 4), 0.75)
    """
    if len(scores) == 1:
        return scores[0]
    if all(map(is_exact, scores)) and have_difference(*scores):
        return sum(scores[1:], scores[0]) / len(scores)
    return fsum(map(float, scores)) / len(scores)


def _not_worse(scores: Scores, _: Bounds, tolerance: float) -> str | None:
    left, right = scores
    if right - left > tolerance:
        return None
    return "the left scores as high as the right" if left - right <= tolerance else "the left scores higher"


def _not_equal(scores: Scores, _: Bounds, tolerance: float) -> str | None:
    left, right = scores
    return None if -tolerance <= left - right <= tolerance else "the scores differ"


def _optimal(scores: Scores, bounds: Bounds, tolerance: float) -> str | None:
    assert bounds.best is not None
    return "the left reaches the optimum" if bounds.best - scores[0] <= tolerance else None


def _better(scores: Scores, _: Bounds, tolerance: float) -> str | None:
    left, right = scores
    return "the left scores higher" if left - right > tolerance else None


def _missed(scores: Scores, bounds: Bounds, tolerance: float) -> str | None:
    assert bounds.best is not None
    right = scores[1]
    if isnan(right):
        return "the gold standard itself has no score: the measure is undefined there"
    return "the gold standard itself misses the optimum" if bounds.best - right > tolerance else None


def _outside(scores: Scores, bounds: Bounds, tolerance: float) -> str | None:
    (score,), (low, best) = scores, bounds
    if best is not None and score - best > tolerance:
        return "the score is above the best"
    return "the score is below the lowest" if low is not None and low - score > tolerance else None


def _short_cut(scores: Scores, bounds: Bounds, tolerance: float) -> str | None:
    return "the way by the second is shorter" if -_detour(scores, bounds) > tolerance else None


def _rise(scores: Any, _: Bounds) -> Any:
    return scores[1] - scores[0]


def _short_of(scores: Any, bounds: Any) -> Any:
    return bounds.best - scores[0]


def _room(scores: Any, bounds: Any) -> Any:
    """How far inside the range a score is."""
    above = bounds.best - scores[0]
    return above if bounds.low is None else min(above, scores[0] - bounds.low)


def _detour(scores: Any, bounds: Any) -> Any:
    """By how much the way from the first to the third by the second is longer; a distance is best − score."""
    first, second, direct = scores
    return bounds.best - first - second + direct


WORSE = Relation(
    "worse", "the left must score strictly lower than the right", "{left} < {right}{by}", _not_worse, _rise
)

EQUAL = Relation("equal", "both must score the same", "{left} = {right}{within}", _not_equal, None)

_MATCHING = ("Candidate", "Gold itself")

NOT_OPTIMAL = Relation(
    "not-optimal", "the left must not reach the optimum", "{left} < {best}{by}", _optimal, _short_of, True,
    decides="optimum − left", captions=_MATCHING,
)  # fmt: skip

PERFECT_MATCH = Relation(
    "not-optimal", "the left must not reach the optimum, and the right must reach it",
    "{left} < {best}{by} and {right} ≥ {best}", lambda *asked: _missed(*asked) or _optimal(*asked), _short_of,
    needs_optimum=True, right_is_best=True, decides="optimum − left", captions=_MATCHING, key="perfect-match",
)  # fmt: skip

WITHIN = Relation(
    "within", "the score must be neither below the lowest nor above the best", "{low}{0} ≤ {best}{within}",
    _outside, _room, needs_optimum=True, needs_lowest=True, sides=1, decides="room in the range",
)  # fmt: skip

TRIANGLE = Relation(
    "triangle",
    "from the first to the third it must be no further than by the second, where a distance is the best score less "
    "the score",
    "{best} − {2} ≤ ({best} − {0}) + ({best} − {1}){within}", _short_cut, _detour,
    needs_optimum=True, sides=3, adds=True, decides="detour − direct way",
)  # fmt: skip

MEAN_EQUAL = Relation(
    "mean-equal", "the mean scores of both pools must be the same", "{left} = {right}{within}",
    lambda *asked: "the means differ" if _not_equal(*asked) else None, None, pooled=True,
)  # fmt: skip

NOT_BETTER = Relation(
    "not-better", "the left must not score higher than the right", "{left} ≤ {right}{within}", _better, _rise
)

OPTIMAL = Relation(
    "optimal", "the right must reach the optimum", "{right} ≥ {best}", _missed, None,
    needs_optimum=True, right_is_best=True, captions=_MATCHING,
)  # fmt: skip

#: Every relation; of those that share a name, the plain one comes first.
RELATIONS = (WORSE, EQUAL, NOT_OPTIMAL, PERFECT_MATCH, NOT_BETTER, OPTIMAL, WITHIN, TRIANGLE, MEAN_EQUAL)


def relation_of(name: str, demand: str = "", key: str = "") -> Relation:
    """The relation that a file names.

    Where several share the name, the key decides. Files of older versions have no key; there the words of the demand
    decide and, without known words, the first of the name, which demands the least.

    >>> relation_of("not-optimal", key="perfect-match") is PERFECT_MATCH
    True
    >>> relation_of("not-optimal") is NOT_OPTIMAL
    True
    """
    namesakes = [relation for relation in RELATIONS if relation.name == name]
    meant = [one for one in namesakes if (one.key == key if key else one.demand == demand)]
    if not namesakes or (key and not meant):
        known = ", ".join(dict.fromkeys(relation.name for relation in RELATIONS))
        raise InputError(f"no relation is called {name!r}{f' with the key {key!r}' if key else ''}; known are {known}")
    return (meant or namesakes)[0]
