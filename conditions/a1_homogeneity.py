"""A.1 Homogeneity: splitting a mixed cluster into its two pure parts must raise the score."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

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
    """A cluster inside no class gave way to two disjoint parts of it, each inside a class."""
    parts = clusterings(case)
    if parts is None or not admitted(parts, reading) or (len(parts.removed), len(parts.added)) != (1, 2):
        return False
    (mixed,), (one, other) = parts.removed, parts.added
    return (
        one | other == mixed
        and one.isdisjoint(other)
        and not inside_one_class(mixed, parts.gold)
        and inside_one_class(one, parts.gold)
        and inside_one_class(other, parts.gold)
    )


@st.composite
def disjoint(draw: _draw.Draw, partial: bool) -> Case:
    """A cluster of two classes' objects, with other objects around it."""
    one = range(draw(_draw.quantities(1)))
    other = range(len(one), len(one) + draw(_draw.quantities(1)))
    around = _draw.Context(draw, other.stop, [[*one], [*other]], partial)
    gold = [*around.named, *around.classes]
    return _draw.lift(
        draw, around.objects, gold, [range(other.stop), *around.clusters], [one, other, *around.clusters]
    )


@st.composite
def overlapping(draw: _draw.Draw) -> Case:
    """The same with classes and clusters drawn as free sets; only what the premise forbids is cut away."""
    size = draw(st.integers(1, 3))
    mixed = _draw.mask_of(range(size + draw(st.integers(1, 3))))
    one = _draw.mask_of(range(size))
    other = mixed & ~one
    objects = mixed.bit_length() + draw(_draw.FURTHER)
    first_of_other, first_of_one = other & -other, one & -one
    gold = []
    for core, spare in ((one, first_of_other), (other, first_of_one)):
        wide = core | draw(st.integers(0, (1 << objects) - 1))
        gold.append(wide & ~spare if wide & mixed == mixed else wide)
    for more in _draw.masks(draw, objects):
        spare = 1 << draw(st.integers(0, mixed.bit_length() - 1))
        gold.append(more & ~spare if more & mixed == mixed else more)
    context = [mask for mask in _draw.masks(draw, objects) if mask not in (mixed, one, other)]
    return _draw.lift_masks(draw, objects, filter(None, gold), [mixed, *context], [one, other, *context])


def enumerate_disjoint(objects: int, partial: bool) -> Iterator[Case]:
    """Columns: the two parts, the other clusters, the unclustered objects."""
    for larger in range(1, objects):
        for smaller in range(1, min(larger, objects - larger) + 1):
            for sizes, left_out in contexts(objects - larger - smaller, partial):
                one, other, *rest = cut((larger, smaller, *sizes, left_out))
                columns: list[Column] = [[one], [other], *([[row] for row in run] for run in rest)]
                capacities = (1, 1, *sizes, left_out)
                covered = [True, True, *(not partial for _ in rest)]
                for vectors in classes(capacities, covered, lambda vector: not (vector[0] and vector[1])):
                    if first_of_orbit(vectors, sizes, free=2):
                        others = rest[:-1]
                        mixed = range(larger + smaller)
                        yield lifted_case(
                            objects, place(columns, vectors), [mixed, *others], [one, other, *others]
                        )


def enumerate_overlapping(objects: int) -> Iterator[Case]:
    """Every pair of families, every cluster in it that can be split."""
    families = distinct_families(objects, 1, largest=7 if objects <= 3 else 3)
    for candidate, gold in pairs(objects, 1, families, families):
        sets = [rows for rows, _ in candidate]
        held = [rows for rows, _ in gold]
        for mixed in sets:
            if any(mixed & one == mixed for one in held):
                continue
            rest = [rows for rows in sets if rows != mixed]
            one = (mixed - 1) & mixed
            while one > (mixed & ~one):  # each split once, the larger number first
                other = mixed & ~one
                fits = all(any(part & one_class == part for one_class in held) for part in (one, other))
                if fits and one not in rest and other not in rest:
                    left, right = [mixed, *rest], [one, other, *rest]
                    yield lifted_case(objects, [*map(bits, held)], [*map(bits, left)], [*map(bits, right)])
                one = (one - 1) & mixed


condition(
    "A.1",
    name="Homogeneity",
    statement=(
        "If a cluster that mixes objects of two classes is replaced by two clusters, each with objects of "
        "one of these classes only, the score must rise."
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
            adds=_texts.OVERLAPPING
            + " The mixed cluster lies inside no class; an object of both classes may go to either part.",
            strategy=overlapping,
            premise=partial(premise, reading="overlapping"),
            enumerate_=enumerate_overlapping,
            scope="one feature, up to renaming; with four objects at most three classes and three clusters",
            complete=3,
            reach=4,
        ),
    ],
)
