"""Measures that scikit-learn also has, from two arrays of labels to the score. Half of the candidate's labels are those
of the gold standard, the others are random. With 100,000 classes `adjusted_mutual_info_score` is left out, because it
looks at all 10¹⁰ pairs of a cluster and a class. `bcubed` and `mocice` each run in their own process, which tells the
peak memory; the interpreter and its libraries take the first 40 MiB."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

from child import measured
from inputs import Labels, label_arrays
from sklearn import metrics
from table import Row, compared, timed
from timing import anew, seconds

NAME = "labels"

#: Ours and theirs; every measure that both have.
MEASURES = {
    "rand": metrics.rand_score,
    "adjusted-rand": metrics.adjusted_rand_score,
    "fowlkes-mallows": metrics.fowlkes_mallows_score,
    "mutual-information": metrics.mutual_info_score,
    "nmi": metrics.normalized_mutual_info_score,
    "v-measure": metrics.v_measure_score,
    "ami": metrics.adjusted_mutual_info_score,
}
THOUSAND, MILLION = 10**3, 10**6
#: (labels, classes); the last one has too many classes for scikit-learn's AMI.
INPUTS = (*product((THOUSAND, 100_000, MILLION), (10, 1_000)), (MILLION, 100_000))
#: Seconds of processor time for our AMI there.
MOST = 3
#: (labels, classes) for processes of their own, each with limits: seconds of wall time, MiB.
LIMITS = {(MILLION, 1_000): (2, 1024), (10 * MILLION, 1_000): (10,)}


def rows(quick: bool) -> Iterator[Row]:
    """Every measure that both have on every input, and the largest inputs for ours."""
    inputs = ((100, 3), (THOUSAND, 10)) if quick else INPUTS
    for id in MEASURES:
        for size in inputs:
            pair = label_arrays(*size)
            yield _alone(id, pair) if (id, size) == ("ami", inputs[-1]) else _beside(id, pair)
    limits = {(THOUSAND, 10): (1,)} if quick else LIMITS
    for id in ("bcubed", "mocice"):
        for size, most in limits.items():
            found = measured(id, "label_arrays", *size)
            row = Row(NAME, id, **{name: found[name] for name in ("ours", "inputs", "wall", "mib")})
            yield row.within(*most)


def _alone(id: str, pair: Labels) -> Row:
    cost = seconds(anew(id, pair))
    return timed(NAME, id, pair, cost.processor, cost.wall).within(most=MOST)


def _beside(id: str, pair: Labels) -> Row:
    package = MEASURES[id]
    least = _least(id, len(pair.true), pair.classes)
    return compared(NAME, id, pair, anew(id, pair), package.__name__, partial(package, pair.true, pair.found), least)


def _least(id: str, labels: int, classes: int) -> float:
    """The target of a ratio; 0 for none."""
    if id == "ami":
        return float(labels == MILLION)
    if id == "mutual-information":
        return 0
    return 1 if labels == THOUSAND else 3 * (labels == MILLION and classes >= 1_000)
