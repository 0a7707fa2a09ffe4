"""Scoring one pair with one measure."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, overload

from metaeval.errors import InputError
from metaeval.model import Biclustering
from metaeval.registry import Measure, find_measure


@overload
def score(
    measure: str | Measure, candidate: Biclustering, gold: Biclustering, *, exact: Literal[False] = False
) -> float: ...
@overload
def score(
    measure: str | Measure, candidate: Biclustering, gold: Biclustering, *, exact: Literal[True]
) -> Fraction: ...
@overload
def score(
    measure: str | Measure, candidate: Biclustering, gold: Biclustering, *, exact: bool
) -> float | Fraction: ...
def score(
    measure: str | Measure, candidate: Biclustering, gold: Biclustering, *, exact: bool = False
) -> float | Fraction:
    """The score of a candidate against a gold standard, as a similarity: larger is better.

    >>> import metaeval
    >>> gold = metaeval.Biclustering([({0, 1, 2}, {0, 1}), ({3, 4}, {1, 2})], shape=(6, 3))
    >>> found = metaeval.Biclustering([({0, 1}, {0, 1}), ({3, 4}, {1, 2})], shape=(6, 3))
    >>> metaeval.score("rnia", found, gold)
    0.8
    >>> metaeval.score("rnia", found, gold, exact=True)
    Fraction(4, 5)
    """
    for role, side in (("candidate", candidate), ("gold", gold)):
        if not isinstance(side, Biclustering):
            raise InputError(f"the {role} is a {type(side).__name__}; expected a metaeval.Biclustering")
    found = measure if isinstance(measure, Measure) else find_measure(measure)
    return found.exact(candidate, gold) if exact else found.score(candidate, gold)
