"""``metaeval check``: one measure against the conditions, and against its baseline."""

import shlex
from pathlib import Path
from typing import Any

import click

from metaeval.adapters import as_measure
from metaeval.catalogue.condition import GroupId
from metaeval.catalogue.measure import Measure
from metaeval.cli import targets
from metaeval.cli.commands import check_output
from metaeval.cli.dispatch import INTERRUPTED, Stop
from metaeval.cli.options import Asked, check_file, complete, excluding_a_baseline, for_each_target, search_options
from metaeval.cli.progress import Watcher
from metaeval.core.errors import InputError
from metaeval.core.settings import HIGHEST, Settings
from metaeval.equations.equation import DOMAINS, Equation
from metaeval.project import settings_here
from metaeval.records.atlas import standing
from metaeval.runner.events import Estimated, Event
from metaeval.runner.plan import Plan
from metaeval.session import carry_out, no_results
from metaeval.verification import outcome as outcomes
from metaeval.verification.baseline import Baseline, load_all
from metaeval.verification.outcome import CheckProblem, HeldAgainst, Outcome, hold_against

_EPILOG = """\b
Examples:
  metaeval check measures.py:mine
  metaeval check measures.py:distance --smaller-is-better
  metaeval check measures.py:f_beta --param beta=2
  metaeval check measures.py:mine --suite sanity
  metaeval check measures.py:mine --expect-violation A.3/literal
  metaeval check measures.py:mine --save mine.metaeval.json
  metaeval check measures.py:mine --against mine.metaeval.json
  metaeval check measures.py:mine --against mine.metaeval.json --golden-only

\b
A measure of your own, in measures.py:
  def mine(candidate, gold):
      for rows, cols in candidate: ...
      return score
"""

FAILED = 1


class _Best(click.ParamType[Any]):
    """A number, or the word none where perfect matches have different scores."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return "none" if str(value).lower() == "none" else click.FLOAT.convert(value, param, ctx)


@click.command(epilog=_EPILOG)
@click.argument("target", metavar="[TARGET]", required=False, shell_complete=complete("measure"))
@search_options
@click.option("--best", type=_Best(), metavar="X",
              help="Score of a perfect match; none if that differs.  "
              "[default: 1, or 0 with --smaller-is-better]")  # fmt: skip
@click.option("--low", type=float, metavar="X", help="Worst score that the function returns.")
@click.option("--smaller-is-better", is_flag=True, help="The function is a dissimilarity.")
@click.option("--domain", type=click.Choice(DOMAINS), help="Inputs on which the function is defined.  [default: all]")
@click.option("--param", "params", multiple=True, metavar="NAME=VALUE",
              help="Value of a further parameter of the function; may be repeated.")  # fmt: skip
@click.option("--expect-violation", "expected", multiple=True, metavar="ID/READING",
              help="Known violation, such as A.3/literal; may be repeated.")  # fmt: skip
@click.option("--save", metavar="FILE", help="Save verdicts, certificates and golden scores as a baseline in FILE.")
@click.option("--against", metavar="FILE", help="Compare with the measure's baseline in FILE, under its settings.")
@click.option("--golden-only", is_flag=True,
              help="With --against, re-check without search: finds changed scores, not broken conditions.")  # fmt: skip
@click.option("--all", "show_all", is_flag=True,
              help="Show every counterexample in full, not only the fewest that explain all violations.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON, in the format of `metaeval run`.")
@for_each_target
def command(
    target: str,
    asked: Asked,
    expected: tuple[str, ...],
    save: str | None,
    against: str | None,
    golden_only: bool,
    show_all: bool,
    as_json: bool,
    **declared: Any,
) -> int:
    """Check the measure TARGET: a measure's id, path/to/file.py:name, package.module:name or equation.json.

    Without --suite and --condition it is checked against the first paper's ten conditions and the four of the suite
    sanity.

    The exit code is 1 for a violation that was not expected, for an expected one that is no longer found, for a
    measure that fails or does not pass the gate and, with --against, for any change for the worse.

    Without TARGET, the targets of [tool.metaeval] in pyproject.toml are checked, here or in a folder above. Its
    settings apply where the command line has none.
    """
    if golden_only and against is None:
        raise InputError("--golden-only needs a baseline to compare with; add --against FILE")
    if golden_only and save is not None:
        raise InputError("--golden-only and --save exclude each other: without a search there is nothing to save")
    if save is not None:
        check_file("--save", save)
        if Path(save).exists():
            load_all(save)  # baselines of other measures are kept
    said, held = targets.Said(**declared), None
    if against is None:
        measure = targets.load(target, said)
        settings, plan = asked.settings, asked.plan([measure])
        expecting = (word for place in expected for word in ("--expect-violation", place))
        again = [*asked.words, *expecting]
    else:
        if excluded := excluding_a_baseline(asked, expected):
            raise InputError(f"{excluded[0]} and --against exclude each other: a baseline has its own settings")
        measure, stored = _subject(target, said, against)
        settings, plan = stored.settings(asked.settings), stored.plan(measure)
        held = hold_against(against, stored, measure, settings.budget)
        again = ["--against", against, *settings.words(["budget"])]
    words = settings.words(below=settings_here())
    again += words if held is None else []
    plan.demand_cells()
    known = outcomes.places_expected(expected, plan) if held is None else held.violations
    showing = None if as_json else check_output.Showing(target, words, again, show_all)
    if golden_only and held is not None:
        outcome = outcomes.judge_unsearched(held, no_results(settings))
        click.echo(check_output.unsearched(measure, outcome, held, showing))
        return FAILED if outcome.problems else 0
    outcome = _judged(plan, settings, asked, known, held, showing)
    if save is not None:
        outcomes.save_baseline(save, measure, outcome, settings.budget)
    click.echo(check_output.conclusion(outcome, showing))
    if save is not None and not asked.quiet and Path(save).exists() and not outcome.gate:
        command_line = shlex.join(["metaeval", "check", target, "--against", save])
        click.echo(f"metaeval: baseline in {save}; next, after a change: {command_line}", err=True)
    return FAILED if outcome.problems else 0


def _judged(
    plan: Plan,
    settings: Settings,
    asked: Asked,
    known: frozenset[GroupId],
    held: HeldAgainst | None,
    showing: check_output.Showing | None,
) -> Outcome:
    """What the search found. The table is printed as cells come in, unless the output is JSON."""
    outcome = Outcome(no_results(settings), None, known, held)
    notes: list[str] = []
    try:
        with Watcher(asked.quiet, asked.quick) as watcher:
            stream = None if showing is None else check_output.Stream(plan, outcome, showing, watcher.write)

            def listen(event: Event) -> None:
                watcher.on_event(event)
                if stream is not None:
                    stream.on_event(event)
                if isinstance(event, Estimated):
                    levels = outcome.results.efforts.values()
                    notes.extend(check_output.next_level(level, event.more) for level in levels if level < HIGHEST)

            try:
                results = carry_out(plan, settings, listen=listen, into=outcome.results)
            except KeyboardInterrupt:
                if stream is not None:
                    stream.flush()
                raise
    except KeyboardInterrupt:
        missing = ["/".join(cell[1:]) for cell in plan.without(outcome.results).cell_ids()]
        outcome.problems.append(CheckProblem(f"interrupted before these were settled: {', '.join(missing)}"))
        click.echo(check_output.conclusion(outcome, showing, "interrupted"))
        raise Stop(f"interrupted; {len(missing)} cells were not settled", INTERRUPTED) from None
    outcome = outcomes.judge(plan.measures[0], results, known, held)
    outcome.notes += filter(None, [targets.taken_for_gold(plan.measures[0])])
    outcome.notes += [] if outcome.gate else outcomes.not_tested(plan, plan.measures[0])
    # A baseline is about what changed.
    outcome.standing = None if outcome.gate or held else standing(plan.measures[0], results)
    outcome.notes += notes if (left_out := asked.left_out()) is None else [left_out]
    return outcome


def _subject(target: str, said: targets.Said, against: str) -> tuple[Measure, Baseline]:
    """The measure and its baseline, which knows of a plain function what the options said when it was saved."""
    found = targets.find(target)
    plain = not said.words and not isinstance(found, (Measure, Equation))
    measure = as_measure(found) if plain else targets.load(target, said)
    stored = Baseline.load(against, measure.id)
    if plain:
        targets.demand_call(found, target, stored.params)
        measure = targets.located(stored.declared(found), shlex.join([target, *stored.measure.target_words[1:]]))
    stored.demand_same(measure, against)
    return measure, stored
