"""``metaeval score`` prints what it has while it works, and says what it is at when that takes long."""

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

import metaeval
from metaeval import cli
from metaeval.cli import tables as waiting
from metaeval.cli.commands import score

ROOT = Path(__file__).parent.parent
PAIR = ["--gold", str(ROOT / "examples/gold.json"), "--candidate", str(ROOT / "examples/found.json")]


@pytest.fixture
def watching() -> Iterator[list[str]]:
    """A measure that notes what is on the screen when it is asked."""
    seen: list[str] = []

    @metaeval.measure("watching", name="A measure whose name is longer than any other")
    def watching(candidate: object, gold: object) -> float:
        seen.append(sys.stdout.getvalue() if isinstance(sys.stdout, io.StringIO) else "")
        return 1234.5

    yield seen
    metaeval.forget("watching")


def run(*args: str, code: int = 0) -> tuple[str, str]:
    outcome = CliRunner().invoke(cli.main, ["score", *PAIR, *args])
    assert outcome.exit_code == code
    return outcome.stdout, outcome.stderr


def test_rows_are_printed_as_they_are_finished(watching: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stdout", screen)
    cli.main(["score", *PAIR, "--measure", "rnia", "--measure", "watching"], standalone_mode=False)
    (before,) = watching
    assert [line.split()[0].strip("-") for line in before.splitlines()] == ["measure", "", "rnia"]
    assert screen.getvalue().startswith(before)


@pytest.mark.usefixtures("watching")
def test_the_columns_stand_under_each_other() -> None:
    out, err = run()
    assert err == ""  # nothing is said about what is quick
    head, rule, *lines = out.splitlines()
    start = head.index("name")
    assert [len(part) for part in rule.split()] == [16, 45, 9]
    assert all(line[start - 1] == " " and line[start] != " " for line in lines)
    # A score wider than foreseen keeps its digits.
    assert lines[-1].endswith("  1234.500000")
    ends = {len(line) for line in lines[:-1]}
    assert ends == {len(rule)}


def test_after_some_time_it_says_what_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Event()
    show = waiting.StepNotice._show

    def shown(notice: waiting.StepNotice, step: str) -> None:
        show(notice, step)
        told.set()

    monkeypatch.setattr(waiting, "_PATIENCE", 0)
    monkeypatch.setattr(waiting.StepNotice, "_show", shown)
    monkeypatch.setattr(score, "score_row", lambda measure, *_: told.wait() and score.Row(measure, 0.5))
    out, err = run("--measure", "rnia", "--json")
    assert err == "metaeval: 1/1  rnia\n"
    assert json.loads(out) == {"rnia": {"float": 0.5, "exact": None}}


def test_on_a_terminal_the_notice_goes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with waiting.StepNotice() as notice:
        notice._show("8/12  mocice")
        assert notice._status is not None
    assert notice._status is None
    assert "mocice" in screen.getvalue()


OWN = """
import os
def mine(candidate, gold):
    print("noise")
    return len(candidate) / 4
def dies(candidate, gold): os._exit(3)
def leaves(candidate, gold): raise SystemExit(4)
def raises(candidate, gold): return 1 / 0
"""


def test_ones_own_measure_stands_beside_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine so many measures may take long enough for a notice.
    monkeypatch.setattr(waiting, "_PATIENCE", 1000)
    file = tmp_path / "own.py"
    file.write_text(OWN)
    names = ("mine", "dies", "leaves", "raises")
    own = [word for name in names for word in ("--measure", f"{file}:{name}")]
    out, err = run(*own, "--measure", "all", "--json", code=1)
    answers = json.loads(out)
    assert list(answers) == [*names, *metaeval.measures()]
    assert answers["mine"] == {"float": 0.75, "exact": None}
    assert answers["dies"]["error"] == "its process ended with exit code 3"
    assert answers["leaves"]["error"] == "its process was ended by SystemExit: 4"
    assert answers["raises"]["error"] == "ZeroDivisionError: division by zero"
    assert answers["rnia"]["exact"] == "5/6"
    assert err == ""
    line = run(*own[:2], "--measure", "rnia", "--exact")[0].splitlines()[2]
    assert line.split() == ["mine", "mine", "0.750000", "-"]
