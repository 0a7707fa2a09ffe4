"""Conditions and their readings, and the registry that finds them by id."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from metaeval.cases import Case, Relation
from metaeval.errors import InputError
from metaeval.registry import Registry

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

#: The names of readings, from the situation the source pictures to everything the sentence admits.
READINGS = ("canonical", "literal", "overlapping", "repeated")


@dataclass(frozen=True)
class Reading:
    """A precise set of cases, in three parts that are written apart so that they check each other.

    ``strategy`` constructs cases; ``premise`` judges any case and never constructs; ``enumerate_`` lists
    all cases with exactly so many objects, up to renaming, within ``scope``. Up to ``complete`` objects
    that list is complete; up to ``reach`` objects the search goes by default.
    """

    name: str
    adds: str
    strategy: Callable[[], SearchStrategy[Case]]
    premise: Callable[[Case], bool]
    enumerate_: Callable[[int], Iterator[Case]]
    scope: str
    complete: int
    reach: int


@dataclass(frozen=True)
class Condition:
    """How any good measure must behave: a statement, a relation and its readings."""

    id: str
    name: str
    statement: str
    citation: str
    relation: Relation
    readings: Mapping[str, Reading]

    def reading(self, name: str) -> Reading:
        """A reading by its name."""
        if name not in self.readings:
            raise InputError(f"{self.id} has no reading {name!r}; it has {', '.join(self.readings)}")
        return self.readings[name]


CONDITIONS: Registry[Condition] = Registry(
    "condition", re.compile(r"[A-Z]+\.[0-9]+\Z"), "capital letters, a dot and a number, such as 'A.1'"
)


def condition(
    id: str, *, name: str, statement: str, citation: str, relation: Relation, readings: list[Reading]
) -> Condition:
    """Register a condition."""
    for reading in readings:
        if reading.name not in READINGS:
            raise InputError(f"{id} has a reading {reading.name!r}; expected one of {', '.join(READINGS)}")
    new = Condition(id, name, statement, citation, relation, {reading.name: reading for reading in readings})
    CONDITIONS.add(id, new)
    return new


def conditions() -> Mapping[str, Condition]:
    """Every registered condition by id."""
    import_module("metaeval.conditions")
    return CONDITIONS.view


def find_condition(id: str) -> Condition:
    """A registered condition by its id."""
    conditions()
    return CONDITIONS.find(id)
