"""G.4 Constant baseline: the mean over all candidates of given sizes must not depend on these, nor on the gold."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from itertools import combinations, product
from math import factorial, prod

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import cut, groupings, lift
from metaeval.conditions._enumerate import Vector, sums
from metaeval.conditions._premise import are_partitions
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import MEAN_EQUAL
from metaeval.strategies import integers

#: The sizes of a pool's clusters, and of its gold's classes.
Sizes = tuple[Vector, Vector]

_OBJECTS = st.one_of(integers(2, 5), integers(2, 6), integers(5, 7))
_NON_TRIVIAL_OBJECTS = st.one_of(integers(4, 6), integers(4, 7))


def premise(case: Case, reading: str) -> bool:
    """Two pools on the same objects, each of all candidates of some sizes, which differ in these or in the classes."""
    if not are_partitions(case.families):
        return False
    left, right = ((_sizes(side.candidate), _sizes(side.gold)) for side in case)
    if left == right or not all(map(_is_complete, case)):
        return False
    return reading == "canonical" or all(1 < len(sizes) < case.objects for sizes in (*left, *right))


def _sizes(family: Biclustering) -> Vector:
    return tuple(sorted((len(rows) for rows, _ in family), reverse=True))


def _is_complete(pool: Side) -> bool:
    """Whether a pool has every candidate of its sizes, each once: they are counted, not made."""
    sizes = _sizes(pool.candidate)
    if any(_sizes(candidate) != sizes for candidate in pool.candidates):
        return False
    alike = prod(map(factorial, sizes)) * prod(map(factorial, Counter(sizes).values()))
    return (
        len({candidate.family for candidate in pool.candidates})
        == len(pool.candidates)
        == (factorial(sum(sizes)) // alike)
    )


@st.composite
def strategy(draw: _strategy.Draw, trivial: bool) -> Case:
    """Two pools of other sizes, or against other classes, whose objects have any names."""
    objects = draw(_OBJECTS if trivial else _NON_TRIVIAL_OBJECTS)
    left = draw(st.sampled_from(_kinds(objects, trivial)))
    right = draw(st.sampled_from([kind for kind in _kinds(objects, trivial) if kind != left]))
    count, features = _strategy.some_features(draw)
    shape = (objects, count)
    names = [draw(st.permutations(range(objects))) for _ in range(2)]
    sides = []
    for (sizes, classes), order in zip((left, right), names, strict=True):
        candidates = (lift(clusters, shape, features) for clusters in groupings(range(objects), sizes))
        gold = lift(([order[at] for at in run] for run in cut(classes)), shape, features)
        sides.append(Side(*candidates, gold))
    return Case(*sides)


@cache
def _kinds(objects: int, trivial: bool) -> list[Sizes]:
    """The sizes that a pool's clusters and its gold's classes can have."""
    every = [sizes for sizes in sums(objects) if trivial or 1 < len(sizes) < objects]
    return list(product(every, every))


def enumerate_(objects: int, trivial: bool) -> Iterator[Case]:
    """Every two pools, in one order."""
    shape = (objects, 1)
    pools = [
        Side(*(lift(one, shape) for one in groupings(range(objects), sizes)), lift(cut(classes), shape))
        for sizes, classes in _kinds(objects, trivial)
    ]
    return (Case(one, other) for one, other in combinations(pools, 2))


_SCOPE = "one feature, up to renaming and to which of two pools is the left one"

condition(
    "G.4",
    name="Constant baseline",
    statement=(
        "The mean score of all candidates with given sizes of clusters depends neither on these sizes nor on the gold "
        "standard."
    ),
    citation=_readings.GOSGENS,
    relation=MEAN_EQUAL,
    step="with other sizes or another gold standard",
    premise=premise,
    readings=[
        _readings.of_partitions(
            partial(strategy, trivial=True),
            partial(enumerate_, trivial=True),
            complete=6,
            adds=f"{_readings.PARTITIONS} Each pool has all candidates of its sizes.",
            scope=_SCOPE,
        ),
        _readings.of_partitions(
            partial(strategy, trivial=False),
            partial(enumerate_, trivial=False),
            complete=6,
            name="non-trivial",
            adds=(
                "As canonical, with more than one cluster and class, and fewer than objects: many a measure has no "
                "choice where everything is together or alone."
            ),
            scope=_SCOPE,
        ),
    ],
)
