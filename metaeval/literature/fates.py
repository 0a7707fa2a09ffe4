"""What becomes of a claim, given what was found."""

from __future__ import annotations

from metaeval.core.verdict import Verdict

#: What may become of a claim.
FATES = {
    "proved": "a proof for all sizes bears out the claim that the measure satisfies the condition",
    "confirmed": "what was found agrees with the claim: a counterexample to a condition said to be violated, "
    "none to one said to be satisfied",
    "refuted": "a counterexample contradicts the claim that the measure satisfies the condition, or a proof the claim "
    "that it does not",
    "unconfirmed": "what was found neither bears out nor contradicts the claim",
}


_FATES: dict[str, dict[str, str]] = {
    "satisfies": {Verdict.PROVED: "proved", Verdict.HOLDS: "confirmed", Verdict.VIOLATED: "refuted"},
    "violates": {Verdict.PROVED: "refuted", Verdict.VIOLATED: "confirmed"},
}


def fate(says: str, verdict: str) -> str:
    """What becomes of a claim under one reading.

    That no counterexample was found does not contradict the claim that there is one; a proof that there is none does.
    """
    return _FATES[says].get(verdict, "unconfirmed")
