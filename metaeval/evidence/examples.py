"""Examples: a small case that shows what a reading is about, for a terminal and for a page."""

from __future__ import annotations

from itertools import islice

from metaeval.cases import Case
from metaeval.condition import Condition, Reading

#: So many cases of a size are looked at for one that shows a reading well.
_LOOKED_AT = 300


def example(condition: Condition, reading: Reading) -> Case | None:
    """A small case that shows what the reading is about, or None where none is listed.

    It comes from the two smallest sizes there are. The second leaves room for a context, and a case that no
    reading before this one admits shows best what this one adds.
    """
    before = list(condition.readings.values())
    before = before[: before.index(reading)]
    sizes = (list(islice(reading.enumerate_(objects), _LOOKED_AT)) for objects in range(1, reading.reach + 1))
    smallest = list(islice(filter(None, sizes), 2))
    cases = [case for size in reversed(smallest) for case in size]
    return max(cases, key=lambda case: _interest(case, before), default=None)


def first_example(condition: Condition) -> Case | None:
    """The example of a condition's first reading, the situation that its source pictures."""
    return next((example(condition, reading) for reading in condition.readings.values()), None)


def _interest(case: Case, before: list[Reading]) -> tuple[bool, ...]:
    """What makes an example a good one, the most important first; of equally good ones the first is taken."""
    candidate, gold = case.left.candidate, case.left.gold
    kept = set(candidate).intersection(*(side.candidate for side in case[1:]))
    return (
        not any(reading.premise(case) for reading in before),
        bool(len(gold) and len(candidate)),
        set(gold) != set(candidate),
        bool(kept),
        len(gold) > 1,
    )
