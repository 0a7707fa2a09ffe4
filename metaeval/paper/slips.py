"""Slips of the paper: those that computing finds, and two that only reading does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from metaeval.cases import Case, ScoreValue
from metaeval.condition import find_condition
from metaeval.engine.evaluation import evaluate
from metaeval.evidence.classification import classify
from metaeval.measuring import find_measure
from metaeval.model import Biclustering
from metaeval.paper.printed import TABLE_1, PrintedPair
from metaeval.paper.suites import PAPER


@dataclass(frozen=True)
class Slip:
    """Something that is not as the paper says, where it says it, and whether computing shows that."""

    place: str
    computed: bool
    text: str


def slips() -> Iterator[Slip]:
    """Every known slip."""
    yield from _filed_elsewhere()
    yield from _misprints()
    yield from proof_of_b1()
    yield from _READ


_READ = (
    Slip(
        "section 2, under the equation of Rand's index",
        computed=False,
        text="N₀₁ is explained where the equation has N₁₁.",
    ),
    Slip(
        "Theorem 5, proof",
        computed=False,
        text="The proof has k copies over the same micro-objects, the condition k copies on fresh ones; the "
        "reading called repeated is the proof's.",
    ),
)


def rounded(score: ScoreValue) -> str:
    """Three decimals, rounded from the exact value."""
    return f"{float(round(_rational(score), 3)):.3f}"


def _rational(score: ScoreValue) -> Fraction:
    """The exact value, or the nearest float of one that is irrational."""
    return score if isinstance(score, Fraction) else Fraction(float(score))


def _filed_elsewhere() -> Iterator[Slip]:
    """Pairs that are no instance of the condition they are filed under."""
    for pair in TABLE_1:
        instances = classify(pair.case, PAPER.conditions)
        if pair.filed_under not in {condition for condition, _ in instances}:
            others = " and ".join(dict.fromkeys(f"{id} {find_condition(id).name}" for id, _ in instances))
            filed = f"{pair.filed_under} {find_condition(pair.filed_under).name}"
            text = (
                f"The pair filed under {filed} is an instance of {others}, and not of {pair.filed_under}: "
                f"{_difference(pair)}."
            )
            yield Slip(f"Table 1, column {pair.name}", computed=True, text=text)


def _difference(pair: PrintedPair) -> str:
    """What the right candidate has in place of what, in the paper's numbers."""
    left, right = ({frozenset(cluster) for cluster in side} for side in (pair.left, pair.right))

    def written(clusters: set[frozenset[int]]) -> str:
        return " and ".join("{" + ", ".join(map(str, sorted(one))) + "}" for one in sorted(clusters, key=sorted))

    return f"Ĝ₂ has {written(right - left)} in place of {written(left - right)}"


def _misprints() -> Iterator[Slip]:
    """Printed scores that are not the computed ones rounded."""
    for pair in TABLE_1:
        for id, printed in pair.printed.items():
            for side, text in zip(pair.case, printed, strict=True):
                score = _rational(evaluate(find_measure(id), side))
                if rounded(score) != text:
                    yield Slip(
                        f"Table 1, {find_measure(id).name} under {pair.name}",
                        computed=True,
                        text=f"{text} is printed for {score} = {float(score):.4f}…: {_how(score, text)} "
                        f"(rounded it is {rounded(score)}).",
                    )


def _how(score: Fraction, printed: str) -> str:
    cut = f"{int(score * 1000) / 1000:.3f}"
    return "cut, not rounded" if cut == printed else "not what the definition gives"


def proof_of_b1(objects: int = 4) -> Iterator[Slip]:
    """What the proof of Theorem 2 says of precision and recall, on all small cases of B.1 canonical."""
    precision, recall = find_measure("mocice-precision"), find_measure("mocice-recall")
    reading = find_condition("B.1").reading("canonical")
    cases = [case for count in range(1, objects + 1) for case in reading.enumerate_(count)]
    if all(precision.exact(*case.left) < precision.exact(*case.right) for case in cases):
        text = (
            f"The proof has precision rise when objects are added; on all {len(cases)} cases of B.1 canonical with "
            f"up to {objects} objects it falls. The inequalities are reversed; the theorem's statement is as intended."
        )
        yield Slip("Theorem 2, proof", computed=True, text=text)
    changed = [case for case in cases if recall.exact(*case.left) != recall.exact(*case.right)]
    if changed:
        yield Slip("Theorem 2, proof", computed=True, text=_recall_changes(changed, len(cases)))


def _recall_changes(changed: list[Case], cases: int) -> str:
    recall = find_measure("mocice-recall")
    first = min(changed, key=lambda case: case.size)
    left, right = recall.exact(*first.left), recall.exact(*first.right)
    return (
        f"The proof has recall stay equal; it changes in {len(changed)} of these {cases} cases. The smallest: "
        f"against the gold {_written(first.left.gold)} the candidate {_written(first.right.candidate)} has recall "
        f"{right}, and {_written(first.left.candidate)}, with the object added, has {left}."
    )


def _written(family: Biclustering) -> str:
    """A family as a reader writes it: rows × columns."""
    return " and ".join(f"{sorted(rows)} × {sorted(cols)}" for rows, cols in family).translate(
        str.maketrans("[]", "{}")
    )
