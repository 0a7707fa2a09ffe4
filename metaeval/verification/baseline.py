"""Baselines: what a measure did when it was last looked at, to hold a changed implementation against.

A baseline holds verdicts with their certificates and a panel of golden scores. The same measure under the
same settings gives the same file, so that it can be kept under version control.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import structs

from metaeval.catalogue.condition import conditions, find_condition
from metaeval.catalogue.measure import DOMAINS, Measure, ScoreFunction, as_measure
from metaeval.core.effort import HIGHEST
from metaeval.core.errors import InputError
from metaeval.core.relation import TOLERANCE, broken
from metaeval.files.fields import flag, is_whole, mapping, need, number, refuse_unknown, text
from metaeval.files.json_file import read_json, write_atomically
from metaeval.files.shown import show
from metaeval.records.cell import Cell
from metaeval.records.certificate import Certificate
from metaeval.records.described import DescribedCondition, DescribedMeasure
from metaeval.records.results import Results
from metaeval.verification.certificate_check import Refused, verify
from metaeval.verification.golden import (
    Difference,
    Golden,
    Panel,
    apart,
    golden_scores,
    panel_scores,
    same_score,
    shown,
)
from metaeval.workers.call import Notice, evaluate_case
from metaeval.workers.faults import Fault

SCHEMA = "metaeval.baseline/1"

_KEYS = ("schema", "provenance", "measure", "cells", "golden", "tolerance", "left_out")
#: A list of numbers over several lines; no text of JSON holds a line's end.
_NUMBERS = re.compile(r"\[\n\s*\d+(?:,\n\s*\d+)*\n\s*\]")


@dataclass(frozen=True)
class Baseline:
    """What a measure did: its description, its cells and its golden scores.

    ``left_out`` is the number of large pairs that it was too slow for, so that nobody takes them for tried.
    """

    provenance: Mapping[str, Any]
    id: str
    measure: DescribedMeasure
    smaller_is_better: bool
    domain: str
    cells: tuple[Cell, ...]
    golden: tuple[Golden, ...]
    tolerance: float = TOLERANCE
    left_out: int = 0

    @property
    def best(self) -> float | None:
        """The best score as the measure's function returns it; None where it has none."""
        return self._turned(self.measure.best)

    @property
    def low(self) -> float | None:
        """The worst score as the measure's function returns it; None where none is declared."""
        return self._turned(self.measure.low)

    def _turned(self, bound: float | None) -> float | None:
        return -bound if self.smaller_is_better and bound is not None else bound

    def declared(self, function: ScoreFunction) -> Measure:
        """A plain function as a measure: what options said of it when this was saved is known here."""
        plain = as_measure(function)
        return replace(
            plain, best=self.best, low=self.low, smaller_is_better=self.smaller_is_better, domain=self.domain
        )

    def demand_same(self, measure: Measure, file: str) -> None:
        """Refuse a measure that this is not the baseline of; ``file`` is where it was read from."""
        for name in ("id", "best", "low", "smaller_is_better", "domain"):
            before, after = getattr(self, name), getattr(measure, name)
            if before != after:
                raise InputError(
                    f"{file} is the baseline of a measure with the {name} {before!r}, and this one has {after!r}; "
                    "save a new baseline if that is meant"
                )

    @property
    def results(self) -> Results:
        """The cells as results, for comparison."""
        held = {cell.condition for cell in self.cells}
        described = {id: DescribedCondition.of(one) for id, one in conditions().items() if id in held}
        results = Results(dict(self.provenance), {self.id: self.measure}, described)
        for cell in self.cells:
            results.add(cell)
        return results

    def to_json(self) -> dict[str, Any]:
        """The baseline as data for ``json.dump``."""
        declared = {"smaller_is_better": self.smaller_is_better, "domain": self.domain}
        return {
            "schema": SCHEMA,
            "provenance": self.provenance,
            "measure": {"id": self.id, **self.measure.to_json(), **declared},
            "cells": [cell.to_json() for cell in self.cells],
            "golden": [golden.to_json() for golden in self.golden],
            "tolerance": self.tolerance,
            **({"left_out": self.left_out} if self.left_out else {}),
        }

    @classmethod
    def from_json(cls, data: Any, witnessed: bool = True) -> Baseline:
        """The baseline in parsed JSON; without ``witnessed`` its certificates are neither read nor demanded."""
        _check_keys(data)
        measure = mapping(data["measure"], '"measure"')
        id = text(measure, "id", "its measure")
        described = DescribedMeasure.from_json(id, measure)
        cells = tuple(
            _cell(entry, position, id, witnessed) for position, entry in enumerate(data["cells"], start=1)
        )
        if len({cell.key for cell in cells}) < len(cells):
            raise InputError("a cell occurs twice")
        return cls(
            provenance=_provenance(data["provenance"]),
            id=id,
            measure=described,
            smaller_is_better=flag(measure, "smaller_is_better", "its measure"),
            domain=_domain(measure),
            cells=cells,
            golden=tuple(map(Golden.from_json, data["golden"])),
            tolerance=_tolerance(data["tolerance"]),
            left_out=_left_out(data.get("left_out", 0)),
        )

    def save(self, path: str | Path) -> None:
        """Write the baseline atomically, a set of indices on a line: there are large ones."""
        text = json.dumps(self.to_json(), indent=1, ensure_ascii=False)
        write_atomically(path, _NUMBERS.sub(lambda numbers: json.dumps(json.loads(numbers[0])), text) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Baseline:
        """Read a baseline file."""
        data = read_json(path)
        try:
            return cls.from_json(data)
        except InputError as error:
            raise InputError(f"{path} is no baseline: {error}") from None


def make(measure: Measure, results: Results, budget: float | None = None, panel: Panel | None = None) -> Baseline:
    """The baseline of a measure from its results; golden scores that are not given are computed here."""
    panel = panel or panel_scores(measure, budget, results.efforts.get(measure.id, HIGHEST))
    return Baseline(
        provenance=results.provenance,
        id=measure.id,
        measure=results.measures[measure.id],
        smaller_is_better=measure.smaller_is_better,
        domain=measure.domain,
        # Seconds differ from run to run; without them the same measure gives the same file.
        cells=tuple(structs.replace(cell, seconds=0.0) for cell in results if cell.measure == measure.id),
        golden=panel.golden,
        left_out=panel.left_out,
    )


# --- holding a measure against its baseline


class State(StrEnum):
    """What became of a stored certificate."""

    HOLDS = "holds"
    FIXED = "fixed"
    BROKEN = "broken"


@dataclass(frozen=True)
class Rechecked:
    """A stored certificate, checked again."""

    condition: str
    reading: str
    state: State
    sentence: str


def recheck(baseline: Baseline, measure: Measure, budget: float | None = None) -> list[Rechecked]:
    """Every stored certificate verified with the measure as it is now: fast, and without any search."""
    found: list[Rechecked] = apart(budget, _recheck_all, measure, baseline)
    return found


def changed_scores(baseline: Baseline, measure: Measure, budget: float | None = None) -> list[Difference]:
    """Every golden score that is not what it was."""
    now = golden_scores(measure, (golden.side for golden in baseline.golden), budget)
    return [
        Difference(pair, old, new)
        for pair, (old, new) in enumerate(zip(baseline.golden, now, strict=True), start=1)
        if not old.agrees(new, baseline.tolerance)
    ]


def _recheck_all(notice: Notice, measure: Measure, baseline: Baseline) -> list[Rechecked]:
    found = []
    for cell in baseline.cells:
        if cell.certificate is not None:
            notice(0)
            state, sentence = _rechecked(cell.certificate, measure, baseline.tolerance)
            found.append(Rechecked(cell.condition, cell.reading, state, sentence))
            notice(None)
    return found


def _rechecked(stored: Certificate, measure: Measure, tolerance: float) -> tuple[State, str]:
    try:
        verify(stored, measure)
    except Refused as refusal:
        return _judged(stored, measure, tolerance, str(refusal))
    return State.HOLDS, "the counterexample holds as it was"


def _judged(stored: Certificate, measure: Measure, tolerance: float, refusal: str) -> tuple[State, str]:
    """Why a certificate was refused: the measure got better, scores otherwise, or the file is wrong."""
    condition = find_condition(stored.condition)
    if not condition.admits(stored.reading, stored.case):
        return State.BROKEN, f"the stored certificate does not hold: {refusal}"
    try:
        scores = evaluate_case(measure, stored.case, condition.relation)
    except Fault as fault:
        return State.BROKEN, f"on the stored counterexample it {fault.message}"
    if broken(condition.relation, scores, measure.bounds) is None:
        return State.FIXED, f"the stored counterexample no longer breaks it: {', '.join(map(shown, scores))}"
    was = tuple(score.number for score in stored.scores)
    if not all(same_score(old, new, tolerance) for old, new in zip(was, scores, strict=True)):
        before, now = (" and ".join(map(shown, pair)) for pair in (was, scores))
        return State.BROKEN, f"the stored counterexample scored {before}, and now {now}"
    if was != scores:  # inside the baseline's tolerance, beyond a certificate's own
        return State.HOLDS, "the counterexample holds, and scores within the tolerance"
    return State.BROKEN, f"the stored certificate does not hold: {refusal}"


# --- what a baseline file must be


def _check_keys(data: Any) -> None:
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        found = data.get("schema") if isinstance(data, Mapping) else type(data).__name__
        raise InputError(f"its schema is {show(found)}, expected {SCHEMA!r}")
    refuse_unknown(data, _KEYS, "it")
    for key, kind in zip(_KEYS[1:5], (Mapping, Mapping, list, list), strict=True):
        if not isinstance(need(data, key, "it"), kind):
            raise InputError(f'its "{key}" is of the wrong type')
    need(data, "tolerance", "it")


def _provenance(data: Mapping[str, Any]) -> Mapping[str, Any]:
    for key in ("seed", "examples", "exhaustive"):
        value = data.get(key)
        if value is None and key == "exhaustive":
            continue
        if value is None or not is_whole(value) or (key != "seed" and value < 0):
            raise InputError(f"its provenance has {key} {show(value)}; expected an integer")
    return data


def _domain(measure: Mapping[str, Any]) -> str:
    domain = measure.get("domain")
    if domain not in DOMAINS:
        raise InputError(f"its measure's domain is {show(domain)}; expected one of {', '.join(DOMAINS)}")
    return str(domain)


def _tolerance(value: Any) -> float:
    tolerance = number(value, '"tolerance"')
    if tolerance < 0:
        raise InputError(f'"tolerance" is {tolerance:g}; expected a number from 0 up')
    return tolerance


def _left_out(value: Any) -> int:
    if not is_whole(value) or value < 0:
        raise InputError(f'"left_out" is {show(value)}; expected the number of large pairs that were left out')
    return int(value)


def _cell(data: Any, position: int, id: str, witnessed: bool) -> Cell:
    cell = Cell.from_json(data, f"cell {position}", witnessed)
    name = f"the cell {cell.condition} {cell.reading}"
    if cell.measure != id:
        raise InputError(f"{name} is about {cell.measure!r}, not {id!r}")
    find_condition(cell.condition).reading(cell.reading)
    return cell
