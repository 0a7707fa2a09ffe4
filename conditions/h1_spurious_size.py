"""H.1 Spurious size: the larger a spurious bicluster is, the lower the score must be.

A found bicluster is spurious where it meets no reference bicluster, before it grows and after.
"""

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _growth, _readings, _strategy
from metaeval.conditions._premise import holds, only_left_and_right, share_a_cell
from metaeval.core.case import Case
from metaeval.core.relation import WORSE
from metaeval.proofs.situation import of_biclusterings


def premise(case: Case, reading: str) -> bool:
    """A bicluster that meets no class is larger on the left than on the right; another one meets a class."""
    if not _growth.fits(case, reading):
        return False
    only_left, only_right = only_left_and_right(case)
    if (len(only_left), len(only_right)) != (1, 1) or not holds(*only_left, *only_right):
        return False
    (spurious,) = only_left
    return not any(share_a_cell(spurious, reference) for reference in case.left.gold)


@st.composite
def strategy(draw: _strategy.Draw, disjoint: bool, proper: bool, hit: bool = False) -> Case:
    """A pair, and apart from its reference a bicluster that grows."""
    side = draw(_growth.roomy_pair(disjoint, hit))
    after = _growth.apart(draw, side, [*side.gold, *(side.candidate if disjoint else ())], least=2)
    rows, cols = (_growth.some(draw, part) for part in after)
    if (rows, cols) == after:
        rows, cols = (rows - {max(rows)}, cols) if len(rows) > 1 else (rows, cols - {max(cols)})
    case = _growth.growth(side, after, (rows, cols)).case
    return _strategy.stretched(case) if proper else case


def _is_spurious(growth: _growth.Growth) -> bool:
    """Whether the bicluster was there before and has no cell of the reference."""
    return growth.before is not None and not _growth.cells([growth.after]) & _growth.cells(growth.gold)


condition(
    "H.1", name="Spurious size",
    statement="If a found bicluster that meets no reference bicluster grows and still meets none, the score must fall.",
    citation=_readings.HORTA, relation=WORSE, step="with the spurious bicluster as small as it was", premise=premise,
    situations=of_biclusterings("fall", *_growth.NAMES, moves=("spurious cells",)),
    readings=_growth.readings(strategy, _is_spurious),
)  # fmt: skip
