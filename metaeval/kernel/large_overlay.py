"""The atoms of a large pair as arrays: found, kept and counted without a loop over rows, columns or cells.

Rows that lie in the same biclusters are alike, and so are columns. Only the crossings of different rows with
different columns are looked at, a column at a time, and those that agree are counted at once. An atom takes
a few words of memory: one for every 64 biclusters of a side, and its number of cells.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.kernel.atoms import Atom, Counts
from metaeval.kernel.overlay import Overlay

Array = NDArray[Any]
Task = TypeVar("Task")
Result = TypeVar("Result")

_WORD = 64
#: Crossings that at most this number of bits tell apart are counted in a table. With more bits they are sorted.
_SHORT = 16
#: Lines that one thread works off before it counts what it has found.
_LINES = 64
#: Large overlays that keep their arrays.
_MOST_WITH_ARRAYS = 4
#: Atoms found by different threads are merged before they are more than this.
_MOST_UNMERGED = 1 << 21


class Signatures(NamedTuple):
    """A side's different memberships as a table of signature × bicluster, and for every atom which it has."""

    table: Array
    kinds: Array

    @property
    def depths(self) -> Array:
        """For every atom, how many biclusters of this side cover it."""
        return np.asarray(self.table.sum(axis=1, dtype=np.int64)[self.kinds])


class AtomTable(NamedTuple):
    """The atoms as arrays, one entry per atom."""

    candidate: Signatures
    gold: Signatures
    weights: Array

    @property
    def sides(self) -> tuple[Signatures, Signatures]:
        """The candidate and the gold standard."""
        return self.candidate, self.gold


class LargeOverlay(Overlay):
    """An overlay whose counts come from arrays. They are exact: integers below 2⁶³.

    The cache of overlays may hold many, but only the last few keep their arrays.
    """

    def __init__(self, candidate: Biclustering, gold: Biclustering) -> None:
        self._start(candidate, gold)

    def release(self) -> None:
        """Give back the memory. What is asked for afterwards is computed anew."""
        candidate, gold = self.candidate, self.gold
        self.__dict__.clear()
        self._start(candidate, gold)

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:  # type: ignore[override]
        candidate, gold, weights = self.table
        candidate_masks, gold_masks = _masks(candidate.table), _masks(gold.table)
        found = zip(candidate.kinds.tolist(), gold.kinds.tolist(), weights.tolist(), strict=True)
        return tuple(Atom(candidate_masks[i], gold_masks[j], weight) for i, j, weight in found)

    @property
    def size(self) -> int:
        return len(self.table.weights)

    @cached_property
    def table(self) -> AtomTable:
        if len(_with_arrays) == _MOST_WITH_ARRAYS:
            _with_arrays.popleft().release()
        _with_arrays.append(self)
        return _frozen_table(_atom_table(self.candidate.biclusters, self.gold.biclusters))

    @cached_property
    def intersections(self) -> tuple[tuple[int, ...], ...]:
        shared = np.ones((len(self.candidate), len(self.gold)), dtype=np.int64)
        for axis in (0, 1):
            shared *= lines_in_common(self, axis)
        return tuple(map(tuple, shared.tolist()))

    @cached_property
    def meetings(self) -> Mapping[tuple[int, int], int]:
        if self.disjoint:
            i, j, n = (x.tolist() for x in self.met)
            return MappingProxyType(dict(zip(zip(i, j, strict=True), n, strict=True)))
        shared = {(i, j): n for i, line in enumerate(self.intersections) for j, n in enumerate(line) if n}
        return MappingProxyType(shared)

    @cached_property
    def _counts(self) -> Counts:  # type: ignore[override]
        candidate, gold, weights = self.table.candidate.depths, self.table.gold.depths, self.table.weights
        chosen = (candidate > 0, gold > 0, (candidate > 0) & (gold > 0))
        first, second, both = (int(weights[some].sum()) for some in chosen)
        disjoint = bool(max(candidate.max(initial=0), gold.max(initial=0)) <= 1)
        return Counts(first, second, both, disjoint)

    @cached_property
    def multiset_union(self) -> int:
        return int(self.table.weights @ np.maximum(self.table.candidate.depths, self.table.gold.depths))


_with_arrays: deque[LargeOverlay] = deque()


def lines_in_common(cells: Overlay, axis: int) -> Array:
    """How many rows (axis 0) or columns each bicluster shares with each class."""
    # Imported here: SciPy takes longer to load than most commands take to run.
    from scipy.sparse import csr_array

    split = len(cells.candidate)
    members = csr_array(_memberships([one[axis] for one in (*cells.candidate, *cells.gold)]), dtype=np.int64)
    return np.asarray((members[:split] @ members[split:].T).toarray())


def places(side: Signatures) -> Array:
    """For every atom the number of its bicluster; −1 without one. No atom lies in two."""
    if not side.table.shape[1]:
        return np.full(len(side.kinds), -1)
    return np.asarray(np.where(side.table.any(axis=1), side.table.argmax(axis=1), -1)[side.kinds])


def frozen(array: Array) -> Array:
    """The same array in memory that nobody can change, whatever its flags are set to."""
    return np.frombuffer(array.tobytes(), dtype=array.dtype).reshape(array.shape)


def _frozen_table(table: AtomTable) -> AtomTable:
    candidate, gold = (Signatures(*map(frozen, side)) for side in table.sides)
    return AtomTable(candidate, gold, frozen(table.weights))


def table_of(atoms: Sequence[Atom], n_candidate: int, n_gold: int) -> AtomTable:
    """Atoms that were found one by one, as arrays."""
    candidate = _signatures_of([atom.candidate for atom in atoms], n_candidate)
    gold = _signatures_of([atom.gold for atom in atoms], n_gold)
    return _frozen_table(AtomTable(candidate, gold, np.array([atom.weight for atom in atoms], dtype=np.int64)))


def distinct(table: Array) -> tuple[Array, Array]:
    """Where each different row of a table is found, and for every row the number of its kind."""
    order = np.lexsort(table.T) if table.shape[1] else np.arange(len(table))
    ordered = table[order]
    new = np.ones(len(table), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    kinds = np.empty(len(table), dtype=np.int64)
    kinds[order] = np.cumsum(new) - 1
    return order[new], kinds


def sums(kinds: Array, weights: Array, length: int) -> Array:
    """The sum of the integer weights of every kind."""
    totals = np.zeros(length, dtype=np.int64)
    np.add.at(totals, kinds, weights)
    return totals


def in_threads(function: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
    """The results in the order of the tasks. NumPy, BLAS and SciPy let other threads work meanwhile."""
    workers = min(len(tasks), cores())
    if workers < 2:
        yield from map(function, tasks)
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(function, tasks)


def cores() -> int:
    """The number of processors that this process may use."""
    # Not known on every system; os.cpu_count counts those that others have reserved, too.
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


# --- From biclusters to atoms --------------------------------------------------------------------------------


class _Lines(NamedTuple):
    """Different rows, or different columns: what they are members of, packed and plain, and how many are alike."""

    words: Array
    members: Array
    counts: Array


def _atom_table(candidate: Sequence[Bicluster], gold: Sequence[Bicluster]) -> AtomTable:
    family = [*candidate, *gold]
    split, more = (-(-len(side) // _WORD) for side in (candidate, gold))
    places = np.array([*range(len(candidate)), *range(split * _WORD, split * _WORD + len(gold))], dtype=np.int64)
    width = split + more
    rows, cols = (_lines([bicluster[axis] for bicluster in family], places, width) for axis in (0, 1))
    few, many = sorted((rows, cols), key=lambda lines: len(lines.counts))

    def cross(start: int) -> tuple[Array, Array]:
        return _merged([_crossings(few, line, many) for line in range(start, min(start + _LINES, len(few.counts)))])

    words, weights = _merged_as_they_come(in_threads(cross, range(0, len(few.counts), _LINES)), width)
    return AtomTable(_signatures(words[:, :split], len(candidate)), _signatures(words[:, split:], len(gold)), weights)


def _lines(sets: Sequence[frozenset[int]], places: Array, width: int) -> _Lines:
    members = _memberships(sets)
    words = np.zeros((members.shape[1], width), dtype=np.uint64)
    for inside, place in zip(members, places.tolist(), strict=True):
        words[:, place // _WORD] |= inside.astype(np.uint64) << np.uint64(place % _WORD)
    first, kinds = distinct(words)
    return _Lines(words[first], np.ascontiguousarray(members[:, first]), np.bincount(kinds, minlength=len(first)))


def _memberships(sets: Sequence[frozenset[int]]) -> Array:
    """A table of set × element that occurs in any of them."""
    lengths = [len(one) for one in sets]
    elements = np.concatenate([np.fromiter(one, np.int64, len(one)) for one in sets] or [np.empty(0, np.int64)])
    names, index = np.unique(elements, return_inverse=True)
    members = np.zeros((len(sets), len(names)), dtype=np.uint8)
    members[np.repeat(np.arange(len(sets)), lengths), index] = 1
    return members


def _crossings(few: _Lines, line: int, many: _Lines) -> tuple[Array, Array]:
    """The different crossings of one line with all lines of the other direction, and their cells."""
    relevant = np.flatnonzero(few.members[:, line])
    if len(relevant) <= _SHORT:
        found, counts = _counted(_code(many.members, relevant, np.uint16), many.counts)
    else:
        pieces = [relevant[start : start + _WORD] for start in range(0, len(relevant), _WORD)]
        found, kinds = distinct(np.stack([_code(many.members, piece, np.uint64) for piece in pieces], axis=1))
        counts = sums(kinds, many.counts, len(found))
    words = many.words[found] & few.words[line]
    covered = words.any(axis=1)
    return words[covered], counts[covered] * few.counts[line]


def _code(members: Array, relevant: Array, kind: type[Any]) -> Array:
    """For every line an integer of the bits that tell in which of the relevant biclusters it lies."""
    code = np.zeros(members.shape[1], dtype=kind)
    for bicluster in relevant:
        code += code
        code |= members[bicluster]
    return code


def _counted(codes: Array, counts: Array) -> tuple[Array, Array]:
    """The same as :func:`distinct` and :func:`sums` for short codes: they number the entries of a table."""
    places = codes.astype(np.intp)
    # Counts of lines are exact as floats.
    totals = np.bincount(places, weights=counts)
    example = np.empty(len(totals), dtype=np.intp)
    example[places] = np.arange(len(places))
    used = np.flatnonzero(totals)
    return example[used], totals[used].astype(np.int64)


def _merged_as_they_come(parts: Iterable[tuple[Array, Array]], width: int) -> tuple[Array, Array]:
    """The parts as one, merged so often that memory follows the atoms and not the crossings."""
    waiting = [(np.empty((0, width), dtype=np.uint64), np.empty(0, dtype=np.int64))]
    for part in parts:
        waiting.append(part)
        if sum(len(weights) for _, weights in waiting[1:]) > max(_MOST_UNMERGED, len(waiting[0][1])):
            waiting = [_merged(waiting)]
    return _merged(waiting)


def _merged(parts: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    words = np.concatenate([words for words, _ in parts])
    first, kinds = distinct(words)
    return words[first], sums(kinds, np.concatenate([weights for _, weights in parts]), len(first))


# --- Signatures and masks ------------------------------------------------------------------------------------


def _signatures(words: Array, n_biclusters: int) -> Signatures:
    first, kinds = distinct(words)
    # Bytes in a fixed order, so that the bits come out the same on every machine.
    packed = np.ascontiguousarray(words[first].astype("<u8")).view(np.uint8)
    return Signatures(_unpacked(packed, n_biclusters), kinds)


def _signatures_of(masks: Sequence[int], n_biclusters: int) -> Signatures:
    numbers: dict[int, int] = {}
    index = [numbers.setdefault(mask, len(numbers)) for mask in masks]
    size = max(1, -(-n_biclusters // 8))
    packed = np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in numbers), dtype=np.uint8)
    return Signatures(_unpacked(packed.reshape(-1, size), n_biclusters), np.array(index, dtype=np.int64))


def _unpacked(packed: Array, n_biclusters: int) -> Array:
    return np.unpackbits(packed, axis=1, count=n_biclusters, bitorder="little")


def _masks(table: Array) -> list[int]:
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(table, axis=1, bitorder="little")]
