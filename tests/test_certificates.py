"""Certificates: true ones are accepted, and everything else is refused with the reason."""

from __future__ import annotations

import copy
import json
import subprocess
import sys

import pytest
from brute_force import condition_of

import metaeval
from metaeval import Biclustering, Case, Side
from metaeval.evidence.certificates import MOST_INDICES, Certificate, Refused, verify
from metaeval.measuring import as_measure, find_measure, make_measure
from metaeval.verdicts import Verdict

MEASURES = ["ce", "rnia", "rand", "rand-background", "vi", "e4sc", "bcubed"]


@pytest.fixture(scope="module")
def results():
    return metaeval.run(MEASURES, ["A.1", "A.2", "A.5", "B.1", "B.2", "B.5"], examples=10, exhaustive=2, jobs=2)


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
        (("scores", "left", "exact"), 1, "not 1"),
        (("scores", "left", "exact"), None, "no exact score"),
        (("scores", "left"), 1.0, "left score"),
        (("scores", "left", "float"), ..., "left score"),
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
        (("left",), [], '"left"'),
        (("left", "gold"), ..., '"left"'),
        (("left", "more"), {}, '"left"'),
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
from metaeval.evidence.certificates import verify
from metaeval.condition import conditions
from dataclasses import replace
from metaeval.condition import CONDITIONS
for id, one in list(conditions().items()):
    CONDITIONS.replace(id, replace(one, readings={
        name: replace(reading, strategy=refuse, enumerate_=refuse) for name, reading in one.readings.items()
    }))
verify(json.load(open(sys.argv[1])))
print("fine")
"""
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("fine\n", "")
