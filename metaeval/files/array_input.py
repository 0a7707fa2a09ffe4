"""NumPy files: labels, memberships, and biclusters as scikit-learn's ``rows_`` and ``columns_``.

Nothing is unpickled, because a pickle can run any code.
"""

import io
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError, naming
from metaeval.files.json_file import MOST_BYTES
from metaeval.files.match_names import Named, Names, distinct
from metaeval.files.shown import show
from metaeval.files.text_input import clustering, from_labels

_KEYS = "expected `rows` and `columns`, or `labels`, or `membership`, and the names `objects` and `features`"
#: Other names of the arrays in an archive: those of scikit-learn and numpy.savez.
_ALIASES = {"rows_": "rows", "columns_": "columns", "cols": "columns", "labels_": "labels", "arr_0": "array"}


def parse(data: bytes, source: str) -> Named:
    """The biclustering in an ``.npy`` or ``.npz`` file."""
    found = _loaded(data, source)
    with naming(source):
        return _archive(found, source) if isinstance(found, dict) else _clustering(found, source, "the array", None)


def _loaded(data: bytes, source: str) -> Any:
    """The array of a file, or the arrays of an archive by their names."""
    try:
        if data.startswith(b"PK"):  # refuse a small archive that would fill the memory
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                size = sum(entry.file_size for entry in archive.infolist())
            if size > MOST_BYTES:
                raise InputError(f"holds {size // 1024**2} MiB; expected at most {MOST_BYTES // 1024**2} MiB")
        loaded: Any = np.load(io.BytesIO(data), allow_pickle=False)
        return loaded if isinstance(loaded, np.ndarray) else {key: loaded[key] for key in loaded.files}
    except InputError as error:
        raise InputError(f"{source} {error}") from None
    except Exception as error:  # numpy and zipfile raise many kinds for damaged files
        if "allow_pickle" in str(error):
            raise InputError(
                f"{source} holds Python objects, which only a pickle can store and which can run any code when "
                "read; save arrays of numbers, truth values or text"
            ) from None
        raise InputError(f"{source} is no whole NumPy file: {' '.join(str(error).split())}") from None


def _archive(found: Mapping[str, Any], source: str) -> Named:
    strange = next((key for key, array in found.items() if not isinstance(array, np.ndarray)), None)
    if strange is not None:
        raise InputError(f"it is an archive with {show(strange)}, which is no array; {_KEYS}")
    arrays = {_ALIASES.get(key, key): array for key, array in found.items()}
    names: dict[str, Names] = {key: _names(arrays.pop(key), key) for key in ("objects", "features") if key in arrays}
    kinds = set(arrays)
    if kinds == {"rows", "columns"}:
        return _biclusters(arrays["rows"], arrays["columns"], source, names)
    if len(kinds) == 1 and kinds <= {"labels", "membership", "array"} and "features" not in names:
        ((kind, array),) = arrays.items()
        wanted = {"labels": 1, "membership": 2}.get(kind, array.ndim)
        if array.ndim != wanted:
            raise InputError(f"`{kind}` is {_form(array)}; expected {wanted} dimension{'s' * (wanted > 1)}")
        return _clustering(array, source, f"`{kind}`", names.get("objects"))
    raise InputError(f"it holds {', '.join(f'`{show(key)[1:-1]}`' for key in found) or 'nothing'}; {_KEYS}")


def _biclusters(rows: Any, columns: Any, source: str, names: Mapping[str, Names]) -> Named:
    for key, array in (("rows", rows), ("columns", columns)):
        if array.ndim != 2:
            raise InputError(f"`{key}` is {_form(array)}; expected one line per bicluster")
    family = Biclustering.from_indicators(_truth(rows, "`rows`"), _truth(columns, "`columns`"))
    for key, size in zip(("objects", "features"), family.shape, strict=True):
        if key in names and len(names[key]) != size:
            raise InputError(f"`{key}` has {len(names[key])} names and the indicators tell of {size}")
    return Named(family, source, (names.get("objects"), names.get("features")), counted=True)


def _clustering(array: Any, source: str, what: str, objects: Names | None) -> Named:
    """The clustering in labels, or in a table with one line per object and one column per cluster."""
    if array.ndim not in (1, 2):
        raise InputError(f"{what} is {_form(array)}; expected labels, or a table of objects and clusters")
    if objects is not None and len(objects) != len(array):
        raise InputError(f"`objects` has {len(objects)} names and {what} tells of {len(array)} objects")
    if array.ndim == 1:
        return from_labels(_label_texts(array, what), source, objects)
    members = [np.flatnonzero(column).tolist() for column in _truth(array, what).T]
    # An empty cluster is not a cluster.
    return clustering([rows for rows in members if rows], len(array), source, objects, None)


def _label_texts(array: Any, what: str) -> list[str]:
    if array.dtype.kind in "iuU":
        return [str(label) for label in array.tolist()]
    if array.dtype.kind == "f":
        whole = np.where(np.isnan(array), -1, array)  # NaN means unclustered
        if (whole == np.floor(whole)).all() and np.isfinite(whole).all():
            return [str(int(label)) for label in whole.tolist()]
    raise InputError(f"{what} is {_form(array)}; expected labels that are whole numbers or text")


def _names(array: Any, key: str) -> Names:
    if array.ndim != 1 or array.dtype.kind != "U":
        raise InputError(f"`{key}` is {_form(array)}; expected names as text")
    return distinct(array.tolist(), f"`{key}`")


def _truth(array: Any, what: str) -> Any:
    """A table of truth values, from truth values or from 0 and 1."""
    if array.dtype.kind == "b":
        return array
    if array.dtype.kind not in "iuf":
        raise InputError(f"{what} is {_form(array)}; expected truth values, or 0 and 1")
    wrong = array[(array != 0) & (array != 1)]
    if wrong.size:
        raise InputError(f"{what} holds {wrong[0]}; expected truth values, or 0 and 1")
    return array.astype(bool)


def _form(array: Any) -> str:
    return f"an array of {array.dtype} with the shape {array.shape}"
