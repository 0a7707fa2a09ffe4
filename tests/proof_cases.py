"""Cases that try what is proved: published counterexamples, listed, drawn, large ones, and some made of these."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from random import Random

from hunting import usual_pack
from tools import ROOT

import metaeval
from metaeval import Case, Results
from metaeval.cases.pack import PackedSource
from metaeval.catalogue.condition import Group, Reading
from metaeval.catalogue.measure import make_measure
from metaeval.core.relation import broken
from metaeval.equations import Equation
from metaeval.proofs.proof import Unproved, derive
from metaeval.proofs.situation import Situation
from metaeval.search.prove import instances

SCHEMES = {
    "typings": ("free", "scale", "copy", "repeat", "swap", "names"), "range": ("range", "itself"), "top": ("top",),
    "rise": ("rise",), "fall": ("fall",),
}  # fmt: skip
#: More objects cost more than they show.
MOST_OBJECTS = 150


@cache
def published(name: str) -> Results:
    """The results in a file of docs/."""
    return Results.load(ROOT / "docs" / f"{name}.json")


def groups(scheme: str) -> Iterator[Group]:
    """All conditions and readings that are proved by a scheme."""
    for condition in metaeval.conditions().values():
        for reading in condition.readings.values():
            if reading.situation is not None and reading.situation.scheme in SCHEMES[scheme]:
                yield Group(condition, reading)


def is_proved(equation: Equation, reading: Reading) -> bool:
    """Whether the rules derive obligations."""
    return reading.lies_in(equation.domain) and _derives(equation, reading.situation)


@lru_cache(maxsize=64)  # many readings have the same situation
def _derives(equation: Equation, situation: Situation | None) -> bool:
    try:
        derive(equation, situation)
    except Unproved:
        return False
    return True


@cache
def certificates(condition_id: str) -> tuple[Case, ...]:
    """The cases of all published counterexamples to a condition, whatever the measure and the reading."""
    found = (cell.certificate for cell in published("atlas") if cell.condition == condition_id)
    return tuple(dict.fromkeys(one.case for one in found if one is not None))


@cache
def cases(condition_id: str, name: str, most: int) -> list[Case]:
    """Cases of a reading: certificates, and up to ``most`` of each other kind; the first ones are the smallest."""
    condition = metaeval.conditions()[condition_id]
    reading = condition.readings[name]
    random, pack = Random(f"{condition.id} {reading.name}"), usual_pack(condition.id)
    source = PackedSource(reading, pack)
    listed = [case for _, level in source.levels() for case in level]
    kinds = [listed[most // 2 :], [*source.listed_elsewhere()], [*source.drawn()]]
    kinds.append([case for case in islice(source.large(), 200) if case.objects <= MOST_OBJECTS])
    chosen = [case for case in certificates(condition.id) if condition.admits(reading.name, case)]
    chosen += listed[: most // 2]
    for some in kinds:
        chosen += random.sample(some, min(most, len(some)))
    return [*dict.fromkeys([*chosen, *instances(reading, pack, most, seed=1)])]


def counterexample(equation: Equation, group: Group, most: int) -> tuple[Case, str] | None:
    """A case that breaks the condition, decided exactly, and why; None if there is none."""
    measure, relation = make_measure(equation, id="tried"), group.condition.relation
    for case in cases(*group.id, most):
        why = broken(relation, tuple(measure.value(*side) for side in case), measure.bounds)
        if why is not None:
            return case, why
    return None
