"""The source of a measure, as a hash: a proof is about this text, and about no other."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

from metaeval.catalogue.measure import Measure, behind


def source_hash(measure: Measure) -> str | None:
    """``sha256:…`` over the measure's file and the files beside it that it uses; None where there is no file.

    Files are found through what the module holds: a function, a class, a measure or a module that is defined in the
    same folder counts with its whole file. Line ends do not count.
    """
    files = source_files(measure)
    if not files:
        return None
    digest = sha256()
    for file in files:
        content = "\n".join(file.read_text(encoding="utf-8").splitlines())
        digest.update(f"{file.name}\n{len(content)}\n{content}\n".encode())
    return f"sha256:{digest.hexdigest()}"


def source_files(measure: Measure) -> list[Path]:
    """The measure's file first, then those beside it that it uses, by name; none where it was not read from a file."""
    files = [*source_modules(measure)]
    return [*files[:1], *sorted(files[1:])]


def source_modules(measure: Measure) -> dict[Path, ModuleType]:
    """The same files, the measure's own first, with the modules that they were loaded as."""
    start = _module_of(measure)
    home = None if start is None else _file_of(start)
    if start is None or home is None:
        return {}
    found = {home: start}
    waiting = [start]
    while waiting:
        for module in filter(None, map(_module_of, list(vars(waiting.pop()).values()))):
            file = _file_of(module)
            if file is not None and file not in found and file.parent == home.parent:
                found[file] = module
                waiting.append(module)
    return found


def _module_of(value: Any) -> ModuleType | None:
    if isinstance(value, ModuleType):
        return value
    if isinstance(value, Measure):
        value = value.function
    name = getattr(behind(value), "__module__", None)
    return sys.modules.get(name) if isinstance(name, str) else None


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    path = Path(file).resolve() if isinstance(file, str) else None
    return path if path is not None and path.suffix == ".py" and path.is_file() else None
