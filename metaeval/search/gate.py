"""The gate: what every verdict relies on, checked before any condition.

A measure must return a real finite number, the same one twice, leave its inputs as they are, ignore the
order of biclusters and the names of objects and features, and of clusters where it is told these, and give its optimum,
if it has one, to a perfect match. A measure that fails here is reported in the gate's own words, not as a verdict of a
condition.

Extreme inputs come first, since they are the smallest: nothing found, a single cell, one cluster, only singletons. What
a measure gives there is for the conditions to judge. So one that fails on these alone passes, with a remark.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain

from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.core.relation import TOLERANCE, ScoreValue
from metaeval.core.verdict import Verdict
from metaeval.records.described import GateFailure
from metaeval.workers.budget import least_time
from metaeval.workers.call import evaluate
from metaeval.workers.faults import Fault, FaultKind, diagnosis_of, place_in

#: Seconds of processor time for a call on an extreme input, which is tiny; a first call may have things to load.
EXTREME_BUDGET = 10.0
#: And for a call on the sample: one that takes longer is too slow for large cases.
SAMPLE_BUDGET = 10.0

#: The check that a measure gives scores at all.
SCORES = "real finite number"
#: The check that a perfect match reaches the optimum.
BEST = "best for a perfect match"
#: The check that labels are names, of a measure that is told clusters by label.
LABELS = "names of clusters"


@dataclass(frozen=True)
class Passage:
    """Why a measure was stopped at the gate, if it was; else what is to be remarked."""

    failure: GateFailure | None = None
    remark: GateFailure | None = None


def _side(found: list[int], gold: list[int], n_features: int = 1) -> Side:
    return Side(Biclustering.from_labels(found, n_features), Biclustering.from_labels(gold, n_features))


_NOTHING = Biclustering([], (1, 1))
_CELL = Biclustering([({0}, {0})], (1, 1))

#: Extreme partitions: a single cell, all in one cluster, every object its own.
_EXTREME_PARTITIONS = (
    Side(_CELL, _CELL),
    _side([0, 0], [0, 0]),
    _side([0, 1], [0, 1]),
    _side([0, 0], [0, 1]),
    _side([0, 1], [0, 0]),
    _side([0, 0, 0], [0, 0, 0], 2),
    _side([0, 1, 2], [0, 1, 2], 2),
)
#: Sides on which nothing was found, or there is nothing to find: no partitions.
_EMPTY = (Side(Biclustering(), Biclustering()), Side(_NOTHING, _CELL), Side(_CELL, _NOTHING))

#: Plain inputs: partitions on one feature set, which every domain admits.
_LABELS = (
    ([0, 0, 1, 1], [0, 0, 1, 1]),
    ([0, 0, 1, 1, 2], [0, 1, 1, 2, 2]),
    ([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]),
    ([0, 1, 2, 0, 1, 2, 0], [0, 0, 0, 1, 1, 2, 2]),
    ([0, 0, 0, 0], [0, 1, 1, 2]),
)
PANEL = tuple(_side(found, gold, n_features) for n_features in (1, 2) for found, gold in _LABELS)

#: The pair on which a measure is timed, 90 objects on 5 features. A large cluster and a large class show what grows
#: with their sizes, a dozen small ones what grows with their number.
SAMPLE = _side(
    [0 if row < 45 else 1 + row // 3 for row in range(90)], [0 if row < 30 else row // 5 for row in range(90)], 5
)


def extremes(domain: str) -> tuple[Side, ...]:
    """The extreme inputs that a domain holds, the smallest first."""
    return _EXTREME_PARTITIONS if domain == "partitions" else _EMPTY + _EXTREME_PARTITIONS


def gate(
    measure: Measure, entering: Callable[[bool], None] = lambda extreme: None, tripped: GateFailure | None = None
) -> Passage:
    """What the gate says of a measure. ``entering`` is told before each score whether the input is extreme.

    ``tripped`` is what took the process down on an extreme input; extreme inputs are then left out.
    """
    extreme = () if tripped else extremes(measure.domain)
    small = _Checks(measure, lambda: entering(True))
    remarks = [tripped] if tripped else []
    for found in small.consistency(extreme):
        if found.check != SCORES:
            return Passage(found)
        remarks.append(found)
    plain, panel = _Checks(measure, lambda: entering(False)), sorted(PANEL, key=_size)
    failure = _first_failure(plain, panel)
    if failure is None:
        return Passage(remark=next(filter(_is_remarkable, remarks), None))
    smaller = chain(remarks, small.optimum(extreme) if failure.check == BEST else ())
    return Passage(next((one for one in smaller if _are_alike(one, failure)), failure))


def sample_time(measure: Measure) -> float:
    """The processor time of a call on the sample, at its least; a call that gives no score takes its time, too."""

    def call() -> None:
        with suppress(Fault):
            evaluate(measure, SAMPLE)

    return least_time(call)


def _first_failure(checks: _Checks, panel: Sequence[Side]) -> GateFailure | None:
    """What is wrong with a measure, if anything. It may say that it is undefined somewhere, but not everywhere."""
    declared = []
    for failure in chain(checks.consistency(panel), checks.optimum(panel)):
        if _is_remarkable(failure):
            return failure
        declared.append(failure)
    different = [side for side in panel if side.candidate != side.gold]
    return declared[0] if len(declared) == len(different) else None


def _are_alike(one: GateFailure, other: GateFailure) -> bool:
    """Whether both are the same mistake, on whatever inputs."""
    lines = [None if each.diagnosis is None else each.diagnosis.where for each in (one, other)]
    return (one.check, one.verdict) == (other.check, other.verdict) and lines[0] == lines[1]


def _is_remarkable(failure: GateFailure) -> bool:
    """Whether to speak of it: a measure that says itself where it is undefined does what it should."""
    return failure.diagnosis is None or failure.diagnosis.kind != FaultKind.UNDEFINED.word


def _size(side: Side) -> tuple[int, int]:
    return side.gold.shape


class _Checks:
    """The checks of one measure."""

    def __init__(self, measure: Measure, entering: Callable[[], None]) -> None:
        self._measure = measure
        self._entering = entering

    def consistency(self, sides: Iterable[Side]) -> Iterator[GateFailure]:
        """What is wrong with the scores of each side, where something is: there is none, or not one."""
        return self._failures(self._repeated, sides)

    def optimum(self, sides: Iterable[Side]) -> Iterator[GateFailure]:
        """The golds that do not score best against themselves; none where there is no constant best score."""
        return self._failures(self._best, () if self._measure.optimum is None else sides)

    def _failures(
        self, check: Callable[[Side], GateFailure | None], sides: Iterable[Side]
    ) -> Iterator[GateFailure]:
        for side in sides:
            try:
                failure = check(side)
            except Fault as fault:
                failure = GateFailure(SCORES, fault.verdict, f"it {fault.told}", fault.diagnosis(self._measure))
            if failure is not None:
                yield failure

    def _score(self, side: Side) -> ScoreValue:
        self._entering()
        return evaluate(self._measure, side)

    def _failure(self, check: str, verdict: Verdict, message: str, kind: FaultKind, side: Side) -> GateFailure:
        self._entering()
        diagnosis = diagnosis_of(kind, side, place_in(self._measure, side, kind))
        return GateFailure(check, verdict, message, diagnosis)

    def _repeated(self, side: Side) -> GateFailure | None:
        """The same score again and again, and inputs that stay as they are."""
        before = Side(*(Biclustering(biclustering, biclustering.shape) for biclustering in side))
        values = []
        for seed in (1, 2, 3):
            _reseed(seed)
            values.append(self._score(side))
        if side != before or any(x.biclusters != y.biclusters for x, y in zip(side, before, strict=True)):
            message = "it changes its inputs"
            return self._failure("inputs unchanged", Verdict.ERROR, message, FaultKind.CHANGES_INPUTS, before)
        other = next((value for value in values if value != values[0]), None)
        if other is not None:
            message = f"it gives the same input different scores, such as {values[0]} and {other}"
            return self._failure("same score twice", Verdict.FLAKY, message, FaultKind.FLAKY, side)
        return self._varied(side, values[0])

    def _varied(self, side: Side, value: ScoreValue) -> GateFailure | None:
        """The same score whatever the order and the names."""
        for check, kind, variant in (
            ("order of biclusters", FaultKind.ORDER, Side(*map(_reversed, side))),
            # One side alone: a measure that goes by position would not notice both being turned round.
            ("order of biclusters", FaultKind.ORDER, Side(_reversed(side.candidate), side.gold)),
            ("names of objects and features", FaultKind.NAMES, Side(*map(_renamed, side))),
        ):
            varied = self._score(variant)
            if abs(float(varied) - float(value)) > TOLERANCE:
                message = f"it depends on the {check}: {value} becomes {varied}"
                return self._failure(check, Verdict.ERROR, message, kind, side)
        return self._relabelled(side, value)

    def _relabelled(self, side: Side, value: ScoreValue) -> GateFailure | None:
        """The same score where label vectors have other labels."""
        if self._measure.renamed is None:
            return None
        self._entering()
        try:
            other = evaluate(replace(self._measure, function=self._measure.renamed), side)
        except Fault as fault:
            happens = f"with labels other than 0, 1, … it {fault.told}"
        else:
            if abs(float(other) - float(value)) <= TOLERANCE:
                return None
            happens = f"with labels other than 0, 1, … {value} becomes {other}"
        message = f"it depends on the {LABELS}: {happens}"
        return self._failure(LABELS, Verdict.ERROR, message, FaultKind.LABELS, side)

    def _best(self, side: Side) -> GateFailure | None:
        """The optimum for a perfect match."""
        side = Side(side.gold, side.gold)
        value, optimum = float(self._score(side)), self._measure.optimum
        if optimum is None or abs(value - optimum) <= TOLERANCE:
            return None
        message = f"it scores {value:g} for a perfect match, and says its best is {optimum:g}"
        return self._failure(BEST, Verdict.ERROR, message, FaultKind.NOT_BEST, side)


def _reseed(seed: int) -> None:
    # A measure that draws from the global generators must not look deterministic.
    random.seed(seed)
    import numpy as np

    np.random.seed(seed)


def _reversed(biclustering: Biclustering) -> Biclustering:
    return Biclustering.trusted(biclustering.biclusters[::-1], biclustering.shape)


def _renamed(biclustering: Biclustering) -> Biclustering:
    objects, features = biclustering.shape
    return biclustering.renamed(lambda row: objects - 1 - row, lambda col: features - 1 - col)
