"""Tools of the enumerators: small structures, each up to renaming of objects and features.

Two kinds of scope. *Disjoint clusterings* are listed as tables: a column for every cluster, a vector of
counts for every class, so that no two listed ones differ by names alone. *Families of biclusters* on an
n × m matrix are listed outright, one of every orbit under renaming.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from operator import le, sub

from metaeval.cases import Case, Side
from metaeval.model import Bicluster, Biclustering

Vector = tuple[int, ...]
#: Items that fill a place each; an item is a set of objects that stay together.
Column = Sequence[Sequence[int]]
#: A set of rows and a set of columns, as bitmasks.
Rectangle = tuple[int, int]
Family = tuple[Rectangle, ...]


@cache
def bits(mask: int) -> frozenset[int]:
    """The set that a bitmask stands for."""
    return frozenset(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


# --- disjoint clusterings ---------------------------------------------------------------------------


def sums(total: int, largest: int | None = None) -> Iterator[Vector]:
    """The ways to write ``total`` as a sum of positive integers, in falling order."""
    if total == 0:
        yield ()
    for first in range(min(total, total if largest is None else largest), 0, -1):
        for rest in sums(total - first, first):
            yield (first, *rest)


def contexts(objects: int, partial: bool) -> Iterator[tuple[Vector, int]]:
    """The ways to cluster further objects: sizes of their clusters, and how many stay unclustered."""
    for left_out in range(objects + 1 if partial else 1):
        for sizes in sums(objects - left_out):
            yield sizes, left_out


def classes(
    capacities: Vector, covered: Sequence[bool], allowed: Callable[[Vector], bool] = any
) -> Iterator[tuple[Vector, ...]]:
    """All multisets of allowed class vectors that fit in the columns, and fill those that must be covered."""
    falling = product(*(range(room, -1, -1) for room in capacities))
    vectors = [vector for vector in falling if any(vector) and allowed(vector)]

    def go(left: Vector, start: int) -> Iterator[tuple[Vector, ...]]:
        needy = next((at for at, room in enumerate(left) if room and covered[at]), None)
        if needy is None:
            yield ()
        for at in range(start, len(vectors)):
            vector = vectors[at]
            if needy is not None and not any(vector[: needy + 1]):
                return  # nor does any that follows fill this column, or one before it
            if all(map(le, vector, left)):
                for more in go(tuple(map(sub, left, vector)), at):
                    yield (vector, *more)

    yield from go(capacities, 0)


def first_of_orbit(vectors: tuple[Vector, ...], sizes: Vector, free: int) -> bool:
    """Whether this is the chosen one among the tables that differ by a renaming of equal columns.

    The columns from ``free`` on, one for each of ``sizes``, may be swapped where their sizes agree.
    """
    here = sorted(vectors)
    width = len(here[0]) if here else 0
    for order in _swaps(sizes):
        columns = [*range(free), *(free + at for at in order), *range(free + len(sizes), width)]
        if sorted([tuple([vector[at] for at in columns]) for vector in vectors]) < here:
            return False
    return True


@cache
def _swaps(sizes: Vector) -> tuple[Vector, ...]:
    """The orders of the columns that leave the sizes as they are; those that move few first: most tables fail them."""
    runs = [[at for at, other in enumerate(sizes) if other == size] for size in dict.fromkeys(sizes)]
    places = [at for run in runs for at in run]
    orders = []
    for moved in product(*(permutations(run) for run in runs)):
        order = dict(zip(places, chain(*moved), strict=True))
        orders.append(tuple(order[at] for at in range(len(sizes))))
    return tuple(sorted(orders, key=lambda order: sum(at != to for at, to in enumerate(order))))[1:]


def place(columns: Sequence[Column], vectors: tuple[Vector, ...]) -> list[frozenset[int]]:
    """The classes that vectors of counts stand for; a column is a list of items, an item a set of objects."""
    used = [0] * len(columns)
    placed = []
    for vector in vectors:
        members: list[int] = []
        for index, count in enumerate(vector):
            for item in columns[index][used[index] : used[index] + count]:
                members.extend(item)
            used[index] += count
        placed.append(frozenset(members))
    return placed


def cut(sizes: Sequence[int], start: int = 0) -> list[range]:
    """Consecutive runs of objects of these sizes."""
    runs = []
    for size in sizes:
        runs.append(range(start, start + size))
        start += size
    return runs


def lifted_case(
    objects: int,
    gold: Sequence[frozenset[int]],
    left: Sequence[Sequence[int] | frozenset[int]],
    right: Sequence[Sequence[int] | frozenset[int]],
) -> Case:
    """A case of clusterings, lifted to one feature."""
    shape, feature = (objects, 1), frozenset({0})

    def lift(clusters: Sequence[Sequence[int] | frozenset[int]]) -> Biclustering:
        return Biclustering.trusted(((frozenset(cluster), feature) for cluster in clusters), shape)

    lifted_gold = lift(gold)
    return Case(Side(lift(left), lifted_gold), Side(lift(right), lifted_gold))


# --- families of biclusters -------------------------------------------------------------------------


@cache
def rectangles(objects: int, features: int) -> tuple[Rectangle, ...]:
    """Every bicluster of an n × m matrix."""
    return tuple(product(range(1, 1 << objects), range(1, 1 << features)))


def disjoint(a: Rectangle, b: Rectangle) -> bool:
    """Whether two biclusters share no cell."""
    return not (a[0] & b[0] and a[1] & b[1])


@cache
def disjoint_families(objects: int, features: int) -> tuple[Vector, ...]:
    """Every family of biclusters that share no cell, as indices into :func:`rectangles`."""
    cells = rectangles(objects, features)

    def go(start: int, chosen: Vector) -> Iterator[Vector]:
        yield chosen
        for index in range(start, len(cells)):
            if all(disjoint(cells[index], cells[other]) for other in chosen):
                yield from go(index + 1, (*chosen, index))

    return tuple(go(0, ()))


@cache
def distinct_families(objects: int, features: int, largest: int) -> tuple[Vector, ...]:
    """Every family of at most ``largest`` distinct biclusters, as indices into :func:`rectangles`."""
    indices = range(len(rectangles(objects, features)))
    return tuple(family for size in range(largest + 1) for family in combinations(indices, size))


@cache
def repeated_families(objects: int, features: int, largest: int) -> tuple[Vector, ...]:
    """Every family of at most ``largest`` biclusters, repeats allowed."""
    indices = range(len(rectangles(objects, features)))
    return tuple(family for size in range(largest + 1) for family in combinations_with_replacement(indices, size))


@cache
def _renamings(objects: int, features: int) -> tuple[Vector, ...]:
    """Every renaming of objects and features, as a map on the indices into :func:`rectangles`."""
    cells = rectangles(objects, features)
    number = {rectangle: index for index, rectangle in enumerate(cells)}

    def mapped(mask: int, order: Sequence[int]) -> int:
        return sum(1 << order[bit] for bit in bits(mask))

    return tuple(
        tuple(number[mapped(rows, row_order), mapped(cols, col_order)] for rows, cols in cells)
        for row_order in permutations(range(objects))
        for col_order in permutations(range(features))
    )


def _image(family: Vector, renaming: Vector) -> Vector:
    return tuple(sorted([renaming[index] for index in family]))


def orbits(objects: int, features: int, families: Sequence[Vector]) -> Iterator[tuple[Vector, list[Vector]]]:
    """One family of every orbit under renaming, with the renamings that leave it as it is."""
    group = _renamings(objects, features)
    for family in families:
        images = [_image(family, renaming) for renaming in group]
        if family == min(images):
            yield family, [renaming for renaming, image in zip(group, images, strict=True) if image == family]


def pairs(
    objects: int, features: int, golds: Sequence[Vector], candidates: Sequence[Vector]
) -> Iterator[tuple[Family, Family]]:
    """Every (candidate, gold) up to renaming."""
    cells = rectangles(objects, features)
    for gold, stabiliser in orbits(objects, features, golds):
        gold_family = tuple(cells[index] for index in gold)
        for candidate in candidates:
            if all(candidate <= _image(candidate, renaming) for renaming in stabiliser):
                yield tuple(cells[index] for index in candidate), gold_family


def biclustering(family: Family, shape: tuple[int, int]) -> Biclustering:
    """The biclustering of a family of rectangles."""
    return Biclustering.trusted([bicluster(rectangle) for rectangle in family], shape)


@cache
def bicluster(rectangle: Rectangle) -> Bicluster:
    """The bicluster of a rectangle."""
    return bits(rectangle[0]), bits(rectangle[1])
