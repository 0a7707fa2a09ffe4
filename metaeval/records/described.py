"""Descriptions of measures and conditions in a results file: enough to show them where they are not registered."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, field
from msgspec.structs import replace

from metaeval.adapters import as_measure
from metaeval.catalogue.condition import READINGS, Condition, first_example
from metaeval.catalogue.measure import FILE_MODULE, Measure, family_of, is_own, name_of, variable_of
from metaeval.core.case import Case
from metaeval.core.errors import InputError
from metaeval.core.relation import RELATIONS, Bounds, Relation, relation_of
from metaeval.core.settings import HIGHEST
from metaeval.core.verdict import Verdict
from metaeval.equations.equation import Equation
from metaeval.files.codec import Line, Record, decode
from metaeval.files.shown import clean, show
from metaeval.records.cell import Diagnosis


class Calling(Record, frozen=True, forbid_unknown_fields=False):
    """How Python code calls a user's measure: the ``name`` of a function, and the module or file that is its ``place``.

    It is text to show; nothing executes it. What only a session holds has no place. ``takes``, ``gold_first``,
    ``params`` and ``noise`` are as in :class:`~metaeval.catalogue.measure.Usage`. ``turned``: smaller is better, so the
    function returns the score with the other sign.
    """

    name: Line
    place: Line = ""
    takes: Literal["biclusterings", "labels", "clusters"] = "biclusterings"
    gold_first: bool = False
    params: Mapping[str, bool | int | float | str] = field(default_factory=dict)
    turned: bool = False
    noise: int | None = None

    @classmethod
    def at(cls, words: Sequence[str]) -> Calling | None:
        """What the words of a target name, as a function of (candidate, gold); None for an id."""
        target = words[0] if words else ""
        place, colon, name = (target, ":", "equation") if target.endswith(".json") else target.rpartition(":")
        return cls(name, place, turned="--smaller-is-better" in words) if colon else None


class DescribedMeasure(Record, frozen=True, forbid_unknown_fields=False):
    """What a results file says of a measure.

    ``gate`` is why the gate stopped it; ``remark`` is what the gate noticed without stopping it; ``fault`` says on
    which input and line. ``target`` is the command-line target of a measure that is not registered, and ``calling`` how
    Python code calls it. ``best`` and ``low`` are the best and the worst score, None if there is none or none is
    declared. ``domain`` is what the measure is defined on; empty in older files.
    """

    OPTIONAL: ClassVar = frozenset(
        {"low", "target", "calling", "remark", "fault", "family", "effort", "equation", "domain"}
    )

    name: Line = ""
    citation: Line = ""
    best: float | None = None
    low: float | None = None
    summary: Line = ""
    gate: Line | None = None
    target: Line = ""
    calling: Calling | None = None
    remark: Line | None = None
    fault: Diagnosis | None = None
    family: Line = ""
    #: The effort level of its cells; None if they were not searched or the file is old.
    effort: Annotated[int, Meta(ge=0, le=HIGHEST)] | None = None
    #: The equation that the measure is; code that declares one has it in its cells.
    equation: Equation | None = None
    domain: Line = ""

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
            summary=measure.summary, gate=None if failure is None else failure.message, target=target_of(measure),
            calling=calling_of(measure), remark=None if remark is None else remark.message,
            fault=None if found is None else found.diagnosis, family=family_of(measure), effort=effort,
            equation=measure.equation if measure.is_equation else None, domain=measure.domain,
        )  # fmt: skip

    @classmethod
    def from_json(cls, id: str, data: Any) -> DescribedMeasure:
        """The description in parsed JSON."""
        found = decode(cls, _without_null(data), f"the measure {id}")
        return found if found.name else replace(found, name=id)


def verify_command(file: str, measures: Iterable[DescribedMeasure]) -> str:
    """The command that re-checks a file with these measures; only a file of one measure declares a function."""
    named = [words for words in (one.target_words for one in measures) if words]
    targets = [word for words in named for word in ("--target", words[0])]
    return shlex.join(["metaeval", "verify", file, *targets, *(word for words in named for word in words[1:])])


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
        readings = {one.name: DescribedReading(one.adds, one.scope) for one in condition.readings.values()}
        return cls(
            name=condition.name, statement=condition.statement, citation=condition.citation, readings=readings,
            relation=condition.relation.name, demand=condition.relation.demand,
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
            entry["readings"] = {name: readings[name] for name in (*READINGS, *readings) if name in readings}
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


def calling_of(measure: Measure) -> Calling | None:
    """How Python code calls a measure, or the user's function behind it; None if it is metaeval's own."""
    if is_own(measure):
        return None
    own, (takes, _, gold_first, params, noise) = measure.own, measure.usage
    said = Calling.at(shlex.split(measure.target))
    if own is not None and takes in ("biclusterings", "labels", "clusters"):
        place, name = _found(own) or _found(measure, ".own") or ("", name_of(own))
        said = Calling(name, place, takes, gold_first, dict(params), noise=noise)  # type: ignore[arg-type]
    elif said is None:  # of any other adapter, the measure itself is called
        place, name = _found(measure) or _found(measure.function) or ("", name_of(own or measure.function))
        said = Calling(name, place)
    return replace(said, turned=measure.smaller_is_better)


def target_of(measure: Measure) -> str:
    """The target by which commands find a user's measure, for a shell; empty if it needs none or has none."""
    if measure.target or is_own(measure):
        return measure.target
    found, function = _found(measure), measure.own or measure.function
    declared = attrgetter("id", "best", "low", "smaller_is_better", "domain", "usage")
    if found is None and declared(as_measure(function)) == declared(measure):  # as commands make it of the function
        found = _found(function)
    return shlex.quote(":".join(found)) if found and found[0] else ""


def _found(thing: Any, ending: str = "") -> tuple[str, str] | None:
    """The place and the name by which Python finds an object; ``ending`` is added to the name."""
    name, parts = getattr(thing, "__qualname__", "-"), str(getattr(thing, "__module__", "")).split(".")
    # The shortest package that has it: sklearn.metrics, not sklearn.metrics.cluster._supervised.
    for module in (sys.modules.get(".".join(parts[: count + 1])) for count in range(len(parts))):
        with suppress(AttributeError):
            if module is not None and attrgetter(name)(module) == thing:
                return _place(module), name + ending
    held = variable_of(thing)
    return held and (_place(sys.modules[held[0]]), held[1] + ending)


def _place(module: ModuleType) -> str:
    """A module as a target names it: by its file if that is the user's, and no part of a package."""
    file, (package, _, name) = str(getattr(module, "__file__", None) or ""), module.__name__.rpartition(".")
    packaged = getattr(sys.modules.get(package), "__file__", None) or "site-packages" in file
    alone = Path(file).stem == name and not packaged and name not in sys.stdlib_module_names
    if not alone and name != "__main__" and not name.startswith(FILE_MODULE):
        return module.__name__
    return os.path.relpath(file) if file and Path(file).is_relative_to(Path.cwd()) else file
