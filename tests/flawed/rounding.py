"""Scores that are rounded, cut, or taken for perfect too early."""

from fractions import Fraction
from math import floor

import large_cases as cases
import numpy as np
from large_cases import alone

from flawed.registry import flaw, in_cells
from flawed.tools import bcubed, ce, mocice, rand, rnia, vi
from metaeval import Biclustering


@flaw(
    "mocice-three-digits", of="mocice", slip="rounded to three digits", off=0.0005,
    known={
        "A.1/literal": cases.split(1, 1, [*alone(1, "Q"), (6, None, "P"), (5, None, "Q")]),
        "A.1/canonical": cases.split(1, 1, [*cases.mixed_pairs(3), *alone(3, "P", "p"), *alone(5, "Q", "q")]),
        "B.5/overlapping": cases.spanned(Biclustering([(range(6), range(4)), ({0}, {0})])),
    },
)  # fmt: skip
def mocice_three_digits(candidate, gold):
    return round(mocice(candidate, gold), 3)


@flaw(
    "rand-three-digits", of="rand", slip="rounded to three digits", off=0.0005,
    known={
        "A.1/canonical": cases.split(1, 1, [(62, "z", "z")]),
        "A.2/canonical": cases.joined(1, 1, [*alone(4, "C"), (40, "z", "z")]),
        "A.5/canonical": cases.against_gold([(62, "z", "z"), (1, "a", "C"), (1, "b", "C")]),
    },
)  # fmt: skip
def rand_three_digits(candidate, gold):
    return round(rand(candidate, gold), 3)


@flaw(
    "bcubed-percent", of="bcubed", slip="whole per cents", off=0.005,
    known={
        "A.1/canonical": cases.split(1, 1, [*alone(2, "P", "p"), *alone(5, "Q", "q")]),
        "A.2/canonical": cases.joined(1, 1, [(2, "x", "D"), *((1, "x", i) for i in range(9))]),
        **in_cells(cases.rag_bag(2, alone(7, "E")), "A.3/canonical", "A.3/literal"),
    },
)  # fmt: skip
def bcubed_percent(candidate, gold):
    return Fraction(round(100 * bcubed(candidate, gold)), 100)


@flaw(
    "rnia-two-digits", of="rnia", slip="rounded to two digits", off=0.005,
    known=in_cells(cases.added([(1, "a")], [(1, "a", "g"), (13, None, "g")]), "B.1/canonical", "B.1/overlapping"),
)  # fmt: skip
def rnia_two_digits(candidate, gold):
    return round(rnia(candidate, gold), 2)


@flaw(
    "vi-two-digits", of="vi", slip="cut after two digits", off=0.01,
    known={
        **in_cells(cases.broken_pairs(2, [(86, "z", "z")]), "A.4/canonical", "A.4/literal"),
        "A.1/canonical": cases.split(1, 1, [(137, "z", "z")]),
        "A.5/canonical": cases.against_gold([(137, "z", "z"), (1, "a", "C"), (1, "b", "C")]),
    },
)  # fmt: skip
def vi_two_digits(candidate, gold):
    return floor(100 * vi(candidate, gold)) / 100


@flaw(
    "mocice-half-precision", of="mocice", slip="the score is kept in a 16-bit float", off=0.0005,
    known={
        "A.1/canonical": cases.split(1, 1, [(22, "z", "P"), (23, "y", "Q")]),
        **in_cells(cases.joined(1, 1, [(45, "z", "C")]), "A.2/canonical", "A.2/literal"),
    },
)  # fmt: skip
def mocice_half_precision(candidate, gold):
    return float(np.float16(float(mocice(candidate, gold))))


@flaw(
    "ce-almost-perfect", of="ce", slip="from .99 on it is taken for a perfect match",
    known={
        **in_cells(cases.against_gold([(99, "a", "A"), (1, "b", "A")]), "A.5/canonical", "A.5/literal"),
        "B.5/canonical": cases.spanned(Biclustering.lifted([range(99), {99}])),
    },
)  # fmt: skip
def ce_almost_perfect(candidate, gold):
    score = ce(candidate, gold)
    return Fraction(1) if Fraction(99, 100) <= score < 1 else score


@flaw(
    "mocice-almost-perfect", of="mocice", slip="the loop over pairs is left as soon as the score is beyond .999",
    known=in_cells(cases.spanned(Biclustering([
        (range(4), range(4)), ({0}, {0}),
    ])), "A.5/overlapping", "B.5/overlapping"),
)  # fmt: skip
def mocice_almost_perfect(candidate, gold):
    score = mocice(candidate, gold)
    return Fraction(1) if score > Fraction(999, 1000) else score
