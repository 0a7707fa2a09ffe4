"""A.2 Completeness: joining two clusters of one class must raise the score."""

from collections.abc import Iterator
from itertools import combinations

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import Cluster, Sides, mask_of
from metaeval.conditions._enumerate import held, surrounded, two_clusters
from metaeval.conditions._premise import admitted, clusterings, inside_one_class
from metaeval.core.case import Case
from metaeval.core.relation import WORSE
from metaeval.proofs.situation import of_clusterings
from metaeval.strategies import integers


def premise(case: Case, reading: str) -> bool:
    """Two clusters gave way to their union, which lies inside one class; before, this was not the gold itself."""
    sets = clusterings(case)
    if sets is None or not admitted(sets, reading) or (len(sets.removed), len(sets.added)) != (2, 1):
        return False
    (one, other), (union,) = sets.removed, sets.added
    return (
        one | other == union
        and inside_one_class(union, sets.gold)
        # Else A.2 would contradict A.5: of the classes {0}, {1}, {0, 1, 2} themselves, two would better be joined.
        and sets.left != sets.gold
    )


def sides(one: Cluster, other: Cluster) -> Sides:
    """Left, two clusters; right, their union."""
    return [one, other], [one | other]


@st.composite
def disjoint(draw: _strategy.Draw, partial: bool) -> Case:
    """Two clusters of one class, with other objects around them."""
    one, other = _strategy.two_clusters(draw)
    return _strategy.in_context(draw, [one | other], sides(one, other), partial)


@st.composite
def overlapping(draw: _strategy.Draw) -> Case:
    """The same with free sets; the two clusters may share objects, and be classes, but neither contains the other."""
    own, theirs, both = draw(integers(1, 3)), draw(integers(1, 3)), draw(integers(0, 2))
    one, other = range(own + both), range(own, own + theirs + both)
    objects = other.stop + draw(_strategy.FURTHER)
    union = mask_of(range(other.stop))
    gold = [_strategy.wider(draw, union, objects), *_strategy.masks(draw, objects, around=[union])]
    gold += draw(st.sampled_from(((), (), (mask_of(one),), (mask_of(one), mask_of(other)))))
    return _strategy.in_free_context(draw, objects, gold, sides(frozenset(one), frozenset(other)))


def enumerate_disjoint(objects: int, partial: bool) -> Iterator[Case]:
    """Every two clusters, their union being a single item of a class: it fills one place."""
    for one, other in two_clusters(objects):
        yield from surrounded(sides(one, other), [[one | other]], objects, partial)


def unions(clusters: list[Cluster], gold: list[Cluster]) -> Iterator[Sides]:
    """Every two clusters, neither inside the other, whose union lies inside a class."""
    crossing = (pair for pair in combinations(clusters, 2) if pair[0] | pair[1] not in pair)
    return (sides(*pair) for pair in crossing if held(pair[0] | pair[1], gold))


condition(
    "A.2",
    name="Completeness",
    statement=("If two clusters that hold only objects of one class are replaced by their union, the score must rise."),
    citation=_readings.AMIGO,
    relation=WORSE,
    step="after the merger",
    premise=premise,
    situations=of_clusterings("rise", moves=("merge",)),
    readings=[
        _readings.canonical(disjoint, enumerate_disjoint, complete=8),
        _readings.literal(disjoint, enumerate_disjoint, complete=7),
        _readings.overlapping(
            overlapping,
            adds="Neither of the two clusters contains the other; the left is not the gold itself.",
            moves=unions,
        ),
    ],
)
