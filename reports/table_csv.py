"""The report as CSV: one row per cell."""

import csv
import io

from metaeval.display.counterexample import Counterexample
from metaeval.reports.view import LEGEND, Entry, Report

#: A spreadsheet runs a text that starts with one of these as a formula.
_FORMULA = ("=", "+", "-", "@")
_SCORES = ("left", "left_exact", "right", "right_exact", "demanded", "found")


def render(report: Report) -> str:
    """The whole report; a comparison has one row per change."""
    out = io.StringIO()
    rows = [_row(entry, report) for entry in report.ordered]
    names = list(rows[0]) if rows else ["measure", "condition", "reading", "verdict"]
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _row(entry: Entry, report: Report) -> dict[str, str]:
    names = {row.id: row.described.name for row in report.measures}
    place = {
        "measure": _text(entry.measure), "measure_name": _text(names.get(entry.measure, "")),
        "condition": _text(entry.condition), "condition_name": _text(entry.condition_described.name),
        "reading": _text(entry.reading), "verdict": entry.verdict, "meaning": LEGEND[entry.verdict].meaning,
    }  # fmt: skip
    if report.compared:
        place["verdict_before"] = entry.before
        place["change"] = "" if entry.change is None else str(entry.change.kind)
    if report.together is not None:
        place["impossible"] = entry.impossible
    provenance = {f"provenance_{key}": _text(value) for key, value in report.provenance}
    cell = entry.cell
    exhaustive = cell.exhaustive if cell else None
    evidence = {
        "cases": str(cell.cases) if cell else "",
        "violations": "" if cell is None or cell.violations is None else str(cell.violations),
        "exhaustive_objects": str(exhaustive.objects) if exhaustive else "",
        "exhaustive_cases": str(exhaustive.cases) if exhaustive else "",
        "claim": entry.claim,
        "fate": entry.fate,
        "counterexample": _text(entry.name) if entry.counterexample else "",
        "proof": _text(entry.name) if entry.proof else "",
        "unproved": _text(entry.unproved),
    }
    return {**place, **evidence, **_scores(entry.counterexample), "message": _text(entry.message), **provenance}


def _scores(counterexample: Counterexample | None) -> dict[str, str]:
    if counterexample is None:
        return dict.fromkeys(_SCORES, "")
    # The columns have the first two scores; the demand has all of them.
    first = [text for score in counterexample.certificate.scores[:2] for text in (repr(score.value), score.fraction)]
    values = [*first, "", ""][:4]
    return dict(zip(_SCORES, (*values, counterexample.demanded, counterexample.found), strict=True))


def _text(value: str) -> str:
    return f"'{value}" if value.startswith(_FORMULA) else value
