"""Pages followed to the letter: files written, commands run, output compared.

A block that names a file, after its language, is that file. A ``console`` block holds commands and what they print; a
line with nothing but an ellipsis stands for lines left out.
"""

import os
import re
import subprocess
import sysconfig
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
#: The paths of three users, followed with an installed wheel in an empty folder.
PATHS = [
    ROOT / "docs" / f"{name}.md" for name in ("for-overlapping-clusterings", "for-a-metrics-library", "for-a-reviewer")
]
LEFT_OUT = "…"
#: No command is cut short.
EVERYTHING: Mapping[str, str] = {}
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


def follow(
    text: str, folder: Path, parts: Mapping[str, str] = EVERYTHING, scripts: str | None = None
) -> Iterator[tuple[Command, Printed]]:
    """Write the files and run the commands with the scripts of an environment, by default of this one.

    ``parts`` has for a command what makes it a part of itself: options to add or, after a semicolon, another command.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "PYTHON"))}
    path = os.pathsep.join([scripts or sysconfig.get_path("scripts"), kept.get("PATH", "")])
    environment = {**kept, "PATH": path, "COLUMNS": "108", "PYTHONDONTWRITEBYTECODE": "1"}
    for step in steps(text):
        if isinstance(step, File):
            (folder / step.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / step.name).write_text(step.text, encoding="utf-8")
            continue
        part = parts.get(step.line, "")
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
    apart = pieces(shown)
    if len(apart) == 1:
        return shown == printed
    first, *middle, last = apart
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


def pieces(shown: list[str]) -> list[list[str]]:
    """What stands between the ellipses."""
    found: list[list[str]] = [[]]
    for line in shown:
        if line == LEFT_OUT:
            found.append([])
        else:
            found[-1].append(line)
    return found


def stated_version(text: str) -> str | None:
    """The version of Hypothesis that a page says drew its cases."""
    found = re.search(r"Hypothesis (\d[\d.]*\d)", text)
    return found and found[1]


def mismatch(text: str, command: Command, printed: Printed) -> str:
    """Why a command does not do what the page shows; empty where it does."""
    same_cases = stated_version(text) in (None, version("hypothesis"))
    shown, lines = (comparable(part, same_cases) for part in (command.shown, printed.lines))
    fails = any(re.match(r"FAILED: |.*\d failed", line) for line in command.shown)
    refused = any(line.startswith("metaeval: ") for line in command.shown)
    expected = 2 if refused else 1 if fails else 0
    if agrees(shown, lines) and printed.code == expected:
        return ""
    done = f"line {command.start}: this is printed now, with exit code {printed.code} (expected: {expected})"
    return "\n".join([done, "$ " + command.line, *printed.lines, printed.messages])
