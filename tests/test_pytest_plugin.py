"""The pytest plugin as a user of another repository meets it: every test runs pytest on a small test file."""

import json
import re
import shlex
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

import metaeval
from metaeval import Cell, InputError, pytest_plugin
from metaeval.catalogue.condition import conditions
from metaeval.catalogue.measure import make_measure
from metaeval.core import settings
from metaeval.core.verdict import Verdict
from metaeval.literature.shelf import CHECK
from metaeval.parametrize import CellCheck, parametrize_with_conditions
from metaeval.records.described import target_of
from metaeval.verification.baseline import SEVERAL, Baseline
from metaeval.verification.golden import HUGE, LARGE, SIDES

PANEL = (*SIDES, *LARGE, *HUGE)
pytest_plugins = ["pytester"]
pytestmark = pytest.mark.usefixtures("loaded")

QUICK = ("--metaeval-examples=0", "--metaeval-exhaustive=3", "--metaeval-effort=0", "--metaeval-no-proofs")

TEST_FILE = """
import metaeval

def flat(candidate, gold):
    return 1 if candidate == gold else 0.5

@metaeval.parametrize_with_conditions({arguments})
def test_conditions(cell):
    cell.check()
"""


def write(pytester, arguments):
    pytester.makepyfile(test_it=TEST_FILE.replace("{arguments}", arguments))


def run_pytest(pytester, *words, process=False):
    """A session in this process, unless what is loaded or the work of xdist is looked at."""
    run = pytester.runpytest_subprocess if process else pytester.runpytest_inprocess
    return run("-p", "no:cacheprovider", "-ra", *words)


# --- which tests there are -----------------------------------------------------------------------------------
def ids(mark):
    return [check.id for check in mark.args[1]]


def test_one_test_for_every_measure_condition_and_reading():
    names = ids(parametrize_with_conditions(["mocice", "ce"]))
    groups = [(c, reading) for c in CHECK.condition_ids() for reading in conditions()[c].readings]
    assert names == [f"{id}-{c}-{reading}" for id in ("mocice", "ce") for c, reading in groups]


def test_ids_are_names_that_k_and_xdist_can_use(pytester):
    write(pytester, "[flat, 'ce'], conditions=['A.1', 'A.3'], readings=['canonical', 'literal']")
    listed = run_pytest(pytester, "--collect-only", "-q").outlines[:8]
    assert listed == [
        f"test_it.py::test_conditions[{id}-{c}-{reading}]"
        for id in ("flat", "ce")
        for c in ("A.1", "A.3")
        for reading in ("canonical", "literal")
    ]
    chosen = run_pytest(pytester, "--collect-only", "-q", "-k", "ce-A.3-literal or flat and A.1 and canonical")
    assert chosen.outlines[:2] == [
        "test_it.py::test_conditions[flat-A.1-canonical]",
        "test_it.py::test_conditions[ce-A.3-literal]",
    ]
    result = run_pytest(pytester, *QUICK, "-n2", "-v", "-k", "A.1", "-W", "error", process=True)
    result.assert_outcomes(failed=4)
    run = re.findall(r"FAILED test_it\.py::test_conditions\[(\S+)\]", "\n".join(result.outlines))
    assert set(run) == {f"{id}-A.1-{reading}" for id in ("flat", "ce") for reading in ("canonical", "literal")}
    result.stdout.fnmatch_lines(["*Failed: ce violates A.1*"])  # the counterexample survives the way home


# --- what a test says ----------------------------------------------------------------------------------------
def test_a_violation_fails_with_the_counterexample_and_no_stack_trace(pytester):
    write(pytester, "[flat, 'ce'], conditions=['A.2'], readings=['canonical']")
    result = run_pytest(pytester, *QUICK)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([
        "flat violates A.2 Completeness (canonical)",
        "*left      0.5",
        "found     the left scores as high as the right",
        "*metaeval check test_it.py:flat --condition A.2 --reading canonical --examples 0 --exhaustive 3 --ef*",
        "FAILED test_it.py::test_conditions?flat-A.2-canonical? - Failed: flat viol*",
    ])  # fmt: skip
    text = result.stdout.str()
    assert "Traceback" not in text
    assert "cell.check()" not in text
    assert "parametrize.py" not in text


def test_expected_violations_are_strict(pytester):
    write(
        pytester,
        "['ce'], conditions=['A.1', 'A.2'], readings=['canonical'],"
        "expected_violations={'ce': {'A.1/canonical': 'known: Table 1', 'A.2/canonical': 'once true'}}",
    )
    result = run_pytest(pytester, *QUICK)
    result.assert_outcomes(xfailed=1, failed=1)
    result.stdout.fnmatch_lines([
        "ce no longer violates A.2 (canonical), which was expected: once true",
        'What to do: remove "A.2/canonical" from expected_violations?"ce"?*',
        "XFAIL test_it.py::test_conditions?ce-A.1-canonical? - known: Table 1",
    ])  # fmt: skip


def test_the_settings_of_the_session_reach_the_run_above_the_projects(pytester):
    text = """
        import metaeval

        @metaeval.parametrize_with_conditions(["rand"], conditions=["A.2"], readings=["canonical"])
        def test_conditions(cell):
            found = cell.check()
            assert (found.exhaustive.objects, found.cases > found.exhaustive.cases) == (2, {drawn})
        """
    pytester.makepyfile(test_listed=text.format(drawn=False), test_drawn=text.format(drawn=True))
    pytester.makepyprojecttoml("[tool.metaeval]\nexamples = 0\nexhaustive = 3\neffort = 0\nproofs = false\njobs = 1\n")
    listed, drawn, smaller = "test_listed.py", "test_drawn.py", "--metaeval-exhaustive=2"
    run_pytest(pytester, listed, smaller).assert_outcomes(passed=1)
    run_pytest(pytester, drawn, smaller, "--metaeval-examples=4", "--metaeval-seed=7").assert_outcomes(passed=1)
    run_pytest(pytester, listed).assert_outcomes(failed=1)
    pytester.makepyprojecttoml("[tool.metaeval]\nexample = 0\n")
    result = run_pytest(pytester, listed)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*pyproject.toml: [[]tool.metaeval] has an unknown key 'example'; did you mean*"])
    assert "Traceback" not in result.stdout.str()


# --- baselines -----------------------------------------------------------------------------------------------
BASELINE_TEST = """
import metaeval

def flat(candidate, gold):
    return 1 if candidate == gold else 0.5

@metaeval.parametrize_with_baseline(flat, "flat.json")
def test_baseline(stored):
    stored.check()
"""


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The baseline of flat, which violates A.2 under both readings that are looked at; made once."""
    folder = tmp_path_factory.mktemp("baseline")
    (folder / "test_it.py").write_text(BASELINE_TEST.partition("@")[0])
    options = ["--condition=A.2", "--reading=canonical", "--reading=literal", "--examples=0", "--exhaustive=3"]
    metaeval_check = [sys.executable, "-m", "metaeval", "check", "test_it.py:flat", *options, "--quiet"]
    subprocess.run([*metaeval_check, "--save", "flat.json"], cwd=folder, capture_output=True, check=False)
    return (folder / "flat.json").read_bytes()


@pytest.fixture
def flat_json(pytester, saved):
    (pytester.path / "flat.json").write_bytes(saved)


@pytest.mark.usefixtures("flat_json")
def test_every_golden_score_and_counterexample_of_a_baseline_is_a_test(pytester):
    pytester.makepyfile(test_it=BASELINE_TEST)
    listed = run_pytest(pytester, "--collect-only", "-q").outlines
    names = [line.partition("::")[2] for line in listed if "::" in line]
    golden = [f"test_baseline[flat-golden-{number:02}]" for number in range(1, len(PANEL) + 1)]
    assert names == [*golden, "test_baseline[flat-A.2-canonical]", "test_baseline[flat-A.2-literal]"]
    run_pytest(pytester, "-W", "error").assert_outcomes(passed=len(names))


@pytest.mark.usefixtures("flat_json")
def test_a_changed_score_fails_with_its_pair_drawn(pytester):
    pytester.makepyfile(test_it=BASELINE_TEST.replace("else 0.5", "else 0.25"))
    result = run_pytest(pytester)
    text = result.stdout.str()
    assert "golden-02: expected 0.5, got 0.25 (difference: -0.25)" in text
    assert "gold       A B B C C\ncandidate  a a b b c\n" in text
    assert "A.2/canonical: the stored counterexample scored 0.5 and 0.5, and now 0.25 and 0.25" in text
    assert ":flat --against flat.json --save flat.json" in text
    assert "Traceback" not in text
    assert "parametrize_baseline.py" not in text
    # Pairs of equals score as they did.
    same = sum(candidate == gold for candidate, gold in PANEL)
    result.assert_outcomes(passed=same, failed=len(PANEL) - same + 2)


@pytest.mark.usefixtures("flat_json")
def test_a_counterexample_that_is_mended_asks_for_a_new_baseline(pytester):
    mended = BASELINE_TEST.replace("1 if candidate == gold else 0.5", "metaeval.score('mocice', candidate, gold)")
    pytester.makepyfile(test_it=mended)
    result = run_pytest(pytester, "-k", "A.2")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["A.2/canonical: the stored counterexample no longer breaks it: *"])


@pytest.mark.usefixtures("flat_json")
def test_a_measure_that_ends_its_process_is_named(pytester):
    pytester.makepyfile(test_it="import os\n" + BASELINE_TEST.replace("return 1", "os._exit(3) or 1"))
    result = run_pytest(pytester, "-k", "golden-01 or canonical")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*flat lost its process, which ended with exit code 3*"])


@pytest.mark.parametrize(("source", "complaint"), [
    (TEST_FILE.replace("{arguments}", "['ce'], expected_violations={'ec': {'A.1/canonical': 'mistyped'}}"),
     "parametrize_with_conditions: expected_violations names 'ec', which is not "),
    (BASELINE_TEST.replace('"flat.json"', "'nowhere.json'"),
     "parametrize_with_baseline: nowhere.json does not exist"),
    (BASELINE_TEST.replace("(flat, ", "('ce', "),
     "parametrize_with_baseline: flat.json has no baseline of 'ce', only of flat"),
])  # fmt: skip
@pytest.mark.usefixtures("flat_json")
def test_what_does_not_fit_stops_the_collection_with_a_sentence(pytester, source, complaint):
    pytester.makepyfile(test_it=source)
    result = run_pytest(pytester)
    result.assert_outcomes(errors=1)
    assert complaint in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


@pytest.mark.usefixtures("flat_json")
def test_one_file_serves_several_measures(pytester):
    both = BASELINE_TEST.replace("(flat, ", "([flat, other], ")
    other = "def other(candidate, gold):\n    return flat(candidate, gold)\n"
    pytester.makepyfile(test_it=both.replace("@metaeval", other + "\n@metaeval"))
    refused = run_pytest(pytester, "--collect-only")
    assert "flat.json has no baseline of 'other', only of flat" in refused.stdout.str()
    data = json.loads(Path("flat.json").read_text().replace('"flat"', '"other"'))
    Path("flat.json").write_text(
        json.dumps({"schema": SEVERAL, "baselines": [json.loads(Path("flat.json").read_text()), data]})
    )
    run_pytest(pytester).assert_outcomes(passed=2 * (len(PANEL) + 2))


@pytest.mark.usefixtures("flat_json")
def test_an_update_searches_again_and_rewrites_the_file(pytester):
    """The measure is mended, so that A.2 holds: a verdict of the old file would be wrong."""
    mended = "metaeval.score('mocice', candidate, gold)"
    pytester.makepyfile(test_it=BASELINE_TEST.replace("1 if candidate == gold else 0.5", mended))
    before = Path("flat.json").read_bytes()
    changed = run_pytest(pytester).parseoutcomes()["failed"]
    assert Path("flat.json").read_bytes() == before
    result = run_pytest(pytester, "--metaeval-update")
    assert result.ret == 0
    assert result.parseoutcomes() == {"passed": len(PANEL) + 2 - changed, "updated": changed}
    result.stdout.fnmatch_lines(["metaeval: flat.json has new baselines of flat"])
    written = Baseline.load("flat.json", "flat")
    settings = {name: json.loads(before)["provenance"][name] for name in ("examples", "exhaustive", "seed")}
    searched = metaeval.check(
        make_measure(lambda c, g: metaeval.score("mocice", c, g), id="flat"),
        ["A.2"], ["canonical", "literal"], effort=written.measure.effort, proofs=False, **settings,
    )  # fmt: skip
    assert [(cell.key, cell.verdict, cell.cases) for cell in written.cells] == [
        (cell.key, cell.verdict, cell.cases) for cell in searched
    ]
    again = run_pytest(pytester)
    assert (again.ret, set(again.parseoutcomes())) == (0, {"passed"})


@pytest.mark.usefixtures("flat_json")
def test_an_update_that_is_not_possible_fails_and_keeps_the_file(pytester):
    before = Path("flat.json").read_bytes()
    pytester.makepyfile(test_it=BASELINE_TEST.replace("return 1", "return 2"))
    result = run_pytest(pytester, "--metaeval-update", "-k", "golden-01 or golden-02")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*no baseline was saved in flat.json: the measure fails the gate"])
    refused = run_pytest(pytester, "--metaeval-update", "-n2", process=True)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    assert "--metaeval-update writes files, so it needs a single process; add -n 0" in refused.stderr.str()
    assert Path("flat.json").read_bytes() == before


# --- one assertion for all cells -----------------------------------------------------------------------------
def flat(candidate, gold):
    return 1 if candidate == gold else 0.5


FEW = {"readings": ["canonical"], "examples": 0, "exhaustive": 3, "effort": 0, "proofs": False, "jobs": 1}


def test_an_assertion_fails_with_the_text_of_a_test_and_works_without_pytest(monkeypatch):
    monkeypatch.setattr(pytest_plugin, "_sessions", [])
    assert metaeval.assert_conditions(flat, ["B.2"], **FEW).cell("flat", "B.2").verdict is Verdict.HOLDS
    with pytest.raises(AssertionError) as caught:
        metaeval.assert_conditions(flat, ["A.2", "B.2"], **FEW)
    (check,) = parametrize_with_conditions([flat], conditions=["A.2"], readings=["canonical"]).args[1]
    monkeypatch.setattr(
        pytest_plugin, "options", lambda: {"examples": 0, "exhaustive": 3, "effort": 0, "proofs": False}
    )
    with pytest.raises(pytest.fail.Exception) as failed:
        check.check()
    assert str(caught.value) == str(failed.value)


def test_an_assertion_names_the_failures_first_and_honours_expectations():
    with pytest.raises(AssertionError) as caught:
        metaeval.assert_conditions(flat, ["A.1", "A.2", "B.2"], **FEW)
    lines = str(caught.value).splitlines()
    assert lines[:2] == ["flat fails 2 checks:", "violated: A.1/canonical, A.2/canonical"]
    assert sum(line.startswith("    gold ") for line in lines) == 2
    again = shlex.split(lines[-1])
    assert again[3:8] == ["--condition", "A.1", "--condition", "A.2", "--examples"]
    reasons = {"A.1/canonical": "known", "A.2/canonical": "known"}
    results = metaeval.assert_conditions(flat, ["A.1", "A.2"], expected_violations=reasons, **FEW)
    assert {cell.verdict for cell in results} == {Verdict.VIOLATED}
    with pytest.raises(AssertionError, match=r"B\.2/canonical: a violation was expected and none was found"):
        metaeval.assert_conditions(flat, ["B.2"], expected_violations={"B.2/canonical": "once"}, **FEW)
    with pytest.raises(AssertionError, match="flat fails 1 check:\ngate: it scores 2"):
        metaeval.assert_conditions(make_measure(lambda c, g: 2, id="flat"), ["B.2"], **FEW)


# --- options -------------------------------------------------------------------------------------------------
def test_options_have_one_prefix_and_state_the_defaults_of_a_run(pytester):
    text = " ".join(run_pytest(pytester, "--help").stdout.str().split())
    for option in ("--metaeval-examples=N", "--metaeval-seed=SEED", "--metaeval-exhaustive=N"):
        assert option in text
    assert f"per condition and reading (default: {settings.EXAMPLES})" in text
    assert f"seed of the drawn cases (default: {settings.SEED})" in text
    assert f"per cell in its measure (default: {settings.BUDGET:g})" in text


@pytest.mark.parametrize(("word", "complaint"), [
    ("--metaeval-examples=-1", "'-1' is not an integer from 0 up"),
    ("--metaeval-seed=x", "'x' is not an integer"),
    ("--metaeval-budget=0", "'0' is not a number of seconds above 0"),
])  # fmt: skip
def test_a_bad_option_is_refused_in_a_sentence(pytester, word, complaint):
    result = run_pytest(pytester, word)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert complaint in result.stderr.str()


# --- quiet unless used ---------------------------------------------------------------------------------------
def test_a_session_without_metaeval_pays_and_sees_nothing(pytester):
    pytester.makepyfile(
        test_plain="""
        import sys

        def test_nothing_heavy_was_loaded():
            heavy = {"numpy", "scipy", "hypothesis", "metaeval.catalogue.condition", "metaeval.runner.run"}
            assert "metaeval.pytest_plugin" in sys.modules
            assert not heavy & set(sys.modules)
        """
    )
    # Hypothesis has a plugin of its own, which is not ours to speed up.
    result = run_pytest(pytester, "-p", "no:hypothesispytest", "-W", "error", process=True)
    result.assert_outcomes(passed=1)
    body = "\n".join(line for line in result.outlines if not line.startswith(("plugins:", "rootdir:")))
    assert "metaeval" not in body


def test_without_the_plugin_checks_run_with_defaults(monkeypatch):
    monkeypatch.setattr(pytest_plugin, "_sessions", [])
    assert pytest_plugin.options() == {}


# --- verdicts and bad arguments ------------------------------------------------------------------------------
@pytest.mark.parametrize(("verdicts", "expected", "outcome"), [
    ("undefined vacuous", None, pytest.raises(pytest.skip.Exception, match="it says so")),
    ("error flaky timeout", None, pytest.raises(pytest.fail.Exception, match=r"\(canonical\): (.|\n)*it says so")),
    ("violated", "known", pytest.raises(pytest.xfail.Exception, match="known")),
    # An expected violation excuses nothing else.
    ("proved holds undefined vacuous error flaky timeout", "known", pytest.raises(pytest.fail.Exception)),
    ("proved holds", None, nullcontext()),
])  # fmt: skip
def test_what_becomes_of_a_verdict(monkeypatch, verdicts, expected, outcome):
    for verdict in map(Verdict, verdicts.split()):
        cell = Cell("ce", "A.1", "canonical", verdict, message="it says so")
        monkeypatch.setattr(CellCheck, "_found", lambda self, cell=cell: cell)
        with outcome:
            assert CellCheck(metaeval.measures()["ce"], "A.1", "canonical", expected).check() is cell


def on_partitions(candidate, gold):
    return 1


MINE = make_measure(on_partitions, id="mine", domain="partitions")


@pytest.mark.parametrize(("measures", "options", "complaint"), [
    ("ce", {}, "expected a list of measures"),
    (["ce", "ce"], {}, "two measures have the id 'ce'"),
    (["ce"], {"conditions": ["A.9"]}, "no condition 'A.9'"),
    ([MINE], {"conditions": ["B.1"]}, "none of the conditions and readings chosen lies in the domain of mine"),
])  # fmt: skip
def test_bad_arguments_are_explained(measures, options, complaint):
    with pytest.raises(InputError, match=f"parametrize_with_conditions: .*{complaint}"):
        parametrize_with_conditions(measures, **options)


@pytest.mark.parametrize(("key", "reason", "complaint"), [
    ("A.1", "why", "expected a condition and a reading, such as 'A.3/literal'"),
    ("A.9/literal", "why", "no condition 'A.9'"),
    ("A.1/repeated", "why", "A.1 has no reading 'repeated'"),
    ("B.1/canonical", "why", "mine is defined on partitions only"),
    ("A.2/canonical", "why", "is not among the conditions and readings chosen"),
    ("A.1/canonical", "", "expected a reason in words"),
    ("A.1/canonical", True, "expected a reason in words"),
])  # fmt: skip
def test_an_expectation_that_no_test_looks_at_is_an_error(key, reason, complaint):
    with pytest.raises(InputError, match=complaint):
        parametrize_with_conditions([MINE], conditions=["A.1", "B.1"], expected_violations={"mine": {key: reason}})


def test_the_command_names_the_file_of_a_measure_of_ones_own():
    assert target_of(MINE).endswith("test_pytest_plugin.py:MINE")
    assert target_of(metaeval.measures()["ce"]) == ""
    assert target_of(make_measure(lambda candidate, gold: 1, id="nameless")) == ""
    assert target_of(make_measure(max, id="built-in")) == ""
