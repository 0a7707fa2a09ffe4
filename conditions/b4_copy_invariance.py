"""B.4 Copy invariance: k copies of both sides must score as one does."""

from collections.abc import Iterator

from hypothesis import strategies as st

from metaeval.catalogue.condition import Reading, condition, has_one_feature
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._pairs import drawn_pair, multiplied_pairs, not_empty, repeated_pairs
from metaeval.conditions._premise import all_disjoint, has_repeats
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import EQUAL
from metaeval.core.renaming import is_copied
from metaeval.proofs.situation import of_biclusterings
from metaeval.strategies import integers


def premise(case: Case, reading: str) -> bool:
    """Up to names, the right is k ≥ 2 copies of the left on fresh objects, features shared or fresh too."""
    if has_repeats(case) or (reading != "overlapping" and not all_disjoint(case)):
        return False
    (objects, features), (more_objects, more_features) = case.left.shape, case.right.shape
    if not objects or more_objects % objects or more_objects // objects < 2:
        return False
    times = more_objects // objects
    shared = more_features == features and is_copied(case.left, case.right, times, shared_features=True)
    return shared or (
        more_features == times * features and is_copied(case.left, case.right, times, shared_features=False)
    )


def repeated_premise(case: Case) -> bool:
    """The right is the left with every bicluster of both parts k ≥ 2 times as often."""
    (candidate, gold), (more_candidate, more_gold) = case
    left, right = len(candidate) + len(gold), len(more_candidate) + len(more_gold)
    times = right // left if left else 0
    return (
        times >= 2
        and case.left.shape == case.right.shape
        and all(
            {(bicluster, count * times) for bicluster, count in one.family} == set(more.family)
            for one, more in ((candidate, more_candidate), (gold, more_gold))
        )
    )


def copied(family: Biclustering, times: int, fresh_features: bool) -> Biclustering:
    """Copy i has the objects n·i … n·i + n − 1, and the same features or its own ones."""
    objects, features = family.shape
    shift = features if fresh_features else 0
    copies = (
        (frozenset(map((copy * objects).__add__, rows)), frozenset(map((copy * shift).__add__, cols)))
        for copy in range(times)
        for rows, cols in family
    )
    return Biclustering.trusted(copies, (objects * times, features + shift * (times - 1)))


def _copied_case(side: Side, times: int, fresh_features: bool) -> Case:
    """Left, a pair of biclusterings; right, k copies of it on fresh objects."""
    return Case(side, Side(*(copied(family, times, fresh_features) for family in side)))


def _over_the_same_cells(side: Side, times: int) -> Case:
    """Left, a pair of biclusterings; right, the same with every bicluster k times as often."""
    return Case(side, Side(*(Biclustering.trusted(family.biclusters * times, family.shape) for family in side)))


def from_left(side: Side, times: int) -> Iterator[Case]:
    """The pair's copies, of every kind that a reading may mean."""
    yield _copied_case(side, times, fresh_features=False)
    yield _copied_case(side, times, fresh_features=True)
    yield _over_the_same_cells(side, times)


@st.composite
def strategy(draw: _strategy.Draw, disjoint: bool) -> Case:
    """A pair, a number of copies, and whether they have their own features."""
    return _copied_case(draw(drawn_pair(disjoint)), draw(integers(2, 4)), draw(st.booleans()))


@st.composite
def repeated(draw: _strategy.Draw) -> Case:
    """A pair, possibly with repeats of its own, and a number of copies."""
    side = draw(drawn_pair(disjoint=False))
    if not side.candidate and not side.gold:
        side = Side(*map(not_empty, side))
    if side.candidate and draw(st.booleans()):
        again = (*side.candidate, side.candidate.biclusters[0])
        side = Side(Biclustering.trusted(again, side.candidate.shape), side.gold)
    return _over_the_same_cells(side, draw(integers(2, 4)))


def enumerate_(objects: int, disjoint: bool) -> Iterator[Case]:
    """Every pair and every number of copies that together give this number of objects."""
    for side, times in multiplied_pairs(objects, disjoint):
        yield _copied_case(side, times, fresh_features=False)
        yield _copied_case(side, times, fresh_features=True)


#: The largest number of biclusters per side, and the numbers of copies, where copies over the same cells are listed.
_MOST_REPEATED = 2
_TIMES = (2, 3)


def enumerate_repeated(objects: int) -> Iterator[Case]:
    """Every pair of small multisets, doubled and tripled."""
    for side in repeated_pairs(objects, 1, _MOST_REPEATED):
        if side.candidate or side.gold:
            yield from (_over_the_same_cells(side, times) for times in _TIMES)


def _few_copies_of_few(case: Case) -> bool:
    """The scope of :func:`enumerate_repeated`, in code."""
    few = all(len(family) <= _MOST_REPEATED for family in case.left)
    before, after = (sum(map(len, side)) for side in case)
    return has_one_feature(case) and few and after in [before * times for times in _TIMES]


condition(
    "B.4",
    name="Copy invariance",
    statement="The score must be the same for k copies of the candidate against k copies of the gold.",
    citation=_readings.PATRIKAINEN,
    relation=EQUAL,
    step="with k copies of both sides",
    premise=premise,
    situations={
        **of_biclusterings("copy", "canonical", "overlapping"),
        **of_biclusterings("repeat", "repeated"),
    },
    from_left=from_left,
    readings=[
        _readings.of_biclusterings(
            "canonical",
            strategy,
            enumerate_,
            adds="Gold and candidate are disjoint; k ≥ 2 copies on fresh objects, with shared or fresh features.",
            scope="a copy has one feature, or two features and up to two objects; up to renaming",
            complete=8,
        ),
        _readings.of_biclusterings(
            "overlapping",
            strategy,
            enumerate_,
            adds="Gold and candidate may overlap; k ≥ 2 copies on fresh objects, with shared or fresh features.",
            scope=(
                "a copy has one feature, or at most two biclusters per side on two features and up to two objects; "
                "up to renaming"
            ),
            complete=4,
        ),
        Reading(
            "repeated",
            adds="The k ≥ 2 copies lie over the same cells; gold and candidate are any families.",
            domain="biclusterings",
            strategy=repeated,
            premise=repeated_premise,
            enumerate_=enumerate_repeated,
            scope="one feature, at most two biclusters per side, two or three copies; up to renaming",
            within=_few_copies_of_few,
            complete=3,
        ),
    ],
)
