"""G.3 Triangle inequality: what is missing to the best score is a distance between clusterings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hypothesis import strategies as st

from metaeval.cases import TRIANGLE, Case, Side
from metaeval.condition import Reading, condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import Cluster, lift
from metaeval.conditions._enumerate import biclustering, partitions, triples
from metaeval.conditions._premise import are_partitions
from metaeval.model import Biclustering
from metaeval.strategies import integers

_OBJECTS = st.one_of(integers(1, 6), integers(1, 12), integers(1, 36))


def premise(case: Case, reading: str) -> bool:
    """The first against the second, the second against the third, and the first against the third."""
    direct = case[2]
    return (
        case[0].gold.family == case[1].candidate.family
        and direct.candidate.family == case[0].candidate.family
        and direct.gold.family == case[1].gold.family
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
    third = _third(draw, one, other, objects)
    count, features = _strategy.some_features(draw)
    lifted = (lift(family, (objects, count), features) for family in draw(st.permutations([one, other, third])))
    return _around(*lifted)


def _clusters(groups: Iterable[Iterable[int]]) -> list[Cluster]:
    return [frozenset(group) for group in groups]


def _third(draw: _strategy.Draw, one: list[Cluster], other: list[Cluster], objects: int) -> list[Cluster]:
    """What both clusterings hold together, one of them with a cluster cut in two, or any partition."""
    kind = draw(integers(0, 2))
    if kind == 0:
        return [both for a in one for b in other if (both := a & b)]
    if kind == 1:
        longest = max(one, key=len)
        part = frozenset(sorted(longest)[: draw(integers(1, len(longest)))])
        return [*(cluster for cluster in one if cluster != longest), *filter(None, (part, longest - part))]
    return _clusters(_strategy.partition_of(draw, objects))


def enumerate_(objects: int) -> Iterator[Case]:
    """Every three partitions, in order."""
    if objects:
        for three in triples(objects, 1, partitions(objects)):
            yield _around(*(biclustering(family, (objects, 1)) for family in three))


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
        Reading(
            "canonical",
            adds=(
                "All three are partitions of the same objects. Of each two, the earlier one is the candidate, so that "
                "an asymmetric measure is asked about both directions."
            ),
            domain="partitions",
            strategy=strategy,
            enumerate_=enumerate_,
            scope=_readings.ONE_FEATURE,
            complete=5,
            reach=5,
        )
    ],
)
