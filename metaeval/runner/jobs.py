"""Jobs: what is done in processes of its own, and what follows from how it ended.

A job holds ids and plain data wherever it can, so that it can be sent to another machine; only a measure
that is not metaeval's own goes along as it is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from statistics import median
from typing import Any, TypeAlias

from msgspec.structs import replace as changed

from metaeval.adapters import as_measure
from metaeval.cases.pack import opened
from metaeval.cases.store import PackKey, made
from metaeval.catalogue.condition import Group, GroupId, condition_of
from metaeval.catalogue.measure import Measure, is_own
from metaeval.catalogue.measure import measures as all_measures
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.settings import HIGHEST, Settings, level_of
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell, Diagnosis
from metaeval.records.described import GateFailure
from metaeval.runner.events import Event, Gated, GroupDone, Restarted, Settled
from metaeval.search.gate import CALL_BUDGET, SAMPLE, Passage, extremes, gate, sample_time
from metaeval.search.prove import with_proof
from metaeval.search.search import NoInstance, search
from metaeval.search.shrink import shrunk
from metaeval.workers.budget import wall_clock
from metaeval.workers.call import ScoreCaches
from metaeval.workers.faults import FaultKind, diagnosis_of, place_in
from metaeval.workers.locate import Place, follow_lines
from metaeval.workers.worker import Died, Ending, Finished, Hung, Message, PartialResult, Watch, supervise

#: The id of a measure that every metaeval has, or any other measure itself.
Subject = str | Measure


#: What is done in a worker.
Job: TypeAlias = "Gating | SearchJob"

#: The most smaller inputs that are tried for a diagnosis, each in its own worker.
_ATTEMPTS = 200


@dataclass(frozen=True)
class Gating:
    """A measure at the gate."""

    subject: Subject
    budget: float | None
    #: The effort level, where it is known; else the measure is timed here.
    effort: int | None = None
    #: Whether the process was lost once already without anybody to blame.
    lost_before: bool = False
    #: What happened on an extreme input that no answer came from.
    tripped: GateFailure | None = None

    @property
    def measure(self) -> Measure:
        return as_measure(self.subject)

    @property
    def label(self) -> str:
        """What is shown while the job is under way."""
        return f"gate {self.measure.id}"

    def work(self, watch: Watch) -> tuple[Passage, float | None, float | None]:
        """Done in the worker; the ``watch`` is told before and after a measure is called, and which."""
        starts: list[float] = []
        sample = None

        def entering(extreme: bool) -> None:
            starts.append(wall_clock())
            watch.limit(CALL_BUDGET if extreme else None)
            watch(0)

        measure = _noting(self.measure, watch)
        passage = gate(measure, entering, self.tripped)
        if self.effort is None and passage.failure is None:
            watch.limit(CALL_BUDGET)
            watch(0)
            sample = sample_time(measure)
        watch(None)
        # The median, because the first call often takes longer: a measure may load something.
        lengths = [end - start for start, end in pairwise(starts)]
        return passage, median(lengths) if lengths else None, sample

    def outcome(self, ending: Message) -> tuple[list[Event], Gating | None]:
        """The events that follow from a message of the worker, and the job that follows, if any."""
        assert isinstance(ending, Ending)
        if isinstance(ending, Died) and ending.position is None and not self.lost_before:
            # The process was lost while no measure was called, so far as is known.
            return [], replace(self, lost_before=True)
        if isinstance(ending, Finished):
            passage, seconds, sample = ending.value
            printed = ending.printed.get(0) if passage.failure else None
            effort = self.effort if sample is None else level_of(sample)
            return [Gated(self.measure, passage.failure, seconds, passage.remark, printed, effort, sample)], None
        if ending.side == SAMPLE and self.effort is None:
            # Too slow for large cases, or not fit for them; the conditions will tell.
            return [], replace(self, effort=0)
        failure = self._fatal(ending)
        if self.tripped is None and ending.side in (None, *extremes(self.measure.domain)):
            # It may do on plain inputs; if not, this is the smallest on which it does not.
            return [], replace(self, tripped=failure)
        printed = ending.printed if isinstance(ending, Hung) else None
        if self.tripped is not None and self.tripped.check == failure.check:
            failure = replace(failure, diagnosis=self.tripped.diagnosis)
        return [Gated(self.measure, failure, printed=printed)], None

    def _fatal(self, ending: Hung | Died) -> GateFailure:
        diagnosis = _diagnosed(self.measure, ending, self.budget)
        if isinstance(ending, Hung):
            budget = self.budget or 0
            seconds = min(budget, CALL_BUDGET) if ending.side in extremes(self.measure.domain) else budget
            return GateFailure("answers", Verdict.TIMEOUT, f"it gave no answer within {seconds:g} s", diagnosis)
        if ending.trace is not None:
            return GateFailure("metaeval", Verdict.ERROR, ending.how, diagnosis)
        return GateFailure("survives", Verdict.ERROR, f"its process {ending.how}", diagnosis)


@dataclass(frozen=True)
class ReadingSearch:
    """The search under one reading of a condition, for some measures at once; a part of a search job."""

    group_key: GroupId
    subjects: tuple[Subject, ...]
    pack: bytes
    settings: Settings
    #: The effort level per measure id.
    efforts: Mapping[str, int] = field(default_factory=dict)
    #: Whether a worker was lost before while no measure was called.
    lost_before: bool = False
    #: Measures that are searched later, each alone.
    apart: tuple[Subject, ...] = ()
    #: How the last worker died. Its input is unknown, so this retry records every input.
    lost: Died | None = None
    #: Measures that hung before, by id. Each is stopped just before that case; its evidence so far counts.
    hung: Mapping[str, Hung] = field(default_factory=dict)

    @property
    def group(self) -> Group:
        condition = condition_of(self.group_key[0])
        return Group(condition, condition.reading(self.group_key[1]))

    def work(self, watch: Watch, score_caches: ScoreCaches) -> list[Cell]:
        try:
            return self._search(self.pack, watch, score_caches)
        except NoInstance:
            return self._search(made(PackKey.of(self.group_key[0], self.settings)), watch, ScoreCaches(dict))

    def _search(self, pack: bytes, watch: Watch, score_caches: ScoreCaches) -> list[Cell]:
        measures = [as_measure(subject) for subject in self.subjects]
        opened_pack = opened(pack)
        called = [_noting(measure, watch) for measure in measures] if self.lost else measures
        cells = search(
            *self.group, called, opened_pack, budget=self.settings.budget, notice=watch, score_caches=score_caches,
            # Without examples the user asked for the lists alone.
            seed=self.settings.seed if self.settings.examples else None,
            efforts=[self.efforts.get(measure.id, HIGHEST) for measure in measures],
            most_cases=[self.hung[one.id].case - 1 if one.id in self.hung else inf for one in measures],
        )  # fmt: skip
        if not self.settings.proofs:
            return cells
        pairs = zip(cells, measures, strict=True)
        return [with_proof(cell, measure, *self.group, opened_pack) for cell, measure in pairs]

    def outcome(self, ending: Ending) -> tuple[list[Event], ReadingSearch | None]:
        if isinstance(ending, Finished):
            pairs = zip(self.subjects, self._cells(ending), strict=True)
            return self._followed([self._settled(*pair) for pair in pairs])
        if isinstance(ending, Hung) and ending.case > 1 and self._id_at(ending.position) not in self.hung:
            # The same search, in which the measure that hung is stopped before it does.
            hung = {**self.hung, self._id_at(ending.position): ending}
            return [], replace(self, hung=hung, lost_before=False, lost=None)
        if ending.position is not None:
            if isinstance(ending, Died) and ending.side is None and ending.trace is None and self.lost is None:
                return [], replace(self, lost=ending)
            # The culprit's cell is settled; the others start anew without it.
            settled = self._settled(self.subjects[ending.position], self._fatal(ending))
            rest = self.subjects[: ending.position] + self.subjects[ending.position + 1 :]
            if not rest:
                return self._followed([settled])
            return [settled, Restarted(self.group)], replace(self, subjects=rest, lost_before=False, lost=None)
        if not self.lost_before and (isinstance(ending, Hung) or ending.trace is None):
            return [], replace(self, lost_before=True)
        if len(self.subjects) > 1:
            # One of them may be what takes the process down; alone, it costs the others nothing.
            return [], replace(self, subjects=(), apart=self.subjects + self.apart)._next()
        return self._followed([self._settled(self.subjects[0], self._fatal(ending))])

    def _id_at(self, position: int) -> str:
        return as_measure(self.subjects[position]).id

    def _cells(self, ending: Finished) -> list[Cell]:
        """The cell of each subject, with what it printed."""
        found = [changed(one, printed=ending.printed.get(place)) for place, one in enumerate(ending.value)]
        if self.lost is not None and self.lost.position is not None:
            # It does not always kill its worker; that it did once is enough.
            found[self.lost.position] = self._fatal(self.lost)
        for position, cell in enumerate(found):
            if (ended := self.hung.get(self._id_at(position))) is not None:
                # The counterexample of a measure that hung counts, if it had one by then.
                fatal = self._fatal(ended)
                stopped = {"stopped": True, "message": f"stopped: {fatal.message}", "fault": fatal.fault}
                is_violated = cell.verdict is Verdict.VIOLATED
                counted = changed(fatal, cases=cell.cases, outside=cell.outside)
                found[position] = changed(cell, **stopped) if is_violated else counted
        return found

    def _followed(self, settled: Sequence[Settled]) -> tuple[list[Event], ReadingSearch | None]:
        """The cells of this job are settled; the group is done unless there are measures apart."""
        successor = self._next()
        return [*settled, (Restarted if successor else GroupDone)(self.group)], successor

    def _next(self) -> ReadingSearch | None:
        if not self.apart:
            return None
        return replace(self, subjects=self.apart[:1], apart=self.apart[1:], lost_before=False, lost=None)

    def _settled(self, subject: Subject, cell: Cell) -> Settled:
        return Settled(as_measure(subject), *self.group, cell)

    def _fatal(self, ending: Hung | Died) -> Cell:
        """The cell of a measure that hung or killed its worker."""
        budget = self.settings.budget
        # Without a position nobody knows whose fault it was; the only subject left is as good as any.
        measure = as_measure(self.subjects[ending.position or 0])
        place = measure.id, *self.group.id
        fault = _diagnosed(measure, ending, budget)
        if isinstance(ending, Hung):
            message = f"it gave no answer on a case within {budget:g} s"
            return Cell(*place, Verdict.TIMEOUT, message=message, fault=fault, printed=ending.printed)
        how = f"this cell {ending.how}" if ending.trace else f"its process was lost on a case: {ending.how}"
        return Cell(*place, Verdict.ERROR, message=how, fault=fault)


@dataclass(frozen=True)
class SearchJob:
    """Searches under one or more readings of one condition, one after the other in one worker.

    Readings share cases and sides. The score cache is shared too: each measure scores a side once per worker.
    """

    searches: tuple[ReadingSearch, ...]

    @property
    def label(self) -> str:
        condition, reading = self.searches[0].group.id
        return condition if len(self.searches) > 1 else f"{condition} {reading}"

    def work(self, watch: Watch) -> Iterator[list[Cell]]:
        score_caches = ScoreCaches(dict)
        for one in self.searches:
            yield one.work(watch, score_caches)

    def outcome(self, message: Message) -> tuple[list[Event], SearchJob | None]:
        if isinstance(message, PartialResult):
            events, successor = self.searches[message.number].outcome(Finished(message.value, message.printed))
            return events, None if successor is None else SearchJob((successor,))
        if isinstance(message, Finished) or message.told == len(self.searches):
            return [], None
        events, successor = self.searches[message.told].outcome(message)
        rest = self.searches[message.told + 1 :]
        left = (successor, *rest) if successor else rest
        return events, SearchJob(left) if left else None


def subject_of(measure: Measure) -> Subject:
    """A measure as a job holds it."""
    # Another machine's registry knows nothing of what a notebook has registered here.
    return measure.id if all_measures().get(measure.id) is measure and is_own(measure) else measure


# --- a measure that hung or killed its worker: on which input, and in which line


def _noting(measure: Measure, watch: Watch) -> Measure:
    """The measure, which notes its input before each call, because the call may kill the worker."""

    def function(candidate: Biclustering, gold: Biclustering) -> Any:
        watch.note(Side(candidate, gold))
        return measure.function(candidate, gold)

    function.__wrapped__ = measure.function  # type: ignore[attr-defined]
    # It still is its equation, and declares none.
    return replace(measure, function=function, own=measure.own or measure.function, equation=measure.declared)


def _diagnosed(measure: Measure, ending: Hung | Died, budget: float | None) -> Diagnosis:
    """The diagnosis of a measure that hung or killed its worker; or of metaeval's own code that failed."""
    if isinstance(ending, Died) and ending.trace is not None:
        kind = FaultKind.INTERNAL
        return Diagnosis(kind=kind.word, hint=kind.hint, side=ending.side, trace=ending.trace)
    kind = FaultKind.NO_ANSWER if isinstance(ending, Hung) else FaultKind.LOST
    side, place = ending.side, ending.place
    if isinstance(ending, Died) and side is not None:
        # Only here: on a measure that hangs, each smaller input would take as long again.
        side = _reduced(measure, side, budget)
        place = place or _last_line(measure, side, budget)
    return diagnosis_of(kind, side, place or place_in(measure, side, kind))


def _reduced(measure: Measure, side: Side, budget: float | None) -> Side:
    """A side as small as possible that lies in the measure's domain and still kills the worker."""

    def call(watch: Watch, smaller: Side) -> None:
        watch(0)
        with contextlib.suppress(Exception):
            measure.value(*smaller)

    def stays(case: Case) -> bool:
        return _lies_in(measure.domain, case.left) and isinstance(supervise(budget, call, case.left), Died)

    return shrunk(Case(side, side), stays, _ATTEMPTS).left


def _lies_in(domain: str, side: Side) -> bool:
    if domain in ("clusterings", "partitions") and len({cols for family in side for _, cols in family}) > 1:
        return False
    for family in side if domain in ("disjoint", "partitions") else ():
        cells = [(row, col) for rows, cols in family for row in rows for col in cols]
        rows = {row for row, _ in cells}
        if len(cells) > len(set(cells)) or (domain == "partitions" and rows != set(range(family.shape[0]))):
            return False
    return True


def _last_line(measure: Measure, side: Side, budget: float | None) -> Place | None:
    """The line in which the measure kills its worker; the measure is called once more, with tracing."""

    def call(watch: Watch) -> None:
        watch(0)
        follow_lines(lambda: measure.value(*side), watch.note)

    ending = supervise(budget, call)
    return ending.place if isinstance(ending, Died) else None
