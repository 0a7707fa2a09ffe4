"""Enumerators of S.*, G.* and H.* against brute force, as tests/test_enumeration.py has it for A.* and B.*."""

from __future__ import annotations

from itertools import product

import pytest
from brute_force import (
    all_equal_shapes,
    canonical,
    check,
    disjoint_families,
    families,
    form_of_left,
    multisets,
    one_gold,
    partial_partitions,
    partitions,
    reading_of,
    rectangles,
    up_to_renaming,
)

from metaeval import Biclustering, Case, Side


def on_partitions(shape):
    return partitions(shape[0])


def up_to_two(shape):
    return families(shape, 0, 2)


def small_multisets(shape):
    return multisets(shape, 2)


def without_single_cells(kind):
    def proper(shape):
        return [part for part in kind(shape) if all(len(rows) * len(cols) > 1 for rows, cols in part)]

    return proper


def pairs_of_pairs(shape, kind):
    """Every two pairs of families, the first up to renaming."""
    every = kind(shape)
    rights = [Side(*parts) for parts in product(every, every)]
    return [
        Case(Side(candidate, gold), right)
        for gold in up_to_renaming(every)
        for candidate in {canonical(candidate, gold): candidate for candidate in every}.values()
        for right in rights
    ]


def against_themselves(shape, golds, candidates=None):
    """Every candidate against every gold up to renaming, and the gold itself on the right."""
    golds = golds(shape)
    lefts = candidates(shape) if candidates else golds
    return [Case(Side(left, gold), Side(gold, gold)) for gold in up_to_renaming(golds) for left in lefts]


# --- S.1, S.3, S.4, H.6: what a pair becomes ----------------------------------------------------------


@pytest.mark.parametrize("condition", ["S.1", "S.3", "S.4"])
@pytest.mark.parametrize(
    ("reading", "shape", "kind"),
    [
        ("canonical", (2, 1), on_partitions),
        ("canonical", (3, 1), on_partitions),
        ("literal", (1, 1), disjoint_families),
        ("literal", (2, 1), disjoint_families),
        ("literal", (1, 2), disjoint_families),
        ("overlapping", (1, 1), families),
        ("overlapping", (2, 1), families),
        ("overlapping", (1, 2), up_to_two),
    ],
)
def test_pairs_and_what_they_become(condition, reading, shape, kind):
    # No name can be exchanged with itself, and two partitions of two objects stay the same.
    nothing = {"S.4": shape == (1, 1) or (reading, shape[0]) == ("canonical", 2)}.get(condition, False)
    check(condition, reading, shape[0], pairs_of_pairs(shape, kind), shape[1], some=not nothing)


@pytest.mark.parametrize(("shape", "kind"), [((4, 1), on_partitions), ((3, 1), disjoint_families)])
def test_names_of_more_objects(shape, kind):
    # All pairs of pairs are too many: the rights are those that some order of the names makes of the left.
    reading = "canonical" if kind is on_partitions else "literal"
    everything = [
        Case(Side(candidate, gold), Side(*(turned(part, order) for part in (candidate, gold))))
        for gold in up_to_renaming(kind(shape))
        for candidate in kind(shape)
        for order in ROTATIONS[shape[0]]
    ]
    check("S.4", reading, shape[0], everything)


#: Orders of the names that exchange two of them, and some that do more.
ROTATIONS = {
    3: [(1, 0, 2), (2, 1, 0), (0, 2, 1), (1, 2, 0), (2, 0, 1)],
    4: [(1, 0, 2, 3), (2, 1, 0, 3), (3, 1, 2, 0), (0, 2, 1, 3), (0, 3, 2, 1), (0, 1, 3, 2), (1, 0, 3, 2), (1, 2, 3, 0)],
}  # fmt: skip


def turned(part, order):
    return Biclustering([([order[row] for row in rows], cols) for rows, cols in part], part.shape)


def test_repeats_change_places():
    check("S.1", "repeated", 2, pairs_of_pairs((2, 1), small_multisets))


@pytest.mark.parametrize(
    ("reading", "shape", "kind"),
    [
        ("canonical", (3, 1), without_single_cells(disjoint_families)),
        ("canonical", (2, 2), without_single_cells(disjoint_families)),
        ("literal", (2, 1), disjoint_families),
        ("overlapping", (2, 1), families),
        ("proper", (3, 1), without_single_cells(families)),
        ("proper", (2, 2), without_single_cells(up_to_two)),
    ],
)
def test_symmetry_of_what_is_degenerate_or_not(reading, shape, kind):
    check("H.6", reading, shape[0], pairs_of_pairs(shape, kind), shape[1])


# --- G.1, G.2 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["G.1", "G.2"])
@pytest.mark.parametrize("objects", [2, 3, 4, 5])
def test_canonical_lists_hold_every_triple_of_partitions(condition, objects):
    every = partitions(objects)
    check(condition, "canonical", objects, one_gold(every, every, every), some=objects > 2)


@pytest.mark.parametrize("condition", ["G.1", "G.2"])
@pytest.mark.parametrize("objects", [2, 3, 4])
def test_literal_lists_hold_every_triple_of_disjoint_clusterings(condition, objects):
    every = partial_partitions(objects)
    check(condition, "literal", objects, one_gold(every, every, every), some=objects > 2)


# --- H.1, H.3 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "shape", "kind", "has_room"),
    [
        ("canonical", (4, 1), disjoint_families, False),
        ("canonical", (5, 1), without_single_cells(disjoint_families), True),
        ("canonical", (2, 2), disjoint_families, False),
        ("canonical", (3, 2), without_single_cells(disjoint_families), True),
        ("literal", (2, 1), disjoint_families, False),
        ("literal", (3, 1), disjoint_families, True),
        ("literal", (2, 2), disjoint_families, True),
        ("overlapping", (2, 1), families, False),
        ("overlapping", (3, 1), up_to_two, True),
        ("overlapping", (1, 2), up_to_two, False),
        ("overlapping", (2, 2), up_to_two, True),
        ("proper", (3, 1), without_single_cells(families), False),
        ("proper", (2, 2), without_single_cells(up_to_two), False),
        ("proper", (4, 1), without_single_cells(up_to_two), False),
        ("non-trivial", (4, 1), without_single_cells(up_to_two), False),
    ],
)
def test_areas_outside_the_reference(reading, shape, kind, has_room):
    everything = all_equal_shapes(shape, kind)
    check("H.3", reading, shape[0], everything, shape[1])
    # A spurious bicluster needs room to grow.
    check("H.1", reading, shape[0], everything, shape[1], some=has_room)


def test_spurious_biclusters_of_two_objects_and_more():
    # One class, and two biclusters or fewer: more would be too many triples of five objects.
    kind = without_single_cells(up_to_two)((5, 1))
    golds = [part for part in kind if len(part) == 1]
    everything = [case for case in one_gold(golds, kind, kind) if reading_of("H.1", "proper").premise(case)]
    for reading in ("proper", "non-trivial"):
        check("H.1", reading, 5, everything, keep=lambda case: len(case.left.gold) == 1)


# --- H.2, H.4, H.8: the right is the gold -------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "shape", "kind"),
    [
        ("canonical", (3, 1), disjoint_families),
        ("canonical", (4, 1), disjoint_families),
        ("canonical", (2, 2), disjoint_families),
        ("literal", (2, 1), disjoint_families),
        ("literal", (4, 1), disjoint_families),
        ("literal", (2, 2), disjoint_families),
        ("overlapping", (2, 1), families),
        ("overlapping", (3, 1), families),
        ("overlapping", (2, 2), up_to_two),
        ("proper", (3, 1), families),
        ("proper", (2, 2), without_single_cells(up_to_two)),
    ],
)
@pytest.mark.parametrize("condition", ["H.2", "H.8"])
def test_candidates_beside_the_gold_itself(condition, reading, shape, kind):
    check(condition, reading, shape[0], against_themselves(shape, kind), shape[1], form=form_of_left)


@pytest.mark.parametrize("objects", [1, 2])
def test_parts_of_multisets(objects):
    everything = against_themselves((objects, 1), lambda shape: multisets(shape, 3))
    check("H.2", "repeated", objects, everything, form=form_of_left)


@pytest.mark.parametrize("condition", ["H.2", "H.4", "H.8"])
def test_nothing_but_the_gold_itself_stands_on_the_right(condition):
    check(condition, "literal", 2, all_equal_shapes((2, 1), disjoint_families))


@pytest.mark.parametrize("reading", ["canonical", "literal"])
@pytest.mark.parametrize("shape", [(2, 1), (4, 1), (2, 2), (3, 2)])
def test_tilings(reading, shape):
    def one_bicluster(shape):
        return families(shape, 1, 1)

    everything = against_themselves(shape, disjoint_families, one_bicluster)
    check("H.4", reading, shape[0], everything, shape[1], some=shape != (2, 1) or reading == "literal")


# --- H.5 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "shape", "kind"),
    [
        ("canonical", (3, 1), disjoint_families),
        ("literal", (2, 1), disjoint_families),
        ("literal", (3, 1), disjoint_families),
        ("literal", (1, 2), disjoint_families),
        ("overlapping", (2, 1), families),
        ("proper", (3, 1), without_single_cells(families)),
    ],
)
def test_repetitions(reading, shape, kind):
    # The left repeats biclusters: up to five of them, so that a match of a small right is there three times.
    lefts = [part for part in multisets(shape, 5) if len(set(part)) < len(part)]
    golds = families(shape) if len(rectangles(shape)) < 4 else disjoint_families(shape)
    everything = one_gold(golds, lefts, kind(shape))
    check("H.5", reading, shape[0], filter(at_most_three_times, everything), shape[1], form=form_of_repetition)


def at_most_three_times(case):
    """Within the scope."""
    return len(case.left.candidate) - len(case.right.candidate) <= 2


def form_of_repetition(case):
    return canonical(*case.left, case.right.candidate)


# --- H.7 ----------------------------------------------------------------------------------------------


def with_as_many_holders(right, every):
    """The families that hold every object as often: whatever is exchanged, each object stays in as many."""

    def holders(part):
        return [sum(row in rows for rows, _ in part) for row in range(part.shape[0])]

    return [part for part in every if holders(part) == holders(right)]


def test_exchanges_between_two_clusters():
    # Of eight objects nothing but three and five leave room, and everything must be covered and classified.
    right = Biclustering.lifted([{0, 1, 2}, {3, 4, 5, 6, 7}])
    lefts = [part for part in partitions(8) if sorted(len(rows) for rows, _ in part) == [3, 5]]
    golds = {canonical(right, part): part for part in partitions(8) if 3 <= len(part) <= 4}
    everything = [Case(Side(left, gold), Side(right, gold)) for gold in golds.values() for left in lefts]
    check("H.7", "literal", 8, everything)


def test_exchanges_between_clusters_that_overlap():
    shape, two = (5, 1), families((5, 1), 2, 2)
    golds = up_to_renaming(families(shape, 3, 3))
    pairs = [(right, left) for right in two for left in with_as_many_holders(right, two)]
    everything = (Case(Side(left, gold), Side(right, gold)) for gold in golds for right, left in pairs)
    check("H.7", "overlapping", 5, everything)
