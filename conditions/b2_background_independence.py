"""B.2 Background independence: the score must not depend on what nobody clusters."""

from collections.abc import Iterator

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._pairs import drawn_pair, small_pairs
from metaeval.conditions._premise import all_disjoint, has_repeats, same_gold
from metaeval.core.biclustering import Biclustering, Shape
from metaeval.core.case import Case, Side
from metaeval.core.relation import EQUAL
from metaeval.proofs.situation import of_biclusterings
from metaeval.strategies import integers


def premise(case: Case, reading: str) -> bool:
    """The same families on a matrix with more objects, more features, or both."""
    left, right = case
    small, large = left.shape, right.shape
    return (
        same_gold(case)
        and left.candidate.family == right.candidate.family
        and small != large
        and small[0] <= large[0]
        and small[1] <= large[1]
        and not has_repeats(case)
        and (reading == "overlapping" or all_disjoint(case))
    )


def _on_larger(side: Side, shape: Shape) -> Case:
    """Left, a pair of biclusterings; right, the same on a larger matrix."""
    return Case(side, Side(*(Biclustering.trusted(family, shape) for family in side)))


def from_left(side: Side, more: int) -> Iterator[Case]:
    """The pair on a matrix with ``more`` further objects, or features, or both."""
    objects, features = side.gold.shape
    for shape in ((objects + more, features), (objects, features + more), (objects + more, features + more)):
        yield _on_larger(side, shape)


@st.composite
def strategy(draw: _strategy.Draw, disjoint: bool) -> Case:
    """A pair, and a matrix larger than its own."""
    side = draw(drawn_pair(disjoint))
    objects, features = side.gold.shape
    more_objects, more_features = draw(integers(0, 12)), draw(integers(0, 4))
    if not more_objects and not more_features:
        more_objects = 1
    return _on_larger(side, (objects + more_objects, features + more_features))


def enumerate_(objects: int, disjoint: bool) -> Iterator[Case]:
    """Every pair with at most ``objects`` objects, on a matrix with exactly these, and up to one more feature."""
    for fewer in range(1, objects + 1):
        for side in small_pairs(fewer, disjoint):
            features = side.gold.shape[1]
            if fewer < objects:
                yield _on_larger(side, (objects, features))
            yield _on_larger(side, (objects, features + 1))


condition(
    "B.2",
    name="Background independence",
    statement="The score must be the same when the same biclusterings lie in a larger matrix.",
    citation=_readings.PATRIKAINEN,
    relation=EQUAL,
    step="in the larger matrix",
    premise=premise,
    situations=of_biclusterings("free", "canonical", "overlapping"),
    from_left=from_left,
    readings=[
        _readings.of_biclusterings(
            "canonical", strategy, enumerate_, adds="Gold and candidate are disjoint.",
            scope="biclusters on one feature, or on two features and two objects; up to one feature more", complete=4,
        ),
        _readings.of_biclusterings(
            "overlapping", strategy, enumerate_, adds="Gold and candidate may overlap.",
            scope="biclusters on one feature, or at most two on two features and two objects; one feature more",
            complete=3,
        ),
    ],
)  # fmt: skip
