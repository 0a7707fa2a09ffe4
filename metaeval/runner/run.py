"""Carry out a plan: jobs in, events out; with an estimate of the time. The backend of this machine."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Any, TypeAlias

from metaeval.cases.pack import opened
from metaeval.cases.store import Store
from metaeval.catalogue.condition import Group, GroupId, condition_of
from metaeval.catalogue.measure import is_own
from metaeval.core.errors import InputError
from metaeval.core.settings import HIGHEST, LEVELS, Settings
from metaeval.kernel.overlay import preload
from metaeval.proofs.proof import preload_rules
from metaeval.records.cell import Cell
from metaeval.records.described import GateFailure
from metaeval.runner.events import Drawn, Estimated, Event, Gated, GroupDone, Noted, Settled, Started, UnderWay
from metaeval.runner.jobs import Gating, Job, ReadingSearch, SearchJob, subject_of
from metaeval.runner.plan import Plan
from metaeval.workers.worker import TICK, Ending, Message, Worker, wait

if TYPE_CHECKING:
    from metaeval.runner.dask import DaskBackend

LOCAL, DASK = "local", "dask"
BACKENDS = (LOCAL, DASK)
#: Where jobs run, several at once.
Backend: TypeAlias = "LocalBackend | DaskBackend"

#: A search that takes more seconds than this counts as long.
LONG = 60

#: The average number of cases per group with default settings, for groups whose pack is not made yet.
_USUAL_CASES = 3_600
#: Calls per listed or drawn case, about: many cases share a side, which is scored once.
_CALLS = 1.1


def estimate(plan: Plan, gated: Iterable[Gated], store: Store, settings: Settings) -> Estimated | None:
    """The time that the search will take; None if no measure passed the gate."""
    timed = {event.measure.id: event for event in gated if event.seconds is not None}
    if not timed:
        return None
    total, more, budget = 0.0, 0.0, settings.budget or inf
    for group in plan.groups:
        known = [timed[measure.id] for measure in plan.measures_in(group) if measure.id in timed]
        cases = cases_of(group, store) if known else 0
        for event in known:
            level = HIGHEST if event.effort is None else event.effort
            cost = _cost(event, cases, level, budget)
            total += cost
            more += _cost(event, cases, min(level + 1, HIGHEST), budget) - cost
    call = median(event.seconds or 0.0 for event in timed.values())
    return Estimated(call, total / settings.processes, more / settings.processes)


def _cost(event: Gated, cases: int, level: int, budget: float) -> float:
    """The seconds that a cell takes, about: at most its budget."""
    beyond = LEVELS[level].sample_calls * (event.sample or 0.0)
    return min(_CALLS * cases * (event.seconds or 0.0) + beyond, budget)


def cases_of(group: Group, store: Store) -> int:
    """The number of listed and drawn cases of a group; an average if its pack is not made yet."""
    if group.condition.key not in store.packs:
        return _USUAL_CASES
    pack, name = opened(store.packs[group.condition.key]), group.reading.name
    return sum(map(len, [*pack.levels(name), *pack.parts(name)[:-1]]))


class Run:
    """A plan that is carried out on a backend."""

    def __init__(self, plan: Plan, settings: Settings, backend: Backend) -> None:
        self._plan = plan
        self._settings = settings
        self._backend = backend
        self._groups = [group for group in plan.groups if plan.measures_in(group)]
        self._measures = [measure for measure in plan.measures if plan.groups_of(measure)]
        # All readings of a condition: a case that was drawn for one may be an instance of another.
        needed = ((group.condition.key, name) for group in self._groups for name in group.condition.readings)
        self._needed = list(dict.fromkeys(needed))
        self._store = Store([condition for condition, _ in self._needed], settings)
        self._failures: dict[str, tuple[GateFailure, str | None]] = {}
        self._passed: list[Gated] = []
        #: The effort levels: first those known without timing, set by the user or by a file, or of metaeval's measures.
        self._efforts = {one.id: HIGHEST for one in plan.measures if is_own(one)} | dict(plan.efforts)
        if settings.effort is not None:
            self._efforts = {one.id: settings.effort for one in plan.measures}
        self._takes_long = False
        self._shown: list[str] = []

    def events(self) -> Generator[Event, None, None]:
        """All that happens. To stop early, close the iterator and then the backend: this ends every worker."""
        yield Started(self._plan, len(self._measures) + len(self._needed) + len(self._groups))
        preload()
        if self._settings.proofs:
            preload_rules([one.equation for one in self._measures if one.equation is not None])
        try:
            yield from self._drawn(self._store.start())
            yield from map(Noted, self._store.complaints[:1])
            yield from self._gates()
            yield from self._searches()
        finally:
            self._store.close()

    def _gates(self) -> Iterator[Event]:
        gates = [Gating(subject_of(one), self._settings.budget, self._efforts.get(one.id)) for one in self._measures]
        # On this machine, also with Dask: the times of all measures of a run must be comparable.
        with closing(LocalBackend(self._settings)) as here:
            for event in self._work(gates, [], here):
                if isinstance(event, Gated) and event.failure is not None:
                    self._failures[event.measure.id] = event.failure, event.printed
                elif isinstance(event, Gated):
                    self._passed.append(event)
                    self._efforts[event.measure.id] = HIGHEST if event.effort is None else event.effort
                yield event
        estimated = estimate(self._plan, self._passed, self._store, self._settings)
        self._takes_long = estimated is not None and estimated.seconds > LONG
        yield from [] if estimated is None else [estimated]

    def _searches(self) -> Iterator[Event]:
        """Settle the cells of measures that failed the gate, and search the others."""
        sound: list[Group] = []
        for group in self._groups:
            failed = [measure for measure in self._plan.measures_in(group) if measure.id in self._failures]
            for measure in failed:
                failure, printed = self._failures[measure.id]
                message, fault = f"gate ({failure.check}): {failure.message}", failure.diagnosis
                cell = Cell(measure.id, *group.id, failure.verdict, message=message, fault=fault, printed=printed)
                yield Settled(measure, *group, cell)
            if len(failed) < len(self._plan.measures_in(group)):
                sound.append(group)
            else:
                yield GroupDone(group)
        yield from self._work([], sound, self._backend)

    def _work(self, jobs: Iterable[Job], groups: Iterable[Group], backend: Backend) -> Iterator[Event]:
        """Keep every slot busy until all jobs have ended and all cases are there."""
        ready, waiting = deque(jobs), list(groups)
        while ready or waiting or backend.running:
            ready.extend(self._jobs([group for group in waiting if group.condition.key in self._store.packs]))
            waiting = [group for group in waiting if group.condition.key not in self._store.packs]
            backend.fill(ready)
            labels = [job.label for job in backend.running] + ["making cases"] * bool(self._store.under_way)
            if labels != self._shown:
                self._shown = labels
                yield UnderWay(tuple(labels))
            backend.wait(self._store.under_way)
            yield from self._drawn(self._store.arrivals())
            for job, message in backend.messages():
                job_events, successor = job.outcome(message)
                if successor is not None:
                    ready.appendleft(successor)
                for event in job_events:
                    if isinstance(event, Settled) and event.cell.broken_rule is not None:
                        # Said aloud: a rule of the prover is wrong.
                        where, why = "/".join(event.cell.key), event.cell.broken_rule
                        yield Noted(f"{where}: {why} Please report this as a bug.")
                    yield event

    def _jobs(self, groups: Sequence[Group]) -> list[Job]:
        """One job per condition; with more worker slots than conditions, one job per reading."""
        if self._takes_long:  # cheap jobs first, so that the first results come soon
            groups = sorted(groups, key=lambda group: cases_of(group, self._store))
        per_condition = len({group.condition.key for group in self._groups}) >= self._backend.slots
        searches: dict[str | GroupId, list[ReadingSearch]] = {}
        for group in groups:
            sound = [measure for measure in self._plan.measures_in(group) if measure.id not in self._failures]
            efforts = {measure.id: self._efforts[measure.id] for measure in sound}
            pack, subjects = self._store.packs[group.condition.key], tuple(map(subject_of, sound))
            search = ReadingSearch(group.key, subjects, pack, self._settings, efforts)
            searches.setdefault(group.condition.key if per_condition else group.key, []).append(search)
        return [SearchJob(tuple(several)) for several in searches.values()]

    def _drawn(self, group_ids: Iterable[GroupId]) -> Iterator[Drawn]:
        for condition, reading in group_ids:
            drawn = opened(self._store.packs[condition]).number_drawn(reading)
            yield Drawn((condition_of(condition).id, reading), drawn)


def open_backend(name: str, address: str | None, plan: Plan, settings: Settings) -> Backend:
    """The backend with this name, ready for the jobs of a plan; the caller must close it."""
    if name not in BACKENDS:
        raise InputError(f"backend is {name!r}; expected one of {', '.join(BACKENDS)}")
    if name == LOCAL:
        if address is not None:
            raise InputError(f"the address {address!r} is for the backend dask; choose that, or leave it out")
        return LocalBackend(settings)
    # Loaded here: Dask is large, and optional.
    from metaeval.runner.dask import DaskBackend

    return DaskBackend(address, plan, settings)


class LocalBackend:
    """Forked workers, as many at once as the settings allow.

    A worker is forked for its job and has everything that this process has, so a notebook's measures work unchanged.
    A pool of processes, such as joblib's, would have to pickle them, and it breaks as a whole if one process is killed.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._workers: list[tuple[Job, Worker]] = []

    @property
    def slots(self) -> float:
        """The number of workers at a time; infinite if unknown."""
        return self._settings.processes

    @property
    def running(self) -> Sequence[Job]:
        """The jobs that have started and not ended."""
        return [job for job, _ in self._workers]

    def fill(self, ready: deque[Job]) -> None:
        while ready and len(self._workers) < self._settings.processes:
            job = ready.popleft()
            self._workers.append((job, Worker(job.work)))

    def wait(self, others: Sequence[Any]) -> None:
        """Wait for a message of a job or for another source with something to read, but only for a moment."""
        wait([worker for _, worker in self._workers], others, TICK)

    def messages(self) -> Iterator[tuple[Job, Message]]:
        """The partial results and endings of jobs since the last call."""
        for job, worker in list(self._workers):
            ended = False
            while not ended and (message := worker.next_message(self._settings.budget)) is not None:
                if ended := isinstance(message, Ending):
                    self._workers.remove((job, worker))
                yield job, message

    def close(self) -> None:
        for _, worker in self._workers:
            worker.stop()
        self._workers.clear()
