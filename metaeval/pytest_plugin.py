"""The pytest plugin: the options of a session, and nothing that costs a session which does not use metaeval.

Every pytest run on a machine with metaeval loads this module. So it imports nothing of metaeval; what
a test needs is loaded by :mod:`metaeval.parametrize`, when a test module asks for it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import pytest

#: The sessions under way, the innermost last: pytest can run inside a test of pytest.
_sessions: list[pytest.Config] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("metaeval", "metaeval: measures against conditions")
    group.addoption(
        "--metaeval-examples",
        type=_at_least(0),
        metavar="N",
        help="cases that Hypothesis draws for each condition and reading (default: 200)",
    )
    group.addoption(
        "--metaeval-seed", type=_at_least(None), metavar="SEED", help="the seed of what is drawn (default: 0)"
    )
    group.addoption(
        "--metaeval-exhaustive",
        type=_at_least(0),
        metavar="N",
        help="try all cases up to N objects (default: as far as is practical)",
    )
    group.addoption(
        "--metaeval-budget",
        type=_seconds,
        metavar="SECONDS",
        help="seconds that a test may spend in its measure (default: 60)",
    )


def pytest_configure(config: pytest.Config) -> None:
    _sessions.append(config)


def pytest_unconfigure(config: pytest.Config) -> None:
    if config in _sessions:
        _sessions.remove(config)


def options() -> dict[str, Any]:
    """What the session under way asks for, by the names of :func:`metaeval.run`; the rest is left to it."""
    if not _sessions:
        return {}
    values = {name: _sessions[-1].getoption(f"metaeval_{name}", None) for name in _NAMES}
    return {name: value for name, value in values.items() if value is not None}


_NAMES = ("examples", "seed", "exhaustive", "budget")


def _at_least(least: int | None) -> Callable[[str], int]:
    def integer(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is no integer") from None
        if least is not None and value < least:
            raise argparse.ArgumentTypeError(f"{value} is too small; expected an integer from {least} up")
        return value

    return integer


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return value
