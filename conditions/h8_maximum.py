"""H.8 Maximum: the optimum for equal families, and for no others.

A.5 says the same. Here its cases are told apart by whether biclusters overlap, and whether some are degenerate.
"""

from collections.abc import Iterator

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions import a5_perfect_match as perfect_match
from metaeval.conditions._premise import fits_reading, right_is_gold
from metaeval.conditions.s1_symmetry import LISTED, enumerate_pairs
from metaeval.core.case import Case, Side
from metaeval.core.relation import PERFECT_MATCH
from metaeval.proofs.situation import DIFFERENT


def premise(case: Case, reading: str) -> bool:
    """The right is the gold itself, and the left is not."""
    differ = case.left.candidate.family != case.left.gold.family
    return right_is_gold(case) and differ and fits_reading(case, reading)


def strategy(disjoint: bool, proper: bool) -> st.SearchStrategy[Case]:
    """Any candidate that is not the gold."""
    cases = perfect_match.free(disjoint)
    return cases.map(_strategy.stretched) if proper else cases


def enumerate_(objects: int, disjoint: bool, proper: bool) -> Iterator[Case]:
    """Every two families on a small matrix, as for symmetry."""
    for (candidate, gold), _ in enumerate_pairs(objects, disjoint, proper):
        yield Case(Side(candidate, gold), Side(gold, gold))


condition(
    "H.8", name="Maximum", statement="The optimum is given to equal families, and to no others.",
    citation=_readings.HORTA, relation=PERFECT_MATCH, right_is_gold=True, premise=premise,
    situations={
        "canonical": DIFFERENT["disjoint, no single cells"], "literal": DIFFERENT["disjoint"],
        "overlapping": DIFFERENT["any"], "proper": DIFFERENT["any"],
    },
    readings=_readings.fourfold(strategy, enumerate_, LISTED),
)  # fmt: skip
