"""The report as a list of blocks, which the text, Markdown and LaTeX renderers write each in their way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from metaeval.reports.view import FATES, VERDICTS, Cell, ConditionColumn, MeasureRow, Report
from metaeval.reports.witness import Family, Witness, intersections, plural

#: Larger tables of intersections are left to the computer.
_MOST_PARTS = 12


@dataclass(frozen=True)
class Heading:
    level: int
    text: str
    anchor: str = ""


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Items:
    """Terms, each with its explanation."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """Rows of text; the column ``links`` holds names that are anchors of headings."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()
    links: int | None = None


@dataclass(frozen=True)
class Code:
    text: str
    language: str


@dataclass(frozen=True)
class Matrix:
    """The place of the matrix, which every format draws in its own way."""

    report: Report


Block = Heading | Paragraph | Items | Table | Code | Matrix


def document(report: Report) -> Iterator[Block]:
    """The blocks of a report, from the matrix to the provenance."""
    yield Heading(1, title(report))
    yield Paragraph(overview(report))
    yield from _changes(report) if report.compared else _matrix(report)
    yield from _claims(report)
    yield from _counterexamples(report)
    yield from _evidence(report)
    yield from _conditions(report)
    yield from _measures(report)
    yield from _provenance(report)


def title(report: Report) -> str:
    """What the report shows, in a line."""
    return "What changed in the compliance matrix" if report.compared else "Compliance matrix"


def overview(report: Report) -> str:
    """The matrix in numbers."""
    if report.compared:
        return f"{plural(len(report.ordered), 'cell')} changed." if report.ordered else "No verdict changed."
    if not report.ordered:
        return "The results hold no cells yet."
    parts = ", ".join(
        f"{amount:,} {'hold' if verdict == 'holds' and amount > 1 else verdict}"
        for verdict, amount in report.verdicts.items()
    )
    text = (
        f"{plural(len(report.measures), 'measure')} against {plural(len(report.conditions), 'condition')}, "
        f"{plural(len(report.ordered), 'cell')}: {parts}."
    )
    if report.fates:
        text += " Claims: " + ", ".join(f"{amount} {fate}" for fate, amount in report.fates.items()) + "."
    return text


def legend(report: Report) -> tuple[tuple[str, str], ...]:
    """Symbol and meaning of every verdict, whether it occurs or not."""
    return tuple((verdict.symbol, f"{name}: {verdict.meaning}") for name, verdict in VERDICTS.items())


def naming(report: Report) -> str:
    """How the matrix refers to the counterexamples."""
    letters = ", ".join(f"{letter} {name}" for letter, name in report.readings.items())
    text = f"Under each condition, one symbol a reading: {letters}." if letters else ""
    if report.witnessed:
        cell = report.witnessed[0]
        text += (
            f" A counterexample is named after its place: {cell.name} belongs to row {cell.measure}, "
            f"column {cell.condition}, reading {cell.reading}."
        )
    return text.strip()


def counterexample_title(cell: Cell, report: Report) -> str:
    """The name of a counterexample and the cell it decides."""
    measure = next(row.name for row in report.measures if row.id == cell.measure)
    condition = next(column.name for column in report.conditions if column.id == cell.condition)
    return f"{cell.name}: {measure} on {cell.condition} {condition}, {cell.reading}"


def _matrix(report: Report) -> Iterator[Block]:
    if report.ordered:
        yield Heading(2, "Matrix")
        yield Matrix(report)
        yield Paragraph(naming(report))
        yield Heading(2, "Legend")
        yield Items(legend(report))


def _changes(report: Report) -> Iterator[Block]:
    if not report.ordered:
        return
    yield Heading(2, "Changes")
    yield Table(
        ("Measure", "Condition", "Reading", "Was", "Is", "Counterexample"),
        tuple(
            (*_place(cell), _verdict(cell.before), _verdict(cell.verdict), cell.counterexample)
            for cell in report.ordered
        ),
        links=5,
    )
    yield Heading(2, "Legend")
    yield Items(legend(report))


def _claims(report: Report) -> Iterator[Block]:
    if not report.claimed:
        return
    yield Heading(2, "Claims")
    yield Paragraph(" ".join(f"{fate.capitalize()}: {meaning}." for fate, meaning in FATES.items()))
    yield Table(
        ("Measure", "Condition", "Reading", "Claim", "Verdict", "Fate", "Counterexample"),
        tuple(
            (*_place(cell), cell.claim, _verdict(cell.verdict), cell.fate, cell.counterexample)
            for cell in report.claimed
        ),
        links=6,
    )


def _counterexamples(report: Report) -> Iterator[Block]:
    if not report.ordered:
        return
    yield Heading(2, "Counterexamples")
    if not report.witnessed:
        yield Paragraph("None: no certificate is in these results.")
        return
    yield Paragraph(
        "Every set is written out: rows × columns, objects and features counted from 0. A prime marks a "
        "bicluster that differs between left and right. All of them are re-checked, without any search, by:"
    )
    yield Code("metaeval verify results.json", "sh")
    first: dict[tuple[object, ...], str] = {}
    for cell in report.witnessed:
        assert cell.witness is not None
        key = (cell.measure, cell.condition, *(family.biclustering for family in cell.witness.families))
        if key in first:
            # Readings contain one another, so that their smallest cases are often the same.
            yield Heading(3, counterexample_title(cell, report), cell.name)
            yield Paragraph(f"The same case as {first[key]}.")
        else:
            first[key] = cell.name
            yield from counterexample(cell, report)


def counterexample(cell: Cell, report: Report) -> Iterator[Block]:
    """One counterexample, written out so that it can be checked with pencil and paper."""
    witness = cell.witness
    assert witness is not None
    yield Heading(3, counterexample_title(cell, report), cell.name)
    yield Items(tuple(facts(cell)))
    yield Items(tuple((family.title, _sets(family)) for family in witness.families))
    for (candidate, gold), side in zip(witness.sides, ("left", "right"), strict=True):
        yield from _intersections(candidate, gold, side)
    yield Code(witness.python(), "python")


def facts(cell: Cell) -> Iterator[tuple[str, str]]:
    """What a counterexample shows, as terms and explanations."""
    witness = cell.witness
    assert witness is not None
    yield "demanded", witness.demand
    yield "found", witness.found
    yield "scores", f"left {witness.left}; right {witness.right}{_optimum(witness)}"
    name, margin = witness.margin
    yield "margin", f"{name} = {margin}"
    if witness.minimal:
        yield "size", witness.minimal
    if cell.claim:
        yield "claim", f"{cell.claim}: {cell.fate}"


def _optimum(witness: Witness) -> str:
    shown = witness.relation == "not-optimal" and witness.optimum is not None
    return f"; optimum {witness.optimum:g}" if shown else ""


def _sets(family: Family) -> str:
    parts = "; ".join(map(str, family.parts)) or "no bicluster"
    return f"{parts} (on {family.shape})"


def _intersections(candidate: Family, gold: Family, side: str) -> Iterator[Block]:
    if not candidate.parts or not gold.parts:
        return
    if max(len(candidate.parts), len(gold.parts)) > _MOST_PARTS:
        yield Paragraph(f"Cells shared on the {side}: too many biclusters for a table.")
        return
    header, *rows = intersections(candidate, gold)
    yield Table((f"{side}: cells shared", *header[1:]), tuple(map(tuple, rows)), frozenset(range(1, len(header))))


def _evidence(report: Report) -> Iterator[Block]:
    run = [cell for cell in report.ordered if cell.cases is not None or cell.bound]
    if run:
        yield Heading(2, "Evidence")
        yield Paragraph(
            "Cases tried in each cell, and up to how many objects every case within the reading's scope was tried."
        )
        yield Table(
            ("Measure", "Condition", "Reading", "Verdict", "Cases", "Violating", "Exhaustive up to"),
            tuple(
                (
                    *_place(cell),
                    _verdict(cell.verdict),
                    _amount(cell.cases),
                    _amount(cell.violations),
                    cell.bound or "–",
                )
                for cell in run
            ),
            frozenset({4, 5}),
        )
    messages = tuple((cell.key, cell.message) for cell in report.ordered if cell.message)
    if messages:
        yield Heading(2, "Messages")
        yield Items(messages)


def _conditions(report: Report) -> Iterator[Block]:
    if not report.conditions:
        return
    yield Heading(2, "Conditions")
    for column in report.conditions:
        yield Heading(3, f"{column.id} {column.name}")
        yield Paragraph(" ".join(filter(None, (column.statement, column.citation and f"({column.citation})"))))
        yield Items(tuple(_readings(column)))


def _readings(column: ConditionColumn) -> Iterator[tuple[str, str]]:
    if column.demand:
        yield "demand", column.demand
    for reading in column.readings:
        scope = reading.scope and f"Exhaustive part: {reading.scope}"
        yield (
            f"{reading.name} ({reading.letter})",
            " ".join(filter(None, (sentence(reading.adds), sentence(scope)))) or "–",
        )


def _measures(report: Report) -> Iterator[Block]:
    if report.measures:
        yield Heading(2, "Measures")
        yield Items(tuple((row.id, _measure(row)) for row in report.measures))


def _measure(row: MeasureRow) -> str:
    parts = [f"{row.name}, best score {row.best}", row.summary, row.citation]
    if row.gate:
        parts.append(f"Gate: {row.gate}")
    return " ".join(map(sentence, filter(None, parts)))


def _provenance(report: Report) -> Iterator[Block]:
    yield Heading(2, "Provenance")
    yield Items(report.provenance or (("provenance", "none recorded"),))
    if report.baseline is not None:
        yield Paragraph("Compared with:")
        yield Items(report.baseline or (("provenance", "none recorded"),))


def sentence(text: str) -> str:
    """``text`` with a full stop, where it has no end of its own."""
    return text if not text or text[-1] in ".!?…" else text + "."


def _place(cell: Cell) -> tuple[str, str, str]:
    return cell.measure, cell.condition, cell.reading


def _verdict(name: str) -> str:
    return f"{VERDICTS[name].symbol} {name}"


def _amount(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"
