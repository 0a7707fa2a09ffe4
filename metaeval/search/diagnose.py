"""What is known of a measure that gave no answer, or took its process down: on which input, and in which line."""

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
from metaeval.workers.worker import Died, Ending, Hung, Watch, supervise

#: A bound on the smaller inputs that are tried, each in a process of its own.
_ATTEMPTS = 200


def noting(measure: Measure, watch: Watch) -> Measure:
    """The measure, writing its inputs down before it is called: its process may not live to tell."""

    def function(candidate: Biclustering, gold: Biclustering) -> Any:
        watch.note(Side(candidate, gold))
        return measure.function(candidate, gold)

    function.__wrapped__ = measure.function  # type: ignore[attr-defined]
    return replace(measure, function=function)


def diagnosed(measure: Measure, ending: Hung | Died, budget: float | None) -> Diagnosis:
    """What is known of a measure that ended its process, or was ended; or of our own code that failed."""
    if isinstance(ending, Died) and ending.trace is not None:
        kind = FaultKind.INTERNAL
        return Diagnosis(kind=kind.word, hint=kind.hint, side=ending.side, trace=ending.trace)
    kind = FaultKind.NO_ANSWER if isinstance(ending, Hung) else FaultKind.LOST
    side, place = ending.side, ending.place
    if isinstance(ending, Died) and side is not None:
        # One that hangs is not asked about smaller inputs: each would take as long again.
        side = _reduced(measure, side, budget)
        place = place or _last_line(measure, side, budget)
    return diagnosis_of(kind, side, place or place_in(measure, side, kind))


def _reduced(measure: Measure, side: Side, budget: float | None) -> Side:
    """As small a side as can be that still takes the process down, and that the measure is meant for."""

    def stays(case: Case) -> bool:
        return _lies_in(measure.domain, case.left) and isinstance(_ending(measure, case.left, budget), Died)

    return shrunk(Case(side, side), stays, _ATTEMPTS).left


def _ending(measure: Measure, side: Side, budget: float | None) -> Ending:
    def call(watch: Watch) -> None:
        watch(0)
        with contextlib.suppress(Exception):
            measure.value(*side)

    return supervise(budget, call)


def _lies_in(domain: str, side: Side) -> bool:
    """Whether a measure with this domain is meant for such a side."""
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
    """The line in which the measure ends its process, found by letting it do so once more."""

    def call(watch: Watch) -> None:
        watch(0)
        follow_lines(lambda: measure.value(*side), watch.note)

    ending = supervise(budget, call)
    return ending.place if isinstance(ending, Died) else None
