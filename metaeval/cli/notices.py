"""Notices on stderr of work that takes more than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from threading import Timer
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.status import Status

#: Seconds before the first notice, and between two lines of a log.
_PATIENCE = 2.0


class StepNotice(AbstractContextManager["StepNotice"]):
    """Says which step is under way once the steps have taken two seconds; a log gets one line per two seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._due = clock() + _PATIENCE
        self._timer: Timer | None = None
        self._status: Status | None = None

    def __call__(self, step: str) -> None:
        """Begin a step; the notice of the last one goes away."""
        self.clear()
        self._timer = Timer(max(self._due - self._clock(), 0), self._show, [step])
        self._timer.daemon = True  # an interrupted command does not wait for its notice
        self._timer.start()

    def clear(self) -> None:
        """End the step: its notice goes away, so that a result can be printed to the same terminal."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer.join()
        if self._status is not None:
            self._status.stop()
            self._status = None

    def __exit__(self, *_: object) -> None:
        self.clear()

    def _show(self, step: str) -> None:
        with suppress(OSError):
            if sys.stderr is not None and sys.stderr.isatty():
                # Loaded here: most commands are done before anyone waits.
                from rich.console import Console
                from rich.text import Text

                self._status = Console(stderr=True).status(Text(step))
                self._status.start()
            else:
                self._due = self._clock() + _PATIENCE
                click.echo(f"metaeval: {step}", err=True)
