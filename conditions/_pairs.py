"""Drawn and enumerated (candidate, gold) pairs, for the conditions that transform a pair as a whole."""

from collections.abc import Iterator
from functools import cache, partial

from hypothesis import strategies as st

from metaeval.conditions._enumerate import (
    Vector,
    disjoint_families,
    pairs,
    rectangles,
    small_families,
    without_single_cells,
)
from metaeval.conditions._strategy import Draw
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.strategies import biclusterings, bits, integers

_drawn_family = cache(biclusterings)  # making a strategy takes longer than drawing from one
_OBJECTS = st.one_of(integers(1, 8), integers(1, 24))
_MOST = st.sampled_from((5, 5, 12))
#: What a candidate is in view of its gold.
_CANDIDATES = st.sampled_from(("any", "any", "any", "varied", "varied", "shared", "shared", "the gold"))


@cache
@st.composite
def drawn_pair(draw: Draw, disjoint: bool, min_classes: int = 0, lifted: bool = False) -> Side:
    """A candidate and a gold on one matrix; often the candidate is a variation of the gold.

    A candidate that is drawn by itself has little in common with the gold; but most of what goes wrong with
    a measure goes wrong where the two have much in common. It can be the gold itself. If ``lifted``, there is one
    feature.
    """
    shape = (draw(_OBJECTS), 1 if lifted else draw(integers(1, 6)))
    families = partial(_drawn_family, shape=shape, disjoint=disjoint, max_biclusters=draw(_MOST))
    gold = draw(families(min_biclusters=min_classes))
    kind = draw(_CANDIDATES) if gold else "any"
    if kind == "the gold":
        return Side(gold, gold)
    if kind == "shared":
        lost = gold.biclusters[: draw(integers(0, 1)) if len(gold) > 1 else 0]
        candidate = some_of(draw, gold)
        return Side(candidate, Biclustering.trusted([one for one in gold if one not in lost], shape))
    return Side(draw(_variation(gold) if kind == "varied" else families()), gold)


def some_of(draw: Draw, family: Biclustering) -> Biclustering:
    """The family without some of its biclusters, often without one only."""
    count, every = len(family), (1 << len(family)) - 1
    kept = bits(draw(integers(0, every - 1)) if draw(st.booleans()) else every ^ 1 << draw(integers(0, count - 1)))
    return Biclustering.trusted([one for place, one in enumerate(family) if place in kept], family.shape)


@st.composite
def _variation(draw: Draw, gold: Biclustering) -> Biclustering:
    """The gold with some classes left out, some split in two and some made smaller."""
    kept = []
    for rows, cols in gold:
        change = draw(integers(0, 4))
        if change == 1:
            continue
        if change == 4 and len(rows) > 1:
            kept += [(frozenset({min(rows)}), cols), (rows - {min(rows)}, cols)]
            continue
        thinned = rows - {min(rows)} if change == 2 and len(rows) > 1 else rows
        narrowed = cols - {max(cols)} if change == 3 and len(cols) > 1 else cols
        kept.append((thinned, narrowed))
    return Biclustering.trusted(dict.fromkeys(kept), gold.shape)


def not_empty(family: Biclustering) -> Biclustering:
    """The family, or a single cell where it has no bicluster."""
    return family or Biclustering.trusted([(frozenset({0}), frozenset({0}))], family.shape)


def listed_pairs(objects: int, features: int, disjoint: bool, most: int = 2, proper: bool = False) -> Iterator[Side]:
    """Every pair on an n × m matrix, up to renaming, of families as :func:`listed_families` has them."""
    families = listed_families(objects, features, disjoint, most, proper)
    return pairs((objects, features), families, families)


def repeated_pairs(objects: int, features: int, largest: int) -> Iterator[Side]:
    """Every pair of families of at most ``largest`` biclusters, repeats allowed, up to renaming."""
    families = small_families(objects, features, largest, repeats=True)
    return pairs((objects, features), families, families)


def small_pairs(objects: int, disjoint: bool, proper: bool = False, lifted: bool = False) -> Iterator[Side]:
    """Every pair on one feature and, unless ``lifted``, on two features where there are at most two objects."""
    for features in (1, 2) if objects <= 2 and not lifted else (1,):
        yield from listed_pairs(objects, features, disjoint, proper=proper)


def multiplied_pairs(objects: int, disjoint: bool) -> Iterator[tuple[Side, int]]:
    """Every small pair of which k ≥ 2 copies have this number of objects; and k."""
    for times in range(2, objects + 1):
        if objects % times == 0:
            for side in small_pairs(objects // times, disjoint):
                yield side, times


def listed_families(objects: int, features: int, disjoint: bool, most: int, proper: bool = False) -> tuple[Vector, ...]:
    """The families to list: all disjoint ones, or all where there are at most seven biclusters to choose from.

    Of more than seven there are too many families to list; then those of at most ``most`` biclusters. In ``proper``
    ones none is a single cell.
    """
    if disjoint:
        families = disjoint_families(objects, features)
    else:
        biclusters = len(rectangles(objects, features)) - (objects * features if proper else 0)
        families = small_families(objects, features, biclusters if biclusters <= 7 else most)
    return without_single_cells(objects, features, families) if proper else families
