"""Which conditions a pair is an instance of: the premises judge it, whoever made it."""

from __future__ import annotations

from collections.abc import Collection

from metaeval.cases import Case, Side
from metaeval.condition import conditions


def classify(case: Case | tuple[Side, ...], among: Collection[str] | None = None) -> list[tuple[str, str]]:
    """The (condition, reading) pairs whose premise admits the case, in the order of the registry.

    ``among`` are the ids of the conditions in question; None means all.

    >>> from metaeval.model import Biclustering
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
