"""``metaeval check``: one measure, anybody's, against the conditions; and against what it did before."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click

from metaeval.cli import targets
from metaeval.cli.options import Asked, check_file, search_options
from metaeval.cli.progress import Watcher
from metaeval.cli.tables import render, shorten, terminal_width
from metaeval.condition import find_condition
from metaeval.engine.plan import Plan
from metaeval.engine.settings import Settings
from metaeval.errors import InputError
from metaeval.evidence import baseline
from metaeval.evidence.baseline import Baseline, NoAnswer, Rechecked, State
from metaeval.evidence.comparison import Difference, Kind, compare
from metaeval.evidence.expectations import places_expected
from metaeval.evidence.explanation import explain
from metaeval.evidence.results import Cell, Results
from metaeval.measuring import DOMAINS, Measure
from metaeval.reports.view import VERDICTS
from metaeval.session import carry_out
from metaeval.verdicts import Verdict

_EPILOG = """\b
Examples:
  metaeval check measures.py:mine
  metaeval check measures.py:distance --smaller-is-better
  metaeval check measures.py:mine --expect-violation A.3/literal
  metaeval check measures.py:mine --save mine.metaeval.json
  metaeval check measures.py:mine --against mine.metaeval.json

\b
A measure of your own, in measures.py:
  def mine(candidate, gold):
      for rows, cols in candidate: ...
      return score
"""

FAILED = 1
_WIDEST = 100
_STATES = {
    State.HOLDS: "as they were",
    State.FIXED: "broken no longer: fixed",
    State.BROKEN: "otherwise than they were",
}
_BAD = (Verdict.VIOLATED, Verdict.ERROR, Verdict.FLAKY, Verdict.TIMEOUT)
#: What decides the cases; a difference here, not in the measure, may be why there are fewer.
_TOOLS = ("version", "python", "hypothesis", "numpy")

#: A condition's id and a reading's name.
Place = tuple[str, str]


@dataclass
class Outcome:
    """What a check found, and what of it makes it fail."""

    results: Results
    gate: str | None
    expected: frozenset[Place] = frozenset()
    against: Comparison | None = None
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def is_expected(self, cell: Cell) -> bool:
        """Whether the cell's violation was known before."""
        return cell.verdict is Verdict.VIOLATED and place_of(cell) in self.expected

    def is_news(self, cell: Cell) -> bool:
        """Whether the counterexample is to be shown: those of a baseline have been seen."""
        return cell.verdict is Verdict.VIOLATED and not (self.against and self.is_expected(cell))


@dataclass(frozen=True)
class Comparison:
    """What was found against a baseline before the search."""

    file: str
    stored: Baseline
    rechecked: tuple[Rechecked, ...] = ()
    changed: tuple[str, ...] = ()
    no_answer: str | None = None


@click.command(epilog=_EPILOG)
@click.argument("target", metavar="TARGET")
@search_options
@click.option("--best", type=float, metavar="X",
              help="What a perfect match scores.  [default: 1, or 0 with --smaller-is-better]")  # fmt: skip
@click.option("--smaller-is-better", is_flag=True, help="The function is a dissimilarity.")
@click.option("--domain", type=click.Choice(DOMAINS), help="What the function is defined on.  [default: all]")
@click.option("--expect-violation", "expected", multiple=True, metavar="ID/READING",
              help="A violation that is known, such as A.3/literal; may be repeated.")  # fmt: skip
@click.option("--save", metavar="FILE", help="Save verdicts, certificates and golden scores as a baseline.")
@click.option("--against", metavar="FILE", help="Compare with this baseline, under its settings.")
@click.option("--json", "as_json", is_flag=True, help="Write results as JSON, as `metaeval run` does.")
def command(
    target: str,
    asked: Asked,
    best: float | None,
    smaller_is_better: bool,
    domain: str | None,
    expected: tuple[str, ...],
    save: str | None,
    against: str | None,
    as_json: bool,
) -> int:
    """Check the measure TARGET: a measure's id, package.module:function or path/to/file.py:function.

    Ends with 1 for a violation that was not expected, an expected one that is no longer found, a measure that
    fails or is no measure at all (the gate) and, with --against, anything worse than it was.
    """
    if save is not None:
        check_file("--save", save)
    settings, stored = asked.settings, None
    if against is not None:
        _refuse_beside_a_baseline(_given(asked, expected))
        stored = Baseline.load(against)
        settings = _settings_of(stored, settings)
    measure = _subject(target, stored, best, smaller_is_better, domain)
    if stored is not None and against is not None:
        _check_same_measure(measure, stored, against)
    plan = asked.plan([measure]) if stored is None else _plan_of(stored, measure)
    plan.demand_cells()
    known = places_expected(expected, plan)
    compared = None if stored is None or against is None else _compared(against, stored, measure, settings.budget)
    with Watcher(asked.quiet) as watcher:
        results = carry_out(plan, settings, listen=watcher.on_event)
    outcome = judge(measure, results, known, compared)
    if save is not None:
        _save(save, measure, outcome, settings.budget)
    words = [*settings.words(), *_declaring(best, smaller_is_better, domain)]
    click.echo(_json(outcome) if as_json else "\n".join(_text(target, measure, outcome, words)))
    if save is not None and not asked.quiet and Path(save).exists() and not outcome.gate:
        command_line = shlex.join(["metaeval", "check", target, "--against", save])
        click.echo(f"metaeval: baseline in {save}; next, after a change: {command_line}", err=True)
    return FAILED if outcome.problems else 0


def place_of(cell: Cell) -> Place:
    """Condition and reading."""
    return cell.condition, cell.reading


# --- what to check


def _given(asked: Asked, expected: tuple[str, ...]) -> dict[str, Any]:
    """The options that a baseline leaves no room for, with what they were given."""
    searched = {f"--{name}": asked.stated.get(name) for name in ("examples", "exhaustive", "seed")}
    return {
        "--condition": asked.conditions or None,
        "--reading": asked.readings or None,
        **searched,
        "--expect-violation": expected or None,
    }


def _refuse_beside_a_baseline(given: dict[str, Any]) -> None:
    for option, value in given.items():
        if value is not None:
            raise InputError(f"{option} and --against exclude each other: a baseline has its own settings")


def _subject(
    target: str, stored: Baseline | None, best: float | None, smaller_is_better: bool, domain: str | None
) -> Measure:
    """The measure; of a plain function, the baseline still knows what the options said when it was saved."""
    if stored is not None and best is None and not smaller_is_better and domain is None:
        found = targets.find(target)
        if isinstance(found, Measure):
            return found
        return targets.declared(
            found,
            best=stored.best,
            smaller_is_better=stored.measure["smaller_is_better"],
            domain=stored.measure["domain"],
        )
    return targets.load(target, best=best, smaller_is_better=smaller_is_better, domain=domain)


def _check_same_measure(measure: Measure, stored: Baseline, file: str) -> None:
    was = (stored.id, stored.best, stored.measure["smaller_is_better"], stored.measure["domain"])
    now = (measure.id, measure.best, measure.smaller_is_better, measure.domain)
    for name, before, after in zip(("id", "best", "smaller_is_better", "domain"), was, now, strict=True):
        if before != after:
            raise InputError(
                f"{file} is the baseline of a measure with the {name} {before!r}, and this one has {after!r}; "
                "save a new baseline if that is meant"
            )


def _settings_of(stored: Baseline, asked: Settings) -> Settings:
    """The baseline's settings; how long it may take is the user's to say."""
    made = {name: stored.provenance[name] for name in ("examples", "exhaustive", "seed")}
    return replace(asked, **made)


def _plan_of(stored: Baseline, measure: Measure) -> Plan:
    """The cells of a baseline, to search again; all where it has none."""
    ids, names = ({getattr(cell, key) for cell in stored.cells} for key in ("condition", "reading"))
    return Plan.of([measure], ids or None, names or None)


def _declaring(best: float | None, smaller_is_better: bool, domain: str | None) -> list[str]:
    words = [] if best is None else ["--best", f"{best:g}"]
    words += ["--smaller-is-better"] if smaller_is_better else []
    return words + ([] if domain is None else ["--domain", domain])


# --- what was found


def _compared(file: str, stored: Baseline, measure: Measure, budget: float | None) -> Comparison:
    try:
        rechecked = tuple(baseline.recheck(stored, measure, budget))
        changed = tuple(baseline.changed_scores(stored, measure, budget))
    except NoAnswer as error:
        return Comparison(file, stored, no_answer=str(error))
    return Comparison(file, stored, rechecked, changed)


def judge(
    measure: Measure, results: Results, expected: frozenset[Place], against: Comparison | None = None
) -> Outcome:
    """What of the results makes the check fail, in sentences."""
    gate = results.measures[measure.id]["gate"]
    outcome = Outcome(results, gate, expected, against)
    if gate:
        outcome.problems.append(f"gate: {gate}")
        outcome.notes += _hints(results)
    if against is not None:
        outcome.expected = frozenset(
            place_of(cell) for cell in against.stored.cells if cell.verdict is Verdict.VIOLATED
        )
        _judge_against(outcome, against)
    elif not gate:
        outcome.problems += _broken_expectations(outcome)
    return outcome


def _hints(results: Results) -> Iterator[str]:
    """The likeliest reason of all for a failed gate is a distance that nobody declared."""
    if any((cell.message or "").startswith("gate (best for a perfect match)") for cell in results):
        yield "--best says what a perfect match scores, --smaller-is-better that the function is a dissimilarity"


def _broken_expectations(outcome: Outcome) -> Iterator[str]:
    for cell in outcome.results:
        name = "/".join(place_of(cell))
        if cell.verdict in _BAD and not outcome.is_expected(cell):
            yield f"{name}: {cell.verdict}" + (f", {cell.message}" if cell.message else "")
        elif place_of(cell) in outcome.expected and not outcome.is_expected(cell):
            yield (
                f"{name}: a violation was expected and none was found (verdict: {cell.verdict}); "
                f"remove --expect-violation {name}"
            )


def _judge_against(outcome: Outcome, against: Comparison) -> None:
    if against.no_answer is not None:
        outcome.problems.append(f"stored counterexamples and golden scores: {against.no_answer}")
    outcome.problems += [
        f"{one.condition}/{one.reading}: {one.sentence}" for one in against.rechecked if one.state is State.BROKEN
    ]
    outcome.problems += [f"golden score changed: {change}" for change in against.changed]
    if outcome.gate:
        return
    was, now = against.stored.provenance, outcome.results.provenance
    same_tools = all(was.get(tool) == now.get(tool) for tool in _TOOLS)
    for change in compare(against.stored.results, outcome.results).differences:
        sentence = f"{change.condition}/{change.reading}: {_difference(change)}"
        (outcome.problems if _is_regression(change, same_tools) else outcome.notes).append(sentence)
    outcome.notes += _fixed(outcome, against)


def _fixed(outcome: Outcome, against: Comparison) -> Iterator[str]:
    fixed = [one for one in against.rechecked if one.state is State.FIXED]
    for one in fixed:
        if outcome.results.cell(against.stored.id, one.condition, one.reading).verdict is Verdict.VIOLATED:
            yield f"{one.condition}/{one.reading}: {one.sentence}; another case breaks it still"
    if fixed:
        yield f"what is fixed stays guarded once a new baseline is saved: --save {against.file}"


def _is_regression(one: Difference, same_tools: bool) -> bool:
    if one.kind is Kind.WEAKER:
        return one.regression and same_tools
    return one.regression or (one.new in _BAD and one.old is not None)


def _difference(one: Difference) -> str:
    if one.kind is Kind.WEAKER:
        return f"{one.new} on weaker evidence: {one.detail}"
    verdicts = " → ".join(str(verdict) for verdict in (one.old, one.new) if verdict is not None)
    return f"{one.kind}, {verdicts}" + (f" ({shorten(one.detail, 200)})" if one.detail else "")


def _save(file: str, measure: Measure, outcome: Outcome, budget: float | None) -> None:
    if outcome.gate:
        outcome.problems.append(f"no baseline was saved in {file}: the measure fails the gate")
        return
    try:
        baseline.make(measure, outcome.results, budget).save(file)
    except NoAnswer as error:
        outcome.problems.append(f"no baseline was saved in {file}: {error}")


# --- showing it


def _text(target: str, measure: Measure, outcome: Outcome, words: Sequence[str]) -> Iterator[str]:
    width = min(terminal_width(), _WIDEST)
    yield f"{measure.name} ({target})" if ":" in target else f"{measure.name} ({measure.id})"
    yield f"gate: {outcome.gate or 'passed'}"
    if outcome.against is not None:
        yield from _against_lines(outcome.against)
    if not outcome.gate:
        yield from ("", _table(outcome))
    for cell in filter(outcome.is_news, outcome.results):
        yield from ("", "─" * width)
        if outcome.is_expected(cell):
            yield f"Expected: --expect-violation {'/'.join(place_of(cell))}"
        yield explain(cell, width, target=target, options=words)
    yield from ("", "─" * width)
    yield _summary(outcome)
    for note in outcome.notes:
        yield f"  note  {note}"
    for problem in outcome.problems:
        yield f"  FAIL  {problem}"


def _against_lines(against: Comparison) -> Iterator[str]:
    if against.no_answer is not None:
        yield f"stored counterexamples and golden scores: {against.no_answer}"
        return
    states = [one.state for one in against.rechecked]
    amounts = ", ".join(f"{states.count(state)} {_STATES[state]}" for state in State if state in states)
    yield f"stored counterexamples: {amounts or 'none'}"
    golden = len(against.stored.golden)
    yield f"golden scores: {golden - len(against.changed)} of {golden} as they were"


def _table(outcome: Outcome) -> str:
    rows = []
    for cell in outcome.results:
        verdict = f"{cell.verdict} (expected)" if outcome.is_expected(cell) else str(cell.verdict)
        symbol = VERDICTS[cell.verdict].symbol
        name = find_condition(cell.condition).name
        rows.append([symbol, cell.condition, name, cell.reading, verdict, _evidence(cell)])
    return render(["", "id", "condition", "reading", "verdict", "evidence"], rows, optional=["condition"])


def _evidence(cell: Cell) -> str:
    if cell.verdict in (Verdict.HOLDS, Verdict.VIOLATED):
        broken = f"{cell.violations:,} of " if cell.violations else ""
        text = f"{broken}{cell.cases:,} case{'' if cell.cases == 1 else 's'}"
        if cell.exhaustive is not None:
            text += f", all up to {cell.exhaustive['objects']} objects"
        return f"{text}; {cell.message}" if cell.message else text
    return cell.message or ""


def _summary(outcome: Outcome) -> str:
    verdicts = [cell.verdict for cell in outcome.results]
    parts = [f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict if verdict in verdicts]
    expected = sum(map(outcome.is_expected, outcome.results))
    known = f" ({expected} expected)" if expected else ""
    ending = "FAILED" if outcome.problems else "passed"
    cells = "1 cell" if len(verdicts) == 1 else f"{len(verdicts)} cells"
    return f"{ending}: {cells}: {', '.join(parts)}{known}"


def _json(outcome: Outcome) -> str:
    """A results file with one key more, so that every other command reads it."""
    verdict = {
        "passed": not outcome.problems,
        "gate": outcome.gate,
        "expected": sorted("/".join(place) for place in outcome.expected),
        "problems": outcome.problems,
        "notes": outcome.notes,
    }
    return json.dumps({**outcome.results.to_json(), "check": verdict}, indent=1, ensure_ascii=False)
