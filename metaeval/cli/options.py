"""Options that several commands share, and the project's values in pyproject.toml beneath them."""

import os
import shlex
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from metaeval.catalogue.condition import READINGS
from metaeval.catalogue.measure import Measure, measures
from metaeval.cli.targets import demand_ids, load
from metaeval.core.errors import InputError, naming
from metaeval.core.settings import OPTIONS, QUICK, Option, Settings
from metaeval.files.json_file import kind_if_not_regular
from metaeval.literature.shelf import SUITES, find_suite
from metaeval.project import FILE, TABLE, Project, find_project
from metaeval.runner.plan import Plan

Command = Callable[..., Any]
_NAMES: dict[str, Callable[[], Iterable[str]]] = {
    "measure": measures, "reading": lambda: READINGS, "suite": lambda: SUITES,
    # The registry of conditions takes a second to load.
    "condition": lambda: sorted({id for suite in SUITES.values() for id in suite.conditions or ()}),
}  # fmt: skip


def complete(*kinds: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """What a shell offers for a parameter: names of these kinds, and those of files where a measure can be one."""

    def offered(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
        # Bash forgets what stands before "file".
        files = [CompletionItem(start, type="file")] if "measure" in kinds else []
        names = chain.from_iterable(_NAMES[kind]() for kind in kinds)
        return files + [CompletionItem(name) for name in names if name.casefold().startswith(start.casefold())]

    return offered


@dataclass(frozen=True)
class Asked:
    """The values of the shared options; ``stated`` are the settings that were given, by name."""

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
        return Settings(**{**(QUICK if self.quick else {}), **self.stated}, cache=self.cache)

    @property
    def words(self) -> list[str]:
        """The options that choose the same cells."""
        suites = () if self.suite is None else (self.suite,)
        chosen = {"--suite": suites, "--condition": self.conditions, "--reading": self.readings}
        return [word for option, values in chosen.items() for value in values for word in (option, value)]

    def left_out(self) -> str | None:
        """What a quick search leaves out, in a sentence."""
        if not self.quick:
            return None
        asked, full = self.settings, Settings()
        large = "" if asked.effort else " and tries no large cases"
        return (
            f"--quick tries all cases with up to {asked.exhaustive} objects (a full search: as far as is practical), "
            f"draws {asked.examples} cases (a full search: {full.examples}){large}. "
            "A condition that holds here may be violated there: check again without --quick"
        )

    def plan(self, measures: Iterable[str | Measure] | None) -> Plan:
        """The plan for these measures; what is not chosen comes from the suite."""
        suite = None if self.suite is None else find_suite(self.suite)
        return Plan.of(measures, self.conditions or None, self.readings or None, suite)


def search_options(command: Command) -> Command:
    """Give a command the options of a search; it gets them as ``asked``."""

    @wraps(command)
    def with_asked(**given: Any) -> Any:
        own = {name: given.pop(name) for name in ("suite", "conditions", "readings", "quiet", "quick", "cache")}
        settings = {name: given.pop(name) for name in (*OPTIONS, "proofs")}
        stated = {name: value for name, value in settings.items() if value is not None}
        return command(asked=Asked(stated=stated, **own), **given)

    decorated: Command = with_asked
    for option in reversed(_SHARED):
        decorated = option(decorated)
    return decorated


def setting(option: Option) -> Callable[[Command], Command]:
    """The command line option of a setting."""

    class Value(click.ParamType[float]):
        name = option.metavar

        def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
            try:
                return option.parse(str(value))
            except InputError as error:
                self.fail(f"{error}.", param, ctx)

    text = f"{option.help[0].upper()}{option.help[1:]}.  [default: {option.default}]"
    return click.option(f"--{option.name}", type=Value(), metavar=option.metavar, help=text)


_SHARED: tuple[Callable[[Command], Command], ...] = (
    click.option("--suite", metavar="NAME", shell_complete=complete("suite"),
                 help=f"Set of measures and conditions: {', '.join(SUITES)}."),
    click.option("--condition", "conditions", multiple=True, metavar="ID", shell_complete=complete("condition"),
                 help="Only this condition; may be repeated."),
    click.option("--reading", "readings", multiple=True, metavar="NAME", shell_complete=complete("reading"),
                 help="Only this reading; may be repeated."),
    *map(setting, OPTIONS.values()),
    click.option("--quick", is_flag=True, help="First answer within seconds, from small cases only."),
    click.option("--no-cache", "cache", flag_value=False, default=True, type=bool,
                 help="Make the cases anew; neither read nor write the cache."),
    click.option("--proofs/--no-proofs", default=None,
                 help="Try to prove every cell without a counterexample.  [default: on]"),
    click.option("--quiet", is_flag=True, help="No progress and no messages."),
)  # fmt: skip


def check_file(option: str, file: str) -> None:
    """Refuse a file that cannot be written before the search, not after it."""
    folder, kind = Path(file).parent, kind_if_not_regular(file)
    if file in ("", "-"):
        raise InputError(f"{option} is {file!r}; expected the name of a file")
    if kind is not None:
        raise InputError(f"{option} is {file!r}, {kind}; expected the name of a file")
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"{file} cannot be written: {folder} is not a writable directory")


def chosen_names(option: str, words: Iterable[str], known: Iterable[str]) -> list[str]:
    """The names among the ``known`` that an option lists, each once, in its order and whatever their case."""
    named = {name.casefold(): name for name in known}
    for word in (asked := [word.strip() for word in words]):
        if word.casefold() not in named:
            raise InputError(f"{option} names {word!r}; the results have {', '.join(named.values())}")
    return list(dict.fromkeys(named[word.casefold()] for word in asked))


#: The settings that a baseline fixes; the project's values are ignored beside one.
OF_BASELINE = ("examples", "exhaustive", "seed", "effort")

Check = Callable[..., int]


def for_each_target(command: Check) -> Check:
    """Let a command of one target run without one: it then runs on each of the project's targets."""

    @wraps(command)
    def configured(target: str | None, **given: Any) -> int:
        project = find_project(Path.cwd())
        if project is None:
            if target is None:
                raise InputError(
                    f"no TARGET, and no {FILE} here or above with {TABLE}; expected a measure's id, "
                    "path/to/file.py:name, package.module:name or equation.json"
                )
            return command(target=target, **given)
        code, chosen = 0, _chosen(project, target, given)
        if given["save"] and len(chosen) > 1:
            demand_ids({one: load(one) for one in chosen})
        for number, each in enumerate(chosen):
            if number:
                click.echo()
            code = max(code, _one(command, project, each, given))
        return code

    return configured


def _chosen(project: Project, target: str | None, given: dict[str, Any]) -> tuple[str, ...]:
    """The targets to check. Options about one measure are refused where the project has several targets."""
    if target is not None:
        return (target,)
    if not project.targets:
        raise InputError(f"no TARGET, and {project.shown}: {TABLE} has no targets; name one in either")
    for option in ("--json", "--best", "--low", "--domain", "--smaller-is-better", "--param"):
        value = given[{"--json": "as_json", "--param": "params"}.get(option, option[2:].replace("-", "_"))]
        words = [option, *([] if value is True else map(str, value if isinstance(value, tuple) else [value]))]
        if len(project.targets) > 1 and value is not None and value is not False and value != ():  # --best 0 is a value
            raise InputError(
                f"{option} is about one measure and {project.shown} has {len(project.targets)} targets; "
                f"name one, such as `metaeval check {project.targets[0]} {shlex.join(words)}`"
            )
    # The project's modules are found from any of its folders.
    homes = (str(project.file.parent), str(project.file.parent / "src"))
    sys.path += [folder for folder in homes if folder not in sys.path]
    return project.targets


def _one(command: Check, project: Project, target: str, given: dict[str, Any]) -> int:
    own = project.named(target)
    asked: Asked = given["asked"]
    against = given["against"] or _baseline(project, own, given)
    expected = given["expected"]
    settled = (*(OF_BASELINE if against else ()), *(QUICK if asked.quick else ()))
    stated = {name: value for name, value in project.settings.items() if name not in settled}
    merged = replace(asked, stated={**stated, **asked.stated})
    if against is None:
        # The project's conditions do not narrow a suite of the command line.
        conditions = () if asked.conditions or asked.suite else project.conditions
        readings = () if asked.readings else project.readings
        with naming(f"{project.shown}: {TABLE}"):
            Plan.of(None, conditions or None, readings or None)
        expected = expected or _expected(project, own, asked)
        suite, ids = asked.suite or project.suite, asked.conditions or conditions
        merged = replace(merged, suite=suite, conditions=ids, readings=asked.readings or readings)
    try:
        return command(target=target, **{**given, "asked": merged, "against": against, "expected": expected})
    except InputError as error:
        typed = (asked.suite, asked.conditions, asked.readings, *map(given.get, ("against", "save", "golden_only")))
        if own is None or any(typed) or given["expected"]:
            raise
        raise InputError(f"{error} (as {TABLE} in {project.shown} asks)") from None


def _baseline(project: Project, own: str | None, given: dict[str, Any]) -> str | None:
    """The project's baseline of a target, unless an option of the command line excludes one."""
    file = project.against.get(own or "")
    asking = (["--save"] if given["save"] else []) + excluding_a_baseline(given["asked"], given["expected"])
    if file is None or not asking:
        return file
    if not given["asked"].quiet:
        click.echo(f"metaeval: {asking[0]} is given, so the baseline {file} of {project.shown} is not used", err=True)
    return None


def excluding_a_baseline(asked: Asked, expected: tuple[str, ...]) -> list[str]:
    """The options that were given and cannot stand beside a baseline."""
    given = {
        "--suite": asked.suite is not None,
        "--condition": bool(asked.conditions),
        "--reading": bool(asked.readings),
        "--quick": asked.quick,
        **{f"--{name}": name in asked.stated for name in OF_BASELINE},
        "--expect-violation": bool(expected),
    }
    return [option for option, is_given in given.items() if is_given]


def _expected(project: Project, own: str | None, asked: Asked) -> tuple[str, ...]:
    """The project's expectations of a target, without cells that the command line leaves out of the search."""
    chosen = asked.conditions or (find_suite(asked.suite).condition_ids() if asked.suite else ())
    ids, names = ({word.lower() for word in words} for words in (chosen, asked.readings))
    parted = ((place, place.lower().partition("/")) for place in project.expect.get(own or "", ()))
    return tuple(place for place, (id, _, name) in parted if (not ids or id in ids) and (not names or name in names))
