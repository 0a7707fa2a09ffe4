"""B.1 Non-intersection area: adding objects that neither side clusters must lower the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import combinations

from hypothesis import strategies as st

from metaeval.cases import WORSE, Case, Side
from metaeval.condition import Reading, condition
from metaeval.conditions import _strategy as _draw
from metaeval.conditions import _texts
from metaeval.conditions._pairs import drawn_pair, listed_pairs
from metaeval.conditions._premise import all_disjoint, has_repeats, matrix, meet, same_gold
from metaeval.model import Bicluster, Biclustering


def premise(case: Case, reading: str) -> bool:
    """The left candidate is the right one with new objects, each in one bicluster, old or its own."""
    left, right = case
    if not same_gold(case) or matrix(left) != matrix(right) or has_repeats(case):
        return False
    if reading != "overlapping" and not all_disjoint(case):
        return False
    if reading != "literal" and not meet(right):
        return False
    known = {row for part in (right.candidate, right.gold) for rows, _ in part for row in rows}
    occurrences = Counter(row for rows, _ in left.candidate for row in rows)
    new = occurrences.keys() - known
    if not new or any(occurrences[row] != 1 for row in new):
        return False
    if any(rows <= new and len(rows) != 1 for rows, _ in left.candidate):
        return False
    stripped = Counter((rows - new, cols) for rows, cols in left.candidate if rows - new)
    return stripped == Counter(right.candidate)


@st.composite
def strategy(draw: _draw.Draw, disjoint: bool, must_meet: bool) -> Case:
    """A pair, and fresh objects that join biclusters of the candidate or stand alone."""
    side = draw(drawn_pair(disjoint))
    if must_meet and not _meet(side):
        side = _sharing(side)
    objects, features = side.gold.shape
    count = draw(st.one_of(st.integers(1, 3), st.integers(1, 20)))
    shape = (objects + count + draw(st.integers(0, 2)), features)
    grown = [(set(rows), cols) for rows, cols in side.candidate]
    alone: list[Bicluster] = []
    for row in range(objects, objects + count):
        home = draw(st.integers(0, len(grown)))
        if home:
            grown[home - 1][0].add(row)
        else:
            cols = _draw.objects_of(draw(st.integers(1, (1 << features) - 1)))
            alone.append((frozenset({row}), cols))
    left = Biclustering.trusted([*((frozenset(rows), cols) for rows, cols in grown), *alone], shape)
    gold = Biclustering.trusted(side.gold, shape)
    return Case(Side(left, gold), Side(Biclustering.trusted(side.candidate, shape), gold))


def _meet(side: Side) -> bool:
    return any(a[0] & b[0] and a[1] & b[1] for a in side.candidate for b in side.gold)


def _sharing(side: Side) -> Side:
    """The pair with one bicluster of one side taken over by the other, so that they share cells."""
    gold = side.gold or side.candidate
    if not gold:
        gold = Biclustering.trusted([(frozenset({0}), frozenset({0}))], side.gold.shape)
    return Side(Biclustering.trusted(gold.biclusters[:1], gold.shape), gold)


def enumerate_(objects: int, disjoint: bool, must_meet: bool) -> Iterator[Case]:
    """Every pair, every choice of candidate's objects that can be taken away again."""
    for features in (1, 2) if objects <= (3 if disjoint else 2) else (1,):
        for left in listed_pairs(objects, features, disjoint):
            if must_meet and not _meet(left):
                continue
            in_gold = {row for rows, _ in left.gold for row in rows}
            seen = Counter(row for rows, _ in left.candidate for row in rows)
            loose = sorted(row for row, times in seen.items() if times == 1 and row not in in_gold)
            for count in range(1, len(loose) + 1):
                for chosen in combinations(loose, count):
                    yield from _without(left, frozenset(chosen))


def _without(left: Side, new: frozenset[int]) -> Iterator[Case]:
    """The case that adds these objects, where they stand alone or leave a bicluster behind."""
    if any(len(rows) > 1 and rows <= new for rows, _ in left.candidate):
        return
    stripped = [(rows - new, cols) for rows, cols in left.candidate if rows - new]
    if len(set(stripped)) == len(stripped):
        yield Case(left, Side(Biclustering.trusted(stripped, left.gold.shape), left.gold))


condition(
    "B.1",
    name="Non-intersection area",
    statement=(
        "If objects that neither the candidate nor the gold clusters are added to the candidate, to an existing "
        "bicluster or as new one-object biclusters, the score must fall."
    ),
    citation=_texts.PATRIKAINEN,
    relation=WORSE,
    readings=[
        Reading(
            name="canonical",
            adds="Gold and candidate are disjoint and share a micro-object.",
            strategy=lambda: strategy(disjoint=True, must_meet=True),
            premise=partial(premise, reading="canonical"),
            enumerate_=partial(enumerate_, disjoint=True, must_meet=True),
            scope="up to two features with up to three objects, one feature with more, up to renaming",
            complete=5,
            reach=5,
        ),
        Reading(
            name="literal",
            adds="Gold and candidate are disjoint; they may share no micro-object.",
            strategy=lambda: strategy(disjoint=True, must_meet=False),
            premise=partial(premise, reading="literal"),
            enumerate_=partial(enumerate_, disjoint=True, must_meet=False),
            scope="up to two features with up to three objects, one feature with more, up to renaming",
            complete=5,
            reach=5,
        ),
        Reading(
            name="overlapping",
            adds="Gold and candidate may overlap; they share a micro-object.",
            strategy=lambda: strategy(disjoint=False, must_meet=True),
            premise=partial(premise, reading="overlapping"),
            enumerate_=partial(enumerate_, disjoint=False, must_meet=True),
            scope=(
                "one feature, and two features with up to two objects (there at most two biclusters a side), up "
                "to renaming; with four objects at most two biclusters a side"
            ),
            complete=3,
            reach=4,
        ),
    ],
)
