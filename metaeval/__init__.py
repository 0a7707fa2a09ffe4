"""metaeval puts evaluation measures for biclusterings to the test.

Names are loaded when they are first used, so that ``import metaeval`` and the commands that need
little start fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metaeval.catalogue.condition import Condition, classify, conditions
    from metaeval.catalogue.measure import Measure, forget, measure, measures, score
    from metaeval.consistency.decide import consistency
    from metaeval.core.biclustering import Biclustering
    from metaeval.core.case import Case, Side
    from metaeval.core.errors import InputError, MetaevalError, Undefined
    from metaeval.display.cell_text import describe
    from metaeval.display.explain import explain
    from metaeval.equations.equation import Equation
    from metaeval.parametrize import assert_conditions, parametrize_with_baseline, parametrize_with_conditions
    from metaeval.records.cell import Cell
    from metaeval.records.results import Results
    from metaeval.session import check, run

__version__ = "0.1.0"

_HOMES = {
    "Biclustering": "core.biclustering", "Case": "core.case", "Cell": "records.cell",
    "Condition": "catalogue.condition", "Equation": "equations.equation", "InputError": "core.errors",
    "Measure": "catalogue.measure", "MetaevalError": "core.errors", "Results": "records.results", "Side": "core.case",
    "Undefined": "core.errors", "assert_conditions": "parametrize", "check": "session",
    "classify": "catalogue.condition", "describe": "display.cell_text", "explain": "display.explain",
    "forget": "catalogue.measure", "measure": "catalogue.measure", "parametrize_with_baseline": "parametrize",
    "parametrize_with_conditions": "parametrize", "run": "session", "score": "catalogue.measure",
}  # fmt: skip
#: Modules; of these, conditions and measures can be called: each is the registry of what it holds; so can consistency.
_MODULES = ("adapters", "conditions", "consistency", "equations", "exact", "measures", "reports", "strategies")

__all__ = [
    "Biclustering", "Case", "Cell", "Condition", "Equation", "InputError", "Measure", "MetaevalError", "Results",
    "Side", "Undefined", "adapters", "assert_conditions", "check", "classify", "conditions", "consistency", "describe",
    "equations", "exact", "explain", "forget", "measure", "measures", "parametrize_with_baseline",
    "parametrize_with_conditions", "run", "score", "strategies",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"metaeval.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return import_module(f"metaeval.{name}")
    raise AttributeError(f"module 'metaeval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
