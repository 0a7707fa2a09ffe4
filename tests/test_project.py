"""``[tool.metaeval]``: ``metaeval check`` alone does what a project says, and the command line wins."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_cli import Outcome, assert_one_sentence, run_inside

from metaeval.project import Project, find_project

MEASURES = """
def good(candidate, gold): return float(candidate == gold)
def constant(candidate, gold): return 1.0 - 0.5 * (candidate != gold)
"""
#: Both violate A.1, where two candidates that are not the gold score the same.
SMALL = 'conditions = ["A.1"]\nreadings = ["canonical"]\nexamples = 0\nexhaustive = 3\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with two measures in a file and in a package, to work in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "own.py").write_text(MEASURES)
    package = tmp_path / "project_pack"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "scores.py").write_text(MEASURES)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("project_pack")]:
        del sys.modules[name]


def say(folder: Path, table: str) -> None:
    (folder / "pyproject.toml").write_text(f'[project]\nname = "x"\n\n[tool.metaeval]\n{table}')


def check(*words: str) -> Outcome:
    return run_inside("check", *words)


def results_of(outcome: Outcome) -> Any:
    """The JSON of a check."""
    assert outcome.code in (0, 1), outcome.err
    return json.loads(outcome.out)


def test_the_whole_table_is_read(folder: Path) -> None:
    say(
        folder,
        'targets = ["own.py:good", "project_pack.scores:constant"]\n'
        'conditions = ["A.1", "B.2"]\nreadings = ["canonical"]\n'
        "examples = 7\nexhaustive = 3\nseed = -4\nbudget = 2.5\njobs = 1\n"
        '[tool.metaeval.expect]\n"own.py:good" = ["A.1/canonical"]\n'
        '[tool.metaeval.against]\n"own.py:good" = "base.json"\n',
    )
    assert find_project(folder) == Project(
        folder / "pyproject.toml", ("own.py:good", "project_pack.scores:constant"), {"own.py:good": ("A.1/canonical",)},
        {"own.py:good": "base.json"}, ("A.1", "B.2"), ("canonical",),
        {"examples": 7, "exhaustive": 3, "seed": -4, "budget": 2.5, "jobs": 1},
    )  # fmt: skip


def test_the_nearest_file_with_the_table_counts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    say(folder, 'targets = ["own.py:good"]\n')
    deep = folder / "deep" / "er"
    deep.mkdir(parents=True)
    (folder / "deep" / "pyproject.toml").write_text('[project]\nname = "y"\n')
    monkeypatch.chdir(deep)
    project = find_project(deep)
    assert project is not None
    assert project.targets == ("../../own.py:good",)
    assert project.named(str(folder / "own.py") + ":good") == "../../own.py:good"
    assert project.named("own.py:good") is None
    say(folder / "deep", "")
    assert find_project(deep) == Project(folder / "deep" / "pyproject.toml")


@pytest.mark.parametrize("place", [".", "project_pack"])
def test_check_alone_looks_at_every_target(place: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    say(folder, f'targets = ["own.py:good", "project_pack.scores:constant"]\nexpect = ["A.1/canonical"]\n{SMALL}')
    monkeypatch.chdir(folder / place)
    done = check()
    assert done.code == 0, done.err
    for target in ("own.py:good", "project_pack.scores:constant"):
        assert target in done.out


def test_the_worst_target_decides_how_it_ends(folder: Path) -> None:
    expect = '[tool.metaeval.expect]\n"own.py:good" = ["A.1/canonical"]\n'
    say(folder, f'targets = ["own.py:good", "own.py:constant"]\n{SMALL}{expect}')
    assert check("own.py:good").code == 0
    assert check("./own.py:good").code == 0
    assert check("own.py:constant").code == 1
    assert check().code == 1


def test_the_settings_hold_where_nothing_else_is_said(folder: Path) -> None:
    say(folder, f'targets = ["own.py:good"]\nseed = 5\n{SMALL}')
    found = results_of(check("--json"))
    assert [found["provenance"][key] for key in ("examples", "exhaustive", "seed")] == [0, 3, 5]
    assert {(cell["condition"], cell["reading"]) for cell in found["cells"]} == {("A.1", "canonical")}
    found = results_of(check("--json", "--exhaustive", "2", "--condition", "A.2", "--reading", "literal"))
    assert [found["provenance"][key] for key in ("examples", "exhaustive", "seed")] == [0, 2, 5]
    assert {(cell["condition"], cell["reading"]) for cell in found["cells"]} == {("A.2", "literal")}
    # Of another measure, too.
    assert results_of(check("ce", "--json"))["provenance"]["seed"] == 5


def test_quick_is_quick_whatever_the_project_says(folder: Path) -> None:
    say(folder, 'targets = ["own.py:good"]\nexamples = 90000\nexhaustive = 9\nseed = 5\nconditions = ["A.1"]\n')
    found = results_of(check("--json", "--quick"))["provenance"]
    assert [found[key] for key in ("examples", "exhaustive", "seed")] == [20, 3, 5]


def test_expectations_outside_the_choice_are_left_out(folder: Path) -> None:
    say(folder, 'targets = ["own.py:good"]\nexpect = ["A.1/canonical", "A.2/literal"]\nexamples = 0\nexhaustive = 3\n')
    assert check("--condition", "A.1", "--reading", "canonical").code == 0
    words = ["--condition", "A.1", "--condition", "A.2", "--reading", "canonical"]
    assert check(*words).code == 1
    assert check(*words, "--expect-violation", "A.1/canonical", "--expect-violation", "A.2/canonical").code == 0


def test_a_baseline_is_compared_with_unless_something_else_is_asked_for(folder: Path) -> None:
    say(folder, f'targets = ["own.py:good"]\nagainst = "base.json"\nbudget = 9\n{SMALL}')
    assert_one_sentence(check(), "base.json does not exist", "[tool.metaeval] in pyproject.toml")
    saved = check("--save", "base.json")
    assert saved.code == 1
    assert "metaeval: --save is given, so the baseline base.json of pyproject.toml is not used" in saved.err
    # The violation that the baseline has is no news.
    assert check().code == 0
    quick = check("--quick")
    assert quick.code == 1
    assert "--quick is given, so the baseline base.json" in quick.err
    assert "the baseline" not in check("--quick", "--quiet").err


def test_all_targets_share_one_baseline_file(folder: Path) -> None:
    say(folder, f'targets = ["own.py:good", "project_pack.scores:constant"]\nagainst = "all.json"\neffort = 0\n{SMALL}')
    assert check("--save", "all.json").code == 1
    held = json.loads((folder / "all.json").read_text())["baselines"]
    assert [one["measure"]["id"] for one in held] == ["good", "constant"]
    assert check().code == 0
    assert check("--against", "all.json", "--golden-only").code == 0
    (folder / "own.py").write_text(MEASURES.replace("float(", "0.5 + 0.5 * float("))
    changed = check("--golden-only", "--against", "all.json")
    assert changed.code == 1
    assert changed.out.count("FAILED: ") == 1
    assert "passed: " in changed.out


def test_a_package_in_src_is_found_without_installing_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "src").mkdir()
    (folder / "project_pack").rename(folder / "src" / "project_pack")
    words = ("project_pack.scores:good", "--condition", "B.2", "--reading", "canonical", "--quick", "--quiet")
    assert_one_sentence(check(*words), "no module 'project_pack.scores'")
    say(folder, 'targets = ["project_pack.scores:good"]\n')
    assert check(*words).code == 0
    monkeypatch.chdir(folder / "src")
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert check(*words[1:]).code == 0


#: What the table says -> what the sentence must name.
BAD: dict[str, tuple[str, list[str]]] = {
    "unknown key": ("example = 3", ["unknown key 'example'", "did you mean 'examples'?"]),
    "unlike any key": ("zzz = 3", ["unknown key 'zzz'", "expected one of targets, expect"]),
    "targets as text": ('targets = "own.py:good"', ["targets is 'own.py:good'", "expected a list of targets"]),
    "a number as target": ("targets = [3]", ["targets is [3]", "each a text"]),
    "an empty target": ('targets = [""]', ["targets is ['']"]),
    "examples as text": ('examples = "many"', ["examples is 'many'", "expected an integer from 0 up"]),
    "budget of 0": ("budget = 0", ["budget is 0", "expected a number of seconds above 0"]),
    "conditions as text": ('conditions = "A.1"', ["conditions is 'A.1'", "a list of conditions"]),
    "no such condition": ('targets = ["ce"]\nconditions = ["A.9"]', ["no condition 'A.9'"]),
    "no such reading": ('targets = ["ce"]\nreadings = ["loose"]', ["no reading 'loose'"]),
    "expectation as text": ('expect = "A.1/literal"', ["expect is 'A.1/literal'", "a table of them by target"]),
    "expectation of nobody": ('targets = ["own.py:good"]\nexpect = {"own.py:god" = []}', [
        "expect names 'own.py:god', which is no target", "did you mean 'own.py:good'?",
    ]),
    "expectation of a number": ('targets = ["ce"]\nexpect = {ce = 3}', [
        "expect.'ce' is 3", 'places such as "A.3/literal"',
    ]),
    "no such place": (f'targets = ["ce"]\nexpect = ["A.1/litteral"]\n{SMALL}', [
        "A.1/litteral", "no such cell", "as [tool.metaeval] in",
    ]),
    "baseline of several": ('targets = ["ce", "vi"]\nagainst = ["x.json"]', ["against is ['x.json']", "by target"]),
    "baseline of nobody": ('targets = ["ce"]\nagainst = {vi = "x.json"}', ["against names 'vi'"]),
    "a number as baseline": ('targets = ["ce"]\nagainst = {ce = 3}', ["against.'ce' is 3", "the name of a file"]),
    "no such file": ('targets = ["nowhere.py:good"]', ["nowhere.py does not exist", "as [tool.metaeval] in"]),
    "no targets": ("examples = 3", ["no TARGET", "has no targets"]),
    "not TOML": ("targets = [\n}", ["is not TOML", "line 6"]),
}  # fmt: skip


@pytest.mark.parametrize("wrong", BAD)
def test_what_is_wrong_costs_one_sentence(wrong: str, folder: Path) -> None:
    table, parts = BAD[wrong]
    say(folder, table)
    assert_one_sentence(check(), "pyproject.toml", *parts)


@pytest.mark.parametrize(("content", "parts"), [
    (b"[tool]\nmetaeval = 3\n", ["[tool.metaeval] is 3", "expected a table"]),
    (b"\xff", ["pyproject.toml is not TOML", "utf-8"]),
    (b"tool = 3\n", ["no TARGET", "no pyproject.toml here or above"]),
])  # fmt: skip
def test_a_file_that_is_no_project_costs_one_sentence(content: bytes, parts: list[str], folder: Path) -> None:
    (folder / "pyproject.toml").write_bytes(content)
    assert_one_sentence(check(), *parts)


@pytest.mark.parametrize("option", [["--json"], ["--best", "0"], ["--smaller-is-better"]])
def test_what_is_about_one_measure_is_not_asked_of_several(option: list[str], folder: Path) -> None:
    say(folder, 'targets = ["ce", "vi"]\n')
    assert_one_sentence(check(*option), f"{option[0]} is about one measure", "has 2 targets", "metaeval check ce")


def test_a_printed_command_repeats_the_search_whatever_the_project_says(folder: Path) -> None:
    project = "[tool.metaeval]\nexamples = 20\nexhaustive = 2\neffort = 0\n"
    (folder / "pyproject.toml").write_text(project)
    asked = ("--condition", "A.1", "--reading", "canonical", "--examples", "200", "--exhaustive", "3", "--quiet")
    done = run_inside("check", "rnia", *asked)
    (again,) = (line.split() for line in done.out.splitlines() if line.startswith("    metaeval check"))
    assert again[7:11] == ["--examples", "200", "--exhaustive", "3"]
    # What the project says is part of the command, too: it may be pasted elsewhere.
    assert again[11:] == ["--effort", "0"]


def test_what_is_typed_is_not_blamed_on_the_project(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.metaeval]\ntargets = ["rnia"]\n')
    for words in (["--condition", "Z.9"], ["--reading", "foo"], ["--golden-only"], ["--against", "nope.json"]):
        done = run_inside("check", "rnia", *words)
        assert done.code == 2
        assert "asks" not in done.err


def test_two_targets_with_one_id_are_not_saved_over_each_other(folder: Path) -> None:
    (folder / "own.py").write_text(
        "from functools import partial\n"
        "def f(candidate, gold, beta): return beta * float(candidate == gold)\n"
        "one, other = partial(f, beta=1), partial(f, beta=2)\n"
    )
    (folder / "pyproject.toml").write_text('[tool.metaeval]\ntargets = ["own.py:one", "own.py:other"]\n')
    done = run_inside("check", "--save", "both.json")
    assert_one_sentence(done, "own.py:one and own.py:other both have the id 'f'; give each its own")
    assert not (folder / "both.json").exists()
