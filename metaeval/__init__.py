"""metaeval puts evaluation measures for biclusterings to the test.

Names are loaded when they are first used, so that ``import metaeval`` and the commands that need
little start fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metaeval.errors import InputError, MetaevalError, Undefined
    from metaeval.model import Biclustering
    from metaeval.registry import Measure, forget, measure, measures
    from metaeval.scoring import score

__version__ = "0.1.0"

_HOMES = {
    "Biclustering": "model",
    "InputError": "errors",
    "Measure": "registry",
    "MetaevalError": "errors",
    "Undefined": "errors",
    "forget": "registry",
    "measure": "registry",
    "score": "scoring",
}
#: Folders of files that, called, are the registry of what they hold.
_PACKAGES = ("conditions", "measures", "reports")

__all__ = [
    "Biclustering",
    "InputError",
    "Measure",
    "MetaevalError",
    "Undefined",
    "forget",
    "measure",
    "measures",
    "score",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"metaeval.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    if name in _PACKAGES:
        return import_module(f"metaeval.{name}")
    raise AttributeError(f"module 'metaeval' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
