"""Enumerators against brute force: within its scope a list must hold every case that the premise admits.

The brute force makes all families of biclusters, and lets nothing but the premise choose. It runs over the
gold standard up to renaming; where all triples are too many, the comment says what was left out and why.
"""

from collections import defaultdict
from functools import partial
from itertools import islice, permutations, product

import pytest

from metaeval import Biclustering, Case, Side
from metaeval.cases.order import CaseSource
from metaeval.cases.sampling import sample_here
from metaeval.catalogue.condition import condition_of as form_with
from metaeval.catalogue.condition import every_form

from brute_force import (  # isort: skip
    FIRST_CASES, canonical, condition_of, disjoint_families, families, form, form_of_left, form_of_sides, least_form,
    listed, missed, multisets, one_gold, one_left, partial_partitions, partitions, reading_of, scaled, up_to_renaming,
)  # fmt: skip
from tools import (  # isort: skip
    at_most, every_list, holds_everything, matches, on_partial_partitions, on_partitions, repeating, row, triples,
)  # fmt: skip


# --- every listed case --------------------------------------------------------------------------------
@pytest.mark.parametrize("condition", list(every_form()), ids=lambda condition: condition.key)
def test_every_listed_case_is_an_instance_and_said_to_be_listed_in_an_order_that_stays(condition):
    first = 1 + FIRST_CASES.get(condition.id, 0)
    ordered = 7 if condition.id in ("A.3", "A.4") else 3
    for reading in condition.readings.values():
        said = min(reading.complete, max(4, first))
        count = 0
        for objects in range(min(reading.reach, max(5, first)) + 1):
            cases = list(reading.enumerate_(objects))
            assert objects >= ordered or cases == list(reading.enumerate_(objects))
            count += len(cases)
            for case in cases:
                assert reading.premise(case), case
                assert case.objects == objects
                assert len(case) != 2 or (case.left != case.right) == (condition.id != "S.3")
                if condition.relation.name == "worse":
                    assert case.left.candidate.family != case.right.candidate.family
                if 1 <= objects <= said and case.features == 1:
                    assert reading.lists(case)
        assert count > 0, reading.name
        assert reading.complete <= reading.reach


OF_CLUSTERINGS = [(c.key, name) for c in every_form() if c.id != c.key for name in c.readings]


@pytest.mark.parametrize(("key", "name"), OF_CLUSTERINGS)
def test_measures_of_clusterings_meet_the_cases_on_one_feature_and_all_of_them(key, name):
    """The list of everything, which is held against brute force below, cut down to one feature."""
    mine = form_with(key).readings[name]
    whole = condition_of(form_with(key).id).readings[name]
    for objects in range(4):
        everything = whole.enumerate_(objects)
        assert [*mine.enumerate_(objects)] == [case for case in everything if case.features == 1]
    for case in (case for objects in (1, 2) for case in whole.enumerate_(objects)):
        assert mine.premise(case) == (case.features == 1)
        if case.features == 1:
            assert not mine.premise(on_two_features(case))


def test_five_conditions_have_a_form_for_clusterings():
    assert [
        (f"{id}-clusterings", name) for id in ("A.5", "S.1", "S.2", "S.3", "S.4") for name in ("literal", "overlapping")
    ] == OF_CLUSTERINGS


def on_two_features(case):
    return Case(*(Side(*(Biclustering(family, (family.shape[0], 2)) for family in side)) for side in case))


# --- everything that the premise admits ---------------------------------------------------------------
def with_sizes(parts, *sizes):
    return [part for part in parts if sorted(len(rows) for rows, _ in part) == sorted(sizes)]


def lifted(*clusters, objects=None):
    return Biclustering.lifted(clusters, shape=objects and (objects, 1))


def moved_ones(part):
    """Every way to move one object: to another cluster, to one of its own, to none."""
    found = {}
    for one in range(part.shape[0]):
        without = [rows - {one} for rows, _ in part if rows - {one}]
        for target in (None, frozenset(), *without):
            moved = [rows | {one} if rows == target else rows for rows in without]
            moved += [frozenset({one})] if target == frozenset() else []
            found[Biclustering.lifted(moved, shape=part.shape)] = None
    return list(found)


def split_or_joined(part):
    """Every way to split a cluster or to join two."""
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


def is_nested(part):
    return any(a < b for a, _ in part for b, _ in part)


def flat(parts):
    return [part for part in parts if not is_nested(part)]


def nested(condition, most, **more):
    def everything():
        golds = filter(is_nested, families((3, 1)))
        return one_left(golds, families((3, 1), 0, most), families((3, 1), 0, most and most + 1))

    return row(f"{condition}/overlapping", (3, 1), everything, **more)


def two_matrices(small, large, small_kind, large_kind=None):
    """Every pair on the small matrix beside every pair on the large one."""
    lefts, rights = small_kind(small), (large_kind or small_kind)(large)
    right_sides = [Side(*parts) for parts in product(rights, repeat=2)]
    for left in {canonical(*parts): parts for parts in product(lefts, repeat=2)}.values():
        for right in right_sides:
            yield Case(Side(*left), right)


def from_to(small, large):
    return lambda case: case.left.gold.shape == small and case.right.gold.shape == large


def other_matrix(reading, small, large, *kinds, **options):
    """A row where the right lies in another matrix: every pair there, unless it is said how the left is laid on it."""
    everything = partial(two_matrices, small, large, *kinds)
    return row(reading, large, everything, keep=from_to(small, large), **options)


def enlarged(small, large, most):
    """The same families on both matrices: pairs on the larger one are too many, and the left is what can be missed."""

    def everything():
        every = families(small, 0, most)
        golds = up_to_renaming(every)
        return [Case(Side(c, gold), Side(c.on(large), gold.on(large))) for gold in golds for c in every]

    return row("B.2/overlapping", large, everything, keep=from_to(small, large))


def copied(shape):
    """Two or three times: copies beyond that are out of the scope."""
    for case in two_matrices(shape, shape, repeating(2), repeating(6)):
        if sum(map(len, case.right)) <= 3 * sum(map(len, case.left)):
            yield case


#: How many objects a case between partitions needs.
LEAST = {"A.1": 2, "A.2": 2, "A.3": 5, "A.4": 7, "A.5": 2, "G.1": 3, "G.2": 3}
ONE, TWO, THREE = at_most(1), at_most(2), at_most(3)
SHAPES = [(1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2)]
LISTS = [
    # Partitions, and disjoint clusterings.
    *(
        row(f"{' '.join(LEAST)}/canonical", (n, 1), triples((n, 1), on_partitions),
            none=" ".join(id for id, least in LEAST.items() if n < least))
        for n in (1, 2, 3, 4, 5)
    ),
    *(
        row("A.1 A.2 A.3 A.4 G.1 G.2/literal", (n, 1), triples((n, 1), on_partial_partitions),
            none="A.3 A.4" if n > 2 else "A.3 A.4 G.1 G.2")
        for n in (2, 3, 4)
    ),
    # The clean cluster has n and the bag n objects, so n = 2. In a partition the one that is left over is alone.
    row("A.3/canonical", (6, 1), lambda: one_left(partitions(6), [lifted({0, 1, 2}, {3, 4}, {5})], partitions(6))),
    # The core takes all five objects, so both candidates are partitions; only the gold may leave some out.
    row("A.3/literal", (5, 1), lambda: one_gold(partial_partitions(5), partitions(5), partitions(5))),
    # All rights and all golds would be 1.5 million triples. One object moves, to anywhere.
    *(
        row("A.3/literal", (6, 1), lambda left=left: one_left(partial_partitions(6), [left], moved_ones(left)))
        for left in (lifted({0, 1, 2}, {3, 4}, objects=6), lifted({0, 1, 2}, {3, 4}, {5}))
    ),
    # r = 2, and the core takes all. All 877 rights would make millions of triples; the statement fixes their sizes.
    *(
        row(f"A.4/{reading}", (7, 1), lambda golds=golds: one_left(
            golds(7), [lifted({0, 1, 2}, {3}, {4}, {5}, {6})], with_sizes(partitions(7), 2, 1, 2, 2)))
        for reading, golds in (("canonical", partitions), ("literal", partial_partitions))
    ),
    # All triples would be 783,000. A split or a union leaves what is covered as it is, and the other clusters alone.
    row("A.1 A.2/literal", (5, 1), lambda: [
        case for left in up_to_renaming(partial_partitions(5))
        for case in one_left(partial_partitions(5), [left], split_or_joined(left))]),
    # Families that overlap. A rag bag, or a large cluster with two pairs, needs four objects. "Inside one class" and
    # "in the gold" depend on the largest classes only: of three objects, nested ones follow with fewer clusters.
    row("A.1 A.2 A.3 A.4 B.1/overlapping", (2, 1), triples((2, 1), families), none="A.3 A.4"),
    row("A.1 A.2 A.3 A.4 B.1/overlapping", (3, 1),
        lambda: one_left(flat(families((3, 1))), families((3, 1)), families((3, 1))), none="A.3 A.4"),
    # A.2 asks whether the whole left is the gold, so nested classes matter: a cluster more.
    nested("A.1", 2), nested("A.2", 3), nested("A.2", None, marks=pytest.mark.long), nested("B.1", 2),
    # Families of two clusters, with the sizes of the statement; others would make 15 million triples.
    row("A.3/overlapping", (4, 1), lambda: one_left(
        families((4, 1), 1, 3), up_to_renaming(two := with_sizes(families((4, 1), 2, 2), 2, 3)), two),
        keep=lambda case: len(case.left.candidate) == 2),
    # Without context: a cluster of three and four singletons on the left, which all fit one renaming.
    row("A.4/overlapping", (4, 1), lambda: one_left(
        families((4, 1), 1, 3), [lifted({0, 1, 2}, {0}, {1}, {2}, {3})],
        with_sizes(families((4, 1), 4, 4), 2, 1, 2, 2)),
        keep=lambda case: len(case.left.candidate) == 5),
    # Biclusterings: perfect matches, non-intersection areas and multiple coverages.
    row("A.5/literal; B.1/canonical literal", (1, 1), triples((1, 1), disjoint_families), none="B.1"),
    *(
        row("A.5/literal; B.1 B.5/canonical literal", shape, triples(shape, disjoint_families),
            none="B.1" if shape[0] == 1 else "")
        for shape in SHAPES[1:]
    ),
    row("A.5 B.5/overlapping", (2, 1), triples((2, 1), families), form=form_of_left),
    row("A.5 B.5/overlapping", (3, 1), matches((3, 1), families), form=form_of_left),
    row("A.5/literal", (3, 2), matches((3, 2), disjoint_families), form=form_of_left),
    row("A.5/overlapping", (1, 2), triples((1, 2), THREE), form=form_of_left),
    row("A.5/overlapping", (2, 2), matches((2, 2), THREE), form=form_of_left),
    row("A.5/repeated", (1, 1), triples((1, 1), repeating(3)), form=form_of_left),
    row("A.5/repeated", (2, 1), triples((2, 1), repeating(3)), form=form_of_left),
    row("A.5/repeated", (3, 1), matches((3, 1), repeating(3)), form=form_of_left),
    row("B.1/overlapping", (1, 2), triples((1, 2), TWO), none="B.1"),
    row("B.1/overlapping", (2, 2), triples((2, 2), TWO)),
    # One left bicluster; of classes at most three, as the scope says.
    row("B.5/canonical literal", (3, 2), matches((3, 2), disjoint_families, at_most(1, 1))),
    *(row("B.5/overlapping", (n, 2), matches((n, 2), THREE, at_most(1, 1))) for n in (1, 2, 3)),
    # Two matrices. With overlap the families of the larger one are cut to two biclusters, and so is the list.
    *(
        other_matrix("B.2/canonical", small, large, disjoint_families)
        for small, larger in {
            (1, 1): [(1, 2), (2, 1), (2, 2), (3, 1)],
            (2, 1): [(2, 2), (3, 1), (4, 1)],
            (3, 1): [(4, 1)],
            (1, 2): [(2, 2), (1, 3)],
        }.items()
        for large in larger
    ),
    *(
        other_matrix("B.2/overlapping", small, large, TWO)
        for small, large in [((1, 1), (1, 2)), ((1, 1), (2, 1)), ((2, 1), (2, 2)), ((1, 2), (2, 2)), ((2, 1), (3, 1))]
    ),
    # Of three objects, every family of at most three sets: all 128 are tried where the matrix stays as it is.
    enlarged((2, 2), (3, 2), 2), enlarged((3, 1), (3, 2), 3),
    other_matrix("B.3/canonical", (1, 1), (2, 2), disjoint_families, form=form_of_sides),
    other_matrix("B.3/overlapping", (1, 1), (2, 2), ONE, form=form_of_sides),
    *(
        other_matrix("B.4/canonical", small, large, disjoint_families, form=form_of_sides)
        for small, large in [((1, 1), (2, 1)), ((1, 1), (2, 2)), ((1, 1), (3, 1)), ((1, 2), (2, 2)), ((2, 1), (4, 1))]
    ),
    # Copies of at most one bicluster are at most as many as there are copies.
    other_matrix("B.4/overlapping", (1, 1), (2, 1), ONE, THREE, form=form_of_sides),
    other_matrix("B.4/overlapping", (1, 1), (3, 1), ONE, THREE, form=form_of_sides),
    other_matrix("B.4/overlapping", (1, 1), (2, 2), ONE, TWO, form=form_of_sides),
    other_matrix("B.4/overlapping", (1, 2), (2, 2), ONE, TWO, form=form_of_sides),
    row("B.4/repeated", (1, 1), lambda: copied((1, 1))),
    row("B.4/repeated", (2, 1), lambda: copied((2, 1))),
]  # fmt: skip


@every_list(LISTS)
def test_a_list_holds_everything_that_its_premise_admits(readings, shape, everything, none, options):
    holds_everything(readings, shape, everything, none, options)


@pytest.mark.parametrize(("objects", "pairs"), [(2, 4), (3, 10), (4, 33), (5, 91), (6, 298), (7, 910)])
def test_perfect_match_lists_each_pair_of_partitions_once(objects, pairs):
    cases = listed(reading_of("A.5", "canonical"), objects)
    sizes = {tuple(sorted(len(rows) for rows, _ in part)) for part in partitions(objects)}
    assert len(cases) + len(sizes) == pairs
    if objects <= 6:
        assert len({canonical(*case.left) for case in cases}) == len(cases)


@pytest.mark.parametrize(("reading", "kind"), [("canonical", disjoint_families), ("overlapping", TWO)])
@pytest.mark.parametrize(("small", "times"), [((1, 2), 2), ((2, 1), 2), ((2, 1), 3), ((2, 2), 2), ((3, 1), 2)])
def test_scaling(reading, kind, small, times):
    # The right is fixed by the left up to names, and pairs on the scaled matrix are too many: what can be
    # missed is a left, or a factor.
    everything = [
        Case(Side(candidate, gold), Side(scaled(candidate, times), scaled(gold, times)))
        for gold in up_to_renaming(kind(small))
        for candidate in kind(small)
    ]
    subject, objects = reading_of("B.3", reading), small[0] * times
    assert all(map(subject.premise, everything))
    cases = listed(subject, objects, keep=from_to(small, (objects, small[1] * times)))
    assert {canonical(*case.left) for case in everything} <= {canonical(*case.left) for case in cases}


@pytest.mark.parametrize(("small", "large"), [((2, 2), (4, 2)), ((2, 1), (4, 2)), ((3, 1), (6, 1))])
def test_every_pair_is_copied(small, large):
    # Pairs on the larger matrix are too many; the copies are fixed by the left, which is what can be missed.
    every = disjoint_families(small)
    cases = listed(reading_of("B.4", "canonical"), large[0], keep=from_to(small, large))
    wanted = {canonical(candidate, gold) for gold in up_to_renaming(every) for candidate in every}
    assert {canonical(*case.left) for case in cases} >= wanted


# --- what a list is said to hold ----------------------------------------------------------------------
def sizes(case):
    """Cheaper than a form, and the same wherever the form is."""
    return tuple([tuple(sorted([(len(rows), len(cols)) for rows, cols in part])) for side in case for part in side])


OF_SINGLE_CANDIDATES = [one for one in every_form() if not one.relation.pooled and one.id == one.key]


@pytest.mark.parametrize("examples", [15, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("condition", OF_SINGLE_CANDIDATES, ids=[one.id for one in OF_SINGLE_CANDIDATES])
def test_drawn_cases_said_to_be_listed_are(condition, examples):
    """Under any names: a case that a search leaves out as listed must not be lost."""
    up_to_names = form_of_sides if condition.id in ("B.3", "B.4") else form
    drawn = [case for name in condition.readings for case in sample_here((condition.id, name), examples, 3)]
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


def times(side, count):
    return Case(side, Side(*(Biclustering(part.biclusters * count, part.shape) for part in side)))


@pytest.mark.parametrize("objects", [1, 2])
def test_repeats_are_listed_where_they_are_said_to_be(objects):
    copies, match = reading_of("B.4", "repeated"), reading_of("A.5", "repeated")
    known = {form(case) for case in copies.enumerate_(objects)}
    every = multisets((objects, 1), 3)
    for pair in (Side(*parts) for parts in product(every, every) if any(parts)):
        for case in (times(pair, count) for count in range(2, 6)):
            assert copies.premise(case)
            assert copies.lists(case) == (form(case) in known)
    known = {form_of_left(case) for case in match.enumerate_(objects)}
    for candidate, gold in product(multisets((objects, 1), 4), repeat=2):
        case = Case(Side(candidate, gold), Side(gold, gold))
        if match.premise(case):
            assert match.lists(case) == (form_of_left(case) in known)


def test_a_bound_on_the_objects_bounds_what_is_said_to_be_listed():
    reading = reading_of("A.1", "canonical")
    case = next(reading.enumerate_(4))
    for exhaustive, kept in ((3, [case]), (4, []), (None, [])):
        assert list(CaseSource(condition_of("A.1"), reading, [case], exhaustive).drawn()) == kept


# --- the check itself ---------------------------------------------------------------------------------
@pytest.mark.parametrize("condition", ["A.1", "A.2", "A.5"])
def test_an_enumerator_that_lists_too_little_is_caught(condition):
    whole, everything = reading_of(condition, "canonical"), triples((4, 1), on_partitions)()
    assert not missed(whole, everything, whole.enumerate_(4))[1]
    for keep in (0, 1):
        assert missed(whole, everything, islice(whole.enumerate_(4), keep))[1]


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
