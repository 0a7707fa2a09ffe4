"""A proof as a person would write it: the formula, what is shown of its parts, and why that is enough.

Titled paragraphs of plain text, the same for the terminal, documents and the page.
"""

from __future__ import annotations

from collections.abc import Iterator

from metaeval.equations.equation import Equation
from metaeval.proofs.proof import Proof

#: What each scheme concludes from its obligations, and why.
_WHY = {
    "free": "No part of the equation sees the size of the matrix.",
    "scale": (
        "With k copies of every object and every feature, each sum is a fixed power of k times as large. These powers "
        "cancel in the score."
    ),
    "copy": (
        "With k copies of both sides, each sum is a fixed power of k times as large. These powers cancel in the score."
    ),
    "repeat": (
        "With every bicluster k times over the same cells, each sum is a fixed power of k times as large. These powers "
        "cancel in the score."
    ),
    "swap": "The equation with candidate and gold exchanged is the same equation, up to the order of its parts.",
    "names": "The equation sees counts and sizes only: no name of an object or a feature, and no order.",
    "range": "Each sum lies between 0 and its bound, so the score lies in its range.",
    "itself": "For the gold against itself every sum is at its bound, so the score is the best one.",
    "top": (
        "The score is the best one only where no sum falls short of its bound. Each case has a defect that makes one "
        "fall short."
    ),
    "rise": "The sums move as stated. Put into the score, right − left has no negative coefficient, and one is sure.",
    "fall": (
        "The cells that the left adds lie in no class. The sums move as stated. Put into the score, right − left has "
        "no negative coefficient, and one is sure."
    ),
}
_TRUSTED = (
    "The rules that derived these statements. Each statement was also computed on concrete cases, exactly and without "
    "the rules: on {instances} instances of the reading or more. metaeval verify does all of it again."
)
#: More statements say nothing to a reader; the file has all of them.
_MOST = 40


def proof_facts(proof: Proof) -> list[tuple[str, str]]:
    """A proof as titled paragraphs."""
    return [*_paragraphs(proof)]


def header_text(equation: Equation) -> str:
    """The conventions of an equation, as one sentence."""
    said = [f"{equation.empty} where both sides are empty"]
    if equation.one_empty is not None:
        said.append(f"{equation.one_empty} where one is")
    if equation.unit == "objects":
        said.append("sizes count objects, and columns are not seen")
    return "; ".join(said)


def _paragraphs(proof: Proof) -> Iterator[tuple[str, str]]:
    sign = "minus this, for less is better:\n" if proof.equation.smaller_is_better else ""
    yield "score", f"{sign}{proof.equation}\n({header_text(proof.equation)})"
    for number, one in enumerate(proof.obligations[:_MOST], start=1):
        yield f"({number})", f"{one.statement}  [{one.rule}]" if one.rule else one.statement
    if len(proof.obligations) > _MOST:
        yield "and", f"{len(proof.obligations) - _MOST} further statements, which the file lists"
    yield "therefore", _WHY.get(proof.scheme, "So the condition is kept, whatever the sizes.")
    yield "trusted", _TRUSTED.format(instances=proof.instances)
