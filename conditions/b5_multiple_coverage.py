"""B.5 Multiple coverage: one bicluster spanning several classes must not be optimal."""

from collections.abc import Iterator
from functools import partial

from hypothesis import strategies as st

from metaeval.catalogue.condition import Reading, condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._enumerate import up_to_renaming
from metaeval.conditions._pairs import listed_families
from metaeval.conditions._premise import is_disjoint, right_is_gold
from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import NOT_OPTIMAL
from metaeval.proofs.situation import SPANNED
from metaeval.strategies import biclusterings, integers

_OBJECTS = st.one_of(integers(1, 12), integers(1, 36))


def premise(case: Case, reading: str) -> bool:
    """One bicluster spans all classes' rows and columns; the right is the gold itself."""
    candidate, gold = case.left
    if not right_is_gold(case) or len(candidate) != 1 or len(gold) < 2:
        return False
    ((rows, cols),) = candidate
    if rows != frozenset().union(*(r for r, _ in gold)) or cols != frozenset().union(*(c for _, c in gold)):
        return False
    if reading == "overlapping":
        return True
    tiled = sum(len(r) * len(c) for r, c in gold) == len(rows) * len(cols)
    return is_disjoint(gold) and (reading == "literal" or tiled)


def _spanned(gold: Biclustering) -> Case:
    """Left, one bicluster with the rows and the columns of all classes; right, the gold itself."""
    rows: frozenset[int] = frozenset().union(*(rows for rows, _ in gold))
    cols: frozenset[int] = frozenset().union(*(cols for _, cols in gold))
    return Case(Side(Biclustering.trusted([(rows, cols)], gold.shape), gold), Side(gold, gold))


@st.composite
def canonical(draw: _strategy.Draw) -> Case:
    """A matrix cut in two again and again, by rows or by columns, until the pieces are the classes."""
    shape = (draw(_OBJECTS), draw(integers(1, 4)))
    if shape == (1, 1):
        shape = (2, 1)
    pieces: list[Bicluster] = [(frozenset(range(shape[0])), frozenset(range(shape[1])))]
    if shape[0] >= 3 and shape[1] >= 3 and draw(st.booleans()):
        pieces = _pinwheel(draw, *shape)
    for _ in range(draw(_strategy.quantities(1))):
        index = draw(integers(0, len(pieces) - 1))
        by_rows = draw(st.booleans())
        pieces[index : index + 1] = _halves(draw, pieces[index], by_rows)
    if len(pieces) == 1:
        pieces = _halves(draw, pieces[0], by_rows=shape[0] > 1)
    margin = draw(integers(0, 2))
    return _spanned(Biclustering.trusted(pieces, (shape[0] + margin, shape[1])))


def _pinwheel(draw: _strategy.Draw, objects: int, features: int) -> list[Bicluster]:
    """Five pieces, laid like the sails of a windmill around its hub.

    Every straight cut through the whole matrix goes through one of them, so that halving alone never makes
    such a gold standard.
    """

    def thirds(count: int) -> list[frozenset[int]]:
        first = draw(integers(1, count - 2))
        second = draw(integers(first + 1, count - 1))
        return [frozenset(range(*ends)) for ends in ((0, first), (first, second), (second, count))]

    top, middle, bottom = thirds(objects)
    left, centre, right = thirds(features)
    return [
        (top | middle, left), (bottom, left | centre), (middle | bottom, right), (top, centre | right),
        (middle, centre),
    ]  # fmt: skip


def _halves(draw: _strategy.Draw, piece: Bicluster, by_rows: bool) -> list[Bicluster]:
    rows, cols = piece
    whole = sorted(rows if by_rows else cols)
    if len(whole) == 1:
        return [piece]
    chosen = frozenset(draw(st.sets(st.sampled_from(whole), min_size=1, max_size=len(whole) - 1)))
    rest = frozenset(whole) - chosen
    return [(chosen, cols), (rest, cols)] if by_rows else [(rows, chosen), (rows, rest)]


@st.composite
def free(draw: _strategy.Draw, disjoint: bool) -> Case:
    """Any two or more classes."""
    shape = (1 + draw(_OBJECTS), draw(integers(1, 4)))
    most = draw(st.sampled_from((5, 5, 12)))
    gold = draw(biclusterings(shape=shape, min_biclusters=2, max_biclusters=most, disjoint=disjoint))
    return _spanned(gold)


def enumerate_(objects: int, disjoint: bool, tiled: bool = False) -> Iterator[Case]:
    """Every gold with two or more classes on a small matrix."""
    for features in (1, 2) if objects <= 3 else (1,):
        families = listed_families(objects, features, disjoint, most=3)
        several = tuple(family for family in families if len(family) >= 2)
        for case in map(_spanned, up_to_renaming((objects, features), several)):
            (rows, cols) = case.left.candidate.biclusters[0]
            covered = {(row, col) for r, c in case.left.gold for row in r for col in c}
            if not tiled or len(covered) == len(rows) * len(cols):
                yield case


condition(
    "B.5",
    name="Multiple coverage",
    statement=(
        "A single bicluster whose rows are the union of the classes' rows and whose columns are the union of "
        "their columns, for two or more distinct classes, must not reach the optimum."
    ),
    citation=_readings.PATRIKAINEN,
    relation=NOT_OPTIMAL,
    right_is_gold=True,
    premise=premise,
    situations={"canonical": SPANNED["disjoint"], "literal": SPANNED["disjoint"], "overlapping": SPANNED["any"]},
    readings=[
        Reading(
            "canonical",
            adds="The classes are disjoint and their cells tile the bicluster exactly.",
            domain="disjoint",
            strategy=canonical,
            enumerate_=partial(enumerate_, disjoint=True, tiled=True),
            scope=_readings.UP_TO_TWO_FEATURES,
            complete=6,
        ),
        _readings.of_biclusterings(
            "literal",
            free,
            enumerate_,
            adds="The classes are disjoint.",
            scope=_readings.UP_TO_TWO_FEATURES,
            complete=6,
        ),
        _readings.of_biclusterings(
            "overlapping",
            free,
            enumerate_,
            adds="The classes are any distinct ones.",
            scope=(
                "one feature, and two features with up to three objects (there at most three classes), up to "
                "renaming; with four objects at most three classes"
            ),
            complete=3,
            reach=4,
        ),
    ],
)
