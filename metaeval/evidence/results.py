"""Results: every cell's verdict with its evidence, as data and as a file."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import metaeval
from metaeval.condition import READINGS, Condition
from metaeval.errors import InputError
from metaeval.files import read_json, write_atomically
from metaeval.measuring import Measure
from metaeval.verdicts import Verdict

SCHEMA = "metaeval.results/1"

CellKey = tuple[str, str, str]

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
class Cell:
    """One measure, one condition, one reading: the verdict and its evidence."""

    measure: str
    condition: str
    reading: str
    verdict: Verdict
    cases: int = 0
    violations: int | None = None
    exhaustive: Mapping[str, int] | None = None
    claim: str | None = None
    certificate: Mapping[str, Any] | None = None
    message: str | None = None
    seconds: float = 0.0

    @property
    def key(self) -> CellKey:
        """What names the cell."""
        return self.measure, self.condition, self.reading

    def to_json(self) -> dict[str, Any]:
        """The cell as data."""
        data = {key: getattr(self, key) for key in _CELL_KEYS}
        return {**data, "verdict": str(self.verdict), "seconds": round(self.seconds, 3)}

    @classmethod
    def from_json(cls, data: Any) -> Cell:
        """The cell in parsed JSON."""
        if not isinstance(data, Mapping) or set(data) != set(_CELL_KEYS):
            raise InputError(f"a cell must be an object with {', '.join(_CELL_KEYS)}")
        for key in ("measure", "condition", "reading"):
            if not isinstance(data[key], str):
                raise InputError(f"a cell's {key} is {data[key]!r}; expected text")
        for key in ("cases", "violations"):
            if type(data[key]) is not int and not (key == "violations" and data[key] is None):
                raise InputError(f"a cell's {key} is {data[key]!r}; expected an integer")
        if data["exhaustive"] is not None and not isinstance(data["exhaustive"], Mapping):
            raise InputError(f"a cell's exhaustive is {data['exhaustive']!r}; expected an object or null")
        try:
            verdict = Verdict(data["verdict"])
        except ValueError:
            raise InputError(
                f"a cell's verdict is {data['verdict']!r}; expected one of {', '.join(Verdict)}"
            ) from None
        return cls(**{**data, "verdict": verdict})


@dataclass
class Results:
    """What a run found: provenance, the measures and conditions it was about, and its cells."""

    provenance: dict[str, Any]
    measures: dict[str, dict[str, Any]] = field(default_factory=dict)
    conditions: dict[str, dict[str, Any]] = field(default_factory=dict)
    _cells: dict[CellKey, Cell] = field(default_factory=dict)

    def add(self, cell: Cell) -> None:
        """Add a cell, or replace the one of the same name."""
        self._cells[cell.key] = cell

    @property
    def cells(self) -> list[Cell]:
        """All cells in the order of the tables, however they came in."""
        measures, conditions = list(self.measures), list(self.conditions)

        def place(cell: Cell) -> tuple[int, int, int]:
            return measures.index(cell.measure), conditions.index(cell.condition), READINGS.index(cell.reading)

        return sorted(self._cells.values(), key=place)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __contains__(self, key: object) -> bool:
        return key in self._cells

    def cell(self, measure: str, condition: str, reading: str = "canonical") -> Cell:
        """One cell."""
        try:
            return self._cells[measure, condition, reading]
        except KeyError:
            raise InputError(f"these results have no cell {measure} {condition} {reading}") from None

    def to_json(self) -> dict[str, Any]:
        """The results as data for ``json.dump``."""
        return {
            "schema": SCHEMA,
            "provenance": self.provenance,
            "measures": self.measures,
            "conditions": self.conditions,
            "cells": [cell.to_json() for cell in self.cells],
        }

    @classmethod
    def from_json(cls, data: Any) -> Results:
        """The results in parsed JSON."""
        if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
            found = data.get("schema") if isinstance(data, Mapping) else type(data).__name__
            raise InputError(f"not a results file: its schema is {found!r}, expected {SCHEMA!r}")
        for key, kind in (("provenance", dict), ("measures", dict), ("conditions", dict), ("cells", list)):
            if not isinstance(data.get(key), kind):
                raise InputError(f'not a results file: "{key}" is missing or of the wrong type')
        results = cls(data["provenance"], data["measures"], data["conditions"])
        for entry in data["cells"]:
            cell = Cell.from_json(entry)
            if cell.measure not in results.measures or cell.condition not in results.conditions:
                raise InputError(
                    f"the cell {cell.measure} {cell.condition} has no entry under measures or conditions"
                )
            if cell.reading not in READINGS:
                raise InputError(f"{cell.reading!r} is no reading; expected one of {', '.join(READINGS)}")
            if cell.key in results:
                raise InputError(f"the cell {' '.join(cell.key)} occurs twice")
            results.add(cell)
        return results

    def save(self, path: str | Path) -> None:
        """Write the file atomically: a killed run leaves the last whole one."""
        write_atomically(Path(path), json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Results:
        """Read a results file."""
        try:
            return cls.from_json(read_json(Path(path)))
        except InputError as error:
            text = str(error)
            raise InputError(text if str(path) in text else f"{path}: {text}") from None


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


def describe_measure(measure: Measure, gate: str | None) -> dict[str, Any]:
    """A measure's entry in a results file."""
    return {
        "name": measure.name,
        "citation": measure.citation,
        "best": measure.optimum,
        "summary": measure.summary,
        "gate": gate,
    }


def describe_condition(condition: Condition) -> dict[str, Any]:
    """A condition's entry in a results file."""
    return {
        "name": condition.name,
        "statement": condition.statement,
        "citation": condition.citation,
        "relation": condition.relation.name,
        "readings": {
            reading.name: {"adds": reading.adds, "scope": reading.scope} for reading in condition.readings.values()
        },
    }
