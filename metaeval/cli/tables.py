"""Plain tables that fit the terminal."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from tabulate import tabulate

#: A last column narrower than this says nothing.
_LEAST = 20
_GAP = 2
#: tabulate leaves this much room beside a header.
_PADDING = 2


def terminal_width() -> int:
    """The terminal's width; no limit where the output goes to a file or a pipe."""
    return shutil.get_terminal_size(fallback=(100_000, 24)).columns


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


def _room(headers: Sequence[str], rows: Sequence[Sequence[str]], dropped: Sequence[str], limit: int) -> int:
    """What the columns before the last one leave for it."""
    taken = 0
    for index, header in enumerate(headers[:-1]):
        if header not in dropped:
            taken += max([len(header) + _PADDING, *(len(row[index]) for row in rows)]) + _GAP
    return limit - taken
