"""Canonical forms: equal for two sides if and only if they differ by the names of objects and features alone.

A bicluster is known by its role, candidate or gold. An object is known by the biclusters that hold it, and so is a
feature. The number of objects and features per set of biclusters is all there is to a side but names. So a form is a
table of these numbers, with the biclusters in an order that does not depend on names. The order is found by refinement:
biclusters are told apart by those they share objects or features with. Where that leaves several alike, each is tried
as the first, unless a symmetry leads to it (B. D. McKay and A. Piperno 2014, doi:10.1016/j.jsc.2013.09.003).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import starmap
from typing import NamedTuple

from metaeval.core.biclustering import Bicluster
from metaeval.core.case import Side
from metaeval.core.grouping import connected, grouped, masks

#: Sets of biclusters as bitmasks, each with the number of objects, or of features, in exactly these biclusters.
Counts = tuple[tuple[int, int], ...]
#: The roles of biclusters in order, and the counts of objects and of features.
Part = tuple[tuple[int, ...], Counts, Counts]
#: Objects (0) or features (1), how many are in exactly the same biclusters, and the colours of these.
Company = tuple[int, int, tuple[int, ...]]

_MOST_CACHED = 1 << 16
#: Orders tried per part. A part that needs more may get different forms under different names, so an instance may be
#: refused; sides that differ never get the same form. Cases of a sensible size need far fewer.
_MOST_ORDERS = 1000


class SideForm(NamedTuple):
    """A side without names: what all its biclusters share, and its connected parts, in order.

    ``idle`` are the objects and features in no bicluster, ``common`` those in every one.
    """

    idle: tuple[int, int]
    common: tuple[int, int]
    parts: tuple[Part, ...]


class Renaming(NamedTuple):
    """New names: ``objects[i]`` is the new name of object i; likewise for the features."""

    objects: tuple[int, ...]
    features: tuple[int, ...]


def form(side: Side) -> SideForm:
    """The form of a side.

    >>> from metaeval.core.biclustering import Biclustering
    >>> gold = Biclustering.from_labels([0, 0, 1])
    >>> one, other = Biclustering.from_labels([0, 1, 1]), Biclustering.from_labels([0, 1, 0])
    >>> form(Side(one, gold)) == form(Side(other, gold)), form(Side(one, gold)) == form(Side(gold, gold))
    (True, False)
    """
    return _Numbered.of(side).ordered()[0]


def is_scaled(one: Side, other: Side, times: int) -> bool:
    """Whether, up to names, the other side is the first with ``times`` copies of each object and each feature."""
    left, right = _Numbered.of(one, times), _Numbered.of(other)
    # Mostly the biclusters have kept their order.
    return left == right or left.ordered()[0] == right.ordered()[0]


def is_copied(one: Side, other: Side, times: int, shared_features: bool) -> bool:
    """Whether, up to names, the other side is ``times`` copies of the first on fresh objects.

    The copies have fresh features, too, or they share the features under the names that these have.
    """
    wanted, found = (
        [part for _, part in _Numbered.of(side, named_features=shared_features).parts()] for side in (one, other)
    )
    wanted *= times
    # Mostly the biclusters of each part have kept their order.
    if Counter(wanted) == Counter(found):
        return True
    return Counter(_canonical(part)[0] for part in wanted) == Counter(_canonical(part)[0] for part in found)


def renaming(one: Side, other: Side) -> Renaming | None:
    """New names that turn the first side into the second, or None if there are none.

    >>> from metaeval.core.biclustering import Biclustering
    >>> gold = Biclustering.from_labels([0, 0, 1])
    >>> left, right = Biclustering.from_labels([0, 1, 1]), Biclustering.from_labels([0, 1, 0])
    >>> renaming(Side(left, gold), Side(right, gold))
    Renaming(objects=(1, 0, 2), features=(0,))
    """
    (left, places), (right, others) = (_Numbered.of(side).ordered() for side in (one, other))
    if left != right:
        return None
    pairs = [(_renumbered(_masks(one, axis), places), _renumbered(_masks(other, axis), others)) for axis in (0, 1)]
    return Renaming(*starmap(_paired, pairs))


def renames(side: Side, names: Renaming, into: Side) -> bool:
    """Whether these names turn the first side into the second. The names are applied to find out."""
    shape = side.shape
    if shape != into.shape or any(sorted(some) != [*range(n)] for some, n in zip(names, shape, strict=True)):
        return False

    def renamed(bicluster: Bicluster) -> Bicluster:
        rows, cols = (frozenset(new[old] for old in inside) for new, inside in zip(names, bicluster, strict=True))
        return rows, cols

    return all(Counter(map(renamed, old)) == Counter(new) for old, new in zip(side, into, strict=True))


def _paired(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """New names that give each element an element with the same place, in order."""
    sources, targets = (sorted(range(len(places)), key=places.__getitem__) for places in (one, other))
    return tuple(target for _, target in sorted(zip(sources, targets, strict=True)))


def _masks(side: Side, axis: int) -> list[int]:
    """For each object (or feature) the biclusters that hold it, numbered in their order, as a bitmask."""
    return masks((bicluster[axis] for family in side for bicluster in family), side.shape[axis])


class _Numbered(NamedTuple):
    """A side with its biclusters numbered in their order; objects and features are counted per set of biclusters."""

    roles: tuple[int, ...]
    rows: Counter[int]
    cols: Counter[int]

    @classmethod
    def of(cls, side: Side, times: int = 1, *, named_features: bool = False) -> _Numbered:
        """A side with ``times`` copies of each object and each feature.

        With ``named_features`` the features of a bicluster are part of its role, and are not counted.
        """
        held = [(role, cols) for role, family in enumerate(side) for _, cols in family]
        rows, cols = (Counter(_masks(side, axis) * times) for axis in (0, 1))
        if named_features:
            return cls(tuple(role + sum(2 << col for col in cols) for role, cols in held), rows, Counter())
        return cls(tuple(role for role, _ in held), rows, cols)

    def ordered(self) -> tuple[SideForm, list[int]]:
        """The form, and the numbers of the biclusters in the order that it has them in."""
        rows, cols = Counter(self.rows), Counter(self.cols)
        everywhere = (1 << len(self.roles)) - 1
        idle = rows.pop(0, 0), cols.pop(0, 0)
        common = rows.pop(everywhere, 0), cols.pop(everywhere, 0)
        # What all biclusters share does not connect them: otherwise every lifted clustering would be a single part.
        found = []
        for members, part in _Numbered(self.roles, rows, cols).parts():
            canonical, order = _canonical(part)
            found.append((canonical, [members[place] for place in order]))
        found.sort()
        return SideForm(idle, common, tuple(part for part, _ in found)), [at for _, order in found for at in order]

    def parts(self) -> Iterator[tuple[list[int], Part]]:
        """The connected parts: the numbers of their biclusters, and the part with these numbered in their order."""
        links = (_bits(mask) for table in (self.rows, self.cols) for mask in table if mask & (mask - 1))
        parts = connected(range(len(self.roles)), links)
        part_of = {number: at for at, members in enumerate(parts) for number in members}
        found: dict[tuple[int, int | None], list[tuple[int, int]]] = defaultdict(list)
        for axis, table in enumerate((self.rows, self.cols)):
            for mask, n in table.items():  # all biclusters of a mask are in one part
                found[axis, part_of.get(mask.bit_length() - 1)].append((mask, n))
        for at, members in enumerate(parts):
            yield members, _reordered((self.roles, tuple(found[0, at]), tuple(found[1, at])), members)


@lru_cache(_MOST_CACHED)
def _bits(mask: int) -> tuple[int, ...]:
    return tuple([index for index, digit in enumerate(bin(mask)[:1:-1]) if digit == "1"])


def _renumbered(masks: Iterable[int], order: Sequence[int]) -> list[int]:
    """The masks with the number of each bicluster turned into its place in the order."""
    bit = {index: 1 << place for place, index in enumerate(order)}
    return [sum([bit[index] for index in _bits(mask)]) for mask in masks]


def _reordered(part: Part, order: Sequence[int]) -> Part:
    roles, rows, cols = part
    numbered = _renumbered([mask for mask, _ in (*rows, *cols)], order)
    counted = [*zip(numbered, [n for _, n in (*rows, *cols)], strict=True)]
    of_rows, of_cols = sorted(counted[: len(rows)]), sorted(counted[len(rows) :])
    return tuple([roles[index] for index in order]), tuple(of_rows), tuple(of_cols)


@lru_cache(_MOST_CACHED)
def _canonical(part: Part) -> tuple[Part, tuple[int, ...]]:
    """The least of the part's reorderings that refinement leads to, and the order that gives it."""
    colours = _refined(part, _without_twins(part, _refined(part, part[0])))
    orders = _orders(part, colours, iter(range(_MOST_ORDERS)))
    return min((_reordered(part, order), order) for order in orders)


def _without_twins(part: Part, colours: Sequence[int]) -> list[int]:
    """Colours that tell twins apart by number. Twins can be exchanged, so it does not matter which one comes first."""
    found = list(colours)
    tables = [dict(table) for table in part[1:]]
    for alike in grouped(range(len(colours)), colours.__getitem__):
        twins: list[list[int]] = []
        for index in alike:
            known = next((some for some in twins if _are_twins(tables, some[0], index)), None)
            if known is None:
                twins.append(known := [])
            found[index] = colours[index] * len(colours) + len(known)
            known.append(index)
    return found


def _are_twins(tables: Iterable[dict[int, int]], one: int, other: int) -> bool:
    """Whether nothing changes if two biclusters of the same role are exchanged."""
    both = 1 << one | 1 << other
    return all(table.get(mask ^ both) == n for table in tables for mask, n in table.items() if 0 < mask & both < both)


def _refined(part: Part, colours: Sequence[int]) -> tuple[int, ...]:
    """Colours that tell apart what differs by the colours of those it shares objects or features with."""
    found = tuple(colours)
    while True:
        signatures = [*zip(found, _company(part, found), strict=True)]
        ranks = {signature: rank for rank, signature in enumerate(sorted(set(signatures)))}
        finer = tuple(ranks[signature] for signature in signatures)
        if len(ranks) == len(set(found)):
            return finer
        found = finer


def _company(part: Part, colours: Sequence[int]) -> Iterator[tuple[Company, ...]]:
    """For each bicluster what it shares objects with, and features: how many, and the colours of those that do."""
    company: list[list[Company]] = [[] for _ in colours]
    for axis, table in enumerate(part[1:]):
        for mask, n in table:
            sharing = _bits(mask)
            shared = axis, n, tuple(sorted([colours[index] for index in sharing]))
            for index in sharing:
                company[index].append(shared)
    return (tuple(sorted(some)) for some in company)


def _orders(part: Part, colours: tuple[int, ...], tries: Iterator[int]) -> list[tuple[int, ...]]:
    """The orders that refinement leads to; of those that a symmetry turns into each other, at least one."""
    path, first = _path(part, colours)
    found = [first]
    symmetries: list[dict[int, int]] = []
    # From the end of the path: a symmetry that keeps the first choices serves where fewer choices are made.
    for colours, undecided in reversed(path):
        met, tried = {_reordered(part, first): first}, undecided[:1]
        for index in undecided[1:]:
            moves = [(one, symmetry[one]) for symmetry in symmetries for one in undecided]
            orbit = next(some for some in connected(undecided, moves) if index in some)
            if not {*orbit}.isdisjoint(tried):
                continue
            if next(tries, None) is None:
                return found
            tried.append(index)
            finer = _told_apart(part, colours, index)
            _, order = _path(part, finer)
            known = met.setdefault(_reordered(part, order), order)
            if known is order:
                found += _orders(part, finer, tries)
            else:
                symmetries.append(dict(zip(known, order, strict=True)))
    return found


def _path(part: Part, colours: tuple[int, ...]) -> tuple[list[tuple[tuple[int, ...], list[int]]], tuple[int, ...]]:
    """The order that comes of telling apart the first of those alike, again and again; and each choice on the way."""
    path = []
    while undecided := _undecided(colours):
        path.append((colours, undecided))
        colours = _told_apart(part, colours, undecided[0])
    return path, tuple(sorted(range(len(colours)), key=colours.__getitem__))


def _undecided(colours: Sequence[int]) -> list[int]:
    """Those of the first colour that several have; none if each has its own."""
    often = Counter(colours)
    shared = min((colour for colour in often if often[colour] > 1), default=None)
    return [index for index, colour in enumerate(colours) if colour == shared]


def _told_apart(part: Part, colours: Sequence[int], index: int) -> tuple[int, ...]:
    return _refined(part, [2 * colour + (at != index) for at, colour in enumerate(colours)])
