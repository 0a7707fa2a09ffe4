"""Enumerators of S.*, G.* and H.* against brute force, as tests/test_enumeration.py has it for A.* and B.*."""

from functools import partial
from itertools import combinations, product

import pytest
from tools import at_most, every_list, holds_everything, matches, on_partitions, repeating, row, triples

from metaeval import Biclustering, Case, Side
from metaeval.cases.sampling import sample_here

from brute_force import (  # isort: skip
    all_equal_shapes, canonical, disjoint_families, families, form, form_of_left, missed, multisets, one_gold,
    partitions, reading_of, rectangles, up_to_renaming,
)  # fmt: skip

TWO, ONE_BICLUSTER = at_most(2), at_most(1, least=1)


def proper(kind):
    """Families without biclusters of a single cell."""

    def without_single_cells(shape):
        return [part for part in kind(shape) if all(len(rows) * len(cols) > 1 for rows, cols in part)]

    return without_single_cells


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


def pairs(readings, shape, kind, none=""):
    return row(readings, shape, partial(pairs_of_pairs, shape, kind), none)


#: Orders of the names that exchange two of them, and some that do more.
ROTATIONS = {
    3: [(1, 0, 2), (2, 1, 0), (0, 2, 1), (1, 2, 0), (2, 0, 1)],
    4: [(1, 0, 2, 3), (2, 1, 0, 3), (3, 1, 2, 0), (0, 2, 1, 3), (0, 3, 2, 1), (0, 1, 3, 2), (1, 0, 3, 2), (1, 2, 3, 0)],
}  # fmt: skip


def turned(part, order):
    return Biclustering([([order[row] for row in rows], cols) for rows, cols in part], part.shape)


def rotations(reading, shape, kind):
    """All pairs of pairs are too many: the rights are those that some order of the names makes of the left."""

    def everything():
        for gold, candidate, order in product(up_to_renaming(kind(shape)), kind(shape), ROTATIONS[shape[0]]):
            yield Case(Side(candidate, gold), Side(turned(candidate, order), turned(gold, order)))

    return row(f"S.4/{reading}", shape, everything)


def areas(reading, shape, kind, has_room):
    """A spurious bicluster needs room to grow."""
    return row(f"H.3 H.1/{reading}", shape, triples(shape, kind), none="" if has_room else "H.1")


def spurious():
    """One class, and two biclusters or fewer: more would be too many triples of five objects."""
    kind = proper(TWO)((5, 1))
    golds = [part for part in kind if len(part) == 1]
    return [case for case in one_gold(golds, kind, kind) if reading_of("H.1", "proper").premise(case)]


def repetitions(reading, shape, kind):
    """The left repeats biclusters: up to five of them, so that a match of a small right is there three times."""

    def everything():
        lefts = [part for part in multisets(shape, 5) if len(set(part)) < len(part)]
        golds = families(shape) if len(rectangles(shape)) < 4 else disjoint_families(shape)
        every = one_gold(golds, lefts, kind(shape))
        return (case for case in every if len(case.left.candidate) - len(case.right.candidate) <= 2)

    return row(f"H.5/{reading}", shape, everything, form=lambda case: canonical(*case.left, case.right.candidate))


def exchanges():
    """Of eight objects nothing but three and five leave room, and everything must be covered and classified."""
    right = Biclustering.lifted([{0, 1, 2}, {3, 4, 5, 6, 7}])
    lefts = [part for part in partitions(8) if sorted(len(rows) for rows, _ in part) == [3, 5]]
    golds = {canonical(right, part): part for part in partitions(8) if 3 <= len(part) <= 4}
    return (Case(Side(left, gold), Side(right, gold)) for gold in golds.values() for left in lefts)


def overlapping_exchanges():
    """The left holds every object as often: whatever is exchanged, each object stays in as many."""

    def holders(part):
        return tuple(sum(row in rows for rows, _ in part) for row in range(part.shape[0]))

    two = families((5, 1), 2, 2)
    alike = [(right, left) for right, left in product(two, two) if holders(right) == holders(left)]
    for gold in up_to_renaming(families((5, 1), 3, 3)):
        for right, left in alike:
            yield Case(Side(left, gold), Side(right, gold))


LISTS = [
    # What a pair becomes. No name can be exchanged with itself, and two partitions of two objects stay the same.
    pairs("S.1 S.3 S.4/canonical", (2, 1), on_partitions, none="S.4"),
    pairs("S.1 S.3 S.4/canonical", (3, 1), on_partitions),
    pairs("S.1 S.3 S.4/literal", (1, 1), disjoint_families, none="S.4"),
    pairs("S.1 S.3 S.4/literal; H.6/literal", (2, 1), disjoint_families),
    pairs("S.1 S.3 S.4/literal", (1, 2), disjoint_families),
    pairs("S.1 S.3 S.4/overlapping", (1, 1), families, none="S.4"),
    pairs("S.1 S.3 S.4/overlapping; H.6/overlapping", (2, 1), families),
    pairs("S.1 S.3 S.4/overlapping", (1, 2), TWO),
    pairs("S.1/repeated", (2, 1), repeating(2)),
    pairs("H.6/canonical", (3, 1), proper(disjoint_families)),
    pairs("H.6/canonical", (2, 2), proper(disjoint_families)),
    pairs("H.6/proper", (3, 1), proper(families)),
    pairs("H.6/proper", (2, 2), proper(TWO)),
    rotations("canonical", (4, 1), on_partitions),
    rotations("literal", (3, 1), disjoint_families),
    areas("canonical", (4, 1), disjoint_families, has_room=False),
    areas("canonical", (5, 1), proper(disjoint_families), has_room=True),
    areas("canonical", (2, 2), disjoint_families, has_room=False),
    areas("canonical", (3, 2), proper(disjoint_families), has_room=True),
    areas("literal", (2, 1), disjoint_families, has_room=False),
    areas("literal", (3, 1), disjoint_families, has_room=True),
    areas("literal", (2, 2), disjoint_families, has_room=True),
    areas("overlapping", (2, 1), families, has_room=False),
    areas("overlapping", (3, 1), TWO, has_room=True),
    areas("overlapping", (1, 2), TWO, has_room=False),
    areas("overlapping", (2, 2), TWO, has_room=True),
    areas("proper", (3, 1), proper(families), has_room=False),
    areas("proper", (2, 2), proper(TWO), has_room=False),
    areas("proper non-trivial", (4, 1), proper(TWO), has_room=False),
    row("H.1/proper non-trivial", (5, 1), spurious, keep=lambda case: len(case.left.gold) == 1),
    # The right is the gold itself: of two objects nothing but the premise says so.
    row("H.2 H.4 H.8/literal", (2, 1), partial(all_equal_shapes, (2, 1), disjoint_families)),
    *(
        row(f"H.2 H.8/{readings}", shape, matches(shape, kind), form=form_of_left)
        for readings, shape, kind in [
            ("canonical", (3, 1), disjoint_families),
            ("canonical literal", (4, 1), disjoint_families),
            ("canonical literal", (2, 2), disjoint_families),
            ("literal", (2, 1), disjoint_families),
            ("overlapping", (2, 1), families),
            ("overlapping proper", (3, 1), families),
            ("overlapping", (2, 2), TWO),
            ("proper", (2, 2), proper(TWO)),
        ]
    ),
    *(row("H.2/repeated", (n, 1), matches((n, 1), repeating(3)), form=form_of_left) for n in (1, 2)),
    row("H.4/canonical", (2, 1), matches((2, 1), disjoint_families, ONE_BICLUSTER), none="H.4"),
    row("H.4/literal", (2, 1), matches((2, 1), disjoint_families, ONE_BICLUSTER)),
    *(
        row("H.4/canonical literal", shape, matches(shape, disjoint_families, ONE_BICLUSTER))
        for shape in [(4, 1), (2, 2), (3, 2)]
    ),
    repetitions("canonical", (3, 1), disjoint_families),
    repetitions("literal", (2, 1), disjoint_families),
    repetitions("literal", (3, 1), disjoint_families),
    repetitions("literal", (1, 2), disjoint_families),
    repetitions("overlapping", (2, 1), families),
    repetitions("proper", (3, 1), proper(families)),
    row("H.7/literal", (8, 1), exchanges),
    row("H.7/overlapping", (5, 1), overlapping_exchanges),
]


@every_list(LISTS)
def test_a_list_holds_everything_that_its_premise_admits(readings, shape, everything, none, options):
    holds_everything(readings, shape, everything, none, options)


# --- cases that are no pairs: one side, three sides, pools
def sizes(part):
    return tuple(sorted(len(rows) for rows, _ in part))


def kinds(case):
    """The sizes of clusters and classes of each pool: what a complete pool is up to names, and which is left."""
    return frozenset((sizes(side.candidate), sizes(side.gold)) for side in case)


def one_sided(objects, kind, golds=lambda parts: parts):
    every = kind((objects, 1)) if isinstance(objects, int) else kind(objects)
    return [Case(Side(*pair)) for pair in product(every, golds(every))]


def around(objects):
    return [Case(Side(a, b), Side(b, c), Side(a, c)) for a, b, c in product(partitions(objects), repeat=3)]


def all_pools(objects):
    """All sets of candidates, whatever their sizes, against every gold; nothing but the premise chooses."""
    parts = partitions(objects)
    sets = [chosen for count in range(1, len(parts) + 1) for chosen in combinations(parts, count)]
    return [Case(*two) for two in product([Side(*some, gold) for some in sets for gold in parts], repeat=2)]


def pools_by_sizes(objects):
    pools = {}
    for part in partitions(objects):
        pools.setdefault(sizes(part), []).append(part)
    golds = [some[0] for some in pools.values()]
    return [Case(*two) for two in combinations([Side(*some, gold) for some in pools.values() for gold in golds], 2)]


#: The reading, its objects, everything there is, and whether nothing is listed twice.
OTHERS = [
    *(("S.2", "canonical", n, partial(one_sided, n, on_partitions), True) for n in (1, 2, 3, 4)),
    *(
        ("S.2", "literal", shape[0], partial(one_sided, shape, disjoint_families), False)
        for shape in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)]
    ),
    *(
        ("S.2", "overlapping", shape[0], partial(one_sided, shape, families, up_to_renaming), False)
        for shape in [(1, 1), (1, 2), (2, 1), (3, 1)]
    ),
    *(("G.3", "canonical", n, partial(around, n), True) for n in (3, 4)),
    ("G.4", "canonical", 3, partial(all_pools, 3), True),
    ("G.4", "canonical", 4, partial(pools_by_sizes, 4), False),
    *(("G.4", "non-trivial", n, partial(pools_by_sizes, n), False) for n in (4, 5)),
]


@pytest.mark.parametrize(("condition", "name", "objects", "everything", "once"), OTHERS)
def test_a_list_of_other_forms_holds_everything(condition, name, objects, everything, once):
    up_to_names = kinds if condition == "G.4" else form
    reading = reading_of(condition, name)
    listed = list(reading.enumerate_(objects))
    admitted, gone = missed(reading, everything(), listed, up_to_names)
    assert admitted
    assert not gone, gone[0]
    assert not once or len({up_to_names(case) for case in listed}) == len(listed)


@pytest.mark.parametrize("reading", ["canonical", "non-trivial"])
def test_drawn_pools_said_to_be_listed_are(reading):
    subject = reading_of("G.4", reading)
    for case in sample_here(("G.4", reading), 30, 3):
        if subject.lists(case):
            assert kinds(case) in {kinds(other) for other in subject.enumerate_(case.objects)}
