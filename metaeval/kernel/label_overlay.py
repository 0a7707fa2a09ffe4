"""Two label vectors over each other: a table of how many objects each cluster and class share, counted by NumPy."""

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from metaeval.core.biclustering import Biclustering
from metaeval.core.label_codes import Counted
from metaeval.kernel.atoms import Atom, Counts
from metaeval.kernel.label_table import Tally, tallied
from metaeval.kernel.large_overlay import Array, frozen
from metaeval.kernel.overlay import Overlay


class LabelOverlay(Overlay):
    """The overlay of two clusterings that are label vectors, on the same features. Its counts are exact."""

    are_labels = True

    def __init__(self, candidate: Biclustering, gold: Biclustering) -> None:
        own = {"candidate": candidate, "gold": gold, "_identities": {}, "_values": {}}
        self.__dict__.update(own)

    @cached_property
    def placed(self) -> Tally:
        """All covered cells, by their cluster and class."""
        if isinstance(self.gold.codes, Counted):
            found: Tally = self.gold.codes.table.entries
            return found
        width = len(self.gold) + 1
        i, j, n = tallied(
            self._padded(self.candidate), self._padded(self.gold), width, (len(self.candidate) + 1) * width
        )
        first = int(len(n) > 0 and i[0] == j[0] == 0)  # the objects in neither, if there are any
        n = n if self.features == 1 else n * self.features
        return Tally(*map(frozen, (i[first:] - 1, j[first:] - 1, n[first:])))

    def _padded(self, side: Biclustering) -> Array:
        """One more than the number of each object's cluster; objects beyond the end of a vector are in none."""
        codes: Any = side.codes
        found = np.zeros(max(self.candidate.shape[0], self.gold.shape[0]), dtype=np.int64)
        np.add(codes, 1, out=found[: len(codes)])
        return found

    @property
    def features(self) -> int:
        """The number of features of each cluster and class."""
        return self.gold.shape[1]

    def sizes(self, side: int, lines: str = "") -> Array:
        if lines == "cols":
            return np.full(len((self.candidate, self.gold)[side]), self.features)
        numbers, cells = self.placed[side], self.placed.n
        inside = numbers >= 0
        found = np.zeros(len((self.candidate, self.gold)[side]), dtype=np.int64)
        np.add.at(found, numbers[inside], cells[inside])
        return found // self.features if lines else found

    def lines_met(self, n: Array, lines: str) -> Array:
        return np.full(len(n), self.features) if lines == "cols" else n // self.features

    @cached_property
    def candidate_sizes(self) -> tuple[int, ...]:  # type: ignore[override]
        return tuple(self.sizes(0).tolist())

    @cached_property
    def gold_sizes(self) -> tuple[int, ...]:  # type: ignore[override]
        return tuple(self.sizes(1).tolist())

    @property
    def size(self) -> int:
        return len(self.placed.n)

    @cached_property
    def _counts(self) -> Counts:  # type: ignore[override]
        i, j, n = self.placed
        candidate, gold, shared = (int(n[some].sum()) for some in (i >= 0, j >= 0, (i >= 0) & (j >= 0)))
        return Counts(candidate, gold, shared, disjoint=True)

    @cached_property
    def atoms(self) -> tuple[Atom, ...]:  # type: ignore[override]
        # −1 is no cluster: 1 shifted by 0, and then by −1.
        placed = zip(*(one.tolist() for one in self.placed), strict=True)
        return tuple([Atom(1 << i + 1 >> 1, 1 << j + 1 >> 1, n) for i, j, n in placed])

    @cached_property
    def meetings(self) -> Mapping[tuple[int, int], int]:
        i, j, n = (one.tolist() for one in self.met)
        return MappingProxyType(dict(zip(zip(i, j, strict=True), n, strict=True)))

    @property
    def multiset_union(self) -> int:
        return self.union
