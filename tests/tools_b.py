"""What several test files share: commands written as one text, and measures that are loaded from a file."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from metaeval.catalogue.measure import Measure, make_measure


def words(text: str) -> list[str]:
    """The words of a command; paths go beside them, as they may hold spaces."""
    return text.split()


def loaded(path: Path, name: str) -> Measure:
    """A function of a file as a measure, as if its module had been imported."""
    spec = importlib.util.spec_from_file_location(f"own_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return make_measure(getattr(module, name), id=name.replace("_", "-"))
