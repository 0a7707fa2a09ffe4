"""The search in a group of cells: one condition under one reading, for every measure at once.

Strongest first. All small cases are listed, smallest first, so that a find there is minimal; then the
cases that Hypothesis drew, for what needs size or luck. For measures whose smallest counterexample is not
known by then there follow what narrower readings list, the smallest cases in extreme company and, from the
cases that a measure passed by the least, a climb to worse ones. A case made once serves every measure.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from metaeval.cases import Case, ScoreValue, broken
from metaeval.condition import Condition, Reading
from metaeval.engine.case_source import Pool
from metaeval.engine.evaluation import Fault, evaluate
from metaeval.measuring import Measure
from metaeval.model import Bicluster
from metaeval.verdicts import Verdict

_SMALLEST = 1e-300
#: From how many of the narrowest cases the search climbs.
STARTS = 2


@dataclass(frozen=True)
class Finding:
    """What the search found for one cell: the verdict and its evidence."""

    verdict: Verdict
    cases: int = 0
    violations: int | None = None
    exhaustive_objects: int | None = None
    exhaustive_cases: int = 0
    witness: Case | None = None
    scores: tuple[ScoreValue, ScoreValue] | None = None
    certified: bool = False
    message: str | None = None
    seconds: float = 0.0


class _OutOfTime(BaseException):
    """The cell's budget is spent. Not an Exception, so that nothing on the way swallows it."""


@dataclass
class _Tally:
    """The running account of one measure."""

    measure: Measure
    cases: int = 0
    violations: int = 0
    undefined: int = 0
    fault: Fault | None = None
    smallest: Case | None = None
    listed: bool = False
    seconds: float = 0.0
    spent: bool = False
    settled: bool = False
    exhaustive_objects: int | None = None
    exhaustive_cases: int = 0
    narrowest: dict[str, list[tuple[float, Case]]] = field(default_factory=dict)

    def is_minimal(self, case: Case) -> bool:
        """Whether the enumeration shows that no counterexample has fewer objects."""
        return self.exhaustive_objects is not None and case.objects <= self.exhaustive_objects + 1

    def note_violation(self, case: Case, listed: bool) -> None:
        """Keep the smallest; most are no smaller in objects, which is quickly seen."""
        best = self.smallest
        if best is None or (case.objects <= best.objects and case.size < best.size):
            self.smallest, self.listed = case, listed

    def note_margin(self, margin: float, case: Case, readings: Sequence[Reading]) -> None:
        """Keep the cases of every reading that were passed by the least, for what one of that size could show."""
        height = margin * max(1, case.objects)
        for reading in readings:
            kept = self.narrowest.setdefault(reading.name, [])
            if (len(kept) < STARTS or height < kept[-1][0]) and reading.premise(case):
                kept.append((height, case))
                kept.sort(key=lambda entry: entry[0])
                del kept[STARTS:]


#: Told before a measure is called (its position) and after (None): a watcher can then see who hangs.
Notice = Callable[[int | None], None]


def search(
    condition: Condition,
    reading: Reading,
    measures: Sequence[Measure],
    drawn: Sequence[Case],
    exhaustive: int | None = None,
    budget: float | None = None,
    notice: Notice = lambda position: None,
    seed: int | None = None,
) -> list[Finding]:
    """The findings of a group, in the order of ``measures``.

    ``drawn`` are cases of any reading of the condition; without a ``seed`` nothing is tried beyond these and
    the lists.
    """
    pool = Pool(condition, reading, drawn, exhaustive)
    return _Search(condition, pool, measures, budget, notice).run(seed)


def _restore(case: Case, families: list[tuple[Bicluster, ...]]) -> bool:
    """Whether a measure changed the case it was given; it is put back for the others."""
    parts = [part for side in case for part in side]
    if all(part.biclusters is family for part, family in zip(parts, families, strict=True)):
        return False
    for part, family in zip(parts, families, strict=True):
        object.__setattr__(part, "_biclusters", family)
    return True


class _Search:
    def __init__(
        self,
        condition: Condition,
        pool: Pool,
        measures: Sequence[Measure],
        budget: float | None,
        notice: Notice,
    ) -> None:
        self._condition = condition
        self._pool = pool
        self._reading = pool.reading
        #: What a climb finds under a narrower reading, it finds under this one.
        self._climbed = (pool.reading, *pool.narrower)
        self._tallies = [_Tally(measure) for measure in measures]
        self._budget = budget
        self._notice = notice
        self._listing = False

    def run(self, seed: int | None) -> list[Finding]:
        self._listing = True
        for objects, cases in self._pool.levels():
            for case in cases:
                self._try(case)
            if objects <= self._reading.complete:
                self._close_level(objects)
        self._listing = False
        for case in self._pool.drawn():
            self._try(case)
        self._set_aside()
        if not all(tally.settled for tally in self._tallies):
            for case in self._pool.listed_elsewhere():
                self._try(case)
            if seed is not None:
                self._go_beyond(seed)
        return [self._finding(position, tally) for position, tally in enumerate(self._tallies)]

    def _go_beyond(self, seed: int) -> None:
        for case in self._pool.in_company():
            self._try(case)
        for position in range(len(self._tallies)):
            self._climb(position, seed)

    def _try(self, case: Case) -> None:
        relation = self._condition.relation
        for position, tally in enumerate(self._tallies):
            if tally.spent or tally.settled:
                continue
            try:
                left, right = self._scores(position, case)
            except _OutOfTime:
                tally.spent = True
                continue
            except Fault as fault:
                self._note_fault(tally, fault)
                continue
            tally.cases += 1
            if broken(relation, left, right, tally.measure.optimum) is not None:
                tally.violations += 1
                tally.note_violation(case, self._listing)
            elif relation.margin is not None and tally.smallest is None:
                margin = relation.margin(float(left), float(right), tally.measure.optimum)
                tally.note_margin(margin, case, self._climbed)

    def _climb(self, position: int, seed: int) -> None:
        """Look for a violation around the cases that the measure passed by the least."""
        from metaeval.engine.climbing import climb

        tally = self._tallies[position]
        if tally.smallest is not None or tally.spent:
            return

        def margin(case: Case) -> float | None:
            try:
                left, right = self._scores(position, case)
            except Fault as fault:
                self._note_fault(tally, fault)
                return None
            assert self._condition.relation.margin is not None
            kept = broken(self._condition.relation, left, right, tally.measure.optimum) is None
            value = self._condition.relation.margin(float(left), float(right), tally.measure.optimum)
            # What decides is the relation, exact where the scores are; the float only guides.
            return max(value, _SMALLEST) if kept else min(value, 0.0)

        def is_instance(case: Case, reading: Reading) -> bool:
            return reading.premise(case) and (reading is self._reading or self._reading.premise(case))

        for reading in self._climbed:
            for number, (_, start) in enumerate(tally.narrowest.get(reading.name, ())):
                random = Random(f"{tally.measure.id}:{self._condition.id}:{reading.name}:{seed}:{number}")
                premise = partial(is_instance, reading=reading)
                try:
                    found = climb(start, premise, margin, random, self._pool.right_is_gold)
                except _OutOfTime:
                    tally.spent = True
                    return
                if found is not None:
                    # The steps on the way depend on the measure; of evidence that two runs are compared by,
                    # only what was found counts.
                    tally.cases += 1
                    tally.violations += 1
                    tally.smallest = found
                    return

    def _note_fault(self, tally: _Tally, fault: Fault) -> None:
        if fault.verdict is Verdict.UNDEFINED:
            tally.undefined += 1
        if tally.fault is None or (fault.verdict is Verdict.ERROR and tally.fault.verdict is not Verdict.ERROR):
            tally.fault = fault

    def _violates(self, position: int, case: Case, past_budget: bool = False) -> bool:
        left, right = self._scores(position, case, past_budget)
        optimum = self._tallies[position].measure.optimum
        return broken(self._condition.relation, left, right, optimum) is not None

    def _scores(self, position: int, case: Case, past_budget: bool = False) -> tuple[ScoreValue, ScoreValue]:
        """Both scores; ``past_budget`` for the few that settle what was found in time."""
        tally = self._tallies[position]
        if self._budget is not None and tally.seconds > self._budget and not past_budget:
            raise _OutOfTime
        start = time.perf_counter()
        families = [part.biclusters for side in case for part in side]
        self._notice(position)
        try:
            scores = evaluate(tally.measure, case.left), evaluate(tally.measure, case.right)
        except Fault:
            self._notice(
                None
            )  # left standing by anything else, which ends the process: it says whose fault that is
            raise
        else:
            self._notice(None)
        finally:
            tally.seconds += time.perf_counter() - start
            changed = _restore(case, families)
        if changed:
            raise Fault(Verdict.ERROR, "changes its inputs")
        return scores

    def _set_aside(self) -> None:
        """Those of whom the smallest counterexample is known: more cases would add nothing."""
        for tally in self._tallies:
            tally.settled = tally.smallest is not None and tally.is_minimal(tally.smallest)

    def _close_level(self, objects: int) -> None:
        for tally in self._tallies:
            if not tally.spent:
                tally.exhaustive_objects = objects
                tally.exhaustive_cases = tally.cases

    def _finding(self, position: int, tally: _Tally) -> Finding:
        try:
            return self._judged(position, tally)
        except Fault as fault:
            # It scored this case before, and now it does not.
            message = f"it scored a case and, asked again, {fault.message}"
            return Finding(Verdict.FLAKY, tally.cases, message=message, seconds=tally.seconds)

    def _judged(self, position: int, tally: _Tally) -> Finding:
        def finding(verdict: Verdict, message: str | None = None, witness: Case | None = None) -> Finding:
            scores = self._scores(position, witness, past_budget=True) if witness else None
            return Finding(
                verdict=verdict,
                cases=tally.cases,
                violations=tally.violations,
                exhaustive_objects=tally.exhaustive_objects,
                exhaustive_cases=tally.exhaustive_cases,
                witness=witness,
                scores=scores,
                certified=witness is not None and tally.is_minimal(witness),
                message=message,
                seconds=tally.seconds,
            )

        if tally.smallest is not None:
            answers = {self._scores(position, tally.smallest, past_budget=True) for _ in range(3)}
            if len(answers) > 1 or not self._violates(position, tally.smallest, past_budget=True):
                return finding(
                    Verdict.FLAKY, "it scores a case that broke the relation otherwise when asked again"
                )
            return finding(Verdict.VIOLATED, self._partly(tally), self._reduced(position, tally))
        if tally.fault is not None and tally.fault.verdict is Verdict.ERROR:
            return finding(Verdict.ERROR, f"it {tally.fault.message}")
        if tally.spent:
            return finding(Verdict.TIMEOUT, f"out of its budget of {self._budget:g} s after {tally.cases} cases")
        if tally.cases:
            return finding(Verdict.HOLDS, self._partly(tally))
        if tally.fault is not None:
            return finding(Verdict.UNDEFINED, f"it {tally.fault.message}")
        return finding(Verdict.VACUOUS, "no case was generated, so nothing was checked")

    def _partly(self, tally: _Tally) -> str | None:
        """A word on the cases that gave no score, or that the budget cut off, where there were some."""
        if tally.fault is None:
            return f"cut short by its budget of {self._budget:g} s" if tally.spent else None
        if tally.fault.verdict is Verdict.ERROR:
            return f"on another case it {tally.fault.message}"
        return f"on {tally.undefined} further cases it {tally.fault.message}"

    def _reduced(self, position: int, tally: _Tally) -> Case:
        """The smallest witness; one that enumeration found is minimal already."""
        from metaeval.engine.shrinking import reduced

        witness = tally.smallest
        assert witness is not None
        if tally.listed and tally.exhaustive_objects is not None and witness.objects <= tally.exhaustive_objects:
            return witness

        def stays(case: Case) -> bool:
            try:
                return self._reading.premise(case) and self._violates(position, case)
            except Fault:
                return False

        try:
            return reduced(witness, stays)
        except _OutOfTime:
            return witness
