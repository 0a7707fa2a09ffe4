"""Tables, colour and notices in the terminal."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from threading import Timer
from typing import TYPE_CHECKING, Any

import click

from metaeval.core.verdict import Verdict
from metaeval.display.layout import paragraph, shorten, table

if TYPE_CHECKING:
    from rich.status import Status

Paint = Callable[[str], str]
Texts = Sequence[str]

#: A width that no line reaches, for output that goes to a file and for tables whose last column must stay whole.
NO_LIMIT = 100_000
#: Lines longer than this are hard to read.
_WIDEST = 100
#: The least room that a last column needs, and what it should have if other columns can be left out for it.
_LEAST, _WANTED = 20, 36
_GAP = 2
#: tabulate leaves this much room beside a header.
_PADDING = 2
#: The length of the rule below a last column whose width is not known yet.
_RULE = 40
#: Seconds before the first notice, and between two lines of a log.
_PATIENCE = 2.0


def _painted(text: str, **style: Any) -> str:
    """``text`` with a style, where the command writes in colour (``ctx.color``)."""
    context = click.get_current_context(silent=True)
    return click.style(text, **style) if context is not None and context.color and text.strip() else text


green: Paint = partial(_painted, fg="green")
red: Paint = partial(_painted, fg="red")
yellow: Paint = partial(_painted, fg="yellow")
bold: Paint = partial(_painted, bold=True)


def of(verdict: Verdict, expected: bool = False) -> Paint:
    """Green for what holds, red for what counts against a measure, yellow for the rest and for what is expected."""
    if verdict.counts_against and not expected:
        return red
    return green if verdict.satisfied else yellow


def symbols(text: str) -> str:
    """A text with every symbol of a verdict in its colour."""
    paints = {verdict.symbol: of(verdict) for verdict in Verdict}
    return "".join(paints[sign](sign) if sign in paints else sign for sign in text)


def terminal_width() -> int:
    """The terminal's width; no limit where the output goes to a file or a pipe."""
    return shutil.get_terminal_size(fallback=(NO_LIMIT, 24)).columns


def page_width() -> int:
    """The width of text: the terminal's, but at most 100 columns."""
    return min(terminal_width(), _WIDEST)


def render(
    headers: Texts, rows: Sequence[Texts], *, right: Texts = (), optional: Texts = (), width: int | None = None
) -> str:
    """A table whose last column is shortened to fit; where it has no room, ``optional`` columns are dropped first."""
    kept, room = _fitted(headers, rows, optional, width, _WANTED, _PADDING)
    lines = [[*(row[at] for at in kept[:-1]), shorten(row[-1], max(room, len(headers[-1])))] for row in rows]
    return table([headers[at] for at in kept], lines, right)


class Growing:
    """A table that is printed row by row, so the widths of its columns must be known in advance."""

    def __init__(
        self, headers: Texts, foreseen: Sequence[Texts], optional: Texts = (), width: int | None = None,
        right: Texts = (), padding: int = 0,
    ) -> None:  # fmt: skip
        """``foreseen`` are rows as wide as those to come; a wider last cell is wrapped. The rest as in ``render``."""
        wanted = max((len(row[-1]) for row in foreseen), default=0)
        kept, room = _fitted(headers, foreseen, optional, width, wanted, padding)
        self._kept, self._room = kept, max(room, _LEAST)
        self._widths = [_width(headers[at], at, foreseen, padding) for at in kept[:-1]]
        self._headers = [headers[at] for at in kept]
        self._right = right

    def head(self) -> str:
        last = "-" * min(self._room, _RULE) if self._headers[-1] else ""
        return f"{self._line(self._headers)}\n{self._line([*('-' * width for width in self._widths), last])}"

    def row(self, cells: Texts, paints: Mapping[str, Paint] | None = None) -> str:
        """A row, with ``paints`` for columns by header; several lines where the last cell is wider than its room."""
        *first, last = (cells[at] for at in self._kept)
        start, *rest = paragraph(last, self._room) or [""]
        more = (self._line([*("" for _ in first), line]) for line in rest)
        return "\n".join([self._line([*first, start], paints), *more])

    def _line(self, cells: Texts, paints: Mapping[str, Paint] | None = None) -> str:
        placed = []
        for name, cell, width in zip(self._headers, cells, [*self._widths, 0], strict=True):
            padded = cell.rjust(width) if name in self._right else cell.ljust(width)
            placed.append((paints or {}).get(name, str)(padded))
        return (" " * _GAP).join(placed).rstrip()


def _width(header: str, index: int, rows: Sequence[Texts], padding: int) -> int:
    return max([len(header) + padding, *(len(row[index]) for row in rows)])


def _fitted(
    headers: Texts, rows: Sequence[Texts], optional: Texts, width: int | None, wanted: int, padding: int
) -> tuple[list[int], int]:
    """The columns to show and the room for the last: ``optional`` ones are dropped until it has what is wanted."""
    limit = terminal_width() if width is None else width
    for number in range(len(optional) + 1):
        kept = [at for at, header in enumerate(headers) if header not in optional[:number]]
        room = limit - sum(_width(headers[at], at, rows, padding) + _GAP for at in kept[:-1])
        if room >= wanted:
            break
    return kept, room


class StepNotice(AbstractContextManager["StepNotice"]):
    """Says which step is under way once the steps have taken two seconds; a log gets one line per two seconds."""

    def __init__(self) -> None:
        self._due = time.monotonic() + _PATIENCE
        self._timer: Timer | None = None
        self._status: Status | None = None

    def __call__(self, step: str) -> None:
        """Begin a step; the notice of the last one goes away."""
        self.clear()
        self._timer = Timer(max(self._due - time.monotonic(), 0), self._show, [step])
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
                self._due = time.monotonic() + _PATIENCE
                click.echo(f"metaeval: {step}", err=True)
