"""The search in a group of cells: one condition under one reading, for every measure at once.

Strongest first. All small cases are listed, smallest first, so that a find there is minimal; then the
cases that Hypothesis drew, for what needs size or luck. For measures whose smallest counterexample is not
known by then there follow what narrower readings list and the smallest cases in extreme contexts. Then come large
cases, for as long as the measure is quick enough for them: suspects, which grow where it gives way, and others. From
the cases that it passed by the least, last of all, there is a climb to worse ones. A case made once serves every
measure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from metaeval.cases import Case
from metaeval.condition import Condition, Reading
from metaeval.engine.calling import Caller
from metaeval.engine.case_source import CaseSource
from metaeval.engine.climbing import Slope, climb
from metaeval.engine.findings import Finding, Reach
from metaeval.engine.isolation import Notice
from metaeval.engine.large import cost
from metaeval.engine.memory import Memories
from metaeval.engine.metering import Meter, OutOfTime, Share
from metaeval.engine.reducing import reduced
from metaeval.engine.starts import Starts
from metaeval.engine.stock import Source, StockedSource, opened
from metaeval.engine.tally import Tally
from metaeval.measuring import Measure
from metaeval.proving.suspects import culprit

#: A condition's packed stock, or cases drawn for any of its readings.
Supply = bytes | Sequence[Case]


def search(
    condition: Condition,
    reading: Reading,
    measures: Sequence[Measure],
    drawn: Supply,
    *,
    exhaustive: int | None = None,
    budget: float | None = None,
    notice: Notice = lambda position, since=None: None,
    seed: int | None = None,
    memories: Memories | None = None,
) -> list[Finding]:
    """The findings of a group, in the order of ``measures``.

    ``drawn`` are cases of any reading of the condition, or its stock, which has an ``exhaustive`` of its own.
    Without a ``seed`` nothing is tried beyond these and the lists. ``memories`` hold what the measures said before.
    """
    known = memories or Memories()
    callers = [Caller(measure, Meter(budget), position, notice) for position, measure in enumerate(measures)]
    tallies = [Tally(caller, condition.relation, known.of(caller.measure.id)) for caller in callers]
    return _Search(condition, _source(condition, reading, drawn, exhaustive, seed), tallies).run(seed)


def _source(
    condition: Condition, reading: Reading, supply: Supply, exhaustive: int | None, seed: int | None
) -> Source:
    if isinstance(supply, bytes):
        return StockedSource(condition, reading, opened(supply))
    return CaseSource(condition, reading, supply, exhaustive, seed=seed, most_large=len(supply))


class Tainted(Exception):
    """A stock holds a case that is no instance: it was not made by this condition."""


class _Search:
    def __init__(self, condition: Condition, source: Source, tallies: Sequence[Tally]) -> None:
        self._condition = condition
        self._source = source
        self._reading = source.reading
        self._tallies = tallies
        for tally in tallies:
            # What a climb finds under a narrower reading, it finds under this one.
            tally.starts = Starts((source.reading, *source.narrower))

    def run(self, seed: int | None) -> list[Finding]:
        self._try_listed()
        self._try(self._source.drawn())
        for tally in self._tallies:
            tally.set_aside()
        if not all(tally.settled for tally in self._tallies):
            self._try(self._source.listed_elsewhere())
            if seed is not None:
                self._go_beyond(seed)
        self._demand_instances()
        return [tally.finding(self._reading.premise, partial(self._reduced, tally)) for tally in self._tallies]

    def _demand_instances(self) -> None:
        """Judge once more what is about to be held against a measure, wherever it came from."""
        found = [tally.smallest for tally in self._tallies if tally.smallest is not None]
        if not all(map(self._reading.premise, found)):
            raise Tainted

    def _try_listed(self) -> None:
        for objects, cases in self._source.levels():
            if objects <= max(tally.most_objects for tally in self._tallies):
                self._try(cases, listed=True)
            if objects <= self._reading.complete:
                for tally in self._tallies:
                    tally.close_level(objects)
                    tally.set_aside()

    def _try(self, cases: Iterable[Case], listed: bool = False) -> None:
        reach = Reach()
        for case in cases:
            objects = case.objects
            reach = reach.and_case(case)
            for tally in self._tallies:
                if objects <= tally.most_objects:
                    tally.try_case(case, listed)
        for tally in self._tallies:
            # Noted once for all: only a measure that tried every case may end up with nothing found.
            tally.reach = tally.reach.and_reach(reach)

    def _try_large(self) -> None:
        """Large cases, each for the measures that have broken nothing so far and are quick enough for it."""
        shares = [(tally, Share(tally.meter)) for tally in self._tallies]
        for tally, share in shares:
            if tally.smallest is None and not tally.spent:
                self._try_suspects(tally, share)
        for case in self._source.large():
            cells = cost(case)
            for tally, share in shares:
                tally.try_large(case, cells, share)

    def _try_suspects(self, tally: Tally, share: Share) -> None:
        """Look first where sizes and contexts grow the way that the measure gives way."""
        readings = self._reading, *self._source.narrower
        situations = dict.fromkeys(situation for reading in readings for situation in reading.situations)
        self._note_found(tally, lambda: culprit(situations, partial(self._suspicion, tally, share)))

    def _suspicion(self, tally: Tally, share: Share, case: Case) -> float | None:
        return tally.large_margin(case, cost(case), share) if self._reading.premise(case) else None

    def _go_beyond(self, seed: int) -> None:
        """Try what lists and draws hardly come to: extreme contexts, large cases, and what a climb finds."""
        self._try(self._source.in_contexts())
        self._try_large()
        if self._condition.relation.pooled:
            return  # a step from one pool to another would be many steps at once
        for tally in self._tallies:
            if tally.smallest is None and not tally.spent:
                self._climb(tally, seed)

    def _climb(self, tally: Tally, seed: int) -> None:
        """Look for a violation around the cases that the measure passed by the least."""
        for start, slope, random in self._starts(tally, seed):
            self._note_found(tally, partial(climb, start, slope, random))
            if tally.spent or tally.smallest is not None:
                return

    def _note_found(self, tally: Tally, look: Callable[[], Case | None]) -> None:
        """Have a climb look for a violation, for as long as there is time."""
        try:
            found = look()
        except OutOfTime:
            tally.run_out()
        else:
            if found is not None:
                tally.note_climbed(found)

    def _starts(self, tally: Tally, seed: int) -> Iterator[tuple[Case, Slope, Random]]:
        """Where to climb from, what guards and guides the steps, and a source of steps that is always the same."""
        for start in tally.starts:
            slope = self._slope(tally, start.reading, start.diluted)
            for number, (_, case) in enumerate(start.kept):
                name = (
                    f"{tally.measure.id}:{self._condition.id}:{start.reading.name}:{seed}:{start.diluted}:{number}"
                )
                yield case, slope, Random(name)

    def _slope(self, tally: Tally, reading: Reading, diluted: bool) -> Slope:
        return Slope(
            partial(self._is_instance, reading),
            tally.margin,
            diluted,
            self._condition.right_is_gold,
            self._condition.from_left,
        )

    def _reduced(self, tally: Tally, found: Case, stays: Callable[[Case], bool]) -> Case:
        slope = replace(self._slope(tally, self._reading, diluted=True), margin=tally.silent_margin)
        return reduced(
            found, stays, slope, Random(f"{tally.measure.id}:{self._condition.id}:{self._reading.name}")
        )

    def _is_instance(self, reading: Reading, case: Case) -> bool:
        return reading.premise(case) and (reading is self._reading or self._reading.premise(case))
