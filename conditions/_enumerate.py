"""Tools of the enumerators: small structures, each up to renaming of objects and features.

Two kinds of scope. *Disjoint clusterings* are listed as tables: a column for every cluster, a vector of
counts for every class, so that no two listed ones differ by names alone. *Families of biclusters* on an
n × m matrix, and among them clusterings that overlap, are listed outright, one of every orbit under renaming.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from operator import itemgetter, le, sub

from metaeval.catalogue.condition import Moves
from metaeval.conditions._clusters import Cluster, Sides, cut, lifted_case
from metaeval.core.biclustering import Bicluster, Biclustering, Shape
from metaeval.core.case import Case, Side
from metaeval.strategies import bits

Vector = tuple[int, ...]
#: Items that fill a place each; an item is a set of objects that stay together.
Column = Sequence[Collection[int]]
#: A set of rows and a set of columns, as bitmasks.
Rectangle = tuple[int, int]


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
    firsts = [next(at for at, count in enumerate(vector) if count) for vector in vectors]

    def go(left: Vector, start: int, chosen: tuple[Vector, ...]) -> Iterator[tuple[Vector, ...]]:
        needy = next((at for at, room in enumerate(left) if room and covered[at]), len(left))
        if needy == len(left):
            yield chosen
        for at in range(start, len(vectors)):
            if firsts[at] > needy:
                # The vectors fall: none that follows has anything in this column, which would stay unfilled.
                return
            vector = vectors[at]
            if all(map(le, vector, left)):
                yield from go(tuple(map(sub, left, vector)), at, (*chosen, vector))

    yield from go(capacities, 0, ())


def first_of_orbit(vectors: tuple[Vector, ...], sizes: Vector, free: int) -> bool:
    """Whether this is the chosen one among the tables that differ by a renaming of equal columns.

    The columns from ``free`` on, one for each of ``sizes``, may be swapped where their sizes agree.
    """
    here = sorted(vectors)
    width = len(here[0]) if here else 0
    return not any(sorted(map(swap, vectors)) < here for swap in _swapped(sizes, free, width))


@cache
def _swapped(sizes: Vector, free: int, width: int) -> tuple[Callable[[Vector], Vector], ...]:
    """One function per other order of the columns; it gives a vector with its columns in that order."""
    orders = ((*range(free), *(free + at for at in order)) for order in _swaps(sizes))
    return tuple(itemgetter(*order, *range(free + len(sizes), width)) for order in orders)


@cache
def _swaps(sizes: Vector) -> tuple[Vector, ...]:
    """The orders of the columns that leave the sizes as they are, without the one that moves nothing.

    Those that move the fewest columns come first: a table that is not the chosen one is mostly given away
    by a swap of two columns already, and the other orders, which are many, need not be tried.
    """
    runs = [[at for at, other in enumerate(sizes) if other == size] for size in dict.fromkeys(sizes)]
    places = [at for run in runs for at in run]
    orders = []
    for moved in product(*(permutations(run) for run in runs)):
        order = dict(zip(places, chain(*moved), strict=True))
        orders.append(tuple(order[at] for at in range(len(sizes))))
    return tuple(sorted(orders, key=lambda order: sum(at != to for at, to in enumerate(order))))[1:]


def place(columns: Sequence[Column], vectors: tuple[Vector, ...]) -> list[Cluster]:
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


def arranged(
    core: Sequence[Column],
    objects: int,
    partial: bool,
    allowed: Callable[[Vector], bool] = any,
    classified: int | None = None,
) -> Iterator[tuple[list[Cluster], list[Cluster]]]:
    """Every gold standard and all further clusters that fit around a core, with ``objects`` objects in all.

    The core is what a condition's sentence names. Its columns come first, and all their items must have a
    class, unless only the first ``classified`` columns must. Then come the further clusters and the unclustered
    objects, which may be without a class where coverage is ``partial``. ``allowed`` says of a class, by its vector,
    whether the condition admits it.
    """
    named = len(core) if classified is None else classified
    first = sum(len(item) for column in core for item in column)
    for sizes, left_out in contexts(objects - first, partial):
        *clusters, unclustered = cut((*sizes, left_out), first)
        columns = [*core, *([[row] for row in run] for run in (*clusters, unclustered))]
        covered = [at < named or not partial for at in range(len(columns))]
        context = [frozenset(run) for run in clusters]
        for vectors in classes(tuple(map(len, columns)), covered, allowed):
            if first_of_orbit(vectors, sizes, free=len(core)):
                yield place(columns, vectors), context


def surrounded(
    sides: Sides,
    core: Sequence[Column],
    objects: int,
    partial: bool,
    allowed: Callable[[Vector], bool] = any,
    classified: int | None = None,
) -> Iterator[Case]:
    """The sides in every context, as :func:`arranged` lists them."""
    for gold, context in arranged(core, objects, partial, allowed, classified):
        yield lifted_case(gold, sides, context, (objects, 1))


def in_one_of_two(vector: Vector) -> bool:
    """Whether a class has nothing of one of the first two columns."""
    return not (vector[0] and vector[1])


def two_clusters(objects: int) -> Iterator[tuple[Cluster, Cluster]]:
    """Two clusters of every two sizes that fit, the larger one first."""
    for larger in range(1, objects):
        for smaller in range(1, min(larger, objects - larger) + 1):
            one, other = cut((larger, smaller))
            yield frozenset(one), frozenset(other)


# --- families of biclusters -------------------------------------------------------------------------


@cache
def rectangles(objects: int, features: int) -> tuple[Rectangle, ...]:
    """Every bicluster of an n × m matrix."""
    return tuple(product(range(1, 1 << objects), range(1, 1 << features)))


@cache
def disjoint_families(objects: int, features: int) -> tuple[Vector, ...]:
    """Every family of biclusters that share no cell, as indices into :func:`rectangles`."""
    cells = rectangles(objects, features)

    def go(start: int, chosen: Vector) -> Iterator[Vector]:
        yield chosen
        for index in range(start, len(cells)):
            rows, cols = cells[index]
            if not any(rows & cells[other][0] and cols & cells[other][1] for other in chosen):
                yield from go(index + 1, (*chosen, index))

    return tuple(go(0, ()))


@cache
def small_families(objects: int, features: int, largest: int, repeats: bool = False) -> tuple[Vector, ...]:
    """Every family of at most ``largest`` biclusters, distinct or with ``repeats``, as indices into the rectangles."""
    indices = range(len(rectangles(objects, features)))
    choose = combinations_with_replacement if repeats else combinations
    return tuple(family for size in range(largest + 1) for family in choose(indices, size))


def without_single_cells(objects: int, features: int, families: tuple[Vector, ...]) -> tuple[Vector, ...]:
    """Those of the families in which every bicluster has two or more cells."""
    single = {
        index
        for index, (rows, cols) in enumerate(rectangles(objects, features))
        if rows.bit_count() == cols.bit_count() == 1
    }
    return tuple(family for family in families if single.isdisjoint(family))


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


@cache  # several conditions and readings list the same pairs
def orbits(objects: int, features: int, families: tuple[Vector, ...]) -> list[tuple[Vector, list[Vector]]]:
    """One family per orbit under renaming, with the renamings that leave it as it is, except the identity."""
    found = []
    group = _renamings(objects, features)
    met: set[Vector] = set()
    for family in families:
        if family in met:
            continue  # its orbit is there already
        images = [_image(family, renaming) for renaming in group]
        if family == min(images):
            met.update(images)
            stabiliser = [renaming for renaming, image in zip(group, images, strict=True) if image == family]
            found.append((family, stabiliser[1:]))  # the identity comes first
    return found


def up_to_renaming(shape: Shape, families: tuple[Vector, ...]) -> Iterator[Biclustering]:
    """One family of every orbit."""
    return (_biclustering(family, shape) for family, _ in orbits(*shape, families))


def pairs(shape: Shape, golds: tuple[Vector, ...], candidates: tuple[Vector, ...]) -> Iterator[Side]:
    """Every candidate with every gold, up to renaming."""
    for indices, stabiliser in orbits(*shape, golds):
        gold = _biclustering(indices, shape)
        yield from (Side(_biclustering(one, shape), gold) for one in _first(candidates, stabiliser))


def sub_families(shape: Shape, families: tuple[Vector, ...]) -> Iterator[Side]:
    """Every family as gold, with every part of it that lacks something as candidate, up to renaming."""
    for family, stabiliser in orbits(*shape, families):
        parts = dict.fromkeys(part for size in range(len(family)) for part in combinations(family, size))
        gold = _biclustering(family, shape)
        yield from (Side(_biclustering(part, shape), gold) for part in _first(tuple(parts), stabiliser))


def triples(shape: Shape, families: tuple[Vector, ...]) -> Iterator[list[Biclustering]]:
    """Every three of the families, in order, up to one renaming of all."""
    for second, renamings in orbits(*shape, families):
        for first in _first(families, renamings):
            of_both = [renaming for renaming in renamings if _image(first, renaming) == first]
            for third in _first(families, of_both):
                yield [_biclustering(family, shape) for family in (first, second, third)]


@cache
def partitions(objects: int) -> tuple[Vector, ...]:
    """Every partition of the objects, as indices into :func:`rectangles` on one feature."""
    cells, all_objects = rectangles(objects, 1), (1 << objects) - 1
    return tuple(
        family for family in disjoint_families(objects, 1) if sum(cells[index][0] for index in family) == all_objects
    )


def _first(families: tuple[Vector, ...], renamings: list[Vector]) -> Iterator[Vector]:
    """Of the families that these renamings turn into each other, the least ones."""
    met: set[Vector] = set()
    for family in families:
        if family not in met:
            images = [_image(family, renaming) for renaming in renamings]
            if all(family <= image for image in images):
                met.update(images)
                yield family


@cache  # a family stands beside every other one, so that few are made for many cases
def _biclustering(family: Vector, shape: Shape) -> Biclustering:
    """The biclustering of a family of indices into :func:`rectangles`."""
    cells = _biclusters(shape)
    return Biclustering.trusted([cells[index] for index in family], shape)


@cache
def _biclusters(shape: Shape) -> list[Bicluster]:
    """The biclusters of all rectangles."""
    return [(bits(rows), bits(cols)) for rows, cols in rectangles(*shape)]


# --- overlapping clusterings ------------------------------------------------------------------------


def replaced(objects: int, moves: Moves, perfect: bool = False) -> Iterator[Case]:
    """Every pair of families, of four objects or more those of at most three sets, and every move that makes a case.

    A move names clusters that the candidate has, and those that replace them, which it must not have: no cluster may
    repeat. Only if it may be ``perfect``, the candidate can be the gold itself.
    """
    families = small_families(objects, 1, largest=7 if objects <= 3 else 3)
    for side in pairs((objects, 1), families, families):
        if side.candidate == side.gold and not perfect:
            continue
        clusters, gold = map(clusters_of, side)
        for sides in moves(clusters, gold):
            if not any(cluster in clusters for cluster in sides[1]):
                context = [cluster for cluster in clusters if cluster not in sides[0]]
                yield lifted_case(gold, sides, context, (objects, 1))


def clusters_of(family: Biclustering) -> list[Cluster]:
    """The sets of objects of a family of biclusters."""
    return [rows for rows, _ in family]


def held(cluster: Cluster, gold: Sequence[Cluster]) -> bool:
    """Whether the cluster lies inside some class."""
    return any(cluster <= one for one in gold)
