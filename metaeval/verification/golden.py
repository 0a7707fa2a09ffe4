"""Golden scores: a fixed panel of pairs, what a measure scored on them, and what changed since."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import isnan
from typing import Any

from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.core.effort import HIGHEST
from metaeval.core.errors import InputError, MetaevalError
from metaeval.core.relation import ScoreValue
from metaeval.core.verdict import Verdict
from metaeval.exact import LogSum, is_exact
from metaeval.files.fields import is_whole
from metaeval.files.shown import show
from metaeval.records.certificate import side_from_json, side_to_json
from metaeval.records.score import Score
from metaeval.search.gate import PANEL
from metaeval.workers.call import Notice, evaluate
from metaeval.workers.faults import Fault
from metaeval.workers.worker import Finished, Hung, supervise

_SQUARE = [({0, 1}, {0, 1}), ({2, 3}, {2, 3})]
_HALVES = [({0, 1}, {0, 1, 2, 3}), ({2, 3}, {0, 1, 2, 3})]
_OVERLAP = [({0, 1, 2}, {0, 1}), ({2, 3}, {1, 2})]
_NESTED = [({0, 1, 2, 3}, {0, 1, 2}), ({1, 2}, {1})]
_TWICE = [({0, 1}, {0, 1}), ({0, 1}, {0, 1})]
_PAIRS: tuple[tuple[Any, Any], ...] = (
    # disjoint: partial, shared in part, apart, on other features
    (_SQUARE, _SQUARE),
    (_SQUARE, _HALVES),
    (_HALVES, _SQUARE),
    ([({0, 1}, {0, 1})], _SQUARE),
    ([({0}, {0}), ({2, 3, 4}, {2})], _SQUARE),
    ([({4}, {4})], _SQUARE),
    # overlapping
    (_OVERLAP, _OVERLAP),
    (_OVERLAP, _SQUARE),
    (_SQUARE, _OVERLAP),
    (_NESTED, _OVERLAP),
    # repeated
    (_TWICE, _SQUARE),
    (_SQUARE, _TWICE),
    # empty
    ([], _SQUARE),
    (_SQUARE, []),
    ([], []),
)
_SHAPE = (5, 5)

#: The inputs of the golden scores. A baseline holds its own, so that these may grow.
SIDES = (*PANEL, *(Side(Biclustering(found, _SHAPE), Biclustering(gold, _SHAPE)) for found, gold in _PAIRS))

# --- large pairs


def in_runs(*sizes: int, features: int = 1) -> Biclustering:
    """A clustering of consecutive objects into clusters of these sizes."""
    return Biclustering.from_labels([at for at, size in enumerate(sizes) for _ in range(size)], features)


def _windows(count: int, step: int, length: int, shape: tuple[int, int]) -> Biclustering:
    """Overlapping biclusters: each begins some objects and one feature after the last."""
    return Biclustering(
        [
            ([(at * step + row) % shape[0] for row in range(length)], {at % shape[1], (at + 2) % shape[1]})
            for at in range(count)
        ],
        shape,
    )


#: What implementations get wrong in size: counters of a byte, masks of a machine word, fixed buffers, caps. From
#: small to large; a baseline of a fast measure has them after the others.
LARGE = (
    # 65 objects, and 70 features: one more than fits into a mask of 64 bits.
    Side(in_runs(33, 32, features=2), in_runs(32, 33, features=2)),
    Side(
        Biclustering([(range(8), range(66)), (range(8, 20), range(4, 70))], (20, 70)),
        Biclustering([(range(9), range(64)), (range(9, 20), range(64, 70))], (20, 70)),
    ),
    # Intersections and sizes around 128 and 256, where a byte wraps.
    Side(in_runs(127, 1, 129), in_runs(128, 129)),
    Side(in_runs(255, 1, 256), in_runs(256, 256)),
    # Many clusters, more than classes, and fewer.
    Side(in_runs(*[1] * 100, *[2] * 50), in_runs(*[50] * 4)),
    Side(in_runs(150, 130), in_runs(*[1] * 80, *[4] * 50)),
    # Several features, disjoint and in part uncovered; overlapping.
    Side(
        Biclustering([(range(at, 300, 12), {at % 6}) for at in range(10)], (320, 6)),
        Biclustering([(range(30 * at, 30 * at + 30), {at % 6}) for at in range(9)], (320, 6)),
    ),
    Side(_windows(30, 7, 40, (200, 8)), _windows(24, 9, 32, (200, 8))),
)

#: Where products of two numbers of pairs need more than 64 bits. One pair only, as it takes some memory.
HUGE = (Side(in_runs(35_000, 35_000), in_runs(34_999, 35_001)),)


#: The effort levels from which on a measure is asked for large pairs, and for huge ones.
LARGE_FROM, HUGE_FROM = 3, 4

#: No call on a large pair may take longer than this; else all of them are left out.
LONGEST = 2.0

#: A family of so many objects is written by the sizes of its clusters, where these are runs of objects.
_LONG = 1000
#: No family that is written so has more objects.
_LONGEST_RUNS = 10_000_000


class NoAnswer(MetaevalError):
    """The measure hangs, or ends its process, where it is asked for golden scores or certificates."""


@dataclass(frozen=True)
class Golden:
    """A side and its score; where there is none, whether the measure is undefined there or fails."""

    side: Side
    score: Score | None
    fault: Verdict | None = None

    def to_json(self) -> dict[str, Any]:
        """The golden score as data."""
        if self.score is None:
            return {**_to_json(self.side), str(self.fault): True}
        return {**_to_json(self.side), "score": self.score.to_json()}

    @classmethod
    def from_json(cls, data: Any) -> Golden:
        """The golden score in parsed JSON."""
        if not isinstance(data, Mapping) or not {"candidate", "gold"} <= set(data):
            raise InputError('a golden score must be an object with "candidate", "gold" and "score"')
        given = {key: data[key] for key in ("candidate", "gold")}
        side = _from_json(given)
        rest = set(data) - set(given)
        if rest == {"score"}:
            return cls(side, Score.from_json(data["score"], "a golden score"))
        for fault in (Verdict.UNDEFINED, Verdict.ERROR):
            if rest == {str(fault)} and data[fault] is True:
                return cls(side, None, fault)
        raise InputError('a golden score must hold "score", "undefined": true or "error": true')

    def agrees(self, other: Golden, tolerance: float) -> bool:
        """Whether both have the same score, or none for the same reason."""
        if self.score is None or other.score is None:
            return self.fault is other.fault
        return same_score(self.score.number, other.score.number, tolerance)

    def __str__(self) -> str:
        if self.score is None:
            return "an error" if self.fault is Verdict.ERROR else str(self.fault)
        return shown(self.score.number)


_ROLES = ("candidate", "gold")


def _to_json(side: Side) -> dict[str, Any]:
    """A side as data; a huge one, which would fill the file, by the sizes of its runs of objects."""
    rolled = {role: _runs(family) for role, family in zip(_ROLES, side, strict=True)}
    if any(runs is None for runs in rolled.values()):
        return side_to_json(side)
    return {role: {"runs": runs} for role, runs in rolled.items()}


def _from_json(given: Mapping[str, Any]) -> Side:
    if set(given) == {*_ROLES} and all(
        isinstance(one, Mapping) and set(one) == {"runs"} for one in given.values()
    ):
        return Side(*(_unrolled(given[role]["runs"]) for role in _ROLES))
    return side_from_json(given, "a golden score")


def _runs(family: Biclustering) -> list[int] | None:
    """The sizes of the clusters of a huge family, where each is a run of objects and all of them cover the matrix."""
    sizes = [len(rows) for rows, _ in family]
    huge = family.shape[0] >= _LONG and sum(sizes) == family.shape[0]
    return sizes if huge and in_runs(*sizes) == family else None


def _unrolled(runs: Any) -> Biclustering:
    sizes = runs if isinstance(runs, list) else []
    if not sizes or not all(is_whole(n) and n > 0 for n in sizes) or sum(sizes) > _LONGEST_RUNS:
        raise InputError(
            f'"runs" of a golden score is {show(runs)}; expected sizes of clusters, at most {_LONGEST_RUNS:,} objects'
        )
    return in_runs(*sizes)


@dataclass(frozen=True)
class Difference:
    """A golden score that is not what it was; ``pair`` counts the pairs of a baseline from 1."""

    pair: int
    was: Golden
    now: Golden

    @property
    def name(self) -> str:
        """What the pair is called in tables and tests."""
        return pair_name(self.pair)

    @property
    def amount(self) -> str:
        """By how much the score has changed, signed, or in words why that cannot be said."""
        if self.was.score is None or self.now.score is None:
            return "–"
        if (self.was.score.exact is None) != (self.now.score.exact is None):
            return "no longer exact" if self.now.score.exact is None else "exact now"
        change = self.now.score - self.was.score
        return (
            f"{'+' if change.value > 0 else ''}{change.brief if change.exact is not None else change.rounded(3)}"
        )

    def __str__(self) -> str:
        return f"{self.name}: expected {self.was}, got {self.now}"

    def to_json(self) -> dict[str, Any]:
        """The difference as data."""
        return {"pair": self.pair, "expected": self.was.to_json(), "got": self.now.to_json()}


def pair_name(number: int) -> str:
    """The name of a golden pair: ``golden-07``."""
    return f"golden-{number:02}"


def shown(score: ScoreValue) -> str:
    """A score so that two that differ are seen to: floats with all their digits."""
    if isnan(score):
        return "undefined"
    return f"{score} ({float(score):.6g})" if is_exact(score) else repr(score)


def same_score(old: ScoreValue, new: ScoreValue, tolerance: float) -> bool:
    """Exact scores must be equal, floats within the tolerance; a score that is exact no longer has changed."""
    if isinstance(new, LogSum) and not is_exact(old):
        new = float(new)  # a file may be from before logarithms were exact
    if is_exact(old) or is_exact(new):
        return is_exact(old) and is_exact(new) and old == new
    return abs(old - new) <= tolerance or (isnan(old) and isnan(new))


def golden_scores(measure: Measure, sides: Iterable[Side], budget: float | None = None) -> tuple[Golden, ...]:
    """The measure's scores of some sides, computed in a process of their own."""
    scores: tuple[Golden, ...] = apart(budget, _score_all, measure, tuple(sides))
    return scores


@dataclass(frozen=True)
class Panel:
    """The golden scores of a baseline; where large pairs were left out, how many, and why."""

    golden: tuple[Golden, ...]
    left_out: int = 0
    why: str = ""


def panel_scores(measure: Measure, budget: float | None = None, effort: int = HIGHEST) -> Panel:
    """The scores that a new baseline stores; those of large pairs where the effort level is high enough."""
    golden = golden_scores(measure, SIDES, budget)
    if effort < LARGE_FROM:
        why = f"its effort level is {effort}, and large pairs need {LARGE_FROM}"
        return Panel(golden, len(LARGE) + len(HUGE), why)
    limit = LONGEST if budget is None else min(budget, LONGEST)
    try:
        golden += golden_scores(measure, LARGE, limit)
    except NoAnswer as error:
        return Panel(golden, len(LARGE) + len(HUGE), str(error))
    if effort < HUGE_FROM:
        return Panel(golden, len(HUGE), f"its effort level is {effort}, and huge pairs need {HUGE_FROM}")
    try:
        huge = golden_scores(measure, HUGE, limit)
    except NoAnswer as error:
        return Panel(golden, len(HUGE), str(error))
    if any(one.fault is Verdict.ERROR for one in huge):
        return Panel(golden, len(HUGE), f"{measure.id} fails on {HUGE[0].gold.shape[0]:,} objects")
    return Panel(golden + huge)


def _score_all(notice: Notice, measure: Measure, sides: Iterable[Side]) -> tuple[Golden, ...]:
    return tuple(_golden(notice, measure, side) for side in sides)


def _golden(notice: Notice, measure: Measure, side: Side) -> Golden:
    notice(0)
    try:
        return Golden(side, Score.of(evaluate(measure, side)))
    except Fault as fault:
        return Golden(side, None, fault.verdict)
    finally:
        notice(None)


def apart(budget: float | None, work: Callable[..., Any], measure: Measure, argument: Any) -> Any:
    """Run a measure's code in a process of its own, as the search does."""
    ending = supervise(budget, work, measure, argument)
    if isinstance(ending, Finished):
        return ending.value
    if isinstance(ending, Hung):
        raise NoAnswer(f"{measure.id} gave no answer within {budget:g} s")
    raise NoAnswer(f"{measure.id} lost its process, which {ending.how}")
