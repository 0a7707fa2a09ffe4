"""Suites: what is run and checked where nothing is named, and that results of any suite are results like others."""

import csv
import io
import json
from pathlib import Path

import pytest
from test_cli import assert_one_sentence, run_inside

import metaeval
from metaeval.catalogue.measure import make_measure
from metaeval.literature.shelf import CHECK, FIRST, PAPER, SANITY, SOURCES, SUITES, find_suite
from metaeval.records.results import Results
from metaeval.runner.plan import Plan

TEN = ["A.1", "A.2", "A.3", "A.4", "A.5", "B.1", "B.2", "B.3", "B.4", "B.5"]
FOUR = ["S.1", "S.2", "S.3", "S.4"]
SMALL = {"examples": 0, "exhaustive": 2, "effort": 0, "jobs": 1, "proofs": False}
WORDS = ["--examples", "0", "--exhaustive", "2", "--effort", "0", "--jobs", "1", "--no-proofs", "--quiet"]


def one(candidate, gold):
    return float(candidate == gold)


def conditions_of(results: Results) -> list[str]:
    return sorted({cell.condition for cell in results})


def test_the_names_and_that_a_source_is_a_suite() -> None:
    named = {"paper", "sanity", "horta2014", "lutov2019", "amigo2009", "gosgens2021", "all"}
    assert named <= set(SUITES)
    assert set(SUITES) == named | (set(SOURCES) - {FIRST.id})
    for id, source in SOURCES.items():
        if source is not FIRST:
            chosen = [one.id for one in SUITES[id].chosen_measures()]
            assert chosen == [one for one in metaeval.measures() if one in source.measures]
            assert set(SUITES[id].condition_ids()) == set(source.conditions)


def test_the_default_is_the_first_paper() -> None:
    assert PAPER.condition_ids() == TEN
    assert len(PAPER.measures) == 12
    plan = Plan.of()
    assert [measure.id for measure in plan.measures] == [id for id in metaeval.measures() if id in PAPER.measures]
    assert [group.id for group in plan.groups] == [
        (id, name) for id in TEN for name in metaeval.conditions()[id].readings
    ]


def test_a_suite_names_what_is_registered() -> None:
    for suite in (*SUITES.values(), CHECK):
        assert set(suite.measures or ()) <= set(metaeval.measures())
        assert set(suite.conditions or ()) <= set(metaeval.conditions())
    assert SUITES["all"].condition_ids() == list(metaeval.conditions())
    assert [one.id for one in SUITES["all"].chosen_measures()] == list(metaeval.measures())


def test_whoever_registers_a_measure_finds_it_in_every_suite() -> None:
    metaeval.measure("suite-of-none")(one)
    try:
        for suite in SUITES.values():
            assert "suite-of-none" in [one.id for one in suite.chosen_measures()]
    finally:
        metaeval.forget("suite-of-none")


def test_a_check_asks_the_ten_and_what_is_asked_first_and_what_is_chosen_wins_over_the_suite() -> None:
    assert CHECK.condition_ids() == sorted([*TEN, *FOUR], key=list(metaeval.conditions()).index)
    assert conditions_of(metaeval.check(one, **SMALL)) == sorted([*TEN, *FOUR])
    assert conditions_of(metaeval.run([one], **SMALL)) == sorted([*TEN, *FOUR])
    assert conditions_of(metaeval.check(one, suite="sanity", **SMALL)) == FOUR
    assert conditions_of(metaeval.check(one, ["A.1"], suite="sanity", **SMALL)) == ["A.1"]
    found = metaeval.run(suite="Lutov2019", measures=[one], **SMALL)
    assert ({cell.measure for cell in found}, conditions_of(found)) == ({"one"}, ["A.1", "A.2", "A.3", "A.4"])


def test_the_command_line_has_the_same(tmp_path: Path) -> None:
    out = tmp_path / "results.json"
    words = ("run", "--suite", "sanity", "--measure", "rnia", "--out", str(out), *WORDS)
    assert run_inside(*words).code == 0
    assert conditions_of(Results.load(out)) == FOUR
    (tmp_path / "own.py").write_text("def one(candidate, gold): return float(candidate == gold)\n")
    target = f"{tmp_path / 'own.py'}:one"
    assert run_inside("run", "--measure", target, "--out", str(out), *WORDS).code == 0
    assert sorted(conditions_of(Results.load(out))) == sorted([*TEN, *FOUR])
    for more, asked in (
        ((), [*TEN, *FOUR]),
        (("--suite", "sanity"), FOUR),
        (("--suite", "all", "--condition", "A.1"), ["A.1"]),
    ):
        outcome = run_inside("check", target, "--json", *more, *WORDS)
        assert sorted({cell["condition"] for cell in json.loads(outcome.out)["cells"]}) == sorted(asked)


@pytest.mark.parametrize("command", [("run",), ("check", "rnia")])
def test_a_suite_that_is_none_costs_one_sentence(command: tuple[str, ...]) -> None:
    assert_one_sentence(run_inside(*command, "--suite", "nonsense"), "no suite 'nonsense'", "horta2014")
    with pytest.raises(metaeval.InputError, match="no suite 'nonsense'"):
        metaeval.run(suite="nonsense")
    refused = run_inside("check", "rnia", "--suite", "sanity", "--against", "none.json")
    assert_one_sentence(refused, "--suite and --against exclude each other")


def test_a_project_may_name_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text("def one(candidate, gold): return float(candidate == gold)\n")

    def asked(table: str, *words: str) -> list[str]:
        (tmp_path / "pyproject.toml").write_text(f'[tool.metaeval]\ntargets = ["own.py:one"]\n{table}\n')
        outcome = run_inside("check", "--json", *words, *WORDS)
        return sorted({cell["condition"] for cell in json.loads(outcome.out)["cells"]})

    assert asked('suite = "sanity"') == FOUR
    assert asked('suite = "sanity"', "--suite", "paper") == TEN
    assert asked('suite = "sanity"\nconditions = ["A.1"]') == ["A.1"]
    assert asked('conditions = ["A.1"]', "--suite", "sanity") == FOUR
    assert asked('suite = "paper"\nexpect = ["A.1/canonical"]', "--suite", "sanity") == FOUR
    (tmp_path / "pyproject.toml").write_text('[tool.metaeval]\nsuite = "nonsense"\n')
    assert_one_sentence(run_inside("check"), "suite is 'nonsense'", "expected one of paper, sanity")


def test_pytest_asks_what_a_check_asks_unless_told() -> None:
    mark = metaeval.parametrize_with_conditions([make_measure(one, id="one")])
    assert sorted({cell.condition for cell in mark.args[1]}) == sorted([*TEN, *FOUR])
    mark = metaeval.parametrize_with_conditions([make_measure(one, id="one")], suite="sanity")
    assert sorted({cell.condition for cell in mark.args[1]}) == FOUR
    with pytest.raises(metaeval.InputError, match="no suite 'nonsense'"):
        metaeval.parametrize_with_conditions([one], suite="nonsense")


def test_results_of_any_suite_are_reported_compared_merged_and_resumed(tmp_path: Path) -> None:
    paper, sanity = tmp_path / "paper.json", tmp_path / "sanity.json"
    chosen = {"measures": ["rnia"], "readings": ["canonical"], **SMALL}
    metaeval.run(suite="paper", **chosen, out=paper)
    metaeval.run(suite="sanity", **chosen, out=sanity)
    first = Results.load(sanity)
    both = run_inside("report", str(paper), str(sanity), "--format", "csv")
    assert both.code == 0, both.err
    assert {row["condition"] for row in csv.DictReader(io.StringIO(both.out))} == {*TEN, *FOUR}
    for format in ("text", "markdown", "latex", "html"):
        assert run_inside("report", str(sanity), "--format", format).code == 0
    assert run_inside("diff", str(sanity), str(sanity)).code == 0
    resumed = metaeval.run(suite="all", conditions=[*TEN, *FOUR], **chosen, out=sanity, resume=True)
    assert conditions_of(resumed) == sorted([*TEN, *FOUR])
    assert [resumed.get(cell.key) for cell in first] == list(first)  # not searched again, seconds and all
    assert find_suite("SANITY") is SANITY
