"""Baselines: what a measure did when it was last looked at, to hold a changed implementation against.

A baseline holds verdicts with their certificates and a panel of golden scores. The same measure under the
same settings gives the same file, so that it can be kept under version control.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from metaeval.cases import TOLERANCE, Case, ScoreValue, Side, broken
from metaeval.condition import conditions, find_condition
from metaeval.engine.evaluation import Fault, evaluate
from metaeval.engine.gate import PANEL
from metaeval.engine.isolation import Child, Finished, Hung, wait
from metaeval.errors import InputError, MetaevalError
from metaeval.evidence.certificates import Refused, case_from_json, score_to_json, side_to_json, verify
from metaeval.evidence.results import Cell, Results, describe_condition
from metaeval.files import read_json, write_atomically
from metaeval.measuring import DOMAINS, Measure
from metaeval.model import Biclustering
from metaeval.verdicts import Verdict

SCHEMA = "metaeval.baseline/1"

_KEYS = ("schema", "provenance", "measure", "cells", "golden", "tolerance")
_TICK = 0.05

_SQUARE = [({0, 1}, {0, 1}), ({2, 3}, {2, 3})]
_HALVES = [({0, 1}, {0, 1, 2, 3}), ({2, 3}, {0, 1, 2, 3})]
_OVERLAP = [({0, 1, 2}, {0, 1}), ({2, 3}, {1, 2})]
_NESTED = [({0, 1, 2, 3}, {0, 1, 2}), ({1, 2}, {1})]
_TWICE = [({0, 1}, {0, 1}), ({0, 1}, {0, 1})]
_PAIRS: tuple[tuple[Any, Any], ...] = (
    # disjoint: partial, shared in part, apart, on other features
    (_SQUARE, _SQUARE),
    (_SQUARE, _HALVES),
    (_HALVES, _SQUARE),
    ([({0, 1}, {0, 1})], _SQUARE),
    ([({0}, {0}), ({2, 3, 4}, {2})], _SQUARE),
    ([({4}, {4})], _SQUARE),
    # overlapping
    (_OVERLAP, _OVERLAP),
    (_OVERLAP, _SQUARE),
    (_SQUARE, _OVERLAP),
    (_NESTED, _OVERLAP),
    # repeated
    (_TWICE, _SQUARE),
    (_SQUARE, _TWICE),
    # empty
    ([], _SQUARE),
    (_SQUARE, []),
    ([], []),
)
_SHAPE = (5, 5)

#: The inputs of the golden scores. A baseline holds its own, so that these may grow.
SIDES = (*PANEL, *(Side(Biclustering(found, _SHAPE), Biclustering(gold, _SHAPE)) for found, gold in _PAIRS))


class NoAnswer(MetaevalError):
    """The measure hangs, or ends its process, where it is asked for golden scores or certificates."""


@dataclass(frozen=True)
class Golden:
    """A side and its score; where there is none, whether the measure is undefined there or fails."""

    side: Side
    score: ScoreValue | None
    fault: Verdict | None = None

    def to_json(self) -> dict[str, Any]:
        """The golden score as data."""
        if self.score is None:
            return {**side_to_json(self.side), str(self.fault): True}
        return {**side_to_json(self.side), "score": score_to_json(self.score)}

    @classmethod
    def from_json(cls, data: Any) -> Golden:
        """The golden score in parsed JSON."""
        if not isinstance(data, Mapping) or not {"candidate", "gold"} <= set(data):
            raise InputError('a golden score must be an object with "candidate", "gold" and "score"')
        given = {key: data[key] for key in ("candidate", "gold")}
        side = case_from_json({"left": given, "right": given}).left
        rest = set(data) - set(given)
        if rest == {"score"}:
            return cls(side, _score_from_json(data["score"]))
        for fault in (Verdict.UNDEFINED, Verdict.ERROR):
            if rest == {str(fault)} and data[fault] is True:
                return cls(side, None, fault)
        raise InputError('a golden score must hold "score", "undefined": true or "error": true')


@dataclass(frozen=True)
class Baseline:
    """What a measure did: its description, its cells and its golden scores."""

    provenance: Mapping[str, Any]
    measure: Mapping[str, Any]
    cells: tuple[Cell, ...]
    golden: tuple[Golden, ...]
    tolerance: float = TOLERANCE

    @property
    def id(self) -> str:
        """The measure's id."""
        id: str = self.measure["id"]
        return id

    @property
    def best(self) -> float:
        """The best score as the measure's function returns it."""
        optimum: float = self.measure["best"]
        return -optimum if self.measure["smaller_is_better"] else optimum

    @property
    def results(self) -> Results:
        """The cells as results, for comparison."""
        held = {cell.condition for cell in self.cells}
        described = {id: describe_condition(one) for id, one in conditions().items() if id in held}
        results = Results(dict(self.provenance), {self.id: dict(self.measure)}, described)
        for cell in self.cells:
            results.add(cell)
        return results

    def to_json(self) -> dict[str, Any]:
        """The baseline as data for ``json.dump``."""
        return {
            "schema": SCHEMA,
            "provenance": self.provenance,
            "measure": self.measure,
            "cells": [cell.to_json() for cell in self.cells],
            "golden": [golden.to_json() for golden in self.golden],
            "tolerance": self.tolerance,
        }

    @classmethod
    def from_json(cls, data: Any) -> Baseline:
        """The baseline in parsed JSON."""
        _check_keys(data)
        _check_measure(data["measure"])
        _check_provenance(data["provenance"])
        tolerance = data["tolerance"]
        if not _is_number(tolerance) or tolerance < 0:
            raise InputError(f'"tolerance" is {tolerance!r}; expected a number from 0 up')
        cells = tuple(map(Cell.from_json, data["cells"]))
        for cell in cells:
            _check_cell(cell, data["measure"]["id"])
        if len({cell.key for cell in cells}) < len(cells):
            raise InputError("a cell occurs twice")
        golden = tuple(map(Golden.from_json, data["golden"]))
        return cls(data["provenance"], data["measure"], cells, golden, float(tolerance))

    def save(self, path: str | Path) -> None:
        """Write the baseline atomically."""
        write_atomically(path, json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> Baseline:
        """Read a baseline file."""
        data = read_json(path)
        try:
            return cls.from_json(data)
        except InputError as error:
            raise InputError(f"{path} is no baseline: {error}") from None


def make(measure: Measure, results: Results, budget: float | None = None) -> Baseline:
    """The baseline of a measure from its results; its golden scores are computed here."""
    described = {
        "id": measure.id,
        **results.measures[measure.id],
        "smaller_is_better": measure.smaller_is_better,
        "domain": measure.domain,
    }
    # Seconds differ from run to run; without them the same measure gives the same file.
    cells = tuple(replace(cell, seconds=0.0) for cell in results if cell.measure == measure.id)
    return Baseline(results.provenance, described, cells, golden_scores(measure, SIDES, budget))


def golden_scores(measure: Measure, sides: Iterable[Side], budget: float | None = None) -> tuple[Golden, ...]:
    """The measure's scores of some sides, computed in a process of their own."""
    scores: tuple[Golden, ...] = _isolated(budget, _score_all, measure, tuple(sides))
    return scores


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
    found: list[Rechecked] = _isolated(budget, _recheck_all, measure, baseline)
    return found


def changed_scores(baseline: Baseline, measure: Measure, budget: float | None = None) -> list[str]:
    """A sentence for every golden score that is not what it was."""
    now = golden_scores(measure, (golden.side for golden in baseline.golden), budget)
    return [
        f"was {_shown(old)}, is {_shown(new)} for {_brief(new.side)}"
        for old, new in zip(baseline.golden, now, strict=True)
        if not _same(old, new, baseline.tolerance)
    ]


def _same(old: Golden, new: Golden, tolerance: float) -> bool:
    if old.score is None or new.score is None:
        return old.fault is new.fault
    return same_score(old.score, new.score, tolerance)


def same_score(old: ScoreValue, new: ScoreValue, tolerance: float) -> bool:
    """Fractions must be equal, floats within the tolerance; a score that is exact no longer has changed."""
    if isinstance(old, Fraction) or isinstance(new, Fraction):
        return type(old) is type(new) and old == new
    return abs(old - new) <= tolerance


def _shown(golden: Golden) -> str:
    return "an error" if golden.fault is Verdict.ERROR else str(golden.fault or _number(golden.score))


def _number(score: ScoreValue | None) -> str:
    return f"{score} ({float(score):.6g})" if isinstance(score, Fraction) else repr(score)


def _brief(side: Side) -> str:
    return f"candidate {side.candidate!r}, gold {side.gold!r}"


def _score_all(
    notice: Callable[[int | None], None], measure: Measure, sides: Iterable[Side]
) -> tuple[Golden, ...]:
    return tuple(_golden(notice, measure, side) for side in sides)


def _golden(notice: Callable[[int | None], None], measure: Measure, side: Side) -> Golden:
    notice(0)
    try:
        return Golden(side, evaluate(measure, side))
    except Fault as fault:
        return Golden(side, None, fault.verdict)
    finally:
        notice(None)


def _recheck_all(notice: Callable[[int | None], None], measure: Measure, baseline: Baseline) -> list[Rechecked]:
    found = []
    for cell in baseline.cells:
        if cell.certificate is not None:
            notice(0)
            state, sentence = _rechecked(cell.certificate, measure, baseline.tolerance)
            found.append(Rechecked(cell.condition, cell.reading, state, sentence))
            notice(None)
    return found


def _rechecked(data: Mapping[str, Any], measure: Measure, tolerance: float) -> tuple[State, str]:
    try:
        verify(data, measure)
    except Refused as refusal:
        return _judged(data, measure, tolerance, str(refusal))
    return State.HOLDS, "the counterexample holds as it was"


def _judged(data: Mapping[str, Any], measure: Measure, tolerance: float, refusal: str) -> tuple[State, str]:
    """Why a certificate was refused: the measure got better, scores otherwise, or the file is wrong."""
    case, stated = _case_and_scores(data)
    condition = find_condition(data["condition"])
    if not condition.reading(data["reading"]).premise(case):
        return State.BROKEN, f"the stored certificate does not hold: {refusal}"
    try:
        left, right = (evaluate(measure, side) for side in case)
    except Fault as fault:
        return State.BROKEN, f"on the stored counterexample it {fault.message}"
    if broken(condition.relation, left, right, measure.optimum) is None:
        return State.FIXED, f"the stored counterexample no longer breaks it: {_number(left)}, {_number(right)}"
    if not all(same_score(old, new, tolerance) for old, new in zip(stated, (left, right), strict=True)):
        was, now = (" and ".join(map(_number, scores)) for scores in (stated, (left, right)))
        return State.BROKEN, f"the stored counterexample scored {was}, and now {now}"
    if stated != (left, right):  # inside the baseline's tolerance, beyond a certificate's own
        return State.HOLDS, "the counterexample holds, and scores within the tolerance"
    return State.BROKEN, f"the stored certificate does not hold: {refusal}"


def _case_and_scores(data: Mapping[str, Any]) -> tuple[Case, tuple[ScoreValue, ScoreValue]]:
    scores = data.get("scores")
    if not isinstance(scores, Mapping) or not {"left", "right"} <= set(scores):
        raise InputError('a certificate\'s "scores" must hold "left" and "right"')
    return case_from_json(data), (_score_from_json(scores["left"]), _score_from_json(scores["right"]))


def _isolated(budget: float | None, work: Callable[..., Any], measure: Measure, argument: Any) -> Any:
    """Run a measure's code in a process of its own, as the search does."""
    child = Child(work, measure, argument)
    try:
        while (ending := child.ending(budget)) is None:
            wait([child], [], _TICK)
    except BaseException:
        child.stop()
        raise
    if isinstance(ending, Finished):
        return ending.value
    how = (
        f"gave no answer within {budget:g} s"
        if isinstance(ending, Hung)
        else f"lost its process, which {ending.how}"
    )
    raise NoAnswer(f"{measure.id} {how}")


# --- what a baseline file must be


def _check_keys(data: Any) -> None:
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        found = data.get("schema") if isinstance(data, Mapping) else type(data).__name__
        raise InputError(f"its schema is {found!r}, expected {SCHEMA!r}")
    for key, kind in zip(_KEYS[1:5], (Mapping, Mapping, list, list), strict=True):
        if not isinstance(data.get(key), kind):
            raise InputError(f'"{key}" is missing or of the wrong type')
    if set(data) != set(_KEYS):
        odd = next(iter(set(data) ^ set(_KEYS)))
        raise InputError(f"its keys must be {', '.join(_KEYS)}; {odd!r} is missing or too much")


def _check_measure(data: Mapping[str, Any]) -> None:
    if not isinstance(data.get("id"), str):
        raise InputError(f"its measure's id is {data.get('id')!r}; expected text")
    if not _is_number(data.get("best")):
        raise InputError(f"its measure's best is {data.get('best')!r}; expected a number")
    if not isinstance(data.get("smaller_is_better"), bool):
        raise InputError("its measure's smaller_is_better must be true or false")
    if data.get("domain") not in DOMAINS:
        raise InputError(f"its measure's domain is {data.get('domain')!r}; expected one of {', '.join(DOMAINS)}")


def _check_provenance(data: Mapping[str, Any]) -> None:
    for key in ("seed", "examples", "exhaustive"):
        value = data.get(key)
        if not _is_count(value, None if key == "seed" else 0) and not (key == "exhaustive" and value is None):
            raise InputError(f"its provenance has {key} {value!r}; expected an integer")


def _check_cell(cell: Cell, id: str) -> None:
    name = f"the cell {cell.condition} {cell.reading}"
    if cell.measure != id:
        raise InputError(f"{name} is about {cell.measure!r}, not {id!r}")
    find_condition(cell.condition).reading(cell.reading)
    if cell.exhaustive is not None and not all(
        _is_count(cell.exhaustive.get(key), 0) for key in ("objects", "cases")
    ):
        raise InputError(f"{name} has exhaustive {cell.exhaustive!r}; expected objects and cases, or null")
    if (cell.certificate is not None) != (cell.verdict is Verdict.VIOLATED):
        raise InputError(f"{name} must have a certificate if, and only if, it is violated")
    if cell.certificate is not None and not isinstance(cell.certificate, Mapping):
        raise InputError(f"{name}: its certificate is {cell.certificate!r}; expected an object")
    if cell.certificate is not None:
        _check_certificate(cell, cell.certificate, name)


def _check_certificate(cell: Cell, data: Mapping[str, Any], name: str) -> None:
    for key in ("measure", "condition", "reading"):
        if data.get(key) != getattr(cell, key):
            raise InputError(f"{name} has a certificate of the {key} {data.get(key)!r}")
    minimal = data.get("minimal")
    if not isinstance(minimal, Mapping) or not _is_count(minimal.get("objects"), 0):
        raise InputError(f'{name} has a certificate without "minimal" objects')
    try:
        _case_and_scores(data)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _score_from_json(data: Any) -> ScoreValue:
    if isinstance(data, Mapping) and set(data) == {"float", "exact"}:
        if data["exact"] is None and _is_number(data["float"]):
            return float(data["float"])
        try:
            if isinstance(data["exact"], str):
                return Fraction(data["exact"])
        except (ValueError, ZeroDivisionError):
            pass
    raise InputError(f'a score is {data!r}; expected {{"float": 0.5, "exact": "1/2" or null}}')


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: Any, least: int | None) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and (least is None or value >= least)
