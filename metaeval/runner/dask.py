"""The Dask backend: jobs are pickled, sent to workers with the same installation, and supervised there."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import multiprocessing
import platform
import sys
import sysconfig
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import version
from math import inf
from multiprocessing import connection
from pathlib import Path
from types import ModuleType
from typing import Any

from metaeval.catalogue.measure import FILE_MODULE, Measure, behind
from metaeval.core.digest import digest_of
from metaeval.core.errors import InputError, MetaevalError
from metaeval.core.settings import Settings
from metaeval.kernel.overlay import preload
from metaeval.runner.jobs import Gating, Job, ReadingSearch, SearchJob, Subject, subject_of
from metaeval.runner.plan import Plan
from metaeval.workers.budget import wall_clock
from metaeval.workers.call import Notice
from metaeval.workers.worker import TICK, Died, News, supervise


@dataclass(frozen=True)
class Parcel:
    """A job or a measure, pickled."""

    label: str
    content: bytes

    def unpack(self) -> Any:
        """What was packed."""
        return importlib.import_module("cloudpickle").loads(self.content)


def pack(content: Job | Measure) -> Parcel:
    """Pickle a job or a measure with all that it takes; an error where that cannot be done."""
    label = content.id if isinstance(content, Measure) else content.label
    cloudpickle = importlib.import_module("cloudpickle")
    with ExitStack() as stack:
        for module in _own_modules(list(_measures_in(content))):
            stack.enter_context(_sent_along(cloudpickle, module))
        try:
            return Parcel(label, cloudpickle.dumps(content))
        except Exception as error:  # pickling runs the code of whatever it meets
            raise InputError(f"{label} cannot be sent to another machine: {error}") from error


def _measures_in(content: Any) -> Iterator[Measure]:
    """The measure itself, or those that a job holds in its fields or in the fields of its parts."""
    if isinstance(content, Measure):
        yield content
    elif isinstance(content, tuple):
        for one in content:
            yield from _measures_in(one)
    elif isinstance(content, (Gating, SearchJob, ReadingSearch)):
        yield from _measures_in(tuple(vars(content).values()))


def _own_modules(measures: list[Measure]) -> list[ModuleType]:
    """The modules that only this machine has: where the measures' functions are from, and users' files.

    Any function of such a file may be behind an adapter's.
    """
    names = {name for name in sys.modules if measures and name.startswith(FILE_MODULE)}
    names |= {getattr(behind(measure.function), "__module__", None) or "" for measure in measures}
    found = [sys.modules[name] for name in sorted(names) if name in sys.modules]
    return [module for module in found if not _is_installed(module)]


@contextmanager
def _sent_along(cloudpickle: Any, module: ModuleType) -> Iterator[None]:
    """Let functions of a user's own file be sent whole; only what is installed is there on other machines too."""
    if module.__name__ in cloudpickle.list_registry_pickle_by_value():
        yield
        return
    cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        cloudpickle.unregister_pickle_by_value(module)


def _is_installed(module: ModuleType) -> bool:
    paths = sysconfig.get_paths()
    installed = tuple(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib"))
    file = getattr(module, "__file__", None)
    return module.__name__.partition(".")[0] == "metaeval" or (file is not None and file.startswith(installed))


@dataclass(frozen=True)
class Installation:
    """What results depend on beside the settings."""

    metaeval: str
    python: str
    hypothesis: str
    numpy: str
    #: A digest of metaeval's files: two checkouts of a version may differ.
    files: str

    @classmethod
    def here(cls) -> Installation:
        """This process's own."""
        names = ("metaeval", "hypothesis", "numpy")
        return cls(
            **{name: version(name) for name in names}, python=platform.python_version(), files=digest_of_package()
        )

    def difference(self, other: Installation) -> str | None:
        """In words what this one has and the other has not, or None where they are alike."""
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if mine != theirs and field.name == "files":
                return f"has other files of metaeval {self.metaeval} than this machine; install the same there"
            if mine != theirs:
                return f"has {field.name} {mine}, this machine has {theirs}; install the same version there"
        return None


@cache
def digest_of_package() -> str:
    """Of every file of the package, in the same order in a checkout and in an installed wheel."""
    files: dict[str, Path] = {}
    for name in ("", "conditions", "measures", "reports"):
        (folder,) = importlib.import_module(f"metaeval.{name}".rstrip(".")).__path__
        files |= {(Path(name) / file.relative_to(folder)).as_posix(): file for file in Path(folder).rglob("*.py")}
    return digest_of(files[name] for name in sorted(files))


#: Seconds in which a scheduler must answer, and have a worker.
CONNECT = 10
#: Seconds for which a run waits for the cluster's next worker when the last one is gone.
PATIENCE = 120
#: Seconds between two looks at how many workers there are.
_LOOK = 1.0

_GO_ON = "with --resume the run goes on from what is done"
_LOST = Died(None, "went down with its worker")


@dataclass(frozen=True)
class _Place:
    """A job under way: Dask's future, and the flag that says that a worker has begun it."""

    job: Job
    future: Any
    begun: Any


class DaskBackend:
    """Jobs on the workers of a cluster, as many at once as they have threads, or as ``jobs`` allows."""

    def __init__(self, address: str | None, plan: Plan, settings: Settings) -> None:
        self._dask = _distributed()
        if address is None:
            raise InputError(
                "the backend dask needs the address of a scheduler, such as --address tcp://10.0.0.1:8786"
            )
        self._address = address
        self._settings = settings
        self._installation = Installation.here()
        self._places: list[_Place] = []
        self._client = self._connected()
        self._looked, self._threads, self._seen = 0.0, 0, wall_clock()
        try:
            self._demand_workers()
            self._demand_likeness([subject_of(measure) for measure in plan.measures])
        except BaseException:
            self.close()
            raise

    # --- before the run --------------------------------------------------------------------------------

    def _connected(self) -> Any:
        try:
            return self._dask.Client(self._address, timeout=CONNECT, set_as_default=False, name="metaeval")
        except OSError:
            raise InputError(f"no Dask scheduler answers at {self._address} within {CONNECT:g} s") from None
        except ValueError as error:
            raise InputError(f"{self._address!r} is no address of a Dask scheduler: {error}") from None

    def _demand_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=CONNECT)
        except OSError:
            raise InputError(
                f"the Dask scheduler at {self._address} has no worker; start one with `dask worker {self._address}`"
            ) from None

    def _demand_likeness(self, subjects: Sequence[Subject]) -> None:
        """Refuse workers that would find other results, and measures that they cannot load."""
        parcels = [pack(subject) for subject in subjects if not isinstance(subject, str)]
        try:
            answers = self._client.run(_objection, self._installation, parcels)
        except Exception as error:  # whatever a worker without this metaeval makes of the question
            raise InputError(
                f"the Dask workers at {self._address} cannot load metaeval {self._installation.metaeval}: {error}"
            ) from error
        for worker, objection in sorted(answers.items()):
            if objection is not None:
                raise InputError(f"the Dask worker at {worker} {objection}")

    # --- during the run --------------------------------------------------------------------------------

    @property
    def slots(self) -> float:
        """Unknown: workers come and go. Jobs are small, because a lost worker loses all that its job has found."""
        return inf

    @property
    def running(self) -> Sequence[Job]:
        """The jobs under way, or handed to the cluster."""
        return [place.job for place in self._places]

    def fill(self, ready: deque[Job]) -> None:
        """Submit jobs while there is a place free."""
        while ready and len(self._places) < self._room():
            self._places.append(self._submitted(ready.popleft()))

    def _submitted(self, job: Job) -> _Place:
        key = f"metaeval-{uuid.uuid4().hex}"
        parcel = pack(job)
        future = self._client.submit(_carry_out, parcel, key, self._settings.budget, self._installation, key=key)
        return _Place(job, future, self._dask.Event(key, client=self._client))

    def _room(self) -> int:
        """How many jobs may be under way at once; workers come and go."""
        self._look()
        return self._settings.jobs or max(self._threads, 1)

    def _look(self) -> None:
        """Count the workers' threads, and give up when there have been none for long."""
        now = wall_clock()
        if now - self._looked < _LOOK:
            return
        self._threads, self._looked = self._count(), now
        if self._threads:
            self._seen = now
        elif now - self._seen > PATIENCE:
            raise self._gone(f"has had no worker for {PATIENCE:g} s")

    def _count(self) -> int:
        try:
            return sum(self._client.nthreads().values())
        except OSError:
            raise self._gone("does not answer any more") from None

    def _gone(self, what: str) -> MetaevalError:
        return MetaevalError(f"the Dask scheduler at {self._address} {what}; {_GO_ON}")

    def wait(self, others: Sequence[Any]) -> None:
        """Wait until another source has something to read, but no longer than a moment."""
        self._look()
        if not any(place.future.done() for place in self._places):
            connection.wait(others, TICK)

    def news(self) -> Iterator[tuple[Job, News]]:
        """What jobs have told and how they have ended since the last call."""
        for place in list(self._places):
            if place.future.done():
                news = self._news_of(place.future)
                self._places.remove(place)
                place.begun.clear()
                yield from ((place.job, one) for one in news)

    def _news_of(self, future: Any) -> list[News]:
        try:
            news: list[News] = future.result()
        except self._dask.KilledWorker:
            return [_LOST]
        except (asyncio.CancelledError, self._dask.CancelledError):
            raise self._gone("is gone, or has dropped the jobs") from None
        return news

    def close(self) -> None:
        """Cancel what is under way, which the workers notice, and leave the cluster."""
        # The scheduler may be gone; leaving it must not hide why.
        with contextlib.suppress(OSError, asyncio.CancelledError):
            self._client.cancel([place.future for place in self._places], force=True)
            for place in self._places:
                place.begun.clear()
        self._places.clear()
        self._client.close()


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise InputError(
            "the backend dask needs dask.distributed, which is not installed; pip install 'metaeval[dask]'"
        ) from None


# --- on a worker ---------------------------------------------------------------------------------------


def _objection(theirs: Installation, parcels: Sequence[Parcel]) -> str | None:
    """What speaks against doing jobs here for another metaeval, or None."""
    difference = Installation.here().difference(theirs)
    if difference is not None:
        return difference
    for parcel in parcels:
        try:
            parcel.unpack()
        except Exception as error:
            return f"cannot load the measure {parcel.label}: {type(error).__name__}: {error}"
    return None


def _carry_out(parcel: Parcel, key: str, budget: float | None, theirs: Installation) -> list[News]:
    """Do a job in a child of this worker: what it told, and how it ended."""
    distributed = _distributed()
    begun = distributed.Event(key)
    # Dask hands the job of a worker that died to another, and to two more. If the job is what killed the first,
    # it shall not take these down too: whoever submitted the job decides whether it is tried again.
    if begun.is_set():
        return [_LOST]
    begun.set()
    # A worker that joined after the run began has not been looked at yet.
    objection = _objection(theirs, [])
    if objection is not None:
        raise InputError(f"the Dask worker at {distributed.get_worker().address} {objection}")
    preload()
    # Dask starts its workers as daemons, which Python forbids to have children; ours never outlive their parent.
    multiprocessing.current_process().daemon = False
    told: list[News] = []
    unwanted = _cancellation(distributed.get_worker(), key)
    ending = supervise(budget, _work, parcel, unwanted=unwanted, hear=told.append)
    return [*told, ending]


def _work(notice: Notice, parcel: Parcel) -> Any:
    return parcel.unpack().work(notice)


def _cancellation(worker: Any, key: str) -> Callable[[], bool]:
    """Whether the client has cancelled a task, or is gone; Dask itself does not stop what has begun."""

    def cancelled() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    return cancelled
