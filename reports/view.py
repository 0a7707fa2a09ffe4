"""A results file as the renderers see it: measures, conditions, cells, counterexamples, claims' fates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from metaeval.errors import InputError
from metaeval.paper.claims import fate
from metaeval.reports.reading import clean, count, mapping, need, show, text
from metaeval.reports.witness import Witness, demand_of, read_witness

SCHEMA = "metaeval.results/1"
READINGS = ("canonical", "literal", "overlapping", "repeated")
NOT_RUN = "not run"


class Verdict(NamedTuple):
    """How a verdict is shown and what it means."""

    symbol: str
    meaning: str


VERDICTS = {
    "holds": Verdict("✓", "no counterexample among the cases tried"),
    "violated": Verdict("✗", "a counterexample was found, with a certificate that can be re-checked"),
    "undefined": Verdict("?", "the measure is undefined on a case of the condition"),
    "error": Verdict("!", "the measure raised an exception, or failed a check before any condition"),
    "flaky": Verdict("~", "the measure scored the same input differently"),
    "vacuous": Verdict("∅", "no case could be tried, so nothing is known"),
    "timeout": Verdict("…", "the time ran out before a verdict"),
    NOT_RUN: Verdict("·", "the results hold no such cell"),
}

FATES = {
    "confirmed": "what was found agrees with the claim: a counterexample to a condition said to be violated, "
    "none to one said to be satisfied",
    "refuted": "a counterexample contradicts the claim that the measure satisfies the condition",
    "unconfirmed": "what was found neither bears out nor contradicts the claim",
}


@dataclass(frozen=True)
class MeasureRow:
    """A measure: a row of the matrix."""

    id: str
    name: str
    citation: str
    best: str
    summary: str
    gate: str


@dataclass(frozen=True)
class ReadingColumn:
    """A reading of a condition: a sub-column of the matrix."""

    name: str
    letter: str
    adds: str
    scope: str


@dataclass(frozen=True)
class ConditionColumn:
    """A condition: a column of the matrix."""

    id: str
    name: str
    statement: str
    citation: str
    demand: str
    readings: tuple[ReadingColumn, ...]

    @property
    def family(self) -> str:
        """The part of the id before its first dot: A, B, …"""
        return self.id.partition(".")[0]

    @property
    def letters(self) -> str:
        return "".join(reading.letter for reading in self.readings)


@dataclass(frozen=True)
class Cell:
    """One answer; ``before`` is the verdict it had in the results compared with."""

    measure: str
    condition: str
    reading: str
    verdict: str
    name: str
    cases: int | None = None
    violations: int | None = None
    exhaustive_objects: int | None = None
    exhaustive_cases: int | None = None
    claim: str = ""
    message: str = ""
    witness: Witness | None = None
    before: str = ""

    @property
    def key(self) -> str:
        """The cell's permalink."""
        return f"{self.measure}.{self.condition}.{self.reading}"

    @property
    def symbol(self) -> str:
        return VERDICTS[self.verdict].symbol

    @property
    def fate(self) -> str:
        """What becomes of the claim under this reading; empty where nothing is claimed."""
        return fate(self.claim, self.verdict) if self.claim else ""

    @property
    def counterexample(self) -> str:
        """The name of the witness, where there is one."""
        return self.name if self.witness else ""

    @property
    def bound(self) -> str:
        """How far the enumeration went, in words."""
        if self.exhaustive_objects is None:
            return ""
        cases = "" if self.exhaustive_cases is None else f" ({self.exhaustive_cases:,} cases)"
        return f"{self.exhaustive_objects} objects{cases}"


@dataclass(frozen=True)
class Report:
    """Everything a renderer shows. Compared with older results, only what changed is left in it."""

    measures: tuple[MeasureRow, ...]
    conditions: tuple[ConditionColumn, ...]
    cells: Mapping[tuple[str, str, str], Cell]
    provenance: tuple[tuple[str, str], ...]
    baseline: tuple[tuple[str, str], ...] | None = None

    @property
    def compared(self) -> bool:
        return self.baseline is not None

    @property
    def ordered(self) -> list[Cell]:
        """The cells that were run, measure by measure."""
        found = (
            self.at(measure.id, condition.id, reading.name)
            for measure in self.measures
            for condition in self.conditions
            for reading in condition.readings
        )
        return [cell for cell in found if cell.verdict != NOT_RUN or cell.before]

    @property
    def witnessed(self) -> list[Cell]:
        """The cells with a witness, in the order in which the report writes them out."""
        return [cell for cell in self.ordered if cell.witness]

    @property
    def claimed(self) -> list[Cell]:
        return [cell for cell in self.ordered if cell.claim]

    @property
    def verdicts(self) -> dict[str, int]:
        """How many cells have each verdict, in the legend's order, without the absent ones."""
        counts = Counter(cell.verdict for cell in self.ordered)
        return {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]}

    @property
    def fates(self) -> dict[str, int]:
        counts = Counter(cell.fate for cell in self.claimed)
        return {fate: counts[fate] for fate in FATES if counts[fate]}

    @property
    def readings(self) -> dict[str, str]:
        """The readings that occur, by letter."""
        return {reading.letter: reading.name for condition in self.conditions for reading in condition.readings}

    def at(self, measure: str, condition: str, reading: str) -> Cell:
        """The cell at a place of the matrix; one that says so where it was not run."""
        key = measure, condition, reading
        return self.cells.get(key) or Cell(*key, verdict=NOT_RUN, name="")


def build(results: Any, compare: Any = None) -> Report:
    """The report on a results file; with older results to compare, on what changed since."""
    report = _build(results, "the results")
    return report if compare is None else _changes(report, _build(compare, "the results to compare with"))


def _build(results: Any, where: str) -> Report:
    data = mapping(results, where)
    schema = data.get("schema")
    if schema != SCHEMA:
        raise InputError(f'{where} must have the schema "{SCHEMA}", not {show(schema)}')
    measures = _entries(data, "measures", where)
    conditions = _entries(data, "conditions", where)
    columns = tuple(_condition(id, entry) for id, entry in conditions.items())
    return Report(
        measures=tuple(_measure(id, entry) for id, entry in measures.items()),
        conditions=columns,
        cells=_cells(need(data, "cells", where), set(measures), {column.id: column for column in columns}),
        provenance=_provenance(data.get("provenance") or {}),
    )


def _entries(data: Mapping[str, Any], key: str, where: str) -> dict[str, Mapping[str, Any]]:
    entries = mapping(need(data, key, where), f'"{key}"')
    return {clean(id): mapping(entry, f'"{clean(id)}" in "{key}"') for id, entry in entries.items()}


def _measure(id: str, entry: Mapping[str, Any]) -> MeasureRow:
    where = f"the measure {id}"
    return MeasureRow(
        id=id,
        name=text(entry, "name", where, default=id),
        citation=text(entry, "citation", where, default=""),
        best=_plain(entry.get("best")),
        summary=text(entry, "summary", where, default=""),
        gate=text(entry, "gate", where, default=""),
    )


def _condition(id: str, entry: Mapping[str, Any]) -> ConditionColumn:
    where = f"the condition {id}"
    readings = _entries(entry, "readings", where)
    order = sorted(readings, key=lambda name: READINGS.index(name) if name in READINGS else len(READINGS))
    letters = _letters(order)
    relation = text(entry, "relation", where, default="")
    return ConditionColumn(
        id=id,
        name=text(entry, "name", where, default=id),
        statement=text(entry, "statement", where, default=""),
        citation=text(entry, "citation", where, default=""),
        demand=text(entry, "demand", where, default="") or (demand_of(relation, id) if relation else ""),
        readings=tuple(
            ReadingColumn(
                name,
                letters[name],
                text(readings[name], "adds", where, default=""),
                text(readings[name], "scope", where, default=""),
            )
            for name in order
        ),
    )


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


def _cells(
    entries: Any, measures: set[str], conditions: Mapping[str, ConditionColumn]
) -> dict[tuple[str, str, str], Cell]:
    if not isinstance(entries, list):
        raise InputError(f'"cells" must be a list, not {show(entries)}')
    cells: dict[tuple[str, str, str], Cell] = {}
    for number, entry in enumerate(entries, start=1):
        cell = _cell(mapping(entry, f"cell {number}"), f"cell {number}", measures, conditions)
        key = cell.measure, cell.condition, cell.reading
        if key in cells:
            raise InputError(f"cell {number} is a second answer for {cell.key}; one a cell is expected")
        cells[key] = cell
    return cells


def _cell(
    entry: Mapping[str, Any], where: str, measures: set[str], conditions: Mapping[str, ConditionColumn]
) -> Cell:
    measure, condition, reading = (text(entry, key, where) for key in ("measure", "condition", "reading"))
    column = _column(where, measure, condition, reading, measures, conditions)
    verdict = text(entry, "verdict", where)
    if verdict not in VERDICTS or verdict == NOT_RUN:
        known = ", ".join(name for name in VERDICTS if name != NOT_RUN)
        raise InputError(f"the verdict of {where} is {show(verdict)}; expected one of {known}")
    claim = text(entry, "claim", where, default="")
    if claim not in ("", "satisfies", "violates"):
        raise InputError(f'the claim of {where} is {show(claim)}; expected "satisfies", "violates" or null')
    exhaustive = mapping(entry.get("exhaustive") or {}, f'"exhaustive" of {where}')
    certificate = entry.get("certificate")
    letter = next(each.letter for each in column.readings if each.name == reading)
    return Cell(
        measure=measure,
        condition=condition,
        reading=reading,
        verdict=verdict,
        name=f"{measure}-{condition.replace('.', '')}{letter}",
        cases=count(entry, "cases", where),
        violations=count(entry, "violations", where),
        exhaustive_objects=count(exhaustive, "objects", where),
        exhaustive_cases=count(exhaustive, "cases", where),
        claim=claim,
        message=text(entry, "message", where, default=""),
        witness=None
        if certificate is None
        else read_witness(certificate, condition, column.demand, f"the certificate of {where}"),
    )


def _column(
    where: str,
    measure: str,
    condition: str,
    reading: str,
    measures: set[str],
    conditions: Mapping[str, ConditionColumn],
) -> ConditionColumn:
    """The column a cell is in, once its names are known to be described in the file."""
    if measure not in measures:
        raise InputError(f'{where} names the measure {show(measure)}, which "measures" does not describe')
    if condition not in conditions:
        raise InputError(f'{where} names the condition {show(condition)}, which "conditions" does not describe')
    column = conditions[condition]
    if reading not in {each.name for each in column.readings}:
        raise InputError(f"{where} names the reading {show(reading)}, which {condition} does not have")
    return column


def _provenance(data: Any) -> tuple[tuple[str, str], ...]:
    return tuple((clean(key), _plain(value)) for key, value in mapping(data, '"provenance"').items())


def _plain(value: Any) -> str:
    """A JSON value as one printable line."""
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "–"}[value]
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{clean(str(key))} {_plain(each)}" for key, each in value.items())
    return clean(str(value))


def _changes(new: Report, old: Report) -> Report:
    """``new`` with only the cells whose verdict is not what it was in ``old``."""
    cells = {}
    for key in {**new.cells, **old.cells}:
        after, before = new.at(*key), old.at(*key).verdict
        if after.verdict != before:
            cells[key] = replace(after, before=before)
    rows = {row.id: row for row in (*new.measures, *old.measures)}
    rows |= {row.id: row for row in new.measures}
    return Report(
        measures=tuple(row for id, row in rows.items() if any(id == key[0] for key in cells)),
        conditions=tuple(_changed_columns(new, old, {key[1:] for key in cells})),
        cells=cells,
        provenance=new.provenance,
        baseline=old.provenance,
    )


def _changed_columns(new: Report, old: Report, places: set[tuple[str, str]]) -> Iterator[ConditionColumn]:
    """The conditions of both reports, the newer description first, with the readings that changed."""
    both: dict[str, list[ConditionColumn]] = {}
    for column in (*new.conditions, *old.conditions):
        both.setdefault(column.id, []).append(column)
    for id, columns in both.items():
        readings = {reading.name: reading for column in reversed(columns) for reading in column.readings}
        changed = tuple(reading for name, reading in readings.items() if (id, name) in places)
        if changed:
            yield replace(columns[0], readings=changed)
