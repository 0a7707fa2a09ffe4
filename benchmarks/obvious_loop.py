"""The obvious way to write a matrix: one test with ``@given`` per cell, every score from scratch.

Reads cells from standard input, as a list of [measure, condition, reading, cases]. Writes for each cell the number of
cases scored, the number that broke their relation, and the seconds of processor time. The argument selects the scores:
``definitions`` uses tests/reference.py; ``singly`` uses our own measures, each pair without any cache.

The tests count violations and continue, because they must score as many cases as the matrix did. Nothing is shrunk.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

import reference
from hypothesis import HealthCheck, Phase, given, settings
from scipy.optimize import linear_sum_assignment

from metaeval import measures
from metaeval.catalogue.condition import find_condition
from metaeval.core.case import Case
from metaeval.core.relation import Bounds, broken
from metaeval.kernel.overlay import forget_overlays

Score = Callable[[Any, Any], Any]


def from_definition(id: str) -> Score:
    """A measure computed directly from its equation, cell by cell."""
    definition: Score = reference.MEASURES[id]
    return definition


def singly(id: str) -> Score:
    """One of our measures, without the cache that measures share for the same pair."""
    measure = measures()[id]

    def score(candidate: Any, gold: Any) -> Any:
        forget_overlays()
        return measure.value(candidate, gold)

    return score


SCORING = {"definitions": from_definition, "singly": singly}


def best_matching(candidate: Any, gold: Any) -> int:
    """D_max by an assignment solver. The reference tries every matching; a dozen clusters have 10⁸ of them."""
    weights = [[len(one & other) for other in reference.cells(gold)] for one in reference.cells(candidate)]
    if not weights or not weights[0]:
        return 0
    rows, cols = linear_sum_assignment(weights, maximize=True)
    return sum(weights[row][col] for row, col in zip(rows, cols, strict=True))


def run_test(score: Score, id: str, condition: str, reading: str, cases: int) -> tuple[int, int]:
    """Run the test of one cell; returns the number of cases scored and the number that broke the relation."""
    relation = find_condition(condition).relation
    strategy = find_condition(condition).reading(reading).strategy()
    optimum = measures()[id].optimum
    verdicts: list[bool] = []

    @settings(
        max_examples=cases,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def test(case: Case) -> None:
        verdicts.append(broken(relation, (score(*case.left), score(*case.right)), Bounds(best=optimum)) is not None)

    test()
    return len(verdicts), sum(verdicts)


def main(scoring: str) -> None:
    reference.best_matching = best_matching
    done = []
    for id, *cell in json.load(sys.stdin):
        started = time.process_time()
        tried = run_test(SCORING[scoring](id), id, *cell)
        done.append([*tried, time.process_time() - started])
    json.dump(done, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
