"""The micro-object kernel: everything the measures need to know about a (candidate, gold) pair.

A measure of this kind sees the cells only through *atoms*, the groups of cells that lie in exactly the
same biclusters of both sides. There are at most as many atoms as the structure asks for, however large
the matrix, so cost follows structure. Everything here is exact: Python integers and bitmasks over the
biclusters, which on small inputs are an order of magnitude faster than arrays. For large inputs the atoms
are found by :mod:`metaeval.kernel.large_overlay`, and the sums over pairs of them by :mod:`metaeval.kernel.pair_sums`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache, wraps
from math import lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from metaeval.core.biclustering import Bicluster, Biclustering, Shape, Unchangeable
from metaeval.core.errors import Undefined
from metaeval.core.label_codes import Counted
from metaeval.kernel.atoms import Atom, Counts, atoms_of, counted, meeting_of, members, reach

if TYPE_CHECKING:
    from metaeval.kernel.large_overlay import AtomTable

#: From this many atoms on, the float path with arrays is the faster one.
LARGE = 200

#: From this many atoms on, exact sums over their pairs are faster with arrays, too.
MANY_ATOMS = 400

#: From this many cells on, arrays find the atoms faster. Each bicluster's cells count.
MANY_CELLS = 50_000

Value = TypeVar("Value")

#: n/d as (n, d), and a sum of such that is not yet carried out.
Ratio = tuple[int, int]
Terms = tuple[Ratio, ...]


class Together(NamedTuple):
    """Pairs of cells (x, y) that share exactly these candidate biclusters and these gold classes.

    ``precision`` sums 1/|E(x)| over these pairs, E(x) the cells that share a candidate bicluster with x,
    as terms (number of pairs, |E(x)|); ``recall`` is the same with gold classes.
    """

    candidate: int
    gold: int
    precision: Terms
    recall: Terms


class Overlay(Unchangeable):
    """A candidate laid over a gold standard: sizes, intersections, covered cells and atoms.

    All measures share it, so none can change it: what it holds are tuples and read-only mappings.
    """

    _refusal = "an overlay does not change; measures share it"
    candidate: Biclustering
    gold: Biclustering
    candidate_sizes: tuple[int, ...]
    gold_sizes: tuple[int, ...]
    atoms: tuple[Atom, ...]
    _counts: Counts
    _identities: dict[tuple[int, int], tuple[int, int]]
    #: Whether both sides are label vectors on the same features.
    are_labels: ClassVar[bool] = False
    #: What :func:`remembered` functions said of this overlay.
    _values: dict[Any, Any]

    def __init__(self, candidate: Biclustering, gold: Biclustering) -> None:
        self._start(candidate, gold)
        atoms = atoms_of(candidate.biclusters, gold.biclusters)
        self.__dict__.update(atoms=atoms, _counts=counted(atoms))

    def _start(self, candidate: Biclustering, gold: Biclustering) -> None:
        both = candidate.biclusters, gold.biclusters
        sizes, gold_sizes = (tuple([len(rows) * len(cols) for rows, cols in side]) for side in both)
        own = {"candidate": candidate, "gold": gold, "candidate_sizes": sizes, "gold_sizes": gold_sizes}
        self.__dict__.update(own, _identities={}, _values={})

    @property
    def size(self) -> int:
        return len(self.atoms)

    @property
    def is_tangled(self) -> bool:
        """Whether biclusters overlap so much that arrays are faster for the pairs of atoms."""
        return not self._counts.disjoint and self.size >= MANY_ATOMS and self.union < 1 << 53

    @cached_property
    def table(self) -> AtomTable:
        from metaeval.kernel.large_overlay import table_of

        return table_of(self.atoms, len(self.candidate), len(self.gold))

    @cached_property
    def placed(self) -> tuple[Any, Any, Any]:
        """Without overlap: the cluster and the class of each atom by number, −1 for none, and its cells; as arrays."""
        from metaeval.kernel.large_overlay import frozen, places

        return frozen(places(self.table.candidate)), frozen(places(self.table.gold)), self.table.weights

    @cached_property
    def met(self) -> tuple[Any, Any, Any]:
        """The numbers of the bicluster and the class that meet, and their cells in common, one entry per meeting."""
        import numpy as np

        from metaeval.kernel.large_overlay import frozen

        if self.disjoint:
            i, j, n = self.placed
            both = (i >= 0) & (j >= 0)
            return self.placed if both.all() else (frozen(i[both]), frozen(j[both]), frozen(n[both]))
        shared = np.array(self.intersections, dtype=np.int64).reshape(len(self.candidate), len(self.gold))
        i, j = np.nonzero(shared)
        return frozen(i), frozen(j), frozen(shared[i, j])

    def sizes(self, side: int, lines: str = "") -> Any:
        """The cells of each bicluster (side 0) or class (side 1), or its "rows" or "cols", as an array."""
        import numpy as np

        if not lines:
            return np.array((self.candidate_sizes, self.gold_sizes)[side], dtype=np.int64)
        return np.array([len(one[lines == "cols"]) for one in (self.candidate, self.gold)[side]], dtype=np.int64)

    def lines_met(self, n: Any, lines: str) -> Any:
        """The rows or columns that pairs of a bicluster and a class with n common cells share; None if n is no clue."""
        return None

    @cached_property
    def meetings(self) -> Mapping[tuple[int, int], int]:
        """|candidateᵢ ∩ goldⱼ| in cells, for every i and j that meet."""
        met: dict[tuple[int, int], int] = {}
        for candidate, gold, weight in self.atoms:
            if candidate and gold:
                for i in members(candidate):
                    for j in members(gold):
                        met[i, j] = met.get((i, j), 0) + weight
        return MappingProxyType(met)

    @cached_property
    def intersections(self) -> tuple[tuple[int, ...], ...]:
        """|candidateᵢ ∩ goldⱼ| in cells, a row for every candidate bicluster."""
        width = len(self.gold_sizes)
        table = [[0] * width for _ in self.candidate_sizes]
        for (i, j), n in self.meetings.items():
            table[i][j] = n
        return tuple(map(tuple, table))

    @property
    def candidate_covered(self) -> int:
        """|U_G|, the cells that some candidate bicluster covers."""
        return self._counts.candidate

    @property
    def gold_covered(self) -> int:
        """|U_C|, the cells that some gold class covers."""
        return self._counts.gold

    @property
    def union(self) -> int:
        """|U|, the cells that either side covers."""
        return self._counts.candidate + self._counts.gold - self._counts.shared

    @property
    def shared(self) -> int:
        """|I|, the cells that both sides cover."""
        return self._counts.shared

    @property
    def disjoint(self) -> bool:
        """Whether no cell lies in two biclusters of a side."""
        return self._counts.disjoint

    @cached_property
    def multiset_union(self) -> int:
        """Σ max(N_G, N_C) over the cells, N the number of biclusters that cover a cell."""
        return sum(atom.weight * max(atom.candidate.bit_count(), atom.gold.bit_count()) for atom in self.atoms)

    @property
    def matrix_cells(self) -> int:
        """The number of cells of the smallest matrix that holds both sides' matrices."""
        return max(self.candidate.shape[0], self.gold.shape[0]) * max(self.candidate.shape[1], self.gold.shape[1])

    @cached_property
    def matching(self) -> int:
        """D_max, the weight of the best one-to-one matching of candidate biclusters to gold classes."""
        table = self.intersections
        if not self.candidate_sizes or not self.gold_sizes:
            return 0
        for lines in (table, tuple(zip(*table, strict=True))):
            # Where everyone's best counterpart is another one's than everyone else's, that is the best matching.
            best = [max(line) for line in lines]
            if len({line.index(n) for line, n in zip(lines, best, strict=True)}) == len(lines):
                return sum(best)
        rows, cols = assigned(table)
        return sum(table[i][j] for i, j in zip(rows.tolist(), cols.tolist(), strict=True))

    @cached_property
    def together(self) -> tuple[Together, ...]:
        """All ordered pairs of cells that share something on both sides, grouped by what they share."""
        if not self.disjoint:
            return self._together_across_atoms()
        # Where no cell lies in two biclusters of a side, only cells of one atom share something on both.
        sizes, gold_sizes = self.candidate_sizes, self.gold_sizes
        found = []
        for candidate, gold, weight in self.atoms:
            if candidate and gold:
                own, of_class = sizes[candidate.bit_length() - 1], gold_sizes[gold.bit_length() - 1]
                found.append(Together(candidate, gold, ((weight * weight, own),), ((weight * weight, of_class),)))
        return tuple(found)

    def _together_across_atoms(self) -> tuple[Together, ...]:
        candidate_reach = reach(self.atoms, 0)
        gold_reach = reach(self.atoms, 1)
        matched = [atom for atom in self.atoms if atom.candidate and atom.gold]
        meeting = meeting_of(matched, [atom.candidate for atom in matched])
        # Integers only, no Fraction: this loop is the heart of the search.
        groups: dict[tuple[int, int], tuple[dict[int, int], dict[int, int]]] = {}
        for candidate, gold, weight in matched:
            precision_reach, recall_reach = candidate_reach[candidate], gold_reach[gold]
            for other_candidate, other_gold, other_weight in meeting(candidate):
                key = candidate & other_candidate, gold & other_gold
                if key[0] and key[1]:
                    precision, recall = groups.setdefault(key, ({}, {}))
                    pairs = weight * other_weight
                    precision[precision_reach] = precision.get(precision_reach, 0) + pairs
                    recall[recall_reach] = recall.get(recall_reach, 0) + pairs
        terms = {key: [tuple([(n, d) for d, n in one.items()]) for one in both] for key, both in groups.items()}
        return tuple([Together(*key, *both) for key, both in terms.items()])

    def identity(self, candidate: int, gold: int) -> Ratio:
        """Φ as a ratio n/d, for the biclusters and the classes whose bits are set in the two masks.

        Every bicluster has one class among these that it resembles most, by |G ∩ C| / |G ∪ C|. Φ is the mean of
        these highest resemblances.
        """
        if not (candidate & (candidate - 1) or gold & (gold - 1)):
            return self._jaccard(candidate.bit_length() - 1, gold.bit_length() - 1)
        known = self._identities.get((candidate, gold))
        if known is None:
            classes = members(gold)
            best = [extreme([self._jaccard(i, j) for j in classes]) for i in members(candidate)]
            known = best[0] if len(best) == 1 else sum_of_ratios(best, over=len(best)).as_integer_ratio()
            self._identities[candidate, gold] = known
        return known

    def _jaccard(self, i: int, j: int) -> Ratio:
        """|candidateᵢ ∩ goldⱼ| and |candidateᵢ ∪ goldⱼ| in cells."""
        n = self.meetings.get((i, j), 0)
        return n, self.candidate_sizes[i] + self.gold_sizes[j] - n


def overlay(candidate: Biclustering, gold: Biclustering) -> Overlay:
    """The overlay of a pair, computed once and shared by all measures."""
    # Most measures are asked about the very objects that the one before was asked about.
    asked = _asked.get((id(candidate), id(gold)))
    if asked is not None:
        return asked[2]
    found = overlay_of(candidate, gold)
    if len(_asked) == _LATELY:
        del _asked[next(iter(_asked))]
    _asked[id(candidate), id(gold)] = candidate, gold, found
    return found


def overlay_of(candidate: Biclustering, gold: Biclustering) -> Overlay:
    """The same without a note of who asked, for a pair that stands for another."""
    if candidate.codes is not None and gold.codes is not None and are_comparable(candidate, gold):
        # Imported here: NumPy takes longer to load than most commands take to run.
        from metaeval.kernel.label_overlay import LabelOverlay

        return LabelOverlay(candidate, gold)
    # The key is the biclusters in their order: masks and tables refer to positions, and two families that are
    # equal as multisets may have their biclusters at different ones.
    return _overlay(candidate.biclusters, candidate.shape, gold.biclusters, gold.shape)


def are_comparable(candidate: Biclustering, gold: Biclustering) -> bool:
    """Whether two label vectors can be laid over each other as such: on the same features, below 2⁶² cells."""
    one, other = candidate.codes, gold.codes
    if isinstance(one, Counted) or isinstance(other, Counted):
        return isinstance(one, Counted) and isinstance(other, Counted) and one.table is other.table
    objects = max(candidate.shape[0], gold.shape[0])
    return candidate.shape[1] == gold.shape[1] and objects * gold.shape[1] < 1 << 62


#: The pairs asked for last, the two sides of a case, with their overlays; a pair is kept, so that no other comes to
#: stand at its address.
_asked: dict[tuple[int, int], tuple[Biclustering, Biclustering, Overlay]] = {}
_LATELY = 2


@lru_cache(maxsize=256)
def _overlay(
    candidate: tuple[Bicluster, ...], candidate_shape: Shape, gold: tuple[Bicluster, ...], gold_shape: Shape
) -> Overlay:
    sides = Biclustering.trusted(candidate, candidate_shape), Biclustering.trusted(gold, gold_shape)
    # The shapes are looked at first, because they cost nothing and settle it for all that a search draws.
    on_large_matrix = max(candidate_shape[0] * candidate_shape[1], gold_shape[0] * gold_shape[1]) >= MANY_CELLS
    family = (*candidate, *gold)
    # NumPy's integers end at 2⁶³.
    if (
        on_large_matrix
        and sum(len(rows) * len(cols) for rows, cols in family) >= MANY_CELLS
        and all(max(max(rows), max(cols)) < 1 << 63 for rows, cols in family)
    ):
        # Imported here: NumPy takes longer to load than most commands take to run.
        from metaeval.kernel.large_overlay import LargeOverlay

        return LargeOverlay(*sides)
    return Overlay(*sides)


def forget_overlays() -> None:
    """Empty the cache of overlays, for timing what it takes to compute one."""
    _asked.clear()
    _overlay.cache_clear()


def assigned(table: Any) -> tuple[Any, Any]:
    """The matching of lines to places with the largest sum, as floats tell: the lines, and the place of each."""
    # Imported here: SciPy takes longer to load than most commands take to run.
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(table, maximize=True)  # type: ignore[no-any-return]


def preload() -> None:
    """Load what :func:`assigned` needs, before processes are forked that would each load it anew."""
    import scipy.optimize  # noqa: F401


def remembered(function: Callable[[Overlay], Value]) -> Callable[[Overlay], Value]:
    """Let a function of an overlay be computed once for each, though several measures ask for it."""

    @wraps(function)
    def value(cells: Overlay) -> Value:
        try:
            known: Value = cells._values[function]
        except KeyError:
            known = cells._values[function] = function(cells)
        return known

    return value


# --- Objects instead of cells, and what a measure is defined on ----------------------------------------------
#
# In a lifted clustering every cluster has the same features, so each object is that many cells.


def objects(cells: Overlay) -> Overlay:
    """The overlay with every bicluster's columns replaced by one common feature."""
    # An overlay that remembered itself would stay until the garbage collector finds it.
    return cells if cells.candidate.shape[1] == cells.gold.shape[1] == 1 else _objects(cells)


@remembered
def _objects(cells: Overlay) -> Overlay:
    return overlay_of(*(one.on_one_feature() for one in (cells.candidate, cells.gold)))


@remembered
def check_clusterings(cells: Overlay) -> None:
    """Raise where the biclusters have different features."""
    if not cells.are_labels and len({columns for side in (cells.candidate, cells.gold) for _, columns in side}) > 1:
        raise Undefined("the biclusters have different features, and the measure compares clusterings of objects")


@remembered
def check_partitions(cells: Overlay) -> None:
    """Raise where the sides are no two partitions of the same objects."""
    check_clusterings(cells)
    if not cells.disjoint:
        raise Undefined("an object is in two clusters of a side, and the measure compares partitions")
    if cells.shared < cells.union:
        raise Undefined(
            "an object is in no cluster of one side, and the measure compares partitions of the same objects"
        )


def check_disjoint(cells: Overlay) -> None:
    """Raise where a cell lies in two biclusters of a side."""
    if not cells.disjoint:
        raise Undefined("a cell is in two biclusters of a side, and the measure compares disjoint biclusterings")


# --- Ratios --------------------------------------------------------------------------------------------------


def ratio_sum(terms: Sequence[Ratio]) -> Ratio:
    """Σ n/d as one ratio."""
    if len(terms) == 1:
        return terms[0]
    common = lcm(*[d for _, d in terms])
    return sum([n * (common // d) for n, d in terms]), common


def sum_of_ratios(ratios: Iterable[Ratio], over: int = 1) -> Fraction:
    """Σ n/d, divided by ``over``, with a single reduction at the end."""
    n, d = ratio_sum(list(ratios))
    return Fraction(n, d * over)


def extreme(ratios: Sequence[Ratio], sign: int = 1) -> Ratio:
    """The largest ratio with sign 1, the least with −1; the numbers below the line are positive."""
    # By cross-multiplication: exact, and faster than Fractions.
    found = ratios[0]
    for ratio in ratios[1:]:
        if sign * (ratio[0] * found[1] - found[0] * ratio[1]) > 0:
            found = ratio
    return found
