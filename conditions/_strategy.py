"""Tools of the strategies: drawing what surrounds the situation that a condition is about."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st

from metaeval.conditions._clusters import Cluster, Sides, cut, lifted_case, mask_of
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case
from metaeval.core.grouping import grouped
from metaeval.strategies import KINDS, bits, integers, lists, related, subsets

Draw = Callable[[st.SearchStrategy[Any]], Any]
Objects = list[int]

#: How many further classes and clusters a context of few labels brings.
_FEW = 4
#: The label of an object in no class, or in no cluster.
_NOTHING = -1
#: A few further objects mostly, some dozens now and then.
_SURROUNDINGS = st.one_of(integers(0, 6), integers(0, 6), integers(0, 36))
#: How labels are given to these.
_KINDS = st.sampled_from(("few", "few", "one", "alone", "block", "blocks", "many"))
#: How many more objects there are than a case of free sets needs.
FURTHER = st.one_of(integers(0, 5), integers(0, 5), integers(0, 30))


@cache
def quantities(least: int) -> st.SearchStrategy[int]:
    """How many objects, or pairs, a condition is about: a few mostly, a dozen now and then."""
    return st.one_of(integers(least, 5), integers(least, 5), integers(least, 14))


class Context:
    """The objects around a disjoint case, with the class and the cluster of each."""

    def __init__(self, draw: Draw, named: Sequence[Collection[int]], partial: bool, extend: bool = True) -> None:
        """``named`` are the classes of the case's own objects 0, 1, 2 …; further ones may ``extend`` them."""
        first = sum(map(len, named))
        rows = range(first, first + draw(_SURROUNDINGS))
        self.objects = rows.stop
        self.classes: list[Objects] = [list(members) for members in named]
        opened = len(named) if extend else 0
        for label, members in _labelled(draw, rows, opened, partial).items():
            if label < opened:
                self.classes[label] += members
            else:
                self.classes.append(members)
        self.clusters = list(_labelled(draw, rows, 0, partial).values())


def in_context(draw: Draw, named: Sequence[Collection[int]], sides: Sides, partial: bool, extend: bool = True) -> Case:
    """The sides with further objects around them; ``named`` and ``extend`` as :class:`Context` has them."""
    around = Context(draw, named, partial, extend)
    count, features = some_features(draw)
    return lifted_case(around.classes, sides, around.clusters, (around.objects, count), features)


def in_free_context(draw: Draw, objects: int, gold: Iterable[int], sides: Sides) -> Case:
    """The sides with further clusters, free to overlap; ``gold`` are bitmasks.

    Nothing may repeat: a class drawn twice is kept once, and a cluster that the sides name is left out. The left is
    made to differ from the gold.
    """
    named, drawn = {*sides[0], *sides[1]}, list(dict.fromkeys(gold))
    classes, around = [*map(bits, drawn)], [*drawn, *map(mask_of, (*sides[0], *sides[1]))]
    context = [cluster for cluster in map(bits, masks(draw, objects, around=around)) if cluster not in named]
    if {*sides[0], *context} == {*classes}:
        context.pop()  # some class is named by no side, so there is a context
    count, features = some_features(draw)
    return lifted_case(classes, sides, context, (objects, count), features)


def partition_of(draw: Draw, objects: int) -> list[Objects]:
    """A partition of the objects, often an extreme one."""
    return list(_labelled(draw, range(objects), 0, partial=False).values())


def some_features(draw: Draw) -> tuple[int, frozenset[int]]:
    """How many features a matrix has, and some of them."""
    count = draw(integers(1, 4))
    return count, bits(draw(integers(1, (1 << count) - 1)))


def stretched(case: Case, every: bool = False) -> Case:
    """The case with every object twice on which a bicluster of a single cell lies: it has two cells then.

    Where there is one, ``every`` object of the case is taken twice, if a condition compares numbers of them.
    """
    lone = {row for family in case.families for rows, cols in family if len(rows) == len(cols) == 1 for row in rows}
    chosen = range(case.objects) if every and lone else sorted(lone)
    copies = dict(zip(chosen, range(case.objects, case.objects + len(chosen)), strict=True))

    def wider(family: Biclustering) -> Biclustering:
        parts = ((rows | {copies[row] for row in rows if row in copies}, cols) for rows, cols in family)
        return Biclustering.trusted(parts, (case.objects + len(chosen), family.shape[1]))

    return case.mapped(wider) if lone else case


def two_clusters(draw: Draw) -> tuple[Cluster, Cluster]:
    """Two clusters of the first objects."""
    one, other = cut((draw(quantities(1)), draw(quantities(1))))
    return frozenset(one), frozenset(other)


def _labelled(draw: Draw, rows: range, opened: int, partial: bool) -> dict[int, Objects]:
    """The objects by label, the first ones being those of ``opened`` classes; unlabelled ones are left out.

    What goes wrong with a measure often needs an extreme context: everything in one cluster, everything
    alone, a block beside many singletons, blocks of one size. Labels drawn one by one would hardly ever give
    these.
    """
    labels = dict(zip(rows, _labels(draw, len(rows), opened, partial), strict=True)) if rows else {}
    groups = grouped((row for row, label in labels.items() if label != _NOTHING), labels.__getitem__)
    return {labels[members[0]]: members for members in groups}


def _labels(draw: Draw, count: int, opened: int, partial: bool) -> list[int]:
    kind = draw(_KINDS)
    if kind == "blocks":
        size = draw(integers(2, 7))
        return [opened + at // size for at in range(count)]
    if kind in ("few", "many"):
        last = opened + (_FEW if kind == "few" else count) - 1
        each = integers(_NOTHING if partial else 0, last)
        return list(draw(lists(each, min_size=count, max_size=count)))
    size = draw(integers(1, count)) if kind == "block" else count if kind == "one" else 0
    # The block may extend a class of the case itself; what is left over may stay unlabelled.
    block = draw(integers(0, opened)) if opened else 0
    loose = partial and draw(st.booleans())
    return [block] * size + [_NOTHING if loose else opened + 1 + at for at in range(count - size)]


def masks(draw: Draw, objects: int, largest: int = 4, around: Sequence[int] = ()) -> list[int]:
    """Some sets of objects, as bitmasks, free to overlap; often related to each other, and to one of those around."""
    drawn = draw(lists(subsets(objects), max_size=largest, unique=True))
    kind = draw(KINDS) if drawn else "free"
    first = [draw(st.sampled_from(around))] if around and kind != "free" else []
    return list(dict.fromkeys(related(kind, [*first, *drawn])))[: largest + 2]


def wider(draw: Draw, mask: int, objects: int) -> int:
    """A set that holds the given one, as bitmasks."""
    return mask | int(draw(integers(0, (1 << objects) - 1)))
