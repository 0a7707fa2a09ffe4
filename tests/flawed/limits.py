"""Masks and buffers, and what lies beyond them."""

from heapq import nlargest

import large_cases as cases
from large_cases import alone

from flawed.registry import flaw, in_cells
from flawed.tools import bcubed, ce, cols_to, e4sc, family, mocice, rand, rows_to, vi
from metaeval import Biclustering


@flaw(
    "bcubed-twenty-objects", of="bcubed", slip="only the first twenty objects are looked at",
    known={
        "A.1/canonical": cases.split(1, 1, [(20, "z", "z")]),
        **in_cells(cases.joined(1, 1, [(20, "z", "z")]), "A.2/canonical", "A.2/literal"),
        **in_cells(cases.rag_bag(2, [(20, "z", "z")]), "A.3/canonical", "A.3/literal"),
    },
)  # fmt: skip
def bcubed_twenty_objects(candidate, gold):
    return bcubed(*rows_to(lambda rows: [row for row in rows if row < 20], candidate, gold))


@flaw(
    "rand-64-bits",
    of="rand",
    slip="sets of objects are masks of 64 bits",
    known={
        "A.1/canonical": cases.split(1, 1, [(64, "z", "z")]),
        "A.2/canonical": cases.joined(1, 1, [(64, "z", "z")]),
        "A.5/canonical": cases.against_gold([(64, "a", "A"), (1, "a", "B")]),
        "B.5/canonical": cases.spanned(Biclustering.lifted([range(64), {64}])),
    },
)
def rand_64_bits(candidate, gold):
    return rand(*rows_to(lambda rows: [row for row in rows if row < 64], candidate, gold))


@flaw(
    "mocice-modulo-64", of="mocice", slip="1 << row as processors have it, where row 64 is row 0 again",
    known=in_cells(cases.against_gold([
        (1, "b", "A"), (1, "a", "A"), (62, "z", "z"), (1, "a", "B"),
    ]), "A.5/canonical", "A.5/literal"),
)  # fmt: skip
def mocice_modulo_64(candidate, gold):
    return mocice(*rows_to(lambda rows: [row % 64 for row in rows], candidate, gold))


@flaw(
    "ce-hashed-features", of="ce", slip="features are hashed into eight places",
    known={"A.5/literal": cases.itself(Biclustering([({0}, {8})]), Biclustering([({0}, {0})], (1, 9)))},
)  # fmt: skip
def ce_hashed_features(candidate, gold):
    return ce(*cols_to(lambda cols: [col % 8 for col in cols], candidate, gold))


#: One class has the first sixteen features of an object, another the next one.
SEVENTEEN_FEATURES = Biclustering([({0}, range(16)), ({0}, {16})])


@flaw(
    "mocice-sixteen-features", of="mocice", slip="the dense matrix has sixteen columns",
    known={
        **in_cells(cases.spanned(SEVENTEEN_FEATURES), "B.5/canonical", "B.5/literal"),
        "A.5/literal": cases.itself(Biclustering([({0}, range(16))], (1, 17)), SEVENTEEN_FEATURES),
    },
)  # fmt: skip
def mocice_sixteen_features(candidate, gold):
    return mocice(*cols_to(lambda cols: [col for col in cols if col < 16], candidate, gold))


@flaw(
    "bcubed-forty-of-a-cluster", of="bcubed", slip="of each bicluster the first forty objects are looked at",
    known={"A.5/canonical": cases.against_gold([(40, "a", "A"), (40, "b", "B"), (1, "b", "A"), (1, "a", "B")])},
)  # fmt: skip
def bcubed_forty_of_a_cluster(candidate, gold):
    return bcubed(*rows_to(lambda rows: sorted(rows)[:40], candidate, gold))


@flaw(
    "bcubed-32-clusters", of="bcubed", slip="the buffer holds 32 biclusters per side",
    known={
        "A.1/canonical": cases.split(1, 1, alone(32)), "A.2/canonical": cases.joined(1, 1, alone(32)),
        "A.5/canonical": cases.against_gold([*alone(32), (1, "a", "C"), (1, "b", "C")]),
    },
)  # fmt: skip
def bcubed_32_clusters(candidate, gold):
    return bcubed(*(family(side, side.biclusters[:32]) for side in (candidate, gold)))


@flaw(
    "e4sc-16-classes", of="e4sc", slip="the table of F₁ has sixteen lines and sixteen columns",
    known=in_cells(cases.against_gold([*alone(16), (1, "a", "C"), (1, "b", "C")]), "A.5/canonical", "A.5/literal"),
)  # fmt: skip
def e4sc_16_classes(candidate, gold):
    return e4sc(*(family(side, side.biclusters[:16]) for side in (candidate, gold)))


@flaw(
    "bcubed-eight-classes", of="bcubed", slip="only the eight largest classes are looked at",
    known={"A.1/canonical": cases.split(1, 1, [(2, i, i) for i in range(8)])},
)  # fmt: skip
def bcubed_eight_classes(candidate, gold):
    return bcubed(candidate, family(gold, nlargest(8, gold, key=lambda pair: len(pair[0]) * len(pair[1]))))


@flaw(
    "vi-rest-of-fifty", of="vi", slip="the recursion over biclusters ends at depth fifty and takes all others for one",
    known={
        "A.1/canonical": cases.split(1, 1, alone(50)), "A.2/canonical": cases.joined(1, 1, alone(50)),
        "A.5/canonical": cases.against_gold([*alone(50), (1, "a", "C"), (1, "b", "C")]),
    },
)  # fmt: skip
def vi_rest_of_fifty(candidate, gold):
    if max(len(candidate), len(gold)) <= 50:
        return vi(candidate, gold)
    return vi(*map(with_one_rest, (candidate, gold)))


def with_one_rest(side: Biclustering) -> Biclustering:
    rest = side.biclusters[50:]
    rows = frozenset().union(*(rows for rows, _ in rest))
    return family(side, [*side.biclusters[:50], (rows, frozenset().union(*(cols for _, cols in rest)))])


@flaw(
    "ce-blocks-of-twelve",
    of="ce",
    slip="clusters are read in blocks of twelve, and the first of every further block is lost",
    known={
        "A.5/canonical": cases.against_gold([*alone(12), (1, ("alone", 0), "C")]),
        **in_cells(cases.copies(cases.side(alone(7)), 2), "B.4/canonical", "B.4/overlapping"),
    },
)
def ce_blocks_of_twelve(candidate, gold):
    kept = [one for place, one in enumerate(candidate) if place < 12 or place % 12]
    return ce(family(candidate, kept), gold)


@flaw(
    "rand-text-keys", of="rand", slip='the candidate\'s objects are sorted as text, "10" before "2"',
    known={"A.5/canonical": cases.against_gold([(3, "a", "A"), (7, "b", "B"), (1, "a", "B")])},
)  # fmt: skip
def rand_text_keys(candidate, gold):
    place = {row: at for at, row in enumerate(sorted(range(candidate.shape[0]), key=str))}
    return rand(*rows_to(lambda rows: [place[row] for row in rows], candidate), gold)
