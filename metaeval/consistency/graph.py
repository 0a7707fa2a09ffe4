"""The graph of demands: nodes are sides up to names. Most cases are arrows from lower to higher score, others sums."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from metaeval.catalogue.condition import READINGS, Condition, Group, Reading, find_condition
from metaeval.catalogue.registry import match
from metaeval.core.case import Case, Side
from metaeval.core.errors import InputError
from metaeval.core.grouping import grouped
from metaeval.core.relation import (
    EQUAL,
    MEAN_EQUAL,
    NOT_BETTER,
    NOT_OPTIMAL,
    OPTIMAL,
    PERFECT_MATCH,
    TRIANGLE,
    WITHIN,
    WORSE,
    Relation,
)  # fmt: skip
from metaeval.core.renaming import SideForm, form
from metaeval.display.layout import plural
from metaeval.files.codec import Count, Line, Record
from metaeval.literature.shelf import PAPER
from metaeval.runner.plan import chosen_conditions

#: The reading if none is named.
USUAL = READINGS[0]


def chosen(
    conditions: Iterable[str] | None = None, readings: Iterable[str] | Mapping[str, str] | str | None = None
) -> tuple[Group, ...]:
    """The conditions, each with one reading.

    Readings are names, for all conditions, or words such as "A.1=literal", for one; a mapping means the same. If a
    condition lacks the reading meant for all, it gets the next narrower one that it has.

    >>> [str(group) for group in chosen(["A.1", "B.2"], "literal")]
    ['A.1 literal', 'B.2 canonical']
    """
    wanted = chosen_conditions(PAPER.condition_ids() if conditions is None else conditions)
    usual, own = _usual_and_own(readings)
    if foreign := own.keys() - {condition.id for condition in wanted}:
        raise InputError(f"a reading is given for {min(foreign)}, which is not among the conditions chosen")
    return tuple(Group(one, _reading(one, own.get(one.id), usual)) for one in wanted)


def _usual_and_own(readings: Iterable[str] | Mapping[str, str] | str | None) -> tuple[str, dict[str, str]]:
    """The reading meant for all conditions, and those meant for one, by its id."""
    if isinstance(readings, Mapping):
        readings = [f"{id}={name}" for id, name in readings.items()]
    words = [readings] if isinstance(readings, str) else list(readings or ())
    for_one = [word.partition("=") for word in words if "=" in word]
    for_all = [word for word in words if "=" not in word]
    if len(for_all) > 1:
        raise InputError(
            f"two readings for all conditions, {for_all[0]!r} and {for_all[1]!r}; expected one, or such as A.1=literal"
        )
    name = for_all[0] if for_all else USUAL
    if (found := match(name, READINGS)) is None:
        raise InputError(f"no reading {name!r}; expected one of {', '.join(READINGS)}, or such as A.1=literal")
    return found, {find_condition(id).id: name for id, _, name in for_one}


def _reading(condition: Condition, own: str | None, usual: str) -> Reading:
    if own is not None:
        return condition.reading(own)
    name = next((name for name in READINGS[READINGS.index(usual) :: -1] if name in condition.readings), None)
    if name is None:
        raise InputError(f"{condition.id} has no reading {usual} and none narrower; name one: {condition.id}=NAME")
    return condition.readings[name]


#: The ends of an arrow: a side of the case, or the optimum.
LEFT, RIGHT, OPTIMUM = "left", "right", "optimum"


class Arrow(NamedTuple):
    """The lower end must score lower than the upper end or, if not ``strict``, not higher."""

    lower: str
    upper: str
    strict: bool


#: An equality is one arrow each way. The optimum is the score of a perfect match.
_RIGHT_IS_BEST = Arrow(RIGHT, OPTIMUM, strict=False), Arrow(OPTIMUM, RIGHT, strict=False)
_ARROWS: dict[Relation, tuple[Arrow, ...]] = {
    WORSE: (Arrow(LEFT, RIGHT, strict=True),),
    EQUAL: (Arrow(LEFT, RIGHT, strict=False), Arrow(RIGHT, LEFT, strict=False)),
    NOT_BETTER: (Arrow(LEFT, RIGHT, strict=False),),
    NOT_OPTIMAL: (Arrow(LEFT, OPTIMUM, strict=True),),
    WITHIN: (Arrow(LEFT, OPTIMUM, strict=False),),
    OPTIMAL: _RIGHT_IS_BEST,
    PERFECT_MATCH: (Arrow(LEFT, OPTIMUM, strict=True), *_RIGHT_IS_BEST),
}


#: Relations between more than two scores. Their cases are listed up to this number of objects.
SUMS, SUM_OBJECTS = (TRIANGLE, MEAN_EQUAL), 4

#: A multiple of each side's score, None for the optimum.
Terms = dict[Side | None, Fraction]


def side_at(case: Case, end: str) -> Side | None:
    """The side of a case at an end of an arrow; None for the optimum."""
    return None if end == OPTIMUM else case.left if end == LEFT else case.right


def arrows(relation: Relation) -> tuple[Arrow, ...]:
    """The arrows that a relation demands; none if it is about sums of scores."""
    return _ARROWS.get(relation, ())


def sum_terms(relation: Relation, case: Case) -> Terms:
    """The sum that must not be negative or, if the relation is about means, must be 0."""
    terms: Terms = Counter()  # type: ignore[assignment]
    if relation is TRIANGLE:
        for side, times in zip((None, *case), (1, -1, -1, 1), strict=True):
            terms[side] += Fraction(times)
    else:
        for pool, sign in zip(case, (-1, 1), strict=True):
            for side in pool.pairs:
                terms[side] += Fraction(sign, len(pool.pairs))
    return terms


#: The node of the optimum.
TOP = 0

#: Called with what comes next, in words.
Listen = Callable[[str], None]


class Listed(Record, frozen=True):
    """How many cases were listed with at most ``objects`` objects; ``whole`` if these are all that ``words`` mean."""

    condition: Line
    reading: Line
    objects: Count
    whole: bool
    cases: Count
    words: Line


class Link(NamedTuple):
    """An arrow between two nodes, and its case."""

    lower: int
    upper: int
    arrow: Arrow
    group: Group
    case: Case


class Sum(NamedTuple):
    """A sum of scores, by node, that must not be negative or, if ``equal``, must be 0; and its case."""

    terms: tuple[tuple[int, Fraction], ...]
    equal: bool
    group: Group
    case: Case


class CaseGraph:
    """The graph of all cases listed so far. If several cases give the same arrow or sum, the first is kept."""

    def __init__(self) -> None:
        self._nodes: dict[SideForm, int] = {}
        self._node_of: dict[Side, int] = {}
        self._sums: dict[tuple[tuple[tuple[int, Fraction], ...], str], Sum] = {}
        self._links: dict[tuple[int, int, bool, str], Link] = {}
        self._listed: dict[str, Listed] = {}
        #: Everything listed has at most this number of objects.
        self.objects = 0
        #: One side per node, smallest first; None for the optimum.
        self.sides: list[Side | None] = [None]

    @property
    def size(self) -> int:
        return len(self.sides)

    @property
    def listed(self) -> tuple[Listed, ...]:
        """What was listed, per condition."""
        return tuple(self._listed.values())

    def links(self, conditions: Collection[str]) -> list[Link]:
        """The arrows that these conditions demand."""
        return [link for link in self._links.values() if link.group.condition.id in conditions]

    def sums(self, conditions: Collection[str]) -> list[Sum]:
        """The sums that these conditions are about."""
        return [one for one in self._sums.values() if one.group.condition.id in conditions]

    def add(self, group: Group, objects: int) -> None:
        """Add the cases of a condition under a reading with this number of objects, if they can be listed."""
        known = self._listed.get(group.condition.id)
        cases = known.cases if known else 0
        for case in group.reading.enumerate_(objects) if objects <= _bound(group, objects) else ():
            cases += 1
            self.add_case(group, case)
        self.objects = max(self.objects, objects)
        self._listed[group.condition.id] = listing(group, objects, cases)

    def add_case(self, group: Group, case: Case) -> None:
        id, relation = group.condition.id, group.condition.relation
        for arrow in arrows(relation):
            lower, upper = self._node(side_at(case, arrow.lower)), self._node(side_at(case, arrow.upper))
            self._links.setdefault((lower, upper, arrow.strict, id), Link(lower, upper, arrow, group, case))
        if relation in SUMS:
            of_nodes: Counter[int] = Counter()
            for side, times in sum_terms(relation, case).items():
                of_nodes[self._node(side)] += times  # type: ignore[assignment]
            terms = tuple(sorted((node, Fraction(times)) for node, times in of_nodes.items() if times))
            self._sums.setdefault((terms, id), Sum(terms, relation is MEAN_EQUAL, group, case))

    def _node(self, side: Side | None) -> int:
        if side is None:
            return TOP
        # Many cases share a side, such as the gold standard against itself.
        if side not in self._node_of:
            found = form(side)
            if found not in self._nodes:
                self._nodes[found] = self.size
                self.sides.append(side)
            self._node_of[side] = self._nodes[found]
        return self._node_of[side]


def _bound(group: Group, objects: int) -> int:
    """The number of objects up to which a reading is listed. Partitions have no limit of their own."""
    reading = group.reading
    if group.condition.relation in SUMS:
        return min(objects, SUM_OBJECTS)
    return objects if reading.domain == "partitions" else min(objects, reading.reach)


def listing(group: Group, objects: int, cases: int) -> Listed:
    """What is listed of a condition with at most this number of objects."""
    reached, reading = _bound(group, objects), group.reading
    whole = reached <= reading.complete or reading.domain == "partitions"
    return Listed(*group.id, reached, whole, cases, reading.scope)


def complete_lists(listed: Iterable[Listed]) -> Iterator[str]:
    """What was listed completely, as sentences."""
    for alike in grouped((one for one in listed if one.whole), lambda one: (one.reading, one.objects, one.words)):
        ids, first = ", ".join(one.condition for one in alike), alike[0]
        yield f"{ids} {first.reading} up to {plural(first.objects, 'object')}: {first.words}"


def path_to(node: int, before: Sequence[int]) -> list[int]:
    """The nodes from the start of a breadth-first search to this one; ``before`` has the predecessor of each node."""
    path = [node]
    while before[path[-1]] >= 0:  # the start has none
        path.append(int(before[path[-1]]))
    return path[::-1]


def graph_of(groups: Sequence[Group], objects: int, listen: Listen = lambda under_way: None) -> CaseGraph:
    """The graph of all cases with at most this number of objects. ``listen`` is called before each step."""
    *_, graph = growing_graph(groups, objects, listen)
    return graph


def growing_graph(groups: Sequence[Group], objects: int, listen: Listen) -> Iterator[CaseGraph]:
    """One graph, yielded after each number of objects."""
    graph = CaseGraph()
    for count in range(1, objects + 1):
        for group in groups:
            listen(f"listing {group} with {plural(count, 'object')}")
            graph.add(group, count)
        yield graph


def listed_cases(groups: Iterable[Group], objects: int) -> Iterator[tuple[Group, Case]]:
    """All cases that :class:`CaseGraph` holds for at most this number of objects."""
    for group in groups:
        for count in range(1, _bound(group, objects) + 1):
            for case in group.reading.enumerate_(count):
                yield group, case
