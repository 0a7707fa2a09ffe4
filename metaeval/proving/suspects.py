"""Where to look for a counterexample when there is no proof: sizes and contexts that grow where the score gives way.

What stands in the way of a proof is mostly one of a few things: a mean over clusters or classes, which gives way when
there are many more of them around, or a term that falls when a size grows. So an instance of the condition's situation
is put in a context of its own kind, a *grid*: so many clusters across so many classes, with so many objects at each
crossing, and several such grids. The numbers that describe all this are doubled or halved, one at a time, as long as
the gap between right and left becomes smaller.

A gap that becomes smaller because everything is diluted leads nowhere. Hence it is looked at times the number of
clusters, of classes, of objects: a mean over clusters times their number shows which way it goes when there are ever
more of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from metaeval.cases import Case, ScoreValue, Side
from metaeval.condition import Condition
from metaeval.measuring import Measure
from metaeval.model import Biclustering
from metaeval.situation import Situation

#: The largest number of objects that a suspect has.
MOST_OBJECTS = 160
#: How many cases a climb scores at the most, and what share of the gap a step must take away.
_MOST_SCORED = 160
_STEP = Fraction(1, 50)
#: What describes the context: grids, and of each its clusters, its classes and the objects at a crossing.
_GRID = {"grids": 0, "across": 1, "along": 1, "each": 1}
#: A symbol of situations on several features; suspects have one.
_FEATURES = "f"

Numbers = Mapping[str, int]
#: By how much the right scores higher, or None where there are no two scores.
Gap = Callable[[Case], ScoreValue | None]


def suspects(measure: Measure, condition: Condition, reading: str) -> Iterator[Case]:
    """Cases of a reading, ever closer to a counterexample; the last of a climb may be one.

    Whoever asks for them must score them: a case that does not break the relation is no counterexample.
    """
    found = condition.reading(reading)
    for situation in found.situations:
        if situation.lay_out is not None:
            for weight in _WEIGHTS:
                cases = climb(situation, _gap_of(measure), weight)
                yield from (case for case in cases if found.premise(case))


def _gap_of(measure: Measure) -> Gap:
    def gap(case: Case) -> ScoreValue | None:
        try:
            left, right = (measure.value(*side) for side in case)
            return right - left  # type: ignore[no-any-return]
        except Exception:
            return None  # a measure that fails is for others to report

    return gap


#: What a gap is multiplied by, lest dilution pass for progress.
_WEIGHTS: tuple[Callable[[Case], int], ...] = (
    lambda case: len(case.left.candidate),
    lambda case: len(case.left.gold),
    lambda case: case.objects,
)


def climb(situation: Situation, gap: Gap, weight: Callable[[Case], int]) -> Iterator[Case]:
    """The cases on the way to where the weighted gap is smallest, each better than the one before."""
    symbols = {symbol.name: symbol.least for symbol in situation.symbols if symbol.name != _FEATURES}
    here = least = {**symbols, **_GRID}
    scored: dict[tuple[int, ...], Fraction | float | None] = {}

    def weighed(numbers: Numbers) -> Fraction | float | None:
        key = tuple(numbers.values())
        if key not in scored:
            case = instance(situation, numbers) if len(scored) < _MOST_SCORED else None
            found = None if case is None else gap(case)
            scored[key] = None if case is None or found is None else found * weight(case)
        return scored[key]

    best = weighed(here)
    while best is not None:
        case = instance(situation, here)
        assert case is not None
        yield case
        known = [(found, near) for near in _near(here, least) if (found := weighed(near)) is not None]
        if best <= 0 or not known:
            return
        lowest, here = min(known, key=lambda step: step[0])
        best = lowest if lowest <= best - best * _STEP else None


def _near(here: Numbers, least: Numbers) -> Iterator[dict[str, int]]:
    """With one number, or both that make a grid wider, doubled, halved or one more."""
    for name, value in here.items():
        for other in {2 * value, value // 2, value + 1} - {value}:
            if other >= least[name]:
                yield {**here, name: other}
    wider = {name: 2 * here[name] for name in ("across", "along")}
    yield {**here, **wider, "grids": max(1, here["grids"])}


def instance(situation: Situation, numbers: Numbers) -> Case | None:
    """The case that numbers describe, or None where it is too large."""
    assert situation.lay_out is not None
    named = situation.lay_out(**{name: value for name, value in numbers.items() if name not in _GRID})
    grids, across, along, each = (numbers[name] for name in _GRID)
    objects = 1 + max(row for one in named.classes for row in one)
    total = objects + grids * across * along * each
    if total > MOST_OBJECTS:
        return None
    clusters, classes = _grids(range(objects, total), grids, across, along, each)
    inside = frozenset().union(*named.left)
    alone = [{row} for one in named.classes for row in sorted(one - inside)]
    gold, left, right = (
        Biclustering.lifted(family, shape=(total, 1))
        for family in (
            [*named.classes, *classes], [*named.left, *alone, *clusters], [*named.right, *alone, *clusters]
        )
    )  # fmt: skip
    return Case(Side(left, gold), Side(right, gold))


def _grids(rows: range, grids: int, across: int, along: int, each: int) -> tuple[list[set[int]], list[set[int]]]:
    """The clusters and the classes of so many grids."""
    clusters: dict[tuple[int, int], set[int]] = {}
    classes: dict[tuple[int, int], set[int]] = {}
    crossings = ((grid, a, b) for grid in range(grids) for a in range(across) for b in range(along))
    for number, (grid, a, b) in enumerate(crossings):
        here = rows[number * each : (number + 1) * each]
        clusters.setdefault((grid, a), set()).update(here)
        classes.setdefault((grid, b), set()).update(here)
    return list(clusters.values()), list(classes.values())
