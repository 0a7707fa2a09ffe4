"""Plain text: paragraphs, tables, columns, blocks side by side, numbers with nouns."""

import textwrap
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise, zip_longest

from metaeval.core.grouping import grouped

_GAP = "   "
#: Runs of consecutive indices at least this long are written as first … last.
_RUN = 5


def paragraph(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """The lines of a text, words kept whole; ``first`` and ``rest`` are the indents, by default the same."""
    indent = first if rest is None else rest
    return textwrap.wrap(
        text, max(width, 20), initial_indent=first, subsequent_indent=indent, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a note: all but the first are indented."""
    return paragraph(text, width, rest="  ")


def shorten(text: str, width: int) -> str:
    """``text`` on one line of at most ``width`` characters; an ellipsis shows the cut."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: max(width - 1, 0)].rstrip() + "…"


def table(headers: Sequence[str], rows: Collection[Sequence[str]], right: Collection[str] = ()) -> str:
    """A table as plain text; ``right`` names the columns that are aligned right."""
    from tabulate import tabulate  # loaded here: most texts have no table

    # Numbers are formatted already; tabulate must not read ids such as "1e5" as numbers.
    align = ["right" if name in right else "left" for name in headers] if rows else None
    text: str = tabulate(rows, headers, tablefmt="simple", disable_numparse=True, colalign=align)
    return "\n".join(line.rstrip() for line in text.splitlines())


def bands(columns: list[list[str]], room: int, gap: int = 1) -> list[list[list[str]]]:
    """The columns in groups, none wider than ``room``."""
    bands: list[list[list[str]]] = []
    left = 0
    for column in columns:
        needed = max(map(len, column)) + gap
        if not bands or needed > left:
            bands.append([])
            left = room + gap
        bands[-1].append(column)
        left -= needed
    return bands


def joined(columns: list[list[str]], gap: int = 1) -> list[str]:
    """Columns of text side by side, each as wide as its widest entry."""
    widths = [max(map(len, column)) for column in columns]
    return [
        (" " * gap).join(entry.ljust(width) for entry, width in zip(line, widths, strict=True))
        for line in zip(*columns, strict=True)
    ]


def named_bands(names: list[str], columns: list[list[str]], width: int) -> list[str]:
    """Named lines across columns, in as many bands as the width needs; empty lines are left out."""
    margin = max(map(len, names)) + 2
    lines: list[str] = []
    for band in bands(columns, width - margin):
        lines += [""] if lines else []
        named = (name.ljust(margin) + line for name, line in zip(names, joined(band), strict=True))
        lines += [line for line in named if line.strip()]
    return lines


def side_by_side(blocks: list[list[str]], width: int) -> list[str]:
    """Blocks side by side where they fit, else one below the other."""
    widths = [max(map(len, block)) for block in blocks]
    if sum(widths) + len(_GAP) * (len(blocks) - 1) > width:
        return [line for at, block in enumerate(blocks) for line in ([""] if at else []) + block]
    lines = zip_longest(*blocks, fillvalue="")
    return [_GAP.join(part.ljust(size) for part, size in zip(line, widths, strict=True)) for line in lines]


def indices(members: frozenset[int]) -> str:
    """A set of indices, long runs shortened.

    >>> indices(frozenset({0, 2, 5, 6, 7, 8, 9}))
    '{0, 2, 5…9}'
    """
    shown = (f"{run[0]}…{run[-1]}" if len(run) >= _RUN else ", ".join(map(str, run)) for run in runs(sorted(members)))
    return "{" + ", ".join(shown) + "}"


def runs(ordered: Sequence[int]) -> list[Sequence[int]]:
    """The runs of neighbours in ordered indices."""
    breaks = [0, *(at for at, (a, b) in enumerate(pairwise(ordered), start=1) if b != a + 1), len(ordered)]
    return [ordered[start:stop] for start, stop in pairwise(breaks) if start < stop]


def spanned(ids: Sequence[str]) -> list[str]:
    """Ids of conditions; three or more consecutive ones by their first and last."""
    runs: list[list[str]] = []
    for id in ids:
        family, _, number = (runs[-1][-1] if runs else "").partition(".")
        if number.isdecimal() and id == f"{family}.{int(number) + 1}":
            runs[-1].append(id)
        else:
            runs.append([id])
    return [word for run in runs for word in ([f"{run[0]}–{run[-1]}"] if len(run) > 2 else run)]


def by_reading(cells: Iterable[str]) -> str:
    """Cells such as "A.1/literal", grouped by reading: "A.1–A.3 and B.1 (literal), B.2 (canonical)"."""
    groups = grouped((cell.partition("/") for cell in cells), lambda cell: cell[2])
    return ", ".join(f"{listed(spanned([id for id, _, _ in some]))} ({some[0][2]})" for some in groups)


def listed(words: Sequence[str], most: int | None = None) -> str:
    """A list of words: A.1, A.2 and A.3; the first of them where there are more than ``most``: A.1, A.2 and 7 more."""
    words = [*words[:most], f"{len(words) - most} more"] if most and len(words) > most else words
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def plural(amount: int, noun: str) -> str:
    """'1 object', '1,200 objects'."""
    return f"{amount:,} {noun}" if amount == 1 else f"{amount:,} {noun}s"
