"""Several results files as one, so that a measure of one's own stands beside the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from metaeval.core.errors import InputError
from metaeval.records.described import DescribedCondition, DescribedMeasure
from metaeval.records.results import Results


def load_all(files: Sequence[str | Path]) -> Results:
    """The results in one file, or in several that share no cell."""
    if len(files) != len(set(files)):
        twice = next(file for file in files if list(files).count(file) > 1)
        raise InputError(f"{twice} is given twice; expected results files that differ")
    loaded = {str(file): Results.load(file) for file in files}
    return merged(loaded)


def merged(named: Mapping[str, Results]) -> Results:
    """All the cells of results that are known by a name each; an error where two of them answer the same."""
    whole = Results(_provenance([results.provenance for results in named.values()]))
    origins: dict[Any, str] = {}
    for name, results in named.items():
        for id, measure in results.measures.items():
            known = whole.measures.setdefault(id, measure)
            _demand_alike(id, known, measure, origins.get(id, name), name)
            if known.effort is None:
                whole.measures[id] = measure
            origins.setdefault(id, name)
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


def _demand_alike(id: str, known: DescribedMeasure, other: DescribedMeasure, first: str, second: str) -> None:
    """Refuse two measures of one name, and one that was searched at two effort levels."""
    if replace(known, gate=None, effort=None) != replace(other, gate=None, effort=None):
        raise InputError(f"{first} and {second} describe the measure {id} differently; rename one of them")
    if None not in (known.effort, other.effort) and known.effort != other.effort:
        raise InputError(
            f"{first} has {id} at effort level {known.effort} and {second} at {other.effort}; "
            f"run one of them again with --effort {known.effort}"
        )


def _agreed(
    id: str, known: DescribedCondition | None, other: DescribedCondition, first: str, second: str
) -> DescribedCondition:
    """One description of a condition: the readings of both, and what only the newer of two files says."""
    if known is None:
        return other
    shared = known.readings.keys() & other.readings.keys()
    if (known.statement, known.relation) != (other.statement, other.relation) or any(
        known.readings[name].adds != other.readings[name].adds for name in shared
    ):
        raise InputError(
            f"{first} and {second} describe the condition {id} differently; run both with one version"
        )
    readings = {**known.readings, **other.readings}
    fuller = known if known.example is not None else other
    return replace(fuller, readings=readings)


def _provenance(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the runs were made with; where they differ, every value that occurs."""
    whole: dict[str, Any] = {}
    for key in dict.fromkeys(key for part in parts for key in part):
        values: list[Any] = []
        for part in parts:
            if key in part and part[key] not in values:
                values.append(part[key])
        whole[key] = values[0] if len(values) == 1 else values
    return whole
