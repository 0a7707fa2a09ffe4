"""Slips of a source: those that computing finds, and those that only reading does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from metaeval.catalogue.condition import find_condition
from metaeval.catalogue.measure import find_measure
from metaeval.core.case import ScoreValue, Side
from metaeval.literature.shelf import FIRST
from metaeval.literature.source import Column, Equation, GoldenTable, Slip, Source
from metaeval.paper.recomputed import agrees, instance_of, rational, rounded
from metaeval.paper.theorems import proof_of_b1
from metaeval.workers.call import evaluate

#: What is computed for one source alone.
_OWN: dict[str, Callable[[], Iterator[Slip]]] = {FIRST.id: proof_of_b1}


def slips(source: Source) -> Iterator[Slip]:
    """Every known slip."""
    yield from _filed_elsewhere(source)
    yield from _misprints(source)
    for equation in source.equations:
        yield from _misprinted_equation(equation, source)
    if source.id in _OWN:
        yield from _OWN[source.id]()
    yield from source.slips


def _filed_elsewhere(source: Source) -> Iterator[Slip]:
    """Pairs that are no instance of the condition they are filed under."""
    for table in source.tables:
        for column in table.columns:
            if column.filed_under is None:
                continue
            instances = instance_of(column, source.conditions)
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


def _misprints(source: Source) -> Iterator[Slip]:
    """Printed scores that are not the computed ones rounded."""
    for table in source.tables:
        for column in table.columns:
            for id in column.printed:
                for side, text in _printed(column, id):
                    score = evaluate(find_measure(id), side)
                    if not agrees(score, text, table.decimals):
                        place = f"{table.name}, {find_measure(id).name} under {column.name}"
                        yield Slip(place, computed=True, text=_misprint(score, text, table.decimals))


def _printed(column: Column, id: str) -> Iterator[tuple[Side, str]]:
    """The sides of an example, each with what is printed for a measure."""
    return zip(column.sides, column.printed[id], strict=True)


def _misprint(score: ScoreValue, printed: str, decimals: int) -> str:
    value = rational(score)
    exact = f"{score} = " if isinstance(score, Fraction) else ""
    return (
        f"{printed} is printed for {exact}{float(value):.{decimals + 1}f}…: {_how(value, printed, decimals)} "
        f"(rounded it is {rounded(value, decimals)})."
    )


def _how(score: Fraction, printed: str, decimals: int) -> str:
    cut = Fraction(int(score * 10**decimals), 10**decimals)
    return "cut, not rounded" if cut == Fraction(printed) else "not what the definition gives"


def _misprinted_equation(equation: Equation, source: Source) -> Iterator[Slip]:
    """An equation that does not give the scores that are printed."""
    measure = find_measure(equation.measure)
    printed = [
        (table, column, side, text)
        for table in source.tables
        for column in table.columns
        if equation.measure in column.printed
        for side, text in _printed(column, equation.measure)
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
