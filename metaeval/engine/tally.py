"""A measure in a group: its calls, the running account of what they showed, and the finding that follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from operator import is_

from metaeval.cases import NO_SCORE, Case, Relation, broken
from metaeval.condition import Reading
from metaeval.engine.evaluation import evaluate, evaluate_case
from metaeval.engine.faults import Diagnosis, Fault, Kind
from metaeval.engine.findings import Finding, Scores
from metaeval.engine.isolation import Notice
from metaeval.engine.metering import Meter, OutOfTime, now
from metaeval.engine.shrinking import shrunk
from metaeval.measuring import Measure
from metaeval.model import Bicluster, Biclustering
from metaeval.verdicts import Verdict

#: From how many of the narrowest cases the search climbs.
STARTS = 2

#: The least margin of a case that keeps the relation, so that a margin that is not positive means a violation.
_LEAST_MARGIN = 1e-300

_RESCORED = "it scores a case that broke the relation otherwise when asked again"


@dataclass
class Tally:
    """The running account of one measure.

    ``notice`` is told the measure's ``position`` before each call. Once ``settled``, the smallest
    counterexample is known, and more cases would add nothing; once ``spent``, there is no time left.
    """

    measure: Measure
    relation: Relation
    meter: Meter
    position: int
    notice: Notice
    cases: int = 0
    violations: int = 0
    undefined: int = 0
    fault: Fault | None = None
    faulty: Case | None = None
    smallest: Case | None = None
    listed: bool = False
    spent: bool = False
    settled: bool = False
    exhaustive_objects: int | None = None
    exhaustive_cases: int = 0
    narrowest: dict[str, list[tuple[float, Case]]] = field(default_factory=dict)

    # --- calling the measure

    def scores(self, case: Case, past_budget: bool = False) -> Scores:
        """Both scores of a case; ``past_budget`` for the few that settle what was found in time."""
        if self.meter.spent and not past_budget:
            raise OutOfTime
        inputs = [biclustering for side in case for biclustering in side]
        before = [biclustering.biclusters for biclustering in inputs]
        start = now()
        try:
            scores = self._called(case)
        finally:
            self.meter.add_since(start)
            changed = _restore(inputs, before)
        if changed:
            fault = Fault(Verdict.ERROR, "changes its inputs", Kind.CHANGES_INPUTS)
            fault.side = case.left if changed[0] < len(case.left) else case.right
            raise fault
        return scores

    def _called(self, case: Case) -> Scores:
        """Both scores, with a notice before and after.

        There is no notice after anything but a score or a fault: what else can be raised ends the process, and
        the notice that still stands then tells the parent which measure did it.
        """
        self.notice(self.position)
        try:
            scores = evaluate_case(self.measure, case, self.relation)
        except Fault:
            self.notice(None)
            raise
        self.notice(None)
        return scores

    def breaks(self, scores: Scores) -> bool:
        """Whether these scores break the relation."""
        return broken(self.relation, *scores, self.measure.optimum) is not None

    # --- the account

    def try_case(self, case: Case, listed: bool, readings: Sequence[Reading]) -> None:
        """Score a case and note what that shows; ``readings`` are those from whose cases the search climbs."""
        if self.spent or self.settled:
            return
        try:
            scores = self.scores(case)
        except OutOfTime:
            self.spent = True
        except Fault as fault:
            self.note_fault(fault, case)
        else:
            self._note_scores(case, scores, listed, readings)

    def _note_scores(self, case: Case, scores: Scores, listed: bool, readings: Sequence[Reading]) -> None:
        self.cases += 1
        if self.breaks(scores):
            self.violations += 1
            self._note_violation(case, listed)
        elif self.relation.margin is not None and self.smallest is None:
            left, right = map(float, scores)
            self._note_margin(self.relation.margin(left, right, self.measure.optimum), case, readings)

    def _note_violation(self, case: Case, listed: bool) -> None:
        """Keep the smallest; most are no smaller in objects, which is quickly seen."""
        best = self.smallest
        if best is None or (case.objects <= best.objects and case.size < best.size):
            self.smallest, self.listed = case, listed

    def _note_margin(self, margin: float, case: Case, readings: Sequence[Reading]) -> None:
        """Keep the cases of every reading that were passed by the least, for what one of that size could show."""
        height = margin * max(1, case.objects)
        for reading in readings:
            kept = self.narrowest.setdefault(reading.name, [])
            if (len(kept) < STARTS or height < kept[-1][0]) and reading.premise(case):
                kept.append((height, case))
                kept.sort(key=lambda entry: entry[0])
                del kept[STARTS:]

    def note_fault(self, fault: Fault, case: Case) -> None:
        """Keep the fault on the fewest objects, and rather an error than a score that is undefined."""
        if fault.verdict is Verdict.UNDEFINED:
            self.undefined += 1
        if self.fault is None or self.faulty is None or _is_graver(fault, case, self.fault, self.faulty):
            self.fault, self.faulty = fault, case

    def note_climbed(self, case: Case) -> None:
        """A climb found a violation.

        The steps on the way depend on the measure, and two runs are compared by how many cases they tried; so
        only the case that was found counts.
        """
        self.cases += 1
        self.violations += 1
        self.smallest = case

    def margin(self, case: Case) -> float | None:
        """By how much the measure keeps the relation on a case; not positive where it breaks it."""
        try:
            scores = self.scores(case)
        except Fault as fault:
            self.note_fault(fault, case)
            return None
        assert self.relation.margin is not None
        left, right = map(float, scores)
        margin = self.relation.margin(left, right, self.measure.optimum)
        # What decides is the relation, exact where the scores are; the float only guides.
        # Where there is no left score, there is no margin either, and the first of the two stays.
        return min(0.0, margin) if self.breaks(scores) else max(margin, _LEAST_MARGIN)

    def close_level(self, objects: int) -> None:
        """All cases with so many objects, and fewer, have been tried."""
        if not self.spent:
            self.exhaustive_objects, self.exhaustive_cases = objects, self.cases

    def set_aside(self) -> None:
        """Settle the cell where its smallest counterexample is known."""
        self.settled = self.smallest is not None and self._is_minimal(self.smallest)

    def _is_minimal(self, case: Case) -> bool:
        """Whether the enumeration shows that no counterexample has fewer objects."""
        return self.exhaustive_objects is not None and case.objects <= self.exhaustive_objects + 1

    # --- what follows

    def finding(self, premise: Callable[[Case], bool]) -> Finding:
        """The verdict and its evidence; a witness is shrunk as far as the ``premise`` admits."""
        try:
            found = self._violated(self.smallest, premise) if self.smallest is not None else self._unbroken()
        except Fault as fault:
            # It scored this case before, and now it does not.
            message = f"it scored a case and, asked again, {fault.told}"
            diagnosis = self._diagnosed(fault)
            found = Finding(Verdict.FLAKY, self.cases, message=message, diagnosis=diagnosis)
        if found.diagnosis is None and self.fault is not None and self.faulty is not None:
            found = replace(found, diagnosis=self._diagnosed(self._reduced(self.fault, self.faulty, premise)))
        return replace(found, seconds=self.meter.processor)

    def _diagnosed(self, fault: Fault) -> Diagnosis:
        self.notice(self.position)
        diagnosis = fault.diagnosis(self.measure)
        self.notice(None)
        return diagnosis

    def _reduced(self, found: Fault, case: Case, premise: Callable[[Case], bool]) -> Fault:
        """The same fault on as small a case as can be."""
        smallest = [found]

        def stays(smaller: Case) -> bool:
            try:
                if premise(smaller):
                    self.scores(smaller)
            except OutOfTime:
                return False
            except Fault as fault:
                if fault.resembles(found):
                    smallest.append(fault)
                    return True
            return False

        shrunk(case, stays)
        return smallest[-1]

    def _violated(self, found: Case, premise: Callable[[Case], bool]) -> Finding:
        answers = {self.scores(found, past_budget=True) for _ in range(3)}
        if len(answers) > 1 or not self.breaks(self.scores(found, past_budget=True)):
            flaky = Fault(Verdict.FLAKY, _RESCORED, Kind.FLAKY)
            lefts = {left for left, _ in answers}
            flaky.side = found.left if len(lefts) > 1 else found.right
            return replace(self._found(Verdict.FLAKY, _RESCORED), diagnosis=self._diagnosed(flaky))
        violated = self._found(Verdict.VIOLATED, self._exceptions(), self._smallest_witness(found, premise))
        if violated.witness is None or violated.scores is None or violated.scores[1] is not NO_SCORE:
            return violated
        try:
            evaluate(self.measure, violated.witness.right)
        except Fault as fault:
            return replace(violated, diagnosis=self._diagnosed(fault))
        return violated

    def _unbroken(self) -> Finding:
        if self.fault is not None and self.fault.verdict is Verdict.ERROR:
            return self._found(Verdict.ERROR, f"it {self.fault.told}")
        if self.spent:
            message = f"out of its budget of {self.meter.budget:g} s after {self.cases} cases"
            return self._found(Verdict.TIMEOUT, message)
        if self.cases:
            return self._found(Verdict.HOLDS, self._exceptions())
        if self.fault is not None:
            return self._found(Verdict.UNDEFINED, f"it {self.fault.told}")
        return self._found(Verdict.VACUOUS, "no case was generated, so nothing was checked")

    def _found(self, verdict: Verdict, message: str | None, witness: Case | None = None) -> Finding:
        return Finding(
            verdict=verdict,
            cases=self.cases,
            violations=self.violations,
            exhaustive_objects=self.exhaustive_objects,
            exhaustive_cases=self.exhaustive_cases,
            witness=witness,
            scores=None if witness is None else self.scores(witness, past_budget=True),
            certified=witness is not None and self._is_minimal(witness),
            message=message,
            seconds=self.meter.processor,
        )

    def _exceptions(self) -> str | None:
        """A word on the cases that gave no score, or that the budget cut off, where there were some."""
        if self.fault is None:
            return f"cut short by its budget of {self.meter.budget:g} s" if self.spent else None
        if self.fault.verdict is Verdict.ERROR:
            return f"on another case it {self.fault.told}"
        return f"on {self.undefined} further cases it {self.fault.told}"

    def _smallest_witness(self, found: Case, premise: Callable[[Case], bool]) -> Case:
        """The counterexample made as small as can be; one that enumeration found is minimal already."""
        if self.listed and self.exhaustive_objects is not None and found.objects <= self.exhaustive_objects:
            return found

        def stays(case: Case) -> bool:
            try:
                return premise(case) and self.breaks(self.scores(case))
            except (Fault, OutOfTime):
                return False

        return shrunk(found, stays)


def _is_graver(fault: Fault, case: Case, kept: Fault, faulty: Case) -> bool:
    """Whether a fault says more than the one that is kept: it is an error, or met on fewer objects."""
    if fault.verdict is not kept.verdict:
        return fault.verdict is Verdict.ERROR
    return case.objects < faulty.objects


def _restore(inputs: list[Biclustering], before: list[tuple[Bicluster, ...]]) -> list[int]:
    """The places of the inputs that a measure changed; they are put back for the others."""
    if all(map(is_, [biclustering.biclusters for biclustering in inputs], before)):
        return []
    changed = [place for place, family in enumerate(before) if inputs[place].biclusters is not family]
    for biclustering, family in zip(inputs, before, strict=True):
        object.__setattr__(biclustering, "_biclusters", family)
    return changed
