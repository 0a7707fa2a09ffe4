"""Adapters: functions with other signatures as measures.

>>> import metaeval
>>> def same_size(labels_true, labels_pred):
...     return float(len(set(labels_true)) == len(set(labels_pred)))
>>> measure = metaeval.adapters.labels(same_size)
>>> found, gold = metaeval.Biclustering.from_labels([0, 1, 1]), metaeval.Biclustering.from_labels([0, 1, 0])
>>> metaeval.score(measure, found, gold)
1.0

A plain function whose first two parameters have clear names needs no adapter: see :func:`measure_of`. Every adapter
goes by these names, too. Without them it gives the function the gold standard first or last, as it says; ``gold_first``
decides otherwise.

``id`` and ``name`` default to those of the function; ``best``, ``low``, ``smaller_is_better`` and ``domain`` are as
for :func:`metaeval.measure`. The measures are not registered: pass them to :func:`metaeval.check`, or check
``file.py:name`` with ``metaeval check``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, Unpack

from metaeval.catalogue.measure import (
    Measure,
    ScoreFunction,
    Usage,
    argument_names,
    find_measure,
    has_gold_first,
    id_of,
    make_measure,
    module_of,
    name_of,
    signature_of,
)  # fmt: skip
from metaeval.core.biclustering import Biclustering, Shape
from metaeval.core.errors import InputError, Undefined

if TYPE_CHECKING:  # numpy is large, and most commands adapt nothing
    import numpy as np
    import numpy.typing as npt

Labels: TypeAlias = "npt.NDArray[np.intp]"
Indicators: TypeAlias = "tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]"
Cells = frozenset[tuple[int, int]]
#: The arguments that a function gets for (candidate, gold).
_Converter = Callable[[Biclustering, Biclustering], tuple[Any, Any]]

#: Names of parameters that are label vectors.
_LABELS = {"y_true", "y_pred", "labels_true", "labels_pred"}


class Declared(TypedDict, total=False):
    """What is declared of a measure, by the names of :func:`metaeval.measure`."""

    id: str | None
    name: str | None
    best: float | None
    low: float | None
    smaller_is_better: bool
    domain: str | None


def as_measure(one: str | Measure | ScoreFunction) -> Measure:
    """A measure by id, as it is, or made of an equation or a plain function."""
    if isinstance(one, Measure):
        return one
    return find_measure(one) if isinstance(one, str) else measure_of(one)


def measure_of(
    function: Callable[..., Any], params: Mapping[str, Any] | None = None, **declared: Unpack[Declared]
) -> Measure:
    """A plain function as a measure; ``params`` are values of its further parameters.

    Its first two parameters are the candidate and the gold standard, unless their names say otherwise: ``gold``,
    ``gold_standard``, ``truth``, ``ground_truth``, ``reference``, ``y_true`` and ``labels_true`` are the gold standard;
    ``candidate``, ``found``, ``predicted``, ``prediction``, ``y_pred`` and ``labels_pred`` are the candidate. One of
    each, in either order, is clear. ``y_true`` or ``labels_true`` with ``y_pred`` or ``labels_pred`` are label vectors,
    as for :func:`labels`.

    >>> def share(gold, candidate):
    ...     return len(gold) / (len(candidate) or 1)
    >>> measure_of(share)(Biclustering.from_labels([0, 1]), Biclustering.from_labels([0, 0]))
    0.5
    """
    if params:
        made = measure_of(partial(function, **params), **declared)
        return replace(made, own=function, usage=made.usage._replace(params=tuple(params.items())))
    names = argument_names(function)
    if has_gold_first(names) is not None and _LABELS.issuperset(names):
        return labels(function, **declared)
    if has_gold_first(names):
        return _measure("biclusterings", function, lambda candidate, gold: (candidate, gold), declared)
    return make_measure(function, **_named(function, declared))


def param_values(function: Callable[..., Any], words: Iterable[str], called: str) -> dict[str, Any]:
    """The values of further parameters, of words such as "beta=2"; ``called`` is the function in messages.

    A value is an int, a float, true or false, or else text.
    """
    known = signature_of(function)
    further = [] if known is None else list(known.parameters.values())[2:]
    named = [one.name for one in further if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    is_open = known is None or any(one.kind is one.VAR_KEYWORD for one in further)
    values: dict[str, Any] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not name or not sign:
            raise InputError(f"--param is {word!r}; expected NAME=VALUE, such as beta=2")
        if not is_open and name not in named:
            expected = f"expected one of {', '.join(named)}" if named else "it has only the candidate and the gold"
            raise InputError(f"{called} has no further parameter {name!r}; {expected}")
        values[name] = _value(text)
    return values


def _value(text: str) -> Any:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def labels(
    function: Callable[[Labels, Labels], Any], *, consecutive: bool = False, noise: int | None = None,
    gold_first: bool | None = None, **declared: Unpack[Declared],
) -> Measure:  # fmt: skip
    """A metric of (labels_true, labels_pred), the gold standard first, such as scikit-learn's clustering metrics.

    Label vectors cannot express objects in several clusters, nor features: there the measure is undefined. With
    ``noise``, usually -1, objects in no cluster get that label, and by default the measure is checked on clusterings
    that do not overlap. Without it objects in no cluster cannot be expressed either, and the measure is checked on
    partitions. It gets the labels 0, 1, …; the gate also tries labels with gaps and, without ``noise``, -1, since
    labels are names. ``consecutive`` is for a function of the labels 0, 1, … only.
    """

    def vectors(name: Callable[[Labels], Labels]) -> _Converter:
        def convert(candidate: Biclustering, gold: Biclustering) -> tuple[Labels, Labels]:
            objects = max(candidate.shape[0], gold.shape[0])
            true = _labels(gold, "gold", objects, name, noise)  # first, as in messages
            return _labels(candidate, "candidate", objects, name, noise), true

        return convert

    if isinstance(noise, bool) or not isinstance(noise, int | None):
        raise InputError(f"noise is {noise!r}; expected an integer, the label of objects in no cluster")
    others = [] if consecutive else [vectors(lambda plain: 2 * plain + 3)]
    if noise is None and not consecutive:
        others.append(vectors(lambda plain: plain - 1))
    domain = "partitions" if noise is None else "clusterings"
    made = _measure(
        "labels", function, vectors(lambda plain: plain), declared, domain, others, gold_first, otherwise=True,
        names=("y_true", "y_pred"),
    )  # fmt: skip
    return replace(made, usage=made.usage._replace(noise=noise))


def clusters(
    function: Callable[[list[set[int]], list[set[int]]], Any], *, gold_first: bool | None = None,
    **declared: Unpack[Declared],
) -> Measure:  # fmt: skip
    """A function of two lists of sets of objects, one set for each cluster, the candidate's first.

    Lists of sets cannot express features: where the biclusters of a side have different ones, the measure is undefined.
    By default it is checked on clusterings of objects, which may overlap and leave objects out. The function gets new
    lists and sets in each call, and may change them.

    >>> import metaeval
    >>> def largest(found, gold):
    ...     return float(max(map(len, found)) == max(map(len, gold)))
    >>> metaeval.adapters.clusters(largest)(Biclustering.from_labels([0, 0, 1]), Biclustering.from_labels([0, 1, 1]))
    1.0
    """

    def convert(candidate: Biclustering, gold: Biclustering) -> tuple[list[set[int]], list[set[int]]]:
        return _clusters(candidate, "candidate", "lists of sets"), _clusters(gold, "gold", "lists of sets")

    return _measure("clusters", function, convert, declared, "clusterings", gold_first=gold_first)


def indicators(
    function: Callable[[Indicators, Indicators], Any], *, takes_empty: bool = False, gold_first: bool | None = None,
    **declared: Unpack[Declared],
) -> Measure:  # fmt: skip
    """A function of two pairs (rows, columns) of boolean tables, the candidate first, such as ``consensus_score``.

    A table has one line per bicluster, as scikit-learn's ``rows_`` and ``columns_``. scikit-learn refuses tables
    without lines, so the measure is undefined where a side is empty, unless it ``takes_empty`` ones.
    """

    def convert(candidate: Biclustering, gold: Biclustering) -> tuple[Indicators, Indicators]:
        for role, biclustering in (("candidate", candidate), ("gold", gold)):
            if not biclustering and not takes_empty:
                raise Undefined(f"the {role} has no biclusters, and its tables of indicators no lines")
        shape = max(candidate.shape[0], gold.shape[0]), max(candidate.shape[1], gold.shape[1])
        return _indicators(candidate, shape), _indicators(gold, shape)

    return _measure("indicators", function, convert, declared, gold_first=gold_first)


def cell_sets(
    function: Callable[[list[Cells], list[Cells]], Any], *, gold_first: bool | None = None,
    **declared: Unpack[Declared],
) -> Measure:  # fmt: skip
    """A function of two lists of frozensets of micro-objects (object, feature), the candidate's first."""

    def convert(candidate: Biclustering, gold: Biclustering) -> tuple[list[Cells], list[Cells]]:
        return _cell_sets(candidate), _cell_sets(gold)

    return _measure("cell_sets", function, convert, declared, gold_first=gold_first)


def _measure(
    takes: str, function: Callable[..., Any], convert: _Converter, declared: Mapping[str, Any],
    domain: str = "biclusterings", renamed: Iterable[_Converter] = (), gold_first: bool | None = None,
    otherwise: bool = False, names: tuple[str, str] = Usage().names,
) -> Measure:  # fmt: skip
    """A function behind a converter; ``otherwise`` is whether it takes the gold first where its names do not tell."""
    usage = Usage(takes, argument_names(function, names), otherwise)
    told = has_gold_first(usage.names) if gold_first is None else gold_first
    usage = usage if told is None else usage._replace(gold_first=told)

    def through(convert: _Converter) -> ScoreFunction:
        def score(candidate: Biclustering, gold: Biclustering) -> Any:
            found, true = convert(candidate, gold)
            return function(true, found) if usage.gold_first else function(found, true)

        score.__doc__ = function.__doc__
        return score

    made = make_measure(through(convert), **{"domain": domain, **_named(function, declared)})
    return replace(made, usage=usage, own=function, renamed=tuple(map(through, renamed)))


def _named(function: Callable[..., Any], declared: Mapping[str, Any]) -> dict[str, Any]:
    """What is declared of a function, with its own name and id where none are."""
    name = name_of(function)
    stated = {key: value for key, value in declared.items() if value is not None or key in ("best", "low")}
    return {"id": stated.get("id") or id_of(name, module_of(function)), "name": name, **stated}


def _clusters(biclustering: Biclustering, role: str, form: str) -> list[set[int]]:
    if len({cols for _, cols in biclustering}) > 1:
        raise Undefined(f"the {role}'s biclusters have different features, which {form} cannot express")
    return [set(rows) for rows, _ in biclustering]


def _labels(
    biclustering: Biclustering, role: str, objects: int, name: Callable[[Labels], Labels], noise: int | None
) -> Labels:
    """The cluster of every object by its name, or ``noise``; Undefined where an object has two, or none and no name."""
    import numpy as np

    vector = np.full(objects, -1, dtype=np.intp)
    for label, rows in enumerate(_clusters(biclustering, role, "label vectors")):
        members = sorted(rows)
        if (vector[members] >= 0).any():
            twice = next(row for row in members if vector[row] >= 0)
            why = f"object {twice} is in two clusters of the {role}, which labels cannot express"
            raise Undefined(why, object=twice)
        vector[members] = label
    free = vector < 0
    if noise is None and free.any():
        missing = int(np.argmin(vector))
        raise Undefined(f"object {missing} is in no cluster of the {role}, and needs a label", object=missing)
    named = name(vector)
    # No cluster is called as those in none.
    return named if noise is None else np.where(free, noise, named + (named >= noise) * (noise >= 0))


def _indicators(biclustering: Biclustering, shape: Shape) -> Indicators:
    import numpy as np

    tables = tuple(np.zeros((len(biclustering), size), dtype=np.bool_) for size in shape)
    for number, bicluster in enumerate(biclustering):
        for table, indices in zip(tables, bicluster, strict=True):
            table[number, sorted(indices)] = True
    return tables[0], tables[1]


def _cell_sets(biclustering: Biclustering) -> list[Cells]:
    return [frozenset((row, col) for row in rows for col in cols) for rows, cols in biclustering]
