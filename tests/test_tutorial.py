"""The tutorial and its neighbours, followed to the letter: files written, commands run, output compared.

A block that names a file, after its language, is that file. A ``console`` block holds commands and what they print; a
line with nothing but an ellipsis stands for lines left out. After a change that prints something else,
``python tests/test_tutorial.py`` writes what is printed now into the pages; read the prose again then.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
TUTORIAL = ROOT / "docs" / "tutorial.md"
INPUTS = ROOT / "docs" / "inputs.md"
PAGES = [TUTORIAL, ROOT / "docs" / "check-a-scikit-learn-metric.md", INPUTS, ROOT / "examples" / "README.md"]
LEFT_OUT = "…"
#: Commands that search for long, and parts of them: what a part prints must be among what is shown.
PARTS = {
    "metaeval check measures.py:mine": " --condition A.3 --condition B.1 --examples 20 --effort 1",
    "metaeval check measures.py:mine --condition A.5 --reading literal --effort 4": " --exhaustive 3 --effort 1",
    "metaeval check measures.py:mine --effort 1": " --condition A.2 --condition B.5 --exhaustive 5",
    "metaeval check alike.py:mine --effort 1": " --condition B.3",
    "metaeval check alike.py:alike --effort 1": " --condition A.3",
    "python metrics.py": """; sed "s/check(v,/& ['A.1', 'A.2', 'A.3'],/" metrics.py | python -""",
    "python examples/sklearn_metric.py": "; sed '/ metrics.[arf]/d' examples/sklearn_metric.py | python -",
}
AGAIN = "this is printed now; if that is meant, run python tests/test_tutorial.py and read the page again"
_FENCE = re.compile(r"^```(?P<kind>\w*) ?(?P<file>\S*)$")


class File(NamedTuple):
    """A file that the reader is asked to write."""

    name: str
    text: str


class Command(NamedTuple):
    """A command, the lines it is said to print, and the line of the page where they begin."""

    line: str
    shown: list[str]
    start: int


class Printed(NamedTuple):
    code: int
    lines: list[str]
    messages: str


def steps(text: str) -> Iterator[File | Command]:
    """What a page asks the reader to do, in order."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        number += 1
        if not fence:
            continue
        start = number
        while lines[number] != "```":
            number += 1
        block = lines[start:number]
        number += 1
        if fence["file"]:
            yield File(fence["file"], "\n".join(block) + "\n")
        elif fence["kind"] == "console":
            yield from _commands(block, start)


def _commands(block: list[str], start: int) -> Iterator[Command]:
    places = [number for number, line in enumerate(block) if line.startswith("$ ")]
    for place, end in zip(places, [*places[1:], len(block)], strict=True):
        last = place
        while block[last].endswith("\\"):
            last += 1
        line = " ".join(part.removesuffix("\\").strip() for part in block[place : last + 1])
        yield Command(line.removeprefix("$ "), block[last + 1 : end], start + last + 1)


def follow(text: str, folder: Path, whole: bool = True) -> Iterator[tuple[Command, Printed]]:
    """Write the files and run the commands, or parts of those that take long."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "PYTHON"))}
    path = os.pathsep.join([sysconfig.get_path("scripts"), kept.get("PATH", "")])
    environment = {**kept, "PATH": path, "COLUMNS": "108", "PYTHONDONTWRITEBYTECODE": "1"}
    (folder / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    for step in steps(text):
        if isinstance(step, File):
            (folder / step.name).write_text(step.text, encoding="utf-8")
            continue
        part = "" if whole else PARTS.get(step.line, "")
        line = part[1:] if part.startswith(";") else step.line + part
        done = subprocess.run(line, shell=True, cwd=folder, env=environment, capture_output=True, encoding="utf-8")
        yield step, Printed(done.returncode, list(map(_untimed, done.stdout.splitlines())), done.stderr)


def _untimed(line: str) -> str:
    return re.sub(r"(?<= in )\d+\.\d+s\b( \(\d+:\d\d:\d\d\))?", "3.21s", line)


def comparable(lines: list[str], same_cases: bool) -> list[str]:
    """Lines as they are compared: Hypothesis draws other cases from version to version, so maybe uncounted."""
    if same_cases:
        return lines
    uncounted = [re.sub(r"\d[\d,]*(?=( of \d[\d,]*)? cases?\b|\)\.$)|\d[\d,]* of (?=N)", "N", line) for line in lines]
    return [re.sub(r"N(?=N)", "", re.sub(r"(?<=[ -])[ -]+", "", line)) for line in uncounted]


def agrees(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines shown are those printed, an ellipsis standing for any number of them.

    >>> agrees(["a", "…", "d"], ["a", "b", "c", "d"]), agrees(["a", "…", "c"], ["a", "b", "c", "d"])
    (True, False)
    """
    pieces = _pieces(shown)
    if len(pieces) == 1:
        return shown == printed
    first, *middle, last = pieces
    end = len(printed) - len(last)
    place = len(first)
    if printed[:place] != first or end < place or printed[end:] != last:
        return False
    for piece in middle:
        found = (at for at in range(place, end - len(piece) + 1) if printed[at : at + len(piece)] == piece)
        at = next(found, None)
        if at is None:
            return False
        place = at + len(piece)
    return True


def _pieces(shown: list[str]) -> list[list[str]]:
    pieces: list[list[str]] = [[]]
    for line in shown:
        if line == LEFT_OUT:
            pieces.append([])
        else:
            pieces[-1].append(line)
    return pieces


def rows(lines: list[str]) -> list[list[str]]:
    """The words of all lines with verdicts or a list, without numbers of cases."""
    return [re.sub(r" +\d.*", "", line).split() for line in lines if re.search("[∎✓✗]  |^\\[", line)]


def stated_version(text: str) -> str | None:
    """The version of Hypothesis that a page says drew its cases."""
    found = re.search(r"Hypothesis (\d[\d.]*\d)", text)
    return found and found[1]


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["parts", "whole"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_a_page_shows_what_is_printed(page: Path, whole: bool, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    same_cases = stated_version(text) in (None, version("hypothesis"))
    followed = 0
    for command, printed in follow(text, tmp_path, whole):
        followed += 1
        if command.line in PARTS and not whole:
            found, known = rows(printed.lines), rows(command.shown)
            assert found, printed.messages
            assert [row for row in found if row not in known] == [], f"{page.name}, line {command.start}: {AGAIN}"
            continue
        shown, lines = (comparable(part, same_cases) for part in (command.shown, printed.lines))
        report = "\n".join(["$ " + command.line, *printed.lines, printed.messages])
        assert agrees(shown, lines), f"{page.name}, line {command.start}: {AGAIN}\n{report}"
        fails = any(re.match(r"FAILED: |.*\d failed", line) for line in command.shown)
        refused = any(line.startswith("metaeval: ") for line in command.shown)
        assert printed.code == (2 if refused else 1 if fails else 0), report
    assert followed


def test_the_tutorial_goes_all_the_way() -> None:
    asked = list(steps(TUTORIAL.read_text(encoding="utf-8")))
    commands = [step.line for step in asked if isinstance(step, Command)]
    files = [step.name for step in asked if isinstance(step, File)]
    assert commands[0] == "metaeval check measures.py:mine"
    for word in ("--expect-violation", "--save", "--against", "pytest", "explain", "verify", "alike.json"):
        assert any(word in command for command in commands), word
    assert files.count("measures.py") >= 3
    assert "test_measures.py" in files


@pytest.mark.parametrize(("shown", "expected"), [
    (["a", "b"], False), (["a", "…"], True), (["…", "d"], True), (["a", "…", "c", "…", "d"], True),
    (["a", "…", "c", "…", "b", "…", "d"], False), (["b", "…", "d"], False), (["a", "b", "c", "…", "c", "d"], False),
])  # fmt: skip
def test_an_ellipsis_leaves_out_lines_and_nothing_else(shown: list[str], expected: bool) -> None:
    assert agrees(shown, ["a", "b", "c", "d"]) is expected


def test_only_numbers_of_cases_may_differ_with_another_hypothesis() -> None:
    ours = ["✗   A.1   violated   16 of 6,411 cases, all up to 8 objects", "left   scores 2/3 = 0.666667"]
    theirs = ["✗   A.1   violated   1,234 of 64,110 cases, all up to 8 objects", "left   scores 2/3 = 0.666667"]
    assert comparable(ours, same_cases=False) == comparable(theirs, same_cases=False)
    assert comparable(ours, same_cases=True) != comparable(theirs, same_cases=True)
    for changed in (ours[0].replace("8 objects", "7 objects"), ours[1].replace("2/3", "1/3")):
        assert comparable([changed], same_cases=False)[0] not in comparable(ours, same_cases=False)


def _write_again(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    lines = text.splitlines()
    with tempfile.TemporaryDirectory() as folder:
        followed = list(follow(text, Path(folder)))
    for command, printed in reversed(followed):
        lines[command.start : command.start + len(command.shown)] = _shown_again(command, printed)
    again = "\n".join(lines) + "\n"
    was = stated_version(again)
    page.write_text(again if was is None else again.replace(was, version("hypothesis")), encoding="utf-8")


def _shown_again(command: Command, printed: Printed) -> list[str]:
    """The same excerpts, each found again by its first line, numbers aside; a short one may be kept as a whole."""
    pieces = _pieces(command.shown)
    if len(pieces) == 1:
        return printed.lines
    shown: list[str] = []
    place = 0
    for number, piece in enumerate(pieces):
        if number:
            shown.append(LEFT_OUT)
        if not piece:
            continue
        later = range(place, len(printed.lines))
        key = comparable(piece[:1], same_cases=False)
        at = next((at for at in later if comparable(printed.lines[at : at + 1], same_cases=False) == key), None)
        if at is None:
            print(f"line {command.start}: {piece[0]!r} is printed no longer", file=sys.stderr)
            shown += piece
            continue
        place = len(printed.lines) if number == len(pieces) - 1 else at + len(piece)
        shown += printed.lines[at:place]
    return shown


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:] or PAGES):
        _write_again(page)
