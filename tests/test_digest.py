"""The digest of source files: it follows imports, it sees every measure, and words do not change it."""

import importlib
import shutil
from pathlib import Path

import pytest

from metaeval.cases.store import PackKey, digest_of_condition
from metaeval.core.digest import code, digest_of, imported_within
from metaeval.runner.dask import Installation, digest_of_package


def forget():
    digest_of_condition.cache_clear()
    digest_of_package.cache_clear()


@pytest.fixture(autouse=True)
def _forgetful():
    forget()
    yield
    forget()


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Puts a copy in the place of a package's folder."""

    def copy(package: str) -> Path:
        module = importlib.import_module(package)
        folder = tmp_path / package
        shutil.copytree(module.__path__[0], folder, ignore=shutil.ignore_patterns("__pycache__"))
        monkeypatch.setattr(module, "__path__", [str(folder)])
        return folder

    return copy


def edit(file: Path, line: str = "EDITED = True") -> None:
    with file.open("a", encoding="utf-8") as opened:
        opened.write(f"\n{line}\n")
    forget()


@pytest.mark.parametrize(("file", "changed", "unchanged"), [
    ("a5_perfect_match.py", ["A.5", "S.1", "H.6", "H.8"], ["A.1", "S.2"]),
    ("g1_strict_monotonicity.py", ["G.1", "G.2"], ["G.3"]),
    ("b5_multiple_coverage.py", ["B.5", "H.4"], ["B.4"]),
    ("_readings.py", ["A.1", "S.4"], []),
])  # fmt: skip
def test_the_cases_of_a_condition_depend_on_the_conditions_that_it_imports(copied, file, changed, unchanged):
    folder = copied("metaeval.conditions")
    keys = {id: PackKey(id, 200, 0, None) for id in (*changed, *unchanged)}
    before = {id: key.lasting for id, key in keys.items()}
    edit(folder / file)
    assert {id for id, key in keys.items() if key.lasting != before[id]} == set(changed)


@pytest.mark.parametrize("file", ["mocice.py", "__init__.py", "_objects.py"])
def test_dask_workers_with_another_measure_are_noticed(copied, file):
    folder = copied("metaeval.measures")
    here = Installation.here()
    edit(folder / file)
    assert "other files of metaeval" in (Installation.here().difference(here) or "")


def test_words_and_import_lines_do_not_change_the_code(tmp_path):
    plain, wordy = tmp_path / "plain.py", tmp_path / "wordy.py"
    plain.write_text("def f(x):\n    return x + 1\n")
    wordy.write_text(
        '"""A module."""\n\nfrom math import (\n    pi,\n)\n\n\n'
        'def f(x):\n    """Adds."""\n    # Why.\n    return x + 1\n'
    )
    assert code(plain) == code(wordy)
    assert digest_of([plain]) != digest_of([wordy])
    edit(wordy, "f = 1")
    assert code(plain) != code(wordy)


def test_a_string_that_is_no_docstring_is_code(tmp_path):
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text('TEXT = """\n# a\n"""\n')
    other.write_text('TEXT = """\n# b\n"""\n')
    assert code(one) != code(other)


def test_imports_are_followed_through_files_that_import_each_other(tmp_path):
    (tmp_path / "a.py").write_text("from package import b\n")
    (tmp_path / "b.py").write_text("def later():\n    import package.c\n    from package.a import x\n")
    (tmp_path / "c.py").write_text("import os\nfrom package.missing import y\n")
    (tmp_path / "d.py").write_text("")
    assert [file.name for file in imported_within(tmp_path / "a.py", "package")] == ["a.py", "b.py", "c.py"]
