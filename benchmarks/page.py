"""Generate docs/performance.md and docs/growth.svg from the saved table: ``python benchmarks/page.py``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import growth
import picture
import sizes
from questions import QUESTIONS
from table import TABLE, Row, duration, figures, load, times

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE, PICTURE = "performance.md", "growth.svg"

TITLES = {
    "definition": "Measures against their definitions",
    "packages": "Measures against other packages",
    "labels": "Label vectors against scikit-learn",
    "chunks": "Label vectors larger than memory",
    "growth": "Growth",
    "sizes": "Large inputs",
    "background": "Measures that count uncovered cells",
    "check": "Time of a check",
    "matrix": "The matrix against the obvious loop",
    "before": "Against another checkout",
}

HEAD = """# Performance

<!-- Made by `make bench` from benchmarks/table.csv; changes made here are lost. -->

`make bench` measured this on a machine with two cores, one run per question. Times are processor times, unless a row
says "on the wall", which means wall time. A target in seconds is wall time, unless it names processor time. Times
differ between machines; ratios of times that are measured side by side hardly differ. A **ratio** is the other time
divided by ours: above 1, ours is faster. Unless a row says otherwise, the two give the same score, within 1e-9. An
*atom* is a group of cells that lie in the same biclusters.
"""


def render(rows: Sequence[Row]) -> str:
    """The page."""
    parts = [HEAD]
    for question in QUESTIONS:
        own = [row for row in rows if row.question == question.NAME]
        if not own:
            continue
        parts += [f"## {TITLES[question.NAME]}", (question.__doc__ or "").strip()]
        if question is growth:
            parts += [f"![Three curves of time and of peak memory]({PICTURE})", _growth(own)]
        else:
            parts.append(_sizes(own) if question is sizes else _comparisons(own))
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _comparisons(rows: Sequence[Row]) -> str:
    aims = any(row.target for row in rows)
    lines = [
        [times(row.ratio), row.what, _ours(row), duration(row.other), row.against, row.inputs, _aim(row)]
        for row in rows
    ]
    headers = ["ratio", "what", "ours", "other", "the other is", "inputs", "target"]
    return _table(headers, lines) if aims else _table(headers[:-1], (line[:-1] for line in lines))


def _ours(row: Row) -> str:
    """Our time, and the peak memory where a process of its own measured it."""
    return duration(row.ours) if row.mib is None else f"{duration(row.ours)}, {row.mib:,.0f} MiB"


def _growth(rows: Sequence[Row]) -> str:
    """The points of the curves; here the ratio is the time divided by the time of the first point of the curve."""
    lines = []
    for row in rows:
        slower = times(1 / row.ratio) if row.ratio else ""
        lines.append([slower, row.what, figures(row.at or 0), duration(row.ours), f"{row.mib:.0f} MiB", row.inputs])
    return _table(["times the first", "curve", "at", "time", "peak memory", "inputs"], lines)


def _sizes(rows: Sequence[Row]) -> str:
    """One line per measure, one column per size."""
    columns = list(dict.fromkeys(row.inputs for row in rows))
    lines = []
    for measure in dict.fromkeys(row.what for row in rows):
        found = {row.inputs: row for row in rows if row.what == measure}
        lines.append([f"`{measure}`", *(_size(found[column]) for column in columns)])
    return _table(["measure", *columns], lines)


def _size(row: Row) -> str:
    return f"{_ours(row)} ({_aim(row)})" if row.target else _ours(row)


def _aim(row: Row) -> str:
    return f"{row.target}: {'met' if row.met else '**missed**'}" if row.target else ""


def _table(headers: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [headers, ["---"] * len(headers), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def main() -> None:
    rows = load(TABLE)
    (DOCS / PAGE).write_text(render(rows), encoding="utf-8")
    (DOCS / PICTURE).write_text(picture.render(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
