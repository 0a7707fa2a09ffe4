"""Plans, settings and jobs: what is chosen, how hard is searched, and what is sent to other processes."""

import pickle

import pytest
from tools import run_process

import metaeval
from metaeval import InputError
from metaeval.adapters import as_measure
from metaeval.catalogue.measure import make_measure
from metaeval.core.settings import OPTIONS, Settings
from metaeval.runner.jobs import Gating, ReadingSearch, SearchJob, subject_of
from metaeval.runner.plan import Plan


def anything(candidate, gold):
    return 1


PARTITIONS = make_measure(anything, id="on-partitions", domain="partitions")


# --- plans ---------------------------------------------------------------------------------------------
def test_the_order_of_a_choice_is_that_of_the_registry_for_groups_only():
    plan = Plan.of(["rnia", "ce"], {"B.2", "A.1"}, ["literal", "canonical"])
    assert [measure.id for measure in plan.measures] == ["rnia", "ce"]
    assert [str(group) for group in plan.groups] == ["A.1 canonical", "A.1 literal", "B.2 canonical"]
    assert [measure.id for measure in Plan.of({"rnia", "ce"}).measures] == ["ce", "rnia"]
    assert [measure.id for measure in Plan.of(["ce", "rnia", "ce"]).measures] == ["ce", "rnia"]


def test_cells_outside_a_domain_are_left_out():
    plan = Plan.of([PARTITIONS, "ce"], ["A.1", "B.1"], ["canonical"])
    assert list(plan.cell_ids()) == [
        ("on-partitions", "A.1", "canonical"), ("ce", "A.1", "canonical"), ("ce", "B.1", "canonical"),
    ]  # fmt: skip


def test_cells_that_are_there_are_left_out():
    plan = Plan.of(["ce", "rnia"], ["A.1"], ["canonical", "literal"])
    rest = plan.without({("ce", "A.1", "canonical"), ("rnia", "A.1", "literal"), ("vi", "A.1", "literal")})
    assert list(rest.cell_ids()) == [("rnia", "A.1", "canonical"), ("ce", "A.1", "literal")]
    assert (rest.measures, rest.groups) == (plan.measures, plan.groups)


@pytest.mark.parametrize(("choice", "says"), [
    ({"measures": []}, "measures is empty; expected at least one"),
    ({"measures": "ce"}, "measures is 'ce'; expected a list of measures, such as ['ce']"),
    ({"measures": anything}, "expected a list of measures"),
    ({"measures": PARTITIONS}, "expected a list of measures"),
    ({"measures": ["cee"]}, "no measure 'cee'; did you mean 'ce'?"),
    ({"measures": [anything, anything]}, "two measures have the id 'anything'; give each its own"),
    ({"conditions": ()}, "conditions is empty; expected at least one"),
    ({"conditions": "A.1"}, "conditions is 'A.1'; expected a list, such as ['A.1']"),
    ({"conditions": ["A.9"]}, "no condition 'A.9'"),
    ({"readings": "literal"}, "readings is 'literal'; expected a list, such as ['literal']"),
    ({"readings": ["loose"]}, "no reading 'loose'; expected one of canonical, literal, overlapping, repeated"),
    ({"conditions": ["A.1"], "readings": ["repeated"]}, "a reading chosen; A.1 has no reading repeated"),
    ({"conditions": ["A.1", "A.2"], "readings": ["repeated"]}, "; A.1, A.2 have no reading repeated"),
])  # fmt: skip
def test_a_wrong_choice_costs_one_sentence_wherever_it_is_made(choice, says):
    for choose in (Plan.of, metaeval.run):
        with pytest.raises(InputError) as refusal:
            choose(**choice)
        assert says in str(refusal.value)


def test_a_measure_without_a_cell_is_refused_where_that_is_asked_for():
    plan = Plan.of([PARTITIONS], ["B.1"])
    with pytest.raises(InputError, match="lies in the domain of on-partitions, the domain 'partitions'"):
        plan.demand_cells()
    assert len(metaeval.run([PARTITIONS], ["B.1"])) == 0


# --- settings ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("setting", "says"), [
    ({"examples": -1}, "examples is -1; expected an integer from 0 up"),
    ({"examples": None}, "examples is None; expected an integer from 0 up"),
    ({"examples": True}, "examples is True; expected an integer from 0 up"),
    ({"examples": 1.5}, "examples is 1.5; expected an integer from 0 up"),
    ({"exhaustive": -1}, "exhaustive is -1; expected an integer from 0 up"),
    ({"exhaustive": 2.0}, "exhaustive is 2.0; expected an integer from 0 up"),
    ({"seed": "x"}, "seed is 'x'; expected an integer"),
    ({"jobs": 0}, "jobs is 0; expected an integer from 1 up"),
    ({"budget": 0}, "budget is 0; expected a number of seconds above 0"),
    ({"budget": float("nan")}, "budget is nan; expected a number of seconds above 0"),
])  # fmt: skip
def test_settings_are_checked_once_and_for_all(setting, says):
    for use in (Settings, metaeval.run):
        with pytest.raises(InputError) as refusal:
            use(**setting)
        assert str(refusal.value) == says


def test_every_setting_is_declared_with_its_default():
    usual = Settings()
    assert {*OPTIONS, "cache", "proofs"} == set(vars(usual))
    stated = {name: option.parse(option.default) for name, option in OPTIONS.items() if option.default.isdigit()}
    assert stated == {"examples": usual.examples, "seed": usual.seed, "budget": usual.budget}
    assert Settings(**stated) == usual


def test_settings_become_the_words_that_ask_for_them():
    assert Settings().cache
    assert Settings().words() == Settings(cache=False).words() == []
    words = Settings(examples=3, exhaustive=0, seed=-1, budget=0.5, jobs=7).words()
    assert words == ["--examples", "3", "--exhaustive", "0", "--seed", "-1", "--budget", "0.5"]


def test_the_declaration_of_settings_is_light():
    code = "import sys, metaeval.core.settings; print(*(name for name in sys.modules if 'metaeval' in name))"
    loaded = {name for name in run_process(code=code).out.split() if not name.startswith("__editable__")}
    light = {"metaeval", "metaeval.core", "metaeval.core.settings", "metaeval.core.errors"}
    assert loaded == light


# --- jobs ----------------------------------------------------------------------------------------------
def test_jobs_about_registered_measures_can_be_sent_to_another_process():
    for job in (
        Gating(subject_of(metaeval.measures()["ce"]), 1.0),
        SearchJob((ReadingSearch(("A.1", "canonical"), ("ce", "rnia"), b"", Settings(exhaustive=2)),)),
    ):
        assert pickle.loads(pickle.dumps(job)) == job


def test_a_measure_of_ones_own_goes_along_as_it_is():
    mine = as_measure(anything)
    assert subject_of(mine) is mine
    assert subject_of(metaeval.measures()["ce"]) == "ce"
    impostor = make_measure(anything, id="ce")
    assert subject_of(impostor) is impostor
