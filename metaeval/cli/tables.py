"""Tables and colour in the terminal."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence

import click
from tabulate import tabulate

from metaeval.core.verdict import Verdict

Paint = Callable[[str], str]


def is_wanted() -> bool:
    """Whether what goes to standard output is coloured."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") in ("dumb", ""):
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def of(verdict: Verdict, expected: bool = False) -> Paint:
    """Green for what holds, red for what counts against a measure; yellow for what lies between or is known."""
    if verdict.counts_against and not expected:
        return red
    return green if verdict.satisfied else yellow


def green(text: str) -> str:
    """As for what holds."""
    return _painted(text, "green")


def red(text: str) -> str:
    """As for what fails."""
    return _painted(text, "red")


def yellow(text: str) -> str:
    """As for what is undecided, or known already."""
    return _painted(text, "yellow")


def bold(text: str) -> str:
    """As for a title."""
    return click.style(text, bold=True) if text.strip() and is_wanted() else text


def first_line(text: str) -> str:
    """A text whose first line is its title."""
    title, newline, rest = text.partition("\n")
    return bold(title) + newline + rest


def symbols(text: str) -> str:
    """A text with the symbols of verdicts in it, each in its colour."""
    if not is_wanted():
        return text
    paints = {verdict.symbol: of(verdict) for verdict in Verdict}
    return "".join(paints[sign](sign) if sign in paints else sign for sign in text)


def _painted(text: str, colour: str) -> str:
    return click.style(text, fg=colour) if text.strip() and is_wanted() else text


#: A width that no line reaches, for output that goes to a file and for tables whose last column is of use only whole.
NO_LIMIT = 100_000
#: A last column narrower than this says nothing.
_LEAST = 20
_GAP = 2
#: tabulate leaves this much room beside a header.
_PADDING = 2
#: The line under a last column whose width is not known yet.
_RULE = 40
_PLAIN: Mapping[str, Paint] = {}


def terminal_width() -> int:
    """The terminal's width; no limit where the output goes to a file or a pipe."""
    return shutil.get_terminal_size(fallback=(NO_LIMIT, 24)).columns


def shorten(text: str, width: int) -> str:
    """``text`` on one line of at most ``width`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: max(width - 1, 0)].rstrip() + "…"


def render(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Sequence[str] = (),
    optional: Sequence[str] = (),
    width: int | None = None,
) -> str:
    """A table whose last column is shortened to fit; where it has no room, ``optional`` columns go first."""
    limit = terminal_width() if width is None else width
    dropped: list[str] = []
    while _room(headers, rows, dropped, limit) < _LEAST and len(dropped) < len(optional):
        dropped.append(optional[len(dropped)])
    room = max(_room(headers, rows, dropped, limit), len(headers[-1]))
    kept = [index for index, header in enumerate(headers) if header not in dropped]
    last = len(headers) - 1
    lines = [[shorten(row[i], room if i == last else len(row[i])) for i in kept] for row in rows]
    names = [headers[i] for i in kept]
    # Numbers are formatted already; tabulate must not read ids such as "1e5" as numbers.
    align = ["right" if name in right else "left" for name in names]
    text: str = tabulate(lines, names, tablefmt="simple", disable_numparse=True, colalign=align if lines else None)
    return "\n".join(line.rstrip() for line in text.splitlines())


class Growing:
    """A table that is printed as its rows come in: how wide its columns are must be known in advance."""

    def __init__(
        self,
        headers: Sequence[str],
        foreseen: Sequence[Sequence[str]],
        optional: Sequence[str],
        width: int | None = None,
    ) -> None:
        """``foreseen`` are rows of cells as wide as those that will come; the rest is as for :func:`render`.

        The last column is wrapped where a cell turns out wider.
        """
        limit = terminal_width() if width is None else width
        wanted = max((len(row[-1]) for row in foreseen), default=0)
        dropped: list[str] = []
        while _room(headers, foreseen, dropped, limit, 0) < wanted and len(dropped) < len(optional):
            dropped.append(optional[len(dropped)])
        self._room = max(_room(headers, foreseen, dropped, limit, 0), _LEAST)
        self._kept = [index for index, header in enumerate(headers) if header not in dropped]
        self._widths = [_width(headers[index], index, foreseen, 0) for index in self._kept[:-1]]
        self._headers = headers

    def head(self) -> str:
        """The lines above the rows."""
        rules = ["-" * width for width in (*self._widths, min(self._room, _RULE))]
        return f"{self._line([self._headers[index] for index in self._kept])}\n{self._line(rules)}"

    def row(self, cells: Sequence[str], paints: Mapping[str, Paint] | None = None) -> str:
        """A row, the columns of some headers painted; of several lines where the last cell is wider than its room."""
        *first, last = (cells[index] for index in self._kept)
        start, *rest = _wrapped(last, self._room)
        lines = [self._line([*first, start], paints or {})]
        return "\n".join([*lines, *(self._line([*("" for _ in first), more]) for more in rest)])

    def _line(self, cells: Sequence[str], paints: Mapping[str, Paint] = _PLAIN) -> str:
        padded = [cell.ljust(width) for cell, width in zip(cells, [*self._widths, 0], strict=True)]
        names = [self._headers[index] for index in self._kept]
        painted = [paints.get(name, str)(cell) for name, cell in zip(names, padded, strict=True)]
        return (" " * _GAP).join(painted).rstrip()


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]


def _width(header: str, index: int, rows: Sequence[Sequence[str]], padding: int = _PADDING) -> int:
    return max([len(header) + padding, *(len(row[index]) for row in rows)])


def _room(
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    dropped: Sequence[str],
    limit: int,
    padding: int = _PADDING,
) -> int:
    """What the columns before the last one leave for it."""
    taken = 0
    for index, header in enumerate(headers[:-1]):
        if header not in dropped:
            taken += _width(header, index, rows, padding) + _GAP
    return limit - taken
