"""Witnesses: a registered measure that is proved to satisfy conditions shows that they are possible together."""

from collections.abc import Sequence
from functools import cache

from metaeval.cases.store import default_pack
from metaeval.catalogue.condition import Group, conditions, find_condition
from metaeval.catalogue.measure import Measure, measures
from metaeval.proofs.proof import LEAST_INSTANCES, BrokenRule, Unproved, derive
from metaeval.search.prove import instances, prove


def witness(groups: Sequence[Group]) -> str | None:
    """The id of a registered measure that is proved under every condition and reading, here and now."""
    if not all(map(_is_registered, groups)):
        return None
    # Most that is not proved cannot be derived, which is known without a look at any case.
    derived = (one for one in measures().values() if all(_is_derived(one, *group.id) for group in groups))
    return next((one.id for one in derived if all(is_proved(one, *group.id) for group in groups)), None)


def proved_under(group: Group) -> frozenset[str]:
    """The ids of all registered measures that are proved under a condition and reading, here and now."""
    return frozenset(one.id for one in measures().values() if _is_registered(group) and is_proved(one, *group.id))


def _is_registered(group: Group) -> bool:
    """Proofs speak of registered readings."""
    condition, reading = group
    return conditions().get(condition.id) is condition and condition.readings.get(reading.name) is reading


@cache
def is_proved(measure: Measure, condition: str, reading: str, count: int = LEAST_INSTANCES, seed: int = 0) -> bool:
    """Whether the rules derive it, and every obligation holds on so many instances, chosen with the seed."""
    if measure.equation is None or not _is_derived(measure, condition, reading):
        return False
    found = find_condition(condition)
    cases = instances(found.reading(reading), default_pack(condition), count, seed)
    try:
        prove(measure.id, measure.equation, found, found.reading(reading), cases, count)
    except (Unproved, BrokenRule):
        return False
    return True


@cache
def _is_derived(measure: Measure, condition: str, reading: str) -> bool:
    equation, found = measure.equation, find_condition(condition).reading(reading)
    if equation is None or not measure.is_equation or not found.lies_in(equation.domain):
        return False
    try:
        derive(equation, found.situation)
    except Unproved:
        return False
    return True
