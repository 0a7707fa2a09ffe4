"""Backends: where the jobs of a run are done, on this machine or on a cluster.

Wherever that is, a job is done in a forked child under the same watch (:mod:`metaeval.workers.worker`), and ends
in the same ways. So the results do not depend on it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from metaeval.core.errors import InputError
from metaeval.core.settings import Settings
from metaeval.runner.jobs import Job
from metaeval.runner.local import LocalBackend
from metaeval.runner.plan import Plan
from metaeval.workers.worker import News

LOCAL, DASK = "local", "dask"
BACKENDS = (LOCAL, DASK)


class Backend(Protocol):
    """Does jobs, several at once."""

    @property
    def places_to_share(self) -> int:
        """How many jobs can be under way at once that tell what they find on the way; 0 where none can."""

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
