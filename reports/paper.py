"""The paper's table and its claims beside what was found, as text: a pure function of the study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from metaeval.condition import READINGS
from metaeval.reports.document import Block, Heading, Items, Paragraph, Table, counterexample
from metaeval.reports.text import WIDTH, lines
from metaeval.reports.view import Entry, Report, build

if TYPE_CHECKING:  # what a study is made of loads the search
    from metaeval.paper.study import JudgedClaim, ScoredPair, Study


def render(study: Study, width: int = WIDTH) -> str:
    """The whole comparison as plain text."""
    return "\n\n".join("\n".join(lines(block, width)) for block in document(study)) + "\n"


def document(study: Study) -> Iterator[Block]:
    """The blocks of the comparison, from the table to the counterexamples."""
    report = build(study.results)
    yield Heading(1, f"What {study.source} prints and claims, recomputed")
    yield from _table(study)
    yield from _slips(study)
    yield from _theorems(study)
    yield from _claims(study)
    yield from _counterexamples(study, report)


def _table(study: Study) -> Iterator[Block]:
    yield Heading(2, "Table 1")
    yield Paragraph(
        "Each pair of scores is for Ĝ₁ and Ĝ₂, with X = {1′, 2′, 3′}. *Emphasised*: not strictly rising, so the "
        "condition fails. The last row is not in the paper's table."
    )
    headers = ["", *(header for pair in study.pairs for header in (pair.name, "printed"))]
    rows = []
    for row in study.table:
        cells = [row.name]
        for column in row.columns:
            cells += [_scores(column), _printed(column)]
        rows.append(tuple(cells))
    yield Table(tuple(headers), tuple(rows))


def _scores(column: ScoredPair) -> str:
    text = "  ".join(column.rounded)
    return f"*{text}*" if column.fails else text


def _printed(column: ScoredPair) -> str:
    if column.printed is None:
        return "–"
    return "  ".join(column.printed) + ("  ≠" if column.differs else "")


def _slips(study: Study) -> Iterator[Block]:
    yield Heading(2, "Differences and slips")
    yield Items(
        tuple(
            (
                str(number),
                f"{slip.place}: {slip.text}" + ("" if slip.computed else " (Read, not computed.)"),
            )
            for number, slip in enumerate(study.slips, start=1)
        )
    )


def _theorems(study: Study) -> Iterator[Block]:
    found = study.theorem_1
    agreed = "they are equal in every one" if not found.differences else f"{found.differences} differ"
    yield Heading(2, "Theorem 1")
    yield Paragraph(
        f"MOCICE of clusterings lifted to {found.features} features against CICE of the clusterings, in exact "
        f"fractions, on all {found.pairs} pairs of different clusterings of up to {found.objects} objects, "
        f"overlapping ones included: {agreed}. Theorems 2 to 6 are the claims on B.1 to B.5 below."
    )


def _claims(study: Study) -> Iterator[Block]:
    yield Heading(2, "Claims")
    yield Paragraph(
        "One row a claim; under each reading what became of it. ∎ proved for all sizes, ✓ confirmed, "
        "✗ refuted, ? neither."
    )
    symbols = {"proved": "∎", "confirmed": "✓", "refuted": "✗", "unconfirmed": "?"}
    rows = []
    names = [name for name in READINGS if any(name in judged.readings for judged in study.claims)]
    for judged in study.claims:
        fates = [judged.readings.get(name) for name in names]
        marks = [symbols[found["fate"]] if found else "" for found in fates]
        claim = judged.claim
        rows.append((claim.measure, f"{claim.says} {claim.condition}", *marks, judged.fate))
    yield Table(("Measure", "Claim", *names, "Fate"), tuple(rows))
    places: dict[str, list[str]] = {}
    for judged in study.claims:
        place = judged.claim.place.partition(", ")[2]
        places.setdefault(place, []).append(f"{judged.claim.measure} {judged.claim.condition}")
    yield Paragraph("Where they are made:")
    yield Items(tuple((", ".join(_joined(who)), place) for place, who in places.items()))


def _joined(names: list[str]) -> list[str]:
    """Measures once, with all their conditions."""
    grouped: dict[str, list[str]] = {}
    for name in names:
        measure, _, condition = name.partition(" ")
        grouped.setdefault(measure, []).append(condition)
    return [f"{measure} {', '.join(ids)}" for measure, ids in grouped.items()]


def _counterexamples(study: Study, report: Report) -> Iterator[Block]:
    refuting = [entry for judged in study.claims for entry in _refuting(judged, report)]
    yield Heading(2, "Counterexamples to refuted claims")
    if not refuting:
        yield Paragraph("None: no claim was refuted.")
        return
    yield Paragraph(
        "Every set is written out, rows × columns, objects and features counted from 0; capitals are classes, small "
        "letters clusters, and a prime marks what became of a bicluster on the right."
    )
    for entry in refuting:
        yield from counterexample(entry, report)


def _refuting(judged: JudgedClaim, report: Report) -> list[Entry]:
    claim = judged.claim
    entries = [report.at(claim.measure, claim.condition, reading) for reading in judged.readings]
    return [entry for entry in entries if entry.fate == "refuted" and entry.counterexample]
