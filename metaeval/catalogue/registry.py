"""Registries: what measures and conditions are found by, each by its id."""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from types import MappingProxyType, ModuleType
from typing import Any, Generic, TypeVar

from metaeval.core.errors import InputError

Entry = TypeVar("Entry")


class Registry(Generic[Entry]):
    """Entries by id, in the order they were registered."""

    def __init__(self, kind: str, id_pattern: re.Pattern[str], id_help: str) -> None:
        self._kind = kind
        self._id_pattern = id_pattern
        self._id_help = id_help
        self._entries: dict[str, Entry] = {}
        self.view: Mapping[str, Entry] = MappingProxyType(self._entries)

    def check_id(self, id: object) -> str:
        """``id`` itself where it is well formed and free."""
        if not isinstance(id, str) or not self._id_pattern.match(id):
            raise InputError(f"{id!r} is no {self._kind} id; expected {self._id_help}")
        if id in self._entries:
            raise InputError(f"a {self._kind} with the id {id!r} is registered already; choose another id")
        return id

    def add(self, id: str, entry: Entry) -> None:
        self._entries[self.check_id(id)] = entry

    def replace(self, id: str, entry: Entry) -> None:
        self._entries[id] = entry

    def remove(self, id: str) -> None:
        del self._entries[id]

    def find(self, id: str) -> Entry:
        """The entry, whatever the case of its id, or an error that suggests what may have been meant."""
        found = id if id in self._entries else match(str(id), self._entries)
        if found is not None:
            return self._entries[found]
        # The name of an entry stands for its id, as "Rag bag" does for A.3.
        names = {str(getattr(entry, "name", id)): id for id, entry in self._entries.items()}
        meant = suggestion(str(id), [*self._entries, *names])
        hint = "" if meant is None else f"did you mean {names.get(meant, meant)!r}? "
        raise InputError(f"no {self._kind} {id!r}; {hint}`metaeval list {self._kind}s` shows them all")


def match(text: str, words: Iterable[str]) -> str | None:
    """The word that this text is, whatever its case.

    >>> match("a.1", ["A.1", "B.1"])
    'A.1'
    """
    return next((word for word in words if word.casefold() == text.casefold()), None)


def suggestion(text: str, words: Iterable[str]) -> str | None:
    """The word that was probably meant, whatever its case, or None where none is close.

    >>> suggestion("a1", ["A.1", "B.1"]), suggestion("HOMOGENITY", ["Homogeneity"]), suggestion("x", ["A.1"])
    ('A.1', 'Homogeneity', None)
    """
    folded: dict[str, str] = {}
    for word in words:
        folded.setdefault(word.casefold(), word)
    close = get_close_matches(text.casefold(), folded, n=1)
    return folded[close[0]] if close else None


def callable_package(name: str, function: Callable[..., object]) -> None:
    """Let a package be called: ``metaeval.measures`` is a folder of files and, called, the registry."""

    class CallablePackage(ModuleType):
        def __call__(self, *args: Any, **options: Any) -> object:
            return function(*args, **options)

    sys.modules[name].__class__ = CallablePackage
