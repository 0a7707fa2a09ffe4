"""What is said of a measure that gives no score: the input, the line, the hint, and what it printed."""

import functools
import math
import statistics
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import zoo
from msgspec import structs
from tools import as_json, run_inside

import metaeval
from metaeval import Biclustering, Case, Results, Side, Undefined, reports
from metaeval.adapters import as_measure
from metaeval.catalogue.condition import find_condition
from metaeval.catalogue.measure import make_measure
from metaeval.cli.commands.check_output import Showing, Stream
from metaeval.core.verdict import Verdict
from metaeval.display.cell_facts import evidence
from metaeval.display.cell_text import describe, describe_faults
from metaeval.records.cell import Cell, Diagnosis, Exhaustive
from metaeval.records.certificate import Certificate
from metaeval.records.described import DescribedCondition, DescribedMeasure
from metaeval.runner.events import Settled
from metaeval.runner.plan import Plan
from metaeval.verification import baseline
from metaeval.verification.baseline import State
from metaeval.verification.certificate_check import Refused, verify
from metaeval.verification.outcome import Outcome
from metaeval.workers.call import evaluate
from metaeval.workers.faults import Fault
from metaeval.workers.locate import defining
from metaeval.workers.worker import CUT, MOST

ONE = Side(Biclustering.lifted([{0, 1}]), Biclustering.lifted([{0, 1}]))
TINY = {"examples": 0, "exhaustive": 2, "jobs": 1, "budget": 5.0, "proofs": False, "effort": 0}


def this_line_of(text):
    lines = Path(__file__).read_text().splitlines()
    return next(number for number, line in enumerate(lines, start=1) if line.strip() == text)


def fault_of(function, side=ONE):
    with pytest.raises(Fault) as caught:
        evaluate(as_measure(function), side)
    return caught.value.diagnosis(as_measure(function))


# --- the line
def fails_in_the_library(candidate, gold):
    return statistics.mean([])


def fails_in_numpy(candidate, gold):
    return np.linalg.inv(np.zeros((2, 2)))[0, 0]


def fails_further_down(candidate, gold):
    return fails_in_the_library(candidate, gold)


def returns_early(candidate, gold):
    if len(gold) == 1:
        return float("inf")
    return 1.0


class Measuring:
    def __call__(self, candidate, gold):
        return None


@pytest.mark.parametrize(("function", "code", "place"), [
    (fails_in_the_library, "return statistics.mean([])", "fails_in_the_library"),
    (fails_in_numpy, "return np.linalg.inv(np.zeros((2, 2)))[0, 0]", "fails_in_numpy"),
    (fails_further_down, "return statistics.mean([])", "fails_in_the_library"),
    (returns_early, 'return float("inf")', "returns_early"),
    (functools.partial(returns_early), 'return float("inf")', "returns_early"),
    (Measuring(), "return None", "__call__"),
])  # fmt: skip
def test_the_line_is_the_innermost_of_the_authors_own(function, code, place):
    told = fault_of(function)
    assert f"test_faults.py:{this_line_of(code)} in {place}" in told.where
    assert told.code == code
    assert defining(len) is None


# --- the smallest input
def test_a_fault_met_in_the_search_is_reduced():
    def picky(candidate, gold):
        if any(len(rows) >= 5 for rows, _ in candidate):
            raise ValueError("five are a crowd")
        return zoo.sound(candidate, gold)

    # Drawn cases alone: none of the lists is small enough to meet it.
    results = metaeval.check(picky, ["B.2"], ["canonical"], **{**TINY, "examples": 20, "exhaustive": 3, "effort": 4})
    cell = results.cell("picky", "B.2")
    assert cell.verdict is Verdict.ERROR
    (bicluster,) = cell.fault.side.candidate
    assert (len(bicluster[0]), len(bicluster[1]), len(cell.fault.side.gold)) == (5, 1, 0)
    assert cell.fault.code == 'raise ValueError("five are a crowd")'


def test_what_is_undefined_on_some_cases_says_on_which_and_breaks_nothing():
    def shy(candidate, gold):
        return zoo.sound(candidate, gold) if gold else float("nan")

    cell = metaeval.check(shy, ["B.2"], ["canonical"], **TINY).cell("shy", "B.2")
    assert cell.verdict is Verdict.HOLDS
    assert "further cases it returned nan" in cell.message
    assert not cell.fault.side.gold
    assert "where" in describe(cell)
    never = make_measure(lambda c, g: 1.0 if c == g else float("nan"), id="never", domain="partitions")
    assert {one.verdict for one in metaeval.check(never, ["A.5"], ["canonical"], **TINY)} == {Verdict.UNDEFINED}


def test_a_measure_that_passes_the_gate_with_a_remark_is_judged():
    def divides(candidate, gold):
        total = sum(len(rows) * len(cols) for rows, cols in gold)
        return Fraction(sum(len(a & c) * len(b & d) for a, b in candidate for c, d in gold), total)

    results = metaeval.check(divides, ["A.1", "B.2"], ["canonical"], **TINY)
    described = results.measures["divides"]
    assert described.gate is None
    assert described.remark.startswith("it raised ZeroDivisionError: Fraction(0, 0) (test_faults.py:")
    assert described.fault.side == (Biclustering(), Biclustering())
    assert results.cell("divides", "A.1").verdict is Verdict.VIOLATED
    assert results.cell("divides", "B.2").verdict is Verdict.ERROR
    assert Results.from_json(as_json(results)).measures == results.measures


def test_one_that_takes_its_process_down_on_extreme_inputs_alone_is_judged():
    results = metaeval.check(zoo.shy(zoo_animal("leaves"), lambda candidate, gold: not gold), ["A.1"], **TINY)
    (id,) = results.measures
    assert (results.measures[id].gate, results.measures[id].remark) == (None, "its process ended with exit code 0")
    assert results.cell(id, "A.1").verdict is Verdict.VIOLATED


def test_saying_that_one_is_undefined_deserves_no_remark():
    def honest(candidate, gold):
        if not candidate or not gold:
            raise Undefined("a side is empty")
        return zoo.sound(candidate, gold)

    results = metaeval.check(honest, ["A.1"], ["canonical"], **TINY)
    # Both sides empty is a perfect match, and no excuse.
    assert results.measures["honest"].fault.kind == "undefined at a perfect match"
    partial = make_measure(honest, id="partial", domain="partitions")
    assert metaeval.check(partial, ["A.1"], ["canonical"], **TINY).measures["partial"].remark is None


def zoo_animal(name):
    return next(animal for animal in zoo.ANIMALS if animal.measure.__name__ == name)


def test_one_mistake_is_told_once_for_all_its_cells():
    def picky(candidate, gold):
        return zoo.sound(candidate, gold) / bool(gold)

    told = "\n".join(describe_faults(metaeval.check(picky, ["B.2", "B.3"], **TINY)))
    assert told.count("\nwhere ") == 1
    cells = "B.2/canonical, B.2/overlapping, B.3/canonical, B.3/overlapping"
    assert f"In {cells}: it raised ZeroDivisionError" in " ".join(told.split())


# --- undefined at a perfect match
def adjusted(candidate, gold):
    """The adjusted Rand index with a mistake that a library shipped: 0/0 for identical trivial partitions."""
    pairs = [sum(math.comb(len(rows), 2) for rows, _ in family) for family in (candidate, gold)]
    shared = sum(math.comb(len(a & b), 2) for a, _ in candidate for b, _ in gold)
    expected = pairs[0] * pairs[1] / max(1, math.comb(gold.shape[0], 2))
    gap = sum(pairs) / 2 - expected
    return (shared - expected) / gap if gap else float("nan")


def refuses(candidate, gold):
    """The same, in words."""
    score = adjusted(candidate, gold)
    if math.isnan(score):
        raise Undefined("both are trivial")
    return score


@pytest.fixture(scope="module", params=[adjusted, refuses])
def trivial(request):
    measure = make_measure(request.param, id="trivial", domain="partitions")
    return measure, metaeval.check(measure, ["A.5", "A.1"], ["canonical"], **TINY)


def test_undefined_at_a_perfect_match_breaks_a5(trivial):
    measure, results = trivial
    cell = results.cell("trivial", "A.5")
    assert cell.verdict is Verdict.VIOLATED
    assert cell.certificate.case.right.candidate == cell.certificate.case.right.gold
    text = describe(cell)
    assert "right     undefined" in text
    assert "the gold standard itself has no score" in text
    assert cell.fault.hint.startswith("a perfect match must reach the best score")
    stored = as_json(cell.certificate)
    assert stored["scores"]["right"] == {"float": "nan", "exact": None}
    assert isinstance(stored["scores"]["left"]["float"], float)
    # Such a certificate is verified, and a forged one refused.
    verify(stored, measure)
    mended = make_measure(lambda candidate, gold: float(candidate == gold), id="trivial", domain="partitions")
    with pytest.raises(Refused, match="the right scores 1, not nan"):
        verify(stored, mended)
    stored["scores"]["right"] = {"float": 1.0, "exact": None}
    with pytest.raises(Refused, match="the right scores nan, not 1"):
        verify(stored, measure)


def test_a_baseline_knows_it_again_and_sees_it_fixed(trivial):
    measure, results = trivial
    saved = baseline.Baseline.from_json(as_json(baseline.make(measure, results)))
    assert {one.state for one in baseline.recheck(saved, measure)} == {State.HOLDS}

    def guarded(candidate, gold):
        return 1.0 if candidate == gold else adjusted(candidate, gold)

    mended = make_measure(guarded, id="trivial", domain="partitions")
    (again,) = [one for one in baseline.recheck(saved, mended) if one.condition == "A.5"]
    assert again.state is State.FIXED


def test_the_certificate_of_an_undefined_left_is_read_as_well():
    """A measure that is undefined on both sides of a case breaks A.5 all the same."""
    case = Case(Side(Biclustering.lifted([{0}, {1}]), ONE.gold), ONE)
    measure = make_measure(zoo.returns_nan, id="never")
    made = Certificate.of(measure, find_condition("A.5"), "canonical", case, (math.nan, math.nan), False)
    assert verify(as_json(made), measure).condition == "A.5"


# --- what it printed
def test_what_is_printed_is_kept_with_the_cell_and_bounded():
    def chatty(candidate, gold):
        print("scoring", len(gold))
        print("\x1b[31mtrouble", file=sys.stderr)
        return zoo.sound(candidate, gold)

    def complains(candidate, gold):
        print("no idea what to do")

    results = metaeval.run(["rnia", chatty, zoo.prints, complains], ["B.2"], ["canonical"], **TINY)
    kept = results.cell("chatty", "B.2").printed
    assert kept.startswith("scoring 0\n�[31mtrouble\nscoring 0")
    assert len(kept) == MOST + len(CUT)
    assert kept.endswith(CUT)
    assert results.cell("rnia", "B.2").printed is None
    assert results.cell("prints", "B.2").printed.startswith("NOISENOISE")
    assert results.cell("complains", "B.2").printed.startswith("no idea what to do")  # at the gate
    assert Results.from_json(as_json(results)).cell("chatty", "B.2").printed == kept
    assert "printed   scoring 0" in describe(results.cell("chatty", "B.2"))


# --- where nothing can be said
def test_nothing_is_said_of_small_cases_where_there_are_none():
    cell = Cell("ce", "A.4", "canonical", Verdict.HOLDS, 515, 0, Exhaustive(objects=4, cases=0))
    assert evidence(cell) == "515 cases tried"
    condition = find_condition("A.4")
    results = Results({}, {"ce": DescribedMeasure("CE")}, {"A.4": DescribedCondition.of(condition)})
    results.add(cell)
    for text in (describe(cell), *(reports.render(results, format) for format in reports.FORMATS)):
        assert "4 objects" not in text
    lines, plan = [], Plan.of(["ce"], ["A.4"], ["canonical"])
    stream = Stream(plan, Outcome(results, None), Showing("ce"), lines.append)
    stream.on_event(Settled(plan.measures[0], condition, condition.reading("canonical"), cell))
    assert "515 cases" in lines[-1]
    assert "all up to" not in lines[-1]
    some = structs.replace(cell, exhaustive=Exhaustive(objects=7, cases=3))
    assert evidence(some) == "515 cases tried; every case with at most 7 objects was tried (3)"


# --- as files, and on the command line
def test_faults_are_read_as_they_are_written():
    place = {"where": "mine.py:3 in mine", "code": "return 1 / 0"}
    fault = Diagnosis(kind="raised", hint="guard it", side=ONE, **place)
    cell = Cell("ce", "A.1", "canonical", Verdict.ERROR, message="it raised", fault=fault, printed="a\nb")
    assert Cell.from_json(as_json(cell)) == cell
    assert not {"fault", "printed"} & set(Cell("ce", "A.1", "canonical", Verdict.HOLDS).to_json())


@pytest.mark.parametrize("name", ["raises", "returns_none", "leaves", "draws_random", "mutates"])
def test_check_says_it_at_eighty_columns(name):
    few = ["--condition", "B.2", "--examples", "0", "--exhaustive", "2", "--quiet"]
    done = run_inside("check", f"{zoo.__file__}:{name}", *few, COLUMNS="80")
    assert (done.code, done.err) == (1, "")
    said = " ".join(done.out.split())
    animal = zoo_animal(name)
    for part in ("where", f"in {name}: {animal.line}", "input candidate = Biclustering(", "hint", animal.hint):
        assert part in said
    top = done.out.partition("FAIL")[0].splitlines()
    assert all(len(line) <= 80 or str(zoo.__file__) in line for line in top)
