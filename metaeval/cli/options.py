"""Options that several commands share: what to check, and how hard."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from metaeval.catalogue.measure import Measure
from metaeval.core.errors import InputError
from metaeval.core.settings import OPTIONS, QUICK, Option, Settings
from metaeval.files.json_file import kind_if_not_regular
from metaeval.literature.suites import PAPER, SUITES, Suite, find_suite
from metaeval.runner.plan import Plan

Command = Callable[..., Any]


@dataclass(frozen=True)
class Asked:
    """What the shared options ask for; ``stated`` are the settings that were given, by name."""

    conditions: tuple[str, ...]
    readings: tuple[str, ...]
    stated: dict[str, Any]
    quiet: bool
    quick: bool = False
    cache: bool = True
    suite: str | None = None

    @property
    def settings(self) -> Settings:
        """The settings, with defaults for what was not given."""
        usual = QUICK if self.quick else {}
        return Settings(**{**usual, **self.stated}, cache=self.cache)

    def left_out(self) -> str | None:
        """What a quick search leaves out of a full one, in a sentence."""
        if not self.quick:
            return None
        asked, full = self.settings, Settings()
        large = "" if asked.effort else ", and tries no large ones"
        return (
            f"--quick tries cases of up to {asked.exhaustive} objects where a full search goes as far as is practical, "
            f"draws {asked.examples} cases where that draws {full.examples}{large}; "
            "what holds here may be violated there: search again without --quick"
        )

    def plan(self, measures: Iterable[str | Measure] | None, usual: Suite = PAPER) -> Plan:
        """The plan for these measures; where nothing is chosen, what the suite has, or the ``usual`` one."""
        suite = usual if self.suite is None else find_suite(self.suite)
        return Plan.of(measures, self.conditions or None, self.readings or None, suite)


def search_options(command: Command) -> Command:
    """Give a command the options that say what is searched and how; it gets them as ``asked``."""

    @wraps(command)
    def with_asked(**given: Any) -> Any:
        own = {name: given.pop(name) for name in ("suite", "conditions", "readings", "quiet", "quick", "cache")}
        settings = {name: given.pop(name) for name in OPTIONS}
        settings["proofs"] = given.pop("proofs")
        stated = {name: value for name, value in settings.items() if value is not None}
        return command(asked=Asked(stated=stated, **own), **given)

    decorated: Command = with_asked
    for option in reversed(_SHARED):
        decorated = option(decorated)
    return decorated


def setting(option: Option) -> Callable[[Command], Command]:
    """An option as its setting is declared."""

    def parse(ctx: click.Context, param: click.Parameter, text: str | None) -> int | float | None:
        try:
            return None if text is None else option.parse(text)
        except InputError as error:
            raise click.BadParameter(str(error), ctx, param) from None

    text = f"{option.help[0].upper()}{option.help[1:]}.  [default: {option.default}]"
    return click.option(f"--{option.name}", callback=parse, metavar=option.metavar, help=text)


_SHARED: tuple[Callable[[Command], Command], ...] = (
    click.option(
        "--suite",
        metavar="NAME",
        help=f"What is meant where nothing else is chosen: {', '.join(SUITES)}.",
    ),
    click.option(
        "--condition", "conditions", multiple=True, metavar="ID", help="Only this condition; may be repeated."
    ),
    click.option(
        "--reading", "readings", multiple=True, metavar="NAME", help="Only this reading; may be repeated."
    ),
    *map(setting, OPTIONS.values()),
    click.option("--quick", is_flag=True, help="A first answer within seconds, from small cases alone."),
    click.option(
        "--no-cache",
        "cache",
        flag_value=False,
        default=True,
        type=bool,
        help="Make the cases anew instead of taking them from the cache, and keep none.",
    ),
    click.option(
        "--proofs/--no-proofs",
        default=None,
        help="Try to prove what no counterexample was found to, for all sizes, or leave that out.  [default: try]",
    ),
    click.option("--quiet", is_flag=True, help="No progress and no messages."),
)


def check_file(option: str, file: str) -> None:
    """Refuse a file that cannot be written: that is better known before the search than after it."""
    folder = Path(file).parent
    if file in ("", "-"):
        raise InputError(f"{option} is {file!r}; expected the name of a file")
    kind = kind_if_not_regular(file)
    if kind is not None:
        raise InputError(f"{option} is {file!r}, {kind}; expected the name of a file")
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{file} cannot be written: {folder} is no directory that can be written to")
