"""What ``metaeval check`` prints: the table of cells, counterexamples, and a baseline re-checked."""

import json
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from metaeval.catalogue.condition import GroupId, find_condition
from metaeval.catalogue.measure import Measure
from metaeval.cli import tables
from metaeval.cli.progress import duration, tell
from metaeval.cli.tables import Growing, page_width, terminal_width
from metaeval.core.case import Case
from metaeval.core.settings import HIGHEST, LEVELS
from metaeval.core.verdict import Verdict
from metaeval.display.cell_facts import declared, excerpt, fault_facts
from metaeval.display.cell_text import describe, describe_faults, describe_fewest, terms
from metaeval.display.fewest import fewest
from metaeval.display.layout import by_reading, listed, paragraph, plural, shorten, table
from metaeval.display.picture import draw_case
from metaeval.records.atlas import Standing
from metaeval.records.cell import Cell
from metaeval.records.described import DescribedMeasure
from metaeval.runner.events import Estimated, Event, Gated, Settled
from metaeval.runner.plan import Plan
from metaeval.runner.run import LONG
from metaeval.verification.baseline import State
from metaeval.verification.outcome import HeldAgainst, Outcome

_INDENT = "  "


def against_lines(against: HeldAgainst, width: int, draw_all: bool) -> Iterator[str]:
    """The stored counterexamples, and the golden scores that changed; the first of these is drawn, or all."""
    if against.no_answer is not None:
        yield f"stored counterexamples and golden scores: {tables.red(against.no_answer)}"
        return
    amounts = ", ".join(f"{len(found)} {state}" for state in State if (found := against.of(state)))
    yield from paragraph(f"stored counterexamples: {amounts or 'none'}", width, rest=_INDENT)
    changed, golden, left_out = against.changed, len(against.stored.golden), against.stored.left_out
    slow = f"; {plural(left_out, 'large pair')} left out" if left_out else ""
    yield from paragraph(f"golden scores: {golden - len(changed)} of {golden} unchanged{slow}", width, rest=_INDENT)
    if not changed:
        return
    rows = [[one.name, str(one.was), str(one.now), one.amount] for one in changed]
    yield from ("", table(("pair", "expected", "got", "difference"), rows))
    more = "" if draw_all or len(changed) == 1 else " (--all draws the others too)"
    for one in changed if draw_all else changed[:1]:
        yield from ("", f"{one.name}{more}:")
        yield from (_INDENT + line for line in draw_case(Case(one.now.side), width - len(_INDENT)).splitlines())


#: As wide as most evidence; what is wider is wrapped.
_USUAL_EVIDENCE = "100 of 1,000 cases, all up to 8 objects"
#: A sentence of a summary is cut here: the text of an exception may be long.
_LONGEST = 300
#: The most cells in which another measure differs that are named; more are counted.
_MOST_CELLS = 5


class Showing(NamedTuple):
    """How an outcome is shown: the target, and whether ``all`` is shown in full.

    ``words`` are the options with which one cell is searched in the same way, ``again`` those of this very check.
    """

    target: str
    words: Sequence[str] = ()
    again: Sequence[str] = ()
    all: bool = False


def title(measure: Measure, target: str) -> str:
    return f"{measure.name} ({target if measure.target or ':' in target else measure.id})"


class Stream:
    """The table of a check, printed as cells are settled: in the order of the plan or, in a long search, at once."""

    def __init__(self, plan: Plan, outcome: Outcome, showing: Showing, write: Callable[[str], None]) -> None:
        """``outcome`` knows what is expected, and what of a baseline was re-checked before the search."""
        (measure,) = plan.measures
        self._title = title(measure, showing.target)
        self._outcome, self._showing, self._write = outcome, showing, write
        self._awaited = [group.id for group in plan.groups if plan.measures_in(group)]
        self._settled: dict[GroupId, Cell] = {}
        self._in_order = True
        # The symbol says as much as the verdict, unless some violations are expected.
        optional = ["condition"] if outcome.expected else ["condition", "verdict"]
        foreseen = []
        for id, reading in self._awaited:  # as wide as the rows may become
            widest = max(_verdict(Verdict.VIOLATED, (id, reading) in outcome.expected), *Verdict, key=len)
            foreseen.append(["✗", id, find_condition(id).name, reading, widest, _USUAL_EVIDENCE])
        self._table = Growing(("", "id", "condition", "reading", "verdict", "evidence"), foreseen, optional)

    def on_event(self, event: Event) -> None:
        if isinstance(event, Gated):
            self._write("\n".join(self._head(event)))
            if event.failure is not None:
                self._awaited = []
        elif isinstance(event, Estimated):
            self._in_order = event.seconds <= LONG
        elif isinstance(event, Settled):
            self._settled[event.cell.key[1:]] = event.cell
            self._write_rows(takewhile if self._in_order else filter)

    def flush(self) -> None:
        """Print the rows that wait for others: the search was interrupted."""
        self._write_rows(filter)

    def _head(self, event: Gated) -> Iterator[str]:
        yield tables.bold(self._title)
        # Of a failure or a remark also the input, the line of code and a hint.
        met = event.failure or event.remark
        remark = "" if event.remark is None else f"; but on an extreme input {event.remark.message}"
        level = "" if event.effort is None else f", effort {event.effort} of {HIGHEST}"
        passed = f"{tables.green('passed')}{level}{remark}"
        said = passed if event.failure is None else tables.red(event.failure.message)
        calling = DescribedMeasure.of(event.measure).calling
        known = [] if met is None or met.diagnosis is None else list(fault_facts(met.diagnosis, calling))
        yield from terms([("gate:", said)], page_width()) if known else [f"gate: {said}"]
        yield from terms([*known, *([("printed", excerpt(event.printed))] if event.printed else [])], page_width())
        if self._outcome.against is not None:
            yield from against_lines(self._outcome.against, page_width(), self._showing.all)
        if event.failure is None:
            yield from ("", self._table.head())

    def _write_rows(self, chosen: Callable[..., Iterable[GroupId]]) -> None:
        """Print settled rows that are awaited: all of them, or those before the first that is not settled."""
        for place in list(chosen(self._settled.__contains__, self._awaited)):
            self._awaited.remove(place)
            cell, expected = self._settled[place], place in self._outcome.expected
            name, verdict = find_condition(cell.condition).name, _verdict(cell.verdict, expected)
            row = [cell.verdict.symbol, cell.condition, name, cell.reading, verdict, _evidence(cell)]
            paint = tables.of(cell.verdict, expected)
            self._write(self._table.row(row, {"": paint, "verdict": paint}))


def next_level(level: int, more: float) -> str:
    """What the next effort level would try and, unless ``more`` is 0, how many seconds more that takes."""
    cost = f", which takes about {duration(more)} more" if more else ""
    return f"effort {level} of {HIGHEST} tried {LEVELS[level]}; --effort {level + 1} tries {LEVELS[level + 1]}{cost}"


def conclusion(outcome: Outcome, showing: Showing | None, ending: str | None = None) -> str:
    """The text after the table, or all as JSON; ``ending`` replaces "passed" and "FAILED"."""
    return as_json(outcome) if showing is None else "\n".join(_lines(outcome, showing, ending))


def _lines(outcome: Outcome, showing: Showing, ending: str | None) -> Iterator[str]:
    width = page_width()
    violated = [cell for cell in outcome.results if cell.verdict is Verdict.VIOLATED]
    # The counterexamples of a baseline are known.
    news = [cell for cell in violated if not (outcome.against and outcome.is_expected(cell))]
    if showing.all or len(news) == 1:
        for cell in news:
            yield from ("", "─" * width)
            if outcome.is_expected(cell):
                yield f"Expected: --expect-violation {'/'.join(cell.key[1:])}"
            yield describe(cell, width, measure=outcome.results.measures[cell.measure], options=showing.words)
    elif news:
        yield from _in_brief(news, outcome, showing, width)
    if not outcome.gate:
        calling = next((one.calling for one in outcome.results.measures.values()), None)
        yield from describe_faults(outcome.results, width, calling)
    yield from ("", "─" * width)
    verdicts = [cell.verdict for cell in outcome.results]
    amounts = tell(Counter(verdicts))
    expected = sum(map(outcome.is_expected, outcome.results))
    known = f" ({expected} expected)" if expected else ""
    said = f"{tables.yellow(ending)}:" if ending else _ending(outcome)
    yield f"{said} {plural(len(verdicts), 'cell')}{': ' if amounts else ''}{amounts}{known}"
    beside = [] if outcome.standing is None else _beside(outcome.standing)
    yield from _labelled("FAIL", outcome.sentences if showing.all else outcome.folded())
    yield from _labelled("note", [*outcome.notes, *_unscored(outcome), *beside])


def unsearched(measure: Measure, outcome: Outcome, against: HeldAgainst, showing: Showing | None) -> str:
    """What is printed of a baseline where nothing is searched."""
    if showing is None:
        return as_json(outcome)
    counterexamples = plural(len(against.rechecked), "stored counterexample")
    scores = plural(len(against.stored.golden), "golden score")
    said = f"{_ending(outcome)} {counterexamples} and {scores} re-checked, nothing searched"
    lines = [*against_lines(against, page_width(), showing.all), "", *paragraph(said, page_width())]
    ends = [*_labelled("FAIL", outcome.sentences), *_labelled("note", outcome.notes)]
    return "\n".join([tables.bold(title(measure, showing.target)), *lines, *ends])


def _ending(outcome: Outcome) -> str:
    problems = plural(len(outcome.problems), "problem")
    return f"{tables.red('FAILED')}: {problems};" if outcome.problems else f"{tables.green('passed')}:"


def _in_brief(news: Sequence[Cell], outcome: Outcome, showing: Showing, width: int) -> Iterator[str]:
    """The fewest counterexamples that explain every violation, and how to see the others."""
    shown = fewest(news, outcome.results.measures[news[0].measure].bounds)
    yield from ("", "─" * width, *describe_fewest(shown, len(news), width, tables.bold))
    cell = shown[0].cell
    target, *declared = outcome.results.measures[cell.measure].target_words or [showing.target]
    check, place = ["metaeval", "check", target], ["--condition", cell.condition, "--reading", cell.reading]
    one, every = [*check, *place, *showing.words, *declared], [*check, "--all", *showing.again, *declared]
    yield from paragraph("See more: a condition in words, a counterexample in full, all of them:", width)
    # Commands are not wrapped, so that they can be copied.
    for words in (["metaeval", "explain", cell.condition], one, every):
        yield f"    {shlex.join(words)}"


def _unscored(outcome: Outcome) -> Iterator[str]:
    """The cells without a counterexample that had cases without a score, in a sentence."""
    cells = [cell for cell in outcome.results if cell.verdict.satisfied and cell.fault is not None]
    if cells:
        found = by_reading(f"{cell.condition}/{cell.reading}" for cell in cells)
        yield f"some cases had no score, and do not count: {found}; the rows above say how many"


def _beside(standing: Standing) -> Iterator[str]:
    """How a measure stands beside those of the atlas, in sentences."""
    if some := standing.unkept:
        yield f"{by_reading(some)}: no measure in the atlas keeps {'any of these' if len(some) > 1 else 'it'}"
    for cells, keepers in standing.kept.items():
        names = listed([f"{id} ({verdict})" for id, verdict in keepers.items()], 3) if keepers else ""
        kept = f"kept in the atlas by {names}" if names else "no measure in the atlas keeps all of these"
        yield f"{by_reading(cells.split())}: {kept}"
    closest = []
    for id, apart in standing.closest.items():
        differs = [cell for cell, verdict in apart.items() if verdict is not None]
        where = by_reading(differs) if len(differs) <= _MOST_CELLS else f"{len(differs)} cells"
        shared = f" (of {standing.cells - len(apart) + len(differs)} shared)" if len(differs) < len(apart) else ""
        closest.append(f"{id}, {f'which differs in {where}' if where else 'without a difference'}{shared}")
    yield f"closest in the atlas, by {standing.cells} cells: {'; '.join(closest)}"


def _labelled(label: str, sentences: Iterable[str]) -> Iterator[str]:
    """Sentences, each after a label; one line each where there is no terminal, so that logs can be searched."""
    lead = f"  {label}  "
    for sentence in sentences:
        said = shorten(sentence, _LONGEST) if label == "FAIL" else sentence  # a failure may quote the user's code
        lines = paragraph(said, terminal_width(), lead, " " * len(lead))
        shown = "\n".join(lines).removeprefix(lead)
        yield (lead.replace(label, tables.red(label)) if label == "FAIL" else lead) + shown


def _verdict(verdict: Verdict, expected: bool) -> str:
    return f"{verdict} (expected)" if expected and verdict is Verdict.VIOLATED else str(verdict)


def _evidence(cell: Cell) -> str:
    text = ""
    if cell.verdict.satisfied or cell.verdict is Verdict.VIOLATED:
        broken = f"{cell.violations:,} of " if cell.violations else ""
        proved = "a proof; " if cell.proof else ""
        text = f"{proved}{broken}{plural(cell.cases, 'case')}"
        if cell.bound is not None:
            text += f", all up to {plural(cell.bound.objects, 'object')}"
        if cell.reached is not None:
            text += f", some up to {cell.reached.objects:,}"
        if cell.outside is not None:
            text += f"; {cell.outside}"
    return "; ".join(filter(None, (text, cell.message, declared(cell))))


def as_json(outcome: Outcome) -> str:
    """A results file with one more key, so that every other command reads it."""
    verdict: dict[str, Any] = {
        "passed": not outcome.problems,
        "gate": outcome.gate,
        "expected": sorted("/".join(place) for place in outcome.expected),
        "problems": outcome.sentences,
        "notes": outcome.notes,
        "atlas": outcome.standing and outcome.standing.to_json(),
    }
    if outcome.against is not None:
        verdict["golden"] = [change.to_json() for change in outcome.against.changed]
    return json.dumps({**outcome.results.to_json(), "check": verdict}, indent=1, ensure_ascii=False)
