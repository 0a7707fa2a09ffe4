"""Claims about signs: what must be shown, and the showing of it by coefficients alone.

A claim is a quotient in symbols that have a least value. Each symbol is replaced by its least value and something that
is at least 0; where no coefficient is then negative, no value is, and where some term consists of what is surely
positive, every value is positive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from metaeval.evidence.proof_check.polynomials import Poly, Ratio
from metaeval.evidence.proof_check.stated import KINDS


@dataclass(frozen=True)
class Claim:
    """A quotient, and at least which of the ``KINDS`` it must be.

    ``shift`` puts symbols that are at least 0 for those of the quotient; ``positive`` are those that are surely
    more. A claim that is not ``needed`` may be left out of a proof's steps.
    """

    about: str
    ratio: Ratio
    least: str = "non-negative"
    shift: Mapping[str, Poly] = field(default_factory=dict)
    positive: frozenset[str] = frozenset()
    needed: bool = True

    def fault(self, kind: str) -> str | None:
        """Why signs do not show this kind, or None where they do."""
        below = self.ratio.denominator.at(self.shift)
        if not below.positive_if(self.positive):
            return "its denominator is not shown to be positive"
        above = self.ratio.numerator.at(self.shift)
        if kind == "zero":
            return f"{_shown(above)} is not 0" if above else None
        negative = [monomial for monomial, coefficient in above.terms.items() if coefficient < 0]
        if negative:
            term = Poly({negative[0]: above.terms[negative[0]]})
            return f"the coefficient of {_shown(term)} is negative"
        if kind == "positive" and not above.positive_if(self.positive):
            return "no term is surely positive"
        return None

    def strictly(self, more: frozenset[str]) -> bool:
        """Whether the quotient is positive where these too are."""
        return replace(self, positive=self.positive | more).fault("positive") is None


def implies(kind: str, least: str) -> bool:
    """Whether what is of the one kind is of the other.

    >>> implies("positive", "non-negative"), implies("zero", "positive")
    (True, False)
    """
    assert kind in KINDS
    return kind == least or least == "non-negative"


def _shown(poly: Poly, most: int = 3) -> str:
    """A polynomial for a refusal, cut short."""
    written = []
    for monomial, coefficient in list(poly.terms.items())[:most]:
        powers = "·".join(name if power == 1 else f"{name}^{power}" for name, power in monomial)
        written.append(f"{coefficient}·{powers}" if powers else str(coefficient))
    return " + ".join(written) + (" + …" if len(poly.terms) > most else "")
