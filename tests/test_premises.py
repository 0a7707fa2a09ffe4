"""Premises judge: they accept what the statements picture, and refuse the same case with one thing changed."""

from dataclasses import replace

import pytest
from brute_force import EVERY, FIRST_CASES, OF_PAIRS, OF_PAIRS_ID, canonical

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


def instances(case, among=PAPER.conditions):
    """Every one of these conditions, and every reading, that the case is an instance of."""
    return {(c.id, r.name) for c, r in EVERY if c.id in among and c.admits(r.name, case)}


# --- the paper's pairs --------------------------------------------------------------------------------
RAG_BAG = clusterings(gold=[{0}, {1}, {2}, {3}, {4}, {5, 6, 7, 8}], left=[range(4), range(4, 9)], right=[
    range(5), range(5, 9),
], features=X)  # fmt: skip
#: Before Table 1 the paper calls it an example for Homogeneity.
NOT_HOMOGENEITY = clusterings(gold=[range(6), {6, 7}, {8}], left=[{0}, {1}, {2, 3, 4}, {6, 7, 8}, {5}], right=[
    {0, 1}, {2, 3, 4}, {6, 7, 8}, {5},
], features=X)  # fmt: skip


def under(condition, readings="canonical literal overlapping"):
    return {(condition, name) for name in readings.split()}


WIDER = "literal overlapping"
JOINED = {"left": [{0}, {1}], "right": [{0, 1}]}
INSIDE = clusterings(gold=[{0, 2}, {1, 2}, {0, 1, 2}], left=[{0, 1}], right=[{0}, {1}])
#: A case, and all that it is an instance of.
JUDGED = {
    "the paper's rag bag": (RAG_BAG, under("A.3")),
    "the paper's homogeneity pair": (NOT_HOMOGENEITY, under("A.2")),
    "an object outside every class": (clusterings([{0}, {1}], [{0, 1}, {2}], [{0}, {1}, {2}]), under("A.1", WIDER)),
    # Else A.1 would contradict A.2: the parts lie in two classes, and both of them in a third.
    "a cluster inside a class is not mixed": (INSIDE, set()),
    "but its parts are joined": (Case(INSIDE.right, INSIDE.left), under("A.2", "overlapping")),
    "three parts are not two": (
        clusterings([{0}, {1}, {2}], [{0, 1, 2}], [{0}, {1}, {2}]),
        under("A.5", "canonical literal overlapping repeated") | under("B.5"),
    ),
    "an impure part": (clusterings([{0, 1}, {2, 3}], [{0, 1, 2, 3}], [{0, 1, 2}, {3}]), set()),
    "two classes joined": (clusterings([{0}, {1}, {2}], [{0}, {1}, {2}], [{0, 1}, {2}]), set()),
    "a cluster in the other is not joined": (clusterings([{0, 1}], [{0}, {0, 1}], [{0, 1}]), under(
        "A.5", "overlapping repeated",
    )),
    # Else A.2 would contradict A.5: the gold itself could be bettered.
    "classes joined": (clusterings(g := [{0}, {1}, {0, 1, 2}], g, [{0, 1}, {0, 1, 2}]), set()),
    "a class joined": (clusterings([{1}, {0, 1, 2}], **JOINED), under("A.2", "overlapping")),
    "no class joined": (clusterings([{2}, {0, 1, 2}], **JOINED), under("A.2", "overlapping")),
    # A class that the union makes is what it is joined for.
    "a class made": (clusterings([{0, 1}, {0, 1, 2}], **JOINED), under("A.2", "overlapping")),
    "different columns": (Case(Side(Biclustering([({0, 1}, {0})], (2, 2)), g := Biclustering([
        ({0}, {0}), ({1}, {0}),
    ], (2, 2))), Side(Biclustering([({0}, {0}), ({1}, {1})], (2, 2)), g)), set()),
    "pairs of one class": (clusterings([range(3), range(3, 7)], [range(3), {3}, {4}, {5}, {6}], [
        {0, 1}, {2}, {3, 4}, {5, 6},
    ]), under("A.4", WIDER)),
    "a pair of two classes": (clusterings([range(3), {3}, {4}, {5, 6}], [range(3), {3}, {4}, {5}, {6}], [
        {0, 1}, {2}, {3, 4}, {5, 6},
    ]), set()),
}  # fmt: skip


@pytest.mark.parametrize(("case", "wanted"), JUDGED.values(), ids=JUDGED)
def test_what_a_case_is_an_instance_of(case, wanted):
    assert instances(case) == wanted


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


@pytest.mark.parametrize(("condition", "build"), [("A.3", rag_bag), ("A.4", size_versus_quantity)])
def test_the_smallest_size_is_excluded(condition, build):
    """There left and right are the same up to names, so no label-blind measure can score them differently."""
    assert canonical(*build(1).left) == canonical(*build(1).right)
    assert not instances(build(1)) & under(condition)
    for size in (2, 3, 4):
        assert instances(build(size)) >= under(condition)
        assert canonical(*build(size).left) != canonical(*build(size).right)


@pytest.mark.parametrize(("classes", "wanted"), [
    ([{0, 1}, {2}, {3, 4}], set()),  # noise of one class
    ([{0, 1, 2}, {3}, {4}], set()),  # a stray of the clean class
    ([{0, 1}, {2, 3}, {4}], under("A.3", WIDER)),  # a stray of a noise object's class
])  # fmt: skip
def test_classes_of_a_rag_bag(classes, wanted):
    found = instances(rag_bag(2, classes=classes))
    assert {pair for pair in found if pair[0] == "A.3"} == wanted


# --- the B conditions by hand -------------------------------------------------------------------------
def sides(shape, gold, left, right, right_shape=None, right_gold=None):
    return Case(
        Side(Biclustering(left, shape), Biclustering(gold, shape)),
        Side(Biclustering(right, right_shape or shape), Biclustering(right_gold or gold, right_shape or shape)),
    )


A: Bicluster = (frozenset({0}), frozenset({0}))


def one(row, col=0):
    return ({row}, {col})


PAIR, SQUARE, BESIDE, CORNERS = ({0, 1}, {0}), ({0, 1}, {0, 1}), [one(0), one(1)], [one(0), one(1, 1)]
ALL = "canonical literal overlapping"
#: A condition, the readings under which the case is an instance, and the case; of those the condition has.
BY_HAND = [
    ("B.1", "", sides((2, 1), [PAIR], [PAIR], [A])),  # an object of the gold is not new
    ("B.1", ALL, sides((2, 1), [A], [PAIR], [A])),
    ("B.1", "", sides((3, 1), [A], [A, ({1, 2}, {0})], [A])),  # new objects stand alone or join
    ("B.1", ALL, sides((3, 2), [A], [A, ({1}, {0, 1}), one(2, 1)], [A])),
    ("B.1", "literal", sides((3, 1), [one(2)], [PAIR], [A])),  # the sides share nothing
    # Without a gold B.1 would contradict B.2 and B.4: two copies of the candidate would score as it does, and lower.
    *(("B.1", "", sides((4, 1), [], [*right, one(2)], right)) for right in ([], [A], [PAIR])),
    *(("B.1", "literal", sides((4, 1), [one(3)], [*right, one(2)], right)) for right in ([], [A], [PAIR])),
    ("B.2", "canonical overlapping", sides((2, 2), [A], [A], [A], (3, 2))),
    ("B.2", "canonical overlapping", sides((2, 2), [A], [A], [A], (2, 3))),
    ("B.2", "", sides((2, 2), [A], [A], [A], (3, 1))),
    ("B.2", "", sides((2, 2), [A], [A], [A], (2, 2))),
    # Objects and features are scaled by one factor.
    ("B.3", "canonical overlapping", sides((1, 1), [A], [A], [SQUARE], (2, 2), [SQUARE])),
    ("B.3", "", sides((1, 1), [A], [A], [PAIR], (2, 1), [PAIR])),
    ("B.3", "", sides((1, 1), [A], [A], [PAIR], (2, 2), [PAIR])),
    ("B.3", "", sides((1, 1), [A], [A], [A], (2, 2), [A])),
    # Copies share their features or have their own.
    ("B.4", "canonical overlapping", sides((1, 1), [A], [A], BESIDE, (2, 1), BESIDE)),
    ("B.4", "canonical overlapping", sides((1, 1), [A], [A], CORNERS, (2, 2), CORNERS)),
    ("B.4", "", sides((1, 1), [A], [A], BESIDE, (2, 1), [PAIR])),
    ("B.4", "", sides((1, 1), [A], [A], CORNERS, (2, 2), [one(0, 1), one(1)])),
    ("B.4", "repeated", sides((1, 1), [A], [A], [A, A], (1, 1), [A, A])),
    ("B.4", "", sides((1, 1), [A], [A], [A, A], (1, 1), [A, A, A])),
    # A bicluster that spans more or less than the classes is none.
    ("B.5", ALL, sides((3, 1), BESIDE, [PAIR], BESIDE)),
    ("B.5", "", sides((3, 1), BESIDE, [({0, 1, 2}, {0})], BESIDE)),
    ("B.5", "", sides((3, 1), BESIDE, [A], BESIDE)),
    ("B.5", "", sides((3, 1), [A], [A], [A])),
    ("B.5", WIDER, sides((2, 2), CORNERS, [SQUARE], CORNERS)),
]


@pytest.mark.parametrize(("condition", "readings", "case"), BY_HAND)
def test_the_b_conditions_by_hand(condition, readings, case):
    assert instances(case, among=[condition]) == under(condition, readings)


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
        rest = part.biclusters[:place] + part.biclusters[place + 1 :]
        yield with_part(case, 1, 0, Biclustering(rest, part.shape))


def another_shape_on_the_right(case):
    if any(part.biclusters for part in case.left):
        for more in ((1, 0), (0, 1)):
            yield Case(case.left, Side(*(p.on((p.shape[0] + more[0], p.shape[1] + more[1])) for p in case.right)))


def a_repeat(case):
    def doubled(case, side, role):
        part = case[side][role]
        return with_part(case, side, role, Biclustering([*part, part.biclusters[0]], part.shape))

    for role in (0, 1):
        if case.left[role] and case.right[role]:
            yield doubled(doubled(case, 0, role), 1, role)
    if case.left.candidate:
        yield doubled(case, 0, 0)


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
    """Drawn and listed ones; of a premise that accepts everything this is noticed."""
    drawn = sample_here((condition.id, reading.name), 8, run_seed=1)
    bound = min(reading.reach, FIRST_CASES.get(condition.id, 4))
    small = [case for objects in range(1, bound + 1) for case in reading.enumerate_(objects)]
    for cases, least in ((drawn, 30), (small[:: max(1, len(small) // 30)], 15)):
        accepted, count = accepted_mutants(condition, reading, cases)
        assert not accepted, accepted[0]
        assert count > least
    careless = replace(reading, premise=lambda case: True)
    accepted, count = accepted_mutants(condition, careless, drawn)
    assert len(accepted) == count
    empty, some = Biclustering((), (0, 0)), Biclustering([A], (1, 1))
    for parts in ((empty, empty), (empty, some), (some, empty)):
        assert not reading.premise(Case(Side(*parts), Side(*parts)))
