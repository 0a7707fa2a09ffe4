"""The matrix against the obvious loop (`benchmarks/obvious_loop.py`). The loop runs one Hypothesis test per cell, with
as many examples as the matrix tried cases. Every measure scores from scratch. Scores come from the definitions, or from
our own measures called one by one. The matrix makes its cases anew and shrinks what it finds. For the loop, shrinking
is left out, and the start of its processes is not counted. All cases of the loop are drawn, so they are larger than
those of the matrix, most of which are listed. For B.5 the loop runs every case. For the whole matrix the definitions
would take hours. There the loop runs a part of every cell with our measures, and its time is extrapolated at the same
rate."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from table import Row
from timing import Cost, children

NAME = "matrix"

HERE = Path(__file__).resolve().parent
QUICK = ["--measure", "rnia", "--measure", "ce", "--condition", "B.5", "--quick"]
SCORING = {"definitions": "the loop, definitions", "singly": "the loop, our measures singly"}
#: Number of processes of a loop: the two cores that the matrix is meant for.
JOBS = 2
#: For the whole matrix the loop runs one case in ``PART``, and at least ``FEWEST`` per cell.
PART, FEWEST = 200, 20

#: Measure, condition, reading, and the number of cases.
Cell = tuple[str, str, str, int]


def rows(quick: bool) -> Iterator[Row]:
    """One condition with every case; all conditions with a part of the cases."""
    yield from beside_loop("matrix, B.5 alone", QUICK if quick else ["--condition", "B.5"], SCORING)
    yield from beside_loop("matrix, all of it", QUICK if quick else [], ["singly"], PART, least=3)


def beside_loop(
    what: str, options: Sequence[str], scorings: Iterable[str], part: int = 1, least: float = 0
) -> Iterator[Row]:
    cost, cells = matrix(options)
    cases = sum(tried for *_, tried in cells)
    for scoring in scorings:
        done, seconds = loop(scoring, cells, part)
        inputs = f"{len(cells)} cells; {cases:,} cases, {done:,} in the loop"
        row = Row(NAME, what, ours=cost.processor, wall=cost.wall, inputs=inputs)
        yield row.beside(SCORING[scoring], seconds, least)


def matrix(options: Sequence[str]) -> tuple[Cost, list[Cell]]:
    """The cost of ``metaeval run`` with all the processes it starts, and the number of cases per cell."""
    with tempfile.TemporaryDirectory(prefix="metaeval-bench-") as folder, children() as cost:
        out = Path(folder) / "results.json"
        command = [sys.executable, "-m", "metaeval", "run", "--no-cache", "--quiet", "--out", str(out), *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        cells = json.loads(out.read_text(encoding="utf-8"))["cells"]
    return cost, [(cell["measure"], cell["condition"], cell["reading"], cell["cases"]) for cell in cells]


def loop(scoring: str, cells: Sequence[Cell], part: int) -> tuple[int, float]:
    """The number of cases that the loop tried, and its processor time extrapolated to the cases of the matrix."""
    shares = [cells[job::JOBS] for job in range(JOBS)]
    processes = [started(scoring, [(*names, asked(cases, part)) for *names, cases in share]) for share in shares]
    done, seconds = 0, 0.0
    for process, share in zip(processes, shares, strict=True):
        for (*_, cases), (tried, _, cost) in zip(share, finished(process), strict=True):
            done += tried
            seconds += cost * cases / tried
    return done, seconds


def asked(cases: int, part: int) -> int:
    return min(cases, max(FEWEST, ceil(cases / part)))


def started(scoring: str, cells: Sequence[tuple[Any, ...]]) -> subprocess.Popen[str]:
    command = [sys.executable, str(HERE / "obvious_loop.py"), scoring]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    with process.stdin as pipe:
        json.dump(cells, pipe)
    return process


def finished(process: subprocess.Popen[str]) -> Any:
    assert process.stdout is not None
    with process, process.stdout as pipe:
        answer = pipe.read()
    if process.wait():
        raise RuntimeError(f"the obvious loop ended with {process.returncode}")
    return json.loads(answer)
