"""Small cases in extreme contexts: what a measure does to a few objects can depend on dozens around them.

Averages over clusters or classes give way when there are very many poor ones, or one that outweighs all.
Such contexts are rare among drawn cases, so they are tried outright, around the smallest cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from metaeval.cases import Case, Side
from metaeval.model import Bicluster, Biclustering, Shape

#: How many of the smallest cases are surrounded, and by how many objects.
CASES = 8
SIZES = (10, 30)

#: The ways to group further objects; in extreme contexts around the smallest cases, and in large ones.
_EXTREME: dict[str, Callable[[range], list[range]]] = {
    "together": lambda rows: [rows],
    "alone": lambda rows: _singles(rows),
    "a few and the rest alone": lambda rows: [rows[:3], *_singles(rows[3:])],
    "a third and the rest alone": lambda rows: [rows[: len(rows) // 3], *_singles(rows[len(rows) // 3 :])],
    "in blocks": lambda rows: [rows[at : at + 5] for at in range(0, len(rows), 5)],
    "nowhere": lambda rows: [],
}
KINDS: dict[str, Callable[[range], list[range]]] = {
    "together": lambda rows: [rows],
    "alone": lambda rows: _singles(rows),
    "in pairs": lambda rows: [rows[at : at + 2] for at in range(0, len(rows), 2)],
    "in eights": lambda rows: [rows[at : at + 8] for at in range(0, len(rows), 8)],
    "a third and the rest alone": _EXTREME["a third and the rest alone"],
    "nowhere": lambda rows: [],
}
#: How the further objects are clustered where they extend a class of the case.
_CLUSTERED = ("together", "alone", "nowhere")
#: How they are grouped where the gold standard of one side is the candidate of another.
_ACROSS = ("together", "alone", "in blocks")
#: How many of the case's classes are extended.
_EXTENDED = 3


def surrounded(case: Case, right_is_gold: bool) -> Iterator[Case]:
    """The case among further objects: first in classes and clusters of their own, of every kind; then in a class
    of the case.

    ``right_is_gold`` where the condition has the gold itself on the right.
    """
    features = next((cols for family in case.families for _, cols in family), None)
    if features is None:
        return
    if case.crosses_roles:
        yield from _surrounded_across(case, features)
        return
    for size in SIZES:
        rows = range(case.objects, case.objects + size)
        shape = (rows.stop, case.features)
        grouped = {kind: [(frozenset(run), features) for run in cut(rows)] for kind, cut in _EXTREME.items()}
        for classes, clusters in _contexts(list(case.left.gold), rows, grouped):
            yield _around(case, classes, clusters, shape, right_is_gold)


def among(case: Case, classes: str, clusters: str, size: int, right_is_gold: bool) -> Case:
    """The case among so many further objects, in classes and in clusters of these kinds of :data:`KINDS`.

    What the gold has first gives the features.
    """
    features = next((cols for family in case.families for _, cols in family), None)
    if features is None:
        return case
    rows = range(case.objects, case.objects + size)
    more, grouped = (
        [(frozenset(run), features) for run in KINDS[kind](rows) if run] for kind in (classes, clusters)
    )
    if case.crosses_roles:
        others = (family for family in case.families if family != case.left.gold)
        added = {case.left.gold: more, **dict.fromkeys(others, grouped)}
        return _around_across(case, added, (rows.stop, case.features))
    return _around(case, [*case.left.gold, *more], grouped, (rows.stop, case.features), right_is_gold)


def _contexts(
    gold: list[Bicluster], rows: range, grouped: dict[str, list[Bicluster]]
) -> Iterator[tuple[list[Bicluster], list[Bicluster]]]:
    """Pairs of all classes and the further clusters, for new rows apart from the gold and then inside a class."""
    for classes, clusters in product(grouped, grouped):
        if not classes == clusters == "nowhere":
            yield [*gold, *grouped[classes]], grouped[clusters]
    for index, clusters in product(range(min(_EXTENDED, len(gold))), _CLUSTERED):
        extended = (gold[index][0] | {*rows}, gold[index][1])
        yield [*gold[:index], extended, *gold[index + 1 :]], grouped[clusters]


def _around(
    case: Case, classes: list[Bicluster], clusters: list[Bicluster], shape: Shape, right_is_gold: bool
) -> Case:
    gold = Biclustering.trusted(classes, shape)
    candidates = [Biclustering.trusted([*side.candidate, *clusters], shape) for side in case]
    if right_is_gold:
        candidates[1] = gold
    return Case(*(Side(candidate, gold) for candidate in candidates))


def _surrounded_across(case: Case, features: frozenset[int]) -> Iterator[Case]:
    """The case among further objects that each of its biclusterings groups in its own way, wherever it stands."""
    families = list(dict.fromkeys(case.families))
    for size in SIZES:
        rows = range(case.objects, case.objects + size)
        grouped = [[(frozenset(run), features) for run in _EXTREME[kind](rows)] for kind in _ACROSS]
        for added in product(grouped, repeat=len(families)):
            yield _around_across(case, dict(zip(families, added, strict=True)), (rows.stop, case.features))


def _around_across(case: Case, added: Mapping[Biclustering, list[Bicluster]], shape: Shape) -> Case:
    wider = {family: Biclustering.trusted([*family, *more], shape) for family, more in added.items()}
    return Case(*(Side(*(wider[family] for family in side)) for side in case))


def _singles(rows: range) -> list[range]:
    return [rows[at : at + 1] for at in range(len(rows))]
