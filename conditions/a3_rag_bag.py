"""A.3 Rag bag: a stray object does less harm in a bag of strays than in a clean cluster."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, permutations

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
from metaeval.conditions._premise import Cluster, Clusters, admitted, clusterings

#: With one object in each, left and right can be isomorphic, and no label-blind measure could tell them apart.
LEAST = 2


def premise(case: Case, reading: str) -> bool:
    """One object moved from an otherwise clean cluster to a bag of objects of different classes."""
    parts = clusterings(case)
    if parts is None or not admitted(parts, reading) or (len(parts.removed), len(parts.added)) != (2, 2):
        return False
    return any(
        _moved(dirty, noise, clean, bag, parts.gold, reading == "canonical")
        for dirty, noise in permutations(parts.removed)
        for clean, bag in permutations(parts.added)
    )


def _moved(dirty: Cluster, noise: Cluster, clean: Cluster, bag: Cluster, gold: Clusters, whole: bool) -> bool:
    stray = dirty - clean
    if not (clean < dirty and len(stray) == 1 and stray.isdisjoint(noise) and bag == noise | stray):
        return False
    if not len(clean) == len(noise) >= LEAST:
        return False
    if whole:
        return clean in gold and all(frozenset({one}) in gold for one in noise | stray)
    return (
        any(clean <= one and stray.isdisjoint(one) for one in gold)
        and all(any(one in members for members in gold) for one in noise | stray)
        and not any({one, other} <= members for one, other in combinations(noise, 2) for members in gold)
    )


@st.composite
def canonical(draw: _draw.Draw) -> Case:
    """A whole class and unary classes; the context is a partition of its own."""
    size = draw(_draw.quantities(LEAST))
    clean, (stray,), noise = cut((size, 1, size))
    around = _draw.Context(draw, 2 * size + 1, [], partial=False)
    gold = [clean, [stray], *([row] for row in noise), *around.classes]
    return _draw.lift(
        draw,
        around.objects,
        gold,
        [[*clean, stray], noise, *around.clusters],
        [clean, [stray, *noise], *around.clusters],
    )


@st.composite
def literal(draw: _draw.Draw) -> Case:
    """Classes of any size: the stray may belong with a noise object, a noise object with the clean ones."""
    size = draw(_draw.quantities(LEAST))
    clean, (stray,), noise = cut((size, 1, size))
    named = [[*clean], *([row] for row in noise)]
    guest = draw(st.integers(0, size))  # a noise object of the clean cluster's class, 0: none
    if guest:
        named[0].append(named.pop(guest)[0])
    home = draw(st.integers(0, len(named) - 1))  # the stray's class, 0: one of its own
    if home:
        named[home].append(stray)
    else:
        named.append([stray])
    around = _draw.Context(draw, 2 * size + 1, named, partial=True)
    return _draw.lift(
        draw,
        around.objects,
        [*around.named, *around.classes],
        [[*clean, stray], noise, *around.clusters],
        [clean, [stray, *noise], *around.clusters],
    )


@st.composite
def overlapping(draw: _draw.Draw) -> Case:
    """Free sets, from which only what the premise forbids is cut away."""
    size = draw(st.integers(LEAST, 4))
    # The bag may share one object with the clean cluster; two would share a class there.
    common = draw(st.integers(0, 1))
    clean = _draw.mask_of(range(size))
    noise = _draw.mask_of(range(size - common, 2 * size - common))
    stray = 1 << (2 * size - common)
    objects = stray.bit_length() + draw(_draw.FURTHER)

    def thinned(mask: int, keep: int) -> int:
        """At most one noise object a class; ``keep`` is the one to keep if there is a choice."""
        inside = mask & noise
        chosen = keep & inside or inside & -inside
        return mask & ~noise | chosen

    def wide() -> int:
        return int(draw(st.integers(0, (1 << objects) - 1)))

    gold = [thinned(clean | wide(), clean & noise) & ~stray]
    gold += filter(None, (thinned(mask, 0) for mask in _draw.masks(draw, objects)))
    homeless = [1 << row for row in _draw.objects_of(noise | stray) if not any(mask >> row & 1 for mask in gold)]
    gold += [thinned(one | wide(), one) for one in homeless]
    core = (clean | stray, noise, clean, noise | stray)
    context = [mask for mask in _draw.masks(draw, objects) if mask not in core]
    return _draw.lift_masks(draw, objects, gold, [*core[:2], *context], [*core[2:], *context])


def enumerate_disjoint(objects: int, partial: bool) -> Iterator[Case]:
    """Columns: the clean cluster as one item, the stray, the bag, other clusters, unclustered objects."""
    for size in range(LEAST, (objects - 1) // 2 + 1):
        for sizes, left_out in contexts(objects - 2 * size - 1, partial):
            clean, (stray,), noise, *rest = cut((size, 1, size, *sizes, left_out))
            columns: list[Column] = [[clean], [[stray]], *([[row] for row in run] for run in (noise, *rest))]
            capacities = (1, 1, size, *sizes, left_out)
            covered = [True] * 3 + [not partial for _ in rest]
            for vectors in classes(capacities, covered, _literal_class if partial else _canonical_class):
                if first_of_orbit(vectors, sizes, free=3):
                    others = rest[:-1]
                    yield lifted_case(
                        objects,
                        place(columns, vectors),
                        [[*clean, stray], noise, *others],
                        [clean, [stray, *noise], *others],
                    )


def _literal_class(vector: tuple[int, ...]) -> bool:
    return not (vector[0] and vector[1]) and vector[2] <= 1


def _canonical_class(vector: tuple[int, ...]) -> bool:
    return sum(vector) == 1 or not any(vector[:3])


def enumerate_overlapping(objects: int) -> Iterator[Case]:
    """Every pair of families, every two clusters in it between which an object can move."""
    families = distinct_families(objects, 1, largest=3)
    candidates = [family for family in families if len(family) >= 2]
    for candidate, gold in pairs(objects, 1, families, candidates):
        sets = [rows for rows, _ in candidate]
        held = [rows for rows, _ in gold]
        for dirty, noise in permutations(sets, 2):
            if noise.bit_count() < LEAST or dirty.bit_count() != noise.bit_count() + 1:
                continue
            if any(one & noise and (one & noise).bit_count() > 1 for one in held):
                continue
            rest = [rows for rows in sets if rows not in (dirty, noise)]
            for row in bits(dirty & ~noise):
                stray = 1 << row
                clean, bag = dirty & ~stray, noise | stray
                homes = 0
                for one in held:
                    homes |= one
                if (
                    any(one & clean == clean and not one & stray for one in held)
                    and not (noise | stray) & ~homes
                    and clean not in rest
                    and bag not in rest
                ):
                    left, right = [dirty, noise, *rest], [clean, bag, *rest]
                    yield lifted_case(objects, [*map(bits, held)], [*map(bits, left)], [*map(bits, right)])


condition(
    "A.3",
    name="Rag bag",
    statement=(
        "Let one cluster hold n objects of a class and one object of another, and a second cluster n objects "
        "of n different classes. If the one object moves to the second cluster, the score must rise."
    ),
    citation=_texts.AMIGO,
    relation=WORSE,
    readings=[
        Reading(
            name="canonical",
            adds=_texts.PARTITIONS
            + " n ≥ 2; the n objects are a whole class; the moving object and all noise objects are classes alone.",
            strategy=canonical,
            premise=partial(premise, reading="canonical"),
            enumerate_=partial(enumerate_disjoint, partial=False),
            scope="one feature, up to renaming",
            complete=10,
            reach=10,
        ),
        Reading(
            name="literal",
            adds=_texts.PARTIAL + " n ≥ 2; no two noise objects share a class.",
            strategy=literal,
            premise=partial(premise, reading="literal"),
            enumerate_=partial(enumerate_disjoint, partial=True),
            scope="one feature, up to renaming",
            complete=8,
            reach=8,
        ),
        Reading(
            name="overlapping",
            adds=_texts.OVERLAPPING + " n ≥ 2; no two noise objects share a class.",
            strategy=overlapping,
            premise=partial(premise, reading="overlapping"),
            enumerate_=enumerate_overlapping,
            scope="one feature, up to renaming; with four objects at most three classes and three clusters",
            complete=3,
            reach=4,
        ),
    ],
)
