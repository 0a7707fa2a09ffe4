"""What is under way, on stderr, for commands that may take a while: nothing at first, then a line now and again."""

from __future__ import annotations

import time
from collections.abc import Callable

import click

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
