"""Contradictions beyond complete lists: a left that is the gold itself, and all clusterings of four objects."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components

from metaeval.cases.enlarge import CASES
from metaeval.cases.order import CaseSource
from metaeval.cases.pack import PackedSource
from metaeval.cases.store import default_pack
from metaeval.catalogue.condition import Group, conditions
from metaeval.consistency.graph import Listen, path_to
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import NOT_OPTIMAL, OPTIMAL, PERFECT_MATCH, WITHIN, WORSE

#: The number of objects of which all clusterings are looked at, and of their clusters.
OBJECTS = 4
_CLUSTERS = 2**OBJECTS - 1
_EVERY = [frozenset(row for row in range(OBJECTS) if mask >> row & 1) for mask in range(1, _CLUSTERS + 1)]
_CANDIDATES = np.arange(2**_CLUSTERS)
#: So many cases with a perfect left are looked at, the smallest: one is enough for a circle.
_FEW = 20
_ABOUT_OPTIMUM = (PERFECT_MATCH, OPTIMAL, NOT_OPTIMAL, WITHIN)


def cases_beyond(groups: Sequence[Group], listen: Listen) -> Iterator[list[tuple[Group, Case]]]:
    """Cases that may close a circle with those that are listed, in portions."""
    optimal = [group for group in groups if group.condition.relation in _ABOUT_OPTIMUM]
    worse = [group for group in groups if group.condition.relation is WORSE and group.reading.domain != "partitions"]
    for group in worse if optimal else ():
        listen(f"trying {group} with a left that is the gold itself")
        made = (made for case in _every_case(group) for made in _equated(case) if group.reading.premise(made))
        smallest = sorted(dict.fromkeys(made), key=lambda case: case.size)[:_FEW]
        yield [demand for case in smallest for demand in _with_optimum(group, case, optimal)]
    if any(group.reading.moves for group in worse):
        listen(f"trying all clusterings of {OBJECTS} objects")
        yield from _among_all(worse, optimal)


def complete_beyond(groups: Sequence[Group]) -> Iterator[str]:
    """What :func:`cases_beyond` looks at completely, as sentences."""
    if moved := [group.condition.id for group in groups if group.reading.moves]:
        yield f"{', '.join(moved)} overlapping: all clusterings of {OBJECTS} objects on one feature, against every gold"


# --- a left that is the gold itself


def _with_optimum(group: Group, case: Case, optimal: Sequence[Group]) -> Iterator[tuple[Group, Case]]:
    """A case whose left is a perfect match, and what the others say of both its sides."""
    yield group, case
    match = Side(case.left.gold, case.left.gold)
    said = {OPTIMAL: Case(match, match), WITHIN: Case(case.right)}
    about = ((other, said.get(other.condition.relation, Case(case.right, match))) for other in optimal)
    yield from ((other, demand) for other, demand in about if other.reading.premise(demand))


def _every_case(group: Group) -> Iterator[Case]:
    """All listed, drawn and large cases."""
    condition, reading = group
    source: PackedSource | CaseSource
    if conditions().get(condition.id) is condition:
        source = PackedSource(reading, default_pack(condition.id))
    else:
        source = CaseSource(condition, reading, (), None, seed=0, most_large=CASES)
    for _, cases in source.levels():
        yield from cases
    yield from source.listed_elsewhere()
    yield from source.drawn()
    yield from source.large()


def _equated(case: Case) -> Iterator[Case]:
    """The case with the left's candidate as gold, the gold as left, or both of them together as both."""
    left, right, gold = case.left.candidate, case.right.candidate, case.left.gold
    if left.shape == right.shape == gold.shape:
        removed, added = (
            [one for one in these if one not in others] for these, others in ((left, right), (right, left))
        )
        for whole in (left, gold, Biclustering.trusted(dict.fromkeys([*left, *gold]), left.shape)):
            if {*removed} <= {*whole} and not {*added} & {*whole}:
                kept = [one for one in whole if one not in removed]
                yield Case(Side(whole, whole), Side(Biclustering.trusted([*kept, *added], left.shape), whole))


# --- all clusterings of four objects on one feature, as bitmasks: bit k is the cluster with the bitmask k + 1


def _among_all(worse: Sequence[Group], optimal: Sequence[Group]) -> Iterator[list[tuple[Group, Case]]]:
    """For each gold up to names, the cases of a circle, if there is one."""
    for gold in _golds():
        changes = [
            _Change(group, gold, *map(_bits, move))
            for group in worse
            for move in (group.reading.moves(_EVERY, _clusters(gold)) if group.reading.moves else ())
        ]
        beaten = [change for change in changes if change.applies(gold) and change.is_instance(gold)]
        for change in beaten if optimal else ():
            yield [*_with_optimum(change.group, change.case(gold), optimal)]
        if changes and not _have_potential(changes):
            circle = _circle(gold, changes)
            yield [(change.group, change.case(candidate)) for candidate, change in circle]
            if circle:
                return


def _golds() -> list[int]:
    """One gold for all that differ by names."""
    least = _CANDIDATES.copy()
    for order in permutations(range(OBJECTS)):
        image = np.zeros_like(least)
        for mask in range(1, _CLUSTERS + 1):
            renamed = sum(1 << order[row] for row in range(OBJECTS) if mask >> row & 1)
            image |= (_CANDIDATES >> mask - 1 & 1) << renamed - 1
        np.minimum(least, image, out=least)
    return [int(gold) for gold in np.flatnonzero(least == _CANDIDATES)]


def _bits(clusters: Sequence[frozenset[int]]) -> int:
    return sum(1 << sum(1 << row for row in cluster) - 1 for cluster in clusters)


def _clusters(family: int) -> list[frozenset[int]]:
    return [cluster for place, cluster in enumerate(_EVERY) if family >> place & 1]


Candidates = TypeVar("Candidates", int, np.ndarray)


class _Change:
    """A condition's change of some clusters against a gold; all other clusters are the same before and after."""

    def __init__(self, group: Group, gold: int, before: int, after: int) -> None:
        self.group, self._gold, self.before, self.after = group, gold, before, after
        self._new = after & ~before

    def applies(self, candidate: Candidates) -> Any:
        """Whether one can be changed or, of many, which ones."""
        return (candidate & self.before == self.before) & (candidate & self._new == 0)

    def result(self, candidate: Candidates) -> Candidates:
        return candidate & ~self.before | self.after

    def case(self, candidate: int) -> Case:
        gold, left, right = (
            Biclustering.lifted(_clusters(family), shape=(OBJECTS, 1))
            for family in (self._gold, candidate, self.result(candidate))
        )
        return Case(Side(left, gold), Side(right, gold))

    def is_instance(self, candidate: int) -> bool:
        return self.group.reading.premise(self.case(candidate))


def _have_potential(changes: Sequence[_Change]) -> bool:
    """Whether some weights of the clusters, as integers, rise in sum with every change: then there is no circle."""
    from scipy.optimize import linprog  # loaded here: nothing else needs it

    differences = {(change.before & ~change.after, change.after & ~change.before) for change in changes}
    matrix = np.array([[(new >> k & 1) - (old >> k & 1) for k in range(_CLUSTERS)] for old, new in differences])
    found = linprog(np.ones(_CLUSTERS), A_ub=-matrix, b_ub=-np.ones(len(matrix)), bounds=(-1000, 1000), method="highs")
    return found.x is not None and bool((matrix @ np.rint(1000 * found.x).astype(np.int64) > 0).all())


def _circle(gold: int, changes: Sequence[_Change]) -> list[tuple[int, _Change]]:
    """The changes of a shortest circle, each with its candidate; none if there is no circle."""
    lefts = [np.flatnonzero(change.applies(_CANDIDATES)) for change in changes]  # a candidate is its own place
    lefts = [
        some if change.is_instance(gold) else some[some != gold] for change, some in zip(changes, lefts, strict=True)
    ]
    ends = np.concatenate([[some, change.result(some)] for change, some in zip(changes, lefts, strict=True)], axis=1)
    size = len(_CANDIDATES)
    matrix = csr_matrix((np.ones(ends.shape[1], dtype=np.int8), (ends[0], ends[1])), shape=(size, size))
    component = connected_components(matrix, directed=True, connection="strong")[1]
    inside = np.flatnonzero(component[ends[0]] == component[ends[1]])
    if not len(inside):
        return []
    lower, upper = (int(end) for end in ends[:, inside[0]])
    steps = [*pairwise(path_to(lower, breadth_first_order(matrix, upper)[1])), (lower, upper)]
    return [(start, _leading(changes, start, end)) for start, end in reversed(steps)]


def _leading(changes: Sequence[_Change], start: int, end: int) -> _Change:
    applying = (change for change in changes if change.applies(start) and change.is_instance(start))
    return next(change for change in applying if change.result(start) == end)
