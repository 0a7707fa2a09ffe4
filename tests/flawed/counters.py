"""Counters that wrap or saturate, and tables that end."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import fsum, log

import large_cases as cases
import numpy as np
from reference import f1 as harmonic_mean
from scipy.optimize import linear_sum_assignment

from flawed.registry import flaw, in_cells
from flawed.tools import bcubed, bcubed_of, ce, e4sc, either_empty, vi
from metaeval import Biclustering, Case, Side
from metaeval.kernel.overlay import Overlay, members, overlay

#: A class of 86 objects on three features has 258 cells, and 8 × 8 cells taken twice each way are 256.
A_CLASS_OF_258_CELLS = cases.against_gold([(85, "a", "A"), (1, "b", "A")], 3)
TO_256_CELLS = cases.times(cases.side([(4, "a", "a"), (4, None, "a")], 8), 2)


@flaw(
    "ce-8-bits", of="ce", slip="the contingency table is of unsigned 8-bit integers",
    known={
        **in_cells(A_CLASS_OF_258_CELLS, "A.5/canonical", "A.5/literal"),
        **in_cells(cases.times(cases.side([(8, "a", "a")], 8), 2), "B.3/canonical", "B.3/overlapping"),
    },
)  # fmt: skip
def ce_8_bits(candidate, gold):
    return ce_wrapping(candidate, gold, 1 << 8)


def ce_wrapping(candidate: Biclustering, gold: Biclustering, end: int) -> Fraction:
    """CE whose counts of cells start again from 0 at this one."""
    cells = overlay(candidate, gold)
    if cells.union < end:
        return ce(candidate, gold)
    wrapped = np.array(cells.intersections, ndmin=2) % end
    return Fraction(int(wrapped[linear_sum_assignment(wrapped, maximize=True)].sum()), cells.union)


@flaw(
    "ce-16-bits", of="ce", slip="the contingency table is of unsigned 16-bit integers",
    known=in_cells(cases.times(cases.side([(64, "a", "a")], 64), 4), "B.3/canonical", "B.3/overlapping"),
)  # fmt: skip
def ce_16_bits(candidate, gold):
    return ce_wrapping(candidate, gold, 1 << 16)


@flaw(
    "bcubed-16-bits", of="bcubed", slip="numbers of pairs of cells are unsigned 16-bit integers",
    known={
        **in_cells(A_CLASS_OF_258_CELLS, "A.5/canonical", "A.5/literal"),
        **in_cells(cases.times(cases.side([(8, "a", "a")], 8), 2), "B.3/canonical", "B.3/overlapping"),
    },
)  # fmt: skip
def bcubed_16_bits(candidate, gold):
    cells = overlay(candidate, gold)
    if either_empty(candidate, gold) or cells.union < 256:
        return bcubed(candidate, gold)
    return bcubed_of(cells, cells.together, lambda n: n % 65536)


@flaw(
    "rnia-8-bits", of="rnia", slip="numbers of cells are unsigned 8-bit integers",
    known={
        **in_cells(cases.added([(1, "b")], [(4, "a", "a"), (81, "b", None)], 3), "B.1/canonical", "B.1/overlapping"),
        **in_cells(TO_256_CELLS, "B.3/canonical", "B.3/overlapping"),
    },
)  # fmt: skip
def rnia_8_bits(candidate, gold):
    cells = overlay(candidate, gold)
    return Fraction(cells.shared % 256, cells.union % 256 or 1) if cells.union else Fraction(1)


@flaw(
    "rnia-twenty-outside", of="rnia", slip="the list of cells outside the gold standard holds twenty",
    known=in_cells(cases.added([(1, "b")], [(1, "a", "A"), (20, "b", None)]), "B.1/canonical", "B.1/overlapping"),
)  # fmt: skip
def rnia_twenty_outside(candidate, gold):
    cells = overlay(candidate, gold)
    outside = min(cells.candidate_covered - cells.shared, 20)
    return Fraction(cells.shared, cells.gold_covered + outside) if cells.union else Fraction(1)


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
    "e4sc-fifty-cells", of="e4sc", slip="sizes are capped at fifty cells",
    known={
        "A.5/canonical": cases.against_gold([(50, "a", "A"), (1, "b", "A"), (50, "b", "B")]),
        "A.5/literal": cases.against_gold([(50, "a", "A"), (1, None, "A")]),
    },
)  # fmt: skip
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
