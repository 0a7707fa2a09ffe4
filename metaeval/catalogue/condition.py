"""Conditions and their readings, and the registry that finds them by id."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol

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


class Premise(Protocol):
    """Judges whether a case is an instance of a condition under the reading of that name."""

    def __call__(self, case: Case, reading: str) -> bool:
        """Whether it is."""


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

    A fourth part is for proofs: the ``situation`` describes every case. Without one, nothing is ever proved.
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

    def admits(self, reading: str, case: Case) -> bool:
        """Whether a case, whoever made it, is an instance under the reading of that name."""
        return self.relation.fits(case) and self.reading(reading).premise(case)

    def reading(self, name: str) -> Reading:
        """A reading by its name, whatever its case."""
        found = match(str(name), self.readings)
        if found is None:
            raise InputError(f"{self.id} has no reading {name!r}; it has {', '.join(self.readings)}")
        return self.readings[found]


CONDITIONS: Registry[Condition] = Registry(
    "condition", re.compile(r"[A-Z]+\.[0-9]+\Z"), "capital letters, a dot and a number, such as 'A.1'"
)


def condition(
    id: str,
    *,
    name: str,
    statement: str,
    citation: str,
    relation: Relation,
    premise: Premise,
    readings: Sequence[Reading],
    right_is_gold: bool = False,
    step: str = "",
    sized: Callable[[int], Iterator[Case]] | None = None,
    from_left: Callable[[Side, int], Iterator[Case]] | None = None,
    excluded: tuple[Excluded, ...] = (),
    situations: Mapping[str, Situation] | None = None,
) -> Condition:
    """Register a condition; its premise is bound to every reading that brings none of its own.

    ``situations`` are, by reading, what proofs need to know of it.
    """
    found = {} if situations is None else situations
    bound = {one.name: replace(_bound(id, one, premise), situation=found.get(one.name)) for one in readings}
    new = Condition(id, name, statement, citation, relation, bound, right_is_gold, step, sized, from_left, excluded)
    CONDITIONS.add(id, new)
    return new


def _bound(id: str, reading: Reading, premise: Premise) -> Reading:
    if reading.name not in READINGS:
        raise InputError(f"{id} has a reading {reading.name!r}; expected one of {', '.join(READINGS)}")
    if reading.domain not in _HOLDING:
        raise InputError(
            f"{id} {reading.name} has the domain {reading.domain!r}; expected one of {', '.join(_HOLDING)}"
        )
    if reading.premise is not _unbound:
        return reading
    return replace(reading, premise=partial(premise, reading=reading.name))


def conditions() -> Mapping[str, Condition]:
    """Every registered condition by id."""
    import_module("metaeval.conditions")
    return CONDITIONS.view


def find_condition(id: str) -> Condition:
    """A registered condition by its id."""
    conditions()
    return CONDITIONS.find(id)


#: A condition's id and a reading's name.
GroupId = tuple[str, str]


class Group(NamedTuple):
    """A condition under a reading: its cases serve every measure, so that its cells are searched together."""

    condition: Condition
    reading: Reading

    @property
    def id(self) -> GroupId:
        """What names the group, as data."""
        return self.condition.id, self.reading.name

    def __str__(self) -> str:
        return " ".join(self.id)
