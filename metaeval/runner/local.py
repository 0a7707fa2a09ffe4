"""Where jobs run: the interface of a backend, and the backend of this machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from metaeval.core.errors import InputError
from metaeval.core.settings import Settings
from metaeval.runner.jobs import Job
from metaeval.runner.plan import Plan
from metaeval.workers.worker import TICK, Child, News, Told, wait

LOCAL, DASK = "local", "dask"
BACKENDS = (LOCAL, DASK)


class Backend(Protocol):
    """Does jobs, several at once."""

    @property
    def slots(self) -> float:
        """The number of workers at a time; infinite if unknown."""

    @property
    def running(self) -> Sequence[Job]:
        """The jobs under way."""

    def fill(self, ready: deque[Job]) -> None:
        """Start jobs while there is a place free."""

    def wait(self, others: Sequence[Any]) -> None:
        """Wait until there is news of a job or another source has something to read, but no longer than a moment."""

    def news(self) -> Iterator[tuple[Job, News]]:
        """What jobs have told, and how they have ended, since this was last asked."""

    def close(self) -> None:
        """End what is under way, and let go of everything."""


def open_backend(name: str, address: str | None, plan: Plan, settings: Settings) -> Backend:
    """The backend of a name, ready to do the jobs of a plan; whoever opens it closes it."""
    if name not in BACKENDS:
        raise InputError(f"backend is {name!r}; expected one of {', '.join(BACKENDS)}")
    if name == LOCAL:
        if address is not None:
            raise InputError(f"the address {address!r} is for the backend dask; choose that, or leave it out")
        return LocalBackend(settings)
    # Dask is large, and an extra that need not be installed.
    from metaeval.runner.dask import DaskBackend

    return DaskBackend(address, plan, settings)


class LocalBackend:
    """Forked children, as many at once as the settings allow.

    A child is forked for the job and holds everything that this process holds, so that a notebook's measures
    work as they are. A pool of processes, joblib's for one, would have to send them, and breaks as a whole when one
    of its processes is killed.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._places: list[tuple[Job, Child]] = []

    @property
    def slots(self) -> float:
        """The number of workers at a time."""
        return self._settings.processes

    @property
    def running(self) -> Sequence[Job]:
        """The jobs under way."""
        return [job for job, _ in self._places]

    def fill(self, ready: deque[Job]) -> None:
        """Start jobs while there is a place free."""
        while ready and len(self._places) < self._settings.processes:
            job = ready.popleft()
            self._places.append((job, Child(job.work)))

    def wait(self, others: Sequence[Any]) -> None:
        """Wait until a child has ended or another source has something to read, but no longer than a moment."""
        wait([child for _, child in self._places], others, TICK)

    def news(self) -> Iterator[tuple[Job, News]]:
        """What jobs have told, and how they have ended, since this was last asked."""
        for place in list(self._places):
            job, child = place
            while (news := child.news(self._settings.budget)) is not None:
                if isinstance(news, Told):
                    yield job, news
                    continue
                self._places.remove(place)
                yield job, news
                break

    def close(self) -> None:
        """End the children."""
        for _, child in self._places:
            child.stop()
        self._places.clear()
