"""`metaeval check` of measures in plain Python, all cells with the default settings. A Jaccard measure takes some
microseconds per call (`benchmarks/jaccard.py`). It is checked with an empty cache folder, and again with the cache that
the first check filled. BCubed (`benchmarks/plain_bcubed.py`) is slow: one version is linear in the cells, the other in
the pairs of cells. In the rows against *inside the measure*, the ratio is the share of the time spent inside the
measure, and proofs are switched off."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from table import Row, duration
from timing import children

from metaeval.cases.store import FOLDER
from metaeval.catalogue.condition import READINGS

NAME = "check"

HERE = Path(__file__).resolve().parent
COMMAND = [sys.executable, "-m", "metaeval", "check"]
FAST = f"{HERE / 'jaccard.py'}:jaccard"
#: Slow measures, each with the target for its check in seconds of processor time.
SLOW = {
    "check, BCubed on sets": (f"{HERE / 'plain_bcubed.py'}:on_sets", 40),
    "check, BCubed by pairs of cells": (f"{HERE / 'plain_bcubed.py'}:by_pairs", 180),
}
QUICK = ["--condition", "B.5", "--quick"]
#: A cell and its verdict. Later lines about a counterexample also name its cell.
_VERDICT = re.compile(rf"\b([A-Z]\.\d+)\b.*\b({'|'.join(READINGS)})\b.*\b(?:proved|holds|violated)\b")


@dataclass(frozen=True)
class Checked:
    """The cost of a check: processor time, wall time, and wall time until the first verdict was printed."""

    processor: float
    wall: float
    first: float
    cells: int

    def row(self, what: str) -> Row:
        inputs = f"{self.cells} cells; {duration(self.wall)} on the wall"
        return Row(NAME, what, ours=self.processor, wall=self.wall, inputs=inputs)


def rows(quick: bool) -> Iterator[Row]:
    """A cold cache, a warm cache, the time to the first verdict, and the share inside the measure."""
    with tempfile.TemporaryDirectory(prefix="metaeval-bench-") as cache:
        cold, warm = checked(cache, quick), checked(cache, quick)
    yield cold.row("check, empty cache").within(most=12)
    yield warm.row("check, filled cache").beside("with an empty cache", cold.processor).within(most=5)
    row = Row(NAME, "first verdict, filled cache", ours=warm.first, wall=warm.first, inputs="seconds on the wall")
    yield row.beside("with an empty cache", cold.first).within(most_wall=2)
    yield inside("check, Jaccard", FAST, quick)
    for what, (target, most) in SLOW.items():
        yield inside(what, target, quick).within(most=most)


def inside(what: str, target: str, quick: bool) -> Row:
    """A check, compared with the time spent inside the measure."""
    with children() as cost:
        command = [*COMMAND, target, "--json", "--no-proofs", "--quiet", *(QUICK if quick else [])]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    results = json.loads(done.stdout)
    (measure,) = results["measures"].values()
    inputs = f"{len(results['cells'])} cells; effort {measure['effort']}; {duration(cost.wall)} on the wall"
    row = Row(NAME, what, ours=cost.processor, wall=cost.wall, inputs=inputs)
    return row.beside("inside the measure", sum(cell["seconds"] for cell in results["cells"]))


def checked(cache: str, quick: bool) -> Checked:
    """Run a check and record when each cell's verdict is printed."""
    came: dict[tuple[str, ...], float] = {}
    command = [*COMMAND, FAST, *(QUICK if quick else [])]
    environment = {**os.environ, FOLDER: cache, "PYTHONIOENCODING": "utf-8"}
    with children() as cost:
        started = time.perf_counter()
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if found := _VERDICT.search(line):
                    came.setdefault(found.groups(), time.perf_counter() - started)
    if process.returncode not in (0, 1) or not came:  # 1: violations, which a Jaccard measure has
        raise RuntimeError(f"metaeval check ended with {process.returncode} after {len(came)} verdicts")
    return Checked(cost.processor, cost.wall, min(came.values()), len(came))
