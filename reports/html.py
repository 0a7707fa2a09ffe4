"""The report as one HTML page that needs nothing but itself.

The matrix is written here; the page's script opens a cell's evidence from the data embedded beside it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from metaeval.reports.document import overview, title
from metaeval.reports.pictures import pictures
from metaeval.reports.view import FATES, VERDICTS, Cell, Report
from metaeval.reports.witness import Score, Witness, intersections

_TEMPLATES = Path(__file__).parent / "templates"
_MOST_PARTS = 16


def render(report: Report) -> str:
    """The whole page."""
    script, style = (_source(name) for name in ("page.js", "page.css"))
    return _environment().get_template("page.html").render(
        report=report,
        title=title(report),
        overview=overview(report),
        verdicts=VERDICTS,
        fates=FATES,
        families=sorted({column.family for column in report.conditions}),
        data=embedded(_data(report)),
        script=Markup(script),
        style=Markup(style),
        # Only this script may run, whatever a name in the results holds.
        policy=f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'",
    )  # fmt: skip


def embedded(data: Any) -> Markup:
    """Data as JSON that can stand inside a script element: no markup can begin in it."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["slug"] = lambda name: name.replace(" ", "-")
    return environment


def _source(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _digest(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode("ascii")


def _data(report: Report) -> dict[str, Any]:
    return {
        "verdicts": {name: verdict._asdict() for name, verdict in VERDICTS.items()},
        "fates": FATES,
        "measures": {
            row.id: _named(row, "name", "citation", "summary", "gate", "best") for row in report.measures
        },
        "conditions": {
            column.id: _named(column, "name", "statement", "citation", "demand")
            | {"readings": {each.name: _named(each, "adds", "scope") for each in column.readings}}
            for column in report.conditions
        },
        "cells": {cell.key: _cell(cell) for cell in report.ordered},
    }


def _named(entry: object, *names: str) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in names}


def _cell(cell: Cell) -> dict[str, Any]:
    place = _named(cell, "measure", "condition", "reading", "verdict", "before", "name")
    numbers = _named(cell, "cases", "violations", "bound", "claim", "fate", "message")
    return place | numbers | {"witness": None if cell.witness is None else _witness(cell.witness)}


def _witness(witness: Witness) -> dict[str, Any]:
    margin, value = witness.margin
    return {
        "demand": witness.demand,
        "found": witness.found,
        "left": _score(witness.left),
        "right": _score(witness.right),
        "optimum": "" if witness.optimum is None else f"{witness.optimum:g}",
        "margin": {"name": margin, **_score(value)},
        "minimal": witness.minimal,
        "pictures": pictures(witness),
        "shared": [
            {"side": side, "table": intersections(candidate, gold)}
            for (candidate, gold), side in zip(witness.sides, ("Left", "Right"), strict=True)
            if 0 < len(candidate.parts) <= _MOST_PARTS and 0 < len(gold.parts) <= _MOST_PARTS
        ],
        "python": witness.python(width=76),
        "certificate": json.dumps(_finite(witness.certificate), ensure_ascii=True),
    }


def _score(score: Score) -> dict[str, str]:
    return {"fraction": _minus(score.fraction), "decimal": _minus(score.decimal)}


def _minus(number: str) -> str:
    return "−" + number[1:] if number.startswith("-") else number


def _finite(value: Any) -> Any:
    """A copy in which no float is beyond JSON: those are strings in a certificate."""
    if isinstance(value, Mapping):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return str(value) if isinstance(value, float) and value - value != 0 else value
