"""The gate: what every verdict relies on, checked before any condition.

A measure must return a real finite number, the same one twice, leave its inputs as they are, ignore the
order of biclusters and the names of objects and features, and give its optimum to a perfect match. A
measure that fails here is reported in the gate's own words, not as a verdict of a condition.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from metaeval.cases import TOLERANCE, ScoreValue, Side
from metaeval.engine.evaluation import Fault, evaluate
from metaeval.measuring import Measure
from metaeval.model import Biclustering
from metaeval.verdicts import Verdict


@dataclass(frozen=True)
class GateFailure:
    """Which check failed, what its cells get, and a sentence on what happened."""

    check: str
    verdict: Verdict
    message: str


#: Plain inputs: partitions on one feature set, which every domain admits.
_LABELS = (
    ([0, 0, 1, 1], [0, 0, 1, 1]),
    ([0, 0, 1, 1, 2], [0, 1, 1, 2, 2]),
    ([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]),
    ([0, 1, 2, 0, 1, 2, 0], [0, 0, 0, 1, 1, 2, 2]),
    ([0, 0, 0, 0], [0, 1, 1, 2]),
)
PANEL = tuple(
    Side(Biclustering.from_labels(found, n_features), Biclustering.from_labels(gold, n_features))
    for n_features in (1, 2)
    for found, gold in _LABELS
)


def gate(measure: Measure, entering: Callable[[], None] = lambda: None) -> GateFailure | None:
    """The first check that the measure fails, or None. ``entering`` is called before each score."""

    def score(side: Side) -> ScoreValue:
        entering()
        return evaluate(measure, side)

    for side in PANEL:
        try:
            failure = _check_side(score, side) or _check_optimum(measure, score, side.gold)
        except Fault as fault:
            return GateFailure("real finite number", fault.verdict, f"it {fault.message}, on {_shown(side)}")
        if failure:
            return failure
    return None


def _check_side(score: Callable[[Side], ScoreValue], side: Side) -> GateFailure | None:
    before = Side(*(Biclustering(biclustering, biclustering.shape) for biclustering in side))
    values = []
    for seed in (1, 2, 3):
        _reseed(seed)
        values.append(score(side))
    if side != before or any(x.biclusters != y.biclusters for x, y in zip(side, before, strict=True)):
        return GateFailure("inputs unchanged", Verdict.ERROR, "it changes its inputs")
    other = next((value for value in values if value != values[0]), None)
    if other is not None:
        message = f"it gives the same input different scores, such as {values[0]} and {other}"
        return GateFailure("same score twice", Verdict.FLAKY, message)
    return _check_variants(score, side, values[0])


def _check_variants(score: Callable[[Side], ScoreValue], side: Side, value: ScoreValue) -> GateFailure | None:
    for check, variant in (
        ("order of biclusters", Side(*map(_reversed, side))),
        # One side alone: a measure that goes by position would not notice both being turned round.
        ("order of biclusters", Side(_reversed(side.candidate), side.gold)),
        ("names of objects and features", Side(*map(_renamed, side))),
    ):
        varied = score(variant)
        if abs(float(varied) - float(value)) > TOLERANCE:
            message = f"it depends on the {check}: {value} becomes {varied} on {_shown(side)}"
            return GateFailure(check, Verdict.ERROR, message)
    return None


def _check_optimum(
    measure: Measure, score: Callable[[Side], ScoreValue], gold: Biclustering
) -> GateFailure | None:
    value = float(score(Side(gold, gold)))
    if abs(value - measure.optimum) <= TOLERANCE:
        return None
    return GateFailure(
        "best for a perfect match",
        Verdict.ERROR,
        f"it scores {value:g} for a perfect match, and says its best is {measure.optimum:g}",
    )


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


def _shown(side: Side) -> str:
    return f"candidate {side.candidate!r}, gold {side.gold!r}"
