"""The report as one HTML page that needs nothing but itself.

The matrix is written here; the page's script opens a cell's evidence from the data embedded beside it.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from metaeval.evidence.counterexample import Counterexample, by_id, is_exact
from metaeval.evidence.scores import Score, digits_apart
from metaeval.evidence.wording import evidence
from metaeval.paper.claims import FATES
from metaeval.reports.document import intersections, overview, title
from metaeval.reports.pictures import pictures
from metaeval.reports.view import LEGEND, Entry, Report

_TEMPLATES = Path(__file__).parent / "templates"
_MOST_BICLUSTERS = 16


def render(report: Report) -> str:
    """The whole page."""
    script, style = (_source(name) for name in ("page.js", "page.css"))
    return _environment().get_template("page.html").render(
        report=report,
        title=title(report),
        overview=overview(report),
        verdicts=LEGEND,
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
        "verdicts": {name: legend._asdict() for name, legend in LEGEND.items()},
        "fates": FATES,
        "measures": {row.id: {"name": row.described.name, "gate": row.described.gate} for row in report.measures},
        "conditions": {
            column.id: _named(column.described, "name", "statement", "citation")
            | {"readings": {each.name: _named(each, "adds", "scope") for each in column.readings}}
            for column in report.conditions
        },
        "cells": {entry.link: _entry(entry) for entry in report.ordered},
    }


def _named(entry: object, *names: str) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in names}


def _entry(entry: Entry) -> dict[str, Any]:
    shown = _named(
        entry, "measure", "condition", "reading", "verdict", "before", "name", "claim", "fate", "message"
    )
    return {
        **shown,
        "change": "" if entry.change is None else f"{entry.change.kind}: {entry.change.summary}",
        "evidence": "" if entry.cell is None else f"{evidence(entry.cell)}.",
        "witness": None if entry.counterexample is None else _witness(entry.counterexample, entry.reading),
    }


def _witness(counterexample: Counterexample, reading: str) -> dict[str, Any]:
    certificate = counterexample.certificate
    digits = digits_apart(*certificate.scores)
    margin, value = counterexample.margin
    return {
        "demanded": counterexample.demanded,
        "found": counterexample.found,
        "left": _score(certificate.left, digits),
        "right": _score(certificate.right, digits),
        "margin": {"name": margin, **_score(value, digits)},
        "size": counterexample.size(reading),
        "pictures": pictures(counterexample.families),
        "shared": [
            {"side": side, "table": intersections(candidate, gold)}
            for (candidate, gold), side in zip(counterexample.sides, ("Left", "Right"), strict=True)
            if all(0 < len(family.members) <= _MOST_BICLUSTERS for family in (candidate, gold))
        ],
        "python": counterexample.python(76, by_id(certificate.measure, is_exact(certificate))),
        "certificate": json.dumps(certificate.to_json(), ensure_ascii=True),
    }


def _score(score: Score, digits: int) -> dict[str, str]:
    return {"fraction": _minus(score.fraction), "decimal": _minus(score.rounded(digits))}


def _minus(number: str) -> str:
    return "−" + number[1:] if number.startswith("-") else number
