"""The search as tests use it that only ask whether something is found: in this process, and without reduction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from unittest.mock import patch

from metaeval.cases.cache_folder import StockKey
from metaeval.cases.sampling import made_anew
from metaeval.cases.shipped import shipped
from metaeval.catalogue.condition import Condition, Reading, find_condition
from metaeval.catalogue.measure import Measure
from metaeval.core.effort import LEVELS
from metaeval.core.settings import Settings
from metaeval.search import search as engine
from metaeval.search.findings import Finding

#: The levels as they are, but none has calls for a reduction. What is found does not depend on these.
WITHOUT_REDUCTION = tuple(replace(level, calls=0) for level in LEVELS)


@cache
def usual_supply(condition_id: str) -> engine.Supply:
    """The cases of a run at default settings: those that come with the package, or made anew where these are old."""
    usual = Settings()
    key = StockKey(condition_id, usual.examples, usual.seed, usual.exhaustive)
    return shipped(key) or made_anew(find_condition(condition_id), usual)


def search_without_reduction(condition: Condition, reading: Reading, measures: Sequence[Measure]) -> list[Finding]:
    """What a run finds at default settings and the highest level; counterexamples stay as large as they are found."""
    with patch.object(engine, "LEVELS", WITHOUT_REDUCTION):
        return engine.search(condition, reading, measures, usual_supply(condition.id), seed=Settings().seed)
