"""The tester tested: every mutant of the paper's measures is caught, and by what the table says."""

from fractions import Fraction
from functools import partial

import mutants
import pytest
from hunting import search_among
from mutants import GATE, GOLDEN, MUTANTS

import metaeval
from metaeval import Biclustering, Measure
from metaeval.cases.sampling import sample_here
from metaeval.catalogue.condition import find_condition
from metaeval.core.relation import TOLERANCE
from metaeval.core.verdict import Verdict
from metaeval.kernel.overlay import overlay
from metaeval.search.gate import gate

#: No mutant needs a larger counterexample.
MOST_OBJECTS = 7

every_mutant = pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.id for mutant in MUTANTS])

#: Pairs for golden scores: mixed, partly covered, overlapping, on several features, repeated, and one on which
#: a greedy matching is not the best.
PANEL = [
    (Biclustering.from_labels([0, 0, 0, 1, 1, 2], 2), Biclustering.from_labels([0, 0, 1, 1, 2, 2], 2)),
    (Biclustering.from_labels([0, 0, 1, -1, 2, -1]), Biclustering.from_labels([0, 1, 1, 1, -1, -1])),
    (Biclustering.lifted([{0, 1, 2}, {2, 3}, {0, 2}]), Biclustering.lifted([{0, 1, 2}, {1, 2, 3}, {4, 5}])),
    (
        Biclustering([({0, 1, 2}, {0, 1}), ({2, 3}, {1, 2})], (6, 4)),
        Biclustering([({0, 1}, {0, 1, 2}), ({2, 3, 4}, {1})], (6, 4)),
    ),
    (Biclustering.lifted([{0, 1}, {0, 1}, {1, 2}]), Biclustering.lifted([{0, 1}, {0, 1, 2}])),
    (Biclustering.lifted([range(5), {5, 6}]), Biclustering.lifted([{0, 1, 2, 5, 6}, {3, 4}])),
]


def differ(one, other) -> bool:
    """Exactly, or where there are only floats beyond rounding."""
    return one != other if isinstance(one, Fraction) else abs(one - other) > TOLERANCE


def verdict(measure: Measure, cell: str, objects: int) -> Verdict:
    """On all cases up to so many objects."""
    condition_id, reading = cell.split("/")
    condition = find_condition(condition_id)
    (found,) = search_among(condition, condition.reading(reading), [measure], drawn=[], exhaustive=objects)
    return found.verdict


@every_mutant
def test_the_mutant_is_caught(mutant):
    """By golden scores in any case; else by the gate, or by a condition that holds for the original on these cases."""
    failure = gate(mutant.measure).failure
    assert (failure is not None) == (mutant.caught_by == GATE), failure
    assert any(differ(mutant.original.value(*pair), mutant.measure.value(*pair)) for pair in PANEL)
    if mutant.caught_by not in (GATE, GOLDEN):
        sizes = range(1, MOST_OBJECTS + 1)
        least = next(n for n in sizes if verdict(mutant.measure, mutant.caught_by, n) is Verdict.VIOLATED)
        assert verdict(mutant.original, mutant.caught_by, least) is Verdict.HOLDS


#: What the table relies on: conditions and readings, each with the originals that must satisfy it.
RELIED_ON = {
    cell: sorted({mutant.of for mutant in MUTANTS if mutant.caught_by == cell})
    for cell in sorted({mutant.caught_by for mutant in MUTANTS if "/" in mutant.caught_by})
}


@pytest.mark.parametrize("cell", RELIED_ON)
def test_the_originals_satisfy_the_condition_on_larger_cases_too(cell):
    """Some originals keep a condition on the smallest cases only; it would catch them as well as the mutant."""
    group = condition_id, reading = tuple(cell.split("/"))
    condition = find_condition(condition_id)
    originals = [metaeval.measures()[id] for id in RELIED_ON[cell]]
    drawn = sample_here(group, examples=40, run_seed=0)
    found = search_among(condition, condition.reading(reading), originals, drawn, exhaustive=2)
    verdicts = dict(zip(RELIED_ON[cell], (one.verdict for one in found), strict=True))
    assert verdicts == dict.fromkeys(RELIED_ON[cell], Verdict.HOLDS)


@pytest.mark.parametrize(("id", "unchanged"), [
    ("mocice", mutants.mocice),
    ("bcubed", partial(mutants.mocice, phi=mutants.no_phi)),
    ("e4sc", mutants.e4sc),
    ("vi", lambda *pair: -mutants.information(overlay(*pair)) / overlay(*pair).union),
], ids=["mocice", "bcubed", "e4sc", "vi"])  # fmt: skip
def test_what_mutants_are_made_of_is_their_original_without_a_slip(id, unchanged):
    """Else a mutant might be caught for another reason than its slip."""
    assert not any(differ(metaeval.measures()[id].value(*pair), unchanged(*pair)) for pair in PANEL)


def test_there_are_enough_mutants_and_most_need_no_golden_scores():
    assert len({mutant.id for mutant in MUTANTS}) == len(MUTANTS) >= 24
    assert 2 * sum(mutant.caught_by == GOLDEN for mutant in MUTANTS) <= len(MUTANTS)
    assert {mutant.of for mutant in MUTANTS} >= {"ce", "rnia", "rand", "vi", "e4sc", "bcubed", "cice", "mocice"}
