"""Mutants of the paper's measures: plausible slips in an implementation, each to be caught.

A mutant is its original with one thing wrong. ``caught_by`` says what catches it, the strongest first: the
gate; a condition and reading that the original satisfies; or else only golden scores, which is what
remains where a slip leaves every order of scores that the conditions look at as it was. A condition counts
only if the original satisfies it in a whole run, not just on the cases small enough to catch the mutant.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import fsum, log
from typing import Any

from reference import f1 as harmonic_mean

import metaeval
from metaeval import Biclustering, Measure
from metaeval.catalogue.measure import ScoreFunction, make_measure
from metaeval.equations.exact_sums import pair_kinds
from metaeval.kernel.overlay import Overlay, members, overlay, sum_of_ratios

GATE, GOLDEN = "gate", "golden scores"

Ratio = tuple[int, int]


@dataclass(frozen=True)
class Mutant:
    """A mutant: the measure it comes from, what is wrong with it, and what catches it."""

    measure: Measure
    of: str
    slip: str
    caught_by: str

    @property
    def id(self) -> str:
        return self.measure.id

    @property
    def original(self) -> Measure:
        return metaeval.measures()[self.of]


MUTANTS: list[Mutant] = []


def mutant(id: str, *, of: str, slip: str, caught_by: str, **changed) -> Callable[[ScoreFunction], ScoreFunction]:
    """Add a function to the table, with its original's optimum and direction unless these are what changed."""

    def add(function: ScoreFunction) -> ScoreFunction:
        original = metaeval.measures()[of]
        told = {"best": original.best, "smaller_is_better": original.smaller_is_better, **changed}
        MUTANTS.append(Mutant(make_measure(function, id=id, **told), of, slip, caught_by))
        return function

    return add


def slips(of: str, function: Callable[..., Fraction], rows: list[tuple[str, str, str, dict[str, Any]]]) -> None:
    """Add mutants that are a function with one part changed: the id, what is wrong, what catches it, and the part."""
    for id, slip, caught_by, changed in rows:
        mutant(id, of=of, slip=slip, caught_by=caught_by)(partial(function, **changed))


def mean(one: Fraction, other: Fraction) -> Fraction:
    return (one + other) / 2


def ratio(part: int, whole: int) -> Fraction:
    """By the convention for two empty sides, 1 where there is nothing."""
    return Fraction(part, whole) if whole else Fraction(1)


def either_empty(candidate: Biclustering, gold: Biclustering) -> Fraction | None:
    return None if candidate and gold else Fraction(not candidate and not gold)


def counted(candidate, gold, *, score: Callable[[Overlay], Fraction]) -> Fraction:
    return score(overlay(candidate, gold))


# --- CE ------------------------------------------------------------------------------------------------------
@mutant("ce-greedy", of="ce", slip="greedy instead of optimal matching", caught_by=GOLDEN)
def ce_greedy(candidate, gold):
    cells = overlay(candidate, gold)
    ranked = sorted(
        ((n, i, j) for i, line in enumerate(cells.intersections) for j, n in enumerate(line)),
        key=lambda entry: -entry[0],
    )
    matched, rows, cols = 0, set(), set()
    for n, i, j in ranked:
        if i not in rows and j not in cols:
            matched, rows, cols = matched + n, rows | {i}, cols | {j}
    return ratio(matched, cells.union)


slips("ce", counted, [
    ("ce-many-to-one", "several clusters matched to one class", "A.5/canonical",
     {"score": lambda cells: ratio(sum(max(line, default=0) for line in cells.intersections), cells.union)}),
    ("ce-over-gold", "divided by |U_C| instead of |U|: what only the candidate has is free", "B.1/canonical",
     {"score": lambda cells: Fraction(cells.matching, cells.gold_covered or 1) if cells.union else Fraction(1)}),
    ("ce-sum-for-union", "|U_G| + |U_C| instead of |U_G ∪ U_C|", GATE,
     {"score": lambda cells: ratio(cells.matching, cells.candidate_covered + cells.gold_covered)}),
    ("ce-over-matrix", "divided by all cells of the matrix, covered or not", "B.2/canonical",
     {"score": lambda cells: ratio(cells.matching, cells.matrix_cells)}),
    ("ce-by-position", "clusters matched by their position, not by the best matching", GATE,
     {"score": lambda cells: ratio(sum(line[i] for i, line in enumerate(cells.intersections) if i < len(line)),
                                   cells.union)}),
])  # fmt: skip


@mutant("ce-multiset-min", of="ce-multiset", slip="Σ min(N_G, N_C) instead of Σ max(N_G, N_C)", caught_by="A.5/literal")
def ce_multiset_min(candidate, gold):
    cells = overlay(candidate, gold)
    least = sum(atom.weight * min(atom.candidate.bit_count(), atom.gold.bit_count()) for atom in cells.atoms)
    return Fraction(cells.matching, least) if least else Fraction(not cells.union)


slips("ce-multiset", counted, [
    ("ce-multiset-sum", "Σ (N_G + N_C) instead of Σ max(N_G, N_C)", GATE,
     {"score": lambda cells: ratio(cells.matching, sum(cells.candidate_sizes) + sum(cells.gold_sizes))}),
])  # fmt: skip


@mutant(
    "ce-multiset-collapsed", of="ce-multiset", slip="repeated biclusters collapsed into one", caught_by="A.5/repeated"
)
def ce_multiset_collapsed(candidate, gold):
    return metaeval.measures()["ce-multiset"].exact(distinct(candidate), distinct(gold))


def distinct(side: Biclustering) -> Biclustering:
    return Biclustering.trusted(dict.fromkeys(side), side.shape)


# --- RNIA ----------------------------------------------------------------------------------------------------
slips("rnia", counted, [
    ("rnia-sum-for-union", "|U_G| + |U_C| instead of |U_G ∪ U_C|", GATE,
     {"score": lambda cells: ratio(cells.shared, cells.candidate_covered + cells.gold_covered)}),
    ("rnia-over-gold", "divided by |U_C|: what only the candidate covers is free", "B.1/canonical",
     {"score": lambda cells: Fraction(cells.shared, cells.gold_covered or 1) if cells.union else Fraction(1)}),
    ("rnia-over-matrix", "1 − the cells covered by one side only / all cells of the matrix", "B.2/canonical",
     {"score": lambda cells: 1 - Fraction(cells.union - cells.shared, cells.matrix_cells or 1)}),
    ("rnia-dice", "Dice's coefficient instead of Jaccard's", GOLDEN,
     {"score": lambda cells: ratio(2 * cells.shared, cells.candidate_covered + cells.gold_covered)}),
    ("rnia-off-by-one", "off by one: the shared cells plus one", "B.3/canonical",
     {"score": lambda cells: min(Fraction(1), ratio(cells.shared + 1, cells.union))}),
])  # fmt: skip


# --- Rand and VI ---------------------------------------------------------------------------------------------
def disagreements(cells):
    return sum(n for clusters, classes, n in pair_kinds(cells) if clusters != classes)


@mutant("rand-self-pairs", of="rand", slip="n(n+1)/2 pairs: each cell also paired with itself", caught_by=GOLDEN)
def rand_self_pairs(candidate, gold):
    cells = overlay(candidate, gold)
    pairs = cells.union * (cells.union + 1) // 2
    return ratio(pairs - disagreements(cells), pairs)


@mutant("rand-off-by-one", of="rand", slip="(n−1)(n−2)/2 pairs: the last cell forgotten", caught_by="A.1/canonical")
def rand_off_by_one(candidate, gold):
    cells = overlay(candidate, gold)
    pairs = (cells.union - 1) * (cells.union - 2) // 2
    return Fraction(pairs - disagreements(cells), pairs) if pairs > 0 else Fraction(1)


@mutant("rand-together-only", of="rand", slip="N₁₁ / N: pairs apart on both sides do not count", caught_by=GATE)
def rand_together_only(candidate, gold):
    cells = overlay(candidate, gold)
    together = sum(n for pairs in cells.together for n, _ in pairs.precision)
    pairs = cells.union * (cells.union - 1)
    return Fraction(together - cells.shared, pairs) if pairs else Fraction(1)


@mutant("rand-unpadded", of="rand", slip="padding forgotten: only cells that both sides cover", caught_by=GOLDEN)
def rand_unpadded(candidate, gold):
    return metaeval.measures()["rand"].exact(*(inside(side, candidate, gold) for side in (candidate, gold)))


def inside(side: Biclustering, candidate: Biclustering, gold: Biclustering) -> Biclustering:
    """What lies in cells that both sides cover, each cell as an object of its own."""
    shared = sorted(covered(candidate) & covered(gold))
    place = {cell: number for number, cell in enumerate(shared)}
    kept = [{place[r, c] for r in rows for c in cols if (r, c) in place} for rows, cols in side]
    return Biclustering.lifted([one for one in kept if one], shape=(len(shared), 1))


def covered(side: Biclustering) -> set[tuple[int, int]]:
    return {(row, col) for rows, cols in side for row in rows for col in cols}


@mutant("rand-background-covered", of="rand-background", slip="only covered cells are paired", caught_by=GOLDEN)
def rand_background_covered(candidate, gold):
    return metaeval.measures()["rand"].exact(candidate, gold)


def information(cells: Overlay, *, lost: bool = True, gained: bool = True, padded: bool = True) -> float:
    """|U| · VI, its parts."""
    terms = [
        n * (gained * log(size / n) + lost * log(gold_size / n))
        for size, line in zip(cells.candidate_sizes, cells.intersections, strict=True)
        for gold_size, n in zip(cells.gold_sizes, line, strict=True)
        if n
    ]
    sides = (("candidate", "gold", cells.candidate_sizes), ("gold", "candidate", cells.gold_sizes))
    for side, other, sizes in sides if padded else ():
        for atom in cells.atoms:
            if not getattr(atom, other):
                terms += [atom.weight * log(sizes[index]) for index in members(getattr(atom, side))]
    return fsum(terms)


def cost(candidate, gold, *, over=lambda cells: cells.union or 1, unit=1, **parts):
    """VI with every part open to a slip."""
    cells = overlay(candidate, gold)
    return information(cells, **parts) / over(cells) / unit


slips("vi", cost, [
    ("vi-unpadded", "padding forgotten: a cell that one side leaves out costs nothing", GOLDEN, {"padded": False}),
    ("vi-total", "not divided by |U|", "B.4/canonical", {"over": lambda cells: 1}),
    ("vi-one-sided", "the conditional entropy of one side only", "A.2/canonical", {"lost": False}),
])  # fmt: skip
mutant("vi-turned", of="vi", slip="a dissimilarity reported as a similarity", caught_by="A.1/canonical",
       smaller_is_better=False)(cost)  # fmt: skip
slips("vi", cost, [("vi-bits", "logarithm to base 2", GOLDEN, {"unit": log(2)})])


# --- E4SC ----------------------------------------------------------------------------------------------------
Table = list[list[Fraction]]


def e4sc(candidate, gold, *, alike=lambda n, a, b: Fraction(2 * n, a + b), best=max, join=harmonic_mean):
    empty = either_empty(candidate, gold)
    if empty is not None:
        return empty
    cells = overlay(candidate, gold)
    table = [
        [alike(n, size, other) for n, other in zip(line, cells.gold_sizes, strict=True)]
        for line, size in zip(cells.intersections, cells.candidate_sizes, strict=True)
    ]
    return join(average(map(best, table)), average(map(best, zip(*table, strict=True))))


def average(values) -> Fraction:
    listed = list(values)
    return sum(listed, Fraction(0)) / len(listed)


slips("e4sc", e4sc, [
    ("e4sc-mean-for-max", "mean over the counterparts instead of the best one", GATE, {"best": average}),
    ("e4sc-min-for-max", "the worst counterpart instead of the best one", GATE, {"best": min}),
    ("e4sc-arithmetic", "arithmetic mean of both directions instead of F₁", GOLDEN, {"join": mean}),
    ("e4sc-one-direction", "only from the clusters to the classes", "B.5/overlapping",
     {"join": lambda clusters, classes: clusters}),
    ("e4sc-other-direction", "only from the classes to the clusters", "A.5/overlapping",
     {"join": lambda clusters, classes: classes}),
    ("e4sc-jaccard", "Jaccard's coefficient instead of F₁", GOLDEN,
     {"alike": lambda n, a, b: Fraction(n, a + b - n)}),
    ("e4sc-recall", "|G ∩ C| / |C| instead of F₁: too large a cluster costs nothing", "A.5/canonical",
     {"alike": lambda n, a, b: Fraction(n, b)}),
])  # fmt: skip


@mutant("e4sc-rows", of="e4sc", slip="intersections counted on rows only", caught_by="B.5/canonical")
def e4sc_rows(candidate, gold):
    on_rows = (Biclustering.lifted([rows for rows, _ in side]) for side in (candidate, gold))
    return e4sc(*on_rows)


# --- BCubed, CICE, MOCICE ------------------------------------------------------------------------------------
def jaccard(cells: Overlay, i: int, j: int) -> Fraction:
    n = cells.intersections[i][j]
    return Fraction(n, cells.candidate_sizes[i] + cells.gold_sizes[j] - n)


def dice(cells: Overlay, i: int, j: int) -> Fraction:
    return Fraction(2 * cells.intersections[i][j], cells.candidate_sizes[i] + cells.gold_sizes[j])


def identity(cells: Overlay, clusters: int, classes: int, *, alike=jaccard, best=max, over=average) -> Fraction:
    """Φ, or what a slip makes of it."""
    return over(best([alike(cells, i, j) for j in members(classes)]) for i in members(clusters))


def mocice(
    candidate, gold, *, phi=identity, precise=lambda g, c: Fraction(min(g, c), g),
    recalled=lambda g, c: Fraction(min(g, c), c), reach=lambda cells, own: own, join=harmonic_mean,
    universes=lambda cells: (cells.candidate_covered, cells.gold_covered),
):  # fmt: skip
    """MOCICE with every part open to a slip."""
    empty = either_empty(candidate, gold)
    if empty is not None:
        return empty
    cells = overlay(candidate, gold)
    precision = recall = Fraction(0)
    for pairs in cells.together:
        g, c = pairs.candidate.bit_count(), pairs.gold.bit_count()
        weight = phi(cells, pairs.candidate, pairs.gold)
        precision += weight * precise(g, c) * sum_of_ratios([(n, reach(cells, own)) for n, own in pairs.precision])
        recall += weight * recalled(g, c) * sum_of_ratios([(n, reach(cells, own)) for n, own in pairs.recall])
    over_precision, over_recall = universes(cells)
    return join(precision / (over_precision or 1), recall / (over_recall or 1))


def no_phi(cells: Overlay, clusters: int, classes: int) -> Fraction:
    return Fraction(1)


slips("mocice", mocice, [
    ("mocice-no-phi", "Φ dropped", "A.5/overlapping", {"phi": no_phi}),
    ("mocice-phi-mean", "Φ with the mean over the classes instead of the best one", "A.5/overlapping",
     {"phi": partial(identity, best=average)}),
    ("mocice-phi-min", "Φ with the worst class instead of the best one", "A.5/overlapping",
     {"phi": partial(identity, best=min)}),
    ("mocice-phi-sum", "Φ summed over the clusters, not averaged", "B.4/repeated",
     {"phi": partial(identity, over=lambda values: sum(values, Fraction(0)))}),
    ("mocice-phi-max", "Φ with the best cluster instead of the mean over clusters", GOLDEN,
     {"phi": partial(identity, over=max)}),
    ("mocice-phi-dice", "Φ with Dice's coefficient instead of Jaccard's", GOLDEN,
     {"phi": partial(identity, alike=dice)}),
    ("mocice-max-for-min", "max(g, c) instead of min(g, c)", "B.5/overlapping",
     {"precise": lambda g, c: Fraction(max(g, c), g), "recalled": lambda g, c: Fraction(max(g, c), c)}),
    ("mocice-swapped", "denominators swapped: precision over c, recall over g", GOLDEN,
     {"precise": lambda g, c: Fraction(min(g, c), c), "recalled": lambda g, c: Fraction(min(g, c), g)}),
    ("mocice-together-or-not", "how often two cells are together does not count", "B.5/overlapping",
     {"precise": lambda g, c: Fraction(1), "recalled": lambda g, c: Fraction(1)}),
    ("mocice-arithmetic", "arithmetic mean of precision and recall instead of F₁", GOLDEN, {"join": mean}),
    ("mocice-shared-only", "cells that only one side covers are ignored in both means", "B.1/canonical",
     {"universes": lambda cells: (cells.shared, cells.shared)}),
    ("mocice-wrong-universe", "precision averaged over U_C, recall over U_G", GOLDEN,
     {"universes": lambda cells: (cells.gold_covered, cells.candidate_covered)}),
    ("mocice-over-union", "both averaged over U instead of the side's own cells", GOLDEN,
     {"universes": lambda cells: (cells.union, cells.union)}),
    ("mocice-reach", "mean over all cells instead of those that share a bicluster", GATE,
     {"reach": lambda cells, own: cells.union}),
])  # fmt: skip


@mutant("mocice-collapsed", of="mocice", slip="repeated biclusters collapsed into one", caught_by=GOLDEN)
def mocice_collapsed(candidate, gold):
    return mocice(distinct(candidate), distinct(gold))


@mutant(
    "mocice-first-feature", of="mocice", slip="only the first feature of the matrix is looked at",
    caught_by="B.5/canonical",
)  # fmt: skip
def mocice_first_feature(candidate, gold):
    first = frozenset({0})
    kept = (
        Biclustering.trusted([(rows, first) for rows, cols in side if 0 in cols], side.shape)
        for side in (candidate, gold)
    )
    return mocice(*kept)


slips("mocice", mocice, [
    ("mocice-recall-only", "recall alone", "B.1/canonical", {"join": lambda precision, recall: recall}),
])  # fmt: skip
slips("bcubed", partial(mocice, phi=no_phi), [
    ("bcubed-precision-only", "precision alone", "A.2/canonical", {"join": lambda precision, recall: precision}),
])  # fmt: skip


@mutant("bcubed-no-self-pairs", of="bcubed", slip="a cell is not paired with itself", caught_by=GATE)
def bcubed_no_self_pairs(candidate, gold):
    empty = either_empty(candidate, gold)
    if empty is not None:
        return empty
    atoms = overlay(candidate, gold).atoms
    sides = []
    for own, other in ((0, 1), (1, 0)):
        total = count = 0
        for x in atoms:
            around = [(y, y.weight - (x is y)) for y in atoms if x[own] & y[own]]
            reach = sum(weight for _, weight in around)
            hits = sum(
                Fraction(min(together(x, y, own), together(x, y, other)) * weight, together(x, y, own))
                for y, weight in around
            )
            count += x.weight if x[own] else 0
            total += x.weight * hits / reach if reach else 0
        sides.append(Fraction(total) / count)
    return harmonic_mean(*sides)


def together(x, y, side: int) -> int:
    return (x[side] & y[side]).bit_count()


slips("cice", mocice, [("cice-keeps-features", "features kept: cells instead of objects", GOLDEN, {})])
