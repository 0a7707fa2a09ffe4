"""Results in Python: in one line, as a table in a notebook, as a pandas DataFrame."""

from __future__ import annotations

from collections import Counter
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

from metaeval.core.errors import InputError
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell

if TYPE_CHECKING:
    from metaeval.records.results import Results

#: Readable on a light and on a dark notebook.
_GOOD, _BAD, _OPEN = "#1a8a5f", "#d9480f", "#888"

#: Columns of whole numbers, some missing: as floats, 12 cases would be shown as 12.0.
_WHOLE = ("cases", "violations", "exhaustive_objects", "exhaustive_cases", "objects")


def in_one_line(results: Results) -> str:
    """The numbers of measures, conditions and cells, and of cells per verdict."""
    amounts = (
        f"{len(results.measures)} measure{_plural(results.measures)}",
        f"{len(results.conditions)} condition{_plural(results.conditions)}",
        f"{len(results)} cell{_plural(results)}",
    )
    count = Counter(cell.verdict for cell in results)
    verdicts = ", ".join(f"{count[verdict]} {verdict}" for verdict in Verdict if verdict in count)
    return ", ".join(amounts) + (f": {verdicts}" if verdicts else "")


def as_html(results: Results) -> str:
    """A self-contained table: one row per measure, one column per condition, one symbol per reading."""
    head = "".join(f'<th title="{escape(each.name)}">{escape(id)}</th>' for id, each in results.conditions.items())
    body = "".join(_row(results, measure) for measure in results.measures)
    caption = f'<caption style="text-align:left">{escape(in_one_line(results))}</caption>'
    return f"<table>{caption}<thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table>"


def as_dataframe(results: Results) -> Any:
    """A pandas DataFrame with one row per cell, in the order of the tables."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise InputError(
            "to_dataframe needs pandas, which is not installed; `pip install pandas`, or take the CSV of "
            "`metaeval report --format csv`"
        ) from None
    frame = pandas.DataFrame([_record(cell) for cell in results], columns=_COLUMNS)
    return frame.astype(dict.fromkeys(_WHOLE, "Int64"))


def _plural(things: Any) -> str:
    return "" if len(things) == 1 else "s"


def _row(results: Results, measure: str) -> str:
    name = f'<th style="text-align:left" title="{escape(measure)}">{escape(results.measures[measure].name)}</th>'
    columns = (
        "".join(
            _symbol(cell)
            for reading in described.readings
            if (cell := results.get((measure, condition, reading))) is not None
        )
        for condition, described in results.conditions.items()
    )
    return f"<tr>{name}{''.join(f'<td>{symbols}</td>' for symbols in columns)}</tr>"


def _symbol(cell: Cell) -> str:
    colour = _BAD if cell.verdict.counts_against else _GOOD if cell.verdict.satisfied else _OPEN
    title = f"{cell.condition} {cell.reading}: {cell.verdict}" + (f", {cell.message}" if cell.message else "")
    return f'<span style="color:{colour}" title="{escape(title)}">{escape(cell.verdict.symbol)}</span>'


def _record(cell: Cell) -> dict[str, Any]:
    """The simple fields of a cell; its certificate as scores and size."""
    bound, witness = cell.exhaustive, cell.certificate
    return {
        "measure": cell.measure,
        "condition": cell.condition,
        "reading": cell.reading,
        "verdict": str(cell.verdict),
        "cases": cell.cases,
        "violations": cell.violations,
        "exhaustive_objects": None if bound is None else bound.objects,
        "exhaustive_cases": None if bound is None else bound.cases,
        "claim": cell.claim,
        "left": None if witness is None else witness.scores[0].value,
        "right": None if witness is None or len(witness.scores) < 2 else witness.scores[1].value,
        "objects": None if witness is None else witness.objects,
        "message": cell.message,
        "seconds": cell.seconds,
    }


_COLUMNS = list(_record(Cell("", "", "", Verdict.HOLDS)))
