"""Calling a measure in a search: metered, announced, and with its inputs put back; and the score cache.

A case shares sides with others, of its own reading and of the condition's other readings; a stock makes every side
once, so that it is known by its identity. The cache lasts as long as the process that searches a condition.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Bicluster
from metaeval.core.case import ScoreValue, Side, mean
from metaeval.core.verdict import Verdict
from metaeval.workers.budget import Meter, OutOfTime, now
from metaeval.workers.call import evaluate
from metaeval.workers.faults import Fault, Kind
from metaeval.workers.worker import Notice


class Answer(NamedTuple):
    """What a measure said of a side: a score and the float nearest to it, or a fault."""

    #: Kept, so that no other side comes to stand at its address.
    side: Side
    value: ScoreValue
    number: float
    fault: Fault | None = None


#: The answers of one measure, by the identity of the side; and those of all measures, by id.
Memory = dict[int, Answer]
Memories = defaultdict[str, Memory]


@dataclass
class Caller:
    """Calls one measure; ``notice`` is told its ``position`` before each call."""

    measure: Measure
    meter: Meter
    position: int
    notice: Notice
    #: The cases that it was asked about, counted as if nothing were cached, and how many it may be asked about.
    cases: int = 0
    most_cases: float = inf

    def begin_case(self) -> None:
        """The sides of another case are scored next, or taken from the score cache."""
        if self.cases >= self.most_cases:
            raise OutOfTime
        self.cases += 1

    def score(self, side: Side, past_budget: bool = False) -> ScoreValue:
        """The score of a side, or a :class:`Fault`; ``past_budget`` for the few that settle what was found in time.

        There is no notice after anything but a score or a fault: what else can be raised ends the process, and
        the notice that still stands then tells the parent which measure did it.
        """
        if len(side) > 2:
            return mean([self.score(pair, past_budget) for pair in side.pairs])
        if self.meter.spent and not past_budget:
            raise OutOfTime
        candidate, gold = side
        before = candidate.biclusters, gold.biclusters
        start = now()
        self.notice(self.position, start, self.cases)
        try:
            score = evaluate(self.measure, side)
            self.notice(None)
        except Fault:
            self.notice(None)
            raise
        finally:
            self.meter.add_since(start)
            changed = _restore(side, before)
        if changed:
            fault = Fault(Verdict.ERROR, "changes its inputs", Kind.CHANGES_INPUTS)
            fault.side = side
            raise fault
        return score


def _restore(side: Side, before: tuple[tuple[Bicluster, ...], tuple[Bicluster, ...]]) -> bool:
    """Whether a measure changed what it was given; it is put back for the others."""
    if side[0].biclusters is before[0] and side[1].biclusters is before[1]:
        return False
    for biclustering, family in zip(side, before, strict=True):
        object.__setattr__(biclustering, "_biclusters", family)
    return True
