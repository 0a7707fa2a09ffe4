"""Where jobs run: the interface of a backend, and the backend of this machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from metaeval.core.errors import InputError
from metaeval.core.settings import Settings
from metaeval.runner.jobs import Job
from metaeval.runner.plan import Plan
from metaeval.workers.worker import TICK, Message, PartialResult, Worker, wait

LOCAL, DASK = "local", "dask"
BACKENDS = (LOCAL, DASK)


class Backend(Protocol):
    """Runs jobs, several at once."""

    @property
    def slots(self) -> float:
        """The number of workers at a time; infinite if unknown."""

    @property
    def running(self) -> Sequence[Job]:
        """The jobs that have started and not ended."""

    def fill(self, ready: deque[Job]) -> None:
        """Start jobs while a slot is free."""

    def wait(self, others: Sequence[Any]) -> None:
        """Wait for a message of a job or for another source with something to read, but only for a moment."""

    def messages(self) -> Iterator[tuple[Job, Message]]:
        """The partial results and endings of jobs since the last call."""

    def close(self) -> None:
        """Stop all jobs and release everything."""


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
        return self._settings.processes

    @property
    def running(self) -> Sequence[Job]:
        return [job for job, _ in self._workers]

    def fill(self, ready: deque[Job]) -> None:
        while ready and len(self._workers) < self._settings.processes:
            job = ready.popleft()
            self._workers.append((job, Worker(job.work)))

    def wait(self, others: Sequence[Any]) -> None:
        wait([worker for _, worker in self._workers], others, TICK)

    def messages(self) -> Iterator[tuple[Job, Message]]:
        for job, worker in list(self._workers):
            while (message := worker.next_message(self._settings.budget)) is not None:
                if isinstance(message, PartialResult):
                    yield job, message
                    continue
                self._workers.remove((job, worker))
                yield job, message
                break

    def close(self) -> None:
        for _, worker in self._workers:
            worker.stop()
        self._workers.clear()
