"""An answer in seconds: the quick search, verdicts as they are settled, the estimate, and Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tools import run_inside

import metaeval
from metaeval.cases.store import Store
from metaeval.catalogue.condition import find_condition
from metaeval.catalogue.measure import find_measure
from metaeval.cli.commands.check_output import Showing, Stream
from metaeval.cli.progress import Watcher, duration
from metaeval.core.settings import HIGHEST, LEVELS, Settings
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell
from metaeval.runner.events import Estimated, Gated, Noted, Settled
from metaeval.runner.plan import Plan
from metaeval.runner.run import estimate
from metaeval.search.gate import GateFailure
from metaeval.session import carry_out, no_results
from metaeval.verification.outcome import Outcome

FEW = ["--condition", "B.5", "--jobs", "1"]


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)


# --- quick
def test_a_quick_check_says_what_it_left_out():
    """What is asked for outright counts more, and a search that is not quick leaves nothing out."""
    text = run_inside("check", "rnia", *FEW, "--quick", "--quiet").out
    note = " ".join(text.partition("  note  --quick")[2].partition("FAIL")[0].split())
    for part in ("up to 3 objects", "draws 20 cases (a full search: 200)", "tries no large cases"):
        assert part in note
    assert "--examples 20 --exhaustive 3 --budget 10 --effort 0" in text
    found = run_inside("check", "rnia", *FEW, "--quick", "--examples", "0", "--quiet", "--json").out
    assert [json.loads(found)["provenance"][key] for key in ("examples", "exhaustive")] == [0, 3]
    plain = run_inside("check", "rnia", *FEW, "--examples", "0", "--exhaustive", "2", "--effort", "0", "--quiet")
    assert "--quick" not in plain.out
    refused = run_inside("check", "rnia", "--quick", "--against", "missing.json")
    assert (refused.code, "--quick and --against exclude each other" in refused.err) == (2, True)


def test_a_quick_run_says_what_it_left_out_and_its_file_how_it_was_made():
    text = run_inside("run", "--measure", "rnia", *FEW, "--quick", "--quiet").out
    assert "--quick tries all cases with up to 3 objects" in text
    provenance = json.loads(Path("results.json").read_text())["provenance"]
    assert (provenance["examples"], provenance["exhaustive"]) == (20, 3)


# --- verdicts as they are settled
def listening(ids=("A.3", "B.5"), expected=frozenset()):
    plan = Plan.of(["rnia"], ids)
    lines: list[str] = []
    stream = Stream(plan, Outcome(no_results(Settings()), None, expected), Showing("rnia"), lines.append)
    return plan, stream, lines


def settled(plan, group, verdict=Verdict.HOLDS):
    return Settled(plan.measures[0], *group, Cell(plan.measures[0].id, *group.id, verdict, cases=7))


def test_rows_are_printed_in_the_order_of_the_plan_as_soon_as_they_can_be():
    plan, stream, lines = listening()
    stream.on_event(Gated(plan.measures[0], None))
    head = len(lines)
    order = [1, 0, 3, 5, 4, 2]
    printed = []
    for place in order:
        stream.on_event(settled(plan, plan.groups[place]))
        printed.append(len(lines) - head)
    assert printed == [0, 2, 2, 2, 2, 6]
    plan, stream, waiting = listening()
    stream.on_event(Gated(plan.measures[0], None))
    stream.on_event(settled(plan, plan.groups[2]))
    before = len(waiting)
    stream.flush()  # what others keep waiting is printed in the end
    assert [line.split()[1] for line in waiting[before:]] == ["A.3"]
    found = [tuple(re.findall(r"[AB]\.\d|canonical|literal|overlapping", line)) for line in lines[head:]]
    assert found == [group.id for group in plan.groups]


def test_a_failed_gate_has_no_table():
    plan, stream, lines = listening()
    stream.on_event(Gated(plan.measures[0], GateFailure("x", Verdict.ERROR, "it fails")))
    stream.on_event(settled(plan, plan.groups[0]))
    assert "\n".join(lines).splitlines() == ["RNIA (rnia)", "gate: it fails"]


def test_an_expected_violation_has_its_room():
    plan, stream, lines = listening(expected=frozenset({("B.5", "canonical")}))
    stream.on_event(Gated(plan.measures[0], None))
    for group in plan.groups:
        stream.on_event(settled(plan, group, Verdict.VIOLATED))
    rows = "\n".join(lines).splitlines()[3:]
    assert {row.index("evidence") if "evidence" in row else row.index("7 cases") for row in (rows[0], *rows[2:])} == {
        rows[0].index("evidence")
    }


SLOW = """
import time
def slow(candidate, gold):
    end = time.process_time() + 0.02
    while time.process_time() < end:
        pass
    covered, wanted = ({(r, c) for rows, cols in part for r in rows for c in cols} for part in (candidate, gold))
    return len(covered & wanted) / len(covered | wanted) if covered | wanted else 1.0
"""


#: metaeval, where a background job has inherited an ignored SIGINT, too.
INTERRUPTIBLE = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from metaeval.__main__ import main
raise SystemExit(main())
"""


def interrupted(words: list[str], until: str) -> tuple[int, str, str]:
    """A check that gets Ctrl-C once it has printed a line with these words."""
    Path("slow.py").write_text(SLOW)
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "check", "slow.py:slow", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "100"},
    )  # fmt: skip
    assert process.stdout is not None
    seen = ""
    while until not in seen:
        line = process.stdout.readline()
        assert line, seen
        seen += line
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    rest, messages = process.communicate()
    return process.returncode, seen + rest, messages


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent otherwise there")
def test_ctrl_c_keeps_and_prints_what_is_settled():
    words = ["--condition", "B.5", "--condition", "B.2", "--examples", "0", "--jobs", "1", "--quiet"]
    # B.2 holds on thousands of cases; the first cell of A.3 below five objects has none.
    code, text, messages = interrupted(["--condition", "A.3", *words, "--exhaustive", "4"], until="A.3")
    assert code == 130
    assert re.search(r"^\S+ +A\.3", text, re.M)
    # How many readings of A.3 are settled by then depends on the machine.
    assert re.search(r"interrupted: (1 cell|[2-4] cells)\b", text)
    assert "B.5/overlapping" in text
    assert messages.startswith("metaeval: interrupted; ")


def test_an_interrupted_run_leaves_its_results_with_whoever_holds_them():
    def listen(event):
        if isinstance(event, Settled):
            raise KeyboardInterrupt

    settings = Settings(examples=0, exhaustive=2, jobs=1)
    results = no_results(settings)
    with pytest.raises(KeyboardInterrupt):
        carry_out(Plan.of(["rnia"], ["B.5"]), settings, listen=listen, into=results)
    assert len(list(results)) == 1


# --- the estimate
def test_a_search_that_takes_long_is_told_beforehand(capsys):
    with Watcher(quiet=True) as watcher:
        watcher.on_event(Estimated(0.05, 900))
        watcher.on_event(Noted("something"))
    assert capsys.readouterr().err == ""
    with Watcher() as watcher:
        watcher.on_event(Estimated(0.05, 900))
        watcher.on_event(Estimated(0.05, 5))
    assert (
        capsys.readouterr().err
        == "metaeval: about 50 ms per call, about 15 min in all; use --quick for a first answer\n"
    )


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(5e-6, "0.005 ms"), (0.05, "50 ms"), (1.5, "1500 ms"), (30, "30 s"), (900, "15 min"), (9000, "2 h")],
)
def test_times_in_words(seconds, text):
    assert duration(seconds) == text


def gated(seconds: float, effort: int = HIGHEST, sample: float | None = None) -> list[Gated]:
    return [Gated(find_measure("rnia"), None, seconds, effort=effort, sample=sample)]


def test_the_estimate_counts_a_call_a_case_and_no_more_than_the_budget():
    plan, settings = Plan.of(["rnia"], ["B.5"], ["canonical"]), Settings(jobs=1, examples=0)
    draws = Store(["B.5"], settings)
    assert estimate(plan, gated(1e-3), draws, settings).seconds == pytest.approx(4, rel=0.1)
    assert estimate(plan, gated(1.0), draws, settings).seconds == settings.budget
    assert estimate(plan, [], draws, settings) is None


def test_the_estimate_knows_what_the_next_level_costs():
    plan, settings = Plan.of(["rnia"], ["B.5"], ["canonical"]), Settings(jobs=2, examples=0)
    draws = Store(["B.5"], settings)
    calls = [effort.sample_calls for effort in LEVELS]
    assert calls == sorted(calls)
    for level in range(HIGHEST):
        found = estimate(plan, gated(1e-6, level, sample=1e-3), draws, settings)
        assert found.more == pytest.approx((calls[level + 1] - calls[level]) * 1e-3 / 2)
    assert estimate(plan, gated(1e-6, HIGHEST, sample=1e-3), draws, settings).more == 0


def test_the_estimate_knows_a_stock():
    plan, settings = Plan.of(["rnia"], ["B.5"], ["canonical"]), Settings(jobs=1, examples=5, exhaustive=2)
    metaeval.run(["rnia"], ["B.5"], ["canonical"], jobs=1, examples=5, exhaustive=2, effort=0, proofs=False)
    draws = Store(["B.5"], settings)
    assert list(draws.start()) == [("B.5", name) for name in find_condition("B.5").readings]
    (cell,) = metaeval.run(["mocice"], ["B.5"], ["canonical"], jobs=1, examples=5, exhaustive=2, effort=0, proofs=False)
    assert estimate(plan, gated(1e-3), draws, settings).seconds == pytest.approx(1.1e-3 * cell.cases)
