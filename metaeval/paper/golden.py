"""Tables of scores as a source prints them, computed anew."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from metaeval.cases import WORSE, ScoreValue, broken
from metaeval.engine.evaluation import evaluate
from metaeval.evidence.certificates import case_to_json, side_to_json
from metaeval.evidence.classification import classify
from metaeval.evidence.scores import Score
from metaeval.literature.records import Column, GoldenTable
from metaeval.measuring import find_measure


def rounded(score: ScoreValue, decimals: int = 3) -> str:
    """So many decimals, rounded from the exact value."""
    return f"{float(round(rational(score), decimals)):.{decimals}f}"


def rational(score: ScoreValue) -> Fraction:
    """The exact value, or the nearest float of one that is irrational."""
    return score if isinstance(score, Fraction) else Fraction(float(score))


def agrees(score: ScoreValue, printed: str, decimals: int) -> bool:
    """Whether a score is what is printed for it, where 0.4 may stand for 0.400."""
    return round(rational(score), decimals) == Fraction(printed)


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
        """The scores as the table would print them."""
        return tuple(rounded(score.number, self.decimals) for score in self.scores)

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

    def to_json(self) -> dict[str, Any]:
        """The table as data."""
        return {
            "name": self.golden.name,
            "status": self.golden.status,
            "rows": [row.to_json() for row in self.rows],
            "columns": [column_to_json(column) for column in self.golden.columns],
        }


def _row(id: str, golden: GoldenTable) -> TableRow:
    measure = find_measure(id)
    columns = []
    for column in golden.columns:
        values = tuple(evaluate(measure, side) for side in column.sides)
        fails = len(values) == 2 and broken(WORSE, values[0], values[1], measure.optimum) is not None
        scores = tuple(map(Score.of, values))
        columns.append(ScoredColumn(column.name, scores, fails, column.printed.get(id), golden.decimals))
    return TableRow(id, measure.name, tuple(columns))


def column_to_json(column: Column) -> dict[str, Any]:
    """An example as data: two sides with the conditions that they are an instance of, or one."""
    named = {"name": column.name, "filed_under": column.filed_under}
    if len(column.sides) == 1:
        return {**named, **side_to_json(column.sides[0])}
    return {**named, "instance_of": [list(place) for place in classify(column.case)], **case_to_json(column.case)}
