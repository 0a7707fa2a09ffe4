"""Adapters: functions with other signatures as measures.

>>> import metaeval
>>> def same_size(labels_true, labels_pred):
...     return float(len(set(labels_true)) == len(set(labels_pred)))
>>> measure = metaeval.adapters.labels(same_size)
>>> found, gold = metaeval.Biclustering.from_labels([0, 1, 1]), metaeval.Biclustering.from_labels([0, 1, 0])
>>> metaeval.score(measure, found, gold)
1.0

``id`` and ``name`` default to those of the function; ``best``, ``low``, ``smaller_is_better`` and ``domain`` are as
for :func:`metaeval.measure`. The measures are not registered: pass them to :func:`metaeval.check`, or check
``file.py:name`` with ``metaeval check``.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from metaeval.catalogue.measure import Measure, ScoreFunction, Usage, argument_names, as_measure, make_measure
from metaeval.core.biclustering import Biclustering, Shape
from metaeval.core.errors import Undefined

Labels = npt.NDArray[np.intp]
Indicators = tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]
Cells = frozenset[tuple[int, int]]


class Declared(TypedDict, total=False):
    """What is declared of a measure, by the names of :func:`metaeval.measure`."""

    id: str | None
    name: str | None
    best: float | None
    low: float | None
    smaller_is_better: bool
    domain: str


def labels(
    function: Callable[[Labels, Labels], Any], *, consecutive: bool = False, **declared: Unpack[Declared]
) -> Measure:
    """A metric of (labels_true, labels_pred), the gold standard first, such as scikit-learn's clustering metrics.

    Label vectors cannot express objects in several clusters or in none, nor features: there the measure is undefined,
    and by default it is checked on partitions only. It gets the labels 0, 1, …; the gate also tries labels with gaps,
    since labels are names. ``consecutive`` is for a function of the labels 0, 1, … only.
    """

    def vectors(candidate: Biclustering, gold: Biclustering) -> tuple[Labels, Labels]:
        objects = max(candidate.shape[0], gold.shape[0])
        return _labels(gold, "gold", objects), _labels(candidate, "candidate", objects)

    def score(candidate: Biclustering, gold: Biclustering) -> Any:
        return function(*vectors(candidate, gold))

    def renamed(candidate: Biclustering, gold: Biclustering) -> Any:
        true, found = vectors(candidate, gold)
        return function(2 * true + 3, 2 * found + 3)

    usage = Usage("labels", argument_names(function, ("y_true", "y_pred")), gold_first=True)
    measure = _measure(usage, score, function, {"domain": "partitions", **declared})
    return measure if consecutive else replace(measure, renamed=renamed)


def indicators(
    function: Callable[[Indicators, Indicators], Any], *, takes_empty: bool = False, **declared: Unpack[Declared]
) -> Measure:
    """A function of two pairs (rows, columns) of boolean tables, the candidate first, such as ``consensus_score``.

    A table has one line per bicluster, as scikit-learn's ``rows_`` and ``columns_``. scikit-learn refuses tables
    without lines, so the measure is undefined where a side is empty, unless it ``takes_empty`` ones.
    """

    def score(candidate: Biclustering, gold: Biclustering) -> Any:
        for role, biclustering in (("candidate", candidate), ("gold", gold)):
            if not biclustering and not takes_empty:
                raise Undefined(f"the {role} has no biclusters, and its tables of indicators no lines")
        shape = max(candidate.shape[0], gold.shape[0]), max(candidate.shape[1], gold.shape[1])
        return function(_indicators(candidate, shape), _indicators(gold, shape))

    return _measure(Usage("indicators", argument_names(function)), score, function, declared)


def cell_sets(function: Callable[[list[Cells], list[Cells]], Any], **declared: Unpack[Declared]) -> Measure:
    """A function of two lists of frozensets of micro-objects (object, feature), the candidate's first."""

    def score(candidate: Biclustering, gold: Biclustering) -> Any:
        return function(_cell_sets(candidate), _cell_sets(gold))

    return _measure(Usage("cell_sets", argument_names(function)), score, function, declared)


def _measure(usage: Usage, score: ScoreFunction, function: Callable[..., Any], declared: Mapping[str, Any]) -> Measure:
    plain = as_measure(function)
    score.__doc__ = function.__doc__
    id = plain.id if declared.get("id") is None else declared["id"]
    made = make_measure(score, **{**declared, "id": id, "name": declared.get("name") or plain.name})
    return replace(made, usage=usage, own=function)


def _labels(biclustering: Biclustering, role: str, objects: int) -> Labels:
    """The cluster of every object; Undefined where an object has none or two."""
    vector = np.full(objects, -1, dtype=np.intp)
    if len({cols for _, cols in biclustering}) > 1:
        raise Undefined(f"the {role}'s biclusters have different features, which label vectors cannot express")
    for label, (rows, _) in enumerate(biclustering):
        members = sorted(rows)
        if (vector[members] >= 0).any():
            twice = next(row for row in members if vector[row] >= 0)
            why = f"object {twice} is in two clusters of the {role}, which labels cannot express"
            raise Undefined(why, object=twice)
        vector[members] = label
    if (vector < 0).any():
        missing = int(np.argmin(vector))
        raise Undefined(f"object {missing} is in no cluster of the {role}, and needs a label", object=missing)
    return vector


def _indicators(biclustering: Biclustering, shape: Shape) -> Indicators:
    tables = tuple(np.zeros((len(biclustering), size), dtype=np.bool_) for size in shape)
    for number, bicluster in enumerate(biclustering):
        for table, indices in zip(tables, bicluster, strict=True):
            table[number, sorted(indices)] = True
    return tables[0], tables[1]


def _cell_sets(biclustering: Biclustering) -> list[Cells]:
    return [frozenset((row, col) for row in rows for col in cols) for rows, cols in biclustering]
