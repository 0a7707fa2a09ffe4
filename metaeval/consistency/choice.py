"""Which conditions are asked for, each under one reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from metaeval.catalogue.condition import READINGS, Condition, Reading, find_condition
from metaeval.catalogue.registry import match
from metaeval.core.errors import InputError
from metaeval.literature.suites import PAPER
from metaeval.runner.plan import Group, chosen_conditions

#: What is meant where no reading is named.
USUAL = READINGS[0]


def chosen(
    conditions: Iterable[str] | None = None, readings: Iterable[str] | Mapping[str, str] | str | None = None
) -> tuple[Group, ...]:
    """The conditions, each with the reading to take it under.

    Readings are names, for all conditions, or words such as "A.1=literal", for one; a mapping says the same. A
    condition that has no reading of a name meant for all is taken under the next narrower one that it has.

    >>> [str(group) for group in chosen(["A.1", "B.2"], "literal")]
    ['A.1 literal', 'B.2 canonical']
    """
    wanted = chosen_conditions(PAPER.condition_ids() if conditions is None else conditions)
    usual, own = _sorted_out(readings)
    foreign = own.keys() - {condition.id for condition in wanted}
    if foreign:
        raise InputError(f"a reading is given for {min(foreign)}, which is not among the conditions chosen")
    return tuple(Group(one, _reading(one, own.get(one.id), usual)) for one in wanted)


def _sorted_out(readings: Iterable[str] | Mapping[str, str] | str | None) -> tuple[str, dict[str, str]]:
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
    found = match(name, READINGS)
    if found is None:
        raise InputError(f"no reading {name!r}; expected one of {', '.join(READINGS)}, or such as A.1=literal")
    return found, {find_condition(id).id: name for id, _, name in for_one}


def _reading(condition: Condition, own: str | None, usual: str) -> Reading:
    if own is not None:
        return condition.reading(own)
    narrower = READINGS[READINGS.index(usual) :: -1]
    name = next((name for name in narrower if name in condition.readings), None)
    if name is None:
        raise InputError(f"{condition.id} has no reading {usual} and none narrower; name one: {condition.id}=NAME")
    return condition.readings[name]
