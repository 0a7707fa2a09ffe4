"""What a project's ``pyproject.toml`` says, put beneath what the command line says, which wins."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from metaeval.cli.options import Asked
from metaeval.core.errors import InputError
from metaeval.literature.suites import find_suite
from metaeval.project import FILE, TABLE, Project, find_project
from metaeval.runner.plan import Plan

#: What a baseline settles itself: beside one, a project's own are not asked for.
_OF_BASELINE = ("examples", "exhaustive", "seed", "effort")
#: What --quick settles itself.
_OF_QUICK = ("examples", "exhaustive", "effort", "budget")

Check = Callable[..., int]


def for_each_target(command: Check) -> Check:
    """Let a command on one target be asked without any: it then looks at each of the project's, one by one."""

    @wraps(command)
    def configured(target: str | None, **given: Any) -> int:
        project = find_project(Path.cwd())
        if project is None:
            if target is None:
                raise InputError(
                    f"no TARGET, and no {FILE} here or above with {TABLE}; expected a measure's id, "
                    "package.module:function or path/to/file.py:function"
                )
            return command(target=target, **given)
        chosen = _chosen(project, target, given)
        code = 0
        for number, each in enumerate(chosen):
            if number:
                click.echo()
            code = max(code, _one(command, project, each, given))
        return code

    return configured


def _chosen(project: Project, target: str | None, given: dict[str, Any]) -> tuple[str, ...]:
    """The targets to look at; what speaks of one measure cannot be asked of several."""
    if target is not None:
        return (target,)
    if not project.targets:
        raise InputError(f"no TARGET, and {project.shown}: {TABLE} has no targets; name one in either")
    several = {
        "--save": "save",
        "--against": "against",
        "--json": "as_json",
        "--best": "best",
        "--low": "low",
        "--domain": "domain",
    }
    for option, name in {**several, "--smaller-is-better": "smaller_is_better"}.items():
        if len(project.targets) > 1 and given[name] is not None and given[name] is not False:  # --best 0 is given
            raise InputError(
                f"{option} is about one measure and {project.shown} has {len(project.targets)} targets; "
                f"name one, such as `metaeval check {project.targets[0]} {option}`"
            )
    # Modules of the project are found from any folder of it.
    folder = str(project.file.parent)
    if folder not in sys.path:
        sys.path.append(folder)
    return project.targets


def _one(command: Check, project: Project, target: str, given: dict[str, Any]) -> int:
    own = project.named(target)
    asked: Asked = given["asked"]
    against = given["against"] or _baseline(project, own, given)
    expected = given["expected"]
    if against is None:
        _check_choice(project, asked)
        expected = expected or _expected(project, own, asked)
    try:
        merged = {**given, "asked": _merged(project, asked, against), "against": against, "expected": expected}
        return command(target=target, **merged)
    except InputError as error:
        if own is None:
            raise
        raise InputError(f"{error} (as {TABLE} in {project.shown} asks)") from None


def _baseline(project: Project, own: str | None, given: dict[str, Any]) -> str | None:
    """The project's baseline of a target, unless the command line asks for what excludes one."""
    file = project.against.get(own or "")
    asked: Asked = given["asked"]
    other = {
        "--save": given["save"],
        "--suite": asked.suite,
        "--condition": asked.conditions,
        "--reading": asked.readings,
        "--quick": asked.quick,
        "--expect-violation": given["expected"],
        **{f"--{name}": name in asked.stated for name in _OF_BASELINE},
    }
    asking = next((option for option, value in other.items() if value), None)
    if file is None or asking is None:
        return file
    if not asked.quiet:
        click.echo(f"metaeval: {asking} sets the baseline {file} aside, which {project.shown} names", err=True)
    return None


def _merged(project: Project, asked: Asked, against: str | None) -> Asked:
    settled = (_OF_BASELINE if against else ()) + (_OF_QUICK if asked.quick else ())
    stated = {name: value for name, value in project.settings.items() if name not in settled}
    if against is not None:
        return replace(asked, stated={**stated, **asked.stated})
    return replace(
        asked,
        stated={**stated, **asked.stated},
        suite=asked.suite or project.suite,
        # A suite on the command line is not to be narrowed by the project's conditions.
        conditions=asked.conditions or (() if asked.suite else project.conditions),
        readings=asked.readings or project.readings,
    )


def _expected(project: Project, own: str | None, asked: Asked) -> tuple[str, ...]:
    """The project's expectations of a target, less those that the command line leaves out of the search."""
    chosen = asked.conditions or (find_suite(asked.suite).condition_ids() if asked.suite else ())
    ids, names = ({word.lower() for word in words} for words in (chosen, asked.readings))

    def searched(place: str) -> bool:
        id, _, reading = place.lower().partition("/")
        return (not ids or id in ids) and (not names or reading in names)

    return tuple(filter(searched, project.expect.get(own or "", ())))


def _check_choice(project: Project, asked: Asked) -> None:
    """Refuse conditions and readings of the project's that there are not, naming the file that has them."""
    conditions = () if asked.conditions or asked.suite else project.conditions
    readings = () if asked.readings else project.readings
    try:
        Plan.of(None, conditions or None, readings or None)
    except InputError as error:
        raise InputError(f"{project.shown}: {TABLE}: {error}") from None
