"""Where to look for a counterexample when there is no proof: sizes and contexts that grow where the score gives way.

What stands in the way of a proof is mostly one of a few things: a mean over clusters or classes, which gives way when
there are many more of them around, or a term that falls when a size grows. So an instance of the condition's situation
is put in a context of its own kind, a *grid*: so many clusters across so many classes, with so many objects at each
crossing, and several such grids. The numbers that describe all this are doubled or halved, one at a time, as long as
the margin by which a measure keeps the relation becomes smaller.

A margin that becomes smaller because everything is diluted leads nowhere. Hence it is looked at times the number of
clusters, of classes, of objects: a mean over clusters times their number shows which way it goes when there are ever
more of them.

The scores alone say which numbers to grow. The refusal of a proof would name them too, but then a verdict would depend
on whether proofs are wanted and python-flint is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from math import inf

from metaeval.cases import Case, Side
from metaeval.model import Biclustering
from metaeval.situation import Situation

#: The largest number of objects that a suspect has.
MOST_OBJECTS = 180
#: How many suspects of a situation are scored at the most, and what share of the margin a step must take away.
_MOST_SCORED = 64
_STEP = 1 / 50
#: How many suspects are kept: every measure, and every reading that admits them, begins at the same ones.
_MOST_KEPT = 1024
#: What describes the context: grids, and of each its clusters, its classes and the objects at a crossing.
_GRID = {"grids": 0, "across": 1, "along": 1, "each": 1}
#: Contexts to begin in beside none: from there to the first of these, many a margin becomes wider before it gives way.
_BEGINNINGS = ({"across": 32}, {"along": 32}, {"across": 6, "along": 6})
#: A symbol of situations on several features; suspects have one.
_FEATURES = "f"

Numbers = Mapping[str, int]
#: By how much a measure keeps the relation on a case, not positive where it breaks it; None where it gives no score.
Margin = Callable[[Case], float | None]

#: What a margin is multiplied by, lest dilution pass for progress.
_WEIGHTS: tuple[Callable[[Case], int], ...] = (
    lambda case: len(case.left.candidate),
    lambda case: len(case.left.gold),
    lambda case: case.objects,
)


def culprit(situations: Iterable[Situation], margin: Margin) -> Case | None:
    """A suspect whose margin is not positive, or None where no climb comes to one."""
    for situation in situations:
        if situation.lay_out is not None:
            ground = _Ground(situation, margin)
            for weight in _WEIGHTS:
                found = ground.climbed(weight)
                if found is not None:
                    return found
    return None


class _Ground:
    """The suspects of a situation and what is known of their margins, which serves every climb."""

    def __init__(self, situation: Situation, margin: Margin) -> None:
        self._situation = situation
        self._margin = margin
        self._least = {
            symbol.name: symbol.least for symbol in situation.symbols if symbol.name != _FEATURES
        } | _GRID
        self._known: dict[tuple[int, ...], float | None] = {}

    def climbed(self, weight: Callable[[Case], int]) -> Case | None:
        """The case that breaks the relation, on the way to where the weighted margin is smallest."""
        height = inf
        steps: Iterable[Numbers] = [
            self._least,
            *({**self._least, "grids": 1, **context} for context in _BEGINNINGS),
        ]
        while True:
            known = [(found, there) for there in steps if (found := self._at(there)) is not None]
            if not known:
                return None
            (margin, case), here = min(known, key=lambda step: step[0][0] * weight(step[0][1]))
            if margin <= 0:
                return case
            if margin * weight(case) > height * (1 - _STEP):
                return None
            height, steps = margin * weight(case), _near(here, self._least)

    def _at(self, numbers: Numbers) -> tuple[float, Case] | None:
        """The suspect that numbers describe and its margin, if it is not too large and has one."""
        case = instance(self._situation, **numbers)
        if case is None:
            return None
        key = tuple(numbers.values())
        if key not in self._known and len(self._known) < _MOST_SCORED:
            self._known[key] = self._margin(case)
        margin = self._known.get(key)
        return None if margin is None else (margin, case)


def _near(here: Numbers, least: Numbers) -> Iterator[dict[str, int]]:
    """With one number, or both that make a grid wider, doubled, halved or a quarter more."""
    for name, value in here.items():
        for other in dict.fromkeys((2 * value, value // 2, value + max(1, value // 4))):
            if value != other >= least[name]:
                yield {**here, name: other}
    wider = {name: 2 * here[name] for name in ("across", "along")}
    yield {**here, **wider, "grids": max(1, here["grids"])}


@lru_cache(maxsize=_MOST_KEPT)
def instance(situation: Situation, **numbers: int) -> Case | None:
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
