"""Attacks on `proved`: equations, objects and files that once got the word for something false."""

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

import metaeval
from metaeval import Equation, InputError, Measure
from metaeval.exact import LogSum
from metaeval.proofs.proof import Unproved, derive
from metaeval.verification.proof_check import recheck_proofs

from metaeval.equations import (  # isort: skip
    best, c, cells, classes, clusters, exp, g, in_class, in_cluster, largest, least, log, matrix, meetings, n, sqrt,
)  # fmt: skip

U = cells(1)
JACCARD = Equation(cells(in_cluster * in_class) / U, empty=1)
INFORMATION = meetings(n * log(U * n / (g * c)))
OWN, OTHER = clusters(g * log(g + 1)), classes(c * log(c + 1))


@pytest.mark.parametrize(("expression", "header", "sentence"), [
    # In a view, an inner sum was taken to be over what is in view; it is over everything, and n may be 0.
    (cells(clusters(classes(best(1 / n)))), {}, "does not stand inside"),
    (cells(clusters(classes(best(1 / (n + largest(0, 10**10 - matrix)))))), {}, "does not stand inside"),
    # As floats, exp is 0 for large cases, or too large.
    (1 / exp(-((U / 10**5) ** 2)), {}, "may be 0"),
    (exp(U**2), {}, "may be positive"),
    # The rules had the exact bound, the relation the nearest float.
    (cells(in_cluster) / U, {"low": Fraction(1, 10)}, "a float holds exactly"),
    (cells(in_cluster) / U, {"best": Fraction(1, 3)}, "a float holds exactly"),
])  # fmt: skip
def test_the_equation_is_refused(expression, header, sentence):
    with pytest.raises(InputError, match=sentence):
        Equation(expression, empty=1, **header)


@pytest.mark.parametrize(("expression", "cell"), [
    ((INFORMATION / U) ** 3, ("A.1", "canonical")),  # 1.08e-10 and 1.62e-10 with 20,000 objects: floats that tie
    (sqrt(INFORMATION / U), ("A.1", "canonical")),
    ((OWN**2 + (OWN * OTHER + OTHER**2)) / 10**6, ("S.1", "literal")),  # rounding moves equal floats apart
])  # fmt: skip
def test_scores_that_are_floats_are_not_proved(expression, cell):
    condition, reading = cell
    equation = Equation(expression, empty=0, best=None, domain="partitions")
    sides = metaeval.Biclustering.from_labels([0, 0, 1, 2]), metaeval.Biclustering.from_labels([0, 0, 0, 1])
    assert isinstance(equation(*sides), float)
    with pytest.raises(Unproved, match="floats"):
        derive(equation, metaeval.conditions()[condition].readings[reading].situation)


def test_an_equation_of_many_nodes_is_made():
    # Each level was simplified again at every level above it, which took minutes.
    x = U
    while x.nodes < 1200:
        x = largest(x, least(x, cells(in_cluster)))
    for _ in range(40):
        x = x + 1
    assert Equation(x, empty=1)(*[metaeval.Biclustering.from_labels([0, 0, 1])] * 2) == 43


def _wrong(candidate, gold):
    return Fraction(len(candidate))


def test_what_is_put_into_an_equation_is_not_scored():
    equation = Equation(JACCARD.expression, empty=1)
    assert not hasattr(equation, "__dict__")
    object.__setattr__(equation, "_function", _wrong)
    sides = metaeval.Biclustering.from_labels([0, 1, 2]), metaeval.Biclustering.from_labels([0, 0, 0])
    assert equation(*sides) == 3
    measure = metaeval.catalogue.measure.make_measure(equation, id="mine")
    assert measure.is_equation
    assert measure.value(*sides) == 1


@pytest.mark.parametrize("kind", [Equation, Measure, type(U)])
def test_there_are_no_subclasses(kind):
    with pytest.raises(TypeError, match="no subclasses"):
        type("Mine", (kind,), {})


def test_a_measure_has_the_bounds_of_its_equation():
    measure = metaeval.measures()["purity"]
    assert measure.is_equation
    with pytest.raises(InputError, match="itself"):
        replace(measure, low=1 / 450)


class _Liar(LogSum):
    __slots__ = ()

    def __eq__(self, other):
        return True

    __hash__ = LogSum.__hash__


def _lies(candidate, gold):
    return JACCARD(candidate, gold) if len(candidate) < 2 or len(gold) < 2 else _Liar({}, 7, 1)


def test_a_number_that_equals_everything_does_not_agree_with_an_equation():
    liar = metaeval.catalogue.measure.make_measure(_lies, id="liar", equation=JACCARD)
    (cell,) = metaeval.check(liar, conditions=["S.1"], readings=["literal"], examples=20, exhaustive=2).cells
    assert cell.verdict == "error"


def test_a_file_must_describe_a_measure_by_the_equation_of_its_proofs():
    results = metaeval.run(["rand"], conditions=["S.4"], readings=["canonical"], examples=20, exhaustive=2)
    data = results.to_json()
    assert [one.refusal for one in recheck_proofs(data, {})] == [None]
    data["measures"]["rand"]["equation"] = JACCARD.to_json()
    (found,) = recheck_proofs(data, {})
    assert "another equation" in found.refusal


_DERIVE = """
import metaeval
from metaeval.proofs.proof import derive
for cell in ("vi A.1 literal", "bcubed B.1 overlapping", "mocice A.5 overlapping", "ce H.1 literal"):
    measure, condition, reading = cell.split()
    situation = metaeval.conditions()[condition].readings[reading].situation
    print([one.statement for one in derive(metaeval.measures()[measure].equation, situation).statements])
"""


def test_obligations_do_not_depend_on_the_hash_seed():
    found = {
        subprocess.run(
            [sys.executable, "-c", _DERIVE], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "123"
    }
    assert len(found) == 1
    assert found.pop().count(b"[") >= 4
