"""Enumerators against brute force: within its scope a list must hold every case that the premise admits.

The brute force makes all families of biclusters, and lets nothing but the premise choose. It runs over the
gold standard up to renaming; where all triples are too many, the comment says what was left out and why.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache
from itertools import islice, permutations, product

import pytest
from brute_force import (
    FIRST_CASES,
    all_equal_shapes,
    canonical,
    check,
    condition_of,
    disjoint_families,
    families,
    form,
    form_of_left,
    form_of_sides,
    least_form,
    listed,
    missed,
    multisets,
    one_gold,
    one_left,
    partial_partitions,
    partitions,
    reading_of,
    up_to_renaming,
)

from metaeval import Biclustering, Case, Side
from metaeval.cases.order import CaseSource
from metaeval.cases.sampling import sample_here
from metaeval.catalogue.condition import conditions

# --- every listed case --------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", conditions().values(), ids=conditions())
def test_every_listed_case_is_an_instance_and_said_to_be_listed(condition):
    first = 1 + FIRST_CASES.get(condition.id, 0)
    for reading in condition.readings.values():
        said = min(reading.complete, max(4, first))
        count = 0
        for objects in range(min(reading.reach, max(5, first)) + 1):
            for case in reading.enumerate_(objects):
                count += 1
                assert reading.premise(case), case
                assert case.objects == objects
                assert len(case) != 2 or (case.left != case.right) == (condition.id != "S.3")
                if condition.relation.name == "worse":
                    assert case.left.candidate.family != case.right.candidate.family
                if 1 <= objects <= said and case.features == 1:
                    assert reading.lists(case)
        assert count > 0, reading.name
        assert reading.complete <= reading.reach


@pytest.mark.parametrize("condition", conditions().values(), ids=conditions())
def test_listed_cases_come_in_the_same_order_every_time(condition):
    for reading in condition.readings.values():
        bound = min(reading.reach, 7 if condition.id in ("A.3", "A.4") else 3)
        for objects in range(bound):
            assert list(reading.enumerate_(objects)) == list(reading.enumerate_(objects)), reading.name


# --- A.1 to A.5, partitions ---------------------------------------------------------------------------


@cache
def partition_cases(objects):
    """Every triple of partitions, the gold up to renaming; kept for five conditions."""
    every = partitions(objects)
    return list(one_gold(every, every, every))


@pytest.mark.parametrize("objects", [1, 2, 3, 4, 5])
def test_canonical_lists_hold_every_triple_of_partitions(objects):
    for condition, least in {"A.1": 2, "A.2": 2, "A.3": 5, "A.4": 7, "A.5": 2}.items():
        check(condition, "canonical", objects, partition_cases(objects), some=objects >= least)


def test_rag_bags_of_six_objects():
    # The clean cluster has n and the bag n objects, so n = 2 and one object is left over. It has a cluster
    # of its own: in a partition there is nowhere else to go.
    left = Biclustering.lifted([{0, 1, 2}, {3, 4}, {5}])
    check("A.3", "canonical", 6, one_left(partitions(6), [left], partitions(6)))


def with_sizes(parts, *sizes):
    return [part for part in parts if sorted(len(rows) for rows, _ in part) == sorted(sizes)]


#: The only left of an A.4 case with seven objects: r = 2, and the core takes them all.
LARGE_AND_SINGLETONS = Biclustering.lifted([{0, 1, 2}, {3}, {4}, {5}, {6}])


@pytest.mark.parametrize(("reading", "golds"), [("canonical", partitions), ("literal", partial_partitions)])
def test_size_versus_quantity_with_seven_objects(reading, golds):
    # All 877 rights would make millions of triples; the statement fixes their sizes as 2, 1, 2, 2.
    rights = with_sizes(partitions(7), 2, 1, 2, 2)
    check("A.4", reading, 7, one_left(golds(7), [LARGE_AND_SINGLETONS], rights))


@pytest.mark.parametrize(("objects", "pairs"), [(2, 4), (3, 10), (4, 33), (5, 91), (6, 298), (7, 910)])
def test_perfect_match_lists_each_pair_of_partitions_once(objects, pairs):
    cases = listed(reading_of("A.5", "canonical"), objects)
    sizes = {tuple(sorted(len(rows) for rows, _ in part)) for part in partitions(objects)}
    assert len(cases) + len(sizes) == pairs
    if objects <= 6:
        assert len({canonical(*case.left) for case in cases}) == len(cases)


# --- A.1 to A.4, disjoint clusterings -----------------------------------------------------------------


@pytest.mark.parametrize("objects", [2, 3, 4])
def test_literal_lists_hold_every_triple_of_disjoint_clusterings(objects):
    every = partial_partitions(objects)
    everything = list(one_gold(every, every, every))
    for condition in ("A.1", "A.2", "A.3", "A.4"):
        check(condition, "literal", objects, everything, some=condition in ("A.1", "A.2"))


def test_literal_rag_bags_of_five_objects():
    # The core takes all five objects, so both candidates are partitions; only the gold may leave some out.
    check("A.3", "literal", 5, one_gold(partial_partitions(5), partitions(5), partitions(5)))


def test_literal_rag_bags_of_six_objects():
    # All rights and all golds would be 1.5 million triples. One object moves, so the rights are those that
    # arise from moving any one object anywhere.
    for extra in ([], [{5}]):
        left = Biclustering.lifted([{0, 1, 2}, {3, 4}, *extra], shape=(6, 1))
        check("A.3", "literal", 6, one_left(partial_partitions(6), [left], moved_ones(left)))


def moved_ones(part):
    """Every way to move one object: to another cluster, to one of its own, to none."""
    found = {}
    for row in range(part.shape[0]):
        without = [rows - {row} for rows, _ in part if rows - {row}]
        for target in (None, frozenset(), *without):
            moved = [rows | {row} if rows == target else rows for rows in without]
            moved += [frozenset({row})] if target == frozenset() else []
            found[Biclustering.lifted(moved, shape=part.shape)] = None
    return list(found)


def test_literal_splits_and_unions_of_five_objects():
    # All triples would be 783,000. A split or a union leaves the union of the clusters as it is, and the
    # other clusters alone; so the rights are those that split or join clusters of the left in any way.
    golds = partial_partitions(5)
    everything = [
        case for left in up_to_renaming(golds) for case in one_left(golds, [left], split_or_joined(left))
    ]
    for condition in ("A.1", "A.2"):
        check(condition, "literal", 5, everything)


def split_or_joined(part):
    clusters = [rows for rows, _ in part]
    found = {}
    for rows in clusters:
        rest = [other for other in clusters if other != rows]
        for other in rest:
            found[frozenset([*(r for r in rest if r != other), rows | other])] = None
        for mask in range(1, 2 ** len(rows) - 1):
            piece = frozenset(row for bit, row in enumerate(sorted(rows)) if mask >> bit & 1)
            found[frozenset([*rest, piece, rows - piece])] = None
    return [Biclustering.lifted(sorted(map(sorted, one)), shape=part.shape) for one in found]


# --- families that overlap, one feature ---------------------------------------------------------------


def is_nested(part):
    return any(a < b for a, _ in part for b, _ in part)


@pytest.mark.parametrize("objects", [2, 3])
def test_overlapping_lists_hold_every_triple_of_families(objects):
    """Every triple of families of subsets of two objects; of three, those in which no class holds another.

    "Inside one class" and "in the gold" depend on the largest classes only. Nested ones follow below, with
    fewer clusters where nothing else is asked of a class.
    """
    every = families((objects, 1))
    golds = every if objects == 2 else [gold for gold in every if not is_nested(gold)]
    everything = list(one_left(golds, every, every))
    for condition in ("A.1", "A.2", "A.3", "A.4", "B.1"):
        # A rag bag, or a large cluster with two pairs, needs four objects.
        check(condition, "overlapping", objects, everything, some=condition not in ("A.3", "A.4"))


@pytest.mark.parametrize(
    ("condition", "most"), [("A.1", 2), ("A.2", 3), pytest.param("A.2", None, marks=pytest.mark.long), ("B.1", 2)]
)
def test_overlapping_lists_hold_nested_classes(condition, most):
    # A.2 asks of the clusters that they be no classes, however small: so a cluster more.
    golds = filter(is_nested, families((3, 1)))
    everything = one_left(golds, families((3, 1), 0, most), families((3, 1), 0, most and most + 1))
    check(condition, "overlapping", 3, everything)


@pytest.mark.parametrize("condition", ["A.5", "B.5"])
@pytest.mark.parametrize("objects", [2, 3])
def test_overlapping_lists_hold_every_pair_of_families(condition, objects):
    # The right is the gold itself; with two objects nothing but the premise says so.
    every = families((objects, 1))
    everything = [
        Case(Side(left, gold), Side(right, gold))
        for gold in up_to_renaming(every)
        for left in every
        for right in (every if objects == 2 else [gold])
    ]
    check(condition, "overlapping", objects, everything, form=form_of_left)


def test_overlapping_rag_bags_of_four_objects():
    # Families of two clusters, with the sizes of the statement; others would make 15 million triples.
    two = with_sizes(families((4, 1), 2, 2), 2, 3)
    everything = one_left(families((4, 1), 1, 3), up_to_renaming(two), two)
    check("A.3", "overlapping", 4, everything, keep=lambda case: len(case.left.candidate) == 2)


def test_overlapping_size_versus_quantity_of_four_objects():
    # Without context: a cluster of three and four singletons on the left, which all fit one renaming.
    left = Biclustering.lifted([{0, 1, 2}, {0}, {1}, {2}, {3}])
    rights = with_sizes(families((4, 1), 4, 4), 2, 1, 2, 2)
    everything = one_left(families((4, 1), 1, 3), [left], rights)
    check("A.4", "overlapping", 4, everything, keep=lambda case: len(case.left.candidate) == 5)


# --- A.5, B.1, B.5: biclusterings -----------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2)])
def test_lists_hold_every_triple_of_disjoint_families(shape):
    """Perfect matches, non-intersection areas and multiple coverages.

    On 3 × 2 there are too many disjoint families for all triples; see the pairs below.
    """
    everything = all_equal_shapes(shape, disjoint_families)
    check("A.5", "literal", shape[0], everything, shape[1])
    for reading in ("canonical", "literal"):
        check("B.1", reading, shape[0], everything, shape[1], some=shape[0] > 1)
        if shape != (1, 1):
            check("B.5", reading, shape[0], everything, shape[1])


def test_literal_perfect_matches_on_three_by_two():
    # The right is the gold, whatever the gold is: the pairs (left, gold) are what there is to miss.
    every = disjoint_families((3, 2))
    everything = [Case(Side(left, gold), Side(gold, gold)) for gold in up_to_renaming(every) for left in every]
    check("A.5", "literal", 3, everything, 2, form=form_of_left)


@pytest.mark.parametrize(("shape", "most"), [((1, 2), 3), ((2, 2), 3)])
def test_overlapping_perfect_matches_on_two_features(shape, most):
    every = families(shape, 0, most)
    everything = [
        Case(Side(left, gold), Side(right, gold))
        for gold in up_to_renaming(every)
        for left in every
        for right in ({gold: 0} if shape == (2, 2) else every)  # 130³ triples are too many
    ]
    check("A.5", "overlapping", shape[0], everything, 2, form=form_of_left)


@pytest.mark.parametrize("objects", [1, 2, 3])
def test_repeated_perfect_matches(objects):
    every = multisets((objects, 1), 3)
    rights = every if objects < 3 else None  # 120³ triples are too many; the right is the gold
    everything = [
        Case(Side(left, gold), Side(right, gold))
        for gold in up_to_renaming(every)
        for left in every
        for right in (rights or [gold])
    ]
    check("A.5", "repeated", objects, everything, form=form_of_left)


@pytest.mark.parametrize("shape", [(1, 2), (2, 2)])
def test_overlapping_non_intersection_areas_on_two_features(shape):
    everything = all_equal_shapes(shape, lambda shape: families(shape, 0, 2))
    check("B.1", "overlapping", shape[0], everything, 2, some=shape[0] > 1)


def test_multiple_coverages_on_three_by_two():
    # One left bicluster, and the gold on the right: all triples are too many.
    golds = up_to_renaming(disjoint_families((3, 2)))
    everything = [Case(Side(left, gold), Side(gold, gold)) for gold in golds for left in families((3, 2), 1, 1)]
    for reading in ("canonical", "literal"):
        check("B.5", reading, 3, everything, 2)


@pytest.mark.parametrize("shape", [(1, 2), (2, 2), (3, 2)])
def test_overlapping_multiple_coverages_on_two_features(shape):
    # At most three classes, as the scope says; one left bicluster, and the gold on the right.
    everything = [
        Case(Side(left, gold), Side(gold, gold))
        for gold in up_to_renaming(families(shape, 0, 3))
        for left in families(shape, 1, 1)
    ]
    check("B.5", "overlapping", shape[0], everything, 2)


# --- B.2, B.3, B.4: the right lies in another matrix ---------------------------------------------------


def two_matrices(small, large, small_kind, large_kind=None):
    """Every pair on the small matrix beside every pair on the large one."""
    lefts, rights = small_kind(small), (large_kind or small_kind)(large)
    right_sides = [Side(*parts) for parts in product(rights, repeat=2)]
    for left in {canonical(*parts): parts for parts in product(lefts, repeat=2)}.values():
        for right in right_sides:
            yield Case(Side(*left), right)


def from_to(small, large):
    def keep(case):
        return case.left.gold.shape == small and case.right.gold.shape == large

    return {"keep": keep, "features": large[1]}


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ((1, 1), (1, 2)),
        ((1, 1), (2, 1)),
        ((1, 1), (2, 2)),
        ((1, 1), (3, 1)),
        ((2, 1), (2, 2)),
        ((2, 1), (3, 1)),
        ((2, 1), (4, 1)),
        ((3, 1), (4, 1)),
        ((1, 2), (2, 2)),
        ((1, 2), (1, 3)),
    ],
)
def test_larger_matrices(small, large):
    everything = two_matrices(small, large, disjoint_families)
    check("B.2", "canonical", large[0], everything, **from_to(small, large))


@pytest.mark.parametrize(
    ("small", "large"), [((1, 1), (1, 2)), ((1, 1), (2, 1)), ((2, 1), (2, 2)), ((1, 2), (2, 2)), ((2, 1), (3, 1))]
)
def test_larger_matrices_with_overlap(small, large):
    # The families of the larger matrix are cut to two biclusters, and so is the list for this check.
    def kind(shape):
        return families(shape, 0, 2)

    everything = list(two_matrices(small, large, kind))
    check("B.2", "overlapping", large[0], everything, **from_to(small, large))


@pytest.mark.parametrize(("small", "most"), [((2, 2), 2), ((3, 1), 3)])
def test_larger_matrices_with_overlap_hold_every_pair(small, most):
    # Too many pairs on the larger matrix; there the families are the same, so the left is what can be missed.
    # Of three objects, every family of at most three sets: all 128 are tried where the matrix stays as it is.
    every = families(small, 0, most)
    large = (3, small[1] + 1) if small == (3, 1) else (3, 2)
    everything = [
        Case(Side(candidate, gold), Side(candidate.on(large), gold.on(large)))
        for gold in up_to_renaming(every)
        for candidate in every
    ]
    check("B.2", "overlapping", 3, everything, **from_to(small, large))


def test_scaling_one_cell():
    everything = two_matrices((1, 1), (2, 2), disjoint_families)
    check("B.3", "canonical", 2, everything, form=form_of_sides, **from_to((1, 1), (2, 2)))
    everything = two_matrices((1, 1), (2, 2), lambda shape: families(shape, 0, 1))
    check("B.3", "overlapping", 2, everything, form=form_of_sides, **from_to((1, 1), (2, 2)))


def scaled(part, times):
    """Object r becomes r, r + n, r + 2n …: other names than the enumerator gives."""
    n, m = part.shape
    return Biclustering(
        [
            ([r + n * k for r in rows for k in range(times)], [c + m * k for c in cols for k in range(times)])
            for rows, cols in part
        ],
        (n * times, m * times),
    )


@pytest.mark.parametrize("reading", ["canonical", "overlapping"])
@pytest.mark.parametrize(("small", "times"), [((1, 2), 2), ((2, 1), 2), ((2, 1), 3), ((2, 2), 2), ((3, 1), 2)])
def test_scaling(reading, small, times):
    # The right is fixed by the left up to names, and pairs on the scaled matrix are too many: what can be
    # missed is a left, or a factor.
    if reading == "canonical":
        every = disjoint_families(small)
    else:
        every = families(small, 0, 2)
    everything = [
        Case(Side(candidate, gold), Side(scaled(candidate, times), scaled(gold, times)))
        for gold in up_to_renaming(every)
        for candidate in every
    ]
    subject = reading_of("B.3", reading)
    assert all(map(subject.premise, everything))
    objects, large = small[0] * times, (small[0] * times, small[1] * times)
    cases = listed(subject, objects, keep=from_to(small, large)["keep"])
    known = {canonical(*case.left) for case in cases}
    assert all(canonical(*case.left) in known for case in everything)
    if objects <= 4:
        sides = {canonical(*case.left): case.right for case in cases}
        for case in everything:
            assert same_up_to_names(sides[canonical(*case.left)], case.right)


def same_up_to_names(a, b):
    """The same counts of cells by what covers them: as far as a label-blind measure of cells can see."""

    def counts(side):
        cells = {}
        for number, part in enumerate(side):
            for rows, cols in part:
                for cell in product(rows, cols):
                    cells.setdefault(cell, []).append((number, len(rows), len(cols)))
        return sorted(map(sorted, cells.values()))

    return counts(a) == counts(b)


@pytest.mark.parametrize(
    ("small", "large"),
    [
        ((1, 1), (2, 1)),
        ((1, 1), (2, 2)),
        ((1, 1), (3, 1)),
        ((1, 2), (2, 2)),
        ((2, 1), (4, 1)),
    ],
)
def test_copies(small, large):
    everything = two_matrices(small, large, disjoint_families)
    check("B.4", "canonical", large[0], everything, form=form_of_sides, **from_to(small, large))


@pytest.mark.parametrize(
    ("small", "large", "most"),
    [((1, 1), (2, 1), 3), ((1, 1), (3, 1), 3), ((1, 1), (2, 2), 2), ((1, 2), (2, 2), 2)],
)
def test_copies_with_overlap(small, large, most):
    # Copies of at most one bicluster are at most as many as there are copies: (1, 2) has families of more.
    everything = two_matrices(
        small, large, lambda shape: families(shape, 0, 1), lambda shape: families(shape, 0, most)
    )
    check("B.4", "overlapping", large[0], everything, form=form_of_sides, **from_to(small, large))


@pytest.mark.parametrize(("small", "times", "fresh"), [((2, 2), 2, False), ((2, 1), 2, True), ((3, 1), 2, False)])
def test_every_pair_is_copied(small, times, fresh):
    # Pairs on the larger matrix are too many; the copies are fixed by the left, which is what can be missed.
    every = disjoint_families(small)
    subject = reading_of("B.4", "canonical")
    large = (small[0] * times, small[1] * (times if fresh else 1))
    known = {canonical(*c.left) for c in listed(subject, large[0], keep=from_to(small, large)["keep"])}
    assert known >= {canonical(candidate, gold) for gold in up_to_renaming(every) for candidate in every}


@pytest.mark.parametrize("objects", [1, 2])
def test_copies_over_the_same_cells(objects):
    shape = (objects, 1)
    everything = two_matrices(shape, shape, lambda shape: multisets(shape, 2), lambda shape: multisets(shape, 6))
    check("B.4", "repeated", objects, (case for case in everything if not _four_or_more_times(case)))


def _four_or_more_times(case):
    """Copies beyond the scope, which has two and three."""
    return len(case.right.candidate) + len(case.right.gold) > 3 * (len(case.left.candidate) + len(case.left.gold))


# --- what a list is said to hold ----------------------------------------------------------------------


def sizes(case):
    """Cheaper than a form, and the same wherever the form is."""
    return tuple(
        [tuple(sorted([(len(rows), len(cols)) for rows, cols in part])) for side in case for part in side]
    )


OF_SINGLE_CANDIDATES = [one for one in conditions().values() if not one.relation.pooled]


@pytest.mark.parametrize("condition", OF_SINGLE_CANDIDATES, ids=[one.id for one in OF_SINGLE_CANDIDATES])
def test_drawn_cases_said_to_be_listed_are(condition):
    """Under any names: a case that a search leaves out as listed must not be lost."""
    up_to_names = form_of_sides if condition.id in ("B.3", "B.4") else form
    drawn = [case for name in condition.readings for case in sample_here((condition.id, name), 40, 3)]
    for reading in condition.readings.values():
        wanted = defaultdict(dict)
        for case in drawn:
            if reading.premise(case) and reading.lists(case):
                wanted[case.objects].setdefault(sizes(case), {})[up_to_names(case)] = case
        for objects, by_sizes in wanted.items():
            for case in reading.enumerate_(objects):
                alike = by_sizes.get(sizes(case))
                if alike and alike.pop(up_to_names(case), None) and not any(by_sizes.values()):
                    break
            assert not any(by_sizes.values()), (reading.name, by_sizes)


def lifted_pair(candidate, gold):
    return Side(*(Biclustering.lifted(part, shape=(2, 1)) for part in (candidate, gold)))


def times(side, count):
    return Case(side, Side(*(Biclustering(part.biclusters * count, part.shape) for part in side)))


ONE, BOTH = {0}, {0, 1}
SMALL = lifted_pair([ONE, BOTH], [BOTH, BOTH])
LARGE = lifted_pair([ONE, ONE, BOTH], [BOTH])


@pytest.mark.parametrize(
    ("reading", "case", "said"),
    [
        ("B.4", times(SMALL, 2), True),
        ("B.4", times(SMALL, 3), True),
        ("B.4", times(SMALL, 4), False),
        ("B.4", times(LARGE, 2), False),
        ("B.4", times(Side(LARGE.gold, LARGE.candidate), 3), False),
        ("A.5", Case(LARGE, Side(LARGE.gold, LARGE.gold)), True),
        ("A.5", Case(pair := lifted_pair([ONE, ONE, BOTH, BOTH], [BOTH]), Side(pair.gold, pair.gold)), False),
        ("A.5", Case(pair := lifted_pair([ONE], [BOTH] * 4), Side(pair.gold, pair.gold)), False),
    ],
    ids=["twice", "three times", "four times", "more", "more gold", "three", "four", "four of gold"],
)
def test_repeats_beyond_the_scope_are_not_said_to_be_listed(reading, case, said):
    subject = reading_of(reading, "repeated")
    assert subject.premise(case)
    assert subject.lists(case) == said
    assert (form(case) in map(form, subject.enumerate_(2))) == said
    source = CaseSource(condition_of(reading), subject, [case], exhaustive=None)
    assert list(source.drawn()) == ([] if said else [case])


@pytest.mark.parametrize("objects", [1, 2])
def test_copies_over_the_same_cells_are_listed_where_they_are_said_to_be(objects):
    subject = reading_of("B.4", "repeated")
    known = {form(case) for case in subject.enumerate_(objects)}
    every = multisets((objects, 1), 3)
    for pair in (Side(*parts) for parts in product(every, every) if any(parts)):
        for count in range(2, 6):
            case = times(pair, count)
            assert subject.premise(case)
            assert subject.lists(case) == (form(case) in known)


@pytest.mark.parametrize("objects", [1, 2])
def test_repeated_matches_are_listed_where_they_are_said_to_be(objects):
    subject = reading_of("A.5", "repeated")
    known = {form_of_left(case) for case in subject.enumerate_(objects)}
    every = multisets((objects, 1), 4)
    for candidate, gold in product(every, every):
        case = Case(Side(candidate, gold), Side(gold, gold))
        if subject.premise(case):
            assert subject.lists(case) == (form_of_left(case) in known)


def test_a_bound_on_the_objects_bounds_what_is_said_to_be_listed():
    reading = reading_of("A.1", "canonical")
    case = next(reading.enumerate_(4))
    for exhaustive, kept in ((3, [case]), (4, []), (None, [])):
        assert list(CaseSource(condition_of("A.1"), reading, [case], exhaustive).drawn()) == kept


# --- the check itself ---------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["A.1", "A.2", "A.5"])
def test_an_enumerator_that_lists_too_little_is_caught(condition):
    whole = reading_of(condition, "canonical")
    assert not missed(whole, partition_cases(4), whole.enumerate_(4))[1]
    for keep in (0, 1):
        poor = replace(whole, enumerate_=lambda objects, keep=keep: islice(whole.enumerate_(objects), keep))
        assert missed(poor, partition_cases(4), poor.enumerate_(4))[1]


def test_canonical_forms_agree_exactly_with_renaming():
    """The yardstick, measured: against trying every renaming."""
    for shape in ((3, 1), (2, 2)):
        renamings = list(product(*(permutations(range(size)) for size in shape)))
        parts = families(shape, 0, 2)
        for a, b in product(up_to_renaming(parts), parts):
            images = {a.renamed(rows.__getitem__, cols.__getitem__) for rows, cols in renamings}
            assert (canonical(a) == canonical(b)) == (b in images)


def test_forms_of_many_objects_agree_with_trying_every_renaming():
    """Of many objects not every order is tried; of these, both ways must tell the same apart."""
    for every in (partial_partitions(4), families((2, 2), 0, 2)):
        pairs = product(up_to_renaming(every), every)
        forms = {(canonical(*pair), least_form(*pair)) for pair in pairs}
        assert len({one for one, _ in forms}) == len({other for _, other in forms}) == len(forms)
