"""A.4 Size versus quantity: one object split off a large cluster does less harm than many broken pairs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from metaeval.cases import WORSE, Case
from metaeval.condition import Reading, condition
from metaeval.conditions import _strategy as _draw
from metaeval.conditions import _texts
from metaeval.conditions._enumerate import (
    Column,
    bits,
    classes,
    contexts,
    cut,
    distinct_families,
    first_of_orbit,
    lifted_case,
    orbits,
    place,
    rectangles,
)
from metaeval.conditions._premise import Cluster, Clusterings, admitted, clusterings, inside_one_class

#: With one pair, left and right can be isomorphic, and no label-blind measure could tell them apart.
LEAST = 2


def premise(case: Case, reading: str) -> bool:
    """A large cluster lost one object, and in exchange as many pairs as it has left were put together."""
    parts = clusterings(case)
    if parts is None or not admitted(parts, reading):
        return False
    return any(
        _exchanged(parts, large, kept, reading == "canonical")
        for large in parts.removed
        for kept in parts.added
        if kept < large and len(kept) == len(large) - 1 >= LEAST
    )


def _exchanged(parts: Clusterings, large: Cluster, kept: Cluster, whole: bool) -> bool:
    split_off = large - kept
    pairs = parts.added - {kept, split_off}
    loose = frozenset(frozenset({one}) for pair in pairs for one in pair)
    if len(pairs) != len(kept) or any(len(pair) != 2 for pair in pairs) or len(loose) != 2 * len(pairs):
        return False
    context = parts.left - {large} - loose
    if len(context) != len(parts.left) - 1 - len(loose):
        return False
    right = context | {kept, split_off} | pairs
    if right != parts.right or len(right) != len(context) + 2 + len(pairs):
        return False
    if whole:
        return large in parts.gold and pairs <= parts.gold
    return inside_one_class(large, parts.gold) and all(inside_one_class(pair, parts.gold) for pair in pairs)


def _sides(large: range, pairs: list[range], others: list[Any]) -> tuple[list[Any], list[Any]]:
    """The clusters left and right."""
    loose = [[one] for pair in pairs for one in pair]
    return [large, *loose, *others], [large[:-1], large[-1:], *pairs, *others]


@st.composite
def disjoint(draw: _draw.Draw, partial: bool) -> Case:
    """A large cluster and its pairs; literally their classes may be shared and extended."""
    quantity = draw(_draw.quantities(LEAST))
    large, *pairs = cut((quantity + 1, *[2] * quantity))
    named = [[*large]]
    for pair in pairs:
        # 0: a class of its own; else one that is there already, the large cluster's included.
        home = draw(st.integers(0, len(named))) if partial else 0
        if home:
            named[home - 1] += pair
        else:
            named.append([*pair])
    around = _draw.Context(draw, 3 * quantity + 1, named if partial else [], partial)
    gold = [*(around.named if partial else named), *around.classes]
    return _draw.lift(draw, around.objects, gold, *_sides(large, pairs, around.clusters))


@st.composite
def overlapping(draw: _draw.Draw) -> Case:
    """Free sets; pairs do not share objects (their singletons would repeat) but may lie in the large cluster."""
    quantity = draw(st.integers(LEAST, 4))
    borrowed = draw(st.lists(st.integers(0, quantity), unique=True, max_size=quantity + 1))
    fresh = range(quantity + 1, quantity + 1 + 2 * quantity - len(borrowed))
    members = [*borrowed, *fresh]
    pairs = [1 << one | 1 << other for one, other in zip(members[::2], members[1::2], strict=True)]
    large = _draw.mask_of(range(quantity + 1))
    # What is kept of the large cluster must not be one of the pairs, or it would repeat.
    choices = [row for row in range(quantity + 1) if large & ~(1 << row) not in pairs]
    split_off = 1 << draw(st.sampled_from(choices))
    kept = large & ~split_off
    objects = max(large, *pairs).bit_length() + draw(_draw.FURTHER)
    gold = [large | draw(st.integers(0, (1 << objects) - 1))]
    gold += [
        pair | draw(st.integers(0, (1 << objects) - 1))
        for pair in pairs
        if not any(pair & one == pair for one in gold)
    ]
    gold += _draw.masks(draw, objects)
    loose = [1 << row for row in members]
    core = {large, kept, split_off, *pairs, *loose}
    context = [mask for mask in _draw.masks(draw, objects) if mask not in core]
    return _draw.lift_masks(draw, objects, gold, [large, *loose, *context], [kept, split_off, *pairs, *context])


def enumerate_disjoint(objects: int, partial: bool) -> Iterator[Case]:
    """Columns: the large cluster as one item, the pairs as items, other clusters, unclustered objects."""
    for quantity in range(LEAST, (objects - 1) // 3 + 1):
        for sizes, left_out in contexts(objects - 3 * quantity - 1, partial):
            large, *runs = cut((quantity + 1, *[2] * quantity, *sizes, left_out))
            pairs, rest = runs[:quantity], runs[quantity:]
            columns: list[Column] = [[large], pairs, *([[row] for row in run] for run in rest)]
            capacities = (1, quantity, *sizes, left_out)
            covered = [True] * 2 + [not partial for _ in rest]
            for vectors in classes(capacities, covered, any if partial else _whole_class):
                if first_of_orbit(vectors, sizes, free=2):
                    left, right = _sides(large, pairs, rest[:-1])
                    yield lifted_case(objects, place(columns, vectors), left, right)


def _whole_class(vector: tuple[int, ...]) -> bool:
    return sum(vector) == 1 or not any(vector[:2])


def enumerate_overlapping(objects: int) -> Iterator[Case]:
    """Two pairs and a cluster of three, anywhere; at most one more cluster around them."""
    if objects < 4:
        return
    cells = rectangles(objects, 1)
    every = range(1, 1 << objects)
    twos = [mask for mask in every if mask.bit_count() == 2]
    threes = [mask for mask in every if mask.bit_count() == 3]
    for family, _ in orbits(objects, 1, distinct_families(objects, 1, largest=3 if objects == 4 else 2)):
        gold = [cells[index][0] for index in family]
        held = [[mask for mask in sets if any(mask & one == mask for one in gold)] for sets in (threes, twos)]
        for large in held[0]:
            for pairs in combinations(held[1], 2):
                if pairs[0] & pairs[1] or (large | pairs[0] | pairs[1] != (1 << objects) - 1 and objects > 4):
                    continue
                loose = [1 << row for row in bits(pairs[0] | pairs[1])]
                for row in bits(large):
                    kept, split_off = large & ~(1 << row), 1 << row
                    if kept in pairs:
                        continue
                    for more in (0, *every) if objects == 4 else (0,):
                        if more in (large, kept, split_off, *pairs, *loose):
                            continue
                        context = [more] if more else []
                        left, right = [large, *loose, *context], [kept, split_off, *pairs, *context]
                        yield lifted_case(objects, [*map(bits, gold)], [*map(bits, left)], [*map(bits, right)])


condition(
    "A.4",
    name="Size versus quantity",
    statement=(
        "Let r + 1 objects of one class be a cluster, and r pairs of objects of one class each be clusters. "
        "Breaking all the pairs into singletons must score worse than splitting one object off the large cluster."
    ),
    citation=_texts.AMIGO,
    relation=WORSE,
    readings=[
        Reading(
            name="canonical",
            adds=_texts.PARTITIONS + " r ≥ 2; the large cluster is a whole class and so is each pair.",
            strategy=lambda: disjoint(partial=False),
            premise=partial(premise, reading="canonical"),
            enumerate_=partial(enumerate_disjoint, partial=False),
            scope="one feature, up to renaming",
            complete=10,
            reach=10,
        ),
        Reading(
            name="literal",
            adds=_texts.PARTIAL + " r ≥ 2; pairs may share a class.",
            strategy=lambda: disjoint(partial=True),
            premise=partial(premise, reading="literal"),
            enumerate_=partial(enumerate_disjoint, partial=True),
            scope="one feature, up to renaming",
            complete=10,
            reach=10,
        ),
        Reading(
            name="overlapping",
            adds=_texts.OVERLAPPING + " r ≥ 2; pairs may share a class.",
            strategy=overlapping,
            premise=partial(premise, reading="overlapping"),
            enumerate_=enumerate_overlapping,
            scope=(
                "one feature, up to renaming of the classes; with four objects at most three classes and one "
                "further cluster, with five at most two classes and no further cluster"
            ),
            complete=3,
            reach=5,
        ),
    ],
)
