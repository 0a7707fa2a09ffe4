"""What measures print, warnings among it: kept for the report, a bounded part of it, and shown nowhere else."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable
from typing import TextIO

from metaeval.files.shown import printable

#: So many characters of what a measure prints are kept.
MOST = 2000
CUT = f"… (cut: only the first {MOST:,} characters are kept)"


class Printed:
    """What was printed, by the position of the measure that was being called."""

    def __init__(self, position: Callable[[], int | None]) -> None:
        self._position = position
        self.writes = 0
        self._kept: dict[int, list[str]] = {}
        self._room: dict[int, int] = {}

    def note(self, text: str) -> None:
        """Keep a text, or as much of it as there is room for."""
        self.writes += 1
        position = self._position()
        room = self._room.setdefault(position, MOST) if position is not None else -1
        if position is not None and room >= 0:
            self._kept.setdefault(position, []).append(text[:room])
            self._room[position] = room - len(text)

    def texts(self) -> dict[int, str]:
        """What is kept of every measure that printed anything."""
        return {position: self._text(position) for position in self._kept}

    def taken(self) -> dict[int, str]:
        """What is kept; from here on it is kept no longer."""
        texts = self.texts()
        self._kept, self._room = {}, {}
        return texts

    def _text(self, position: int) -> str:
        text = printable("".join(self._kept[position])).rstrip()
        return f"{text}{CUT}" if self._room[position] < 0 else text


class KeepingStream(io.TextIOWrapper):
    """In place of ``sys.stdout``: writes to where it is told, and keeps what is written."""

    def __init__(self, descriptor: int, printed: Printed) -> None:
        super().__init__(open(descriptor, "wb", closefd=False), write_through=True)  # noqa: SIM115
        self._printed = printed

    def write(self, text: str) -> int:
        """Keep the text; the descriptor leads nowhere."""
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
    """As Python shows a warning, with its place: the command line says less of those that are metaeval's own."""
    (file or sys.stderr).write(warnings.formatwarning(message, category, filename, lineno, line))
