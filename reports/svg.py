"""Counterexamples and examples as SVG files, from the drawings of the page."""

from metaeval.catalogue.condition import Condition, conditions, example
from metaeval.core.errors import InputError
from metaeval.display.explain import Explained
from metaeval.records.cell import Cell
from metaeval.records.certificate import Certificate
from metaeval.records.described import DescribedCondition
from metaeval.records.score import Score
from metaeval.reports.html import environment, sheet_style
from metaeval.reports.page_data import drawn


def render(what: Explained, reading: str | None = None) -> str:
    """The counterexample of a certificate or a cell, or the example of a condition under a reading, as an SVG file.

    The reading of a condition is its first one where none is named. What has no picture is an error.
    """
    found = what.certificate if isinstance(what, Cell) else what
    case, scores = None, tuple[Score, ...]()
    if isinstance(found, Condition):
        under = found.reading(reading or next(iter(found.readings)))
        case, condition, title = example(found, under), DescribedCondition.of(found), f"{found.id}/{under.name}"
    elif isinstance(found, Certificate):
        known = conditions().get(found.condition)
        condition = DescribedCondition.of(known) if known else DescribedCondition(relation=found.relation)
        case, scores, title = found.case, found.scores, "/".join(found.key)
    if case is None:
        has = (
            f"{'/'.join(what.key)} has the verdict {what.verdict}, so it" if isinstance(what, Cell) else "what is named"
        )
        raise InputError(f"{has} has no counterexample to draw; expected a violated cell, a certificate or a condition")
    drawing = drawn(case, condition, scores, title)
    return environment().get_template("sheet.svg").render(drawing=drawing, style=sheet_style())
