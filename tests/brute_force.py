"""Everything on a small matrix, made without the enumerators' tools: families of biclusters, canonical forms."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, groupby, permutations, product
from math import factorial
from typing import Any

from metaeval import Biclustering, Case, Side
from metaeval.catalogue.condition import Condition, Reading, conditions, every_form

#: Every (condition, reading), with ids for parametrize.
EVERY = [(c, r) for c in conditions().values() for r in c.readings.values()]
EVERY_ID = [f"{c.id}-{r.name}" for c, r in EVERY]
#: The same with the readings that measures of clusterings meet in a form of their own.
FORMS = [(c, r) for c in every_form() for r in c.readings.values()]
FORMS_ID = [f"{c.key}-{r.name}" for c, r in FORMS]
#: Those whose cases are pairs: two sides with one candidate each.
OF_PAIRS = [(c, r) for c, r in EVERY if c.relation.sides == 2 and not c.relation.pooled]
OF_PAIRS_ID = [f"{c.id}-{r.name}" for c, r in OF_PAIRS]

#: How many objects the lists of these must be followed to, for cases to be among them; four are enough for others.
FIRST_CASES = {"A.3": 7, "A.4": 7, "H.1": 5, "H.7": 8}


def reading_of(condition: str, reading: str) -> Reading:
    return conditions()[condition].reading(reading)


def condition_of(condition: str) -> Condition:
    return conditions()[condition]


# --- families -----------------------------------------------------------------------------------------
@cache
def rectangles(shape: tuple[int, int]) -> tuple[tuple[frozenset[int], frozenset[int]], ...]:
    def subsets(size: int) -> list[frozenset[int]]:
        return [frozenset(c) for k in range(1, size + 1) for c in combinations(range(size), k)]

    return tuple(product(subsets(shape[0]), subsets(shape[1])))


@cache
def families(shape: tuple[int, int], least: int = 0, most: int | None = None) -> list[Biclustering]:
    """Every family of distinct biclusters."""
    every = rectangles(shape)
    sizes = range(least, (len(every) if most is None else most) + 1)
    return [Biclustering(c, shape) for k in sizes for c in combinations(every, k)]


@cache
def multisets(shape: tuple[int, int], most: int) -> list[Biclustering]:
    """Every family of at most so many biclusters, repeats allowed."""
    every = rectangles(shape)
    return [Biclustering(c, shape) for k in range(most + 1) for c in combinations_with_replacement(every, k)]


@cache
def disjoint_families(shape: tuple[int, int]) -> list[Biclustering]:
    """Every family in which no cell is covered twice: the cells are dealt to biclusters one by one."""
    every = [(rows, cols, frozenset(product(rows, cols))) for rows, cols in rectangles(shape)]

    def go(index: int, taken: frozenset) -> Iterator[list]:
        if index == len(every):
            yield []
            return
        yield from go(index + 1, taken)
        rows, cols, cells = every[index]
        if not cells & taken:
            for rest in go(index + 1, taken | cells):
                yield [(rows, cols), *rest]

    return [Biclustering(family, shape) for family in go(0, frozenset())]


@cache
def partitions(objects: int) -> list[Biclustering]:
    """Every partition of the objects, on one feature."""

    def go(row: int) -> Iterator[list[list[int]]]:
        if row < 0:
            yield []
            return
        for blocks in go(row - 1):
            for place in range(len(blocks)):
                yield [[*block, row] if i == place else block for i, block in enumerate(blocks)]
            yield [*blocks, [row]]

    return [Biclustering.lifted(blocks, shape=(objects, 1)) for blocks in go(objects - 1)]


@cache
def partial_partitions(objects: int) -> list[Biclustering]:
    """Every family of disjoint clusters: a partition with one object more, without the block that holds it."""
    return [
        Biclustering([(rows, cols) for rows, cols in one if objects not in rows], (objects, 1))
        for one in partitions(objects + 1)
    ]


def scaled(part: Biclustering, times: int) -> Biclustering:
    """Object r becomes r, r + n, r + 2n …: other names than the enumerators give."""
    n, m = part.shape
    sets = [([r + n * k for r in rows for k in range(times)], [c + m * k for c in cols for k in range(times)])
            for rows, cols in part]  # fmt: skip
    return Biclustering(sets, (n * times, m * times))


def copied(part: Biclustering, times: int, shared: bool = False) -> Biclustering:
    """Every bicluster so many times, on objects of its own and on the same features or on its own."""
    (n, m), step = part.shape, 0 if shared else part.shape[1]
    sets = [([r + k * n for r in rows], [c + k * step for c in cols]) for k in range(times) for rows, cols in part]
    return Biclustering(sets, (n * times, m + step * (times - 1)))


# --- up to renaming -----------------------------------------------------------------------------------


#: A bicluster: the number of its part, its objects and its features, these as bitmasks.
Rectangle = tuple[int, int, int]


@cache
def _mask(indices: frozenset[int]) -> int:
    return sum(1 << index for index in indices)


@cache
def _set_maps(size: int) -> tuple[tuple[int, ...], ...]:
    """For every renaming of so many things what it makes of each set of them, as bitmasks."""
    return tuple(
        tuple(sum(1 << new for old, new in enumerate(order) if mask >> old & 1) for mask in range(1 << size))
        for order in permutations(range(size))
    )


#: Up to so many renamings all are tried out; of five objects there are as many.
_FEW = 120


def canonical(*parts: Biclustering) -> tuple:
    """The same for, and only for, lists of biclusterings that differ by one renaming of objects and features."""
    shapes = tuple([part.shape for part in parts])
    objects, features = max([n for n, _ in shapes]), max([m for _, m in shapes])
    if factorial(objects) * factorial(features) <= (_FEW if len(parts) > 1 else _FEW // 5):
        return shapes, min(zip(*[_images(part, objects, features) for part in parts], strict=True))
    return shapes, least_form(*parts)


def least_form(*parts: Biclustering) -> tuple:
    """The same where the renamings are many."""
    objects, features = (max([part.shape[axis] for part in parts]) for axis in (0, 1))
    given = [(number, _mask(rows), _mask(cols)) for number, part in enumerate(parts) for rows, cols in part]
    return min(
        _least_order(objects, [(number, rows, cols_map[cols]) for number, rows, cols in given])
        for cols_map in _set_maps(features)
    )


@cache
def _images(part: Biclustering, objects: int, features: int) -> tuple[tuple[int, ...], ...]:
    """What every renaming makes of a biclustering, the renamings always in the same order."""
    masks = [(_mask(rows), _mask(cols)) for rows, cols in part]
    return tuple(
        tuple(sorted([row_map[rows] << features | col_map[cols] for rows, cols in masks]))
        for row_map, col_map in product(_set_maps(objects), _set_maps(features))
    )


def _least_order(objects: int, given: list[Rectangle]) -> tuple:
    """The least list of biclusters that renaming the objects leads to, where not every order need be tried.

    Objects are first told apart by the biclusters they lie in; what is left of the symmetry is tried out. Objects
    in the same biclusters are exchangeable, so they get consecutive names: how many there are of each kind is all
    that counts.
    """
    kinds = Counter([sum([1 << at for at, one in enumerate(given) if one[1] >> row & 1]) for row in range(objects)])
    held = {kind: [at for at in range(len(given)) if kind >> at & 1] for kind in kinds}
    sizes = [(number, cols, rows.bit_count()) for number, rows, cols in given]
    colours: dict[int, Any] = {kind: (count, sorted([sizes[at] for at in held[kind]])) for kind, count in kinds.items()}
    groups = _alike(colours)
    if len(groups) < len(kinds):
        # Told apart by the company that they keep, once more.
        company = [(sizes[at], sorted([colours[kind] for kind in kinds if kind >> at & 1])) for at in range(len(given))]
        groups = _alike({kind: (colours[kind], sorted([company[at] for at in held[kind]])) for kind in kinds})
    forms = []
    for choice in product(*map(permutations, groups)):
        rows, start = [0] * len(given), 0
        for kind in chain.from_iterable(choice):
            names = ((1 << kinds[kind]) - 1) << start
            start += kinds[kind]
            for at in held[kind]:
                rows[at] |= names
        forms.append(sorted([(number, names, cols) for (number, _, cols), names in zip(given, rows, strict=True)]))
    return tuple(min(forms))


def _alike(colours: dict[int, Any]) -> list[list[int]]:
    """The kinds of each colour, by colour."""
    ordered = sorted(colours, key=colours.__getitem__)
    return [list(group) for _, group in groupby(ordered, key=colours.__getitem__)]


def up_to_renaming(parts: Iterable[Biclustering]) -> list[Biclustering]:
    """One of every orbit."""
    found: dict[tuple, Biclustering] = {}
    for part in parts:
        found.setdefault(canonical(part), part)
    return list(found.values())


def form(case: Case) -> tuple:
    """A case up to renaming, the same on all sides."""
    return canonical(*case.families)


def form_of_sides(case: Case) -> tuple:
    """A case up to renaming, on each side its own: for transformations that bring fresh names."""
    return canonical(*case.left), canonical(*case.right)


# --- the check ----------------------------------------------------------------------------------------
def one_gold(
    golds: Iterable[Biclustering], lefts: Iterable[Biclustering], rights: Iterable[Biclustering]
) -> Iterator[Case]:
    """Every left and right candidate against every gold, the gold and then the left up to renaming.

    What is among the lefts, or among the rights, must be there under all names.
    """
    lefts, rights = list(lefts), list(rights)
    for gold in up_to_renaming(golds):
        right_sides = [Side(right, gold) for right in rights]
        for left in {canonical(left, gold): left for left in lefts}.values():
            side = Side(left, gold)
            for other in right_sides:
                yield Case(side, other)


def one_left(
    golds: Iterable[Biclustering], lefts: Iterable[Biclustering], rights: Iterable[Biclustering]
) -> Iterator[Case]:
    """The same where the lefts are some of those that differ by names."""
    rights = list(rights)
    for left, gold in {canonical(*pair): pair for pair in product(lefts, golds)}.values():
        for right in rights:
            yield Case(Side(left, gold), Side(right, gold))


def missed(reading: Reading, everything: Iterable[Case], listed: Iterable[Case], form=form) -> tuple[int, list[Case]]:
    """How many cases the premise admits, and those among them that the list lacks, even up to renaming."""
    known = {form(case) for case in listed}
    admitted = [case for case in everything if reading.premise(case)]
    return len(admitted), [case for case in admitted if form(case) not in known]


def listed(reading: Reading, objects: int, features: int | None = None, keep=lambda case: True) -> list[Case]:
    """The enumerated cases with so many features."""
    return [
        case for case in reading.enumerate_(objects) if (features is None or case.features == features) and keep(case)
    ]


def all_equal_shapes(shape: tuple[int, int], kind) -> list[Case]:
    """Every triple of families of a kind, the gold up to renaming."""
    every = kind(shape)
    return list(one_gold(every, every, every))


def check(condition, reading, objects, everything, features=1, form=form, keep=lambda case: True, some=True):
    """That everything which the premise admits is listed."""
    subject = reading_of(condition, reading)
    admitted, gone = missed(subject, everything, listed(subject, objects, features, keep), form)
    assert not gone, f"{len(gone)} cases are admitted and not listed, such as {gone[0]}"
    # A check of nothing is no check.
    assert bool(admitted) == some


def form_of_left(case: Case) -> tuple:
    """The case up to renaming where the right is the gold, as the premise checks."""
    return canonical(*case.left)
