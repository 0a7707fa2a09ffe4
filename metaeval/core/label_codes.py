"""Label vectors as arrays: each object's cluster by number, in the order in which labels first occur."""

from __future__ import annotations

from collections.abc import Sized
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Fewer labels than these are read one by one, which takes less time than to load NumPy.
FEW = 2_000
#: A table of all values between the smallest and the largest label has at most so many entries per label.
_ROOM = 4


def codes_of(labels: Any) -> NDArray[Any] | None:
    """The number of each object's cluster, −1 for none; None where the labels are few, or are not all integers."""
    if not isinstance(labels, Sized) or isinstance(labels, (str, bytes, set, frozenset, dict)) or len(labels) < FEW:
        return None
    import numpy as np

    if not hasattr(labels, "dtype") and {*map(type, labels)} != {int}:
        return None
    try:
        array = np.asarray(labels)
    except OverflowError:  # an integer beyond 64 bits
        return None
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.dtype.kind == "u" and int(array.max()) >= 1 << 63):
        return None
    codes = _numbered(array.astype(np.int64, copy=False))
    return np.frombuffer(codes.tobytes(), codes.dtype)  # memory that nobody can change


def _numbered(labels: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    count, low, high = len(labels), int(labels.min()), int(labels.max())
    if high - low < _ROOM * count:
        values, places = np.arange(low, high + 1), labels - low
        first = np.full(len(values), count)
        first[places[::-1]] = np.arange(count - 1, -1, -1)  # of the objects with a label, the first is written last
    else:
        values, first, places = np.unique(labels, return_index=True, return_inverse=True)
    clusters = np.flatnonzero((first < count) & (values != -1))
    numbers = np.full(len(values), -1, dtype=np.int32 if count < 1 << 31 else np.int64)
    numbers[clusters[np.argsort(first[clusters])]] = np.arange(len(clusters))
    return numbers[places]


def rows_of(codes: NDArray[Any]) -> list[list[int]]:
    """The objects of each cluster."""
    import numpy as np

    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes + 1, minlength=1))
    return [order[start:end].tolist() for start, end in pairwise(ends.tolist())]
