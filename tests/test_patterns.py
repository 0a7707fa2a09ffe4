"""All sizes of few clusters: patterns, numbers with symbols, what is said of them, and where they lead."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from random import Random
from typing import Any

import pytest
from flawed.numbers import mocice_penalty, tversky_4_5

import metaeval
from metaeval import Biclustering, Results
from metaeval.cases import broken
from metaeval.condition import conditions, find_condition
from metaeval.errors import InputError
from metaeval.evidence.cells import AllSizes, Cell
from metaeval.evidence.wording import evidence
from metaeval.kernel import overlay
from metaeval.measuring import Measure, find_measure, make_measure
from metaeval.proving.patterns import patterns
from metaeval.proving.quantities import Quantity, Undecided, following
from metaeval.proving.refusal import Refused
from metaeval.proving.sizes import MOST_SUSPECTS, _divide, _Effort, _level, _parts, all_sizes, directed
from metaeval.verdicts import Verdict

flint = pytest.importorskip("flint")

CONTEXT = flint.fmpz_mpoly_ctx.get(["x", "y"], flint.Ordering.lex)
ONE = CONTEXT.constant(1)
X, Y = (Quantity(symbol, ONE) for symbol in CONTEXT.gens())


def measure_of(function: Any) -> Measure:
    return make_measure(function, id="mine")


def breaks(measure: Measure, condition: str, case: Any) -> bool:
    left, right = (measure.value(*side) for side in case)
    return broken(find_condition(condition).relation, (left, right), measure.bounds) is not None


# --- numbers with symbols


def test_signs_decide_what_they_can() -> None:
    assert X + 1 > 0
    assert not X < 0
    assert X + Y >= X
    assert X - X == 0
    assert not -X - 1 > Y
    for question in (lambda: X > 0, lambda: X == Y, lambda: bool(X), lambda: X > Y, lambda: 1 / X):
        with pytest.raises(Undecided):
            question()
    with pytest.raises(ZeroDivisionError):
        1 / (X - X)


def test_quotients_compute_as_fractions_do() -> None:
    a, b = 1 + X, 2 + Y
    number = (3 * a / b - Fraction(1, 2)) ** 2 + a * (a - 1) // 2 - abs(-b)
    for x, y in ((0, 0), (1, 4), (7, 3)):
        p, q = 1 + x, 2 + y
        assert number.at((x, y)) == (3 * Fraction(p, q) - Fraction(1, 2)) ** 2 + p * (p - 1) // 2 - q


def test_a_quotient_is_rounded_only_where_nothing_remains() -> None:
    with pytest.raises(Refused):
        X // 2
    assert (X * (X + 1) // 2).at((5, 0)) == 15
    with pytest.raises(Refused):
        X + 0.5
    for refused in (float, hash, int):
        with pytest.raises(TypeError):
            refused(X)


def test_names_mean_what_they_meant_before_and_after() -> None:
    import metaeval.kernel

    with following([metaeval.kernel]):
        assert metaeval.kernel.Fraction(2, 4) == Fraction(1, 2)
        assert isinstance(Fraction(1), metaeval.kernel.Fraction)
        assert metaeval.kernel.lcm(4, 6) == 12
        assert metaeval.kernel.sum_of_ratios([(1, 1 + X), (1, 2)]).at((2, 0)) == Fraction(5, 6)
    assert (metaeval.kernel.Fraction, metaeval.kernel.lcm) == (Fraction, lcm)


# --- patterns


def test_patterns_are_all_that_cases_collapse_to() -> None:
    reading = find_condition("A.1").reading("canonical")
    assert [len(patterns(reading, kinds)) for kinds in (1, 2, 3)] == [0, 1, 3]
    for pattern in patterns(reading, 3):
        assert all(pattern.free)
        assert reading.premise(pattern.sized([4, 1, 9]))


def test_of_some_kinds_there_is_one_object() -> None:
    # A new object of B.1 stands alone, or joins a cluster: two that stand alone are two clusters.
    found = patterns(find_condition("B.1").reading("canonical"), 2)
    assert sorted(pattern.free for pattern in found) == [(True, False), (True, True)]


@pytest.mark.parametrize("condition", ["A.3", "A.4", "B.2", "B.3", "B.4"])
def test_nothing_is_said_where_sizes_are_tied(condition: str) -> None:
    for reading in find_condition(condition).readings:
        assert all_sizes(find_measure("bcubed"), find_condition(condition), reading) is None


# --- what is said of them


@pytest.mark.parametrize("id", ["bcubed", "mocice", "ce", "rand", "rnia", "e4sc"])
@pytest.mark.parametrize("condition", ["A.1", "A.2", "A.5", "B.5"])
def test_the_sign_is_that_of_exact_scores(id: str, condition: str) -> None:
    """Parts are all sizes together, and in each the sign is that of the measure itself."""
    measure, stated = find_measure(id), find_condition(condition)
    random = Random(f"{id}{condition}")
    for subject in _level(measure, stated, stated.reading("canonical"), 3):
        try:
            parts = [*_parts(subject, _Effort(60))]
        except Refused:
            continue
        for part, obstacle in parts:
            values = [random.randrange(9) for _ in part.weights]
            case = subject.pattern.sized(part.sizes(values))
            if obstacle is None:
                assert not breaks(measure, condition, case)
            elif obstacle.is_broken:
                assert breaks(measure, condition, case)
            elif condition in ("A.1", "A.2"):
                sign = int(obstacle.poly(*values))
                assert (sign <= 0) == breaks(measure, condition, case)


def test_parts_are_the_whole() -> None:
    subject = _level(find_measure("ce"), find_condition("A.5"), find_condition("A.5").reading("canonical"), 2)[0]
    found = [part for part, obstacle in _parts(subject, _Effort(60)) if obstacle is None or obstacle.is_broken]
    assert len(found) > 1
    sizes = [tuple(part.sizes([a, b])) for part in found for a in range(12) for b in range(12)]
    assert {(a, b) for a in range(1, 9) for b in range(1, 9)} <= {*sizes}


def test_what_may_outweigh_is_told_apart() -> None:
    x, y = CONTEXT.gens()
    assert _divide(x**2 - y**2) in ((0, 1), (1, 0))
    assert _divide(x * y + y**2) == (1, 1)
    assert _divide(x**2 - 3 * x) == (0, 0)
    assert _divide(x**2 - x - 3) in ((0, 0), (1, 1))


def test_no_violated_cell_is_kept_on_the_patterns_of_its_counterexample(pytestconfig: pytest.Config) -> None:
    results = Results.load(pytestconfig.rootpath / "docs" / "results.json")
    judged = 0
    for cell in results:
        if cell.verdict is not Verdict.VIOLATED or cell.certificate is None or cell.reading == "overlapping":
            continue
        measure, condition = find_measure(cell.measure), conditions()[cell.condition]
        known = all_sizes(measure, condition, cell.reading)
        case = cell.certificate.case
        judged += known is not None
        assert known is None or known.kinds < kinds_of([*case.left, *case.right]) or case.features > 1, cell.key
    assert judged


def kinds_of(families: list[Biclustering]) -> int:
    """In how many ways objects lie in biclusters, counted anew."""
    objects = max(family.shape[0] for family in families)
    lying = [tuple(tuple(row in rows for rows, _ in family) for family in families) for row in range(objects)]
    return len({one for one in lying if any(map(any, one))})


def greater_part(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """Keeps A.1: of two parts, the share of the larger one is lower in the mixed cluster."""
    cells = overlay(candidate, gold)
    purity = sum(max(line) for line in cells.intersections)
    return Fraction(purity, cells.union)


def test_a_maximum_is_decided_by_splitting() -> None:
    assert all_sizes(measure_of(greater_part), find_condition("A.1"), "canonical") is not None
    # A cluster that is pure already gains nothing from a merger.
    assert all_sizes(measure_of(greater_part), find_condition("A.2"), "canonical") is None


def by_objects(candidate: Biclustering, gold: Biclustering) -> Fraction:
    together = {frozenset(rows) for rows, _ in candidate} & {frozenset(rows) for rows, _ in gold}
    return Fraction(len(together), max(len(candidate), len(gold), 1))


def by_shape(candidate: Biclustering, gold: Biclustering) -> Fraction:
    return Fraction(overlay(candidate, gold).shared, candidate.shape[0])


def by_float(candidate: Biclustering, gold: Biclustering) -> float:
    return float(overlay(candidate, gold).shared)


def by_type(candidate: Biclustering, gold: Biclustering) -> Fraction:
    if not isinstance(overlay(candidate, gold).union, int):
        return Fraction(len(candidate) * (-1 if len(candidate) < len(gold) else 1))
    return Fraction(0)


def by_threshold(candidate: Biclustering, gold: Biclustering) -> Fraction:
    cells = overlay(candidate, gold)
    return greater_part(candidate, gold) if cells.union < 1000 else Fraction(0)


def by_multiple(candidate: Biclustering, gold: Biclustering) -> Fraction:
    return Fraction(lcm(*overlay(candidate, gold).candidate_sizes))


@pytest.mark.parametrize("function", [by_objects, by_shape, by_float, by_type, by_threshold, by_multiple])
def test_what_cannot_be_followed_is_left_out(function: Any) -> None:
    for condition in ("A.1", "A.5", "B.1"):
        assert all_sizes(measure_of(function), find_condition(condition), "canonical") is None


# --- where they lead


@pytest.mark.parametrize("id", ["e4sc", "ce"])
def test_a_direction_leads_to_a_counterexample(id: str) -> None:
    measure, reading = find_measure(id), find_condition("A.1").reading("canonical")
    cases = [*directed(measure, find_condition("A.1"), "canonical")]
    assert all(map(reading.premise, cases))
    assert any(breaks(measure, "A.1", case) for case in cases)


def test_a_mean_of_tversky_indices_gives_way_in_a_direction() -> None:
    measure = measure_of(tversky_4_5)
    cases = directed(measure, find_condition("A.1"), "canonical")
    assert any(breaks(measure, "A.1", case) for case in cases)


def test_directions_are_few() -> None:
    assert 0 < len([*directed(measure_of(mocice_penalty), find_condition("A.1"), "canonical")]) <= MOST_SUSPECTS


def test_where_all_signs_are_right_there_is_no_direction() -> None:
    assert not [*directed(find_measure("bcubed"), find_condition("A.1"), "canonical")]


# --- in results

KNOWN = AllSizes(kinds=3, clusters=3, classes=2, patterns=22)


def test_cells_keep_it_and_say_it() -> None:
    cell = Cell("ce", "B.1", "canonical", Verdict.HOLDS, cases=7, all_sizes=KNOWN)
    assert Cell.from_json(cell.to_json()) == cell
    assert "kept for all sizes on one feature with up to 3 kinds of objects (22 patterns" in evidence(cell)
    assert "all_sizes" not in Cell("ce", "B.1", "canonical", Verdict.HOLDS, cases=7).to_json()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"all_sizes": {**KNOWN.to_json(), "kinds": -1}}, "whole number"),
        ({"all_sizes": {**KNOWN.to_json(), "patterns": 0}}, "at least one"),
        ({"all_sizes": {**KNOWN.to_json(), "rows": 1}}, "rows"),
        ({"all_sizes": {"kinds": 3}}, "clusters"),
        ({"verdict": "undefined"}, "only where it holds"),
    ],
)
def test_what_no_run_wrote_is_refused(change: dict[str, Any], told: str) -> None:
    data = Cell("ce", "B.1", "canonical", Verdict.HOLDS, cases=7, all_sizes=KNOWN).to_json()
    with pytest.raises(InputError, match=told):
        Cell.from_json({**data, **change})


def test_a_run_writes_it_where_there_is_no_proof() -> None:
    chosen = {
        "measures": ["e4sc"],
        "conditions": ["A.5"],
        "readings": ["canonical"],
        "examples": 5,
        "exhaustive": 3,
    }
    cell = metaeval.run(**chosen).cell("e4sc", "A.5", "canonical")
    assert (cell.verdict, cell.all_sizes is not None) == (Verdict.HOLDS, cell.proof is None)
    assert metaeval.run(**chosen, proofs=False).cell("e4sc", "A.5", "canonical").all_sizes is None
