"""Passes: a case on which a measure keeps a condition's demand, with its scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from metaeval.cases import Case, Scores
from metaeval.evidence.certificates import case_from_json, case_to_json, scores_from_json, scores_to_json
from metaeval.evidence.scores import Score
from metaeval.fields import mapping, need


@dataclass(frozen=True)
class Pass:
    """A case that keeps the demand; nobody re-checks it, for it proves nothing."""

    case: Case
    scores: tuple[Score, ...]

    @classmethod
    def of(cls, case: Case, scores: Scores) -> Pass:
        """A pass that was seen."""
        return cls(case, tuple(map(Score.of, scores)))

    def to_json(self) -> dict[str, Any]:
        """The pass as data."""
        return {**case_to_json(self.case), "scores": scores_to_json(self.scores)}

    @classmethod
    def from_json(cls, data: Any, where: str) -> Pass | None:
        """The pass in parsed JSON; null or absent where there is none."""
        if data is None:
            return None
        scores = mapping(need(mapping(data, where), "scores", where), f'"scores" of {where}')
        case = case_from_json(data, where)
        return cls(case, scores_from_json(scores, len(case), where))
