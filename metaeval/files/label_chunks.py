"""Label vectors that may be larger than memory, in chunks: arrays, memory maps, .npy and Parquet files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metaeval.core.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Rows of a chunk.
ROWS = 1 << 20
PARQUET = ".parquet"


def is_dask(source: Any) -> bool:
    """Whether this is a collection of Dask."""
    return hasattr(source, "__dask_graph__")


def is_chunked(path: str) -> bool:
    """Whether a file is read in chunks: Parquet, with or without the name of a column, or a vector of many integers."""
    if PARQUET in Path(path).name:
        return True
    if not path.endswith(".npy") or not os.path.isfile(path) or os.path.getsize(path) < ROWS:
        return False
    vector = _mapped(path)
    return vector.ndim == 1 and vector.dtype.kind in "iu"


def pairs_of_chunks(candidate: Any, gold: Any) -> Iterator[tuple[Any, Any]]:
    """Chunks of both vectors, of the same rows; where one vector ends early, the rest of the other alone."""
    sources: list[Iterator[Any]] = [_chunks(candidate), _chunks(gold)]
    rest: list[Any] = [(), ()]
    while True:
        rest = [one if len(one) else next(source, ()) for one, source in zip(rest, sources, strict=True)]
        rows = min(map(len, rest)) or max(map(len, rest))
        if not rows:
            return
        yield rest[0][:rows], rest[1][:rows]
        rest = [one[rows:] for one in rest]


def _chunks(source: Any) -> Iterator[Any]:
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if PARQUET in Path(path).name:
            yield from _of_parquet(path)
            return
        source = _mapped(path)
    if isinstance(source, (list, tuple)):
        import numpy as np

        source = np.asarray(source)
    if not hasattr(source, "dtype"):
        raise InputError(
            f"a side is a {type(source).__name__}; expected a metaeval.Biclustering, a vector of integers as an array, "
            "as a .npy or .parquet file or in Dask, or pairs of chunks in place of both sides"
        )
    vector = source.to_numpy() if hasattr(source, "to_numpy") else source
    yield from (vector[start : start + ROWS] for start in range(0, len(vector), ROWS))


def _mapped(path: str) -> NDArray[Any]:
    import numpy as np

    try:
        found: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is no vector in an .npy file: {error}") from None
    return found


def _of_parquet(path: str) -> Iterator[Any]:
    """The column that follows a colon, or the only one; nothing stands for no label."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise InputError(f"{path}: reading Parquet needs pyarrow: pip install pyarrow") from None
    name, _, column = path.rpartition(":") if not path.endswith(PARQUET) else (path, "", "")
    try:
        file = parquet.ParquetFile(name)
    except (OSError, ArrowException) as error:
        raise InputError(f"{name} is no Parquet file: {error}") from None
    known = file.schema_arrow.names
    if not column and len(known) == 1:
        column = known[0]
    if column not in known:
        raise InputError(f"{path} names {column or 'no column'!r}; expected one of {name}:{f', {name}:'.join(known)}")
    for batch in file.iter_batches(ROWS, columns=[column]):
        yield batch.column(0).fill_null(-1).to_numpy(zero_copy_only=False)
