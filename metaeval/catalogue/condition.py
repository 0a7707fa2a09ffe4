"""Conditions and their readings, and the registry that finds them by id; which of them admit a case, with examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from metaeval.catalogue.registry import Registry, match
from metaeval.core.case import Case, Side
from metaeval.core.errors import InputError
from metaeval.core.relation import Relation
from metaeval.proofs.situation import Situation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

#: The names of readings, from the situation the source pictures to everything the sentence admits; then those that
#: leave out what is trivial, or degenerate. No two begin with the same letter, by which tables tell them apart.
READINGS = ("canonical", "literal", "overlapping", "repeated", "non-trivial", "proper")

#: What a reading's cases can be, and the domains of measures that hold them all. Clusterings are lifted
#: families of objects, covering or not, disjoint or not; partitions are lifted, disjoint and covering.
_HOLDING = {
    "biclusterings": {"biclusterings"},
    "disjoint": {"biclusterings", "disjoint"},
    "clusterings": {"biclusterings", "clusterings"},
    "disjoint clusterings": {"biclusterings", "disjoint", "clusterings"},
    "partitions": {"biclusterings", "disjoint", "clusterings", "partitions"},
}


#: Of the clusters and the classes of objects, all changes from clusters that are there to others in their place.
Moves = Callable[
    [list[frozenset[int]], list[frozenset[int]]], Iterator[tuple[list[frozenset[int]], list[frozenset[int]]]]
]
#: Judges whether a ``case`` is an instance of a condition under the ``reading`` of that name.
Premise = Callable[..., bool]


def has_one_feature(case: Case) -> bool:
    """The scope that most enumerators list without a gap."""
    return case.features == 1


def _unbound(case: Case) -> bool:
    raise InputError("this reading has no premise yet; it gets one when its condition is registered")


@dataclass(frozen=True)
class Reading:
    """A precise set of cases, in three parts that are written apart so that they check each other.

    ``strategy`` constructs cases; ``premise`` judges any case and never constructs; ``enumerate_`` lists all cases with
    a given number of objects, up to renaming, within ``scope``. Up to ``complete`` objects that list is complete. Up to
    ``reach`` objects the search goes by default; ``complete`` if it is not given. ``domain`` is the narrowest kind of
    biclusterings that holds all cases. ``within`` says in code what ``scope`` says in words. It may be false for listed
    cases, such as some on two features. But if it is true for a case with at most ``complete`` objects, the case is
    listed, under these names or others.

    The premise may be left to ``condition``, which binds its own to the reading's name.

    A fourth part is for proofs: the ``situation`` describes every case. Without one, nothing is ever proved. ``moves``
    lead from the left to the right among clusterings that overlap, whatever else the candidate has.
    """

    name: str
    adds: str
    domain: str
    strategy: Callable[[], SearchStrategy[Case]]
    enumerate_: Callable[[int], Iterator[Case]]
    scope: str
    complete: int
    reach: int = 0
    within: Callable[[Case], bool] = has_one_feature
    premise: Callable[[Case], bool] = _unbound
    situation: Situation | None = None
    moves: Moves | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "reach", self.reach or self.complete)

    def lies_in(self, domain: str) -> bool:
        """Whether every case is one that a measure with this domain is defined on."""
        return domain in _HOLDING[self.domain]

    def lists(self, case: Case) -> bool:
        """Whether the enumerator lists this instance of the reading, under these names or others."""
        return case.objects <= self.complete and self.within(case)


@dataclass(frozen=True)
class Excluded:
    """What a condition's sentence would admit and every reading leaves out, because no measure can satisfy it.

    ``cases`` lists such cases, among them one whose left and right differ by names alone.
    """

    what: str
    cases: Callable[[], Iterator[Case]]


@dataclass(frozen=True)
class Condition:
    """How any good measure must behave: a statement, a relation and its readings.

    ``right_is_gold`` where the right candidate is the gold itself, so that whoever changes a case's gold
    must change the candidate with it. ``step`` says what leads from the left to the right, as a phrase that
    "the score should rise" can follow.

    Two further parts help a search to reach far, and may be missing: ``sized`` makes what the sentence names at
    a size, for sentences that tie the sizes of several clusters together; ``from_left`` makes the cases of a left
    side, for sentences in which the right follows from it and from a number. ``excluded`` is what the sentence would
    admit, and why it is left out.

    A measure of clusterings of objects cannot be asked about biclusterings. ``of_clusterings`` is the same condition
    for such measures: the same names of readings, cases on one feature. ``key`` tells the two apart inside metaeval.
    """

    id: str
    name: str
    statement: str
    citation: str
    relation: Relation
    readings: Mapping[str, Reading]
    right_is_gold: bool = False
    step: str = ""
    sized: Callable[[int], Iterator[Case]] | None = None
    from_left: Callable[[Side, int], Iterator[Case]] | None = None
    excluded: tuple[Excluded, ...] = ()
    of_clusterings: Condition | None = None
    key: str = ""

    def form(self, domain: str, reading: str) -> Condition:
        """The condition as measures with this domain meet it under the reading of that name."""
        other = self.of_clusterings if domain == "clusterings" else None
        return self if other is None or reading not in other.readings else other

    def admits(self, reading: str, case: Case) -> bool:
        """Whether a case, whoever made it, is an instance under the reading of that name."""
        return self.relation.fits(case) and self.reading(reading).premise(case)

    def reading(self, name: str) -> Reading:
        """A reading by its name, whatever its case."""
        found = match(str(name), self.readings)
        if found is None:
            raise InputError(f"{self.id} has no reading {name!r}; it has {', '.join(self.readings)}")
        return self.readings[found]


_OF_CLUSTERINGS = "-clusterings"
_AND_LIFTED = "For a measure of clusterings, these are clusterings of objects on one feature."

CONDITIONS: Registry[Condition] = Registry(
    "condition", re.compile(r"[A-Z]+\.[0-9]+\Z"), "capital letters, a dot and a number, such as 'A.1'"
)


def condition(
    id: str, *, name: str, statement: str, citation: str, relation: Relation, premise: Premise,
    readings: Sequence[Reading], right_is_gold: bool = False, step: str = "",
    sized: Callable[[int], Iterator[Case]] | None = None,
    from_left: Callable[[Side, int], Iterator[Case]] | None = None,
    excluded: tuple[Excluded, ...] = (), situations: Mapping[str, Situation] | None = None,
    of_clusterings: Sequence[Reading] = (),
) -> Condition:  # fmt: skip
    """Register a condition; its premise is bound to every reading that brings none of its own.

    ``situations`` are, by reading, what proofs need to know of it. ``of_clusterings`` are the readings that measures of
    clusterings meet in place of those of the same names.
    """
    found = {} if situations is None else situations
    bound = {}
    for one in (*readings, *of_clusterings):
        if one.name not in READINGS:
            raise InputError(f"{id} has a reading {one.name!r}; expected one of {', '.join(READINGS)}")
        if one.domain not in _HOLDING:
            raise InputError(f"{id} {one.name} has the domain {one.domain!r}; expected one of {', '.join(_HOLDING)}")
    lifted = {one.name: replace(one, situation=_lifted(found.get(one.name))) for one in of_clusterings}
    for one in readings:
        own = partial(premise, reading=one.name) if one.premise is _unbound else one.premise
        bound[one.name] = replace(one, premise=own, situation=found.get(one.name))
        if other := lifted.get(one.name):
            scope = f"{one.scope}; for a measure of clusterings {other.scope}"
            bound[one.name] = replace(bound[one.name], adds=f"{one.adds} {_AND_LIFTED}", scope=scope)
    new = Condition(
        id, name, statement, citation, relation, bound, right_is_gold, step, sized, from_left, excluded, key=id
    )
    if lifted:
        new = replace(new, of_clusterings=replace(new, readings=lifted, key=f"{id}{_OF_CLUSTERINGS}"))
    CONDITIONS.add(id, new)
    return new


def _lifted(situation: Situation | None) -> Situation | None:
    return None if situation is None else replace(situation, lifted=True)


def conditions() -> Mapping[str, Condition]:
    """Every registered condition by id."""
    import_module("metaeval.conditions")
    return CONDITIONS.view


def find_condition(id: str) -> Condition:
    """A registered condition by its id."""
    conditions()
    return CONDITIONS.find(id)


def condition_of(key: str) -> Condition:
    """The condition with this key."""
    found = find_condition(key.removesuffix(_OF_CLUSTERINGS))
    return found.of_clusterings or found if key.endswith(_OF_CLUSTERINGS) else found


def every_form() -> Iterator[Condition]:
    """Every registered condition and, after it, the same for measures of clusterings, if that is another."""
    for one in conditions().values():
        yield from filter(None, (one, one.of_clusterings))


#: A condition's id, or its key, and a reading's name.
GroupId = tuple[str, str]


class Group(NamedTuple):
    """A condition under a reading: its cases serve every measure, so that its cells are searched together."""

    condition: Condition
    reading: Reading

    @property
    def id(self) -> GroupId:
        """What names its cells."""
        return self.condition.id, self.reading.name

    @property
    def key(self) -> GroupId:
        """What names its cases."""
        return self.condition.key, self.reading.name

    def __str__(self) -> str:
        return " ".join(self.id)


#: So many cases of a size are looked at for one that shows a reading well.
_LOOKED_AT = 300


def classify(case: Case | tuple[Side, ...], among: Collection[str] | None = None) -> list[tuple[str, str]]:
    """The (condition, reading) pairs whose premise admits the case, in the order of the registry.

    ``among`` are the ids of the conditions in question; None means all.

    >>> from metaeval.core.biclustering import Biclustering
    >>> gold = Biclustering.from_labels([0, 0, 1, 1])
    >>> mixed, split = Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 2, 1])
    >>> classify(Case(Side(mixed, gold), Side(split, gold)), among=["A.1", "A.2"])
    [('A.1', 'canonical'), ('A.1', 'literal'), ('A.1', 'overlapping')]
    """
    pair = Case(*(Side(*side) for side in case))
    asked = [one for one in conditions().values() if among is None or one.id in among]
    return [(one.id, name) for one in asked for name in one.readings if one.admits(name, pair)]


def exchanged(case: Case) -> Case:
    """The case with its sides in the opposite order: left and right in each other's place."""
    return Case(*reversed(case))


def example(condition: Condition, reading: Reading) -> Case | None:
    """A small case that shows what the reading is about, or None where none is listed.

    It comes from the two smallest sizes there are. The second leaves room for a context, and a case that the fewest
    readings before this one admit shows best what this one adds.
    """
    before = list(condition.readings.values())
    before = before[: before.index(reading)]
    sizes = (list(islice(reading.enumerate_(objects), _LOOKED_AT)) for objects in range(1, reading.reach + 1))
    smallest = list(islice(filter(None, sizes), 2))
    cases = [case for size in reversed(smallest) for case in size]
    return max(cases, key=lambda case: _interest(case, before), default=None)


def first_example(condition: Condition) -> Case | None:
    """The example of a condition's first reading, the situation that its source pictures."""
    return next((example(condition, reading) for reading in condition.readings.values()), None)


def _interest(case: Case, before: list[Reading]) -> tuple[int, ...]:
    """What makes an example a good one, the most important first; of equally good ones the first is taken."""
    candidate, gold = case.left.candidate, case.left.gold
    kept = set(candidate).intersection(*(side.candidate for side in case[1:]))
    known = sum(reading.premise(case) for reading in before)
    return -known, bool(len(gold) and len(candidate)), set(gold) != set(candidate), bool(kept), len(gold) > 1
