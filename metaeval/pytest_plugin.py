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


def pytest_configure(config: pytest.Config) -> None:
    _sessions.append(config)


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
