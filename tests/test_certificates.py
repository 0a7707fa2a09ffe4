"""Certificates: true ones are accepted, and everything else is refused with the reason."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from brute_force import condition_of

import metaeval
from metaeval import Biclustering, Case, InputError, Side
from metaeval.catalogue.condition import CONDITIONS
from metaeval.catalogue.measure import as_measure, find_measure, make_measure
from metaeval.core.verdict import Verdict
from metaeval.records.certificate import MOST_INDICES, Certificate
from metaeval.records.score import MOST_DIGITS
from metaeval.verification import verify as rechecking
from metaeval.verification.certificate_check import Refused, verify
from metaeval.verification.verify import Checked, Witness, check_minimal, recheck

MEASURES = ["ce", "rnia", "rand", "rand-background", "vi", "e4sc", "bcubed"]


@pytest.fixture(scope="module")
def results():
    return metaeval.run(
        MEASURES, ["A.1", "A.2", "A.5", "B.1", "B.2", "B.5"], examples=10, exhaustive=2, jobs=2, effort=1
    )


def test_every_certificate_of_a_run_is_accepted(results):
    certificates = [cell.certificate for cell in results if cell.verdict == Verdict.VIOLATED]
    assert len(certificates) > 30
    assert {one.condition for one in certificates} >= {"A.1", "A.2", "A.5", "B.1", "B.2", "B.5"}
    for one in certificates:
        assert verify(one) == one
        assert verify(json.loads(json.dumps(one.to_json()))) == one


def test_only_violated_cells_have_certificates(results):
    for cell in results:
        assert (cell.certificate is not None) == (cell.verdict == Verdict.VIOLATED)
        if cell.certificate:
            assert (cell.certificate.measure, cell.certificate.condition, cell.certificate.reading) == cell.key


@pytest.fixture
def sound():
    """rnia on A.1: {0, 1} and its halves cover the same, so both score 1."""
    gold = Biclustering.lifted([{0}, {1}])
    case = Case(Side(Biclustering.lifted([{0, 1}]), gold), Side(gold, gold))
    measure = find_measure("rnia")
    scores = (measure.value(*case.left), measure.value(*case.right))
    data = Certificate.of(measure, condition_of("A.1"), "canonical", case, scores, certified=True).to_json()
    verify(data)
    return data


def changed(data, path, value):
    """A copy with one thing changed; a missing value takes the key out."""
    data = copy.deepcopy(data)
    at = data
    for key in path[:-1]:
        at = at[key]
    if value is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return data


HUGE = [{"rows": list(range(MOST_INDICES)), "cols": [0]}]


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("scores", "left", "float"), 0.5, "the left scores 1, not 0.5"),
        (("scores", "right", "float"), 1.001, "the right scores 1, not 1.001"),
        (("scores", "left", "float"), "1.0", "not '1.0'"),
        (("scores", "left", "float"), True, "not True"),
        (("scores", "left", "float"), None, "not None"),
        (("scores", "left", "float"), float("nan"), "not nan"),
        (("scores", "left", "exact"), "2/3", "the left scores 1, not '2/3'"),
        (("scores", "left", "exact"), "1/0", "not '1/0'"),
        (("scores", "left", "exact"), "one", "not 'one'"),
        (("scores", "left", "exact"), "1e999999999", "or null, not '1e999999999'"),
        (("scores", "left", "exact"), "1_0/10", "not '1_0/10'"),
        (("scores", "left", "exact"), " 1", "not ' 1'"),
        (("scores", "left", "exact"), "1\n", "not '1\\n'"),
        (("scores", "left", "exact"), "+1/1", "not '+1/1'"),
        (("scores", "left", "exact"), "\u0661/\u0661", "not '\u0661/\u0661'"),
        (("scores", "left", "exact"), "1.0", "not '1.0'"),
        (("scores", "left", "exact"), "1", "not '1'"),
        (("scores", "left", "exact"), "--1/1", "not '--1/1'"),
        (("scores", "left", "exact"), "1/-1", "not '1/-1'"),
        (("scores", "left", "exact"), "1/1/1", "not '1/1/1'"),
        (("scores", "left", "exact"), "1" * (MOST_DIGITS + 1) + "/1", f"at most {MOST_DIGITS} digits"),
        (("scores", "left", "exact"), "1/" + "1" * (MOST_DIGITS + 1), f"at most {MOST_DIGITS} digits"),
        (("scores", "left", "exact"), 1, "not 1"),
        (("scores", "left", "exact"), None, "no exact score"),
        (("scores", "left"), 1.0, '"left" of "scores"'),
        (("scores", "left", "float"), ..., '"left" of "scores"'),
        (("scores", "optimum"), 7.0, "optimum"),
        (("scores", "optimum"), ..., '"scores"'),
        (("scores",), None, '"scores"'),
        (("measure",), "nonsense", "nonsense"),
        (("measure",), "mocice", "scores"),
        (("measure",), "os:system", "os:system"),
        (("measure",), ["rnia"], '"measure"'),
        (("condition",), "A.7", "A.7"),
        (("condition",), "A.2", "no instance of A.2"),
        (("condition",), {}, '"condition"'),
        (("reading",), "repeated", "no reading 'repeated'"),
        (("reading",), "generous", "generous"),
        (("reading",), 1, '"reading"'),
        (("relation",), "equal", "demands 'worse', not 'equal'"),
        (("relation",), None, '"relation"'),
        (("minimal", "objects"), 3, "has 2 objects, not 3"),
        (("minimal", "objects"), "2", "objects"),
        (("minimal", "objects"), 2.0, "objects"),
        (("minimal", "certified"), "yes", "certified"),
        (("minimal", "certified"), ..., '"minimal"'),
        (("minimal",), 2, '"minimal"'),
        (("schema",), "metaeval.certificate/2", "schema"),
        (("schema",), ..., "schema"),
        (("left",), ..., 'with "left" and "right"'),
        (("extra",), 1, "unknown key 'extra'"),
        (("left",), [], "left must be an object"),
        (("left", "gold"), ..., "left must be an object"),
        (("left", "more"), {}, "left must be an object"),
        (("left", "candidate"), None, "left candidate"),
        (("left", "candidate", "biclusters"), "all", "left candidate"),
        (("left", "candidate", "biclusters"), [{"rows": [], "cols": [0]}], "left candidate"),
        (("left", "candidate", "biclusters"), [{"rows": [0, 9], "cols": [0]}], "left candidate"),
        (("left", "candidate", "biclusters"), [{"rows": [True], "cols": [0]}], "left candidate"),
        (("left", "candidate", "biclusters"), [{"rows": [-1], "cols": [0]}], "left candidate"),
        (("left", "candidate", "biclusters"), [{"rows": [0], "cols": [0]}], "no instance"),
        (("left", "candidate", "biclusters"), [], "no instance"),
        (("left", "gold", "biclusters"), [{"rows": [0, 1], "cols": [0]}], "no instance"),
        (("right", "candidate", "shape"), [3, 1], "no instance"),
        (("left", "candidate", "shape"), [2], "left candidate"),
        (("left", "candidate", "shape"), ["2", 1], "left candidate"),
        (("left", "candidate", "biclusters"), HUGE, "at most"),
        (("left", "candidate", "biclusters"), [{}] * (MOST_INDICES + 1), "at most"),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_a_tampered_certificate_is_refused_with_the_reason(sound, path, value, reason):
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
    data = sound
    for side, role in (("left", "candidate"), ("left", "gold"), ("right", "candidate"), ("right", "gold")):
        data = changed(data, (side, role, "shape"), shape)
    with pytest.raises(Refused):
        verify(data)


def test_a_kept_relation_is_refused():
    """An instance with true scores, and no violation: mocice on A.1."""
    gold = Biclustering.lifted([{0}, {1}])
    case = Case(Side(Biclustering.lifted([{0, 1}]), gold), Side(gold, gold))
    measure = find_measure("mocice")
    scores = (measure.value(*case.left), measure.value(*case.right))
    data = Certificate.of(measure, condition_of("A.1"), "canonical", case, scores, certified=True).to_json()
    with pytest.raises(Refused, match="keep the relation"):
        verify(data)


def test_a_measure_that_fails_is_no_witness(sound):
    def rnia(candidate, gold):
        raise ValueError("gone")

    with pytest.raises(Refused, match="gives no score for the left: it raised ValueError: gone"):
        verify(sound, make_measure(rnia, id="rnia"))


def test_another_measure_does_not_stand_in(sound):
    def something_else(candidate, gold):
        raise AssertionError("not asked for")

    verify(sound, as_measure(something_else))


def test_the_optimum_is_part_of_a_perfect_match(results):
    found = next(cell.certificate for cell in results if cell.condition in ("A.5", "B.5") and cell.certificate)
    data = found.to_json()
    assert data["scores"]["optimum"] is not None
    with pytest.raises(Refused, match="optimum"):
        verify(changed(data, ("scores", "optimum"), data["scores"]["optimum"] + 1))


def test_verification_draws_nothing(sound, tmp_path):
    """No strategy is asked for and no list is made: the file and the measure are all there is."""
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(sound))
    code = """
import json, sys, hypothesis
def refuse(*args, **kwargs):
    raise AssertionError("a search was started")
hypothesis.given = refuse
from metaeval.verification.certificate_check import verify
from metaeval.catalogue.condition import CONDITIONS, conditions
from dataclasses import replace
for id, one in list(conditions().items()):
    CONDITIONS.replace(id, replace(one, readings={
        name: replace(reading, strategy=refuse, enumerate_=refuse) for name, reading in one.readings.items()
    }))
verify(json.load(open(sys.argv[1])))
print("fine")
"""
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("fine\n", "")


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


@pytest.mark.parametrize("objects", [3, 5, 9])
def test_a_larger_case_is_not_minimal_because_the_file_says_so(objects):
    stated = certified("rnia", "A.1", "canonical", inflated(objects))
    assert verify(stated) == stated
    with pytest.raises(Refused, match=f"its {objects} objects are called the fewest, .* counterexample with 2"):
        check_minimal(stated)


def test_nobody_has_listed_all_cases_below_any_size():
    assert condition_of("A.1").reading("canonical").complete == 8
    with pytest.raises(Refused, match=r"its 10 objects are called the fewest, .* listed up to 8"):
        check_minimal(certified("rnia", "A.1", "canonical", inflated(10)))


def test_what_a_run_certifies_is_minimal(results):
    checked = [cell.certificate for cell in results if cell.certificate and cell.certificate.certified]
    assert len(checked) > 20
    for one in checked:
        check_minimal(one)


def test_a_certificate_that_claims_nothing_of_its_size_is_not_asked(sound):
    data = certified("rnia", "A.1", "canonical", inflated(10)).to_json()
    check_minimal(verify(changed(data, ("minimal", "certified"), False)))


def endless(candidate, gold):
    while len(gold) == 2:
        pass
    return 1.0


def deadly(candidate, gold):
    os._exit(3)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (endless, "it could not be re-checked within 0.2 s of processor time; --budget gives it more"),
        (deadly, "its measure, or its size, killed the worker that re-checked it"),
    ],
)
def test_one_certificate_that_stalls_costs_no_other(sound, function, reason):
    own = {"mine": make_measure(function, id="mine")}
    bad = changed(sound, ("measure",), "mine")
    found = [Witness("one", sound), Witness("two", bad), Witness("three", sound), Witness("four", bad)]
    fine = (2, None)
    assert [(one.place, one.objects, one.refusal) for one in recheck(found, own, 0.2)] == [
        ("one", *fine),
        ("two", None, reason),
        ("three", *fine),
        ("four", None, reason),
    ]


def test_a_size_that_takes_too_long_to_check_is_called_a_claim():
    """The measure answers for three objects and hangs on the smaller cases, which only the claim is about."""

    def slow(candidate, gold):
        while gold.shape[0] < 3:
            pass
        return Fraction(1)

    own = {"slow": make_measure(slow, id="slow")}
    data = certified("rnia", "A.1", "canonical", inflated(3)).to_json()
    (checked,) = recheck([Witness("mine", changed(data, ("measure",), "slow"))], own, 0.2)
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
