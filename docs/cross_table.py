"""Write the cross table of measures and conditions into a page: ``python docs/cross_table.py RESULTS PAGE.md``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from metaeval.core.verdict import Verdict
from metaeval.records.results import Results

#: What stands before and after the table in the page.
BEGIN, END = "<!-- cross table: written by docs/cross_table.py -->\n", "<!-- end of the cross table -->\n"
_READING = "canonical"


def main(results: str, page: str) -> None:
    """Put the table of the results in the place of the one that is there."""
    path = Path(page)
    text = path.read_text(encoding="utf-8")
    table = cross_table(Results.load(results))
    path.write_text(
        re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}{table}{END}", text, flags=re.DOTALL), encoding="utf-8"
    )


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
