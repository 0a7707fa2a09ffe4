"""Functions that look like measures whose equation is plain, and are not, or not always. None is ever proved."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from metaeval.kernel.overlay import overlay

CALLS: list[int] = []


def rnia(candidate: Any, gold: Any) -> Any:
    cells = overlay(candidate, gold)
    return Fraction(cells.shared, cells.union) if cells.union else Fraction(1)


def half_of_the_square(candidate: Any, gold: Any) -> Any:
    """Exact to a reader, a float to Python."""
    size = overlay(candidate, gold).union
    return rnia(candidate, gold) * (size * size / 2) / (size * size / 2 or 1)


def two_shapes(candidate: Any, gold: Any) -> Any:
    """The two need not have as many features."""
    return rnia(candidate, gold) * candidate.shape[1] / (gold.shape[1] or 1)


def large_universe(candidate: Any, gold: Any) -> Any:
    return Fraction(0) if overlay(candidate, gold).union > 1_000 else rnia(candidate, gold)


def remainder(candidate: Any, gold: Any) -> Any:
    cells = overlay(candidate, gold)
    return Fraction(cells.shared % 1_001, cells.union) if cells.union else Fraction(1)


def reads_the_reduced_numerator(candidate: Any, gold: Any) -> Any:
    return Fraction(rnia(candidate, gold).numerator)


def first_entry(candidate: Any, gold: Any) -> Any:
    for pairs in overlay(candidate, gold).together:
        return Fraction(*pairs.precision[0])
    return Fraction(not candidate and not gold)


def distinct_terms(candidate: Any, gold: Any) -> Any:
    """Not linear in how often an entry occurs."""
    terms = {pairs.precision[0] for pairs in overlay(candidate, gold).together}
    return sum((Fraction(*one) for one in terms), Fraction(0))


def empties_an_iterator(candidate: Any, gold: Any) -> Any:
    terms = (Fraction(*pairs.precision[0]) for pairs in overlay(candidate, gold).together)
    return sum(terms, Fraction(0)) + sum(terms, Fraction(0))


def one_list_of_two_names(candidate: Any, gold: Any, seen: list[Any] = []) -> Any:  # noqa: B006 - it is the point
    seen += [len(seen)]
    return rnia(candidate, gold) if len(seen) < 1_000_000 else Fraction(0)


def remembers_calls(candidate: Any, gold: Any) -> Any:
    CALLS.append(1)
    return rnia(candidate, gold) / (1 + len(CALLS) // 1_000_000)


def looks_at_biclusters(candidate: Any, gold: Any) -> Any:
    return Fraction(sum(len(rows) for rows, _ in candidate.biclusters[:1]))


def turned_round(candidate: Any, gold: Any) -> Any:
    return rnia(gold, candidate)


FOOLING: list[Callable[[Any, Any], Any]] = [
    half_of_the_square, two_shapes, large_universe, remainder, reads_the_reduced_numerator, first_entry, distinct_terms,
    empties_an_iterator, one_list_of_two_names, remembers_calls, looks_at_biclusters, turned_round, rnia,
]  # fmt: skip
