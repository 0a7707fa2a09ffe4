"""Results: what a run was about, and its cells; in Python, in a notebook, and several files as one."""

from __future__ import annotations

import json
import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import metaeval
from metaeval.core.errors import InputError, naming
from metaeval.core.settings import HIGHEST, OPTIONS, Settings
from metaeval.core.verdict import Verdict
from metaeval.files.codec import Count, Line, Record, decode, encode
from metaeval.files.json_file import read_json, shown_name, write_atomically
from metaeval.files.shown import clean, show
from metaeval.records.cell import Cell, CellKey, seen_in_a_notebook
from metaeval.records.described import DescribedCondition, DescribedMeasure

SCHEMA = "metaeval.results/1"

#: Columns of whole numbers, some missing: as floats, 12 cases would be shown as 12.0.
_WHOLE = ("cases", "violations", "exhaustive_objects", "exhaustive_cases", "objects")


@dataclass(repr=False)
class Results:
    """What a run found, and about what. Iterating gives the cells in the order of the tables; ``len`` counts them."""

    provenance: dict[str, Any]
    measures: dict[str, DescribedMeasure] = field(default_factory=dict)
    conditions: dict[str, DescribedCondition] = field(default_factory=dict)
    _cells: dict[CellKey, Cell] = field(default_factory=dict)

    def add(self, cell: Cell) -> None:
        """Add a cell, or replace the one of the same name."""
        self._cells[cell.key] = cell

    @property
    def cells(self) -> list[Cell]:
        """All cells in the order of the tables."""
        columns = [(id, name) for id, condition in self.conditions.items() for name in condition.readings]
        keys = ((measure, id, name) for measure in self.measures for id, name in columns)
        return [self._cells[key] for key in keys if key in self]

    @property
    def efforts(self) -> dict[str, int]:
        """The effort level of every measure whose cells were searched."""
        return {id: one.effort for id, one in self.measures.items() if one.effort is not None}

    def search_words(self, measure: str) -> list[str]:
        """The options with which `metaeval check` repeats the search of a measure, as far as the file knows them."""
        # Several runs as one have lists where they differ: no option fits all.
        known = {name: self.provenance[name] for name in OPTIONS if OPTIONS[name].admits(self.provenance.get(name))}
        level = self.efforts.get(measure, HIGHEST)
        effort = {} if level == HIGHEST else {"effort": level}
        proofs = self.provenance.get("proofs") is not False
        return Settings(**{**known, **effort}, proofs=proofs).words()

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __contains__(self, key: object) -> bool:
        return key in self._cells

    def get(self, key: CellKey) -> Cell | None:
        """One cell, or None if it was not run."""
        return self._cells.get(key)

    def cell(self, measure: str, condition: str, reading: str = "canonical") -> Cell:
        """One cell; an error if it was not run."""
        found = self.get((measure, condition, reading))
        if found is None:
            raise InputError(f"these results have no cell {measure} {condition} {reading}")
        return found

    def __repr__(self) -> str:
        counted = ((self.measures, "measure"), (self.conditions, "condition"), (self, "cell"))
        amounts = ", ".join(f"{len(some)} {noun}{'' if len(some) == 1 else 's'}" for some, noun in counted)
        count = Counter(cell.verdict for cell in self)
        verdicts = ", ".join(f"{count[verdict]} {verdict}" for verdict in Verdict if verdict in count)
        return f"<Results: {amounts}{': ' if verdicts else ''}{verdicts}>"

    def _repr_html_(self) -> str:
        """A table with one row per measure and one symbol per reading, and its legend."""
        return seen_in_a_notebook(self)

    def to_dataframe(self) -> Any:
        """A pandas DataFrame, one row per cell; ``left``, ``right`` and ``objects`` are those of the counterexample."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise InputError(
                "to_dataframe needs pandas, which is not installed; `pip install pandas`, or take the CSV of "
                "`metaeval report --format csv`"
            ) from None
        columns = list(_row(Cell("", "", "", Verdict.HOLDS)))
        return pandas.DataFrame([_row(cell) for cell in self], columns=columns).astype(dict.fromkeys(_WHOLE, "Int64"))

    def to_json(self) -> dict[str, Any]:
        """The results as data for ``json.dump``."""
        return {
            "schema": SCHEMA, "provenance": self.provenance, "measures": encode(self.measures),
            "conditions": encode(self.conditions), "cells": [cell.to_json() for cell in self.cells],
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Any, witnessed: bool = True) -> Results:
        """The results in parsed JSON; if ``witnessed`` is false, certificates and proofs are not read."""
        file = decode(_File, data, "the results file")
        check_provenance(file.provenance)
        results = cls(
            file.provenance,
            {clean(id): DescribedMeasure.from_json(clean(id), entry) for id, entry in file.measures.items()},
            {clean(id): DescribedCondition.from_json(clean(id), entry) for id, entry in file.conditions.items()},
        )
        for position, entry in enumerate(file.cells, start=1):
            where = f"cell {position}"
            cell = Cell.from_json(entry, where, witnessed)
            measure, condition, reading = map(show, cell.key)
            if cell.measure not in results.measures:
                raise InputError(f"{where} names the measure {measure}, which the file does not describe")
            if cell.condition not in results.conditions:
                raise InputError(f'{where} names the condition {condition}, which "conditions" does not describe')
            if cell.reading not in results.conditions[cell.condition].readings:
                raise InputError(f"{where} names the reading {reading}, which {cell.condition} does not have")
            if cell.key in results:
                raise InputError(f"{where} is a second answer for {' '.join(cell.key)}; expected one per cell")
            results.add(cell)
        return results

    def save(self, path: str | Path) -> None:
        """Write the file atomically: a killed run leaves the previous file."""
        write_atomically(Path(path), json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Results:
        """Read a results file; ``-`` stands for standard input."""
        data = read_json(path)
        with naming(shown_name(path)):
            return cls.from_json(data)


def _row(cell: Cell) -> dict[str, Any]:
    """The simple fields of a cell; its certificate as scores and size."""
    bound, witness = cell.exhaustive, cell.certificate
    return {
        "measure": cell.measure, "condition": cell.condition, "reading": cell.reading, "verdict": str(cell.verdict),
        "cases": cell.cases, "violations": cell.violations,
        "exhaustive_objects": None if bound is None else bound.objects,
        "exhaustive_cases": None if bound is None else bound.cases, "claim": cell.claim,
        "left": None if witness is None else witness.scores[0].value,
        "right": None if witness is None or len(witness.scores) < 2 else witness.scores[1].value,
        "objects": None if witness is None else witness.objects, "message": cell.message, "seconds": cell.seconds,
    }  # fmt: skip


class _File(Record, frozen=True, tag_field="schema", tag=SCHEMA, forbid_unknown_fields=False):
    """The frame of a results file; its parts are decoded one by one, so that an error can name them."""

    provenance: dict[str, Any]
    measures: dict[str, Any]
    conditions: dict[str, Any]
    cells: list[Any]


class _Origin(Record, frozen=True, forbid_unknown_fields=False):
    version: Line = ""
    python: Line = ""
    hypothesis: Line = ""
    numpy: Line = ""
    seed: int = 0
    examples: Count = 0
    exhaustive: Count | None = None


def check_provenance(data: Mapping[str, Any]) -> None:
    """Refuse a provenance of other than plain values, or lists of them if several files were merged."""
    for key, stated in data.items():
        for value in stated if isinstance(stated, list) else [stated]:
            decode(_Origin, {key: value}, "its provenance")
            if not isinstance(value, (str, int, float, bool, type(None))):
                raise InputError(f"{show(key)} of its provenance must be a plain value, not {show(value)}")


def provenance(seed: int, examples: int, exhaustive: int | None, proofs: bool = False) -> dict[str, Any]:
    """What determines the cases of a run, and so its results."""
    return {
        "version": metaeval.__version__, "python": platform.python_version(), "hypothesis": version("hypothesis"),
        "numpy": version("numpy"), "seed": seed, "examples": examples, "exhaustive": exhaustive, "proofs": proofs,
    }  # fmt: skip


def load_each(files: Sequence[str]) -> dict[str, Results]:
    """The results of each file, which must not be named twice."""
    if twice := [file for file in files if files.count(file) > 1]:
        raise InputError(f"{twice[0]} is given twice; expected results files that differ")
    return {file: Results.load(file) for file in files}


def merged(named: Mapping[str, Results]) -> Results:
    """All cells of several results, by name; an error if two of them have the same cell."""
    whole = Results(_provenance([results.provenance for results in named.values()]))
    origins: dict[Any, str] = {}
    for name, results in named.items():
        for id, measure in results.measures.items():
            known, first = whole.measures.setdefault(id, measure), origins.setdefault(id, name)
            # Older files do not have the domain.
            own, domain = {"gate": None, "effort": None, "domain": ""}, known.domain or measure.domain
            if replace(known, **own) != replace(measure, **own) or measure.domain not in ("", domain):
                raise InputError(f"{first} and {name} describe the measure {id} differently; rename one of them")
            if None not in (known.effort, measure.effort) and known.effort != measure.effort:
                raise InputError(
                    f"{first} has {id} at effort level {known.effort} and {name} at {measure.effort}; "
                    f"run one of them again with --effort {known.effort}"
                )
            whole.measures[id] = replace(measure if known.effort is None else known, domain=domain)
        for id, condition in results.conditions.items():
            whole.conditions[id] = _agreed(id, whole.conditions.get(id), condition, origins.get((id,), ""), name)
            origins.setdefault((id,), name)
        for cell in results:
            if cell.key in whole:
                raise InputError(
                    f"{origins[cell.key]} and {name} both answer {' '.join(cell.key)}; expected every cell in one file"
                )
            origins[cell.key] = name
            whole.add(cell)
    return whole


def _agreed(
    id: str, known: DescribedCondition | None, other: DescribedCondition, first: str, second: str
) -> DescribedCondition:
    """One description of a condition, with the readings of both files; the fuller one is kept."""
    if known is None:
        return other
    shared = known.readings.keys() & other.readings.keys()
    words = [(one.statement, one.relation, [one.readings[name].adds for name in shared]) for one in (known, other)]
    if words[0] != words[1]:
        raise InputError(f"{first} and {second} describe the condition {id} differently; run both with one version")
    fuller = known if known.example is not None else other
    return replace(fuller, readings={**known.readings, **other.readings})


def _provenance(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The provenance of all runs; a list of values if they differ."""
    whole: dict[str, list[Any]] = {}
    for key, value in chain.from_iterable(part.items() for part in parts):
        if value not in whole.setdefault(key, []):
            whole[key].append(value)
    return {key: values[0] if len(values) == 1 else values for key, values in whole.items()}
