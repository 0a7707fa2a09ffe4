"""``metaeval score``: one pair of files, every measure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

import click

from metaeval.cli.tables import render, shorten
from metaeval.errors import InputError, Undefined
from metaeval.files import read_biclustering
from metaeval.kernel import LARGE, overlay
from metaeval.measuring import Measure, find_measure, measures
from metaeval.model import Biclustering

_EPILOG = """\b
Examples:
  metaeval score --gold gold.json --candidate found.json
  metaeval score --gold gold.json --candidate found.json --measure mocice --exact

\b
A biclustering's file:
  {"shape": [6, 3], "biclusters": [{"rows": [0, 1, 2], "cols": [0, 1]}]}
"""


@dataclass(frozen=True)
class Row:
    """A measure's answer: a score, or why there is none."""

    measure: Measure
    score: float | None = None
    exact: Fraction | None = None
    error: str | None = None


@click.command(epilog=_EPILOG)
@click.option("--gold", required=True, metavar="GOLD", help="The gold standard, a JSON file; - is stdin.")
@click.option("--candidate", required=True, metavar="FOUND", help="The biclustering to score; - is stdin.")
@click.option("--measure", "ids", multiple=True, metavar="ID", help="Only this measure; may be repeated.")
@click.option("--exact", is_flag=True, help="Show exact scores as fractions, however long they take.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(gold: str, candidate: str, ids: tuple[str, ...], exact: bool, as_json: bool) -> None:
    """Score a candidate biclustering against a gold standard; larger is better.

    In JSON an exact score is null where there is none, and for large inputs unless --exact asks for it.
    """
    if gold == candidate == "-":
        raise InputError("--gold and --candidate are both -; only one can come from standard input")
    chosen = [find_measure(id) for id in dict.fromkeys(ids)] or list(measures().values())
    classes, clusters = read_biclustering(gold), read_biclustering(candidate)
    rows = [score_row(measure, clusters, classes, exact) for measure in chosen]
    click.echo(_json(rows) if as_json else _table(rows, exact))


def score_row(measure: Measure, candidate: Biclustering, gold: Biclustering, exact: bool) -> Row:
    """Score with one measure. Whatever it raises is its own row's affair."""
    try:
        if not exact and measure.fast is not None and len(overlay(candidate, gold).atoms) >= LARGE:
            return Row(measure, measure.score(candidate, gold))
        value = measure.value(candidate, gold)
        rational = isinstance(value, (Fraction, int)) and not isinstance(value, bool)
        return Row(measure, float(value), Fraction(value) if rational else None)
    except Undefined as error:
        return Row(measure, error=f"undefined: {error}")
    except Exception as error:
        return Row(measure, error=f"{type(error).__name__}: {error}")


def _table(rows: list[Row], exact: bool) -> str:
    headers = ["measure", "name", "score"]
    lines = [[row.measure.id, row.measure.name, _decimal(row.score)] for row in rows]
    if exact:
        headers.append("exact")
        for line, row in zip(lines, rows, strict=True):
            line.append("-" if row.exact is None else str(row.exact))
    if any(row.error for row in rows):
        headers.append("error")
        for line, row in zip(lines, rows, strict=True):
            line.append(shorten(row.error or "", 120))
    # A shortened fraction would be a wrong one: only an error text may be cut.
    width = None if headers[-1] == "error" else 100_000
    return render(headers, lines, right=["score"], optional=["name"], width=width)


def _decimal(score: float | None) -> str:
    return "-" if score is None else f"{score + 0.0:.6f}"


def _json(rows: list[Row]) -> str:
    return json.dumps({row.measure.id: _cell(row) for row in rows}, indent=2, allow_nan=False)


def _cell(row: Row) -> dict[str, Any]:
    number = row.score if row.score is None or isfinite(row.score) else str(row.score)
    cell = {"float": number, "exact": None if row.exact is None else str(row.exact)}
    return cell if row.error is None else {**cell, "error": shorten(row.error, 500)}
