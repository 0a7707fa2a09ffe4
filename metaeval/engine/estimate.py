"""How long a search will take: what a call took at the gate, and how many calls there are to come."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from metaeval.engine.draws import Draws
from metaeval.engine.events import Estimated
from metaeval.engine.plan import Group, Plan
from metaeval.engine.search import Supply
from metaeval.engine.settings import Settings
from metaeval.engine.stock import opened

#: Seconds from which a search is said to take long.
LONG = 20

#: The cases of a group whose stock is not made yet, about: the mean over the groups, with default settings.
_USUAL_CASES = 7_000


def estimate(plan: Plan, calls: Mapping[str, float], draws: Draws, settings: Settings) -> Estimated | None:
    """What the search will take of the measures with these ids, by the seconds of a call; None if there are none."""
    total = 0.0
    for group in plan.groups:
        known = [calls[measure.id] for measure in plan.measures_in(group) if measure.id in calls]
        cases = cases_of(group, draws) if known else 0
        # Every case is scored on two sides; no cell takes more than its budget.
        total += sum(min(2 * cases * call, settings.budget or float("inf")) for call in known)
    return Estimated(median(calls.values()), total / settings.processes) if calls else None


def cases_of(group: Group, draws: Draws) -> int:
    """How many cases a group has, or about, where its stock is not there."""
    supply: Supply = draws.of(group.condition) if draws.are_complete_for(group.condition) else b""
    if not supply or not isinstance(supply, bytes):
        return _USUAL_CASES
    stock, name = opened(supply), group.reading.name
    return sum(map(len, [*stock.levels(name), *stock.parts(name)]))
