"""Tables of scores as a source prints them, computed anew."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from metaeval.catalogue.classify import classify
from metaeval.catalogue.measure import find_measure
from metaeval.core.case import WORSE, ScoreValue, broken
from metaeval.literature.source import Column, GoldenTable
from metaeval.records.certificate import case_to_json, side_to_json
from metaeval.records.score import Score
from metaeval.workers.call import evaluate


def rounded(score: ScoreValue, decimals: int = 3) -> str:
    """So many decimals, rounded from the exact value, and up where it lies in the middle.

    >>> rounded(Fraction(53, 80)), rounded(Fraction(-1, 10000))
    ('0.663', '0.000')
    """
    units = floor(rational(score) * 10**decimals + Fraction(1, 2))
    return f"{units / 10**decimals:.{decimals}f}"


def rational(score: ScoreValue) -> Fraction:
    """The exact value, or the nearest float of one that is irrational."""
    return score if isinstance(score, Fraction) else Fraction(float(score))


def agrees(score: ScoreValue, printed: str, decimals: int) -> bool:
    """Whether a score is what is printed for it: nothing with so many decimals is nearer; 0.4 may stand for 0.400."""
    return bool(abs(rational(score) - Fraction(printed)) * 2 * 10**decimals <= 1)


@dataclass(frozen=True)
class ScoredColumn:
    """A measure on an example: its scores, whether they fail to rise, and what is printed."""

    pair: str
    scores: tuple[Score, ...]
    fails: bool
    printed: tuple[str, ...] | None
    decimals: int = 3

    @property
    def rounded(self) -> tuple[str, ...]:
        """The scores as the table would print them; in the middle between two, as it does."""
        own = (rounded(score.number, self.decimals) for score in self.scores)
        if self.printed is None or self.differs:
            return tuple(own)
        return tuple(rounded(Fraction(text), self.decimals) for text in self.printed)

    @property
    def differs(self) -> bool:
        """Whether something else is printed."""
        return self.printed is not None and not all(
            agrees(score.number, text, self.decimals)
            for score, text in zip(self.scores, self.printed, strict=True)
        )

    def to_json(self) -> dict[str, Any]:
        """The scores as data."""
        return {
            "pair": self.pair,
            "scores": [score.to_json() for score in self.scores],
            "rounded": list(self.rounded),
            "fails": self.fails,
            "printed": self.printed and list(self.printed),
            "differs": self.differs,
        }


@dataclass(frozen=True)
class TableRow:
    """A measure on all examples of a table."""

    measure: str
    name: str
    columns: tuple[ScoredColumn, ...]

    def to_json(self) -> dict[str, Any]:
        """The row as data."""
        columns = [column.to_json() for column in self.columns]
        return {"measure": self.measure, "name": self.name, "columns": columns}


@dataclass(frozen=True)
class ScoredTable:
    """A table as printed, and its rows as computed."""

    golden: GoldenTable
    rows: tuple[TableRow, ...]

    @classmethod
    def of(cls, golden: GoldenTable) -> ScoredTable:
        """The table with every score computed."""
        return cls(golden, tuple(_row(id, golden) for id in golden.rows))

    def to_json(self, conditions: tuple[str, ...]) -> dict[str, Any]:
        """The table as data, with what its examples are instances of among these conditions."""
        return {
            "name": self.golden.name,
            "status": self.golden.status,
            "rows": [row.to_json() for row in self.rows],
            "columns": [_column_to_json(column, conditions) for column in self.golden.columns],
        }


def _row(id: str, golden: GoldenTable) -> TableRow:
    measure = find_measure(id)
    columns = []
    for column in golden.columns:
        values = tuple(evaluate(measure, side) for side in column.sides)
        fails = len(values) == 2 and broken(WORSE, (values[0], values[1]), measure.bounds) is not None
        scores = tuple(map(Score.of, values))
        columns.append(ScoredColumn(column.name, scores, fails, column.printed.get(id), golden.decimals))
    return TableRow(id, measure.name, tuple(columns))


def instance_of(column: Column, conditions: tuple[str, ...]) -> list[tuple[str, str]]:
    """What two sides are an instance of among the conditions of a source; others ask other things of them."""
    return classify(column.case, among=conditions)


def _column_to_json(column: Column, conditions: tuple[str, ...]) -> dict[str, Any]:
    """An example as data: two sides with what they are an instance of, or one."""
    named = {"name": column.name, "filed_under": column.filed_under}
    if len(column.sides) == 1:
        return {**named, **side_to_json(column.sides[0])}
    return {
        **named,
        "instance_of": [list(place) for place in instance_of(column, conditions)],
        **case_to_json(column.case),
    }
