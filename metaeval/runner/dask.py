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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import version
from math import inf
from multiprocessing import connection
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from metaeval.catalogue.measure import FILE_MODULE, Measure, behind
from metaeval.core.digest import digest_of
from metaeval.core.errors import InputError, MetaevalError
from metaeval.core.settings import Settings
from metaeval.kernel.overlay import preload
from metaeval.runner.jobs import Gating, Job, ReadingSearch, SearchJob, Subject, subject_of
from metaeval.runner.plan import Plan
from metaeval.workers.budget import wall_clock
from metaeval.workers.worker import TICK, Died, Message, supervise


@dataclass(frozen=True)
class Parcel:
    """A job or a measure, pickled."""

    label: str
    content: bytes

    def unpack(self) -> Any:
        return importlib.import_module("cloudpickle").loads(self.content)


def pack(content: Job | Measure) -> Parcel:
    """Pickle a job or a measure with all modules that it needs; an error if that is impossible."""
    label = content.id if isinstance(content, Measure) else content.label
    cloudpickle = importlib.import_module("cloudpickle")
    known = cloudpickle.list_registry_pickle_by_value()
    modules = {one.__name__: one for one in _own_modules(list(_measures_in(content))) if one.__name__ not in known}
    # Functions of these modules are pickled by value, because other machines do not have the modules.
    for module in modules.values():
        cloudpickle.register_pickle_by_value(module)
    try:
        return Parcel(label, cloudpickle.dumps(content))
    except Exception as error:  # pickling runs code of the objects that it pickles
        raise InputError(f"{label} cannot be sent to another machine: {error}") from error
    finally:
        for module in modules.values():
            cloudpickle.unregister_pickle_by_value(module)


def _measures_in(content: Any) -> Iterator[Measure]:
    """The measure itself, or the measures in the fields of a job and of its parts."""
    if isinstance(content, Measure):
        yield content
    elif isinstance(content, tuple):
        for one in content:
            yield from _measures_in(one)
    elif isinstance(content, (Gating, SearchJob, ReadingSearch)):
        yield from _measures_in(tuple(vars(content).values()))


def _own_modules(measures: list[Measure]) -> list[ModuleType]:
    """The modules that only this machine has: the modules of the measures' functions, and users' files.

    An adapter's function may call any function of such a file.
    """
    names = {name for name in sys.modules if measures and name.startswith(FILE_MODULE)}
    names |= {getattr(behind(measure.own or measure.function), "__module__", None) or "" for measure in measures}
    found = [sys.modules[name] for name in sorted(names) if name in sys.modules]
    installed = tuple(map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")))
    own = [module for module in found if module.__name__.partition(".")[0] != "metaeval"]
    return [module for module in own if not (getattr(module, "__file__", None) or "").startswith(installed)]


@dataclass(frozen=True)
class Installation:
    """Everything that results depend on, except the settings."""

    metaeval: str
    python: str
    hypothesis: str
    numpy: str
    #: A digest of metaeval's files: two checkouts of the same version may differ.
    files: str

    @classmethod
    def here(cls) -> Installation:
        versions = {name: version(name) for name in ("metaeval", "hypothesis", "numpy")}
        return cls(**versions, python=platform.python_version(), files=digest_of_package())

    def difference(self, other: Installation) -> str | None:
        """A sentence on the first difference, or None."""
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if mine != theirs and field.name == "files":
                return f"has other files of metaeval {self.metaeval} than this machine; install the same there"
            if mine != theirs:
                return f"has {field.name} {mine}, this machine has {theirs}; install the same version there"
        return None


@cache
def digest_of_package() -> str:
    """The digest of every file of the package, in the same order in a checkout and in an installed wheel."""
    files: dict[str, Path] = {}
    for name in ("", "conditions", "measures", "reports"):
        (folder,) = importlib.import_module(f"metaeval.{name}".rstrip(".")).__path__
        files |= {(Path(name) / file.relative_to(folder)).as_posix(): file for file in Path(folder).rglob("*.py")}
    return digest_of(files[name] for name in sorted(files))


#: Seconds within which a scheduler must answer, and must have a worker.
CONNECT = 10
#: Seconds for which a run waits for another worker after the cluster has lost its last one.
PATIENCE = 120
#: Seconds between two counts of the workers.
_LOOK = 1.0

_GO_ON = "with --resume the run goes on from what is done"
_LOST = Died(None, "went down with its worker")


class _Submitted(NamedTuple):
    """A job at the cluster: Dask's future, and the event that a worker sets when it starts the job."""

    job: Job
    future: Any
    begun: Any


class DaskBackend:
    """Jobs on the workers of a cluster: at once as many as the workers have threads, or as ``jobs`` allows."""

    def __init__(self, address: str | None, plan: Plan, settings: Settings) -> None:
        self._dask = _distributed()
        if address is None:
            raise InputError("the backend dask needs the address of a scheduler, such as --address tcp://10.0.0.1:8786")
        self._address = address
        self._settings = settings
        self._installation = Installation.here()
        self._submitted: list[_Submitted] = []
        try:
            self._client = self._dask.Client(address, timeout=CONNECT, set_as_default=False, name="metaeval")
        except OSError:
            raise InputError(f"no Dask scheduler answers at {address} within {CONNECT:g} s") from None
        except ValueError as error:
            raise InputError(f"{address!r} is no address of a Dask scheduler: {error}") from None
        self._looked, self._threads, self._seen = 0.0, 0, wall_clock()
        try:
            self._demand_likeness([subject_of(measure) for measure in plan.measures])
        except BaseException:
            self.close()
            raise

    def _demand_likeness(self, subjects: Sequence[Subject]) -> None:
        """Refuse workers that may give other results, and measures that they cannot load."""
        try:
            self._client.wait_for_workers(1, timeout=CONNECT)
        except OSError:
            raise InputError(
                f"the Dask scheduler at {self._address} has no worker; start one with `dask worker {self._address}`"
            ) from None
        parcels = [pack(subject) for subject in subjects if not isinstance(subject, str)]
        try:
            answers = self._client.run(_objection, self._installation, parcels)
        except Exception as error:  # a worker without this metaeval may raise anything
            raise InputError(
                f"the Dask workers at {self._address} cannot load metaeval {self._installation.metaeval}: {error}"
            ) from error
        for worker, objection in sorted(answers.items()):
            if objection is not None:
                raise InputError(f"the Dask worker at {worker} {objection}")

    @property
    def slots(self) -> float:
        """Unknown, because workers come and go. So jobs are small: a lost worker loses all results of its job."""
        return inf

    @property
    def running(self) -> Sequence[Job]:
        """The jobs at the cluster, started or not."""
        return [one.job for one in self._submitted]

    def fill(self, ready: deque[Job]) -> None:
        self._look()
        while ready and len(self._submitted) < (self._settings.jobs or max(self._threads, 1)):
            job, key = ready.popleft(), f"metaeval-{uuid.uuid4().hex}"
            future = self._client.submit(_carry_out, pack(job), key, self._settings.budget, self._installation, key=key)
            self._submitted.append(_Submitted(job, future, self._dask.Event(key, client=self._client)))

    def _look(self) -> None:
        """Count the threads of the workers; give up if there were none for a long time."""
        now = wall_clock()
        if now - self._looked < _LOOK:
            return
        try:
            self._threads, self._looked = sum(self._client.nthreads().values()), now
        except OSError:
            raise self._gone("does not answer any more") from None
        if self._threads:
            self._seen = now
        elif now - self._seen > PATIENCE:
            raise self._gone(f"has had no worker for {PATIENCE:g} s")

    def _gone(self, what: str) -> MetaevalError:
        return MetaevalError(f"the Dask scheduler at {self._address} {what}; {_GO_ON}")

    def wait(self, others: Sequence[Any]) -> None:
        self._look()
        if not any(one.future.done() for one in self._submitted):
            connection.wait(others, TICK)

    def messages(self) -> Iterator[tuple[Job, Message]]:
        for one in list(self._submitted):
            if one.future.done():
                try:
                    messages: list[Message] = one.future.result()
                except self._dask.KilledWorker:
                    messages = [_LOST]
                except (asyncio.CancelledError, self._dask.CancelledError):
                    raise self._gone("is gone, or has dropped the jobs") from None
                self._submitted.remove(one)
                one.begun.clear()
                yield from ((one.job, message) for message in messages)

    def close(self) -> None:
        """Cancel all jobs, which the workers notice, and leave the cluster."""
        # The scheduler may be gone; an error here must not hide the reason.
        with contextlib.suppress(OSError, asyncio.CancelledError):
            self._client.cancel([one.future for one in self._submitted], force=True)
            for one in self._submitted:
                one.begun.clear()
        self._submitted.clear()
        self._client.close()


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise InputError(
            "the backend dask needs dask.distributed, which is not installed; pip install distributed"
        ) from None


# --- on a worker ---------------------------------------------------------------------------------------


def _objection(theirs: Installation, parcels: Sequence[Parcel]) -> str | None:
    """Why this worker must not run jobs of another installation, or None."""
    if (difference := Installation.here().difference(theirs)) is not None:
        return difference
    for parcel in parcels:
        try:
            parcel.unpack()
        except Exception as error:
            return f"cannot load the measure {parcel.label}: {type(error).__name__}: {error}"
    return None


def _carry_out(parcel: Parcel, key: str, budget: float | None, theirs: Installation) -> list[Message]:
    """Run a job in a metaeval worker, forked from this Dask worker: its partial results and its ending."""
    distributed = _distributed()
    begun = distributed.Event(key)
    # Dask gives the job of a dead worker to up to three others. If the job killed the first, it must not kill these
    # too: the client decides whether the job is tried again.
    if begun.is_set():
        return [_LOST]
    begun.set()
    # A worker that joined after the start of the run has not been checked yet.
    dask_worker = distributed.get_worker()
    if (objection := _objection(theirs, [])) is not None:
        raise InputError(f"the Dask worker at {dask_worker.address} {objection}")
    preload()
    # Dask's workers are daemons, which Python forbids to have child processes; ours never outlive their parent.
    multiprocessing.current_process().daemon = False
    results: list[Message] = []

    def cancelled() -> bool:
        """Whether the client has cancelled the job, or is gone; Dask itself does not stop a running job."""
        task = dask_worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    ending = supervise(budget, lambda watch: parcel.unpack().work(watch), unwanted=cancelled, receive=results.append)
    return [*results, ending]
