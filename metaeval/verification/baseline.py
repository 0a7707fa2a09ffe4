"""Baselines: the cells and golden scores of a measure; the same measure with the same settings gives the same file.

A file holds the baseline of one measure, or those of several.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, structs

from metaeval.adapters import as_measure, param_values
from metaeval.catalogue.condition import conditions, find_condition
from metaeval.catalogue.measure import Measure, ScoreFunction
from metaeval.core.errors import InputError, naming
from metaeval.core.relation import TOLERANCE, broken
from metaeval.core.settings import HIGHEST, Settings
from metaeval.equations.equation import DOMAINS
from metaeval.files.codec import Count, Line, Record, decode
from metaeval.files.json_file import locked, read_json, write_atomically
from metaeval.records.cell import Cell
from metaeval.records.certificate import Certificate
from metaeval.records.described import DescribedCondition, DescribedMeasure
from metaeval.records.results import Results
from metaeval.runner.plan import Plan
from metaeval.verification import golden as goldens
from metaeval.verification.certificate_check import Refused, verify
from metaeval.verification.golden import Difference, Golden, Panel, panel_scores, same_score, shown
from metaeval.workers.call import Notice, evaluate_case
from metaeval.workers.faults import Fault

SCHEMA = "metaeval.baseline/1"
#: The schema of a file with the baselines of several measures.
SEVERAL = "metaeval.baselines/1"

#: A list of numbers over several lines; no string in JSON holds a line break.
_NUMBERS = re.compile(r"\[\n\s*\d+(?:,\n\s*\d+)*\n\s*\]")


class _File(Record, frozen=True, tag_field="schema", tag=SCHEMA):
    """The frame of a baseline file; its parts are decoded one by one, so that an error can name them."""

    provenance: dict[str, Any]
    measure: dict[str, Any]
    cells: list[Any]
    golden: list[Any]
    tolerance: Annotated[float, Meta(ge=0)]
    left_out: Count = 0


class _Several(Record, frozen=True, tag_field="schema", tag=SEVERAL):
    baselines: list[Any]


class _Settings(Record, frozen=True, forbid_unknown_fields=False):
    seed: int
    examples: Count
    exhaustive: Count | None = None


class _Declared(Record, frozen=True, forbid_unknown_fields=False):
    id: Line
    smaller_is_better: bool
    domain: Literal[DOMAINS]  # type: ignore[valid-type]


@dataclass(frozen=True)
class Baseline:
    """The description, cells and golden scores of a measure, which was too slow for ``left_out`` large pairs."""

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
        """The best score as the measure's function returns it; None if there is none."""
        return self._turned(self.measure.best)

    @property
    def low(self) -> float | None:
        """The worst score as the measure's function returns it; None if none is declared."""
        return self._turned(self.measure.low)

    def _turned(self, bound: float | None) -> float | None:
        return -bound if self.smaller_is_better and bound is not None else bound

    def declared(self, function: ScoreFunction) -> Measure:
        """A plain function as a measure, with the options that this baseline was saved with."""
        turned, params = self.smaller_is_better, param_values(self.params)
        return as_measure(function, params, best=self.best, low=self.low, smaller_is_better=turned, domain=self.domain)

    @property
    def params(self) -> list[str]:
        """The values of further parameters, as words such as "beta=2"."""
        return [word for option, word in pairwise(self.measure.target_words) if option == "--param"]

    def demand_same(self, measure: Measure, file: str) -> None:
        """Refuse a measure that is declared differently; ``file`` is the baseline's file."""
        for name in ("best", "low", "smaller_is_better", "domain"):
            before, after = getattr(self, name), getattr(measure, name)
            if before != after:
                raise InputError(
                    f"{file} is the baseline of a measure with the {name} {before!r}, and this one has {after!r}; "
                    "save a new baseline if that is meant"
                )

    def settings(self, asked: Settings) -> Settings:
        """The settings to search again with; the time limit is the user's."""
        made = {name: self.provenance[name] for name in ("examples", "exhaustive", "seed")}
        # Without proofs in the baseline, every proof would be reported as a change.
        return replace(asked, **made, proofs=asked.proofs and self.provenance.get("proofs") is True)

    def plan(self, measure: Measure) -> Plan:
        """The cells to search again; all cells where the baseline has none."""
        ids, names = ({getattr(cell, key) for cell in self.cells} for key in ("condition", "reading"))
        plan = Plan.of([measure], ids or None, names or None)
        level = self.measure.effort
        return plan if level is None else plan.at({measure.id: level})

    @property
    def results(self) -> Results:
        """The cells as results, for comparison."""
        held = {cell.condition for cell in self.cells}
        described = {id: DescribedCondition.of(one) for id, one in conditions().items() if id in held}
        return Results(dict(self.provenance), {self.id: self.measure}, described, {one.key: one for one in self.cells})

    def to_json(self) -> dict[str, Any]:
        declared = {"smaller_is_better": self.smaller_is_better, "domain": self.domain}
        return {
            "schema": SCHEMA, "provenance": self.provenance,
            "measure": {"id": self.id, **self.measure.to_json(), **declared},
            "cells": [cell.to_json() for cell in self.cells], "golden": [golden.to_json() for golden in self.golden],
            "tolerance": self.tolerance, **({"left_out": self.left_out} if self.left_out else {}),
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: Any, witnessed: bool = True) -> Baseline:
        """The baseline in parsed JSON; if ``witnessed`` is false, certificates and proofs are not read."""
        file = decode(_File, data, "the baseline")
        decode(_Settings, file.provenance, "its provenance")
        declared = decode(_Declared, file.measure, "its measure")
        cells = tuple(Cell.from_json(one, f"cell {at}", witnessed) for at, one in enumerate(file.cells, start=1))
        for cell in cells:
            if cell.measure != declared.id:
                where = f"the cell {cell.condition} {cell.reading}"
                raise InputError(f"{where} is about {cell.measure!r}, not {declared.id!r}")
            find_condition(cell.condition).reading(cell.reading)
        if len({cell.key for cell in cells}) < len(cells):
            raise InputError("a cell occurs twice")
        return cls(
            provenance=file.provenance, id=declared.id, measure=DescribedMeasure.from_json(declared.id, file.measure),
            smaller_is_better=declared.smaller_is_better, domain=declared.domain, cells=cells,
            golden=tuple(map(Golden.from_json, file.golden)), tolerance=file.tolerance, left_out=file.left_out,
        )  # fmt: skip

    def save(self, path: str | Path) -> None:
        """Write the baseline atomically into a file, which keeps those of other measures."""
        with locked(Path(path)):
            held = load_all(path) if Path(path).exists() else {}
            parts = [one.to_json() for one in {**held, self.id: self}.values()]
            data = parts[0] if len(parts) == 1 else {"schema": SEVERAL, "baselines": parts}
            # One line per set of indices: some sets are large.
            text = json.dumps(data, indent=1, ensure_ascii=False)
            write_atomically(path, _NUMBERS.sub(lambda numbers: json.dumps(json.loads(numbers[0])), text) + "\n")

    @classmethod
    def load(cls, path: str | Path, id: str | None = None) -> Baseline:
        """Read the baseline of the measure with this id; without an id, the first of the file."""
        found = load_all(path)
        if id is not None and id not in found:
            raise InputError(f"{path} has no baseline of {id!r}, only of {', '.join(found)}; `--save {path}` adds one")
        return found[id or next(iter(found))]


def load_all(path: str | Path) -> dict[str, Baseline]:
    """The baselines in a file, by the id of their measure."""
    data = read_json(path)
    with naming(f"{path} is no baseline"):
        found = [Baseline.from_json(entry) for entry in entries(data)]
        if len({one.id for one in found}) < len(found):
            raise InputError("a measure has two; expected one per measure")
    return {one.id: one for one in found}


def entries(data: Any) -> list[Any]:
    """The baselines in parsed JSON, one by one; other files are one entry, for their reader to judge."""
    if not isinstance(data, Mapping) or data.get("schema") != SEVERAL:
        return [data]
    if not (found := decode(_Several, data, "the file").baselines):
        raise InputError('"baselines" is empty; expected the baseline of a measure')
    return found


def make(measure: Measure, results: Results, panel: Panel | None = None) -> Baseline:
    """The baseline of a measure from its results; computes the golden scores if they are not given."""
    panel = panel or panel_scores(measure, effort=results.efforts.get(measure.id, HIGHEST))
    return Baseline(
        provenance=results.provenance, id=measure.id, measure=results.measures[measure.id],
        smaller_is_better=measure.smaller_is_better, domain=measure.domain,
        # Seconds differ between runs; without them the same measure gives the same file.
        cells=tuple(structs.replace(cell, seconds=0.0) for cell in results if cell.measure == measure.id),
        golden=panel.golden, left_out=panel.left_out,
    )  # fmt: skip


# --- comparing a measure with its baseline


class State(StrEnum):
    """The state of a stored certificate, in the words of a check."""

    HOLDS = "unchanged"
    FIXED = "fixed"
    BROKEN = "changed"


class Rechecked(NamedTuple):
    """A stored certificate, checked again."""

    condition: str
    reading: str
    state: State
    sentence: str

    def __str__(self) -> str:
        return f"{self.condition}/{self.reading}: {self.sentence}"


def recheck(baseline: Baseline, measure: Measure, budget: float | None = None) -> list[Rechecked]:
    """Verify every stored certificate with the measure as it is now, without a search."""
    return list(goldens.apart(budget, _recheck_all, measure, baseline))


def changed_scores(baseline: Baseline, measure: Measure, budget: float | None = None) -> list[Difference]:
    """The golden scores that changed."""
    now = goldens.golden_scores(measure, (golden.side for golden in baseline.golden), budget)
    return [
        Difference(pair, old, new)
        for pair, (old, new) in enumerate(zip(baseline.golden, now, strict=True), start=1)
        if not old.agrees(new, baseline.tolerance)
    ]


def _recheck_all(notice: Notice, measure: Measure, baseline: Baseline) -> list[Rechecked]:
    found = []
    for stored in filter(None, (cell.certificate for cell in baseline.cells)):
        notice(0)
        state, sentence = State.HOLDS, "the counterexample holds as it was"
        try:
            verify(stored, measure)
        except Refused as refusal:
            state, sentence = _judged(stored, measure, baseline.tolerance, str(refusal))
        found.append(Rechecked(stored.condition, stored.reading, state, sentence))
        notice(None)
    return found


def _judged(stored: Certificate, measure: Measure, tolerance: float, refusal: str) -> tuple[State, str]:
    """Why a certificate was refused: the violation is fixed, the scores changed, or the file is wrong."""
    condition = find_condition(stored.condition).form(measure.domain, stored.reading)
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
    if was != scores:  # within the tolerance of the baseline, but not that of certificates
        return State.HOLDS, "the counterexample holds, and scores within the tolerance"
    return State.BROKEN, f"the stored certificate does not hold: {refusal}"
