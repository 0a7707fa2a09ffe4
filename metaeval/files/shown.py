"""Text from files, cleaned before it is shown; and the fields of proofs, checked one by one."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping
from reprlib import Repr
from typing import Any

from metaeval.core.errors import InputError

#: Control characters, lone surrogates and invisible formatting can drive a terminal or reverse a line.
_UNPRINTABLE = ("Cc", "Cf", "Cs", "Zl", "Zp")

_LONGEST_SHOWN = 60
#: Looks into a value only as far as it is shown: values of files can be huge and deeply nested.
_BRIEFLY = Repr()
_BRIEFLY.maxlevel = 4
_BRIEFLY.maxstring = _BRIEFLY.maxother = _BRIEFLY.maxlong = 2 * _LONGEST_SHOWN
_BRIEFLY.maxlist = _BRIEFLY.maxtuple = _BRIEFLY.maxdict = _BRIEFLY.maxset = _LONGEST_SHOWN // 2


def clean(text: str) -> str:
    """``text`` on one line; characters that do not print are replaced."""
    one_line = " ".join(text.split())
    if one_line.isprintable():
        return one_line
    return "".join("�" if unicodedata.category(char) in _UNPRINTABLE else char for char in one_line)


def printable(text: str) -> str:
    """``text`` with its lines kept; characters that do not print are replaced."""
    return "\n".join(
        "".join("�" if unicodedata.category(char) in _UNPRINTABLE else char for char in line.expandtabs())
        for line in text.splitlines()
    )


def show(value: object) -> str:
    """A value for an error message, cut to a readable length."""
    written = clean(_BRIEFLY.repr(value))
    return written if len(written) <= _LONGEST_SHOWN else written[: _LONGEST_SHOWN - 3] + "..."


_MOST_CHARACTERS = 10_000


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """``value`` as a JSON object."""
    if not isinstance(value, Mapping):
        raise InputError(f"{where} must be a JSON object, not {show(value)}")
    return value


def refuse_unknown(data: Mapping[str, Any], known: Collection[str], where: str) -> None:
    """Refuse a key that nobody reads."""
    for key in data:
        if key not in known:
            raise InputError(f"{where} has an unknown key {show(key)}")


def need(data: Mapping[str, Any], key: str, where: str) -> Any:
    """The value of a required key."""
    if key not in data:
        raise InputError(f'{where} has no "{key}"')
    return data[key]


def text(data: Mapping[str, Any], key: str, where: str) -> str:
    """A printable string."""
    value = need(data, key, where)
    if not isinstance(value, str):
        raise InputError(f'"{key}" of {where} must be a string, not {show(value)}')
    if len(value) > _MOST_CHARACTERS:
        raise InputError(f'"{key}" of {where} has {len(value)} characters; at most {_MOST_CHARACTERS} are accepted')
    return clean(value)


def is_whole(value: Any) -> bool:
    """Whether this is an integer; JSON's true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)
