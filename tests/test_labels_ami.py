"""AMI of large partitions, in floats: against the exact path, scikit-learn, and what the definition says of edges."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_mutual_info_score

import metaeval
from metaeval import Biclustering, InputError, Undefined
from metaeval.exact import is_exact
from metaeval.kernel import expectation
from metaeval.kernel.overlay import forget_overlays

ami = import_module("metaeval.measures.ami")

#: Each measure with the name of its mean in scikit-learn.
IDS = {"ami": "arithmetic", "ami-geometric": "geometric"}
both = pytest.mark.parametrize("id", IDS)


def drawn(objects, clusters, kept=0.5, seed=0):
    """Random labels, and others that keep some of them."""
    random = np.random.default_rng(seed)
    gold = random.integers(clusters, size=objects)
    return np.where(random.random(objects) < kept, gold, random.integers(clusters, size=objects)), gold


def score_of(id, found, true, limit=ami.LARGE):
    """The score, where as many objects as the limit are large."""
    forget_overlays()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ami, "LARGE", limit)
        return metaeval.measures()[id].value(*(Biclustering.from_labels(labels) for labels in (found, true)))


@st.composite
def label_pairs(draw):
    """Labels of up to 40 objects, or of some 300, which are kept as arrays."""
    n = draw(st.integers(2, 40) | st.integers(290, 310))
    some = st.integers(1, n).flatmap(lambda k: st.lists(st.integers(0, k), min_size=n, max_size=n))
    sides = st.just([0] * n) | st.just([*range(n)]) | some
    return np.array(draw(sides)), np.array(draw(sides))


@both
@given(pair=label_pairs())
def test_floats_are_the_exact_score(id, pair):
    exact, found = score_of(id, *pair), score_of(id, *pair, limit=0)
    assert isinstance(found, float)
    assert found == pytest.approx(float(exact), abs=1e-10)


@both
@given(pair=label_pairs(), entries=st.integers(1, 50))
def test_the_size_of_a_table_changes_nothing(id, pair, entries):
    whole = score_of(id, *pair, limit=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expectation, "_ENTRIES", entries)
        assert score_of(id, *pair, limit=0) == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("clusters", [(2, 2), (3, 40), (1, 5)])
def test_either_side_of_the_limit_is_computed_as_it_should(clusters):
    random = np.random.default_rng(1)
    pair = [random.integers(k, size=5_000) for k in clusters]
    below = [labels[:-1] for labels in pair]
    assert is_exact(score_of("ami", *below))
    assert isinstance(score_of("ami", *pair), float)
    assert score_of("ami", *below, limit=0) == pytest.approx(float(score_of("ami", *below)), abs=1e-10)
    assert score_of("ami", *pair) == pytest.approx(float(score_of("ami", *pair, limit=5_001)), abs=1e-10)


@both
@pytest.mark.parametrize("clusters", [2, 10, 300, 2_000])
@pytest.mark.parametrize("kept", [0, 0.5, 0.99])
def test_agrees_with_scikit_learn(id, clusters, kept):
    found, true = drawn(20_000, clusters, kept)
    theirs = adjusted_mutual_info_score(true, found, average_method=IDS[id])
    assert score_of(id, found, true) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("clusters", [300, 8_000])
def test_many_clusters_score_what_they_exactly_do(clusters):
    """With thousands of clusters scikit-learn is 1e-9 off."""
    pair = drawn(8_000, clusters)
    assert score_of("ami", *pair) == pytest.approx(float(score_of("ami", *pair, limit=8_001)), abs=1e-13)


@both
def test_sizes_of_all_kinds_agree_with_scikit_learn(id):
    random = np.random.default_rng(2)
    uneven = np.minimum(random.zipf(1.5, size=20_000), 5_000)
    most_in_one = np.where(random.random(20_000) < 0.01, uneven, 0)
    for found, true in ((uneven, random.permutation(uneven)), (most_in_one, uneven), (most_in_one, most_in_one // 2)):
        theirs = adjusted_mutual_info_score(true, found, average_method=IDS[id])
        assert score_of(id, found, true) == pytest.approx(theirs, abs=1e-9)
        assert score_of(id, true, found) == pytest.approx(theirs, abs=1e-9)


def test_what_a_million_objects_share_by_chance_counts_for_nothing():
    random = np.random.default_rng(3)
    found, true = random.integers(1_000, size=1_000_000), random.integers(1_000, size=1_000_000)
    assert score_of("ami", found, true) == pytest.approx(0, abs=1e-3)


ONE, SINGLETONS, SOME = np.zeros(6_000, int), np.arange(6_000), np.arange(6_000) % 7


@both
@pytest.mark.parametrize(
    ("found", "true", "expected"),
    [
        (ONE, ONE, 1),
        (SINGLETONS, SINGLETONS, 1),
        (SOME, (SOME + 1) % 7 * 5, 1),
        (ONE, SOME, 0),
        (SOME, ONE, 0),
        (ONE, SINGLETONS, 0),
        (SINGLETONS, ONE, 0),
    ],
)
def test_edges_are_exactly_what_is_agreed(id, found, true, expected):
    value = score_of(id, found, true)
    assert isinstance(value, float)
    assert value == expected


@both
def test_singletons_tell_no_more_than_chance(id):
    assert score_of(id, SINGLETONS, SOME) == pytest.approx(0, abs=1e-12)
    assert score_of(id, SOME, SINGLETONS) == pytest.approx(0, abs=1e-12)


@both
def test_labels_and_sets_and_lifted_labels_score_alike(id):
    pair = drawn(6_000, 5)
    plain = score_of(id, *pair)
    lifted = [Biclustering.from_labels(labels, 3) for labels in pair]
    assert metaeval.score(id, *lifted) == plain
    sets = [Biclustering(side.biclusters, side.shape) for side in lifted]
    assert metaeval.score(id, *sets) == pytest.approx(plain, abs=1e-12)


@both
def test_large_inputs_have_no_exact_form(id):
    sides = [Biclustering.from_labels(labels) for labels in drawn(5_000, 4)]
    with pytest.raises(InputError, match=f"{id} has no exact form: it returned 0"):
        metaeval.score(id, *sides, exact=True)


@both
def test_large_inputs_that_are_no_partitions_have_no_score(id):
    found, true = drawn(6_000, 4)
    true[5] = -1
    with pytest.raises(Undefined, match="an object is in no cluster of one side"):
        metaeval.score(id, Biclustering.from_labels(found), Biclustering.from_labels(true))
