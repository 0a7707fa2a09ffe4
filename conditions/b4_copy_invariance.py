"""B.4 Copy invariance: k copies of both sides must score as one does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hypothesis import strategies as st

from metaeval.cases import EQUAL, Case, Side
from metaeval.condition import Reading, condition
from metaeval.conditions import _strategy as _draw
from metaeval.conditions import _texts
from metaeval.conditions._enumerate import biclustering, pairs, repeated_families
from metaeval.conditions._isomorphism import Structure, components, isomorphic
from metaeval.conditions._pairs import drawn_pair, listed_pairs
from metaeval.conditions._premise import all_disjoint, has_repeats, matrix
from metaeval.model import Biclustering


def premise(case: Case, reading: str) -> bool:
    """Up to names, the right is k ≥ 2 copies of the left on fresh objects, features shared or fresh too."""
    if has_repeats(case) or (reading != "overlapping" and not all_disjoint(case)):
        return False
    (objects, features), (more_objects, more_features) = matrix(case.left), matrix(case.right)
    if not objects or more_objects % objects or more_objects // objects < 2:
        return False
    times = more_objects // objects
    shared = more_features == features and _is_copied(case, times, named=True)
    return shared or (more_features == times * features and _is_copied(case, times, named=False))


def _is_copied(case: Case, times: int, named: bool) -> bool:
    """Whether each connected part of the left occurs k times as often on the right."""
    axes = (0,) if named else (0, 1)
    wanted = components(Structure.of(case.left), axes) * times
    for part in components(Structure.of(case.right), axes):
        for index, other in enumerate(wanted):
            if isomorphic(part, other, named=named):
                del wanted[index]
                break
        else:
            return False
    return not wanted


def repeated_premise(case: Case) -> bool:
    """The right is the left with every bicluster of both parts k ≥ 2 times as often."""
    (candidate, gold), (more_candidate, more_gold) = case
    left, right = len(candidate) + len(gold), len(more_candidate) + len(more_gold)
    times = right // left if left else 0
    return (
        times >= 2
        and matrix(case.left) == matrix(case.right)
        and all(
            {(bicluster, count * times) for bicluster, count in part.family} == set(more.family)
            for part, more in ((candidate, more_candidate), (gold, more_gold))
        )
    )


def copied(part: Biclustering, times: int, fresh_features: bool) -> Biclustering:
    """Copy i has the objects n·i … n·i + n − 1, and the same features or its own ones."""
    objects, features = part.shape
    shift = features if fresh_features else 0
    family = (
        (frozenset(row + copy * objects for row in rows), frozenset(col + copy * shift for col in cols))
        for copy in range(times)
        for rows, cols in part
    )
    return Biclustering.trusted(family, (objects * times, features + shift * (times - 1)))


def _copied_case(side: Side, times: int, fresh_features: bool) -> Case:
    return Case(side, Side(*(copied(part, times, fresh_features) for part in side)))


def _over_the_same_cells(side: Side, times: int) -> Case:
    return Case(side, Side(*(Biclustering.trusted(part.biclusters * times, part.shape) for part in side)))


@st.composite
def strategy(draw: _draw.Draw, disjoint: bool) -> Case:
    """A pair, a number of copies, and whether they have their own features."""
    return _copied_case(draw(drawn_pair(disjoint)), draw(st.integers(2, 4)), draw(st.booleans()))


@st.composite
def repeated(draw: _draw.Draw) -> Case:
    """A pair, possibly with repeats of its own, and a number of copies."""
    side = draw(drawn_pair(disjoint=False))
    if not side.candidate and not side.gold:
        cell = Biclustering.trusted([(frozenset({0}), frozenset({0}))], side.gold.shape)
        side = Side(cell, cell)
    if side.candidate and draw(st.booleans()):
        again = (*side.candidate, side.candidate.biclusters[0])
        side = Side(Biclustering.trusted(again, side.candidate.shape), side.gold)
    return _over_the_same_cells(side, draw(st.integers(2, 4)))


def enumerate_(objects: int, disjoint: bool) -> Iterator[Case]:
    """Every pair and every number of copies that together give so many objects."""
    for times in range(2, objects + 1):
        fewer = objects // times
        if fewer * times == objects:
            for features in (1, 2) if fewer <= 2 else (1,):
                for side in listed_pairs(fewer, features, disjoint):
                    yield _copied_case(side, times, fresh_features=False)
                    yield _copied_case(side, times, fresh_features=True)


def enumerate_repeated(objects: int) -> Iterator[Case]:
    """Every pair of small multisets, doubled and tripled."""
    families = repeated_families(objects, 1, largest=2)
    for candidate, gold in pairs(objects, 1, families, families):
        if candidate or gold:
            side = Side(biclustering(candidate, (objects, 1)), biclustering(gold, (objects, 1)))
            yield _over_the_same_cells(side, 2)
            yield _over_the_same_cells(side, 3)


condition(
    "B.4",
    name="Copy invariance",
    statement="The score must be the same for k copies of the candidate against k copies of the gold.",
    citation=_texts.PATRIKAINEN,
    relation=EQUAL,
    readings=[
        Reading(
            name="canonical",
            adds="Gold and candidate are disjoint; k ≥ 2 copies on fresh objects, with shared or fresh features.",
            strategy=lambda: strategy(disjoint=True),
            premise=partial(premise, reading="canonical"),
            enumerate_=partial(enumerate_, disjoint=True),
            scope="a copy has one feature, or two features and up to two objects; up to renaming",
            complete=8,
            reach=8,
        ),
        Reading(
            name="overlapping",
            adds="Gold and candidate may overlap; k ≥ 2 copies on fresh objects, with shared or fresh features.",
            strategy=lambda: strategy(disjoint=False),
            premise=partial(premise, reading="overlapping"),
            enumerate_=partial(enumerate_, disjoint=False),
            scope=(
                "a copy has one feature, or at most two biclusters a side on two features and up to two objects; "
                "up to renaming"
            ),
            complete=4,
            reach=4,
        ),
        Reading(
            name="repeated",
            adds="The k ≥ 2 copies lie over the same cells; gold and candidate are any families.",
            strategy=repeated,
            premise=repeated_premise,
            enumerate_=enumerate_repeated,
            scope="one feature, at most two biclusters a side, two or three copies; up to renaming",
            complete=3,
            reach=3,
        ),
    ],
)
