"""The examples: that they run, and that what they are said to show is so. test_tutorial.py compares their output."""

import importlib.util
import shlex
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

from metaeval.cli import main

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
WORKFLOW = (EXAMPLES / "github-actions.yml").read_text(encoding="utf-8")


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"examples_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def ranking() -> ModuleType:
    return load("rank_algorithms")


def test_every_example_is_listed() -> None:
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES.iterdir():
        if path.is_file() and path.name != "README.md":
            assert f"`{path.name}`" in listed, path.name


def test_the_algorithms_find_what_is_said(ranking: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    gold, found = ranking.data()
    assert len(gold) == 3
    assert len(found["coclustering"]) == 2
    assert len(found["checkerboard"]) == 9
    assert set(gold) <= set(found["checkerboard"])
    exact = set(gold) & set(found["coclustering"])
    (merged,) = set(found["coclustering"]) - exact
    assert len(exact) == 1
    assert all(rows <= merged[0] and cols <= merged[1] for rows, cols in set(gold) - exact)
    # Told the right number, coclustering finds the gold standard.
    cluster = ranking.SpectralCoclustering
    monkeypatch.setattr(ranking, "SpectralCoclustering", lambda n_clusters, **rest: cluster(3, **rest))
    gold, found = ranking.data()
    assert set(found["coclustering"]) == set(gold)


def test_the_measures_disagree_and_those_that_violate_nothing_agree(ranking: ModuleType) -> None:
    scores = ranking.scores()
    prefer = {id: ranking.winner(row) for id, row in scores.items()}
    assert {id for id, name in prefer.items() if name == "coclustering"} == {"ce", "rnia", "e4sc"}
    assert all(abs(row["coclustering"] - row["checkerboard"]) > 0.05 for row in scores.values())
    broken = ranking.violated()
    assert [id for id in broken if not broken[id]] == ["bcubed", "mocice"]
    assert all("A.1" in broken[id] for id in ("ce", "rnia", "e4sc"))
    assert ranking.report().endswith("they prefer the checkerboard.")


def test_the_workflow_runs_what_exists(pytestconfig: pytest.Config) -> None:
    yaml = pytest.importorskip("yaml")
    (job,) = yaml.safe_load(WORKFLOW)["jobs"].values()
    assert [next(key for key in step if key in ("uses", "run")) for step in job["steps"]] == ["uses"] * 2 + ["run"] * 3
    runs = [shlex.split(step["run"]) for step in job["steps"] if "run" in step]
    assert [args[0] for args in runs] == ["python", "metaeval", "pytest"]
    command = main.get_command(click.Context(main), runs[1][1])
    assert command is not None
    options = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in runs[1] if word.startswith("--")} <= options
    for word in runs[2]:
        if word.startswith("--metaeval-"):
            pytestconfig.getoption(word.removeprefix("--").replace("-", "_"))


@pytest.fixture(scope="module")
def public() -> ModuleType:
    return load("public_metrics")


def test_the_metrics_of_scikit_learn_are_asked_and_compared_with_what_is_documented(public: ModuleType) -> None:
    """A table of few cases: the metrics that give 0 to singletons against themselves are among those that fail."""
    text = list(public.table({"scikit-learn": "any"}, most=3, examples=0, exhaustive=2, jobs=1, effort=0, proofs=False))
    lines = {line.split()[0]: line.split()[1:] for line in text if line.startswith("sklearn.")}
    conditions = text[0].split()
    assert {"A.1", "A.5", "S.1", "S.3", "S.4"} <= set(conditions)
    assert {"sklearn.rand_score", "sklearn.v_measure_score", "sklearn.fowlkes_mallows_score"} <= set(lines)
    assert lines["sklearn.rand_score"][conditions.index("S.1")] == "✓"
    assert lines["sklearn.homogeneity_score"][conditions.index("S.1")] == "✗"


def test_what_a_metric_says_of_itself_is_held_against_what_is_found(public: ModuleType) -> None:
    def doubled(true: Any, found: Any) -> float:
        return 2.0 * (list(true) == list(found))

    metric = public.Metric("mine", "doubled", doubled, {"S.1": "symmetric", "S.3": "1 at best"})
    assert public.range_of(metric, 2) == (0.0, 2.0)
    told = list(public.remarks(metric, {"S.1": "holds", "S.3": "violated", "gate": ""}, 0.0, 2.0))
    assert told == ["documented: “1 at best” (S.3)", "scores from 0 to 2"]


def test_partitions_are_counted_by_the_bell_numbers_and_installed_libraries_asked(public: ModuleType) -> None:
    assert [len(list(public.partitions(objects))) for objects in range(1, 6)] == [1, 2, 5, 15, 52]
    assert "scikit-learn" in public.installed()
    assert set(public.installed()) <= set(public.LIBRARIES)
