"""Tools of the strategies: drawing what surrounds the situation that a condition is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hypothesis import strategies as st

from metaeval.cases import Case, Side
from metaeval.model import Biclustering

Draw = Callable[[st.SearchStrategy[Any]], Any]
Objects = list[int]

#: How many further classes and clusters a context may bring.
_LABELS = 4
#: A few further objects mostly, some dozens now and then.
_SURROUNDINGS = st.one_of(st.integers(0, 6), st.integers(0, 6), st.integers(0, 30))


class Context:
    """The objects around a disjoint case, with the class and the cluster of each."""

    def __init__(self, draw: Draw, first: int, open_classes: Sequence[Objects], partial: bool) -> None:
        """``open_classes`` are lists of objects that the context may extend; ``first`` is its first object."""
        nothing = 1 if partial else 0
        count = draw(_SURROUNDINGS)
        kinds = len(open_classes) + _LABELS + nothing
        clusters = _LABELS + nothing
        codes = draw(st.lists(st.integers(0, kinds * clusters - 1), min_size=count, max_size=count))
        named: list[Objects] = [list(members) for members in open_classes]
        classes: list[Objects] = named + [[] for _ in range(_LABELS)]
        self._clusters: list[Objects] = [[] for _ in range(_LABELS)]
        for row, code in enumerate(codes, start=first):
            kind, cluster = divmod(code, clusters)
            # The last label, where there is one too many, means none.
            if kind < len(classes):
                classes[kind].append(row)
            if cluster < _LABELS:
                self._clusters[cluster].append(row)
        self.objects = first + count
        self.named = named
        self.classes = [members for members in classes[len(named) :] if members]
        self.clusters = [members for members in self._clusters if members]


def lift(draw: Draw, objects: int, gold: Iterable[Iterable[int]], left: Any, right: Any) -> Case:
    """A case of clusterings on some features of a matrix that may have more of them."""
    features = draw(st.integers(1, 4))
    chosen = frozenset(range(draw(st.integers(1, features))))
    shape = (objects, features)

    def family(clusters: Iterable[Iterable[int]]) -> Biclustering:
        return Biclustering.trusted(((frozenset(cluster), chosen) for cluster in clusters), shape)

    classes = family(gold)
    return Case(Side(family(left), classes), Side(family(right), classes))


def masks(draw: Draw, objects: int, largest: int = 4) -> list[int]:
    """Some sets of objects, as bitmasks, free to overlap."""
    return list(draw(st.lists(st.integers(1, (1 << objects) - 1), max_size=largest, unique=True)))


def mask_of(objects: Iterable[int]) -> int:
    """A set of objects as a bitmask."""
    return sum(1 << row for row in objects)


def objects_of(mask: int) -> frozenset[int]:
    """The set that a bitmask stands for."""
    return frozenset(row for row in range(mask.bit_length()) if mask >> row & 1)


def lift_masks(draw: Draw, objects: int, gold: Iterable[int], left: Iterable[int], right: Iterable[int]) -> Case:
    """:func:`lift` for bitmasks; what occurs twice in the gold is kept once."""
    return lift(draw, objects, map(objects_of, dict.fromkeys(gold)), map(objects_of, left), map(objects_of, right))
