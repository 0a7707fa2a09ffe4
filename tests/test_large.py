"""Large cases: what they are, how a climb comes to them, and the way back to small counterexamples."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from brute_force import EVERY, condition_of, reading_of
from hunting import search_without_reduction, usual_pack
from tools import exact

import metaeval
from metaeval import Biclustering, Case, Cell, Side
from metaeval.cases.enlarge import KINDS, MOST_OBJECTS, _Maker, among, multiplied, turned
from metaeval.cases.order import CaseSource
from metaeval.cases.pack import PackedSource
from metaeval.catalogue.measure import find_measure
from metaeval.core.settings import HIGHEST, LEVELS, level_of
from metaeval.core.verdict import Verdict
from metaeval.display.cell_facts import evidence
from metaeval.literature.shelf import PAPER
from metaeval.search.climb import Slope, climb
from metaeval.search.shrink import shrunk

EFFORT = LEVELS[HIGHEST]
SHIPPED = [(c, r) for c, r in EVERY if c.id in PAPER.conditions]
SHIPPED_ID = [f"{c.id}-{r.name}" for c, r in SHIPPED]


def usual(condition, reading):
    """The large cases that come with the package."""
    return list(PackedSource(reading, usual_pack(condition.id)).large())


# --- what they are
@pytest.mark.parametrize(("condition", "reading"), SHIPPED, ids=SHIPPED_ID)
def test_large_cases_are_instances_of_every_size(condition, reading):
    cases = usual(condition, reading)
    assert len(cases) >= 40
    assert all(map(reading.premise, cases))
    cells = [case.objects * case.features for case in cases]
    assert cells == sorted(cells)
    objects = {case.objects for case in cases}
    assert min(objects) <= 40
    assert 256 <= max(objects) <= MOST_OBJECTS
    assert sum(64 < count < 256 for count in objects) >= 3
    assert max(case.features for case in cases) >= 5
    # The numbers of clusters and classes go their own ways.
    numbers = [(case.objects, len(case.left.candidate), len(case.left.gold)) for case in cases]
    assert any(objects > 100 and classes <= 8 for objects, _, classes in numbers)
    assert max(classes for _, _, classes in numbers) > 64
    if condition.id != "B.5":  # one cluster there
        assert any(objects > 100 and clusters <= 8 for objects, clusters, _ in numbers)
        assert max(clusters for _, clusters, _ in numbers) > 64
        assert any(clusters > 2 * classes + 50 for _, clusters, classes in numbers)
        assert any(classes > 2 * clusters + 50 for _, clusters, classes in numbers)


def test_the_same_seed_makes_the_same_cases():
    condition = condition_of("A.2")

    def made(seed):
        source = CaseSource(condition, condition.reading("literal"), [], 3, seed=seed, most_large=12)
        return exact(source.large())

    assert made(0) == made(0) != made(1)
    assert made(None) == []


# --- taking things many times
PAIR = Side(
    Biclustering([({0}, {0}), ({1, 2}, {0})], shape=(4, 1)), Biclustering([({0, 1}, {0}), ({2}, {0})], shape=(4, 1))
)


def test_copies_are_wherever_the_original_is_unless_they_stay_apart():
    case = Case(PAIR, PAIR)
    gold = Biclustering([({0, 1, 4, 5}, {0}), ({2}, {0})], shape=(6, 1))
    apart = Biclustering([({0}, {0}), ({4}, {0}), ({5}, {0}), ({1, 2}, {0})], shape=(6, 1))
    together = Biclustering([({0, 4, 5}, {0}), ({1, 2}, {0})], shape=(6, 1))
    assert multiplied(case, 0, {0}, 3).left == Side(together, gold)
    assert multiplied(case, 0, {0}, 3, apart=True).left == Side(apart, gold)
    wide = multiplied(case, 1, {0}, 5)
    assert wide.right.gold == Biclustering([({0, 1}, range(5)), ({2}, range(5))], shape=(4, 5))
    # Further objects may lie inside a class.
    around = among(case, "alone", "together", 3, right_is_gold=False, inside=1)
    assert around.left.gold == Biclustering([({0, 1}, {0}), ({2, 4, 5, 6}, {0})], shape=(7, 1))
    assert around.left.candidate == Biclustering([({0}, {0}), ({1, 2}, {0}), ({4, 5, 6}, {0})], shape=(7, 1))


def test_a_larger_matrix_stays_the_larger_one():
    """The background of the right comes after the copies, which both sides have at the same places."""
    right = Side(*(Biclustering(family, shape=(7, 1)) for family in PAIR))
    heavy = multiplied(Case(PAIR, right), 0, {1, 2}, 4)
    assert [family.shape for side in heavy for family in side] == [(10, 1), (10, 1), (13, 1), (13, 1)]
    assert heavy.left.candidate.family == heavy.right.candidate.family


def test_turning_a_case_renames_its_objects():
    assert turned(Case(PAIR, PAIR)).left.gold == Biclustering([({3, 2}, {0}), ({1}, {0})], shape=(4, 1))
    assert turned(turned(Case(PAIR, PAIR))) == Case(PAIR, PAIR)


@pytest.mark.parametrize("kind", KINDS)
def test_families_have_all_their_objects_once(kind):
    around = among(Case(PAIR, PAIR), kind, "together", 33, right_is_gold=False)
    further = [row for rows, _ in around.left.gold for row in rows if row >= 4]
    assert sorted(further) == ([] if kind == "nowhere" else [*range(4, 37)])


# --- the effort level
def test_levels_are_a_factor_of_eight_apart():
    just_above = [level_of(1.001 * limit) for limit in (0.001, 0.008, 0.064, 0.512)]
    assert [level_of(limit) for limit in (0.001, 0.008, 0.064, 0.512)] == [4, 3, 2, 1]
    assert just_above == [3, 2, 1, 0]


@pytest.mark.parametrize(("condition", "reading"), SHIPPED, ids=SHIPPED_ID)
def test_a_lower_level_tries_fewer_and_smaller_cases(condition, reading):
    sizes = [case.objects * case.features for case in usual(condition, reading)]
    chosen = [[sizes[place] for place in effort.choice(sizes)] for effort in LEVELS]
    assert chosen[0] == []
    assert chosen[HIGHEST] == sizes
    for effort, some in list(zip(LEVELS, chosen, strict=True))[1:HIGHEST]:
        assert 0 < len(some) <= effort.large_cases
        # The largest that fit are among them, and smaller ones, too.
        assert max(some) == max(size for size in sizes if size <= effort.cells)
        assert some == sorted(some)
    assert all(len(fewer) <= len(more) for fewer, more in pairwise(chosen))
    assert all(max(fewer, default=0) <= max(more) for fewer, more in pairwise(chosen))


def test_a_choice_is_spread_evenly_and_has_the_largest():
    effort = replace(LEVELS[1], large_cases=3, cells=50)
    assert effort.choice([1, 2, 3, 4, 5, 50, 51, 99]) == [1, 3, 5]
    assert effort.choice([1, 60]) == [0]
    assert effort.choice([]) == []


# --- climbing
@pytest.mark.parametrize("condition", ["B.2", "B.3", "B.4"])
def test_an_equality_is_climbed_by_growing(condition):
    """A measure that is the same everywhere but on more than 64 objects."""
    reading = reading_of(condition, "canonical")
    start = next(case for objects in range(1, 5) for case in reading.enumerate_(objects))
    slope = Slope(
        reading.premise, lambda case: float(case.objects <= 64), EFFORT, MOST_OBJECTS, diluted=False,
        from_left=condition_of(condition).from_left,
    )  # fmt: skip
    found = climb(start, slope, Random(1))
    assert found is not None
    assert 64 < found.objects <= MOST_OBJECTS
    assert reading.premise(found)


def test_the_raw_margin_leads_to_hundreds_of_objects():
    """Diluted, the margin of this measure never falls: there are always as many objects more."""
    reading = reading_of("A.2", "canonical")
    start = next(reading.enumerate_(2))

    def margin(case):
        return 1 / case.objects - 1 / 200

    far = replace(EFFORT, climbed_objects=6000)
    assert climb(start, Slope(reading.premise, margin, far, MOST_OBJECTS, diluted=False), Random(0)) is not None


# --- reduction
def test_reduction_from_far_away_takes_whole_families():
    """Three hundred objects in two families that are not needed, one of which is needed in part."""
    reading = reading_of("A.2", "canonical")
    case = among(next(reading.enumerate_(2)), "alone", "alone", 200, right_is_gold=False)
    case = among(case, "together", "in eights", 100, right_is_gold=False)
    asked = 0

    def stays(case):
        nonlocal asked
        asked += 1
        return reading.premise(case) and len(case.left.gold) >= 20

    small = shrunk(case, stays)
    assert (small.objects, len(small.left.gold)) == (21, 20)
    assert asked < 2000


@pytest.mark.parametrize(("condition", "least"), [("A.3", 5), ("A.4", 7)])
def test_sizes_that_are_tied_together_shrink_together(condition, least):
    reading = reading_of(condition, "canonical")
    (case,) = condition_of(condition).sized(99)
    assert case.objects > 198
    assert shrunk(case, reading.premise).objects == least


@pytest.mark.parametrize("condition", ["B.2", "B.3", "B.4"])
def test_where_the_right_follows_from_the_left_both_shrink(condition):
    subject, reading = condition_of(condition), reading_of(condition, "canonical")
    left = among(Case(PAIR, PAIR), "alone", "in pairs", 60, right_is_gold=False).left
    case = next(iter(subject.from_left(left, 5)))

    def stays(case):
        return reading.premise(case) and len(case.left.gold) >= 5

    small = shrunk(case, stays, from_left=subject.from_left)
    assert len(small.left.gold) == 5
    assert small.objects <= 12


def test_where_nothing_follows_from_the_left_the_case_stays_as_it_is():
    """As where there is a single object, and a sentence speaks of two."""
    condition = replace(condition_of("S.4"), from_left=lambda side, number: iter(()))
    cell = Biclustering.from_labels([0])
    alone = Case(Side(cell, cell), Side(cell, cell))
    assert not list(condition.from_left(alone.left, 2))
    (case,) = dict.fromkeys(_Maker(condition, [alone], Random(seed))._completed(alone) for seed in range(9))
    assert case == alone
    slope = Slope(lambda case: True, lambda case: 1.0, EFFORT, MOST_OBJECTS, from_left=condition.from_left)
    assert alone in {slope.proposal(alone, Random(seed)) for seed in range(99)}


# --- how far it went
def test_a_condition_that_holds_says_how_far_the_search_went():
    results = metaeval.run(["rnia"], ["B.2"], ["canonical"], exhaustive=2, examples=20, proofs=False)
    cell = results.cell("rnia", "B.2", "canonical")
    assert cell.verdict is Verdict.HOLDS
    assert cell.reached.objects > 64
    assert f"the largest had {cell.reached.objects} objects, " in evidence(cell)
    assert Cell.from_json(cell.to_json()).reached == cell.reached
    # Files without it are read.
    data = {**cell.to_json(), "reached": None}
    assert Cell.from_json({key: value for key, value in data.items() if value is not None}).reached is None


# --- in company
@pytest.mark.parametrize(
    ("measure", "condition"), [("weighted-jaccard", "H.3"), ("ami-geometric", "G.2"), ("f1a", "G.2")]
)
def test_a_mean_gives_way_among_some_more_objects(measure, condition):
    """These are found by neither lists nor draws, and not by what is hundreds of objects large."""
    subject = condition_of(condition)
    (found,) = search_without_reduction(subject, subject.reading("canonical"), [find_measure(measure)])
    assert found.verdict is Verdict.VIOLATED
    assert 9 < found.certificate.case.objects <= 40
