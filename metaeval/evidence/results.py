"""Results: every cell's verdict with its evidence, as data and as a file."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import metaeval
from metaeval.cases import relation_of
from metaeval.condition import READINGS, Condition
from metaeval.errors import InputError
from metaeval.evidence.certificates import Certificate
from metaeval.fields import (
    clean,
    count,
    mapping,
    need,
    number,
    optional_count,
    optional_text,
    refuse_unknown,
    show,
    text,
)
from metaeval.files import read_json, write_atomically
from metaeval.measuring import Measure
from metaeval.verdicts import Verdict

SCHEMA = "metaeval.results/1"

CellKey = tuple[str, str, str]
CLAIMS = ("satisfies", "violates")

_CELL_KEYS = (
    "measure",
    "condition",
    "reading",
    "verdict",
    "cases",
    "violations",
    "exhaustive",
    "claim",
    "certificate",
    "message",
    "seconds",
)


@dataclass(frozen=True)
class Exhaustive:
    """Up to how many objects every case was tried, and how many cases these were."""

    objects: int
    cases: int

    def to_json(self) -> dict[str, int]:
        """The bound as data."""
        return {"objects": self.objects, "cases": self.cases}

    @classmethod
    def from_json(cls, data: Any, where: str) -> Exhaustive | None:
        """The bound in parsed JSON; null where there is none."""
        if data is None:
            return None
        entry = mapping(data, where)
        return cls(count(entry, "objects", where), count(entry, "cases", where))


@dataclass(frozen=True)
class Cell:
    """One measure, one condition, one reading: the verdict and its evidence."""

    measure: str
    condition: str
    reading: str
    verdict: Verdict
    cases: int = 0
    violations: int | None = None
    exhaustive: Exhaustive | None = None
    claim: str | None = None
    certificate: Certificate | None = None
    message: str | None = None
    seconds: float = 0.0

    @property
    def key(self) -> CellKey:
        """What names the cell."""
        return self.measure, self.condition, self.reading

    def to_json(self) -> dict[str, Any]:
        """The cell as data."""
        return {
            "measure": self.measure,
            "condition": self.condition,
            "reading": self.reading,
            "verdict": str(self.verdict),
            "cases": self.cases,
            "violations": self.violations,
            "exhaustive": None if self.exhaustive is None else self.exhaustive.to_json(),
            "claim": self.claim,
            "certificate": None if self.certificate is None else self.certificate.to_json(),
            "message": self.message,
            "seconds": round(self.seconds, 3),
        }

    @classmethod
    def from_json(cls, data: Any, where: str = "a cell") -> Cell:
        """The cell in parsed JSON; ``where`` names it in an error."""
        entry = mapping(data, where)
        refuse_unknown(entry, _CELL_KEYS, where)
        measure, condition, reading = (text(entry, key, where) for key in _CELL_KEYS[:3])
        named = f"{where} ({measure} {condition} {reading})"
        certificate = entry.get("certificate")
        return cls(
            measure=measure,
            condition=condition,
            reading=reading,
            verdict=_verdict(entry, named),
            cases=count(entry, "cases", named),
            violations=optional_count(entry, "violations", named),
            exhaustive=Exhaustive.from_json(entry.get("exhaustive"), f'"exhaustive" of {named}'),
            claim=_claim(entry, named),
            certificate=None
            if certificate is None
            else Certificate.from_json(certificate, f"the certificate of {named}"),
            message=optional_text(entry, "message", named),
            seconds=number(entry.get("seconds", 0.0), f'"seconds" of {named}'),
        )


def _verdict(entry: Mapping[str, Any], where: str) -> Verdict:
    word = text(entry, "verdict", where)
    verdict = Verdict.named(word)
    if verdict is None:
        raise InputError(f"the verdict of {where} is {show(word)}; expected one of {', '.join(Verdict)}")
    return verdict


def _claim(entry: Mapping[str, Any], where: str) -> str | None:
    claim = optional_text(entry, "claim", where)
    if claim not in (None, *CLAIMS):
        raise InputError(f'the claim of {where} is {show(claim)}; expected "satisfies", "violates" or null')
    return claim


@dataclass(frozen=True)
class DescribedMeasure:
    """What a results file says of a measure; ``gate`` is why it was stopped before any condition, if it was."""

    name: str
    citation: str = ""
    best: float | None = None
    summary: str = ""
    gate: str | None = None

    @classmethod
    def of(cls, measure: Measure, gate: str | None) -> DescribedMeasure:
        """The description of a measure."""
        return cls(measure.name, measure.citation, measure.optimum, measure.summary, gate)

    @classmethod
    def from_json(cls, id: str, data: Any) -> DescribedMeasure:
        """The description in parsed JSON."""
        where = f"the measure {id}"
        entry = mapping(data, where)
        best = entry.get("best")
        return cls(
            name=text(entry, "name", where, default=id),
            citation=text(entry, "citation", where, default=""),
            best=None if best is None else number(best, f"the best score of {where}"),
            summary=text(entry, "summary", where, default=""),
            gate=optional_text(entry, "gate", where),
        )


@dataclass(frozen=True)
class DescribedReading:
    """What a results file says of a reading."""

    adds: str = ""
    scope: str = ""


@dataclass(frozen=True)
class DescribedCondition:
    """What a results file says of a condition: enough to show it where it is not registered."""

    name: str
    statement: str = ""
    citation: str = ""
    relation: str = ""
    demand: str = ""
    readings: Mapping[str, DescribedReading] = field(default_factory=dict)

    @classmethod
    def of(cls, condition: Condition) -> DescribedCondition:
        """The description of a condition."""
        return cls(
            name=condition.name,
            statement=condition.statement,
            citation=condition.citation,
            relation=condition.relation.name,
            demand=condition.relation.demand,
            readings={
                reading.name: DescribedReading(reading.adds, reading.scope)
                for reading in condition.readings.values()
            },
        )

    @classmethod
    def from_json(cls, id: str, data: Any) -> DescribedCondition:
        """The description in parsed JSON; readings in their order, those that nobody knows last."""
        where = f"the condition {id}"
        entry = mapping(data, where)
        readings = mapping(need(entry, "readings", where), f'"readings" of {where}')
        order = sorted(readings, key=lambda name: READINGS.index(name) if name in READINGS else len(READINGS))
        relation = text(entry, "relation", where, default="")
        known = relation_of(relation)
        return cls(
            name=text(entry, "name", where, default=id),
            statement=text(entry, "statement", where, default=""),
            citation=text(entry, "citation", where, default=""),
            relation=relation,
            # Older files name the relation only.
            demand=text(entry, "demand", where, default=known.demand if known else ""),
            readings={clean(each): _reading(each, readings[each], where) for each in order},
        )


def _reading(name: str, data: Any, where: str) -> DescribedReading:
    entry = mapping(data, f"the reading {show(name)} of {where}")
    return DescribedReading(text(entry, "adds", where, default=""), text(entry, "scope", where, default=""))


@dataclass
class Results:
    """What a run found: provenance, the measures and conditions it was about, and its cells."""

    provenance: dict[str, Any]
    measures: dict[str, DescribedMeasure] = field(default_factory=dict)
    conditions: dict[str, DescribedCondition] = field(default_factory=dict)
    _cells: dict[CellKey, Cell] = field(default_factory=dict)

    def add(self, cell: Cell) -> None:
        """Add a cell, or replace the one of the same name."""
        self._cells[cell.key] = cell

    @property
    def cells(self) -> list[Cell]:
        """All cells in the order of the tables, however they came in."""
        measures, conditions = list(self.measures), list(self.conditions)

        def place(cell: Cell) -> tuple[int, int, int]:
            readings = list(self.conditions[cell.condition].readings)
            return measures.index(cell.measure), conditions.index(cell.condition), readings.index(cell.reading)

        return sorted(self._cells.values(), key=place)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __contains__(self, key: object) -> bool:
        return key in self._cells

    def get(self, key: CellKey) -> Cell | None:
        """One cell, or None where it was not run."""
        return self._cells.get(key)

    def cell(self, measure: str, condition: str, reading: str = "canonical") -> Cell:
        """One cell."""
        found = self.get((measure, condition, reading))
        if found is None:
            raise InputError(f"these results have no cell {measure} {condition} {reading}")
        return found

    def to_json(self) -> dict[str, Any]:
        """The results as data for ``json.dump``."""
        return {
            "schema": SCHEMA,
            "provenance": self.provenance,
            "measures": {id: asdict(measure) for id, measure in self.measures.items()},
            "conditions": {id: asdict(condition) for id, condition in self.conditions.items()},
            "cells": [cell.to_json() for cell in self.cells],
        }

    @classmethod
    def from_json(cls, data: Any) -> Results:
        """The results in parsed JSON."""
        if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
            found = data.get("schema") if isinstance(data, Mapping) else type(data).__name__
            raise InputError(f"not a results file: its schema is {show(found)}, expected {SCHEMA!r}")
        for key, kind in (("provenance", dict), ("measures", dict), ("conditions", dict), ("cells", list)):
            if not isinstance(data.get(key), kind):
                raise InputError(f'not a results file: "{key}" is missing or of the wrong type')
        results = cls(
            dict(data["provenance"]),
            {clean(id): DescribedMeasure.from_json(clean(id), entry) for id, entry in data["measures"].items()},
            {
                clean(id): DescribedCondition.from_json(clean(id), entry)
                for id, entry in data["conditions"].items()
            },
        )
        for position, entry in enumerate(data["cells"], start=1):
            results._read(entry, f"cell {position}")
        return results

    def _read(self, data: Any, where: str) -> None:
        """Add a cell of a file, once its names are known to be described there."""
        cell = Cell.from_json(data, where)
        if cell.measure not in self.measures:
            raise InputError(f"{where} names the measure {show(cell.measure)}, which the file does not describe")
        if cell.condition not in self.conditions:
            raise InputError(
                f'{where} names the condition {show(cell.condition)}, which "conditions" does not describe'
            )
        if cell.reading not in self.conditions[cell.condition].readings:
            raise InputError(
                f"{where} names the reading {show(cell.reading)}, which {cell.condition} does not have"
            )
        if cell.key in self:
            raise InputError(f"{where} is a second answer for {' '.join(cell.key)}; one a cell is expected")
        self.add(cell)

    def save(self, path: str | Path) -> None:
        """Write the file atomically: a killed run leaves the last whole one."""
        write_atomically(Path(path), json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Results:
        """Read a results file; ``-`` stands for standard input."""
        data = read_json(path)
        try:
            return cls.from_json(data)
        except InputError as error:
            raise InputError(f"{'standard input' if path == '-' else path}: {error}") from None


def provenance(seed: int, examples: int, exhaustive: int | None) -> dict[str, Any]:
    """What decides the cases, and so the results, of a run."""
    return {
        "version": metaeval.__version__,
        "python": platform.python_version(),
        "hypothesis": version("hypothesis"),
        "numpy": version("numpy"),
        "seed": seed,
        "examples": examples,
        "exhaustive": exhaustive,
    }
