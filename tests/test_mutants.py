"""The tester tested: every mutant of the paper's measures is caught, and by what the table says.

Run with ``-s`` for the table of who is caught by what.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial

import mutants
import pytest
from hunting import search_among
from mutants import GATE, GOLDEN, MUTANTS, Mutant

import metaeval
from metaeval import Biclustering
from metaeval.cases.sampling import sample_here
from metaeval.catalogue.condition import find_condition
from metaeval.core.relation import TOLERANCE
from metaeval.core.verdict import Verdict
from metaeval.kernel.overlay import overlay
from metaeval.search.gate import gate
from metaeval.search.search import Finding

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


def findings(mutant: Mutant, condition_id: str, reading: str, objects: int) -> list[Finding]:
    """Of the original and of the mutant, on all cases up to so many objects."""
    condition = find_condition(condition_id)
    measures = [mutant.original, mutant.measure]
    return search_among(condition, condition.reading(reading), measures, drawn=[], exhaustive=objects)


def caught_by_condition(mutant: Mutant) -> bool:
    """Whether its condition holds for the original and is violated by the mutant, on the same cases."""
    for objects in range(1, MOST_OBJECTS + 1):
        original, changed = findings(mutant, *mutant.caught_by.split("/"), objects)
        if changed.verdict is Verdict.VIOLATED:
            return original.verdict is Verdict.HOLDS
    return False


def caught_by_scores(mutant: Mutant) -> bool:
    return any(differ(mutant.original.value(*pair), mutant.measure.value(*pair)) for pair in PANEL)


def differ(one, other) -> bool:
    """Exactly, or where there are only floats beyond rounding."""
    return one != other if isinstance(one, Fraction) else abs(one - other) > TOLERANCE


@every_mutant
def test_the_mutant_is_caught(mutant):
    failure = gate(mutant.measure).failure
    assert (failure is not None) == (mutant.caught_by == GATE), failure
    if mutant.caught_by == GOLDEN:
        assert caught_by_scores(mutant)
    elif mutant.caught_by != GATE:
        assert caught_by_condition(mutant)


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


@every_mutant
def test_golden_scores_tell_the_mutant_from_its_original(mutant):
    assert caught_by_scores(mutant)


@pytest.mark.parametrize(
    ("id", "unchanged"),
    [
        ("mocice", mutants.mocice),
        ("bcubed", partial(mutants.mocice, phi=mutants.no_phi)),
        ("e4sc", mutants.e4sc),
        ("vi", lambda *pair: -mutants.information(overlay(*pair)) / overlay(*pair).union),
    ],
    ids=["mocice", "bcubed", "e4sc", "vi"],
)
def test_what_mutants_are_made_of_is_their_original_without_a_slip(id, unchanged):
    """Else a mutant might be caught for another reason than its slip."""
    assert not any(differ(metaeval.measures()[id].value(*pair), unchanged(*pair)) for pair in PANEL)


@every_mutant
def test_the_original_passes_the_gate(mutant):
    assert gate(mutant.original).failure is None


def test_there_are_enough_mutants_and_most_need_no_golden_scores():
    ways = Counter(kind(mutant) for mutant in MUTANTS)
    print(*table(ways), sep="\n")
    assert len({mutant.id for mutant in MUTANTS}) == len(MUTANTS) >= 24
    assert 2 * (ways["gate"] + ways["condition"]) >= len(MUTANTS)
    assert {mutant.of for mutant in MUTANTS} >= {"ce", "rnia", "rand", "vi", "e4sc", "bcubed", "cice", "mocice"}


def kind(mutant: Mutant) -> str:
    return mutant.caught_by if mutant.caught_by in (GATE, GOLDEN) else "condition"


def table(ways: Counter[str]) -> list[str]:
    lines = [f"{mutant.id:26}{mutant.caught_by:18}{mutant.slip}" for mutant in MUTANTS]
    return ["", *lines, "", f"{len(MUTANTS)} mutants: " + ", ".join(f"{n} by {way}" for way, n in ways.items())]
