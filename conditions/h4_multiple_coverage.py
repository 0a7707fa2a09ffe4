"""H.4 Multiple coverage: one bicluster in place of several reference biclusters must not be optimal.

Its cells are those of the reference biclusters, each in one of them: what B.5 pictures. The sentence leaves no overlap
to admit, so that there are two readings.
"""

from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions import b5_multiple_coverage as tilings
from metaeval.conditions._premise import fits_reading, right_is_gold
from metaeval.core.case import Case
from metaeval.core.relation import NOT_OPTIMAL
from metaeval.proofs.situation import SPANNED


def premise(case: Case, reading: str) -> bool:
    """The left is one bicluster, whose cells are those of two or more disjoint classes; the right is the gold."""
    if not right_is_gold(case) or len(case.left.candidate) != 1 or len(case.left.gold) < 2:
        return False
    ((rows, cols),) = case.left.candidate
    inside = all(members <= rows and others <= cols for members, others in case.left.gold)
    covered = sum(len(members) * len(others) for members, others in case.left.gold)
    return inside and covered == len(rows) * len(cols) and fits_reading(case, reading)


@st.composite
def strategy(draw: _strategy.Draw, disjoint: bool, proper: bool) -> Case:
    """A matrix cut into classes, as B.5 has it."""
    case = draw(tilings.canonical())
    return _strategy.stretched(case) if proper else case


def enumerate_(objects: int, disjoint: bool, proper: bool) -> Iterator[Case]:
    """Every tiling of a bicluster, as B.5 has it; of these, those without a class of one cell."""
    for case in tilings.enumerate_(objects, disjoint, tiled=True):
        if not proper or all(len([*product(*one)]) > 1 for one in case.left.gold):
            yield case


condition(
    "H.4",
    name="Multiple coverage",
    statement=(
        "A single bicluster whose cells are those of two or more disjoint reference biclusters must not reach the "
        "optimum."
    ),
    citation=_readings.HORTA,
    relation=NOT_OPTIMAL,
    right_is_gold=True,
    premise=premise,
    situations=dict.fromkeys(("canonical", "literal"), SPANNED["disjoint"]),
    readings=_readings.fourfold(
        strategy,
        enumerate_,
        dict.fromkeys(("canonical", "literal"), _readings.ListedScope(_readings.UP_TO_TWO_FEATURES, complete=6)),
    ),
)
