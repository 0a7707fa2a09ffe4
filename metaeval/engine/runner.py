"""The runner: every measure against every condition under every reading, on all cores.

It knows no measure and no condition by name. Work is done in groups, one for each condition and reading;
inside a group every case serves all measures. Groups, gates and drawing run in processes of their own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metaeval.cases import Case
from metaeval.condition import READINGS, Condition, Reading, conditions, find_condition
from metaeval.engine.gate import GateFailure, gate
from metaeval.engine.isolation import Child, Died, Ending, Finished, Hung, wait
from metaeval.engine.sampling import Group, Sampler
from metaeval.engine.search import Finding, search
from metaeval.errors import InputError
from metaeval.evidence.certificates import Certificate
from metaeval.evidence.results import Cell, DescribedCondition, DescribedMeasure, Exhaustive, Results, provenance
from metaeval.kernel import preload
from metaeval.measuring import Measure, ScoreFunction, as_measure
from metaeval.measuring import measures as all_measures
from metaeval.paper.claims import claim_on
from metaeval.verdicts import Verdict

EXAMPLES = 200
SEED = 0
#: Seconds that a cell may spend in its measure.
BUDGET = 60.0

_TICK = 0.05

#: What this process has drawn, by group, number and seed: a test suite asks for the same cases again and again.
_DRAWN: dict[tuple[Group, int, int], list[Case]] = {}


@dataclass(frozen=True)
class Event:
    """Something a watcher of a run may want to show."""

    done: int
    total: int
    under_way: str
    cells: tuple[Cell, ...] = ()


Listener = Callable[[Event], None]


def run(
    measures: Iterable[str | Measure | ScoreFunction] | None = None,
    conditions: Iterable[str] | None = None,
    readings: Iterable[str] | None = None,
    *,
    examples: int = EXAMPLES,
    exhaustive: int | None = None,
    seed: int = SEED,
    jobs: int | None = None,
    budget: float | None = BUDGET,
    out: str | Path | None = None,
    resume: bool = False,
    listen: Listener = lambda event: None,
) -> Results:
    """Check measures against conditions and return the results.

    By default every registered measure, every condition and every reading. ``examples`` is how many cases
    Hypothesis draws for a condition under a reading, ``exhaustive`` up to how many objects all cases are
    tried (None: as far as is practical), ``budget`` how many seconds a cell may spend in its measure.
    With ``out`` the file is written after every group, and ``resume`` goes on from what it holds.
    """
    plan = _plan(measures, conditions, readings)
    results = Results(provenance(_count("seed", seed, None), _count("examples", examples, 0), exhaustive))
    if exhaustive is not None:
        _count("exhaustive", exhaustive, 0)
    if resume and out is not None and Path(out).exists():
        results = _resumed(Path(out), results)
    engine = _Engine(plan, results, examples, exhaustive, seed, budget, _jobs(jobs), listen)
    engine.save_to = None if out is None else Path(out)
    engine.run()
    return results


def check(
    measure: str | Measure | ScoreFunction,
    conditions: Iterable[str] | None = None,
    readings: Iterable[str] | None = None,
    **options: Any,
) -> Results:
    """Check one measure, registered or a plain function of (candidate, gold); options as for :func:`run`."""
    return run([measure], conditions, readings, **options)


@dataclass
class _Plan:
    measures: list[Measure]
    groups: list[tuple[Condition, Reading]]


def _plan(
    chosen: Iterable[str | Measure | ScoreFunction] | None,
    condition_ids: Iterable[str] | None,
    reading_names: Iterable[str] | None,
) -> _Plan:
    # The whole registry is loaded before the first cell, so that a choice does not change what is drawn.
    every = all_measures()
    picked = (
        [as_measure(one) for one in _several("measures", chosen)] if chosen is not None else list(every.values())
    )
    seen: dict[str, Measure] = {}
    for measure in picked:
        if seen.setdefault(measure.id, measure) is not measure:
            raise InputError(f"two measures have the id {measure.id!r}; give each its own")
    if condition_ids is None:
        wanted = list(conditions().values())
    else:
        asked = {find_condition(id).id for id in _several("conditions", condition_ids)}
        wanted = [condition for id, condition in conditions().items() if id in asked]
    names = READINGS if reading_names is None else tuple(_several("readings", reading_names))
    for name in names:
        if name not in READINGS:
            raise InputError(f"no reading {name!r}; expected one of {', '.join(READINGS)}")
    groups = [(c, r) for c in wanted for r in c.readings.values() if r.name in names]
    return _Plan(list(seen.values()), groups)


def _several(what: str, values: Iterable[Any]) -> list[Any]:
    if isinstance(values, str):
        raise InputError(f"{what} is {values!r}; expected a list, such as [{values!r}]")
    return list(values)


def _count(what: str, value: Any, least: int | None) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or (least is not None and value < least):
        raise InputError(
            f"{what} is {value!r}; expected an integer" + ("" if least is None else f" from {least} up")
        )
    return value


def _jobs(jobs: int | None) -> int:
    return max(1, os.cpu_count() or 1) if jobs is None else _count("jobs", jobs, 1)


def _resumed(path: Path, fresh: Results) -> Results:
    old = Results.load(path)
    for key, value in fresh.provenance.items():
        if old.provenance.get(key) != value:
            raise InputError(
                f"{path} was made with {key} {old.provenance.get(key)!r}, this run has {value!r}; "
                "run with the same settings, or without --resume"
            )
    return old


@dataclass
class _Task:
    """A child under way: a gate or a group."""

    label: str
    child: Child
    measures: list[Measure]
    finish: Callable[[_Task, Ending], Iterator[_Start]]


#: Starts a task when a place is free.
_Start = Callable[[], _Task]


@dataclass
class _Engine:
    plan: _Plan
    results: Results
    examples: int
    exhaustive: int | None
    seed: int
    budget: float | None
    jobs: int
    listen: Listener
    save_to: Path | None = None
    _failures: dict[str, GateFailure] = field(default_factory=dict)
    _drawn: dict[Group, list[Case]] = field(default_factory=dict)
    _total: int = 0
    _finished: int = 0

    def run(self) -> None:
        missing = [(c, r, self._open(c, r)) for c, r in self.plan.groups]
        todo = [(c, r, ms) for c, r, ms in missing if ms]
        subjects = [m for m in self.plan.measures if any(m in ms for _, _, ms in todo)]
        # A case that was drawn for one reading may be an instance under another.
        drawn = list(dict.fromkeys((c.id, name) for c, _, _ in todo for name in c.readings))
        self._total = len(subjects) + len(drawn) + len(todo)
        for condition, _ in self.plan.groups:
            self.results.conditions.setdefault(condition.id, DescribedCondition.of(condition))
        for measure in self.plan.measures:
            self.results.measures.setdefault(measure.id, DescribedMeasure.of(measure, None))
        self._order_tables()
        self._save()
        preload()
        drawings = self._start_drawings(drawn)
        try:
            self._work([self._gate_start(measure) for measure in subjects], [])
            for measure in subjects:
                failure = self._failures.get(measure.id)
                self.results.measures[measure.id] = DescribedMeasure.of(
                    measure, failure.message if failure else None
                )
            self._work([], todo, drawings)
        finally:
            for drawing in drawings:
                drawing.close()
        self._save()

    def _open(self, condition: Condition, reading: Reading) -> list[Measure]:
        """The measures whose cell of this group is wanted and not there yet."""
        return [
            measure
            for measure in self.plan.measures
            if reading.lies_in(measure.domain) and (measure.id, condition.id, reading.name) not in self.results
        ]

    def _order_tables(self) -> None:
        """The order of the registries, whatever was run first."""
        order = {id: place for place, id in enumerate(conditions())}
        self.results.conditions = dict(
            sorted(self.results.conditions.items(), key=lambda item: order.get(item[0], 99))
        )
        ids = {id: place for place, id in enumerate(all_measures())}
        self.results.measures = dict(
            sorted(self.results.measures.items(), key=lambda item: ids.get(item[0], len(ids)))
        )

    def _start_drawings(self, groups: list[Group]) -> list[Sampler]:
        if not groups or not self.examples:
            self._drawn = {group: [] for group in groups}
            self._finished += len(groups)
            return []
        for group in groups:
            if (group, self.examples, self.seed) in _DRAWN:
                self._drawn[group] = _DRAWN[group, self.examples, self.seed]
                self._finished += 1
        rest = [group for group in groups if group not in self._drawn]
        # Dealt out in turns: the cases of a group do not depend on which process draws it.
        hands = [rest[start :: self.jobs] for start in range(min(self.jobs, len(rest)))]
        return [Sampler(hand, self.examples, self.seed) for hand in hands]

    def _work(
        self,
        starts: list[_Start],
        todo: Sequence[tuple[Condition, Reading, list[Measure]]],
        drawings: Sequence[Sampler] = (),
    ) -> None:
        """Keep every place busy until nothing is left to start, to draw or to wait for."""
        waiting = list(todo)
        running: list[_Task] = []
        try:
            while starts or waiting or running:
                for entry in [entry for entry in waiting if self._is_drawn(entry[0])]:
                    waiting.remove(entry)
                    starts += self._group_starts(*entry)
                while starts and len(running) < self.jobs:
                    running.append(starts.pop(0)())
                open_drawings = [drawing for drawing in drawings if not drawing.done]
                wait([task.child for task in running], open_drawings, _TICK if running or open_drawings else 0)
                for drawing in open_drawings:
                    self._collect(drawing)
                for task in list(running):
                    ending = task.child.ending(self.budget)
                    if ending is not None:
                        running.remove(task)
                        starts[:0] = task.finish(task, ending)
                self._tell(", ".join(task.label for task in running))
        finally:
            for task in running:
                task.child.stop()

    def _is_drawn(self, condition: Condition) -> bool:
        return all((condition.id, name) in self._drawn for name in condition.readings)

    def _collect(self, drawing: Sampler) -> None:
        import select

        if select.select([drawing], [], [], 0)[0]:
            group, cases = drawing.next()
            self._drawn[group] = _DRAWN[group, self.examples, self.seed] = cases
            self._finished += 1

    def _tell(self, under_way: str, cells: Sequence[Cell] = ()) -> None:
        self.listen(Event(min(self._finished, self._total), self._total, under_way, tuple(cells)))

    # --- gates

    def _gate_start(self, measure: Measure) -> _Start:
        return lambda: _Task(f"gate {measure.id}", Child(_gate_work, measure), [measure], self._finish_gate)

    def _finish_gate(self, task: _Task, ending: Ending) -> Iterator[_Start]:
        (measure,) = task.measures
        failure: GateFailure | None
        if isinstance(ending, Finished):
            failure = ending.value
        elif isinstance(ending, Hung):
            failure = GateFailure("answers", Verdict.TIMEOUT, f"it gave no answer within {self.budget:g} s")
        else:
            failure = GateFailure("survives", Verdict.ERROR, f"its process {ending.how}")
        if failure is not None:
            self._failures[measure.id] = failure
        self._finished += 1
        return iter(())

    # --- groups

    def _group_starts(self, condition: Condition, reading: Reading, subjects: list[Measure]) -> list[_Start]:
        sound, settled = [], []
        for measure in subjects:
            failure = self._failures.get(measure.id)
            if failure is None:
                sound.append(measure)
            else:
                message = f"gate ({failure.check}): {failure.message}"
                finding = Finding(failure.verdict, message=message)
                settled.append(self._add(measure, condition, reading, finding))
        self._tell(f"{condition.id} {reading.name}", settled)
        if not sound:
            self._finished += 1
            self._save()
            return []
        return [self._group_start(condition, reading, sound, retry=True)]

    def _group_start(self, condition: Condition, reading: Reading, subjects: list[Measure], retry: bool) -> _Start:
        drawn = [case for name in condition.readings for case in self._drawn[condition.id, name]]

        def finish(task: _Task, ending: Ending) -> Iterator[_Start]:
            return self._finish_group(condition, reading, subjects, ending, retry)

        def start() -> _Task:
            child = Child(
                _group_work, condition, reading, subjects, drawn, self.exhaustive, self.budget, self.seed
            )
            return _Task(f"{condition.id} {reading.name}", child, subjects, finish)

        return start

    def _finish_group(
        self, condition: Condition, reading: Reading, subjects: list[Measure], ending: Ending, retry: bool
    ) -> Iterator[_Start]:
        if isinstance(ending, Finished):
            cells = [
                self._add(measure, condition, reading, finding)
                for measure, finding in zip(subjects, ending.value, strict=True)
            ]
            self._finished += 1
            self._save()
            self._tell(f"{condition.id} {reading.name}", cells)
            return
        rest, settled = subjects, []
        if ending.position is not None:
            # The culprit's cell is settled; the others start anew without it.
            culprit = subjects[ending.position]
            settled = [self._add(culprit, condition, reading, self._fatal(ending))]
            rest = [measure for measure in subjects if measure is not culprit]
        elif not retry:
            settled = [self._add(measure, condition, reading, self._fatal(ending)) for measure in subjects]
            rest = []
        if rest:
            yield self._group_start(condition, reading, rest, retry=ending.position is not None)
        else:
            self._finished += 1
        self._save()
        self._tell(f"{condition.id} {reading.name}", settled)

    def _fatal(self, ending: Hung | Died) -> Finding:
        if isinstance(ending, Hung):
            return Finding(Verdict.TIMEOUT, message=f"it gave no answer on a case within {self.budget:g} s")
        return Finding(Verdict.ERROR, message=f"its process was lost on a case: {ending.how}")

    def _add(self, measure: Measure, condition: Condition, reading: Reading, finding: Finding) -> Cell:
        witness = None
        if finding.witness is not None and finding.scores is not None:
            witness = Certificate.of(
                measure, condition, reading.name, finding.witness, finding.scores, finding.certified
            )
        claim = claim_on(measure.id, condition.id)
        cell = Cell(
            measure=measure.id,
            condition=condition.id,
            reading=reading.name,
            verdict=finding.verdict,
            cases=finding.cases,
            violations=finding.violations,
            exhaustive=None
            if finding.exhaustive_objects is None
            else Exhaustive(finding.exhaustive_objects, finding.exhaustive_cases),
            claim=claim and claim.says,
            certificate=witness,
            message=finding.message,
            seconds=finding.seconds,
        )
        self.results.add(cell)
        return cell

    def _save(self) -> None:
        if self.save_to is not None:
            self.results.save(self.save_to)


def _gate_work(notice: Callable[[int | None], None], measure: Measure) -> GateFailure | None:
    failure = gate(measure, entering=lambda: notice(0))
    notice(None)
    return failure


def _group_work(
    notice: Callable[[int | None], None],
    condition: Condition,
    reading: Reading,
    subjects: list[Measure],
    drawn: list[Case],
    exhaustive: int | None,
    budget: float | None,
    seed: int,
) -> list[Finding]:
    # Without drawn cases the caller asked for the enumeration alone.
    climb_seed = seed if drawn else None
    return search(condition, reading, subjects, drawn, exhaustive, budget, notice, climb_seed)
