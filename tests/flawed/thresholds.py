"""Other ways from some size on: shortcuts, approximations, special cases."""

from fractions import Fraction

import large_cases as cases
import mutants
from large_cases import alone
from reference import f1 as harmonic_mean

from flawed.registry import flaw, in_cells
from metaeval import Biclustering
from metaeval.kernel.overlay import Overlay, Together, members, overlay

from flawed.tools import (  # isort: skip
    bcubed, bcubed_of, ce, cols_to, e4sc, family, features, mocice, objects, rand, rand_background, rnia, rows_to,
)  # fmt: skip


@flaw(
    "mocice-five-features", of="mocice", slip="from five features on RNIA is used for speed",
    known={"B.5/canonical": cases.spanned(Biclustering([(range(3), range(4)), (range(3), range(4, 7))]))},
)  # fmt: skip
def mocice_five_features(candidate, gold):
    return (rnia if features(candidate, gold) >= 5 else mocice)(candidate, gold)


@flaw(
    "mocice-objects-alone", of="mocice", slip="from five features on they are ignored",
    known={"A.5/literal": cases.itself(Biclustering([({0, 1}, range(5))]), Biclustering([({0, 1}, range(4))], (2, 5)))},
)  # fmt: skip
def mocice_objects_alone(candidate, gold):
    if features(candidate, gold) < 5:
        return mocice(candidate, gold)
    return mocice(*cols_to(lambda _: {0}, candidate, gold))


@flaw(
    "rnia-background", of="rnia", slip="above 64 rows the background counts too",
    known=in_cells(cases.in_matrix(cases.side([
        (1, "a", "A"), (1, None, "A"),
    ]), 65, 1), "B.2/canonical", "B.2/overlapping"),
)  # fmt: skip
def rnia_background(candidate, gold):
    cells = overlay(candidate, gold)
    if not cells.union or max(candidate.shape[0], gold.shape[0]) <= 64:
        return rnia(candidate, gold)
    return 1 - Fraction(cells.union - cells.shared, cells.matrix_cells)


@flaw(
    "ce-wide-matrix", of="ce", slip="on more than twelve features all cells of the matrix count",
    known=in_cells(cases.in_matrix(cases.side([(1, "a", "a")]), 1, 13), "B.2/canonical", "B.2/overlapping"),
)  # fmt: skip
def ce_wide_matrix(candidate, gold):
    cells = overlay(candidate, gold)
    if max(candidate.shape[1], gold.shape[1]) <= 12:
        return ce(candidate, gold)
    return Fraction(cells.matching, cells.matrix_cells)


@flaw(
    "rand-sparse-matrix", of="rand", slip="on more than a thousand cells all pairs of the matrix are looked at",
    known=in_cells(cases.in_matrix(cases.side([
        (2, "a", "A"), (1, None, "A"),
    ]), 32, 32), "B.2/canonical", "B.2/overlapping"),
)  # fmt: skip
def rand_sparse_matrix(candidate, gold):
    large = overlay(candidate, gold).matrix_cells > 1000
    return (rand_background if large else rand)(candidate, gold)


@flaw(
    "rand-sampled", of="rand", slip="above sixty objects every other one is looked at",
    known={
        "A.1/canonical": cases.split(1, 1, [(59, "z", "z")]), "A.2/canonical": cases.joined(1, 1, [(59, "z", "z")]),
        "A.5/canonical": cases.against_gold([(59, "z", "z"), (1, "a", "C"), (1, "b", "C")]),
    },
)  # fmt: skip
def rand_sampled(candidate, gold):
    if objects(candidate, gold) <= 60:
        return rand(candidate, gold)
    return rand(*rows_to(lambda rows: [row for row in rows if row % 2 == 0], candidate, gold))


@flaw(
    "ce-many-to-one", of="ce", slip="above twenty clusters each takes its best class, without a matching",
    known={"A.5/canonical": cases.against_gold(alone(21, "C")), "A.4/canonical": cases.broken_pairs(10)},
)  # fmt: skip
def ce_many_to_one(candidate, gold):
    if len(candidate) <= 20 or not gold:
        return ce(candidate, gold)
    cells = overlay(candidate, gold)
    return Fraction(sum(map(max, cells.intersections)), cells.union)


#: A cluster of five that spoils the class of another cluster if it goes first.
SPOILT = [(3, "one", "C"), (2, "one", "D"), (4, "other", "C")]


@flaw(
    "ce-greedy", of="ce", slip="a greedy matching, in which of equals the first one wins", off=0.5,
    known=in_cells(
        # The new object comes first, and with it its cluster.
        cases.clusterings([
            (1, "other", None, None), (2, "one", "one", "C"), (2, "one", "one", "D"), (2, "other", "other", "C"),
        ]),
        "B.1/canonical", "B.1/overlapping",
    ),
)  # fmt: skip
def ce_greedy(candidate, gold):
    return mutants.ce_greedy(candidate, gold)


@flaw(
    "ce-largest-first", of="ce", slip="above six clusters a greedy matching, the largest cluster first",
    known=in_cells(cases.added([(2, "other")], [*alone(5), *SPOILT]), "B.1/canonical", "B.1/overlapping"),
)  # fmt: skip
def ce_largest_first(candidate, gold):
    if len(candidate) <= 6 or not gold:
        return ce(candidate, gold)
    cells = overlay(candidate, gold)
    matched, free = 0, set(range(len(gold)))
    for i in sorted(range(len(candidate)), key=lambda i: -cells.candidate_sizes[i]):
        best = max(free, key=cells.intersections[i].__getitem__, default=None)
        if best is not None:
            matched += cells.intersections[i][best]
            free.remove(best)
    return Fraction(matched, cells.union)


@flaw(
    "mocice-large-identity",
    of="mocice",
    slip="clusters of more than forty cells are taken for identical with their class",
    known={
        "A.5/overlapping": cases.against_gold(
            [(14, [one, "all"], [pair for pair in ("ab", "ac", "bc") if one in pair]) for one in "abc"], 3
        )
    },
)
def mocice_large_identity(candidate, gold):
    if max(overlay(candidate, gold).candidate_sizes, default=0) <= 40:
        return mocice(candidate, gold)
    return mutants.mocice(candidate, gold, phi=lambda *at: mutants.identity(*at, alike=alike_if_small))


def alike_if_small(cells: Overlay, i: int, j: int) -> Fraction:
    return Fraction(1) if cells.candidate_sizes[i] > 40 else mutants.jaccard(cells, i, j)


#: A cluster of two classes; on two features it has ten cells.
TEN_CELLS = cases.side([(3, "a", "A"), (2, "a", "B")], 2)


@flaw(
    "mocice-dice", of="mocice", slip="beyond 128 cells Φ is Dice's coefficient",
    known={
        **in_cells(cases.times(TEN_CELLS, 4), "B.3/canonical", "B.3/overlapping"),
        **in_cells(cases.copies(TEN_CELLS, 13), "B.4/canonical", "B.4/overlapping"),
    },
)  # fmt: skip
def mocice_dice(candidate, gold):
    if overlay(candidate, gold).union <= 128:
        return mocice(candidate, gold)
    return mutants.mocice(candidate, gold, phi=lambda *at: mutants.identity(*at, alike=mutants.dice))


@flaw(
    "e4sc-micro", of="e4sc", slip="above twelve clusters the mean is weighted by their size",
    known=in_cells(cases.copies(cases.side([
        (3, "a", "A"), *alone(5), (1, "x", "X"), (1, None, "X"),
    ]), 2), "B.4/canonical", "B.4/overlapping"),
)  # fmt: skip
def e4sc_micro(candidate, gold):
    if len(candidate) <= 12 or not gold:
        return e4sc(candidate, gold)
    cells = overlay(candidate, gold)
    f1 = [[mutants.dice(cells, i, j) for j in range(len(gold))] for i in range(len(candidate))]
    sides = (f1, cells.candidate_sizes), ([*zip(*f1, strict=True)], cells.gold_sizes)
    return harmonic_mean(
        *(
            Fraction(sum(size * max(line) for line, size in zip(table, sizes, strict=True)), sum(sizes))
            for table, sizes in sides
        )
    )


@flaw(
    "bcubed-majority", of="bcubed", slip="in clusters of more than ten cells only the largest class counts",
    known=in_cells(cases.rag_bag(10), "A.3/canonical", "A.3/literal"),
)  # fmt: skip
def bcubed_majority(candidate, gold):
    cells = overlay(candidate, gold)
    if not gold or max(cells.candidate_sizes, default=0) <= 10:
        return bcubed(candidate, gold)
    return bcubed_of(cells, [pairs for pairs in cells.together if not outvoted(cells, pairs)])


def outvoted(cells: Overlay, pairs: Together) -> bool:
    """Whether every cluster of these pairs is large and has its majority elsewhere."""
    lines = [(cells.candidate_sizes[i], cells.intersections[i]) for i in members(pairs.candidate)]
    return all(size > 10 and not pairs.gold >> line.index(max(line)) & 1 for size, line in lines)


@flaw(
    "bcubed-drops-singletons",
    of="bcubed",
    slip="on a side with more than twelve biclusters, those of one object are dropped",
    known={
        "A.5/literal": cases.against_gold([(2, "z", "z"), *alone(13), (1, None, "w")]),
        **in_cells(cases.added([(1, "new")], [(2, "z", "z"), *alone(12)]), "B.1/canonical", "B.1/overlapping"),
    },
)
def bcubed_drops_singletons(candidate, gold):
    return bcubed(*(without_singletons(side) if len(side) > 12 else side for side in (candidate, gold)))


def without_singletons(side: Biclustering) -> Biclustering:
    return family(side, [pair for pair in side if len(pair[0]) > 1])


@flaw(
    "mocice-drops-small",
    of="mocice",
    slip="of more than ten clusters, those of fewer than three objects are dropped as noise",
    known={
        "A.4/canonical": cases.broken_pairs(9),
        "A.5/canonical": cases.against_gold([*alone(10), (1, ("alone", 0), "z")]),
    },
)
def mocice_drops_small(candidate, gold):
    if len(candidate) > 10:
        candidate = family(candidate, [pair for pair in candidate if len(pair[0]) > 2])
    return mocice(candidate, gold)
