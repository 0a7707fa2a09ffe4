"""The gate: what every verdict relies on, in its own words."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import zoo
from tools import as_json

import metaeval
from metaeval import Biclustering
from metaeval.adapters import as_measure
from metaeval.catalogue.measure import make_measure
from metaeval.core.verdict import Verdict
from metaeval.exact import plain
from metaeval.search.gate import LABELS, PANEL, Passage, extremes, gate
from metaeval.workers.call import as_score
from metaeval.workers.faults import Fault


@pytest.mark.parametrize("measure", [*metaeval.measures().values(), as_measure(zoo.sound)], ids=lambda one: one.id)
def test_every_measure_of_ours_passes(measure):
    assert gate(measure) == Passage()


def test_the_panel_is_plain():
    """Partitions of a few objects on all features, some perfect and some not."""
    for candidate, gold in PANEL:
        assert candidate.shape == gold.shape
        for part in (candidate, gold):
            assert sorted(row for rows, _ in part for row in rows) == list(range(part.shape[0]))
            assert all(cols == frozenset(range(part.shape[1])) for _, cols in part)
    assert any(candidate != gold for candidate, gold in PANEL)


def cells(part):
    return {(row, col) for rows, cols in part for row in rows for col in cols}


def test_the_gate_tries_what_is_extreme():
    """Empty sides, a single cell, one cluster for all and one for each; the smallest come first."""
    sides = extremes("biclusterings")
    assert {(bool(candidate), bool(gold)) for candidate, gold in sides} == {(a, b) for a in (0, 1) for b in (0, 1)}
    assert any(len(cells(candidate)) == len(cells(gold)) == 1 for candidate, gold in sides)
    for amount in (1, 3):  # clusters of three objects
        assert any(candidate == gold and len(gold) == amount and gold.shape[0] == 3 for candidate, gold in sides)
    sizes = [len(cells(candidate) | cells(gold)) for candidate, gold in sides]
    assert sizes == sorted(sizes)


def test_the_extreme_inputs_lie_in_the_domain():
    assert set(extremes("partitions")) < set(extremes("clusterings")) == set(extremes("disjoint"))
    for candidate, gold in extremes("partitions"):
        for part in (candidate, gold):
            assert sorted(row for rows, _ in part for row in rows) == list(range(part.shape[0]))


def first_name(candidate, gold):
    """Depends on names: the size of the cluster of object 0."""
    if candidate == gold:
        return 1.0
    return next(len(rows) for rows, _ in candidate if 0 in rows) / 10


def first_bicluster(candidate, gold):
    """Depends on order."""
    if candidate == gold:
        return 1.0
    return sum(place * len(rows) for place, (rows, _) in enumerate(candidate)) / 100


def never_perfect(candidate, gold):
    return zoo.sound(candidate, gold) / 2


def better_than_best(candidate, gold):
    return zoo.sound(candidate, gold) * 2


@pytest.mark.parametrize("measure", [never_perfect, better_than_best])
def test_a_perfect_match_that_is_not_best_is_told_for_the_smallest(measure):
    told = gate(as_measure(measure)).failure.diagnosis
    smallest = Biclustering() if measure(Biclustering(), Biclustering()) != 1 else Biclustering([({0}, {0})])
    assert told.side == (smallest, smallest)


def mutates_the_gold(candidate, gold):
    score = zoo.sound(candidate, gold)
    object.__setattr__(gold, "_shape", (9, 9))
    return score


def mutates_the_order(candidate, gold):
    score = zoo.sound(candidate, gold)
    object.__setattr__(candidate, "_biclusters", candidate.biclusters[::-1])
    return score


def by_position(true, found):
    """Takes labels for positions: the share of objects whose label is among the first so many."""
    inside = sum(label < len(set(found)) for label in found) / len(found)
    return zoo.sound(*map(Biclustering.from_labels, (found, true))) * inside


def by_index(true, found):
    """Has a place for every label from 0 to the number of clusters."""
    sizes = [0] * len(set(found))
    for label in found:
        sizes[label] += 1
    return zoo.sound(*map(Biclustering.from_labels, (found, true)))


@pytest.mark.parametrize(("function", "says"), [(by_position, "1.0 becomes 0.0"), (by_index, "it raised IndexError")])
def test_labels_are_names(function, says):
    failure = gate(metaeval.adapters.labels(function)).failure
    assert failure.check == LABELS
    assert failure.verdict == Verdict.ERROR
    assert failure.message.startswith("it depends on the names of clusters: with labels other than 0, 1, … ")
    assert says in failure.message
    assert "consecutive=True" in failure.diagnosis.hint
    assert gate(metaeval.adapters.labels(function, consecutive=True)) == Passage()


def agreeing(true, found, *, noise):
    """The share of pairs on which the labels agree, of the objects that are not noise."""
    kept = [(one, other) for one, other in zip(true, found, strict=True) if noise not in (one, other)]
    pairs = [(a[0] == b[0]) == (a[1] == b[1]) for place, a in enumerate(kept) for b in kept[:place]]
    return sum(pairs) / len(pairs) if pairs else 1.0


def without_noise(true, found):
    return agreeing(true, found, noise=-1)


def nan_without_objects(true, found):
    return agreeing(true, found, noise=-1) if set(true) - {-1} else float("nan")


def refuses_negatives(true, found):
    return np.bincount(true).sum() * agreeing(true, found, noise=None) / len(found)


@pytest.mark.parametrize("function", [without_noise, nan_without_objects])
def test_minus_one_is_a_label_unless_it_is_declared_as_noise(function):
    failure = gate(metaeval.adapters.labels(function)).failure
    assert (failure.check, failure.verdict) == (LABELS, Verdict.ERROR)
    assert "with -1 as a label" in failure.message
    assert "noise=-1" in failure.diagnosis.hint
    for declared in ({"noise": -1}, {"consecutive": True}):
        assert gate(metaeval.adapters.labels(function, **declared)).failure is None


def test_a_function_that_refuses_minus_one_aloud_passes():
    with pytest.raises(ValueError, match="negative"):
        refuses_negatives(np.array([-1, 0]), np.array([0, 0]))
    assert gate(metaeval.adapters.labels(refuses_negatives)) == Passage()


def best_overlaps(candidate, gold):
    return sum(max(len(a & b) / len(a | b) for b in candidate) for a in gold) / len(gold)


def changed_to_sets(candidate, gold):
    return best_overlaps([set(one) for one in candidate], [set(one) for one in gold])


def average_of_elements(candidate, gold):
    """BCubed precision, by elements."""
    inside = [[set(one) for one in side] for side in (candidate, gold)]
    shares = []
    for element in set().union(*inside[0]):
        (own,), (true,) = ([one for one in side if element in one] for side in inside)
        shares.append(len(own & true) / len(own))
    return sum(shares) / len(shares)


def of_arrays(candidate, gold):
    table = np.zeros((candidate.max() + 1, gold.max() + 1))
    np.add.at(table, (candidate, gold), 1)
    return table.max(axis=1).sum() / len(gold)


def of_label_lists(candidate, gold):
    return agreeing([gold[at] for at in range(len(gold))], list(candidate), noise=None)


def of_tables(candidate, gold):
    return float(((candidate @ candidate.T > 0) == (gold @ gold.T > 0)).mean())


def of_dicts(candidate, gold):
    return sum(candidate[name] == one for name, one in gold.items()) / len(gold)


@pytest.mark.parametrize(("function", "hint"), [
    *((one, "passes with lists of sets; write `mine = metaeval.adapters.clusters({})` below it, and check mine")
      for one in (best_overlaps, changed_to_sets, average_of_elements)),
    *((one, "passes with label vectors; write `mine = metaeval.adapters.labels({})` below it, and check mine")
      for one in (of_arrays, of_label_lists)),
    *((one, "if it takes lists of sets, use metaeval.adapters.clusters(…); label vectors: adapters.labels(…)")
      for one in (of_tables, of_dicts)),
])  # fmt: skip
def test_a_function_that_takes_clusters_in_another_form_is_told_which_adapter(function, hint):
    told = gate(as_measure(function)).failure.diagnosis.hint
    assert told.startswith("your function got a Biclustering")
    assert hint.format(function.__name__) in told
    if "passes with" in hint:  # what the hint says is so
        adapter = metaeval.adapters.clusters if "clusters" in hint else metaeval.adapters.labels
        assert all(isinstance(adapter(function)(*side), float) for side in PANEL)


def test_names_of_label_vectors_do_not_hide_that_a_function_takes_sets():
    def sets(y_true, y_pred):
        return sum(max(len(a & b) / len(a | b) for b in y_pred) for a in y_true) / len(y_true)

    told = gate(as_measure(sets)).failure.diagnosis.hint
    assert told.startswith("your function got label vectors, and passes with lists of sets; write `mine = ")


def misspelt(candidate, gold):
    return len(candidate.biclustres) / len(gold)


def divides_by_zero(candidate, gold):
    return 1 / (len(candidate) - len(candidate))


def forgets_the_other_way(candidate, gold):
    rows, cols = next(iter(candidate))
    return len(rows.union(cols).intersect(rows))


@pytest.mark.parametrize("function", [
    misspelt, divides_by_zero, forgets_the_other_way, first_name, first_bicluster, never_perfect, zoo.raises,
    zoo.returns_nan, zoo.draws_random,
])  # fmt: skip
def test_a_function_of_biclusterings_with_a_mistake_is_told_of_no_adapter(function):
    assert "adapters" not in gate(as_measure(function)).failure.diagnosis.hint


@pytest.mark.parametrize(("measure", "verdict", "check", "says"), [
    (zoo.raises, "error", "real finite number", "raised ValueError: no idea"),
    (zoo.says_undefined, "undefined", "real finite number", "undefined: there is nothing to say"),
    (zoo.returns_nan, "undefined", "real finite number", "nan"),
    (zoo.draws_random, "flaky", "same score twice", "different scores"),
    (mutates_the_gold, "error", "inputs unchanged", "changes its inputs"),
    (mutates_the_order, "error", "inputs unchanged", "changes its inputs"),
    (first_bicluster, "error", "order of biclusters", "order of biclusters"),
    (first_name, "error", "names of objects and features", "names of objects"),
    (never_perfect, "error", "best for a perfect match", "0.5 for a perfect match"),
    (better_than_best, "error", "best for a perfect match", "its best is 1"),
])  # fmt: skip
def test_what_fails_is_named(measure, verdict, check, says):
    # The panel is shared, and some of these would spoil it for good: so each in a process of its own.
    results = metaeval.check(measure, ["B.2", "B.5"], ["canonical"], examples=0, exhaustive=1, jobs=1)
    assert len(results) == 2
    for cell in results:  # it is every cell of the measure
        assert (cell.verdict, cell.certificate) == (verdict, None)
        assert cell.message.startswith(f"gate ({check}): it ")
        assert says in cell.message
        assert results.measures[cell.measure].gate in cell.message


def test_a_measure_may_be_float_and_its_best_anything():
    distance = make_measure(
        lambda candidate, gold: 3 - 3 * float(zoo.sound(candidate, gold)) + 1e-12, id="distance", best=0,
        smaller_is_better=True,
    )  # fmt: skip
    assert gate(distance) == Passage()


def test_the_watcher_is_told_of_every_score():
    calls = []

    def counting(candidate, gold):
        calls.append(None)
        return zoo.sound(candidate, gold)

    told = []
    assert gate(as_measure(counting), entering=told.append) == Passage()
    assert len(told) == len(calls) > 0
    assert told == sorted(told, reverse=True), "extreme inputs are the smallest, and come first"


# --- the boundary -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("value", "score"), [
    *((one, Fraction(one)) for one in (Fraction(1, 3), 1)),
    *((kind(-2), Fraction(-2)) for kind in (np.int64, np.int8, np.array)),
    (Fraction(np.int64(1), 3), Fraction(1, 3)),
    *((kind(0.25), 0.25) for kind in (float, np.float64, np.float32, np.array, Decimal)),
])  # fmt: skip
def test_numbers_become_scores_of_pythons_own(value, score):
    found = as_score(plain(value))
    assert (found, type(found)) == (score, type(score))
    assert type(plain(value)) in (int, float, Fraction)


@pytest.mark.parametrize(("value", "verdict"), [
    *((one, "undefined") for one in (float("nan"), np.float64("nan"))),
    *((one, "error") for one in (float("inf"), None, "1", True, np.bool_(True), 1j, np.array([1.0]), [1.0])),
])  # fmt: skip
def test_anything_else_is_a_fault_and_stays_as_it_is(value, verdict):
    assert type(plain(value)) in (type(value), bool, float)
    for wrong in (value, plain(value)):
        with pytest.raises(Fault) as fault:
            as_score(wrong)
        assert fault.value.verdict == verdict
        assert len(fault.value.message) < 120


NUMBERS = {
    "float16": lambda score: np.float16(score),
    "float32": lambda score: np.float32(score),
    "float64": lambda score: np.float64(score),
    "longdouble": lambda score: np.longdouble(score.numerator) / np.longdouble(score.denominator),
    "array without dimensions": lambda score: np.array(float(score)),
    "int64 of a rounded score": lambda score: np.int64(score),
    "uint8 of a rounded score": lambda score: np.uint8(score),
    "array of an integer": lambda score: np.array(int(score)),
    "fraction of int64": lambda score: Fraction(np.int64(score.numerator), np.int64(score.denominator)),
    "fraction of a fraction": lambda score: type("Mine", (Fraction,), {})(score),
    "decimal": lambda score: Decimal(score.numerator) / Decimal(score.denominator),
}


def returning(kind: str, smaller_is_better: bool):
    def score(candidate, gold):
        value = metaeval.score("rnia", candidate, gold, exact=True)
        return NUMBERS[kind](1 - value if smaller_is_better else value)

    id = f"{'distance' if smaller_is_better else 'score'}-{kind.replace(' ', '-')}"
    return make_measure(score, id=id, best=1 - smaller_is_better, smaller_is_better=smaller_is_better)


def test_every_kind_of_number_gets_a_verdict():
    """The whole way: gate, search, certificate, file."""
    measures = {one.id: kind for kind in NUMBERS for turned in (False, True) for one in [returning(kind, turned)]}
    subjects = [returning(kind, turned) for kind in NUMBERS for turned in (False, True)]
    results = metaeval.run(subjects, ["A.1", "B.2"], ["canonical"], examples=5, exhaustive=3, effort=0, proofs=False)
    for id, kind in measures.items():
        assert results.cell(id, "A.1").verdict is Verdict.VIOLATED
        assert results.cell(id, "B.2").verdict is Verdict.HOLDS
        scores = results.cell(id, "A.1").certificate.scores
        exact = "int" in kind or "fraction" in kind
        assert all((one.exact is not None) is exact for one in scores), kind
        assert all(type(one.number) in (Fraction, float) for one in scores), kind
    data = as_json(results)
    assert metaeval.Results.from_json(data).to_json() == data
