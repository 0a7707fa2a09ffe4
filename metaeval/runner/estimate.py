"""How long a search will take: what calls took at the gate, and how many calls there are to come."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from statistics import median

from metaeval.cases.pack import opened
from metaeval.cases.store import Draws
from metaeval.core.effort import HIGHEST, LEVELS
from metaeval.core.settings import Settings
from metaeval.runner.events import Estimated, Gated
from metaeval.runner.plan import Group, Plan
from metaeval.search.search import Supply

#: Seconds from which a search is said to take long.
LONG = 60

#: The cases of a group whose stock is not made yet, about: the mean over the groups, with default settings.
_USUAL_CASES = 3_600
#: Calls for each case that is listed or drawn, about: many cases share a side, which is scored once.
_CALLS = 1.1


def estimate(plan: Plan, gated: Iterable[Gated], draws: Draws, settings: Settings) -> Estimated | None:
    """What the search will take of the measures that passed the gate; None if there are none."""
    timed = {event.measure.id: event for event in gated if event.seconds is not None}
    if not timed:
        return None
    total = more = 0.0
    for group in plan.groups:
        known = [timed[measure.id] for measure in plan.measures_in(group) if measure.id in timed]
        cases = cases_of(group, draws) if known else 0
        for event in known:
            cost, next_cost = (_cost(event, cases, level, settings.budget or inf) for level in _levels(event))
            total += cost
            more += next_cost - cost
    call = median(event.seconds or 0.0 for event in timed.values())
    return Estimated(call, total / settings.processes, more / settings.processes)


def _levels(event: Gated) -> tuple[int, int]:
    """The level of a measure, and the next."""
    level = HIGHEST if event.effort is None else event.effort
    return level, min(level + 1, HIGHEST)


def _cost(event: Gated, cases: int, level: int, budget: float) -> float:
    """About the seconds that a cell takes; none takes more than its budget."""
    beyond = LEVELS[level].sample_calls * (event.sample or 0.0)
    return min(_CALLS * cases * (event.seconds or 0.0) + beyond, budget)


def cases_of(group: Group, draws: Draws) -> int:
    """How many cases a group lists and draws, or about, where its stock is not there."""
    supply: Supply = draws.of(group.condition) if draws.are_complete_for(group.condition) else b""
    if not supply or not isinstance(supply, bytes):
        return _USUAL_CASES
    stock, name = opened(supply), group.reading.name
    return sum(map(len, [*stock.levels(name), *stock.parts(name)[:-1]]))
