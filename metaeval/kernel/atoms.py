"""Atoms: the groups of cells that lie in exactly the same biclusters of both sides, as bitmasks."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple, TypeVar

from metaeval.core.biclustering import Bicluster

Thing = TypeVar("Thing")


class Atom(NamedTuple):
    """Cells that lie in exactly the same biclusters; the masks have bit i set for the i-th bicluster."""

    candidate: int
    gold: int
    weight: int


class Counts(NamedTuple):
    """Numbers of cells, and whether no cell lies in two biclusters of a side."""

    candidate: int
    gold: int
    shared: int
    disjoint: bool


def members(mask: int) -> tuple[int, ...]:
    """The indices of the set bits."""
    return _few_members(mask) if mask < _FEW else _members(mask)


def _members(mask: int) -> tuple[int, ...]:
    found = []
    while mask:
        rest = mask & (mask - 1)
        found.append((mask ^ rest).bit_length() - 1)
        mask = rest
    return tuple(found)


#: Masks below this occur again and again.
_FEW = 1 << 10
_few_members = cache(_members)


def atoms_of(candidate: tuple[Bicluster, ...], gold: tuple[Bicluster, ...]) -> tuple[Atom, ...]:
    """Group the cells by membership: equal rows first, equal columns next, then their crossings."""
    family = (*candidate, *gold)
    weights = _crossings(_alike([rows for rows, _ in family]), family)
    split = len(candidate)
    low = (1 << split) - 1
    # As Atom(…) would, in half the time.
    return tuple([_tuple(Atom, (mask & low, mask >> split, weight)) for mask, weight in weights.items()])


_tuple = tuple.__new__


def _crossings(heights: dict[int, int], family: tuple[Bicluster, ...]) -> dict[int, int]:
    """The number of cells per membership mask. ``heights`` is the number of rows per mask of rows."""
    if len({cols for _, cols in family}) == 1:
        # Clusterings, lifted: every row that is somewhere crosses all columns there are.
        width = len(family[0][1])
        return {mask: height * width for mask, height in heights.items()}
    weights: dict[int, int] = {}
    for col_mask, width in _alike([cols for _, cols in family]).items():
        for row_mask, height in heights.items():
            mask = row_mask & col_mask
            if mask:
                weights[mask] = weights.get(mask, 0) + height * width
    return weights


def _alike(sets: list[frozenset[int]]) -> dict[int, int]:
    """How many elements lie in exactly the same sets, by the mask of these sets."""
    masks: dict[int, int] = {}
    for index, one in enumerate(sets):
        bit = 1 << index
        for element in one:
            masks[element] = masks.get(element, 0) | bit
    counts: dict[int, int] = {}
    for mask in masks.values():
        counts[mask] = counts.get(mask, 0) + 1
    return counts


def counted(atoms: Iterable[Atom]) -> Counts:
    """The numbers of cells that follow from the atoms."""
    candidate_covered = gold_covered = shared = twice = 0
    for candidate, gold, weight in atoms:
        if candidate:
            candidate_covered += weight
            if gold:
                shared += weight
        if gold:
            gold_covered += weight
        # A mask with a single bit, or none, shares no bit with the number before it; 0 & −1 is 0.
        twice |= candidate & (candidate - 1) | gold & (gold - 1)
    return Counts(candidate_covered, gold_covered, shared, not twice)


def reach(atoms: Iterable[Atom], side: int) -> dict[int, int]:
    """For every membership mask of a side, how many cells share a bicluster of that side with it."""
    weights: dict[int, int] = {}
    for atom in atoms:
        mask = atom[side]
        if mask:
            weights[mask] = weights.get(mask, 0) + atom[2]
    meeting = meeting_of(list(weights), list(weights))
    return {mask: sum([weights[other] for other in meeting(mask) if mask & other]) for mask in weights}


def meeting_of(things: list[Thing], masks: list[int]) -> Callable[[int], Iterable[Thing]]:
    """Those of some things, each with a mask, that may share a bit with a mask: of few all, of many those that do."""
    if len(things) <= _FEW_ATOMS:
        return lambda mask: things
    holders: dict[int, list[Thing]] = {}
    for thing, mask in zip(things, masks, strict=True):
        for bit in members(mask):
            holders.setdefault(bit, []).append(thing)

    def meeting(mask: int) -> Iterable[Thing]:
        bits = members(mask)
        if len(bits) == 1:
            return holders[bits[0]]
        return dict.fromkeys([thing for bit in bits for thing in holders[bit]])

    return meeting


#: Up to this number of atoms, trying all is faster than an index.
_FEW_ATOMS = 24
