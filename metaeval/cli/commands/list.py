"""``metaeval list``: what can be scored with, and what can be checked."""

from __future__ import annotations

import click

from metaeval.cli.tables import render
from metaeval.condition import conditions
from metaeval.errors import InputError
from metaeval.measuring import Measure, measures
from metaeval.model import Biclustering


@click.command(
    epilog="\b\nExamples:\n  metaeval list\n  metaeval list measures",
)
@click.argument("what", type=click.Choice(["measures", "conditions"]), required=False)
def command(what: str | None) -> None:
    """Show the measures, the conditions, or both."""
    if what != "conditions":
        click.echo(_measures())
    if what is None:
        click.echo()
    if what != "measures":
        click.echo(_conditions())


def _measures() -> str:
    rows = [
        [measure.id, measure.name, f"{measure.optimum + 0.0:g}", _form(measure), measure.summary]
        for measure in measures().values()
    ]
    return render(["measure", "name", "best", "scores", "summary"], rows, right=["best"], optional=["name"])


def _conditions() -> str:
    rows = [
        [condition.id, condition.name, condition.relation.name, ", ".join(condition.readings), condition.statement]
        for condition in conditions().values()
    ]
    return render(
        ["condition", "name", "relation", "readings", "statement"], rows, optional=["readings", "relation"]
    )


def _form(measure: Measure) -> str:
    """Whether the scores are exact: as the function declares, else as it does on a small pair."""
    declared = getattr(measure.function, "__annotations__", {}).get("return")
    name = declared if isinstance(declared, str) else getattr(declared, "__name__", "")
    if name in ("float", "Fraction", "int"):
        return "float" if name == "float" else "exact"
    found = Biclustering.from_labels([0, 0, 1])
    gold = Biclustering.from_labels([0, 1, 1])
    try:
        measure.exact(found, gold)
    except InputError:
        return "float"
    except Exception:
        return "?"  # a measure that raises is still one to list
    return "exact"
