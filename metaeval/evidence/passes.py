"""Passes: a case on which a measure keeps a condition's demand, with both scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metaeval.cases import Case
from metaeval.engine.findings import Scores
from metaeval.evidence.certificates import case_from_json, case_to_json
from metaeval.evidence.scores import Score
from metaeval.fields import mapping, need


@dataclass(frozen=True)
class Pass:
    """A case that keeps the demand; nobody re-checks it, for it proves nothing."""

    case: Case
    left: Score
    right: Score

    @classmethod
    def of(cls, case: Case, scores: Scores) -> Pass:
        """A pass that was seen."""
        left, right = scores
        return cls(case, Score.of(left), Score.of(right))

    def to_json(self) -> dict[str, Any]:
        """The pass as data."""
        return {
            **case_to_json(self.case),
            "scores": {"left": self.left.to_json(), "right": self.right.to_json()},
        }

    @classmethod
    def from_json(cls, data: Any, where: str) -> Pass | None:
        """The pass in parsed JSON; null or absent where there is none."""
        if data is None:
            return None
        scores = mapping(need(mapping(data, where), "scores", where), f'"scores" of {where}')
        left, right = (
            Score.from_json(need(scores, side, f'"scores" of {where}'), f"the {side} score of {where}")
            for side in ("left", "right")
        )
        return cls(case_from_json(data, where), left, right)
