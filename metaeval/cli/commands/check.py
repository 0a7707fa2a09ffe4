"""``metaeval check``: one measure, anybody's, against the conditions; and against what it did before."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from metaeval.cli import targets
from metaeval.cli.progress import Watcher
from metaeval.cli.tables import render, shorten, terminal_width
from metaeval.condition import READINGS, conditions, find_condition
from metaeval.engine import runner
from metaeval.errors import InputError
from metaeval.evidence import baseline
from metaeval.evidence.baseline import Baseline, Rechecked, State
from metaeval.evidence.comparison import Change, Kind, compare
from metaeval.evidence.explanation import describe
from metaeval.evidence.golden import NoAnswer
from metaeval.evidence.results import Cell, Results
from metaeval.measuring import DOMAINS, Measure
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

#: A condition's id and a reading's name.
Place = tuple[str, str]


@dataclass(frozen=True)
class Settings:
    """What is searched, and how hard."""

    conditions: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    examples: int = runner.EXAMPLES
    exhaustive: int | None = None
    seed: int = runner.SEED

    def words(self) -> list[str]:
        """The options that say so on the command line, conditions and readings aside."""
        words = [] if self.examples == runner.EXAMPLES else ["--examples", str(self.examples)]
        words += [] if self.exhaustive is None else ["--exhaustive", str(self.exhaustive)]
        return words + ([] if self.seed == runner.SEED else ["--seed", str(self.seed)])


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
@click.option("--condition", "chosen", multiple=True, metavar="ID", help="Only this condition; may be repeated.")
@click.option("--reading", "readings", multiple=True, metavar="NAME", help="Only this reading; may be repeated.")
@click.option("--examples", type=click.IntRange(min=0), metavar="N",
              help=f"Cases to draw for a condition under a reading.  [default: {runner.EXAMPLES}]")  # fmt: skip
@click.option("--exhaustive", type=click.IntRange(min=0), metavar="N",
              help="Try all cases up to so many objects.  [default: as far as is practical]")  # fmt: skip
@click.option("--seed", type=int, metavar="S",
              help=f"Decides which cases are drawn.  [default: {runner.SEED}]")  # fmt: skip
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: one a core]")
@click.option("--budget", type=float, metavar="SECONDS", default=runner.BUDGET, show_default=True,
              help="Time a cell may spend in the measure.")  # fmt: skip
@click.option("--best", type=float, metavar="X",
              help="What a perfect match scores.  [default: 1, or 0 with --smaller-is-better]")  # fmt: skip
@click.option("--smaller-is-better", is_flag=True, help="The function is a dissimilarity.")
@click.option("--domain", type=click.Choice(DOMAINS), help="What the function is defined on.  [default: all]")
@click.option("--expect-violation", "expected", multiple=True, metavar="ID/READING",
              help="A violation that is known, such as A.3/literal; may be repeated.")  # fmt: skip
@click.option("--save", metavar="FILE", help="Save verdicts, certificates and golden scores as a baseline.")
@click.option("--against", metavar="FILE", help="Compare with this baseline, under its settings.")
@click.option("--json", "as_json", is_flag=True, help="Write results as JSON, as `metaeval run` does.")
@click.option("--quiet", is_flag=True, help="No progress and no messages.")
def command(
    target: str,
    chosen: tuple[str, ...],
    readings: tuple[str, ...],
    examples: int | None,
    exhaustive: int | None,
    seed: int | None,
    jobs: int | None,
    budget: float,
    best: float | None,
    smaller_is_better: bool,
    domain: str | None,
    expected: tuple[str, ...],
    save: str | None,
    against: str | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Check the measure TARGET: a measure's id, package.module:function or path/to/file.py:function.

    Ends with 1 for a violation that was not expected, an expected one that is no longer found, a measure that
    fails or is no measure at all (the gate) and, with --against, anything worse than it was.
    """
    _check_budget(budget)
    _check_save(save)
    given = {
        "--condition": chosen or None, "--reading": readings or None, "--examples": examples,
        "--exhaustive": exhaustive, "--seed": seed, "--expect-violation": expected or None,
    }  # fmt: skip
    stored = None
    if against is not None:
        _refuse_beside_a_baseline(given)
        stored = Baseline.load(against)
    measure = _subject(target, stored, best, smaller_is_better, domain)
    if stored is not None and against is not None:
        _check_same_measure(measure, stored, against)
    settings = _settings(given) if stored is None else _settings_of(stored)
    places = _places(measure, settings)
    known = frozenset(_expectation(text, places) for text in expected)
    compared = None if stored is None or against is None else _compared(against, stored, measure, budget)
    with Watcher(quiet) as watcher:
        results = runner.check(
            measure,
            settings.conditions or None,
            settings.readings or None,
            examples=settings.examples,
            exhaustive=settings.exhaustive,
            seed=settings.seed,
            jobs=jobs,
            budget=budget,
            listen=watcher.on_event,
        )
    outcome = judge(measure, results, known, compared)
    if save is not None:
        _save(save, measure, outcome, budget)
    words = [*settings.words(), *_declaring(best, smaller_is_better, domain)]
    click.echo(_json(outcome) if as_json else "\n".join(_text(target, measure, outcome, words)))
    if save is not None and not quiet and Path(save).exists() and not outcome.gate:
        command_line = shlex.join(["metaeval", "check", target, "--against", save])
        click.echo(f"metaeval: baseline in {save}; next, after a change: {command_line}", err=True)
    return FAILED if outcome.problems else 0


def place_of(cell: Cell) -> Place:
    """Condition and reading."""
    return cell.condition, cell.reading


# --- what to check


def _check_budget(budget: float) -> None:
    if not (math.isfinite(budget) and budget > 0):
        raise InputError(f"--budget is {budget}; expected a number of seconds above 0")


def _check_save(save: str | None) -> None:
    """A file that cannot be written is better known before the search than after it."""
    if save is None:
        return
    if save in ("", "-") or Path(save).is_dir():
        raise InputError(f"--save is {save!r}; expected the name of a file")
    if not Path(save).parent.is_dir():
        raise InputError(f"{save} cannot be written: {Path(save).parent} is no directory")


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
            smaller_is_better=stored.smaller_is_better,
            domain=stored.domain,
        )
    return targets.load(target, best=best, smaller_is_better=smaller_is_better, domain=domain)


def _check_same_measure(measure: Measure, stored: Baseline, file: str) -> None:
    was = (stored.id, stored.best, stored.smaller_is_better, stored.domain)
    now = (measure.id, measure.best, measure.smaller_is_better, measure.domain)
    for name, before, after in zip(("id", "best", "smaller_is_better", "domain"), was, now, strict=True):
        if before != after:
            raise InputError(
                f"{file} is the baseline of a measure with the {name} {before!r}, and this one has {after!r}; "
                "save a new baseline if that is meant"
            )


def _settings(given: dict[str, Any]) -> Settings:
    for id in given["--condition"] or ():
        find_condition(id)
    for name in given["--reading"] or ():
        if name not in READINGS:
            raise InputError(f"no reading {name!r}; expected one of {', '.join(READINGS)}")
    return Settings(
        conditions=given["--condition"] or (),
        readings=given["--reading"] or (),
        examples=runner.EXAMPLES if given["--examples"] is None else given["--examples"],
        exhaustive=given["--exhaustive"],
        seed=runner.SEED if given["--seed"] is None else given["--seed"],
    )


def _settings_of(stored: Baseline) -> Settings:
    return Settings(
        conditions=tuple(dict.fromkeys(cell.condition for cell in stored.cells)),
        readings=tuple(dict.fromkeys(cell.reading for cell in stored.cells)),
        examples=stored.provenance["examples"],
        exhaustive=stored.provenance["exhaustive"],
        seed=stored.provenance["seed"],
    )


def _places(measure: Measure, settings: Settings) -> list[Place]:
    """The cells that will be checked; an error where there are none."""
    places = [
        (condition.id, reading)
        for condition in conditions().values()
        if condition.id in (settings.conditions or conditions())
        for reading, found in condition.readings.items()
        if reading in (settings.readings or READINGS) and found.lies_in(measure.domain)
    ]
    if not places:
        inside = "" if measure.domain == "biclusterings" else f" lies in the domain {measure.domain!r} and"
        raise InputError(f"nothing to check: no cell{inside} is among the conditions and readings chosen")
    return places


def _expectation(text: str, places: list[Place]) -> Place:
    """The cell that an expectation names: one that is checked, or a word on which are."""
    id, _, reading = text.partition("/")
    if (id, reading) in places:
        return id, reading
    known = id in conditions() and reading in conditions()[id].readings
    if known:
        raise InputError(f"--expect-violation {text}: that cell is not checked here; leave the expectation out")
    close = get_close_matches(text, [f"{id}/{reading}" for id, reading in places], n=1, cutoff=0.4)
    hint = f"; did you mean {close[0]}?" if close else "; expected a condition and a reading, such as A.3/literal"
    raise InputError(f"--expect-violation {text}: no such cell{hint}")


def _declaring(best: float | None, smaller_is_better: bool, domain: str | None) -> list[str]:
    words = [] if best is None else ["--best", f"{best:g}"]
    words += ["--smaller-is-better"] if smaller_is_better else []
    return words + ([] if domain is None else ["--domain", domain])


# --- what was found


def _compared(file: str, stored: Baseline, measure: Measure, budget: float) -> Comparison:
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
    gate = results.measures[measure.id].gate
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
        if cell.verdict.counts_against and not outcome.is_expected(cell):
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
    for change in compare(against.stored.results, outcome.results).changes:
        sentence = f"{change.condition}/{change.reading}: {_sentence(change)}"
        (outcome.problems if change.regression else outcome.notes).append(sentence)
    outcome.notes += _fixed(outcome, against)


def _fixed(outcome: Outcome, against: Comparison) -> Iterator[str]:
    fixed = [one for one in against.rechecked if one.state is State.FIXED]
    for one in fixed:
        if outcome.results.cell(against.stored.id, one.condition, one.reading).verdict is Verdict.VIOLATED:
            yield f"{one.condition}/{one.reading}: {one.sentence}; another case breaks it still"
    if fixed:
        yield f"what is fixed stays guarded once a new baseline is saved: --save {against.file}"


def _sentence(change: Change) -> str:
    if change.kind is Kind.WEAKER:
        return f"{change.new} on weaker evidence: {change.detail}"
    reason = f" ({shorten(change.detail, 200)})" if change.detail else ""
    return f"{change.kind}, {change.summary}{reason}"


def _save(file: str, measure: Measure, outcome: Outcome, budget: float) -> None:
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
        yield describe(cell, width, target=target, options=words)
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
        symbol = cell.verdict.symbol
        name = find_condition(cell.condition).name
        rows.append([symbol, cell.condition, name, cell.reading, verdict, _evidence(cell)])
    return render(["", "id", "condition", "reading", "verdict", "evidence"], rows, optional=["condition"])


def _evidence(cell: Cell) -> str:
    if cell.verdict in (Verdict.HOLDS, Verdict.VIOLATED):
        broken = f"{cell.violations:,} of " if cell.violations else ""
        text = f"{broken}{cell.cases:,} case{'' if cell.cases == 1 else 's'}"
        if cell.exhaustive is not None:
            text += f", all up to {cell.exhaustive.objects} objects"
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
