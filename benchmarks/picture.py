"""The growth curves as a picture: time above, peak memory below, one column a curve. Written by hand as SVG, which
needs no library and follows the reader's light or dark theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import growth
from table import Row, duration, figures

WIDTH, HEIGHT = 960, 560
LEFT, TOP, GAP = 74, 84, 34
PANEL_W, PANEL_H, BETWEEN = 260, 176, 40

STYLE = """
  .card { fill: #ffffff } text { fill: #1f2328; font: 13px system-ui, sans-serif }
  .title { font-size: 15px; font-weight: 600 } .quiet { fill: #59636e; font-size: 12px }
  .grid { stroke: #d1d9e0; stroke-width: 1 } .end { text-anchor: end } .middle { text-anchor: middle }
  .time { stroke: #0969da } .memory { stroke: #bc4c00 } polyline { fill: none; stroke-width: 2.5 }
  circle { fill: #ffffff; stroke-width: 2.5 }
  @media (prefers-color-scheme: dark) {
    .card, circle { fill: #0d1117 } text { fill: #f0f6fc } .quiet { fill: #9198a1 } .grid { stroke: #3d444d }
    .time { stroke: #58a6ff } .memory { stroke: #f0883e }
  }
"""

#: Each curve with its axis: what grows, and whether it grows by factors.
CURVES = (
    (growth.CELLS, "covered cells, same structure", True),
    (growth.BICLUSTERS, "biclusters on each side", True),
    (growth.OVERLAP, "classes a covered cell is in, on average", False),
)


@dataclass(frozen=True)
class Axis:
    """Where values lie between ``low`` and ``high``: from 0 to 1, by factors if ``log``."""

    low: float
    high: float
    log: bool

    def place(self, value: float) -> float:
        low, high, at = (log10(x) if self.log else x for x in (self.low, self.high, value))
        return (at - low) / (high - low)


def render(rows: Sequence[Row]) -> str:
    """The picture as SVG."""
    curves = {
        what: [row for row in rows if row.question == growth.NAME and row.what == what] for what, *_ in CURVES
    }
    points = [row for curve in curves.values() for row in curve]
    times = Axis(
        10 ** floor(log10(min(p.ours for p in points))), 10 ** ceil(log10(max(p.ours for p in points))), True
    )
    memory = Axis(0, 100 * ceil(max(p.mib or 0 for p in points) / 100), False)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"',
        ' role="img" aria-label="Growth of time and memory of mocice with cells, biclusters and overlap">',
        f"<style>{STYLE}</style>",
        f'<rect class="card" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        _text(LEFT - 50, 34, "What a MOCICE score takes as one thing grows", "title"),
        _text(LEFT - 50, 54, "processor time (above, by factors) and peak memory of the process (below)", "quiet"),
    ]
    for number, (what, label, log) in enumerate(CURVES):
        x = LEFT + number * (PANEL_W + GAP)
        lines += _column(x, curves[what], label, log, times, memory, first=number == 0)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _column(
    x: float, rows: Sequence[Row], label: str, log: bool, times: Axis, memory: Axis, first: bool
) -> Iterator[str]:
    at = [row.at or 0 for row in rows]
    across = Axis(min(at), max(at), log)
    marks = [times.low * 10**step for step in range(round(log10(times.high / times.low)) + 1)]
    yield from _panel(
        x, TOP, "time", across, times, [(row.at or 0, row.ours) for row in rows], marks, duration, first
    )
    top, step = TOP + PANEL_H + BETWEEN, memory.high / 4
    levels = [step * level for level in range(5)]
    yield from _panel(
        x, top, "memory", across, memory, [(row.at or 0, row.mib or 0) for row in rows], levels, _mib, first
    )
    foot = top + PANEL_H
    for value in (at[0], *at[2:-1:2], at[-1]):
        yield _text(_x(x, across, value), foot + 18, _short(value), "quiet middle")
    yield _text(x + PANEL_W / 2, foot + 42, label, "middle")


def _panel(
    x: float,
    y: float,
    kind: str,
    across: Axis,
    up: Axis,
    points: Sequence[tuple[float, float]],
    marks: Sequence[float],
    words: Callable[[float], str],
    first: bool,
) -> Iterator[str]:
    """Grid, curve and points; ``first`` where the marks have their words, and the ends of every curve theirs."""
    for mark in marks:
        height = _y(y, up, mark)
        yield f'<line class="grid" x1="{x}" x2="{x + PANEL_W}" y1="{height:.1f}" y2="{height:.1f}"/>'
        if first:
            yield _text(x - 10, height + 4, words(mark), "quiet end")
    places = [(_x(x, across, at), _y(y, up, value)) for at, value in points]
    yield f'<polyline class="{kind}" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in places)}"/>'
    yield from (f'<circle class="{kind}" cx="{a:.1f}" cy="{b:.1f}" r="4"/>' for a, b in places)
    (a, b), (c, d) = places[0], places[-1]
    yield _text(a, b - 11, words(points[0][1]))
    yield _text(c, d - 11, words(points[-1][1]), "end")


def _x(left: float, axis: Axis, value: float) -> float:
    return left + 8 + axis.place(value) * (PANEL_W - 16)


def _y(top: float, axis: Axis, value: float) -> float:
    return top + PANEL_H - axis.place(value) * PANEL_H


def _mib(value: float) -> str:
    return f"{value:.0f} MiB"


def _short(value: float) -> str:
    """A number on an axis: 23,114 as 23 thousand."""
    if value >= 1e6:
        return f"{figures(value / 1e6)} million"
    return f"{value / 1e3:.0f} thousand" if value >= 1e4 else figures(value)


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{text}</text>'
