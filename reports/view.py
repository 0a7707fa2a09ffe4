"""Results as the renderers see them: rows and columns of a matrix, an entry at every place, names and letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from msgspec import structs

from metaeval.catalogue.condition import READINGS
from metaeval.core.verdict import Verdict
from metaeval.display.cell_facts import full_message
from metaeval.display.counterexample import Counterexample
from metaeval.display.layout import plural
from metaeval.files.shown import clean
from metaeval.literature.shelf import claimant
from metaeval.literature.source import FATES, VIOLATES, fate
from metaeval.proof import Proof
from metaeval.records.cell import Cell, CellKey
from metaeval.records.compare import Change, compare
from metaeval.records.described import DescribedCondition, DescribedMeasure
from metaeval.records.results import Results

if TYPE_CHECKING:
    from metaeval.consistency.survey import Surveyed
    from metaeval.reports.together import Together

NOT_RUN = "not run"
#: The verdicts that speak for a measure.
SATISFIED = tuple(str(verdict) for verdict in Verdict if verdict.satisfied)
#: The reading that the sources picture, with which a reader should begin.
FIRST = READINGS[0]
#: What marks a reading that no measure can satisfy together with others.
IMPOSSIBLE = "‡"


#: So many measures need no division into families.
_AT_A_GLANCE = 20
_NO_FAMILY = "others"


class Legend(NamedTuple):
    """How a verdict, or its absence, is shown and what it means."""

    symbol: str
    meaning: str


LEGEND = {
    **{str(verdict): Legend(verdict.symbol, verdict.meaning) for verdict in Verdict},
    NOT_RUN: Legend("·", "the results hold no such cell"),
}


@dataclass(frozen=True)
class MeasureRow:
    """A measure: a row of the matrix."""

    id: str
    described: DescribedMeasure

    @property
    def best(self) -> str:
        """The best score, as text."""
        return plain(self.described.best)


@dataclass(frozen=True)
class ReadingColumn:
    """A reading of a condition: a sub-column of the matrix.

    ``impossible`` says with what no measure can satisfy it, where that is known.
    """

    name: str
    letter: str
    adds: str
    scope: str
    impossible: str = ""

    @property
    def mark(self) -> str:
        """What follows its letter, and every symbol below it."""
        return IMPOSSIBLE if self.impossible else ""


@dataclass(frozen=True)
class ConditionColumn:
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
        """The letters of its readings, with their marks."""
        return "".join(reading.letter + reading.mark for reading in self.readings)


@dataclass(frozen=True)
class Entry:
    """What stands at a place of the matrix: a cell or none and, compared with older results, what changed.

    ``impossible`` says with what no measure can satisfy the reading, where that is known.
    """

    key: CellKey
    letter: str
    condition_described: DescribedCondition
    cell: Cell | None
    change: Change | None = None
    #: Whether another reading bears out the claim that the condition is violated: under one of them it must be.
    violated_elsewhere: bool = False
    impossible: str = ""

    @property
    def measure(self) -> str:
        return self.key[0]

    @property
    def condition(self) -> str:
        return self.key[1]

    @property
    def reading(self) -> str:
        return self.key[2]

    @property
    def link(self) -> str:
        """The entry's permalink."""
        return ".".join(self.key)

    @property
    def name(self) -> str:
        """What its counterexample is called."""
        return f"{self.measure}-{self.condition.replace('.', '')}{self.letter}"

    @property
    def verdict(self) -> str:
        """The verdict in a word."""
        return NOT_RUN if self.cell is None else str(self.cell.verdict)

    @property
    def symbol(self) -> str:
        return LEGEND[self.verdict].symbol

    @property
    def mark(self) -> str:
        """What follows the symbol."""
        return IMPOSSIBLE if self.impossible else ""

    @property
    def before(self) -> str:
        """The verdict in the results compared with; empty where nothing changed."""
        return "" if self.change is None else str(self.change.old or NOT_RUN)

    @property
    def is_shown(self) -> bool:
        """Whether there is anything to say of this place."""
        return self.cell is not None or self.change is not None

    @property
    def claim(self) -> str:
        return (self.cell and self.cell.claim) or ""

    @property
    def message(self) -> str:
        """The cell's message, with all that belongs to it."""
        return full_message(self.cell) if self.cell else ""

    @property
    def fate(self) -> str:
        """What becomes of the claim under this reading; empty where nothing is claimed."""
        if not self.claim:
            return ""
        found = fate(self.claim, self.verdict)
        return "unconfirmed" if found == "refuted" and self.violated_elsewhere else found

    @cached_property
    def counterexample(self) -> Counterexample | None:
        """The counterexample, where the cell has one."""
        if self.cell is None or self.cell.certificate is None:
            return None
        return Counterexample(self.cell.certificate, self.condition_described)

    @property
    def proof(self) -> Proof | None:
        """The proof, where the cell has one."""
        return None if self.cell is None else self.cell.proof

    @property
    def unproved(self) -> str:
        """What stood in the way of a proof, where one was tried in vain."""
        return (self.cell and self.cell.unproved) or ""

    @property
    def bound(self) -> str:
        """How far the enumeration went, in words."""
        bound = self.cell and self.cell.bound
        return f"{plural(bound.objects, 'object')} ({plural(bound.cases, 'case')})" if bound else ""


@dataclass(frozen=True)
class Report:
    """Everything a renderer shows. Compared with older results, only what changed is left in it."""

    measures: tuple[MeasureRow, ...]
    conditions: tuple[ConditionColumn, ...]
    entries: Mapping[CellKey, Entry] = field(repr=False)
    provenance: tuple[tuple[str, str], ...] = ()
    baseline: tuple[tuple[str, str], ...] | None = None
    date: str = ""
    together: Together | None = None

    @property
    def groups(self) -> dict[str, list[MeasureRow]]:
        """The measures by family where they are too many to be taken in at a glance, else all in one."""
        families = {row.described.family for row in self.measures}
        if len(self.measures) <= _AT_A_GLANCE or len(families) == 1:
            return {"": list(self.measures)}
        found: dict[str, list[MeasureRow]] = {}
        for row in self.measures:
            found.setdefault(row.described.family or _NO_FAMILY, []).append(row)
        return found

    @property
    def compared(self) -> bool:
        return self.baseline is not None

    @cached_property
    def ordered(self) -> list[Entry]:
        """The entries that there is anything to say of, measure by measure."""
        return [entry for entry in self.entries.values() if entry.is_shown]

    @property
    def witnessed(self) -> list[Entry]:
        """The entries with a counterexample, in the order in which the report writes them out."""
        return [entry for entry in self.ordered if entry.counterexample]

    @property
    def proved(self) -> list[Entry]:
        """The entries with a proof."""
        return [entry for entry in self.ordered if entry.proof]

    @property
    def claimed(self) -> list[Entry]:
        return [entry for entry in self.ordered if entry.claim]

    @property
    def verdicts(self) -> dict[str, int]:
        """How many entries have each verdict, in the legend's order, without the absent ones."""
        counts = Counter(entry.verdict for entry in self.ordered)
        return {verdict: counts[verdict] for verdict in LEGEND if counts[verdict]}

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
        """The readings that no measure can satisfy together with others, and what is to be said of them."""
        return [
            (f"{column.id} {reading.name}", reading.impossible)
            for column in self.conditions
            for reading in column.readings
            if reading.impossible
        ]

    @property
    def sources(self) -> dict[str, list[str]]:
        """Whose the conditions are: ids by the first work that each cites."""
        found: dict[str, list[str]] = {}
        for column in self.conditions:
            work = column.described.citation.partition(";")[0].strip()
            if work:
                found.setdefault(work, []).append(column.id)
        return found

    @property
    def claimants(self) -> list[str]:
        """Whose the claims are: the works, each once."""
        found = (claimant(*entry.key) for entry in self.claimed)
        return list(dict.fromkeys(source.citation for source in found if source is not None))

    def satisfied(self, *, measure: str = "", condition: str = "", reading: str = "") -> tuple[int, int]:
        """How many of the cells in a row, a column or both are satisfied, and how many there are."""
        wanted = (measure, condition, reading)
        verdicts = [
            entry.verdict
            for entry in self.ordered
            if all(not want or want == have for want, have in zip(wanted, entry.key, strict=True))
        ]
        run = [verdict for verdict in verdicts if verdict != NOT_RUN]
        return sum(verdict in SATISFIED for verdict in run), len(run)

    def at(self, measure: str, condition: str, reading: str) -> Entry:
        """The entry at a place of the matrix."""
        return self.entries[measure, condition, reading]


def build(
    results: Results,
    compare_with: Results | None = None,
    date: str = "",
    survey: Sequence[Surveyed] | None = None,
) -> Report:
    """The report on results; with older ones to compare with, on what changed since.

    ``date`` is the day of the run, which a results file does not tell: the same run gives the same file. ``survey`` is
    what is known of the conditions together; readings that contradict each other are then marked.
    """
    report = replace(_built(results, compare_with), date=date)
    return report if survey is None else _surveyed(report, survey, results)


def _surveyed(report: Report, survey: Sequence[Surveyed], results: Results) -> Report:
    """The report with what a survey says, and the readings marked that it finds impossible."""
    # Loaded here: a report without a survey needs nothing of it.
    from metaeval.reports.together import together

    found = together(survey, results)
    columns = tuple(
        replace(
            column,
            readings=tuple(replace(one, impossible=found.remark(column.id, one.name)) for one in column.readings),
        )
        for column in report.conditions
    )
    entries = {key: replace(entry, impossible=found.remark(*key[1:])) for key, entry in report.entries.items()}
    return replace(report, conditions=columns, entries=entries, together=found)


def _built(results: Results, compare_with: Results | None) -> Report:
    if compare_with is None:
        return _report(results, results.measures, results.conditions)
    changes = {change.key: change for change in compare(compare_with, results).changes}
    changed = {key[0] for key in changes}
    measures = {
        id: described
        for id, described in _merged(results.measures, compare_with.measures).items()
        if id in changed
    }
    conditions = dict(_changed_conditions(results, compare_with, {key[1:] for key in changes}))
    return _report(results, measures, conditions, changes, plain_facts(compare_with.provenance))


Described = TypeVar("Described")


def _merged(new: Mapping[str, Described], old: Mapping[str, Described]) -> dict[str, Described]:
    """What either describes, the newer description where there are two; the older's own ones last."""
    return {**new, **{id: described for id, described in old.items() if id not in new}}


def _changed_conditions(
    new: Results, old: Results, places: set[tuple[str, str]]
) -> Iterator[tuple[str, DescribedCondition]]:
    """The conditions of both results, with the readings that changed."""
    for id, described in _merged(new.conditions, old.conditions).items():
        before = old.conditions[id].readings if id in old.conditions else {}
        readings = _merged(described.readings, before)
        changed = {name: readings[name] for name in _in_order(readings) if (id, name) in places}
        if changed:
            yield id, structs.replace(described, readings=changed)


def _in_order(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: READINGS.index(name) if name in READINGS else len(READINGS))


def _report(
    results: Results,
    measures: Mapping[str, DescribedMeasure],
    conditions: Mapping[str, DescribedCondition],
    changes: Mapping[CellKey, Change] | None = None,
    baseline: tuple[tuple[str, str], ...] | None = None,
) -> Report:
    """The report on all cells or, where there are changes, on the changed ones."""
    rows = tuple(MeasureRow(id, described) for id, described in measures.items())
    columns = tuple(_column(id, described) for id, described in conditions.items())
    entries = {}
    borne_out = {cell.key[:2] for cell in results if _is_claimed_violation(cell)}
    for row, column in product(rows, columns):
        for reading in column.readings:
            key = (row.id, column.id, reading.name)
            cell = results.get(key) if changes is None or key in changes else None
            change = None if changes is None else changes.get(key)
            elsewhere = cell is not None and cell.claim == VIOLATES and key[:2] in borne_out
            entries[key] = Entry(key, reading.letter, column.described, cell, change, elsewhere)
    return Report(rows, columns, entries, plain_facts(results.provenance), baseline)


def _is_claimed_violation(cell: Cell) -> bool:
    return cell.claim == VIOLATES and cell.verdict is Verdict.VIOLATED


def _column(id: str, described: DescribedCondition) -> ConditionColumn:
    letters = _letters(described.readings)
    readings = (
        ReadingColumn(name, letters[name], reading.adds, reading.scope)
        for name, reading in described.readings.items()
    )
    return ConditionColumn(id, described, tuple(readings))


def _letters(names: Iterable[str]) -> dict[str, str]:
    """One letter a reading: its first one that is free, after those of the known readings."""
    letters = {name: name[0] for name in READINGS}
    for name in names:
        if name not in letters:
            free = [
                char
                for char in name + "abcdefghijkmnpqstuvwxyz"
                if char.isalnum() and char not in letters.values()
            ]
            letters[name] = free[0] if free else "x"
    return letters


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
