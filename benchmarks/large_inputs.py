"""What scores cost, from ten objects to 20,000 × 1,000, each beside what it is compared with: `make bench`.

Times differ between machines, and between two minutes of a busy one; ratios of processor time measured side by
side hardly do. The table is printed as it grows and saved as large_inputs.csv. The exit code is 1 where a ratio or
a limit misses its target. `--quick` leaves out what takes longer than some seconds, and saves nothing.
"""

from __future__ import annotations

import csv
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import bcubed as bcubed_package
import dense
import numpy as np
import reference
from sklearn.metrics import consensus_score, rand_score

import metaeval
from metaeval import Biclustering
from metaeval.kernel import forget_overlays, overlay

Pair = tuple[Biclustering, Biclustering]
Size = tuple[int, int, int]
Call = Callable[[], object]

TABLE = Path(__file__).resolve().with_suffix(".csv")

#: (objects, features, biclusters a side); each bicluster takes a tenth of the rows and of the columns.
SIZES: tuple[Size, ...] = ((1_000, 100, 10), (5_000, 300, 20), (10_000, 500, 30), (20_000, 1_000, 50))
#: What `mocice` may take at the two largest: wall seconds and MiB.
LIMITS = {SIZES[2]: (2, 2048), SIZES[3]: (60, 2048)}


@dataclass(frozen=True)
class Line:
    """A line of the table. ``times`` is how often ours fits into what it is compared with."""

    section: str
    what: str
    size: str
    atoms: int
    processor_s: float
    wall_s: float
    peak_mib: float | None = None
    compared_with: str = ""
    other_s: float | None = None
    times: float | None = None
    target: str = ""
    met: bool | None = None


# --- Inputs --------------------------------------------------------------------------------------------------


def overlapping(n: int, m: int, k: int, share: float = 0.1, seed: int = 0) -> Pair:
    """A random gold standard, and as candidate 80 % of each bicluster's rows and columns with some noise."""
    random = np.random.default_rng(seed)

    def some(size: int, part: float) -> list[int]:
        return [int(x) for x in random.choice(size, max(1, int(size * part)), replace=False)]

    def noisy(indices: list[int], size: int) -> set[int]:
        kept = random.choice(indices, max(1, int(len(indices) * 0.8)), replace=False)
        return {*map(int, kept), *some(size, 0.2 * share)}

    gold = [(some(n, share), some(m, share)) for _ in range(k)]
    candidate = [(noisy(rows, n), noisy(cols, m)) for rows, cols in gold]
    return Biclustering(candidate, (n, m)), Biclustering(gold, (n, m))


def labelled(objects: int, features: int, clusters: int, seed: int) -> Pair:
    """A random pair of lifted partitions."""
    random = Random(seed)
    sides = [[random.randrange(clusters) for _ in range(objects)] for _ in range(2)]
    return Biclustering.from_labels(sides[0], features), Biclustering.from_labels(sides[1], features)


def copied(pair: Pair, times: int) -> Pair:
    """Every object and every feature replaced by copies: more cells, the same structure."""

    def copies(indices: frozenset[int]) -> list[int]:
        return [times * index + copy for index in indices for copy in range(times)]

    n, m = pair[0].shape
    shape = n * times, m * times
    one, other = (Biclustering([(copies(rows), copies(cols)) for rows, cols in side], shape) for side in pair)
    return one, other


# --- Measuring -----------------------------------------------------------------------------------------------


def seconds(call: Call, least: float = 0.2) -> tuple[float, float]:
    """Processor and wall seconds of a call: the best of several rounds, the least disturbed one."""
    rounds: list[tuple[float, float]] = []
    while len(rounds) < 2 or sum(cost for cost, _ in rounds) < least:
        started, on_the_wall = time.process_time(), time.perf_counter()
        call()
        rounds.append((time.process_time() - started, time.perf_counter() - on_the_wall))
        if rounds[-1][0] > 5:
            break
    return min(cost for cost, _ in rounds), min(wall for _, wall in rounds)


def anew(id: str, pair: Pair, exact: bool = False) -> Call:
    """A call that computes everything anew: the overlay of a pair is cached otherwise."""

    def call() -> object:
        forget_overlays()
        return metaeval.score(id, *pair, exact=exact)

    return call


def peak_mib() -> float:
    """The most memory this process has held."""
    status = Path("/proc/self/status")
    if status.exists():
        # Linux counts into ru_maxrss what the parent process held when it started this one.
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if "VmHWM" in line) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def size_of(pair: Pair) -> str:
    n, m = pair[0].shape
    return f"{n:,} × {m:,}, {len(pair[0])} + {len(pair[1])}"


def beside(section: str, what: str, pair: Pair, ours: Call, name: str, other: Call, least: float = 0) -> Line:
    """Ours and another implementation, one after the other in the same minute; ``least`` is the target."""
    (mine, wall), (theirs, _) = seconds(ours), seconds(other)
    line = Line(section, what, size_of(pair), overlay(*pair).size, mine, wall)
    line = replace(line, compared_with=name, other_s=theirs, times=theirs / mine)
    return replace(line, target=f"{least:g} times", met=theirs / mine >= least) if least else line


# --- Sections ------------------------------------------------------------------------------------------------


def exact_beside_definition() -> Iterator[Line]:
    """Exact MOCICE on what a search draws, against the definition on 200 cells."""
    cells, ten = labelled(40, 5, 4, seed=2), labelled(10, 1, 3, seed=1)
    assert metaeval.score("mocice", *ten, exact=True) == reference.mocice(*ten)

    def definition() -> object:
        return reference.mocice(*cells)

    name = "the definition on 200 cells"
    yield beside("exact", "mocice, ten objects", ten, anew("mocice", ten, exact=True), name, definition, 10)
    yield beside("exact", "mocice, the same cells", cells, anew("mocice", cells, exact=True), name, definition)


def every_measure_beside_definition() -> Iterator[Line]:
    """All measures on a small overlapping pair, where the definition can still be carried out."""
    pair = overlapping(20, 10, 4, share=0.4, seed=3)
    for id, definition in reference.MEASURES.items():
        assert abs(metaeval.score(id, *pair) - float(definition(*pair))) <= 1e-9, id
        yield beside("definition", id, pair, anew(id, pair), "the definition", lambda d=definition: d(*pair))


def mocice_beside_dense() -> Iterator[Line]:
    """MOCICE against the obvious NumPy."""
    for size, least in ((SIZES[0], 0), (SIZES[1], 4)):
        pair = overlapping(*size)
        assert abs(metaeval.score("mocice", *pair) - dense.mocice(*pair)) <= 1e-9
        ours, other = anew("mocice", pair), lambda pair=pair: dense.mocice(*pair)
        yield beside("dense", "mocice", pair, ours, "dense NumPy", other, least)


def beside_other_packages() -> Iterator[Line]:
    """Measures that other packages have, too."""
    pair = overlapping(60, 20, 5, share=0.3, seed=4)
    # The package asks that the candidate's cells are the gold standard's, too.
    found, true = map(cells_of, pair)
    cells = found.keys() & true.keys()
    sides = [{cell: names[cell] for cell in cells} for names in (found, true)]

    def package() -> object:
        return bcubed_package.precision(*sides), bcubed_package.recall(*sides)

    yield beside("packages", "bcubed", pair, anew("bcubed", pair), "bcubed (PyPI)", package)
    labels = labelled(20_000, 1, 50, seed=5)
    plain = [[min(names) for _, names in sorted(cells_of(side).items())] for side in labels]
    assert abs(metaeval.score("rand", *labels) - rand_score(*plain)) <= 1e-9
    yield beside("packages", "rand", labels, anew("rand", labels), "rand_score", lambda: rand_score(*plain))
    for size in SIZES[1:3]:
        large = overlapping(*size)
        tables = [indicators(side) for side in large]
        # Another similarity, matched in the same way as CE.
        ours, other = anew("ce", large), lambda tables=tables: consensus_score(*tables)
        yield beside("packages", "ce", large, ours, "consensus_score", other)


def cells_of(side: Biclustering) -> dict[tuple[int, int], set[int]]:
    """For every covered cell the numbers of its biclusters."""
    names: dict[tuple[int, int], set[int]] = {}
    for number, (rows, cols) in enumerate(side):
        for row in rows:
            for col in cols:
                names.setdefault((row, col), set()).add(number)
    return names


def indicators(side: Biclustering) -> tuple[object, object]:
    """A biclustering in the form of scikit-learn: two boolean tables of bicluster × row, or column."""
    tables = np.zeros((len(side), side.shape[0]), bool), np.zeros((len(side), side.shape[1]), bool)
    for number, parts in enumerate(side):
        for table, indices in zip(tables, parts, strict=True):
            table[number, list(indices)] = True
    return tables


def growth(quick: bool) -> Iterator[Line]:
    """How MOCICE grows with one thing at a time."""
    base = overlapping(1_000, 100, 20)
    yield from series("growth in cells", [copied(base, times) for times in (1, 2, 4, 8)])
    numbers = (10, 20, 40) if quick else (10, 20, 40, 80)
    yield from series("growth in biclusters", [overlapping(5_000, 300, k) for k in numbers])
    shares = (0.05, 0.1, 0.2) if quick else (0.05, 0.1, 0.2, 0.3)
    yield from series("growth in overlap", [overlapping(5_000, 300, 20, share) for share in shares])


def series(section: str, pairs: list[Pair]) -> Iterator[Line]:
    first = None
    for pair in pairs:
        cost, wall = seconds(anew("mocice", pair))
        first = first or cost
        cells = overlay(*pair)
        line = Line(section, f"mocice, {cells.union:,} cells", size_of(pair), cells.size, cost, wall)
        yield replace(line, compared_with="the first of the series", other_s=first, times=first / cost)


def every_measure(quick: bool) -> Iterator[Line]:
    """Every measure at every size, each in a process of its own so that its peak memory is its own."""
    for size in SIZES[:-1] if quick else SIZES:
        for id in reference.MEASURES:
            command = [sys.executable, __file__, "--one", id, *map(str, size)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            yield Line(**json.loads(done.stdout))


def one(id: str, size: Size) -> Line:
    """One measure at one size, overlay included."""
    pair = overlapping(*size)
    started, on_the_wall = time.process_time(), time.perf_counter()
    metaeval.score(id, *pair)
    cost, wall = time.process_time() - started, time.perf_counter() - on_the_wall
    peak = peak_mib()
    line = Line("all measures", id, size_of(pair), overlay(*pair).size, cost, wall, peak)
    if id != "mocice" or size not in LIMITS:
        return line
    most_s, most_mib = LIMITS[size]
    return replace(line, target=f"{most_s} s, {most_mib} MiB", met=wall < most_s and peak < most_mib)


# --- The table -----------------------------------------------------------------------------------------------


def every_line(quick: bool) -> Iterator[Line]:
    yield from exact_beside_definition()
    yield from every_measure_beside_definition()
    yield from mocice_beside_dense()
    yield from beside_other_packages()
    yield from growth(quick)
    yield from every_measure(quick)


def shown(line: Line) -> str:
    parts = [
        f"{line.section:<22}{line.what:<28}{line.size:<24}{line.atoms:>9,} atoms",
        f"{line.processor_s:>9.5f} s processor {line.wall_s:>9.5f} s wall",
    ]
    if line.peak_mib is not None:
        parts.append(f"{line.peak_mib:,.0f} MiB")
    if line.times is not None:
        parts.append(f"{line.times:,.3g} times as fast as {line.compared_with}")
    if line.met is not None:
        parts.append(f"target {line.target}: {'met' if line.met else 'MISSED'}")
    return "  ".join(parts)


def save(lines: list[Line]) -> None:
    with open(TABLE, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Line)], lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: rounded(value) for name, value in asdict(line).items()} for line in lines)


def rounded(value: object) -> object:
    return f"{value:.4g}" if isinstance(value, float) else value


def main(arguments: list[str]) -> int:
    if arguments[:1] == ["--one"]:
        id, n, m, k = arguments[1:]
        print(json.dumps(asdict(one(id, (int(n), int(m), int(k))))))
        return 0
    lines = []
    for line in every_line(quick="--quick" in arguments):
        print(shown(line), flush=True)
        lines.append(line)
    if "--quick" not in arguments:
        save(lines)
    return int(any(line.met is False for line in lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
