"""The paper's table and its claims beside what was found, as text: a pure function of their data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from metaeval.reports.document import Block, Heading, Items, Paragraph, Table, counterexample
from metaeval.reports.text import lines
from metaeval.reports.view import Cell, Report, build


def render(data: Mapping[str, Any]) -> str:
    """The whole comparison as plain text."""
    return "\n\n".join("\n".join(lines(block)) for block in document(data)) + "\n"


def document(data: Mapping[str, Any]) -> Iterator[Block]:
    """The blocks of the comparison, from the table to the counterexamples."""
    report = build(data["results"])
    yield Heading(1, f"What {data['source']} prints and claims, recomputed")
    yield from _table(data)
    yield from _slips(data)
    yield from _theorems(data)
    yield from _claims(data, report)
    yield from _counterexamples(data, report)


def _table(data: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading(2, "Table 1")
    yield Paragraph(
        "Each pair of scores is for Ĝ₁ and Ĝ₂, with X = {1′, 2′, 3′}. *Emphasised*: not strictly rising, so the "
        "condition fails. The last row is not in the paper's table."
    )
    headers = [""]
    for pair in data["pairs"]:
        headers += [pair["name"], "printed"]
    rows = []
    for row in data["table"]:
        cells = [row["name"]]
        for column in row["columns"]:
            cells += [_scores(column["rounded"], column["fails"]), _printed(column)]
        rows.append(tuple(cells))
    yield Table(tuple(headers), tuple(rows))


def _scores(pair: list[str], emphasised: bool) -> str:
    text = "  ".join(pair)
    return f"*{text}*" if emphasised else text


def _printed(column: Mapping[str, Any]) -> str:
    if column["printed"] is None:
        return "–"
    return "  ".join(column["printed"]) + ("  ≠" if column["differs"] else "")


def _slips(data: Mapping[str, Any]) -> Iterator[Block]:
    yield Heading(2, "Differences and slips")
    yield Items(
        tuple(
            (
                str(number),
                f"{slip['place']}: {slip['text']}" + ("" if slip["computed"] else " (Read, not computed.)"),
            )
            for number, slip in enumerate(data["slips"], start=1)
        )
    )


def _theorems(data: Mapping[str, Any]) -> Iterator[Block]:
    found = data["theorem_1"]
    agreed = "they are equal in every one" if not found["differences"] else f"{found['differences']} differ"
    yield Heading(2, "Theorem 1")
    yield Paragraph(
        f"MOCICE of clusterings lifted to {found['features']} features against CICE of the clusterings, in exact "
        f"fractions, on all {found['pairs']} pairs of different clusterings of up to {found['objects']} objects, "
        f"overlapping ones included: {agreed}. Theorems 2 to 6 are the claims on B.1 to B.5 below."
    )


def _claims(data: Mapping[str, Any], report: Report) -> Iterator[Block]:
    yield Heading(2, "Claims")
    yield Paragraph(
        "One row a claim; under each reading what became of it. ✓ confirmed, ✗ refuted by a counterexample, ? neither."
    )
    symbols = {"confirmed": "✓", "refuted": "✗", "unconfirmed": "?"}
    names = ("canonical", "literal", "overlapping", "repeated")
    rows = []
    for claim in data["claims"]:
        fates = [claim["readings"].get(name) for name in names]
        marks = [symbols[found["fate"]] if found else "" for found in fates]
        rows.append((claim["measure"], f"{claim['says']} {claim['condition']}", *marks, claim["fate"]))
    yield Table(("Measure", "Claim", *names, "Fate"), tuple(rows))
    places: dict[str, list[str]] = {}
    for claim in data["claims"]:
        places.setdefault(claim["place"].partition(", ")[2], []).append(f"{claim['measure']} {claim['condition']}")
    yield Paragraph("Where they are made:")
    yield Items(tuple((", ".join(_joined(who)), place) for place, who in places.items()))


def _joined(names: list[str]) -> list[str]:
    """Measures once, with all their conditions."""
    grouped: dict[str, list[str]] = {}
    for name in names:
        measure, _, condition = name.partition(" ")
        grouped.setdefault(measure, []).append(condition)
    return [f"{measure} {', '.join(ids)}" for measure, ids in grouped.items()]


def _counterexamples(data: Mapping[str, Any], report: Report) -> Iterator[Block]:
    refuting = [cell for claim in data["claims"] for cell in _refuting(claim, report)]
    yield Heading(2, "Counterexamples to refuted claims")
    if not refuting:
        yield Paragraph("None: no claim was refuted.")
        return
    yield Paragraph(
        "Every set is written out, rows × columns, objects and features counted from 0; a prime marks a bicluster "
        "that differs between left and right."
    )
    for cell in refuting:
        yield from counterexample(cell, report)


def _refuting(claim: Mapping[str, Any], report: Report) -> list[Cell]:
    cells = [report.at(claim["measure"], claim["condition"], reading) for reading in claim["readings"]]
    return [cell for cell in cells if cell.fate == "refuted" and cell.witness]
