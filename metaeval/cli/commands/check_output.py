"""What ``metaeval check`` prints: the table of cells, counterexamples, and a baseline asked again."""

from __future__ import annotations

import json
import shlex
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from metaeval.catalogue.condition import GroupId, find_condition
from metaeval.catalogue.measure import Measure
from metaeval.cli import tables as colour
from metaeval.cli.progress import duration
from metaeval.cli.tables import NO_LIMIT, Growing, render, shorten, terminal_width
from metaeval.core.effort import HIGHEST, LEVELS
from metaeval.core.verdict import Verdict
from metaeval.display.cell_facts import excerpt, fault_facts
from metaeval.display.cell_text import describe, describe_briefly, describe_faults, terms
from metaeval.display.fewest import fewest
from metaeval.display.layout import plural
from metaeval.display.picture import KEY, draw_side
from metaeval.records.cell import Cell
from metaeval.runner.events import Estimated, Event, Gated, Settled
from metaeval.runner.plan import Plan
from metaeval.runner.run import LONG
from metaeval.session import cell_of
from metaeval.verification.baseline import State
from metaeval.verification.golden import Difference
from metaeval.verification.outcome import HeldAgainst, Outcome, place_of

_STATES = {
    State.HOLDS: "as they were",
    State.FIXED: "broken no longer: fixed",
    State.BROKEN: "otherwise than they were",
}
_GOLDEN_HEADERS = ("pair", "expected", "got", "difference")
_INDENT = "  "


def against_lines(against: HeldAgainst, width: int, draw_all: bool) -> Iterator[str]:
    """The stored counterexamples in numbers and the golden scores that changed as a table.

    The first pair that changed is drawn, or every one.
    """
    if against.no_answer is not None:
        yield f"stored counterexamples and golden scores: {colour.red(against.no_answer)}"
        return
    states = [one.state for one in against.rechecked]
    amounts = ", ".join(f"{states.count(state)} {_STATES[state]}" for state in State if state in states)
    yield from textwrap.wrap(f"stored counterexamples: {amounts or 'none'}", width, subsequent_indent=_INDENT)
    golden = len(against.stored.golden)
    left_out = against.stored.left_out
    slow = f"; {plural(left_out, 'large pair')} left out" if left_out else ""
    same = f"golden scores: {golden - len(against.changed)} of {golden} as they were"
    yield from textwrap.wrap(same + slow, width, subsequent_indent=_INDENT)
    if against.changed:
        yield from _changed(against.changed, width, draw_all)


def _changed(changed: tuple[Difference, ...], width: int, draw_all: bool) -> Iterator[str]:
    rows = [[one.name, str(one.was), str(one.now), one.amount] for one in changed]
    yield ""
    yield render(_GOLDEN_HEADERS, rows, width=NO_LIMIT)
    more = "" if draw_all or len(changed) == 1 else " (--all draws the others too)"
    for one in changed if draw_all else changed[:1]:
        yield from ("", f"{one.name}{more}:")
        yield from (_INDENT + line for line in draw_side(one.now.side, width - len(_INDENT)).splitlines())


def against_summary(against: HeldAgainst) -> str:
    """What was held against the baseline where nothing was searched."""
    amounts = (
        plural(len(against.rechecked), "stored counterexample"),
        plural(len(against.stored.golden), "golden score"),
    )
    return f"{' and '.join(amounts)} asked again, nothing searched"


_HEADERS = ("", "id", "condition", "reading", "verdict", "evidence")
_WIDEST = 100
#: As wide as most evidence is; what is wider is wrapped.
_USUAL_EVIDENCE = "100 of 1,000 cases, all up to 8 objects"
#: So many violations are named once more at the end.
_MOST_NAMED = 5
#: A sentence of a summary is cut here; an exception may have said very much.
_LONGEST = 300


@dataclass(frozen=True)
class Showing:
    """How a conclusion is shown: what the measure is called, and the options that ask for the same search again.

    With ``all`` every counterexample is shown in full, and else the fewest that explain all violations.
    """

    target: str
    words: Sequence[str] = ()
    all: bool = False


def title(measure: Measure, target: str) -> str:
    """What is checked."""
    return f"{measure.name} ({target})" if ":" in target else f"{measure.name} ({measure.id})"


def _width() -> int:
    return min(terminal_width(), _WIDEST)


class Stream:
    """The first part of a check for people, printed as it becomes known; :meth:`on_event` is the handler.

    Rows stand in the order of the plan, each as soon as those before it are there; where a search takes long, in the
    order in which they become known.
    """

    def __init__(self, plan: Plan, outcome: Outcome, showing: Showing, write: Callable[[str], None]) -> None:
        """``outcome`` knows what is expected, and what was held against a baseline before the search."""
        (measure,) = plan.measures
        self._title = title(measure, showing.target)
        self._outcome, self._showing, self._write = outcome, showing, write
        self._awaited = [group.id for group in plan.groups if plan.measures_in(group)]
        self._settled: dict[GroupId, Cell] = {}
        self._in_order = True
        # The symbol says as much as the verdict, unless that says what was expected.
        optional = ["condition"] if outcome.expected else ["condition", "verdict"]
        self._table = Growing(_HEADERS, [self._foreseen(id) for id in self._awaited], optional)

    def on_event(self, event: Event) -> None:
        """Print what an event makes known."""
        if isinstance(event, Gated):
            self._write("\n".join(self._head(event)))
            if event.failure is not None:
                self._awaited = []
        elif isinstance(event, Estimated):
            self._in_order = event.seconds <= LONG
        elif isinstance(event, Settled):
            cell = cell_of(event, None)
            self._settled[place_of(cell)] = cell
            if not self._in_order and place_of(cell) in self._awaited:
                self._awaited.remove(place_of(cell))
                self._write_row(cell)
            while self._awaited and self._awaited[0] in self._settled:
                self._write_row(self._settled[self._awaited.pop(0)])

    def flush(self) -> None:
        """Print the rows that others kept waiting: the search was cut short."""
        for place in filter(self._settled.get, self._awaited):
            self._write_row(self._settled[place])

    def _head(self, event: Gated) -> Iterator[str]:
        gate = None if event.failure is None else event.failure.message
        yield colour.bold(self._title)
        yield from _gate_lines(event)
        if self._outcome.against is not None:
            yield from against_lines(self._outcome.against, _width(), self._showing.all)
        if not gate:
            yield from ("", self._table.head())

    def _foreseen(self, place: GroupId) -> list[str]:
        """The row of a cell, as wide as its verdict may make it."""
        verdict = _verdict(Verdict.VIOLATED, place in self._outcome.expected)
        widest = max(verdict, *Verdict, key=len)
        return ["✗", place[0], find_condition(place[0]).name, place[1], widest, _USUAL_EVIDENCE]

    def _write_row(self, cell: Cell) -> None:
        expected = place_of(cell) in self._outcome.expected
        verdict = _verdict(cell.verdict, expected)
        name = find_condition(cell.condition).name
        row = [cell.verdict.symbol, cell.condition, name, cell.reading, verdict, _evidence(cell)]
        paint = colour.of(cell.verdict, expected)
        self._write(self._table.row(row, {"": paint, "verdict": paint}))


def _gate_lines(event: Gated) -> Iterator[str]:
    """What the gate said and, where that was something, on which input, in which line, and what to do."""
    met = event.failure or event.remark
    passed = colour.green("passed")
    remark = "" if event.remark is None else f"; but on an extreme input {event.remark.message}"
    level = "" if event.effort is None else f", effort {event.effort} of {HIGHEST}"
    said = f"{passed}{level}{remark}" if event.failure is None else colour.red(event.failure.message)
    known = [] if met is None or met.diagnosis is None else list(fault_facts(met.diagnosis))
    yield from terms([("gate:", said)], _width()) if known else [f"gate: {said}"]
    yield from terms([*known, *([("printed", excerpt(event.printed))] if event.printed else [])], _width())


def next_level(level: int, more: float) -> str:
    """What a level left out that the next would try, and what that would cost; ``more`` is 0 where nobody knows."""
    cost = f", which takes about {duration(more)} more" if more else ""
    return (
        f"effort {level} of {HIGHEST} tried {LEVELS[level]}; --effort {level + 1} tries {LEVELS[level + 1]}{cost}"
    )


def conclusion(outcome: Outcome, showing: Showing, ending: str | None = None) -> str:
    """What follows the table; ``ending`` is said in place of whether the check passed."""
    return "\n".join(_lines(outcome, showing, ending))


def _lines(outcome: Outcome, showing: Showing, ending: str | None) -> Iterator[str]:
    width = _width()
    news = list(filter(outcome.is_news, outcome.results))
    if showing.all or len(news) == 1:
        yield from _in_full(news, outcome, showing, width)
    elif news:
        yield from _in_brief(news, outcome, showing, width)
    if not outcome.gate:
        yield from describe_faults(outcome.results, width)
    yield from ("", "─" * width)
    yield _summary(outcome, ending)
    yield from _labelled("note", outcome.notes)
    yield from _labelled("FAIL", outcome.problems if showing.all else _folded(outcome))


def unsearched(measure: Measure, outcome: Outcome, against: HeldAgainst, showing: Showing) -> str:
    """What is printed of a baseline where nothing is searched."""
    said = colour.red("FAILED") if outcome.problems else colour.green("passed")
    return "\n".join(
        [
            colour.bold(title(measure, showing.target)),
            *against_lines(against, _width(), showing.all),
            "",
            *_paragraph(f"{said}: {against_summary(against)}", _width()),
            *_labelled("note", outcome.notes),
            *_labelled("FAIL", outcome.problems),
        ]
    )


def _in_full(news: Sequence[Cell], outcome: Outcome, showing: Showing, width: int) -> Iterator[str]:
    for cell in news:
        yield from ("", "─" * width)
        if outcome.is_expected(cell):
            yield f"Expected: --expect-violation {'/'.join(place_of(cell))}"
        yield describe(cell, width, target=showing.target, options=showing.words)


def _in_brief(news: Sequence[Cell], outcome: Outcome, showing: Showing, width: int) -> Iterator[str]:
    """The fewest counterexamples that explain every violation, and how to see the others."""
    shown = fewest(news, outcome.results.measures[news[0].measure].bounds)
    yield from ("", "─" * width)
    yield from _paragraph(_introduction(len(shown), len(news)), width)
    for explanation in shown:
        yield from ("", colour.first_line(describe_briefly(explanation, width)))
    yield ""
    yield from _paragraph(f"{KEY}.", width)
    yield from _ways_on(shown[0].cell, showing, width)


def _introduction(shown: int, violations: int) -> str:
    if shown == violations:
        return f"{violations} violations, each with its smallest counterexample:"
    return (
        f"{violations} violations; {plural(shown, 'counterexample')} explain{'s' if shown == 1 else ''} them all:"
    )


def _ways_on(cell: Cell, showing: Showing, width: int) -> Iterator[str]:
    """What to run to see more."""
    check = ["metaeval", "check", showing.target]
    one = [*check, "--condition", cell.condition, "--reading", cell.reading, *showing.words]
    yield from _paragraph("See more: a condition in words, a counterexample in full, all of them:", width)
    # Commands stay whole, however narrow the terminal, so that they can be copied.
    for words in (["metaeval", "explain", cell.condition], one, [*check, "--all", *showing.words]):
        yield f"    {shlex.join(words)}"


def _folded(outcome: Outcome) -> list[str]:
    """The problems; violations about which there is no more to say are told together."""
    plain = {f"{name}: violated": name for name in map("/".join, map(place_of, outcome.results))}
    together = [plain[problem] for problem in outcome.problems if problem in plain]
    if len(together) < 2:
        return outcome.problems
    others = [problem for problem in outcome.problems if problem not in plain]
    few = len(together) <= _MOST_NAMED
    return [*others, f"violated: {', '.join(together)}" if few else f"{len(together)} violations, explained above"]


def _labelled(label: str, sentences: Iterable[str]) -> Iterator[str]:
    """Sentences with what they are; on one line each where there is no terminal, so that logs can be searched."""
    lead = f"  {label}  "
    for sentence in sentences:
        lines = _paragraph(shorten(sentence, _LONGEST), terminal_width(), lead, " " * len(lead))
        yield "\n".join(lines).replace(label, colour.red(label), 1) if label == "FAIL" else "\n".join(lines)


def _paragraph(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def _verdict(verdict: Verdict, expected: bool) -> str:
    return f"{verdict} (expected)" if expected and verdict is Verdict.VIOLATED else str(verdict)


def _evidence(cell: Cell) -> str:
    if cell.verdict.satisfied or cell.verdict is Verdict.VIOLATED:
        broken = f"{cell.violations:,} of " if cell.violations else ""
        proved = "a proof; " if cell.proof else ""
        text = f"{proved}{broken}{plural(cell.cases, 'case')}"
        if cell.bound is not None:
            text += f", all up to {plural(cell.bound.objects, 'object')}"
        if cell.reached is not None:
            text += f", some up to {cell.reached.objects:,}"
        return f"{text}; {cell.message}" if cell.message else text
    return cell.message or ""


def _summary(outcome: Outcome, ending: str | None) -> str:
    verdicts = [cell.verdict for cell in outcome.results]
    amounts = [f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict if verdict in verdicts]
    expected = sum(map(outcome.is_expected, outcome.results))
    known = f" ({expected} expected)" if expected else ""
    said = (
        colour.yellow(ending) if ending else colour.red("FAILED") if outcome.problems else colour.green("passed")
    )
    return f"{said}: {plural(len(verdicts), 'cell')}{': ' if amounts else ''}{', '.join(amounts)}{known}"


def as_json(outcome: Outcome) -> str:
    """A results file with one key more, so that every other command reads it."""
    verdict: dict[str, Any] = {
        "passed": not outcome.problems,
        "gate": outcome.gate,
        "expected": sorted("/".join(place) for place in outcome.expected),
        "problems": outcome.problems,
        "notes": outcome.notes,
    }
    if outcome.against is not None:
        verdict["golden"] = [change.to_json() for change in outcome.against.changed]
    return json.dumps({**outcome.results.to_json(), "check": verdict}, indent=1, ensure_ascii=False)
