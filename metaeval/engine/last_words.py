"""What is known of a measure that gave no answer, or took its process down: on which input, and in which line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from metaeval.cases import Side
from metaeval.engine.faults import Diagnosis, Kind, place_in
from metaeval.engine.isolation import Died, Hung, Watch, supervise
from metaeval.engine.places import Place, follow_lines
from metaeval.measuring import Measure
from metaeval.model import Biclustering


def noting(measure: Measure, watch: Watch) -> Measure:
    """The measure, writing its inputs down before it is called: its process may not live to tell."""

    def function(candidate: Biclustering, gold: Biclustering) -> Any:
        watch.note(Side(candidate, gold))
        return measure.function(candidate, gold)

    function.__wrapped__ = measure.function  # type: ignore[attr-defined]
    return replace(measure, function=function)


def diagnosed(measure: Measure, ending: Hung | Died, budget: float | None) -> Diagnosis:
    """What is known of a measure that ended its process, or was ended."""
    kind = Kind.NO_ANSWER if isinstance(ending, Hung) else Kind.LOST
    place = ending.place
    if place is None and isinstance(ending, Died) and ending.side is not None:
        place = _last_line(measure, ending.side, budget)
    return Diagnosis.of(kind, ending.side, place or place_in(measure, ending.side, kind))


def _last_line(measure: Measure, side: Side, budget: float | None) -> Place | None:
    """The line in which the measure ends its process, found by letting it do so once more."""

    def call(watch: Watch) -> None:
        watch(0)
        follow_lines(lambda: measure.value(*side), watch.note)

    ending = supervise(budget, call)
    return ending.place if isinstance(ending, Died) else None
