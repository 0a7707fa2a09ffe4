"""The plan of a run: which measures are held against which conditions, under which readings.

Everything that lets a user choose, in Python, on the command line and in pytest, chooses here, so that the
same choice means the same cells and a wrong one costs the same sentence.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from metaeval.catalogue.condition import READINGS, Condition, Group, conditions, find_condition
from metaeval.catalogue.measure import Measure, ScoreFunction, as_measure
from metaeval.catalogue.measure import measures as all_measures
from metaeval.catalogue.registry import match
from metaeval.core.errors import InputError
from metaeval.literature.shelf import PAPER, Suite

#: The ids of a measure and a condition, and a reading's name.
CellId = tuple[str, str, str]


@dataclass(frozen=True)
class Plan:
    """Measures and groups; a cell of each pair that the measure is asked about, except those ``done``.

    ``efforts`` are effort levels by measure id, where they are known beforehand.
    """

    measures: tuple[Measure, ...]
    groups: tuple[Group, ...]
    done: frozenset[CellId] = frozenset()
    efforts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        measures: Iterable[str | Measure | ScoreFunction] | None = None,
        conditions: Iterable[str] | None = None,
        readings: Iterable[str] | None = None,
        suite: Suite = PAPER,
    ) -> Plan:
        """The plan for a choice; None chooses what the suite has, and every reading.

        >>> [str(group) for group in Plan.of(["ce"], ["B.2", "A.1"], ["canonical"]).groups]
        ['A.1 canonical', 'B.2 canonical']
        """
        return cls(tuple(_chosen_measures(measures, suite)), tuple(_chosen_groups(conditions, readings, suite)))

    def without(self, done: Container[CellId]) -> Plan:
        """The same plan less the cells that are there already."""
        return replace(self, done=self.done | {id for id in self.cell_ids() if id in done})

    def at(self, efforts: Mapping[str, int]) -> Plan:
        """The same plan with these effort levels, where it has none of its own."""
        return replace(self, efforts={**efforts, **self.efforts})

    def cell_ids(self) -> Iterator[CellId]:
        """The cells that are left to search."""
        for group in self.groups:
            for measure in self.measures_in(group):
                yield measure.id, *group.id

    def measures_in(self, group: Group) -> list[Measure]:
        """The measures whose cell in a group is left to search."""
        return [
            measure
            for measure in self.measures
            if is_asked(measure, group) and (measure.id, *group.id) not in self.done
        ]

    def groups_of(self, measure: Measure) -> list[Group]:
        """The groups in which a measure has a cell left to search."""
        return [group for group in self.groups if measure in self.measures_in(group)]

    def demand_cells(self) -> None:
        """Refuse a choice that leaves a measure without any cell."""
        for measure in self.measures:
            if not self.groups_of(measure):
                missing = " and speaks of no optimum, of which it has none" if measure.optimum is None else ""
                raise InputError(
                    "nothing to check: none of the conditions and readings chosen lies in the domain of "
                    f"{measure.id}, the domain {measure.domain!r}{missing}; choose others, or leave it out"
                )


def is_asked(measure: Measure, group: Group) -> bool:
    """Whether a measure has a cell in the group: it is defined there, and has whatever the demand speaks of."""
    return lies_in_domain(measure, group) and has_what_is_needed(measure, group)


def has_what_is_needed(measure: Measure, group: Group) -> bool:
    """Whether the measure has a constant optimum where the demand speaks of it."""
    return measure.optimum is not None or not group.condition.relation.needs_optimum


def lies_in_domain(measure: Measure, group: Group) -> bool:
    """Whether every case of the group is one that the measure is defined on."""
    return group.reading.lies_in(measure.domain)


def _chosen_measures(chosen: Iterable[str | Measure | ScoreFunction] | None, suite: Suite) -> list[Measure]:
    # The whole registry is loaded before the first cell, so that a choice does not change what is drawn.
    all_measures()
    if chosen is None:
        return suite.chosen_measures()
    if isinstance(chosen, Measure) or callable(chosen):
        raise InputError(f"measures is {chosen!r}; expected a list of measures")
    picked = [as_measure(one) for one in _several("measures", chosen, "a list of measures")]
    if isinstance(chosen, (set, frozenset)):
        # Its order differs from process to process, and the workers of pytest-xdist must agree.
        picked.sort(key=lambda measure: measure.id)
    return _distinct(picked)


def _distinct(measures: list[Measure]) -> list[Measure]:
    """Each once; two that share an id would share their results."""
    seen: dict[str, Measure] = {}
    for measure in measures:
        if seen.setdefault(measure.id, measure) is not measure:
            raise InputError(f"two measures have the id {measure.id!r}; give each its own")
    return list(seen.values())


def _chosen_groups(
    condition_ids: Iterable[str] | None, reading_names: Iterable[str] | None, suite: Suite
) -> list[Group]:
    """The conditions and readings chosen, in the order of the registry whatever the order of the choice."""
    wanted = suite.chosen_conditions() if condition_ids is None else chosen_conditions(condition_ids)
    names = _chosen_readings(reading_names)
    groups = [
        Group(condition, reading)
        for condition in wanted
        for reading in condition.readings.values()
        if reading.name in names
    ]
    if not groups:
        ids, verb = ", ".join(condition.id for condition in wanted), "has" if len(wanted) == 1 else "have"
        raise InputError(
            "nothing to check: no condition chosen has a reading chosen; "
            f"{ids} {verb} no reading {' or '.join(names)}"
        )
    return groups


def chosen_conditions(ids: Iterable[str]) -> list[Condition]:
    """The conditions of these ids, in the order of the registry."""
    asked = {find_condition(id).id for id in _several("conditions", ids)}
    return [condition for id, condition in conditions().items() if id in asked]


def _chosen_readings(names: Iterable[str] | None) -> list[str]:
    if names is None:
        return list(READINGS)
    return [_reading_name(name) for name in _several("readings", names)]


def _reading_name(name: Any) -> str:
    found = match(str(name), READINGS)
    if found is None:
        raise InputError(f"no reading {name!r}; expected one of {', '.join(READINGS)}")
    return found


def _several(what: str, values: Iterable[Any], expected: str = "a list") -> list[Any]:
    """The values as a list; a single text would else be taken for a list of letters."""
    if isinstance(values, str):
        raise InputError(f"{what} is {values!r}; expected {expected}, such as [{values!r}]")
    found = list(values)
    if not found:
        raise InputError(f"{what} is empty; expected at least one")
    return found
