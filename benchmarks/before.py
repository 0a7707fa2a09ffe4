"""This version against another checkout of metaeval, measured side by side in one run: the whole matrix, a check of a
plain measure, and small exact scores, measure by measure. `make bench BEFORE=../other` names a checkout with its own
`.venv`; without it, this question has no rows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from math import exp, log
from pathlib import Path

from table import Row
from timing import Cost, children

NAME = "before"

HERE = Path(__file__).resolve().parent
_OTHER = "the other checkout"
_RUN = ["-m", "metaeval", "run", "--no-cache", "--quiet"]
_CHECK = ["-m", "metaeval", "check", "--quiet", "--no-cache", f"{HERE / 'jaccard.py'}:jaccard"]
_QUICK = ["--condition", "B.5", "--quick"]
#: Microseconds per small pair, by measure: printed by a process of either version. The overlay of a pair is given, and
#: nothing else is known of it.
_SCORES = """
import json, random, sys, time, metaeval
from metaeval.kernel.overlay import forget_overlays, overlay
random.seed(0)
def family():
    sets = [{r for r in range(6) if random.random() < .4} | {random.randrange(6)} for _ in range(3)]
    return metaeval.Biclustering([(s, {0}) for s in sets], shape=(6, 1))
def labels():
    return metaeval.Biclustering.from_labels([random.randrange(3) for _ in range(6)])
pairs = [(labels(), labels()) for _ in range(60)] + [(family(), family()) for _ in range(60)]
found = {}
for id, measure in metaeval.measures().items():
    some = pairs[:60] if measure.domain in ("partitions", "disjoint") else pairs
    function, best = measure.function, 9e9
    for _ in range(int(sys.argv[1])):
        forget_overlays()
        for pair in some:
            overlay(*pair)
        start = time.process_time()
        for pair in some:
            function(*pair)
        best = min(best, time.process_time() - start)
    found[id] = 1e6 * best / len(some)
print(json.dumps(found))
"""
#: No measure may take more than so many times what it took.
_MOST = 2.5


def rows(quick: bool) -> Iterator[Row]:
    """The matrix, a check, and small scores: in turns, the better of two."""
    if "METAEVAL_BEFORE" not in os.environ:
        return
    other = str((Path(os.environ["METAEVAL_BEFORE"]) / ".venv/bin/python").absolute())
    extra = _QUICK if quick else []
    for what, command in (("the whole matrix", _RUN), ("check of a plain Jaccard measure", _CHECK)):
        turns = [(_cost(sys.executable, [*command, *extra]), _cost(other, [*command, *extra])) for _ in range(2)]
        ours, theirs = (min(costs, key=lambda cost: cost.processor) for costs in zip(*turns, strict=True))
        row = Row(NAME, what, ours=ours.processor, wall=ours.wall, inputs="default settings, no cache")
        yield row.beside(_OTHER, theirs.processor, least=1 / 1.1)
    yield _small_scores(other, quick)


def _small_scores(other: str, quick: bool) -> Row:
    """Each measure's best of several rounds in several processes of either version, in turns."""
    turns = [(_scores(sys.executable, quick), _scores(other, quick)) for _ in range(1 if quick else 5)]
    here, there = ({id: min(one[id] for one in found) for id in found[0]} for found in zip(*turns, strict=True))
    ratios = {id: here[id] / there[id] for id in here if id in there}
    mean = exp(sum(map(log, ratios.values())) / len(ratios))
    worst = max(ratios, key=lambda id: ratios[id])
    inputs = f"{len(ratios)} measures; {worst} takes the most, {ratios[worst]:.2f} times as long as in the other"
    row = Row(NAME, "small exact scores, geometric mean", ours=mean * 1e-6, wall=mean * 1e-6, inputs=inputs)
    row = row.beside(_OTHER, 1e-6, least=1 / 1.2)
    return replace(row, target=f"{row.target}, each {1 / _MOST:g} times", met=bool(row.met) and ratios[worst] <= _MOST)


def _cost(python: str, command: list[str]) -> Cost:
    with tempfile.TemporaryDirectory(prefix="metaeval-bench-") as folder, children() as cost:
        done = subprocess.run([python, *command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if done.returncode not in (0, 1) or not done.stdout:  # 1: violations, which a Jaccard measure has
        raise RuntimeError(f"{python} {' '.join(command)} ended with {done.returncode}")
    return cost


def _scores(python: str, quick: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="metaeval-bench-") as folder:
        command = [python, "-c", _SCORES, "2" if quick else "9"]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True)
    return dict(json.loads(done.stdout))
