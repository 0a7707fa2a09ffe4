"""Whether conditions can be satisfied together: impossible, possible or open, and answers re-checked."""

import copy
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from random import Random

import pytest
from tools import ROOT, as_json, assert_one_sentence, put, run_inside, words
from variant_readings import contradicting_survey, with_variant

import metaeval
from metaeval import InputError, Results
from metaeval.catalogue.condition import Group
from metaeval.consistency import answer_text as overview
from metaeval.consistency.answer import SCHEMA, Answer, CircleLink, Multiple
from metaeval.consistency.answer_text import closest, headline, told
from metaeval.consistency.beyond import cases_beyond
from metaeval.consistency.decide import decide, order_of
from metaeval.consistency.graph import LEFT, OPTIMUM, RIGHT, Arrow, chosen, graph_of, listed_cases
from metaeval.consistency.recheck import registered, verify_answer
from metaeval.core.case import Case, Side
from metaeval.core.relation import MEAN_EQUAL, TRIANGLE, broken
from metaeval.core.renaming import Renaming, form
from metaeval.core.verdict import Verdict
from metaeval.literature.shelf import PAPER
from metaeval.records.certificate import case_to_json
from metaeval.verification.certificate_check import Refused

from metaeval.consistency.survey import (  # isort: skip
    MIXTURE, Sets, load_survey, open_problems, survey, survey_to_json, surveyed, unsatisfied,
)  # fmt: skip

ATLAS = Results.load(ROOT / "docs" / "atlas.json")
ALL = tuple(f"{letter}.{number}" for letter in "AB" for number in range(1, 6))


@cache
def decided(name, *others, objects=4):
    """The answer for these, which takes some seconds, once."""
    return decide(with_variant(name, *others), objects)


def finder(groups):
    known = {group.condition.id: group for group in groups}
    return lambda condition, reading: known[condition]


# --- contradictions -----------------------------------------------------------------------------------

#: A variant, what it is held beside, the fewest conditions that contradict each other, and the objects they need.
CONTRADICTIONS = [
    ("A.2 of classes", ["A.5 overlapping", "A.1 overlapping"], {"A.2", "A.5"}, 3),
    ("A.1 inside a class", ["A.2 overlapping", "B.2 overlapping"], {"A.1", "A.2"}, 2),
    # The gold itself would be beaten; its six classes, or classes of seven objects, are in no list.
    ("A.4 of the gold itself", ["A.5 overlapping"], {"A.4", "A.5"}, 4),
    ("A.4 of the gold itself, apart", ["A.5 overlapping"], {"A.4", "A.5"}, 7),
    ("B.1 without a gold", ["B.2 canonical", "B.4 canonical", "A.5 literal"], {"B.1", "B.2", "B.4"}, 2),
    ("A.3 canonical from n = 1", ["A.1 canonical"], {"A.3"}, 3),
    ("A.3 literal from n = 1", ["A.1 literal"], {"A.3"}, 3),
    ("A.4 canonical from r = 1", ["A.1 canonical"], {"A.4"}, 4),
    ("A.4 literal from r = 1", ["A.1 literal"], {"A.4"}, 4),
]


@pytest.mark.parametrize(
    ("name", "others", "minimal", "objects"), CONTRADICTIONS, ids=[one[0] for one in CONTRADICTIONS]
)
def test_a_reading_that_no_measure_can_satisfy_is_found_out(name, others, minimal, objects):
    groups = with_variant(name, *others)
    answer = decided(name, *others, objects=min(objects, 4))
    assert answer.impossible
    assert set(answer.minimal) == minimal
    assert answer.objects == objects
    assert any(link.arrow.strict for link in answer.circle)
    assert verify_answer(answer.to_json(), finder(groups)).circle == answer.circle
    # The registered reading in its place contradicts nothing.
    assert not decide([registered(*group.id) for group in groups], min(objects, 4)).impossible
    # A circle is a proof: whatever the scores, every measure breaks one of its links.
    relations = {group.condition.id: group.condition.relation for group in groups}
    for subject in PAPER.chosen_measures():
        scored = [(link, tuple(subject.exact(*side) for side in link.case)) for link in answer.circle]
        assert any(broken(relations[link.condition], scores, subject.bounds) for link, scores in scored), subject.id


def test_the_circle_is_as_short_as_can_be_and_told():
    """A.2 of classes: the gold against itself is the optimum, the merger scores higher, and must not reach it."""
    answer = decided("A.2 of classes", "A.5 overlapping", "A.1 overlapping", objects=3)
    assert Counter(link.condition for link in answer.circle) == {"A.2": 1, "A.5": 2}
    joined = next(link for link in answer.circle if link.condition == "A.2")
    assert joined.case.left.candidate == joined.case.left.gold
    text = told(answer, width=120)
    assert "the optimum" in text
    assert "Impossible: no measure that is blind to names satisfies A.2 and A.5 (overlapping) together." in text
    # One case is a circle where its sides differ by names alone.
    alone = decided("A.3 canonical from n = 1", "A.1 canonical", objects=3)
    (link,) = alone.circle
    assert sorted(link.renaming.objects) == [0, 1, 2]
    assert "the same but for names: rename objects " in told(alone)


#: Contradictions that nobody had asked for: conditions, readings, the fewest that are needed, and their objects.
SUMS = [
    (["A.1", "S.1", "S.3", "G.3", "G.4"], ["G.4=non-trivial"], {"A.1", "S.1", "S.3", "G.3", "G.4"}, 4),
    (["A.1", "G.4"], None, {"A.1", "G.4"}, 2),
    (["A.2", "B.2", "G.4"], None, {"A.2", "G.4"}, 2),
    (["A.5", "G.3", "G.4"], None, {"A.5", "G.4"}, 2),
]
COPIES = ["B.1", "B.2", "B.4", "S.1"]


@cache
def summed(at):
    conditions, readings, *_ = SUMS[at]
    return metaeval.consistency(conditions, readings, objects=4)


@pytest.mark.parametrize("at", range(len(SUMS)))
def test_means_and_triangles_contradict_other_conditions(at):
    """Multiples of demands add up to 0 > 0: counted again here, with scores by any numbers."""
    answer, (_, _, minimal, objects) = summed(at), SUMS[at]
    assert (answer.answer, set(answer.minimal), answer.circle) == ("impossible", minimal, None)
    assert answer.objects == objects
    assert verify_answer(as_json(answer)) == answer
    assert Answer.from_json(as_json(answer)) == answer
    # Whatever the scores, the demands add up to nothing: some demand, if they are taken positively, is broken.
    numbers = {None: Fraction(7, 3)}
    total = Fraction(0)
    for one in answer.farkas:
        condition = metaeval.conditions()[one.condition]
        assert condition.reading(one.reading).premise(one.case)
        assert one.times > 0 or condition.relation is MEAN_EQUAL
        for side, times in slow_terms(one, condition.relation):
            number = numbers.setdefault(side and form(side), Fraction(len(numbers) ** 3 + 1, 7))
            total += one.times * times * number
    assert len(numbers) >= 3
    assert total == 0
    assert any(one.arrow and one.arrow.strict and one.times > 0 for one in answer.farkas)


def slow_terms(demand, relation):
    """What must be positive, 0 or not negative, written down once more."""
    if relation is TRIANGLE:
        there, on, direct = demand.case
        return [(None, 1), (direct, 1), (there, -1), (on, -1)]
    if relation is MEAN_EQUAL:
        left, right = demand.case
        return [
            (Side(candidate, pool.gold), Fraction(sign, len(pool.candidates)))
            for pool, sign in ((left, -1), (right, 1))
            for candidate in pool.candidates
        ]
    ends = {"left": demand.case.left, "right": demand.case.right, "optimum": None}
    return [(ends[demand.arrow.upper], 1), (ends[demand.arrow.lower], -1)]


def test_copies_contradict_symmetry_by_a_circle():
    answer = metaeval.consistency(COPIES, "literal", objects=4)
    assert (answer.answer, set(answer.minimal), answer.farkas) == ("impossible", set(COPIES), None)
    assert verify_answer(as_json(answer)).circle == answer.circle
    data = as_json(answer)
    put(data, "circle.0.left.candidate.biclusters", [])
    with pytest.raises(Refused, match=r"no instance of|renaming of link"):
        verify_answer(data)


def other_case(data):
    """The last case changed, to an instance of A.1 with three objects, where it has four."""
    smaller = next(iter(registered("A.1", "canonical").reading.enumerate_(3)))
    data["farkas"][-1]["case"] |= case_to_json(smaller)


@pytest.mark.parametrize(("tamper", "said"), [
    (lambda data: put(data, "farkas.0.times", data["farkas"][0]["times"] + 1), "do not cancel out"),
    (lambda data: put(data, "farkas.1.times", -1 - data["farkas"][1]["times"]), "do not cancel out|taken negatively"),
    (lambda data: data["farkas"].pop(), "called minimal|do not cancel out"),
    (lambda data: put(data["farkas"][-1], "times", 0), "taken 0 times"),
    (lambda data: put(data["farkas"][0], "case.strict", True), "strict without ends"),
    (lambda data: put(data["farkas"][0], "case.lower", "left"), "has one end"),
    (lambda data: put(data, "minimal", [*data["minimal"], "A.1"]), "called minimal"),
    (lambda data: [put(one, "times", -one["times"]) for one in data["farkas"]], "taken negatively"),
    (lambda data: [put(one, "times", 0) for one in data["farkas"]], "taken 0 times"),
    (other_case, "do not cancel out"),
    (lambda data: put(data["farkas"][-1], "case.strict", False), "does not demand that"),
    (lambda data: put(data["farkas"][-1], "case.lower", None), "has one end"),
    (lambda data: put(data, "farkas.0.case.condition", "A.2"), "not among the conditions"),
    (lambda data: put(data["farkas"][-1], "case.left", data["farkas"][-1]["case"]["right"]), "no instance of"),
    (lambda data: put(data, "minimal", ["A.1", "S.1"]), "called minimal"),
    (lambda data: put(data, "objects", 3), "more than the 3 objects"),
    (lambda data: put(data, "witness", "bcubed"), "more than one answer"),
    (lambda data: put(data, "answer", "open"), "shows 'impossible'"),
])  # fmt: skip
def test_a_sum_that_was_tampered_with_is_refused(tamper, said):
    data = as_json(summed(0))
    assert data["farkas"][-1]["case"]["condition"] == "A.1"
    tamper(data)
    with pytest.raises(Refused, match=said):
        verify_answer(data)


def test_a_sum_without_a_strict_demand_is_refused():
    """Equalities alone add up to 0 = 0."""
    case = next(iter(registered("B.2", "canonical").reading.enumerate_(1)))
    there, back = (Multiple("B.2", "canonical", case, Arrow(*ends, strict=False), 1) for ends in (
        (LEFT, RIGHT), (RIGHT, LEFT)
    ))  # fmt: skip
    with pytest.raises(Refused, match="0 = 0 contradicts nothing"):
        verify_answer(Answer(2, {"B.2": "canonical"}, (), 2, farkas=(there, back), minimal=("B.2",)))


def test_a_pool_is_no_side_of_a_case_of_pairs():
    """The premise would judge the first candidate alone, and the pool has the form of another side."""
    nothing, one = metaeval.Biclustering([], (1, 1)), metaeval.Biclustering([({0}, {0})], (1, 1))
    pool, match = Case(Side(one, nothing), Side(nothing, one, nothing)), Case(Side(nothing, one), Side(one, one))
    demands = (
        Multiple("A.5", "literal", pool, Arrow(OPTIMUM, RIGHT, strict=False), 1),
        Multiple("A.5", "literal", match, Arrow(LEFT, OPTIMUM, strict=True), 1),
    )
    with pytest.raises(Refused, match=r"the case of demand 1 is no instance of A\.5 literal"):
        verify_answer(Answer(1, {"A.5": "literal"}, (), 2, farkas=demands, minimal=("A.5",)))


def test_an_order_does_not_speak_of_sums():
    with pytest.raises(Refused, match="an order says nothing of sums of scores"):
        verify_answer(ordered(("A.1", "G.4"), 2))


def test_a_condition_is_named_once():
    data = as_json(summed(0))
    data["conditions"].append("g.4")
    data["readings"]["g.4"] = "canonical"
    with pytest.raises(Refused, match="a condition is named twice"):
        verify_answer(data)


def test_a_reading_that_is_not_registered_has_no_witness():
    """It demands the opposite of the registered one of the same name, for which measures are proved."""
    group = registered("A.1", "canonical")
    opposite = replace(group.reading, enumerate_=lambda objects: (
        Case(*reversed(case)) for case in group.reading.enumerate_(objects)
    ))  # fmt: skip
    assert decide([group], 3).answer == "possible"
    assert decide([Group(group.condition, opposite)], 3).answer == "open"


# --- all clusterings of four objects ---------------------------------------------------------------------
EVERY = [frozenset(some) for size in (1, 2, 3, 4) for some in combinations(range(4), size)]


@pytest.mark.parametrize("id", ["A.1", "A.2", "A.3", "A.4"])
def test_the_changes_of_a_reading_are_those_that_its_premise_admits(id):
    """With all candidates made of some clusters, and any gold: the premise judges every left and right."""
    reading, random, met = registered(id, "overlapping").reading, Random(id), Counter()
    while met[True] < 12:
        gold = random.sample(EVERY, random.randint(3, 9))
        whole = [*reading.moves(EVERY, gold)]
        named = {*chain(*random.choice(whole))} if whole else {*()}
        some = [*named, *random.sample([one for one in EVERY if one not in named], 1)]
        changes = [({*before}, {*after}) for before, after in reading.moves(some, gold)]
        families = [{*one} for size in range(len(some) + 1) for one in combinations(some, size)]
        lefts = [left for old, new in changes for left in families if old <= left and not (new - old) & left][:4]
        for left in [*lefts, *random.sample(families, 1)]:
            found = {frozenset(left - old | new) for old, new in changes if old <= left and not (new - old) & left}
            for right in families:
                case = Case(*(Side(lifted(side), lifted(gold)) for side in (left, right)))
                if left != {*gold}:
                    assert reading.premise(case) == (right in found), case
                    met[right in found] += 1
    assert met[False] > 100


def lifted(clusters):
    return metaeval.Biclustering([(cluster, {0}) for cluster in clusters], shape=(4, 1))


def test_all_clusterings_of_four_objects_hold_a_circle_that_lists_do_not():
    """A wording that asks for the opposite of A.2 closes circles with A.2; each is one of real cases."""
    again = {id: registered(id, "overlapping") for id in ("A.1", "A.2")}
    turned = replace(again["A.1"].reading, moves=lambda clusters, gold: (
        (after, before) for before, after in again["A.2"].reading.moves(clusters, gold)
    ), premise=lambda case: again["A.2"].reading.premise(Case(*reversed(case))))  # fmt: skip
    groups = [Group(again["A.1"].condition, turned), again["A.2"]]
    portions = [portion for portion in cases_beyond(groups, lambda words: None) if portion]
    assert len(portions) == 1
    assert {group.condition.id for group, _ in portions[0]} == {"A.1", "A.2"}
    for group, case in portions[0]:
        assert group.reading.premise(case)
    ends = [case.left for _, case in portions[0]]
    assert Counter(ends) == Counter(case.right for _, case in portions[0])
    # The registered readings have no such circle, with any gold.
    assert [*filter(None, cases_beyond([*again.values()], lambda words: None))] == []


# --- three answers ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("conditions", "readings", "expected"), [
    (ALL, "canonical", "possible"), (ALL, "literal", "open"), (ALL, "overlapping", "open"),
    (["A.1", "A.2"], "overlapping", "open"), (["B.2", "B.3", "S.1"], "overlapping", "possible"),
    (["S.1", "S.3", "A.5"], None, "possible"), (["G.3", "G.4", "B.2"], None, "open"),
    (["G.4", "A.1"], None, "impossible"),
])  # fmt: skip
def test_every_answer_has_its_evidence(conditions, readings, expected):
    """Possible only with a proof in every cell of the atlas; impossible only with a certificate that verifies."""
    answer = metaeval.consistency(conditions, readings, objects=2)
    assert answer.answer == expected
    assert (answer.witness is not None) == (expected == "possible")
    assert bool(answer.certificate) == (expected == "impossible")
    assert verify_answer(as_json(answer)).answer == expected
    cells = {id: [ATLAS.get((id, *place)) for place in answer.readings.items()] for id in ATLAS.measures}
    proved = {id for id, row in cells.items() if all(one and one.verdict is Verdict.PROVED for one in row)}
    assert bool(proved) == (expected == "possible")
    assert answer.witness in proved | {None}
    assert expected == "impossible" or answer.complete


def test_a_witness_that_is_not_proved_is_refused():
    data = as_json(metaeval.consistency(["A.1", "B.3"], objects=2))
    assert data["answer"] == "possible"
    with pytest.raises(Refused, match=r"ce is not proved under A.1 canonical"):
        verify_answer(put(copy.deepcopy(data), "witness", "ce"))
    with pytest.raises(Refused, match="its witness is called bcubed, not BCubed"):
        verify_answer(put(copy.deepcopy(data), "witness", "BCubed"))
    with pytest.raises(Refused, match="no measure 'nobody'"):
        verify_answer(put(copy.deepcopy(data), "witness", "nobody"))


def test_files_of_the_first_schema_are_read_and_their_consistent_is_open():
    data = as_json(ordered(("A.1", "A.2"), 3))
    for key in ("witness", "farkas", "complete"):
        del data[key]
    data |= {"schema": "metaeval.consistency/1", "answer": "consistent"}
    answer = verify_answer(data)
    assert (answer.answer, answer.order is not None) == ("open", True)
    assert as_json(answer)["schema"] == SCHEMA
    with pytest.raises(Refused, match="says 'open' and shows"):
        verify_answer(put(data, "answer", "open"))


# --- orders -------------------------------------------------------------------------------------------
@cache
def answered(reading, objects):
    """The answer for the ten conditions under a reading."""
    return metaeval.consistency(readings=reading, objects=objects)


def ordered(conditions, objects):
    """An open answer with an order, whether or not a measure is known."""
    groups = chosen(conditions)
    graph = graph_of(groups, objects)
    readings = dict(group.id for group in groups)
    return Answer(objects, readings, graph.listed, graph.size - 1, order=order_of(graph, [*readings]))


@pytest.mark.parametrize(
    ("reading", "objects"), [("literal", 3), ("overlapping", 2), pytest.param("literal", 5, marks=pytest.mark.long)]
)
def test_an_order_keeps_every_case_of_its_scope(reading, objects):
    """Scored, not assumed: with the measure that the order is, by the relations themselves."""
    answer = answered(reading, objects)
    assert answer.answer == "open"
    assert answer.conditions == ALL
    measure = answer.measure()
    seen = Counter()
    for group, case in listed_cases(chosen(None, reading), objects):
        scores = [measure.exact(*side) for side in case]
        assert broken(group.condition.relation, tuple(scores), measure.bounds) is None
        seen[group.condition.id] += 1
    assert {one.condition: one.cases for one in answer.listed} == {id: seen[id] for id in ALL}
    assert answer.sides == len(answer.order.sides)


def test_a_measure_from_an_order_passes_a_check_on_its_scope_and_is_undefined_beyond(tmp_path):
    """The loop is closed: the answer is saved, exported as a measure, and checked like any other."""
    answer = ordered(ALL, 4)
    saved, module = tmp_path / "answer.json", tmp_path / "ordered.py"
    saved.write_text(json.dumps(answer.to_json()))
    module.write_text(
        f"from metaeval.consistency.answer import Answer\nordered = Answer.load({str(saved)!r}).measure()\n"
    )
    settings = ["--reading", "canonical", "--examples", "0", "--exhaustive", "4", "--effort", "0", "--quiet"]
    done = run_inside("check", f"{module}:ordered", *settings, *words("--condition", ALL), "--json")
    assert done.code == 0, done
    cells = json.loads(done.out)["cells"]
    # Rag bags need five objects, and four clusters and their pairs seven.
    verdicts = {cell["condition"]: cell["verdict"] for cell in cells}
    assert verdicts == {**dict.fromkeys(ALL, "holds"), "A.3": "vacuous", "A.4": "vacuous"}
    assert {cell["condition"]: cell["cases"] for cell in cells} == {one.condition: one.cases for one in answer.listed}
    measure = answer.measure()
    far = metaeval.Biclustering.from_labels(range(40)), metaeval.Biclustering.from_labels([0] * 40)
    with pytest.raises(metaeval.Undefined, match="not in the order"):
        measure.exact(*far)
    assert measure.exact(far[0], far[0]) == 1
    assert 0 < measure.exact(*answer.order.sides[0]) <= 1


def test_the_survey_answers_under_every_reading_and_in_the_mixture(tmp_path):
    found = survey(["A.1", "A.5", "B.2", "B.3"], objects=2)
    assert [one.name for one in found] == ["canonical", "literal", "overlapping", MIXTURE]
    assert [one.answer.answer for one in found] == ["possible", "possible", "open", "possible"]
    assert [one.sets.possible for one in found][:2] == [15, 15]
    assert all(one.sets.possible + one.sets.open == 15 for one in found)
    mixed = found[-1].answer.readings
    assert mixed == {"A.1": "canonical", "A.5": "canonical", "B.2": "overlapping", "B.3": "overlapping"}
    path = tmp_path / "survey.json"
    path.write_text(json.dumps(survey_to_json(found)))
    first, *_ = again = load_survey(path)
    assert [one.answer.listed for one in again] == [one.answer.listed for one in found]
    assert first.answer.measure().id == first.answer.witness
    with pytest.raises(InputError, match="it has no order"):
        again[2].answer.measure()
    assert verify_answer(again[2].answer).answer == "open"


# --- answers re-checked -------------------------------------------------------------------------------
@pytest.fixture
def impossible():
    """A circle of three links as data, and what finds its readings."""
    others = ["B.2 canonical", "B.4 canonical", "A.5 literal"]
    answer = decided("B.1 without a gold", *others, objects=2)
    return as_json(answer), finder(with_variant("B.1 without a gold", *others))


def strictest(circle):
    return next(link for link in circle if link["strict"])


def renamed(circle):
    return next(link for link in circle if link["renaming"] and len(link["renaming"]["objects"]) > 1)


@pytest.mark.parametrize(("tamper", "said"), [
    (lambda data: put(data, "circle.0.left.candidate.biclusters", []), "no instance of"),
    (lambda data: put(renamed(data["circle"]), "renaming.objects", [0, 0]), "renaming of link"),
    (lambda data: put(renamed(data["circle"]), "renaming", None), "renaming of link"),
    (lambda data: turned(strictest(data["circle"])), "does not demand that"),
    (lambda data: put(strictest(data["circle"]), "strict", False), "does not demand that"),
    (lambda data: put(data, "circle.1", ...), "do not meet|renaming of link"),
    (lambda data: put(data, "minimal", ["B.1", "B.2"]), "called minimal"),
    (lambda data: put(data, "objects", 1), "more than the 1 objects"),
    (lambda data: put(data, "answer", "open"), "shows 'impossible'"),
    (lambda data: put(data, "schema", "metaeval.consistency/9"), "expected 'metaeval.consistency/2'"),
    (lambda data: put(data, "note", "trust me"), "unknown key"),
])  # fmt: skip
def test_a_circle_that_was_tampered_with_is_refused(impossible, tamper, said):
    data, find = impossible
    assert verify_answer(data, find).impossible
    tamper(data)
    with pytest.raises(Refused, match=said):
        verify_answer(data, find)


def turned(link):
    link["lower"], link["upper"] = link["upper"], link["lower"]


def test_a_circle_without_a_strict_link_is_refused():
    """Equalities alone lead round in circles that contradict nothing."""
    groups = [registered("B.2", "canonical")]
    case = next(group_case for group_case in groups[0].reading.enumerate_(2))
    same = [Renaming(*(tuple(range(count)) for count in side.gold.shape)) for side in case]
    there = CircleLink("B.2", "canonical", case, Arrow(LEFT, RIGHT, strict=False), same[1])
    back = CircleLink("B.2", "canonical", case, Arrow(RIGHT, LEFT, strict=False), same[0])
    stated = Answer(2, {"B.2": "canonical"}, (), 2, circle=(there, back), minimal=("B.2",))
    with pytest.raises(Refused, match="no link of the circle is strict"):
        verify_answer(stated)


def without_a_side(data):
    # A perfect match that is missing is known to be the optimum; another side is not.
    lost = next(at for at, one in enumerate(data["order"]["sides"]) if one["candidate"] != one["gold"])
    del data["order"]["sides"][lost]
    data["sides"] -= 1


@pytest.mark.parametrize(("tamper", "said"), [
    (lambda data: put(data, "order.sides.0.rank", data["order"]["optimum"]), "its order breaks"),
    (lambda data: put(data, "order.sides.0", ...), "not {sides}"),
    (lambda data: data["order"]["sides"].append(data["order"]["sides"][0]), "not {sides}"),
    (without_a_side, "lacks a side"),
    (lambda data: put(data, "listed.0.cases", 999), "misstates what is listed of A.1: 5 cases up to 3 objects"),
    (lambda data: put(data, "listed.0.words", "all there are"), "misstates what is listed of A.1"),
    (lambda data: data["listed"].pop(), "misstates what is listed of A.5"),
    (lambda data: data["listed"].append(data["listed"][0]), "misstates what is listed of A.1: nothing more"),
    (lambda data: put(data, "complete", ["everything in the world"]), "more was looked at completely"),
    (lambda data: put(data, "objects", 0), "0 objects"),
])  # fmt: skip
def test_an_order_that_was_tampered_with_is_refused(tamper, said):
    data = as_json(ordered(("A.1", "A.2", "A.5"), 3))
    tamper(data)
    with pytest.raises(Refused, match=said.format(sides=data["sides"])):
        verify_answer(data)


def test_every_reversed_pair_of_an_order_is_noticed():
    """Whatever arrow is reversed, the case that it comes from tells: a side of a case is above or below another."""
    data = as_json(ordered(("A.1", "A.2"), 3))
    sides = data["order"]["sides"]
    assert len({str((one["candidate"], one["gold"])) for one in sides}) == data["sides"]

    def is_refused(at, rank):
        try:
            verify_answer(put(copy.deepcopy(data), f"order.sides.{at}.rank", rank))
        except Refused:
            return True
        return False

    for at in range(len(sides)):
        assert is_refused(at, 1) or is_refused(at, data["order"]["optimum"] + 1)


# --- what is asked for --------------------------------------------------------------------------------
@pytest.mark.parametrize(("args", "part"), [
    (["--condition", "A.9"], "no condition 'A.9'"),
    (["--condition", "A.1", "--reading", "loose"], "no reading 'loose'"),
    (["--condition", "A.1", "--reading", "canonical", "--reading", "literal"], "two readings for all conditions"),
    (["--condition", "A.1", "--reading", "B.2=canonical"], "not among the conditions chosen"),
    (["--condition", "B.2", "--reading", "B.2=literal"], "B.2 has no reading 'literal'"),
    (["--reading", "A.1=loose"], "loose"), (["--objects", "0"], "0"), (["--objects", "many"], "many"),
    (["--survey", "--reading", "literal"], "--survey"), (["--results", "nowhere.json"], "nowhere.json"),
])  # fmt: skip
def test_bad_input_costs_one_sentence(args, part):
    assert_one_sentence(run_inside("consistency", *args), part)


@pytest.mark.parametrize("objects", [0, 11, True, 2.5])
def test_a_scope_that_is_none_costs_a_sentence(objects):
    with pytest.raises(InputError, match="whole number from 1 to 10"):
        metaeval.consistency(["A.1"], objects=objects)


def test_readings_are_chosen_for_all_and_for_one():
    groups = chosen(["A.1", "A.5", "B.2"], ["repeated", "A.1=literal"])
    assert [str(group) for group in groups] == ["A.1 literal", "A.5 repeated", "B.2 overlapping"]
    assert chosen(["A.1"], {"A.1": "literal"}) == chosen(["A.1"], ["a.1=Literal"])


def test_the_command_answers_saves_and_is_re_checked(tmp_path):
    path = tmp_path / "answer.json"
    args = ["consistency", "--condition", "A.1", "--condition", "B.1", "--objects", "2", "--out", str(path)]
    args += ["--reading", "literal"]
    done = run_inside(*args)
    assert done.code == 0
    assert done.out.startswith("Open up to 2 objects: A.1 and B.1 (literal).")
    data = json.loads(path.read_text())
    assert (data["schema"], data["answer"], data["circle"], data["minimal"]) == (SCHEMA, "open", None, None)
    assert json.loads(run_inside(*args, "--json").out) == data
    checked = run_inside("verify", str(path))
    assert (checked.code, checked.out.split()[0]) == (0, "ok")
    assert run_inside("explain", str(path)).out == done.out
    path.write_text(json.dumps(put(data, "order.sides.0.rank", data["order"]["optimum"] + 1)))
    refused = run_inside("verify", str(path))
    assert (refused.code, refused.out.split()[0]) == (1, "REFUSED")


# --- open problems ------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def results():
    settings = {"examples": 0, "exhaustive": 5, "effort": 0, "proofs": False}
    return metaeval.run(["ce", "rnia", "rand", "bcubed"], ["A.1", "A.3", "B.3"], ["canonical"], **settings)


def only(results, *measures):
    """The results of some measures."""
    data = results.to_json()
    cells = [cell for cell in data["cells"] if cell["measure"] in measures]
    return Results.from_json({**data, "measures": {id: data["measures"][id] for id in measures}, "cells": cells})


def test_open_problems_are_the_smallest_sets_that_no_measure_satisfies(results):
    """bcubed satisfies all three; without it A.3 is open by itself, and A.1 beside B.3."""
    groups = chosen(["A.1", "A.3", "B.3"])
    readings = dict(group.id for group in groups)
    assert unsatisfied(results, readings) == []
    others = only(results, "ce", "rnia", "rand")
    assert unsatisfied(others, readings) == [("A.3",), ("A.1", "B.3")]
    problems = open_problems(others, groups, 5)
    assert [problem.conditions for problem in problems] == [("A.3",), ("A.1", "B.3")]
    assert set(problems[0].kept) == {"ce", "rnia", "rand"}


def test_the_share_that_a_measure_keeps_is_counted_case_by_case(results):
    groups = chosen(["A.1"])
    others = only(results, "ce", "rnia")
    (problem,) = open_problems(others, groups, 5)
    for id, share in problem.kept.items():
        measure = metaeval.measures()[id]
        # No two cases of A.1 between partitions have both sides alike here: each is a demand of its own.
        cases = [case for _, case in listed_cases(groups, 5)]
        kept = [measure.exact(*case.left) < measure.exact(*case.right) for case in cases]
        demands = {(form(case.left), form(case.right)) for case in cases}
        if len(demands) == len(cases):
            assert share == Fraction(sum(kept), len(kept))
        assert 0 <= share < 1


def test_what_has_no_case_yet_is_said_of_a_problem_and_what_nobody_can_satisfy_is_none(results):
    """With two objects A.3 demands nothing, and whoever keeps all of nothing is not close to it."""
    (problem, other) = open_problems(only(results, "ce", "rnia", "rand"), chosen(["A.1", "A.3", "B.3"]), 2)
    assert (problem.conditions, problem.without_cases) == (("A.3",), ("A.3",))
    assert closest(problem) == "100.0% ce, rand and rnia; no case of A.3 with at most this number of objects"
    assert other.without_cases == ()
    assert problem.to_json()["without_cases"] == ["A.3"]
    groups = with_variant("A.3 canonical from n = 1")
    assert unsatisfied(only(results, "ce"), dict(group.id for group in groups)) == [("A.3",)]
    assert open_problems(only(results, "ce"), groups, 3) == []


@pytest.mark.parametrize("reading", ["canonical", "literal", "overlapping"])
def test_unsatisfied_sets_are_those_that_trying_every_set_finds(reading):
    results = Results.load(ROOT / "docs" / "results.json")
    readings = dict(group.id for group in chosen(None, reading))
    kept = [
        {id for id in ALL if results.cell(measure, id, readings[id]).verdict.satisfied} for measure in results.measures
    ]
    open_ones = []
    for some in (set(some) for count in range(1, len(ALL) + 1) for some in combinations(ALL, count)):
        if not any(some <= one for one in kept) and not any(known <= some for known in open_ones):
            open_ones.append(some)
    assert [set(some) for some in unsatisfied(results, readings)] == open_ones
    assert unsatisfied(Results({}), readings) == []


def test_the_command_lists_open_problems_within_the_width(results, tmp_path):
    path = tmp_path / "results.json"
    only(results, "ce", "rnia", "rand").save(path)
    args = ["consistency", *words("--condition", ["A.1", "A.3", "B.3"]), "--objects", "3", "--results", str(path)]
    for width in (60, 80):
        done = run_inside(*args, COLUMNS=str(width))
        assert done.code == 0
        assert done.out.startswith("Open problems: sets without a contradiction up to 3 objects")
        assert max(map(len, done.out.splitlines())) <= width
        assert "A.1 B.3" in done.out


def test_the_headline_names_the_readings_and_says_where_less_is_listed():
    """B.2 between disjoint families is listed up to four objects, and the others further."""
    assert headline(answered("literal", 3)) == (
        "Open up to 3 objects: A.1–A.5, B.1 and B.5 (literal), B.2–B.4 (canonical)."
    )
    wider = headline(ordered(("A.5", "B.2"), 5))
    assert wider == "Open up to 4 objects, and up to 5 where more is listed: A.5 and B.2 (canonical)."


@pytest.mark.parametrize("width", [60, 80])
def test_an_answer_fits_the_width(width):
    impossible = decided("A.3 canonical from n = 1", "A.1 canonical", objects=3)
    for answer in (answered("literal", 3), impossible, summed(0), metaeval.consistency(["A.1"], objects=2)):
        lines = told(answer, width).splitlines()
        assert max(map(len, lines)) <= width
        rows = [line.split() for line in lines]
        for one in answer.listed:
            assert [one.condition, one.reading, f"{one.cases:,}", "up", "to", str(one.objects)] in rows


# --- a survey at a glance -----------------------------------------------------------------------------
def test_a_survey_says_what_is_impossible_alone_in_pairs_and_together():
    found = contradicting_survey()
    assert [[answer.minimal for answer in one.contradictions] for one in found] == [
        [("A.3",)],
        [("B.1", "B.2", "B.4")],
    ]
    assert [row[:3] for row in overview.answer_rows(found)] == [
        ("canonical", "impossible", "up to 3"),
        ("literal", "impossible", "up to 2"),
    ]
    assert overview.impossible_with(found) == {
        ("A.3", "canonical"): [{}],
        ("B.1", "literal"): [{"B.2": "canonical", "B.4": "canonical"}],
        ("B.2", "canonical"): [{"B.1": "literal", "B.4": "canonical"}],
        ("B.4", "canonical"): [{"B.1": "literal", "B.2": "canonical"}],
    }
    remarks = dict(overview.remarks(found))
    assert remarks["canonical"].endswith("The smallest contradictory sets: A.3 (canonical)")
    assert remarks["literal"].endswith("The smallest contradictory sets: B.1 (literal), B.2 and B.4 (canonical)")
    assert [one.sets for one in found] == [Sets(4, 3, 4, 0), Sets(4, 7, 2, 6)]
    assert [answer.minimal for answer in overview.contradictions(found)] == [("A.3",), ("B.1", "B.2", "B.4")]


def test_a_pair_that_contradicts_itself_is_found_in_a_survey():
    groups = with_variant("A.1 inside a class", "A.2 overlapping")
    (pair,) = surveyed("overlapping", groups, 3).contradictions
    assert set(pair.minimal) == {"A.1", "A.2"}
    assert verify_answer(pair.to_json(), finder(groups)).circle == pair.circle


@pytest.mark.parametrize("width", [60, 80])
def test_a_survey_fits_the_width(width):
    args = ["consistency", "--survey", "--objects", "2", "--condition", "A.5", "--condition", "B.1"]
    said = run_inside(*args, COLUMNS=str(width)).out
    assert said.startswith("No contradiction was found")
    assert max(map(len, said.splitlines())) <= width
    assert MIXTURE in said
