"""Label vectors that are never in memory as a whole. 10⁸ labels come in chunks of a million that are made on the fly;
making them is part of the time. 10⁷ labels are a Dask array, and a local cluster of two workers makes and counts them:
time and memory are those of the process that asks. Each row is measured in its own process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from table import Row
from timing import peak_mib

import metaeval

NAME = "chunks"

CHUNK, CLASSES = 10**6, 1_000


def rows(quick: bool) -> Iterator[Row]:
    """Both ways, for one measure that counts pairs and for one that counts cells."""
    for kind, labels in (("chunks", 10**6 if quick else 10**8), ("dask", 10**6 if quick else 10**7)):
        for id in ("adjusted-rand", "bcubed"):
            done = subprocess.run([sys.executable, __file__, kind, id, str(labels)], stdout=subprocess.PIPE, check=True)
            found = json.loads(done.stdout)
            yield Row(NAME, f"{id}, {kind}", inputs=f"{labels:,} labels, {CLASSES:,} classes", **found).within(
                most_mib=1024
            )


def made(seed: int, labels: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """A chunk: random labels, of which the candidate has half."""
    random = np.random.default_rng(seed)
    true, found = random.integers(CLASSES, size=(2, labels))
    return np.where(random.random(labels) < 0.5, true, found), true


def chunks(labels: int) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Pairs of chunks, one at a time."""
    return (made(seed, CHUNK) for seed in range(labels // CHUNK))


def dask_arrays(labels: int) -> list[Any]:
    """The same chunks as two Dask arrays, made by the workers."""
    import dask.array
    from dask.delayed import delayed

    parts = [delayed(made, nout=2)(seed, CHUNK) for seed in range(labels // CHUNK)]
    return [
        dask.array.concatenate([dask.array.from_delayed(part[side], (CHUNK,), np.int64) for part in parts])
        for side in (0, 1)
    ]


def main(kind: str, id: str, labels: int) -> dict[str, float]:
    if kind == "chunks":
        return timed(lambda: metaeval.score(id, chunks(labels)))
    from distributed import Client, LocalCluster

    with LocalCluster(2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        client.run(sys.path.append, sys.path[0])
        return timed(lambda: metaeval.score(id, *dask_arrays(labels)))


def timed(call: Any) -> dict[str, float]:
    """What a call costs. Making the labels is part of it."""
    wall, processor = time.perf_counter(), time.process_time()
    call()
    return {"ours": time.process_time() - processor, "wall": time.perf_counter() - wall, "mib": peak_mib()}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
