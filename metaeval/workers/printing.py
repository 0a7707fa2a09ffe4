"""The output of measures, warnings included: the first part is kept for the report, the rest is dropped."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable
from typing import TextIO

from metaeval.files.shown import printable

#: The number of characters that are kept per measure.
MOST = 2000
CUT = f"… (cut: only the first {MOST:,} characters are kept)"


class Printed:
    """The output, by the position of the measure that was being called."""

    def __init__(self, position: Callable[[], int | None]) -> None:
        self._position = position
        self.writes = 0
        self._kept: dict[int, list[str]] = {}
        self._room: dict[int, int] = {}

    def note(self, text: str) -> None:
        """Keep a text up to the limit."""
        self.writes += 1
        position = self._position()
        room = self._room.setdefault(position, MOST) if position is not None else -1
        if position is not None and room >= 0:
            self._kept.setdefault(position, []).append(text[:room])
            self._room[position] = room - len(text)

    def texts(self) -> dict[int, str]:
        """The kept output of every measure that printed anything."""
        texts = {position: printable("".join(kept)).rstrip() for position, kept in self._kept.items()}
        return {position: text + CUT if self._room[position] < 0 else text for position, text in texts.items()}

    def taken(self) -> dict[int, str]:
        """The kept output, which is then cleared."""
        texts = self.texts()
        self._kept, self._room = {}, {}
        return texts


class KeepingStream(io.TextIOWrapper):
    """Replaces ``sys.stdout`` and keeps what is written."""

    def __init__(self, descriptor: int, printed: Printed) -> None:
        super().__init__(open(descriptor, "wb", closefd=False), write_through=True)  # noqa: SIM115
        self._printed = printed

    def write(self, text: str) -> int:
        """Keep the text, and write nothing."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._printed.note(text)
        return len(text)


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show a warning as Python does, with its line; the command line shows metaeval's own warnings shorter."""
    (file or sys.stderr).write(warnings.formatwarning(message, category, filename, lineno, line))
