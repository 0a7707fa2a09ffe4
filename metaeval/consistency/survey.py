"""Surveys: the answers for all readings, and the problems that stay open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from metaeval.catalogue.condition import Group
from metaeval.catalogue.measure import Measure, measures
from metaeval.consistency.answer import ANSWERS, IMPOSSIBLE, OPEN, POSSIBLE, Answer
from metaeval.consistency.beyond import cases_beyond
from metaeval.consistency.decide import OBJECTS, contradicts, decide, smallest_impossible
from metaeval.consistency.graph import LEFT, TOP, USUAL, CaseGraph, Link, Listen, chosen, graph_of
from metaeval.consistency.witness import proved_under
from metaeval.core.case import Side
from metaeval.core.relation import ScoreValue, broken
from metaeval.files.codec import Count, Line, Record, decode, encode
from metaeval.files.json_file import read_json
from metaeval.records.results import Results
from metaeval.workers.call import evaluate
from metaeval.workers.faults import Fault


@dataclass(frozen=True)
class Problem:
    """Conditions without a contradiction that no measure of the results satisfies together.

    ``kept`` is the share of the demands that each measure keeps. ``without_cases`` are the conditions without a case.
    """

    conditions: tuple[str, ...]
    kept: Mapping[str, Fraction]
    without_cases: tuple[str, ...] = ()

    @property
    def closest(self) -> list[tuple[str, Fraction]]:
        """The measures with their shares, the largest first."""
        return sorted(self.kept.items(), key=lambda one: (-one[1], one[0]))

    def to_json(self) -> dict[str, Any]:
        return {
            "conditions": list(self.conditions),
            "kept": {id: str(n) for id, n in self.closest},
            "without_cases": list(self.without_cases),
        }


def open_problems(
    results: Results, groups: Sequence[Group], objects: int, tell: Callable[[str], None] = lambda under_way: None
) -> list[Problem]:
    """The open problems, the smallest sets first; none contains another. ``tell`` is called with what comes next."""
    graph = graph_of(groups, objects, tell)
    subjects = [one for id, one in measures().items() if id in results.measures]
    scores = {one.id: _Scores(one, graph.sides) for one in subjects}
    found = []
    for some in unsatisfied(results, dict(group.id for group in groups)):
        if smallest_impossible(graph, some) is None:
            kept = {}
            for id, known in scores.items():
                tell(f"scoring the sides of {', '.join(some)} by {id}")
                kept[id] = known.share(graph.links(some))
            found.append(Problem(some, kept, tuple(id for id in some if not graph.links([id]))))
    return found


def unsatisfied(results: Results, readings: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The sets of conditions, each under its reading, that no measure of the results satisfies.

    The smallest come first; none contains another. They are the minimal sets that share a condition with the violations
    of each measure, found one measure after the other (C. Berge 1989, Hypergraphs).
    """
    found: set[frozenset[str]] = {frozenset()} if results.measures else set()
    for measure in results.measures:
        cells = {id: results.get((measure, id, reading)) for id, reading in readings.items()}
        # Unknown cells do not count.
        violated = {id for id, cell in cells.items() if cell is not None and not cell.verdict.satisfied}
        reaching = {some if some & violated else some | {id} for some in found for id in violated}
        found = {some for some in reaching if not any(other < some for other in reaching)}
    place = {id: at for at, id in enumerate(readings)}
    in_order = [tuple(sorted(some, key=place.__getitem__)) for some in found]
    return sorted(in_order, key=lambda some: (len(some), [place[id] for id in some]))


class _Scores:
    """What a measure says of the sides of a graph, each scored once."""

    def __init__(self, measure: Measure, sides: Sequence[Side | None]) -> None:
        self._measure = measure
        self._score = cache(lambda node: _scored(measure, sides[node]))

    def share(self, links: Iterable[Link]) -> Fraction:
        """The share of the demands that the scores keep; a demand without a score is not kept."""
        demands = {}
        for link in links:
            # An equality is two arrows and one demand.
            ends = (link.lower, link.upper) if link.arrow.strict else tuple(sorted((link.lower, link.upper)))
            demands[ends, link.arrow.strict, link.group.condition.id] = link
        return Fraction(sum(map(self._keeps, demands.values())), len(demands)) if demands else Fraction(1)

    def _keeps(self, link: Link) -> bool:
        lower, upper = self._score(link.lower), self._score(link.upper)
        if lower is None or upper is None:
            return False
        if TOP not in (link.lower, link.upper):
            sides = (lower, upper) if link.arrow.lower == LEFT else (upper, lower)
            return broken(link.group.condition.relation, sides, self._measure.bounds) is None
        return bool(lower < upper if link.arrow.strict else lower == upper)


def _scored(measure: Measure, side: Side | None) -> ScoreValue | None:
    """The score of a side, or the optimum; None where there is none."""
    if side is None:
        return None if measure.optimum is None else Fraction(measure.optimum)
    try:
        return evaluate(measure, side)
    except Fault:
        return None


SCHEMA = "metaeval.consistency-survey/2"
#: Cases are listed up to this number of objects for sets of up to so many conditions.
SET_OBJECTS, _MOST = 4, 4
#: Partitions for conditions on clusterings, overlapping families for conditions on biclusterings.
MIXTURE = "the paper's mixture"
_READINGS = ("canonical", "literal", "overlapping")


class _File(Record, frozen=True, tag_field="schema", tag=SCHEMA):
    tables: list[Any]


class Sets(Record, frozen=True):
    """The answers for all sets of up to ``most`` conditions: how many sets have each."""

    most: Count
    possible: Count
    impossible: Count
    open: Count


class _Table(Record, frozen=True):
    name: Line
    answer: Any
    contradictions: list[Any]
    sets: Sets


@dataclass(frozen=True)
class Surveyed:
    """The answer for all conditions together, under the readings that ``name`` stands for, and for small ``sets``.

    ``contradictions`` are the answers for those sets that are impossible and contain no smaller one that is.
    """

    name: str
    answer: Answer
    contradictions: tuple[Answer, ...]
    sets: Sets

    def to_json(self) -> dict[str, Any]:
        """The answers as data, without the orders, which are long."""
        return {
            "name": self.name,
            "answer": replace(self.answer, order=None).to_json(),
            "contradictions": [one.to_json() for one in self.contradictions],
            "sets": encode(self.sets),
        }

    @classmethod
    def from_json(cls, data: Any, where: str) -> Surveyed:
        """The answers in parsed JSON; ``where`` names them in an error."""
        stated = decode(_Table, data, where)
        contradictions = tuple(Answer.from_json(one, where) for one in stated.contradictions)
        return cls(stated.name, Answer.from_json(stated.answer, where), contradictions, stated.sets)


def survey(
    conditions: Iterable[str] | None = None, objects: int = OBJECTS, listen: Listen = lambda under_way: None
) -> list[Surveyed]:
    """The answer under every reading, and in the mixture."""
    ids = None if conditions is None else list(conditions)
    tables = {name: chosen(ids, name) for name in _READINGS}
    tables[MIXTURE] = tuple(
        usual if usual.reading.domain == "partitions" else overlapping
        for usual, overlapping in zip(tables[USUAL], tables["overlapping"], strict=True)
    )
    return [surveyed(name, groups, objects, listen) for name, groups in tables.items()]


def surveyed(name: str, groups: tuple[Group, ...], objects: int, listen: Listen = lambda under_way: None) -> Surveyed:
    """The answer for all of these together, and for every set of up to four."""
    answer = decide(groups, objects, listen)
    graph = graph_of(groups, min(objects, SET_OBJECTS), listen)
    for demand in chain.from_iterable(cases_beyond(groups, listen)):
        graph.add_case(*demand)
    listen(f"looking for contradictions {name}")
    found = _contradictions(graph, groups)
    ids = [group.condition.id for group in groups]
    proved = dict(zip(ids, map(proved_under, groups), strict=True))
    refuted = [{*(one.minimal or ())} for one in found]
    counts = Counter[str]()
    for some in _sets(ids):
        if any(one.issubset(some) for one in refuted):
            counts[IMPOSSIBLE] += 1
        else:
            counts[POSSIBLE if frozenset.intersection(*map(proved.__getitem__, some)) else OPEN] += 1
    return Surveyed(name, answer, tuple(found), Sets(most=_MOST, **{one: counts[one] for one in ANSWERS}))


def _sets(ids: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Every set of up to four of these, the smallest first."""
    return (some for number in range(1, _MOST + 1) for some in combinations(ids, number))


def _contradictions(graph: CaseGraph, groups: Sequence[Group]) -> list[Answer]:
    """The smallest sets that contradict each other.

    A set without a contradiction is extended as far as it has none: what it contains need not be looked at any more.
    """
    by_id = {group.condition.id: group for group in groups}
    found: list[Answer] = []
    free: list[set[str]] = []
    for some in _sets([*by_id]):
        known = [{*(one.minimal or ())} for one in found]
        if any(map({*some}.issuperset, known)) or any(map({*some}.issubset, free)):
            continue
        if contradicts(graph, some):
            # With as few objects as possible.
            found.append(decide([by_id[id] for id in some], graph.objects))
            assert found[-1].impossible, f"a proof says that {some} are possible, and cases contradict each other"
            continue
        free.append({*some})
        for id in by_id:
            wider = free[-1] | {id}
            if not any(map(wider.issuperset, known)) and not contradicts(graph, wider):
                free[-1] = wider
    return found


def survey_to_json(found: Iterable[Surveyed]) -> dict[str, Any]:
    return {"schema": SCHEMA, "tables": [one.to_json() for one in found]}


def load_survey(path: str | Path) -> list[Surveyed]:
    """The survey in a file, as ``metaeval consistency --survey --out`` writes it."""
    file = decode(_File, read_json(path), str(path))
    return [Surveyed.from_json(one, f"table {number} of {path}") for number, one in enumerate(file.tables, start=1)]
