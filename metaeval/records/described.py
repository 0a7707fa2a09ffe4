"""Descriptions of measures and conditions in a results file: enough to show them where they are not registered."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from msgspec import Meta, field
from msgspec.structs import replace

from metaeval.catalogue.condition import READINGS, Condition, first_example
from metaeval.catalogue.measure import Measure, family_of
from metaeval.core.case import Case
from metaeval.core.errors import InputError
from metaeval.core.relation import RELATIONS, Bounds, Relation, relation_of
from metaeval.core.settings import HIGHEST
from metaeval.core.verdict import Verdict
from metaeval.equations.equation import Equation
from metaeval.files.codec import Line, Record, decode
from metaeval.files.shown import clean, show
from metaeval.records.cell import Diagnosis


class DescribedMeasure(Record, frozen=True, forbid_unknown_fields=False):
    """What a results file says of a measure.

    ``gate`` is why the gate stopped it; ``remark`` is what the gate noticed without stopping it; ``fault`` says on
    which input and line. ``target`` is the command-line target of a measure that is not registered. ``best`` and
    ``low`` are the best and the worst score, None if there is none or none is declared.
    """

    OPTIONAL: ClassVar[frozenset[str]] = frozenset({"low", "target", "remark", "fault", "family", "effort", "equation"})

    name: Line = ""
    citation: Line = ""
    best: float | None = None
    low: float | None = None
    summary: Line = ""
    gate: Line | None = None
    target: Line = ""
    remark: Line | None = None
    fault: Diagnosis | None = None
    family: Line = ""
    #: The effort level of its cells; None if they were not searched or the file is old.
    effort: Annotated[int, Meta(ge=0, le=HIGHEST)] | None = None
    #: The equation that the measure is; code that declares one has it in its cells.
    equation: Equation | None = None

    @property
    def bounds(self) -> Bounds:
        """The lowest and the best score."""
        return Bounds(self.low, self.best)

    @property
    def target_words(self) -> list[str]:
        """The target and its options; a file can hold text that no shell could read."""
        try:
            return shlex.split(self.target)
        except ValueError:
            return [self.target]

    @classmethod
    def of(
        cls, measure: Measure, failure: GateFailure | None = None, remark: GateFailure | None = None,
        effort: int | None = None,
    ) -> DescribedMeasure:  # fmt: skip
        """The description of a measure, with what the gate found."""
        found = failure or remark
        return cls(
            name=measure.name, citation=measure.citation, best=measure.optimum, low=measure.lowest,
            summary=measure.summary, gate=None if failure is None else failure.message, target=measure.target,
            remark=None if remark is None else remark.message, fault=None if found is None else found.diagnosis,
            family=family_of(measure), effort=effort, equation=measure.equation if measure.is_equation else None,
        )  # fmt: skip

    @classmethod
    def from_json(cls, id: str, data: Any) -> DescribedMeasure:
        """The description in parsed JSON."""
        found = decode(cls, _without_null(data), f"the measure {id}")
        return found if found.name else replace(found, name=id)


def _without_null(data: Any) -> Any:
    """Older files have null for text that is missing."""
    return {key: value for key, value in data.items() if value is not None} if isinstance(data, Mapping) else data


class DescribedReading(Record, frozen=True, forbid_unknown_fields=False):
    """What a results file says of a reading."""

    adds: Line = ""
    scope: Line = ""


class DescribedCondition(Record, frozen=True, forbid_unknown_fields=False):
    """What a results file says of a condition.

    ``step`` says how the right side comes from the left; ``example`` is a small case to draw; ``relation_key`` tells
    relations of one name apart. Older files have none of these.
    """

    OPTIONAL: ClassVar[frozenset[str]] = frozenset({"relation_key"})

    name: Line = ""
    statement: Line = ""
    citation: Line = ""
    relation: Line = ""
    relation_key: Line = ""
    demand: Line = ""
    readings: Mapping[str, DescribedReading] = field(default_factory=dict)
    step: Line = ""
    example: Case | None = None

    @property
    def known_relation(self) -> Relation | None:
        """The relation; None where the file names none, and an error where nobody knows it."""
        return relation_of(self.relation, self.demand, self.relation_key) if self.relation else None

    @property
    def letters(self) -> dict[str, str]:
        """One letter per reading: the first of its own that is free, after those of the known readings."""
        letters = {name: name[0] for name in READINGS}
        for name in self.readings:
            if name not in letters:
                free = (c for c in name + "abcdefghijkmnpqstuvwxyz" if c.isalnum() and c not in letters.values())
                letters[name] = next(free, "x")
        return letters

    @classmethod
    def of(cls, condition: Condition) -> DescribedCondition:
        """The description of a condition."""
        return cls(
            name=condition.name, statement=condition.statement, citation=condition.citation,
            relation=condition.relation.name, demand=condition.relation.demand,
            readings={
                reading.name: DescribedReading(reading.adds, reading.scope) for reading in condition.readings.values()
            },
            step=condition.step, example=first_example(condition), relation_key=condition.relation.key,
        )  # fmt: skip

    @classmethod
    def from_json(cls, id: str, data: Any) -> DescribedCondition:
        """The description in parsed JSON; readings in their usual order, unknown ones last."""
        where = f"the condition {id}"
        entry = _without_null(data)
        if isinstance(entry, dict) and "readings" not in entry:
            raise InputError(f'{where} has no "readings"')
        if isinstance(entry, dict) and isinstance(entry["readings"], dict):
            readings = {
                clean(name): decode(DescribedReading, _without_null(one), f"the reading {show(name)} of {where}")
                for name, one in entry["readings"].items()
            }
            order = sorted(readings, key=lambda name: READINGS.index(name) if name in READINGS else len(READINGS))
            entry["readings"] = {name: readings[name] for name in order}
        found = decode(cls, entry, where)
        # Older files name the relation only, or have its demand, but not its key.
        keys = {known.demand: known.key for known in RELATIONS if known.name == found.relation}
        demand = found.demand or next(iter(keys), "")
        key = found.relation_key or keys.get(demand, "")
        return replace(found, name=found.name or id, demand=demand, relation_key=key)


@dataclass(frozen=True)
class GateFailure:
    """A check that failed: its name, the verdict of the cells, what happened, and what the author should do."""

    check: str
    verdict: Verdict
    message: str
    diagnosis: Diagnosis | None = None
