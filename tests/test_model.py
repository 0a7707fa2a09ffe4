"""Biclusterings: how they are built, compared, printed and stored, and what they refuse."""

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
    rows = {0, 1}
    biclustering = Biclustering([(rows, np.array([1])), ((np.int64(2),), [0, 0])])
    rows.add(2)  # what it was built from may change
    assert biclustering.biclusters == ((frozenset({0, 1}), frozenset({1})), (frozenset({2}), frozenset({0})))
    assert {type(index) for rows, cols in biclustering for side in (rows, cols) for index in side} == {int}
    assert Biclustering((iter(rows), iter(cols)) for rows, cols in GOLD).biclusters == GOLD.biclusters
    assert list(GOLD) == [({0, 1, 2}, {0, 1}), ({3, 4}, {1, 2})]
    assert (len(GOLD), GOLD.shape, bool(GOLD), bool(Biclustering(shape=(6, 3)))) == (2, (6, 3), True, False)


def test_shape_is_the_smallest_where_none_is_given():
    assert Biclustering([({0, 4}, {1}), ({2}, {0, 6})]).shape == (5, 7)
    assert Biclustering().shape == (0, 0)
    assert Biclustering.from_json({"biclusters": [{"rows": [2], "cols": [0]}]}).shape == (3, 1)
    assert {Biclustering(shape=shape).shape for shape in [(6, 3), [6, 3], np.array([6, 3])]} == {(6, 3)}


def test_lifted_on_another_matrix_and_renamed():
    assert Biclustering.lifted([{0, 1}, {2}], {1, 2}, shape=(4, 3)) == Biclustering(
        [({0, 1}, {1, 2}), ({2}, {1, 2})], shape=(4, 3)
    )
    # An iterator of features serves every cluster, not only the first.
    assert Biclustering.lifted([{0}, {1}], iter([0, 1])) == Biclustering.lifted([{0}, {1}], [0, 1])

    assert GOLD.on((9, 9)) == Biclustering(GOLD, shape=(9, 9))
    with pytest.raises(InputError, match=r"row 4 lies outside the shape \(4, 3\); rows go from 0 to 3"):
        GOLD.on((4, 3))

    swapped = GOLD.renamed(lambda row: 5 - row, lambda col: 2 - col)
    assert swapped == Biclustering([({5, 4, 3}, {2, 1}), ({2, 1}, {1, 0})], shape=(6, 3))


def test_a_large_matrix_costs_nothing():
    metaeval.score("rnia", GOLD, GOLD, exact=True)  # loads what it needs
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
    assert Biclustering([a], shape=(1, 2)) != Biclustering([a], shape=(2, 1))
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
@given(biclusterings() | st.lists(st.tuples(index_sets(9), index_sets(9)), max_size=3).map(Biclustering))
def test_repr_is_valid_python(biclustering):
    back = eval(repr(biclustering), {"Biclustering": Biclustering})
    assert (back.biclusters, back.shape) == (biclustering.biclusters, biclustering.shape)


@thorough
@given(biclusterings())
def test_json_round_trip(biclustering):
    back = Biclustering.from_json(json.loads(json.dumps(biclustering.to_json())))
    assert (back.biclusters, back.shape) == (biclustering.biclusters, biclustering.shape)


def test_json_is_the_documented_form_and_the_repr_short_where_it_can_be():
    long = "Biclustering([(range(1000), range(3, 9))], shape=(1000, 9))"
    assert repr(Biclustering([(range(1000), range(3, 9))], (1000, 9))) == long
    assert repr(Biclustering()) == "Biclustering([], shape=(0, 0))"
    assert GOLD.to_json() == {
        "shape": [6, 3],
        "biclusters": [{"rows": [0, 1, 2], "cols": [0, 1]}, {"rows": [3, 4], "cols": [1, 2]}],
    }


# --- Refusals ------------------------------------------------------------------------------------------------
INTEGER = "expected an integer"
FLOAT = float("nan")


def sets(first, second=(0,)):
    """A single bicluster."""
    return Biclustering, [(first, second)]


def shaped(shape):
    return Biclustering, [({2}, {1})], shape


def labelled(labels, features=1):
    return Biclustering.from_labels, labels, features


def marked(rows, columns=((1,),)):
    return Biclustering.from_indicators, rows, columns


def stored(**changed):
    """A sound JSON biclustering with one thing changed."""
    return Biclustering.from_json, {"shape": [2, 2], "biclusters": [{"rows": [0], "cols": [1]}]} | changed


def stored_sets(rows, cols=(1,), **more):
    return stored(biclusters=[{"rows": rows, "cols": cols if isinstance(cols, str) else list(cols)} | more])


@pytest.mark.parametrize(("build", "fragments"), [
    (sets(()), ["bicluster 1 has no rows", "at least one"]),
    ((Biclustering, [({0}, {0}), ({0}, [])]), ["bicluster 2 has no columns", "at least one"]),
    (sets({-1}), ["a row of bicluster 1 is -1", "an integer from 0 up"]),
    ((Biclustering, [({0}, {0}), ({0}, {-7})]), ["a column of bicluster 2 is -7", "an integer from 0 up"]),
    (sets({0}, [FLOAT]), ["a column of bicluster 1 is nan", INTEGER]),
    *((sets([one]), [f"a row of bicluster 1 is {one!r}", INTEGER])
      for one in (1.0, True, np.True_, np.float64(1), Fraction(1), "a", "0", None)),
    (sets("01"), ["the rows of bicluster 1", "list or another iterable", "'01'"]),
    (sets({0}, b"01"), ["the columns of bicluster 1", "list or another iterable", "b'01'"]),
    (sets({0}, {0: 1}), ["the columns of bicluster 1", "list or another iterable", "{0: 1}"]),
    (sets(0), ["the rows of bicluster 1", "list or another iterable", "not 0"]),
    ((Biclustering, [({0},)]), ["bicluster 1 has 1 parts", "a pair (rows, columns)"]),
    ((Biclustering, [({0}, {0}, {0})]), ["bicluster 1 has 3 parts", "a pair (rows, columns)"]),
    ((Biclustering, [5]), ["bicluster 1", "list or another iterable", "not 5"]),
    *(((Biclustering, family), ["biclusters", "list or another iterable", repr(family)])
      for family in (5, "ab", {"rows": [0]})),
    (shaped((2, 2)), ["row 2 lies outside the shape (2, 2)", "rows go from 0 to 1"]),
    (shaped((3, 1)), ["column 1 lies outside the shape (3, 1)", "columns go from 0 to 0"]),
    (shaped((0, 0)), ["row 2 lies outside the shape (0, 0)", "which has no rows"]),
    (shaped((3, 0)), ["column 1 lies outside the shape (3, 0)", "which has no columns"]),
    *((shaped(shape), [f"shape is {shape}", "two integers (objects, features)"]) for shape in ((3,), (3, 2, 1))),
    (shaped((-3, 2)), ["a number in shape is -3", "an integer from 0 up"]),
    *((shaped((one, 2)), [f"a number in shape is {one!r}", INTEGER]) for one in (3.0, True, "3")),
    *((shaped(shape), ["shape must be a list", f"not {shape!r}"]) for shape in (3, "32")),
    *((labelled([0, one]), [f"the label of object 1 is {one!r}", INTEGER]) for one in (1.5, FLOAT, True, None)),
    *((labelled(labels), ["labels must be a list", f"not {labels!r}"]) for labels in ("aabb", 3)),
    (labelled([0], 0), ["n_features is 0", "an integer from 1 up"]),
    (labelled([0], 1.0), ["n_features is 1.0", INTEGER]),
    (marked([[1, 0], [1]], [[1], [1]]), ["the rows indicators are ragged", "length 1 and 2"]),
    (marked([[1], [1]], [[1, 0], [1]]), ["the columns indicators are ragged", "length 1 and 2"]),
    *((marked([[one]]), [f"the rows indicators hold {one!r}", "True or False"]) for one in (2, -1, 1.0, "1", None)),
    (marked([[1]], np.array([[0.5]])), ["the columns indicators hold 0.5", "True or False"]),
    (marked([1, 0]), ["line 0 of the rows indicators", "not 1"]),
    (marked(["10"]), ["line 0 of the rows indicators", "'10'"]),
    *((marked(rows), ["the rows indicators", "not 7"]) for rows in (7, np.array(7))),
    (marked([[1], [1]]), ["2 row sets and 1 column sets", "one of each is expected"]),
    (marked([[0, 0]]), ["bicluster 1 has no rows", "at least one"]),
    (marked([[1]], [[0]]), ["bicluster 1 has no columns", "at least one"]),
    *(((Biclustering.from_json, data), ["a JSON object", '"shape" and "biclusters"', repr(data)])
      for data in (None, [], "text")),
    ((Biclustering.from_json, {}), ['"biclusters" must be a list', "None"]),
    (stored(clusters=[]), ["unknown key 'clusters'", '"shape" and "biclusters"']),
    *((stored(biclusters=family), ['"biclusters" must be a list', repr(family)]) for family in ({}, "ab")),
    (stored(biclusters=[[[0], [1]]]), ['bicluster 1 must be an object with "rows" and "cols"', "[[0], [1]]"]),
    (stored(biclusters=[{"rows": [0]}]), ['an object with "rows" and "cols"', "{'rows': [0]}"]),
    (stored_sets([0], columns=[0]), ['an object with "rows" and "cols"', "'columns'"]),
    (stored_sets(0), ['"rows" of bicluster 1', "list of integers", "not 0"]),
    (stored_sets([0], "1"), ['"cols" of bicluster 1', "list of integers", "'1'"]),
    (stored_sets([]), ["bicluster 1 has no rows"]),
    *((stored_sets([one]), [f"a row of bicluster 1 is {one!r}", INTEGER]) for one in (0.0, True, "0", [0])),
    (stored_sets([5]), ["row 5 lies outside the shape (2, 2)"]),
    (stored(shape=[2]), ["shape is [2]", "two integers"]),
    *((stored(shape=shape), ['"shape" must be a list of two integers', repr(shape)]) for shape in ("22", {"n": 2})),
    *((stored(shape=[one, 2]), [f"a number in shape is {one!r}", INTEGER]) for one in (2.0, None)),
    (sets("x" * 10_000), ["the rows of bicluster 1"]),
])  # fmt: skip
def test_what_is_wrong_is_named_in_one_short_sentence(build, fragments):
    """The value, and what was expected."""
    make, *arguments = build
    with pytest.raises(InputError) as caught:
        make(*arguments)
    message = str(caught.value)
    assert [fragment for fragment in fragments if fragment not in message] == [], message
    assert "\n" not in message
    assert len(message) < 200
    assert {ValueError, metaeval.MetaevalError} <= set(InputError.__mro__)
