"""The conditions: what their strategies draw, and what the search finds with them."""

from contextlib import suppress
from dataclasses import fields, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest
import reference
from brute_force import EVERY, FORMS, FORMS_ID, OF_PAIRS, condition_of, reading_of
from hunting import search_among
from hypothesis import find, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

import metaeval
from metaeval import Biclustering, Case, InputError
from metaeval.adapters import as_measure
from metaeval.cases.sampling import cell_settings, sample_here
from metaeval.catalogue.condition import CONDITIONS, READINGS, Reading
from metaeval.catalogue.condition import condition as register
from metaeval.catalogue.measure import DOMAINS, find_measure, make_measure
from metaeval.core.verdict import Verdict
from metaeval.literature.shelf import PAPER
from metaeval.records.cell import Exhaustive
from metaeval.verification.certificate_check import verify

from metaeval.core.relation import (  # isort: skip
    EQUAL, MEAN_EQUAL, NOT_BETTER, NOT_OPTIMAL, OPTIMAL, PERFECT_MATCH, RELATIONS, TRIANGLE, WITHIN, WORSE, Bounds,
    broken, relation_of,
)  # fmt: skip

EXAMPLES = 100


def drawn(reading, examples=EXAMPLES):
    """Cases of a reading that need not be registered."""
    return _drawn(reading.strategy, examples)


@cache
def _drawn(strategy, examples):
    cases = []

    @seed("tests")
    @cell_settings(examples)
    @given(strategy())
    def collect(case):
        cases.append(case)

    with suppress(Unsatisfiable):
        collect()
    return cases


@pytest.fixture(scope="module", params=FORMS, ids=FORMS_ID)
def cell(request):
    """Every condition and reading in turn: the tests of one follow each other, and draw its cases once."""
    return request.param


# --- the registry -------------------------------------------------------------------------------------
def test_conditions_under_the_readings_of_the_specification():
    readings = {id: tuple(one.readings) for id, one in metaeval.conditions().items()}
    three = ("canonical", "literal", "overlapping")
    two = ("canonical", "overlapping")
    growing = (*three, "non-trivial", "proper")
    specified = {
        **dict.fromkeys(("A.1", "A.2", "A.3", "A.4", "B.1", "B.5", "S.2", "S.3", "S.4"), three),
        **dict.fromkeys(("A.5", "S.1"), (*three, "repeated")), **dict.fromkeys(("B.2", "B.3"), two),
        "B.4": (*two, "repeated"), **dict.fromkeys(("G.1", "G.2", "H.4"), ("canonical", "literal")),
        "G.3": ("canonical",), "G.4": ("canonical", "non-trivial"), **dict.fromkeys(("H.1", "H.3"), growing),
        "H.2": (*three, "repeated", "proper"), **dict.fromkeys(("H.5", "H.6", "H.7", "H.8"), (*three, "proper")),
    }  # fmt: skip
    assert {id: readings[id] for id in specified} == specified
    assert list(readings)[: len(PAPER.conditions)] == [*PAPER.conditions]
    relations = {id: one.relation for id, one in metaeval.conditions().items()}
    specified = {
        **dict.fromkeys(("A.1", "A.2", "A.3", "A.4", "B.1", "G.1", "H.1", "H.3", "H.5", "H.7"), WORSE),
        **dict.fromkeys(("B.2", "B.3", "B.4", "S.1", "S.4", "H.6"), EQUAL),
        **dict.fromkeys(("A.5", "H.8"), PERFECT_MATCH), **dict.fromkeys(("B.5", "H.2", "H.4"), NOT_OPTIMAL),
        "S.2": WITHIN, "S.3": OPTIMAL, "G.2": NOT_BETTER, "G.3": TRIANGLE, "G.4": MEAN_EQUAL,
    }  # fmt: skip
    assert {id: relations[id] for id in specified} == specified


def test_every_condition_says_what_it_is():
    for condition, reading in EVERY:
        assert condition.name
        assert condition.statement.endswith(".")
        assert "doi" in condition.citation.lower() or "arXiv" in condition.citation
        assert reading.adds.endswith(".")
        assert reading.scope


def test_a_condition_declares_whether_its_right_is_the_gold(cell):
    condition, reading = cell
    if cell in OF_PAIRS:
        is_gold = all(case.right.candidate == case.right.gold for case in drawn(reading))
        assert is_gold == condition.right_is_gold


def test_relations_that_speak_of_the_optimum_need_it():
    speaking = {relation for relation in RELATIONS if relation.needs_optimum}
    assert speaking == {NOT_OPTIMAL, PERFECT_MATCH, OPTIMAL, WITHIN, TRIANGLE}
    for relation in RELATIONS:
        # Whether the same scores keep the relation depends on the optimum, or it does not.
        scores = [(left, *(1,) * (relation.sides - 1)) for left in (0, 1, 2)]
        by_best = [[broken(relation, some, Bounds(best=best)) for some in scores] for best in (1, 2)]
        assert (by_best[0] != by_best[1]) == relation.needs_optimum


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.demand)
def test_a_relation_is_found_by_its_name_and_its_key(relation):
    assert relation_of(relation.name, "in other words", relation.key).key == relation.key
    assert relation_of(relation.name, relation.demand) is relation  # as older files have it
    assert relation_of(relation.name, "in other words").name == relation.name
    with pytest.raises(InputError, match="no relation is called"):
        relation_of(relation.demand)


@pytest.fixture
def registered():
    """What a test registers, taken out again."""
    known = dict(CONDITIONS.view)
    yield CONDITIONS.view
    for id in CONDITIONS.view.keys() - known.keys():
        CONDITIONS.remove(id)


def new_condition(*readings, premise):
    words = {"name": "Test", "statement": "Test.", "citation": "arXiv:0000.00000"}
    return register("Z.1", **words, relation=WORSE, premise=premise, readings=readings)


def test_registering_binds_the_premise_to_every_reading(registered):
    plain, wide = reading_of("A.1", "canonical"), reading_of("A.1", "overlapping")
    unbound = fresh(plain)
    own = replace(fresh(wide), premise=lambda case: True)
    with pytest.raises(InputError, match="no premise yet"):
        unbound.premise(None)
    bound = new_condition(unbound, own, premise=lambda case, reading: reading == "canonical")
    assert bound.reading("canonical").premise(None) is True
    assert bound.reading("overlapping").premise is own.premise
    assert registered["Z.1"] is bound


def fresh(reading):
    """The reading as it is before its condition is registered."""
    return Reading(**{one.name: getattr(reading, one.name) for one in fields(Reading) if one.name != "premise"})


@pytest.mark.parametrize(("field", "value"), [("name", "loose"), ("domain", "fuzzy")])
def test_a_reading_of_no_known_kind_is_refused(registered, field, value):
    odd = replace(reading_of("A.1", "canonical"), **{field: value})
    with pytest.raises(InputError, match=rf"Z\.1.*'{value}'; expected one of .*(canonical|partitions)"):
        new_condition(odd, premise=lambda case, reading: True)
    assert "Z.1" not in registered


# --- strategies ---------------------------------------------------------------------------------------


#: Both sides are the same, since nothing leads anywhere.
ONE_SIDED = {"S.3"}


def strategy_failures(reading, examples=EXAMPLES, one_sided=False, widths=3):
    """What is wrong with the cases that a reading's strategy draws."""
    cases = drawn(reading, examples)
    failures = []
    if len(cases) < examples / 2:
        failures.append(f"only {len(cases)} cases")
    failures += [f"no instance: {case}" for case in cases if not reading.premise(case)]
    failures += [f"equal sides: {case}" for case in cases if len(case) == 2 and (case.left == case.right) != one_sided]
    if len(set(cases)) < examples / 3:
        failures.append(f"only {len(set(cases))} different cases")
    objects, features = {case.objects for case in cases}, {case.features for case in cases}
    # Pools are of few objects: they hold every candidate.
    pooled = any(side.is_pool for case in cases for side in case)
    if max(objects, default=0) < (7 if pooled else 10) or len(objects) < (4 if pooled else 6):
        failures.append(f"only the sizes {objects}")
    if len(features) < widths:
        failures.append(f"only {features} features")
    golds = {len(case.left.gold) for case in cases}
    if len(golds) < 3:
        failures.append(f"only golds of {golds} classes")
    return failures


def test_strategies_draw_many_kinds_of_instances(cell):
    condition, reading = cell
    # Measures of clusterings meet one feature.
    widths = 3 if condition.key == condition.id else 1
    assert strategy_failures(reading, one_sided=condition.id in ONE_SIDED, widths=widths) == []
    # Dozens of objects are reached.
    assert max(case.objects for case in drawn(reading)) >= (7 if condition.relation.pooled else 15)


def covered(part):
    return {row for rows, _ in part for row in rows}


def test_literal_contexts_have_objects_on_every_side(cell):
    condition, reading = cell
    if condition.id not in ("A.1", "A.2", "A.3", "A.4") or reading.name != "literal":
        return
    kinds = set()
    for case in drawn(reading, 150 if condition.id == "A.4" else EXAMPLES):  # rare there
        found, gold = covered(case.left.candidate), covered(case.left.gold)
        for row in range(case.objects):
            kinds.add((row in found, row in gold))
    assert kinds == set(product([True, False], repeat=2))


def test_overlapping_strategies_overlap(cell):
    def overlaps(part):
        return any(a[0] & b[0] and a[1] & b[1] for a, b in combinations(set(part), 2))

    _, reading = cell
    # G.4 is about partitions, non-trivial ones too.
    if reading.name in ("overlapping", "proper", "non-trivial") and reading.domain != "partitions":
        cases = drawn(reading)
        assert sum(any(overlaps(part) for side in case for part in side) for case in cases) > len(cases) / 4


def test_clusters_that_are_joined_may_be_classes_and_only_the_gold_itself_is_kept_out():
    """Classes lie inside the two clusters that A.2 joins, around them, across, apart; or are one of them, or both."""
    classes_joined = set()
    kinds = set()
    for case in drawn(reading_of("A.2", "overlapping")):
        joined = {rows for rows, _ in case.left.candidate} - {rows for rows, _ in case.right.candidate}
        for (members, _), cluster in product(case.left.gold, joined):
            if members != cluster:
                kinds.add((members < cluster, members > cluster, bool(members & cluster)))
        classes_joined.add(len(joined & {rows for rows, _ in case.left.gold}))
        assert case.left.candidate != case.left.gold
    assert kinds == {(True, False, True), (False, True, True), (False, False, True), (False, False, False)}
    assert classes_joined == {0, 1, 2}


def test_only_an_empty_gold_is_kept_out_of_the_literal_non_intersection_area():
    kinds = set()
    for case in drawn(reading_of("B.1", "literal")):
        found, gold = covered(case.right.candidate), covered(case.right.gold)
        kinds.add((bool(found), bool(gold), bool(found & gold)))
    assert kinds == {(True, True, True), (True, True, False), (False, True, False)}


@pytest.mark.parametrize("condition", ["A.1", "A.2", "A.3", "A.4"])
def test_a_case_without_context_can_be_drawn(condition):
    least = {"A.1": 2, "A.2": 2, "A.3": 5, "A.4": 7}[condition]
    for reading in condition_of(condition).readings.values():
        small = find(
            reading.strategy(), lambda case: case.objects <= least, settings=settings(database=None, deadline=None)
        )
        assert small.objects <= least


def test_another_seed_draws_other_cases(cell):
    condition, reading = cell
    one, again, other = (sample_here((condition.key, reading.name), 8, number) for number in (1, 1, 2))
    assert one == again
    assert one != other


# --- domains ------------------------------------------------------------------------------------------
def is_disjoint(part):
    return not any(a[0] & b[0] and a[1] & b[1] for a, b in combinations(part, 2))


def is_clustering(case):
    return len({cols for side in case for part in side for _, cols in part}) <= 1


def is_partition(part):
    return is_disjoint(part) and covered(part) == set(range(part.shape[0]))


def lies_in(domain, case):
    parts = [part for side in case for part in side]
    if domain == "disjoint":
        return all(map(is_disjoint, parts))
    if domain == "clusterings":
        return is_clustering(case)
    if domain == "partitions":
        return is_clustering(case) and all(map(is_partition, parts))
    return True


def small_cases(reading):
    small = [case for objects in range(1, 4) for case in reading.enumerate_(objects)]
    return small[:: max(1, len(small) // 200)]


def test_cells_of_a_domain_have_cases_of_that_domain_only(cell):
    _, reading = cell
    cases = [*drawn(reading), *small_cases(reading)]
    for domain in DOMAINS:
        if reading.lies_in(domain):
            assert all(lies_in(domain, case) for case in cases), domain
        else:
            assert not all(lies_in(domain, case) for case in cases), f"this cell could be judged: {domain}"


ANYTHING = ("biclusterings",)
DISJOINT = ("biclusterings", "disjoint")
CLUSTERINGS = ("biclusterings", "clusterings")
DISJOINT_CLUSTERINGS = ("biclusterings", "disjoint", "clusterings")

#: The readings of Horta & Campello's properties: disjoint ones first.
DEGREES = ("canonical", "literal", "overlapping", "proper")

#: For every cell the measures that are judged on it, by their domains.
JUDGED = {
    **{(id, "canonical"): DOMAINS for id in ("A.1", "A.2", "A.3", "A.4", "A.5", "S.1", "S.3", "S.4", "G.1", "G.2")},
    **{(id, "literal"): DISJOINT_CLUSTERINGS for id in ("A.1", "A.2", "A.3", "A.4", "G.1", "G.2")},
    **{(id, "overlapping"): CLUSTERINGS for id in ("A.1", "A.2", "A.3", "A.4")},
    **{(id, "literal"): DISJOINT for id in ("A.5", "S.1", "S.2", "S.3", "S.4")},
    **{(id, "overlapping"): ANYTHING for id in ("A.5", "S.1", "S.2", "S.3", "S.4")},
    **{(id, "repeated"): ANYTHING for id in ("A.5", "S.1", "H.2")},
    **{(id, "canonical"): DISJOINT for id in ("B.1", "B.2", "B.3", "B.4", "B.5")},
    **{(id, "literal"): DISJOINT for id in ("B.1", "B.5")},
    **{(id, "overlapping"): ANYTHING for id in ("B.1", "B.2", "B.3", "B.4", "B.5")},
    ("B.4", "repeated"): ANYTHING,
    **{(id, name): DISJOINT for id in ("H.1", "H.2", "H.3", "H.4", "H.6", "H.7", "H.8") for name in DEGREES[:2]},
    **{(id, name): ANYTHING for id in ("H.1", "H.2", "H.3", "H.6", "H.7", "H.8") for name in DEGREES[2:]},
    # What is repeated is not disjoint.
    **{("H.5", name): ANYTHING for name in DEGREES},
    **{(id, "non-trivial"): ANYTHING for id in ("H.1", "H.3")},
    **{(id, "canonical"): DOMAINS for id in ("S.2", "G.3", "G.4")},
    ("G.4", "non-trivial"): DOMAINS,
}


def test_cells_lie_in_the_domains_of_the_table():
    assert set(DOMAINS) == {*DISJOINT_CLUSTERINGS, "partitions"}
    # The test above is for every condition; the table is for those that it names.
    named = {id for id, _ in JUDGED}
    found = {(c.id, r.name): {domain for domain in DOMAINS if r.lies_in(domain)} for c, r in EVERY if c.id in named}
    assert found == {cell: set(domains) for cell, domains in JUDGED.items()}


# --- violations that anyone can check by hand ---------------------------------------------------------
def one_cell(measure, condition, reading, **options):
    # Without drawing, which the lists need not: a process less to start.
    options = {"examples": 0, "jobs": 1, **options}
    return metaeval.check(measure, [condition], [reading], **options).cell(as_measure(measure).id, condition, reading)


@pytest.mark.parametrize(("measure", "condition", "reading", "objects"), [
    ("ce", "A.1", "canonical", 3), ("ce", "A.2", "canonical", 4), ("rnia", "A.1", "canonical", 2),
    ("rnia", "A.3", "canonical", 5), ("rand", "A.3", "canonical", 5), ("rand", "A.4", "canonical", 7),
    ("vi", "A.3", "canonical", 5), ("e4sc", "A.3", "canonical", 5), ("rnia", "B.5", "canonical", 1),
    ("rand-background", "B.2", "canonical", None), ("mocice", "A.3", "literal", 7), ("bcubed", "A.5", "overlapping", 1),
    ("mocice", "A.5", "repeated", 1), ("ce", "S.2", "overlapping", 1), ("mocice", "G.3", "canonical", 4),
    ("bcubed", "G.3", "canonical", 3), ("rand", "G.4", "canonical", 2), ("rand", "G.4", "non-trivial", 4),
])  # fmt: skip
def test_known_violations_are_found_and_minimal(measure, condition, reading, objects):
    # One of these lies outside the list, which ends at three biclusters per side.
    examples = 60 if reading == "repeated" else 0
    cell = one_cell(measure, condition, reading, examples=examples, exhaustive=max(objects or 0, 2))
    assert cell.verdict == Verdict.VIOLATED
    assert cell.certificate.certified is True
    if objects is not None:
        assert cell.certificate.objects == objects
    assert 0 < cell.violations <= cell.cases
    verify(cell.certificate)
    case = cell.certificate.case
    assert case.objects == cell.certificate.objects
    # No smaller one: straight from the list, judged by the definition.
    smaller = [small for n in range(1, case.objects) for small in reading_of(condition, reading).enumerate_(n)]
    assert not any(is_broken(measure, condition, small) for small in smaller[:: max(1, len(smaller) // 500)])
    assert is_broken(measure, condition, case)


def by_definition(measure, side):
    """The mean over the candidates, of which there is mostly one."""
    *candidates, gold = side
    return sum(reference.MEASURES[measure](one, gold) for one in candidates) / len(candidates)


def is_broken(measure, condition, case):
    """Whether a case breaks a condition's relation, by the measure's equation over single cells."""
    scores = [by_definition(measure, side) for side in case]
    optimum = find_measure(measure).optimum
    margin = 0 if isinstance(scores[0], Fraction) else 1e-9
    relation = condition_of(condition).relation
    if relation is WITHIN:
        return scores[0] > optimum + margin
    if relation is TRIANGLE:
        there, on, direct = (optimum - score for score in scores)
        return direct > there + on + margin
    left, right = scores
    if relation is WORSE:
        return not right - left > margin
    if relation in (EQUAL, MEAN_EQUAL):
        return abs(left - right) > margin
    return left >= optimum - margin or (relation is PERFECT_MATCH and right < optimum - margin)


@pytest.fixture(scope="module")
def mocice():
    """Up to five objects, and seven where the smallest case of all has as many."""
    options = {"readings": ["canonical"], "examples": 25, "jobs": 2}
    others = [id for id in PAPER.conditions if id != "A.4"]
    return {
        "A.4": metaeval.check("mocice", ["A.4"], exhaustive=7, **options),
        **dict.fromkeys(others, metaeval.check("mocice", others, exhaustive=5, **options)),
    }


@pytest.mark.parametrize("condition", ["A.1", "A.2", "A.3", "A.4", "A.5", "B.1", "B.2", "B.3", "B.4", "B.5"])
def test_mocice_is_proved_as_the_paper_pictures_it(mocice, condition):
    cell = mocice[condition].cell("mocice", condition)
    assert cell.verdict == Verdict.PROVED
    assert cell.certificate is None
    assert cell.violations == 0
    assert cell.cases > 20
    assert cell.claim == "satisfies"
    reading = reading_of(condition, "canonical")
    bound = min(7 if condition == "A.4" else 5, reading.complete)
    listed = sum(1 for n in range(1, bound + 1) for _ in reading.enumerate_(n))
    assert cell.exhaustive == Exhaustive(objects=bound, cases=listed)


# --- a broken measure for every condition -------------------------------------------------------------
def cells_of(part):
    return [frozenset(product(rows, cols)) for rows, cols in part]


def union(part):
    return frozenset().union(*cells_of(part))


def purity(candidate, gold):
    """The share of each cluster's largest class: fragments cost nothing, a stray the same wherever it is."""
    found, classes = cells_of(candidate), cells_of(gold)
    total = sum(map(len, found))
    hits = sum(max((len(one & other) for other in classes), default=0) for one in found)
    return Fraction(hits, total) if total else Fraction(not classes)


def inverse_purity(candidate, gold):
    """The share of each class's largest cluster: mixing costs nothing."""
    return purity(gold, candidate)


def pairs_alone(candidate, gold):
    """Pairs of objects: one lost by a large cluster weighs as much as many small pairs."""
    found, classes = (
        {pair for rows, _ in part for pair in combinations(sorted(rows), 2)} for part in (candidate, gold)
    )
    return Fraction(len(found & classes), len(found | classes)) if found | classes else Fraction(1)


def contentment(candidate, gold):
    """Everything is perfect."""
    return 1


def ignores_surplus(candidate, gold):
    """How much of the gold's area is covered; what is covered besides costs nothing."""
    area = union(gold)
    return Fraction(len(area & union(candidate)), len(area)) if area else Fraction(1)


def sees_the_background(candidate, gold):
    """Agreement on every cell of the matrix."""
    n, m = (max(pair) for pair in zip(candidate.shape, gold.shape, strict=True))
    return 1 - Fraction(len(union(candidate) ^ union(gold)), n * m) if n * m else 1


def counts_cells(candidate, gold):
    """Twice the matrix, twice the errors."""
    return Fraction(1, 1 + len(union(candidate) ^ union(gold)))


def counts_clusters(candidate, gold):
    """Twice the clusters, twice the difference in number."""
    return Fraction(1, 1 + abs(len(candidate) - len(gold)))


def area_alone(candidate, gold):
    """The covered area, however it is cut."""
    both, either = union(gold) & union(candidate), union(gold) | union(candidate)
    return Fraction(len(both), len(either)) if either else Fraction(1)


def no_score_for_the_trivial(candidate, gold):
    """As an adjusted measure may have it: 0 / 0 where one class, or only singletons, leave nothing to chance."""
    classes = cells_of(gold)
    if len(classes) < 2 or all(len(one) == 1 for one in classes):
        return float("nan")
    return area_alone(candidate, gold)


def neighbours(candidate, gold):
    """Looks at every two objects that come one after the other; in the opposite order they still do."""
    found, classes = (
        {(row, col) for rows, cols in part for row in rows for col in cols if row + 1 in rows}
        for part in (candidate, gold)
    )
    return Fraction(len(found & classes), len(found | classes)) if found | classes else Fraction(1)


def overshoots(candidate, gold):
    """More than everything for more clusters than classes."""
    return Fraction(2 if len(candidate) > len(gold) else 1)


def squares_the_difference(candidate, gold):
    """Twice as far is four times as bad, so that a stop on the way pays."""
    return 1 - Fraction((len(candidate) - len(gold)) ** 2, 100)


BROKEN = {
    "A.1": inverse_purity, "A.2": purity, **dict.fromkeys(("A.3", "S.1", "G.1", "H.2", "H.6"), purity),
    "A.4": pairs_alone, **dict.fromkeys(("A.5", "H.8"), contentment),
    **dict.fromkeys(("B.1", "H.1", "H.3"), ignores_surplus), "B.2": sees_the_background, "B.3": counts_cells,
    **dict.fromkeys(("B.4", "G.2", "G.4"), counts_clusters), **dict.fromkeys(("B.5", "H.4", "H.5", "H.7"), area_alone),
    "S.2": overshoots, "S.3": no_score_for_the_trivial, "S.4": neighbours, "G.3": squares_the_difference,
}  # fmt: skip


#: How far the lists must go for these; up to five objects for all others.
FAR = {"A.4": 7, "H.7": 8}


def test_there_is_a_broken_measure_for_every_condition():
    assert sorted(BROKEN) == sorted(metaeval.conditions())


def test_a_broken_measure_is_found_out_by_the_list_and_by_drawing(cell):
    """Each by itself: a strategy or a list that yields nothing of interest finds nothing."""
    condition, reading = cell
    subject = as_measure(BROKEN[condition.id])
    (by_drawing,) = search_among(condition, reading, [subject], drawn(reading), exhaustive=0)
    assert by_drawing.verdict == Verdict.VIOLATED
    assert reading.premise(by_drawing.certificate.case)
    (by_list,) = search_among(condition, reading, [subject], [], exhaustive=FAR.get(condition.id, 5))
    assert by_list.verdict == Verdict.VIOLATED
    # No list has as many features as are drawn, and what takes objects on one feature takes one object on many.
    listed_first, drawn_first = by_list.certificate.case, by_drawing.certificate.case
    assert listed_first.objects <= drawn_first.objects or listed_first.features < drawn_first.features


@pytest.mark.parametrize("condition", BROKEN)
def test_a_broken_measure_gets_a_certificate(condition):
    subject = as_measure(BROKEN[condition])
    cell = one_cell(subject, condition, "canonical", exhaustive=FAR.get(condition, 5))
    assert cell.verdict == Verdict.VIOLATED
    assert cell.certificate.certified
    verify(cell.certificate, subject)


# --- the checks themselves ----------------------------------------------------------------------------
def test_a_strategy_or_premise_of_no_interest_is_caught(cell):
    _, reading = cell
    first = next(case for n in range(1, reading.reach + 1) for case in reading.enumerate_(n))
    trivial = [
        replace(reading, strategy=st.nothing),
        replace(reading, strategy=lambda: st.just(first)),
        replace(reading, premise=lambda case: False),
    ]
    for poor in trivial:
        assert strategy_failures(poor)


@pytest.mark.parametrize("condition", ["A.1", "A.2", "B.1"])
def test_a_strategy_of_small_cases_only_is_caught(condition):
    reading = reading_of(condition, "canonical")
    small = replace(reading, strategy=lambda: reading.strategy().filter(lambda case: case.objects <= 5))
    assert strategy_failures(small, examples=60)


def test_without_cases_a_cell_is_vacuous(cell):
    condition, reading = cell
    empty = replace(reading, enumerate_=lambda objects: iter(()), strategy=st.nothing)
    alone = replace(condition, readings={reading.name: empty})  # other readings would lend it theirs
    for measure in ("mocice", "rnia"):
        (finding,) = search_among(alone, empty, [find_measure(measure)], drawn(empty, 20))
        assert finding.verdict == Verdict.VACUOUS
        assert finding.cases == 0


def test_a_run_with_neither_list_nor_drawing_is_vacuous():
    results = metaeval.run(["rnia"], suite="paper", examples=0, exhaustive=0, jobs=1)
    assert {cell.verdict for cell in results} == {Verdict.VACUOUS}
    assert len(results) == sum(condition.id in PAPER.conditions for condition, _ in EVERY)


def test_readings_have_an_order_cases_a_size_and_functions_an_id():
    for condition in metaeval.conditions().values():
        assert list(condition.readings) == [name for name in READINGS if name in condition.readings]
    part = Biclustering([({0, 1}, {0})], (3, 2))
    case = Case(metaeval.Side(part, part), metaeval.Side(part, part.on((4, 2))))
    assert (case.objects, case.features, case.size) == (4, 2, (4, 2, 4, 12))
    assert as_measure(area_alone).id == make_measure(area_alone, id="area-alone").id == "area-alone"
