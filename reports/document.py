"""The report as blocks, which the text, Markdown and LaTeX renderers write."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from metaeval.core.settings import HIGHEST
from metaeval.display.condense import MOST_OBJECTS, grounds, is_large
from metaeval.display.counterexample import facts
from metaeval.display.labels import Family, shape_words, written
from metaeval.display.layout import plural
from metaeval.display.picture import draw_case, left_out_of_pools
from metaeval.display.python_call import call_of
from metaeval.literature.source import FATES, Source
from metaeval.proofs.proof_text import proof_facts
from metaeval.records.compare import Kind
from metaeval.reports.view import IMPOSSIBLE, LEGEND, NOT_APPLICABLE, ConditionColumn, Entry, MeasureRow, Report

#: Larger tables of intersections are left out.
_MOST_BICLUSTERS = 12
#: The section on the conditions together.
TOGETHER = "Can any measure satisfy them all?"
ASKED = (
    "Every case demands of every measure that ignores names that one side scores lower than another, or the same. "
    "If demands contradict each other, it is impossible that a measure satisfies the conditions. It is possible if a "
    "measure is proved to satisfy them. Otherwise it is open."
)
OPEN = (
    "Open problems, by reading: sets of conditions without a contradiction that no measure here satisfies. The "
    "smallest sets:"
)
#: How a counterexample is written.
WRITTEN = (
    "Every set is written out as rows × columns; objects and features are counted from 0. Capitals are classes, small "
    "letters clusters; a prime marks the right form of a bicluster that changed."
)
#: The width of lines of code, which a text report indents.
_CODE = 96


class Heading(NamedTuple):
    level: int
    text: str
    anchor: str = ""


class Paragraph(NamedTuple):
    text: str


class Items(NamedTuple):
    """Terms, each with its explanation."""

    pairs: tuple[tuple[str, str], ...]


class Table(NamedTuple):
    """Rows of text. ``numbers`` names columns; the column ``links`` holds names that are anchors of headings."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: Collection[str] = ()
    links: int | None = None


class Code(NamedTuple):
    text: str
    language: str


class Matrix(NamedTuple):
    """The place of the matrix, which every format draws in its own way."""

    report: Report


Block = Heading | Paragraph | Items | Table | Code | Matrix


def document(report: Report) -> Iterator[Block]:
    """The blocks of a report, from the matrix to the provenance."""
    yield Heading(1, title(report))
    yield Paragraph(overview(report))
    if report.ordered:
        if report.compared:
            yield from _changes(report)
        else:
            yield Heading(2, "Matrix")
            yield Matrix(report)
            yield Paragraph(naming(report))
        yield Heading(2, "Legend")
        yield Items(legend(report) + marks(report))
    yield from _together(report)
    yield from _claims(report)
    yield from _counterexamples(report)
    yield from _proofs(report)
    yield from _evidence(report)
    unproved: dict[str, list[str]] = {}
    for entry in report.ordered:
        if entry.unproved:
            unproved.setdefault(entry.unproved, []).append(entry.link)
    if unproved:
        yield Heading(2, "Not proved")
        yield Paragraph("Why no proof was found where there is no counterexample.")
        yield Items(tuple((plural(len(some), "cell"), f"{why} {', '.join(some)}") for why, some in unproved.items()))
    yield from _conditions(report)
    if report.measures:
        yield Heading(2, "Measures")
        yield Items(tuple((row.id, _measure(row)) for row in report.measures))
    yield Heading(2, "Provenance")
    yield Items(report.provenance or (("provenance", "none recorded"),))
    if report.baseline is not None:
        yield Paragraph("Compared with:")
        yield Items(report.baseline or (("provenance", "none recorded"),))


def title(report: Report) -> str:
    return "What changed in the compliance matrix" if report.compared else "Compliance matrix"


def overview(report: Report) -> str:
    """The number of measures, conditions and cells, and of each verdict and fate."""
    if report.compared:
        return f"{plural(len(report.ordered), 'cell')} changed." if report.ordered else "Nothing changed."
    if not report.ordered:
        return "The results hold no cells yet."
    amounts = ", ".join(
        f"{amount:,} {'hold' if verdict == 'holds' and amount > 1 else verdict}"
        for verdict, amount in report.verdicts.items()
    )
    asked = f"{plural(len(report.measures), 'measure')} against {plural(len(report.conditions), 'condition')}"
    text = f"{asked}, {plural(len(report.ordered), 'cell')}: {amounts}."
    if report.fates:
        text += " Claims: " + ", ".join(f"{amount} {fate}" for fate, amount in report.fates.items()) + "."
    return text


def legend(report: Report) -> tuple[tuple[str, str], ...]:
    """Symbol and meaning of every verdict; what does not apply only where that occurs."""
    shown = (item for item in LEGEND.items() if item[0] != NOT_APPLICABLE or item[0] in report.occurring)
    return tuple((verdict.symbol, f"{name}: {verdict.meaning}") for name, verdict in shown)


def marks(report: Report) -> tuple[tuple[str, str], ...]:
    """The mark and the remark of every reading that has one."""
    return tuple((IMPOSSIBLE, f"{place}: {remark}") for place, remark in report.impossible)


def naming(report: Report) -> str:
    """How the matrix refers to counterexamples and proofs."""
    letters = ", ".join(f"{letter} {name}" for letter, name in report.readings.items())
    text = f"Each condition has one symbol per reading: {letters}." if letters else ""
    if report.witnessed:
        entry = report.witnessed[0]
        text += (
            f" A counterexample is named after its cell: {entry.name} is in row {entry.measure}, column "
            f"{entry.condition}, reading {entry.reading}."
        )
    return text.strip()


def evidence_title(entry: Entry, report: Report) -> str:
    """The name of a counterexample or a proof, and the cell it decides."""
    measure = next(row.described.name for row in report.measures if row.id == entry.measure)
    return f"{entry.name}: {measure} on {entry.condition} {entry.condition_described.name}, {entry.reading}"


def _changes(report: Report) -> Iterator[Block]:
    yield Heading(2, "Changes")
    rows = []
    for entry in report.ordered:
        kind = "" if entry.change is None else str(entry.change.kind)
        rows.append((*_place(entry), _verdict(entry.before), _verdict(entry.verdict), kind, _name(entry)))
    yield Table(("Measure", "Condition", "Reading", "Was", "Is", "Change", "Evidence"), tuple(rows), links=6)
    if weaker := [entry.change for entry in report.ordered if entry.change and entry.change.kind is Kind.WEAKER]:
        yield Heading(2, "Weaker evidence")
        yield Items(tuple((".".join(change.key), change.summary) for change in weaker))


def _together(report: Report) -> Iterator[Block]:
    """The survey: answers, cases, every contradiction, open problems."""
    if (found := report.together) is None:
        return
    yield Heading(2, TOGETHER)
    yield Paragraph(f"{ASKED} {found.verdict}")
    yield _rows(found.answers, found.numbers)
    if found.remarks:
        yield Items(found.remarks)
    yield Paragraph(found.cases_note)
    yield _rows(found.cases, found.cases[0][1:])
    for title, certificate in found.certificates:
        yield Heading(3, f"A contradiction: {title}")
        yield Code(certificate, "text")
    if found.problems:
        yield Paragraph(OPEN)
        yield Items(found.problems)


def _rows(rows: tuple[tuple[str, ...], ...], numbers: Iterable[str]) -> Table:
    headers, *rest = rows
    return Table(tuple(map(str.capitalize, headers)), tuple(rest), tuple(map(str.capitalize, numbers)))


def _claims(report: Report) -> Iterator[Block]:
    if not report.claimed:
        return
    yield Heading(2, "Claims")
    yield Paragraph(" ".join(f"{fate.capitalize()}: {meaning}." for fate, meaning in FATES.items()))
    rows = tuple((*_place(one), one.claim, _verdict(one.verdict), one.fate, _name(one)) for one in report.claimed)
    yield Table(("Measure", "Condition", "Reading", "Claim", "Verdict", "Fate", "Evidence"), rows, links=6)


def _counterexamples(report: Report) -> Iterator[Block]:
    if not report.ordered:
        return
    yield Heading(2, "Counterexamples")
    if not report.witnessed:
        yield Paragraph("None: no certificate is in these results.")
        return
    yield Paragraph(
        f"{WRITTEN} A case with more than {MOST_OBJECTS} objects is shown by the numbers of objects that are alike. "
        "This command re-checks all of them without a search:"
    )
    yield Code(report.verify, "sh")
    first: dict[tuple[object, ...], str] = {}
    for entry in report.witnessed:
        assert entry.counterexample is not None
        key = (entry.measure, entry.condition, entry.counterexample.certificate.case)
        if key in first:
            # Readings contain one another, so their smallest cases are often the same.
            yield Heading(3, evidence_title(entry, report), entry.name)
            yield Paragraph(f"The same case as {first[key]}.")
        else:
            first[key] = entry.name
            yield from counterexample(entry, report)


def counterexample(entry: Entry, report: Report, source: Source | None = None) -> Iterator[Block]:
    """One counterexample, written out so that it can be checked by hand."""
    found = entry.counterexample
    assert found is not None
    assert entry.cell is not None
    yield Heading(3, evidence_title(entry, report), entry.name)
    yield Items(tuple(facts(entry.cell, found, source)))
    if entry.impossible:
        yield Paragraph(f"{entry.mark} But {sentence(entry.impossible)}")
    case = found.certificate.case
    if is_large(case):
        # Drawn by groups of like objects; the code after it has every set.
        shown = [(family, ground.written) for ground in grounds(case) for family in ground.families]
        yield Code(draw_case(case, _CODE), "text")
        yield Items(tuple((one.title, "; ".join(map(told, one.members)) or "no bicluster") for one, told in shown))
    else:
        items = []
        for family in found.families:
            sets = "; ".join(map(written, family.members)) or "no bicluster"
            items.append((family.title, f"{sets} (on {shape_words(family.biclustering.shape)})"))
        yield Items(tuple(items))
        for side, candidate, gold in found.sides:
            yield from _intersections(candidate, gold, side)
        if left_out := left_out_of_pools(case):
            yield Paragraph(f"Not written out: {left_out}; the code has all.")
    measure = next(row.described for row in report.measures if row.id == entry.measure)
    yield Code(found.python(_CODE, call_of(found.certificate, measure)), "python")


def _proofs(report: Report) -> Iterator[Block]:
    """Every proof, as a person would write it."""
    if not report.proved:
        return
    yield Heading(2, "Proofs")
    yield Paragraph(
        "Each proof is for all sizes and in every context, under the named reading. This command derives every "
        "statement again from the equation, and computes it on other cases than the run did:"
    )
    yield Code(report.verify, "sh")
    for entry in report.proved:
        assert entry.proof is not None
        yield Heading(3, evidence_title(entry, report), entry.name)
        yield Items(tuple((title, "; ".join(text.splitlines())) for title, text in proof_facts(entry.proof)))


def _intersections(candidate: Family, gold: Family, side: str) -> Iterator[Block]:
    if not candidate.members or not gold.members:
        return
    if max(len(candidate.members), len(gold.members)) > _MOST_BICLUSTERS:
        yield Paragraph(f"Shared cells, {side}: too many biclusters for a table.")
        return
    header, *rows = intersections(candidate, gold)
    yield Table((f"{side}: shared cells", *header[1:]), tuple(map(tuple, rows)), header[1:])


def intersections(candidate: Family, gold: Family) -> list[list[str]]:
    """The table of |G ∩ C| in cells; the headers have the sizes."""
    header = ["", *(f"{member.label} ({member.size})" for member in gold.members)]
    rows = [
        [f"{member.label} ({member.size})", *(str(member.shared(other)) for other in gold.members)]
        for member in candidate.members
    ]
    return [header, *rows]


def _evidence(report: Report) -> Iterator[Block]:
    if run := [(entry, entry.cell) for entry in report.ordered if entry.cell is not None]:
        yield Heading(2, "Evidence")
        yield Paragraph(
            "The number of cases per cell, and up to how many objects every case in the reading's scope was tried."
        )
        rows = []
        for entry, cell in run:
            violating = "–" if cell.violations is None else f"{cell.violations:,}"
            bound = "–"
            if cell.bound is not None:
                bound = f"{plural(cell.bound.objects, 'object')} ({plural(cell.bound.cases, 'case')})"
            rows.append((*_place(entry), _verdict(entry.verdict), f"{cell.cases:,}", violating, bound))
        headers = ("Measure", "Condition", "Reading", "Verdict", "Cases", "Violating", "Exhaustive up to")
        yield Table(headers, tuple(rows), ("Cases", "Violating"))
    if messages := tuple((entry.link, entry.message) for entry in report.ordered if entry.message):
        yield Heading(2, "Messages")
        yield Items(messages)


def _conditions(report: Report) -> Iterator[Block]:
    if not report.conditions:
        return
    yield Heading(2, "Conditions")
    for column in report.conditions:
        described = column.described
        yield Heading(3, f"{column.id} {described.name}")
        yield Paragraph(" ".join(filter(None, (described.statement, described.citation and f"({described.citation})"))))
        yield Items(tuple(_readings(column)))


def _readings(column: ConditionColumn) -> Iterator[tuple[str, str]]:
    if column.described.demand:
        yield "demand", column.described.demand
    for reading in column.readings:
        scope = reading.scope and f"Exhaustive part: {reading.scope}"
        said = " ".join(filter(None, (sentence(reading.adds), sentence(scope))))
        yield f"{reading.name} ({reading.letter})", said or "–"


def _measure(row: MeasureRow) -> str:
    described = row.described
    best = "no constant best score" if described.best is None else f"best score {row.best}"
    level = "" if described.effort in (None, HIGHEST) else f", effort level {described.effort} of {HIGHEST}"
    formula = "" if described.equation is None else "Score: " + str(described.equation).replace("\n", "; ")
    gate = described.gate and f"Gate: {described.gate}"
    remark = described.remark and f"On an extreme input, {described.remark}"
    sentences = [f"{described.name}, {best}{level}", described.summary, formula, described.citation, gate, remark]
    return " ".join(map(sentence, filter(None, sentences)))


def sentence(text: str) -> str:
    """``text`` with a full stop, unless it ends in a mark."""
    return text if not text or text[-1] in ".!?…" else text + "."


def _place(entry: Entry) -> tuple[str, str, str]:
    """Measure, condition and reading, with the reading's mark."""
    return entry.measure, entry.condition, " ".join(filter(None, (entry.reading, entry.mark)))


def _name(entry: Entry) -> str:
    """The name of its counterexample or proof, where there is one."""
    return entry.name if entry.counterexample or entry.proof else ""


def _verdict(name: str) -> str:
    return f"{LEGEND[name].symbol} {name}"
