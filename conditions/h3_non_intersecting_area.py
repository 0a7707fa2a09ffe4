"""H.3 Non-intersecting area: cells found outside the reference must lower the score.

One bicluster grows, or is new. Where several do, they can do so one after the other.
"""

from collections.abc import Sequence

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _growth, _readings, _strategy
from metaeval.conditions._premise import holds, only_left_and_right
from metaeval.core.biclustering import Bicluster
from metaeval.core.case import Case, Side
from metaeval.core.relation import WORSE
from metaeval.proofs.situation import of_biclusterings
from metaeval.strategies import integers


def premise(case: Case, reading: str) -> bool:
    """A bicluster of the left is new, or larger than on the right, by cells that no class has."""
    if not _growth.fits(case, reading):
        return False
    only_left, only_right = only_left_and_right(case)
    if len(only_left) != 1 or len(only_right) > 1:
        return False
    grown = only_left[0]
    kept: Bicluster = only_right[0] if only_right else (frozenset(), frozenset())
    shared = ((grown[0] & rows, grown[1] & cols) for rows, cols in case.left.gold)
    return holds(grown, kept) and all(holds(kept, both) for both in shared if all(both))


@st.composite
def strategy(draw: _strategy.Draw, disjoint: bool, proper: bool, hit: bool = False) -> Case:
    """A pair, and one of its found biclusters that grows, or a new one."""
    side = draw(_growth.roomy_pair(disjoint, hit))
    place = draw(integers(0, len(side.candidate)))  # 0: a new one
    before = side.candidate.biclusters[place - 1] if place else None
    avoided = [*side.gold, *(one for one in side.candidate if disjoint and one != before)]
    after = _growth.apart(draw, side, avoided, least=1) if before is None else _grown(draw, side, before, avoided)
    case = _growth.growth(side, after, before).case
    return _strategy.stretched(case) if proper else case


def _grown(draw: _strategy.Draw, side: Side, before: Bicluster, avoided: Sequence[Bicluster]) -> Bicluster:
    """The bicluster with further objects, or features, or both, whose cells are to be had."""
    rows, cols = before
    taken = [others for members, others in avoided if not rows.isdisjoint(members)]
    free = frozenset(range(side.gold.shape[1])).difference(cols, *taken)
    if free and draw(st.booleans()):
        cols |= _growth.some(draw, free)
    if cols == before[1] or draw(st.booleans()):
        rows |= _growth.some(draw, _growth.room(side, cols, avoided) - rows)
    return rows, cols


condition(
    "H.3",
    name="Non-intersecting area",
    statement=(
        "If cells that no reference bicluster has are added to a found bicluster, or found as a new one, the score "
        "must fall."
    ),
    citation=_readings.HORTA,
    relation=WORSE,
    step="without the added cells",
    premise=premise,
    situations=of_biclusterings("fall", *_growth.NAMES, moves=("grown clusters",)),
    readings=_growth.readings(strategy),
)
