"""The renderers: results as text, Markdown, LaTeX, CSV and HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from metaeval.core.errors import InputError
from metaeval.records.results import Results
from metaeval.reports.view import Chosen, Report, build

if TYPE_CHECKING:
    from metaeval.consistency.survey import Surveyed

#: The formats, and the module of each, which is imported when it is used.
_MODULES = {"text": "text", "markdown": "markdown", "latex": "latex", "csv": "table_csv", "html": "html"}
FORMATS = tuple(_MODULES)

__all__ = ["FORMATS", "Report", "build", "render"]


def render(
    results: Results,
    format: str,
    compare_with: Results | None = None,
    date: str = "",
    survey: Sequence[Surveyed] | None = None,
    only: Chosen | None = None,
    files: Mapping[str, Iterable[str]] | None = None,
) -> str:
    """Results as a document or, with older ones, what changed since; the others are those of :func:`build`."""
    if format not in _MODULES:
        raise InputError(f"no format {format!r}; expected one of {', '.join(FORMATS)}")
    module = import_module(f"metaeval.reports.{_MODULES[format]}")
    renderer: Callable[[Report], str] = module.render
    return renderer(build(results, compare_with, date, survey, only, files))
