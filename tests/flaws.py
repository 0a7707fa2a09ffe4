"""Flawed measures: what implementations get wrong in size only, each to be found by the search.

A flaw is right on what is small: its counters are wide enough, its buffers long enough, its rounding too fine to
show. Each is declared with the cells in which it must be caught, and for each of them with a valid counterexample,
made by reasoning about the slip and not by the search. Only cells are named in which the original holds.

They are written apart from the search. Whoever changes how large cases are made should not tune it to this list,
and whoever adds a flaw should not look there first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from heapq import nlargest
from math import floor, fsum, log

import large_cases as cases
import mutants
import numpy as np
from large_cases import alone
from scipy.optimize import linear_sum_assignment

import metaeval
from metaeval import Biclustering, Case, Measure, Side
from metaeval.kernel import Overlay, Together, harmonic_mean, members, overlay, sum_of_ratios
from metaeval.measuring import ScoreFunction, make_measure

ORIGINALS = metaeval.measures()


@dataclass(frozen=True)
class Flaw:
    """A flawed measure: its original, the slip, and a valid counterexample for every cell that must catch it.

    ``off`` is by how much it may differ from its original on small inputs: rounding does. Where the slip is the
    idea itself there is no original.
    """

    measure: Measure
    of: str | None
    slip: str
    known: Mapping[str, Case]
    off: float

    @property
    def id(self) -> str:
        return self.measure.id

    @property
    def original(self) -> Measure | None:
        return None if self.of is None else ORIGINALS[self.of]


FLAWS: list[Flaw] = []


def flaw(
    id: str, *, of: str | None, slip: str, known: Mapping[str, Case], off: float = 0
) -> Callable[[ScoreFunction], ScoreFunction]:
    """Add a function to the table, with its original's optimum and direction."""

    def add(function: ScoreFunction) -> ScoreFunction:
        told = {}
        if of is not None:
            told = {"best": ORIGINALS[of].best, "smaller_is_better": ORIGINALS[of].smaller_is_better}
        FLAWS.append(Flaw(make_measure(function, id=id, **told), of, slip, known, off))
        return function

    return add


def in_cells(case: Case, *cells: str) -> dict[str, Case]:
    """One counterexample for several cells."""
    return dict.fromkeys(cells, case)


# --- what slips are made of ----------------------------------------------------------------------------------

bcubed, ce, ce_multiset, e4sc, mocice, rand, rnia, vi = (
    ORIGINALS[id].function for id in ("bcubed", "ce", "ce-multiset", "e4sc", "mocice", "rand", "rnia", "vi")
)
precision, recall = (ORIGINALS[f"mocice-{part}"].function for part in ("precision", "recall"))


def family(side: Biclustering, biclusters: Iterable[tuple[Iterable[int], Iterable[int]]]) -> Biclustering:
    """These biclusters on the matrix of that side; those that have become empty are gone."""
    kept = [(frozenset(rows), frozenset(cols)) for rows, cols in biclusters]
    return Biclustering.trusted([(rows, cols) for rows, cols in kept if rows and cols], side.shape)


def rows_to(change: Callable[[Iterable[int]], Iterable[int]], *sides: Biclustering) -> list[Biclustering]:
    """Both sides with the rows of every bicluster changed."""
    return [family(side, ((change(rows), cols) for rows, cols in side)) for side in sides]


def cols_to(change: Callable[[Iterable[int]], Iterable[int]], *sides: Biclustering) -> list[Biclustering]:
    """Both sides with the columns of every bicluster changed."""
    return [family(side, ((rows, change(cols)) for rows, cols in side)) for side in sides]


def objects(*sides: Biclustering) -> int:
    """How many objects both sides hold."""
    return len({row for side in sides for rows, _ in side for row in rows})


def features(*sides: Biclustering) -> int:
    """How many features both sides hold."""
    return len({col for side in sides for _, cols in side for col in cols})


def penalty(candidate: Biclustering, gold: Biclustering, over: int) -> Fraction:
    """1 + (K − L)² / over, for K clusters and L classes."""
    return 1 + Fraction((len(candidate) - len(gold)) ** 2, over)


def either_empty(candidate: Biclustering, gold: Biclustering) -> bool:
    return not candidate or not gold


def mixed_pairs(number: int) -> list[cases.Group]:
    """So many clusters of one object of P and one of Q."""
    return [(1, ("mixed", i), label) for i in range(number) for label in "PQ"]


def bcubed_of(cells: Overlay, groups: Iterable[Together], counted: Callable[[int], int] = int) -> Fraction:
    """BCubed F₁ over these pairs of cells, of which there are so many as ``counted`` says."""
    precision, recall = [], []
    for pairs in groups:
        g, c = pairs.candidate.bit_count(), pairs.gold.bit_count()
        precision += [(counted(n) * min(g, c), reach * g) for n, reach in pairs.precision]
        recall += [(counted(n) * min(g, c), reach * c) for n, reach in pairs.recall]
    return harmonic_mean(
        sum_of_ratios(precision, over=cells.candidate_covered), sum_of_ratios(recall, over=cells.gold_covered)
    )


# --- rounding ------------------------------------------------------------------------------------------------


@flaw(
    "mocice-three-digits",
    of="mocice",
    slip="rounded to three digits",
    off=0.0005,
    known={
        "A.1/literal": cases.split(1, 1, [*alone(1, "Q"), (6, None, "P"), (5, None, "Q")]),
        "A.1/canonical": cases.split(1, 1, [*mixed_pairs(3), *alone(3, "P", "p"), *alone(5, "Q", "q")]),
        "B.5/overlapping": cases.spanned(Biclustering([(range(6), range(4)), ({0}, {0})])),
    },
)
def mocice_three_digits(candidate, gold):
    return round(mocice(candidate, gold), 3)


@flaw(
    "rand-three-digits",
    of="rand",
    slip="rounded to three digits",
    off=0.0005,
    known={
        "A.1/canonical": cases.split(1, 1, [(62, "z", "z")]),
        "A.2/canonical": cases.joined(1, 1, [*alone(4, "C"), (40, "z", "z")]),
        "A.5/canonical": cases.against_gold([(62, "z", "z"), (1, "a", "C"), (1, "b", "C")]),
    },
)
def rand_three_digits(candidate, gold):
    return round(rand(candidate, gold), 3)


@flaw(
    "bcubed-percent",
    of="bcubed",
    slip="whole per cents",
    off=0.005,
    known={
        "A.1/canonical": cases.split(1, 1, [*alone(2, "P", "p"), *alone(5, "Q", "q")]),
        "A.2/canonical": cases.joined(1, 1, [(2, "x", "D"), *((1, "x", i) for i in range(9))]),
        **in_cells(cases.rag_bag(2, alone(7, "E")), "A.3/canonical", "A.3/literal"),
    },
)
def bcubed_percent(candidate, gold):
    return Fraction(round(100 * bcubed(candidate, gold)), 100)


@flaw(
    "rnia-two-digits",
    of="rnia",
    slip="rounded to two digits",
    off=0.005,
    known=in_cells(cases.added([(1, "a")], [(1, "a", "g"), (13, None, "g")]), "B.1/canonical", "B.1/overlapping"),
)
def rnia_two_digits(candidate, gold):
    return round(rnia(candidate, gold), 2)


@flaw(
    "vi-two-digits",
    of="vi",
    slip="cut after two digits",
    off=0.01,
    known={
        **in_cells(cases.broken_pairs(2, [(86, "z", "z")]), "A.4/canonical", "A.4/literal"),
        "A.1/canonical": cases.split(1, 1, [(137, "z", "z")]),
        "A.5/canonical": cases.against_gold([(137, "z", "z"), (1, "a", "C"), (1, "b", "C")]),
    },
)
def vi_two_digits(candidate, gold):
    return floor(100 * vi(candidate, gold)) / 100


@flaw(
    "mocice-half-precision",
    of="mocice",
    slip="the score is kept in a 16-bit float",
    off=0.0005,
    known={
        "A.1/canonical": cases.split(1, 1, [(22, "z", "P"), (23, "y", "Q")]),
        **in_cells(cases.joined(1, 1, [(45, "z", "C")]), "A.2/canonical", "A.2/literal"),
    },
)
def mocice_half_precision(candidate, gold):
    return float(np.float16(float(mocice(candidate, gold))))


@flaw(
    "ce-almost-perfect",
    of="ce",
    slip="from .99 on it is taken for a perfect match",
    known={
        **in_cells(cases.against_gold([(99, "a", "A"), (1, "b", "A")]), "A.5/canonical", "A.5/literal"),
        "B.5/canonical": cases.spanned(Biclustering.lifted([range(99), {99}])),
    },
)
def ce_almost_perfect(candidate, gold):
    score = ce(candidate, gold)
    return Fraction(1) if Fraction(99, 100) <= score < 1 else score


@flaw(
    "mocice-almost-perfect",
    of="mocice",
    slip="the loop over pairs is left as soon as the score is beyond .999",
    known=in_cells(
        cases.spanned(Biclustering([(range(4), range(4)), ({0}, {0})])), "A.5/overlapping", "B.5/overlapping"
    ),
)
def mocice_almost_perfect(candidate, gold):
    score = mocice(candidate, gold)
    return Fraction(1) if score > Fraction(999, 1000) else score


# --- counters that wrap or saturate --------------------------------------------------------------------------

#: A class of 86 objects on three features has 258 cells, and 8 × 8 cells taken twice each way are 256.
A_CLASS_OF_258_CELLS = cases.against_gold([(85, "a", "A"), (1, "b", "A")], 3)
TO_256_CELLS = cases.times(cases.side([(4, "a", "a"), (4, None, "a")], 8), 2)


@flaw(
    "ce-8-bits",
    of="ce",
    slip="the contingency table is of unsigned 8-bit integers",
    known={
        **in_cells(A_CLASS_OF_258_CELLS, "A.5/canonical", "A.5/literal"),
        **in_cells(cases.times(cases.side([(8, "a", "a")], 8), 2), "B.3/canonical", "B.3/overlapping"),
    },
)
def ce_8_bits(candidate, gold):
    cells = overlay(candidate, gold)
    if cells.union < 256:
        return ce(candidate, gold)
    wrapped = np.array(cells.intersections, ndmin=2) % 256
    return Fraction(int(wrapped[linear_sum_assignment(wrapped, maximize=True)].sum()), cells.union)


@flaw(
    "bcubed-16-bits",
    of="bcubed",
    slip="numbers of pairs of cells are unsigned 16-bit integers",
    known={
        **in_cells(A_CLASS_OF_258_CELLS, "A.5/canonical", "A.5/literal"),
        **in_cells(cases.times(cases.side([(8, "a", "a")], 8), 2), "B.3/canonical", "B.3/overlapping"),
    },
)
def bcubed_16_bits(candidate, gold):
    cells = overlay(candidate, gold)
    if either_empty(candidate, gold) or cells.union < 256:
        return bcubed(candidate, gold)
    return bcubed_of(cells, cells.together, lambda n: n % 65536)


@flaw(
    "rnia-8-bits",
    of="rnia",
    slip="numbers of cells are unsigned 8-bit integers",
    known={
        **in_cells(
            cases.added([(1, "b")], [(4, "a", "a"), (81, "b", None)], 3), "B.1/canonical", "B.1/overlapping"
        ),
        **in_cells(TO_256_CELLS, "B.3/canonical", "B.3/overlapping"),
    },
)
def rnia_8_bits(candidate, gold):
    cells = overlay(candidate, gold)
    return Fraction(cells.shared % 256, cells.union % 256 or 1) if cells.union else Fraction(1)


#: All sets of five objects that hold the first: sixteen.
AROUND_THE_FIRST = [{0, *(row for row in range(1, 5) if mask >> row & 1)} for mask in range(0, 32, 2)]


@flaw(
    "ce-multiset-4-bits",
    of="ce-multiset",
    slip="how often a cell is covered is counted modulo 16",
    known={
        "A.5/overlapping": cases.itself(
            Biclustering.lifted([*AROUND_THE_FIRST[:-1], range(1, 5)]), Biclustering.lifted(AROUND_THE_FIRST)
        ),
        "B.4/repeated": Case(
            Side(*[Biclustering.lifted(AROUND_THE_FIRST[:8])] * 2),
            Side(*[Biclustering.lifted(AROUND_THE_FIRST[:8] * 2)] * 2),
        ),
    },
)
def ce_multiset_4_bits(candidate, gold):
    cells = overlay(candidate, gold)
    covered = sum(n * max(g.bit_count() % 16, c.bit_count() % 16) for g, c, n in cells.atoms)
    return Fraction(cells.matching, covered or 1) if cells.union else Fraction(1)


@flaw(
    "e4sc-fifty-cells",
    of="e4sc",
    slip="sizes are capped at fifty cells",
    known={
        "A.5/canonical": cases.against_gold([(50, "a", "A"), (1, "b", "A"), (50, "b", "B")]),
        "A.5/literal": cases.against_gold([(50, "a", "A"), (1, None, "A")]),
    },
)
def e4sc_fifty_cells(candidate, gold):
    if either_empty(candidate, gold):
        return e4sc(candidate, gold)
    cells = overlay(candidate, gold)
    f1 = [
        [
            Fraction(2 * min(n, 50), min(size, 50) + min(gold_size, 50))
            for n, gold_size in zip(line, cells.gold_sizes, strict=True)
        ]
        for line, size in zip(cells.intersections, cells.candidate_sizes, strict=True)
    ]
    return harmonic_mean(*(Fraction(sum(map(max, table)), len(table)) for table in (f1, [*zip(*f1, strict=True)])))


@flaw(
    "vi-log-table",
    of="vi",
    slip="logarithms come from a table that ends at 100, and larger numbers take its last entry",
    known={
        "A.1/canonical": cases.split(100, 100),
        "A.2/canonical": cases.joined(100, 100),
        "A.5/canonical": cases.against_gold([(100, "a", "C"), (100, "b", "C")]),
        "B.5/canonical": cases.spanned(Biclustering.lifted([range(100), range(100, 200)])),
    },
)
def vi_log_table(candidate, gold):
    cells = overlay(candidate, gold)
    if max([*cells.candidate_sizes, *cells.gold_sizes], default=0) <= 100:
        return vi(candidate, gold)
    return fsum(terms(cells, lambda n: log(min(n, 100)))) / cells.union


def terms(cells: Overlay, log_of: Callable[[int], float]) -> Iterable[float]:
    """What VI sums up: of cells that both sides hold, and of those that only one does."""
    for line, size in zip(cells.intersections, cells.candidate_sizes, strict=True):
        for n, gold_size in zip(line, cells.gold_sizes, strict=True):
            if n:
                yield n * (log_of(size) + log_of(gold_size) - 2 * log_of(n))
    for g, c, n in cells.atoms:
        if not (g and c):
            sizes = cells.candidate_sizes if g else cells.gold_sizes
            yield from (n * log_of(sizes[i]) for i in members(g or c))


# --- masks, buffers and what lies beyond them ----------------------------------------------------------------


@flaw(
    "bcubed-twenty-objects",
    of="bcubed",
    slip="only the first twenty objects are looked at",
    known={
        "A.1/canonical": cases.split(1, 1, [(20, "z", "z")]),
        **in_cells(cases.joined(1, 1, [(20, "z", "z")]), "A.2/canonical", "A.2/literal"),
        **in_cells(cases.rag_bag(2, [(20, "z", "z")]), "A.3/canonical", "A.3/literal"),
    },
)
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
    "mocice-modulo-64",
    of="mocice",
    slip="1 << row as processors have it, where row 64 is row 0 again",
    known=in_cells(
        cases.against_gold([(1, "b", "A"), (1, "a", "A"), (62, "z", "z"), (1, "a", "B")]),
        "A.5/canonical",
        "A.5/literal",
    ),
)
def mocice_modulo_64(candidate, gold):
    return mocice(*rows_to(lambda rows: [row % 64 for row in rows], candidate, gold))


@flaw(
    "ce-hashed-features",
    of="ce",
    slip="features are hashed into eight places",
    known={"A.5/literal": cases.itself(Biclustering([({0}, {8})]), Biclustering([({0}, {0})], (1, 9)))},
)
def ce_hashed_features(candidate, gold):
    return ce(*cols_to(lambda cols: [col % 8 for col in cols], candidate, gold))


#: One class has the first sixteen features of an object, another the next one.
SEVENTEEN_FEATURES = Biclustering([({0}, range(16)), ({0}, {16})])


@flaw(
    "mocice-sixteen-features",
    of="mocice",
    slip="the dense matrix has sixteen columns",
    known={
        **in_cells(cases.spanned(SEVENTEEN_FEATURES), "B.5/canonical", "B.5/literal"),
        "A.5/literal": cases.itself(Biclustering([({0}, range(16))], (1, 17)), SEVENTEEN_FEATURES),
    },
)
def mocice_sixteen_features(candidate, gold):
    return mocice(*cols_to(lambda cols: [col for col in cols if col < 16], candidate, gold))


@flaw(
    "bcubed-forty-of-a-cluster",
    of="bcubed",
    slip="of each bicluster the first forty objects are looked at",
    known={
        "A.5/canonical": cases.against_gold([(40, "a", "A"), (40, "b", "B"), (1, "b", "A"), (1, "a", "B")]),
    },
)
def bcubed_forty_of_a_cluster(candidate, gold):
    return bcubed(*rows_to(lambda rows: sorted(rows)[:40], candidate, gold))


@flaw(
    "bcubed-32-clusters",
    of="bcubed",
    slip="the buffer holds 32 biclusters a side",
    known={
        "A.1/canonical": cases.split(1, 1, alone(32)),
        "A.2/canonical": cases.joined(1, 1, alone(32)),
        "A.5/canonical": cases.against_gold([*alone(32), (1, "a", "C"), (1, "b", "C")]),
    },
)
def bcubed_32_clusters(candidate, gold):
    return bcubed(*(family(side, side.biclusters[:32]) for side in (candidate, gold)))


@flaw(
    "e4sc-16-classes",
    of="e4sc",
    slip="the table of F₁ has sixteen lines and sixteen columns",
    known=in_cells(cases.against_gold([*alone(16), (1, "a", "C"), (1, "b", "C")]), "A.5/canonical", "A.5/literal"),
)
def e4sc_16_classes(candidate, gold):
    return e4sc(*(family(side, side.biclusters[:16]) for side in (candidate, gold)))


@flaw(
    "bcubed-eight-classes",
    of="bcubed",
    slip="only the eight largest classes are looked at",
    known={"A.1/canonical": cases.split(1, 1, [(2, i, i) for i in range(8)])},
)
def bcubed_eight_classes(candidate, gold):
    return bcubed(candidate, family(gold, nlargest(8, gold, key=lambda pair: len(pair[0]) * len(pair[1]))))


@flaw(
    "vi-rest-of-fifty",
    of="vi",
    slip="the recursion over biclusters ends at depth fifty and takes all others for one",
    known={
        "A.1/canonical": cases.split(1, 1, alone(50)),
        "A.2/canonical": cases.joined(1, 1, alone(50)),
        "A.5/canonical": cases.against_gold([*alone(50), (1, "a", "C"), (1, "b", "C")]),
    },
)
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
    "rand-text-keys",
    of="rand",
    slip='the candidate\'s objects are sorted as text, "10" before "2"',
    known={"A.5/canonical": cases.against_gold([(3, "a", "A"), (7, "b", "B"), (1, "a", "B")])},
)
def rand_text_keys(candidate, gold):
    place = {row: at for at, row in enumerate(sorted(range(candidate.shape[0]), key=str))}
    return rand(*rows_to(lambda rows: [place[row] for row in rows], candidate), gold)


# --- other ways from some size on ----------------------------------------------------------------------------


@flaw(
    "mocice-five-features",
    of="mocice",
    slip="from five features on RNIA is used for speed",
    known={"B.5/canonical": cases.spanned(Biclustering([(range(3), range(4)), (range(3), range(4, 7))]))},
)
def mocice_five_features(candidate, gold):
    return (rnia if features(candidate, gold) >= 5 else mocice)(candidate, gold)


@flaw(
    "mocice-objects-alone",
    of="mocice",
    slip="from five features on they are ignored",
    known={
        "A.5/literal": cases.itself(
            Biclustering([({0, 1}, range(5))]), Biclustering([({0, 1}, range(4))], (2, 5))
        ),
    },
)
def mocice_objects_alone(candidate, gold):
    if features(candidate, gold) < 5:
        return mocice(candidate, gold)
    return mocice(*cols_to(lambda _: {0}, candidate, gold))


@flaw(
    "rnia-background",
    of="rnia",
    slip="above 64 rows the background counts too",
    known=in_cells(
        cases.in_matrix(cases.side([(1, "a", "A"), (1, None, "A")]), 65, 1), "B.2/canonical", "B.2/overlapping"
    ),
)
def rnia_background(candidate, gold):
    cells = overlay(candidate, gold)
    if not cells.union or max(candidate.shape[0], gold.shape[0]) <= 64:
        return rnia(candidate, gold)
    return 1 - Fraction(cells.union - cells.shared, cells.matrix_cells)


@flaw(
    "ce-wide-matrix",
    of="ce",
    slip="on more than twelve features all cells of the matrix count",
    known=in_cells(cases.in_matrix(cases.side([(1, "a", "a")]), 1, 13), "B.2/canonical", "B.2/overlapping"),
)
def ce_wide_matrix(candidate, gold):
    cells = overlay(candidate, gold)
    if max(candidate.shape[1], gold.shape[1]) <= 12:
        return ce(candidate, gold)
    return Fraction(cells.matching, cells.matrix_cells)


@flaw(
    "rand-sampled",
    of="rand",
    slip="above sixty objects every other one is looked at",
    known={
        "A.1/canonical": cases.split(1, 1, [(59, "z", "z")]),
        "A.2/canonical": cases.joined(1, 1, [(59, "z", "z")]),
        "A.5/canonical": cases.against_gold([(59, "z", "z"), (1, "a", "C"), (1, "b", "C")]),
    },
)
def rand_sampled(candidate, gold):
    if objects(candidate, gold) <= 60:
        return rand(candidate, gold)
    return rand(*rows_to(lambda rows: [row for row in rows if row % 2 == 0], candidate, gold))


@flaw(
    "ce-many-to-one",
    of="ce",
    slip="above twenty clusters each takes its best class, without a matching",
    known={"A.5/canonical": cases.against_gold(alone(21, "C")), "A.4/canonical": cases.broken_pairs(10)},
)
def ce_many_to_one(candidate, gold):
    if len(candidate) <= 20 or not gold:
        return ce(candidate, gold)
    cells = overlay(candidate, gold)
    return Fraction(sum(map(max, cells.intersections)), cells.union)


#: A cluster of five that spoils the class of another cluster if it goes first.
SPOILT = [(3, "one", "C"), (2, "one", "D"), (4, "other", "C")]


@flaw(
    "ce-greedy",
    of="ce",
    slip="a greedy matching, in which of equals the first one wins",
    off=0.5,
    known=in_cells(
        # The new object comes first, and with it its cluster.
        cases.clusterings(
            [(1, "other", None, None), (2, "one", "one", "C"), (2, "one", "one", "D"), (2, "other", "other", "C")]
        ),
        "B.1/canonical",
        "B.1/overlapping",
    ),
)
def ce_greedy(candidate, gold):
    return mutants.ce_greedy(candidate, gold)


@flaw(
    "ce-largest-first",
    of="ce",
    slip="above six clusters a greedy matching, the largest cluster first",
    known=in_cells(cases.added([(2, "other")], [*alone(5), *SPOILT]), "B.1/canonical", "B.1/overlapping"),
)
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
    "mocice-dice",
    of="mocice",
    slip="beyond 128 cells Φ is Dice's coefficient",
    known={
        **in_cells(cases.times(TEN_CELLS, 4), "B.3/canonical", "B.3/overlapping"),
        **in_cells(cases.copies(TEN_CELLS, 13), "B.4/canonical", "B.4/overlapping"),
    },
)
def mocice_dice(candidate, gold):
    if overlay(candidate, gold).union <= 128:
        return mocice(candidate, gold)
    return mutants.mocice(candidate, gold, phi=lambda *at: mutants.identity(*at, alike=mutants.dice))


@flaw(
    "e4sc-micro",
    of="e4sc",
    slip="above twelve clusters the mean is weighted by their size",
    known=in_cells(
        cases.copies(cases.side([(3, "a", "A"), *alone(5), (1, "x", "X"), (1, None, "X")]), 2),
        "B.4/canonical",
        "B.4/overlapping",
    ),
)
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
    "bcubed-majority",
    of="bcubed",
    slip="in clusters of more than ten cells only the largest class counts",
    known=in_cells(cases.rag_bag(10), "A.3/canonical", "A.3/literal"),
)
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


# --- numbers of clusters and of classes ----------------------------------------------------------------------


@flaw(
    "mocice-penalty",
    of="mocice",
    slip="divided by 1 + (K − L)² / 2000, for K clusters and L classes",
    off=0.005,
    known=in_cells(
        cases.joined(1, 1, [*((1, "bag", i) for i in range(7)), (16, "y", "C")]), "A.2/canonical", "A.2/literal"
    ),
)
def mocice_penalty(candidate, gold):
    return mocice(candidate, gold) / penalty(candidate, gold, over=2000)


@flaw(
    "rand-penalty",
    of="rand",
    slip="divided by 1 + (K − L)² / 2000, for K clusters and L classes",
    off=0.005,
    known=in_cells(cases.split(1, 1, [*alone(8, "P", "p"), *alone(8, "Q", "q")]), "A.1/canonical", "A.1/literal"),
)
def rand_penalty(candidate, gold):
    return rand(candidate, gold) / penalty(candidate, gold, over=2000)


@flaw(
    "mocice-outnumbered",
    of="mocice",
    slip="where clusters outnumber classes by four, the mean of precision and recall in place of F₁",
    known={"A.4/canonical": cases.broken_pairs(2, [(8, i, "E") for i in range(3)])},
)
def mocice_outnumbered(candidate, gold):
    if len(candidate) < len(gold) + 4:
        return mocice(candidate, gold)
    return (precision(candidate, gold) + recall(candidate, gold)) / 2


@flaw(
    "mocice-outnumbered-weighted",
    of="mocice",
    slip="where clusters outnumber classes by four, F with β = 1/2 in place of F₁",
    known={"A.4/canonical": cases.broken_pairs(2, [*alone(2, "D"), (3, "x", "E"), (3, "y", "E")])},
)
def mocice_outnumbered_weighted(candidate, gold):
    if len(candidate) < len(gold) + 4:
        return mocice(candidate, gold)
    p, r = precision(candidate, gold), recall(candidate, gold)
    return 5 * p * r / (p + 4 * r) if p + r else Fraction(0)


def tversky(candidate: Biclustering, gold: Biclustering, alpha: Fraction) -> Fraction:
    """Mean over clusters of the best |G ∩ C| / (|G ∩ C| + (1 − α)·|G − C| + α·|C − G|)."""
    if either_empty(candidate, gold):
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    best = [
        max(
            n / ((1 - alpha) * size + alpha * gold_size)
            for n, gold_size in zip(line, cells.gold_sizes, strict=True)
        )
        for line, size in zip(cells.intersections, cells.candidate_sizes, strict=True)
    ]
    return Fraction(sum(best), len(best))


@flaw(
    "tversky-4-5",
    of=None,
    slip="the mean over clusters of the best Tversky index, α = 4/5, taken for a measure of size and quantity",
    known={"A.4/canonical": cases.broken_pairs(2, alone(32, "D"))},
)
def tversky_4_5(candidate, gold):
    return tversky(candidate, gold, Fraction(4, 5))


@flaw(
    "tversky-19-20",
    of=None,
    slip="the same with α = 19/20",
    known={"A.4/canonical": cases.broken_pairs(2, alone(140, "D"))},
)
def tversky_19_20(candidate, gold):
    return tversky(candidate, gold, Fraction(19, 20))
