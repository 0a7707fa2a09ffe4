"""One measure under one reading: what its calls have shown so far, and the cell that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import inf, isnan
from typing import Any, NamedTuple

from metaeval.catalogue.condition import Condition, Reading
from metaeval.catalogue.measure import Measure
from metaeval.core.case import Case, Side
from metaeval.core.relation import NO_SCORE, Relation, Scores, ScoreValue, broken
from metaeval.core.settings import HIGHEST, LEVELS, Calls, Effort, OutOfCalls
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell, DeclaredEquation, Diagnosis, Exhaustive, Outside, Pass, Reached
from metaeval.records.certificate import Certificate
from metaeval.search.climb import Start
from metaeval.search.shrink import shrinking
from metaeval.workers.budget import OutOfTime
from metaeval.workers.call import CachedScore, Caller, ScoreCache, all_scores, evaluate
from metaeval.workers.faults import Fault, FaultKind

#: The least margin of a case that keeps the relation, so that a margin that is not positive means a violation.
_LEAST_MARGIN = 1e-300

#: Makes a counterexample smaller for as long as it stays one.
Reduction = Callable[[Case, Callable[[Case], bool]], Iterator[Case]]

_RESCORED = "it scores a case that broke the relation otherwise when asked again"


class Reach(NamedTuple):
    """The largest cases tried: most objects, most biclusters of a family, most features."""

    objects: int = 0
    biclusters: int = 0
    features: int = 0

    def and_case(self, case: Case) -> Reach:
        """The reach with one more case."""
        objects, features, biclusters = case.objects, case.features, case.most_biclusters
        if objects <= self.objects and features <= self.features and biclusters <= self.biclusters:
            return self  # as nearly always
        return self.and_reach(Reach(objects, biclusters, features))

    def and_reach(self, other: Reach) -> Reach:
        return Reach(*map(max, self, other))


@dataclass
class Scorecard:
    """The running account of one measure.

    Once ``settled``, all cases as small as the smallest counterexample have been listed, and larger ones would add
    nothing; once ``spent``, there is no time left. No case with more than ``most_objects`` is worth a try then.
    ``stage`` says in words how far the search has come, for whom the budget stops.
    """

    caller: Caller
    relation: Relation
    effort: Effort = LEVELS[HIGHEST]
    score_cache: ScoreCache = field(default_factory=dict)
    starts: Sequence[Start] = field(default_factory=lambda: (Start(diluted=True), Start(diluted=False)))
    cases: int = 0
    violations: int = 0
    #: The cases in which every score was compared with the declared equation.
    agreed: int = 0
    undefined: int = 0
    fault: Fault | None = None
    faulty: Case | None = None
    smallest: Case | None = None
    listed: bool = False
    spent: bool = False
    settled: bool = False
    most_objects: float = inf
    exhaustive_objects: int | None = None
    exhaustive_cases: int = 0
    passed: tuple[float, Case, Scores] | None = None
    #: The smallest side whose score exceeds the declared best.
    outside: Outside | None = None
    reach: Reach = field(default_factory=Reach)
    #: The places of the large cases that are tried.
    large: Sequence[int] = ()
    stage: str = ""
    #: Sides on which the measure printed: the next cell asks again, so that what it prints does not depend on this one.
    noisy: list[int] = field(default_factory=list)
    reduction: Calls = field(init=False)

    def __post_init__(self) -> None:
        self.reduction = Calls(self.effort.calls)

    @property
    def measure(self) -> Measure:
        return self.caller.measure

    def scores(self, case: Case, past_budget: bool = False) -> Scores:
        """The scores of a case; ``past_budget`` for the few that settle what was found in time."""
        if not past_budget:
            self.caller.begin_case()
        return all_scores(case, self.relation, lambda side: self._score(side, past_budget))

    def _score(self, side: Side, past_budget: bool) -> ScoreValue:
        value = self.caller.score(side, past_budget)
        if self.caller.outside is not None:
            self._note_outside(self.caller.outside)
        return value

    def _note_outside(self, found: Outside) -> None:
        if self.outside is None or Case(found.side).size < Case(self.outside.side).size:
            self.outside = found

    def breaks(self, scores: Scores) -> bool:
        return broken(self.relation, scores, self.caller.bounds) is not None

    @cached_property
    def _exact_optimum(self) -> Fraction | None:
        return None if self.measure.optimum is None else Fraction(self.measure.optimum)

    # --- the account

    def try_case(self, case: Case, listed: bool) -> None:
        """Score a case and note what that shows."""
        answers = []
        try:
            self.caller.begin_case()
            for side in case:
                answers.append(answer := self.score_cache.get(id(side)) or self._ask(side))
                if answer.outside is not None:
                    self._note_outside(answer.outside)
        except OutOfTime:
            self.run_out()
            return
        if self.relation.right_is_best and (right := _unscored(answers[1])) is not answers[1]:
            answers = [_unscored(answers[0]), right]  # a perfect match, on the right, has no score
        for answer in answers:
            if answer.fault:
                self.note_fault(answer.fault, case)
                return
        self.cases += 1
        self.agreed += all(answer.compared for answer in answers)
        if self._answers_break(answers):
            self.violations += 1
            best = self.smallest
            # Keep the smallest; most are no smaller in objects, which is quickly seen.
            if best is None or (case.objects <= best.objects and case.size < best.size):
                self.smallest, self.listed = case, listed
        elif self.smallest is None:
            margin = self._margin([answer.number for answer in answers])
            if listed:
                self._note_pass(case, answers, margin)
            for start in self.starts:
                start.note(margin, case)

    def try_large(self, place: int, case: Case) -> None:
        """Score the large case at this place, if it is one of those that the level has, and note how far this went."""
        if place not in self.large:
            return
        self.stage = f"{self.large.index(place)} of {len(self.large)} large cases tried"
        self.try_case(case, listed=False)
        self.reach = self.reach.and_case(case)

    def _ask(self, side: Side) -> CachedScore:
        """The measure's answer on a side that it has not been asked about, which is remembered."""
        writes: Callable[[], int] = getattr(self.caller.notice, "writes", int)
        before = writes()
        try:
            value = self.caller.score(side)
        except Fault as fault:
            answer = CachedScore(side, 0.0, 0.0, fault)
        else:
            answer = CachedScore(side, value, float(value), None, self.caller.compared, self.caller.outside)
        self.score_cache[id(side)] = answer
        if writes() != before:
            self.noisy.append(id(side))
        return answer

    def _answers_break(self, answers: Sequence[CachedScore]) -> bool:
        """Whether answers break the relation; of two, mostly the floats tell, and faster than exact scores do.

        Rounding keeps the order. So where exact scores round to different floats these compare as the scores do,
        and where they round to the same it is enough to know that they are the same.
        """
        if len(answers) != 2:
            return self.breaks(tuple([answer.value for answer in answers]))
        left, right = answers
        if type(left.value) is float or type(right.value) is float:
            return self.breaks((left.value, right.value))
        best, exact_best = self.caller.bounds.best, self._exact_optimum
        faithful = (
            (left.number != right.number or left.value == right.value)
            and (left.number != best or left.value == exact_best)
            and (right.number != best or right.value == exact_best)
        )
        if faithful:
            return self.relation.broken((left.number, right.number), self.caller.bounds, 0) is not None
        return self.breaks((left.value, right.value))

    def _note_pass(self, case: Case, answers: Sequence[CachedScore], width: float) -> None:
        """Keep the listed case that was passed by the least, of equals the first and so the smallest.

        An equality is not kept by more or less; there a score between nothing and the best shows the most.
        """
        if self.relation.margin is None:
            width = float(answers[0].number in (0.0, self.caller.bounds.best))
        if not isnan(width) and (self.passed is None or width < self.passed[0]):
            self.passed = width, case, tuple(answer.value for answer in answers)

    def _margin(self, scores: Sequence[float]) -> float:
        """By how much scores keep the relation; of an equality, what is left of 1 by their difference."""
        if self.relation.margin is None:
            return 1 - abs(scores[0] - scores[1])
        width: float = self.relation.margin(scores, self.caller.bounds)
        return width

    def note_fault(self, fault: Fault, case: Case) -> None:
        """Keep the fault on the fewest objects, and rather an error than a score that is undefined."""
        if fault.verdict is Verdict.UNDEFINED:
            self.undefined += 1
        if self.fault is None or self.faulty is None or _is_graver(fault, case, self.fault, self.faulty):
            self.fault, self.faulty = fault, case

    def note_climbed(self, case: Case) -> None:
        """Count a violation that a climb found. Its steps depend on the measure, and do not count as cases."""
        self.cases += 1
        self.violations += 1
        self.smallest = case

    def margin(self, case: Case) -> float | None:
        """By how much the measure keeps the relation on a case; not positive where it breaks it."""
        try:
            return self._judged(self.scores(case))
        except Fault as fault:
            self.note_fault(fault, case)
            return None

    def reduced_margin(self, case: Case) -> float | None:
        """The same in a reduction, once the verdict is known: nothing is noted any more, and calls are counted."""
        try:
            return self._judged(self._counted_scores(case))
        except Fault:
            return None

    def _counted_scores(self, case: Case) -> Scores:
        """The scores of a case in a reduction, as long as there are calls and time left."""
        self.reduction.take(len(case))
        return self.scores(case)

    def _judged(self, scores: Scores) -> float:
        margin = self._margin([float(score) for score in scores])
        # What decides is the relation, exact where the scores are; the float only guides.
        # Where there is no left score, there is no margin either, and the first of the two stays.
        return min(0.0, margin) if self.breaks(scores) else max(margin, _LEAST_MARGIN)

    def close_level(self, objects: int) -> None:
        """All cases with so many objects, and fewer, have been tried."""
        if not (self.spent or self.settled):
            self.exhaustive_objects, self.exhaustive_cases = objects, self.cases

    def set_aside(self) -> None:
        """Settle the cell where its smallest counterexample is known; one on more features may have fewer objects."""
        if self.smallest is not None and self._is_minimal(self.smallest):
            self.settled, self.most_objects = True, self.smallest.objects

    def run_out(self) -> None:
        """There is no time left for this cell."""
        self.spent, self.most_objects = True, -1

    def _is_minimal(self, case: Case) -> bool:
        """Whether the enumeration shows that no counterexample has fewer objects."""
        return self.exhaustive_objects is not None and case.objects <= self.exhaustive_objects + 1

    # --- what follows

    def cell(self, condition: Condition, reading: Reading, reduce: Reduction) -> Cell:
        """The cell that is published; its counterexample is reduced as far as the premise admits."""
        try:
            if self.smallest is None:
                found = self._unbroken()
            else:
                found = self._violated(self.smallest, condition, reading, reduce)
        except Fault as fault:
            # It scored this case before, and now it does not.
            message = f"it scored a case and, asked again, {fault.full_message}"
            found = {"verdict": Verdict.FLAKY, "message": message, "fault": self._diagnosed(fault)}
        if "fault" not in found and self.fault is not None and self.faulty is not None:
            smallest = self._reduced(self.fault, self.faulty, reading.premise)
            found["fault"] = self._diagnosed(smallest)
            if smallest.kind is FaultKind.NOT_ITS_EQUATION and found["message"]:
                # The scores that it names are those of the input that is shown.
                found["message"] = found["message"].replace(self.fault.full_message, smallest.full_message)
        for side in self.noisy:
            del self.score_cache[side]
        declared = self.measure.declared
        return Cell(
            self.measure.id, condition.id, reading.name, cases=self.cases, seconds=self.caller.meter.processor,
            equation=None if declared is None else DeclaredEquation(declared, self.agreed),
            outside=self.outside, **found,
        )  # fmt: skip

    def _diagnosed(self, fault: Fault) -> Diagnosis:
        self.caller.notice(self.caller.position)
        diagnosis = fault.diagnosis(self.measure)
        self.caller.notice(None)
        return diagnosis

    def _reduced(self, found: Fault, case: Case, premise: Callable[[Case], bool]) -> Fault:
        """The same fault on as small a case as can be."""
        smallest = [found]

        def stays(smaller: Case) -> bool:
            try:
                if premise(smaller):
                    self._counted_scores(smaller)
            except Fault as fault:
                if fault.resembles(found):
                    smallest.append(fault)
                    return True
            return False

        self._last(case, shrinking(case, stays), "the input of the fault is not fully reduced")
        return smallest[-1]

    def _last(self, case: Case, smaller: Iterator[Case], left: str) -> Case:
        """The last of ever smaller cases, or the one where calls or time ran out; ``left`` is what is then undone."""
        try:
            for found in smaller:
                case = found
        except OutOfCalls:
            pass
        except OutOfTime:
            self.stage = left
            self.run_out()
        return case

    def _violated(self, found: Case, condition: Condition, reading: Reading, reduce: Reduction) -> dict[str, Any]:
        answers = {self.scores(found, past_budget=True) for _ in range(3)}
        if len(answers) > 1 or not self.breaks(self.scores(found, past_budget=True)):
            # The first side that was given different scores; the last where nobody can tell.
            given = zip(found, zip(*answers, strict=True), strict=True)
            side = next((side for side, scores in given if len({*scores}) > 1), found[-1]).pairs[0]
            flaky = Fault(Verdict.FLAKY, _RESCORED, FaultKind.FLAKY, side=side)
            return {**self._found(Verdict.FLAKY, _RESCORED), "fault": self._diagnosed(flaky)}
        witness = self._smallest_witness(found, reading.premise, reduce)
        scores = self.scores(witness, past_budget=True)
        minimal = self._is_minimal(witness)
        certificate = Certificate.of(self.measure, condition, reading.name, witness, scores, minimal)
        violated = self._found(Verdict.VIOLATED, self._exceptions())
        violated |= {"certificate": certificate, "stopped": self.spent}
        if scores[-1] is NO_SCORE:
            try:
                evaluate(self.measure, witness.right)
            except Fault as fault:
                violated["fault"] = self._diagnosed(fault)
        return violated

    def _unbroken(self) -> dict[str, Any]:
        if self.fault is not None and self.fault.verdict is Verdict.ERROR:
            return self._found(Verdict.ERROR, f"it {self.fault.full_message}")
        if self.spent:
            return self._found(Verdict.TIMEOUT, self._stop)
        if self.cases:
            held = self._found(Verdict.HOLDS, self._exceptions())
            held["reached"] = Reached(*self.reach)
            if self.passed is not None:
                held["narrowest"] = Pass.of(*self.passed[1:])
            return held
        if self.fault is not None:
            return self._found(Verdict.UNDEFINED, f"it {self.fault.full_message}")
        return self._found(Verdict.VACUOUS, "no case was generated, so nothing was checked")

    def _found(self, verdict: Verdict, message: str | None) -> dict[str, Any]:
        """The fields of a cell that was searched."""
        objects = self.exhaustive_objects
        exhaustive = None if objects is None else Exhaustive(objects, self.exhaustive_cases)
        return {"verdict": verdict, "violations": self.violations, "exhaustive": exhaustive, "message": message}

    def _exceptions(self) -> str | None:
        """A word on where the budget stopped the search, and on the cases that gave no score, where there were some."""
        said = [self._stop] if self.spent else []
        if self.fault is not None and self.fault.verdict is Verdict.ERROR:
            said.append(f"on another case it {self.fault.full_message}")
        elif self.fault is not None:
            cases = "case" if self.undefined == 1 else "cases"
            said.append(f"on {self.undefined} further {cases} it {self.fault.full_message}")
        return "; ".join(said) or None

    @property
    def _stop(self) -> str:
        return f"stopped after {self.caller.meter.budget:g} s: {self.stage or f'{self.cases:,} cases tried'}"

    def _smallest_witness(self, found: Case, premise: Callable[[Case], bool], reduce: Reduction) -> Case:
        """The counterexample made as small as can be; one that enumeration found is minimal already."""
        minimal = self.exhaustive_objects is not None and found.objects <= self.exhaustive_objects
        if self.spent or (self.listed and minimal):
            return found

        def stays(case: Case) -> bool:
            try:
                return premise(case) and self.breaks(self._counted_scores(case))
            except Fault:
                return False

        return self._last(found, reduce(found, stays), "the counterexample is not fully reduced")


def _unscored(answer: CachedScore) -> CachedScore:
    """An answer beside a perfect match that has no score: being undefined is no excuse there, and no fault here."""
    if answer.fault is None or answer.fault.verdict is not Verdict.UNDEFINED:
        return answer
    return CachedScore(answer.side, NO_SCORE, NO_SCORE)


def _is_graver(fault: Fault, case: Case, kept: Fault, faulty: Case) -> bool:
    """Whether a fault says more than the one that is kept: it is an error, or met on fewer objects."""
    return case.objects < faulty.objects if fault.verdict is kept.verdict else fault.verdict is Verdict.ERROR
