"""What exact MOCICE costs, side by side with its definition in the same run: `make bench`.

Times differ between machines, their ratio hardly. The exit code is 1 where the ratio misses its target.
"""

from __future__ import annotations

import sys
import timeit
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import reference

import metaeval
from metaeval import Biclustering
from metaeval.kernel import forget_overlays

#: Exact MOCICE on ten objects may take this share of the definition's time on 200 cells.
TARGET = 1 / 10


Pair = tuple[Biclustering, Biclustering]


def labelled(objects: int, features: int, clusters: int, seed: int) -> Pair:
    """A random pair of lifted partitions."""
    random = Random(seed)

    def side() -> Biclustering:
        return Biclustering.from_labels([random.randrange(clusters) for _ in range(objects)], features)

    return side(), side()


def overlapping(objects: int, features: int, clusters: int, seed: int) -> Pair:
    """A random pair of families that share cells."""
    random = Random(seed)

    def some(size: int) -> list[int]:
        return random.sample(range(size), random.randint(1, size))

    def side() -> Biclustering:
        return Biclustering([(some(objects), some(features)) for _ in range(clusters)], (objects, features))

    return side(), side()


def seconds(call: Callable[[], object], repeats: int = 5) -> float:
    """The best of several timings of one call: the one least disturbed by the rest of the machine."""
    timer = timeit.Timer(call)
    number, _ = timer.autorange()
    return min(timer.repeat(repeats, number)) / number


def exact(pair: Pair) -> Callable[[], object]:
    """A call that computes everything anew: the overlay of a pair is cached otherwise."""
    measure = metaeval.measures()["mocice"]

    def call() -> object:
        forget_overlays()
        return measure.exact(*pair)

    return call


def main() -> int:
    ten = labelled(10, 1, 3, seed=1)
    cells = labelled(40, 5, 4, seed=2)
    assert metaeval.score("mocice", *ten, exact=True) == reference.mocice(*ten)

    definition = seconds(lambda: reference.mocice(*cells), repeats=1)
    rows = [
        ("exact mocice, ten objects, one feature", seconds(exact(ten))),
        ("exact mocice, six objects, one feature", seconds(exact(labelled(6, 1, 2, seed=3)))),
        ("exact mocice, six objects, three features, overlapping", seconds(exact(overlapping(6, 3, 3, seed=4)))),
        ("exact mocice, 200 cells, the pair of the definition", seconds(exact(cells))),
        ("definition, 200 cells", definition),
    ]
    for name, time in rows:
        print(f"{name:<56}{time * 1e6:>14,.1f} µs   1/{definition / time:,.0f} of the definition")
    ratio = rows[0][1] / definition
    print(f"ten objects exact / 200 cells by definition = {ratio:.6f} (target: at most {TARGET})")
    return int(ratio > TARGET)


if __name__ == "__main__":
    sys.exit(main())
