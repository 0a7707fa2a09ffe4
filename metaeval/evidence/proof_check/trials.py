"""A proof tried on concrete cases: does the form say what the measure says, and is the relation kept?

The form is the one thing in a proof that the checker cannot derive: it came from running the measure's code. So it is
held against the measure on cases of the reading, small ones, large ones, and ones that share no cell.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from metaeval.catalogue.condition import Condition, Reading
from metaeval.catalogue.measure import Measure
from metaeval.core.biclustering import Bicluster
from metaeval.core.case import Case, Side
from metaeval.core.relation import Scores, ScoreValue, broken
from metaeval.evidence.proof_check.instances import instances
from metaeval.evidence.proof_check.refusals import RefusedProof
from metaeval.evidence.proof_check.stated import Form, Stated
from metaeval.files.shown import show
from metaeval.kernel.overlay import Overlay
from metaeval.workers.call import evaluate_case
from metaeval.workers.faults import Fault

#: How many cases a proof is tried on.
CASES = 250
_SEED = 20151


def try_instances(stated: Stated, measure: Measure, condition: Condition, reading: Reading) -> int:
    """Hold the form against the measure, and the measure against the condition; the number of cases tried."""
    drawn = instances(condition.id, reading.name, random.Random(_SEED), CASES)
    count = 0
    for count, case in enumerate(drawn, start=1):  # noqa: B007
        if not reading.premise(case):
            raise RefusedProof(
                f"an instance of the situation is no case of {condition.id} under the {reading.name} reading"
            )
        scores = _scores(measure, condition, case)
        for name, side, score in zip(("left", "right"), case, scores, strict=True):
            _compare(stated.form, measure, side, score, f"the {name} of a case with {case.objects} objects")
        reason = broken(condition.relation, scores, measure.bounds)
        if reason is not None:
            raise RefusedProof(f"{measure.id} breaks {condition.id} on a case with {case.objects} objects: {reason}")
    return count


def _scores(measure: Measure, condition: Condition, case: Case) -> Scores:
    try:
        return evaluate_case(measure, case, condition.relation)
    except Fault as fault:
        raise RefusedProof(f"{measure.id} gives no score for an instance: it {fault.message}") from None


def _compare(form: Form, measure: Measure, side: Side, score: ScoreValue, where: str) -> None:
    if not isinstance(score, Fraction):
        raise RefusedProof(f"{measure.id} gives {show(score)} for {where}; a proof is about exact scores")
    said = form_value(form, side)
    if said != score:
        told = "nothing" if said is None else str(said)[:40]
        raise RefusedProof(
            f"the form is not the measure's: it gives {told} for {where}, and {measure.id} gives {score}"
        )


def form_value(form: Form, side: Side) -> Fraction | None:
    """What the form says of a pair of disjoint biclusterings, or None where it says nothing."""
    entries = list(_meeting(side))
    score = form.score if entries else form.worlds.get(_world(side), form.score)
    sizes = {
        "pairs": entries,
        "clusters": [{"g": _cells(one)} for one in side.candidate],
        "classes": [{"c": _cells(one)} for one in side.gold],
    }
    numbers: dict[str, int | Fraction] = dict(_totals(side, entries))
    if "matching" in score.symbols:
        numbers["matching"] = Overlay(*side).matching
    for name, one in zip(form.names, form.sums, strict=True):
        terms = [one.term.value(sizes) for sizes in sizes[one.over]]
        if None in terms:
            return None
        numbers[name] = sum((term for term in terms if term is not None), Fraction(0))
    return score.value(numbers)


def _world(side: Side) -> str:
    if side.candidate:
        return "apart" if side.gold else "no gold"
    return "no candidate" if side.gold else "empty"


def _meeting(side: Side) -> Iterator[dict[str, int]]:
    for cluster in side.candidate:
        for one in side.gold:
            n = len(cluster[0] & one[0]) * len(cluster[1] & one[1])
            if n:
                yield {"n": n, "g": _cells(cluster), "c": _cells(one)}


def _totals(side: Side, entries: list[dict[str, int]]) -> dict[str, int]:
    shapes = side.candidate.shape, side.gold.shape
    return {
        "candidate": sum(map(_cells, side.candidate)),
        "gold": sum(map(_cells, side.gold)),
        "shared": sum(entry["n"] for entry in entries),
        "matrix": max(one[0] for one in shapes) * max(one[1] for one in shapes),
    }


def _cells(bicluster: Bicluster) -> int:
    return len(bicluster[0]) * len(bicluster[1])
