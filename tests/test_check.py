"""``metaeval check``: what it prints, what it makes of expectations and baselines, and how it ends."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

import metaeval
from metaeval import cli
from metaeval.core.verdict import Verdict
from metaeval.literature.shelf import SANITY
from metaeval.records.cell import Cell
from metaeval.records.described import DescribedCondition, DescribedMeasure
from metaeval.records.results import Results
from metaeval.verification.outcome import judge

#: Covers the cells of both sides alike, however they are grouped: A.1 to A.4 are violated, B.1 to B.3 hold.
JACCARD = """
from fractions import Fraction

def cells(part):
    return {(row, col) for rows, cols in part for row in rows for col in cols}

def mine(candidate, gold):
    "Shared cells."
    a, b = cells(candidate), cells(gold)
    return Fraction(len(a & b), len(a | b)) if a | b else 1

def distance(candidate, gold):
    return 1 - mine(candidate, gold)

def blind(candidate, gold):
    return Fraction(len(cells(candidate) & cells(gold)), len(cells(gold)) or 1)
"""
#: Without drawn cases a check takes a moment.
SMALL = ["--examples", "0", "--exhaustive", "3", "--jobs", "1", "--no-proofs", "--quiet"]
A1 = ["--condition", "A.1", "--reading", "canonical"]
B1 = ["--condition", "B.1", "--reading", "canonical"]
FOUR = ["--condition", "A.1", "--condition", "B.1", "--reading", "canonical", "--reading", "literal"]


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


def check(*args: str) -> Outcome:
    result = CliRunner().invoke(cli.main, ["check", *args], prog_name="metaeval")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Outcome(result.exit_code, result.stdout, result.stderr)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv("COLUMNS", "100")

    def write(name: str, text: str) -> None:
        (tmp_path / name).write_text(text)

    return write


@pytest.fixture
def _measures(write: Callable[[str, str], None]) -> None:
    write("measures.py", JACCARD)


pytestmark = pytest.mark.usefixtures("_measures")

MINE = "measures.py:mine"


def test_a_measure_that_holds_ends_with_0() -> None:
    outcome = check(MINE, *B1, *SMALL)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0] == "mine (measures.py:mine)"
    assert re.fullmatch(r"gate: passed, effort \d of 4", lines[1])
    assert re.search(
        r"^✓ +B\.1 +Non-intersection area +canonical +holds +[\d,]+ cases, all up to 3", outcome.out, re.M
    )
    assert lines[-1] == "passed: 1 cell: 1 holds"


def test_a_violation_ends_with_1_and_its_counterexample() -> None:
    outcome = check(MINE, *A1, *SMALL)
    assert outcome.code == 1
    assert re.search(
        r"^✗ +A\.1 +Homogeneity +canonical +violated +1 of 1 case, all up to 2 objects", outcome.out, re.M
    )
    for part in (
        "If a cluster that mixes objects of two classes",
        "    gold    A B\n    left    a a\n    right   a b\n",
        "left      1\n",
        "demanded  the left must score strictly lower",
        "metaeval check measures.py:mine --condition A.1 --reading canonical --examples 0 --exhaustive 3",
        "FAILED: 1 cell: 1 violated\n  FAIL  A.1/canonical: violated",
    ):
        assert part in outcome.out


def test_the_command_that_is_printed_reproduces_the_verdict() -> None:
    first = check("measures.py:distance", "--smaller-is-better", *A1, *SMALL)
    line = next(line for line in first.out.splitlines() if "metaeval check measures.py" in line)
    again = check(*line.split()[2:])
    assert "--smaller-is-better" in line
    assert again.code == 1
    assert again.out == first.out


@pytest.mark.parametrize("columns", [60, 80, 100])
@pytest.mark.parametrize("chosen", [A1, FOUR, [*FOUR, "--expect-violation", "A.1/canonical"], [*FOUR, "--all"]])
def test_the_output_fits_the_terminal(chosen: list[str], columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = check(MINE, *chosen, *SMALL).out
    # The evidence is whole, on more lines if need be.
    cells = len(re.findall(r"^[✓✗] ", text, re.M))
    assert len(re.findall(r"all up to \d objects", " ".join(text.split()))) >= cells > 0
    assert "…" not in text.partition("─")[0]
    # Python lines to paste and the command stay whole.
    long = [line for line in text.splitlines() if len(line) > columns and not line.startswith("    ")]
    assert long == []


# --- several violations


def test_several_violations_end_with_the_fewest_counterexamples() -> None:
    """Shared cells: a witness of A.1 canonical is one of every reading, and of A.5 and B.5 with it."""
    outcome = check(MINE, "--condition", "A.1", "--condition", "B.5", *SMALL)
    assert "6 violations; 1 counterexample explains them all:" in outcome.out
    shown = outcome.out.partition("explains them all:\n\n")[2]
    assert shown.splitlines()[:7] == [
        "A.1 Homogeneity (canonical, literal, overlapping), and with it B.5 (canonical, literal, overlapping)",
        "  demanded: left < right; scored: left 1, right 1",
        "    object  0 1",
        "    gold    A B",
        "    left    a a",
        "    right   a b",
        "              !",
    ]
    assert "Reproduce" not in outcome.out
    assert "    metaeval check measures.py:mine --all --examples 0 --exhaustive 3\n" in outcome.out
    assert outcome.out.endswith("6 violated\n  FAIL  6 violations, explained above\n")


def test_all_counterexamples_are_shown_when_asked_for() -> None:
    chosen = ["--condition", "A.1", "--condition", "B.5", *SMALL]
    outcome = check(MINE, *chosen, "--all")
    assert outcome.out.count("Reproduce both scores in Python:") == 6
    assert outcome.out.count("\nmine violates ") == 6
    assert outcome.out.count("  FAIL  ") == 6
    # JSON is for programs, and has them all without being asked.
    with_all, without = (json.loads(check(MINE, *chosen, "--json", *more).out) for more in (["--all"], []))
    assert without_seconds(with_all["cells"]) == without_seconds(without["cells"])
    assert sum(cell["certificate"] is not None for cell in without["cells"]) == 6


def test_few_violations_are_named_in_one_sentence() -> None:
    outcome = check(MINE, *FOUR, *SMALL)
    assert outcome.out.endswith("  FAIL  violated: A.1/canonical, A.1/literal, B.1/literal\n")


@pytest.mark.long  # the tutorial runs the same check
def test_the_tutorial_s_first_measure_is_explained_on_two_screens(
    write: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).resolve().parent.parent / "docs" / "tutorial.md").read_text(encoding="utf-8")
    write("first.py", page.partition("```python measures.py\n")[2].partition("```")[0])
    monkeypatch.setenv("COLUMNS", "80")
    text = check(
        "first.py:mine", "--suite", "paper", "--examples", "20", "--exhaustive", "3", "--effort", "4", "--quiet"
    ).out
    assert len(text.splitlines()) <= 2 * 50
    violations = re.findall(r"^✗ +(\S+) +(\S+) ", text, re.M)
    assert len(violations) > 10
    titles = " ".join(re.findall(r"^(?:[A-Z]\.\d.*\n)", text, re.M))
    for condition, reading in violations:
        assert re.search(rf"{re.escape(condition)}[^()]*\([^()]*\b{reading}\b", titles), (condition, reading)
    assert "metaeval check first.py:mine --all" in text


def test_a_registered_measure_is_checked_by_its_id() -> None:
    outcome = check("rnia", *A1, *SMALL)
    assert outcome.code == 1
    assert outcome.out.startswith("RNIA (rnia)\ngate: passed, effort 4 of 4\n")
    assert "metaeval check rnia --condition A.1" in outcome.out


def test_a_distance_is_declared() -> None:
    undeclared = check("measures.py:distance", *B1, *SMALL)
    assert undeclared.code == 1
    assert "gate: it scores 0 for a perfect match, and says its best is 1" in undeclared.out
    assert "--smaller-is-better" in undeclared.out
    assert "B.1" not in undeclared.out  # a failed gate leaves nothing to say of conditions
    assert check("measures.py:distance", *B1, *SMALL, "--smaller-is-better").code == 0
    assert check("measures.py:distance", *B1, *SMALL, "--smaller-is-better", "--best", "0").code == 0


def test_a_domain_decides_what_is_judged() -> None:
    outcome = check(MINE, *SMALL, "--domain", "partitions", "--json")
    cells = json.loads(outcome.out)["cells"]
    assert [(cell["condition"], cell["reading"]) for cell in cells] == [
        *((f"A.{n}", "canonical") for n in range(1, 6)),
        *((id, "canonical") for id in SANITY.condition_ids()),
    ]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("raise KeyError('x')", "it raised KeyError: 'x'"),
        ("return None", "it returned None (NoneType); expected a real number"),
        ("return random.random()", "it gives the same input different scores"),
        ("return int(any(len(rows) == 2 and 0 in rows for rows, _ in gold))", "it depends on the names of obj"),
        ("os._exit(3)", "its process ended with exit code 3"),
    ],
)
def test_a_failed_gate_ends_with_1(body: str, sentence: str, write: Callable[[str, str], None]) -> None:
    write("bad.py", f"import os, random\ndef mine(candidate, gold):\n    {body}\n")
    outcome = check("bad.py:mine", *A1, *SMALL)
    assert outcome.code == 1
    assert f"gate: {sentence}" in outcome.out
    assert f"  FAIL  gate: {sentence}" in outcome.out


def test_a_measure_that_hangs_ends_with_1(write: Callable[[str, str], None]) -> None:
    write("slow.py", "import time\ndef mine(candidate, gold):\n    time.sleep(9)\n")
    outcome = check("slow.py:mine", *A1, *SMALL, "--budget", "0.2")
    assert outcome.code == 1
    assert "no answer within 0.2 s" in outcome.out


def test_an_error_on_a_case_ends_with_1(write: Callable[[str, str], None]) -> None:
    write(
        "late.py", JACCARD + "def late(c, g):\n    return mine(c, g) if len(g) < 3 or g.shape[1] > 1 else 1 / 0\n"
    )
    outcome = check("late.py:late", "--condition", "B.3", "--reading", "canonical", *SMALL)
    assert outcome.code == 1
    assert outcome.out.count("ZeroDivisionError") >= 1


# --- expectations


def test_an_expected_violation_ends_with_0() -> None:
    outcome = check(MINE, *A1, *SMALL, "--expect-violation", "A.1/canonical")
    assert outcome.code == 0
    assert "violated (expected)" in outcome.out
    assert "Expected: --expect-violation A.1/canonical\nmine violates A.1" in outcome.out
    assert outcome.out.endswith("passed: 1 cell: 1 violated (1 expected)\n")


def test_an_expectation_says_nothing_of_other_cells() -> None:
    args = ["--condition", "A.1", "--reading", "canonical", "--reading", "literal", *SMALL]
    outcome = check(MINE, *args, "--expect-violation", "A.1/canonical")
    assert outcome.code == 1
    assert "FAIL  A.1/literal: violated" in outcome.out
    assert "FAIL  A.1/canonical" not in outcome.out


def test_an_expected_violation_that_is_gone_ends_with_1_and_advice() -> None:
    outcome = check(MINE, *B1, *SMALL, "--expect-violation", "B.1/canonical")
    assert outcome.code == 1
    assert (
        "FAIL  B.1/canonical: a violation was expected and none was found (verdict: holds); "
        "remove --expect-violation B.1/canonical"
    ) in " ".join(outcome.out.split()).replace("FAIL ", "FAIL  ")


def results_of(verdict: Verdict) -> Results:
    measure = metaeval.measures()["ce"]
    described = DescribedCondition.of(metaeval.conditions()["A.1"])
    results = Results({}, {"ce": DescribedMeasure.of(measure)}, {"A.1": described})
    results.add(Cell("ce", "A.1", "canonical", verdict, message="why"))
    return results


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_passes_or_fails(verdict: Verdict) -> None:
    measure, place = metaeval.measures()["ce"], frozenset({("A.1", "canonical")})
    passes = not judge(measure, results_of(verdict), frozenset()).problems
    assert passes == (verdict in (Verdict.PROVED, Verdict.HOLDS, Verdict.UNDEFINED, Verdict.VACUOUS))
    # An expectation excuses a violation, and nothing else.
    assert (not judge(measure, results_of(verdict), place).problems) == (verdict is Verdict.VIOLATED)


# --- bad usage


USAGE = {
    "no target": ([], "TARGET"),
    "no such measure": (["mocise"], "did you mean 'mocice'?"),
    "no such file": (["nowhere.py:mine"], "nowhere.py does not exist"),
    "no such condition": ([MINE, "--condition", "A.9"], "'A.9'"),
    "no such reading": ([MINE, "--reading", "loose"], "'loose'"),
    "nothing to check": ([MINE, "--condition", "B.2", "--reading", "repeated"], "nothing to check"),
    "outside the domain": ([MINE, "--condition", "B.1", "--domain", "partitions"], "the domain 'partitions'"),
    "no such domain": ([MINE, "--domain", "all"], "'all'"),
    "bad budget": ([MINE, "--budget", "nan"], "--budget"),
    "bad examples": ([MINE, "--examples", "-1"], "--examples"),
    "unknown expectation": ([MINE, "--expect-violation", "A.3/litteral"], "did you mean A.3/literal?"),
    "no reading expected": ([MINE, "--expect-violation", "zzz"], "such as A.3/literal"),
    "unchecked expectation": ([MINE, *A1, "--expect-violation", "A.3/literal"], "not checked here"),
    "options of a measure": (["mocice", "--best", "0"], "leave --best out"),
    "save into a folder": ([MINE, "--save", "."], "--save is '.'"),
    "save nowhere": ([MINE, "--save", "nowhere/x.json"], "nowhere is not a writable directory"),
    "no baseline": ([MINE, "--against", "nowhere.json"], "nowhere.json does not exist"),
    "not a baseline": ([MINE, "--against", "measures.py"], "measures.py is not JSON"),
    "settings beside a baseline": ([MINE, "--against", "x.json", "--seed", "3"], "--seed and --against exclude"),
    "examples 0 beside a baseline": ([MINE, "--against", "x.json", "--examples", "0"], "--examples and --against"),
    "expectation beside a baseline": (
        [MINE, "--against", "x.json", "--expect-violation", "A.1/literal"],
        "--expect-violation and --against",
    ),
}


@pytest.mark.parametrize("wrong", USAGE)
def test_bad_usage_costs_one_sentence(wrong: str) -> None:
    args, part = USAGE[wrong]
    outcome = check(*args)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("metaeval: ")
    assert outcome.err.count("\n") == 1
    assert part in outcome.err


# --- JSON


def test_json_is_a_results_file_with_one_key_more(tmp_path: Path) -> None:
    outcome = check(MINE, *A1, *SMALL, "--json")
    assert outcome.code == 1
    data = json.loads(outcome.out)
    assert data["check"] == {
        "passed": False,
        "gate": None,
        "expected": [],
        "problems": ["A.1/canonical: violated"],
        "notes": [],
    }
    assert Results.from_json(data).cell("mine", "A.1").verdict is Verdict.VIOLATED
    (tmp_path / "results.json").write_text(outcome.out)
    report = CliRunner().invoke(cli.main, ["report", "results.json"])
    assert report.exit_code == 0
    assert "mine" in report.stdout


def test_progress_goes_to_stderr() -> None:
    loud = check(MINE, *B1, *SMALL[:-1], "--json")
    assert "B.1 canonical" in loud.err
    assert json.loads(loud.out)["check"]["passed"]


def without_seconds(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in cell.items() if key != "seconds"} for cell in cells]


def test_check_run_and_python_agree(tmp_path: Path) -> None:
    settings = ["--condition", "A.3", "--condition", "B.5", "--examples", "15", "--exhaustive", "4", "--seed", "3"]
    checked = json.loads(check("ce", *settings, "--quiet", "--json").out)["cells"]
    CliRunner().invoke(
        cli.main, ["run", "--measure", "ce", "--measure", "rnia", *settings, "--quiet", "--out", "r.json"]
    )
    ran = json.loads((tmp_path / "r.json").read_text())["cells"]
    results = metaeval.check("ce", ["A.3", "B.5"], examples=15, exhaustive=4, seed=3, jobs=1)
    called = [json.loads(json.dumps(cell.to_json())) for cell in results]
    assert len(checked) == 6
    assert without_seconds(checked) == without_seconds(called)
    assert without_seconds(checked) == without_seconds([cell for cell in ran if cell["measure"] == "ce"])


# --- baselines on the command line


@pytest.fixture(scope="module")
def saved_once(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The baseline of :data:`MINE`, made once: every test that changes it has a copy."""
    folder = tmp_path_factory.mktemp("baseline")
    (folder / "measures.py").write_text(JACCARD)
    with contextlib.chdir(folder):
        outcome = check(MINE, *FOUR, *SMALL, "--save", "mine.json")
    assert outcome.code == 1
    return (folder / "mine.json").read_bytes()


@pytest.fixture
def saved(saved_once: bytes, tmp_path: Path) -> Path:
    (tmp_path / "mine.json").write_bytes(saved_once)
    return tmp_path / "mine.json"


QUICK = ["--against", "mine.json", "--jobs", "1", "--quiet"]


def test_an_unchanged_measure_keeps_its_baseline(saved: Path) -> None:
    outcome = check(MINE, *QUICK)
    assert outcome.code == 0
    assert "stored counterexamples: 3 unchanged\ngolden scores: 34 of 34 unchanged\n" in outcome.out
    assert "demanded" not in outcome.out  # known counterexamples are not shown again


def test_saving_again_gives_the_same_file_and_says_what_is_next(saved: Path) -> None:
    before = saved.read_bytes()
    outcome = check(MINE, *FOUR, *SMALL[:-1], "--save", "mine.json")
    assert saved.read_bytes() == before
    assert outcome.err.endswith("next, after a change: metaeval check measures.py:mine --against mine.json\n")


def test_a_baseline_without_effort_has_no_large_pairs_and_says_so() -> None:
    few = ["--condition", "A.1", "--reading", "canonical", "--exhaustive", "2", "--examples", "0", "--quiet"]
    made = check(MINE, *few, "--effort", "0", "--save", "mine.json")
    assert "the baseline has none of the 9 large golden pairs: its effort level is 0" in made.out
    again = check(MINE, "--against", "mine.json", "--golden-only")
    assert again.code == 0
    assert "golden scores: 25 of 25 unchanged; 9 large pairs left out" in again.out


def test_a_regression_is_caught(saved: Path, write: Callable[[str, str], None]) -> None:
    write("measures.py", JACCARD.replace("len(a | b))", "len(b) or 1)"))
    outcome = check(MINE, *QUICK)
    assert outcome.code == 1
    assert "FAIL  B.1/canonical: broken, holds → violated" in outcome.out
    assert re.search(r"^golden-\d\d +1/2 \(0\.5\) +1 \(1\) +\+1/2$", outcome.out, re.M)
    assert re.search(r"FAIL  9 of 34 golden scores changed, such as golden-\d\d: expected 1/2", outcome.out)
    assert "Biclustering(" not in outcome.out.partition("─")[0] + outcome.out.rpartition("─")[2]
    assert "mine violates B.1 Non-intersection area (canonical)" in outcome.out
    assert "mine violates A.1" not in outcome.out


def test_a_score_that_changed_without_a_verdict_is_caught(saved: Path, write: Callable[[str, str], None]) -> None:
    write("measures.py", JACCARD.replace("len(a | b)) if", "len(a | b)) ** 2 if"))
    outcome = check(MINE, *QUICK)
    assert outcome.code == 1
    assert "golden scores changed" in outcome.out
    assert "broken" not in outcome.out


def test_golden_scores_alone_are_held_against_a_baseline_without_a_search(
    saved: Path, write: Callable[[str, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_search(*_: Any, **__: Any) -> None:
        raise AssertionError("searched")

    monkeypatch.setattr("metaeval.cli.commands.check.carry_out", no_search)
    golden_only = ["--against", "mine.json", "--golden-only"]
    same = check(MINE, *golden_only)
    assert (same.code, same.err) == (0, "")
    assert same.out.endswith(
        "passed: 3 stored counterexamples and 34 golden scores re-checked, nothing searched\n"
    )
    write("measures.py", JACCARD.replace("len(a | b)) if", "len(a | b)) ** 2 if"))
    other = check(MINE, *golden_only)
    assert other.code == 1
    # One pair is drawn, and every one when asked for.
    rows = re.findall(r"^(golden-\d\d) +\S+ \(.*\) +\S+ \(.*\) +-", other.out, re.M)
    assert len(rows) > 3
    assert re.findall(r"^(golden-\d\d) \(--all draws the others too\):", other.out, re.M) == rows[:1]
    assert re.findall(r"^(golden-\d\d):", check(MINE, *golden_only, "--all").out, re.M) == rows
    data = json.loads(check(MINE, *golden_only, "--json").out)["check"]
    assert [f"golden-{change['pair']:02}" for change in data["golden"]] == rows
    assert not data["passed"]


@pytest.mark.parametrize(
    ("args", "part"),
    [
        (["--golden-only"], "--golden-only needs a baseline to compare with; add --against FILE"),
        (["--golden-only", "--against", "mine.json", "--save", "x.json"], "--golden-only and --save exclude"),
    ],
)
def test_golden_scores_alone_need_a_baseline(args: list[str], part: str, saved: Path) -> None:
    outcome = check(MINE, *args)
    assert (outcome.code, outcome.out) == (2, "")
    assert part in outcome.err


def test_an_improvement_is_told_and_passes(tmp_path: Path, write: Callable[[str, str], None]) -> None:
    blind = JACCARD.replace("def blind(", "def score(")
    write("measures.py", blind)
    check("measures.py:score", *B1, *SMALL, "--save", "score.json")
    data = json.loads((tmp_path / "score.json").read_text())
    assert data["cells"][0]["verdict"] == "violated"
    data["golden"] = []  # an improvement changes scores: only certificates and verdicts are looked at here
    (tmp_path / "score.json").write_text(json.dumps(data))
    write("measures.py", blind + "score = lambda c, g: mine(c, g)\nscore.__name__ = 'score'\n")
    outcome = check("measures.py:score", "--against", "score.json", "--jobs", "1", "--quiet")
    assert outcome.code == 0
    assert "stored counterexamples: 1 fixed" in outcome.out
    assert "note  B.1/canonical: fixed, violated → holds" in outcome.out
    assert "a new baseline is saved: --save score.json" in outcome.out


def test_another_measure_s_baseline_is_refused(saved: Path) -> None:
    outcome = check("measures.py:blind", *QUICK)
    assert (outcome.code, outcome.out) == (2, "")
    assert "mine.json is the baseline of a measure with the id 'mine', and this one has 'blind'" in outcome.err
    assert "with the domain" in check(MINE, *QUICK, "--domain", "disjoint").err


def test_a_baseline_remembers_what_was_declared(tmp_path: Path) -> None:
    distance = "measures.py:distance"
    assert check(distance, *B1, *SMALL, "--smaller-is-better", "--save", "d.json").code == 0
    assert check(distance, "--against", "d.json", "--jobs", "1", "--quiet").code == 0


def test_a_measure_that_fails_the_gate_leaves_no_baseline(
    tmp_path: Path, write: Callable[[str, str], None]
) -> None:
    write("measures.py", "def mine(candidate, gold): return 2\n")
    outcome = check(MINE, *A1, *SMALL, "--save", "mine.json")
    assert outcome.code == 1
    assert "no baseline was saved in mine.json: the measure fails the gate" in outcome.out
    assert not (tmp_path / "mine.json").exists()


def test_a_measure_that_fails_the_gate_now_is_a_regression(saved: Path, write: Callable[[str, str], None]) -> None:
    write("measures.py", "def mine(candidate, gold): return 2\n")
    outcome = check(MINE, *QUICK)
    assert outcome.code == 1
    assert "FAIL  gate: it scores 2 for a perfect match" in outcome.out


def test_a_measure_that_hangs_now_is_a_regression(saved: Path, write: Callable[[str, str], None]) -> None:
    hanging = "import time\nold = mine\ndef mine(c, g):\n    if not g: time.sleep(9)\n    return old(c, g)\n"
    write("measures.py", JACCARD + hanging)
    outcome = check(MINE, *QUICK, "--budget", "0.3")
    assert outcome.code == 1
    assert "mine gave no answer within 0.3 s" in outcome.out


def test_a_counterexample_scored_otherwise_is_a_regression(saved: Path) -> None:
    data = json.loads(saved.read_text())
    cell = next(cell for cell in data["cells"] if cell["verdict"] == "violated")
    cell["certificate"]["scores"]["left"] = {"float": 0.5, "exact": "1/2"}
    saved.write_text(json.dumps(data))
    outcome = check(MINE, *QUICK)
    assert outcome.code == 1
    assert (
        "A.1/canonical: the stored counterexample scored 1/2 (0.5) and 1 (1), and now 1 (1) and 1 (1)"
        in outcome.out
    )


def test_a_few_cases_fewer_are_a_note(saved: Path) -> None:
    data = json.loads(saved.read_text())
    cell = next(cell for cell in data["cells"] if cell["verdict"] == "holds")
    cell["cases"] += 5
    cell["exhaustive"]["cases"] += 5
    saved.write_text(json.dumps(data))
    outcome = check(MINE, *QUICK)
    assert outcome.code == 0
    assert (
        f"note  B.1/canonical: holds on weaker evidence: {cell['exhaustive']['cases'] - 5} exhaustive cases"
        in (outcome.out)
    )


@pytest.mark.parametrize("hypothesis", ["as it is", "6.0.0"])
def test_a_smaller_exhaustive_bound_is_a_regression_whatever_the_tools(saved: Path, hypothesis: str) -> None:
    data = json.loads(saved.read_text())
    cell = next(cell for cell in data["cells"] if cell["verdict"] == "holds")
    cell["exhaustive"]["objects"] += 1
    if hypothesis != "as it is":
        data["provenance"]["hypothesis"] = hypothesis
    saved.write_text(json.dumps(data))
    outcome = check(MINE, *QUICK)
    assert outcome.code == 1
    assert "FAIL  B.1/canonical: holds on weaker evidence: exhaustive up to" in outcome.out


def test_a_function_without_a_constant_best_says_so() -> None:
    together = (
        "def together(candidate, gold):\n"
        "    return len({(a, b) for r, _ in candidate for s, _ in gold for a in r & s for b in r & s if a < b})\n"
    )
    Path("together.py").write_text(together)
    undeclared = check("together.py:together", "--condition", "A.2", *SMALL)
    assert undeclared.code == 1
    assert "--best (None, none where that differs)" in " ".join(undeclared.out.split())
    words = ["--best", "none", "--low", "0"]
    declared = check("together.py:together", "--condition", "A.2", "--reading", "canonical", *SMALL, *words)
    assert declared.code == 0, declared.out
    refused = check("together.py:together", "--condition", "A.5", *SMALL, "--best", "none")
    assert (refused.code, "speaks of no optimum" in refused.err) == (2, True)
