"""Tools of the strategies: drawing what surrounds the situation that a condition is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hypothesis import strategies as st

from metaeval.cases import Case, Side
from metaeval.model import Biclustering
from metaeval.strategies import subsets

Draw = Callable[[st.SearchStrategy[Any]], Any]
Objects = list[int]

#: How many further classes and clusters a context of few labels brings.
_FEW = 4
#: A few further objects mostly, some dozens now and then.
_SURROUNDINGS = st.one_of(st.integers(0, 6), st.integers(0, 6), st.integers(0, 36))


#: How many more objects there are than a case of free sets needs.
FURTHER = st.one_of(st.integers(0, 5), st.integers(0, 5), st.integers(0, 30))


def quantities(least: int) -> st.SearchStrategy[int]:
    """How many objects, or pairs, a condition is about: a few mostly, a dozen now and then."""
    return st.one_of(st.integers(least, 5), st.integers(least, 5), st.integers(least, 14))


class Context:
    """The objects around a disjoint case, with the class and the cluster of each."""

    def __init__(self, draw: Draw, first: int, open_classes: Sequence[Objects], partial: bool) -> None:
        """``open_classes`` are lists of objects that the context may extend; ``first`` is its first object."""
        rows = range(first, first + draw(_SURROUNDINGS))
        self.objects = rows.stop
        self.named: list[Objects] = [list(members) for members in open_classes]
        self.classes: list[Objects] = []
        opened = len(open_classes)
        for label, members in _labelled(draw, rows, opened, partial).items():
            if label < opened:
                self.named[label] += members
            else:
                self.classes.append(members)
        self.clusters = list(_labelled(draw, rows, 0, partial).values())


def _labelled(draw: Draw, rows: range, opened: int, partial: bool) -> dict[int, Objects]:
    """The objects by label; those without one are left out.

    What goes wrong with a measure often needs an extreme context: everything in one cluster, everything
    alone, a block beside many singletons, blocks of one size. Labels drawn one by one would hardly ever give
    these.
    """
    if not rows:
        return {}
    kind = draw(st.sampled_from(("few", "few", "one", "alone", "block", "blocks", "many")))
    nothing = -1
    if kind == "blocks":
        size = draw(st.integers(2, 7))
        labels = [opened + at // size for at in range(len(rows))]
    elif kind in ("few", "many"):
        last = opened + (_FEW if kind == "few" else len(rows)) - 1
        each = st.integers(nothing if partial else 0, last)
        labels = draw(st.lists(each, min_size=len(rows), max_size=len(rows)))
    else:
        size = draw(st.integers(1, len(rows))) if kind == "block" else len(rows) if kind == "one" else 0
        # The block may extend a class of the case itself; what is left over may stay unlabelled.
        block = draw(st.integers(0, opened)) if opened else 0
        loose = partial and draw(st.booleans())
        labels = [block] * size + [nothing if loose else opened + 1 + at for at in range(len(rows) - size)]
    grouped: dict[int, Objects] = {}
    for row, label in zip(rows, labels, strict=True):
        if label != nothing:
            grouped.setdefault(label, []).append(row)
    return grouped


def lift(draw: Draw, objects: int, gold: Iterable[Iterable[int]], left: Any, right: Any) -> Case:
    """A case of clusterings on some features of a matrix that may have more of them."""
    features = draw(st.integers(1, 4))
    chosen = objects_of(draw(st.integers(1, (1 << features) - 1)))
    shape = (objects, features)

    def family(clusters: Iterable[Iterable[int]]) -> Biclustering:
        return Biclustering.trusted(((frozenset(cluster), chosen) for cluster in clusters), shape)

    classes = family(gold)
    return Case(Side(family(left), classes), Side(family(right), classes))


def masks(draw: Draw, objects: int, largest: int = 4) -> list[int]:
    """Some sets of objects, as bitmasks, free to overlap."""
    return list(draw(st.lists(subsets(objects), max_size=largest, unique=True)))


def mask_of(objects: Iterable[int]) -> int:
    """A set of objects as a bitmask."""
    return sum(1 << row for row in objects)


def objects_of(mask: int) -> frozenset[int]:
    """The set that a bitmask stands for."""
    return frozenset(row for row in range(mask.bit_length()) if mask >> row & 1)


def lift_masks(draw: Draw, objects: int, gold: Iterable[int], left: Iterable[int], right: Iterable[int]) -> Case:
    """:func:`lift` for bitmasks; what occurs twice in the gold is kept once."""
    return lift(draw, objects, map(objects_of, dict.fromkeys(gold)), map(objects_of, left), map(objects_of, right))
