"""Functions that look like measures whose equation is plain, and are not, or not always. None is ever proved."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from metaeval.kernel.overlay import overlay

CALLS: list[int] = []


def rnia(candidate: Any, gold: Any) -> Any:
    cells = overlay(candidate, gold)
    return Fraction(cells.shared, cells.union) if cells.union else Fraction(1)


def two_shapes(candidate: Any, gold: Any) -> Any:
    """The two need not have as many features."""
    return rnia(candidate, gold) * candidate.shape[1] / (gold.shape[1] or 1)


def distinct_terms(candidate: Any, gold: Any) -> Any:
    """Not linear in how often an entry occurs."""
    terms = {pairs.precision[0] for pairs in overlay(candidate, gold).together}
    return sum((Fraction(*one) for one in terms), Fraction(0))


def empties_an_iterator(candidate: Any, gold: Any) -> Any:
    terms = (Fraction(*pairs.precision[0]) for pairs in overlay(candidate, gold).together)
    return sum(terms, Fraction(0)) + sum(terms, Fraction(0))


def remembers_calls(candidate: Any, gold: Any) -> Any:
    CALLS.append(1)
    return rnia(candidate, gold) / (1 + len(CALLS) // 1_000_000)


def turned_round(candidate: Any, gold: Any) -> Any:
    return rnia(gold, candidate)


FOOLING: list[Callable[[Any, Any], Any]] = [
    two_shapes, distinct_terms, empties_an_iterator, remembers_calls, turned_round, rnia,
]  # fmt: skip
