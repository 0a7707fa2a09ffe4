"""Diagnose a measure that hung or killed its worker: on which input, and in which line."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.records.cell import Diagnosis
from metaeval.search.shrink import shrunk
from metaeval.workers.faults import FaultKind, diagnosis_of, place_in
from metaeval.workers.locate import Place, follow_lines
from metaeval.workers.worker import Died, Hung, Watch, supervise

#: The most smaller inputs that are tried, each in its own worker.
_ATTEMPTS = 200


def noting(measure: Measure, watch: Watch) -> Measure:
    """The measure, which notes its input before each call, because the call may kill the worker."""

    def function(candidate: Biclustering, gold: Biclustering) -> Any:
        watch.note(Side(candidate, gold))
        return measure.function(candidate, gold)

    function.__wrapped__ = measure.function  # type: ignore[attr-defined]
    # It still is its equation, and declares none.
    return replace(measure, function=function, equation=measure.declared)


def diagnosed(measure: Measure, ending: Hung | Died, budget: float | None) -> Diagnosis:
    """The diagnosis of a measure that hung or killed its worker; or of metaeval's own code that failed."""
    if isinstance(ending, Died) and ending.trace is not None:
        kind = FaultKind.INTERNAL
        return Diagnosis(kind=kind.word, hint=kind.hint, side=ending.side, trace=ending.trace)
    kind = FaultKind.NO_ANSWER if isinstance(ending, Hung) else FaultKind.LOST
    side, place = ending.side, ending.place
    if isinstance(ending, Died) and side is not None:
        # Only here: on a measure that hangs, each smaller input would take as long again.
        side = _reduced(measure, side, budget)
        place = place or _last_line(measure, side, budget)
    return diagnosis_of(kind, side, place or place_in(measure, side, kind))


def _reduced(measure: Measure, side: Side, budget: float | None) -> Side:
    """A side as small as possible that lies in the measure's domain and still kills the worker."""

    def call(watch: Watch, smaller: Side) -> None:
        watch(0)
        with contextlib.suppress(Exception):
            measure.value(*smaller)

    def stays(case: Case) -> bool:
        return _lies_in(measure.domain, case.left) and isinstance(supervise(budget, call, case.left), Died)

    return shrunk(Case(side, side), stays, _ATTEMPTS).left


def _lies_in(domain: str, side: Side) -> bool:
    """Whether a side lies in the domain."""
    if domain == "biclusterings":
        return True
    if domain != "disjoint" and len({cols for family in side for _, cols in family}) > 1:
        return False
    if domain == "clusterings":
        return True
    return all(_is_disjoint(family) for family in side) and (domain == "disjoint" or all(map(_covers, side)))


def _is_disjoint(family: Biclustering) -> bool:
    cells = [(row, col) for rows, cols in family for row in rows for col in cols]
    return len(cells) == len(set(cells))


def _covers(family: Biclustering) -> bool:
    return {row for rows, _ in family for row in rows} == set(range(family.shape[0]))


def _last_line(measure: Measure, side: Side, budget: float | None) -> Place | None:
    """The line in which the measure kills its worker; the measure is called once more, with tracing."""

    def call(watch: Watch) -> None:
        watch(0)
        follow_lines(lambda: measure.value(*side), watch.note)

    ending = supervise(budget, call)
    return ending.place if isinstance(ending, Died) else None
