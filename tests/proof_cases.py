"""Cases that try what is proved: published counterexamples, listed, drawn, large ones, and some made of these."""

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from random import Random
from typing import Any

from tools import ROOT

import metaeval
from metaeval import Case, Equation
from metaeval.cases.pack import CasePack, opened
from metaeval.cases.store import PackKey, Shipped, made
from metaeval.catalogue.condition import Group, Reading
from metaeval.catalogue.measure import make_measure
from metaeval.core.relation import broken
from metaeval.core.settings import Settings
from metaeval.proofs.proof import Unproved, derive
from metaeval.proofs.situation import Situation
from metaeval.records.certificate import case_from_json
from metaeval.search.prove import instances

SCHEMES = {
    "typings": ("free", "scale", "copy", "repeat", "swap", "names"), "range": ("range", "itself"), "top": ("top",),
    "rise": ("rise",), "fall": ("fall",),
}  # fmt: skip
#: More objects cost more than they show.
MOST_OBJECTS = 150


@cache
def published(file: str) -> list[dict[str, Any]]:
    """The cells in a file of docs/, as they are written."""
    found: list[dict[str, Any]] = json.loads((ROOT / "docs" / f"{file}.json").read_text(encoding="utf-8"))["cells"]
    return found


@cache
def small_pack(condition_id: str) -> CasePack:
    """The cases of a run at default settings if they come with the package, else fewer."""
    usual = Settings()
    shipped = Shipped().get(PackKey(condition_id, usual.examples, usual.seed, usual.exhaustive))
    return opened(shipped or made(PackKey(condition_id, examples=40, seed=usual.seed, exhaustive=4)))


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
def certificates(condition_id: str) -> list[Case]:
    """The cases of all published counterexamples to a condition, whatever the measure and the reading."""
    cells = [cell for cell in published("atlas") if cell["condition"] == condition_id and cell["certificate"]]
    return [*dict.fromkeys(case_from_json(cell["certificate"]) for cell in cells)]


@cache
def cases(condition_id: str, name: str, most: int) -> list[Case]:
    """Cases of a reading: certificates, the smallest, and up to ``most`` of each other kind."""
    condition = metaeval.conditions()[condition_id]
    reading = condition.readings[name]
    random, pack = Random(f"{condition.id} {name}"), small_pack(condition.id)
    levels, (elsewhere, drawn, large) = pack.levels(name), pack.parts(name)
    listed = [place for run in levels for place in run]
    chosen = listed[:most]
    for places in (listed[most:], elsewhere, drawn, large):
        chosen += random.sample(places, min(most, len(places)))
    built = [case for place in chosen for case in pack.cases(range(place, place + 1))]
    known = [case for case in certificates(condition.id) if condition.admits(name, case)]
    made_of_these = instances(reading, pack, 2 * most, seed=1)
    return [case for case in dict.fromkeys([*known, *built, *made_of_these]) if case.objects <= MOST_OBJECTS]


def counterexample(equation: Equation, group: Group, most: int) -> tuple[Case, str] | None:
    """A case that breaks the condition, decided exactly, and why; None if there is none."""
    measure, relation = make_measure(equation, id="tried"), group.condition.relation
    for case in cases(*group.id, most):
        why = broken(relation, tuple(measure.value(*side) for side in case), measure.bounds)
        if why is not None:
            return case, why
    return None
