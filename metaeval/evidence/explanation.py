"""A cell in words: the condition, the case drawn, the condition with the values put in, what to run.

A pure function of the cell. The command line, the pytest plugin and notebooks all show this text, so that
a failure reads the same wherever it is met.
"""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from metaeval.cases import PERFECT_MATCH, TOLERANCE, Case, Relation, ScoreValue, broken
from metaeval.condition import Condition, conditions
from metaeval.evidence.certificates import case_from_json
from metaeval.evidence.results import Cell
from metaeval.evidence.text_pictures import KEY, draw_case
from metaeval.measuring import MEASURES
from metaeval.model import Biclustering
from metaeval.paper.claims import claim_on
from metaeval.verdicts import Verdict

_INDENT = "    "
#: Longer fractions tell a reader less than their decimals; the Python lines give them whole.
_LONGEST_FRACTION = 30
_MOST_DIGITS = 17

_MEANINGS = {
    Verdict.HOLDS: "No case broke the condition.",
    Verdict.UNDEFINED: "The measure was defined on no case.",
    Verdict.ERROR: "The measure failed, so the condition could not be judged.",
    Verdict.FLAKY: "The measure gave the same input different scores, so the condition could not be judged.",
    Verdict.VACUOUS: "Nothing was checked.",
    Verdict.TIMEOUT: "The measure used up its time before the condition was settled.",
}


def explain(cell: Cell, width: int = 80, *, target: str | None = None, options: Sequence[str] = ()) -> str:
    """What was found for a cell, and how to see it again.

    ``target`` is how ``metaeval check`` finds a measure that is not metaeval's own, such as
    ``measures.py:mine``; ``options`` are further words of that command.

    >>> cell = Cell("ce", "A.2", "canonical", Verdict.HOLDS, 120, 0, {"objects": 5, "cases": 40})
    >>> print(explain(cell).partition("No case")[2])
     broke the condition.
    Evidence: 120 cases tried; all cases up to 5 objects were among these (40).
    <BLANKLINE>
    Check this cell again:
        metaeval check ce --condition A.2 --reading canonical
    """
    condition = conditions().get(cell.condition)
    lines = [_headline(cell, condition), "", *_stated(cell, condition, width)]
    if cell.verdict is Verdict.VIOLATED and cell.certificate is not None:
        lines += ["", *_witness(cell, cell.certificate, condition, width, target)]
    else:
        lines += ["", *_other(cell, width)]
    return "\n".join([*lines, "", "Check this cell again:", _INDENT + _command(cell, target, options)])


def _headline(cell: Cell, condition: Condition | None) -> str:
    what = f"{cell.condition} {condition.name}" if condition else cell.condition
    if cell.verdict is Verdict.VIOLATED:
        return f"{cell.measure} violates {what} ({cell.reading})"
    ending = " holds" if cell.verdict is Verdict.HOLDS else f": {cell.verdict}"
    return f"{cell.measure}: {what} ({cell.reading}){ending}"


def _stated(cell: Cell, condition: Condition | None, width: int) -> Iterator[str]:
    if condition is None:
        yield from _paragraph(f"No condition {cell.condition} is registered here.", width)
        return
    yield from _paragraph(condition.statement, width)
    reading = condition.readings.get(cell.reading)
    if reading is not None and reading.adds:
        yield from _paragraph(f"Reading {reading.name}: {reading.adds}", width)


# --- a violation ------------------------------------------------------------------------------------


def _witness(
    cell: Cell, witness: Mapping[str, Any], condition: Condition | None, width: int, target: str | None
) -> Iterator[str]:
    case = case_from_json(witness)
    scores = _scores(witness)
    yield textwrap.indent(draw_case(case, width - len(_INDENT)), _INDENT)
    yield from _paragraph(KEY, width - len(_INDENT), _INDENT)
    yield ""
    left, right = _shown(scores)
    yield from (f"left   scores {left}", f"right  scores {right}")
    if condition is not None:
        yield from _judged(condition, witness, scores, width)
    yield ""
    yield from _paragraph(f"Size: {_size(witness['minimal'], condition, cell.reading)}", width)
    yield from _paragraph(f"Evidence: {_evidence(cell)}.", width)
    yield from _claimed(cell, width)
    if cell.message:
        yield from _paragraph(f"Also: {cell.message}", width)
    yield ""
    yield "Reproduce both scores in Python:"
    yield textwrap.indent("\n".join(_python(cell.measure, case, scores, width - len(_INDENT), target)), _INDENT)


def _scores(witness: Mapping[str, Any]) -> tuple[ScoreValue, ScoreValue]:
    left, right = (
        float(stated["float"]) if stated["exact"] is None else Fraction(stated["exact"])
        for stated in (witness["scores"]["left"], witness["scores"]["right"])
    )
    return left, right


def _judged(
    condition: Condition, witness: Mapping[str, Any], scores: tuple[ScoreValue, ScoreValue], width: int
) -> Iterator[str]:
    optimum = witness["scores"]["optimum"]
    relation = condition.relation
    yield from _paragraph(f"Demanded: {relation.demand}, that is {_put_in(relation, scores, optimum)}.", width)
    why = broken(relation, *scores, 0.0 if optimum is None else float(optimum))
    # A file made by hand may hold scores that keep the relation; `metaeval verify` is there to refuse it.
    yield from _paragraph(f"Found: {why or 'these scores keep the relation: this certificate is wrong'}.", width)


def _put_in(relation: Relation, scores: tuple[ScoreValue, ScoreValue], optimum: float | None) -> str:
    """The demand with the values put in."""
    exact = all(isinstance(score, Fraction) for score in scores)
    left, right = map(_brief, scores) if exact else _decimals(scores)
    if relation.name == "equal":
        return f"{left} = {right}" + ("" if exact else f" within {TOLERANCE:g}")
    by = "" if exact else f" by more than {TOLERANCE:g}"
    if relation.name == "worse":
        return f"{left} < {right}{by}"
    best = f"{optimum:g}" if optimum is not None else "the optimum"
    return f"{left} < {best}{by}" + (f" and {right} ≥ {best}" if relation is PERFECT_MATCH else "")


def _shown(scores: tuple[ScoreValue, ScoreValue]) -> tuple[str, str]:
    """Both scores, as fraction and decimal where they are exact."""
    left, right = (
        f"{score} = {decimal}" if _is_short_fraction(score) and str(score) != decimal else decimal
        for score, decimal in zip(scores, _decimals(scores), strict=True)
    )
    return left, right


def _brief(score: ScoreValue) -> str:
    return str(score) if _is_short_fraction(score) else f"{float(score):.6g}"


def _is_short_fraction(score: ScoreValue) -> bool:
    return isinstance(score, Fraction) and len(str(score)) <= _LONGEST_FRACTION


def _decimals(scores: tuple[ScoreValue, ScoreValue]) -> tuple[str, str]:
    """Six digits, or as many as it takes to tell the two apart."""
    left, right = map(float, scores)
    digits = 6
    while digits < _MOST_DIGITS and left != right and f"{left:.{digits}g}" == f"{right:.{digits}g}":
        digits += 1
    return f"{left:.{digits}g}", f"{right:.{digits}g}"


def _size(minimal: Mapping[str, Any], condition: Condition | None, reading: str) -> str:
    size = _counted(minimal["objects"], "object")
    if not minimal["certified"]:
        return f"{size}; a smaller one may exist."
    scope = condition.readings[reading].scope if condition and reading in condition.readings else ""
    return f"{size}; no smaller one exists in the enumerated scope" + (f" ({scope})." if scope else ".")


def _python(
    measure: str, case: Case, scores: tuple[ScoreValue, ScoreValue], width: int, target: str | None
) -> list[str]:
    """Lines that anyone can paste: the case, and a call for each score."""
    parts = dict(zip(("left", "left_gold", "right", "right_gold"), (*case.left, *case.right), strict=True))
    if case.left.gold == case.right.gold:
        parts = {"gold": case.left.gold, "left": case.left.candidate, "right": case.right.candidate}
    setup, call = _callable(measure, target, exact=all(isinstance(score, Fraction) for score in scores))
    lines = [*setup, "from metaeval import Biclustering", ""]
    for name, part in parts.items():
        lines += _assignment(name, part, width)
    golds = ("gold", "gold") if "gold" in parts else ("left_gold", "right_gold")
    calls = [call.format(candidate=side, gold=gold) for side, gold in zip(("left", "right"), golds, strict=True)]
    room = max(map(len, calls))
    return [*lines, *(f"{line.ljust(room)}  # {_brief(score)}" for line, score in zip(calls, scores, strict=True))]


def _callable(measure: str, target: str | None, exact: bool) -> tuple[list[str], str]:
    """How a measure is imported and called: by id where it is registered, else as the function it is."""
    if target is not None and ":" in target:
        place, _, function = target.rpartition(":")
        if not place.endswith(".py"):
            return [f"from {place} import {function}"], f"print({function}({{candidate}}, {{gold}}))"
        module = place.replace("\\", "/").rpartition("/")[2].removesuffix(".py")
        return [f"from {module} import {function}  # {place}"], f"print({function}({{candidate}}, {{gold}}))"
    if measure in MEASURES:
        ending = ", exact=True" if exact else ""
        return ["import metaeval"], f'print(metaeval.score("{measure}", {{candidate}}, {{gold}}{ending}))'
    name = measure.replace("-", "_").replace(".", "_")
    return [f"# {name}: your function of (candidate, gold)"], f"print({name}({{candidate}}, {{gold}}))"


def _assignment(name: str, part: Biclustering, width: int) -> list[str]:
    """On one line where it fits, else a line for each bicluster."""
    line = f"{name} = {part!r}"
    if len(line) <= width or len(part) < 2:
        return [line]
    # The family of a single bicluster prints as Biclustering([…], shape=…): what stands inside is its line.
    pieces = [repr(Biclustering([one], part.shape)).partition("[")[2].rpartition("]")[0] for one in part]
    return [
        f"{name} = Biclustering([",
        *(f"    {piece}," for piece in pieces),
        f"], shape={part.shape!r})",
    ]


# --- other verdicts, and what all have in common ----------------------------------------------------


def _other(cell: Cell, width: int) -> Iterator[str]:
    if cell.verdict in _MEANINGS:
        yield from _paragraph(_MEANINGS[cell.verdict], width)
    else:
        yield from _paragraph("The condition is violated; this cell holds no certificate.", width)
    if cell.message:
        yield from _paragraph(f"Message: {cell.message}", width)
    yield from _paragraph(f"Evidence: {_evidence(cell)}.", width)
    yield from _claimed(cell, width)


def _evidence(cell: Cell) -> str:
    tried = f"{_counted(cell.cases, 'case')} tried"
    if cell.violations:
        tried = f"{cell.violations:,} of {_counted(cell.cases, 'case')} broke it"
    if cell.exhaustive is None:
        return tried
    objects, cases = cell.exhaustive["objects"], cell.exhaustive["cases"]
    return f"{tried}; all cases up to {_counted(objects, 'object')} were among these ({cases:,})"


def _claimed(cell: Cell, width: int) -> Iterator[str]:
    claim = claim_on(cell.measure, cell.condition)
    if cell.claim is not None:
        place = f" ({claim.place})" if claim is not None else ""
        yield from _paragraph(f"Claimed: {cell.claim}{place}.", width)


def _command(cell: Cell, target: str | None, options: Sequence[str]) -> str:
    words = ["metaeval", "check", target or cell.measure, "--condition", cell.condition, "--reading", cell.reading]
    return shlex.join([*words, *options])


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _paragraph(text: str, width: int, indent: str = "") -> list[str]:
    """Wrapped lines; what goes on in a second line stands a little further in."""
    label = text.partition(": ")[0]
    inner = indent + ("  " if ": " in text and label.isalpha() else "")
    return textwrap.wrap(
        text, max(width, 20), initial_indent=indent, subsequent_indent=inner, break_long_words=False
    )
