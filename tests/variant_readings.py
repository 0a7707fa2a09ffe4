"""Readings that no measure can satisfy together with the others: why the registered ones say what they say.

Each admits what its registered reading leaves out, and all that it admits beside. They are not registered: whoever
wants one makes a condition with it. Strategies are those of the registered readings, which draw too little for
these; lists and premises are complete.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, permutations
from typing import NamedTuple

from metaeval.catalogue.condition import Condition, Group, Moves, Reading, find_condition
from metaeval.conditions import a1_homogeneity as a1
from metaeval.conditions import a2_completeness as a2
from metaeval.conditions import a3_rag_bag as a3
from metaeval.conditions import a4_size_versus_quantity as a4
from metaeval.conditions import b1_non_intersection_area as b1
from metaeval.conditions._clusters import Cluster, Sides
from metaeval.conditions._enumerate import held, replaced
from metaeval.conditions._premise import clusterings, inside_one_class
from metaeval.consistency.recheck import registered
from metaeval.consistency.survey import Surveyed, surveyed
from metaeval.core.case import Case


class Variant(NamedTuple):
    """A reading of a condition in other words; it has the name of the registered one in whose place it stands."""

    condition: str
    reading: Reading

    def altered(self) -> Condition:
        """The condition with this reading in place of the registered one."""
        registered = find_condition(self.condition)
        return replace(registered, readings={**registered.readings, self.reading.name: self.reading})


def _variant(
    condition: str, name: str, adds: str, premise: Callable[[Case], bool],
    enumerate_: Callable[[int], Iterator[Case]], complete: int, moves: Moves | None = None, reach: int = 0,
) -> Variant:  # fmt: skip
    registered = find_condition(condition).reading(name)
    changed = {"adds": adds, "premise": premise, "enumerate_": enumerate_, "complete": complete}
    changed |= {"reach": reach or complete, "moves": moves}
    # A situation describes what is registered, and may not describe more.
    return Variant(condition, replace(registered, **changed, situation=None))


# --- A.1: the mixed cluster may lie inside a class ------------------------------------------------------
def _split(case: Case) -> bool:
    """A cluster gave way to two disjoint parts of it, which lie in two different classes."""
    sets = clusterings(case)
    if sets is None or (len(sets.removed), len(sets.added)) != (1, 2):
        return False
    (mixed,), (one, other) = sets.removed, sets.added
    in_two = any(one <= first and other <= second for first, second in permutations(sets.gold, 2))
    return one | other == mixed and one.isdisjoint(other) and in_two


def _splits(clusters: list[Cluster], gold: list[Cluster]) -> Iterator[Sides]:
    for cluster in clusters:
        for size in range(1, len(cluster)):
            for one in map(frozenset, combinations(sorted(cluster), size)):
                other = cluster - one
                # Each way to cut a cluster once: the least object is in the first part.
                if min(cluster) in one and _in_two_classes(one, other, gold):
                    yield a1.sides(one, other)


def _in_two_classes(one: Cluster, other: Cluster, gold: list[Cluster]) -> bool:
    """Whether both parts have a class, and not the same one only."""
    homes = [{number for number, members in enumerate(gold) if part <= members} for part in (one, other)]
    return all(homes) and len(homes[0] | homes[1]) > 1


# --- A.2: a cluster may be a class ----------------------------------------------------------------------
def _joined(case: Case) -> bool:
    """Two clusters gave way to their union, which lies inside one class."""
    sets = clusterings(case)
    if sets is None or (len(sets.removed), len(sets.added)) != (2, 1):
        return False
    (one, other), (union,) = sets.removed, sets.added
    return one | other == union and inside_one_class(union, sets.gold)


def _joined_no_class(case: Case) -> bool:
    """The same of two clusters that are no classes."""
    sets = clusterings(case)
    return _joined(case) and sets is not None and sets.removed.isdisjoint(sets.gold)


def _unions(clusters: list[Cluster], gold: list[Cluster]) -> Iterator[Sides]:
    for one, other in combinations(clusters, 2):
        if held(one | other, gold) and one | other not in (one, other):
            yield a2.sides(one, other)


def _unions_of_no_class(clusters: list[Cluster], gold: list[Cluster]) -> Iterator[Sides]:
    return _unions([cluster for cluster in clusters if cluster not in gold], gold)


def _overlapping(moves: Moves, objects: int) -> Iterator[Case]:
    return replaced(objects, moves, perfect=True)


# --- A.4: the left may be the gold itself ---------------------------------------------------------------
def _exchanged(case: Case) -> bool:
    """Against some gold, right has r and 1 of r + 1 objects of a class, and r pairs that left has as singletons."""
    sets = clusterings(case)
    if sets is None:
        return False
    for large in sets.removed:
        for one in map(frozenset, combinations(sorted(large), 1)):
            pairs = sets.added - {large - one, one}
            singles = {frozenset({member}) for pair in pairs for member in pair}
            context = sets.left - {large} - singles
            named = {large - one, one, *pairs}
            fits = len(large) >= 3 and {*map(len, pairs)} == {2} and len(pairs) == len(large) - 1
            kept = len(singles) == 2 * len(pairs) and singles <= sets.left and context.isdisjoint(named)
            inside = all(inside_one_class(some, sets.gold) for some in (large, *pairs))
            if fits and kept and inside and len(named) == len(pairs) + 2 and sets.right == context | named:
                return True
    return False


def _exchanged_apart(case: Case) -> bool:
    """The same where the pairs share no object with each other, nor with the large cluster."""
    sets = clusterings(case)
    if sets is None or not _exchanged(case):
        return False
    large = max(sets.removed, key=len)
    return len(frozenset().union(*sets.removed, *sets.added)) == 3 * len(large) - 2


# --- B.1: the gold may be empty -------------------------------------------------------------------------
def _beside_any_gold(objects: int) -> Iterator[Case]:
    for left in b1.lefts(objects, disjoint=True):
        yield from b1.cases_of(left)


# --- all of them ----------------------------------------------------------------------------------------
def _smaller(condition: str, name: str, adds: str, complete: int) -> Variant:
    """A.3 with n = 1, or A.4 with r = 1."""
    module = {"A.3": a3, "A.4": a4}[condition]
    premise = partial(module.premise, reading=name, least=1)
    return _variant(
        condition, name, adds, premise, partial(module.enumerate_disjoint, partial=name == "literal", least=1), complete
    )


#: By what they say.
VARIANTS: dict[str, Variant] = {
    "A.1 inside a class": _variant(
        "A.1", "overlapping", "The mixed cluster may lie inside a class; its parts lie inside two different ones.",
        _split, partial(_overlapping, _splits), complete=3, moves=_splits,
    ),
    "A.2 of classes": _variant(
        "A.2", "overlapping", "Neither of the two clusters contains the other; either may be a class.", _joined,
        partial(_overlapping, _unions), complete=3, moves=_unions,
    ),
    "A.4 of the gold itself": _variant(
        "A.4", "overlapping", "r ≥ 2; pairs may share a class; the left may be the gold itself.", _exchanged,
        a4.enumerate_overlapping, complete=3, moves=a4.exchanges, reach=5,
    ),
    "A.4 of the gold itself, apart": _variant(
        "A.4", "overlapping", "r ≥ 2; pairs and large cluster share no object; the left may be the gold itself.",
        _exchanged_apart, lambda objects: iter(()), complete=3,
    ),
    "A.3 canonical from n = 1": _smaller("A.3", "canonical", "n ≥ 1.", complete=5),
    "A.3 literal from n = 1": _smaller("A.3", "literal", "n ≥ 1.", complete=5),
    "A.4 canonical from r = 1": _smaller("A.4", "canonical", "r ≥ 1.", complete=6),
    "A.4 literal from r = 1": _smaller("A.4", "literal", "r ≥ 1.", complete=6),
    "B.1 without a gold": _variant(
        "B.1", "literal", "Gold and candidate are disjoint; they may share no micro-object, and the gold may be empty.",
        partial(b1.has_grown, reading="literal"), _beside_any_gold, complete=5,
    ),
}  # fmt: skip

#: Readings that were registered before and left out more than contradicts A.5.
FORMER = {
    "A.2 of no class": _variant(
        "A.2", "overlapping", "Neither of the two clusters contains the other, and neither is itself a class.",
        _joined_no_class, partial(_overlapping, _unions_of_no_class), complete=3, moves=_unions_of_no_class,
    ),
}  # fmt: skip


def with_variant(name: str, *others: str) -> tuple[Group, ...]:
    """A variant reading, and other conditions under registered ones."""
    variant = VARIANTS[name]
    own = Group(variant.altered(), variant.reading)
    return own, *(registered(*place.split()) for place in others)


def contradicting_survey() -> list[Surveyed]:
    """A survey in which one condition is impossible by itself, and three are together."""
    return [
        surveyed("canonical", with_variant("A.3 canonical from n = 1", "A.1 canonical", "A.2 canonical"), 3),
        surveyed("literal", with_variant("B.1 without a gold", "B.2 canonical", "B.4 canonical", "A.1 literal"), 2),
    ]
