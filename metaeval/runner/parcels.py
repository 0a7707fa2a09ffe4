"""What is sent to another machine, and whether that machine would find the same."""

from __future__ import annotations

import importlib
import platform
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from metaeval.catalogue.measure import FILE_MODULE, Measure, behind
from metaeval.core.digest import digest_of
from metaeval.core.errors import InputError
from metaeval.runner.jobs import Job


@dataclass(frozen=True)
class Parcel:
    """A job or a measure, pickled."""

    label: str
    content: bytes

    def unpack(self) -> Any:
        """What was packed."""
        return importlib.import_module("cloudpickle").loads(self.content)


def pack(content: Job | Measure) -> Parcel:
    """Pickle a job or a measure with all that it takes; an error where that cannot be done."""
    label = content.id if isinstance(content, Measure) else content.label
    cloudpickle = importlib.import_module("cloudpickle")
    with ExitStack() as stack:
        for module in _own_modules(_measures_in(content)):
            stack.enter_context(_sent_along(cloudpickle, module))
        try:
            return Parcel(label, cloudpickle.dumps(content))
        except Exception as error:  # pickling runs the code of whatever it meets
            raise InputError(f"{label} cannot be sent to another machine: {error}") from error


def _measures_in(content: Job | Measure) -> list[Measure]:
    """The measure itself, or those that a job holds in any of its fields."""
    held = (value if isinstance(value, tuple) else (value,) for value in vars(content).values())
    return [one for one in (content, *chain.from_iterable(held)) if isinstance(one, Measure)]


def _own_modules(measures: list[Measure]) -> list[ModuleType]:
    """The modules that only this machine has: where the measures' functions are from, and users' files.

    Any function of such a file may be behind an adapter's.
    """
    names = {name for name in sys.modules if measures and name.startswith(FILE_MODULE)}
    names |= {getattr(behind(measure.function), "__module__", None) or "" for measure in measures}
    found = [sys.modules[name] for name in sorted(names) if name in sys.modules]
    return [module for module in found if not _is_installed(module)]


@contextmanager
def _sent_along(cloudpickle: Any, module: ModuleType) -> Iterator[None]:
    """Let functions of a user's own file be sent whole; only what is installed is there on other machines too."""
    if module.__name__ in cloudpickle.list_registry_pickle_by_value():
        yield
        return
    cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        cloudpickle.unregister_pickle_by_value(module)


def _is_installed(module: ModuleType) -> bool:
    paths = sysconfig.get_paths()
    installed = tuple(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib"))
    file = getattr(module, "__file__", None)
    return module.__name__.partition(".")[0] == "metaeval" or (file is not None and file.startswith(installed))


@dataclass(frozen=True)
class Installation:
    """What results depend on beside the settings."""

    metaeval: str
    python: str
    hypothesis: str
    numpy: str
    #: A digest of metaeval's files: two checkouts of a version may differ.
    files: str

    @classmethod
    def here(cls) -> Installation:
        """This process's own."""
        names = ("metaeval", "hypothesis", "numpy")
        return cls(
            **{name: version(name) for name in names}, python=platform.python_version(), files=digest_of_package()
        )

    def difference(self, other: Installation) -> str | None:
        """In words what this one has and the other has not, or None where they are alike."""
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            if mine != theirs and field.name == "files":
                return f"has other files of metaeval {self.metaeval} than this machine; install the same there"
            if mine != theirs:
                return f"has {field.name} {mine}, this machine has {theirs}; install the same version there"
        return None


@cache
def digest_of_package() -> str:
    """Of every file of the package, in the same order in a checkout and in an installed wheel."""
    files: dict[str, Path] = {}
    for name in ("", "conditions", "measures", "reports"):
        (folder,) = importlib.import_module(f"metaeval.{name}".rstrip(".")).__path__
        files |= {(Path(name) / file.relative_to(folder)).as_posix(): file for file in Path(folder).rglob("*.py")}
    return digest_of(files[name] for name in sorted(files))
