"""A biclustering in a user's file: which format the file has, and JSON with names."""

import os
from collections import deque
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import PurePath
from typing import Any

from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError, naming
from metaeval.files import text_input as tables
from metaeval.files.json_file import Path, decoded, parse_json, read_bytes, shown_name
from metaeval.files.match_names import Named, Names, distinct
from metaeval.files.shown import show

_SIDES = (("objects", "rows"), ("features", "cols"))
#: No names of clusters: a file with one of these keys is a biclustering, or is refused.
_KEYS = {"schema", "biclusters", "shape", "objects", "features", "rows", "cols", "labels", "membership", "clusters"}


def named_from_json(data: Any, name: str) -> Named:
    """The biclustering in parsed JSON, with its names."""
    with naming(name):
        if isinstance(data, list) or (isinstance(data, Mapping) and data and not _KEYS & set(data)):
            return _clustering(data, name)
        if not isinstance(data, Mapping) or not isinstance(data.get("biclusters"), list):
            return Named(Biclustering.from_json(data), name)
        plain = {key: value for key, value in data.items() if key not in ("objects", "features")}
        found: list[Names | None] = []
        for key, side in _SIDES:
            # Names in rows or columns, in order of appearance; none if these are numbers.
            indices = (index for _, some in _sides(plain["biclusters"], side) for index in some)
            used = tuple(dict.fromkeys(index for index in indices if isinstance(index, str))) or None
            names = _listed(data[key], key) if key in data else used
            if names is not None:
                plain["biclusters"] = _numbered(plain["biclusters"], side, names, key, key in data)
            found.append(names)
        partial = [names is not None and key not in data for names, (key, _) in zip(found, _SIDES, strict=True)]
        family = Biclustering.from_json({**plain, "shape": _shape(plain, found)})
        return Named(family, name, (found[0], found[1]), (partial[0], partial[1]))


def _clustering(data: list[Any] | Mapping[str, Any], name: str) -> Named:
    """Lists of members, or one label per object. The keys are names of the clusters, or of the objects."""
    named = data if isinstance(data, Mapping) else dict(enumerate(data, start=1))
    if named and not any(isinstance(one, list) for one in named.values()):
        _demand(named.values(), (int, str, type(None)), "labels (whole numbers, texts or null), or lists of members")
        labels = ["" if one is None else str(one) for one in named.values()]
        return tables.from_labels(labels, name, _listed(list(data), "objects") if named is data else None)
    _demand(named.values(), (list,), "lists of members alone, or labels alone")
    flat = [member for members in named.values() for member in members]
    _demand(flat, (str,) if str in map(type, flat) else (int,), "names alone, or numbers alone")
    table = isinstance(data, list) and len(data) > 1 and len({*map(len, data)}) == 1 < len(data[0])
    if table and {0, 1} >= {*flat}:
        expected = 'expected clusters by name, such as {"a": [0, 1], "b": [0]}, or the matrix as CSV'
        raise InputError(f"the lists are clusters of the objects 0 and 1, or a matrix of memberships; {expected}")
    clusters = {f"cluster {key!r}": [str(member) for member in members] for key, members in named.items()}
    return tables.clustered(clusters, name, "clusters by name" if named is data else "a list of clusters")


def _demand(values: Iterable[Any], kinds: tuple[type, ...], expected: str) -> None:
    for value in values:
        if type(value) not in kinds:
            raise InputError(f"it holds {show(value)}; expected {expected}")


def _listed(names: Any, key: str) -> Names:
    if not isinstance(names, list):
        raise InputError(f'"{key}" must be a list of names, not {show(names)}')
    for each in names:
        if not isinstance(each, str) or not each.strip():
            raise InputError(f'"{key}" holds {show(each)}; expected names, each a text')
    return distinct(names, f'"{key}"')


def _sides(biclusters: list[Any], side: str) -> list[tuple[int, list[Any]]]:
    """The rows or columns of each bicluster that has them; other biclusters are refused elsewhere."""
    return [
        (number, entry[side])
        for number, entry in enumerate(biclusters, start=1)
        if isinstance(entry, Mapping) and isinstance(entry.get(side), list)
    ]


def _numbered(biclusters: list[Any], side: str, names: Names, key: str, listed: bool) -> list[Any]:
    place = {name: at for at, name in enumerate(names)}
    numbered = list(biclusters)
    for number, indices in _sides(biclusters, side):
        where = f'"{side}" of bicluster {number}'
        indexed = [_index(index, place, where, key, listed) for index in indices]
        numbered[number - 1] = {**biclusters[number - 1], side: indexed}
    return numbered


def _index(index: Any, place: Mapping[str, int], where: str, key: str, listed: bool) -> Any:
    if not isinstance(index, str):
        if listed:
            return index
        raise InputError(f'{where} has {show(index)} among names; expected names alone, or a list of them in "{key}"')
    if index not in place:
        close = get_close_matches(index, place, n=1)
        hint = f"; did you mean {show(close[0])}?" if close else ""
        raise InputError(f'{where} has {show(index)}, which is not in "{key}"{hint}')
    return place[index]


def _shape(plain: Mapping[str, Any], found: list[Names | None]) -> Any:
    """The given shape, which must agree with the names; else the number of names, or the smallest shape."""
    shape = plain.get("shape")
    if shape is None:
        least = Biclustering.from_json({key: value for key, value in plain.items() if key != "shape"}).shape
        return [size if names is None else len(names) for names, size in zip(found, least, strict=True)]
    if isinstance(shape, list) and len(shape) == 2:
        for names, size, (key, side) in zip(found, shape, _SIDES, strict=True):
            if names is not None and size != len(names):
                such = f", such as {show(names[0])}" if names else ""
                raise InputError(
                    f'"shape" is {show(shape)} and {len(names)} "{side}" are named{such}; list every name in "{key}"'
                )
    return shape


_PICKLES = (".pkl", ".pickle", ".joblib", ".p", ".sav")
_ARRAYS = (".npy", ".npz")
#: The first bytes of ``.npy`` files, and of ``.npz`` files, which are ZIP archives.
_MAGIC = (b"\x93NUMPY", b"PK\x03\x04")


def read(path: Path, format: str | None = None) -> Named:
    """The biclustering in a file, or ``-``; ``format`` says if a text that could be either is labels or memberships."""
    name, data = shown_name(path), read_bytes(path)
    suffix = PurePath(path).suffix.lower()
    protocol = data[:1] == b"\x80" and data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05")
    if suffix in _PICKLES or protocol or _is_old_pickle(data):
        raise InputError(
            f"{name} is a pickle, which can run any code when it is read; save labels as text, or biclusters with "
            "numpy.savez('found.npz', rows=model.rows_, columns=model.columns_)"
        )
    if data.startswith(_MAGIC):
        # NumPy is slow to load.
        from metaeval.files import array_input as arrays

        return arrays.parse(data, name)
    if suffix in _ARRAYS:
        raise InputError(f"{name} is no NumPy file; expected one that numpy.save or numpy.savez has written")
    text = decoded(data, name)
    if suffix == ".json" or (format is None and text.lstrip()[:1] in ("{", "[")):
        return named_from_json(parse_json(text, name), name)
    return tables.parse(text, name, format)


def _is_old_pickle(data: bytes) -> bool:
    """Whether this is a pickle of an old protocol, which has no header."""
    if not data.endswith(b"."):  # every pickle ends like this, and few texts do
        return False
    import pickletools  # does not run the pickle

    try:
        ((_, _, end),) = deque(pickletools.genops(data), maxlen=1)
        with open(os.devnull, "w") as nowhere:
            pickletools.dis(data, nowhere)  # also checks the order of the opcodes
    except Exception:  # any error means that it is not a pickle
        return False
    return end == len(data) - 1
