"""The measures against the paper, the definitional references, other libraries and their own properties."""

from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from math import log, prod
from pathlib import Path

import bcubed as bcubed_package
import numpy as np
import pytest
import reference
import reference_partitions
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import consensus_score, rand_score
from strategies import any_pairs, disjoint_pairs, hundreds, label_pairs, overlapping_pairs, quick, thorough

import metaeval
from metaeval import Biclustering
from metaeval.catalogue.measure import is_own
from metaeval.exact import LogSum, RootSum
from metaeval.kernel.overlay import forget_overlays

FILES = import_module("metaeval.measures").FILES

#: metaeval's own measures; a plug-in of the environment is not ours to judge.
OWN = {id: measure for id, measure in metaeval.measures().items() if is_own(measure)}
every_measure = pytest.mark.parametrize("measure", OWN.values(), ids=OWN.keys())

#: Those of any biclustering; test_partition_measures.py has what is defined on partitions and clusterings only.
MEASURES = {id: measure for id, measure in OWN.items() if measure.domain == "biclusterings"}
every_measure_of_biclusterings = pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES.keys())

# What is not in a list is in its complement: every measure is on one side of each.
ASYMMETRIC = {
    "cice", "mocice", "mocice-precision", "mocice-recall", "prelic-relevance", "prelic-recovery", "liu-wang",
    "santamaria", "weighted-jaccard", "weighted-dice", "bozdag-u", "bozdag-e", "ayadi", "eren-relevance",
    "eren-recovery",
}  # fmt: skip

SYMMETRIC = set(reference.MEASURES) - ASYMMETRIC

LOGARITHMIC = {"vi"}
WITH_ROOTS = {"prelic-relevance", "prelic-recovery"}
RATIONAL = set(reference.MEASURES) - LOGARITHMIC - WITH_ROOTS

ABOVE_BEST = {"ce"}
NOT_BEST_ON_ITSELF = {"ce", "vi"}
BEST_ON_ITSELF = set(reference.MEASURES) - NOT_BEST_ON_ITSELF

BLIND_TO_FEATURES = {"cice"}
SEES_BACKGROUND = {"rand-background", "csi", "ebc"}
BLIND_TO_BACKGROUND = set(reference.MEASURES) - SEES_BACKGROUND

#: With exactly one side empty; for the others the padding decides.
ZERO_AGAINST_NOTHING = set(reference.MEASURES) - {"rand", "rand-background", "vi"}

NOTHING = Biclustering(shape=(4, 2))
OVERLAPPING = Biclustering.lifted([{0, 1, 2}, {1, 2, 3}])


def by_ids(ids):
    return pytest.mark.parametrize("id", sorted(ids))


# --- The registry against the specification ------------------------------------------------------------------
def test_the_ids_are_those_of_the_specification():
    assert set(MEASURES) == set(reference.MEASURES)
    assert set(OWN) == set(MEASURES) | set(reference_partitions.MEASURES)
    assert {id: measure.optimum for id, measure in MEASURES.items()} == {id: 0 if id == "vi" else 1 for id in MEASURES}


def test_every_file_is_listed():
    (folder,) = find_spec("metaeval.measures").submodule_search_locations
    files = {path.stem for path in Path(folder).glob("*.py") if path.stem != "__init__"}
    assert files == set(FILES)
    assert len(FILES) == len(files)


def test_the_table_follows_the_order_of_the_files():
    places = [FILES.index(measure.home.removeprefix("metaeval.measures.")) for measure in OWN.values()]
    assert places == sorted(places)
    assert set(places) == set(range(len(FILES)))


@every_measure
def test_description_says_where_it_is_undefined_and_shows_an_example(measure):
    text = measure.doc or measure.function.__doc__
    assert "Undefined when" in text
    assert ">>> " in text
    assert measure.summary.endswith(".")
    assert measure.name != measure.id
    assert "doi:" in measure.citation or "arXiv:" in measure.citation


# --- The references ------------------------------------------------------------------------------------------
def compare_with_reference(measure, candidate, gold):
    expected = reference.MEASURES[measure.id](candidate, gold)
    if measure.id in RATIONAL:
        exact = measure.exact(candidate, gold)
        assert isinstance(exact, Fraction), measure.id
        assert exact == expected, measure.id
    assert measure.score(candidate, gold) == pytest.approx(float(expected), abs=1e-12), measure.id
    on_arrays = measure.equation.fast(candidate, gold) * (-1 if measure.smaller_is_better else 1)
    assert on_arrays == pytest.approx(float(expected), abs=1e-12), measure.id


@hundreds
@given(disjoint_pairs, overlapping_pairs)
def test_agrees_with_its_definition(disjoint, overlapping):
    for measure in MEASURES.values():
        compare_with_reference(measure, *disjoint)
        compare_with_reference(measure, *overlapping)


# --- Other libraries -----------------------------------------------------------------------------------------
@thorough
@given(label_pairs(), st.integers(1, 3))
def test_rand_agrees_with_scikit_learn_on_partitions(labellings, width):
    found, true = labellings
    candidate, gold = (Biclustering.from_labels(labels, width) for labels in labellings)
    # A lifted partition is a partition of the cells: the label of a cell is that of its object.
    expected = rand_score(
        [label for label in true for _ in range(width)], [label for label in found for _ in range(width)]
    )
    for id in ("rand", "rand-background"):
        assert metaeval.score(id, candidate, gold) == pytest.approx(expected, abs=1e-12)


@thorough
@given(any_pairs)
def test_bcubed_agrees_with_the_bcubed_package(pair):
    candidate, gold = pair
    universe = reference.covered(reference.cells(candidate) + reference.cells(gold))
    assume(universe)
    # The package does not penalise cells that one side leaves out, so both sides cover the same here.
    sides = [
        Biclustering(
            [*side, *(({row}, {col}) for row, col in universe - reference.covered(reference.cells(side)))], side.shape
        )
        for side in pair
    ]
    found, true = (reference.names(reference.cells(side)) for side in sides)
    precision, recall = bcubed_package.precision(found, true), bcubed_package.recall(found, true)
    expected = bcubed_package.fscore(precision, recall)
    assert metaeval.score("bcubed", *sides) == pytest.approx(expected, abs=1e-9)


@thorough
@given(any_pairs)
def test_ebc_agrees_with_the_bcubed_package(pair):
    assume(all(pair))
    found, true = map(reference.names, reference.soft_clusterings(*pair))
    precision, recall = bcubed_package.precision(found, true), bcubed_package.recall(found, true)
    assert metaeval.score("ebc", *pair) == pytest.approx(bcubed_package.fscore(precision, recall), abs=1e-9)


def indicators(side):
    """A biclustering in the form of scikit-learn: two boolean tables of bicluster × row, or column."""
    return tuple(
        np.array([[line in bicluster[axis] for line in range(side.shape[axis])] for bicluster in side])
        for axis in (0, 1)
    )


@thorough
@given(any_pairs)
def test_consensus_agrees_with_scikit_learn(pair):
    assume(all(pair))
    assert metaeval.score("consensus", *pair) == pytest.approx(consensus_score(*map(indicators, pair)), abs=1e-9)


# --- Invariances ---------------------------------------------------------------------------------------------
def scores(ids, candidate, gold):
    """Similarities by id, computed without what an equal pair has left in the cache."""
    forget_overlays()
    return {id: MEASURES[id].value(candidate, gold) for id in ids}


@thorough
@given(overlapping_pairs | any_pairs, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(pair, random):
    n, m = pair[0].shape
    rows, cols = random.sample(range(n), n), random.sample(range(m), m)
    shuffled = [Biclustering(random.sample(side.biclusters, len(side)), side.shape) for side in pair]
    expected = scores(MEASURES, *pair)
    assert scores(MEASURES, *shuffled) == expected
    assert scores(MEASURES, *(side.renamed(rows.__getitem__, cols.__getitem__) for side in shuffled)) == expected


@thorough
@given(any_pairs)
def test_symmetric(pair):
    candidate, gold = pair
    assert scores(SYMMETRIC, candidate, gold) == scores(SYMMETRIC, gold, candidate)


@by_ids(ASYMMETRIC)
def test_asymmetric(id):
    # Φ averages over the clusters and takes the best class: sides swapped, the two change places.
    candidate, gold = Biclustering.lifted([{0, 1}]), Biclustering.lifted([{0, 1}, {0, 1, 2}])
    assert metaeval.score(id, candidate, gold, exact=True) != metaeval.score(id, gold, candidate, exact=True)


@quick
@given(any_pairs, st.integers(0, 3), st.integers(0, 3))
def test_background_is_not_seen(pair, more_objects, more_features):
    n, m = pair[0].shape
    larger = [side.on((n + more_objects, m + more_features)) for side in pair]
    assert scores(BLIND_TO_BACKGROUND, *larger) == scores(BLIND_TO_BACKGROUND, *pair)


#: A pair on two cells, its score there, and its score on three.
WITH_BACKGROUND = {
    "rand-background": ([{0, 1}], [{0}, {1}], 0, Fraction(2, 3)),
    # Precision is 1/2 in the mean of two cells, and 2/3 with a third one of which both sides make a singleton.
    "ebc": ([{0, 1}], [{0}, {1}], Fraction(2, 3), Fraction(4, 5)),
    # One more bicluster holds each of two cells than on the other side, which counts in one pair, and then in two.
    "csi": ([{0, 1}, {0, 1}], [{0, 1}], Fraction(1, 4), Fraction(1, 6)),
}


@by_ids(SEES_BACKGROUND)
def test_background_is_seen(id):
    *sides, before, after = WITH_BACKGROUND[id]
    candidate, gold = map(Biclustering.lifted, sides)
    assert metaeval.score(id, candidate, gold, exact=True) == before
    assert metaeval.score(id, candidate.on((3, 1)), gold.on((3, 1)), exact=True) == after


@quick
@given(any_pairs)
def test_features_are_not_seen(pair):
    without = [Biclustering.lifted([rows for rows, _ in side]) for side in pair]
    assert scores(BLIND_TO_FEATURES, *pair) == scores(BLIND_TO_FEATURES, *without)


@by_ids(set(reference.MEASURES) - BLIND_TO_FEATURES)
def test_features_are_seen(id):
    candidate, gold = (Biclustering([({0, 1}, {feature})], shape=(2, 2)) for feature in (0, 1))
    assert metaeval.score(id, candidate, gold) < MEASURES[id].optimum


# --- Bounds and the optimum ----------------------------------------------------------------------------------
@thorough
@given(overlapping_pairs)
def test_bounds(pair):
    found = scores(MEASURES, *pair)
    assert [id for id in set(MEASURES) - ABOVE_BEST if found[id] > MEASURES[id].optimum] == []
    assert [id for id in set(MEASURES) - LOGARITHMIC if found[id] < 0] == []
    assert [id for id, measure in MEASURES.items() if measure.lowest is not None and found[id] < measure.lowest] == []


@quick
@given(disjoint_pairs, overlapping_pairs)
def test_best_on_itself(disjoint, overlapping):
    """Some where nothing overlaps alone."""
    for ids, pair in ((set(MEASURES), disjoint), (BEST_ON_ITSELF, overlapping)):
        for side in pair:
            assert scores(ids, side, side) == {id: MEASURES[id].optimum for id in ids}


@by_ids(NOT_BEST_ON_ITSELF | ABOVE_BEST)
def test_not_best_on_itself_under_overlap(id):
    found = metaeval.score(id, OVERLAPPING, OVERLAPPING, exact=True)
    assert found != MEASURES[id].optimum
    assert id not in ABOVE_BEST or found == Fraction(3, 2)


# --- Conventions ---------------------------------------------------------------------------------------------
@every_measure_of_biclusterings
def test_both_sides_empty_is_best(measure):
    assert measure.score(NOTHING, NOTHING) == measure.optimum
    assert measure.score(Biclustering(), Biclustering()) == measure.optimum


@quick
@given(any_pairs)
def test_one_side_empty_is_zero(pair):
    side = max(pair, key=len)
    assume(side)
    nothing = Biclustering(shape=side.shape)
    zeros = dict.fromkeys(ZERO_AGAINST_NOTHING, 0)
    assert scores(zeros, side, nothing) == zeros
    assert scores(zeros, nothing, side) == zeros


def test_one_side_empty_is_padded_by_rand_and_vi():
    pair = Biclustering.lifted([{0, 1}], shape=(3, 1)), Biclustering(shape=(3, 1))
    for candidate, gold in (pair, pair[::-1]):
        # One pair of cells, together on one side only.
        assert metaeval.score("rand", candidate, gold, exact=True) == 0
        # Of the three pairs of the matrix, two are apart on both sides.
        assert metaeval.score("rand-background", candidate, gold, exact=True) == Fraction(2, 3)
        # Two singletons for one pair: one bit.
        assert metaeval.score("vi", candidate, gold) == pytest.approx(-log(2))


@pytest.mark.parametrize("gold", [Biclustering([({0}, {0})]), Biclustering(shape=(1, 1)), Biclustering()])
@pytest.mark.parametrize("id", ["rand", "rand-background"])
def test_rand_of_fewer_than_two_cells_is_one(id, gold):
    assert metaeval.score(id, Biclustering([({0}, {0})]), gold, exact=True) == 1


#: The score of a bicluster that is found twice; of all others it is 1, as they do not ask how often.
SCORED_TWICE = {
    # Every pair is together twice and belongs together once: half of each decision is right.
    **{"mocice-precision": Fraction(1, 2), "mocice-recall": Fraction(1)},
    **dict.fromkeys(("mocice", "cice", "bcubed", "ebc"), Fraction(2, 3)),
    # One of the two is matched, and each cell is covered twice.
    **dict.fromkeys(("ce-multiset", "rnia-multiset", "consensus"), Fraction(1, 2)),
    # Three pairs are together twice and once; in each, both cells are covered once more than they should be.
    "csi": Fraction(3, 12),
}


@by_ids(RATIONAL | WITH_ROOTS)
def test_repeats_count_as_separate_biclusters(id):
    once, twice = Biclustering.lifted([{0, 1, 2}]), Biclustering.lifted([{0, 1, 2}, {0, 1, 2}])
    assert metaeval.score(id, twice, once, exact=True) == SCORED_TWICE.get(id, 1)


# --- VI ------------------------------------------------------------------------------------------------------
@thorough
@given(any_pairs)
def test_vi_is_exactly_the_logarithm_of_a_rational_number(pair):
    assume(any(pair))
    expected, union = reference.vi_product(*pair)
    score = metaeval.score("vi", *pair, exact=True)
    assert isinstance(score, LogSum)
    powers = {prime: -coefficient * union for prime, coefficient in score.coefficients.items()}
    assert all(power.denominator == 1 for power in powers.values())
    assert prod((Fraction(prime) ** power.numerator for prime, power in powers.items()), start=1) == expected


# --- Roots ---------------------------------------------------------------------------------------------------
@thorough
@given(any_pairs)
def test_prelic_is_exactly_the_root_of_a_rational_number(pair):
    assume(all(pair))
    for id, sides in (("prelic-relevance", pair), ("prelic-recovery", pair[::-1])):
        score = metaeval.score(id, *pair, exact=True)
        assert isinstance(score, RootSum)
        assert score >= 0
        assert score * score == reference.prelic_relevance_squared(*sides)
