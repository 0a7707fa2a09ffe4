"""Open problems: sets of conditions that are consistent as far as was searched, and that no measure satisfies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from metaeval.catalogue.measure import Measure, measures
from metaeval.consistency.demands import LEFT
from metaeval.consistency.graph import TOP, Link, Scope, scope_of
from metaeval.core.case import ScoreValue, Side, broken
from metaeval.display.wording import plural
from metaeval.records.results import Results
from metaeval.runner.plan import Group
from metaeval.workers.call import evaluate
from metaeval.workers.faults import Fault


@dataclass(frozen=True)
class Problem:
    """Conditions that no measure of the results satisfies together, though nothing speaks against one that does.

    ``kept`` says for each measure which share of what the conditions demand on the scope it keeps. ``without_cases``
    are the conditions that demand nothing there.
    """

    conditions: tuple[str, ...]
    kept: Mapping[str, Fraction]
    without_cases: tuple[str, ...] = ()

    @property
    def closest(self) -> list[tuple[str, Fraction]]:
        """The measures with their shares, those that keep the most first."""
        return sorted(self.kept.items(), key=lambda one: (-one[1], one[0]))

    def to_json(self) -> dict[str, Any]:
        """The problem as data."""
        return {
            "conditions": list(self.conditions),
            "kept": {id: str(n) for id, n in self.closest},
            "without_cases": list(self.without_cases),
        }


def open_problems(
    results: Results, groups: Sequence[Group], objects: int, tell: Callable[[str], None] = lambda under_way: None
) -> list[Problem]:
    """The smallest such sets, those with the fewest conditions first; no set that contains another is listed.

    ``tell`` is told what is under way.
    """
    from metaeval.consistency.circles import smallest_impossible

    scope = scope_of(groups, objects, lambda group, count: tell(f"listing {group} with {plural(count, 'object')}"))
    subjects = [one for id, one in measures().items() if id in results.measures]
    scores = {one.id: _Scores(one, scope.sides) for one in subjects}
    return [
        _problem(scope, some, scores, tell)
        for some in unsatisfied(results, dict(group.id for group in groups))
        if smallest_impossible(scope, some) is None
    ]


def _problem(
    scope: Scope, conditions: tuple[str, ...], scores: Mapping[str, _Scores], tell: Callable[[str], None]
) -> Problem:
    kept = {}
    for id, known in scores.items():
        tell(f"scoring the sides of {', '.join(conditions)} by {id}")
        kept[id] = known.share(scope.links(conditions))
    return Problem(conditions, kept, tuple(id for id in conditions if not scope.links([id])))


def unsatisfied(results: Results, readings: Mapping[str, str]) -> list[tuple[str, ...]]:
    """The sets of conditions, each under its reading, that no measure of the results satisfies.

    Those with the fewest come first; none contains another. They are the smallest sets that share a condition with what
    each measure violates (C. Berge 1989, Hypergraphs, says how they are found one measure after the other).
    """
    found: set[frozenset[str]] = {frozenset()} if results.measures else set()
    for violated in _violated(results, readings):
        reaching = {some if some & violated else some | {id} for some in found for id in violated}
        found = {some for some in reaching if not any(other < some for other in reaching)}
    place = {id: at for at, id in enumerate(readings)}
    in_order = [tuple(sorted(some, key=place.__getitem__)) for some in found]
    return sorted(in_order, key=lambda some: (len(some), [place[id] for id in some]))


def _violated(results: Results, readings: Mapping[str, str]) -> Iterator[set[str]]:
    """For each measure the conditions that it does not satisfy; what is not known is not held against it."""
    for measure in results.measures:
        cells = {id: results.get((measure, id, reading)) for id, reading in readings.items()}
        yield {id for id, cell in cells.items() if cell is not None and not cell.verdict.satisfied}


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
            sides = (lower, upper) if link.arrow.lower == LEFT else (upper, lower)
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
