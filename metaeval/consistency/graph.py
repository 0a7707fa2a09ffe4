"""A finite scope as a graph: every small case of some conditions, its sides up to names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from metaeval.catalogue.condition import Reading
from metaeval.consistency.demands import Arrow, arrows, side_at
from metaeval.core.case import Case, Side
from metaeval.core.forms import Form, form
from metaeval.runner.plan import Group

#: The node that stands for the optimum.
TOP = 0

#: Is told a condition and the number of objects whose cases are listed next.
Listen = Callable[[Group, int], None]


class Listed(NamedTuple):
    """How far the cases of a condition under a reading were listed, and how many they were.

    ``whole`` where up to so many objects none is left out of what ``words`` describe.
    """

    condition: str
    reading: str
    objects: int
    whole: bool
    cases: int
    words: str


class Link(NamedTuple):
    """An arrow between two nodes, and the case that it comes from."""

    lower: int
    upper: int
    arrow: Arrow
    group: Group
    case: Case


class Scope:
    """The graph of all cases listed so far. Of several cases that give the same arrow, the first is kept."""

    def __init__(self) -> None:
        self._nodes: dict[Form, int] = {}
        self._met: dict[Side, int] = {}
        self._links: dict[tuple[int, int, bool, str], Link] = {}
        self._listed: dict[str, Listed] = {}
        #: For each node a side, smallest first; the optimum is none.
        self.sides: list[Side | None] = [None]

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return len(self.sides)

    @property
    def listed(self) -> tuple[Listed, ...]:
        """What was listed, condition by condition."""
        return tuple(self._listed.values())

    def links(self, conditions: Collection[str]) -> list[Link]:
        """The arrows that these conditions demand."""
        return [link for link in self._links.values() if link.group.condition.id in conditions]

    def add(self, group: Group, objects: int) -> None:
        """The cases of a condition under a reading with just so many objects, where they can be listed."""
        cases = 0
        if objects <= _bound(group.reading, objects):
            for case in group.reading.enumerate_(objects):
                cases += 1
                self._add_case(group, case)
        self._note(group, objects, cases)

    def _add_case(self, group: Group, case: Case) -> None:
        for arrow in arrows(group.condition.relation):
            lower, upper = self._node(case, arrow.lower), self._node(case, arrow.upper)
            key = lower, upper, arrow.strict, group.condition.id
            if key not in self._links:
                self._links[key] = Link(lower, upper, arrow, group, case)

    def _node(self, case: Case, end: str) -> int:
        side = side_at(case, end)
        if side is None:
            return TOP
        # A gold standard against itself is the right side of many a case.
        if side not in self._met:
            self._met[side] = self._node_of(side, form(side))
        return self._met[side]

    def _node_of(self, side: Side, found: Form) -> int:
        if found not in self._nodes:
            self._nodes[found] = self.size
            self.sides.append(side)
        return self._nodes[found]

    def _note(self, group: Group, objects: int, cases: int) -> None:
        condition, reading = group.id
        before = self._listed[condition].cases if condition in self._listed else 0
        reached = _bound(group.reading, objects)
        whole = reached <= group.reading.complete or group.reading.domain == "partitions"
        self._listed[condition] = Listed(condition, reading, reached, whole, before + cases, group.reading.scope)


def _bound(reading: Reading, objects: int) -> int:
    """How far a reading is listed: partitions as far as is asked for, others as far as a search goes."""
    return objects if reading.domain == "partitions" else min(objects, reading.reach)


def scope_of(groups: Sequence[Group], objects: int, listen: Listen = lambda group, objects: None) -> Scope:
    """The graph of all cases of these with up to so many objects; ``listen`` is told what is under way."""
    scope = Scope()
    for count in range(1, objects + 1):
        for group in groups:
            listen(group, count)
            scope.add(group, count)
    return scope


def listed_cases(groups: Iterable[Group], objects: int) -> Iterator[tuple[Group, Case]]:
    """All cases of a scope with up to so many objects, as :class:`Scope` takes them."""
    for group in groups:
        for count in range(1, _bound(group.reading, objects) + 1):
            for case in group.reading.enumerate_(count):
                yield group, case
