"""Findings: what the search found for one cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from metaeval.core.case import Case
from metaeval.core.relation import Scores
from metaeval.core.verdict import Verdict
from metaeval.proof import Proof
from metaeval.records.cell import Diagnosis


class Reach(NamedTuple):
    """How far a search went: most objects, biclusters of a family, and features among the cases tried."""

    objects: int = 0
    biclusters: int = 0
    features: int = 0

    def and_case(self, case: Case) -> Reach:
        """The reach with one more case."""
        objects, features, biclusters = case.objects, case.features, case.most_biclusters
        if objects <= self.objects and features <= self.features and biclusters <= self.biclusters:
            return self  # as nearly always
        return self.and_reach(Reach(objects, biclusters, features))

    def and_reach(self, other: Reach) -> Reach:
        """The reach of two searches together."""
        return Reach(*map(max, self, other))


@dataclass(frozen=True)
class Finding:
    """The verdict of one cell and its evidence.

    Where the condition holds, ``narrowest`` is the listed case that was passed by the least, with its scores, and
    ``reach`` says how far all cases went. ``seconds`` is the measure's processor time, ``printed`` what it printed; the
    ``diagnosis`` is of what it did where it gave no score. Where it is proved that the condition holds for all sizes
    there is the ``proof``; where that was tried in vain, ``unproved`` says what stood in the way.
    ``stopped`` where the budget ran out after a counterexample was found.
    """

    verdict: Verdict
    cases: int = 0
    violations: int | None = None
    exhaustive_objects: int | None = None
    exhaustive_cases: int = 0
    witness: Case | None = None
    scores: Scores | None = None
    certified: bool = False
    message: str | None = None
    seconds: float = 0.0
    narrowest: tuple[Case, Scores] | None = None
    diagnosis: Diagnosis | None = None
    printed: str | None = None
    reach: Reach | None = None
    proof: Proof | None = None
    unproved: str | None = None
    stopped: bool = False
