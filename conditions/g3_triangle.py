"""G.3 Triangle inequality: what is missing to the best score is a distance between clusterings."""

from collections.abc import Iterable, Iterator, Sequence

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import lift
from metaeval.conditions._enumerate import partitions, triples
from metaeval.conditions._premise import Clusters, are_partitions
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import TRIANGLE
from metaeval.strategies import integers

_OBJECTS = st.one_of(integers(3, 6), integers(3, 12), integers(3, 36))


def premise(case: Case, reading: str) -> bool:
    """The first against the second, the second against the third, and the first against the third; all different.

    Were two of them the same, nothing would be asked but whether a score is above the best, or a perfect match below.
    """
    there, on, direct = case
    first, second, third = there.candidate.family, there.gold.family, on.gold.family
    return (
        on.candidate.family == second
        and (direct.candidate.family, direct.gold.family) == (first, third)
        and len({first, second, third}) == 3
        and are_partitions(case.families)
    )


def _around(first: Biclustering, second: Biclustering, third: Biclustering) -> Case:
    """The two ways that make up the detour, and the direct one."""
    return Case(Side(first, second), Side(second, third), Side(first, third))


@st.composite
def strategy(draw: _strategy.Draw) -> Case:
    """Two partitions and a third, often one that is made of them; in any order."""
    objects = draw(_OBJECTS)
    one, other = (_clusters(_strategy.partition_of(draw, objects)) for _ in range(2))
    three = _made_to_differ([one, other, _third(draw, one, other, objects)], objects)
    count, features = _strategy.some_features(draw)
    return _around(*(lift(family, (objects, count), features) for family in draw(st.permutations(three))))


def _clusters(groups: Iterable[Iterable[int]]) -> Clusters:
    return frozenset(map(frozenset, groups))


def _third(draw: _strategy.Draw, one: Clusters, other: Clusters, objects: int) -> Clusters:
    """What both clusterings hold together, one of them with a cluster cut in two, or any partition."""
    kind = draw(integers(0, 2))
    if kind == 0:
        return frozenset(both for a in one for b in other if (both := a & b))
    if kind == 1:
        largest = max(one, key=lambda cluster: (len(cluster), min(cluster)))
        part = frozenset(sorted(largest)[: draw(integers(1, len(largest)))])
        return frozenset(filter(None, (*(one - {largest}), part, largest - part)))
    return _clusters(_strategy.partition_of(draw, objects))


def _made_to_differ(three: Sequence[Clusters], objects: int) -> list[Clusters]:
    """The partitions, those that occur twice replaced by what three objects already have three of."""
    rows = range(objects)
    spare = [_clusters([rows]), _clusters([row] for row in rows), _clusters([rows[:1], rows[1:]])]
    found: list[Clusters] = []
    for one in three:
        unused = (other for other in spare if other not in (*three, *found))
        found.append(next(unused) if one in found else one)
    return found


def enumerate_(objects: int) -> Iterator[Case]:
    """Every three different partitions, in order."""
    for three in triples((objects, 1), partitions(objects)) if objects else ():
        if len(set(three)) == 3:
            yield _around(*three)


condition(
    "G.3",
    name="Triangle inequality",
    statement=(
        "What is missing to the best score is a distance: from one clustering to another it is never further than by "
        "way of a third."
    ),
    citation=_readings.GOSGENS,
    relation=TRIANGLE,
    premise=premise,
    readings=[
        _readings.of_partitions(
            strategy,
            enumerate_,
            complete=5,
            adds=(
                "All three are different partitions of the same objects, in every order. Of each two, the earlier one "
                "is the candidate, so that an asymmetric measure is asked about both directions."
            ),
        )
    ],
)
