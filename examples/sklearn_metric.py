"""Check clustering metrics of scikit-learn against the conditions: ``python examples/sklearn_metric.py``.

For one metric, two lines are enough::

    measure = metaeval.adapters.labels(sklearn.metrics.v_measure_score)
    results = metaeval.check(measure)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn import metrics

import metaeval

METRICS: list[Callable[..., Any]] = [
    metrics.rand_score,
    metrics.adjusted_rand_score,
    metrics.adjusted_mutual_info_score,
    metrics.v_measure_score,
    metrics.fowlkes_mallows_score,
]
SYMBOLS = {"holds": "✓", "violated": "✗"}
#: Settings that are enough for this table; leave them out for a thorough search.
QUICK = {"examples": 20, "exhaustive": 5, "effort": 1}


def verdicts(metric: Callable[..., Any]) -> dict[str, str]:
    """The verdict for each condition that applies to a metric of label vectors."""
    results = metaeval.check(metaeval.adapters.labels(metric), readings=["canonical"], **QUICK)
    return {cell.condition: str(cell.verdict) for cell in results}


def table() -> str:
    """One line per metric, one column per condition."""
    rows = {metric.__name__: verdicts(metric) for metric in METRICS}
    conditions = list(next(iter(rows.values())))
    lines = ["  ".join([" " * 26, *conditions])]
    for name, row in rows.items():
        symbols = (SYMBOLS.get(row[condition], row[condition]).ljust(3) for condition in conditions)
        lines.append("  ".join([name.ljust(26), *symbols]).rstrip())
    return "\n".join([*lines, "", "✓ no counterexample found   ✗ violated"])


if __name__ == "__main__":
    print(table())
