"""What measures said of the sides of cases, so that each is asked once, under however many readings.

A case shares sides with others, of its own reading and of the condition's other readings; a stock makes every
side once, so that it is known by its identity. The memory lasts as long as the process that searches a condition.
"""

from __future__ import annotations

from typing import NamedTuple

from metaeval.cases import ScoreValue, Side
from metaeval.engine.faults import Fault


class Answer(NamedTuple):
    """What a measure said of a side: a score and the float nearest to it, or a fault."""

    #: Kept, so that no other side comes to stand at its address.
    side: Side
    value: ScoreValue
    number: float
    fault: Fault | None = None


#: The answers of one measure, by the identity of the side.
Memory = dict[int, Answer]


class Memories:
    """The memory of every measure."""

    def __init__(self) -> None:
        self._memories: dict[str, Memory] = {}

    def of(self, measure_id: str) -> Memory:
        """A measure's own."""
        return self._memories.setdefault(measure_id, {})
