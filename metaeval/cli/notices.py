"""Notices on stderr of work that takes over two seconds: one line, or a status that goes away."""

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

#: Seconds before the first line, and between two of them.
_PATIENCE = 2.0


class Waiting:
    """Says what is under way where the last word on it is some seconds old."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last = clock()

    def __call__(self, under_way: str) -> None:
        """Note what is under way, and tell it if it is time."""
        now = self._clock()
        if now - self._last >= _PATIENCE:
            self._last = now
            click.echo(f"metaeval: {under_way}", err=True)


def notices(clock: Callable[[], float] = time.monotonic) -> Callable[[str], DelayedNotice]:
    """Notices of what is done one after the other: none is shown while the first seconds pass."""
    end_of_patience = clock() + _PATIENCE
    return lambda text: DelayedNotice(text, end_of_patience - clock())


class DelayedNotice(AbstractContextManager["DelayedNotice"]):
    """Says on stderr what is under way, should it not be done after some seconds."""

    def __init__(self, text: str, delay: float) -> None:
        self._text = text
        self._status: Status | None = None
        self._timer = Timer(max(delay, 0), self._show)
        # An interrupted command does not wait for its notice.
        self._timer.daemon = True

    def __enter__(self) -> DelayedNotice:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        self._timer.join()
        if self._status is not None:
            # Gone before the row is printed, which may go to the same terminal.
            self._status.stop()

    def _show(self) -> None:
        with suppress(OSError):
            if sys.stderr is not None and sys.stderr.isatty():
                self._status = _status(self._text)
                self._status.start()
            else:
                click.echo(self._text, err=True)


def _status(text: str) -> Status:
    # Loaded here: most commands are done before anyone waits.
    from rich.console import Console
    from rich.text import Text

    return Console(stderr=True).status(Text(text))
