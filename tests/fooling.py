"""Measures made to fool the prover: each looks like a sum over pairs and is not, or not always.

With each goes a part of the reason for which it must be refused, whatever the condition. None of them is proved
anywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from metaeval.kernel.overlay import harmonic_mean, overlay, sum_of_ratios


class Fooling(NamedTuple):
    """A measure, and what must be said of it."""

    measure: Callable[[Any, Any], Any]
    says: str


FOOLING: list[Fooling] = []


def fooling(says: str) -> Callable[[Callable[[Any, Any], Any]], Callable[[Any, Any], Any]]:
    def add(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        FOOLING.append(Fooling(function, says))
        return function

    return add


def ratios(cells, term):
    """Σ term(n, g, c) over all pairs that meet."""
    total = Fraction(0)
    for pairs in cells.together:
        n, _ = cells.identity(pairs.candidate, pairs.gold)
        (_, g), (_, c) = pairs.precision[0], pairs.recall[0]
        total += term(n, g, c)
    return total


# --- counting ------------------------------------------------------------------------------------------------


@fooling("len(candidate)")
def mean_over_clusters(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    return ratios(overlay(candidate, gold), lambda n, g, c: Fraction(n, g)) / len(candidate)


@fooling("number of pairs")
def counts_pairs(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    count = 0
    for _ in cells.together:
        count += 1
    return sum_of_ratios([pairs.precision[0] for pairs in cells.together], over=cells.candidate_covered) / count


@fooling("number of pairs")
def counts_by_summing_ones(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    return Fraction(sum(1 for _ in overlay(candidate, gold).together))


@fooling("number of entries")
def length_of_its_own_list(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    terms = [pairs.precision[0] for pairs in cells.together]
    return sum_of_ratios(terms, over=len(terms))


@fooling("for its effect")
def counts_in_a_function(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    kept = []
    for pairs in cells.together:
        keep(kept, pairs)
    return sum_of_ratios([pairs.precision[0] for pairs in cells.together], over=len(kept) + 1)


def keep(kept, item):
    kept.append(1)


@fooling("reads 'count'")
def many_entries(candidate, gold):
    """Another measure from the thousandth pair on."""
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    total, count = Fraction(0), 0
    for pairs in cells.together:
        count += 1  # noqa: SIM113
        n, g = pairs.precision[0]
        if count < 1_000:
            total += Fraction(n, g)
    return total / cells.candidate_covered


# --- sizes ---------------------------------------------------------------------------------------------------


@fooling("depends on the sizes")
def large_terms(candidate, gold):
    """BCubed's precision where all is small."""
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    return ratios(cells, lambda n, g, c: Fraction(n * n, g) if g <= 1_000 else Fraction(0)) / cells.candidate_covered


@fooling("depends on the sizes")
def large_universe(candidate, gold):
    cells = overlay(candidate, gold)
    if cells.union > 1_000:
        return Fraction(0)
    return Fraction(cells.shared, cells.union) if cells.union else Fraction(1)


@fooling("depends on the sizes")
def capped(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    return ratios(cells, lambda n, g, c: Fraction(min(n, 1_000) * n, g)) / cells.candidate_covered


@fooling("rounds")
def rounds(candidate, gold):
    cells = overlay(candidate, gold)
    return Fraction(cells.shared // 1_000, cells.union) if cells.union else Fraction(1)


@fooling("that is not followed, Mod")
def remainder(candidate, gold):
    cells = overlay(candidate, gold)
    return Fraction(cells.shared % 1_001, cells.union) if cells.union else Fraction(1)


@fooling("numerator")
def reads_the_reduced_numerator(candidate, gold):
    cells = overlay(candidate, gold)
    return Fraction(Fraction(cells.shared, cells.union or 1).numerator)


# --- terms ---------------------------------------------------------------------------------------------------


@fooling("stands inside a sum")
def terms_know_the_total(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    return ratios(cells, lambda n, g, c: Fraction(n * n, g + cells.candidate_covered)) / cells.candidate_covered


@fooling("loop over all entries inside a loop")
def terms_mix_entries(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    total = Fraction(0)
    for pairs in cells.together:
        for others in cells.together:
            total += Fraction(pairs.precision[0][0], others.precision[0][1])
    return total


@fooling("loop over all entries inside a loop")
def all_pairs_for_every_cluster(candidate, gold):
    """A sum over pairs inside one over clusters, that is not the cluster's own."""
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    total = Fraction(0)
    for size in cells.candidate_sizes:
        for pairs in cells.together:
            total += Fraction(pairs.precision[0][0], size)
    return total


@fooling("sums over all entries inside a loop")
def squares_of_inner_sums(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    covered = [sum(line) ** 2 for line in cells.intersections]
    return Fraction(sum(covered), cells.candidate_covered**2)


@fooling("may be negative or not")
def terms_of_either_sign(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    return ratios(cells, lambda n, g, c: Fraction(n, g) - Fraction(n, c)) / cells.candidate_covered


@fooling("share no cell")
def counts_what_does_not_meet(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    terms = [
        Fraction(n + 1, size)
        for size, line in zip(cells.candidate_sizes, cells.intersections, strict=True)
        for n in line
    ]
    return sum(terms) / cells.candidate_covered


@fooling("in the same order")
def two_orders(candidate, gold):
    """Pairs as the kernel met them beside pairs along the lines of the table."""
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    one = [pairs.precision[0] for pairs in cells.together]
    other = [c for line in cells.intersections for c, n in zip(cells.gold_sizes, line, strict=True) if n]
    return sum(Fraction(n, c) for (n, _), c in zip(one, other, strict=True)) / cells.gold_covered


# --- from entry to entry -------------------------------------------------------------------------------------


@fooling("uses the last one's after the loop")
def last_entry(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    last = Fraction(0)
    for pairs in cells.together:
        last = Fraction(*pairs.precision[0])
    return last / cells.candidate_covered


@fooling("reads 'total'")
def compounds(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    total = Fraction(0)
    for pairs in cells.together:
        total = total + total * Fraction(*pairs.precision[0])
    return total


@fooling("by other than adding")
def multiplies(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    product = Fraction(1)
    for pairs in overlay(candidate, gold).together:
        product *= Fraction(*pairs.precision[0])
    return product


@fooling("leaves a loop")
def first_entry(candidate, gold):
    for pairs in overlay(candidate, gold).together:
        return Fraction(*pairs.precision[0])
    return Fraction(not candidate and not gold)


@fooling("picks single entries")
def unpacks(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    (only,) = [pairs.precision[0] for pairs in overlay(candidate, gold).together]
    return Fraction(*only)


@fooling("largest or smallest")
def best_entry(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    return max([Fraction(*pairs.precision[0]) for pairs in overlay(candidate, gold).together])


@fooling("into a set")
def distinct_terms(candidate, gold):
    """Not linear in how often an entry occurs."""
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    total = Fraction(0)
    for pairs in overlay(candidate, gold).together:
        total += sum({pairs.precision[0][0]})
    return total


@fooling("twice")
def empties_an_iterator(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    terms = (pairs.precision[0] for pairs in cells.together)
    precision = sum_of_ratios(terms, over=cells.candidate_covered)
    return precision + sum_of_ratios(terms, over=cells.gold_covered)


@fooling("after using it")
def one_list_of_two_names(candidate, gold):
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    precision = recall = []
    for pairs in cells.together:
        precision += [pairs.precision[0]]
    return sum_of_ratios(recall, over=cells.candidate_covered)


# --- elsewhere -----------------------------------------------------------------------------------------------

CALLS: list[int] = []


@fooling("not a list that was made in this place")
def remembers_calls(candidate, gold):
    CALLS.append(1)
    cells = overlay(candidate, gold)
    return Fraction(cells.shared, cells.union) if cells.union else Fraction(1)


@fooling("compares the biclusterings themselves")
def perfect_or_nothing(candidate, gold):
    return Fraction(candidate == gold)


@fooling("candidate.biclusters")
def looks_at_biclusters(candidate, gold):
    return Fraction(sum(len(rows) for rows, _ in candidate.biclusters))


@fooling("other biclusterings over each other")
def turned_round(candidate, gold):
    cells = overlay(gold, candidate)
    return Fraction(cells.shared, cells.union) if cells.union else Fraction(1)


@fooling("float")
def computes_with_floats(candidate, gold):
    cells = overlay(candidate, gold)
    return 0.5 * cells.shared


@fooling("made by a function around it")
def made_elsewhere(candidate, gold):
    return _with_factor(candidate, gold)


def _factory(factor):
    def scaled(candidate, gold):
        cells = overlay(candidate, gold)
        return factor * Fraction(cells.shared, cells.union or 1)

    return scaled


_with_factor = _factory(Fraction(1, 2))


@fooling("not followed, try")
def catches(candidate, gold):
    try:
        return harmonic_mean(Fraction(1), Fraction(1))
    except TypeError:
        return Fraction(0)


@fooling("isinstance")
def looks_at_types(candidate, gold):
    cells = overlay(candidate, gold)
    return Fraction(1) if isinstance(cells.shared, int) else Fraction(0)
