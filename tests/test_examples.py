"""The examples: that they run, and that what they are said to show is so. test_tutorial.py compares their output."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path
from types import ModuleType

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


def test_the_algorithms_find_what_is_said(ranking: ModuleType) -> None:
    gold, found = ranking.data()
    assert len(gold) == 3
    assert len(found["coclustering"]) == 2
    assert len(found["checkerboard"]) == 9
    assert set(gold) <= set(found["checkerboard"])
    exact = set(gold) & set(found["coclustering"])
    (merged,) = set(found["coclustering"]) - exact
    assert len(exact) == 1
    assert all(rows <= merged[0] and cols <= merged[1] for rows, cols in set(gold) - exact)


def test_the_measures_disagree_by_more_than_rounding(ranking: ModuleType) -> None:
    scores = ranking.scores()
    prefer = {id: ranking.winner(row) for id, row in scores.items()}
    assert {id for id, name in prefer.items() if name == "coclustering"} == {"ce", "rnia", "e4sc"}
    assert all(abs(row["coclustering"] - row["checkerboard"]) > 0.05 for row in scores.values())


def test_those_that_violate_nothing_agree(ranking: ModuleType) -> None:
    broken = ranking.violated()
    assert [id for id in broken if not broken[id]] == ["bcubed", "mocice"]
    assert all("A.1" in broken[id] for id in ("ce", "rnia", "e4sc"))
    assert ranking.report().endswith("they prefer the checkerboard.")


def test_told_the_right_number_coclustering_finds_the_gold_standard(
    ranking: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = ranking.SpectralCoclustering
    monkeypatch.setattr(ranking, "SpectralCoclustering", lambda n_clusters, **rest: cluster(3, **rest))
    gold, found = ranking.data()
    assert set(found["coclustering"]) == set(gold)


def test_the_workflow_is_yaml() -> None:
    assert "\t" not in WORKFLOW
    for key in ("name:", "on:", "jobs:"):
        assert re.search(f"^{key}", WORKFLOW, re.MULTILINE), key
    yaml = pytest.importorskip("yaml")
    (job,) = yaml.safe_load(WORKFLOW)["jobs"].values()
    assert [set(step) & {"uses", "run"} for step in job["steps"]] == [
        {"uses"},
        {"uses"},
        {"run"},
        {"run"},
        {"run"},
    ]


def test_the_workflow_runs_what_exists(pytestconfig: pytest.Config) -> None:
    runs = [shlex.split(line) for line in re.findall(r"^ +run: (.*)$", WORKFLOW, re.MULTILINE)]
    assert [words[0] for words in runs] == ["python", "metaeval", "pytest"]
    context = click.Context(main)
    command = main.get_command(context, runs[1][1])
    assert command is not None
    options = {name for parameter in command.params for name in parameter.opts}
    assert {word for word in runs[1] if word.startswith("--")} <= options
    for word in runs[2]:
        if word.startswith("--metaeval-"):
            pytestconfig.getoption(word.removeprefix("--").replace("-", "_"))
