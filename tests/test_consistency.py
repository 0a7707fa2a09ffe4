"""Whether conditions can be satisfied together: contradictions found, consistency shown, and answers re-checked."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from click.testing import CliRunner
from variant_readings import contradicting_survey, with_variant

import metaeval
from metaeval import InputError
from metaeval.cli import main
from metaeval.consistency import answer_text as overview
from metaeval.consistency.answer import SCHEMA, Answer, CircleLink
from metaeval.consistency.answer_text import closest, headline, told
from metaeval.consistency.decide import decide
from metaeval.consistency.graph import LEFT, RIGHT, Arrow, chosen, listed_cases
from metaeval.consistency.recheck import registered, verify_answer
from metaeval.consistency.survey import (
    MIXTURE,
    load_survey,
    open_problems,
    survey,
    survey_to_json,
    surveyed,
    unsatisfied,
)
from metaeval.core.relation import broken
from metaeval.core.renaming import Renaming, form
from metaeval.literature.shelf import PAPER
from metaeval.records.results import Results
from metaeval.verification.certificate_check import Refused

DOCS = Path(__file__).parents[1] / "docs"
ALL = tuple(f"{letter}.{number}" for letter in "AB" for number in range(1, 6))


@cache
def decided(name, *others):
    """The answer for these, which takes some seconds, once."""
    return decide(with_variant(name, *others), 4)


def finder(groups):
    known = {group.condition.id: group for group in groups}
    return lambda condition, reading: known[condition]


# --- contradictions -----------------------------------------------------------------------------------

#: A variant, what it is held beside, the fewest conditions that contradict each other, and the objects they need.
CONTRADICTIONS = [
    ("A.2 of classes", ["A.5 overlapping", "A.1 overlapping"], ("A.2", "A.5"), 3),
    ("B.1 without a gold", ["B.2 canonical", "B.4 canonical", "A.5 literal"], ("B.1", "B.2", "B.4"), 2),
    ("A.3 canonical from n = 1", ["A.1 canonical"], ("A.3",), 3),
    ("A.3 literal from n = 1", ["A.1 literal"], ("A.3",), 3),
    ("A.4 canonical from r = 1", ["A.1 canonical"], ("A.4",), 4),
    ("A.4 literal from r = 1", ["A.1 literal"], ("A.4",), 4),
]


@pytest.mark.parametrize(("name", "others", "minimal", "objects"), CONTRADICTIONS, ids=lambda one: str(one)[:30])
def test_a_reading_that_no_measure_can_satisfy_is_found_out(name, others, minimal, objects):
    groups = with_variant(name, *others)
    answer = decided(name, *others)
    assert answer.impossible
    assert set(answer.minimal) == set(minimal)
    assert answer.objects == objects
    assert verify_answer(answer.to_json(), finder(groups)).circle == answer.circle
    # The registered reading in its place contradicts nothing.
    assert not decide([registered(*group.id) for group in groups], objects).impossible


def test_a_mixed_cluster_inside_a_class_contradicts_the_merger():
    """A.2 as corrected joins no classes, so that {0}, {1}, {0, 1} is no circle; the gold {0, 1}, {0, 2} is one."""
    answer = decide(with_variant("A.1 inside a class", "A.2 overlapping"), 3)
    assert answer.minimal is not None
    assert set(answer.minimal) <= {"A.1", "A.2"}
    strict = [link.arrow.strict for link in answer.circle]
    assert any(strict)


def test_the_circle_is_as_short_as_can_be():
    """A.2 of classes: the gold against itself is the optimum, the merger scores higher, and must not reach it."""
    groups = with_variant("A.2 of classes", "A.5 overlapping")
    answer = decide(groups, 3)
    circle = answer.circle
    assert Counter(link.condition for link in circle) == {"A.2": 1, "A.5": 2}
    joined = next(link for link in circle if link.condition == "A.2")
    assert joined.case.left.candidate == joined.case.left.gold
    words = told(answer, width=120)
    assert "the optimum" in words
    assert "Impossible: no measure that is blind to names satisfies A.2 and A.5 (overlapping) together." in words


def test_one_case_is_a_circle_where_its_sides_differ_by_names_alone():
    (link,) = decide(with_variant("A.3 canonical from n = 1"), 3).circle
    assert link.arrow.strict
    assert link.renaming is not None
    assert sorted(link.renaming.objects) == [0, 1, 2]


@pytest.mark.parametrize(("name", "others", "minimal", "objects"), CONTRADICTIONS, ids=lambda one: str(one)[:30])
def test_every_measure_breaks_a_circle_somewhere(name, others, minimal, objects):
    """A circle is a proof: whatever the scores, one of its links is broken."""
    conditions = {group.condition.id: group.condition for group in with_variant(name, *others)}
    for subject in PAPER.chosen_measures():
        reasons = []
        for link in decided(name, *others).circle:
            scores = [subject.exact(*side) for side in link.case]
            reasons.append(broken(conditions[link.condition].relation, tuple(scores), subject.bounds))
        assert any(reasons), subject.id


# --- consistency --------------------------------------------------------------------------------------


@cache
def answered(reading, objects):
    return metaeval.consistency(readings=reading, objects=objects)


CONSISTENT = [("canonical", 5), ("literal", 3), ("overlapping", 2)]


@pytest.mark.parametrize(("reading", "objects"), CONSISTENT)
def test_an_order_keeps_every_case_of_its_scope(reading, objects):
    """Scored, not assumed: with the measure that the order is, by the relations themselves."""
    answer = answered(reading, objects)
    assert answer.answer == "consistent"
    assert answer.conditions == ALL
    measure = answer.measure()
    seen = Counter()
    for group, case in listed_cases(chosen(None, reading), objects):
        scores = [measure.exact(*side) for side in case]
        assert broken(group.condition.relation, tuple(scores), measure.bounds) is None
        seen[group.condition.id] += 1
    assert {one.condition: one.cases for one in answer.listed} == {id: seen[id] for id in ALL}
    assert answer.sides == len(answer.order.sides)


def test_a_measure_from_an_order_passes_a_check_on_its_scope(tmp_path):
    """The loop is closed: the answer is saved, exported as a measure, and checked like any other."""
    answer = answered("canonical", 5)
    saved, module = tmp_path / "answer.json", tmp_path / "ordered.py"
    saved.write_text(json.dumps(answer.to_json()))
    module.write_text(
        f"from metaeval.consistency.answer import Answer\nordered = Answer.load({str(saved)!r}).measure()\n"
    )
    words = [
        "check",
        f"{module}:ordered",
        "--reading",
        "canonical",
        "--examples",
        "0",
        "--exhaustive",
        "5",
        "--json",
    ]
    words += [word for id in ALL for word in ("--condition", id)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    cells = json.loads(done.stdout)["cells"]
    assert {cell["condition"] for cell in cells} == {*ALL}
    # Four clusters and their pairs need seven objects, so A.4 has no case here.
    verdicts = {cell["condition"]: cell["verdict"] for cell in cells}
    assert verdicts == {**dict.fromkeys(ALL, "holds"), "A.4": "vacuous"}
    cases = {one.condition: one.cases for one in answer.listed}
    assert {cell["condition"]: cell["cases"] for cell in cells} == cases


def test_beyond_its_scope_the_measure_says_that_it_is_undefined():
    measure = answered("canonical", 5).measure()
    far = metaeval.Biclustering.from_labels(range(40)), metaeval.Biclustering.from_labels([0] * 40)
    with pytest.raises(metaeval.Undefined, match="not among those"):
        measure.exact(*far)
    assert measure.exact(far[0], far[0]) == 1
    assert 0 < measure.exact(*answered("canonical", 5).order.sides[0]) <= 1


def test_the_survey_answers_under_every_reading_and_in_the_mixture(tmp_path):
    found = survey(["A.1", "A.2", "A.5", "B.2"], objects=2)
    assert [one.name for one in found] == ["canonical", "literal", "overlapping", MIXTURE]
    assert {one.answer.answer for one in found} == {"consistent"}
    mixed = found[-1].answer.readings
    assert mixed == {"A.1": "canonical", "A.2": "canonical", "A.5": "canonical", "B.2": "overlapping"}
    path = tmp_path / "survey.json"
    path.write_text(json.dumps(survey_to_json(found)))
    again = load_survey(path)
    assert [one.answer.listed for one in again] == [one.answer.listed for one in found]
    with pytest.raises(InputError, match="left out"):
        again[0].answer.measure()
    with pytest.raises(Refused, match="no order"):
        verify_answer(again[0].answer)


# --- answers re-checked -------------------------------------------------------------------------------


@cache
def three_links():
    groups = with_variant("B.1 without a gold", "B.2 canonical", "B.4 canonical")
    return json.dumps(decide(groups, 2).to_json()), finder(groups)


@pytest.fixture
def impossible():
    """A circle of three links as data, and what finds its readings."""
    text, find = three_links()
    return json.loads(text), find


def strictest(circle):
    return next(link for link in circle if link["strict"])


def unlink(circle):
    circle[0]["left"]["candidate"]["biclusters"] = []


def misname(circle):
    link = next(link for link in circle if link["renaming"] and len(link["renaming"]["objects"]) > 1)
    link["renaming"]["objects"][0] = link["renaming"]["objects"][1]


def forget_names(circle):
    next(link for link in circle if link["renaming"])["renaming"] = None


def turn(circle):
    link = strictest(circle)
    link["lower"], link["upper"] = link["upper"], link["lower"]


def soften(circle):
    strictest(circle)["strict"] = False


def drop(circle):
    del circle[1]


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (unlink, "no instance of"),
        (misname, "renaming of link"),
        (forget_names, "renaming of link"),
        (turn, "does not demand that"),
        (soften, "does not demand that"),
        (drop, "do not meet|renaming of link"),
    ],
)
def test_a_circle_that_was_tampered_with_is_refused(impossible, tamper, said):
    data, find = impossible
    assert verify_answer(data, find).impossible
    tamper(data["circle"])
    with pytest.raises(Refused, match=said):
        verify_answer(data, find)


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


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("minimal", ["B.1", "B.2"], "called minimal"),
        ("objects", 1, "more than the 1 objects"),
        ("answer", "consistent", "shows 'impossible'"),
        ("schema", "metaeval.consistency/9", "expected 'metaeval.consistency/1'"),
        ("note", "trust me", "unknown key"),
    ],
)
def test_what_an_answer_says_of_its_circle_is_held_to_it(impossible, key, value, said):
    data, find = impossible
    data[key] = value
    with pytest.raises(Refused, match=said):
        verify_answer(data, find)


@pytest.fixture
def consistent():
    """An order as data, to be changed."""
    return json.loads(json.dumps(answered("canonical", 3).to_json()))


def swap(order):
    """The optimum's rank for the lowest side."""
    order["sides"][0]["rank"] = order["optimum"]


def lose(order):
    del order["sides"][0]


def repeat(order):
    order["sides"].append(order["sides"][0])


@pytest.mark.parametrize(
    ("tamper", "said"),
    [(swap, "its order breaks"), (lose, "not {sides}"), (repeat, "not {sides}")],
)
def test_an_order_that_was_tampered_with_is_refused(consistent, tamper, said):
    tamper(consistent["order"])
    with pytest.raises(Refused, match=said.format(sides=consistent["sides"])):
        verify_answer(consistent)


def test_an_order_that_lacks_a_side_is_refused(consistent):
    # A perfect match that is missing is known to be the optimum; another side is not.
    lost = next(at for at, one in enumerate(consistent["order"]["sides"]) if one["candidate"] != one["gold"])
    del consistent["order"]["sides"][lost]
    consistent["sides"] -= 1
    with pytest.raises(Refused, match="lacks a side"):
        verify_answer(consistent)


def test_an_order_that_miscounts_is_refused(consistent):
    consistent["listed"][0]["cases"] += 1
    with pytest.raises(Refused, match=f"not {consistent['listed'][0]['cases']}"):
        verify_answer(consistent)


def test_every_reversed_pair_of_an_order_is_noticed():
    """Whatever arrow is reversed, the case that it comes from tells."""
    answer = metaeval.consistency(["A.1", "A.2"], objects=4)
    data = answer.to_json()
    forms = {str(one["candidate"]) + str(one["gold"]): one for one in data["order"]["sides"]}
    assert len(forms) == answer.sides
    for one in data["order"]["sides"]:
        before = one["rank"]
        refusals = 0
        for rank in (1, data["order"]["optimum"] + 1):
            one["rank"] = rank
            try:
                verify_answer(data)
            except Refused:
                refusals += 1
        one["rank"] = before
        assert refusals  # a side of a case is above or below another


# --- what is asked for --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("conditions", "readings", "said"),
    [
        (["A.9"], None, "no condition 'A.9'"),
        (["A.1"], ["loose"], "no reading 'loose'"),
        (["A.1"], ["canonical", "literal"], "two readings for all conditions"),
        (["A.1"], ["B.2=canonical"], "not among the conditions chosen"),
        (["B.2"], ["B.2=literal"], "B.2 has no reading 'literal'"),
    ],
)
def test_a_choice_that_is_none_costs_a_sentence(conditions, readings, said):
    with pytest.raises(InputError, match=said):
        chosen(conditions, readings)


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
    words = ["consistency", "--condition", "A.1", "--condition", "A.2", "--objects", "4", "--out", str(path)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0
    assert done.stdout.startswith("Consistent up to 4 objects: A.1 and A.2 (canonical).")
    data = json.loads(path.read_text())
    assert data["schema"] == SCHEMA
    assert (data["answer"], data["circle"], data["minimal"]) == ("consistent", None, None)
    assert json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout) == data
    checked = CliRunner().invoke(main, ["verify", str(path)])
    assert (checked.exit_code, checked.stdout.split()[0]) == (0, "ok")
    data["order"]["sides"][0]["rank"] = data["order"]["optimum"] + 1
    path.write_text(json.dumps(data))
    refused = CliRunner().invoke(main, ["verify", str(path)])
    assert (refused.exit_code, refused.stdout.split()[0]) == (1, "REFUSED")


@pytest.mark.parametrize(
    "words",
    [
        ["--condition", "A.9"],
        ["--reading", "A.1=loose"],
        ["--objects", "0"],
        ["--objects", "many"],
        ["--survey", "--reading", "literal"],
        ["--results", "nowhere.json"],
    ],
)
def test_bad_input_costs_one_sentence(words, capfd):
    with pytest.raises(SystemExit) as stopped:
        main(["consistency", *words])
    assert stopped.value.code == 2
    said = capfd.readouterr().err
    assert said.startswith("metaeval: ")
    assert said.count("\n") == 1


# --- open problems ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def results():
    return metaeval.run(
        ["ce", "rnia", "rand", "bcubed"],
        ["A.1", "A.3", "B.3"],
        ["canonical"],
        examples=5,
        exhaustive=5,
        proofs=False,
    )


def only(results, *measures):
    """The results of some measures."""
    some = Results({})
    some.measures = {id: results.measures[id] for id in measures}
    some.conditions = results.conditions
    for cell in results:
        if cell.measure in measures:
            some.add(cell)
    return some


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


def test_a_reading_that_nobody_can_satisfy_is_no_open_problem(results):
    groups = with_variant("A.3 canonical from n = 1")
    others = only(results, "ce")
    assert unsatisfied(others, dict(group.id for group in groups)) == [("A.3",)]
    assert open_problems(others, groups, 3) == []


@pytest.mark.parametrize("reading", ["canonical", "literal", "overlapping"])
def test_unsatisfied_sets_are_those_that_trying_every_set_finds(reading):
    results = Results.load(DOCS / "results.json")
    readings = dict(group.id for group in chosen(None, reading))
    kept = [
        {id for id in ALL if results.cell(measure, id, readings[id]).verdict.satisfied}
        for measure in results.measures
    ]
    open_ones = []
    for some in (set(some) for count in range(1, len(ALL) + 1) for some in combinations(ALL, count)):
        if not any(some <= one for one in kept) and not any(known <= some for known in open_ones):
            open_ones.append(some)
    assert [set(some) for some in unsatisfied(results, readings)] == open_ones
    assert unsatisfied(Results({}), readings) == []


def test_what_has_no_case_yet_is_said_of_a_problem(results):
    """With two objects A.3 demands nothing, and whoever keeps all of nothing is not close to it."""
    (problem, other) = open_problems(only(results, "ce", "rnia", "rand"), chosen(["A.1", "A.3", "B.3"]), 2)
    assert (problem.conditions, problem.without_cases) == (("A.3",), ("A.3",))
    assert closest(problem) == "100.0% ce, rand and rnia; no case of A.3 with so few objects"
    assert other.without_cases == ()
    assert problem.to_json()["without_cases"] == ["A.3"]


@pytest.mark.parametrize("width", [60, 80])
def test_the_command_lists_open_problems_within_the_width(results, tmp_path, monkeypatch, width):
    path = tmp_path / "results.json"
    only(results, "ce", "rnia", "rand").save(path)
    monkeypatch.setenv("COLUMNS", str(width))
    words = ["consistency", "--condition", "A.1", "--condition", "A.3", "--condition", "B.3", "--objects", "3"]
    done = CliRunner().invoke(main, [*words, "--results", str(path)])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Open problems: sets without a contradiction up to 3 objects")
    assert max(map(len, done.stdout.splitlines())) <= width
    assert "A.1 B.3" in done.stdout


def test_the_headline_names_the_readings():
    assert headline(answered("literal", 3)) == (
        "Consistent up to 3 objects: A.1–A.5, B.1 and B.5 (literal), B.2–B.4 (canonical)."
    )


def test_the_headline_says_where_less_is_listed():
    """B.2 between disjoint families is listed up to four objects, and the others further."""
    said = headline(answered("canonical", 5))
    assert said == "Consistent up to 4 objects, and up to 5 where more is listed: A.1–A.5 and B.1–B.5 (canonical)."


@pytest.mark.parametrize("width", [60, 80])
def test_an_answer_fits_the_width(width):
    consistent, impossible = answered("literal", 3), decided("A.3 canonical from n = 1", "A.1 canonical")
    for answer in (consistent, impossible):
        lines = told(answer, width).splitlines()
        assert max(map(len, lines)) <= width
        rows = [line.split() for line in lines]
        for one in answer.listed:
            assert [one.condition, one.reading, f"{one.cases:,}", "up", "to", str(one.objects)] in rows


def test_one_case_that_is_a_circle_says_how_its_sides_are_the_same():
    words = told(decided("A.3 canonical from n = 1", "A.1 canonical"))
    assert "the same but for names: rename objects " in words


# --- a survey at a glance -----------------------------------------------------------------------------


def test_a_survey_says_what_is_impossible_alone_in_pairs_and_together():
    found = contradicting_survey()
    assert [[answer.minimal for answer in one.contradictions] for one in found] == [[("A.3",)], []]
    assert [row[:3] for row in overview.answer_rows(found)] == [
        ("canonical", "impossible", "up to 3"),
        ("literal", "impossible", "up to 2"),
    ]
    assert overview.impossible_with(found) == {
        ("A.3", "canonical"): "",
        ("B.1", "literal"): "B.2 and B.4 (canonical)",
        ("B.2", "canonical"): "B.1 (literal), B.4 (canonical)",
        ("B.4", "canonical"): "B.1 (literal), B.2 (canonical)",
    }
    remarks = dict(overview.remarks(found))
    assert remarks["canonical"].endswith("alone: A.3 (canonical); in pairs of the others: none")
    assert remarks["literal"].endswith("alone: none; in pairs: none")
    assert [answer.minimal for answer in overview.contradictions(found)] == [("A.3",), ("B.1", "B.2", "B.4")]


def test_a_pair_that_contradicts_itself_is_found_in_a_survey():
    groups = with_variant("A.1 inside a class", "A.2 overlapping", "B.2 overlapping")
    found = surveyed("overlapping", groups, 3)
    (pair,) = found.contradictions
    assert set(pair.minimal) == {"A.1", "A.2"}
    assert verify_answer(pair.to_json(), finder(groups)).circle == pair.circle


@pytest.mark.parametrize("width", [60, 80])
def test_a_survey_fits_the_width(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    words = ["consistency", "--survey", "--objects", "2", "--condition", "A.1", "--condition", "A.2"]
    said = CliRunner().invoke(main, words).stdout
    assert said.startswith("No contradiction was found")
    assert max(map(len, said.splitlines())) <= width
    assert MIXTURE in said
