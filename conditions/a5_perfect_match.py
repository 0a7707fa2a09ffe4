"""A.5 Perfect match: the optimum for the gold standard itself, and for nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hypothesis import strategies as st

from metaeval.cases import PERFECT_MATCH, Case, Side
from metaeval.condition import Reading, condition
from metaeval.conditions import _strategy as _draw
from metaeval.conditions import _texts
from metaeval.conditions._enumerate import (
    biclustering,
    classes,
    contexts,
    cut,
    first_of_orbit,
    lifted_case,
    pairs,
    place,
    repeated_families,
)
from metaeval.conditions._pairs import drawn_pair, listed_pairs
from metaeval.conditions._premise import admitted, all_disjoint, clusterings, has_repeats, matrix, same_gold
from metaeval.model import Bicluster, Biclustering


def premise(case: Case, reading: str) -> bool:
    """Against one gold standard, the right is the gold itself and the left is not."""
    left, right = case
    if not same_gold(case) or matrix(left) != matrix(right) or right.candidate.family != right.gold.family:
        return False
    if left.candidate.family == left.gold.family or (reading != "repeated" and has_repeats(case)):
        return False
    if reading == "canonical":
        parts = clusterings(case)
        return parts is not None and admitted(parts, reading)
    return reading != "literal" or all_disjoint(case)


def _against_itself(side: Side) -> Case:
    return Case(side, Side(side.gold, side.gold))


@st.composite
def canonical(draw: _draw.Draw) -> Case:
    """Two partitions of the same objects, made to differ."""
    around = _draw.Context(draw, 0, [], partial=False)
    rows = range(max(2, around.objects))
    gold, candidate = around.classes, around.clusters
    if around.objects < 2 or {*map(frozenset, candidate)} == {*map(frozenset, gold)}:
        # The two partitions that differ from each other whatever the number of objects.
        together, alone = [[*rows]], [[row] for row in rows]
        gold = gold if around.objects >= 2 else together
        candidate = alone if len(gold) < len(rows) else together
    return _draw.lift(draw, len(rows), gold, candidate, gold)


@st.composite
def literal(draw: _draw.Draw) -> Case:
    """Any disjoint pair whose sides differ."""
    return _against_itself(_differing(draw(drawn_pair(disjoint=True))))


def _differing(side: Side) -> Side:
    """The pair itself, or with one bicluster less (where there is none, one cell more) on the left."""
    if side.candidate.family != side.gold.family:
        return side
    fewer = side.gold.biclusters[1:]
    if not side.gold:
        fewer = ((frozenset({0}), frozenset({0})),)
    return Side(Biclustering.trusted(fewer, side.gold.shape), side.gold)


@st.composite
def overlapping(draw: _draw.Draw, most: int = 1) -> Case:
    """Any pair whose sides differ; often one whose sides hold every two cells together equally often.

    For disjoint A, B, C the families {AB, AC, BC} and {ABC, A, B, C} do: a measure that sees the
    biclusters only through pairs of cells cannot tell them apart. ``most`` is how often each may occur.
    """
    if not draw(st.booleans()):
        side = draw(drawn_pair(disjoint=False))
        if most > 1 and side.gold and draw(st.booleans()):
            again = [bicluster for bicluster in side.gold for _ in range(draw(st.integers(1, most)))]
            side = Side(Biclustering.trusted(again, side.gold.shape), side.gold)
        return _against_itself(_differing(side))
    runs = cut([draw(st.integers(1, 3)) for _ in range(3)])
    features = draw(st.integers(1, 3))
    shape = (runs[-1].stop + draw(st.integers(0, 2)), features)
    sideways = draw(st.booleans())  # the same with the runs lying along the features
    total = draw(st.integers(1, most if most > 1 else 1))
    amounts = [draw(st.integers(0, total)) for _ in range(2)]
    if amounts[0] == amounts[1]:
        amounts[1] = total - amounts[0] if total != 2 * amounts[0] else amounts[0] - 1
    common = _common(draw, shape, runs, features, allow_core=most > 1)
    sides = []
    for amount in amounts:
        family = [*common, *_joined(runs, features) * amount, *_nested(runs, features) * (total - amount)]
        turned = [(cols, rows) for rows, cols in family] if sideways else family
        sides.append(Biclustering.trusted(turned, shape[::-1] if sideways else shape))
    return _against_itself(Side(*sides))


def _joined(runs: list[range], features: int) -> list[Bicluster]:
    a, b, c = map(frozenset, runs)
    return [(rows, frozenset(range(features))) for rows in (a | b, a | c, b | c)]


def _nested(runs: list[range], features: int) -> list[Bicluster]:
    a, b, c = map(frozenset, runs)
    return [(rows, frozenset(range(features))) for rows in (a | b | c, a, b, c)]


def _common(
    draw: _draw.Draw, shape: tuple[int, int], runs: list[range], features: int, allow_core: bool
) -> list[Bicluster]:
    """Biclusters of both sides; unless repeats are allowed, none that the two families hold already."""
    columns = frozenset(range(features))
    drawn = [(_draw.objects_of(mask), columns) for mask in _draw.masks(draw, shape[0], largest=2)]
    core = [*_joined(runs, features), *_nested(runs, features)]
    return drawn if allow_core else [bicluster for bicluster in drawn if bicluster not in core]


def enumerate_canonical(objects: int) -> Iterator[Case]:
    """Every pair of different partitions; columns are the clusters."""
    for sizes, _ in contexts(objects, partial=False):
        runs = cut(sizes)
        columns = [[[row] for row in run] for run in runs]
        for vectors in classes(sizes, [True] * len(sizes)):
            gold = place(columns, vectors)
            if {*gold} != {*map(frozenset, runs)} and first_of_orbit(vectors, sizes, free=0):
                yield lifted_case(objects, gold, runs, gold)


def enumerate_pairs(objects: int, disjoint: bool) -> Iterator[Case]:
    """Every pair of different families on a small matrix."""
    for features in _widths(objects, disjoint):
        for side in listed_pairs(objects, features, disjoint, most=3 if objects <= 2 else 2):
            if side.candidate.family != side.gold.family:
                yield _against_itself(side)


def _widths(objects: int, disjoint: bool) -> tuple[int, ...]:
    """The numbers of features to list; families take as many on one object as on as many objects."""
    if disjoint:
        return (1, 2, 3, 4) if objects == 1 else (1, 2) if objects <= 3 else (1,)
    return (1, 2, 3) if objects == 1 else (1, 2) if objects == 2 else (1,)


def enumerate_repeated(objects: int) -> Iterator[Case]:
    """Every pair of different multisets of at most three biclusters, and every overlapping case."""
    for features in (1, 2, 3) if objects == 1 else (1,):
        families = repeated_families(objects, features, largest=3)
        for candidate, gold in pairs(objects, features, families, families):
            if candidate != gold:
                shape = (objects, features)
                yield _against_itself(Side(biclustering(candidate, shape), biclustering(gold, shape)))
    yield from enumerate_pairs(objects, disjoint=False)


condition(
    "A.5",
    name="Perfect match",
    statement="The optimum is given to the gold standard itself, and to no other candidate.",
    citation=_texts.CICE,
    relation=PERFECT_MATCH,
    readings=[
        Reading(
            name="canonical",
            adds=_texts.PARTITIONS,
            strategy=canonical,
            premise=partial(premise, reading="canonical"),
            enumerate_=enumerate_canonical,
            scope="one feature, up to renaming",
            complete=7,
            reach=7,
        ),
        Reading(
            name="literal",
            adds="Gold and candidate are any disjoint biclusterings.",
            strategy=literal,
            premise=partial(premise, reading="literal"),
            enumerate_=partial(enumerate_pairs, disjoint=True),
            scope=(
                "up to two features with up to three objects, up to four with one, one feature with more, up to "
                "renaming"
            ),
            complete=5,
            reach=5,
        ),
        Reading(
            name="overlapping",
            adds="Gold and candidate are any biclusterings, free to overlap.",
            strategy=overlapping,
            premise=partial(premise, reading="overlapping"),
            enumerate_=partial(enumerate_pairs, disjoint=False),
            scope=(
                "one feature, two with up to two objects (with two at most three biclusters a side), three with one "
                "object, up to renaming; with four objects at most two biclusters a side"
            ),
            complete=3,
            reach=4,
        ),
        Reading(
            name="repeated",
            adds="Gold and candidate are any biclusterings; biclusters may repeat.",
            strategy=lambda: overlapping(most=2),
            premise=partial(premise, reading="repeated"),
            enumerate_=enumerate_repeated,
            scope="one feature, three with one object, at most three biclusters a side; and all overlapping cases",
            complete=3,
            reach=3,
        ),
    ],
)
