"""The float path: sums over all pairs of cells of a large overlay, without looking at all pairs of atoms.

What a pair (x, y) adds to a sum depends on the biclusters S and the classes T that hold both. Each sum is

    Σ over x and y of  share(x) · rate(|S|, |T|) · Σ over i in S of max over j in T of J(i, j)

where J is the similarity of a bicluster and a class, or 1. There are two ways to it, and the cheaper one is taken.

*By subsets.* Inclusion and exclusion turn "share exactly S and T" into "share at least S and T", and the pairs that
share at least S and T are all pairs of the cells inside them: the sum over x times the sum over y. So a subset of
biclusters and classes is looked at once, if it has a cell in common. Cells that few biclusters cover have
few subsets: the cost grows with the atoms, not with their pairs. The coefficients come from
:func:`_coefficients`.

*By pairs.* Where many biclusters lie over each other there are too many subsets, or so many that rounding would
show. Then the pairs of atoms that share a bicluster and a class are looked at, and only those: a block for each
bicluster and class, in which a pair counts unless a more similar class holds it, too.

Both work in pieces of some 32 MB for each processor. Property tests hold them against the exact path.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metaeval.kernel.large_overlay import AtomTable, Signatures, distinct, in_threads

Array = NDArray[Any]
Rate = Callable[[int, int], Fraction]

#: Floats in one piece of work: 32 MB.
_PIECE = 1 << 22
#: Pairs of atoms in one block: few enough for the processor's cache.
_BLOCK = 1 << 16
#: What a subset costs, counted in pairs of atoms that share a bicluster and a class.
_SUBSET = 6
#: Rounding that is accepted of inclusion and exclusion, as a share of the whole.
_TOLERANCE = 1e-13
#: Rounding of a sum with changing signs, as a share of the sum without signs: a few times the 2⁻⁵³ of one number.
_ROUNDING = 2.0**-50
#: The same by pairs, which are added one after the other, as a share of the largest that the sum can be.
_ROUNDING_OF_PAIRS = 2.0**-46


class PairTerm(NamedTuple):
    """One sum over the ordered pairs of cells: share(x) is given for every atom.

    ``whole`` is a number that Σ share(x) over the same pairs does not exceed: rounding is judged as a part of it.
    """

    rate: Rate
    share: Array
    whole: float


def pair_sums(table: AtomTable, terms: Sequence[PairTerm], similarity: Array | None) -> list[tuple[float, float]]:
    """Each sum, over the pairs that share a bicluster and a class, and how far rounding may have moved it."""
    covered = (table.candidate.depths > 0) & (table.gold.depths > 0)
    weights = table.weights[covered].astype(float)
    atoms = AtomTable(only(table.candidate, covered), only(table.gold, covered), weights)
    chosen = [PairTerm(term.rate, term.share[covered], term.whole) for term in terms]
    if not covered.any():
        return [(0.0, 0.0)] * len(chosen)
    # An upper bound of the number of subsets of biclusters and classes that have cells in common.
    with np.errstate(over="ignore"):
        n_subsets = float((np.exp2(atoms.candidate.depths) * np.exp2(atoms.gold.depths)).sum())
    if n_subsets * _SUBSET <= _n_pairs(atoms):
        found = _by_subsets(atoms, chosen, similarity)
        if all(error <= _TOLERANCE * term.whole for (_, error), term in zip(found, chosen, strict=True)):
            return found
    return _by_pairs(atoms, chosen, similarity)


def only(side: Signatures, chosen: Array) -> Signatures:
    used, index = np.unique(side.kinds[chosen], return_inverse=True)
    return Signatures(side.table[used], index)


def _n_pairs(atoms: AtomTable) -> float:
    """The number of pairs of atoms inside a bicluster and a class, counted in each of them."""
    from scipy.sparse import csr_array

    shape = len(atoms.candidate.table), len(atoms.gold.table)
    table = csr_array((np.ones(len(atoms.weights)), (atoms.candidate.kinds, atoms.gold.kinds)), shape=shape)
    inside = csr_array(atoms.candidate.table.T) @ table @ csr_array(atoms.gold.table)
    return float((inside.data**2).sum())


def reach_of(side: Signatures, weights: Array) -> Array:
    """For every atom the number of cells that share a bicluster of this side with it; at least 1."""
    totals = np.bincount(side.kinds, weights, len(side.table))
    depths = side.table.sum(axis=1, dtype=float)
    with np.errstate(over="ignore"):
        subsets = np.exp2(depths)
        # Floats hold whole numbers up to 2⁵³, which no partial sum may exceed.
        exact = subsets.max() * totals.sum() < 2.0**53
    if exact and subsets.sum() * _SUBSET <= float(len(totals)) ** 2:
        reach = _reach_by_subsets(side.table, totals)
    else:
        reach = _reach_by_pairs(side.table, totals)
    return np.maximum(reach, 1)[side.kinds]


def _reach_by_subsets(table: Array, totals: Array) -> Array:
    """|A ∪ B ∪ …| = |A| + |B| − |A ∩ B| + …"""
    reach = np.zeros(len(totals))
    for subsets in _subsets(table):
        sign = 1 if subsets.members.shape[1] % 2 else -1
        reach += sign * (subsets.inside.T @ (subsets.inside @ totals))
    return reach


def _reach_by_pairs(table: Array, totals: Array) -> Array:
    words = words_of(Signatures(table, np.arange(len(table))))
    size = max(1, _BLOCK // len(table))

    def work(start: int) -> Array:
        near = in_common(words[start : start + size], words) > 0
        return np.asarray(np.einsum("xy,y->x", near, totals))

    return np.concatenate(list(in_threads(work, range(0, len(table), size))))


# --- By subsets ----------------------------------------------------------------------------------------------


class _Subsets(NamedTuple):
    """All subsets of one size that some signature holds: their members, and a table of subset × signature."""

    members: Array
    inside: Any


def _subsets(table: Array) -> Iterator[_Subsets]:
    from scipy.sparse import csr_array

    depths = table.sum(axis=1, dtype=np.int64)
    short = np.min_scalar_type(table.shape[1])  # sorted in linear time
    by_depth = {depth: np.flatnonzero(depths == depth) for depth in range(1, int(depths.max(initial=0)) + 1)}
    members = {depth: np.nonzero(table[some])[1].reshape(-1, depth).astype(short) for depth, some in by_depth.items()}
    for size in by_depth:
        chosen, holders = [], []
        for depth in range(size, len(by_depth) + 1):
            places = np.array(list(combinations(range(depth), size)))
            chosen.append(members[depth][:, places].reshape(-1, size))
            holders.append(np.repeat(by_depth[depth], len(places)))
        subsets = np.concatenate(chosen)
        first, kinds = distinct(subsets)
        ones = np.ones(len(kinds))
        inside = csr_array((ones, (kinds, np.concatenate(holders))), shape=(len(first), len(table)))
        yield _Subsets(subsets[first].astype(np.intp), inside)


def _by_subsets(atoms: AtomTable, terms: Sequence[PairTerm], similarity: Array | None) -> list[tuple[float, float]]:
    from scipy.sparse import csr_array

    shape = len(atoms.gold.table), len(atoms.candidate.table)
    place = atoms.gold.kinds, atoms.candidate.kinds
    amounts = [csr_array((amount, place), shape=shape) for amount in (atoms.weights, *(t.share for t in terms))]
    biclusters = [
        (some.inside.T.tocsr(), _members(some, atoms.candidate.table.shape[1]))
        for some in _subsets(atoms.candidate.table)
    ]

    def work(task: tuple[_Subsets, slice]) -> Array:
        classes, rows = task
        within = [classes.inside[rows] @ amount for amount in amounts]
        # All tables come of the same places in the same order, so their entries stand side by side.
        inside, found = _side_by_side(within), np.zeros((len(terms), 2))
        best = None if similarity is None else _ranked(similarity, classes.members[rows])
        for s, (holders, members) in enumerate(biclusters, start=1):
            found += _shared_at_least(s, classes.members.shape[1], inside @ holders, members, terms, best)
        return found

    tasks = [(some, rows) for some in _subsets(atoms.gold.table) for rows in _pieces(some, atoms, len(amounts))]
    found = sum(in_threads(work, tasks), np.zeros((len(terms), 2)))
    return [(float(value), float(size) * _ROUNDING) for value, size in found]


def _side_by_side(tables: Sequence[Any]) -> Any:
    """Tables with entries in the same places as one, so that a product looks for these places once."""
    from scipy.sparse import bsr_array

    first, *_ = tables
    data = np.stack([table.data for table in tables], axis=1)[:, :, None]
    shape = len(tables) * first.shape[0], first.shape[1]
    return bsr_array((data, first.indices, first.indptr), shape=shape, blocksize=(len(tables), 1))


def _members(subsets: _Subsets, n_biclusters: int) -> Any:
    """A table of subset × member."""
    from scipy.sparse import csr_array

    length, s = subsets.members.shape
    places = subsets.members.ravel(), np.arange(0, length * s + 1, s)
    table = csr_array((np.ones(length * s), *places), shape=(length, n_biclusters))
    # Of a table that is not nearly empty, the zeros cost less than the places of its entries.
    return table.toarray() if n_biclusters < 8 * s else table


def _pieces(subsets: _Subsets, atoms: AtomTable, n_amounts: int) -> Iterator[slice]:
    """Rows of the table of subsets that together take about a piece of memory."""
    by_signature = np.bincount(atoms.gold.kinds, np.exp2(atoms.candidate.depths), len(atoms.gold.table))
    # Each class of a subset has a similarity with every bicluster.
    similarities = subsets.members.shape[1] * atoms.candidate.table.shape[1]
    work = np.cumsum((subsets.inside @ by_signature) * 2 * n_amounts + similarities)
    ends = np.searchsorted(work, np.arange(_PIECE, work[-1], _PIECE)).tolist()
    bounds = sorted({0, *ends, len(work)})
    return (slice(start, end) for start, end in pairwise(bounds))


def _shared_at_least(s: int, t: int, inside: Any, members: Any, terms: Sequence[PairTerm], best: Any) -> Array:
    """What the pairs that share at least s biclusters and t classes add to each sum, with and without signs."""
    from scipy.sparse import csr_array, issparse

    weights, *shares = inside.data[:, :, 0].T
    found = np.empty((len(terms), 2))
    for line, term, share in zip(found, terms, shares, strict=True):
        pairs = weights * share
        if best is None:
            totals = np.full(t, s * pairs.sum())
        else:
            # Pairs are added up for each bicluster before they meet its similarities: these are sorted once for all.
            table = csr_array((pairs, inside.indices, inside.indptr), shape=(len(best[0]), members.shape[0])) @ members
            totals = np.einsum("rxi,xi->r", best, table.toarray() if issparse(table) else table)
        coefficients = _coefficients(term.rate, s, t)
        line[:] = coefficients @ totals, np.abs(coefficients) @ totals
    return found


def _ranked(similarity: Array, classes: Array) -> Array:
    """For each row of classes their similarities with every bicluster in ascending order: rank × row × bicluster."""
    ranks = similarity.T[classes.T]
    # A handful of long arrays is sorted faster by comparing them than entry by entry.
    for last in range(len(ranks) - 1, 0, -1):
        for rank in range(last):
            low, high = ranks[rank], ranks[rank + 1]
            low[:], high[:] = np.minimum(low, high), np.maximum(low, high)
    return np.asarray(ranks)


def _coefficients(rate: Rate, s: int, t: int) -> Array:
    """What the r-th smallest similarity counts in the sum over pairs that share at least s biclusters and t classes.

    With f(S, T) = rate(|S|, |T|) · Σ over i in S of max over j in T of J(i, j), this is the sum of f over all subsets
    of S and T, added or subtracted according to how many members are left out. There i is in
    C(s−1, a−1) subsets of size a, and the r-th smallest is the largest of C(r−1, b−1) subsets of size b.
    """
    return np.array([(-1) ** (s + t) * _difference(rate, s, r) for r in range(1, t + 1)])


@cache
def _difference(rate: Rate, s: int, r: int) -> float:
    # In fractions: the binomials grow with s and r while the sum stays small.
    sizes = product(range(1, s + 1), range(1, r + 1))
    return float(sum((-1) ** (a + b) * comb(s - 1, a - 1) * comb(r - 1, b - 1) * rate(a, b) for a, b in sizes))


# --- By pairs ------------------------------------------------------------------------------------------------


def _by_pairs(atoms: AtomTable, terms: Sequence[PairTerm], similarity: Array | None) -> list[tuple[float, float]]:
    """Each pair of atoms inside a bicluster is counted in the most similar class that holds both."""
    rates = [_rate_table(term.rate, atoms) for term in terms]
    biclusters, classes = words_of(atoms.candidate), words_of(atoms.gold)
    n_biclusters, n_classes = atoms.candidate.table.shape[1], atoms.gold.table.shape[1]

    def work(i: int) -> Array:
        found = np.zeros(len(terms))
        alike = np.ones(n_classes) if similarity is None else similarity[i]
        here = np.flatnonzero(atoms.candidate.table[atoms.candidate.kinds, i])
        seen = np.zeros_like(classes[:1])
        for j in np.argsort(-alike, kind="stable"):
            both = here[atoms.gold.table[atoms.gold.kinds[here], j] > 0]
            size = max(1, _BLOCK // max(1, len(both)))
            # All unordered pairs: a block of atoms, and the same with all that come after them.
            for x, y in ((both[start : start + size], both[start:]) for start in range(0, len(both), size)):
                g = in_common(biclusters[x], biclusters[y])
                c = in_common(classes[x], classes[y]) * (in_common(classes[x], classes[y] & seen) == 0)
                place = g.astype(np.intp) * rates[0].shape[1] + c
                for k, (term, rate) in enumerate(zip(terms, rates, strict=True)):
                    found[k] += alike[j] * _both_ways(rate.take(place), x, y, atoms.weights, term.share)
            seen[0, j // 64] |= np.uint64(1 << j % 64)
        return found

    found = sum(in_threads(work, range(n_biclusters)), np.zeros(len(terms)))
    most = 1.0 if similarity is None else float(similarity.max())
    peaks = [float((np.abs(rate).max(axis=1) * np.arange(len(rate))).max()) * most for rate in rates]
    bounds = [_ROUNDING_OF_PAIRS * peak * term.whole for peak, term in zip(peaks, terms, strict=True)]
    return [(float(value), bound) for value, bound in zip(found, bounds, strict=True)]


def _both_ways(values: Array, x: Array, y: Array, weights: Array, share: Array) -> float:
    """Σ share(x)·value·weight(y), and the same with x and y exchanged; those in the block twice count once."""
    factors = np.stack([weights[y], share[y]])
    factors[:, : len(x)] /= 2
    # Not by BLAS, whose own threads wait for each other when several threads here ask for a product at once.
    by_weight, by_share = np.einsum("xy,ky->kx", values, factors)
    return float(share[x] @ by_weight + weights[x] @ by_share)


def in_common(these: Array, those: Array) -> Array:
    """How many bits each of these words has in common with each of those; a bicluster is a bit."""
    first, *more = (these[:, None, word] & those[None, :, word] for word in range(these.shape[1]))
    return sum((np.bitwise_count(word).astype(np.uint16) for word in more), np.bitwise_count(first))


def words_of(side: Signatures) -> Array:
    """For every atom its biclusters as the bits of some words."""
    packed = np.packbits(side.table, axis=1, bitorder="little")
    # To whole words, and to one where a side has no biclusters.
    missing = -packed.shape[1] % 8 if packed.shape[1] else 8
    packed = np.pad(packed, ((0, 0), (0, missing)))
    return packed.view("<u8").astype(np.uint64)[side.kinds]


def _rate_table(rate: Rate, atoms: AtomTable) -> Array:
    """rate(g, c) at place (g, c); 0 where either is."""
    table = np.zeros((int(atoms.candidate.depths.max()) + 1, int(atoms.gold.depths.max()) + 1))
    for g, line in enumerate(table[1:], start=1):
        line[1:] = [float(rate(g, c)) for c in range(1, len(line))]
    return table
