"""The pytest plugin: the options of a session, and nothing that costs a session which does not use metaeval.

Every pytest run on a machine with metaeval loads this module. So of metaeval it imports nothing but the
declaration of the settings, which is light; what a test needs is loaded by :mod:`metaeval.parametrize`, when a
test module asks for it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import pytest

from metaeval.core.errors import InputError
from metaeval.core.settings import OPTIONS, Option

#: The settings that a session can choose. How many processes it has is for pytest-xdist to say.
_NUMBERS = ("examples", "seed", "exhaustive", "budget", "effort")
_NAMES = (*_NUMBERS, "proofs")

#: The sessions under way, the innermost last: pytest can run inside a test of pytest.
_sessions: list[pytest.Config] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("metaeval", "metaeval: measures against conditions")
    for option in map(OPTIONS.__getitem__, _NUMBERS):
        text = f"{option.help} (default: {option.default})"
        group.addoption(f"--metaeval-{option.name}", type=_parser(option), metavar=option.metavar, help=text)
    group.addoption(
        "--metaeval-no-proofs",
        dest="metaeval_proofs",
        action="store_const",
        const=False,
        help="try no proofs of what no counterexample was found to",
    )


def pytest_configure(config: pytest.Config) -> None:
    _sessions.append(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    if config in _sessions:
        _sessions.remove(config)


def options() -> dict[str, Any]:
    """What the session under way asks for, by the names of :func:`metaeval.run`; the rest is left to it.

    What its options do not say, ``[tool.metaeval]`` in ``pyproject.toml`` may.
    """
    if not _sessions:
        return {}
    values = {name: _sessions[-1].getoption(f"metaeval_{name}", None) for name in _NAMES}
    return {**_of_project(_sessions[-1]), **{name: value for name, value in values.items() if value is not None}}


def _of_project(config: pytest.Config) -> dict[str, Any]:
    from metaeval.project import find_project

    try:
        project = find_project(config.rootpath)
    except InputError as error:
        pytest.fail(str(error), pytrace=False)
    return {} if project is None else {name: project.settings[name] for name in _NAMES if name in project.settings}


def _parser(option: Option) -> Callable[[str], int | float]:
    def parse(text: str) -> int | float:
        try:
            return option.parse(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse
