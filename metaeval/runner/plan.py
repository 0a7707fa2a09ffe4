"""The plan of a run: which measures are checked against which conditions, under which readings.

Python, the command line and pytest all choose here. So the same choice gives the same cells everywhere, and a wrong
choice gives the same message.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from metaeval.adapters import as_measure
from metaeval.catalogue.condition import READINGS, Condition, Group, GroupId, conditions, find_condition
from metaeval.catalogue.measure import Measure, ScoreFunction
from metaeval.catalogue.measure import measures as all_measures
from metaeval.catalogue.registry import match
from metaeval.core.errors import InputError
from metaeval.literature.shelf import CHECK, PAPER, Suite

if TYPE_CHECKING:
    from metaeval.records.described import DescribedMeasure  # it reads records, and scores need none

#: The ids of a measure and a condition, and a reading's name.
CellId = tuple[str, str, str]


@dataclass(frozen=True)
class Plan:
    """Measures and groups: one cell per pair to which the measure applies, without the cells already ``done``."""

    measures: tuple[Measure, ...]
    groups: tuple[Group, ...]
    done: frozenset[CellId] = frozenset()
    #: The effort levels that are known beforehand, by measure id.
    efforts: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, measures: Iterable[str | Measure | ScoreFunction] | None = None, conditions: Iterable[str] | None = None,
        readings: Iterable[str] | None = None, suite: Suite | None = None,
    ) -> Plan:  # fmt: skip
        """The plan for a choice. None chooses the measures and conditions of the suite, and every reading.

        Without a suite, named measures meet the usual conditions of a check, and others those of the first paper.

        >>> [str(group) for group in Plan.of(["ce"], ["B.2", "A.1"], ["canonical"]).groups]
        ['A.1 canonical', 'B.2 canonical']
        """
        chosen = suite or (PAPER if measures is None else CHECK)
        asked, groups = _chosen_measures(measures, chosen), _chosen_groups(conditions, readings, chosen)
        return cls(tuple(asked), tuple(group for group in groups if any(_is_for(one, group) for one in asked)))

    def without(self, done: Container[CellId]) -> Plan:
        """The same plan without the cells that are done already."""
        return replace(self, done=self.done | {id for id in self.cell_ids() if id in done})

    def at(self, efforts: Mapping[str, int]) -> Plan:
        """The same plan with these effort levels for the measures that have none in it."""
        return replace(self, efforts={**efforts, **self.efforts})

    def cell_ids(self) -> Iterator[CellId]:
        """The cells that are left to search."""
        for group in self.groups:
            for measure in self.measures_in(group):
                yield measure.id, *group.id

    def measures_in(self, group: Group) -> list[Measure]:
        """The measures whose cell in a group is left to search."""
        asked = (one for one in self.measures if why_not(one, group) is None)
        return [measure for measure in asked if (measure.id, *group.id) not in self.done]

    def groups_of(self, measure: Measure) -> list[Group]:
        """The groups in which a measure has a cell left to search."""
        return [group for group in self.groups if measure in self.measures_in(group)]

    def left_out(self, measure: Measure) -> dict[GroupId, str]:
        """The chosen groups in which a measure has no cell, and why, in words that follow its name."""
        reasons = ((group.id, why_not(measure, group)) for group in self.groups if _is_for(measure, group))
        return {id: why for id, why in reasons if why is not None}

    def demand_cells(self) -> None:
        """Refuse a choice that leaves a measure without any cell."""
        for measure in self.measures:
            if not self.groups_of(measure):
                missing = " and speaks of no optimum, of which it has none" if measure.optimum is None else ""
                raise InputError(
                    "nothing to check: none of the conditions and readings chosen lies in the domain of "
                    f"{measure.id}, the domain {measure.domain!r}{missing}; choose others, or leave it out"
                )


def why_not(measure: Measure | DescribedMeasure, group: Group) -> str | None:
    """Why a measure has no cell in a group, in words that follow its name; None where it has one."""
    if not _is_for(measure, group) or not group.reading.lies_in(measure.domain):
        return f"is defined on {measure.domain} only"
    usage = measure.usage if isinstance(measure, Measure) else measure.calling
    if usage is not None and usage.takes == "labels" and not group.reading.lies_in("disjoint"):
        return "takes labels, which give an object one cluster at most"
    if measure.bounds.best is None and group.condition.relation.needs_optimum:
        return "has no constant best score"
    return None


def _is_for(measure: Measure | DescribedMeasure, group: Group) -> bool:
    """Whether the group has the condition in the form that such measures meet."""
    return find_condition(group.condition.id).form(measure.domain, group.reading.name).key == group.condition.key


def _chosen_measures(chosen: Iterable[str | Measure | ScoreFunction] | None, suite: Suite) -> list[Measure]:
    # Load the whole registry before the first cell, so that the choice does not change which cases are drawn.
    all_measures()
    if chosen is None:
        return suite.chosen_measures()
    if isinstance(chosen, Measure) or callable(chosen):
        raise InputError(f"measures is {chosen!r}; expected a list of measures")
    picked = [as_measure(one) for one in _several("measures", chosen, "a list of measures")]
    if isinstance(chosen, (set, frozenset)):
        # The order of a set differs between processes, and the workers of pytest-xdist must agree.
        picked.sort(key=lambda measure: measure.id)
    # Two measures with one id would share their results.
    seen: dict[str, Measure] = {}
    for measure in picked:
        if seen.setdefault(measure.id, measure) is not measure:
            raise InputError(f"two measures have the id {measure.id!r}; give each its own")
    return list(seen.values())


def _chosen_groups(
    condition_ids: Iterable[str] | None, reading_names: Iterable[str] | None, suite: Suite
) -> list[Group]:
    """The chosen conditions and readings, always in the order of the registry."""
    wanted = suite.chosen_conditions() if condition_ids is None else chosen_conditions(condition_ids)
    names = []
    for name in READINGS if reading_names is None else _several("readings", reading_names):
        if (found := match(str(name), READINGS)) is None:
            raise InputError(f"no reading {name!r}; expected one of {', '.join(READINGS)}")
        names.append(found)
    forms = (form for condition in wanted for form in filter(None, (condition, condition.of_clusterings)))
    every = [Group(form, reading) for form in forms for reading in form.readings.values()]
    groups = [group for group in every if group.reading.name in names]
    if not groups:
        ids, verb = ", ".join(condition.id for condition in wanted), "has" if len(wanted) == 1 else "have"
        raise InputError(
            f"nothing to check: no condition chosen has a reading chosen; {ids} {verb} no reading {' or '.join(names)}"
        )
    return groups


def chosen_conditions(ids: Iterable[str]) -> list[Condition]:
    """The conditions of these ids, in the order of the registry."""
    asked = {find_condition(id).id for id in _several("conditions", ids)}
    return [condition for id, condition in conditions().items() if id in asked]


def _several(what: str, values: Iterable[Any], expected: str = "a list") -> list[Any]:
    """The values as a list. A single string is refused: it would be taken for a list of letters."""
    if isinstance(values, str):
        raise InputError(f"{what} is {values!r}; expected {expected}, such as [{values!r}]")
    if not (found := list(values)):
        raise InputError(f"{what} is empty; expected at least one")
    return found
