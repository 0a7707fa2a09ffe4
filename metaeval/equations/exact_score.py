"""The exact score of an equation: Python source, compiled once, that works in whole numbers."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from metaeval.core.biclustering import Biclustering
from metaeval.equations.equation import Equation
from metaeval.equations.source_text import RATIO, as_object
from metaeval.equations.statements import Scope, Writer
from metaeval.equations.tree import Expression
from metaeval.kernel.overlay import Overlay, check_clusterings, check_disjoint, check_partitions, objects, overlay

Score = Callable[[Biclustering, Biclustering], Any]

#: What raises where the sides are not what a measure is defined on.
CHECKS: dict[str, Callable[[Overlay], None]] = {
    "partitions": check_partitions, "clusterings": check_clusterings, "disjoint": check_disjoint,
    "biclusterings": lambda cells: None,
}  # fmt: skip


def compiled(equation: Equation) -> Score:
    """The score as a function of (candidate, gold)."""
    value, in_objects = _formula(equation.expression), equation.unit == "objects"
    check, empty, one_empty = CHECKS[equation.domain], equation.empty, equation.one_empty

    def score(candidate: Biclustering, gold: Biclustering) -> Any:
        cells = overlay(candidate, gold)
        check(cells)
        # As conventional() says; a call would cost as much as the smallest scores.
        if not (cells.candidate_sizes and cells.gold_sizes):
            if not (cells.candidate_sizes or cells.gold_sizes):
                return empty
            if one_empty is not None:
                return one_empty
        return value(objects(cells) if in_objects else cells)

    return score


def conventional(equation: Equation, cells: Overlay) -> Fraction | None:
    """The score by convention, where a side is empty; an error where the sides are not in the domain."""
    CHECKS[equation.domain](cells)
    if cells.candidate_sizes and cells.gold_sizes:
        return None
    return equation.one_empty if cells.candidate_sizes or cells.gold_sizes else equation.empty


def compiled_value(expression: Expression, unit: str) -> Score:
    """The value of a closed expression, without any convention about empty sides."""
    value = _formula(expression)
    if unit == "objects":
        return lambda candidate, gold: value(objects(overlay(candidate, gold)))
    return lambda candidate, gold: value(overlay(candidate, gold))


@lru_cache(maxsize=1 << 12)
def _formula(e: Expression) -> Callable[[Overlay], Any]:
    writer = Writer(Scope())
    value = writer.value(e)
    if value.kind == RATIO:
        return writer.function(f"Fraction({value.above}, {value.below})")
    return writer.function(f"settled({as_object(value)})")
