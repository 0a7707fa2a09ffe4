"""The kernel against brute force over single cells, and its float path against its exact one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_pairs, families, overlapping_pairs, thorough

import metaeval
from metaeval import Biclustering, kernel_numpy
from metaeval.kernel import LARGE, Overlay, harmonic_mean, members, overlay, sum_of_ratios

FAST = [measure for measure in metaeval.measures().values() if measure.fast is not None]
every_fast_measure = pytest.mark.parametrize("measure", FAST, ids=[measure.id for measure in FAST])


def mask(family, *items):
    """Bit i set where the i-th member holds all the items."""
    return sum(1 << i for i, member in enumerate(family) if all(item in member for item in items))


def by_cells(pair):
    """Both families as sets of cells, and every cell of either."""
    G, C = map(reference.cells, pair)
    return G, C, reference.covered(G + C)


# --- Counts --------------------------------------------------------------------------------------------------


@thorough
@given(any_pairs)
def test_atoms(pair):
    G, C, U = by_cells(pair)
    atoms = Overlay(*pair).atoms
    assert {(atom.candidate, atom.gold): atom.weight for atom in atoms} == Counter(
        (mask(G, x), mask(C, x)) for x in U
    )
    assert len({(atom.candidate, atom.gold) for atom in atoms}) == len(atoms)


@thorough
@given(any_pairs)
def test_sizes_and_intersections(pair):
    G, C, _ = by_cells(pair)
    found = Overlay(*pair)
    assert found.candidate_sizes == [len(g) for g in G]
    assert found.gold_sizes == [len(c) for c in C]
    assert found.intersections == [[len(g & c) for c in C] for g in G]


@thorough
@given(any_pairs)
def test_covered_cells(pair):
    G, C, U = by_cells(pair)
    U_G, U_C = reference.covered(G), reference.covered(C)
    found = Overlay(*pair)
    assert (found.candidate_covered, found.gold_covered) == (len(U_G), len(U_C))
    assert (found.union, found.shared) == (len(U_G | U_C), len(U_G & U_C))
    assert found.multiset_union == sum(max(sum(x in g for g in G), sum(x in c for c in C)) for x in U)


@pytest.mark.parametrize(
    ("one", "other", "cells"),
    [((4, 2), (4, 2), 8), ((4, 2), (3, 5), 20), ((4, 2), (0, 0), 8), ((0, 3), (0, 0), 0)],
)
def test_matrix_cells_hold_both_matrices(one, other, cells):
    pair = Biclustering(shape=one), Biclustering(shape=other)
    assert Overlay(*pair).matrix_cells == Overlay(*pair[::-1]).matrix_cells == cells


@thorough
@given(st.tuples(families((5, 3), overlapping=True, max_size=5), families((5, 3), overlapping=True, max_size=4)))
def test_matching(pair):
    assert Overlay(*map(Biclustering, pair)).matching == reference.best_matching(*pair)


def test_matching_is_not_greedy():
    # The largest intersection, 3, would leave 0 for the other two; the best matching is 2 + 2.
    candidate = Biclustering.lifted([{0, 1, 2, 3, 4}, {0, 1}], shape=(5, 1))
    gold = Biclustering.lifted([{0, 1, 2}, {3, 4}], shape=(5, 1))
    assert Overlay(candidate, gold).intersections == [[3, 2], [2, 0]]
    assert Overlay(candidate, gold).matching == 4


# --- Pairs of cells ------------------------------------------------------------------------------------------


@thorough
@given(any_pairs)
def test_disagreements(pair):
    G, C, U = by_cells(pair)
    expected = sum((mask(G, x, y) == 0) != (mask(C, x, y) == 0) for x, y in combinations(U, 2))
    assert Overlay(*pair).disagreements == expected


@thorough
@given(any_pairs)
def test_together(pair):
    """Every ordered pair of cells that share something on both sides adds 1/|E(x)| to its group."""
    G, C, U = by_cells(pair)
    precision, recall = Counter(), Counter()
    for x, y in product(U, repeat=2):
        shared = mask(G, x, y), mask(C, x, y)
        if all(shared):
            precision[shared] += Fraction(1, len(reference.covered(reference.holding(G, x))))
            recall[shared] += Fraction(1, len(reference.covered(reference.holding(C, x))))
    groups = Overlay(*pair).together
    assert {(group.candidate, group.gold): sum_of_ratios(group.precision) for group in groups} == precision
    assert {(group.candidate, group.gold): sum_of_ratios(group.recall) for group in groups} == recall


@thorough
@given(any_pairs)
def test_identity_is_phi(pair):
    G, C, U = by_cells(pair)
    found = Overlay(*pair)
    for x, y in product(U, repeat=2):
        shared = mask(G, x, y), mask(C, x, y)
        if all(shared):
            assert Fraction(*found.identity(*shared)) == reference.phi(G, C, x, y)


# --- Arithmetic ----------------------------------------------------------------------------------------------


@thorough
@given(st.integers(0, 2**70))
def test_members(bits):
    assert members(bits) == [i for i, digit in enumerate(reversed(f"{bits:b}")) if digit == "1"]


@thorough
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 50))))
def test_sum_of_ratios(ratios):
    assert sum_of_ratios(iter(ratios)) == sum((Fraction(n, d) for n, d in ratios), Fraction(0))


@thorough
@given(st.fractions(0, 1), st.fractions(0, 1))
def test_harmonic_mean(precision, recall):
    assert harmonic_mean(precision, recall) == reference.f1(precision, recall)


# --- Cost ----------------------------------------------------------------------------------------------------


def test_atoms_follow_structure_not_size():
    n = 20_000
    candidate = Biclustering([(range(n), range(n))], shape=(10**9, 10**9))
    gold = Biclustering([(range(n // 2, n + 7), range(5, n))], shape=(10**9, 10**9))
    found = Overlay(candidate, gold)
    shared = (n // 2) * (n - 5)
    assert sorted(found.atoms) == sorted([(1, 1, shared), (1, 0, n * n - shared), (0, 1, 7 * (n - 5))])
    assert found.matrix_cells == 10**18
    assert found.matching == shared
    # 4·10⁸ cells, exact to the last one.
    assert metaeval.score("rnia", candidate, gold, exact=True) == Fraction(shared, n * n + 7 * (n - 5))


def test_copies_of_a_row_make_no_new_atoms():
    pair = Biclustering([({0, 1}, {0}), ({1, 2}, {0, 1})]), Biclustering([({0, 2}, {1}), ({1}, {0, 1})])
    scaled = [
        Biclustering([([50 * r + i for r in rows for i in range(50)], cols) for rows, cols in side])
        for side in pair
    ]
    assert sorted(Overlay(*scaled).atoms) == sorted((g, c, 50 * n) for g, c, n in Overlay(*pair).atoms)


def test_the_overlay_of_a_pair_is_computed_once():
    a, b = ({0, 1}, {0}), ({2}, {0})
    gold = Biclustering.lifted([{0, 1, 2}])
    assert overlay(Biclustering([a, b]), gold) is overlay(Biclustering([a, b]), gold)
    # In another order the biclusters have other positions, and so have their sizes and intersections.
    assert overlay(Biclustering([a, b]), gold).candidate_sizes == [2, 1]
    assert overlay(Biclustering([b, a]), gold).candidate_sizes == [1, 2]
    assert overlay(Biclustering([a, b]), gold) is not overlay(gold, Biclustering([a, b]))
    # A larger matrix is another pair: its background differs.
    assert overlay(Biclustering([a, b], (9, 9)), gold).matrix_cells == 81


# --- The float path ------------------------------------------------------------------------------------------


def scattered(seed, n_candidate, n_gold, shape=(60, 20)):
    """Two random overlapping families, with a repeat on each side."""
    random = Random(seed)

    def side(count):
        family = [
            tuple(random.sample(range(size), random.randint(1, max(1, 2 * size // 3))) for size in shape)
            for _ in range(count)
        ]
        return Biclustering(family + family[:1], shape)

    return side(n_candidate), side(n_gold)


#: More than one byte of biclusters on a side, more than one block of atoms, more than 64 bits.
LARGE_PAIRS = {
    "balanced": scattered(1, 9, 9),
    "bytes": scattered(2, 8, 17),
    "blocks": scattered(3, 16, 15),
    "words": scattered(4, 70, 3, shape=(30, 20)),
    "one class": scattered(5, 20, 1),
}
every_large_pair = pytest.mark.parametrize("pair", LARGE_PAIRS.values(), ids=LARGE_PAIRS.keys())


def test_the_large_pairs_are_large():
    sizes = {name: len(overlay(*pair).atoms) for name, pair in LARGE_PAIRS.items()}
    assert [name for name, size in sizes.items() if size < LARGE] == []
    assert sizes["blocks"] > 2 * kernel_numpy._BLOCK


def watched(measure):
    """The measure, and the list of the pairs that its fast form was asked for."""
    asked = []

    def fast(candidate, gold):
        asked.append((candidate, gold))
        return measure.fast(candidate, gold)

    return replace(measure, fast=fast), asked


@every_large_pair
@every_fast_measure
def test_float_path_agrees_with_the_exact_one(measure, pair):
    measure, asked = watched(measure)
    exact = measure.exact(*pair)
    assert asked == []
    assert measure.score(*pair) == pytest.approx(float(exact), rel=1e-9, abs=1e-9)
    assert asked == [pair]


@every_fast_measure
def test_float_path_against_nothing(measure):
    side, _ = LARGE_PAIRS["words"]
    nothing = Biclustering(shape=side.shape)
    assert len(overlay(side, nothing).atoms) >= LARGE
    for pair in ((side, nothing), (nothing, side)):
        assert measure.score(*pair) == pytest.approx(float(measure.exact(*pair)), rel=1e-9, abs=1e-9)


@every_fast_measure
def test_small_pairs_take_the_exact_path(measure):
    measure, asked = watched(measure)
    pair = Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1])
    assert measure.score(*pair) == float(measure.exact(*pair))
    assert asked == []


@thorough
@given(overlapping_pairs)
def test_float_precision_and_recall_one_by_one(pair):
    """F₁ could hide an exchange of the two."""
    expected = reference.mocice_precision(*pair), reference.mocice_recall(*pair)
    found = kernel_numpy.precision_recall(Overlay(*pair), identity=True)
    assert found == pytest.approx([float(part) for part in expected], abs=1e-9)
