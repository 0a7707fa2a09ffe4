"""The report as one self-contained HTML page: the matrix, and a script that shows the evidence from embedded data."""

import base64
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from metaeval.display.layout import spanned
from metaeval.literature.source import FATES
from metaeval.reports.document import ASKED, OPEN, TOGETHER, overview, title
from metaeval.reports.page_data import linked, page_data
from metaeval.reports.view import LEGEND, Report

_TEMPLATES = Path(__file__).parent / "templates"
#: The parts of the one script and the one style, in this order; the scripts share one scope.
_SCRIPTS = ("dom", "theme", "pictures", "evidence", "state", "panel", "keyboard", "matrix", "choice", "start")
_STYLES = ("base", "matrix", "panel", "pictures", "narrow", "print")


def render(report: Report) -> str:
    script = '"use strict";\n(() => {\n' + "\n".join(_source(f"{name}.js") for name in _SCRIPTS) + "})();\n"
    styles = _STYLES if report.together is None else (*_STYLES, "together")
    style = "\n".join(_source(f"{name}.css") for name in styles)
    return environment().get_template("page.html").render(
        report=report,
        title=title(report),
        overview=overview(report),
        provenance=dict(report.provenance),
        verdicts=LEGEND,
        fates=FATES,
        together_title=TOGETHER,
        asked=ASKED,
        open_problems=OPEN,
        families=sorted({column.family for column in report.conditions}),
        data=embedded({**page_data(report), "style": sheet_style()}),
        script=Markup(script),
        style=Markup(style),
        # Only this script may run, even if a name in the results contains markup.
        policy=f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'",
    )  # fmt: skip


def sheet_style() -> Markup:
    """The style of a picture in a file of its own."""
    return Markup(_source("sheet.css"))


def embedded(data: Any) -> Markup:
    """Data as JSON for a script element: it cannot contain markup."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


@cache
def environment() -> Environment:
    """The templates, which escape what they are given."""
    loader = FileSystemLoader(_TEMPLATES)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(slug=lambda name: name.replace(" ", "-"), linked=linked, spanned=spanned)
    return environment


def _source(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _digest(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode("ascii")
