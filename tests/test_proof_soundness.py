"""No proof where a counterexample is known, and proofs of all that is published as proved.

Violated cells of the atlas, mutants as equations, and plain functions of every kind: none of them is proved. All
that is published as proved is derived again, and the obligations of published cells hold on instances.
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from bugs import BUGS
from flaws import FLAWS
from fooling import FOOLING
from hunting import usual_pack
from mutant_equations import EQUATIONS, INEXPRESSIBLE
from mutants import GATE, GOLDEN, MUTANTS, Mutant
from proof_cases import SCHEMES, cases, counterexample, groups, is_proved, published, small_pack

import metaeval
from metaeval.catalogue.condition import Group
from metaeval.catalogue.measure import Measure, make_measure
from metaeval.core.relation import TOLERANCE
from metaeval.core.verdict import Verdict
from metaeval.equations import Equation, g, in_cluster, meetings, n
from metaeval.equations import cells as covered
from metaeval.equations.exact_score import compiled_value
from metaeval.equations.tree import Expression
from metaeval.proofs.obligation import sign
from metaeval.proofs.proof import LEAST_INSTANCES
from metaeval.proofs.strictness import DEFECTS
from metaeval.records.cell import Cell
from metaeval.search.prove import instances, prove, with_proof

#: True cells, and how many of them the rules derive at least; by scheme in the atlas.
LEAST = {"results": 175, "atlas": 970}
BY_SCHEME = {"typings": 380, "range": 188, "top": 215, "rise": 105, "fall": 70}
TRUE = ("holds", "proved")


def cells(file: str, *verdicts: str) -> list[tuple[str, str, str]]:
    """Measure, condition and reading of every published cell with one of these verdicts."""
    return [(x["measure"], x["condition"], x["reading"]) for x in published(file) if x["verdict"] in verdicts]


def group_of(condition: str, reading: str, domain: str = "biclusterings") -> Group:
    found = metaeval.conditions()[condition].form(domain, reading)
    return Group(found, found.readings[reading])


@cache
def derived(measure_id: str, condition: str, reading: str) -> bool:
    measure = metaeval.measures()[measure_id]
    return measure.is_equation and is_proved(measure.equation, group_of(condition, reading, measure.domain).reading)


# --- the atlas
def test_no_violated_cell_is_proved() -> None:
    violated = [cell for file in LEAST for cell in cells(file, "violated")]
    assert len(violated) > 1_429
    assert [cell for cell in violated if derived(*cell)] == []


@pytest.mark.parametrize("file", LEAST)
def test_what_is_published_as_proved_is_proved_again(file: str) -> None:
    proved = cells(file, "proved")
    assert len(proved) >= 91
    assert [cell for cell in proved if not derived(*cell)] == []


@pytest.mark.parametrize("file", LEAST)
def test_most_true_cells_are_proved(file: str) -> None:
    assert sum(derived(*cell) for cell in cells(file, *TRUE)) >= LEAST[file]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_each_scheme_proves_its_share(scheme: str) -> None:
    ids = {group.id for group in groups(scheme)}
    assert sum(derived(*cell) for cell in cells("atlas", *TRUE) if cell[1:] in ids) >= BY_SCHEME[scheme]


@pytest.mark.parametrize("file", ["results", pytest.param("atlas", marks=pytest.mark.long)])
def test_the_obligations_of_published_cells_hold_on_instances(file: str) -> None:
    held: Counter[int] = Counter()
    for measure, condition, reading in cells(file, *TRUE):
        if derived(measure, condition, reading):
            subject = metaeval.measures()[measure]
            group = group_of(condition, reading, subject.domain)
            some = instances(group.reading, usual_pack(group.condition.key), LEAST_INSTANCES, seed=3)
            held[prove(measure, subject.equation, *group, some).instances >= LEAST_INSTANCES] += 1
    assert held[False] == 0
    assert held[True] >= LEAST[file]


# --- false proofs that were found here
@pytest.mark.parametrize("cell", [("B.1", "canonical"), ("H.3", "canonical"), ("H.3", "literal")])
@pytest.mark.parametrize("divisor", [covered(1), covered(in_cluster)], ids=str)
def test_a_cluster_that_grows_has_more_rows(cell: tuple[str, str], divisor: Expression) -> None:
    """A sum over meetings that looks at rows or columns of clusters moves, though cells do not show it."""
    equation, group = Equation(meetings(n * g.rows) / divisor, empty=1, one_empty=0), group_of(*cell)
    assert counterexample(equation, group, most=15) is not None
    assert not is_proved(equation, group.reading)


# --- situations
@pytest.mark.parametrize("group", [*groups("top")], ids=str)
def test_every_left_side_has_all_defects_of_one_of_the_sets_that_the_situation_names(group: Group) -> None:
    """The proof may rest on any of them."""
    situation = group.reading.situation
    assert situation is not None
    sets = [("cells", one) for one in situation.either or (situation.cases,)]
    sets += [("objects", situation.rows)] if situation.rows else []
    for case in cases(*group.id, 4):
        for unit, alternatives in sets:
            there = {name for name, e in DEFECTS.items() if sign(compiled_value(e, unit)(*case.left), 0) > 0}
            assert any(one <= there for one in alternatives), (unit, case)


# --- mutants as equations
def test_every_mutant_is_an_equation_or_has_a_reason_why_not() -> None:
    assert sorted([*EQUATIONS, *INEXPRESSIBLE]) == sorted(mutant.id for mutant in MUTANTS)


expressed = pytest.mark.parametrize(
    "mutant", [one for one in MUTANTS if one.id in EQUATIONS], ids=lambda mutant: mutant.id
)


@expressed
def test_a_mutant_and_its_equation_are_the_same(mutant: Mutant) -> None:
    equation = EQUATIONS[mutant.id]
    measure = make_measure(equation, id="equation")
    assert measure.bounds.best == mutant.measure.bounds.best
    for case in [*cases("A.5", "overlapping", 10), *cases("H.2", "repeated", 10), *cases("S.2", "literal", 10)]:
        one, other = mutant.measure.value(*case.left), measure.value(*case.left)
        assert abs(float(one) - float(other)) <= TOLERANCE, case


@expressed
def test_no_mutant_is_proved_where_it_is_violated(mutant: Mutant) -> None:
    equation = EQUATIONS[mutant.id]
    if mutant.caught_by not in (GATE, GOLDEN):
        assert not is_proved(equation, group_of(*mutant.caught_by.split("/")).reading)
    proved = [group for scheme in SCHEMES for group in groups(scheme) if is_proved(equation, group.reading)]
    assert len(proved) >= 3  # S.4 under three readings at least
    for group in proved:
        assert counterexample(equation, group, most=4) is None, str(group)


# --- plain functions
def functions() -> list[Measure]:
    """Every function of the tests that is wrong in some way, as a measure."""
    fooling = [make_measure(function, id=f"fooling-{place}") for place, function in enumerate(FOOLING)]
    wrong = [version for one in BUGS for version in (one.wrong, one.right)]
    return [*fooling, *wrong, *(one.measure for one in (*MUTANTS, *FLAWS))]


def test_no_plain_function_is_ever_proved() -> None:
    """Whatever the search says of it."""
    group, pack = group_of("S.4", "canonical"), small_pack("S.4")
    for measure in functions():
        cell = Cell(measure.id, "S.4", "canonical", Verdict.HOLDS, cases=1)
        assert with_proof(cell, measure, *group, pack) is cell


def test_the_runner_proves_no_plain_function() -> None:
    def dice(candidate: Any, gold: Any) -> Fraction:
        return EQUATIONS["rnia-dice"](candidate, gold)

    results = metaeval.check(dice, ["S.1", "B.2"], ["canonical"], examples=5, exhaustive=3, proofs=True)
    assert {cell.verdict for cell in results} == {Verdict.HOLDS}
    again = metaeval.check(EQUATIONS["rnia-dice"], ["S.1", "B.2"], ["canonical"], examples=5, exhaustive=3, proofs=True)
    assert {cell.verdict for cell in again} == {Verdict.PROVED}
