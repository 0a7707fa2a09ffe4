"""G.1 Strict monotonicity: perfect mergers and perfect splits must raise the score.

A merger is perfect where both clusters lie inside one class, a split where it cuts no class: of every class, what is in
the cluster stays together. Such a step puts no two objects wrong that were right. It is about partitions, and is
offered for disjoint clusterings that leave objects out; where clusters overlap, two objects can be together several
times, and the source says nothing of that.
"""

from collections.abc import Iterator
from itertools import chain

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import Cluster, Sides, lifted_case
from metaeval.conditions._enumerate import Column, in_one_of_two, surrounded, two_clusters
from metaeval.conditions._premise import admitted, clusterings, inside_one_class
from metaeval.core.case import Case
from metaeval.core.grouping import grouped
from metaeval.core.relation import WORSE
from metaeval.proofs.situation import of_clusterings
from metaeval.strategies import integers, lists


def premise(case: Case, reading: str) -> bool:
    """A perfect merger or a perfect split, the gold being neither one class nor only singletons."""
    sets = clusterings(case)
    if sets is None or not admitted(sets, reading):
        return False
    if len(sets.gold) < 2 or all(len(members) == 1 for members in sets.gold):
        return False
    if (len(sets.removed), len(sets.added)) == (2, 1):
        (one, other), (whole,) = sets.removed, sets.added
        return one | other == whole and inside_one_class(whole, sets.gold)
    if (len(sets.removed), len(sets.added)) == (1, 2):
        (whole,), (one, other) = sets.removed, sets.added
        cut = any(members & one and members & other for members in sets.gold)
        return one | other == whole and not cut
    return False


def merged(one: Cluster, other: Cluster) -> Sides:
    """Left, two clusters; right, their union."""
    return [one, other], [one | other]


def split(one: Cluster, other: Cluster) -> Sides:
    """Left, the cluster that holds both; right, its two parts."""
    return [one | other], [one, other]


@st.composite
def strategy(draw: _strategy.Draw, partial: bool) -> Case:
    """Two clusters of one class, or of several that they do not share, with other objects around them."""
    one, other = _strategy.two_clusters(draw)
    if draw(st.booleans()):
        named, lost, sides = [[*one, *other]], 0, merged(one, other)
    else:
        named = [*_some_classes(draw, one), *_some_classes(draw, other)]
        lost = draw(integers(0, len(named))) if partial and draw(st.booleans()) else 0
        sides = split(one, other)
    around = _strategy.Context(draw, named, partial)
    count, features = _strategy.some_features(draw)
    # Some of the cluster's objects may be in no class: theirs are left out.
    gold, clusters = around.classes[lost:], around.clusters
    objects = around.objects
    while len(gold) < 2 or all(len(members) == 1 for members in gold):
        new = [objects, objects + 1]
        gold, clusters, objects = [*gold, new], [*clusters, new], objects + 2
    return lifted_case(gold, sides, clusters, (objects, count), features)


def _some_classes(draw: _strategy.Draw, cluster: Cluster) -> list[list[int]]:
    """The cluster's objects by a few labels."""
    labels = draw(lists(integers(0, 2), min_size=len(cluster), max_size=len(cluster)))
    return grouped(sorted(cluster), dict(zip(sorted(cluster), labels, strict=True)).__getitem__)


def enumerate_(objects: int, partial: bool) -> Iterator[Case]:
    """Every two clusters: put together, as an item of one class; and cut apart, as objects of several classes."""
    for one, other in two_clusters(objects):
        parts: list[Column] = [[[row] for row in sorted(part)] for part in (one, other)]
        mergers = surrounded(merged(one, other), [[one | other]], objects, partial)
        splits = surrounded(split(one, other), parts, objects, partial, in_one_of_two, classified=0)
        for case in chain(mergers, splits):
            sizes = [len(rows) for rows, _ in case.left.gold]
            if len(sizes) > 1 and max(sizes) > 1:
                yield case


NOT_TRIVIAL = "The gold is neither one class nor only singletons."
READINGS = (
    _readings.canonical(strategy, enumerate_, complete=6, adds=NOT_TRIVIAL),
    _readings.literal(strategy, enumerate_, complete=5, adds=NOT_TRIVIAL),
)
#: What leads from left to right, as proofs name it.
MOVES = ("merge", "split without cutting a class")


condition(
    "G.1",
    name="Strict monotonicity",
    statement=(
        "If two clusters inside one class are merged, or a cluster is split in two so that no class is cut, the score "
        "must rise."
    ),
    citation=_readings.GOSGENS,
    relation=WORSE,
    step="after the perfect merger or split",
    premise=premise,
    situations=of_clusterings("rise", moves=MOVES),
    readings=READINGS,
)
