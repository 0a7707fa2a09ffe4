"""Why there is no proof: one sentence that says what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Refusal:
    """No proof was found. This says nothing against the measure."""

    reason: str


class Refused(Exception):
    """Raised where a proof cannot go on; its text is the reason."""
