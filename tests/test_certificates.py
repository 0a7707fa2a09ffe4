"""Certificates: true ones are accepted, and everything else is refused with the reason."""

import copy
import os
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from brute_force import condition_of
from tools import as_json, put

import metaeval
from metaeval import Biclustering, Case, InputError, Side
from metaeval.catalogue.condition import CONDITIONS, conditions
from metaeval.catalogue.measure import find_measure, make_measure
from metaeval.core.verdict import Verdict
from metaeval.records.certificate import MOST_INDICES, Certificate
from metaeval.records.score import MOST_DIGITS
from metaeval.verification import verify as rechecking
from metaeval.verification.certificate_check import Refused, verify
from metaeval.verification.verify import Checked, Witness, check_minimal, recheck

MEASURES = ["ce", "rnia", "rand-background", "vi"]


@pytest.fixture(scope="module")
def results():
    """With the cases that come with the package."""
    chosen = ["A.1", "A.2", "A.5", "B.1", "B.2", "B.5"]
    return metaeval.run(MEASURES, chosen, examples=20, exhaustive=3, jobs=1, effort=0, proofs=False)


def test_every_certificate_of_a_run_is_accepted_and_minimal_where_it_says_so(results):
    for cell in results:
        assert (cell.certificate is not None) == (cell.verdict == Verdict.VIOLATED)
    certificates = [(cell.key, cell.certificate) for cell in results if cell.certificate]
    assert len(certificates) > 30
    assert {one.condition for _, one in certificates} == {"A.1", "A.2", "A.5", "B.1", "B.2", "B.5"}
    for key, one in certificates:
        assert (one.measure, one.condition, one.reading) == key
        assert verify(one) == verify(as_json(one)) == one
    certified = [one for _, one in certificates if one.certified]
    assert len(certified) > 20
    for one in certified:
        check_minimal(one)


@pytest.fixture
def sound():
    """rnia on A.1: {0, 1} and its halves cover the same, so both score 1."""
    data = certified("rnia", "A.1", "canonical", inflated(2)).to_json()
    verify(data)
    return data


def changed(data, path, value):
    """A copy with one thing changed; a missing value takes the key out."""
    return put(copy.deepcopy(data), path, value)


HUGE = [{"rows": list(range(MOST_INDICES)), "cols": [0]}]
LONG = "1" * (MOST_DIGITS + 1)
#: No fraction in its lowest terms, as certificates state them, or not that of the score.
NOT_EXACT = ["2/3", "1/0", "one", "1e999999999", "1_0/10", " 1", "1\n", "+1/1", "\u0661/\u0661", "1.0", "1", "--1/1",
             "1/-1", "1/1/1", 1]  # fmt: skip
#: Where one thing is changed -> what is put there, and what the reason names.
TAMPERED = {
    "scores.left.float": [
        (0.5, "the left scores 1, not 0.5"), ("1.0", "not '1.0'"), (True, "not True"), (None, "not None"),
        (float("nan"), "not nan"), (..., '"left" of "scores"'),
    ],
    "scores.right.float": [(1.001, "the right scores 1, not 1.001")],
    "scores.left.exact": [
        *((value, f"not {value!r}") for value in NOT_EXACT), (None, "no exact score"),
        (f"{LONG}/1", f"at most {MOST_DIGITS} digits"), (f"1/{LONG}", f"at most {MOST_DIGITS} digits"),
    ],
    "scores.left": [(1.0, '"left" of "scores"')],
    "scores.optimum": [(7.0, "optimum"), (..., '"scores"')],
    "scores": [(None, '"scores"')],
    "measure": [("nonsense", "nonsense"), ("mocice", "scores"), ("os:system", "os:system"), (["rnia"], '"measure"')],
    "condition": [("A.7", "A.7"), ("A.2", "no instance of A.2"), ({}, '"condition"')],
    "reading": [("repeated", "no reading 'repeated'"), ("generous", "generous"), (1, '"reading"')],
    "relation": [("equal", "demands 'worse', not 'equal'"), (None, '"relation"')],
    "minimal.objects": [(3, "has 2 objects, not 3"), ("2", "objects"), (2.0, "objects")],
    "minimal.certified": [("yes", "certified"), (..., '"minimal"')],
    "minimal": [(2, '"minimal"')],
    "schema": [("metaeval.certificate/2", "schema"), (..., "schema")],
    "extra": [(1, "unknown key 'extra'")],
    "left": [(..., 'with "left" and "right"'), ([], "left must be an object")],
    "left.gold": [(..., "left must be an object")],
    "left.more": [({}, "left must be an object")],
    "left.candidate": [(None, "left candidate")],
    "left.candidate.biclusters": [
        ("all", "left candidate"), (HUGE, "at most"), ([{}] * (MOST_INDICES + 1), "at most"), ([], "no instance"),
        *(([{"rows": rows, "cols": [0]}], "left candidate") for rows in ([], [0, 9], [True], [-1])),
        ([{"rows": [0], "cols": [0]}], "no instance"),
    ],
    "left.gold.biclusters": [([{"rows": [0, 1], "cols": [0]}], "no instance")],
    "right.candidate.shape": [([3, 1], "no instance")],
    "left.candidate.shape": [([2], "left candidate"), (["2", 1], "left candidate")],
}  # fmt: skip


@pytest.mark.parametrize("path", TAMPERED)
def test_a_tampered_certificate_is_refused_with_the_reason(sound, path):
    for value, reason in TAMPERED[path]:
        with pytest.raises(Refused) as refused:
            verify(changed(sound, path, value))
        assert reason in str(refused.value)
        assert "\n" not in str(refused.value)
        assert len(str(refused.value)) < 400


@pytest.mark.parametrize("data", [None, [], "certificate", 1, True, {}], ids=repr)
def test_what_is_no_certificate_is_refused(data):
    with pytest.raises(Refused):
        verify(data)


@pytest.mark.parametrize("shape", [[10**12, 1], [10**9, 10**9], [10**400, 1]], ids=["many", "square", "endless"])
def test_absurd_shapes_cost_nothing(sound, shape):
    for side, role in product(("left", "right"), ("candidate", "gold")):
        put(sound, (side, role, "shape"), shape)
    with pytest.raises(Refused):
        verify(sound)


def test_a_kept_relation_is_refused():
    """An instance with true scores, and no violation: mocice on A.1."""
    with pytest.raises(Refused, match="keep the relation"):
        verify(certified("mocice", "A.1", "canonical", inflated(2)).to_json())


def test_a_measure_that_fails_is_no_witness_and_another_does_not_stand_in(sound):
    def rnia(candidate, gold):
        raise ValueError("gone")

    with pytest.raises(Refused, match="gives no score for the left: it raised ValueError: gone"):
        verify(sound, make_measure(rnia, id="rnia"))
    verify(sound, make_measure(rnia, id="other"))


def test_the_optimum_is_part_of_a_perfect_match(results):
    found = next(cell.certificate for cell in results if cell.condition in ("A.5", "B.5") and cell.certificate)
    data = found.to_json()
    assert data["scores"]["optimum"] is not None
    with pytest.raises(Refused, match="optimum"):
        verify(changed(data, "scores.optimum", data["scores"]["optimum"] + 1))


def test_verification_draws_nothing(sound, monkeypatch):
    """No strategy is asked for and no list is made: the file and the measure are all there is."""

    def refuse(*args, **kwargs):
        raise AssertionError("a search was started")

    monkeypatch.setattr("hypothesis.given", refuse)
    for id, one in conditions().items():
        readings = {
            name: replace(reading, strategy=refuse, enumerate_=refuse) for name, reading in one.readings.items()
        }
        monkeypatch.setitem(CONDITIONS._entries, id, replace(one, readings=readings))
    assert verify(sound).measure == "rnia"
    with pytest.raises(AssertionError, match="a search was started"):
        check_minimal(certified("rnia", "A.1", "canonical", inflated(3)))


# --- the size that is called minimal, and re-checking apart
def certified(measure, condition, reading, case):
    """A certificate that calls its size the smallest, whether it is or not."""
    subject = find_measure(measure)
    scores = subject.value(*case.left), subject.value(*case.right)
    return Certificate.of(subject, condition_of(condition), reading, case, scores, certified=True)


def inflated(objects):
    """rnia on A.1, which two objects break, in a context of further classes that are clustered well."""
    rest = [{row} for row in range(2, objects)]
    gold = Biclustering.lifted([{0}, {1}, *rest])
    return Case(Side(Biclustering.lifted([{0, 1}, *rest]), gold), Side(gold, gold))


@pytest.mark.parametrize("objects", [3, 5])
def test_a_larger_case_is_not_minimal_because_the_file_says_so(objects):
    stated = certified("rnia", "A.1", "canonical", inflated(objects))
    assert verify(stated) == stated
    with pytest.raises(Refused, match=f"its {objects} objects are called the fewest, .* counterexample with 2"):
        check_minimal(stated)


def test_nobody_has_listed_all_cases_below_any_size():
    assert condition_of("A.1").reading("canonical").complete == 8
    stated = certified("rnia", "A.1", "canonical", inflated(10))
    with pytest.raises(Refused, match=r"its 10 objects are called the fewest, .* listed up to 8"):
        check_minimal(stated)
    # One that claims nothing of its size is not asked.
    check_minimal(verify(changed(stated.to_json(), "minimal.certified", False)))


def endless(candidate, gold):
    while len(gold) == 2:
        pass
    return 1.0


def deadly(candidate, gold):
    os._exit(3)


@pytest.mark.parametrize(("function", "reason"), [
    (endless, "it could not be re-checked within 0.2 s of processor time; --budget gives it more"),
    (deadly, "its measure, or its size, killed the worker that re-checked it"),
])  # fmt: skip
def test_one_certificate_that_stalls_costs_no_other(sound, function, reason):
    own = {"mine": make_measure(function, id="mine")}
    bad = changed(sound, "measure", "mine")
    found = [Witness("one", sound), Witness("two", bad), Witness("three", sound), Witness("four", bad)]
    told = [(one.place, one.objects, one.refusal) for one in recheck(found, own, 0.2)]
    assert told == [("one", 2, None), ("two", None, reason), ("three", 2, None), ("four", None, reason)]


def test_a_size_that_takes_too_long_to_check_is_called_a_claim():
    """The measure answers for three objects and hangs on the smaller cases, which only the claim is about."""

    def slow(candidate, gold):
        while gold.shape[0] < 3:
            pass
        return Fraction(1)

    own = {"slow": make_measure(slow, id="slow")}
    data = certified("rnia", "A.1", "canonical", inflated(3)).to_json()
    (checked,) = recheck([Witness("mine", changed(data, "measure", "slow"))], own, 0.2)
    assert (checked.objects, checked.refusal) == (3, None)
    assert checked.claim is not None
    assert checked.claim.startswith("that no fewer suffice could not be re-checked within 0.2 s")


def test_memory_is_bounded_too(sound, monkeypatch):
    def hungry(case):
        raise MemoryError

    condition = condition_of("A.1")
    readings = {**condition.readings, "canonical": replace(condition.reading("canonical"), premise=hungry)}
    monkeypatch.setitem(CONDITIONS._entries, "A.1", replace(condition, readings=readings))
    assert list(recheck([Witness("it", sound)], {})) == [
        Checked("it", None, "it is too large to be re-checked: MemoryError")
    ]


@pytest.mark.parametrize("schema", ["metaeval.results/2", "metaeval.results", None, 1, [], {}])
def test_a_file_of_another_schema_is_none_of_ours(schema):
    with pytest.raises(InputError, match="neither results nor a certificate: its schema is"):
        rechecking.witnesses({"schema": schema, "cells": []})
