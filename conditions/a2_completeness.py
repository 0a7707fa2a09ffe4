"""A.2 Completeness: joining two clusters of one class must raise the score."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

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
    pairs,
    place,
)
from metaeval.conditions._premise import admitted, clusterings, inside_one_class


def premise(case: Case, reading: str) -> bool:
    """Two clusters gave way to their union, which lies inside one class."""
    parts = clusterings(case)
    if parts is None or not admitted(parts, reading) or (len(parts.removed), len(parts.added)) != (2, 1):
        return False
    (one, other), (union,) = parts.removed, parts.added
    return one | other == union and inside_one_class(union, parts.gold)


@st.composite
def disjoint(draw: _draw.Draw, partial: bool) -> Case:
    """Two clusters of one class, with other objects around them."""
    one = range(draw(_draw.quantities(1)))
    other = range(len(one), len(one) + draw(_draw.quantities(1)))
    around = _draw.Context(draw, other.stop, [[*range(other.stop)]], partial)
    gold = [*around.named, *around.classes]
    return _draw.lift(
        draw, around.objects, gold, [one, other, *around.clusters], [range(other.stop), *around.clusters]
    )


@st.composite
def overlapping(draw: _draw.Draw) -> Case:
    """The same with free sets; the two clusters may share objects, but neither contains the other."""
    own, theirs, both = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(0, 2))
    union = _draw.mask_of(range(own + theirs + both))
    one = _draw.mask_of(range(own + both))
    other = _draw.mask_of(range(own, own + theirs + both))
    objects = union.bit_length() + draw(_draw.FURTHER)
    gold = [union | draw(st.integers(0, (1 << objects) - 1)), *_draw.masks(draw, objects)]
    context = [mask for mask in _draw.masks(draw, objects) if mask not in (one, other, union)]
    return _draw.lift_masks(draw, objects, gold, [one, other, *context], [union, *context])


def enumerate_disjoint(objects: int, partial: bool) -> Iterator[Case]:
    """Columns: the two clusters, the other clusters, the unclustered objects."""
    for larger in range(1, objects):
        for smaller in range(1, min(larger, objects - larger) + 1):
            for sizes, left_out in contexts(objects - larger - smaller, partial):
                one, other, *rest = cut((larger, smaller, *sizes, left_out))
                # Both clusters lie in one class: a single item that fills one place.
                union = range(larger + smaller)
                columns: list[Column] = [[union], *([[row] for row in run] for run in rest)]
                for vectors in classes((1, *sizes, left_out), [True, *(not partial for _ in rest)]):
                    if first_of_orbit(vectors, sizes, free=1):
                        others = rest[:-1]
                        yield lifted_case(
                            objects, place(columns, vectors), [one, other, *others], [union, *others]
                        )


def enumerate_overlapping(objects: int) -> Iterator[Case]:
    """Every pair of families, every two clusters in it that can be joined."""
    families = distinct_families(objects, 1, largest=7 if objects <= 3 else 3)
    for candidate, gold in pairs(objects, 1, families, families):
        sets = [rows for rows, _ in candidate]
        held = [rows for rows, _ in gold]
        for one, other in combinations(sets, 2):
            union = one | other
            if union not in sets and any(union & one_class == union for one_class in held):
                rest = [rows for rows in sets if rows not in (one, other)]
                left, right = [one, other, *rest], [union, *rest]
                yield lifted_case(objects, [*map(bits, held)], [*map(bits, left)], [*map(bits, right)])


condition(
    "A.2",
    name="Completeness",
    statement=(
        "If two clusters that hold only objects of one class are replaced by their union, the score must rise."
    ),
    citation=_texts.AMIGO,
    relation=WORSE,
    readings=[
        Reading(
            name="canonical",
            adds=_texts.PARTITIONS,
            strategy=lambda: disjoint(partial=False),
            premise=partial(premise, reading="canonical"),
            enumerate_=partial(enumerate_disjoint, partial=False),
            scope="one feature, up to renaming",
            complete=8,
            reach=8,
        ),
        Reading(
            name="literal",
            adds=_texts.PARTIAL,
            strategy=lambda: disjoint(partial=True),
            premise=partial(premise, reading="literal"),
            enumerate_=partial(enumerate_disjoint, partial=True),
            scope="one feature, up to renaming",
            complete=7,
            reach=7,
        ),
        Reading(
            name="overlapping",
            adds=_texts.OVERLAPPING + " Neither of the two clusters contains the other.",
            strategy=overlapping,
            premise=partial(premise, reading="overlapping"),
            enumerate_=enumerate_overlapping,
            scope="one feature, up to renaming; with four objects at most three classes and three clusters",
            complete=3,
            reach=4,
        ),
    ],
)
