"""Suspects: that the climb finds what fixed patterns miss, and makes nothing up."""

from __future__ import annotations

import random
import time
from collections import Counter
from fractions import Fraction
from functools import cache

import pytest
from test_situations import READERS, fits

import metaeval
from metaeval.cases import Case
from metaeval.engine.findings import Finding
from metaeval.engine.search import search
from metaeval.evidence.cells import Cell
from metaeval.evidence.certificates import verify
from metaeval.kernel import overlay
from metaeval.measuring import Measure, make_measure
from metaeval.proving.suspects import MOST_OBJECTS, culprit, instance
from metaeval.verdicts import Verdict

LAID_OUT = [
    (condition.id, reading.name, number)
    for condition in metaeval.conditions().values()
    for reading in condition.readings.values()
    for number, situation in enumerate(reading.situations)
    if situation.lay_out is not None
]

#: What a Tversky index weighs by, and how many objects are enough to break A.4 canonical: two pairs, and around them a
#: class whose k objects are clusters of their own. The mean over clusters falls as soon as k is 140, 32, 6 or 4.
ALPHAS = {Fraction(19, 20): 147, Fraction(4, 5): 39, Fraction(1, 5): 13, Fraction(1, 20): 11}


def mean_of_best(candidate, gold, alike, over_classes: bool) -> Fraction:
    """The mean over clusters, or over classes, of what each resembles most."""
    if not candidate or not gold:
        return Fraction(not candidate and not gold)
    cells = overlay(candidate, gold)
    best = [Fraction(0)] * len(gold if over_classes else candidate)
    for row, (line, g) in enumerate(zip(cells.intersections, cells.candidate_sizes, strict=True)):
        for column, (n, c) in enumerate(zip(line, cells.gold_sizes, strict=True)):
            if n:
                place = column if over_classes else row
                best[place] = max(best[place], alike(n, g, c))
    return sum((times * value for value, times in Counter(best).items()), Fraction(0)) / len(best)


def tversky(alpha: Fraction) -> Measure:
    """The mean over clusters; ``alpha`` weighs what one lacks of the class, the rest what it has beside it."""

    @cache
    def alike(n: int, g: int, c: int) -> Fraction:
        return n / (n + alpha * (c - n) + (1 - alpha) * (g - n))

    return make_measure(lambda *sides: mean_of_best(*sides, alike, over_classes=False), id="tversky")


def best_f1() -> Measure:
    return make_measure(
        lambda *sides: mean_of_best(*sides, lambda n, g, c: Fraction(2 * n, g + c), over_classes=True),
        id="best-f1",
    )


def counterexample(measure: Measure, condition: str, reading: str = "canonical") -> Case | None:
    subject = metaeval.conditions()[condition]

    def margin(case: Case) -> float | None:
        assert subject.readings[reading].premise(case)
        assert case.objects <= MOST_OBJECTS
        try:
            left, right = (measure.value(*side) for side in case)
        except ValueError:
            return None
        return float(right - left)

    return culprit(subject.readings[reading].situations, margin)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_best_tversky_index_of_each_cluster_gives_way_on_size_versus_quantity(alpha: Fraction):
    assert counterexample(tversky(alpha), "A.4")


def test_e4sc_gives_way_on_size_versus_quantity():
    """On small patterns it does not."""
    assert counterexample(metaeval.measures()["e4sc"], "A.4")


@pytest.mark.parametrize("condition", ["A.1", "A.2", "A.3", "A.4"])
@pytest.mark.parametrize("id", ["bcubed", "mocice"])
def test_nothing_is_found_against_what_is_proved(id: str, condition: str):
    assert counterexample(metaeval.measures()[id], condition) is None


def test_nothing_is_found_against_the_best_f1_of_each_class():
    assert counterexample(best_f1(), "A.4") is None


def test_a_measure_that_fails_has_no_suspects():
    def fails(candidate, gold):
        raise ValueError

    assert counterexample(make_measure(fails, id="fails"), "A.1") is None


# --- in a search


def searched(measure: Measure | str, **settings) -> Cell:
    """What a run with the usual settings makes of A.4 canonical."""
    (cell,) = metaeval.run([measure], ["A.4"], ["canonical"], **settings)
    return cell


@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_run_finds_what_the_best_tversky_index_gives_way_to(alpha: Fraction):
    measure = tversky(alpha)
    cell = searched(measure)
    assert cell.verdict is Verdict.VIOLATED
    assert cell.certificate is not None
    assert cell.certificate.case.objects <= ALPHAS[alpha]
    assert verify(cell.certificate, measure) == cell.certificate


def test_a_run_does_not_need_proofs_to_look_there():
    with_proofs, without = (searched(tversky(Fraction(4, 5)), proofs=wanted) for wanted in (True, False))
    assert (with_proofs.certificate, with_proofs.cases) == (without.certificate, without.cases)


def only_suspects(measure: Measure, **settings) -> Finding:
    """What a search finds that has nothing listed or drawn."""
    condition = metaeval.conditions()["A.4"]
    (finding,) = search(
        condition, condition.readings["canonical"], [measure], [], exhaustive=1, seed=0, **settings
    )
    return finding


def test_only_the_case_that_is_found_counts():
    """The way there depends on the measure, and two runs are compared by how many cases they tried."""
    broken = only_suspects(tversky(Fraction(19, 20)))
    assert (broken.verdict, broken.cases, broken.violations) == (Verdict.VIOLATED, 1, 1)
    assert only_suspects(metaeval.measures()["bcubed"]).verdict is Verdict.VACUOUS


def test_every_call_is_announced():
    """Whoever watches a measure's process must know that it is under way."""
    under_way: list[bool] = [False]
    unseen = []

    def score(candidate, gold):
        unseen.append(not under_way[-1])
        return metaeval.measures()["bcubed"](candidate, gold)

    only_suspects(
        make_measure(score, id="watched"),
        notice=lambda position, since=None: under_way.append(position is not None),
    )
    assert unseen
    assert not any(unseen)


def test_a_fault_on_a_suspect_is_reported():
    def fails(candidate, gold):
        if len(candidate) > 30:
            raise KeyError("too many clusters")
        return metaeval.measures()["bcubed"](candidate, gold)

    finding = only_suspects(make_measure(fails, id="fails"))
    assert finding.verdict is Verdict.ERROR
    assert finding.diagnosis is not None


def test_a_slow_measure_has_fewer_suspects():
    """Once the large cases' share of the budget is used, no further one is tried."""
    calls = []

    def slow(candidate, gold):
        calls.append(candidate)
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        return metaeval.measures()["bcubed"](candidate, gold)

    assert only_suspects(make_measure(slow, id="slow"), budget=1.0).verdict is Verdict.VACUOUS
    assert len(calls) == 2


def test_a_run_finds_nothing_against_the_best_f1_of_each_class():
    assert searched(best_f1()).verdict in (Verdict.HOLDS, Verdict.PROVED)


def test_a_run_never_proves_e4sc_on_size_versus_quantity():
    assert searched("e4sc").verdict is Verdict.VIOLATED


@pytest.mark.parametrize(("condition", "name", "number"), LAID_OUT)
def test_an_instance_is_what_its_numbers_say(condition: str, name: str, number: int):
    """Laid out and read back, the symbols are the same; and the premise admits it."""
    draw = random.Random(4)
    reading = metaeval.conditions()[condition].readings[name]
    situation = reading.situations[number]
    for _ in range(200):
        numbers = {one.name: one.least + draw.randint(0, 3) for one in situation.symbols if one.name != "f"}
        grid = {key: draw.randint(1, 3) for key in ("grids", "across", "along", "each")}
        case = instance(situation, **{**numbers, **grid, "grids": draw.randint(0, 2)})
        assert case is not None
        assert reading.premise(case)
        assert fits((condition, name), case)
        read = READERS[condition](case, name)
        assert read.situation is situation
        own = {key: value for key, value in numbers.items() if key not in situation.own}
        # The two parts of A.1 and A.2 have no order.
        assert sorted({key: read.values[key] for key in own}.values()) == sorted(own.values())
