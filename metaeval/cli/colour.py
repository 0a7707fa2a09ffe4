"""Colour on verdicts, where the terminal has it and the user wants it: https://no-color.org."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import click

from metaeval.core.verdict import Verdict

Paint = Callable[[str], str]


def is_wanted() -> bool:
    """Whether what goes to standard output is coloured."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") in ("dumb", ""):
        return False
    return sys.stdout is not None and sys.stdout.isatty()


def of(verdict: Verdict, expected: bool = False) -> Paint:
    """Green for what holds, red for what counts against a measure; yellow for what lies between or is known."""
    if verdict.counts_against and not expected:
        return red
    return green if verdict.satisfied else yellow


def green(text: str) -> str:
    """As for what holds."""
    return _painted(text, "green")


def red(text: str) -> str:
    """As for what fails."""
    return _painted(text, "red")


def yellow(text: str) -> str:
    """As for what is undecided, or known already."""
    return _painted(text, "yellow")


def bold(text: str) -> str:
    """As for a title."""
    return click.style(text, bold=True) if text.strip() and is_wanted() else text


def first_line(text: str) -> str:
    """A text whose first line is its title."""
    title, newline, rest = text.partition("\n")
    return bold(title) + newline + rest


def symbols(text: str) -> str:
    """A text with the symbols of verdicts in it, each in its colour."""
    if not is_wanted():
        return text
    paints = {verdict.symbol: of(verdict) for verdict in Verdict}
    return "".join(paints[sign](sign) if sign in paints else sign for sign in text)


def _painted(text: str, colour: str) -> str:
    return click.style(text, fg=colour) if text.strip() and is_wanted() else text
