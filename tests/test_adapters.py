"""Adapters: functions of other conventions give the same scores as measures."""

import itertools
from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import biclusterings
from tools import run_process

import metaeval
from metaeval import adapters
from metaeval.core.verdict import Verdict
from metaeval.literature.shelf import SANITY

LABELS = st.integers(1, 8).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2))
FEW = {"examples": 0, "jobs": 1, "effort": 0, "proofs": False}

METRICS = [
    sklearn.metrics.adjusted_mutual_info_score, sklearn.metrics.adjusted_rand_score, sklearn.metrics.completeness_score,
    sklearn.metrics.fowlkes_mallows_score, sklearn.metrics.homogeneity_score,
    sklearn.metrics.normalized_mutual_info_score, sklearn.metrics.rand_score, sklearn.metrics.v_measure_score,
]  # fmt: skip


def lifted(labels: list[int], n_features: int = 1) -> metaeval.Biclustering:
    return metaeval.Biclustering.from_labels(labels, n_features)


@given(LABELS)
def test_rand_score_is_our_rand(pair: tuple[list[int], list[int]]) -> None:
    found, gold = map(lifted, pair)
    measure = adapters.labels(sklearn.metrics.rand_score)
    assert measure.score(found, gold) == pytest.approx(metaeval.score("rand", found, gold), abs=1e-12)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.__name__)
@settings(max_examples=20)
@given(pair=LABELS)
def test_label_metrics_get_the_gold_first(metric: Any, pair: tuple[list[int], list[int]]) -> None:
    found, gold = pair
    expected = metric(gold, found)
    assert adapters.labels(metric).score(lifted(found, 2), lifted(gold, 2)) == pytest.approx(expected, abs=1e-12)


def test_the_order_matters_and_is_kept() -> None:
    measure = adapters.labels(sklearn.metrics.homogeneity_score)
    finer, coarser = lifted([0, 0, 1, 2]), lifted([0, 0, 1, 1])
    assert measure.score(finer, coarser) == pytest.approx(1.0)
    assert measure.score(coarser, finer) < 0.9
    seen: list[Any] = []
    sides = (metaeval.Biclustering.from_indicators([[True, False]], [[True]]), metaeval.Biclustering([], shape=(2, 1)))
    adapters.indicators(lambda a, b: seen.extend([a, b]), takes_empty=True).value(*sides)
    assert seen[0][0].tolist() == [[True, False]]
    assert seen[1][0].shape == (0, 2)


@pytest.mark.parametrize(("candidate", "gold", "sentence"), [
    ([({0, 1}, {0})], [({0}, {0})], "object 1 is in no cluster of the gold"),
    ([({0}, {0})], [({0, 1}, {0})], "object 1 is in no cluster of the candidate"),
    ([({0, 1}, {0}), ({1}, {0})], [({0, 1}, {0})], "object 1 is in two clusters of the candidate"),
    ([({0}, {0}), ({1}, {1})], [({0, 1}, {0, 1})], "the candidate's biclusters have different features"),
])  # fmt: skip
def test_what_labels_cannot_say_is_undefined(candidate: Any, gold: Any, sentence: str) -> None:
    measure = adapters.labels(sklearn.metrics.rand_score)
    with pytest.raises(metaeval.Undefined, match=sentence):
        measure(metaeval.Biclustering(candidate), metaeval.Biclustering(gold))


@settings(max_examples=50)
@given(biclusterings(), biclusterings())
def test_indicators_are_read_back_as_they_were(found: metaeval.Biclustering, gold: metaeval.Biclustering) -> None:
    shape = tuple(map(max, found.shape, gold.shape))

    def check(a: adapters.Indicators, b: adapters.Indicators) -> float:
        for part, (rows, columns) in ((found, a), (gold, b)):
            assert rows.dtype == columns.dtype == np.bool_
            if part:
                assert metaeval.Biclustering.from_indicators(rows, columns) == part.on(shape)
            assert (rows.shape, columns.shape) == ((len(part), shape[0]), (len(part), shape[1]))
        return 1.0

    assert adapters.indicators(check, takes_empty=True).score(found, gold) == 1.0


def test_consensus_score() -> None:
    gold = metaeval.Biclustering([({0, 1, 2}, {0, 1}), ({3, 4}, {1, 2})], shape=(6, 3))
    found = metaeval.Biclustering([({3, 4}, {1}), ({0, 1}, {0, 1})], shape=(6, 3))
    measure = adapters.indicators(sklearn.metrics.consensus_score)
    assert measure.id == "consensus-score"
    assert measure.score(found, gold) == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert measure.score(gold, gold) == 1.0
    with pytest.raises(metaeval.Undefined, match="the candidate has no biclusters"):
        measure(metaeval.Biclustering([], (6, 3)), gold)
    # It fails on no case of any condition.
    for readings, objects in ((["canonical", "literal"], 2), (["overlapping"], 1)):
        results = metaeval.check(measure, ["A.5"], readings, exhaustive=objects, **FEW)
        assert {cell.verdict for cell in results} <= {Verdict.HOLDS, Verdict.VIOLATED}
        assert any("undefined" in (cell.message or "") for cell in results)


def test_cell_sets_are_micro_objects() -> None:
    def shared(candidate: list[adapters.Cells], gold: list[adapters.Cells]) -> int:
        return sum(len(a & b) for a, b in itertools.product(candidate, gold))

    measure = adapters.cell_sets(shared, id="shared", best=0, smaller_is_better=True, domain="disjoint")
    assert (measure.id, measure.domain, measure.optimum) == ("shared", "disjoint", 0.0)
    found = metaeval.Biclustering([({0, 1}, {0, 1}), ({0, 1}, {0, 1})])
    assert measure.value(found, metaeval.Biclustering([({1, 2}, {1})])) == -2


def test_a_scikit_learn_metric_is_named_after_its_function_and_checked_in_two_lines() -> None:
    measure = adapters.labels(sklearn.metrics.adjusted_rand_score)
    assert (measure.id, measure.name) == ("adjusted-rand-score", "adjusted_rand_score")
    assert (measure.domain, measure.summary) == ("partitions", "Rand index adjusted for chance.")
    assert measure.id not in metaeval.measures()
    assert adapters.labels(lambda a, b: 1.0).id == "lambda"
    results = metaeval.check(measure, exhaustive=3, **{**FEW, "examples": 20})
    ids = [*(f"A.{number}" for number in range(1, 6)), *SANITY.condition_ids()]
    assert [(cell.condition, cell.reading) for cell in results] == [(id, "canonical") for id in ids]
    assert {cell.verdict for cell in results} <= {Verdict.HOLDS, Verdict.VIOLATED}
    assert {cell.message for cell in results} == {None}  # defined on every case of its domain
    assert results.cell("adjusted-rand-score", "A.3").verdict is Verdict.VIOLATED


def test_adapters_load_no_more_than_they_need() -> None:
    """A user who adapts a metric in a module of theirs pays for neither the search nor the tests."""
    loaded = set(run_process(code="import sys, metaeval.adapters; print(*sys.modules)").out.split())
    assert "metaeval.adapters" in loaded
    assert not {"hypothesis", "metaeval.engine", "pytest"} & loaded


def test_a_measure_says_how_the_users_function_is_called() -> None:
    def mine(true: Any, found: Any, weight: float = 1) -> float:
        return weight

    assert adapters.labels(mine).usage[:4] == ("labels", ("true", "found"), True, ())
    assert adapters.labels(max).usage.names == ("y_true", "y_pred")  # Python does not tell
    assert adapters.cell_sets(mine).usage[:4] == ("cell_sets", ("true", "found"), False, ())
    assert adapters.indicators(mine).own is mine
    plain = metaeval.catalogue.measure.make_measure(mine, id="mine")
    assert (plain.usage.names, plain.own) == (("true", "found"), None)
