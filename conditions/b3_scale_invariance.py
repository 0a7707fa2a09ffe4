"""B.3 Scale invariance: k copies of every object and every feature must not change the score."""

from collections.abc import Iterator

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._pairs import drawn_pair, multiplied_pairs
from metaeval.conditions._premise import all_disjoint, has_repeats
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import EQUAL
from metaeval.core.renaming import is_scaled
from metaeval.proofs.situation import of_biclusterings
from metaeval.strategies import integers


def premise(case: Case, reading: str) -> bool:
    """Up to names, the right is the left with every object and every feature k times, k ≥ 2."""
    (objects, features), larger = case.left.shape, case.right.shape
    if not objects or not features:
        return False
    times = larger[0] // objects
    return (
        times >= 2
        and larger == (times * objects, times * features)
        and not has_repeats(case)
        and (reading == "overlapping" or all_disjoint(case))
        and is_scaled(case.left, case.right, times)
    )


def scaled(family: Biclustering, times: int) -> Biclustering:
    """Object r becomes the objects r·k … r·k + k − 1, and so with the features."""

    def copies(indices: frozenset[int]) -> frozenset[int]:
        return frozenset().union(*[range(index * times, (index + 1) * times) for index in indices])

    objects, features = family.shape
    return Biclustering.trusted(
        ((copies(rows), copies(cols)) for rows, cols in family), (objects * times, features * times)
    )


def _scaled_case(side: Side, times: int) -> Case:
    """Left, a pair of biclusterings; right, the same with k copies of every object and every feature."""
    return Case(side, Side(*(scaled(family, times) for family in side)))


def from_left(side: Side, times: int) -> Iterator[Case]:
    """The pair scaled."""
    yield _scaled_case(side, times)


@st.composite
def strategy(draw: _strategy.Draw, disjoint: bool) -> Case:
    """A pair and a factor."""
    return _scaled_case(draw(drawn_pair(disjoint)), draw(integers(2, 4)))


def enumerate_(objects: int, disjoint: bool) -> Iterator[Case]:
    """Every pair and every factor that together give this number of objects."""
    return (_scaled_case(side, times) for side, times in multiplied_pairs(objects, disjoint))


condition(
    "B.3",
    name="Scale invariance",
    statement="The score must be the same when every object and every feature is replaced by k copies of it.",
    citation=_readings.PATRIKAINEN,
    relation=EQUAL,
    step="with k copies of every object and feature",
    premise=premise,
    situations=of_biclusterings("scale", "canonical", "overlapping"),
    from_left=from_left,
    readings=[
        _readings.of_biclusterings(
            "canonical",
            strategy,
            enumerate_,
            adds="Gold and candidate are disjoint; k ≥ 2.",
            scope="before scaling, one feature, or two features and up to two objects; up to renaming",
            complete=8,
        ),
        _readings.of_biclusterings(
            "overlapping",
            strategy,
            enumerate_,
            adds="Gold and candidate may overlap; k ≥ 2.",
            scope=(
                "before scaling, one feature, or at most two biclusters per side on two features and up to two "
                "objects; up to renaming"
            ),
            complete=6,
        ),
    ],
)
