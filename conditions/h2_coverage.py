"""H.2 Coverage: finding only some of the reference biclusters must not be optimal."""

from collections import Counter
from collections.abc import Iterator
from itertools import starmap

from hypothesis import strategies as st

from metaeval.catalogue.condition import Reading, condition, has_one_feature
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._enumerate import small_families, sub_families
from metaeval.conditions._pairs import drawn_pair, listed_families, not_empty, some_of
from metaeval.conditions._premise import fits_reading, has_repeats, same_gold
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import NOT_OPTIMAL
from metaeval.proofs.situation import LEFT_OUT
from metaeval.strategies import integers


def premise(case: Case, reading: str) -> bool:
    """The left candidate is a part of the gold and lacks something; the right is the gold itself."""
    (found, reference), right = case
    if not same_gold(case) or case.left.shape != right.shape or right.candidate.family != reference.family:
        return False
    if not Counter(found) < Counter(reference):
        return False
    return reading == "repeated" or (not has_repeats(case) and fits_reading(case, reading))


def _covered(found: Biclustering, reference: Biclustering) -> Case:
    """Left, some of the reference biclusters; right, all of them."""
    return Case(Side(found, reference), Side(reference, reference))


@st.composite
def strategy(draw: _strategy.Draw, disjoint: bool, proper: bool) -> Case:
    """A reference, and some of its biclusters, none of them now and then."""
    gold = not_empty(draw(drawn_pair(disjoint)).gold)
    case = _covered(some_of(draw, gold), gold)
    return _strategy.stretched(case) if proper else case


@st.composite
def repeated(draw: _strategy.Draw) -> Case:
    """The same, some biclusters of the reference being there more than once."""
    (found, _), (reference, _) = draw(strategy(disjoint=False, proper=False))
    again = reference.biclusters[: draw(integers(1, len(reference)))] * draw(integers(1, 2))
    # What is repeated may have been found already, and once more.
    also = again[: draw(integers(0, len(again)))] if draw(st.booleans()) else ()
    families = ((*found, *also), (*reference, *again))
    return _covered(*(Biclustering.trusted(family, reference.shape) for family in families))


def enumerate_(objects: int, disjoint: bool, proper: bool) -> Iterator[Case]:
    """Every family on a small matrix, and every part of it."""
    for features in (1, 2) if objects <= 3 else (1,):
        families = listed_families(objects, features, disjoint, 3, proper)
        yield from starmap(_covered, sub_families((objects, features), families))


def enumerate_repeated(objects: int) -> Iterator[Case]:
    """Every small multiset, and every part of it."""
    families = small_families(objects, 1, _MOST_REPEATED, repeats=True)
    return starmap(_covered, sub_families((objects, 1), families))


#: How many biclusters a reference has where repeats are listed.
_MOST_REPEATED = 3


def _few(case: Case) -> bool:
    """The scope of :func:`enumerate_repeated`, in code."""
    return has_one_feature(case) and len(case.left.gold) <= _MOST_REPEATED


_FEW = (
    "one feature, and two features with up to three objects (there at most three classes), up to renaming; with four "
    "objects at most three classes"
)

condition(
    "H.2",
    name="Coverage",
    statement="A candidate that has only some of the reference biclusters must not reach the optimum.",
    citation=_readings.HORTA,
    relation=NOT_OPTIMAL,
    right_is_gold=True,
    premise=premise,
    situations=LEFT_OUT,
    readings=_readings.in_order(
        *_readings.fourfold(strategy, enumerate_, {
            "canonical": _readings.ListedScope(_readings.UP_TO_TWO_FEATURES, complete=6),
            "literal": _readings.ListedScope(_readings.UP_TO_TWO_FEATURES, complete=6),
            "overlapping": _readings.ListedScope(_FEW, complete=3, reach=4),
            "proper": _readings.ListedScope(_FEW, complete=3, reach=4),
        }),
        Reading(
            "repeated",
            adds="The reference is any family; its biclusters may repeat, and be found less often than they occur.",
            domain="biclusterings", strategy=repeated, enumerate_=enumerate_repeated,
            scope="one feature, at most three reference biclusters, up to renaming", within=_few, complete=3,
        ),
    ),
)  # fmt: skip
