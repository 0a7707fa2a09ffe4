"""S.4 Names and order: what objects and features are called, and which bicluster comes first, must not matter.

The gate asks the same of a few partitions before any condition, so that a measure which goes by names is mostly
stopped there, and its cells say so in the gate's words. This is for the measure that passes: it goes by names, or by
the order of biclusters where several choices are equally good, only among more objects or where biclusters overlap.

Any renaming is made of exchanges of two names, so a score that no exchange changes is changed by no renaming.
"""

from collections.abc import Iterator
from itertools import islice, product

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition, has_one_feature
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import lift
from metaeval.conditions._enumerate import arranged
from metaeval.conditions._pairs import drawn_pair, small_pairs
from metaeval.conditions._premise import has_repeats, is_of_kind
from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import EQUAL
from metaeval.proofs.situation import of_biclusterings, of_partitions
from metaeval.strategies import integers

#: Two objects (axis 0) or two features (axis 1).
Exchange = tuple[int, int, int]


def premise(case: Case, reading: str) -> bool:
    """Two objects, or two features, have exchanged their names in candidate and gold, and this shows."""
    if has_repeats(case) or case.left.shape != case.right.shape or case.left == case.right:
        return False
    return is_of_kind(case, reading) and any(_renamed(case.left, *names) == case.right for names in _suspects(case))


def _suspects(case: Case) -> Iterator[Exchange]:
    """The exchanges that make one certain bicluster of the left, which the right has not, one of the right."""
    role = 0 if case.left.candidate.family != case.right.candidate.family else 1
    left, right = set(case.left[role]), set(case.right[role])
    for gone, new in product(islice(left - right, 1), right - left):
        for axis in (0, 1):
            lost, won = gone[axis] - new[axis], new[axis] - gone[axis]
            if gone[1 - axis] == new[1 - axis] and len(lost) == len(won) == 1:
                yield axis, min(lost), min(won)


def _renamed(side: Side, axis: int, one: int, other: int) -> Side:
    names = {one: other, other: one}

    def named(index: int) -> int:
        return names.get(index, index)

    def same(index: int) -> int:
        return index

    return Side(*(family.renamed(*((named, same) if axis == 0 else (same, named))) for family in side))


def exchanged(side: Side, axis: int, one: int, other: int) -> Case:
    """Left, a pair of biclusterings; right, with two names exchanged and the biclusters in the opposite order."""
    both = {one, other}

    def turned(bicluster: Bicluster) -> Bicluster:
        inside = bicluster[axis]
        inside = inside ^ both if len(inside & both) == 1 else inside
        return (inside, bicluster[1]) if axis == 0 else (bicluster[0], inside)

    right = (Biclustering.trusted(map(turned, reversed(family.biclusters)), family.shape) for family in side)
    return Case(side, Side(*right))


def _partners(side: Side, axis: int, one: int) -> list[int]:
    """The objects (or features) whose exchange with this one changes the candidate or the gold."""
    others = (other for other in range(side.gold.shape[axis]) if other != one)
    return [other for other in others if len({*exchanged(side, axis, one, other)}) == 2]


def from_left(side: Side, _: int) -> Iterator[Case]:
    """The pair with the first and the last name exchanged, or the first and the second; the number says nothing."""
    yield Case(side, side)  # no instance, but the only answer where there are no two names
    for axis, count in enumerate(side.gold.shape):
        yield from (exchanged(side, axis, 0, other) for other in sorted({1, count - 1}) if 0 < other < count)


def _drawn(draw: _strategy.Draw, side: Side, axis: int) -> Case | None:
    """The pair with two names exchanged, or None where no exchange shows."""
    count = side.gold.shape[axis]
    first = draw(integers(0, count - 1))
    for one in (*range(first, count), *range(first)):
        partners = _partners(side, axis, one)
        if partners:
            return exchanged(side, axis, one, draw(st.sampled_from(partners)))
    return None


@st.composite
def canonical(draw: _strategy.Draw) -> Case:
    """Two partitions of the same objects, and two objects that exchange their names."""
    around = _strategy.Context(draw, [], partial=False)
    count, features = _strategy.some_features(draw)
    clusters = around.clusters if draw(integers(0, 7)) else around.classes

    def lifted(further: list[list[int]]) -> Side:
        shape = (around.objects + sum(map(len, further)), count)
        return Side(*(lift([*family, *further], shape, features) for family in (clusters, around.classes)))

    new = around.objects
    # Where no exchange shows, an object alone and two together are added, which can be told apart.
    return (new and _drawn(draw, lifted([]), axis=0)) or _certainly_drawn(draw, lifted([[new], [new + 1, new + 2]]))


@st.composite
def free(draw: _strategy.Draw, disjoint: bool, lifted: bool = False) -> Case:
    """Any pair, and two objects or two features that exchange their names."""
    side = draw(drawn_pair(disjoint, lifted=lifted))
    return _drawn(draw, side, axis=0 if lifted else draw(integers(0, 1))) or _certainly_drawn(draw, _with_room(side))


def _certainly_drawn(draw: _strategy.Draw, side: Side) -> Case:
    case = _drawn(draw, side, axis=0)
    assert case is not None
    return case


def _with_room(side: Side) -> Side:
    """The pair with an object more that no bicluster has, and a cell that one has if there is none."""
    objects, features = side.gold.shape
    cell = (frozenset({0}), frozenset({0}))
    gold = side.gold.biclusters if side.candidate or side.gold else (cell,)
    return Side(*(Biclustering.trusted(family, (objects + 1, features)) for family in (side.candidate, gold)))


def enumerate_canonical(objects: int) -> Iterator[Case]:
    """Every pair of partitions, and every two objects."""
    shape = (objects, 1)
    for gold, clusters in arranged([], objects, partial=False):
        yield from _every_exchange(Side(lift(clusters, shape), lift(gold, shape)))


def enumerate_free(objects: int, disjoint: bool, lifted: bool = False) -> Iterator[Case]:
    """Every pair on a small matrix, every two objects and every two features."""
    for side in small_pairs(objects, disjoint, lifted=lifted):
        if disjoint or all(len(family) <= _MOST for family in side):
            yield from _every_exchange(side)


def _every_exchange(side: Side) -> Iterator[Case]:
    for axis, count in enumerate(side.gold.shape):
        for one in range(count):
            partners = _partners(side, axis, one)
            yield from (exchanged(side, axis, one, other) for other in partners if other > one)


#: The largest number of biclusters per side where families that overlap are listed.
_MOST = 3


def _few(case: Case) -> bool:
    """The scope of the overlapping list, in code."""
    return has_one_feature(case) and all(len(family) <= _MOST for family in case.left)


_FEW = "one feature and at most three clusters per side, up to renaming"
_READINGS = [
    _readings.of_partitions(
        canonical,
        enumerate_canonical,
        complete=5,
        adds=f"{_readings.PARTITIONS} Two objects exchange their names.",
    ),
    _readings.of_biclusterings(
        "literal",
        free,
        enumerate_free,
        adds="Gold and candidate are disjoint.",
        scope=_readings.TWO_BY_TWO,
        complete=4,
    ),
    _readings.of_biclusterings(
        "overlapping",
        free,
        enumerate_free,
        adds="Gold and candidate may overlap.",
        scope=(
            "one feature and at most three biclusters per side, two features with up to two objects and at most "
            "two biclusters per side, up to renaming"
        ),
        within=_few,
        complete=3,
    ),
]

condition(
    "S.4",
    name="Names and order",
    statement=(
        "The score must be the same when two objects, or two features, exchange their names, and when the biclusters "
        "are given in another order."
    ),
    citation="a biclustering is a set of biclusters, arXiv:1512.00228, section 2",
    relation=EQUAL,
    step="with two names exchanged",
    premise=premise,
    situations={**of_partitions("names"), **of_biclusterings("names", "literal", "overlapping")},
    from_left=from_left,
    readings=_READINGS,
    of_clusterings=_readings.of_clusterings(_READINGS, premise, free, enumerate_free, _FEW),
)
