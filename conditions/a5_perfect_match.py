"""A.5 Perfect match: the optimum for the gold standard itself, and for nothing else."""

from collections.abc import Iterable, Iterator
from functools import partial

from hypothesis import strategies as st

from metaeval.catalogue.condition import Reading, condition, has_one_feature
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import cut, lift
from metaeval.conditions._enumerate import arranged
from metaeval.conditions._pairs import drawn_pair, listed_pairs, repeated_pairs
from metaeval.conditions._premise import has_repeats, is_of_kind, same_gold
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import PERFECT_MATCH
from metaeval.proofs.situation import DIFFERENT
from metaeval.strategies import bits, integers


def premise(case: Case, reading: str) -> bool:
    """Against one gold standard, the right is the gold itself and the left is not."""
    left, right = case
    if not same_gold(case) or left.shape != right.shape or right.candidate.family != right.gold.family:
        return False
    if left.candidate.family == left.gold.family or (reading != "repeated" and has_repeats(case)):
        return False
    return is_of_kind(case, reading)


def _against_itself(side: Side) -> Case:
    """Left, a candidate that is not the gold; right, the gold itself."""
    return Case(side, Side(side.gold, side.gold))


@st.composite
def canonical(draw: _strategy.Draw) -> Case:
    """Two partitions of the same objects, made to differ."""
    around = _strategy.Context(draw, [], partial=False)
    rows = range(max(2, around.objects))
    gold, candidate = around.classes, around.clusters
    if around.objects < 2 or {*map(frozenset, candidate)} == {*map(frozenset, gold)}:
        # The two partitions that differ from each other whatever the number of objects.
        together, alone = [[*rows]], [[row] for row in rows]
        gold = gold if around.objects >= 2 else together
        candidate = alone if len(gold) < len(rows) else together
    count, features = _strategy.some_features(draw)
    return _against_itself(Side(*(lift(family, (len(rows), count), features) for family in (candidate, gold))))


@st.composite
def literal(draw: _strategy.Draw, lifted: bool = False) -> Case:
    """Any disjoint pair whose sides differ."""
    return _against_itself(_differing(draw(drawn_pair(disjoint=True, lifted=lifted))))


def _differing(side: Side) -> Side:
    """The pair itself, or with one bicluster less (where there is none, one cell more) on the left."""
    if side.candidate.family != side.gold.family:
        return side
    fewer = side.gold.biclusters[1:] if side.gold else [(frozenset({0}), frozenset({0}))]
    return Side(Biclustering.trusted(fewer, side.gold.shape), side.gold)


@st.composite
def overlapping(draw: _strategy.Draw, most: int = 1, lifted: bool = False) -> Case:
    """Any pair whose sides differ; often one that pairs of cells cannot tell apart.

    ``most`` is how often a bicluster may occur.
    """
    if draw(st.booleans()):
        return _against_itself(_alike_in_pairs(draw, most, lifted))
    side = draw(drawn_pair(disjoint=False, lifted=lifted))
    if most > 1 and side.gold and draw(st.booleans()):
        again = [bicluster for bicluster in side.gold for _ in range(draw(integers(1, most)))]
        side = Side(Biclustering.trusted(again, side.gold.shape), side.gold)
    return _against_itself(_differing(side))


def free(disjoint: bool, lifted: bool = False) -> st.SearchStrategy[Case]:
    """Any pair whose sides differ."""
    return literal(lifted=lifted) if disjoint else overlapping(lifted=lifted)


def _alike_in_pairs(draw: _strategy.Draw, most: int, lifted: bool) -> Side:
    """Two families that hold every two cells together equally often.

    For disjoint A, B, C the families {AB, AC, BC} and {ABC, A, B, C} do: a measure that sees the
    biclusters only through pairs of cells cannot tell them apart.
    """
    a, b, c = runs = [*map(frozenset, cut([draw(integers(1, 3)) for _ in range(3)]))]
    joined, nested = [a | b, a | c, b | c], [a | b | c, *runs]
    features = 1 if lifted else draw(integers(1, 3))
    shape = (len(a | b | c) + draw(integers(0, 2)), features)
    sideways = not lifted and draw(st.booleans())  # the same with the runs lying along the features
    total = draw(integers(1, most))
    amounts = _two_amounts(draw, total)
    common = [bits(mask) for mask in _strategy.masks(draw, shape[0], largest=2)]
    if most == 1:  # without repeats, nothing that one of the two families has already
        common = [cluster for cluster in common if cluster not in (*joined, *nested)]
    clusterings = ([*common, *joined * amount, *nested * (total - amount)] for amount in amounts)
    left, right = (lift(clusters, shape, frozenset(range(features))) for clusters in clusterings)
    if sideways:
        turned = ([(cols, rows) for rows, cols in family] for family in (left, right))
        left, right = (Biclustering.trusted(family, shape[::-1]) for family in turned)
    return Side(left, right)


def _two_amounts(draw: _strategy.Draw, total: int) -> list[int]:
    """How many of the copies are of the first kind, on the left and on the right: not the same."""
    amounts = [draw(integers(0, total)) for _ in range(2)]
    if amounts[0] == amounts[1]:
        amounts[1] = total - amounts[0] if total != 2 * amounts[0] else amounts[0] - 1
    return amounts


def enumerate_canonical(objects: int) -> Iterator[Case]:
    """Every pair of different partitions; the condition names no cluster, so all of them are context."""
    shape = (objects, 1)
    return _mismatches(
        Side(lift(clusters, shape), lift(gold, shape)) for gold, clusters in arranged([], objects, partial=False)
    )


def enumerate_pairs(objects: int, disjoint: bool, lifted: bool = False) -> Iterator[Case]:
    """Every pair of different families on a small matrix."""
    for features in (1,) if lifted else _widths(objects, disjoint):
        yield from _mismatches(listed_pairs(objects, features, disjoint, most=3 if objects <= 2 else 2))


def _mismatches(sides: Iterable[Side]) -> Iterator[Case]:
    return (_against_itself(side) for side in sides if side.candidate.family != side.gold.family)


def _widths(objects: int, disjoint: bool) -> tuple[int, ...]:
    """The numbers of features to list.

    One object on m features has as many families as m objects on one feature: the fewer objects there are, the
    more features can be listed in the same time.
    """
    if disjoint:
        return (1, 2, 3, 4) if objects == 1 else (1, 2) if objects <= 3 else (1,)
    return (1, 2, 3) if objects == 1 else (1, 2) if objects == 2 else (1,)


#: The largest number of biclusters per side where repeats are listed.
_MOST_REPEATED = 3


def enumerate_repeated(objects: int) -> Iterator[Case]:
    """Every pair of different multisets of a few biclusters, and every overlapping case."""
    for features in (1, 2, 3) if objects == 1 else (1,):
        yield from _mismatches(repeated_pairs(objects, features, _MOST_REPEATED))
    yield from enumerate_pairs(objects, disjoint=False)


def _few_or_distinct(case: Case) -> bool:
    """The scope of :func:`enumerate_repeated` on one feature, in code."""
    few = all(len(family) <= _MOST_REPEATED for family in case.left)
    distinct = all(len(set(family)) == len(family) for family in case.left)
    return has_one_feature(case) and (few or distinct)


_AT_MOST_TWO = "one feature, up to renaming; with four objects at most two clusters per side"
_READINGS = [
    _readings.of_partitions(canonical, enumerate_canonical, complete=7),
    _readings.of_biclusterings(
        "literal",
        free,
        enumerate_pairs,
        adds="Gold and candidate are any disjoint biclusterings.",
        scope=(
            "up to two features with up to three objects, up to four with one, one feature with more, up to renaming"
        ),
        complete=5,
    ),
    _readings.of_biclusterings(
        "overlapping",
        free,
        enumerate_pairs,
        adds="Gold and candidate are any biclusterings, free to overlap.",
        scope=(
            "one feature, two with up to two objects (with two at most three biclusters per side), three with one "
            "object, up to renaming; with four objects at most two biclusters per side"
        ),
        complete=3,
        reach=4,
    ),
    Reading(
        "repeated",
        adds="Gold and candidate are any biclusterings; biclusters may repeat.",
        domain="biclusterings",
        strategy=partial(overlapping, most=2),
        enumerate_=enumerate_repeated,
        scope="one feature, three with one object, at most three biclusters per side; and all overlapping cases",
        within=_few_or_distinct,
        complete=3,
    ),
]

condition(
    "A.5",
    name="Perfect match",
    statement="The optimum is given to the gold standard itself, and to no other candidate.",
    citation=_readings.CICE,
    relation=PERFECT_MATCH,
    right_is_gold=True,
    premise=premise,
    situations={
        "canonical": DIFFERENT["partitions"],
        "literal": DIFFERENT["disjoint"],
        "overlapping": DIFFERENT["any"],
        "repeated": DIFFERENT["repeated"],
    },
    readings=_READINGS,
    of_clusterings=_readings.of_clusterings(_READINGS, premise, free, enumerate_pairs, _AT_MOST_TWO),
)
