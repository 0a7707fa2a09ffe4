"""The gate: checks before any condition, on which every verdict relies.

A measure must return a real finite number, and the same number twice. It must not change its inputs. It must ignore
the order of biclusters, the names of objects and features, and the labels of clusters if it gets labels. A perfect
match must reach the optimum, if the measure has one. A failure here is reported as a failure of the gate, not as a
verdict of a condition.

Extreme inputs come first, because they are the smallest: nothing found, a single cell, one cluster, only singletons.
The conditions judge the scores of extreme inputs. So a measure that fails only on these passes, with a remark.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from msgspec.structs import replace as changed

from metaeval.adapters import Declared, clusters, labels
from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.core.relation import TOLERANCE, ScoreValue
from metaeval.core.verdict import Verdict
from metaeval.records.described import GateFailure
from metaeval.workers.budget import least_time
from metaeval.workers.call import evaluate
from metaeval.workers.faults import Fault, FaultKind, diagnosis_of, place_in

#: Seconds of processor time for a call on an extreme input, which is tiny, but the first call may load something. Also
#: for a call on the sample: a slower measure is too slow for large cases.
CALL_BUDGET = 10.0

#: The check that a measure returns scores.
SCORES = "real finite number"
#: The check that a perfect match reaches the optimum.
BEST = "best for a perfect match"
#: The check that a measure ignores the labels of clusters, if it gets label vectors.
LABELS = "names of clusters"


@dataclass(frozen=True)
class Passage:
    """The failure of a measure at the gate, or a remark on a measure that passed; mostly neither."""

    failure: GateFailure | None = None
    remark: GateFailure | None = None


def _side(found: list[int], gold: list[int], n_features: int = 1) -> Side:
    return Side(Biclustering.from_labels(found, n_features), Biclustering.from_labels(gold, n_features))


_NOTHING = Biclustering([], (1, 1))
_CELL = Biclustering([({0}, {0})], (1, 1))

#: Extreme partitions: a single cell, one cluster, only singletons.
_EXTREME_PARTITIONS = (
    Side(_CELL, _CELL), _side([0, 0], [0, 0]), _side([0, 1], [0, 1]), _side([0, 0], [0, 1]), _side([0, 1], [0, 0]),
    _side([0, 0, 0], [0, 0, 0], 2), _side([0, 1, 2], [0, 1, 2], 2),
)  # fmt: skip
#: Sides with an empty candidate or gold; these are not partitions.
_EMPTY = (Side(Biclustering(), Biclustering()), Side(_NOTHING, _CELL), Side(_CELL, _NOTHING))

#: Plain inputs: partitions on one feature set, which lie in every domain.
_LABELS = (
    ([0, 0, 1, 1], [0, 0, 1, 1]), ([0, 0, 1, 1, 2], [0, 1, 1, 2, 2]), ([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]),
    ([0, 1, 2, 0, 1, 2, 0], [0, 0, 0, 1, 1, 2, 2]), ([0, 0, 0, 0], [0, 1, 1, 2]),
)  # fmt: skip
PANEL = tuple(_side(found, gold, n_features) for n_features in (1, 2) for found, gold in _LABELS)

#: The pair on which a measure is timed: 90 objects, 5 features. A large cluster and a large class show costs that grow
#: with sizes, a dozen small ones show costs that grow with numbers.
SAMPLE = _side(
    [0 if row < 45 else 1 + row // 3 for row in range(90)], [0 if row < 30 else row // 5 for row in range(90)], 5
)


def extremes(domain: str) -> tuple[Side, ...]:
    """The extreme inputs in a domain, smallest first."""
    return _EXTREME_PARTITIONS if domain == "partitions" else _EMPTY + _EXTREME_PARTITIONS


def gate(
    measure: Measure, entering: Callable[[bool], None] = lambda extreme: None, tripped: GateFailure | None = None
) -> Passage:
    """Check a measure. Before each call, ``entering`` gets whether the input is extreme.

    ``tripped`` is an earlier failure on an extreme input that killed the worker; then extreme inputs are left out.
    """
    extreme = () if tripped else extremes(measure.domain)
    small, plain = _Checks(measure, lambda: entering(True)), _Checks(measure, lambda: entering(False))
    remarks = [tripped] if tripped else []
    for found in small.consistency(extreme):
        if found.check != SCORES:
            return Passage(_hinted(found, measure, plain))
        remarks.append(found)
    failure = _first_failure(plain, sorted(PANEL, key=lambda side: side.gold.shape))
    if failure is None:
        return Passage(remark=next(filter(_is_remarkable, remarks), None))
    smaller = chain(remarks, small.optimum(extreme) if failure.check == BEST else ())
    found = next((one for one in smaller if _are_alike(one, failure)), failure)
    return Passage(_hinted(found, measure, plain))


def _hinted(failure: GateFailure, measure: Measure, checks: _Checks) -> GateFailure:
    """The failure; its hint names the adapter with which the same function passes on plain inputs, if there is one."""
    got = {"biclusterings": "a Biclustering", "labels": "label vectors"}.get(measure.usage.takes)
    if (told := failure.diagnosis) is None or got is None:
        return failure
    function = partial(measure.own or measure.function, **dict(measure.usage.params))
    declared = Declared(best=measure.best, smaller_is_better=measure.smaller_is_better)
    takes_labels = labels(function, consecutive=True, **declared)
    for takes, adapted in (("lists of sets", clusters(function, **declared)), ("label vectors", takes_labels)):
        if adapted.usage.takes == measure.usage.takes:
            continue
        passes = _first_failure(replace(checks, _measure=adapted), PANEL) is None
        if passes and len({adapted.score(*side) for side in PANEL}) > 2:  # what hardly looks at its input passes, too
            mine = f"mine = metaeval.adapters.{adapted.usage.takes}({measure.name})"
            hint = f"your function got {got}, and passes with {takes}; write `{mine}` below it, and check mine"
            return replace(failure, diagnosis=changed(told, hint=hint))
    return failure


def sample_time(measure: Measure) -> float:
    """The shortest processor time of a call on the sample; a call without a score counts too."""

    def call() -> None:
        with suppress(Fault):
            evaluate(measure, SAMPLE)

    return least_time(call)


def _first_failure(checks: _Checks, panel: Sequence[Side]) -> GateFailure | None:
    """The first failure of a measure, if any. A measure may be undefined on some inputs, but not on all."""
    declared = []
    for failure in chain(checks.consistency(panel), checks.optimum(panel)):
        if _is_remarkable(failure):
            return failure
        declared.append(failure)
    return declared[0] if len(declared) == sum(side.candidate != side.gold for side in panel) else None


def _are_alike(one: GateFailure, other: GateFailure) -> bool:
    """Whether both are the same mistake, perhaps on different inputs."""
    lines = [None if each.diagnosis is None else each.diagnosis.where for each in (one, other)]
    return (one.check, one.verdict) == (other.check, other.verdict) and lines[0] == lines[1]


def _is_remarkable(failure: GateFailure) -> bool:
    """Whether to report a failure: a measure may say itself that it is undefined."""
    return failure.diagnosis is None or failure.diagnosis.kind != FaultKind.UNDEFINED.word


@dataclass(frozen=True)
class _Checks:
    _measure: Measure
    _entering: Callable[[], None]

    def consistency(self, sides: Iterable[Side]) -> Iterator[GateFailure]:
        """The sides without a score, or with more than one score."""
        return self._failures(self._repeated, sides)

    def optimum(self, sides: Iterable[Side]) -> Iterator[GateFailure]:
        """The golds that do not score best against themselves; empty if the measure has no constant optimum."""
        return self._failures(self._best, () if self._measure.optimum is None else sides)

    def _failures(self, check: Callable[[Side], GateFailure | None], sides: Iterable[Side]) -> Iterator[GateFailure]:
        for side in sides:
            try:
                failure = check(side)
            except Fault as fault:
                failure = GateFailure(SCORES, fault.verdict, f"it {fault.full_message}", fault.diagnosis(self._measure))
            if failure is not None:
                yield failure

    def _score(self, side: Side) -> ScoreValue:
        self._entering()
        return evaluate(self._measure, side)

    def _failure(self, check: str, verdict: Verdict, message: str, kind: FaultKind, side: Side) -> GateFailure:
        self._entering()
        return GateFailure(check, verdict, message, diagnosis_of(kind, side, place_in(self._measure, side, kind)))

    def _repeated(self, side: Side) -> GateFailure | None:
        """The same score each time, and unchanged inputs."""
        import numpy as np  # loaded here: it is large, and most commands check no measure

        before = Side(*(Biclustering(biclustering, biclustering.shape) for biclustering in side))
        values = []
        for seed in (1, 2, 3):
            # A measure that uses the global random generators must not look deterministic.
            random.seed(seed)
            np.random.seed(seed)
            values.append(self._score(side))
        if side != before or any(x.biclusters != y.biclusters for x, y in zip(side, before, strict=True)):
            message = "it changes its inputs"
            return self._failure("inputs unchanged", Verdict.ERROR, message, FaultKind.CHANGES_INPUTS, before)
        if (other := next((value for value in values if value != values[0]), None)) is not None:
            message = f"it gives the same input different scores, such as {values[0]} and {other}"
            return self._failure("same score twice", Verdict.FLAKY, message, FaultKind.FLAKY, side)
        return self._varied(side, values[0])

    def _varied(self, side: Side, value: ScoreValue) -> GateFailure | None:
        """The same score for any order and any names."""
        for check, kind, variant in (
            ("order of biclusters", FaultKind.ORDER, Side(*map(_reversed, side))),
            # Only the candidate: a measure that compares by position would not notice that both are reversed.
            ("order of biclusters", FaultKind.ORDER, Side(_reversed(side.candidate), side.gold)),
            ("names of objects and features", FaultKind.NAMES, Side(*map(_renamed, side))),
        ):
            varied = self._score(variant)
            if abs(float(varied) - float(value)) > TOLERANCE:
                message = f"it depends on the {check}: {value} becomes {varied}"
                return self._failure(check, Verdict.ERROR, message, kind, side)
        return self._relabelled(side, value)

    def _relabelled(self, side: Side, value: ScoreValue) -> GateFailure | None:
        """The same score for label vectors with other labels."""
        ways = (FaultKind.LABELS, "labels other than 0, 1, …"), (FaultKind.NOISE, "-1 as a label")
        for function, (kind, given) in zip(self._measure.renamed, ways, strict=False):
            self._entering()
            try:
                other = evaluate(replace(self._measure, function=function), side)
            except Fault as fault:
                if kind is FaultKind.NOISE and fault.kind is not FaultKind.NAN:
                    continue  # it refuses -1 aloud
                happens = f"it {fault.full_message}"
            else:
                if abs(float(other) - float(value)) <= TOLERANCE:
                    continue
                happens = f"{value} becomes {other}"
            message = f"it depends on the {LABELS}: with {given} {happens}"
            return self._failure(LABELS, Verdict.ERROR, message, kind, side)
        return None

    def _best(self, side: Side) -> GateFailure | None:
        side = Side(side.gold, side.gold)
        value, optimum = float(self._score(side)), self._measure.optimum
        if optimum is None or abs(value - optimum) <= TOLERANCE:
            return None
        message = f"it scores {value:g} for a perfect match, and says its best is {optimum:g}"
        return self._failure(BEST, Verdict.ERROR, message, FaultKind.NOT_BEST, side)


def _reversed(biclustering: Biclustering) -> Biclustering:
    return Biclustering.trusted(biclustering.biclusters[::-1], biclustering.shape)


def _renamed(biclustering: Biclustering) -> Biclustering:
    objects, features = biclustering.shape
    return biclustering.renamed(lambda row: objects - 1 - row, lambda col: features - 1 - col)
