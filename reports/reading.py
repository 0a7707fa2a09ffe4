"""Taking values out of parsed JSON, with an error that says where the file is wrong."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from metaeval.errors import InputError

#: Control characters, lone surrogates and invisible formatting could drive a terminal or reverse a line.
_UNPRINTABLE = ("Cc", "Cf", "Cs", "Zl", "Zp")


def clean(text: str) -> str:
    """``text`` on one line, with every character that does not print replaced."""
    one_line = " ".join(text.split())
    return "".join("�" if unicodedata.category(char) in _UNPRINTABLE else char for char in one_line)


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """``value`` as a JSON object."""
    if not isinstance(value, Mapping):
        raise InputError(f"{where} must be a JSON object, not {show(value)}")
    return value


def need(data: Mapping[str, Any], key: str, where: str) -> Any:
    """The value under a key that must be there."""
    if key not in data:
        raise InputError(f'{where} has no "{key}"; is this a complete results file?')
    return data[key]


def text(data: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    """A printable string; absent or null gives the default, where there is one."""
    value = data.get(key) if default is not None else need(data, key, where)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise InputError(f'"{key}" of {where} must be a string, not {show(value)}')
    return clean(value)


def count(data: Mapping[str, Any], key: str, where: str) -> int | None:
    """A number of things, or None where it is absent or null."""
    value = data.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f'"{key}" of {where} must be a whole number from 0 up, not {show(value)}')
    return value


def show(value: object) -> str:
    """A value for an error message, cut to a readable length."""
    written = clean(repr(value))
    return written if len(written) <= 60 else written[:57] + "..."
