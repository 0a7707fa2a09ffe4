"""The readings that are not registered: wider by just what the registered ones leave out, complete, impossible."""

from functools import cache
from itertools import combinations

import pytest
from variant_readings import FORMER, VARIANTS

from metaeval import Biclustering, Case, Side
from metaeval.catalogue.condition import conditions

from brute_force import (  # isort: skip
    canonical, disjoint_families, families, form, missed, one_gold, one_left, partial_partitions, partitions,
    reading_of, up_to_renaming,
)  # fmt: skip

EVERY = list(VARIANTS)


@cache
def listed(name, objects=None):
    reading = VARIANTS[name].reading
    sizes = range(reading.complete + 1) if objects is None else [objects]
    return [case for size in sizes for case in reading.enumerate_(size)]


def registered(name):
    return reading_of(VARIANTS[name].condition, VARIANTS[name].reading.name)


def removed(case):
    """The clusters that only the left has."""
    kept = set(case.right.candidate)
    return [rows for rows, cols in case.left.candidate if (rows, cols) not in kept]


def classes(case):
    return [rows for rows, _ in case.left.gold]


#: What the registered reading leaves out, said of a case that the variant admits.
LEFT_OUT = {
    "A.1 inside a class": lambda case: any(removed(case)[0] <= one for one in classes(case)),
    "A.2 of classes": lambda case: case.left.candidate == case.left.gold,
    "A.3 canonical from n = 1": lambda case: sorted(map(len, removed(case))) == [1, 2],
    "A.3 literal from n = 1": lambda case: sorted(map(len, removed(case))) == [1, 2],
    "A.4 canonical from r = 1": lambda case: sorted(map(len, removed(case))) == [1, 1, 2],
    "A.4 literal from r = 1": lambda case: sorted(map(len, removed(case))) == [1, 1, 2],
    "B.1 without a gold": lambda case: not case.left.gold,
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_the_registered_reading_refuses_what_it_leaves_out_and_nothing_else(name):
    variant, cases, narrower = VARIANTS[name].reading, listed(name), registered(name)
    assert all(variant.premise(case) and case.left != case.right for case in cases)
    refused = [case for case in cases if not narrower.premise(case)]
    assert refused
    assert refused == [case for case in cases if LEFT_OUT[name](case)]
    # And the variant is wider.
    known = {form(case) for case in cases}
    for case in (case for objects in range(variant.complete + 1) for case in narrower.enumerate_(objects)):
        assert variant.premise(case)
        assert form(case) in known


def test_completeness_now_also_joins_clusters_that_are_classes():
    former, now = FORMER["A.2 of no class"].reading, reading_of("A.2", "overlapping")
    cases = [case for objects in range(4) for case in now.enumerate_(objects)]
    gained = [case for case in cases if not former.premise(case)]
    assert gained
    assert gained == [case for case in cases if any(one in classes(case) for one in removed(case))]
    known = {form(case) for case in cases}
    assert all(form(case) in known for objects in range(4) for case in former.enumerate_(objects))


def lifted(objects, *clusters):
    return Biclustering([(set(cluster), {0}) for cluster in clusters], (objects, 1))


FOUR = lifted(4, {0, 1, 2}, {1, 2, 3}, {0}, {1}, {2}, {3})
SEVEN = lifted(7, {0, 1, 2}, {3}, {4}, {5}, {6}, {3, 4, 5, 6})


@pytest.mark.parametrize(("gold", "better"), [
    (FOUR, lifted(4, {0, 1}, {2, 3}, {0, 2}, {1}, {1, 2, 3})),
    (SEVEN, lifted(7, {0, 1}, {2}, {3, 4}, {5, 6}, {3, 4, 5, 6})),
])  # fmt: skip
def test_size_versus_quantity_would_better_the_gold_itself(gold, better):
    """The two cases that A.5 forbids. One more cluster on both sides, and the left is not the gold any more."""
    beaten = Case(Side(gold, gold), Side(better, gold))
    assert VARIANTS["A.4 of the gold itself"].reading.premise(beaten)
    assert not reading_of("A.4", "overlapping").premise(beaten)
    assert reading_of("A.5", "overlapping").premise(Case(*reversed(beaten)))
    more = ({0, 3}, {0})
    left, right = (Biclustering([*family, more], gold.shape) for family in (gold, better))
    assert reading_of("A.4", "overlapping").premise(Case(Side(left, gold), Side(right, gold)))


def test_no_class_holds_the_cluster_that_the_rag_bag_takes_an_object_from():
    """{0, 1, 2} loses 2: it may not lie inside a class, which {0, 1, 2, 3} would hold."""
    clusters, moved = lifted(5, {0, 1, 2}, {3, 4}), lifted(5, {0, 1}, {2, 3, 4})
    for classes_, expected in ((({0, 1}, {2}, {3}, {4}), True), (({0, 1}, {0, 1, 2, 3}, {4}), False)):
        gold = lifted(5, *classes_)
        case = Case(Side(clusters, gold), Side(moved, gold))
        assert reading_of("A.3", "overlapping").premise(case) is expected


def test_variants_are_not_registered():
    for variant in VARIANTS.values():
        condition = conditions()[variant.condition]
        assert condition.readings[variant.reading.name] is not variant.reading
        altered = variant.altered()
        assert (altered.id, altered.relation, list(altered.readings)) == (
            condition.id,
            condition.relation,
            list(condition.readings),
        )
        assert altered.reading(variant.reading.name) is variant.reading


# --- the lists against brute force --------------------------------------------------------------------
def check(name, objects, everything, features=1):
    cases = [case for case in listed(name, objects) if case.features == features]
    admitted, gone = missed(VARIANTS[name].reading, everything, cases)
    assert not gone, f"{len(gone)} cases are admitted and not listed, such as {gone[0]}"
    assert admitted or not cases


@pytest.mark.parametrize(("objects", "most"), [(2, 3), (3, 3), pytest.param(3, 7, marks=pytest.mark.long)])
def test_overlapping_lists_hold_every_triple_of_families(objects, most):
    # A split adds a cluster: so families of one more. More clusters and classes are but more of a context.
    fewer, every = families((objects, 1), 0, most), families((objects, 1), 0, min(most + 1, 2**objects - 1))
    everything = list(one_left(fewer, fewer, every))
    for name in ("A.1 inside a class", "A.2 of classes"):
        check(name, objects, everything)


def triples(parts):
    """Every triple; of five objects and more, those whose clusters have the same sizes and objects left and right.

    With n = 1 or 2 that is so in A.3, and with r = 1 in A.4; more objects than six would be needed for r = 2.
    """
    if parts[0].shape[0] < 5:
        yield from one_gold(parts, parts, parts)
        return
    for left in up_to_renaming(parts):
        for right in (part for part in parts if covered_sizes(part) == covered_sizes(left)):
            yield from (Case(Side(left, gold), Side(right, gold)) for gold in parts)


def covered_sizes(part):
    return frozenset().union(*(rows for rows, _ in part)), sorted(len(rows) for rows, _ in part)


@pytest.mark.parametrize(("name", "least", "most"), [
    ("A.3 canonical from n = 1", 3, 5), ("A.3 literal from n = 1", 3, 5), ("A.4 canonical from r = 1", 4, 6),
    ("A.4 literal from r = 1", 4, 5), pytest.param("A.4 literal from r = 1", 6, 6, marks=pytest.mark.long),
])  # fmt: skip
def test_disjoint_lists_hold_every_triple_of_clusterings(name, least, most):
    kind = partitions if "canonical" in name else partial_partitions
    assert VARIANTS[name].reading.complete == (5 if "A.3" in name else 6)
    assert not listed(name, 2 if "A.3" in name else 3)
    for objects in range(least, most + 1):
        assert listed(name, objects)
        check(name, objects, triples(kind(objects)))


@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2)])
def test_lists_without_a_gold_hold_every_triple_of_biclusterings(shape):
    every = disjoint_families(shape)
    check("B.1 without a gold", shape[0], one_gold(every, every, every), shape[1])


def test_lists_without_a_gold_hold_every_candidate_on_three_by_two():
    # All triples are too many. What has a gold is the registered list; without one, the left loses some objects.
    gold = Biclustering([], (3, 2))
    rows = [frozenset(chosen) for count in (1, 2, 3) for chosen in combinations(range(3), count)]
    everything = [
        Case(Side(left, gold), Side(without(left, new), gold))
        for left in up_to_renaming(disjoint_families((3, 2)))
        for new in rows
    ]
    check("B.1 without a gold", 3, everything, 2)


def without(part, new):
    return Biclustering([(rows - new, cols) for rows, cols in part if rows - new], part.shape)


# --- why they were left out ---------------------------------------------------------------------------
def test_split_inside_a_class_is_the_reverse_of_joining():
    joining = reading_of("A.2", "overlapping")
    assert any(joining.premise(Case(case.right, case.left)) for case in listed("A.1 inside a class"))


def test_joining_classes_would_better_the_gold_itself():
    perfect = [case for case in listed("A.2 of classes") if case.left.candidate.family == case.left.gold.family]
    assert perfect
    for case in perfect:
        # The worse side of A.2 is the better one of A.5.
        assert reading_of("A.5", "overlapping").premise(Case(case.right, case.left))


@pytest.mark.parametrize("name", [name for name in EVERY if "= 1" in name])
def test_at_the_smallest_size_a_case_asks_its_like_to_be_better(name):
    same = [case for case in listed(name) if canonical(*case.left) == canonical(*case.right)]
    assert same
    assert all(map(LEFT_OUT[name], same))


def test_without_a_gold_two_copies_would_score_as_one_and_lower():
    one, two = ([({row}, {0}) for row in range(count)] for count in (1, 2))

    def side(family, objects):
        return Side(Biclustering(family, (objects, 1)), Biclustering([], (objects, 1)))

    assert reading_of("B.4", "canonical").premise(Case(side(one, 1), side(two, 2)))
    assert reading_of("B.2", "canonical").premise(Case(side(one, 1), side(one, 2)))
    assert Case(side(two, 2), side(one, 2)) in listed("B.1 without a gold", 2)
