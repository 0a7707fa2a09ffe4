"""Adapters: functions with other signatures as measures.

>>> import metaeval
>>> def same_size(labels_true, labels_pred):
...     return float(len(set(labels_true)) == len(set(labels_pred)))
>>> measure = metaeval.adapters.labels(same_size)
>>> found, gold = metaeval.Biclustering.from_labels([0, 1, 1]), metaeval.Biclustering.from_labels([0, 1, 0])
>>> metaeval.score(measure, found, gold)
1.0

Where the names of the function's first two parameters are clear, they decide which one is the gold standard (see
:func:`as_measure`); ``gold_first`` overrides them.

``id`` and ``name`` default to those of the function; ``best``, ``low``, ``smaller_is_better`` and ``domain`` are as
for :func:`metaeval.measure`, but the best score of a dissimilarity is 0 by default. The measures are not registered:
pass them to :func:`metaeval.check`, or check ``file.py:name`` with ``metaeval check``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, Unpack

from metaeval.catalogue.aliases import resolved
from metaeval.catalogue.measure import Measure, Usage, find_measure, id_of, make_measure, measures, name_of
from metaeval.core.biclustering import Biclustering, Shape
from metaeval.core.case import Side
from metaeval.core.errors import InputError, Undefined

if TYPE_CHECKING:  # numpy is large, and most commands adapt nothing
    import numpy as np
    import numpy.typing as npt

Labels: TypeAlias = "npt.NDArray[np.intp]"
Indicators: TypeAlias = "tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]"
Cells = frozenset[tuple[int, int]]
#: The arguments that a function gets for (candidate, gold).
_Converter = Callable[[Biclustering, Biclustering], Sequence[Any]]
_ROLES = ("candidate", "gold")


class Declared(TypedDict, total=False):
    """What is declared of a measure, by the names of :func:`metaeval.measure`, and whether the gold comes first."""

    id: str | None
    name: str | None
    best: float | None
    low: float | None
    smaller_is_better: bool
    domain: str
    gold_first: bool


def as_measure(
    one: str | Measure | Callable[..., Any], params: Mapping[str, Any] | None = None, **declared: Unpack[Declared]
) -> Measure:
    """A measure by id, as it is, or made of an equation or a plain function, with values of its further ``params``.

    The first two parameters of a function are the candidate and the gold standard, in the order that clear names tell:
    ``gold``, ``gold_standard``, ``truth``, ``ground_truth`` or ``reference``, and ``candidate``, ``found``,
    ``predicted`` or ``prediction``. ``y_true`` or ``labels_true`` and ``y_pred`` or ``labels_pred`` are label vectors,
    as for :func:`labels`. Other names do not count: the candidate is first.
    """
    if isinstance(one, (str, Measure)):
        return find_measure(resolved(one, measures())) if isinstance(one, str) else one
    if params:
        own = one.keywords if isinstance(one, partial) else {}
        for name, value in params.items():
            if own.get(name, value) != value:
                raise InputError(f"{name_of(one)} has {name}={own[name]!r} itself, and here {name}={value!r} is given")
        made = as_measure(partial(one, **params), **declared)
        return replace(made, own=one, usage=made.usage._replace(params=tuple(params.items())))
    usage = Usage.of(one, gold_first=declared.get("gold_first"))
    if {"y_true", "y_pred", "labels_true", "labels_pred"}.issuperset(usage.names):
        return labels(one, **declared)
    if usage.gold_first:
        return _measure("biclusterings", one, declared, lambda *sides: sides)
    return make_measure(one, **_named(one, declared))


def param_values(words: Iterable[str]) -> dict[str, Any]:
    """The values in words such as "beta=2": an int, a float, true or false, or else text."""
    values: dict[str, Any] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not name.isidentifier() or not sign:
            raise InputError(f"--param is {word!r}; expected NAME=VALUE, such as beta=2")
        values[name] = {"true": True, "false": False}.get(text.lower(), text)
        for kind in (float, int):
            with suppress(ValueError):
                values[name] = kind(text)
    return values


def labels(
    function: Callable[[Labels, Labels], Any], *, consecutive: bool = False, noise: int | None = None,
    **declared: Unpack[Declared],
) -> Measure:  # fmt: skip
    """A metric of (labels_true, labels_pred), the gold standard first, such as scikit-learn's clustering metrics.

    Label vectors cannot express objects in several clusters, nor features: there the measure is undefined. Objects in
    no cluster get the label ``noise``, usually -1, and by default the measure is checked on clusterings that do not
    overlap. Without ``noise`` they have no label either, and it is checked on partitions. It gets the labels 0, 1, …;
    the gate also tries labels with gaps and, without ``noise``, -1, since labels are names. ``consecutive`` is for a
    function of the labels 0, 1, … only.
    """
    if noise is not None and (type(noise) is not int or noise >= 0):
        raise InputError(f"noise is {noise!r}; expected a negative integer, the label of objects in no cluster")

    def vectors(factor: int, start: int, *sides: Biclustering) -> list[Labels]:
        objects = max(side.shape[0] for side in sides)
        return [_labels(*one, objects, noise, factor, start) for one in zip(sides, _ROLES, strict=True)]

    numbered = [(1, 0), (2, 3), (1, -1)][: 1 if consecutive else 2 if noise else 3]
    ways = [partial(vectors, factor, start) for factor, start in numbered]
    made = _measure("labels", function, {"domain": "clusterings" if noise else "partitions", **declared}, *ways)
    return replace(made, usage=made.usage._replace(noise=noise))


def clusters(function: Callable[[list[set[int]], list[set[int]]], Any], **declared: Unpack[Declared]) -> Measure:
    """A function of two lists of sets of objects, one set for each cluster, the candidate's first.

    They cannot express features: where the biclusters of a side have different ones, the measure is undefined. By
    default it is checked on clusterings of objects, which may overlap and leave objects out. Each call gets new sets.
    """
    usual = {"domain": "clusterings", **declared}
    return _measure("clusters", function, usual, lambda *sides: [*map(_clusters, sides, _ROLES)])


def indicators(
    function: Callable[[Indicators, Indicators], Any], *, takes_empty: bool = False, **declared: Unpack[Declared]
) -> Measure:
    """A function of two pairs (rows, columns) of boolean tables, the candidate first, such as ``consensus_score``.

    A table has one line per bicluster, as scikit-learn's ``rows_`` and ``columns_``. scikit-learn refuses tables
    without lines, so the measure is undefined where a side is empty, unless it ``takes_empty`` ones.
    """

    def convert(candidate: Biclustering, gold: Biclustering) -> tuple[Indicators, Indicators]:
        for role, biclustering in zip(_ROLES, (candidate, gold), strict=True):
            if not biclustering and not takes_empty:
                raise Undefined(f"the {role} has no biclusters, and its tables of indicators no lines")
        shape = Side(candidate, gold).shape
        return _indicators(candidate, shape), _indicators(gold, shape)

    return _measure("indicators", function, declared, convert)


def cell_sets(function: Callable[[list[Cells], list[Cells]], Any], **declared: Unpack[Declared]) -> Measure:
    """A function of two lists of frozensets of micro-objects (object, feature), the candidate's first."""
    return _measure("cell_sets", function, declared, lambda *sides: [*map(_cell_sets, sides)])


def _measure(takes: str, function: Callable[..., Any], declared: Mapping[str, Any], *converters: _Converter) -> Measure:
    """A function behind converters of its arguments: the first, and others that give clusters other names."""
    usage = Usage.of(function, takes, declared.get("gold_first"))

    def through(convert: _Converter) -> Callable[..., Any]:
        def score(candidate: Biclustering, gold: Biclustering) -> Any:
            found, true = convert(candidate, gold)
            return function(true, found) if usage.gold_first else function(found, true)

        score.__doc__ = function.__doc__
        return score

    score, *renamed = map(through, converters)
    made = make_measure(score, **_named(function, declared))
    return replace(made, usage=usage, own=function, renamed=tuple(renamed))


def _named(function: Callable[..., Any], declared: Mapping[str, Any]) -> dict[str, Any]:
    """What is declared, with the function's own name and id where there are none."""
    name = name_of(function)
    usual = {"best": 0.0} if declared.get("smaller_is_better") else {}
    given = {**usual, **{key: value for key, value in declared.items() if key != "gold_first"}}
    return {**given, "id": given.get("id") or id_of(name, function), "name": given.get("name") or name}


def _clusters(biclustering: Biclustering, role: str) -> list[set[int]]:
    if len({cols for _, cols in biclustering}) > 1:
        raise Undefined(f"the {role}'s biclusters have different features, which clusters of objects cannot express")
    return [set(rows) for rows, _ in biclustering]


def _labels(biclustering: Biclustering, role: str, objects: int, noise: int | None, factor: int, start: int) -> Labels:
    """The label of every object's cluster, or ``noise``; Undefined where an object is in two, or in none."""
    import numpy as np

    vector, clustered = np.full(objects, noise or 0, dtype=np.intp), np.zeros(objects, dtype=np.bool_)
    for number, rows in enumerate(_clusters(biclustering, role)):
        members = sorted(rows)
        if clustered[members].any():
            twice = next(row for row in members if clustered[row])
            why = f"object {twice} is in two clusters of the {role}, which labels cannot express"
            raise Undefined(why, object=twice)
        vector[members], clustered[members] = factor * number + start, True
    if noise is None and not clustered.all():
        missing = int(np.argmin(clustered))
        raise Undefined(f"object {missing} is in no cluster of the {role}, and needs a label", object=missing)
    return vector


def _indicators(biclustering: Biclustering, shape: Shape) -> Indicators:
    import numpy as np

    tables = tuple(np.zeros((len(biclustering), size), dtype=np.bool_) for size in shape)
    for number, bicluster in enumerate(biclustering):
        for table, indices in zip(tables, bicluster, strict=True):
            table[number, sorted(indices)] = True
    return tables[0], tables[1]


def _cell_sets(biclustering: Biclustering) -> list[Cells]:
    return [frozenset((row, col) for row in rows for col in cols) for rows, cols in biclustering]
