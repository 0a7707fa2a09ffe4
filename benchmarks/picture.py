"""The growth curves as a picture: time on top, peak memory below, one column per curve. The SVG is written directly,
which needs no library and follows the reader's light or dark theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

import growth
from table import Row, duration

WIDTH, HEIGHT = 960, 546
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

#: Each curve with the label of its axis, and whether the axis is logarithmic.
CURVES = (
    (growth.CELLS, "covered cells, same structure", True),
    (growth.BICLUSTERS, "biclusters on each side", True),
    (growth.OVERLAP, "classes per covered cell, on average", False),
)


@dataclass(frozen=True)
class Axis:
    """Maps values between ``low`` and ``high`` to 0 to 1; on a logarithmic scale if ``log``."""

    low: float
    high: float
    log: bool

    def place(self, value: float) -> float:
        low, high, at = (log10(x) if self.log else x for x in (self.low, self.high, value))
        return (at - low) / (high - low)


@dataclass(frozen=True)
class Line:
    """A row of panels, one per curve: the value they show, its axis, and the position in the picture."""

    kind: str
    top: float
    up: Axis
    marks: Sequence[float]
    words: Callable[[float], str]
    value: Callable[[Row], float]

    def height(self, value: float) -> float:
        return self.top + PANEL_H - self.up.place(value) * PANEL_H


def render(rows: Sequence[Row]) -> str:
    """The picture as SVG."""
    curves = {what: [row for row in rows if row.question == growth.NAME and row.what == what] for what, *_ in CURVES}
    points = [row for curve in curves.values() for row in curve]
    panels = (_times(points), _memory(points))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"',
        ' role="img" aria-label="Growth of time and memory of mocice with cells, biclusters and overlap">',
        f"<style>{STYLE}</style>",
        f'<rect class="card" width="{WIDTH}" height="{HEIGHT}" rx="8"/>',
        _text(LEFT - 50, 34, "Cost of a MOCICE score as one quantity grows", "title"),
        _text(LEFT - 50, 54, "processor time (above, logarithmic) and peak memory of the process (below)", "quiet"),
    ]
    for line in panels:
        lines += [_text(LEFT - 10, line.height(mark) + 4, line.words(mark), "quiet end") for mark in line.marks]
    for number, (what, label, log) in enumerate(CURVES):
        lines += _column(LEFT + number * (PANEL_W + GAP), curves[what], label, log, panels)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _times(points: Sequence[Row]) -> Line:
    low, high = floor(log10(min(row.ours for row in points))), ceil(log10(max(row.ours for row in points)))
    marks = [10.0**power for power in range(low, high + 1)]
    return Line("time", TOP, Axis(marks[0], marks[-1], True), marks, duration, lambda row: row.ours)


def _memory(points: Sequence[Row]) -> Line:
    highest = 100 * ceil(max(row.mib or 0 for row in points) / 100)
    marks = [highest * quarter / 4 for quarter in range(5)]
    axis = Axis(0, highest, False)
    return Line("memory", TOP + PANEL_H + BETWEEN, axis, marks, _mib, lambda row: row.mib or 0)


def _column(x: float, rows: Sequence[Row], label: str, log: bool, panels: Sequence[Line]) -> Iterator[str]:
    """One curve: its panels, with the label of the horizontal axis below."""
    at = [row.at or 0 for row in rows]
    axis = Axis(min(at), max(at), log)
    across = [x + 8 + axis.place(value) * (PANEL_W - 16) for value in at]
    for line in panels:
        yield from _panel(x, across, rows, line)
    foot = panels[-1].top + PANEL_H
    for place, value in zip(across, at, strict=True):
        yield _text(place, foot + 18, _short(value), "quiet middle")
    yield _text(x + PANEL_W / 2, foot + 42, label, "middle")


def _panel(x: float, across: Sequence[float], rows: Sequence[Row], line: Line) -> Iterator[str]:
    """Grid, curve and points; the first and last points show their values."""
    for mark in map(line.height, line.marks):
        yield f'<line class="grid" x1="{x}" x2="{x + PANEL_W}" y1="{mark:.1f}" y2="{mark:.1f}"/>'
    values = [line.value(row) for row in rows]
    places = list(zip(across, map(line.height, values), strict=True))
    yield f'<polyline class="{line.kind}" points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in places)}"/>'
    yield from (f'<circle class="{line.kind}" cx="{a:.1f}" cy="{b:.1f}" r="4"/>' for a, b in places)
    (a, b), (c, d) = places[0], places[-1]
    yield _text(a, b + 21, line.words(values[0]))  # below, because curves rise from here
    yield _text(c, d - 11, line.words(values[-1]), "end")


def _mib(value: float) -> str:
    return f"{value:.0f} MiB"


def _short(value: float) -> str:
    """A short number for an axis: 23,114 as 23k."""
    if value >= 1e6:
        return f"{value / 1e6:.1f}M"
    return f"{value / 1e3:.0f}k" if value >= 1e4 else f"{value:.2g}"


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{text}</text>'
