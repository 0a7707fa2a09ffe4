"""Fields of parsed JSON, checked by hand."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from metaeval.core.errors import InputError
from metaeval.files.shown import clean, printable, show

MOST_CHARACTERS = 10_000


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """``value`` as a JSON object."""
    if not isinstance(value, Mapping):
        raise InputError(f"{where} must be a JSON object, not {show(value)}")
    return value


def refuse_unknown(data: Mapping[str, Any], known: Collection[str], where: str) -> None:
    """Refuse a key that nobody reads: it is a typing mistake, or says something that would be ignored."""
    for key in data:
        if key not in known:
            raise InputError(f"{where} has an unknown key {show(key)}")


def need(data: Mapping[str, Any], key: str, where: str) -> Any:
    """The value under a key that must be there."""
    if key not in data:
        raise InputError(f'{where} has no "{key}"')
    return data[key]


def text(data: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    """A printable string; absent or null gives the default, where there is one."""
    value = data.get(key) if default is not None else need(data, key, where)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise InputError(f'"{key}" of {where} must be a string, not {show(value)}')
    if len(value) > MOST_CHARACTERS:
        raise InputError(f'"{key}" of {where} has {len(value)} characters; at most {MOST_CHARACTERS} are accepted')
    return clean(value)


def optional_text(data: Mapping[str, Any], key: str, where: str) -> str | None:
    """A printable string, or None where it is absent, null or empty."""
    return text(data, key, where, default="") or None


def optional_lines(data: Mapping[str, Any], key: str, where: str) -> str | None:
    """Printable lines, or None where they are absent, null or empty."""
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        raise InputError(f'"{key}" of {where} must be a string, not {show(value)}')
    return printable(value or "") or None


def count(data: Mapping[str, Any], key: str, where: str) -> int:
    """A number of things."""
    value = need(data, key, where)
    if not is_whole(value) or value < 0:
        raise InputError(f'"{key}" of {where} must be a whole number from 0 up, not {show(value)}')
    return int(value)


def optional_count(data: Mapping[str, Any], key: str, where: str) -> int | None:
    """A number of things, or None where it is absent or null."""
    return None if data.get(key) is None else count(data, key, where)


def number(value: Any, what: str) -> float:
    """A finite number."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        with suppress(OverflowError):  # an integer beyond all floats
            if math.isfinite(found := float(value)):
                return found
    raise InputError(f"{what} must be a number, not {show(value)}")


def flag(data: Mapping[str, Any], key: str, where: str) -> bool:
    """True or false."""
    value = need(data, key, where)
    if not isinstance(value, bool):
        raise InputError(f'"{key}" of {where} must be true or false, not {show(value)}')
    return value


def is_whole(value: Any) -> bool:
    """Whether this is an integer; JSON's true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)
