"""Fields of parsed JSON, checked by hand: only proofs need this."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from metaeval.core.errors import InputError
from metaeval.files.shown import clean, show

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
        raise InputError(
            f'"{key}" of {where} has {len(value)} characters; at most {_MOST_CHARACTERS} are accepted'
        )
    return clean(value)


def is_whole(value: Any) -> bool:
    """Whether this is an integer; JSON's true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)
