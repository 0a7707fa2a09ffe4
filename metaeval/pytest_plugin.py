"""The pytest plugin: the options of a session. Every run of pytest loads it, so it imports the settings only."""

import argparse
from collections.abc import Callable
from typing import Any

import pytest

from metaeval.core.errors import InputError
from metaeval.core.settings import OPTIONS, Option

#: The settings that a session can choose; pytest-xdist decides the number of processes.
_NUMBERS = ("examples", "seed", "exhaustive", "budget", "effort")
_NAMES = (*_NUMBERS, "proofs")
_UPDATES = "metaeval-updates"

#: The sessions under way, the innermost last: a test can run pytest.
_sessions: list[pytest.Config] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("metaeval", "metaeval: measures against conditions")
    for option in map(OPTIONS.__getitem__, _NUMBERS):
        text = f"{option.help} (default: {option.default})"
        group.addoption(f"--metaeval-{option.name}", type=_parser(option), metavar=option.metavar, help=text)
    group.addoption(
        "--metaeval-no-proofs", dest="metaeval_proofs", action="store_const", const=False, help="try no proofs"
    )
    text = "search again, and rewrite the files of parametrize_with_baseline for the measures that are tested"
    group.addoption("--metaeval-update", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("metaeval_update"):
        if hasattr(config, "workerinput") or config.getoption("dist", "no") != "no":
            raise pytest.UsageError("--metaeval-update writes files, so it needs a single process; add -n 0")
        config.pluginmanager.register(Updates(), _UPDATES)
    _sessions.append(config)


class Updates:
    """What a session that rewrites baselines did: files, with the ids of measures, and tests that would have failed."""

    def __init__(self) -> None:
        self.files: dict[str, list[str]] = {}
        self.tests: set[str] = set()

    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, str] | None:
        updated = report.when == "call" and report.passed and report.nodeid in self.tests
        return ("updated", "u", "UPDATED") if updated else None

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for file, ids in self.files.items():
            terminalreporter.write_line(f"metaeval: {file} has new baselines of {', '.join(ids)}")


def updates() -> Updates | None:
    """What the session has rewritten; None unless it rewrites baselines."""
    return _sessions[-1].pluginmanager.get_plugin(_UPDATES) if _sessions else None


def pytest_unconfigure(config: pytest.Config) -> None:
    if config in _sessions:
        _sessions.remove(config)


def options() -> dict[str, Any]:
    """The settings that the session chooses, by name: its options, then ``[tool.metaeval]`` in ``pyproject.toml``."""
    if not _sessions:
        return {}
    values = {name: _sessions[-1].getoption(f"metaeval_{name}", None) for name in _NAMES}
    from metaeval.project import find_project

    try:
        project = find_project(_sessions[-1].rootpath)
    except InputError as error:
        pytest.fail(str(error), pytrace=False)
    below = {} if project is None else project.settings
    chosen = {**below, **{name: value for name, value in values.items() if value is not None}}
    return {name: chosen[name] for name in _NAMES if name in chosen}


def _parser(option: Option) -> Callable[[str], int | float]:
    def parse(text: str) -> int | float:
        try:
            return option.parse(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse
