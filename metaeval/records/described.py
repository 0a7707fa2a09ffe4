"""Descriptions: what a results file says of its measures and conditions, enough to show them anywhere."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from metaeval.catalogue.classify import first_example
from metaeval.catalogue.condition import READINGS, Condition
from metaeval.catalogue.measure import Measure, family_of
from metaeval.core.case import Case
from metaeval.core.effort import HIGHEST
from metaeval.core.errors import InputError
from metaeval.core.relation import RELATIONS, Bounds, Relation, relation_of
from metaeval.core.verdict import Verdict
from metaeval.files.codec import clean, mapping, need, number, optional_count, optional_text, show, text
from metaeval.records.certificate import case_from_json, case_to_json
from metaeval.records.diagnosis import Diagnosis, fault_from_json, fault_to_json


@dataclass(frozen=True)
class DescribedMeasure:
    """What a results file says of a measure.

    ``gate`` is why it was stopped before any condition, if it was; one that was not may still have a ``remark`` on what
    it does with extreme inputs. ``fault`` is on what, and in which line, either happened. ``target`` are the words by
    which ``metaeval check`` finds a measure that is not registered. ``best`` and ``low`` are the best and the worst
    score, None where there is none, or none is declared.
    """

    name: str
    citation: str = ""
    best: float | None = None
    summary: str = ""
    gate: str | None = None
    target: str = ""
    remark: str | None = None
    fault: Diagnosis | None = None
    low: float | None = None
    family: str = ""
    #: The effort level at which its cells were searched; None where they were not, or an older file does not tell.
    effort: int | None = None

    @property
    def bounds(self) -> Bounds:
        """The lowest and the best score."""
        return Bounds(self.low, self.best)

    @property
    def target_words(self) -> list[str]:
        """The target and its options as words; a file made by hand may hold some that no shell could read."""
        try:
            return shlex.split(self.target)
        except ValueError:
            return [self.target]

    @classmethod
    def of(
        cls,
        measure: Measure,
        failure: GateFailure | None = None,
        remark: GateFailure | None = None,
        effort: int | None = None,
    ) -> DescribedMeasure:
        """The description of a measure, and of what the gate said."""
        gate, said = (None if one is None else one.message for one in (failure, remark))
        met = failure or remark
        fault = None if met is None else met.diagnosis
        known = measure.name, measure.citation, measure.optimum, measure.summary
        return cls(*known, gate, measure.target, said, fault, measure.lowest, family_of(measure), effort)

    def to_json(self) -> dict[str, Any]:
        """The description as data."""
        return {
            "name": self.name,
            "citation": self.citation,
            "best": self.best,
            **({} if self.low is None else {"low": self.low}),
            "summary": self.summary,
            "gate": self.gate,
            # A registered measure needs no target, and most have nothing to remark.
            **({} if not self.target else {"target": self.target}),
            **({} if self.remark is None else {"remark": self.remark}),
            **({} if self.fault is None else {"fault": fault_to_json(self.fault)}),
            **({} if not self.family else {"family": self.family}),
            **({} if self.effort is None else {"effort": self.effort}),
        }

    @classmethod
    def from_json(cls, id: str, data: Any) -> DescribedMeasure:
        """The description in parsed JSON."""
        where = f"the measure {id}"
        entry = mapping(data, where)
        best, low = entry.get("best"), entry.get("low")
        return cls(
            name=text(entry, "name", where, default=id),
            citation=text(entry, "citation", where, default=""),
            best=None if best is None else number(best, f"the best score of {where}"),
            summary=text(entry, "summary", where, default=""),
            gate=optional_text(entry, "gate", where),
            target=text(entry, "target", where, default=""),
            remark=optional_text(entry, "remark", where),
            fault=fault_from_json(entry.get("fault"), f'"fault" of {where}'),
            low=None if low is None else number(low, f"the lowest score of {where}"),
            family=text(entry, "family", where, default=""),
            effort=_effort(entry, where),
        )


def _effort(entry: Mapping[str, Any], where: str) -> int | None:
    level = optional_count(entry, "effort", where)
    if level is not None and level > HIGHEST:
        raise InputError(f'"effort" of {where} is {level}; expected a level from 0 to {HIGHEST}')
    return level


@dataclass(frozen=True)
class DescribedReading:
    """What a results file says of a reading."""

    adds: str = ""
    scope: str = ""


@dataclass(frozen=True)
class DescribedCondition:
    """What a results file says of a condition: enough to show it where it is not registered.

    ``step`` says what leads from the left to the right; ``example`` is a small case to draw; ``relation_key`` tells
    relations of one name apart. Older files have none of these.
    """

    name: str
    statement: str = ""
    citation: str = ""
    relation: str = ""
    demand: str = ""
    readings: Mapping[str, DescribedReading] = field(default_factory=dict)
    step: str = ""
    example: Case | None = None
    relation_key: str = ""

    @property
    def known_relation(self) -> Relation | None:
        """The relation; None where the file names none, and an error where nobody knows it."""
        return relation_of(self.relation, self.demand, self.relation_key) if self.relation else None

    @classmethod
    def of(cls, condition: Condition) -> DescribedCondition:
        """The description of a condition."""
        return cls(
            name=condition.name,
            statement=condition.statement,
            citation=condition.citation,
            relation=condition.relation.name,
            demand=condition.relation.demand,
            readings={
                reading.name: DescribedReading(reading.adds, reading.scope)
                for reading in condition.readings.values()
            },
            step=condition.step,
            example=first_example(condition),
            relation_key=condition.relation.key,
        )

    def to_json(self) -> dict[str, Any]:
        """The description as data."""
        return {
            "name": self.name,
            "statement": self.statement,
            "citation": self.citation,
            "relation": self.relation,
            **({} if not self.relation_key else {"relation_key": self.relation_key}),
            "demand": self.demand,
            "readings": {name: asdict(reading) for name, reading in self.readings.items()},
            "step": self.step,
            "example": None if self.example is None else case_to_json(self.example),
        }

    @classmethod
    def from_json(cls, id: str, data: Any) -> DescribedCondition:
        """The description in parsed JSON; readings in their order, those that nobody knows last."""
        where = f"the condition {id}"
        entry = mapping(data, where)
        readings = mapping(need(entry, "readings", where), f'"readings" of {where}')
        order = sorted(readings, key=lambda name: READINGS.index(name) if name in READINGS else len(READINGS))
        relation = text(entry, "relation", where, default="")
        # Older files name the relation only, or have its demand, but not its key.
        keys = {known.demand: known.key for known in RELATIONS if known.name == relation}
        demand = text(entry, "demand", where, default=next(iter(keys), ""))
        drawn = entry.get("example")
        return cls(
            name=text(entry, "name", where, default=id),
            statement=text(entry, "statement", where, default=""),
            citation=text(entry, "citation", where, default=""),
            relation=relation,
            demand=demand,
            readings={clean(each): _reading(each, readings[each], where) for each in order},
            step=text(entry, "step", where, default=""),
            example=None if drawn is None else case_from_json(drawn, f"the example of {where}"),
            relation_key=text(entry, "relation_key", where, default=keys.get(demand, "")),
        )


def _reading(name: str, data: Any, where: str) -> DescribedReading:
    entry = mapping(data, f"the reading {show(name)} of {where}")
    return DescribedReading(text(entry, "adds", where, default=""), text(entry, "scope", where, default=""))


@dataclass(frozen=True)
class GateFailure:
    """Which check failed, what its cells get, a sentence on what happened, and what its author needs to know."""

    check: str
    verdict: Verdict
    message: str
    diagnosis: Diagnosis | None = None
