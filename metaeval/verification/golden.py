"""Golden scores: the scores of a measure on a fixed panel of pairs, and what changed since."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isnan
from typing import Any, NamedTuple

from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.core.errors import InputError, MetaevalError
from metaeval.core.relation import ScoreValue
from metaeval.core.settings import HIGHEST
from metaeval.core.verdict import Verdict
from metaeval.exact import LogSum, is_exact
from metaeval.files.shown import show
from metaeval.records.certificate import side_from_json, side_to_json
from metaeval.records.score import Score
from metaeval.search.gate import PANEL, extremes
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
    (_SQUARE, _SQUARE), (_SQUARE, _HALVES), (_HALVES, _SQUARE), ([({0, 1}, {0, 1})], _SQUARE),
    ([({0}, {0}), ({2, 3, 4}, {2})], _SQUARE), ([({4}, {4})], _SQUARE),
    # overlapping
    (_OVERLAP, _OVERLAP), (_OVERLAP, _SQUARE), (_SQUARE, _OVERLAP), (_NESTED, _OVERLAP),
    # repeated
    (_TWICE, _SQUARE), (_SQUARE, _TWICE),
    # empty
    ([], _SQUARE), (_SQUARE, []), ([], []),
)  # fmt: skip
_SHAPE = (5, 5)

#: Clusterings of objects that overlap: beside each other, one in another, and one cut by another.
_BESIDE, _INSIDE, _CUT = [{0, 1, 2}, {2, 3}], [{0, 1, 2, 3}, {1, 2}], [{0, 1}, {2, 3, 4}]
_CLUSTERINGS = [(_BESIDE, _CUT), (_CUT, _BESIDE), (_BESIDE, _INSIDE), (_INSIDE, _CUT), (_INSIDE, _INSIDE)]

#: The inputs of the golden scores. A baseline stores its own inputs, so this list can grow.
SIDES = (
    *PANEL, *(Side(Biclustering(found, _SHAPE), Biclustering(gold, _SHAPE)) for found, gold in _PAIRS),
    *(Side(*(Biclustering.lifted(family, shape=(5, 1)) for family in pair)) for pair in _CLUSTERINGS),
    # Trivial pairs: formulas divide by zero there. One object, one cluster, only singletons, an empty side.
    *extremes("clusterings"),
)  # fmt: skip

# --- large pairs


def in_runs(*sizes: int, features: int = 1) -> Biclustering:
    """A clustering of consecutive objects into clusters of these sizes."""
    return Biclustering.from_labels([at for at, size in enumerate(sizes) for _ in range(size)], features)


def _windows(count: int, step: int, length: int, shape: tuple[int, int]) -> Biclustering:
    """Overlapping biclusters: each starts ``step`` objects and one feature after the previous one."""
    rows = ([(at * step + row) % shape[0] for row in range(length)] for at in range(count))
    return Biclustering(((some, {at % shape[1], (at + 2) % shape[1]}) for at, some in enumerate(rows)), shape)


#: Sizes that implementations get wrong: counters of a byte, masks of a machine word, fixed buffers, caps. From
#: small to large; a baseline of a fast measure has them after the other pairs.
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

#: Products of two numbers of pairs need more than 64 bits here. One pair only, because it takes much memory.
HUGE = (Side(in_runs(35_000, 35_000), in_runs(34_999, 35_001)),)


#: The lowest effort levels that include large pairs, and huge pairs.
LARGE_FROM, HUGE_FROM = 3, 4

#: Seconds that a call on a large pair may take; if one takes longer, all are left out.
LONGEST = 2.0

#: A family of at least this many objects is written as the sizes of its clusters, if they are runs of objects.
_LONG = 1000
#: The most objects of a family that is written like this.
_LONGEST_RUNS = 10_000_000


class NoAnswer(MetaevalError):
    """The measure hangs or ends its worker when it scores golden pairs or certificates."""


class Golden(NamedTuple):
    """A side and its score; without a score, whether the measure is undefined there or fails."""

    side: Side
    score: Score | None
    fault: Verdict | None = None

    def to_json(self) -> dict[str, Any]:
        # Families that are too large for the file are written as the sizes of their runs of objects.
        runs = {role: _runs(family) for role, family in zip(_ROLES, self.side, strict=True)}
        huge = None not in runs.values()
        side = {role: {"runs": sizes} for role, sizes in runs.items()} if huge else side_to_json(self.side)
        return {**side, **({str(self.fault): True} if self.score is None else {"score": self.score.to_json()})}

    @classmethod
    def from_json(cls, data: Any) -> Golden:
        if not isinstance(data, Mapping) or not {*_ROLES} <= set(data):
            raise InputError('a golden score must be an object with "candidate", "gold" and "score"')
        families = {role: data[role] for role in _ROLES}
        if all(isinstance(family, Mapping) and set(family) == {"runs"} for family in families.values()):
            side = Side(*(_from_runs(family["runs"]) for family in families.values()))
        else:
            side = side_from_json(families, "a golden score")
        rest = {key: data[key] for key in data if key not in _ROLES}
        if set(rest) == {"score"}:
            return cls(side, Score.from_json(rest["score"], "a golden score"))
        for fault in (Verdict.UNDEFINED, Verdict.ERROR):
            if set(rest) == {str(fault)} and rest[fault] is True:
                return cls(side, None, fault)
        raise InputError('a golden score must hold "score", "undefined": true or "error": true')

    def agrees(self, other: Golden, tolerance: float) -> bool:
        """Whether both have the same score, or no score for the same reason."""
        if self.score is None or other.score is None:
            return self.fault is other.fault
        return same_score(self.score.number, other.score.number, tolerance)

    def __str__(self) -> str:
        if self.score is None:
            return "an error" if self.fault is Verdict.ERROR else str(self.fault)
        return shown(self.score.number)


_ROLES = ("candidate", "gold")


def _runs(family: Biclustering) -> list[int] | None:
    """The sizes of the clusters of a huge family, if they are runs of objects that cover the matrix; else None."""
    sizes = [len(rows) for rows, _ in family]
    huge = family.shape[0] >= _LONG and sum(sizes) == family.shape[0]
    return sizes if huge and in_runs(*sizes) == family else None


def _from_runs(runs: Any) -> Biclustering:
    sizes = runs if isinstance(runs, list) else []
    if not sizes or not all(type(size) is int and size > 0 for size in sizes) or sum(sizes) > _LONGEST_RUNS:
        raise InputError(
            f'"runs" of a golden score is {show(runs)}; expected sizes of clusters, at most {_LONGEST_RUNS:,} objects'
        )
    return in_runs(*sizes)


class Difference(NamedTuple):
    """A golden score that changed; ``pair`` counts the pairs of a baseline from 1."""

    pair: int
    was: Golden
    now: Golden

    @property
    def name(self) -> str:
        return pair_name(self.pair)

    @property
    def amount(self) -> str:
        """The signed change of the score, or why there is none, in words."""
        if self.was.score is None or self.now.score is None:
            return "–"
        if (self.was.score.exact is None) != (self.now.score.exact is None):
            return "no longer exact" if self.now.score.exact is None else "exact now"
        change = self.now.score - self.was.score
        return f"{'+' if change.value > 0 else ''}{change.brief if change.exact is not None else change.rounded(3)}"

    def __str__(self) -> str:
        return f"{self.name}: expected {self.was}, got {self.now}"

    def to_json(self) -> dict[str, Any]:
        return {"pair": self.pair, "expected": self.was.to_json(), "got": self.now.to_json()}


def pair_name(number: int) -> str:
    """The name of a golden pair: ``golden-07``."""
    return f"golden-{number:02}"


def shown(score: ScoreValue) -> str:
    """A score as text; floats with all digits, so that different scores look different."""
    if isnan(score):
        return "undefined"
    return f"{score} ({float(score):.6g})" if is_exact(score) else repr(score)


def same_score(old: ScoreValue, new: ScoreValue, tolerance: float) -> bool:
    """Exact scores must be equal, floats within the tolerance; an exact score and a float are not the same."""
    if isinstance(new, LogSum) and not is_exact(old):
        new = float(new)  # older files have logarithms as floats
    if is_exact(old) or is_exact(new):
        return is_exact(old) and is_exact(new) and old == new
    return abs(old - new) <= tolerance or (isnan(old) and isnan(new))


def golden_scores(measure: Measure, sides: Iterable[Side], budget: float | None = None) -> tuple[Golden, ...]:
    """The scores of a measure on some sides, computed in a worker."""
    return tuple(apart(budget, _score_all, measure, tuple(sides)))


class Panel(NamedTuple):
    """The golden scores of a baseline; how many large pairs were left out, and why."""

    golden: tuple[Golden, ...]
    left_out: int = 0
    why: str = ""


def panel_scores(measure: Measure, budget: float | None = None, effort: int = HIGHEST) -> Panel:
    """The scores for a new baseline; with large pairs if the effort level is high enough."""
    golden, left_out = golden_scores(measure, SIDES, budget), len(LARGE) + len(HUGE)
    for sides, least, size in ((LARGE, LARGE_FROM, "large"), (HUGE, HUGE_FROM, "huge")):
        if effort < least:
            return Panel(golden, left_out, f"its effort level is {effort}, and {size} pairs need {least}")
        try:
            more = golden_scores(measure, sides, LONGEST if budget is None else min(budget, LONGEST))
        except NoAnswer as error:
            return Panel(golden, left_out, str(error))
        if sides is HUGE and any(one.fault is Verdict.ERROR for one in more):
            return Panel(golden, left_out, f"{measure.id} fails on {HUGE[0].gold.shape[0]:,} objects")
        golden, left_out = golden + more, left_out - len(sides)
    return Panel(golden)


def _score_all(notice: Notice, measure: Measure, sides: Iterable[Side]) -> tuple[Golden, ...]:
    found = []
    for side in sides:
        notice(0)
        try:
            found.append(Golden(side, Score.of(evaluate(measure, side))))
        except Fault as fault:
            found.append(Golden(side, None, fault.verdict))
        notice(None)
    return tuple(found)


def apart(budget: float | None, work: Callable[..., Any], measure: Measure, argument: Any) -> Any:
    """Run code of a measure in a worker, as the search does."""
    ending = supervise(budget, work, measure, argument)
    if isinstance(ending, Finished):
        return ending.value
    if isinstance(ending, Hung):
        raise NoAnswer(f"{measure.id} gave no answer within {budget:g} s")
    raise NoAnswer(f"{measure.id} lost its process, which {ending.how}")
