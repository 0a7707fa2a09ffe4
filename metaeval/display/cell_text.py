"""A cell in words, the same on the command line, in pytest and in notebooks."""

import shlex
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence

from metaeval.catalogue.condition import conditions
from metaeval.catalogue.measure import measures
from metaeval.core.case import Case
from metaeval.core.grouping import grouped
from metaeval.core.verdict import Verdict
from metaeval.display.cell_facts import claim_facts, declared_facts, evidence, fault_facts, outside, trouble
from metaeval.display.counterexample import Counterexample, facts
from metaeval.display.fewest import Explanation
from metaeval.display.layout import paragraph, plural
from metaeval.display.picture import KEY, draw_case
from metaeval.display.python_call import Call, call_of
from metaeval.proofs.proof_text import proof_facts
from metaeval.records.cell import Cell
from metaeval.records.described import Calling, DescribedCondition, DescribedMeasure

_INDENT = "    "
#: The most cells that are named for one mistake; the others are counted.
_PLACES = 4


def describe(
    cell: Cell, width: int = 80, *, target: str | None = None, options: Sequence[str] = (),
    measure: DescribedMeasure | None = None,
) -> str:  # fmt: skip
    """The result of a cell, and the command that checks it again.

    ``measure`` is what results say of a measure that is not metaeval's own, such as ``results.measures["mine"]``, or
    ``target`` is how ``metaeval check`` finds it, such as ``measures.py:mine``. ``options`` are further options of the
    command.

    >>> from metaeval.records.cell import Exhaustive
    >>> cell = Cell("ce", "A.2", "canonical", Verdict.HOLDS, 120, 0, Exhaustive(objects=5, cases=40))
    >>> print(describe(cell).partition("meaning")[2])
       no counterexample among the cases tried
    evidence  120 cases tried; every case with at most 5 objects was tried (40)
    <BLANKLINE>
    Check this cell again:
        metaeval check ce --condition A.2 --reading canonical
    """
    if target is not None:
        measure = DescribedMeasure(target=shlex.quote(target))
    known = measure or DescribedMeasure(calling=None if cell.measure in measures() else Calling(cell.measure))
    condition = described(cell)
    lines = [headline(cell, condition), "", *stated(cell, condition, width), ""]
    if cell.certificate is not None:
        lines += _violation(cell, Counterexample(cell.certificate, condition), width, call_of(cell.certificate, known))
    else:
        lines += terms(other(cell, known.calling), width)
    if not known.target and known.calling is not None:
        return "\n".join(lines)  # no command finds it
    subject, *declared = known.target_words or [cell.measure]
    words = ["metaeval", "check", subject, "--condition", cell.condition, "--reading", cell.reading]
    return "\n".join([*lines, "", "Check this cell again:", _INDENT + shlex.join([*words, *options, *declared])])


def describe_fewest(
    shown: Sequence[Explanation], violations: int, width: int = 80, paint: Callable[[str], str] = str
) -> Iterator[str]:
    """The counterexamples that explain all ``violations`` of a measure, in brief; ``paint`` is for their titles."""
    introduction = f"{violations} violations, each with its smallest counterexample:"
    if len(shown) < violations:
        verb = "explains" if len(shown) == 1 else "explain"
        introduction = f"{violations} violations; {plural(len(shown), 'counterexample')} {verb} them all:"
    yield from paragraph(introduction, width)
    for explanation in shown:
        title, newline, rest = describe_briefly(explanation, width).partition("\n")
        yield from ("", paint(title) + newline + rest)
    yield from ("", *paragraph(f"{KEY}.", width))


def describe_briefly(explanation: Explanation, width: int = 80) -> str:
    """A counterexample in a few lines: every cell that it breaks, the demand, the scores and the drawn case."""
    cell = explanation.cell
    assert cell.certificate is not None
    counterexample = Counterexample(cell.certificate, described(cell))
    scored = ", ".join(map(" ".join, zip(counterexample.names, counterexample.values, strict=True)))
    scores = f"demanded: {counterexample.formula}; scored: {scored}"
    picture = draw_case(cell.certificate.case, width - len(_INDENT), brief=True)
    lines = [*paragraph(_broken(explanation), width, rest="  "), *paragraph(scores, width, "  ")]
    return "\n".join([*lines, textwrap.indent(picture, _INDENT)])


def _broken(explanation: Explanation) -> str:
    """The cells that a counterexample breaks, by condition: "A.5 Perfect match (literal, overlapping)"."""
    readings: dict[str, list[str]] = {}
    for cell in explanation.explained:
        readings.setdefault(cell.condition, []).append(cell.reading)
    own = readings.pop(explanation.cell.condition)
    first = f"{_title(described(explanation.cell), explanation.cell.condition)} ({', '.join(own)})"
    others = ", ".join(f"{id} ({', '.join(names)})" for id, names in readings.items())
    return f"{first}, and with it {others}" if others else first


def _title(condition: DescribedCondition, id: str) -> str:
    return id if condition.name == id else f"{id} {condition.name}"


def described(cell: Cell) -> DescribedCondition:
    """The condition of a cell, as it is registered here."""
    known = conditions().get(cell.condition)
    return DescribedCondition.of(known) if known else DescribedCondition(cell.condition)


def headline(cell: Cell, condition: DescribedCondition) -> str:
    """Measure, condition, reading and verdict."""
    what = _title(condition, cell.condition)
    if cell.verdict is Verdict.VIOLATED:
        return f"{cell.measure} violates {what} ({cell.reading})"
    endings = {Verdict.HOLDS: " holds", Verdict.PROVED: " is proved"}
    return f"{cell.measure}: {what} ({cell.reading}){endings.get(cell.verdict, f': {cell.verdict}')}"


def stated(cell: Cell, condition: DescribedCondition, width: int) -> Iterator[str]:
    """The condition and the reading in words."""
    if not condition.statement:
        yield from paragraph(f"No condition {cell.condition} is registered here.", width)
        return
    yield from paragraph(condition.statement, width)
    if (reading := condition.readings.get(cell.reading)) is not None and reading.adds:
        yield from paragraph(f"Reading {cell.reading}: {reading.adds}", width)


def _violation(cell: Cell, counterexample: Counterexample, width: int, call: Call) -> Iterator[str]:
    inner = width - len(_INDENT)
    yield textwrap.indent(draw_case(counterexample.certificate.case, inner), _INDENT)
    yield from paragraph(KEY, inner, _INDENT)
    yield ""
    yield from terms(violated(cell, counterexample, call.said), width)
    yield ""
    scores = {1: "the score", 2: "both scores"}.get(len(counterexample.names), "the scores")
    yield f"Reproduce {scores} in Python:"
    yield textwrap.indent(counterexample.python(inner, call), _INDENT)


def violated(cell: Cell, counterexample: Counterexample, calling: Calling | None = None) -> Iterator[tuple[str, str]]:
    """Facts about a cell with a certificate, as terms and explanations."""
    yield from facts(cell, counterexample)
    yield from (("outside", outside(cell)), ("also", cell.message or ""))
    yield from [] if cell.fault is None else fault_facts(cell.fault, calling)
    yield from declared_facts(cell)


def other(cell: Cell, calling: Calling | None = None) -> Iterator[tuple[str, str]]:
    """Facts about a cell without a certificate, as terms and explanations."""
    violated = cell.verdict is Verdict.VIOLATED
    yield ("meaning", "the condition is violated; this cell has no certificate" if violated else cell.verdict.meaning)
    if cell.message:
        yield "message", cell.message
    yield from trouble(cell, calling)
    yield from () if cell.proof is None else proof_facts(cell.proof)
    if cell.unproved:
        yield "proof", f"none: {cell.unproved}"
    if cell.broken_rule:
        yield "prover", f"{cell.broken_rule} Please report this as a bug."
    yield from declared_facts(cell)
    if cell.equation is not None and cell.equation.proof is not None:
        yield from proof_facts(cell.equation.proof)
    # A proof in a file of its own has no cases.
    if cell.cases or cell.proof is None:
        yield "evidence", evidence(cell)
    yield "outside", outside(cell)
    yield from claim_facts(cell)


def describe_faults(cells: Iterable[Cell], width: int = 80, calling: Calling | None = None) -> Iterator[str]:
    """Each mistake of a measure once, on its smallest input, and what the measure printed."""

    def mistake(cell: Cell) -> tuple[str | None, ...]:
        return () if cell.fault is None else (cell.fault.kind, cell.fault.where)

    def size(cell: Cell) -> tuple[int, ...]:
        side = None if cell.fault is None else cell.fault.side
        return (10**9,) if side is None else Case(side).size

    for met in grouped((cell for cell in cells if cell.fault is not None or cell.printed is not None), mistake):
        cell = min(met, key=size)
        places = [f"{one.condition}/{one.reading}" for one in met]
        more = f" and {plural(len(places) - _PLACES, 'further cell')}" if len(places) > _PLACES else ""
        where = f"In {', '.join(places[:_PLACES])}{more}"
        yield from ("", "─" * width)
        said = f"{where}: {cell.message}" if cell.fault and cell.message else f"{where}, {cell.measure}:"
        yield from paragraph(said, width)
        yield from terms(trouble(cell, calling), width)


def terms(pairs: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Terms in a column, each beside its explanation, if it has one; line breaks of an explanation are kept."""
    entries = [(term, text) for term, text in pairs if text]
    room = max((len(term) for term, _ in entries), default=0) + 2
    for term, text in entries:
        for number, line in enumerate(text.splitlines()):
            yield from paragraph(line, width, ("" if number else term).ljust(room), " " * room)
