"""Fields of parsed JSON: taken out with their type checked, or an error that says where the file is wrong."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Collection, Mapping
from contextlib import suppress
from reprlib import Repr
from typing import Any

from metaeval.core.errors import InputError

#: Control characters, lone surrogates and invisible formatting could drive a terminal or reverse a line.
_UNPRINTABLE = ("Cc", "Cf", "Cs", "Zl", "Zp")

#: No name, sentence or citation is longer; a file that has one is no file of ours.
MOST_CHARACTERS = 10_000

_LONGEST_SHOWN = 60
#: Looks no further into a value than is shown of it: a file's values may be huge, and nested as deep as they like.
_BRIEFLY = Repr()
_BRIEFLY.maxlevel = 4
_BRIEFLY.maxstring = _BRIEFLY.maxother = _BRIEFLY.maxlong = 2 * _LONGEST_SHOWN
_BRIEFLY.maxlist = _BRIEFLY.maxtuple = _BRIEFLY.maxdict = _BRIEFLY.maxset = _LONGEST_SHOWN // 2


def clean(text: str) -> str:
    """``text`` on one line, with every character that does not print replaced."""
    one_line = " ".join(text.split())
    if one_line.isprintable():
        return one_line
    return "".join("�" if unicodedata.category(char) in _UNPRINTABLE else char for char in one_line)


def printable(text: str) -> str:
    """``text`` with its lines, and every character that does not print replaced."""
    return "\n".join(
        "".join("�" if unicodedata.category(char) in _UNPRINTABLE else char for char in line.expandtabs())
        for line in text.splitlines()
    )


def show(value: object) -> str:
    """A value for an error message, cut to a readable length."""
    written = clean(_BRIEFLY.repr(value))
    return written if len(written) <= _LONGEST_SHOWN else written[: _LONGEST_SHOWN - 3] + "..."


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
