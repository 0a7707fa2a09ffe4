"""Hypothesis strategies for properties of your own: biclusterings, and the cases of a condition.

>>> from hypothesis import given
>>> import metaeval
>>> @given(metaeval.strategies.cases("A.3", reading="literal"))
... def test_rag_bag(case):
...     left, right = case
...     assert metaeval.score("mocice", *left) < metaeval.score("mocice", *right)
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, reduce
from itertools import accumulate, cycle
from operator import or_
from typing import Any

from hypothesis import strategies as st

from metaeval.catalogue.condition import find_condition
from metaeval.core.biclustering import Biclustering, Shape
from metaeval.core.case import Case
from metaeval.core.errors import InputError

__all__ = ["biclusterings", "cases"]

# Making a strategy takes longer than drawing from one that was drawn from before.
integers = cache(st.integers)
lists = cache(st.lists)


def cases(condition: str, reading: str = "canonical") -> st.SearchStrategy[Case]:
    """The cases of a condition under a reading, as :class:`metaeval.Case`: a left and a right side."""
    return find_condition(condition).reading(reading).strategy()


@st.composite
def biclusterings(
    draw: Callable[[st.SearchStrategy[Any]], Any], *, shape: Shape | None = None, max_objects: int = 8,
    max_features: int = 4, min_biclusters: int = 0, max_biclusters: int = 5, disjoint: bool = False,
    repeats: bool = False,
) -> Biclustering:  # fmt: skip
    """Biclusterings on a matrix of ``shape``, or of a drawn shape with at most these numbers of objects and features.

    They have ``min_biclusters`` to ``max_biclusters`` biclusters. ``disjoint`` ones share no cell; only with
    ``repeats`` does a bicluster occur twice. Where they may overlap, they are often nested, nearly equal or laminar.
    """
    if disjoint and repeats:
        raise InputError("a disjoint biclustering has no repeats; leave out disjoint=True or repeats=True")
    if shape is None:
        shape = (draw(integers(1, max_objects)), draw(integers(1, max_features)))
    unique = not repeats and not disjoint
    drawn = draw(lists(_rectangles(*shape), min_size=min_biclusters, max_size=max_biclusters, unique=unique))
    family = _apart(drawn) if disjoint else drawn
    if drawn and unique:
        kinds = zip(draw(_KINDS_ON_BOTH_AXES), zip(*drawn, strict=True), strict=True)
        rows, cols = (related(kind, sets)[:max_biclusters] for kind, sets in kinds)
        changed = list(dict.fromkeys(zip(rows, cycle(cols), strict=False)))
        family = changed if len(changed) >= min_biclusters else drawn
    if disjoint and len(family) < min_biclusters:
        cells = [(1 << row, 1 << col) for row in range(shape[0]) for col in range(shape[1])]
        if len(cells) < min_biclusters:
            raise InputError(f"a matrix of shape {shape} has no {min_biclusters} disjoint biclusters")
        family = cells[:min_biclusters]
    return Biclustering.trusted([(bits(rows), bits(cols)) for rows, cols in family], shape)


@cache
def _rectangles(objects: int, features: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(subsets(objects), st.integers(1, (1 << features) - 1))


@cache
def subsets(count: int) -> st.SearchStrategy[int]:
    """Non-empty subsets of ``count`` elements, as bitmasks.

    Half of the time any set, and half of the time a set of one or two elements: a set drawn out of all has
    about half of the elements, so that small ones would hardly ever come up.
    """
    small = st.integers(0, count**2 - 1).map(lambda two: 1 << two // count | 1 << two % count)
    return st.one_of(st.integers(1, (1 << count) - 1), small)


#: How the sets of a family are related, if they are; and how sets of rows and sets of columns are.
KINDS = st.sampled_from(("free", "free", "free", "nested", "nearly equal", "laminar"))
_KINDS_ON_BOTH_AXES = st.sampled_from((
    *[("free", "free")] * 5, ("nested", "same"), ("nearly equal", "same"), ("laminar", "same"), ("nested", "nested"),
    ("nearly equal", "free"), ("same", "nearly equal"), ("same", "nested"),
))  # fmt: skip


def related(kind: str, masks: Sequence[int]) -> list[int]:
    """Sets, as bitmasks, made of the given ones so that they are related; some may be equal.

    "Nested" sets lie each inside the next. "Nearly equal" ones have one element more or less than the first. "Laminar"
    ones lie inside each other or apart.
    """
    if kind == "nested":
        return list(accumulate(masks, or_))
    if kind == "nearly equal":
        return [masks[0], *(masks[0] ^ 1 << one or masks[0] for one in bits(reduce(or_, masks[1:], 0)))]
    if kind == "laminar":
        family: list[int] = []
        for mask in sorted(masks, key=int.bit_count, reverse=True):
            family.append(reduce(lambda inside, other: inside & other or inside, family, mask))
        return family
    return [masks[0]] * len(masks) if kind == "same" else list(masks)


def _apart(drawn: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The drawn biclusters, each without the rows or columns on which it meets an earlier one."""
    apart: list[tuple[int, int]] = []
    for number, (rows, cols) in enumerate(drawn):
        for other_rows, other_cols in apart:
            if rows & other_rows and cols & other_cols:
                # Rows and columns take turns, so that biclusters apart by rows and by columns both come up.
                if (number % 2 and cols & ~other_cols) or not rows & ~other_rows:
                    cols &= ~other_cols
                else:
                    rows &= ~other_rows
        if rows and cols:
            apart.append((rows, cols))
    return apart


@lru_cache(maxsize=1 << 12)  # lists and draws ask for the same small sets again and again
def bits(mask: int) -> frozenset[int]:
    """The set that a bitmask stands for."""
    return frozenset(bit for bit in range(mask.bit_length()) if mask >> bit & 1)
