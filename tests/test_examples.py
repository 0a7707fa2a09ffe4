"""The examples: that they run, and that what they are said to show is so. test_tutorial.py compares their output."""

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tools import ROOT, assert_ends, assert_one_sentence, run_inside

EXAMPLES = ROOT / "examples"
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


def test_the_examples_are_written_once_and_what_is_printed_can_be_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written = run_inside("examples", "new folder")
    assert_ends(written, 0, "cd 'new folder'")
    folder = tmp_path / "new folder"
    for path in folder.iterdir():
        assert path.read_bytes() == (EXAMPLES / path.name).read_bytes()
    named = re.match(r"Written to 'new folder': (.*)\. Try this:\n", written.out)
    assert named is not None
    assert {path.name for path in folder.iterdir()} == set(named[1].split(", "))
    (folder / "measures.py").unlink()
    (folder / "gold.json").write_text("mine")
    assert_one_sentence(run_inside("examples", "new folder"), "new folder/gold.json exists, and is not overwritten")
    assert (folder / "gold.json").read_text() == "mine"
    assert not (folder / "measures.py").exists()
    (tmp_path / "file").touch()
    assert_one_sentence(run_inside("examples", "file"), "file")
    # The lines that the user pastes, from the second on: in this folder.
    again = run_inside("examples", "again")
    monkeypatch.chdir("again")
    monkeypatch.setattr(sys, "path", list(sys.path))
    score, flawed, mine, tests = [shlex.split(line) for line in again.out.splitlines() if line[:4] == "    "][1:]
    assert_ends(run_inside(*score[1:]), 0, "5/6", "322/723")
    few = ("--condition", "A.1", "--reading", "canonical", "--quiet", "--no-proofs")
    assert_ends(run_inside(*flawed[1:], *few), 1, "violates A.1 Homogeneity")
    assert_ends(run_inside(*mine[1:], *few), 0, "1 holds")
    chosen = ["-k", "A.1 or golden-0 or flaw", "-W", "error", "--metaeval-effort=0", "--metaeval-exhaustive=3"]
    done = subprocess.run([sys.executable, "-m", *tests, *chosen], capture_output=True, encoding="utf-8")
    assert (done.returncode, "11 passed" in done.stdout) == (0, True), done.stdout


def test_the_workflow_runs_what_exists(
    pytestconfig: pytest.Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    yaml = pytest.importorskip("yaml")
    data = yaml.safe_load(WORKFLOW)
    (job,) = data["jobs"].values()
    assert [next(key for key in step if key in ("uses", "run")) for step in job["steps"]] == ["uses"] * 2 + ["run"] * 3
    install, check, tests = [shlex.split(step["run"]) for step in job["steps"] if "run" in step]
    # metaeval is installed from where the reader says; nobody has registered its name.
    assert install == ["python", "-m", "pip", "install", "$METAEVAL", "pytest-xdist"]
    assert data["env"]["METAEVAL"].startswith("git+https://")
    assert [check[0], tests[0]] == ["metaeval", "pytest"]
    for word in tests:
        if word.startswith("--metaeval-"):
            pytestconfig.getoption(word.removeprefix("--").replace("-", "_"))
    # In the project that its first comment describes.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    run_inside("examples", ".")
    (save,) = re.findall(r"metaeval (check [^)]*)\)", WORKFLOW.replace("\n# ", " "))
    few = ("--condition", "B.2", "--reading", "canonical", "--quick", "--quiet", "--no-proofs")
    assert run_inside(*save.split(), *few).code == 0
    assert_ends(run_inside(*check[1:], "--quiet"), 0, "golden scores: 40 of 40 unchanged", "passed: 1 cell")
    listed = subprocess.run([sys.executable, "-m", *tests, "-n0", "--co", "-q"], capture_output=True, encoding="utf-8")
    assert "test_conditions[mine-A.1-canonical]" in listed.stdout
    assert "test_baseline[mine-golden-40]" in listed.stdout


@pytest.mark.parametrize("page", [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").iterdir()])
def test_nobody_is_told_to_install_a_name_that_is_not_registered(page: Path) -> None:
    assert not re.search(r"(pip install|uv add)\s+['\"]?metaeval", page.read_text(encoding="utf-8"))


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
