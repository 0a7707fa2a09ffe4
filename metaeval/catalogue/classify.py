"""Which conditions a pair is an instance of, by their premises; and a small case that shows what a reading is about."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

from metaeval.catalogue.condition import Condition, Reading, conditions
from metaeval.core.case import Case, Side

#: So many cases of a size are looked at for one that shows a reading well.
_LOOKED_AT = 300


def classify(case: Case | tuple[Side, ...], among: Collection[str] | None = None) -> list[tuple[str, str]]:
    """The (condition, reading) pairs whose premise admits the case, in the order of the registry.

    ``among`` are the ids of the conditions in question; None means all.

    >>> from metaeval.core.biclustering import Biclustering
    >>> gold = Biclustering.from_labels([0, 0, 1, 1])
    >>> mixed, split = Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 2, 1])
    >>> classify(Case(Side(mixed, gold), Side(split, gold)), among=["A.1", "A.2"])
    [('A.1', 'canonical'), ('A.1', 'literal'), ('A.1', 'overlapping')]
    """
    pair = Case(*(Side(*side) for side in case))
    return [
        (condition.id, reading.name)
        for condition in conditions().values()
        for reading in condition.readings.values()
        if (among is None or condition.id in among) and condition.admits(reading.name, pair)
    ]


def exchanged(case: Case) -> Case:
    """The case with its sides in the opposite order: left and right in each other's place."""
    return Case(*reversed(case))


def example(condition: Condition, reading: Reading) -> Case | None:
    """A small case that shows what the reading is about, or None where none is listed.

    It comes from the two smallest sizes there are. The second leaves room for a context, and a case that the fewest
    readings before this one admit shows best what this one adds.
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


def _interest(case: Case, before: list[Reading]) -> tuple[int, ...]:
    """What makes an example a good one, the most important first; of equally good ones the first is taken."""
    candidate, gold = case.left.candidate, case.left.gold
    kept = set(candidate).intersection(*(side.candidate for side in case[1:]))
    return (
        -sum(reading.premise(case) for reading in before),
        bool(len(gold) and len(candidate)),
        set(gold) != set(candidate),
        bool(kept),
        len(gold) > 1,
    )
