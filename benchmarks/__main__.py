"""Benchmarks of metaeval against alternatives: ``python benchmarks [--quick] [--only QUESTION] [--out FILE]``.

Times differ between machines, and on a busy machine from minute to minute. Ratios of processor times that are measured
side by side hardly differ. Rows are printed as they are finished. The full table is saved as table.csv;
docs/performance.md and docs/growth.svg are generated from it. The exit code is 1 if a ratio or a limit misses its
target. ``--quick`` uses small inputs, saves only with ``--out``, and checks no targets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import page
import table
from questions import QUESTIONS


def rows(only: list[str], quick: bool) -> Iterator[table.Row]:
    """The rows of the table, as they are finished."""
    for question in QUESTIONS:
        if not only or question.NAME in only:
            print(f"{question.NAME} …", file=sys.stderr, flush=True)
            yield from question.rows(quick)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python benchmarks", description="Measure what metaeval costs.")
    parser.add_argument("--quick", action="store_true", help="small inputs, to see that everything works")
    parser.add_argument("--only", action="append", choices=[question.NAME for question in QUESTIONS])
    parser.add_argument("--out", type=Path, help="where to save the table  [default: table.csv, and the docs with it]")
    asked = parser.parse_args()
    done = []
    print(table.HEADER)
    for row in rows(asked.only or [], asked.quick):
        row = replace(row, target="", met=None) if asked.quick else row
        print(table.shown(row), flush=True)
        done.append(row)
    if asked.out is not None:
        table.save(done, asked.out)
    elif not asked.quick and not asked.only:
        table.save(done, table.TABLE)
        page.main()
    return int(any(row.met is False for row in done))


if __name__ == "__main__":
    sys.exit(main())
