"""Score one pair with one measure in its own process, to measure its peak memory alone."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import inputs
from timing import anew, peak_mib, seconds

from metaeval.kernel.overlay import overlay

Measured = dict[str, Any]

#: Rounds are repeated for this many seconds in total. The best round counts, because other load on the machine varies.
LEAST = 0.5


def measured(id: str, maker: str, *arguments: float) -> Measured:
    """The cost of scoring a pair made by a function of :mod:`inputs`, and the sizes of the pair."""
    command = [sys.executable, __file__, json.dumps([id, maker, *arguments])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: Measured = json.loads(done.stdout)
    return found


def main(id: str, maker: str, *arguments: float) -> Measured:
    pair = getattr(inputs, maker)(*arguments)
    cost, peak = seconds(anew(id, pair), LEAST), peak_mib()
    cells = overlay(*inputs.sides(pair))
    return {
        "ours": cost.processor,
        "wall": cost.wall,
        "mib": peak,
        "inputs": inputs.described(pair),
        "cells": cells.union,
        "biclusters": len(cells.gold_sizes),
        "depth": sum(cells.gold_sizes) / cells.gold_covered,
    }


if __name__ == "__main__":
    print(json.dumps(main(*json.loads(sys.argv[1]))))
