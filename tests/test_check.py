"""``metaeval check``: what it prints, what it makes of expectations and baselines, and how it ends."""

import contextlib
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tools import Outcome, as_json, assert_ends, assert_one_sentence, plain, run_inside

import metaeval
from metaeval.core.verdict import Verdict
from metaeval.literature.shelf import SANITY
from metaeval.records.results import Results

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
SMALL = ["--examples", "0", "--exhaustive", "2", "--jobs", "1", "--no-proofs", "--quiet"]
A1 = ["--condition", "A.1", "--reading", "canonical"]
B1 = ["--condition", "B.1", "--reading", "canonical"]
FOUR = ["--condition", "A.1", "--condition", "B.1", "--reading", "canonical", "--reading", "literal"]


def check(*args: str) -> Outcome:
    return run_inside("check", *args)


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
    assert re.match(r"mine \(measures.py:mine\)\ngate: passed, effort \d of 4\n", outcome.out)
    row = r"^✓ +B\.1 +Non-intersection area +canonical +holds +[\d,]+ cases, all up to 2"
    assert re.search(row, outcome.out, re.M)
    assert outcome.out.endswith("\npassed: 1 cell: 1 holds\n")


def test_a_violation_ends_with_1_its_counterexample_and_the_command_that_reproduces_it() -> None:
    outcome = check("measures.py:distance", "--smaller-is-better", *A1, *SMALL)
    assert outcome.code == 1
    row = r"^✗ +A\.1 +Homogeneity +canonical +violated +1 of 1 case, all up to 2 objects"
    assert re.search(row, outcome.out, re.M)
    for part in (
        "If a cluster that mixes objects of two classes",
        "    gold    A B\n    left    a a\n    right   a b\n",
        "left      0\n",
        "FAILED: 1 problem; 1 cell: 1 violated\n  FAIL  A.1/canonical: violated",
    ):
        assert part in outcome.out
    line = next(line for line in outcome.out.splitlines() if "metaeval check measures.py" in line)
    assert {"--smaller-is-better", "--condition", "--reading", "--examples", "--exhaustive"} <= set(line.split())
    assert check(*line.split()[2:])[:2] == outcome[:2]


@pytest.mark.parametrize(
    ("columns", "more"), [(60, []), (60, ["--all"]), (80, []), (100, ["--expect-violation", "A.1/canonical"])]
)
def test_the_output_fits_the_terminal(columns: int, more: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = check(MINE, *FOUR, *SMALL, *more).out
    # The evidence is whole, on more lines if need be.
    cells = len(re.findall(r"^[✓✗] ", text, re.M))
    assert len(re.findall(r"all up to \d objects", " ".join(text.split()))) >= cells > 0
    assert "…" not in text.partition("─")[0]
    # Python lines to paste and the command stay whole.
    assert [line for line in text.splitlines() if len(line) > columns and not line.startswith("    ")] == []


# --- several violations
def test_several_violations_end_with_the_fewest_counterexamples_or_with_all_of_them() -> None:
    """Shared cells: a witness of A.1 canonical is one of every reading, and of A.5 and B.5 with it."""
    chosen = ["--condition", "A.1", "--condition", "B.5", *SMALL]
    outcome = check(MINE, *chosen)
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
    assert "    metaeval check measures.py:mine --all --condition A.1 --condition B.5 --examples 0" in outcome.out
    assert "6 violated\n  FAIL  6 violations, explained above\n  note  " in outcome.out
    everything = check(MINE, *chosen, "--all").out
    for part in ("Reproduce both scores in Python:", "\nmine violates ", "  FAIL  "):
        assert everything.count(part) == 6
    # JSON is for programs, and has them all without being asked.
    cells = json.loads(check(MINE, *chosen, "--json").out)["cells"]
    assert sum(cell["certificate"] is not None for cell in cells) == 6


def test_a_distance_is_declared() -> None:
    undeclared = check("measures.py:distance", *B1, *SMALL)
    assert_ends(undeclared, 1, "gate: it scores 0 for a perfect match, and says its best is 1", "--smaller-is-better")
    assert "B.1" not in undeclared.out  # a failed gate leaves nothing to say of conditions
    assert check("measures.py:distance", *B1, *SMALL, "--smaller-is-better", "--best", "0").code == 0


def test_a_domain_decides_what_is_judged() -> None:
    cells = json.loads(check(MINE, *SMALL, "--domain", "partitions", "--json").out)["cells"]
    ids = [*(f"A.{n}" for n in range(1, 6)), *SANITY.condition_ids()]
    assert [(cell["condition"], cell["reading"]) for cell in cells] == [(id, "canonical") for id in ids]


@pytest.mark.parametrize(("body", "sentence"), [
    ("raise KeyError('x')", "it raised KeyError: 'x'"),
    ("return None", "it returned None (NoneType); expected a real number"),
    ("return random.random()", "it gives the same input different scores"),
    ("return int(any(len(rows) == 2 and 0 in rows for rows, _ in gold))", "it depends on the names of obj"),
    ("os._exit(3)", "its process ended with exit code 3"),
])  # fmt: skip
def test_a_failed_gate_ends_with_1(body: str, sentence: str, write: Callable[[str, str], None]) -> None:
    write("bad.py", f"import os, random\ndef mine(candidate, gold):\n    {body}\n")
    assert_ends(check("bad.py:mine", *A1, *SMALL), 1, f"gate: {sentence}", f"  FAIL  gate: {sentence}")


def test_a_measure_that_hangs_or_fails_on_a_case_ends_with_1(write: Callable[[str, str], None]) -> None:
    write("slow.py", "import time\ndef mine(candidate, gold):\n    time.sleep(9)\n")
    assert_ends(check("slow.py:mine", *A1, *SMALL, "--budget", "0.05"), 1, "no answer within 0.05 s")
    late = "def late(c, g):\n    return mine(c, g) if len(g) < 2 or g.shape[1] > 1 else 1 / 0\n"
    write("late.py", JACCARD + late)
    assert_ends(check("late.py:late", "--condition", "B.4", "--reading", "canonical", *SMALL), 1, "ZeroDivisionError")


# --- expectations
def test_an_expectation_excuses_its_cell_and_no_other() -> None:
    expected = ["--expect-violation", "A.1/canonical"]
    outcome = check(MINE, *A1, *SMALL, *expected)
    assert_ends(outcome, 0, "violated (expected)", "Expected: --expect-violation A.1/canonical\nmine violates A.1")
    assert outcome.out.endswith("passed: 1 cell: 1 violated (1 expected)\n")
    outcome = check(MINE, *A1, "--reading", "literal", *SMALL, *expected)
    assert_ends(outcome, 1, "FAIL  A.1/literal: violated")
    assert "FAIL  A.1/canonical" not in outcome.out
    gone = check(MINE, *B1, *SMALL, "--expect-violation", "B.1/canonical")
    assert gone.code == 1
    assert "FAIL  B.1/canonical: a violation was expected and none was found" in gone.out


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
    "golden scores of no baseline": ([MINE, "--golden-only"], "--golden-only needs a baseline"),
    "golden scores that are saved": (
        [MINE, "--golden-only", "--against", "x.json", "--save", "y.json"],
        "--golden-only and --save exclude",
    ),
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
    assert_one_sentence(check(*args), part)


# --- JSON
def test_json_is_a_results_file_with_one_key_more_and_progress_goes_to_stderr(tmp_path: Path) -> None:
    outcome = check(MINE, *A1, *SMALL[:-1], "--json")
    assert outcome.code == 1
    assert "A.1 canonical" in outcome.err
    data = json.loads(outcome.out)
    problems = ["A.1/canonical: violated"]
    said = {"passed": False, "gate": None, "expected": [], "problems": problems, "notes": [], "atlas": None}
    assert data["check"] == said
    assert Results.from_json(data).cell("mine", "A.1").verdict is Verdict.VIOLATED
    (tmp_path / "results.json").write_text(outcome.out)
    assert_ends(run_inside("report", "results.json"), 0, "mine")


def test_check_run_and_python_agree(tmp_path: Path) -> None:
    """With the cases that come with the package."""
    settings = ["--condition", "A.3", "--condition", "B.5", "--examples", "20", "--exhaustive", "3", "--no-proofs"]
    outcome = check("rnia", *settings, "--quiet", "--json")
    assert outcome.code == 1
    checked = plain(json.loads(outcome.out)["cells"])
    run_inside("run", "--measure", "ce", "--measure", "rnia", *settings, "--quiet", "--out", "r.json")
    results = metaeval.check("rnia", ["A.3", "B.5"], examples=20, exhaustive=3, jobs=1, proofs=False)
    assert len(checked) == 6
    assert checked == plain([as_json(cell) for cell in results])
    assert checked == [cell for cell in plain(tmp_path / "r.json")["cells"] if cell["measure"] == "rnia"]


# --- baselines on the command line
@pytest.fixture(scope="module")
def saved_once(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The baseline of :data:`MINE`, made once: every test that changes it has a copy."""
    folder = tmp_path_factory.mktemp("baseline")
    (folder / "measures.py").write_text(JACCARD)
    with contextlib.chdir(folder):
        outcome = check(MINE, *FOUR, *SMALL[:-1], "--save", "mine.json")
        again = check(MINE, *FOUR, *SMALL, "--save", "again.json")
    assert outcome.code == again.code == 1
    assert outcome.out.endswith("  FAIL  violated: A.1/canonical, A.1/literal, B.1/literal\n")
    assert outcome.err.endswith("next, after a change: metaeval check measures.py:mine --against mine.json\n")
    assert (folder / "again.json").read_bytes() == (folder / "mine.json").read_bytes()
    return (folder / "mine.json").read_bytes()


@pytest.fixture
def saved(saved_once: bytes, tmp_path: Path) -> Path:
    (tmp_path / "mine.json").write_bytes(saved_once)
    return tmp_path / "mine.json"


QUICK = ["--against", "mine.json", "--jobs", "1", "--quiet"]


def test_an_unchanged_measure_keeps_its_baseline(saved: Path) -> None:
    outcome = check(MINE, *QUICK)
    assert_ends(outcome, 0, "stored counterexamples: 3 unchanged\ngolden scores: 49 of 49 unchanged\n")
    assert "demanded" not in outcome.out  # known counterexamples are not shown again


def test_a_regression_is_caught(saved: Path, write: Callable[[str, str], None]) -> None:
    write("measures.py", JACCARD.replace("len(a | b))", "len(b) or 1)"))
    outcome = check(MINE, *QUICK)
    assert_ends(outcome, 1, "FAIL  B.1/canonical: broken, holds → violated")
    assert re.search(r"^golden-\d\d +1/2 \(0\.5\) +1 \(1\) +\+1/2$", outcome.out, re.M)
    assert re.search(r"FAIL  10 of 49 golden scores changed, such as golden-\d\d: expected 1/2", outcome.out)
    assert "Biclustering(" not in outcome.out.partition("─")[0] + outcome.out.rpartition("─")[2]
    assert "mine violates B.1 Non-intersection area (canonical)" in outcome.out
    assert "mine violates A.1" not in outcome.out


def test_golden_scores_alone_are_held_against_a_baseline_without_a_search(saved, write, monkeypatch):
    monkeypatch.setattr("metaeval.cli.commands.check.carry_out", None)
    golden_only = ["--against", "mine.json", "--golden-only"]
    same = check(MINE, *golden_only)
    assert (same.code, same.err) == (0, "")
    told = "passed: 3 stored counterexamples and 49 golden scores re-checked, nothing searched\n"
    assert same.out.endswith(told)
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


def test_an_improvement_is_told_and_passes(tmp_path: Path, write: Callable[[str, str], None]) -> None:
    blind = JACCARD.replace("def blind(", "def score(")
    write("measures.py", blind)
    check("measures.py:score", *B1, *SMALL, "--effort", "0", "--save", "score.json")
    data = json.loads((tmp_path / "score.json").read_text())
    assert data["cells"][0]["verdict"] == "violated"
    data["golden"] = []  # an improvement changes scores: only certificates and verdicts are looked at here
    (tmp_path / "score.json").write_text(json.dumps(data))
    write("measures.py", blind + "score = lambda c, g: mine(c, g)\nscore.__name__ = 'score'\n")
    outcome = check("measures.py:score", "--against", "score.json", "--jobs", "1", "--quiet")
    assert_ends(outcome, 0, "stored counterexamples: 1 fixed", "note  B.1/canonical: fixed, violated → holds")
    assert "save a new baseline to guard what is fixed: --save score.json" in " ".join(outcome.out.split())


def test_another_measure_s_baseline_is_refused(saved: Path) -> None:
    refusal = "mine.json has no baseline of 'blind', only of mine; `--save mine.json` adds one"
    assert_one_sentence(check("measures.py:blind", *QUICK), refusal)
    assert_one_sentence(check(MINE, *QUICK, "--domain", "disjoint"), "with the domain")


def test_one_file_holds_the_baselines_of_several_measures(saved: Path) -> None:
    alone = saved.read_bytes()
    blind = "measures.py:blind"
    assert check(blind, *B1, *SMALL, "--effort", "0", "--save", "mine.json").code == 1
    both = json.loads(saved.read_text())
    assert [one["measure"]["id"] for one in both["baselines"]] == ["mine", "blind"]
    assert both["baselines"][0] == json.loads(alone)
    # Each is compared with its own part, and replaces only that.
    assert check(MINE, "--against", "mine.json", "--golden-only").code == 0
    assert check(blind, *QUICK).code == 0
    assert check(MINE, *FOUR, *SMALL, "--save", "mine.json").code == 1
    assert json.loads(saved.read_text()) == both
    refusal = "mine.json has no baseline of 'distance', only of mine, blind"
    assert_one_sentence(check("measures.py:distance", *QUICK), refusal)
    found = run_inside("verify", "mine.json", "--target", MINE, "--target", blind)
    assert_ends(found, 0, "ok  mine A.1 canonical", "ok  blind B.1 canonical", "4 certificates, all hold")
    both["baselines"].append(both["baselines"][0])
    saved.write_text(json.dumps(both))
    assert_one_sentence(check(MINE, *QUICK), "mine.json is no baseline: a measure has two")


def test_what_is_no_baseline_is_not_saved_over(write: Callable[[str, str], None], tmp_path: Path) -> None:
    for text in ('{"schema": "metaeval.results/1"}', "kept", '{"schema": "metaeval.baselines/1", "baselines": []}'):
        write("other.json", text)
        assert_one_sentence(check(MINE, *A1, *SMALL, "--save", "other.json"), "other.json")
        assert (tmp_path / "other.json").read_text() == text


def test_an_equation_is_compared_with_its_baseline_under_its_own_name(write: Callable[[str, str], None]) -> None:
    write(
        "eq.py", "from metaeval.equations import *\nshared = Equation(cells(in_cluster * in_class) / cells(1), empty=1)"
    )
    check("eq.py:shared", *B1, *SMALL, "--effort", "0", "--save", "eq.json")
    assert_ends(check("eq.py:shared", "--against", "eq.json", "--golden-only"), 0, "40 of 40 unchanged")


def test_failures_come_before_notes(write: Callable[[str, str], None]) -> None:
    text = check(MINE, *A1, "--quick", "--jobs", "1", "--no-proofs", "--quiet").out.rpartition("─\n")[2]
    first, *rest = text.splitlines()
    assert first == "FAILED: 1 problem; 1 cell: 1 violated"
    labels = [line.split()[0] for line in rest if re.match("  (FAIL|note)  ", line)]
    assert labels == ["FAIL", "note"]


def test_a_baseline_remembers_what_was_declared(tmp_path: Path) -> None:
    distance = "measures.py:distance"
    made = check(distance, *A1, *SMALL, "--smaller-is-better", "--effort", "0", "--save", "d.json")
    assert made.code == 1
    assert "the baseline has none of the 9 large golden pairs: its effort level is 0" in made.out
    assert check(distance, "--against", "d.json", "--jobs", "1", "--quiet").code == 0
    again = check(distance, "--against", "d.json", "--golden-only")
    assert again.code == 0
    assert "golden scores: 40 of 40 unchanged; 9 large pairs left out" in again.out


def test_a_measure_that_fails_the_gate_leaves_no_baseline_and_keeps_none(saved, write):
    write("measures.py", "def mine(candidate, gold): return 2\n")
    assert_ends(check(MINE, *QUICK), 1, "FAIL  gate: it scores 2 for a perfect match")
    outcome = check(MINE, *A1, *SMALL, "--save", "none.json")
    assert outcome.code == 1
    assert "no baseline was saved in none.json: the measure fails the gate" in outcome.out
    assert not Path("none.json").exists()
    hanging = "import time\nold = mine\ndef mine(c, g):\n    if not g: time.sleep(9)\n    return old(c, g)\n"
    write("measures.py", JACCARD + hanging)
    assert_ends(check(MINE, *QUICK, "--budget", "0.05"), 1, "mine gave no answer within 0.05 s")


def of_verdict(data: Any, verdict: str) -> Any:
    return next(cell for cell in data["cells"] if cell["verdict"] == verdict)


def scored_otherwise(data: Any) -> None:
    of_verdict(data, "violated")["certificate"]["scores"]["left"] = {"float": 0.5, "exact": "1/2"}


def fewer_cases(data: Any) -> None:
    cell = of_verdict(data, "holds")
    cell["cases"] += 5
    cell["exhaustive"]["cases"] += 5


def smaller_bound(data: Any) -> None:
    """Whatever the tools were."""
    of_verdict(data, "holds")["exhaustive"]["objects"] += 1
    data["provenance"]["hypothesis"] = "6.0.0"


@pytest.mark.parametrize(("change", "code", "part"), [
    (scored_otherwise, 1, "A.1/canonical: the stored counterexample scored 1/2 (0.5) and 1 (1), and now 1 (1) and"),
    (fewer_cases, 0, "note  B.1/canonical: holds on weaker evidence: 35 exhaustive cases, was 40"),
    (smaller_bound, 1, "FAIL  B.1/canonical: holds on weaker evidence: exhaustive up to"),
])  # fmt: skip
def test_other_evidence_than_stored_is_told(change, code, part, saved):
    data = json.loads(saved.read_text())
    change(data)
    saved.write_text(json.dumps(data))
    assert_ends(check(MINE, *QUICK), code, part)


def test_a_function_without_a_constant_best_says_so(write: Callable[[str, str], None]) -> None:
    pairs = "{(a, b) for r, _ in candidate for s, _ in gold for a in r & s for b in r & s if a < b}"
    write("together.py", f"def together(candidate, gold):\n    return len({pairs})\n")
    chosen = ["together.py:together", "--condition", "A.2", "--reading", "canonical", *SMALL]
    undeclared = check(*chosen)
    assert undeclared.code == 1
    assert "--best (None, none where that differs)" in " ".join(undeclared.out.split())
    assert check(*chosen, "--best", "none", "--low", "0").code == 0
    refused = check("together.py:together", "--condition", "A.5", *SMALL, "--best", "none")
    assert_one_sentence(refused, "speaks of no optimum")


def test_cells_with_cases_that_count_for_nothing_are_named(write: Callable[[str, str], None]) -> None:
    body = "    return float('nan') if len(candidate) > 3 else float(candidate == gold)\n"
    write("m.py", f"def picky(candidate, gold):\n{body}")
    asked = ("--condition", "A.5", "--condition", "B.2", "--reading", "canonical", *SMALL[:2], "--exhaustive", "4")
    said = " ".join(check("m.py:picky", *asked, "--quiet").out.split())
    assert "note some cases had no score, and do not count: B.2 (canonical); the rows above" in said
    assert "do not count" not in check("rnia", *asked, "--quiet").out
