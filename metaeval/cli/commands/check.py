"""``metaeval check``: one measure, anybody's, against the conditions; and against what it did before."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from metaeval.catalogue.measure import DOMAINS, Measure
from metaeval.cli import targets
from metaeval.cli.commands import check_output
from metaeval.cli.dispatch import INTERRUPTED, Stop
from metaeval.cli.options import Asked, check_file, for_each_target, search_options
from metaeval.cli.progress import Watcher
from metaeval.core.effort import HIGHEST
from metaeval.core.errors import InputError
from metaeval.core.settings import Settings
from metaeval.literature.shelf import CHECK
from metaeval.records.results import Results
from metaeval.runner.events import Estimated, Event
from metaeval.runner.plan import Plan
from metaeval.session import carry_out, no_results
from metaeval.verification.baseline import Baseline
from metaeval.verification.outcome import (
    HeldAgainst,
    Outcome,
    hold_against,
    judge,
    judge_unsearched,
    places_expected,
    save_baseline,
)

_EPILOG = """\b
Examples:
  metaeval check measures.py:mine
  metaeval check measures.py:distance --smaller-is-better
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
    """A number, or the word none: perfect matches have different scores."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return "none" if str(value).lower() == "none" else click.FLOAT.convert(value, param, ctx)


@click.command(epilog=_EPILOG)
@click.argument("target", metavar="[TARGET]", required=False)
@search_options
@click.option(
    "--best",
    type=_Best(),
    metavar="X",
    help="What a perfect match scores, or none where that differs.  [default: 1, or 0 with --smaller-is-better]",
)
@click.option("--low", type=float, metavar="X", help="What the function returns at its worst.")
@click.option("--smaller-is-better", is_flag=True, help="The function is a dissimilarity.")
@click.option("--domain", type=click.Choice(DOMAINS), help="What the function is defined on.  [default: all]")
@click.option("--expect-violation", "expected", multiple=True, metavar="ID/READING",
              help="A violation that is known, such as A.3/literal; may be repeated.")  # fmt: skip
@click.option("--save", metavar="FILE", help="Save verdicts, certificates and golden scores as a baseline.")
@click.option("--against", metavar="FILE", help="Compare with this baseline, under its settings.")
@click.option("--golden-only", is_flag=True,
              help="With --against: only its counterexamples and golden scores, without a search.")  # fmt: skip
@click.option("--all", "show_all", is_flag=True,
              help="Show every counterexample in full, not the fewest that explain all violations.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Write results as JSON, as `metaeval run` does.")
@for_each_target
def command(
    target: str,
    asked: Asked,
    best: targets.SaidBest,
    low: float | None,
    smaller_is_better: bool,
    domain: str | None,
    expected: tuple[str, ...],
    save: str | None,
    against: str | None,
    golden_only: bool,
    show_all: bool,
    as_json: bool,
) -> int:
    """Check the measure TARGET: a measure's id, package.module:function or path/to/file.py:function.

    Unless a suite or conditions are chosen, it is held against the first paper's ten conditions and the four of the
    suite sanity.

    Ends with 1 for a violation that was not expected, an expected one that is no longer found, a measure that
    fails or is no measure at all (the gate) and, with --against, anything worse than it was.

    Without TARGET, those that [tool.metaeval] in pyproject.toml names, here or above; its settings hold where the
    command line says nothing else.
    """
    if golden_only:
        _check_golden_only(against, save)
    if save is not None:
        check_file("--save", save)
    settings, stored = asked.settings, None
    if against is not None:
        _refuse_beside_a_baseline(_given(asked, expected))
        stored = Baseline.load(against)
        settings = _settings_of(stored, settings)
    measure = _subject(target, stored, best, low, smaller_is_better, domain)
    if stored is not None and against is not None:
        stored.demand_same(measure, against)
    plan = asked.plan([measure], CHECK) if stored is None else _plan_of(stored, measure)
    plan.demand_cells()
    known = places_expected(expected, plan)
    held = None if stored is None or against is None else hold_against(against, stored, measure, settings.budget)
    words = [*settings.words(), *targets.declaring(best, low, smaller_is_better, domain)]
    showing = None if as_json else check_output.Showing(target, words, show_all)
    if golden_only and held is not None:
        return _unsearched(measure, held, settings, showing)
    outcome = Outcome(no_results(settings), None, known if held is None else held.violations, held)
    said: list[str] = []
    try:
        outcome = judge(measure, _searched(plan, settings, asked, outcome, showing, said), known, held)
    except KeyboardInterrupt:
        missing = ["/".join(cell[1:]) for cell in plan.without(outcome.results).cell_ids()]
        outcome.problems.append(f"interrupted before these were settled: {', '.join(missing)}")
        click.echo(_shown(outcome, showing, "interrupted"))
        raise Stop(f"interrupted; {len(missing)} cells were not settled", INTERRUPTED) from None
    outcome.notes += said if (left_out := asked.left_out()) is None else [left_out]
    if save is not None:
        save_baseline(save, measure, outcome, settings.budget)
    click.echo(_shown(outcome, showing))
    if save is not None and not asked.quiet and Path(save).exists() and not outcome.gate:
        command_line = shlex.join(["metaeval", "check", target, "--against", save])
        click.echo(f"metaeval: baseline in {save}; next, after a change: {command_line}", err=True)
    return FAILED if outcome.problems else 0


def _unsearched(
    measure: Measure, held: HeldAgainst, settings: Settings, showing: check_output.Showing | None
) -> int:
    """What a baseline says without a search."""
    outcome = judge_unsearched(held, no_results(settings))
    if showing is None:
        click.echo(check_output.as_json(outcome))
    else:
        click.echo(check_output.unsearched(measure, outcome, held, showing))
    return FAILED if outcome.problems else 0


def _searched(
    plan: Plan,
    settings: Settings,
    asked: Asked,
    outcome: Outcome,
    showing: check_output.Showing | None,
    said: list[str],
) -> Results:
    """The results, with the table printed as they come in where they are ``showing`` to people.

    What a higher effort level would do is ``said`` for the end.
    """
    with Watcher(asked.quiet, asked.quick) as watcher:
        stream = None if showing is None else check_output.Stream(plan, outcome, showing, watcher.write)

        def listen(event: Event) -> None:
            watcher.on_event(event)
            if stream is not None:
                stream.on_event(event)
            if isinstance(event, Estimated):
                levels = outcome.results.efforts.values()
                said.extend(check_output.next_level(level, event.more) for level in levels if level < HIGHEST)

        try:
            return carry_out(plan, settings, listen=listen, into=outcome.results)
        except KeyboardInterrupt:
            if stream is not None:
                stream.flush()
            raise


def _shown(outcome: Outcome, showing: check_output.Showing | None, ending: str | None = None) -> str:
    """The outcome for people, or as JSON, which holds everything."""
    return check_output.as_json(outcome) if showing is None else check_output.conclusion(outcome, showing, ending)


# --- what to check


def _given(asked: Asked, expected: tuple[str, ...]) -> dict[str, Any]:
    """The options that a baseline leaves no room for, with what they were given."""
    searched = {f"--{name}": asked.stated.get(name) for name in ("examples", "exhaustive", "seed", "effort")}
    return {
        "--suite": asked.suite,
        "--condition": asked.conditions or None,
        "--reading": asked.readings or None,
        "--quick": asked.quick or None,
        **searched,
        "--expect-violation": expected or None,
    }


def _check_golden_only(against: str | None, save: str | None) -> None:
    if against is None:
        raise InputError("--golden-only needs a baseline to hold the measure against; add --against FILE")
    if save is not None:
        raise InputError("--golden-only and --save exclude each other: without a search there is nothing to save")


def _refuse_beside_a_baseline(given: dict[str, Any]) -> None:
    for option, value in given.items():
        if value is not None:
            raise InputError(f"{option} and --against exclude each other: a baseline has its own settings")


def _subject(
    target: str,
    stored: Baseline | None,
    best: targets.SaidBest,
    low: float | None,
    smaller_is_better: bool,
    domain: str | None,
) -> Measure:
    """The measure; of a plain function, the baseline still knows what the options said when it was saved."""
    if stored is not None and best is None and low is None and not smaller_is_better and domain is None:
        found = targets.find(target)
        if isinstance(found, Measure):
            return found
        return stored.declared(found)
    return targets.load(target, best=best, low=low, smaller_is_better=smaller_is_better, domain=domain)


def _settings_of(stored: Baseline, asked: Settings) -> Settings:
    """The baseline's settings; how long it may take is the user's to say."""
    made = {name: stored.provenance[name] for name in ("examples", "exhaustive", "seed")}
    # Proofs that nobody tried when it was saved would all be news.
    return replace(asked, **made, proofs=asked.proofs and stored.provenance.get("proofs") is True)


def _plan_of(stored: Baseline, measure: Measure) -> Plan:
    """The cells of a baseline, to search again; all where it has none."""
    ids, names = ({getattr(cell, key) for cell in stored.cells} for key in ("condition", "reading"))
    plan = Plan.of([measure], ids or None, names or None)
    level = stored.measure.effort
    return plan if level is None else plan.at({measure.id: level})
