"""The four recipes of CONTRIBUTING, followed on a copy of the checkout: the tests that they name still pass."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COPIED = (
    "metaeval", "conditions", "measures", "reports", "tests", "docs", "examples", "pyproject.toml", "README.md",
)  # fmt: skip

COMMAND = '''"""``metaeval hello``: say hello."""

from __future__ import annotations

import click


@click.command(epilog="\\b\\nExample:\\n  metaeval hello")
def command() -> None:
    """Say hello."""
    click.echo("hello")
'''


def recipe(title: str) -> str:
    """The section of CONTRIBUTING with this title."""
    return re.search(rf"^## {title}.*?(?=^## |\Z)", TEXT, re.M | re.S)[0]


def blocks(title: str) -> list[str]:
    """The Python blocks of a recipe, as they are to be saved."""
    return [textwrap.dedent(block) for block in re.findall(r"^ *```python\n(.*?)^ *```", recipe(title), re.M | re.S)]


def named_tests(title: str) -> set[str]:
    """The files of tests that a recipe tells to run."""
    return set(re.findall(r"tests/test_(?!recipes|atlas)\w+\.py", recipe(title)))


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text, f"{file.name} has no {old!r}"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A copy of the checkout in which all four recipes were followed."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    for name in ("conditions", "measures", "reports"):
        (copy / "metaeval" / name).symlink_to(copy / name)
    follow_measure(copy)
    follow_condition(copy)
    follow_source(copy)
    follow_command(copy)
    return copy


def follow_measure(copy: Path) -> None:
    code, reference = blocks("Add a measure")
    (copy / "measures/overlap.py").write_text(code, encoding="utf-8")
    edit(copy / "measures/__init__.py", "FILES = (", 'FILES = (\n    "overlap",')
    line = f'{reference}\n\nMEASURES = {{\n    "overlap-coefficient": overlap,'
    edit(copy / "tests/reference.py", "MEASURES = {", line)


def follow_condition(copy: Path) -> None:
    source = (copy / "conditions/a2_completeness.py").read_text(encoding="utf-8")
    (copy / "conditions/x1_completeness.py").write_text(source.replace("A.2", "X.1"), encoding="utf-8")
    edit(copy / "conditions/__init__.py", '    "h8_maximum",', '    "h8_maximum",\n    "x1_completeness",')
    edit(copy / "tests/test_conditions.py", "BROKEN = {", 'BROKEN = {\n    "X.1": purity,')


def follow_source(copy: Path) -> None:
    literature = copy / "metaeval/literature"
    source = (literature / "lutov2019.py").read_text(encoding="utf-8")
    (literature / "example2020.py").write_text(source.replace('id="lutov2019"', 'id="example2020"'), encoding="utf-8")
    edit(literature / "shelf.py", "scikit_learn\n", "scikit_learn, example2020\n")
    edit(literature / "shelf.py", "scikit_learn)", "scikit_learn, example2020)")
    same = '(52, {("Table III", "Size vs quantity", "f1p")}),'
    edit(copy / "tests/test_literature.py", "PRINTED = {", f'PRINTED = {{\n    "example2020": {same}')


def follow_command(copy: Path) -> None:
    (copy / "metaeval/cli/commands/hello.py").write_text(COMMAND, encoding="utf-8")
    edit(copy / "metaeval/cli/dispatch.py", "COMMANDS = {", 'COMMANDS = {\n    "hello": "Say hello.",')


def python(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(checkout), "METAEVAL_CACHE_DIR": str(checkout / "cache")}
    return subprocess.run(
        [sys.executable, *words], cwd=checkout, env=environment, capture_output=True, encoding="utf-8"
    )


def passed(checkout: Path, *words: str) -> str:
    done = python(checkout, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", *words)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    return done.stdout


def test_every_recipe_names_tests():
    for title in ("Add a measure", "Add a condition", "Add a source", "Add a command"):
        assert named_tests(title)
        assert all((ROOT / file).is_file() for file in named_tests(title))


def test_what_was_added_can_be_used(checkout):
    for words, said in [
        (("list", "measures"), "overlap-coefficient"),
        (("explain", "X.1"), "X.1"),
        (("paper", "--help"), "example2020"),
        (("hello",), "hello\n"),
    ]:
        done = python(checkout, "-m", "metaeval", *words)
        assert done.returncode == 0, done.stderr
        assert said in done.stdout


def test_the_tests_of_the_registry_and_the_atlas_pass(checkout):
    said = passed(checkout, "tests/test_atlas.py", "tests/test_registry.py")
    assert "not in the atlas yet: overlap-coefficient, X.1" in said


def test_the_tests_that_are_about_what_was_added_pass(checkout):
    files = set.union(*map(named_tests, ("Add a measure", "Add a condition", "Add a source", "Add a command")))
    passed(checkout, *sorted(files), "-m", "not long", "-k", "overlap-coefficient or X.1 or example2020 or hello")


@pytest.mark.long
@pytest.mark.parametrize("title", ["Add a measure", "Add a condition", "Add a source", "Add a command"])
def test_all_tests_that_a_recipe_names_pass(checkout, title):
    passed(checkout, *sorted(named_tests(title)), "-m", "not long")
