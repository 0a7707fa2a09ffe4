"""The search as tests use it that only ask whether something is found: in this process, and without reduction."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from unittest.mock import patch

from metaeval import Case, Cell, Measure
from metaeval.cases.pack import CasePack, opened, packed
from metaeval.cases.store import PackKey, Shipped, made
from metaeval.catalogue.condition import Condition, Reading
from metaeval.core.settings import LEVELS, Settings
from metaeval.search import search as engine

#: The levels as they are, but none has calls for a reduction. What is found does not depend on these.
WITHOUT_REDUCTION = tuple(replace(level, calls=0) for level in LEVELS)


@cache
def usual_pack(condition_id: str) -> CasePack:
    """The cases of a run at default settings: those that come with the package, or made anew where these are old."""
    usual = Settings()
    key = PackKey(condition_id, usual.examples, usual.seed, usual.exhaustive)
    return opened(Shipped().get(key) or made(key))


def search_without_reduction(condition: Condition, reading: Reading, measures: Sequence[Measure]) -> list[Cell]:
    """What a run finds at default settings and the highest level; counterexamples stay as large as they are found."""
    with patch.object(engine, "LEVELS", WITHOUT_REDUCTION):
        return engine.search(condition, reading, measures, usual_pack(condition.id), seed=Settings().seed)


def search_among(
    condition: Condition, reading: Reading, measures: Sequence[Measure], drawn: Sequence[Case] = (),
    exhaustive: int | None = None, seed: int | None = None, **options: Any,
) -> list[Cell]:  # fmt: skip
    """What a search finds among the lists of one reading, which need not be registered, and these further cases."""
    alone = replace(condition, readings={reading.name: reading})
    pack = opened(packed(alone, {reading.name: list(drawn)}, exhaustive, seed, len(drawn)))
    return engine.search(alone, reading, measures, pack, seed=seed, **options)
