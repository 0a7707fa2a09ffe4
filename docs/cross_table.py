"""Write tables of measures and conditions into a page: ``python docs/cross_table.py RESULTS PAGE.md``.

A page has the cross table of all, or tables of some measures, conditions and readings, which a comment names.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from msgspec.structs import replace as with_fields

from metaeval.catalogue.condition import find_condition
from metaeval.catalogue.measure import find_measure
from metaeval.core.verdict import Verdict
from metaeval.records.results import Results
from metaeval.reports import build
from metaeval.reports.text import matrix

#: What stands before and after the table in the page.
BEGIN, END = "<!-- cross table: written by docs/cross_table.py -->\n", "<!-- end of the cross table -->\n"
_READING = "canonical"
#: A comment with a domain, conditions, readings and measures, and the table below it.
SOME = re.compile(r"(<!-- verdicts: (.*?)\|(.*?)\|(.*?)\|(.*?)-->\n).*?(<!-- end of the verdicts -->\n)", re.DOTALL)


def main(results: str, page: str) -> None:
    """Put the tables of the results in the place of those that are there."""
    path, found = Path(page), Results.load(results)
    text = path.read_text(encoding="utf-8")
    text = re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}{cross_table(found)}{END}", text, flags=re.DOTALL)
    path.write_text(with_tables(found, text), encoding="utf-8")


def with_tables(results: Results, text: str) -> str:
    """The text of a page with the tables that its comments name."""

    def table(place: re.Match[str]) -> str:
        begin, *named, end = place.groups()
        [domain], *rest = map(str.split, named)
        return f"{begin}{some_verdicts(results, domain, *rest)}{end}"

    return SOME.sub(table, text)


def some_verdicts(
    results: Results, domain: str, conditions: list[str], readings: list[str], measures: list[str]
) -> str:
    """Some measures against some conditions, only in the form that measures with this domain meet."""
    described = {id: results.conditions[id] for id in conditions}
    shown = {
        id: with_fields(one, readings={name: each for name, each in one.readings.items() if name in readings})
        for id, one in described.items()
    }
    part = Results(results.provenance, {id: results.measures[id] for id in measures}, shown)
    for cell in results:
        if cell.measure in measures and cell.condition in shown and cell.reading in shown[cell.condition].readings:
            condition, own = find_condition(cell.condition), find_measure(cell.measure).domain
            if condition.form(own, cell.reading).key == condition.form(domain, cell.reading).key:
                part.add(cell)
    return "\n".join(["```", *matrix(build(part)), "```", ""])


def cross_table(results: Results) -> str:
    """Every measure against every condition under the canonical reading, family by family.

    A measure is not asked what lies outside its domain, or what speaks of an optimum that it does not have.
    """
    conditions = [id for id, one in results.conditions.items() if _READING in one.readings]
    lines = ["```", _line("", conditions)]
    family = ""
    for id, described in sorted(results.measures.items(), key=lambda one: _place(results, one[1].family)):
        if described.family != family:
            family = described.family
            lines += ["", family]
        lines.append(_line(id, [_symbol(results, id, condition) for condition in conditions]))
    return "\n".join(line.rstrip() for line in [*lines, "```", ""])


def _place(results: Results, family: str) -> int:
    return [*dict.fromkeys(one.family for one in results.measures.values())].index(family)


def _line(name: str, entries: list[str]) -> str:
    return f"{name:<22}" + " ".join(f"{entry:<3}" for entry in entries)


def _symbol(results: Results, measure: str, condition: str) -> str:
    cell = results.get((measure, condition, _READING))
    return "·" if cell is None else Verdict(cell.verdict).symbol


if __name__ == "__main__":
    main(*sys.argv[1:])
