"""What people see while a run goes on and when it ends: progress, colour, and what the platform cannot do."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from msgspec import structs
from tools import run_inside, split

import metaeval
from metaeval.cli import tables as colour
from metaeval.cli.progress import Watcher
from metaeval.cli.tables import Growing
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell
from metaeval.runner.events import Drawn, Event, GroupDone, Settled, Started
from metaeval.runner.plan import Group, Plan
from metaeval.workers import worker as isolation

DOCS = Path(__file__).resolve().parent.parent / "docs"
CHECK = [sys.executable, "-m", "metaeval", *split("check ce --no-proofs --condition A.1 --condition A.2")]
TINY = split("--reading canonical --examples 0 --exhaustive 3 --effort 0 --jobs 1")
PLAN = Plan.of(["ce"], ["A.1"])
GROUPS = PLAN.groups
ESCAPE = "\x1b["


# --- progress where there is no terminal
def events() -> Iterator[Event]:
    """A run of three groups, each drawn and then settled: seven steps with the gate."""
    yield Started(PLAN, 6)
    for group in GROUPS:
        yield Drawn(group.id, 200)
    for group in GROUPS:
        yield settled(group)
        yield GroupDone(group)


def settled(group: Group) -> Settled:
    return Settled(metaeval.measures()["ce"], *group, Cell("ce", *group.id, Verdict.HOLDS, cases=3))


def logged(capsys: pytest.CaptureFixture[str], seconds_between: float) -> list[str]:
    passed = 0.0

    def clock() -> float:
        return passed

    with Watcher(clock=clock) as watcher:
        for event in events():
            watcher.on_event(event)
            passed += seconds_between
    return capsys.readouterr().err.splitlines()


def test_a_log_starts_at_the_start_and_ends_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """However fast it goes: nothing in between. The same on a dumb terminal."""
    expected = ["0/6  started: 1 measure, 3 cells", "6/6  A.1 overlapping: 1 holds; so far 3 holds"]
    assert logged(capsys, 0.001) == expected
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    assert logged(capsys, 0.001) == expected


def test_a_slow_run_logs_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    assert logged(capsys, 10) == [
        "0/6  started: 1 measure, 3 cells",
        "1/6  A.1 canonical: 200 cases drawn",
        "2/6  A.1 literal: 200 cases drawn",
        "3/6  A.1 overlapping: 200 cases drawn",
        "4/6  A.1 canonical: 1 holds; so far 1 holds",
        "5/6  A.1 literal: 1 holds; so far 2 holds",
        "6/6  A.1 overlapping: 1 holds; so far 3 holds",
    ]


# --- colour
def on_a_terminal(command: list[str], **environment: str) -> str:
    """What a command prints to a terminal of its own."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    ours, theirs = pty.openpty()
    env = {**kept, "TERM": "xterm", "COLUMNS": "80", **environment}
    process = subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, env=env)
    os.close(theirs)
    pieces = []
    try:
        while piece := os.read(ours, 65536):
            pieces.append(piece)
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    process.wait()
    return b"".join(pieces).decode().replace("\r\n", "\n")


def test_verdicts_have_colour_on_a_terminal_and_the_same_words() -> None:
    coloured = on_a_terminal([*CHECK, *TINY])
    assert "\x1b[31m✗\x1b[0m" in coloured
    assert "\x1b[32m✓\x1b[0m" in coloured
    assert re.search(r"\x1b\[31mviolated *\x1b\[0m", coloured)
    assert "\x1b[31mFAILED\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured) == on_a_terminal([*CHECK, *TINY], NO_COLOR="1")
    matrix = [*CHECK[:3], *split("run --measure ce --condition A.1 --no-proofs --out"), os.devnull, *TINY]
    assert re.search(r"^ce +\x1b\[31m✗\x1b\[0m", on_a_terminal(matrix), re.M)


def test_a_diff_marks_steps_back_and_fits_and_who_wants_no_colour_gets_none(tmp_path: Path) -> None:
    old, new = (json.loads((DOCS / "results.json").read_text()) for _ in range(2))
    place = ("vi", "A.1", "canonical")
    cell = next(cell for cell in new["cells"] if (cell["measure"], cell["condition"], cell["reading"]) == place)
    cell |= {"verdict": "error", "proof": None, "message": "it raised a complaint of many words " * 4}
    for name, data in (("old.json", old), ("new.json", new)):
        (tmp_path / name).write_text(json.dumps(data))
    diff = [sys.executable, "-m", "metaeval", "diff", str(tmp_path / "old.json"), str(tmp_path / "new.json")]
    text, dumb = on_a_terminal(diff), on_a_terminal(diff, TERM="dumb")
    assert "\x1b[31mBroken: held before (1)\x1b[0m\n  vi A.1 canonical: proved → error (it raised" in text
    assert re.sub(r"\x1b\[\d+m", "", text) == dumb
    assert ESCAPE not in dumb
    assert max(map(len, dumb.splitlines())) <= 80


def test_a_narrow_table_leaves_the_verdict_to_its_symbol_unless_it_says_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    narrow = run_inside(*CHECK[3:], *TINY).out
    assert re.search(r"^✗  A\.1  canonical  [\d,]+ of [\d,]+ cases, all up to 3 objects$", narrow, re.M)
    expecting = run_inside(*CHECK[3:], *TINY, "--expect-violation", "a.1/canonical").out
    assert re.search(r"^✗  A\.1  canonical  violated \(expected\)  \d", expecting, re.M)


def test_what_is_known_is_yellow() -> None:
    with click.Context(click.Command("x"), color=True):
        assert colour.of(Verdict.VIOLATED)("x") == "\x1b[31mx\x1b[0m"
        assert colour.of(Verdict.VIOLATED, expected=True)("x") == "\x1b[33mx\x1b[0m"
        assert colour.of(Verdict.VACUOUS)("x") == "\x1b[33mx\x1b[0m"
        assert colour.of(Verdict.HOLDS)("   ") == "   "  # nothing to see, nothing to paint


# --- tables
@pytest.mark.parametrize("columns", [30, 60, 80, 200])
def test_the_last_column_is_never_cut(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    evidence = "12,345 of 123,456 cases, all up to 10 objects; and more that a message says"
    table = Growing(("id", "name", "evidence"), [["A.1", "Homogeneity", evidence[:40]]], optional=["name"])
    lines = table.row(["A.1", "Homogeneity", evidence]).splitlines()
    assert max(map(len, lines)) <= columns
    assert " ".join(line.removeprefix("A.1").strip() for line in lines).replace("Homogeneity ", "").split() == (
        evidence.split()
    )
    assert ("Homogeneity" in lines[0]) == (columns >= 60)


# --- where there is no fork
def cells() -> list[Cell]:
    def broken(candidate: object, gold: object) -> float:
        return 1 / 0

    found = metaeval.run(["ce", broken], ["A.1", "B.5"], examples=3, exhaustive=3, effort=1, proofs=False, jobs=2)
    assert {cell.verdict for cell in found if cell.measure == "broken"} == {Verdict.ERROR}
    return [structs.replace(cell, seconds=0.0) for cell in found]


def test_without_fork_the_verdicts_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    forked = cells()
    monkeypatch.setattr(isolation, "_CAN_FORK", False)

    def no_fork() -> int:
        raise AssertionError("forked")

    monkeypatch.setattr(os, "fork", no_fork)
    assert cells() == forked


def test_without_fork_a_run_says_what_is_not_protected(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert isolation.missing_protection() is None
    monkeypatch.setattr(isolation, "_CAN_FORK", False)
    with Watcher() as watcher:
        watcher.on_event(next(events()))
        # Both are there before anything is drawn.
        first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("metaeval: this system cannot fork, so measures run in this process: one that hangs")
    assert "docs/platforms.md" in first
    assert second.startswith("0/6")
    assert (DOCS / "platforms.md").is_file()
