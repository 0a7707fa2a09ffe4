"""The scores that a source prints, computed again; and the slips that follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from metaeval.catalogue.condition import classify, find_condition
from metaeval.catalogue.measure import find_measure
from metaeval.core.biclustering import Biclustering
from metaeval.core.relation import WORSE, ScoreValue, broken
from metaeval.literature.shelf import FIRST
from metaeval.literature.source import Column, Equation, GoldenTable, Slip, Source
from metaeval.records.certificate import case_to_json, side_to_json
from metaeval.records.score import Score
from metaeval.workers.call import evaluate


def rounded(score: ScoreValue, decimals: int = 3) -> str:
    """The exact value, rounded to ``decimals`` decimals; halves are rounded up.

    >>> rounded(Fraction(53, 80)), rounded(Fraction(-1, 10000))
    ('0.663', '0.000')
    """
    units = floor(rational(score) * 10**decimals + Fraction(1, 2))
    return f"{units / 10**decimals:.{decimals}f}"


def rational(score: ScoreValue) -> Fraction:
    """The exact value, or the nearest float of one that is irrational."""
    return score if isinstance(score, Fraction) else Fraction(float(score))


def agrees(score: ScoreValue, printed: str, decimals: int) -> bool:
    """Whether no number with these decimals is nearer to a score than the printed one; 0.4 may stand for 0.400."""
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
            agrees(score.number, text, self.decimals) for score, text in zip(self.scores, self.printed, strict=True)
        )

    def to_json(self) -> dict[str, Any]:
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
        return {"measure": self.measure, "name": self.name, "columns": [one.to_json() for one in self.columns]}


@dataclass(frozen=True)
class ScoredTable:
    """A table as printed, and its rows as computed."""

    golden: GoldenTable
    rows: tuple[TableRow, ...]

    @classmethod
    def of(cls, golden: GoldenTable) -> ScoredTable:
        rows = []
        for measure in map(find_measure, golden.rows):
            columns = []
            for column in golden.columns:
                values = tuple(evaluate(measure, side) for side in column.sides)
                fails = len(values) == 2 and broken(WORSE, values, measure.bounds) is not None
                scores, printed = tuple(map(Score.of, values)), column.printed.get(measure.id)
                columns.append(ScoredColumn(column.name, scores, fails, printed, golden.decimals))
            rows.append(TableRow(measure.id, measure.name, tuple(columns)))
        return cls(golden, tuple(rows))

    def to_json(self, conditions: tuple[str, ...]) -> dict[str, Any]:
        """The table as data, with what its examples are instances of among these conditions."""
        columns = []
        for column in self.golden.columns:
            entry: dict[str, Any] = {"name": column.name, "filed_under": column.filed_under}
            if len(column.sides) == 2:
                entry["instance_of"] = [list(place) for place in classify(column.case, among=conditions)]
            sides = side_to_json(column.sides[0]) if len(column.sides) == 1 else case_to_json(column.case)
            columns.append({**entry, **sides})
        return {
            "name": self.golden.name,
            "status": self.golden.status,
            "rows": [row.to_json() for row in self.rows],
            "columns": columns,
        }


@dataclass(frozen=True)
class TheoremOne:
    """How many pairs were compared, on how many objects and features, and how many differed."""

    pairs: int
    objects: int
    features: int
    differences: int


def theorem_1(objects: int = 3, features: int = 2) -> TheoremOne:
    """MOCICE of clusterings lifted to some features against CICE of them, on every small pair of A.5, each once.

    A pair on fewer objects is one on this many of which some lie in no cluster, and the overlapping reading has the
    partitions too; so one list holds all.
    """
    mocice, cice = find_measure("mocice"), find_measure("cice")
    pairs = differences = 0
    for case in find_condition("A.5").reading("overlapping").enumerate_(objects):
        if case.features == 1:
            pairs += 1
            lifted = [Biclustering.lifted([rows for rows, _ in family], range(features)) for family in case.left]
            differences += mocice.exact(*lifted) != cice.exact(*case.left)
    return TheoremOne(pairs, objects, features, differences)


def proof_of_b1(objects: int = 4) -> Iterator[Slip]:
    """What the proof of Theorem 2 says of precision and recall, on all small cases of B.1 canonical."""
    precision, recall = find_measure("mocice-precision"), find_measure("mocice-recall")
    reading = find_condition("B.1").reading("canonical")
    cases = [case for count in range(1, objects + 1) for case in reading.enumerate_(count)]
    if all(precision.exact(*case.left) < precision.exact(*case.right) for case in cases):
        text = (
            f"The proof has precision rise when objects are added; on all {len(cases)} cases of B.1 canonical with "
            f"up to {objects} objects it falls. The inequalities are reversed; the theorem's statement is as intended."
        )
        yield Slip("Theorem 2, proof", computed=True, text=text)
    changed = [case for case in cases if recall.exact(*case.left) != recall.exact(*case.right)]
    if changed:
        first = min(changed, key=lambda case: case.size)
        left, right = recall.exact(*first.left), recall.exact(*first.right)
        text = (
            f"The proof has recall stay equal; it changes in {len(changed)} of these {len(cases)} cases. The smallest: "
            f"against the gold {_written(first.left.gold)} the candidate {_written(first.right.candidate)} has recall "
            f"{right}, and {_written(first.left.candidate)}, with the object added, has {left}."
        )
        yield Slip("Theorem 2, proof", computed=True, text=text)


def _written(family: Biclustering) -> str:
    """A family as a reader writes it: rows × columns."""
    sets = " and ".join(f"{sorted(rows)} × {sorted(cols)}" for rows, cols in family)
    return sets.translate(str.maketrans("[]", "{}"))


def slips(source: Source) -> Iterator[Slip]:
    yield from _filed_elsewhere(source)
    for table in source.tables:
        for column in table.columns:
            for id, scores in column.printed.items():
                for side, text in zip(column.sides, scores, strict=True):
                    score = evaluate(find_measure(id), side)
                    if not agrees(score, text, table.decimals):
                        place = f"{table.name}, {find_measure(id).name} under {column.name}"
                        yield Slip(place, computed=True, text=_misprint(score, text, table.decimals))
    for equation in source.equations:
        yield from _misprinted_equation(equation, source)
    if source is FIRST:
        yield from proof_of_b1()
    yield from source.slips


def _filed_elsewhere(source: Source) -> Iterator[Slip]:
    """Pairs that are no instance of the condition they are filed under."""
    for table in source.tables:
        for column in table.columns:
            if column.filed_under is None:
                continue
            instances = classify(column.case, among=source.conditions)
            if column.filed_under not in {condition for condition, _ in instances}:
                others = " and ".join(dict.fromkeys(f"{id} {find_condition(id).name}" for id, _ in instances))
                filed = f"{column.filed_under} {find_condition(column.filed_under).name}"
                text = (
                    f"The pair filed under {filed} is an instance of {others or 'nothing'}, and not of "
                    f"{column.filed_under}: {_difference(table, column)}."
                )
                yield Slip(f"{table.name}, column {column.name}", computed=True, text=text)


def _difference(table: GoldenTable, column: Column) -> str:
    """What the right candidate has in place of what, in the source's numbers."""
    left, right = ({rows for rows, _ in side.candidate} for side in column.sides)

    def written(clusters: set[frozenset[int]]) -> str:
        counted = ([one + table.first for one in sorted(cluster)] for cluster in sorted(clusters, key=sorted))
        return " and ".join("{" + ", ".join(map(str, cluster)) + "}" for cluster in counted)

    return f"{table.sides[1]} has {written(right - left)} in place of {written(left - right)}"


def _misprint(score: ScoreValue, printed: str, decimals: int) -> str:
    value = rational(score)
    shown = (f"{score} = " if isinstance(score, Fraction) else "") + f"{float(value):.{decimals + 1}f}…"
    cut = Fraction(int(value * 10**decimals), 10**decimals)
    how = "cut, not rounded" if cut == Fraction(printed) else "not what the definition gives"
    return f"{printed} is printed for {shown}: {how} (rounded it is {rounded(value, decimals)})."


def _misprinted_equation(equation: Equation, source: Source) -> Iterator[Slip]:
    """An equation that does not give the scores that are printed."""
    measure = find_measure(equation.measure)
    printed = [
        (table, column, side, text)
        for table in source.tables
        for column in table.columns
        if equation.measure in column.printed
        for side, text in zip(column.sides, column.printed[equation.measure], strict=True)
    ]
    missed = [one for one in printed if not agrees(equation.function(*one[2]), one[3], one[0].decimals)]
    reached = [one for one in printed if agrees(evaluate(measure, one[2]), one[3], one[0].decimals)]
    if missed:
        table, column, side, text = missed[0]
        given = rounded(equation.function(*side), table.decimals)
        yield Slip(
            equation.place,
            computed=True,
            text=f"For {measure.name} it has {equation.says}. That gives {given} for {column.name}, where {text} is "
            f"printed, and misses {len(missed)} of {len(printed)} printed scores; {equation.meant} gives "
            f"{'all' if len(reached) == len(printed) else len(reached)} of them.",
        )
