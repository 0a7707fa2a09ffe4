"""The check of imports bites, and the core knows no condition and no measure by its id.

That the imports are as they should be is for ``make imports`` to say.
"""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import conftest
import pytest

import metaeval

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
CHECK = "tests/packaging/assembled.py"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS = PROJECT["tool"]["setuptools"]["package-dir"].values()

#: The sources and their study, whose subject is certain measures and conditions, and the table of other names.
ABOUT_CERTAIN_IDS = ("literature", "paper")
OTHER_NAMES = "aliases.py"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the linter reads, to be spoilt."""
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / CHECK).parent.mkdir(parents=True)
    for name in ("pyproject.toml", CHECK):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def complaints(checkout: Path) -> str:
    """What the linter says, without the breaks its line width makes."""
    done = subprocess.run([sys.executable, CHECK, "imports"], cwd=checkout, capture_output=True, encoding="utf-8")
    assert done.returncode in (0, 1), done.stderr
    return " ".join(done.stderr.split()) if done.returncode else ""


@pytest.mark.parametrize(("newcomer", "imports"), [
    ("metaeval/runner", "metaeval.reports.text"), ("metaeval/records", "metaeval.workers.call"),
    ("metaeval/core", "metaeval.files.codec"), ("metaeval/search", "metaeval.conditions.a1_homogeneity"),
    ("metaeval/workers", "metaeval.cases.store"), ("metaeval/catalogue", "metaeval.measures.mocice"),
    ("metaeval/display", "metaeval.conditions.a1_homogeneity"), ("metaeval/equations", "metaeval.catalogue.measure"),
    ("metaeval/proofs", "metaeval.search.prove"), ("metaeval/cli/commands", "metaeval.measures.mocice"),
    ("conditions", "metaeval.measures.mocice"), ("measures", "metaeval.search.search"),
    ("reports", "metaeval.cli.tables"),
])  # fmt: skip
def test_an_import_against_the_arrow_is_named(checkout: Path, newcomer: str, imports: str) -> None:
    (checkout / newcomer / "newcomer.py").write_text(f"import {imports}\n")
    package = newcomer if newcomer.startswith("metaeval") else f"metaeval/{newcomer}"
    assert f"{package.replace('/', '.')}.newcomer -> {imports} (l.1)" in complaints(checkout)


@pytest.mark.parametrize("folder", ["metaeval", "metaeval/literature", "metaeval/paper"])
def test_a_new_module_needs_a_place(checkout: Path, folder: str) -> None:
    (checkout / folder / "newcomer.py").touch()
    said = complaints(checkout)
    assert "The following modules are not listed as layers" in said
    assert f"- {folder.replace('/', '.')}.newcomer" in said


def test_the_slow_files_that_are_named_exist() -> None:
    """A file renamed would turn quick unseen."""
    assert {f"{name}.py" for name in conftest.SEARCH | conftest.LONGEST} <= {path.name for path in TESTS.iterdir()}


def words(source: str) -> Iterator[str]:
    """The parts of strings that are data: no docstrings, and nothing with a blank in it, which is prose."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(str(text)) if id(node) not in docstrings and not re.search(r"\s", text):
                yield from re.split(r"[^\w.-]", text)


def known_by_id(source: str) -> set[str]:
    return {*metaeval.conditions(), *metaeval.measures()} & set(words(source))


def test_the_core_names_no_condition_and_no_measure() -> None:
    paths = [path for path in ROOT.glob("metaeval/**/*.py") if path.parent.name not in ABOUT_CERTAIN_IDS]
    paths = [path for path in paths if path.name != OTHER_NAMES]
    assert len(paths) > 100
    named = {str(path.relative_to(ROOT)): known_by_id(path.read_text(encoding="utf-8")) for path in paths}
    assert {path: ids for path, ids in named.items() if ids} == {}


@pytest.mark.parametrize(("source", "ids"), [
    ('CLUSTERINGS = ("A.1", "A.2")', {"A.1", "A.2"}), ('broken = {"A.3/literal": 1}', {"A.3"}),
    ('print(f"{x}mocice")', {"mocice"}), ('"""A.1"""\ndef f():\n    "mocice"', set()),
    ('HELP = "such as A.3/literal"', set()), ('VERDICTS = ("A.10", "mocices", "")', set()),
])  # fmt: skip
def test_ids_are_told_from_prose(source: str, ids: set[str]) -> None:
    assert known_by_id(source) == ids
