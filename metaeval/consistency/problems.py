"""Open problems: sets of conditions that are consistent as far as was searched, and that no measure satisfies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from metaeval.cases import ScoreValue, Side, broken
from metaeval.consistency.scope import TOP, Link, Scope
from metaeval.engine.evaluation import evaluate
from metaeval.engine.faults import Fault
from metaeval.engine.plan import Group
from metaeval.evidence.results import Results
from metaeval.measuring import Measure, measures
from metaeval.verdicts import Verdict


@dataclass(frozen=True)
class Problem:
    """Conditions that no measure of the results satisfies together, though nothing speaks against one that does.

    ``kept`` says for each measure which share of what the conditions demand on the scope it keeps.
    """

    conditions: tuple[str, ...]
    kept: Mapping[str, Fraction]

    @property
    def closest(self) -> list[tuple[str, Fraction]]:
        """The measures with their shares, those that keep the most first."""
        return sorted(self.kept.items(), key=lambda one: (-one[1], one[0]))

    def to_json(self) -> dict[str, Any]:
        """The problem as data."""
        return {
            **asdict(self),
            "conditions": list(self.conditions),
            "kept": {id: str(n) for id, n in self.closest},
        }


def open_problems(results: Results, groups: Sequence[Group], objects: int) -> list[Problem]:
    """The smallest such sets, those with the fewest conditions first; no set that contains another is listed."""
    from metaeval.consistency.circles import smallest_impossible

    scope = Scope()
    for count in range(1, objects + 1):
        for group in groups:
            scope.add(group, count)
    subjects = [one for id, one in measures().items() if id in results.measures]
    scores = {one.id: _Scores(one, scope.sides) for one in subjects}
    return [
        Problem(some, {id: known.share(scope.links(some)) for id, known in scores.items()})
        for some in unsatisfied(results, groups)
        if smallest_impossible(scope, some) is None
    ]


def unsatisfied(results: Results, groups: Sequence[Group]) -> Iterator[tuple[str, ...]]:
    """The sets of conditions that no measure of the results satisfies, fewest first, none containing another."""
    kept = list(_satisfied(results, groups))
    ids = [group.condition.id for group in groups]
    found: list[set[str]] = []
    for some in (some for count in range(1, len(ids) + 1) for some in combinations(ids, count)):
        if not any(known <= {*some} for known in found) and not any({*some} <= one for one in kept):
            found.append({*some})
            yield some


def _satisfied(results: Results, groups: Sequence[Group]) -> Iterator[set[str]]:
    """For each measure the conditions that it satisfies; what is not known is not held against it."""
    for measure in results.measures:
        verdicts = {group.condition.id: _verdict(results, measure, group) for group in groups}
        yield {id for id, verdict in verdicts.items() if verdict is None or verdict.satisfied}


def _verdict(results: Results, measure: str, group: Group) -> Verdict | None:
    cell = results.get((measure, *group.id))
    return None if cell is None else cell.verdict


class _Scores:
    """What a measure says of the sides of a scope, each scored once."""

    def __init__(self, measure: Measure, sides: Sequence[Side | None]) -> None:
        self._measure = measure
        self._sides = sides
        self._known: dict[int, ScoreValue | None] = {}

    def share(self, links: Iterable[Link]) -> Fraction:
        """The share of the demands that the scores keep; one that meets no score is not kept."""
        demands = {_demand(link): link for link in links}
        kept = sum(self._keeps(link) for link in demands.values())
        return Fraction(kept, len(demands)) if demands else Fraction(1)

    def _keeps(self, link: Link) -> bool:
        lower, upper = self._score(link.lower), self._score(link.upper)
        if lower is None or upper is None:
            return False
        relation = link.group.condition.relation
        if TOP not in (link.lower, link.upper):
            sides = (lower, upper) if link.arrow.lower == "left" else (upper, lower)
            return broken(relation, sides, self._measure.bounds) is None
        return bool(lower < upper if link.arrow.strict else lower == upper)

    def _score(self, node: int) -> ScoreValue | None:
        if node not in self._known:
            self._known[node] = self._scored(self._sides[node])
        return self._known[node]

    def _scored(self, side: Side | None) -> ScoreValue | None:
        if side is None:
            optimum = self._measure.optimum
            return None if optimum is None else Fraction(optimum)
        try:
            return evaluate(self._measure, side)
        except Fault:
            return None


def _demand(link: Link) -> tuple[Any, ...]:
    """What names a demand: an equality is two arrows, and one demand."""
    ends = (link.lower, link.upper) if link.arrow.strict else tuple(sorted((link.lower, link.upper)))
    return *ends, link.arrow.strict, link.group.condition.id
