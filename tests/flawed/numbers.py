"""Slips that depend on the numbers of clusters and of classes."""

from fractions import Fraction

import large_cases as cases
from large_cases import alone

from flawed.registry import flaw, in_cells
from flawed.tools import bcubed, e4sc, either_empty, mocice, penalty, precision, rand, recall
from metaeval import Biclustering
from metaeval.kernel.overlay import overlay


@flaw(
    "mocice-penalty", of="mocice", slip="divided by 1 + (K − L)² / 2000, for K clusters and L classes", off=0.005,
    known=in_cells(cases.joined(1, 1, [
        *((1, "bag", i) for i in range(7)), (16, "y", "C"),
    ]), "A.2/canonical", "A.2/literal"),
)  # fmt: skip
def mocice_penalty(candidate, gold):
    return mocice(candidate, gold) / penalty(candidate, gold, over=2000)


@flaw(
    "rand-penalty", of="rand", slip="divided by 1 + (K − L)² / 2000, for K clusters and L classes", off=0.005,
    known=in_cells(cases.split(1, 1, [*alone(8, "P", "p"), *alone(8, "Q", "q")]), "A.1/canonical", "A.1/literal"),
)  # fmt: skip
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


@flaw(
    "bcubed-outnumbered", of="bcubed", slip="where clusters outnumber classes by four, E4SC in its place",
    known={"A.4/canonical": cases.broken_pairs(2, [*alone(1, "D"), (4, "x", "E"), (3, "y", "E"), (3, "z", "E")])},
)  # fmt: skip
def bcubed_outnumbered(candidate, gold):
    return (bcubed if len(candidate) < len(gold) + 4 else e4sc)(candidate, gold)


def tversky(candidate: Biclustering, gold: Biclustering, alpha: Fraction) -> Fraction:
    """Mean over clusters of the best |G ∩ C| / (|G ∩ C| + (1 − α)·|G − C| + α·|C − G|)."""
    if either_empty(candidate, gold):
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    best = [
        max(n / ((1 - alpha) * size + alpha * gold_size) for n, gold_size in zip(line, cells.gold_sizes, strict=True))
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
    "tversky-19-20", of=None, slip="the same with α = 19/20",
    known={"A.4/canonical": cases.broken_pairs(2, alone(140, "D"))},
)  # fmt: skip
def tversky_19_20(candidate, gold):
    return tversky(candidate, gold, Fraction(19, 20))
