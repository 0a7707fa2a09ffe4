"""The tutorial and its neighbours, followed to the letter: files written, commands run, output compared.

``following.py`` says what a page may hold. After a change that prints something else, ``python tests/test_tutorial.py``
writes what is printed now into the pages; read the prose again then. The pages in ``PATHS`` are followed by
``packaging/check_wheel.py``.
"""

import re
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import pytest
from following import (
    EVERYTHING,
    LEFT_OUT,
    PATHS,
    ROOT,
    Command,
    File,
    Printed,
    agrees,
    comparable,
    follow,
    mismatch,
    pieces,
    stated_version,
    steps,
)

TUTORIAL = ROOT / "docs" / "tutorial.md"
INPUTS = ROOT / "docs" / "inputs.md"
PAGES = [TUTORIAL, ROOT / "docs" / "check-a-scikit-learn-metric.md", INPUTS, ROOT / "examples" / "README.md"]
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


def rows(lines: list[str]) -> list[list[str]]:
    """The words of all lines with verdicts or a list, without numbers of cases."""
    return [re.sub(r" +\d.*", "", line).split() for line in lines if re.search("[∎✓✗]  |^\\[", line)]


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["parts", "whole"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_a_page_shows_what_is_printed(page: Path, whole: bool, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
    followed = 0
    for command, printed in follow(text, tmp_path, EVERYTHING if whole else PARTS):
        followed += 1
        if command.line in PARTS and not whole:
            found, known = rows(printed.lines), rows(command.shown)
            assert found, printed.messages
            assert [row for row in found if row not in known] == [], f"{page.name}, line {command.start}: {AGAIN}"
            continue
        assert not (why := mismatch(text, command, printed)), f"{page.name}, {AGAIN}\n{why}"
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
        (Path(folder) / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
        followed = list(follow(text, Path(folder)))
    for command, printed in reversed(followed):
        lines[command.start : command.start + len(command.shown)] = _shown_again(command, printed)
    again = "\n".join(lines) + "\n"
    was = stated_version(again)
    page.write_text(again if was is None else again.replace(was, version("hypothesis")), encoding="utf-8")


def _shown_again(command: Command, printed: Printed) -> list[str]:
    """The same excerpts, each found again by its first line, numbers aside; a short one may be kept as a whole."""
    apart = pieces(command.shown)
    if len(apart) == 1:
        return printed.lines
    shown: list[str] = []
    place = 0
    for number, piece in enumerate(apart):
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
        place = len(printed.lines) if number == len(apart) - 1 else at + len(piece)
        shown += printed.lines[at:place]
    return shown


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:] or [*PAGES, *PATHS]):
        _write_again(page)
