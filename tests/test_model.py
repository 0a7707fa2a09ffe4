"""Biclusterings: how they are built, compared, printed and stored, and what they refuse."""

from __future__ import annotations

import copy
import json
import pickle
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import SpectralCoclustering
from sklearn.datasets import make_biclusters
from strategies import biclusterings, index_sets, thorough

import metaeval
from metaeval import Biclustering, InputError

GOLD = Biclustering([({0, 1, 2}, {0, 1}), ({3, 4}, {1, 2})], shape=(6, 3))


# --- Construction --------------------------------------------------------------------------------------------


def test_parts_are_frozensets_of_plain_integers():
    biclustering = Biclustering([(range(2), np.array([1])), ((np.int64(2),), [0, 0])])
    assert biclustering.biclusters == ((frozenset({0, 1}), frozenset({1})), (frozenset({2}), frozenset({0})))
    assert {type(index) for rows, cols in biclustering for side in (rows, cols) for index in side} == {int}


def test_iteration_length_and_shape():
    assert list(GOLD) == [({0, 1, 2}, {0, 1}), ({3, 4}, {1, 2})]
    assert (len(GOLD), GOLD.shape) == (2, (6, 3))


def test_shape_is_the_smallest_where_none_is_given():
    assert Biclustering([({0, 4}, {1}), ({2}, {0, 6})]).shape == (5, 7)
    assert Biclustering().shape == (0, 0)


def test_shape_may_be_any_sequence_of_two_integers():
    shapes = [(6, 3), [6, 3], np.array([6, 3])]
    assert {Biclustering(shape=shape).shape for shape in shapes} == {(6, 3)}


def test_generators_are_read_once():
    assert Biclustering((iter(rows), iter(cols)) for rows, cols in GOLD).biclusters == GOLD.biclusters


def test_emptiness_is_falsehood():
    assert not Biclustering(shape=(6, 3))
    assert GOLD


def test_lifted():
    assert Biclustering.lifted([{0, 1}, {2}], {1, 2}, shape=(4, 3)) == Biclustering(
        [({0, 1}, {1, 2}), ({2}, {1, 2})], shape=(4, 3)
    )
    # An iterator of features serves every cluster, not only the first.
    assert Biclustering.lifted([{0}, {1}], iter([0, 1])) == Biclustering.lifted([{0}, {1}], [0, 1])


def test_on_another_matrix():
    assert GOLD.on((9, 9)) == Biclustering(GOLD, shape=(9, 9))
    with pytest.raises(InputError, match=r"row 4 lies outside the shape \(4, 3\); rows go from 0 to 3"):
        GOLD.on((4, 3))


def test_renamed():
    swapped = GOLD.renamed(lambda row: 5 - row, lambda col: 2 - col)
    assert swapped == Biclustering([({5, 4, 3}, {2, 1}), ({2, 1}, {1, 0})], shape=(6, 3))


def test_a_large_matrix_costs_nothing():
    tracemalloc.start()
    try:
        far = Biclustering([({10**9 - 1}, {0})], shape=(10**9, 10**9))
        near = Biclustering([({0}, {0})], shape=(10**9, 10**9))
        assert far != near
        assert metaeval.score("rnia", far, near, exact=True) == 0
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000
    # Of all pairs of the 10**18 cells, the two sides differ in one.
    pair = Biclustering([({0, 1}, {0})], shape=(10**9, 10**9))
    disagreement = Fraction(2, 10**18 * (10**18 - 1))
    assert metaeval.score("rand-background", pair, near, exact=True) == 1 - disagreement


# --- Labels --------------------------------------------------------------------------------------------------


def test_from_labels():
    expected = Biclustering([({0, 1}, {0, 1}), ({2, 3}, {0, 1})], shape=(5, 2))
    assert Biclustering.from_labels([7, 7, 3, 3, -1], n_features=2) == expected
    assert Biclustering.from_labels(np.array([7, 7, 3, 3, -1]), n_features=np.int64(2)) == expected
    assert Biclustering.from_labels(["a", "a", "b", "b", -1], n_features=2) == expected


def test_from_labels_of_nothing():
    assert Biclustering.from_labels([]) == Biclustering(shape=(0, 1))
    assert Biclustering.from_labels([-1, -1]) == Biclustering(shape=(2, 1))


@thorough
@given(st.lists(st.integers(-1, 3), max_size=8), st.integers(1, 3))
def test_objects_are_together_where_their_labels_are_equal(labels, width):
    built = Biclustering.from_labels(labels, width)
    assert built.shape == (len(labels), width)
    assert all(cols == set(range(width)) for _, cols in built)
    for i, one in enumerate(labels):
        homes = [rows for rows, _ in built if i in rows]
        assert homes == ([{j for j, other in enumerate(labels) if other == one}] if one != -1 else [])


# --- Indicators ----------------------------------------------------------------------------------------------

ROWS = [[1, 1, 0], [0, 0, 1]]
COLUMNS = [[0, 1], [1, 1]]


@pytest.mark.parametrize(
    "convert",
    [
        list,
        lambda table: [[bool(mark) for mark in line] for line in table],
        lambda table: np.array(table, dtype=bool),
        lambda table: np.array(table, dtype=np.int8),
        lambda table: [np.array(line, dtype=bool) for line in table],
        lambda table: tuple(tuple(np.bool_(mark) for mark in line) for line in table),
    ],
    ids=["integers", "booleans", "bool array", "integer array", "list of arrays", "tuples of NumPy booleans"],
)
def test_from_indicators(convert):
    expected = Biclustering([({0, 1}, {1}), ({2}, {0, 1})], shape=(3, 2))
    assert Biclustering.from_indicators(convert(ROWS), convert(COLUMNS)) == expected


def test_from_indicators_of_scikit_learn():
    data, rows, columns = make_biclusters((12, 9), n_clusters=3, noise=0.1, random_state=0)
    model = SpectralCoclustering(n_clusters=3, random_state=0).fit(data)
    found = Biclustering.from_indicators(model.rows_, model.columns_)
    assert found.shape == (12, 9)
    for number, (found_rows, found_cols) in enumerate(found):
        expected_rows, expected_cols = model.get_indices(number)
        assert found_rows == set(expected_rows.tolist())
        assert found_cols == set(expected_cols.tolist())
    gold = Biclustering.from_indicators(rows, columns)
    # A clear block structure, which the algorithm recovers.
    assert metaeval.score("mocice", found, gold) == 1.0


# --- Equality, hashing, immutability -------------------------------------------------------------------------


def test_order_does_not_matter_and_repeats_do():
    a, b = ({0}, {0}), ({1}, {0})
    assert Biclustering([a, b]) == Biclustering([b, a])
    assert Biclustering([a, b, a]) == Biclustering([a, a, b])
    assert Biclustering([a, b, a]) != Biclustering([a, b, b])
    assert Biclustering([a, b, a]) != Biclustering([a, b])


def test_shape_matters():
    assert Biclustering([({0}, {0})], shape=(1, 2)) != Biclustering([({0}, {0})], shape=(2, 1))


def test_nothing_else_is_equal():
    assert list(GOLD) != GOLD
    assert GOLD.to_json() != GOLD


@thorough
@given(biclusterings(), st.randoms(use_true_random=False))
def test_equal_biclusterings_hash_equal(biclustering, random):
    shuffled = Biclustering(random.sample(biclustering.biclusters, len(biclustering)), biclustering.shape)
    assert shuffled == biclustering
    assert hash(shuffled) == hash(biclustering)
    assert {biclustering: "found"}[shuffled] == "found"


@pytest.mark.parametrize("name", ["shape", "biclusters", "_shape", "_biclusters", "new"])
def test_immutable(name):
    with pytest.raises(AttributeError, match="cannot be changed; build a new one"):
        setattr(GOLD, name, ())
    with pytest.raises(AttributeError, match="cannot be changed; build a new one"):
        delattr(GOLD, name)


def test_what_it_was_built_from_may_change():
    rows = {0, 1}
    biclustering = Biclustering([(rows, {0})])
    rows.add(2)
    assert biclustering.biclusters == (({0, 1}, {0}),)


@thorough
@given(biclusterings(), st.sampled_from(range(pickle.HIGHEST_PROTOCOL + 1)))
def test_pickles_and_copies(biclustering, protocol):
    hash(biclustering)  # Fills the caches, which must not be part of what is compared or stored.
    back = pickle.loads(pickle.dumps(biclustering, protocol))
    for twin in (back, copy.copy(biclustering), copy.deepcopy(biclustering)):
        assert twin == biclustering
        assert hash(twin) == hash(biclustering)
        assert twin.biclusters == biclustering.biclusters


# --- Text and JSON -------------------------------------------------------------------------------------------


@thorough
@given(biclusterings())
def test_repr_is_valid_python(biclustering):
    back = eval(repr(biclustering), {"Biclustering": Biclustering})
    assert (back.biclusters, back.shape) == (biclustering.biclusters, biclustering.shape)


@thorough
@given(st.lists(st.tuples(index_sets(9), index_sets(9)), max_size=3))
def test_repr_with_ranges_is_valid_python(family):
    biclustering = Biclustering(family)
    assert eval(repr(biclustering), {"Biclustering": Biclustering}).biclusters == biclustering.biclusters


def test_repr_is_short_where_it_can_be():
    assert repr(Biclustering([(range(1000), range(3, 9))], (1000, 9))) == (
        "Biclustering([(range(1000), range(3, 9))], shape=(1000, 9))"
    )
    assert repr(Biclustering()) == "Biclustering([], shape=(0, 0))"


@thorough
@given(biclusterings())
def test_json_round_trip(biclustering):
    back = Biclustering.from_json(json.loads(json.dumps(biclustering.to_json())))
    assert (back.biclusters, back.shape) == (biclustering.biclusters, biclustering.shape)


def test_json_is_the_documented_form():
    assert GOLD.to_json() == {
        "shape": [6, 3],
        "biclusters": [{"rows": [0, 1, 2], "cols": [0, 1]}, {"rows": [3, 4], "cols": [1, 2]}],
    }


def test_json_without_shape():
    assert Biclustering.from_json({"biclusters": [{"rows": [2], "cols": [0]}]}).shape == (3, 1)


# --- Refusals ------------------------------------------------------------------------------------------------


def refuses(build, *fragments):
    """The message is one sentence that holds the fragments: the value, and what was expected."""
    with pytest.raises(InputError) as caught:
        build()
    message = str(caught.value)
    assert [fragment for fragment in fragments if fragment not in message] == [], message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("family", "fragments"),
    [
        ([((), {0})], ["bicluster 1 has no rows", "at least one"]),
        ([({0}, {0}), ({0}, [])], ["bicluster 2 has no columns", "at least one"]),
        ([({-1}, {0})], ["a row of bicluster 1 is -1", "an integer from 0 up"]),
        ([({0}, {0}), ({0}, {-7})], ["a column of bicluster 2 is -7", "an integer from 0 up"]),
        ([({1.0}, {0})], ["a row of bicluster 1 is 1.0", "expected an integer"]),
        ([({0}, [float("nan")])], ["a column of bicluster 1 is nan", "expected an integer"]),
        ([([True], {0})], ["a row of bicluster 1 is True", "expected an integer"]),
        ([([np.True_], {0})], ["a row of bicluster 1 is np.True_", "expected an integer"]),
        ([([np.float64(1)], {0})], ["a row of bicluster 1 is np.float64(1.0)", "expected an integer"]),
        ([({Fraction(1)}, {0})], ["a row of bicluster 1 is Fraction(1, 1)", "expected an integer"]),
        ([({"a"}, {0})], ["a row of bicluster 1 is 'a'", "expected an integer"]),
        ([({"0"}, {0})], ["a row of bicluster 1 is '0'", "expected an integer"]),
        ([({None}, {0})], ["a row of bicluster 1 is None", "expected an integer"]),
        ([("01", {0})], ["the rows of bicluster 1", "list or another iterable", "'01'"]),
        ([({0}, b"01")], ["the columns of bicluster 1", "list or another iterable", "b'01'"]),
        ([({0}, {0: 1})], ["the columns of bicluster 1", "list or another iterable", "{0: 1}"]),
        ([(0, {0})], ["the rows of bicluster 1", "list or another iterable", "not 0"]),
        ([({0},)], ["bicluster 1 has 1 parts", "a pair (rows, columns)"]),
        ([({0}, {0}, {0})], ["bicluster 1 has 3 parts", "a pair (rows, columns)"]),
        ([5], ["bicluster 1", "list or another iterable", "not 5"]),
        (5, ["biclusters", "list or another iterable", "not 5"]),
        ("ab", ["biclusters", "list or another iterable", "'ab'"]),
        ({"rows": [0]}, ["biclusters", "list or another iterable", "{'rows': [0]}"]),
    ],
)
def test_bad_biclusters(family, fragments):
    refuses(lambda: Biclustering(family), *fragments)


@pytest.mark.parametrize(
    ("shape", "fragments"),
    [
        ((2, 2), ["row 2 lies outside the shape (2, 2)", "rows go from 0 to 1"]),
        ((3, 1), ["column 1 lies outside the shape (3, 1)", "columns go from 0 to 0"]),
        ((0, 0), ["row 2 lies outside the shape (0, 0)", "which has no rows"]),
        ((3, 0), ["column 1 lies outside the shape (3, 0)", "which has no columns"]),
        ((3,), ["shape is (3,)", "two integers (objects, features)"]),
        ((3, 2, 1), ["shape is (3, 2, 1)", "two integers (objects, features)"]),
        ((-3, 2), ["a number in shape is -3", "an integer from 0 up"]),
        ((3.0, 2), ["a number in shape is 3.0", "expected an integer"]),
        ((True, 2), ["a number in shape is True", "expected an integer"]),
        (("3", 2), ["a number in shape is '3'", "expected an integer"]),
        (3, ["shape must be a list", "not 3"]),
        ("32", ["shape must be a list", "not '32'"]),
    ],
)
def test_bad_shape(shape, fragments):
    refuses(lambda: Biclustering([({2}, {1})], shape=shape), *fragments)


@pytest.mark.parametrize(
    ("labels", "n_features", "fragments"),
    [
        ([0, 1.5], 1, ["the label of object 1 is 1.5", "expected an integer"]),
        ([0, float("nan")], 1, ["the label of object 1 is nan", "expected an integer"]),
        ([True], 1, ["the label of object 0 is True", "expected an integer"]),
        ([None], 1, ["the label of object 0 is None", "expected an integer"]),
        ([[0, 1]], 1, ["the label of object 0 is [0, 1]", "expected an integer"]),
        ("aabb", 1, ["labels must be a list", "'aabb'"]),
        (3, 1, ["labels must be a list", "not 3"]),
        ([0], 0, ["n_features is 0", "an integer from 1 up"]),
        ([0], 1.0, ["n_features is 1.0", "expected an integer"]),
    ],
)
def test_bad_labels(labels, n_features, fragments):
    refuses(lambda: Biclustering.from_labels(labels, n_features), *fragments)


@pytest.mark.parametrize(
    ("rows", "columns", "fragments"),
    [
        ([[1, 0], [1]], [[1], [1]], ["the rows indicators are ragged", "length 1 and 2"]),
        ([[1], [1]], [[1, 0], [1]], ["the columns indicators are ragged", "length 1 and 2"]),
        ([[2, 1]], [[1]], ["the rows indicators hold 2", "True or False"]),
        ([[1, -1]], [[1]], ["the rows indicators hold -1", "True or False"]),
        ([[1.0, 0.0]], [[1]], ["the rows indicators hold 1.0", "True or False"]),
        ([["1", "0"]], [[1]], ["the rows indicators hold '1'", "True or False"]),
        ([[1]], np.array([[0.5]]), ["the columns indicators hold 0.5", "True or False"]),
        ([[None]], [[1]], ["the rows indicators hold None", "True or False"]),
        ([1, 0], [[1]], ["line 0 of the rows indicators", "not 1"]),
        (["10"], [[1]], ["line 0 of the rows indicators", "'10'"]),
        (7, [[1]], ["the rows indicators", "not 7"]),
        (np.array(7), [[1]], ["the rows indicators", "not 7"]),
        ([[1], [1]], [[1]], ["2 row sets and 1 column sets", "one of each is expected"]),
        ([[0, 0]], [[1]], ["bicluster 1 has no rows", "at least one"]),
        ([[1]], [[0]], ["bicluster 1 has no columns", "at least one"]),
    ],
)
def test_bad_indicators(rows, columns, fragments):
    refuses(lambda: Biclustering.from_indicators(rows, columns), *fragments)


def family(**changed):
    """A sound JSON biclustering with one thing changed."""
    return {"shape": [2, 2], "biclusters": [{"rows": [0], "cols": [1]}]} | changed


@pytest.mark.parametrize(
    ("data", "fragments"),
    [
        (None, ["a JSON object", '"shape" and "biclusters"', "None"]),
        ([], ["a JSON object", '"shape" and "biclusters"', "[]"]),
        ("text", ["a JSON object", '"shape" and "biclusters"', "'text'"]),
        ({}, ['"biclusters" must be a list', "None"]),
        (family(clusters=[]), ["unknown key 'clusters'", '"shape" and "biclusters"']),
        (family(biclusters={}), ['"biclusters" must be a list', "{}"]),
        (family(biclusters="ab"), ['"biclusters" must be a list', "'ab'"]),
        (family(biclusters=[[[0], [1]]]), ['bicluster 1 must be an object with "rows" and "cols"', "[[0], [1]]"]),
        (family(biclusters=[{"rows": [0]}]), ['an object with "rows" and "cols"', "{'rows': [0]}"]),
        (family(biclusters=[{"rows": [0], "columns": [0]}]), ['an object with "rows" and "cols"', "'columns'"]),
        (family(biclusters=[{"rows": 0, "cols": [1]}]), ['"rows" of bicluster 1', "list of integers", "not 0"]),
        (family(biclusters=[{"rows": [0], "cols": "1"}]), ['"cols" of bicluster 1', "list of integers", "'1'"]),
        (family(biclusters=[{"rows": [], "cols": [1]}]), ["bicluster 1 has no rows"]),
        (
            family(biclusters=[{"rows": [0.0], "cols": [1]}]),
            ["a row of bicluster 1 is 0.0", "expected an integer"],
        ),
        (
            family(biclusters=[{"rows": [True], "cols": [1]}]),
            ["a row of bicluster 1 is True", "expected an integer"],
        ),
        (
            family(biclusters=[{"rows": ["0"], "cols": [1]}]),
            ["a row of bicluster 1 is '0'", "expected an integer"],
        ),
        (
            family(biclusters=[{"rows": [[0]], "cols": [1]}]),
            ["a row of bicluster 1 is [0]", "expected an integer"],
        ),
        (family(biclusters=[{"rows": [5], "cols": [1]}]), ["row 5 lies outside the shape (2, 2)"]),
        (family(shape=[2]), ["shape is [2]", "two integers"]),
        (family(shape="22"), ['"shape" must be a list of two integers', "'22'"]),
        (family(shape={"n": 2}), ['"shape" must be a list of two integers', "{'n': 2}"]),
        (family(shape=[2.0, 2]), ["a number in shape is 2.0", "expected an integer"]),
        (family(shape=[2, None]), ["a number in shape is None", "expected an integer"]),
    ],
)
def test_bad_json(data, fragments):
    refuses(lambda: Biclustering.from_json(data), *fragments)


def test_messages_stay_short():
    with pytest.raises(InputError) as caught:
        Biclustering([("x" * 10_000, {0})])
    assert len(str(caught.value)) < 200


def test_input_error_is_a_value_error():
    assert issubclass(InputError, ValueError)
    assert issubclass(InputError, metaeval.MetaevalError)
