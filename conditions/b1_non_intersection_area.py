"""B.1 Non-intersection area: adding objects that neither side clusters must lower the score."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import chain, combinations

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import cut
from metaeval.conditions._pairs import drawn_pair, listed_pairs
from metaeval.conditions._premise import all_disjoint, meet, one_gold
from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import WORSE
from metaeval.proofs.situation import of_biclusterings
from metaeval.strategies import bits, integers


def premise(case: Case, reading: str) -> bool:
    """There is a gold, and the left candidate is the right one with objects added."""
    # With no gold B.2 and B.4 would have one cluster score as two copies of it do, and B.1 would not.
    return bool(case.right.gold) and has_grown(case, reading)


def has_grown(case: Case, reading: str) -> bool:
    """The left candidate is the right one with new objects, each in one bicluster, old or its own."""
    left, right = case
    if not one_gold(case):
        return False
    if reading != "overlapping" and not all_disjoint(case):
        return False
    if reading != "literal" and not meet(right):
        return False
    known = {row for family in (right.candidate, right.gold) for rows, _ in family for row in rows}
    occurrences = Counter(row for rows, _ in left.candidate for row in rows)
    new = occurrences.keys() - known
    if not new or any(occurrences[row] != 1 for row in new):
        return False
    if any(rows <= new and len(rows) != 1 for rows, _ in left.candidate):
        return False
    stripped = Counter((rows - new, cols) for rows, cols in left.candidate if rows - new)
    return stripped == Counter(right.candidate)


def _added(grown: Biclustering, right: Side) -> Case:
    """Left, the candidate grown by objects that neither it nor the gold clusters; right, without them."""
    return Case(Side(grown, right.gold), right)


@st.composite
def strategy(draw: _strategy.Draw, disjoint: bool, must_meet: bool) -> Case:
    """A pair, and fresh objects that join biclusters of the candidate or stand alone."""
    side = draw(drawn_pair(disjoint, min_classes=1))
    if must_meet and not _meet(side):
        side = Side(Biclustering.trusted(side.gold.biclusters[:1], side.gold.shape), side.gold)
    objects, features = side.gold.shape
    count = draw(st.one_of(integers(1, 3), integers(1, 20)))
    shape = (objects + count + draw(integers(0, 2)), features)
    new = range(objects, objects + count)
    grown = _grown(draw, side.candidate, new)
    families = (grown, side.candidate, side.gold)
    left, candidate, gold = (Biclustering.trusted(family, shape) for family in families)
    return _added(left, Side(candidate, gold))


def _grown(draw: _strategy.Draw, candidate: Biclustering, new: range) -> list[Bicluster]:
    """The candidate's biclusters, which some of the new objects join; after them, each of the others alone."""
    features = candidate.shape[1]
    grown = [(set(rows), cols) for rows, cols in candidate]
    alone: list[Bicluster] = []
    for row in new:
        home = draw(integers(0, len(grown)))  # 0: none
        if home:
            grown[home - 1][0].add(row)
        else:
            alone.append((frozenset({row}), bits(draw(integers(1, (1 << features) - 1)))))
    return [*((frozenset(rows), cols) for rows, cols in grown), *alone]


def _meet(side: Side) -> bool:
    return any(a[0] & b[0] and a[1] & b[1] for a in side.candidate for b in side.gold)


def enumerate_(objects: int, disjoint: bool, must_meet: bool) -> Iterator[Case]:
    """Every pair with a class, every choice of the candidate's objects that can have been added."""
    for left in lefts(objects, disjoint):
        if _meet(left) or (left.gold and not must_meet):
            yield from cases_of(left)


def lefts(objects: int, disjoint: bool) -> Iterator[Side]:
    """Every pair, with or without a class."""
    for features in (1, 2) if objects <= (3 if disjoint else 2) else (1,):
        yield from listed_pairs(objects, features, disjoint)


def cases_of(left: Side) -> Iterator[Case]:
    """Every choice of the candidate's objects that can have been added."""
    for new in map(frozenset, _choices(left)):
        stripped = [(rows - new, cols) for rows, cols in left.candidate if rows - new]
        if len(set(stripped)) == len(stripped):
            yield _added(left.candidate, Side(Biclustering.trusted(stripped, left.gold.shape), left.gold))


def sized(size: int) -> Iterator[Case]:
    """A chain of overlaps of one size, and an object that is added to its end.

    Which cluster is matched with which class is a choice between equals here, and one choice is far better than the
    other. The clusters are named in either order, which must not matter.
    """
    p, q, r, new = (frozenset(run) for run in cut((size, size, size, 1)))
    shape, features = (3 * size + 1, 1), frozenset({0})
    gold = Biclustering.trusted([(p | q, features), (r, features)], shape)
    candidate = [(p | r, features), (q, features)]
    grown = [(p | r, features), (q | new, features)]
    for named, renamed in ((candidate, grown[::-1]), (candidate[::-1], grown)):
        right = Side(Biclustering.trusted(named, shape), gold)
        yield _added(Biclustering.trusted(renamed, shape), right)


def _choices(left: Side) -> Iterator[tuple[int, ...]]:
    """Every set of objects that can be new: in no class, and in one bicluster each, alone or beside old ones."""
    in_gold = {row for rows, _ in left.gold for row in rows}
    seen = Counter(row for rows, _ in left.candidate for row in rows)
    loose = sorted(row for row, times in seen.items() if times == 1 and row not in in_gold)
    for new in chain.from_iterable(combinations(loose, count) for count in range(1, len(loose) + 1)):
        if not any(len(rows) > 1 and rows.issubset(new) for rows, _ in left.candidate):
            yield new


condition(
    "B.1",
    name="Non-intersection area",
    statement=(
        "If objects that neither the candidate nor the gold clusters are added to the candidate, to an existing "
        "bicluster or as new one-object biclusters, the score must fall."
    ),
    citation=_readings.PATRIKAINEN,
    relation=WORSE,
    step="without the added objects",
    premise=premise,
    situations=of_biclusterings("fall", "canonical", "overlapping", moves=("added objects",)),
    sized=sized,
    readings=[
        _readings.of_biclusterings(
            "canonical",
            partial(strategy, must_meet=True),
            partial(enumerate_, must_meet=True),
            adds="Gold and candidate are disjoint and share a micro-object.",
            scope=_readings.UP_TO_TWO_FEATURES,
            complete=5,
        ),
        _readings.of_biclusterings(
            "literal",
            partial(strategy, must_meet=False),
            partial(enumerate_, must_meet=False),
            adds="Gold and candidate are disjoint; they may share no micro-object, but the gold is not empty.",
            scope=_readings.UP_TO_TWO_FEATURES,
            complete=5,
        ),
        _readings.of_biclusterings(
            "overlapping",
            partial(strategy, must_meet=True),
            partial(enumerate_, must_meet=True),
            adds="Gold and candidate may overlap; they share a micro-object.",
            scope=(
                "one feature, and two features with up to two objects (there at most two biclusters per side), up "
                "to renaming; with four objects at most two biclusters per side"
            ),
            complete=3,
            reach=4,
        ),
    ],
)
