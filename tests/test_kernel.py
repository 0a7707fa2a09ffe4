"""The kernel against brute force over single cells, and its float path against its exact one."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, permutations, product
from random import Random
from types import MappingProxyType

import numpy as np
import pytest
import reference
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import any_pairs, families, overlapping_pairs, quick, thorough

import metaeval
from metaeval import Biclustering
from metaeval.catalogue.measure import find_measure, make_measure
from metaeval.equations import Expression, exact_sums
from metaeval.exact import LogSum, RootSum
from metaeval.kernel import large_overlay as kernel_arrays
from metaeval.kernel import pair_sums as kernel_numpy
from metaeval.kernel import pair_sums_exact as kernel_exact
from metaeval.kernel.large_overlay import LargeOverlay

from metaeval.kernel.overlay import (  # isort: skip
    LARGE, MANY_CELLS, Overlay, forget_overlays, members, overlay, sum_of_ratios,
)  # fmt: skip

#: Those whose sums over pairs of cells arrays add up under overlap, and two others.
FAST_IDS = (
    "rand", "rand-background", "csi", "ebc", "cice", "bcubed", "mocice", "mocice-precision", "mocice-recall", "vi",
    "consensus",
)  # fmt: skip
FAST = [find_measure(id) for id in FAST_IDS]


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
def test_counts_of_cells(pair):
    G, C, U = by_cells(pair)
    U_G, U_C = reference.covered(G), reference.covered(C)
    found = Overlay(*pair)
    atoms = Counter((mask(G, x), mask(C, x)) for x in U)
    assert {(atom.candidate, atom.gold): atom.weight for atom in found.atoms} == atoms
    assert len(found.atoms) == len(atoms)
    assert found.candidate_sizes == tuple(len(g) for g in G)
    assert found.gold_sizes == tuple(len(c) for c in C)
    assert found.intersections == tuple(tuple(len(g & c) for c in C) for g in G)
    assert found.meetings == {(i, j): len(g & c) for i, g in enumerate(G) for j, c in enumerate(C) if g & c}
    assert (found.candidate_covered, found.gold_covered) == (len(U_G), len(U_C))
    assert (found.union, found.shared) == (len(U_G | U_C), len(U_G & U_C))
    assert found.multiset_union == sum(max(sum(x in g for g in G), sum(x in c for c in C)) for x in U)


@pytest.mark.parametrize(
    ("one", "other", "cells"), [((4, 2), (4, 2), 8), ((4, 2), (3, 5), 20), ((4, 2), (0, 0), 8), ((0, 3), (0, 0), 0)]
)
def test_matrix_cells_hold_both_matrices(one, other, cells):
    pair = Biclustering(shape=one), Biclustering(shape=other)
    assert Overlay(*pair).matrix_cells == Overlay(*pair[::-1]).matrix_cells == cells


@thorough
@given(st.tuples(families((5, 3), overlapping=True, max_size=5), families((5, 3), overlapping=True, max_size=4)))
def test_matching(pair):
    assert Overlay(*map(Biclustering, pair)).matching == reference.best_matching(*pair)


@thorough
@given(st.integers(1, 5).flatmap(lambda size: st.lists(
    st.lists(st.integers(0, 9), min_size=size, max_size=size), min_size=size, max_size=size,
)), st.randoms(use_true_random=False))  # fmt: skip
def test_any_matching_is_improved_to_the_best(table, random):
    def summed(places):
        return sum(line[place] for line, place in zip(table, places, strict=True))

    start = random.sample(range(len(table)), len(table))
    places = exact_sums.improved(table, start)
    assert sorted(places) == sorted(start)
    assert summed(places) == max(map(summed, permutations(range(len(table)))))


def test_a_matching_that_floats_cannot_tell_from_the_best_is_improved():
    # 2⁶⁰ and 2⁶⁰ + 1 are the same float.
    for better in (((0, 0), (1, 1)), ((0, 1), (1, 0))):
        ratios = {pair: (2**60 + (pair in better), 1) for pair in product(range(2), repeat=2)}
        assert exact_sums.best_matching(ratios, 2, 2) == (2**61 + 2, 1)


@thorough
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=12, max_size=12))
def test_the_best_matching_of_ratios(ratios):
    pairs = dict(zip(product(range(3), range(4)), ratios, strict=True))
    expected = max(sum(Fraction(*pairs[i, j]) for i, j in enumerate(chosen)) for chosen in permutations(range(4), 3))
    assert Fraction(*exact_sums.best_matching(pairs, 3, 4)) == expected


# --- Pairs of cells ------------------------------------------------------------------------------------------
def counted(views):
    """Numbers of pairs by what both cells share, those that occur."""
    return Counter({(a, b): number for a, b, number in views if number})


@thorough
@given(any_pairs)
def test_pairs_of_cells(pair):
    """Every ordered pair of cells that share something on both sides adds 1/|E(x)| to its group."""
    G, C, U = by_cells(pair)
    found = Overlay(*pair)
    precision, recall = Counter(), Counter()
    depths = Counter()
    for x, y in product(U, repeat=2):
        shared = mask(G, x, y), mask(C, x, y)
        depths[shared[0].bit_count(), shared[1].bit_count()] += x < y
        if all(shared):
            precision[shared] += Fraction(1, len(reference.covered(reference.holding(G, x))))
            recall[shared] += Fraction(1, len(reference.covered(reference.holding(C, x))))
            assert Fraction(*found.identity(*shared)) == reference.phi(G, C, x, y)
    assert {(group.candidate, group.gold): sum_of_ratios(group.precision) for group in found.together} == precision
    assert {(group.candidate, group.gold): sum_of_ratios(group.recall) for group in found.together} == recall
    views = Counter((mask(G, x, y), mask(C, x, y)) for x, y in combinations(U, 2))
    kinds = Counter()
    for (clusters, classes), number in depths.items():
        kinds[int(clusters > 0), int(classes > 0)] += number
    for known, expected in (
        (exact_sums.pair_depths(found), depths),
        (exact_sums.pair_kinds(found), kinds),
        (exact_sums.pair_views(found), views),
    ):
        assert counted(known) == expected
    assert not U or counted(kernel_exact.pair_depths(found)) == depths


# --- Arithmetic ----------------------------------------------------------------------------------------------
@thorough
@given(st.integers(0, 2**70), st.lists(st.tuples(st.integers(-50, 50), st.integers(1, 50))))
def test_arithmetic(bits, ratios):
    assert members(bits) == tuple(i for i, digit in enumerate(reversed(f"{bits:b}")) if digit == "1")
    assert sum_of_ratios(iter(ratios)) == sum((Fraction(n, d) for n, d in ratios), Fraction(0))


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


def test_the_overlay_of_a_pair_is_computed_once():
    a, b = ({0, 1}, {0}), ({2}, {0})
    gold = Biclustering.lifted([{0, 1, 2}])
    assert overlay(Biclustering([a, b]), gold) is overlay(Biclustering([a, b]), gold)
    # In another order the biclusters have other positions, and so have their sizes and intersections.
    assert overlay(Biclustering([a, b]), gold).candidate_sizes == (2, 1)
    assert overlay(Biclustering([b, a]), gold).candidate_sizes == (1, 2)
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


def nested(depth):
    """Biclusters that lie inside each other, in another order of columns on the other side."""
    inner = [range(i, 2 * depth - i) for i in range(depth)]
    sides = [(rows, range(1 + i % 5)) for i, rows in enumerate(inner)], [(rows, range(2)) for rows in inner[::2]]
    return tuple(Biclustering(side, (2 * depth, 5)) for side in sides)


def piled(depth):
    """Nearly the same bicluster again and again: the sums by subsets cancel to less than rounding leaves."""
    random = Random(depth)
    pile = [
        [(set(range(40)) - {random.randrange(40)}, set(range(9)) - {random.randrange(9)}) for _ in range(depth)]
        for _ in range(2)
    ]
    return tuple(Biclustering([*side, *scattered(depth, 7, 7, (40, 9))[0]], (40, 9)) for side in pile)


#: More than one byte of biclusters on a side, more than 64 on one and on both, few atoms and many.
LARGE_PAIRS = {
    "balanced": scattered(1, 9, 9), "bytes": scattered(2, 8, 17), "many atoms": scattered(3, 16, 15),
    "words": scattered(4, 70, 3, shape=(30, 20)), "words on both sides": scattered(6, 66, 70, shape=(20, 20)),
    "one class": scattered(5, 20, 1),
}  # fmt: skip
#: Few atoms that many biclusters cover: too many subsets to look at.
DEEP_PAIRS = {"nested": nested(72), "piled": piled(6)}
EVERY_PAIR = {**LARGE_PAIRS, **DEEP_PAIRS}
every_large_pair = pytest.mark.parametrize("pair", EVERY_PAIR.values(), ids=EVERY_PAIR.keys())
NOTHING = Biclustering(shape=(30, 20))

#: What decides between the two ways: at no cost subsets are taken, at infinite cost pairs.
WAYS = {"by subsets": 0, "by pairs": float("inf")}
every_way = pytest.mark.parametrize("cost", WAYS.values(), ids=WAYS.keys())


def similarity(measure, pair):
    """The fast form's score, computed anew and however small the pair."""
    forget_overlays()
    return similarity_here(measure, pair)


def similarity_here(measure, pair):
    """The same with what is known of the pair."""
    value = measure.equation.fast(*pair)
    return -value if measure.smaller_is_better else value


def nearly(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-12)


def test_the_large_pairs_are_large():
    sizes = {name: overlay(*pair).size for name, pair in LARGE_PAIRS.items()}
    assert [name for name, size in sizes.items() if size < LARGE] == []


@pytest.fixture
def asked(monkeypatch):
    """The pairs that arrays were asked for."""
    pairs, fast = [], metaeval.Equation.fast
    monkeypatch.setattr(metaeval.Equation, "fast", lambda self, *pair: pairs.append(pair) or fast(self, *pair))
    return pairs


@every_large_pair
def test_float_path_agrees_with_the_exact_one(pair, asked):
    exact = []
    for measure in FAST:
        exact.append(measure.value(*pair))
        assert asked == [], measure.id
        assert measure.score(*pair) == nearly(exact[-1]), measure.id
        assert asked == ([pair] if overlay(*pair).size >= LARGE else []), measure.id
        asked.clear()
    forget_overlays()
    for measure, value in zip(FAST, exact, strict=True):
        assert similarity_here(measure, pair) == nearly(value), measure.id


def test_small_pairs_take_the_exact_path(asked):
    pair = Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1])
    for measure in FAST:
        assert (measure.score(*pair), asked) == (float(measure.value(*pair)), [])


@pytest.mark.parametrize("id", ["csi", "ebc"])
def test_a_large_matrix_costs_what_its_structure_does(id):
    """Twenty million cells, most of them covered by nothing: each is a singleton, and none is looked at."""
    random = Random(7)
    shape = 20_000, 1_000
    sides = [
        Biclustering([tuple(random.sample(range(size), size // 10) for size in shape) for _ in range(20)], shape)
        for _ in range(2)
    ]
    measure = find_measure(id)
    # Of the exact sums, the pairs of atoms are counted; the float ones are made by inclusion and exclusion.
    assert measure.score(*sides) == nearly(measure.exact(*sides))


@thorough
@given(pair=any_pairs)
def test_either_way_agrees_with_the_exact_path(pair):
    assume(overlay(*pair).union > 1)
    exact = [measure.value(*pair) for measure in FAST]
    for cost in WAYS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel_numpy, "_SUBSET", cost)
            for measure, value in zip(FAST, exact, strict=True):
                assert similarity(measure, pair) == nearly(value), measure.id


@every_way
@pytest.mark.parametrize("name", ["balanced", "bytes", "many atoms"])
def test_work_in_small_pieces_adds_up(name, cost, monkeypatch):
    pair = LARGE_PAIRS[name]
    monkeypatch.setattr(kernel_numpy, "_SUBSET", cost)
    found = []
    for piece in (kernel_numpy._PIECE, 50_000 if name == "many atoms" else 5000):
        monkeypatch.setattr(kernel_numpy, "_PIECE", piece)
        forget_overlays()
        found.append({measure.id: similarity_here(measure, pair) for measure in FAST})
    assert found[1] == pytest.approx(found[0], rel=1e-12, abs=1e-12)


@every_way
@pytest.mark.parametrize("name", ["balanced", "many atoms"])
def test_the_number_of_threads_does_not_matter(name, cost, monkeypatch):
    monkeypatch.setattr(kernel_numpy, "_SUBSET", cost)
    monkeypatch.setattr(kernel_numpy, "_PIECE", 5000)
    found = []
    for threads in (1, 2, 7):
        monkeypatch.setattr(kernel_arrays, "cores", lambda threads=threads: threads)
        found.append([similarity(find_measure(id), LARGE_PAIRS[name]) for id in ("mocice-precision", "mocice-recall")])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("id", ["bcubed", "mocice", "csi"])
def test_where_rounding_would_show_pairs_decide(id, monkeypatch):
    """Each of 2²⁶ subsets is small beside the sum of their sizes."""
    pair = piled(13)
    monkeypatch.setattr(kernel_numpy, "_SUBSET", 0)
    asked = []
    monkeypatch.setattr(kernel_numpy, "_by_subsets", lambda atoms, terms, _: [(0.5, 1e-3 * t.whole) for t in terms])
    by_pairs = kernel_numpy._by_pairs
    monkeypatch.setattr(kernel_numpy, "_by_pairs", lambda *args: asked.append(1) or by_pairs(*args))
    assert similarity(find_measure(id), pair) == nearly(find_measure(id).value(*pair))
    assert asked == [1]


def test_rounding_is_seen():
    """The bound on what rounding may have moved grows as biclusters pile up, and covers what it did."""
    bounds = []
    for depth in (2, 4, 6):
        table = Overlay(*piled(depth)).table
        covered = (table.candidate.depths > 0) & (table.gold.depths > 0)
        assert covered.any()
        sides = [kernel_numpy.only(side, covered) for side in table.sides]
        atoms = kernel_arrays.AtomTable(*sides, table.weights[covered])
        whole = float(table.weights.sum())
        term = kernel_numpy.PairTerm(lambda g, c: Fraction(min(g, c), g * g), atoms.weights / whole, whole)
        ((value, bound),) = kernel_numpy._by_subsets(atoms, [term], None)
        ((expected, _),) = kernel_numpy._by_pairs(atoms, [term], None)
        assert value == pytest.approx(expected, abs=bound)
        bounds.append(bound)
    assert bounds == sorted(bounds)


def test_float_path_against_nothing():
    side, _ = LARGE_PAIRS["words"]
    assert overlay(side, NOTHING).size >= LARGE
    for measure in FAST:
        for pair in ((side, NOTHING), (NOTHING, side)):
            assert measure.score(*pair) == nearly(measure.value(*pair)), measure.id


@thorough
@given(overlapping_pairs)
def test_float_precision_and_recall_one_by_one(pair):
    """F₁ could hide an exchange of the two."""
    expected = reference.mocice_precision(*pair), reference.mocice_recall(*pair)
    found = [similarity(find_measure(id), pair) for id in ("mocice-precision", "mocice-recall")]
    assert found == pytest.approx([float(part) for part in expected], abs=1e-12)


# --- What measures can reach ---------------------------------------------------------------------------------
def reachable(value, seen):
    """Whatever is inside a value, down to plain numbers."""
    if id(value) in seen or isinstance(value, (int, float, Fraction, str, bytes, type(None))):
        return
    seen[id(value)] = value
    yield value
    if isinstance(value, (tuple, frozenset)):
        parts = value
    elif isinstance(value, Mapping):
        parts = (*value.keys(), *value.values())
    elif isinstance(value, Biclustering):
        parts = [value.biclusters, value.shape]
    elif isinstance(value, Overlay):
        names = [name for name in dir(value) if not name.startswith("_") and not callable(getattr(value, name))]
        parts = [*(getattr(value, name) for name in names), *value._values.values()]
    else:
        parts = ()
    for part in parts:
        yield from reachable(part, seen)


FIXED = (tuple, frozenset, MappingProxyType, Biclustering, Overlay, np.ndarray, np.generic, Expression, LogSum, RootSum)


@pytest.mark.parametrize("arrays", [False, True])
@pytest.mark.parametrize("name", ["bytes", "lifted", "labels", "wide"])
def test_nothing_that_measures_share_can_be_changed(name, arrays):
    pairs = {
        "lifted": [Biclustering.lifted([{0, 1}, {1, 2, 3}], range(2)), Biclustering.lifted([{0, 1, 2}], range(2))],
        "labels": [
            Biclustering.from_labels([k % 4 for k in range(9)]),
            Biclustering.from_labels([k % 3 for k in range(9)]),
        ],
        "wide": [Biclustering([(range(900), range(k, 60))]) for k in (0, 1)],
    }
    pair = pairs.get(name) or LARGE_PAIRS[name]
    forget_overlays()
    for measure in metaeval.measures().values():
        with suppress(metaeval.Undefined):
            measure.equation.fast(*pair) if arrays and measure.is_equation else measure(*pair)
    cells = overlay(*pair)
    found = list(reachable(cells, {}))
    assert len(found) > 10
    assert {type(one) for one in found if not isinstance(one, FIXED)} == set()
    for array in (one for one in found if isinstance(one, np.ndarray)):
        for change in (lambda a: a.fill(0), lambda a: a.setflags(write=True), lambda a: a.base.setflags(write=True)):
            with pytest.raises((ValueError, AttributeError)):
                change(array)
    for change in (setattr, lambda *_: delattr(cells, "atoms"), lambda *_: cells.atoms.append(1)):
        with pytest.raises((AttributeError, TypeError)):
            change(cells, "atoms", ())


def test_a_hostile_measure_changes_no_score():
    """It tries whatever changes a list, a dictionary, a set, an array or an object."""
    pair = Biclustering.lifted([{0, 1}, {1, 2, 3}]), Biclustering.lifted([{0, 1, 2}, {3}])
    ids = [m.id for m in FAST]
    expected = [find_measure(id).value(*pair) for id in ids]

    def hostile(candidate, gold):
        for one in reachable(overlay(candidate, gold), {}):
            for spoil in (
                lambda x: x.clear(), lambda x: x.append(7), lambda x: x.pop(), lambda x: x.update({}),
                lambda x: x.fill(7), lambda x: x.setflags(write=True), lambda x: x.__setitem__(0, 7),
                lambda x: x.__setitem__((0, 0), 7), lambda x: setattr(x, "union", 7), lambda x: setattr(x, "atoms", ()),
                lambda x: setattr(x, "shape", (7, 7)), lambda x: delattr(x, "atoms"),
            ):  # fmt: skip
                with suppress(Exception):
                    spoil(one)
        return 0

    make_measure(hostile, id="hostile").value(*pair)
    assert [find_measure(id).value(*pair) for id in ids] == expected
    forget_overlays()
    assert [find_measure(id).value(*pair) for id in ids] == expected


# --- Atoms by arrays -----------------------------------------------------------------------------------------
COUNTS = (
    "size", "candidate_sizes", "gold_sizes", "intersections", "meetings", "candidate_covered", "gold_covered", "union",
    "shared", "multiset_union", "matrix_cells", "matching",
)  # fmt: skip


def assert_same_overlay(pair):
    plain, arrays = Overlay(*pair), LargeOverlay(*pair)
    assert {name: getattr(arrays, name) for name in COUNTS} == {name: getattr(plain, name) for name in COUNTS}
    assert sorted(arrays.atoms) == sorted(plain.atoms)
    assert all(type(number) is int for atom in arrays.atoms for number in atom)
    assert all(type(n) is int for line in arrays.intersections for n in line)


@thorough
@given(any_pairs)
def test_arrays_find_the_same_atoms(pair):
    assert_same_overlay(pair)


@every_large_pair
def test_arrays_find_the_same_atoms_of_large_pairs_and_where_they_are_merged_early(pair, monkeypatch):
    for one in (pair, (pair[0], NOTHING), (NOTHING, pair[1])):
        assert_same_overlay(one)
    monkeypatch.setattr(kernel_arrays, "_LINES", 3)
    monkeypatch.setattr(kernel_arrays, "_MOST_UNMERGED", 50)
    assert_same_overlay(pair)


def test_large_pairs_are_overlaid_by_arrays():
    side = Biclustering([(range(1000), range(MANY_CELLS // 1000)), ({1000}, {7})])
    cells = overlay(side, side)
    assert isinstance(cells, LargeOverlay)
    assert cells.together == Overlay(side, side).together
    # Numbers that NumPy has no integers for.
    beyond = Biclustering([*side, ({2**63}, {0})])
    assert type(overlay(beyond, side)) is Overlay
    # Few cells on a large matrix.
    assert type(overlay(Biclustering([({0}, {0})], side.shape), Biclustering(shape=side.shape))) is Overlay


def test_few_large_overlays_keep_their_arrays():
    forget_overlays()
    sides = [Biclustering([(range(i, 1000), range(100))]) for i in range(6)]
    kept = [overlay(side, sides[0]) for side in sides]
    unions = [cells.union for cells in kept]
    assert ["table" in vars(cells) for cells in kept] == [False, False, True, True, True, True]
    assert overlay(sides[0], sides[0]) is kept[0]
    # Asked again, they compute them again, and others give theirs back.
    assert [kept[i].union for i in (0, 1)] == unions[:2]
    assert ["table" in vars(cells) for cells in kept] == [True, True, False, False, True, True]


# --- exact sums with arrays
@quick
@given(pair=overlapping_pairs)
def test_pairs_that_arrays_sum_up_are_those_of_the_definition(pair):
    expected = {}
    # As it is, with small blocks, and with Python's integers.
    for limits in ({}, {"_BLOCK": 3}, {"_LARGEST": 0}):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("metaeval.kernel.overlay.MANY_ATOMS", 0)
            for name, value in limits.items():
                patch.setattr(kernel_exact, name, value)
            forget_overlays()
            assume(overlay(*pair).is_tangled)
            ids = ("bcubed", "mocice", "mocice-precision", "mocice-recall", "csi", "ebc")
            found = {id: find_measure(id).value(*pair) for id in ids}
        forget_overlays()
        assert {type(value) for value in found.values()} == {Fraction}
        expected = expected or {id: reference.MEASURES[id](*pair) for id in found}
        assert found == expected, limits


def test_many_atoms_are_left_to_arrays_and_score_the_same(monkeypatch):
    """More biclusters than a word has bits, and so many atoms that the choice is made by itself."""
    draw = Random(1)
    sides = [
        Biclustering([(draw.sample(range(25), 6), draw.sample(range(25), 6)) for _ in range(70)], (25, 25))
        for _ in range(2)
    ]
    assert overlay(*sides).is_tangled
    ids = ("bcubed", "mocice", "csi", "ebc")
    found = [find_measure(id).value(*sides) for id in ids]
    forget_overlays()
    monkeypatch.setattr("metaeval.kernel.overlay.MANY_ATOMS", 10**9)
    assert not overlay(*sides).is_tangled
    assert [find_measure(id).value(*sides) for id in ids] == found
