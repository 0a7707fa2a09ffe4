"""Counts of label pairs: how many objects have each pair of a candidate's and a gold standard's label.

Vectors may come in chunks. Counts add up, so memory follows the number of different pairs and not of objects.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import InputError, MetaevalError
from metaeval.core.label_codes import Counted
from metaeval.files.label_chunks import is_dask, pairs_of_chunks
from metaeval.kernel.large_overlay import Array, frozen

#: A table of all pairs has at most so many entries per object; a larger one is sorted.
_ROOM = 4
#: Pairs that wait until they are added up; more only if more are known.
_MOST_WAITING = 1 << 20
#: Tables that are added up in one task of Dask.
_AT_ONCE = 8


class Tally(NamedTuple):
    """Clusters and classes by number, −1 for none, and the cells that lie in both; one entry per pair with any."""

    i: Array
    j: Array
    n: Array


def tallied(first: Array, second: Array, width: int, places: int) -> Tally:
    """The different pairs of two vectors of numbers from 0, the second's below ``width``, with how often each occurs.

    There are at most so many ``places``, pairs that could occur. The first vector is used up.
    """
    first *= width
    first += second
    if places <= _ROOM * len(first):
        counts = np.bincount(first)
        met = np.flatnonzero(counts)
        times = counts[met]
    else:
        met, times = np.unique(first, return_counts=True)
    i = met // width
    return Tally(i, met - i * width, times)


class LabelTable:
    """The pairs of labels of two vectors, with the number of objects that have each; −1 is no label."""

    def __init__(self) -> None:
        self.objects = 0
        self._parts: list[Tally] = []
        self._merged = 0

    def add(self, candidate: Any, gold: Any, start: int | None = None) -> "LabelTable":
        """Count a chunk, two vectors of whole numbers; errors name its rows, which begin at ``start``."""
        start = self.objects if start is None else start
        rows = f"rows {start:,} to {start + max(len(candidate), len(gold)) - 1:,}"
        if len(candidate) != len(gold):
            raise InputError(
                f"{rows}: {len(candidate):,} labels of the candidate and {len(gold):,} of the gold standard"
            )
        if len(candidate):
            self._join(_pairs(_whole(candidate, f"{rows}: the candidate"), _whole(gold, f"{rows}: the gold standard")))
        self.objects += len(candidate)
        return self

    def plus(self, others: Iterable["LabelTable"]) -> "LabelTable":
        """This table, with what others counted."""
        for other in others:
            self.objects += other.objects
            for part in other._parts:
                self._join(part)
        self._merge()
        return self

    def _join(self, part: Tally) -> None:
        self._parts.append(part)
        if sum(len(one.n) for one in self._parts) > 2 * self._merged + _MOST_WAITING:
            self._merge()

    def _merge(self) -> None:
        self._parts = self._parts or [Tally(*(np.zeros(0, dtype=np.int64) for _ in range(3)))]
        i, j, n = (np.concatenate(some) for some in zip(*self._parts, strict=True))
        order = np.lexsort((j, i))
        i, j, n = i[order], j[order], n[order]
        first = np.flatnonzero(np.r_[True, (i[1:] != i[:-1]) | (j[1:] != j[:-1])]) if len(n) else np.arange(0)
        # Fewer than 2⁶³ objects: no sum of 64 bits overflows.
        self._parts = [Tally(i[first], j[first], np.add.reduceat(n, first) if len(n) else n)]
        self._merged = len(first)

    @cached_property
    def entries(self) -> Tally:
        """The pairs by numbers of clusters and classes, in the order of their labels; nothing can be added then."""
        self._merge()
        i, j, n = self._parts[0]
        numbers = [np.searchsorted(labels, one) for one, labels in zip((i, j), self._labels, strict=True)]
        i, j = (np.where(one == -1, -1, number) for one, number in zip((i, j), numbers, strict=True))
        covered = (i >= 0) | (j >= 0)
        return Tally(*map(frozen, (i[covered], j[covered], n[covered])))

    @cached_property
    def _labels(self) -> list[Array]:
        return [(found := np.unique(one))[found != -1] for one in self._parts[0][:2]]

    @property
    def clusters(self) -> tuple[int, int]:
        """The number of clusters and of classes."""
        return tuple(int(one.max(initial=-1)) + 1 for one in self.entries[:2])  # type: ignore[return-value]

    def sides(self) -> tuple[Biclustering, Biclustering]:
        """The candidate and the gold standard, to be scored; which objects a cluster has is not known."""
        found, true = (Biclustering.of_codes(Counted(self, side)) for side in (0, 1))
        return found, true


def _pairs(*vectors: Array) -> Tally:
    """The different pairs of labels, with how often each occurs."""
    lows, sizes = zip(*((int(one.min()), int(one.max()) - int(one.min()) + 1) for one in vectors), strict=True)
    if sizes[0] * sizes[1] < 1 << 62:
        first, second = (one - low for one, low in zip(vectors, lows, strict=True))
        i, j, n = tallied(first, second, sizes[1], sizes[0] * sizes[1])
        return Tally(i + lows[0], j + lows[1], n)
    (some, i), (others, j) = (np.unique(one, return_inverse=True) for one in vectors)
    i, j, n = tallied(i, j, len(others), len(some) * len(others))
    return Tally(some[i], others[j], n)


def _whole(labels: Any, what: str) -> Array:
    found = np.asarray(labels)
    if found.ndim != 1 or found.dtype.kind not in "iu" or (found.dtype.kind == "u" and found.max(initial=0) >= 1 << 63):
        raise InputError(f"{what} has labels of the type {found.dtype}; expected a vector of integers, -1 for no label")
    return found.astype(np.int64)


def counted(chunks: Iterable[tuple[Any, Any]]) -> Iterator[LabelTable]:
    """The table after each chunk, a pair (labels of the candidate, of the gold standard)."""
    table, chunks = LabelTable(), iter(chunks)
    while True:
        try:
            candidate, gold = next(chunks)
        except StopIteration:
            return
        except MetaevalError:
            raise
        except Exception as error:
            raise InputError(f"the chunk from row {table.objects:,} on: {type(error).__name__}: {error}") from error
        yield table.add(candidate, gold)


def label_sides(candidate: Any, gold: Any) -> tuple[Biclustering, Biclustering]:
    """Both sides of label vectors: arrays, files, Dask's collections; or of an iterable of chunks, without a gold."""
    if is_dask(candidate) and is_dask(gold):
        return _counted_by_dask(candidate, gold).sides()
    *_, table = (LabelTable(), *counted(candidate if gold is None else pairs_of_chunks(candidate, gold)))
    return table.sides()


def _counted_by_dask(*collections: Any) -> LabelTable:
    """The table; its chunks are counted where they are, and only tables travel."""
    from dask.base import compute
    from dask.delayed import delayed

    vectors = [one.to_dask_array(lengths=True) if hasattr(one, "to_dask_array") else one for one in collections]
    if vectors[0].shape != vectors[1].shape or vectors[0].ndim != 1:
        raise InputError(f"the candidate has the shape {vectors[0].shape}, the gold standard {vectors[1].shape}")
    vectors[1] = vectors[1].rechunk(vectors[0].chunks)
    starts = np.cumsum((0, *vectors[0].chunks[0][:-1])).tolist()
    blocks = zip(*(one.to_delayed().ravel() for one in vectors), starts, strict=True)
    tables = [delayed(_of_block)(*block) for block in blocks]
    while len(tables) > 1:
        tables = [delayed(_sum)(tables[at : at + _AT_ONCE]) for at in range(0, len(tables), _AT_ONCE)]
    (found,) = compute(*tables)
    return LabelTable().plus([found])


def _of_block(candidate: Any, gold: Any, start: int) -> LabelTable:
    return LabelTable().add(candidate, gold, start)


def _sum(tables: Sequence[LabelTable]) -> LabelTable:
    return LabelTable().plus(tables)
