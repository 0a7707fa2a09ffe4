"""What is known of all conditions together: under each reading, and in the mixture that the paper has in mind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from metaeval.consistency.answer import Answer
from metaeval.consistency.choice import USUAL, chosen
from metaeval.consistency.decide import OBJECTS, decide
from metaeval.consistency.graph import Listen, scope_of
from metaeval.core.errors import InputError
from metaeval.files.codec import mapping, need, refuse_unknown, show, text
from metaeval.files.json_file import read_json
from metaeval.runner.plan import Group

SCHEMA = "metaeval.consistency-survey/1"
#: Partitions where a condition is about clusterings, and what may overlap where it is about biclusterings.
MIXTURE = "the paper's mixture"
_READINGS = ("canonical", "literal", "overlapping")


@dataclass(frozen=True)
class Surveyed:
    """The answer for all conditions together, each under the reading that ``name`` stands for.

    What is consistent together is consistent alone and in pairs. Where it is not, ``contradictions`` are the answers
    for the conditions and the pairs of them that are impossible by themselves.
    """

    name: str
    answer: Answer
    contradictions: tuple[Answer, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The answers as data, without the orders, which are long; whoever wants one asks for it."""
        return {
            "name": self.name,
            "answer": replace(self.answer, order=None).to_json(),
            "contradictions": [one.to_json() for one in self.contradictions],
        }

    @classmethod
    def from_json(cls, data: Any, where: str) -> Surveyed:
        """The answers in parsed JSON; ``where`` names them in an error."""
        entry = mapping(data, where)
        refuse_unknown(entry, ("name", "answer", "contradictions"), where)
        found = need(entry, "contradictions", where)
        if not isinstance(found, list):
            raise InputError(f'"contradictions" of {where} must be a list, not {show(found)}')
        return cls(
            text(entry, "name", where),
            Answer.from_json(need(entry, "answer", where), where),
            tuple(Answer.from_json(one, where) for one in found),
        )


def survey(
    conditions: Iterable[str] | None = None,
    objects: int = OBJECTS,
    listen: Listen = lambda group, objects: None,
) -> list[Surveyed]:
    """The answer under every reading, and in the mixture."""
    ids = None if conditions is None else list(conditions)
    tables = {name: chosen(ids, name) for name in _READINGS}
    tables[MIXTURE] = tuple(_mixed(groups) for groups in zip(tables[USUAL], tables["overlapping"], strict=True))
    return [surveyed(name, groups, objects, listen) for name, groups in tables.items()]


def _mixed(groups: tuple[Group, Group]) -> Group:
    usual, overlapping = groups
    return usual if usual.reading.domain == "partitions" else overlapping


def surveyed(
    name: str,
    groups: tuple[Group, ...],
    objects: int,
    listen: Listen = lambda group, objects: None,
) -> Surveyed:
    """The answer for all these together and, where they contradict each other, for each alone and in pairs."""
    answer = decide(groups, objects, listen)
    return Surveyed(name, answer, tuple(_contradictions(groups, answer)) if answer.impossible else ())


def _contradictions(groups: tuple[Group, ...], answer: Answer) -> Iterator[Answer]:
    """The conditions, and then the pairs of sound ones, that are impossible with as many objects."""
    from metaeval.consistency.circles import smallest_impossible

    scope = scope_of(groups, answer.objects)
    alone = {group.condition.id: smallest_impossible(scope, [group.condition.id]) for group in groups}
    yield from (decide([group], answer.objects) for group in groups if alone[group.condition.id])
    sound = [group for group in groups if not alone[group.condition.id]]
    for pair in combinations(sound, 2):
        if smallest_impossible(scope, [group.condition.id for group in pair]):
            yield decide(pair, answer.objects)


def survey_to_json(found: Iterable[Surveyed]) -> dict[str, Any]:
    """A survey as data for ``json.dump``."""
    return {"schema": SCHEMA, "tables": [one.to_json() for one in found]}


def load_survey(path: str | Path) -> list[Surveyed]:
    """The survey in a file, as ``metaeval consistency --survey --out`` writes it."""
    data = mapping(read_json(path), str(path))
    if data.get("schema") != SCHEMA:
        raise InputError(f"the schema of {path} is {show(data.get('schema'))}; expected {SCHEMA!r}")
    refuse_unknown(data, ("schema", "tables"), str(path))
    tables = need(data, "tables", str(path))
    if not isinstance(tables, list):
        raise InputError(f'"tables" of {path} must be a list, not {show(tables)}')
    return [Surveyed.from_json(one, str(path)) for one in tables]
