"""How a user's function is called: by the names of its parameters, through an adapter, with further parameters."""

import json
import math
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import sklearn.metrics
from tools import Outcome, assert_ends, assert_one_sentence, run_inside

import metaeval
from metaeval import Biclustering, InputError, Undefined, adapters
from metaeval.adapters import as_measure, param_values
from metaeval.catalogue.measure import MEASURES
from metaeval.cli import targets
from metaeval.parametrize import parametrize_with_baseline
from metaeval.records.described import target_of

GOLD, FOUND = Biclustering.from_labels([0, 0, 0, 1]), Biclustering.from_labels([0, 0, 1, 1])
FEW = {"examples": 0, "exhaustive": 3, "effort": 0, "jobs": 1, "proofs": False}
WORDS = ("--examples", "0", "--exhaustive", "3", "--effort", "0", "--jobs", "1", "--no-proofs", "--quiet")

#: Recall of the covered objects to the power of beta: it differs when gold and candidate are exchanged.
CODE = """
def objects(side):
    return {row for rows, _ in side for row in rows}

def score(found, gold, beta=1):
    return (len(objects(found) & objects(gold)) / len(objects(gold))) ** beta if len(gold) else 1.0

def right_way(candidate, gold): return score(candidate, gold)
def gold_first(gold, candidate, beta=1, *, kind="plain"): return score(candidate, gold, beta)
def unclear(one, other): return score(one, other)
def needs(candidate, gold, beta): return score(candidate, gold, beta)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty current folder with the code in mine.py."""
    (tmp_path / "mine.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    known = set(metaeval.measures())
    yield tmp_path
    for id in set(metaeval.measures()) - known:
        metaeval.forget(id)


def takes(*names: str) -> Callable[..., Any]:
    """A function with these parameters that returns what it gets."""
    found: dict[str, Any] = {}
    exec(f"def told({', '.join(names)}): return {names[0]}, {names[1]}", found)
    return found["told"]  # type: ignore[no-any-return]


# --- the names of parameters
@pytest.mark.parametrize("names", [
    ("gold", "candidate"), ("gold_standard", "found"), ("truth", "predicted"), ("ground_truth", "prediction"),
    ("reference", "candidate"),
])  # fmt: skip
def test_clear_names_say_which_argument_is_the_gold(names: tuple[str, str]) -> None:
    for order, first in ((names, GOLD), (names[::-1], FOUND)):
        measure = as_measure(takes(*order, "beta=1"))
        got = measure.function(FOUND, GOLD)
        assert got[0] is first
        assert (measure.usage.names, measure.usage.gold_first) == (order, first is GOLD)
        assert (measure.own is None) == (first is FOUND)


@pytest.mark.parametrize("names", [("a", "b"), ("found", "candidate"), ("expected", "actual"), ("x", "gold")])
def test_other_names_are_not_guessed(names: tuple[str, str]) -> None:
    measure = as_measure(takes(*names))
    assert measure.function(FOUND, GOLD) == (FOUND, GOLD)
    assert (measure.usage.told, measure.usage.gold_first, measure.own) == (None, False, None)


@pytest.mark.parametrize("names", [
    ("y_true", "y_pred"), ("labels_true", "labels_pred"), ("y_pred", "y_true"), ("labels_pred", "labels_true"),
])  # fmt: skip
def test_label_vectors_are_known_by_their_names(names: tuple[str, str]) -> None:
    measure = as_measure(takes(*names))
    true, found = measure.function(FOUND, GOLD)[:: 1 if names[0].endswith("true") else -1]
    assert (true.tolist(), found.tolist()) == ([0, 0, 0, 1], [0, 0, 1, 1])
    assert (measure.domain, measure.usage.takes) == ("partitions", "labels")
    assert measure.usage.gold_first is names[0].endswith("true")


def test_a_function_that_does_not_tell_its_parameters_gets_the_candidate_first() -> None:
    for function in (max, lambda *sides: sides, lambda one: one):
        assert as_measure(function).usage == ("biclusterings", ("candidate", "gold"), False, (), None)


def test_adapters_go_by_the_names_unless_they_are_told() -> None:
    for adapter, usual in ((adapters.clusters, 0), (adapters.cell_sets, 0), (adapters.labels, 1)):
        for names, first in ((("gold", "found"), 1), (("found", "gold"), 0), (("a", "b"), usual)):
            measure = adapter(takes(*names))
            assert measure.usage.gold_first is bool(first)
            sizes = [len(set(map(str, side))) for side in measure.function(FOUND, Biclustering.lifted([range(4)]))]
            assert sizes == ([1, 2] if first else [2, 1])
            assert adapter(takes(*names), gold_first=not first).usage.gold_first is not bool(first)


def test_a_registered_measure_takes_the_candidate_first() -> None:
    with pytest.raises(InputError, match="told takes gold before found; a measure takes the candidate first"):
        metaeval.measure("told")(takes("gold", "found"))
    assert "told" not in MEASURES.view


def verdicts(results: Any) -> list[tuple[str, str, str]]:
    return [(cell.condition, cell.reading, str(cell.verdict)) for cell in results]


def test_every_front_end_calls_a_function_in_the_same_way(here: Path) -> None:
    names: dict[str, Any] = {}
    exec(CODE, names)
    asked = ("--condition", "B.1", "--reading", "canonical")
    expected = verdicts(metaeval.check(names["right_way"], ["B.1"], ["canonical"], **FEW))
    assert expected != verdicts(metaeval.check(lambda a, b: names["score"](b, a), ["B.1"], ["canonical"], **FEW))
    # The command line, Python, and what pytest makes tests of.
    checked = run_inside("check", "mine.py:gold_first", *asked, *WORDS, "--json")
    assert verdicts(metaeval.Results.from_json(json.loads(checked.out))) == expected
    assert verdicts(metaeval.check(names["gold_first"], ["B.1"], ["canonical"], **FEW)) == expected
    run_inside("run", "--measure", "mine.py:gold_first", *asked, *WORDS, "--out", "r.json")
    assert verdicts(metaeval.Results.load("r.json")) == expected
    mark = metaeval.parametrize_with_conditions([names["gold_first"]], conditions=["B.1"])
    assert mark.args[1][0].measure.value(FOUND, Biclustering.from_labels([0, -1, -1, -1])) == 1
    # Scores of files: the gold has an object that was not found.
    for name, labels in (("gold.csv", "0\n0\n1\n"), ("found.csv", "0\n0\n-1\n")):
        Path(name).write_text(labels)
    score = ("score", "--gold", "gold.csv", "--candidate", "found.csv", "--format", "labels", "--json")
    for name in ("right_way", "gold_first"):
        found = json.loads(run_inside(*score, "--measure", f"mine.py:{name}").out)
        assert [one["float"] for one in found.values()] == [pytest.approx(2 / 3)]


def test_a_scikit_learn_metric_is_checked_without_a_word() -> None:
    own = verdicts(metaeval.check(adapters.labels(sklearn.metrics.rand_score), ["A.2"], **FEW))
    assert verdicts(metaeval.check(sklearn.metrics.rand_score, ["A.2"], **FEW)) == own
    done = run_inside("check", "sklearn.metrics:rand_score", "--condition", "A.2", *WORDS)
    assert_ends(done, 0, "rand_score (sklearn.metrics:rand_score)\ngate: passed", "✓  A.2")
    assert "taken for the gold" not in done.out
    assert targets.load("sklearn.metrics:v_measure_score").usage.names == ("labels_true", "labels_pred")


def test_check_says_which_argument_is_taken_for_the_gold(here: Path) -> None:
    def notes(name: str) -> list[str]:
        done = run_inside("check", f"mine.py:{name}", "--condition", "B.2", "--reading", "canonical", *WORDS)
        return [line for line in done.out.splitlines() if "taken for the gold standard" in line]

    (note,) = notes("unclear")
    assert "the second argument, `other`" in note
    assert notes("right_way") == notes("gold_first") == []


@pytest.mark.parametrize(("adapter", "said"), [
    (adapters.clusters, "the second argument, `b`"), (adapters.labels, "the first argument, `a`"),
])  # fmt: skip
def test_an_adapter_around_unclear_names_says_it_too(adapter: Callable[..., Any], said: str) -> None:
    assert (targets.taken_for_gold(adapter(takes("a", "b"))) or "").startswith(said)
    assert targets.taken_for_gold(adapter(takes("gold", "found"))) is None


def test_the_best_score_of_a_distance_is_0_unless_it_says_otherwise() -> None:
    for adapter in (adapters.clusters, adapters.labels, adapters.cell_sets):
        assert adapter(takes("gold", "found"), smaller_is_better=True).best == 0
        assert adapter(takes("gold", "found"), smaller_is_better=True, best=1.0).best == 1
        assert adapter(takes("gold", "found"), smaller_is_better=True, best=None).best is None


def test_pytest_names_a_function_that_gets_the_gold_first() -> None:
    assert target_of(as_measure(gold_before)) == f"{Path(__file__).relative_to(Path.cwd())}:gold_before"


def gold_before(gold: Biclustering, candidate: Biclustering) -> float:
    return float(gold == candidate)


# --- lists of sets, and labels with noise
def best_jaccard(found: list[set[int]], gold: list[set[int]]) -> float:
    """Average over the classes of the best Jaccard index of a cluster; it eats its arguments."""
    total, classes = 0.0, len(gold)
    while gold:
        one = gold.pop()
        total += max((len(one & other) / len(one | other) for other in found), default=0.0)
        one.clear()
    return total / classes if classes else float(not found)


def test_clusters_are_lists_of_fresh_sets() -> None:
    found = Biclustering.lifted([{0, 1, 2}, {2, 3}])
    gold = Biclustering.lifted([{0, 1}, {2, 3}, {5}], shape=(7, 1))
    measure = adapters.clusters(best_jaccard)
    for _ in range(2):
        assert measure.value(found, gold) == pytest.approx((2 / 3 + 1 + 0) / 3)
    assert measure.value(found, Biclustering()) == 0
    assert (measure.id, measure.domain, measure.usage.takes) == ("best-jaccard", "clusterings", "clusters")
    assert measure.own is best_jaccard
    with pytest.raises(Undefined, match="the gold's biclusters have different features"):
        measure(found, Biclustering([({0}, {0}), ({1}, {1})]))
    results = metaeval.check(measure, ["A.5", "S.1"], **FEW)
    assert {cell.reading for cell in results} == {"canonical", "literal", "overlapping"}
    assert {cell.message for cell in results} == {None}  # it has a score everywhere
    assert results.cell("best-jaccard", "S.1", "overlapping").verdict == "violated"


def test_noise_is_the_label_of_objects_in_no_cluster() -> None:
    seen: list[list[list[int]]] = []

    def told(y_true: Any, y_pred: Any) -> float:
        seen.append([y_true.tolist(), y_pred.tolist()])
        return 1.0

    found, gold = Biclustering.from_labels([-1, 0, 0, 1]), Biclustering.from_labels([0, 0, -1])
    for noise in (-1, -7):
        adapters.labels(told, noise=noise).value(found, gold)
        assert seen.pop() == [[0, 0, noise, noise], [noise, 0, 0, 1]]
    with_gaps = adapters.labels(told, noise=-1).renamed
    with_gaps[0](found, gold)
    assert seen.pop() == [[3, 3, -1, -1], [-1, 3, 3, 5]]
    with pytest.raises(Undefined, match="object 1 is in two clusters of the candidate"):
        adapters.labels(told, noise=-1)(Biclustering.lifted([{0, 1}, {1}]), gold)
    for wrong in (0, 3, True, "x", -1.0):
        with pytest.raises(InputError, match="expected a negative integer, the label of objects in no cluster"):
            adapters.labels(told, noise=wrong)
    assert [len(adapters.labels(told, **how).renamed) for how in ({}, {"noise": -1}, {"consecutive": True})] == [
        2,
        1,
        0,
    ]


def test_labels_with_noise_are_asked_about_clusterings_without_overlap() -> None:
    measure = adapters.labels(sklearn.metrics.rand_score, noise=-1)
    results = metaeval.check(measure, ["S.3"], **FEW)
    assert {cell.reading for cell in results} == {"canonical", "literal"}
    assert {cell.message for cell in results} == {None}
    done = run_inside("check", "sklearn.metrics:rand_score", "--domain", "clusterings", "--condition", "S.3", *WORDS)
    assert "not tested: S.3 (overlapping), because rand_score takes labels" in done.out


# --- further parameters
def test_the_words_of_params_are_numbers_truth_values_or_text() -> None:
    values = param_values(["a=2", "b=-0.5", "c=True", "d=false", "e=macro", "f=a=b", "g=1e3", "h="])
    assert values == {"a": 2, "b": -0.5, "c": True, "d": False, "e": "macro", "f": "a=b", "g": 1000.0, "h": ""}
    assert [type(value) for value in values.values()] == [int, float, bool, bool, str, str, float, str]
    assert math.isinf(param_values(["a=inf"])["a"])


def test_params_are_given_to_the_function_and_are_words_of_its_target(here: Path) -> None:
    measure = targets.load("mine.py:gold_first", targets.Said(best=1, params=("beta=2", "kind=my own")))
    assert (measure.id, measure.name) == ("gold-first", "gold_first")
    assert measure.target == "mine.py:gold_first --best 1 --param beta=2 --param 'kind=my own'"
    assert measure.usage == ("biclusterings", ("gold", "candidate"), True, (("beta", 2), ("kind", "my own")), None)
    assert measure.own.__name__ == "gold_first"
    assert measure.value(Biclustering.lifted([{0}]), Biclustering.lifted([{0, 1}])) == 1 / 4


def checked(name: str, *words: str) -> Outcome:
    return run_inside("check", f"mine.py:{name}", "--condition", "B.2", "--reading", "canonical", *WORDS, *words)


@pytest.mark.parametrize(("name", "words", "parts"), [
    ("gold_first", ("gamma=1",), ["mine.py:gold_first(gold, candidate, beta=1, *, kind='plain')", "'gamma'"]),
    ("gold_first", ("gold=1",), ["multiple values for argument 'gold'"]),
    ("gold_first", ("beta",), ["--param is 'beta'; expected NAME=VALUE"]),
    ("needs", (), ["missing a required argument: 'beta'"]),
])  # fmt: skip
def test_a_param_that_the_function_does_not_have_is_refused(
    name: str, words: tuple[str, ...], parts: list[str], here: Path
) -> None:
    assert_one_sentence(checked(name, *(one for word in words for one in ("--param", word))), *parts)


def test_a_measure_has_its_parameters_itself(here: Path) -> None:
    done = run_inside("check", "rand", "--param", "beta=2")
    assert_one_sentence(done, "rand is a measure that says this itself; leave --param out", "functools.partial")


def test_a_baseline_knows_the_params(here: Path) -> None:
    assert checked("needs", "--param", "beta=2", "--save", "b.json").code == 0
    for words in ((), ("--param", "beta=2")):
        done = run_inside("check", "mine.py:needs", "--against", "b.json", "--quiet", *words)
        assert_ends(done, 0, "passed")
    done = run_inside("check", "mine.py:needs", "--against", "b.json", "--quiet", "--param", "beta=1")
    assert_ends(done, 1, "golden scores changed")
    names: dict[str, Any] = {}
    exec(CODE, names)
    stored = parametrize_with_baseline(names["needs"], "b.json").args[1]
    assert all(one.subject.measure.usage.params == (("beta", 2),) for one in stored)


def test_the_printed_command_has_the_params(here: Path) -> None:
    asked = ("--condition", "A.1", "--reading", "canonical", *WORDS, "--param", "beta=2")
    done = run_inside("check", "mine.py:gold_first", *asked)
    again = next(line.split()[1:] for line in done.out.splitlines() if line.startswith("    metaeval check"))
    assert again[-2:] == ["--param", "beta=2"]
    assert_ends(run_inside(*again, "--quiet"), 1, "A.1/canonical: violated")


def test_params_are_of_one_target(here: Path) -> None:
    Path("pyproject.toml").write_text('[tool.metaeval]\ntargets = ["mine.py:needs", "mine.py:unclear"]\n')
    assert_one_sentence(run_inside("check", "--param", "beta=2"), "--param is about one measure", "mine.py:needs")


def test_a_param_does_not_replace_the_value_of_a_partial(here: Path) -> None:
    """The baseline of another value passed: its own value was put in the place of the partial's."""
    assert checked("needs", "--param", "beta=2", "--save", "b.json").code == 0
    (here / "bound.py").write_text(
        "from functools import partial\nfrom mine import needs\nthree = partial(needs, beta=3)\n"
    )
    done = run_inside("check", "bound.py:three", "--against", "b.json", "--golden-only")
    assert_one_sentence(done, "needs has beta=3 itself, and here beta=2 is given")


def test_an_equation_is_called_as_the_variable_that_holds_it(here: Path) -> None:
    line = "from metaeval.equations import *\nalike = Equation(cells(in_cluster * in_class) / cells(1), empty=1)\n"
    (here / "proposed.py").write_text(line)
    assert run_inside("check", "proposed.py:alike", "--condition", "B.2", *WORDS, "--save", "eq.json").code == 0
    module = import_module("proposed")
    checks = parametrize_with_baseline([module.alike], "eq.json").args[1]
    assert {check.id.partition("-")[0] for check in checks} == {"alike"}
