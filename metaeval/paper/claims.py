"""What publications say of a measure and a condition, and where."""

from __future__ import annotations

from typing import NamedTuple

from metaeval.verdicts import Verdict


class Claim(NamedTuple):
    """A published claim."""

    measure: str
    condition: str
    says: str
    place: str


_PAPER = "arXiv:1512.00228"
#: Whose claims these are.
SOURCE = f"Rosales-Méndez & Ramírez-Cruz 2015, {_PAPER}"
_VIA_CICE = "section 3, after Theorem 1: CICE-BCubed F₁ satisfies A.1 to A.5 and Theorem 1 carries that over"
_THEOREMS = {
    "B.1": "section 3, Theorem 2",
    "B.2": "section 3, Theorem 3",
    "B.3": "section 3, Theorem 4",
    "B.4": "section 3, Theorem 5",
    "B.5": "section 3, Theorem 6",
}
_TABLE = "section 2, Table 1"
_QUOTED = "section 2, quoting Amigó et al. 2009"

CLAIMS: tuple[Claim, ...] = (
    *(Claim("mocice", f"A.{number}", "satisfies", f"{_PAPER}, {_VIA_CICE}") for number in range(1, 6)),
    *(Claim("mocice", condition, "satisfies", f"{_PAPER}, {place}") for condition, place in _THEOREMS.items()),
    Claim("ce", "A.1", "violates", f"{_PAPER}, {_TABLE}"),
    Claim("ce", "A.3", "violates", f"{_PAPER}, {_TABLE}"),
    Claim("rnia", "A.1", "violates", f"{_PAPER}, {_TABLE}"),
    Claim("rnia", "A.3", "violates", f"{_PAPER}, {_TABLE}"),
    Claim("e4sc", "A.1", "satisfies", f"{_PAPER}, {_TABLE} (on the example)"),
    Claim("e4sc", "A.3", "violates", f"{_PAPER}, {_TABLE}"),
    Claim("rand", "A.3", "violates", f"{_PAPER}, {_QUOTED}"),
    Claim("rand", "A.4", "violates", f"{_PAPER}, {_QUOTED}"),
    Claim("vi", "A.3", "violates", f"{_PAPER}, {_QUOTED}"),
)


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


def claim_on(measure: str, condition: str) -> Claim | None:
    """The claim on a measure and a condition, where there is one."""
    for claim in CLAIMS:
        if (claim.measure, claim.condition) == (measure, condition):
            return claim
    return None
