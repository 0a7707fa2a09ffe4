"""Results as the renderers see them: the rows, columns and entries of a matrix."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import structs

from metaeval.catalogue.condition import READINGS, Group
from metaeval.catalogue.condition import conditions as registered
from metaeval.core.grouping import grouped
from metaeval.core.verdict import Verdict
from metaeval.display.cell_facts import full_message
from metaeval.display.counterexample import Counterexample
from metaeval.display.layout import listed
from metaeval.files.shown import clean
from metaeval.literature.shelf import claimant
from metaeval.literature.source import FATES, VIOLATES, fate
from metaeval.proofs.proof import Proof
from metaeval.records.cell import Cell, CellKey
from metaeval.records.compare import Change, compare
from metaeval.records.described import DescribedCondition, DescribedMeasure, verify_command
from metaeval.records.results import Results
from metaeval.runner.plan import why_not

if TYPE_CHECKING:
    from metaeval.consistency.survey import Surveyed

NOT_RUN, NOT_APPLICABLE = "not run", "not applicable"
#: Conditions by id, each with the names of readings.
Chosen = Mapping[str, Sequence[str]]
#: The verdicts that speak for a measure.
SATISFIED = tuple(str(verdict) for verdict in Verdict if verdict.satisfied)
#: The reading that a reader should begin with: the sources draw it.
FIRST = READINGS[0]
#: The mark of a reading that no measure can satisfy together with others.
IMPOSSIBLE = "‡"
#: More measures than these are grouped by family.
_AT_A_GLANCE = 20
_NO_FAMILY = "others"
#: The width of a contradiction written out, which a text report indents.
_CIRCLE = 96


class Legend(NamedTuple):
    """Symbol and meaning of a verdict, or of its absence."""

    symbol: str
    meaning: str


LEGEND = {
    **{str(verdict): Legend(verdict.symbol, verdict.meaning) for verdict in Verdict},
    NOT_RUN: Legend("·", "the results hold no such cell"),
    NOT_APPLICABLE: Legend("–", "the measure is not defined on such inputs, or has no constant best score"),
}


class MeasureRow(NamedTuple):
    """A measure: a row of the matrix."""

    id: str
    described: DescribedMeasure

    @property
    def best(self) -> str:
        return plain(self.described.best)


class ReadingColumn(NamedTuple):
    """A sub-column of the matrix; ``impossible`` says with which others no measure can satisfy this reading."""

    name: str
    letter: str
    adds: str
    scope: str
    impossible: str = ""

    @property
    def mark(self) -> str:
        """The mark after its letter, and after every symbol below it."""
        return IMPOSSIBLE if self.impossible else ""


class ConditionColumn(NamedTuple):
    """A condition: a column of the matrix."""

    id: str
    described: DescribedCondition
    readings: tuple[ReadingColumn, ...]

    @property
    def family(self) -> str:
        """The part of the id before its first dot: A, B, …"""
        return self.id.partition(".")[0]

    @property
    def letters(self) -> str:
        return "".join(reading.letter + reading.mark for reading in self.readings)


@dataclass(frozen=True)
class Entry:
    """A place of the matrix: its cell, if any, and the change since older results.

    ``impossible`` says which readings that the measure keeps contradict this one.
    """

    measure: str
    condition: str
    reading: str
    letter: str
    condition_described: DescribedCondition
    cell: Cell | None
    change: Change | None = None
    #: Whether the claimed violation was found under another reading, which is enough for the claim.
    violated_elsewhere: bool = False
    impossible: str = ""
    #: Whether the measure can have this cell; true where nobody knows.
    applies: bool = True

    @property
    def key(self) -> CellKey:
        return self.measure, self.condition, self.reading

    @property
    def link(self) -> str:
        return ".".join(self.key)

    @property
    def name(self) -> str:
        """The name of its counterexample or proof."""
        return f"{self.measure}-{self.condition.replace('.', '')}{self.letter}"

    @property
    def verdict(self) -> str:
        if self.cell is None:
            return NOT_RUN if self.applies else NOT_APPLICABLE
        return str(self.cell.verdict)

    @property
    def symbol(self) -> str:
        return LEGEND[self.verdict].symbol

    @property
    def mark(self) -> str:
        return IMPOSSIBLE if self.impossible else ""

    @property
    def before(self) -> str:
        """The verdict in the results compared with; empty where nothing changed."""
        return "" if self.change is None else str(self.change.old or NOT_RUN)

    @property
    def is_shown(self) -> bool:
        return self.cell is not None or self.change is not None

    @property
    def claim(self) -> str:
        return (self.cell and self.cell.claim) or ""

    @property
    def message(self) -> str:
        """The cell's message, with its fault and its printed output."""
        return full_message(self.cell) if self.cell else ""

    @property
    def fate(self) -> str:
        """What became of the claim under this reading; empty where nothing is claimed."""
        if not self.claim:
            return ""
        found = fate(self.claim, self.verdict)
        return "unconfirmed" if found == "refuted" and self.violated_elsewhere else found

    @cached_property
    def counterexample(self) -> Counterexample | None:
        found = self.cell and self.cell.certificate
        return Counterexample(found, self.condition_described) if found else None

    @property
    def proof(self) -> Proof | None:
        return None if self.cell is None else self.cell.proof

    @property
    def unproved(self) -> str:
        """Why a proof that was tried was not found."""
        return (self.cell and self.cell.unproved) or ""


class SurveyView(NamedTuple):
    """A survey of the conditions in words and rows, headers first.

    ``certificates`` of contradictions have titles, ``problems`` the names of their tables. ``impossible`` says with
    which others no measure can satisfy a condition's reading: sets of them, an empty one if it is impossible alone.
    """

    verdict: str
    answers: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...]
    remarks: tuple[tuple[str, str], ...]
    cases_note: str
    cases: tuple[tuple[str, ...], ...]
    certificates: tuple[tuple[str, str], ...]
    problems: tuple[tuple[str, str], ...]
    impossible: Mapping[tuple[str, str], Sequence[Mapping[str, str]]]

    def remark(self, condition: str, reading: str, kept: Set[tuple[str, str]]) -> str:
        """The remark on a reading that no measure can satisfy together with others that are kept; else empty."""
        from metaeval.consistency.answer_text import places  # loaded here: most reports have no survey

        sets = [one for one in self.impossible.get((condition, reading), ()) if one.items() <= kept]
        others = "; or with ".join(map(places, filter(None, sets)))
        said = "at all" if {} in sets else f"together with {others}"
        return f"no measure can satisfy this {said}: see the contradiction" if sets else ""


@dataclass(frozen=True)
class Report:
    """What a renderer shows. Compared with older results, it has only what changed."""

    measures: tuple[MeasureRow, ...]
    conditions: tuple[ConditionColumn, ...]
    entries: Mapping[CellKey, Entry] = field(repr=False)
    provenance: tuple[tuple[str, str], ...] = ()
    baseline: tuple[tuple[str, str], ...] | None = None
    date: str = ""
    together: SurveyView | None = None
    #: The options with which `metaeval check` repeats the search of each measure.
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: The commands that re-check all certificates and proofs, a line each.
    verify: str = ""

    @property
    def groups(self) -> dict[str, list[MeasureRow]]:
        """The measures by family where there are many, else all in one group."""
        if len(self.measures) <= _AT_A_GLANCE or len({row.described.family for row in self.measures}) == 1:
            return {"": list(self.measures)}
        groups = grouped(self.measures, lambda row: row.described.family)
        return {rows[0].described.family or _NO_FAMILY: rows for rows in groups}

    @property
    def compared(self) -> bool:
        return self.baseline is not None

    @cached_property
    def ordered(self) -> list[Entry]:
        """The entries with a cell or a change, measure by measure."""
        return [entry for entry in self.entries.values() if entry.is_shown]

    @property
    def witnessed(self) -> list[Entry]:
        return [entry for entry in self.ordered if entry.counterexample]

    @property
    def proved(self) -> list[Entry]:
        return [entry for entry in self.ordered if entry.proof]

    @property
    def claimed(self) -> list[Entry]:
        return [entry for entry in self.ordered if entry.claim]

    @property
    def verdicts(self) -> dict[str, int]:
        """How many entries have each verdict that occurs, in the order of the legend."""
        counts = Counter(entry.verdict for entry in self.ordered)
        return {verdict: counts[verdict] for verdict in LEGEND if counts[verdict]}

    @property
    def occurring(self) -> list[str]:
        """The verdicts in the matrix or, in a comparison, among the changes; in the order of the legend."""
        found = {entry.verdict for entry in (self.ordered if self.compared else self.entries.values())}
        return [verdict for verdict in LEGEND if verdict in found]

    @property
    def fates(self) -> dict[str, int]:
        counts = Counter(entry.fate for entry in self.claimed)
        return {fate: counts[fate] for fate in FATES if counts[fate]}

    @property
    def readings(self) -> dict[str, str]:
        """The readings that occur, by letter."""
        return {reading.letter: reading.name for condition in self.conditions for reading in condition.readings}

    @property
    def first_reading(self) -> str:
        """The reading to begin with; empty where all are shown at once, as in a comparison."""
        names = set(self.readings.values())
        return FIRST if FIRST in names and len(names) > 1 and not self.compared else ""

    @property
    def impossible(self) -> list[tuple[str, str]]:
        """The readings that no measure can satisfy together with others, each with its remark."""
        return [
            (f"{column.id} {reading.name}", reading.impossible)
            for column in self.conditions
            for reading in column.readings
            if reading.impossible
        ]

    @property
    def sources(self) -> dict[str, list[str]]:
        """The ids of conditions by the first work that each cites."""
        found: dict[str, list[str]] = {}
        for column in self.conditions:
            if work := column.described.citation.partition(";")[0].strip():
                found.setdefault(work, []).append(column.id)
        return found

    @property
    def claimants(self) -> list[str]:
        """The works that make the claims, each once."""
        found = (claimant(*entry.key) for entry in self.claimed)
        return list(dict.fromkeys(source.citation for source in found if source is not None))

    def satisfied(self, *, measure: str = "", condition: str = "", reading: str = "") -> tuple[int, int]:
        """How many cells of a row, a column or both are satisfied, and how many there are."""
        wanted = (measure, condition, reading)
        run = [
            entry.verdict
            for entry in self.ordered
            if entry.cell is not None and all(want in ("", have) for want, have in zip(wanted, entry.key, strict=True))
        ]
        return sum(verdict in SATISFIED for verdict in run), len(run)

    def at(self, measure: str, condition: str, reading: str) -> Entry:
        return self.entries[measure, condition, reading]


def build(
    results: Results, compare_with: Results | None = None, date: str = "", survey: Sequence[Surveyed] | None = None,
    only: Chosen | None = None, files: Mapping[str, Iterable[str]] | None = None,
) -> Report:  # fmt: skip
    """The report on results or, with older ones, on what changed since; a survey marks contradictions.

    ``only`` are the conditions and readings to show, in this order. What becomes of a claim depends on all of them.
    ``files`` are the files of the results, each with the ids of its measures; commands name them.
    """
    changes: dict[CellKey, Change] | None = None
    measures, conditions = results.measures, results.conditions
    if compare_with is not None:
        found = compare(compare_with, results).changes
        changes = {one.key: one for one in found if only is None or one.key[2] in only.get(one.key[1], ())}
        # The newer description where there are two; those that only the older results have come last.
        changed, both = {key[0] for key in changes}, {**measures, **compare_with.measures, **measures}
        measures = {id: described for id, described in both.items() if id in changed}
        conditions = _merged_conditions(conditions, compare_with.conditions)
        shown = {key[1:] for key in changes}
        in_order = {id: [name for name in one.readings if (id, name) in shown] for id, one in conditions.items()}
        only = {id: [name for name in names if (id, name) in shown] for id, names in (only or in_order).items()}
    if only is not None:
        conditions = {
            id: structs.replace(conditions[id], readings={name: conditions[id].readings[name] for name in names})
            for id, names in only.items()
            if names
        }
    together = None if survey is None else _survey_view(survey, results)
    rows = tuple(MeasureRow(id, described) for id, described in measures.items())
    shown = {(id, reading) for id, described in conditions.items() for reading in described.readings}
    columns = tuple(_column(id, described, together, shown) for id, described in conditions.items())
    entries = {}
    confirmed = {cell.key[:2] for cell in results if cell.claim == VIOLATES and cell.verdict is Verdict.VIOLATED}
    kept: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for one in results:
        if one.verdict.satisfied:
            kept[one.measure].add(one.key[1:])
    for row, column in product(rows, columns):
        for reading in column.readings:
            key = (row.id, column.id, reading.name)
            cell = results.get(key) if changes is None or key in changes else None
            change = None if changes is None else changes.get(key)
            elsewhere = cell is not None and cell.claim == VIOLATES and key[:2] in confirmed
            impossible = together.remark(column.id, reading.name, kept[row.id]) if together and cell else ""
            applies = cell is not None or changes is not None or _applies(row.described, *key[1:])
            entries[key] = Entry(*key, reading.letter, column.described, cell, change, elsewhere, impossible, applies)
    baseline = None if compare_with is None else plain_facts(compare_with.provenance)
    words = {row.id: results.search_words(row.id) for row in rows}
    named = files or {"results.json": list(results.measures)}
    described = {file: [results.measures[id] for id in ids] for file, ids in named.items()}
    facts, verify = plain_facts(results.provenance), "\n".join(map(verify_command, described, described.values()))
    return Report(rows, columns, entries, facts, baseline, date, together, words, verify)


def _applies(measure: DescribedMeasure, condition: str, reading: str) -> bool:
    """Whether a measure can have a cell; true where the results are old or the condition is not registered."""
    form = registered().get(condition) if measure.domain else None
    if form is None or reading not in form.readings:
        return True
    form = form.form(measure.domain, reading)
    return why_not(measure, Group(form, form.readings[reading])) is None


def _survey_view(survey: Sequence[Surveyed], results: Results) -> SurveyView:
    # Loaded here: most reports have no survey.
    from metaeval.consistency import answer_text
    from metaeval.consistency.survey import unsatisfied

    def open_problems(one: Surveyed) -> str:
        return "; ".join(map(listed, unsatisfied(results, one.answer.readings))) or "none"

    return SurveyView(
        verdict=answer_text.verdict(survey),
        answers=(answer_text.ANSWERS, *answer_text.answer_rows(survey)),
        numbers=answer_text.NUMBERS,
        remarks=tuple(answer_text.remarks(survey)),
        cases_note=answer_text.case_note(survey),
        cases=tuple(answer_text.case_table(survey)),
        certificates=tuple(
            (answer_text.places(answer.readings, answer.minimal), answer_text.contradiction_told(answer, _CIRCLE))
            for answer in answer_text.contradictions(survey)
        ),
        problems=tuple((one.name, open_problems(one)) for one in survey if not one.answer.impossible),
        impossible=answer_text.impossible_with(survey),
    )


def _merged_conditions(
    new: Mapping[str, DescribedCondition], old: Mapping[str, DescribedCondition]
) -> dict[str, DescribedCondition]:
    """The conditions of both results, with the readings of both in their usual order."""
    both = {**new, **old, **new}
    for id in new.keys() & old.keys():
        readings = {**new[id].readings, **old[id].readings, **new[id].readings}
        order = sorted(readings, key=lambda name: READINGS.index(name) if name in READINGS else len(READINGS))
        both[id] = structs.replace(new[id], readings={name: readings[name] for name in order})
    return both


def _column(
    id: str, described: DescribedCondition, together: SurveyView | None, shown: Set[tuple[str, str]]
) -> ConditionColumn:
    letters, readings = described.letters, []
    for name, reading in described.readings.items():
        remark = "" if together is None else together.remark(id, name, shown)
        readings.append(ReadingColumn(name, letters[name], reading.adds, reading.scope, remark))
    return ConditionColumn(id, described, tuple(readings))


def plain_facts(data: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Keys and values as printable text."""
    return tuple((clean(str(key)), plain(value)) for key, value in data.items())


def plain(value: Any) -> str:
    """A JSON value as one printable line."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list):
        return ", ".join(map(plain, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{clean(str(key))} {plain(each)}" for key, each in value.items())
    return clean(str(value))
