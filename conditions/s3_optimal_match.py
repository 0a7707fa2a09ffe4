"""S.3 Optimal match: a perfect match is defined and optimal, however trivial it is."""

from collections.abc import Iterator

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import cut, lift
from metaeval.conditions._enumerate import sums, up_to_renaming
from metaeval.conditions._pairs import drawn_pair, listed_families
from metaeval.conditions._premise import is_of_kind, right_is_gold
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import OPTIMAL
from metaeval.proofs.situation import of_biclusterings, of_partitions


def premise(case: Case, reading: str) -> bool:
    """Left and right are one gold standard against itself, on a matrix that has cells."""
    if not right_is_gold(case) or case.left.candidate.family != case.left.gold.family:
        return False
    return bool(case.objects and case.features) and is_of_kind(case, reading)


def _matched(gold: Biclustering) -> Case:
    """The gold against itself; both sides are the same, since nothing leads anywhere."""
    side = Side(gold, gold)
    return Case(side, side)


def from_left(side: Side, _: int) -> Iterator[Case]:
    """The gold of a pair; the number says nothing here."""
    yield _matched(side.gold)


@st.composite
def canonical(draw: _strategy.Draw) -> Case:
    """A partition, trivial ones among them: a single object, one class, only singletons."""
    around = _strategy.Context(draw, [], partial=False)
    count, features = _strategy.some_features(draw)
    return _matched(lift(around.classes or [[0]], (max(1, around.objects), count), features))


def free(disjoint: bool, lifted: bool = False) -> st.SearchStrategy[Case]:
    """Any biclustering."""
    return drawn_pair(disjoint, lifted=lifted).map(lambda side: _matched(side.gold))


def enumerate_canonical(objects: int) -> Iterator[Case]:
    """Every partition, by the sizes of its classes."""
    return (_matched(lift(cut(sizes), (objects, 1))) for sizes in sums(objects) if sizes)


def enumerate_free(objects: int, disjoint: bool, lifted: bool = False) -> Iterator[Case]:
    """Every family on a small matrix."""
    if not objects:
        return
    for features in (1, 2) if objects <= 3 and not lifted else (1,):
        families = listed_families(objects, features, disjoint, most=3)
        yield from map(_matched, up_to_renaming((objects, features), families))


_AT_MOST_THREE = "one feature, up to renaming; with four objects at most three classes"
_READINGS = [
    _readings.of_partitions(
        canonical,
        enumerate_canonical,
        complete=10,
        adds="The gold is a partition: one class and only singletons too, and a single object.",
    ),
    _readings.of_biclusterings(
        "literal",
        free,
        enumerate_free,
        adds="The gold is any disjoint biclustering, an empty one too.",
        scope=_readings.UP_TO_TWO_FEATURES,
        complete=6,
    ),
    _readings.of_biclusterings(
        "overlapping",
        free,
        enumerate_free,
        adds="The gold is any biclustering, free to overlap.",
        scope=(
            "one feature, and two features with up to three objects (with two or more at most three classes), up "
            "to renaming; with four objects at most three classes"
        ),
        complete=3,
        reach=4,
    ),
]

condition(
    "S.3",
    name="Optimal match",
    statement="The gold standard itself has a score, and this is the optimum, trivial gold standards included.",
    citation=f"maximal agreement, {_readings.GOSGENS}",
    relation=OPTIMAL,
    right_is_gold=True,
    premise=premise,
    situations={**of_partitions("itself"), **of_biclusterings("itself", "literal", "overlapping")},
    from_left=from_left,
    readings=_READINGS,
    of_clusterings=_readings.of_clusterings(_READINGS, premise, free, enumerate_free, _AT_MOST_THREE),
)
