"""The settings of a project: the table ``[tool.metaeval]`` of the nearest ``pyproject.toml`` that has one."""

import os
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from metaeval.catalogue.registry import match
from metaeval.core.errors import InputError
from metaeval.core.settings import OPTIONS
from metaeval.files.shown import show
from metaeval.literature.shelf import SUITES

FILE, TABLE = "pyproject.toml", "[tool.metaeval]"
_KEYS = ("targets", "expect", "against", "suite", "conditions", "readings", *OPTIONS, "proofs")


@dataclass(frozen=True)
class Project:
    """The settings of a project; expectations and baselines by target, paths relative to the current folder."""

    file: Path
    targets: tuple[str, ...] = ()
    expect: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    against: Mapping[str, str] = field(default_factory=dict)
    conditions: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    settings: Mapping[str, int | float] = field(default_factory=dict)
    suite: str | None = None

    @property
    def shown(self) -> str:
        """The file's name for messages."""
        return os.path.relpath(self.file)

    def named(self, target: str) -> str | None:
        """The project's target that is the same as this one, however its path is written."""
        return next((one for one in self.targets if _identity(one) == _identity(target)), None)


def find_project(start: Path) -> Project | None:
    """The project of a folder, if it has settings for metaeval."""
    for folder in (start, *start.parents):
        file = folder / FILE
        if file.is_file() and (table := _table(file)) is not None:
            return _Reader(file, table).project()
    return None


def settings_here() -> Mapping[str, Any]:
    """The settings that commands in the current folder take from a project."""
    with suppress(InputError):  # what is wrong there is said where the project is used
        if (project := find_project(Path.cwd())) is not None:
            return project.settings
    return {}


def _table(file: Path) -> Any:
    try:
        data = tomllib.loads(file.read_bytes().decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{os.path.relpath(file)} is not TOML: {error}") from None
    except OSError as error:
        raise InputError(f"{os.path.relpath(file)} cannot be read: {error.strerror or error}") from None
    tools = data.get("tool")
    return tools.get("metaeval") if isinstance(tools, Mapping) else None


class _Reader:
    """Reads and checks the keys of the table."""

    def __init__(self, file: Path, table: Any) -> None:
        self._file = file
        self._where = f"{os.path.relpath(file)}: {TABLE}"
        if not isinstance(table, Mapping):
            raise InputError(f"{self._where} is {show(table)}; expected a table")
        self._demand_known(table, _KEYS, "has an unknown key {}")
        self._data = table

    def project(self) -> Project:
        suite = self._data.get("suite")
        if suite is not None and match(str(suite), SUITES) is None:
            raise self._wrong("suite", suite, f"one of {', '.join(SUITES)}")
        written = self._texts("targets")
        targets = {target: self._from_here(target) for target in written}
        return Project(
            self._file,
            tuple(targets.values()),
            {targets[target]: texts for target, texts in self._expectations(written).items()},
            {targets[target]: self._path(file) for target, file in self._baselines(written).items()},
            self._texts("conditions"),
            self._texts("readings"),
            {name: self._setting(name) for name in (*OPTIONS, "proofs") if name in self._data},
            suite,
        )

    def _wrong(self, key: str, value: Any, expected: str) -> InputError:
        return InputError(f"{self._where} {key} is {show(value)}; expected {expected}")

    def _texts(self, key: str) -> tuple[str, ...]:
        return self._list(key, self._data.get(key, []), f"a list of {key}")

    def _list(self, key: str, value: Any, expected: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(each, str) and each for each in value):
            raise self._wrong(key, value, f"{expected}, each a text")
        return tuple(dict.fromkeys(value))

    def _setting(self, name: str) -> Any:
        value, option = self._data[name], OPTIONS.get(name)  # proofs are no option with a number
        if not (isinstance(value, bool) if option is None else option.admits(value)):
            raise self._wrong(name, value, "true or false" if option is None else option.expected)
        return value

    def _expectations(self, targets: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        value, places = self._data.get("expect", []), 'places such as "A.3/literal"'
        if isinstance(value, Mapping):
            self._demand_known(value, targets, "expect names {}, which is no target")
            return {target: self._list(f"expect.{show(target)}", each, places) for target, each in value.items()}
        return dict.fromkeys(targets, self._list("expect", value, f"a list of {places}, or a table of them by target"))

    def _baselines(self, targets: tuple[str, ...]) -> dict[str, str]:
        value = self._data.get("against", {})
        if isinstance(value, str) and value:
            return dict.fromkeys(targets, value)
        if not isinstance(value, Mapping):
            raise self._wrong("against", value, "the file of all baselines, or a table of files by target")
        self._demand_known(value, targets, "against names {}, which is no target")
        for target, file in value.items():
            if not isinstance(file, str) or not file:
                raise self._wrong(f"against.{show(target)}", file, "the name of a file")
        return dict(value)

    def _demand_known(self, words: Iterable[str], known: tuple[str, ...], refusal: str) -> None:
        for word in words:
            if word not in known:
                close = get_close_matches(word, known, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"expected one of {', '.join(known) or 'none'}"
                raise InputError(f"{self._where} {refusal.format(show(word))}; {hint}")

    def _from_here(self, target: str) -> str:
        """A target with its path, if it has one, relative to the current folder."""
        place, colon, function = target.rpartition(":")
        if not colon or not (place.endswith(".py") or "/" in place or os.sep in place):
            return target
        return f"{self._path(place)}:{function}"

    def _path(self, path: str) -> str:
        return os.path.relpath(self._file.parent / path)


def _identity(target: str) -> str:
    place, colon, function = target.rpartition(":")
    return f"{os.path.realpath(place)}:{function}" if colon and Path(place).is_file() else target
