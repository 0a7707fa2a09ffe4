"""The report as CSV: one row a cell, everything about it in columns."""

from __future__ import annotations

import csv
import io

from metaeval.reports.view import VERDICTS, Cell, Report

#: A spreadsheet runs a text that starts with one of these as a formula.
_FORMULA = ("=", "+", "-", "@")


def render(report: Report) -> str:
    """The whole report; results compared with older ones give a row for every change."""
    out = io.StringIO()
    rows = [_row(cell, report) for cell in report.ordered]
    writer = csv.DictWriter(out, _fields(report), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _fields(report: Report) -> list[str]:
    return list(_row(Cell("", "", "", "holds", ""), report))


def _row(cell: Cell, report: Report) -> dict[str, str]:
    names = {row.id: row.name for row in report.measures} | {each.id: each.name for each in report.conditions}
    row = {
        "measure": _text(cell.measure),
        "measure_name": _text(names.get(cell.measure, "")),
        "condition": _text(cell.condition),
        "condition_name": _text(names.get(cell.condition, "")),
        "reading": _text(cell.reading),
        "verdict": cell.verdict,
        "meaning": VERDICTS[cell.verdict].meaning,
    }
    if report.compared:
        row["verdict_before"] = cell.before
    row |= {
        "cases": _number(cell.cases),
        "violations": _number(cell.violations),
        "exhaustive_objects": _number(cell.exhaustive_objects),
        "exhaustive_cases": _number(cell.exhaustive_cases),
        "claim": cell.claim,
        "fate": cell.fate,
        "counterexample": _text(cell.counterexample),
        **_scores(cell),
        "message": _text(cell.message),
    }
    return row | {f"provenance_{key}": _text(value) for key, value in report.provenance}


def _scores(cell: Cell) -> dict[str, str]:
    witness = cell.witness
    columns = ("left", "left_exact", "right", "right_exact", "demanded", "found")
    if witness is None:
        return dict.fromkeys(columns, "")
    left, right = witness.left, witness.right
    values = (repr(left.value), left.fraction, repr(right.value), right.fraction, witness.demand, witness.found)
    return dict(zip(columns, values, strict=True))


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


def _text(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULA) else value
