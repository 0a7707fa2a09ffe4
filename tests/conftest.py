"""Which tests take long, a cache of their own for all of them, and the files that many of them read."""

import importlib
import json
import os
import pkgutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import pytest

import metaeval
from metaeval.cases.store import FOLDER

#: Files whose tests search for counterexamples, list and draw cases by the thousand, or build what is published.
#: `make quick` leaves them out; a new file is among the quick ones until it is named here.
SEARCH = {
    "test_adapters", "test_array_scores", "test_atlas", "test_backends", "test_baseline", "test_benchmarks",
    "test_beside", "test_bounds", "test_budget", "test_bugs", "test_certificates", "test_check", "test_commands",
    "test_conditions",
    "test_consistency", "test_docs", "test_effort", "test_end_to_end", "test_enumeration", "test_exact_verdicts",
    "test_examples", "test_explanation", "test_false_proofs", "test_faults", "test_flaws", "test_further_enumeration",
    "test_fuzzed_files", "test_kernel", "test_large", "test_literature", "test_mutants", "test_packs", "test_paper",
    "test_premises", "test_proof_fuzz", "test_proof_soundness", "test_proofs_in_runs", "test_pytest_plugin",
    "test_quick", "test_recipes", "test_rules", "test_runner", "test_search", "test_sides", "test_site",
    "test_strength", "test_suites", "test_terminal", "test_tutorial", "test_untrusted", "test_variant_readings",
    "test_zoo",
}  # fmt: skip

#: Files with tests of a minute or so: begun first, lest the other processes wait for them in the end.
LONGEST = {"test_tutorial"}


def pytest_configure(config: pytest.Config) -> None:
    """Keep the tests out of the user's cache; the workers of a session share one, as they inherit its name."""
    # Machines are busy: no test has a limit of time.
    hypothesis.settings.register_profile("tests", deadline=None)
    hypothesis.settings.load_profile("tests")
    if "METAEVAL_TESTS" not in os.environ:
        folder = tempfile.TemporaryDirectory(prefix="metaeval-tests-")
        os.environ[FOLDER] = os.environ["METAEVAL_TESTS"] = folder.name
        config.add_cleanup(folder.cleanup)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.stem in SEARCH:
            item.add_marker("search")
    items.sort(key=lambda item: item.path.stem not in LONGEST)


@pytest.fixture(scope="session")
def results_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real run: `ce` is violated, `mocice` holds. What is proved too has tests of its own."""
    path = tmp_path_factory.mktemp("run") / "results.json"
    metaeval.run(["ce", "mocice"], ["A.1"], ["canonical", "literal"], examples=5, exhaustive=4, out=path, proofs=False)
    return path


@pytest.fixture(scope="session")
def loaded() -> None:
    """All modules: pytester forgets those that a session inside this process was the first to load."""
    for found in pkgutil.walk_packages(metaeval.__path__, "metaeval."):
        if not found.name.endswith(("__main__", "dask")):
            importlib.import_module(found.name)


@pytest.fixture
def data(results_file: Path) -> dict[str, Any]:
    """What is in that file, to be changed."""
    parsed: dict[str, Any] = json.loads(results_file.read_text())
    return parsed


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Writes a file, JSON unless it is a text, and says its name."""

    def write(content: Any, name: str = "file.json") -> str:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    return write
