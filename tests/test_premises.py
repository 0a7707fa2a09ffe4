"""Premises judge: they accept what the statements picture, and refuse the same case with one thing changed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brute_force import EVERY, FIRST_CASES, OF_PAIRS, OF_PAIRS_ID, canonical, condition_of

from metaeval import Biclustering, Case, Side
from metaeval.cases.sampling import sample_here
from metaeval.core.biclustering import Bicluster
from metaeval.literature.shelf import PAPER

X = range(3)


def clusterings(gold, left, right, features=(0,), shape=None):
    """A case of clusterings of one gold standard."""
    shape = shape or (1 + max(r for part in (gold, left, right) for c in part for r in c), max(features) + 1)
    classes = Biclustering.lifted(gold, features, shape)
    sides = (Side(Biclustering.lifted(one, features, shape), classes) for one in (left, right))
    return Case(*sides)


def instance(condition, reading, case):
    return condition_of(condition).admits(reading, case)


def instances(case, among=PAPER.conditions):
    """Every one of these conditions, and every reading, that the case is an instance of."""
    return {(c.id, r.name) for c, r in EVERY if c.id in among and c.admits(r.name, case)}


# --- the paper's pairs --------------------------------------------------------------------------------

RAG_BAG = clusterings(
    gold=[{0}, {1}, {2}, {3}, {4}, {5, 6, 7, 8}],
    left=[range(4), range(4, 9)],
    right=[range(5), range(5, 9)],
    features=X,
)
#: Before Table 1 the paper calls it an example for Homogeneity.
NOT_HOMOGENEITY = clusterings(
    gold=[range(6), {6, 7}, {8}],
    left=[{0}, {1}, {2, 3, 4}, {6, 7, 8}, {5}],
    right=[{0, 1}, {2, 3, 4}, {6, 7, 8}, {5}],
    features=X,
)


def test_the_papers_rag_bag_is_one():
    assert instances(RAG_BAG) == {("A.3", "canonical"), ("A.3", "literal"), ("A.3", "overlapping")}


def test_the_papers_homogeneity_pair_is_about_completeness():
    assert instances(NOT_HOMOGENEITY) == {("A.2", "canonical"), ("A.2", "literal"), ("A.2", "overlapping")}


# --- what the readings add ----------------------------------------------------------------------------


def test_an_object_outside_every_class_makes_a_case_literal():
    case = clusterings(gold=[{0}, {1}], left=[{0, 1}, {2}], right=[{0}, {1}, {2}])
    assert instances(case) == {("A.1", "literal"), ("A.1", "overlapping")}


def test_a_cluster_inside_a_class_is_not_mixed():
    # Else A.1 would contradict A.2: the parts lie in two classes, and both of them in a third.
    case = clusterings(gold=[{0, 2}, {1, 2}, {0, 1, 2}], left=[{0, 1}], right=[{0}, {1}])
    assert instances(case) == set()
    assert instances(Case(case.right, case.left)) == {("A.2", "overlapping")}


def test_three_parts_are_not_two():
    case = clusterings(gold=[{0}, {1}, {2}], left=[{0, 1, 2}], right=[{0}, {1}, {2}])
    assert instances(case) & {("A.1", name) for name in ("canonical", "literal", "overlapping")} == set()
    assert ("A.5", "canonical") in instances(case)


def test_an_impure_part_is_no_homogeneity():
    case = clusterings(gold=[{0, 1}, {2, 3}], left=[{0, 1, 2, 3}], right=[{0, 1, 2}, {3}])
    assert instances(case) == set()


def test_joining_two_classes_is_no_completeness():
    case = clusterings(gold=[{0}, {1}, {2}], left=[{0}, {1}, {2}], right=[{0, 1}, {2}])
    assert not any(condition == "A.2" for condition, _ in instances(case))


def test_a_cluster_in_the_other_is_not_joined():
    case = clusterings(gold=[{0, 1}], left=[{0}, {0, 1}], right=[{0, 1}])
    assert not any(condition == "A.2" for condition, _ in instances(case))


def test_a_cluster_that_is_a_class_is_not_joined():
    # Else A.2 would contradict A.5: the gold itself could be bettered.
    gold = [{0}, {1}, {0, 1, 2}]
    assert instances(clusterings(gold, left=gold, right=[{0, 1}, {0, 1, 2}])) == set()
    joined = {"left": [{0}, {1}], "right": [{0, 1}]}
    assert instances(clusterings([{1}, {0, 1, 2}], **joined)) == set()
    assert instances(clusterings([{2}, {0, 1, 2}], **joined)) == {("A.2", "overlapping")}
    # A class that the union makes is what it is joined for.
    assert instances(clusterings([{0, 1}, {0, 1, 2}], **joined)) == {("A.2", "overlapping")}


@pytest.mark.parametrize("reading", ["canonical", "literal", "overlapping"])
def test_different_columns_are_no_clusterings(reading):
    shape = (2, 2)
    gold = Biclustering([({0}, {0}), ({1}, {0})], shape)
    case = Case(
        Side(Biclustering([({0, 1}, {0})], shape), gold), Side(Biclustering([({0}, {0}), ({1}, {1})], shape), gold)
    )
    assert not instance("A.1", reading, case)


# --- the smallest sizes, which are excluded -----------------------------------------------------------


def rag_bag(size, *, classes=None):
    clean, stray, noise = range(size), size, range(size + 1, 2 * size + 1)
    gold = classes or [clean, {stray}, *({row} for row in noise)]
    return clusterings(gold, [[*clean, stray], noise], [clean, [stray, *noise]])


def size_versus_quantity(quantity):
    large = range(quantity + 1)
    pairs = [{quantity + 1 + 2 * i, quantity + 2 + 2 * i} for i in range(quantity)]
    loose = [{one} for pair in pairs for one in pair]
    return clusterings([large, *pairs], [large, *loose], [large[:-1], large[-1:], *pairs])


@pytest.mark.parametrize("reading", ["canonical", "literal", "overlapping"])
@pytest.mark.parametrize(("condition", "build"), [("A.3", rag_bag), ("A.4", size_versus_quantity)])
def test_the_smallest_size_is_excluded(condition, build, reading):
    assert not instance(condition, reading, build(1))
    for size in (2, 3, 4):
        assert instance(condition, reading, build(size))


@pytest.mark.parametrize("build", [rag_bag, size_versus_quantity])
def test_at_the_smallest_size_left_and_right_are_the_same_up_to_names(build):
    """So no label-blind measure can score them differently: that is why they are excluded."""
    assert canonical(*build(1).left) == canonical(*build(1).right)
    for size in (2, 3):
        assert canonical(*build(size).left) != canonical(*build(size).right)


def test_noise_of_one_class_is_no_rag_bag():
    shared = rag_bag(2, classes=[{0, 1}, {2}, {3, 4}])
    assert not any(condition == "A.3" for condition, _ in instances(shared))


def test_a_stray_of_the_clean_class_is_no_rag_bag():
    at_home = rag_bag(2, classes=[{0, 1, 2}, {3}, {4}])
    assert not any(condition == "A.3" for condition, _ in instances(at_home))


def test_a_stray_of_a_noise_objects_class_is_a_literal_rag_bag():
    related = rag_bag(2, classes=[{0, 1}, {2, 3}, {4}])
    assert instances(related) == {("A.3", "literal"), ("A.3", "overlapping")}


def test_pairs_of_one_class_are_literal():
    case = clusterings([range(3), range(3, 7)], [range(3), {3}, {4}, {5}, {6}], [{0, 1}, {2}, {3, 4}, {5, 6}])
    assert instances(case) == {("A.4", "literal"), ("A.4", "overlapping")}


def test_a_pair_of_two_classes_does_not_count():
    case = clusterings([range(3), {3}, {4}, {5, 6}], [range(3), {3}, {4}, {5}, {6}], [{0, 1}, {2}, {3, 4}, {5, 6}])
    assert instances(case) == set()


# --- the B conditions by hand -------------------------------------------------------------------------


def sides(shape, gold, left, right, right_shape=None, right_gold=None):
    return Case(
        Side(Biclustering(left, shape), Biclustering(gold, shape)),
        Side(Biclustering(right, right_shape or shape), Biclustering(right_gold or gold, right_shape or shape)),
    )


A: Bicluster = (frozenset({0}), frozenset({0}))


def test_an_object_of_the_gold_is_not_new():
    assert not instance("B.1", "literal", sides((2, 1), [({0, 1}, {0})], [({0, 1}, {0})], [({0}, {0})]))
    assert instance("B.1", "literal", sides((2, 1), [({0}, {0})], [({0, 1}, {0})], [({0}, {0})]))


def test_new_objects_stand_alone_or_join():
    case = sides((3, 1), [A], [A, ({1, 2}, {0})], [A])
    assert not any(instance("B.1", reading, case) for reading in ("canonical", "literal", "overlapping"))
    case = sides((3, 2), [A], [A, ({1}, {0, 1}), ({2}, {1})], [A])
    assert all(instance("B.1", reading, case) for reading in ("canonical", "literal", "overlapping"))


def test_only_the_literal_reading_lets_the_sides_share_nothing():
    case = sides((3, 1), [({2}, {0})], [({0, 1}, {0})], [({0}, {0})])
    assert [instance("B.1", reading, case) for reading in ("canonical", "literal", "overlapping")] == [0, 1, 0]


@pytest.mark.parametrize("right", [[], [A], [({0, 1}, {0})]], ids=["nothing", "one", "two"])
def test_without_a_gold_nothing_is_beside_it(right):
    # Else B.1 would contradict B.2 and B.4: two copies of the candidate would score as it does, and lower.
    left = [*right, ({2}, {0})]
    readings = ("canonical", "literal", "overlapping")
    assert not any(instance("B.1", reading, sides((4, 1), [], left, right)) for reading in readings)
    assert instance("B.1", "literal", sides((4, 1), [({3}, {0})], left, right))


def test_a_larger_matrix_is_larger_in_no_direction_smaller():
    assert instance("B.2", "canonical", sides((2, 2), [A], [A], [A], (3, 2)))
    assert instance("B.2", "canonical", sides((2, 2), [A], [A], [A], (2, 3)))
    assert not instance("B.2", "canonical", sides((2, 2), [A], [A], [A], (3, 1)))
    assert not instance("B.2", "canonical", sides((2, 2), [A], [A], [A], (2, 2)))


def test_objects_and_features_are_scaled_by_one_factor():
    square = ({0, 1}, {0, 1})
    assert instance("B.3", "canonical", sides((1, 1), [A], [A], [square], (2, 2), [square]))
    assert not instance("B.3", "canonical", sides((1, 1), [A], [A], [({0, 1}, {0})], (2, 1), [({0, 1}, {0})]))
    assert not instance("B.3", "canonical", sides((1, 1), [A], [A], [({0, 1}, {0})], (2, 2), [({0, 1}, {0})]))
    assert not instance("B.3", "canonical", sides((1, 1), [A], [A], [A], (2, 2), [A]))


def test_copies_share_their_features_or_have_their_own():
    both = [({0}, {0}), ({1}, {0})]
    assert instance("B.4", "canonical", sides((1, 1), [A], [A], both, (2, 1), both))
    own = [({0}, {0}), ({1}, {1})]
    assert instance("B.4", "canonical", sides((1, 1), [A], [A], own, (2, 2), own))
    assert not instance("B.4", "canonical", sides((1, 1), [A], [A], both, (2, 1), [({0, 1}, {0})]))
    assert not instance("B.4", "canonical", sides((1, 1), [A], [A], own, (2, 2), [({0}, {1}), ({1}, {0})]))
    assert not instance("B.4", "canonical", sides((1, 1), [A], [A], [A, A], (1, 1), [A, A]))
    assert instance("B.4", "repeated", sides((1, 1), [A], [A], [A, A], (1, 1), [A, A]))
    assert not instance("B.4", "repeated", sides((1, 1), [A], [A], [A, A], (1, 1), [A, A, A]))


def test_a_bicluster_that_spans_more_or_less_than_the_classes_is_none():
    gold = [({0}, {0}), ({1}, {0})]
    assert instance("B.5", "canonical", sides((3, 1), gold, [({0, 1}, {0})], gold))
    assert not instance("B.5", "overlapping", sides((3, 1), gold, [({0, 1, 2}, {0})], gold))
    assert not instance("B.5", "overlapping", sides((3, 1), gold, [({0}, {0})], gold))
    assert not instance("B.5", "overlapping", sides((3, 1), gold[:1], [({0}, {0})], gold[:1]))
    corners = [({0}, {0}), ({1}, {1})]
    spanning = sides((2, 2), corners, [({0, 1}, {0, 1})], corners)
    assert [instance("B.5", reading, spanning) for reading in ("canonical", "literal", "overlapping")] == [0, 1, 1]


# --- mutated cases ------------------------------------------------------------------------------------


def with_part(case, side, role, part):
    changed = [list(one) for one in case]
    changed[side][role] = part
    return Case(*(Side(*one) for one in changed))


def swapped(case):
    yield Case(case.right, case.left)


def equal_sides(case):
    yield Case(case.left, case.left)
    yield Case(case.right, case.right)


def another_gold_on_the_right(case):
    gold = case.right.gold
    yield with_part(case, 1, 1, Biclustering([*gold, _new_bicluster(gold)], gold.shape))
    if gold:
        yield with_part(case, 1, 1, Biclustering(gold.biclusters[1:], gold.shape))


def _new_bicluster(part):
    rows = frozenset(range(part.shape[0]))
    cols = frozenset(range(part.shape[1]))
    candidates = [(rows, cols), *((frozenset({r}), frozenset({c})) for r in rows for c in cols)]
    return next((one for one in candidates if one not in part.biclusters), candidates[0])


def a_cluster_dropped_on_the_right(case):
    part = case.right.candidate
    # Without a gold, two copies in place of three are still copies.
    for place in range(len(part)) if case.right.gold else ():
        yield with_part(
            case, 1, 0, Biclustering(part.biclusters[:place] + part.biclusters[place + 1 :], part.shape)
        )


def another_shape_on_the_right(case):
    if any(part.biclusters for part in case.left):
        for more in ((1, 0), (0, 1)):
            yield Case(case.left, Side(*(p.on((p.shape[0] + more[0], p.shape[1] + more[1])) for p in case.right)))


def a_repeat(case):
    for role in (0, 1):
        if case.left[role] and case.right[role]:
            both = case
            for side in (0, 1):
                part = case[side][role]
                both = with_part(both, side, role, Biclustering([*part, part.biclusters[0]], part.shape))
            yield both
    if case.left.candidate:
        part = case.left.candidate
        yield with_part(case, 0, 0, Biclustering([*part, part.biclusters[0]], part.shape))


def an_object_moved_on_the_right(case):
    """From any cluster to any other, or to one of its own, unless that undoes the change or makes its like."""
    clusters = [rows for rows, _ in case.right.candidate]
    lefts = {rows for rows, _ in case.left.candidate}
    columns = case.right.gold.biclusters[0][1]
    for source in clusters:
        row = max(source)
        rest = [one for one in clusters if one != source]
        if source - {row} in lefts:
            continue
        for target in (frozenset(), *rest):
            if (target or len(source) > 1) and source | target not in lefts:
                moved = [source - {row}, target | {row}, *(one for one in rest if one != target)]
                part = Biclustering.lifted(filter(None, moved), columns, case.right.candidate.shape)
                yield with_part(case, 1, 0, part)


#: Which conditions each change must take a case out of, and under which readings.
EVERYWHERE = {(c.id, r.name) for c, r in OF_PAIRS}
# H.5 is about repeats, under all of its readings.
WITHOUT_REPEATS = {pair for pair in EVERYWHERE if pair[1] != "repeated" and pair[0] != "H.5"}
MUTATIONS = {
    # Where left and right say the same either way, they may change places.
    swapped: {pair for pair in EVERYWHERE if pair[0] not in ("S.1", "S.3", "S.4", "H.6")},
    # In S.3 they are the same.
    equal_sides: {pair for pair in EVERYWHERE if pair[0] != "S.3"},
    another_gold_on_the_right: EVERYWHERE,
    # In B.1 a one-object cluster that only the left has counts as added, and in H.3 a bicluster does.
    a_cluster_dropped_on_the_right: {pair for pair in EVERYWHERE if pair[0] not in ("B.1", "H.3")},
    # B.2 is about other shapes.
    another_shape_on_the_right: {pair for pair in EVERYWHERE if pair[0] != "B.2"},
    a_repeat: WITHOUT_REPEATS,
    # Where classes overlap, an object may belong in several places.
    an_object_moved_on_the_right: {(c, r) for c in ("A.1", "A.2", "A.3", "A.4") for r in ("canonical", "literal")},
}


def accepted_mutants(condition, reading, cases):
    """The changed cases that the premise does not refuse, and how many changed cases there were."""
    accepted, count = [], 0
    for mutation, concerned in MUTATIONS.items():
        if (condition.id, reading.name) in concerned:
            for case in cases:
                for mutant in mutation(case):
                    count += 1
                    if reading.premise(mutant):
                        accepted.append((mutation.__name__, case, mutant))
    return accepted, count


@pytest.mark.parametrize(("condition", "reading"), OF_PAIRS, ids=OF_PAIRS_ID)
def test_premises_refuse_mutated_cases(condition, reading):
    cases = sample_here((condition.id, reading.name), 15, run_seed=1)
    accepted, count = accepted_mutants(condition, reading, cases)
    assert not accepted, accepted[0]
    assert count > 50


@pytest.mark.parametrize(("condition", "reading"), OF_PAIRS, ids=OF_PAIRS_ID)
def test_premises_refuse_mutated_small_cases(condition, reading):
    bound = min(reading.reach, FIRST_CASES.get(condition.id, 4))
    small = [case for objects in range(1, bound + 1) for case in reading.enumerate_(objects)]
    accepted, count = accepted_mutants(condition, reading, small[:: max(1, len(small) // 40)])
    assert not accepted, accepted[0]
    assert count > 15


@pytest.mark.parametrize(("condition", "reading"), OF_PAIRS, ids=OF_PAIRS_ID)
def test_a_premise_that_accepts_everything_is_caught(condition, reading):
    careless = replace(reading, premise=lambda case: True)
    accepted, count = accepted_mutants(
        condition, careless, sample_here((condition.id, reading.name), 5, run_seed=1)
    )
    assert len(accepted) == count > 0


@pytest.mark.parametrize(("condition", "reading"), OF_PAIRS, ids=OF_PAIRS_ID)
def test_premises_stand_what_has_no_biclusters(condition, reading):
    empty = Biclustering((), (0, 0))
    some = Biclustering([A], (1, 1))
    for parts in ((empty, empty), (empty, some), (some, empty)):
        case = Case(Side(*parts), Side(*parts))
        assert not reading.premise(case)
