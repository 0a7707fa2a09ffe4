"""Records of JSON files: one decoder, one encoder, and one sentence for each error."""

from __future__ import annotations

import re
from abc import ABCMeta
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_origin

import msgspec

from metaeval.core.errors import InputError
from metaeval.files.shown import clean, printable, show

#: A longer name, sentence or citation is refused.
MOST_CHARACTERS = 10_000

Count = Annotated[int, msgspec.Meta(ge=0)]

Conversion = Callable[[Any], Any]
_DECODERS: dict[type, Conversion] = {}
_ENCODERS: dict[type, Conversion] = {}


def add_type(kind: type, decode: Conversion, encode: Conversion) -> None:
    """Let records have fields of a type that msgspec does not know.

    A plain ValueError of ``decode`` continues the name of the place; an InputError is a sentence of its own.
    """
    _DECODERS[kind] = decode
    _ENCODERS[kind] = encode


def stand_in(name: str, kinds: Iterable[type], decode: Conversion) -> Any:
    """A type for values of these kinds that msgspec does not know, so that it calls ``decode``."""
    made = ABCMeta(name, (), {})
    for kind in kinds:
        made.register(kind)
    _DECODERS[made] = decode
    return made


def _line(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be a string, not {show(value)}")
    if len(value) > MOST_CHARACTERS:
        raise ValueError(f"has {len(value)} characters; at most {MOST_CHARACTERS} are accepted")
    return clean(value)


def _lines(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be a string, not {show(value)}")
    return printable(value)


if TYPE_CHECKING:
    Line = str
    Lines = str
else:
    #: A string that is safe to show: on one line, or on several.
    Line, Lines = stand_in("Line", [str], _line), stand_in("Lines", [str], _lines)


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record of a file. Its fields are keys of a JSON object, in this order.

    Fields in ``OPTIONAL`` are not written if they are None, False or empty.
    """

    OPTIONAL: ClassVar[frozenset[str]] = frozenset()

    def to_json(self) -> dict[str, Any]:
        """The record as data for ``json.dump``."""
        config = self.__struct_config__
        schema = {} if config.tag_field is None else {config.tag_field: config.tag}
        names = zip(self.__struct_fields__, self.__struct_encode_fields__, strict=True)
        values = {key: getattr(self, name) for name, key in names}
        return schema | {
            key: encode(value)
            for key, value in values.items()
            if key not in self.OPTIONAL or not (value is None or value is False or value == "")
        }


Kind = TypeVar("Kind", bound=Record)


def encode(value: Any) -> Any:
    """A value of a record as data for ``json.dump``."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if type(value) in _ENCODERS:
        return _ENCODERS[type(value)](value)
    if isinstance(value, Mapping):
        return {key: encode(one) for key, one in value.items()}
    return [encode(one) for one in value] if isinstance(value, tuple) else value


def decode(kind: type[Kind], data: Any, where: str) -> Kind:
    """The record in parsed JSON; ``where`` names it in an error."""
    config = kind.__struct_config__
    if config.tag_field is not None:
        demand_schema(data, str(config.tag), where)
    try:
        return msgspec.convert(data, kind, dec_hook=_decoded)
    except msgspec.ValidationError as error:
        raise InputError(_sentence(error, kind, data, where)) from None
    except UnicodeEncodeError:
        raise InputError(f"{where} has a text with half of a surrogate pair, which is no character") from None


def demand_schema(data: Any, schema: str, where: str) -> Mapping[str, Any]:
    """``data`` as a JSON object of this schema."""
    if not isinstance(data, Mapping):
        raise InputError(f"{where} must be a JSON object, not {show(data)}")
    if data.get("schema") != schema:
        raise InputError(f"the schema of {where} is {show(data.get('schema'))}; expected {schema!r}")
    return data


def _decoded(kind: type, value: Any) -> Any:
    """msgspec's hook for types that it does not know; strings are decoded even if they have the type already."""
    return value if isinstance(value, kind) and not isinstance(value, str) else _DECODERS[kind](value)


# --- errors

#: What msgspec says, and where: "Expected `int` >= 0 - at `$.cells[0].cases`".
_SAID = re.compile(r"(?P<said>.*?)(?: - at `(?:key` in `)?\$(?P<path>[^`]*)`)?\Z", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[([0-9]+|\.\.\.)\]")
_EXPECTED = re.compile(r"Expected `([^`]*)`(.*)")
_WORDS = {
    "int": "a whole number", "float": "a number", "bool": "true or false", "str": "a string", "array": "a list",
    "object": "a JSON object",
}  # fmt: skip


def _sentence(error: msgspec.ValidationError, kind: type[Record], data: Any, where: str) -> str:
    """msgspec's error as a sentence with the place, the value and what was expected."""
    found = _SAID.match(str(error))
    assert found is not None
    said, path = found["said"], [name or index for name, index in _STEP.findall(found["path"] or "")]
    place = _place(path, where)
    cause = error.__cause__
    if cause is not None:
        return f"{place}: {cause}" if isinstance(cause, InputError) else f"{place} {cause}"
    if said.startswith("Object missing required field"):
        return f'{place} has no "{said.split("`")[1]}"'
    if said.startswith("Object contains unknown field"):
        return f"{place} has an unknown key {show(said.split('`', 1)[1][:-1])}"
    value = _value(data, path)
    if said.startswith("Invalid enum value"):
        return f"{place} is {value}; expected one of {', '.join(_choices(kind, path))}"
    return f"{place} must be {_expected(said)}" + (f", not {value}" if value else "")


def _place(path: list[str], where: str) -> str:
    """The words for a path: "cases" of item 3 of "listed" of the answer."""
    for step in path:
        if step == "...":
            where = f"an entry of {where}"
        else:
            where = f"item {int(step) + 1} of {where}" if step.isdecimal() else f'"{step}" of {where}'
    return where


def _value(data: Any, path: list[str]) -> str:
    """The value at a path, to be shown; empty if it is not known."""
    for step in path:
        if step == "...":  # msgspec does not say which key it is
            return ""
        data = data[int(step)] if isinstance(data, list) else data[step]
    return show(data)


def _choices(kind: type[Record], path: list[str]) -> list[str]:
    """The values that a field of the record can have."""
    types = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    field = types[path[-1]] if len(path) == 1 else Any
    choices: list[str] = []
    for one in (field, *get_args(field)):
        if isinstance(one, type) and issubclass(one, Enum):
            choices += [str(member.value) for member in one]
        elif get_origin(one) is Literal:
            choices += [*get_args(one)]
        elif one is type(None):
            choices.append("null")
    return choices


def _expected(said: str) -> str:
    """What was expected, in words: "Expected `int` >= 0" is "a whole number from 0 up"."""
    found = _EXPECTED.match(said)
    if found is None:
        return said
    words = " or ".join(_WORDS.get(name, name) for name in found[1].split(" | "))
    limit = found[2].partition(", got")[0].removesuffix(".0")
    for sign, word in ((" of length >= ", " of at least "), (" >= ", " from "), (" <= ", " up to ")):
        if limit.startswith(sign):
            return f"{words}{word}{limit.removeprefix(sign)}{' up' if sign == ' >= ' else ''}"
    return words + limit
