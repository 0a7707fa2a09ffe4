"""What the first paper proves, on all small cases: Theorem 1, and the proof of Theorem 2."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from metaeval.catalogue.condition import find_condition
from metaeval.catalogue.measure import find_measure
from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Case
from metaeval.literature.source import Slip


@dataclass(frozen=True)
class TheoremOne:
    """How many pairs were compared, on how many objects and features, and how many differed."""

    pairs: int
    objects: int
    features: int
    differences: int


def theorem_1(objects: int = 3, features: int = 2) -> TheoremOne:
    """MOCICE of clusterings lifted to some features against CICE of them, on every small pair of A.5, each once.

    A pair on fewer objects is one on this many of which some lie in no cluster, and the overlapping reading has the
    partitions too; so one list holds all.
    """
    mocice, cice = find_measure("mocice"), find_measure("cice")
    pairs = differences = 0
    for case in find_condition("A.5").reading("overlapping").enumerate_(objects):
        if case.features == 1:
            pairs += 1
            lifted = [Biclustering.lifted([rows for rows, _ in family], range(features)) for family in case.left]
            differences += mocice.exact(*lifted) != cice.exact(*case.left)
    return TheoremOne(pairs, objects, features, differences)


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
