"""What ``metaeval check`` prints: the table of cells, the counterexamples that are news, the summary."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

from metaeval.cli.tables import Growing, shorten, terminal_width
from metaeval.condition import find_condition
from metaeval.engine.events import Event, Gated, Settled
from metaeval.engine.plan import GroupId, Plan
from metaeval.evidence.baseline import State
from metaeval.evidence.cells import Cell
from metaeval.evidence.collecting import cell_of
from metaeval.evidence.explanation import describe, describe_faults, terms
from metaeval.evidence.faults import fault_facts
from metaeval.evidence.outcome import HeldAgainst, Outcome, place_of
from metaeval.evidence.wording import excerpt, plural
from metaeval.verdicts import Verdict

_HEADERS = ("", "id", "condition", "reading", "verdict", "evidence")
_WIDEST = 100
#: A sentence of a summary is cut here; an exception may have said very much.
_LONGEST = 300
_STATES = {
    State.HOLDS: "as they were",
    State.FIXED: "broken no longer: fixed",
    State.BROKEN: "otherwise than they were",
}


class Stream:
    """The first part of a check for people, printed as it becomes known; :meth:`on_event` is the handler.

    Rows stand in the order of the plan, each as soon as those before it are there.
    """

    def __init__(self, target: str, plan: Plan, outcome: Outcome, write: Callable[[str], None]) -> None:
        """``outcome`` knows what is expected, and what was held against a baseline before the search."""
        (measure,) = plan.measures
        self._title = f"{measure.name} ({target})" if ":" in target else f"{measure.name} ({measure.id})"
        self._outcome, self._write = outcome, write
        self._awaited = [group.id for group in plan.groups if plan.measures_in(group)]
        self._settled: dict[GroupId, Cell] = {}
        self._table = Growing(_HEADERS, [self._foreseen(id) for id in self._awaited], optional=["condition"])

    def on_event(self, event: Event) -> None:
        """Print what an event makes known."""
        if isinstance(event, Gated):
            self._write("\n".join(self._head(event)))
            if event.failure is not None:
                self._awaited = []
        elif isinstance(event, Settled):
            cell = cell_of(event, None)
            self._settled[place_of(cell)] = cell
            while self._awaited and self._awaited[0] in self._settled:
                self._write_row(self._settled[self._awaited.pop(0)])

    def flush(self) -> None:
        """Print the rows that others kept waiting: the search was cut short."""
        for place in filter(self._settled.get, self._awaited):
            self._write_row(self._settled[place])

    def _head(self, event: Gated) -> Iterator[str]:
        gate = None if event.failure is None else event.failure.message
        yield self._title
        yield from _gate_lines(event)
        if self._outcome.against is not None:
            yield from _against_lines(self._outcome.against)
        if not gate:
            yield from ("", self._table.head())

    def _foreseen(self, place: GroupId) -> list[str]:
        """The row of a cell, as wide as its verdict may make it."""
        verdict = _verdict(Verdict.VIOLATED, place in self._outcome.expected)
        return ["", place[0], find_condition(place[0]).name, place[1], max(verdict, *Verdict, key=len), ""]

    def _write_row(self, cell: Cell) -> None:
        verdict = _verdict(cell.verdict, place_of(cell) in self._outcome.expected)
        name = find_condition(cell.condition).name
        row = [cell.verdict.symbol, cell.condition, name, cell.reading, verdict, _evidence(cell)]
        self._write(self._table.row(row))


def _gate_lines(event: Gated) -> Iterator[str]:
    """What the gate said and, where that was something, on which input, in which line, and what to do."""
    width = min(terminal_width(), _WIDEST)
    met = event.failure or event.remark
    remark = "" if event.remark is None else f"; but on an extreme input {event.remark.message}"
    said = f"passed{remark}" if event.failure is None else event.failure.message
    known = [] if met is None or met.diagnosis is None else list(fault_facts(met.diagnosis))
    yield from terms([("gate:", said)], width) if known else [f"gate: {said}"]
    yield from terms([*known, *([("printed", excerpt(event.printed))] if event.printed else [])], width)


def conclusion(target: str, outcome: Outcome, words: Sequence[str], ending: str | None = None) -> str:
    """What follows the table; ``words`` are the options that ask for the same search again.

    ``ending`` is said in place of whether the check passed.
    """
    return "\n".join(_lines(target, outcome, words, ending))


def _lines(target: str, outcome: Outcome, words: Sequence[str], ending: str | None) -> Iterator[str]:
    width = min(terminal_width(), _WIDEST)
    for cell in filter(outcome.is_news, outcome.results):
        yield from ("", "─" * width)
        if outcome.is_expected(cell):
            yield f"Expected: --expect-violation {'/'.join(place_of(cell))}"
        yield describe(cell, width, target=target, options=words)
    if not outcome.gate:
        yield from describe_faults(outcome.results, width)
    yield from ("", "─" * width)
    yield _summary(outcome, ending)
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


def _verdict(verdict: Verdict, expected: bool) -> str:
    return f"{verdict} (expected)" if expected and verdict is Verdict.VIOLATED else str(verdict)


def _evidence(cell: Cell) -> str:
    if cell.verdict in (Verdict.HOLDS, Verdict.VIOLATED):
        broken = f"{cell.violations:,} of " if cell.violations else ""
        text = f"{broken}{plural(cell.cases, 'case')}"
        if cell.bound is not None:
            text += f", all up to {cell.bound.objects} objects"
        return f"{text}; {cell.message}" if cell.message else text
    return cell.message or ""


def _summary(outcome: Outcome, ending: str | None) -> str:
    verdicts = [cell.verdict for cell in outcome.results]
    amounts = [f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict if verdict in verdicts]
    expected = sum(map(outcome.is_expected, outcome.results))
    known = f" ({expected} expected)" if expected else ""
    said = ending or ("FAILED" if outcome.problems else "passed")
    return f"{said}: {plural(len(verdicts), 'cell')}{': ' if amounts else ''}{', '.join(amounts)}{known}"


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
