"""Label vectors as arrays: each object's cluster by number, in the order in which labels first occur."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from metaeval.core.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Fewer labels in a list are read one by one, without NumPy, which takes long to load; so are fewer in an array.
FEW, FEW_IN_ARRAY = 100_000, 200
#: A table of all values between the smallest and the largest label has at most so many entries per label.
_ROOM = 4


@dataclass(frozen=True)
class Counted:
    """One side of two label vectors of which only the pairs of labels were counted."""

    table: Any
    side: int

    def __len__(self) -> int:
        return int(self.table.objects)


def clusters_in(codes: NDArray[Any] | Counted) -> int:
    """The number of clusters."""
    if isinstance(codes, Counted):
        return int(codes.table.clusters[codes.side])
    return int(codes.max(initial=-1)) + 1


def codes_of(labels: Any) -> NDArray[Any] | None:
    """The number of each object's cluster, −1 for none; None where the labels are few, or are not all integers."""
    is_array = hasattr(labels, "dtype")
    if not is_array and not isinstance(labels, (list, tuple, range)):
        return None
    if len(labels) < (FEW_IN_ARRAY if is_array else FEW) or not (is_array or {*map(type, labels)} == {int}):
        return None
    import numpy as np

    try:
        array = np.asarray(labels)
    except OverflowError:  # an integer beyond 64 bits
        return None
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array.dtype.kind == "u" and int(array.max()) >= 1 << 63):
        return None
    return _numbered(array.astype(np.int64, copy=False))


def _numbered(labels: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    count, low, high = len(labels), int(labels.min()), int(labels.max())
    kind = np.int32 if count < 1 << 31 else np.int64
    values: Any
    first: Any
    if high - low < _ROOM * count:
        values, places = np.arange(low, high + 1), labels - low if low else labels
        first = np.full(len(values), count, dtype=kind)
        # Of all objects with a label, the first is written last.
        first[places[::-1]] = np.arange(count - 1, -1, -1, dtype=kind)
    else:
        values, first, places = np.unique(labels, return_index=True, return_inverse=True)
    clusters = np.flatnonzero((first < count) & (values != -1))
    numbers: NDArray[Any] = np.full(len(values), -1, dtype=kind)
    numbers[clusters[np.argsort(first[clusters])]] = np.arange(len(clusters), dtype=kind)
    return np.asarray(numbers[places])


def rows_of(codes: NDArray[Any] | Counted) -> list[list[int]]:
    """The objects of each cluster."""
    import numpy as np

    if isinstance(codes, Counted):
        raise InputError("labels in chunks are counted, not kept: which objects a cluster has is not known")

    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes + 1, minlength=1))
    return [order[start:end].tolist() for start, end in pairwise(ends.tolist())]
