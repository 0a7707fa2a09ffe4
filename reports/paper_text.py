"""The tables and claims of a source beside what was found, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from metaeval.catalogue.condition import READINGS, find_condition
from metaeval.display.layout import plural
from metaeval.literature.source import Compliance
from metaeval.records.results import Results
from metaeval.reports.document import WRITTEN, Block, Heading, Items, Paragraph, Table, counterexample
from metaeval.reports.text import WIDTH, lines
from metaeval.reports.view import LEGEND, build

if TYPE_CHECKING:  # what a study is made of loads the search
    from metaeval.paper.recomputed import ScoredTable
    from metaeval.paper.study import JudgedClaim, JudgedShortcoming, Study

#: The most scores, or conditions, that fit side by side into 80 columns.
_ABREAST = 4
_SYMBOLS = {"proved": "∎", "confirmed": "✓", "refuted": "✗", "unconfirmed": "?"}
_VERDICTS = "∎ proved for all sizes, ✓ no counterexample found, ✗ a counterexample"
#: The marks of a place of a table that is not as printed.
_REFUTED, _UNCONFIRMED = "≠", "?"
One = TypeVar("One")


def render(study: Study, width: int = WIDTH) -> str:
    return "\n\n".join("\n".join(lines(block, width)) for block in document(study)) + "\n"


def document(study: Study) -> Iterator[Block]:
    """The blocks of the comparison, from the tables to the counterexamples."""
    yield Heading(1, f"What {study.source.called} prints and claims, recomputed")
    if study.source.introduction:
        yield Paragraph(study.source.introduction)
    for table in study.tables:
        yield from _table(table)
    if study.slips or study.tables:
        yield Heading(2, "Differences and slips")
        read = " (Read, not computed.)"
        said = (f"{slip.place}: {slip.text}" + ("" if slip.computed else read) for slip in study.slips)
        items = tuple((str(number), text) for number, text in enumerate(said, start=1))
        yield Items(items) if items else Paragraph("None: every score is as printed.")
    if (found := study.theorem_1) is not None:
        agreed = "they are equal in every one" if not found.differences else f"{found.differences} differ"
        yield Heading(2, "Theorem 1")
        yield Paragraph(
            f"MOCICE of clusterings lifted to {found.features} features against CICE of the clusterings, in exact "
            f"fractions, on all {found.pairs} pairs of different clusterings of up to {found.objects} objects, "
            f"overlapping ones included: {agreed}. Theorems 2 to 6 are the claims on B.1 to B.5 below."
        )
    yield from _claims(study) if study.source.compliance is None else _compliance(study, study.source.compliance)
    yield from _shortcomings(study.shortcomings)
    yield from _counterexamples(study)


# --- tables of scores


def _table(table: ScoredTable) -> Iterator[Block]:
    yield Heading(2, table.golden.name)
    yield Paragraph(table.golden.note)
    sides = max(len(column.sides) for column in table.golden.columns)
    for places in _abreast(range(len(table.golden.columns)), _ABREAST // sides):
        names = [table.golden.columns[at].name for at in places]
        headers = ["", *(header for name in names for header in (name, table.golden.status))]
        rows = []
        for row in table.rows:
            cells = [row.name]
            for column in (row.columns[at] for at in places):
                scores, printed = "  ".join(column.rounded), "–"
                if column.printed is not None:
                    printed = "  ".join(column.printed) + (f"  {_REFUTED}" if column.differs else "")
                cells += [f"*{scores}*" if column.fails else scores, printed]
            rows.append(tuple(cells))
        yield Table(tuple(headers), tuple(rows))


def _abreast(values: Sequence[One], most: int) -> Iterator[Sequence[One]]:
    """The values in as few groups as possible, of about equal sizes."""
    groups = -(-len(values) // most)
    size = -(-len(values) // groups) if groups else 1
    for start in range(0, len(values), size):
        yield values[start : start + size]


# --- claims


def _claims(study: Study) -> Iterator[Block]:
    """The claims, and where they are made."""
    yield Heading(2, "Claims")
    yield Paragraph(
        "One row per claim, with one symbol per reading: ∎ proved for all sizes, ✓ confirmed, ✗ refuted, ? neither."
    )
    readings = _readings(study.claims)
    rows = []
    for judged in study.claims:
        marks = [_SYMBOLS.get(judged.fates.get(name, ""), "") for name in readings]
        claim = judged.claim
        rows.append((claim.measure, f"{claim.says} {claim.condition}", *marks, judged.fate))
    yield Table(("Measure", "Claim", *readings, "Fate"), tuple(rows))
    places: dict[str, dict[str, list[str]]] = {}
    for judged in study.claims:
        who = places.setdefault(judged.claim.place.partition(", ")[2], {})
        who.setdefault(judged.claim.measure, []).append(judged.claim.condition)
    yield Paragraph("Where they are made:")
    yield Items(
        tuple((", ".join(f"{id} {', '.join(ids)}" for id, ids in who.items()), place) for place, who in places.items())
    )


def _readings(claims: Iterable[JudgedClaim]) -> list[str]:
    """The readings that claims speak of."""
    claimed = (judged.claim for judged in claims)
    names = {name for one in claimed for name in find_condition(one.condition).readings if one.speaks_of(name)}
    return [name for name in READINGS if name in names]


def _compliance(study: Study, table: Compliance) -> Iterator[Block]:
    """The source's table with what was found beside each mark, and the places where both differ."""
    claims: dict[tuple[str, str], list[JudgedClaim]] = {}
    for judged in study.claims:
        claims.setdefault((judged.claim.measure, judged.claim.condition), []).append(judged)
    yield Heading(2, table.name)
    order = ", ".join(_readings(study.claims))
    yield Paragraph(f"As printed: {table.legend}")
    yield Paragraph(
        f"As found: behind each mark, one symbol per reading ({order}): {_VERDICTS}. "
        f"{_REFUTED} marks a place that is not as printed, {_UNCONFIRMED} a claimed violation that was not found."
    )
    for conditions in _abreast(table.conditions, _ABREAST):
        rows = (
            (measure, *(_place(table.mark(measure, id), claims[measure, id]) for id in conditions))
            for measure in table.marks
        )
        yield Table(("", *conditions), tuple(rows))
    yield from _disagreements(claims)


def _place(mark: str, claims: list[JudgedClaim]) -> str:
    """A place of the table: its mark, the verdicts per reading, and whether both agree."""
    verdicts = {name: found["verdict"] for judged in claims for name, found in judged.readings.items()}
    symbols = "".join(LEGEND[verdicts[name]].symbol for name in READINGS if name in verdicts)
    return f"{mark} {symbols} {_agreement(claims)}".rstrip()


def _agreement(claims: list[JudgedClaim]) -> str:
    fates = {judged.fate for judged in claims}
    if any(fate.startswith("refuted") for fate in fates):
        return _REFUTED
    return _UNCONFIRMED if "unconfirmed" in fates else ""


def _disagreements(claims: dict[tuple[str, str], list[JudgedClaim]]) -> Iterator[Block]:
    marks = {place: _agreement(judged) for place, judged in claims.items()}
    differ, unsettled = (sum(mark == kind for mark in marks.values()) for kind in (_REFUTED, _UNCONFIRMED))
    yield Paragraph(
        f"Of {plural(len(marks), 'place')}, {len(marks) - differ - unsettled} are as printed, {differ} are not, "
        f"and {unsettled} could not be settled."
    )

    def said(judged: JudgedClaim) -> str:
        found = ", ".join(f"{name} {LEGEND[each['verdict']].symbol}" for name, each in judged.readings.items())
        return f"{judged.claim.says}: {judged.fate} ({found})"

    differing = [place for place in claims if marks[place]]
    if differing:
        yield Items(tuple((" ".join(place), "; ".join(map(said, claims[place]))) for place in differing))


def _shortcomings(judged: tuple[JudgedShortcoming, ...]) -> Iterator[Block]:
    """Measures that are said to violate one of several conditions, with what was found for each."""
    if not judged:
        return
    claim = judged[0].shortcoming
    conditions = [condition for condition, _ in claim.places]
    meant = ", ".join(f"{condition} {reading}" for condition, reading in claim.places)
    others = ", or a property that is no condition here" if claim.others else ""
    yield Heading(2, "Each violates one of them")
    place = claim.place.partition(", ")[2]
    said = f"The source says that each of these violates at least one of {meant}{others} ({place})."
    yield Paragraph(f"{said} {_VERDICTS}.")
    rows = []
    for one in judged:
        found = [[each["verdict"] for each in claims.readings.values()] for claims in one.alternatives]
        symbols = ("".join(LEGEND[verdict].symbol for verdict in verdicts) for verdicts in found)
        rows.append((one.shortcoming.measure, *symbols, one.fate))
    yield Table(("Measure", *conditions, "Fate"), tuple(rows))


def _counterexamples(study: Study) -> Iterator[Block]:
    # Cells have the claim of the first source that is about them; here it is this source's.
    own = Results(study.results.provenance, study.results.measures, study.results.conditions)
    for cell in study.results:
        claim = study.source.claim_on(*cell.key)
        own.add(replace(cell, claim=None if claim is None else claim.says))
    report = build(own)
    refuting = []
    for judged in study.claims:
        for reading, found in judged.fates.items():
            entry = report.at(judged.claim.measure, judged.claim.condition, reading)
            refuting += [entry] if found == "refuted" and entry.counterexample else []
    yield Heading(2, "Counterexamples to refuted claims")
    if not refuting:
        yield Paragraph("None: no claim was refuted.")
        return
    yield Paragraph(WRITTEN)
    for entry in refuting:
        yield from counterexample(entry, report, study.source)
