"""The search in a group of cells: one condition under one reading, for every measure at once.

It tries, in this order: all small cases, smallest first, so that a find there is minimal; what narrower readings list;
drawn cases; and, for measures that have broken nothing so far, large cases and climbs from narrow passes. A case made
once serves every measure. How many large cases and steps a measure gets is fixed by its effort level.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from random import Random

from metaeval.cases.enlarge import cost
from metaeval.cases.pack import CasePack, PackedSource
from metaeval.catalogue.condition import Condition, Reading
from metaeval.catalogue.measure import Measure
from metaeval.core.case import Case
from metaeval.core.settings import HIGHEST, LEVELS
from metaeval.records.cell import Cell
from metaeval.search.climb import Slope, climb, reductions
from metaeval.search.scorecard import Reach, Scorecard
from metaeval.workers.budget import Meter, OutOfTime
from metaeval.workers.call import Caller, Notice, ScoreCaches


def search(
    condition: Condition, reading: Reading, measures: Sequence[Measure], pack: CasePack, *,
    budget: float | None = None, notice: Notice = lambda position, since=None, case=0: None, seed: int | None = None,
    score_caches: ScoreCaches | None = None, efforts: Sequence[int] | None = None,
    most_cases: Sequence[float] | None = None,
) -> list[Cell]:  # fmt: skip
    """The cells of a condition under a reading, in the order of ``measures``.

    Without a ``seed`` no large case is tried and no climb is made. ``score_caches`` hold earlier scores.
    ``efforts`` are the levels of the measures, by default the highest. ``most_cases`` is, per measure, the number of
    cases after which it is stopped as if its time were up.
    """
    known = ScoreCaches(dict) if score_caches is None else score_caches
    levels = [HIGHEST] * len(measures) if efforts is None else efforts
    most = [inf] * len(measures) if most_cases is None else most_cases
    scorecards = []
    for place, (measure, level, limit) in enumerate(zip(measures, levels, most, strict=True)):
        caller = Caller(measure, Meter(budget), place, notice, most_cases=limit)
        scorecards.append(Scorecard(caller, condition.relation, LEVELS[level], known[measure.id]))
    return _Search(condition, PackedSource(reading, pack), scorecards).run(seed)


class NoInstance(Exception):
    """A pack holds a case that is not an instance of its reading: the condition has not made it."""


class _Search:
    def __init__(self, condition: Condition, source: PackedSource, scorecards: Sequence[Scorecard]) -> None:
        self._condition = condition
        self._source = source
        self._reading = source.reading
        self._scorecards = scorecards

    def run(self, seed: int | None) -> list[Cell]:
        self._try_listed()
        self._try(self._source.listed_elsewhere())
        self._try(self._source.drawn())
        for scorecard in self._scorecards:
            scorecard.set_aside()
        if seed is not None:
            self._try_large()
            self._climb(seed)
        # Judge once more what is about to be held against a measure, wherever it came from.
        found = [scorecard.smallest for scorecard in self._scorecards if scorecard.smallest is not None]
        if not all(map(self._reading.premise, found)):
            raise NoInstance
        return [one.cell(self._condition, self._reading, partial(self._reductions, one)) for one in self._scorecards]

    def _try_listed(self) -> None:
        for objects, cases in self._source.levels():
            if objects <= max(scorecard.most_objects for scorecard in self._scorecards):
                self._try(cases, listed=True)
            if objects <= self._reading.complete:
                for scorecard in self._scorecards:
                    scorecard.close_level(objects)
                    scorecard.set_aside()

    def _try(self, cases: Iterable[Case], listed: bool = False) -> None:
        reach = Reach()
        for case in cases:
            objects = case.objects
            reach = reach.and_case(case)
            for scorecard in self._scorecards:
                if objects <= scorecard.most_objects:
                    scorecard.try_case(case, listed)
        for scorecard in self._scorecards:
            # Noted once for all: only a measure that tried every case may end up with nothing found.
            scorecard.reach = scorecard.reach.and_reach(reach)

    @property
    def _unbroken(self) -> list[Scorecard]:
        return [scorecard for scorecard in self._scorecards if scorecard.smallest is None and not scorecard.spent]

    def _try_large(self) -> None:
        """Large cases, each for the measures that have broken nothing so far and whose level has it."""
        if not self._unbroken:
            return
        cases = list(self._source.large())
        sizes = list(map(cost, cases))
        for scorecard in self._unbroken:
            scorecard.large = scorecard.effort.choice(sizes)
        for place, case in enumerate(cases):
            for scorecard in self._unbroken:
                scorecard.try_large(place, case)

    def _climb(self, seed: int) -> None:
        """Look for a violation around the cases that a measure passed by the least."""
        if self._condition.relation.pooled:
            return  # a step from one pool to another would be many steps at once
        for scorecard in self._unbroken:
            # The same steps in every run.
            cell = f"{scorecard.measure.id}:{self._condition.id}:{self._reading.name}:{seed}"
            starts = [(one, number) for one in scorecard.starts for number in range(len(one.kept))]
            for made, (start, number) in enumerate(starts):
                scorecard.stage = f"{made} of {len(starts)} climbs made"
                slope, random = self._slope(scorecard, start.diluted), Random(f"{cell}:{start.diluted}:{number}")
                try:
                    if (found := climb(start.kept[number][1], slope, random)) is not None:
                        scorecard.note_climbed(found)
                except OutOfTime:
                    scorecard.run_out()
                if scorecard not in self._unbroken:
                    break

    def _slope(self, scorecard: Scorecard, diluted: bool) -> Slope:
        effort, condition = scorecard.effort, self._condition
        guides = diluted, condition.right_is_gold, condition.from_left
        return Slope(self._reading.premise, scorecard.margin, effort, effort.climbed_size, *guides)

    def _reductions(self, scorecard: Scorecard, found: Case, stays: Callable[[Case], bool]) -> Iterator[Case]:
        slope = replace(self._slope(scorecard, diluted=True), margin=scorecard.reduced_margin)
        random = Random(f"{scorecard.measure.id}:{self._condition.id}:{self._reading.name}")
        return reductions(found, stays, slope, random)
