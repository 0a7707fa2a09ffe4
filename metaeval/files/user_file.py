"""Reading a file of any format that is known, recognised by its name and its content."""

from __future__ import annotations

import os
from collections import deque
from pathlib import PurePath

from metaeval.core.errors import InputError
from metaeval.files import text_input as tables
from metaeval.files.json_file import Path, decoded, parse_json, read_bytes, shown_name
from metaeval.files.match_names import Named
from metaeval.files.named_json import named_from_json

_PICKLES = (".pkl", ".pickle", ".joblib", ".p", ".sav")
_ARRAYS = (".npy", ".npz")
#: How an ``.npy`` file begins, and an ``.npz`` file, which is a ZIP archive.
_MAGIC = (b"\x93NUMPY", b"PK\x03\x04")


def read(path: Path, format: str | None = None) -> Named:
    """The biclustering in a file; ``-`` stands for standard input.

    ``format`` says of a text that is no JSON whether it holds labels or memberships, where that cannot be seen.
    """
    name, data = shown_name(path), read_bytes(path)
    suffix = PurePath(path).suffix.lower()
    _refuse_pickle(name, data, suffix)
    if data.startswith(_MAGIC):
        # NumPy takes longer to load than a small file to read.
        from metaeval.files import array_input as arrays

        return arrays.parse(data, name)
    if suffix in _ARRAYS:
        raise InputError(f"{name} is no NumPy file; expected one that numpy.save or numpy.savez has written")
    text = decoded(data, name)
    if suffix == ".json" or (format is None and text.lstrip()[:1] in ("{", "[")):
        return named_from_json(parse_json(text, name), name)
    return tables.parse(text, name, format)


def _refuse_pickle(name: str, data: bytes, suffix: str) -> None:
    protocol = data[:1] == b"\x80" and data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05")
    if suffix in _PICKLES or protocol or _is_old_pickle(data):
        raise InputError(
            f"{name} is a pickle, which can run any code when it is read; save labels as text, or biclusters with "
            "numpy.savez('found.npz', rows=model.rows_, columns=model.columns_)"
        )


def _is_old_pickle(data: bytes) -> bool:
    """Whether this is a pickle of a protocol that has no mark of its own, and is text in part or wholly."""
    if not data.endswith(b"."):  # how every pickle ends, and hardly a text
        return False
    import pickletools  # looks at a pickle and runs nothing of it

    try:
        ((_, _, end),) = deque(pickletools.genops(data), maxlen=1)
        with open(os.devnull, "w") as nowhere:
            pickletools.dis(data, nowhere)  # beside its words, their order must be right, too
    except Exception:  # whatever is met in a text that is none
        return False
    return end == len(data) - 1
