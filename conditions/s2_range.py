"""S.2 Range: no score lies below the lowest or above the best that a measure declares."""

from collections.abc import Iterator

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import lift
from metaeval.conditions._enumerate import arranged
from metaeval.conditions._pairs import drawn_pair, small_pairs
from metaeval.conditions._premise import has_repeats, is_of_kind
from metaeval.core.case import Case, Side
from metaeval.core.relation import WITHIN
from metaeval.proofs.situation import of_biclusterings, of_partitions
from metaeval.strategies import integers

_OBJECTS = st.one_of(integers(1, 8), integers(1, 36))


def premise(case: Case, reading: str) -> bool:
    """Any candidate against any gold standard, without repeats."""
    return not has_repeats(case) and is_of_kind(case, reading)


@st.composite
def canonical(draw: _strategy.Draw) -> Case:
    """Two partitions of the same objects, now and then the same one twice."""
    objects = draw(_OBJECTS)
    gold = _strategy.partition_of(draw, objects)
    candidate = gold if draw(integers(0, 9)) == 0 else _strategy.partition_of(draw, objects)
    count, features = _strategy.some_features(draw)
    return Case(Side(*(lift(family, (objects, count), features) for family in (candidate, gold))))


def strategy(disjoint: bool, lifted: bool = False) -> st.SearchStrategy[Case]:
    """Any pair."""
    return drawn_pair(disjoint, lifted=lifted).map(Case)


def enumerate_canonical(objects: int) -> Iterator[Case]:
    """Every pair of partitions."""
    shape = (objects, 1)
    for gold, clusters in arranged([], objects, partial=False) if objects else ():
        yield Case(Side(lift(clusters, shape), lift(gold, shape)))


def enumerate_pairs(objects: int, disjoint: bool, lifted: bool = False) -> Iterator[Case]:
    """Every pair of families on a small matrix."""
    return map(Case, small_pairs(objects, disjoint, lifted=lifted))


_AT_MOST_TWO = "one feature, up to renaming; with four objects at most two clusters per side"
_READINGS = [
    _readings.of_partitions(
        canonical,
        enumerate_canonical,
        complete=7,
        adds="Gold and candidate are partitions of the same objects.",
    ),
    _readings.of_biclusterings(
        "literal",
        strategy,
        enumerate_pairs,
        adds="Gold and candidate are any disjoint biclusterings.",
        scope="up to two features with up to two objects, one feature with more, up to renaming",
        complete=5,
    ),
    _readings.of_biclusterings(
        "overlapping",
        strategy,
        enumerate_pairs,
        adds="Gold and candidate are any biclusterings, free to overlap.",
        scope=(
            "one feature, and two with up to two objects (with two at most two biclusters per side), up to "
            "renaming; with four objects at most two biclusters per side"
        ),
        complete=3,
        reach=4,
    ),
]

condition(
    "S.2",
    name="Range",
    statement="Every score lies between the lowest and the best score that the measure declares.",
    citation=_readings.CLUSIM,
    relation=WITHIN,
    premise=premise,
    situations={**of_partitions("range"), **of_biclusterings("range", "literal", "overlapping")},
    readings=_READINGS,
    of_clusterings=_readings.of_clusterings(_READINGS, premise, strategy, enumerate_pairs, _AT_MOST_TWO),
)
