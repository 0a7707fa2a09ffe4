"""Small cases in extreme company: what a measure does to a few objects can depend on dozens around them.

Averages over clusters or classes give way when there are very many poor ones, or one that outweighs all.
Such contexts are rare among drawn cases, so they are tried outright, around the smallest cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from metaeval.cases import Case, Side
from metaeval.model import Bicluster, Biclustering, Shape

#: How many of the smallest cases are surrounded, and by how many objects.
CASES = 8
SIZES = (10, 30)

_KINDS: dict[str, Callable[[range], list[range]]] = {
    "together": lambda rows: [rows],
    "alone": lambda rows: _singles(rows),
    "a few and the rest alone": lambda rows: [rows[:3], *_singles(rows[3:])],
    "a third and the rest alone": lambda rows: [rows[: len(rows) // 3], *_singles(rows[len(rows) // 3 :])],
    "nowhere": lambda rows: [],
}


def surrounded(case: Case, right_is_gold: bool) -> Iterator[Case]:
    """The case with further objects, apart from all that is there: their classes and clusters of every kind.

    ``right_is_gold`` where the condition has the gold itself on the right.
    """
    features = next((cols for side in case for part in side for _, cols in part), None)
    if features is None:
        return
    first = case.objects
    for size, classes, clusters in product(SIZES, _KINDS, _KINDS):
        if classes == clusters == "nowhere":
            continue
        rows = range(first, first + size)
        yield _around(
            case,
            [(frozenset(run), features) for run in _KINDS[classes](rows)],
            [(frozenset(run), features) for run in _KINDS[clusters](rows)],
            (rows.stop, case.features),
            right_is_gold,
        )


def _around(
    case: Case, classes: list[Bicluster], clusters: list[Bicluster], shape: Shape, right_is_gold: bool
) -> Case:
    gold = Biclustering.trusted([*case.left.gold, *classes], shape)
    left, right = (Biclustering.trusted([*side.candidate, *clusters], shape) for side in case)
    return Case(Side(left, gold), Side(gold if right_is_gold else right, gold))


def _singles(rows: range) -> list[range]:
    return [rows[at : at + 1] for at in range(len(rows))]
