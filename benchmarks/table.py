"""The rows of the table: compare, show, save and load them."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from inputs import Labels, Pair, described
from timing import Call, seconds

TABLE = Path(__file__).resolve().with_suffix(".csv")

#: Largest difference between the scores of two implementations on the same pair.
SAME = 1e-9


@dataclass(frozen=True)
class Row:
    """A row of the table. The ratio is ``other / ours``, both in seconds of processor time.

    ``against`` names the other; a row without it has no ratio. ``at`` is the position of a point on its growth curve.
    """

    question: str
    what: str
    ratio: float | None = None
    ours: float = 0.0
    other: float | None = None
    against: str = ""
    inputs: str = ""
    wall: float | None = None
    mib: float | None = None
    at: float | None = None
    target: str = ""
    met: bool | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """The subject of the row, independent of sizes."""
        return self.question, self.what, self.against

    def beside(self, against: str, other: float, least: float = 0) -> Row:
        """The row with its comparison, and with the target ratio ``least``, if any."""
        ratio = other / self.ours
        row = replace(self, against=against, other=other, ratio=ratio)
        return replace(row, target=f"{least:g} times", met=ratio >= least) if least else row

    def within(self, most_wall: float | None = None, most_mib: float | None = None, most: float | None = None) -> Row:
        """The row with limits: seconds of wall time, MiB, seconds of processor time."""
        limits = (
            (self.wall, most_wall, "s"),
            (self.mib, most_mib, "MiB"),
            (self.ours, most, "s of processor time"),
        )
        asked = [(value, limit, unit) for value, limit, unit in limits if limit is not None]
        target = "under " + ", ".join(f"{limit:,g} {unit}" for _, limit, unit in asked)
        return replace(self, target=target, met=all(value is not None and value < limit for value, limit, _ in asked))


def compared(
    question: str, what: str, pair: Pair | Labels, ours: Call, against: str, other: Call, least: float = 0
) -> Row:
    """Time our implementation and another one on the same pair; their scores must agree."""
    mine, theirs = seconds(ours), seconds(other)
    scores: Any = (mine.value, theirs.value)
    if abs(float(scores[0]) - float(scores[1])) > SAME:
        raise AssertionError(f"{what} is {scores[0]} on {described(pair)}, and {scores[1]} by {against}")
    return timed(question, what, pair, mine.processor, mine.wall).beside(against, theirs.processor, least)


def timed(question: str, what: str, pair: Pair | Labels, processor: float, wall: float) -> Row:
    """The row of a score with its times."""
    return Row(question, what, ours=processor, inputs=described(pair), wall=wall)


# --- Showing -------------------------------------------------------------------------------------------------


def duration(seconds: float | None) -> str:
    """Seconds in a suitable unit, to three figures.

    >>> duration(0.0000651), duration(0.309), duration(23.69), duration(1234)
    ('65.1 µs', '309 ms', '23.7 s', '1,230 s')
    """
    if seconds is None:
        return ""
    for unit, size in (("µs", 1e-6), ("ms", 1e-3)):
        if seconds < 999.5 * size:
            return f"{figures(seconds / size)} {unit}"
    return f"{figures(seconds)} s"


def figures(value: float) -> str:
    """A number to three figures, without an exponent."""
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:.3g}"


def times(ratio: float | None) -> str:
    """A ratio as shown in the table."""
    return "" if ratio is None else f"{figures(ratio)}×"


HEADER = f"{'ratio':>8}  {'what':<34}{'ours':>9}  {'other':>9}  {'':<32}inputs"


def shown(row: Row) -> str:
    """The row as a line for a terminal."""
    line = f"{times(row.ratio):>8}  {row.what:<34}{duration(row.ours):>9}  {duration(row.other):>9}  {row.against:<32}"
    notes = [row.inputs]
    if row.mib is not None:
        notes.append(f"{row.mib:,.0f} MiB")
    if row.met is not None:
        notes.append(f"target {row.target}: {'met' if row.met else 'MISSED'}")
    return line + "; ".join(notes)


# --- The file ------------------------------------------------------------------------------------------------


def save(rows: Iterable[Row], file: Path) -> None:
    """Write the table with numbers to four figures; the last figure is noise."""
    with open(file, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, [field.name for field in fields(Row)], lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _written(value) for name, value in asdict(row).items()} for row in rows)


def load(file: Path = TABLE) -> list[Row]:
    """The saved table."""
    with open(file, newline="", encoding="utf-8") as saved:
        return [Row(**{field.name: _read(field.name, line[field.name]) for field in fields(Row)})
                for line in csv.DictReader(saved)]  # fmt: skip


_NUMBERS = ("ratio", "ours", "other", "wall", "mib", "at")


def _written(value: object) -> object:
    return f"{value:.4g}" if isinstance(value, float) else value


def _read(name: str, text: str) -> Any:
    if name in _NUMBERS:
        return float(text) if text else None
    if name == "met":
        return text == "True" if text else None
    return text
