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
    if not all(conditions().get(group.condition.id) is group.condition for group in groups):
        return None  # proofs speak of registered readings
    places = [group.id for group in groups]
    equations = [one for one in measures().values() if one.is_equation]
    derivable = (one for one in equations if all(_is_derived(one, *place) for place in places))
    return next((one.id for one in derivable if all(is_proved(one, *place) for place in places)), None)


@cache
def _is_derived(measure: Measure, condition: str, reading: str) -> bool:
    """Whether the rules derive it: most that is not proved fails here, without a look at any case."""
    equation, found = measure.equation, find_condition(condition).reading(reading)
    if equation is None or not measure.is_equation or not found.lies_in(equation.domain):
        return False
    try:
        derive(equation, found.situation)
    except Unproved:
        return False
    return True


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
