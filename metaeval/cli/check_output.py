"""What ``metaeval check`` prints: the table of cells, the counterexamples that are news, the summary."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from metaeval.cli.tables import render, shorten, terminal_width
from metaeval.condition import find_condition
from metaeval.evidence.baseline import State
from metaeval.evidence.cells import Cell
from metaeval.evidence.explanation import describe
from metaeval.evidence.outcome import HeldAgainst, Outcome, place_of
from metaeval.evidence.wording import plural
from metaeval.measuring import Measure
from metaeval.verdicts import Verdict

_WIDEST = 100
#: A sentence of a summary is cut here; an exception may have said very much.
_LONGEST = 300
_STATES = {
    State.HOLDS: "as they were",
    State.FIXED: "broken no longer: fixed",
    State.BROKEN: "otherwise than they were",
}


def as_text(target: str, measure: Measure, outcome: Outcome, words: Sequence[str]) -> str:
    """A check for people; ``words`` are the options that ask for the same search again."""
    return "\n".join(_lines(target, measure, outcome, words))


def _lines(target: str, measure: Measure, outcome: Outcome, words: Sequence[str]) -> Iterator[str]:
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
    yield from (f"  note  {shorten(note, _LONGEST)}" for note in outcome.notes)
    yield from (f"  FAIL  {shorten(problem, _LONGEST)}" for problem in outcome.problems)


def _against_lines(against: HeldAgainst) -> Iterator[str]:
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
        text = f"{broken}{plural(cell.cases, 'case')}"
        if cell.exhaustive is not None:
            text += f", all up to {cell.exhaustive.objects} objects"
        return f"{text}; {cell.message}" if cell.message else text
    return cell.message or ""


def _summary(outcome: Outcome) -> str:
    verdicts = [cell.verdict for cell in outcome.results]
    amounts = [f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict if verdict in verdicts]
    expected = sum(map(outcome.is_expected, outcome.results))
    known = f" ({expected} expected)" if expected else ""
    ending = "FAILED" if outcome.problems else "passed"
    return f"{ending}: {plural(len(verdicts), 'cell')}: {', '.join(amounts)}{known}"


def as_json(outcome: Outcome) -> str:
    """A results file with one key more, so that every other command reads it."""
    verdict = {
        "passed": not outcome.problems,
        "gate": outcome.gate,
        "expected": sorted("/".join(place) for place in outcome.expected),
        "problems": outcome.problems,
        "notes": outcome.notes,
    }
    return json.dumps({**outcome.results.to_json(), "check": verdict}, indent=1, ensure_ascii=False)
