"""The pairs of the golden scores: small ones for every measure, large and huge ones for those that are fast."""

from __future__ import annotations

from typing import Any

from metaeval.core.biclustering import Biclustering
from metaeval.core.case import Side
from metaeval.search.gate import PANEL

_SQUARE = [({0, 1}, {0, 1}), ({2, 3}, {2, 3})]
_HALVES = [({0, 1}, {0, 1, 2, 3}), ({2, 3}, {0, 1, 2, 3})]
_OVERLAP = [({0, 1, 2}, {0, 1}), ({2, 3}, {1, 2})]
_NESTED = [({0, 1, 2, 3}, {0, 1, 2}), ({1, 2}, {1})]
_TWICE = [({0, 1}, {0, 1}), ({0, 1}, {0, 1})]
_PAIRS: tuple[tuple[Any, Any], ...] = (
    # disjoint: partial, shared in part, apart, on other features
    (_SQUARE, _SQUARE),
    (_SQUARE, _HALVES),
    (_HALVES, _SQUARE),
    ([({0, 1}, {0, 1})], _SQUARE),
    ([({0}, {0}), ({2, 3, 4}, {2})], _SQUARE),
    ([({4}, {4})], _SQUARE),
    # overlapping
    (_OVERLAP, _OVERLAP),
    (_OVERLAP, _SQUARE),
    (_SQUARE, _OVERLAP),
    (_NESTED, _OVERLAP),
    # repeated
    (_TWICE, _SQUARE),
    (_SQUARE, _TWICE),
    # empty
    ([], _SQUARE),
    (_SQUARE, []),
    ([], []),
)
_SHAPE = (5, 5)

#: The inputs of the golden scores. A baseline holds its own, so that these may grow.
SIDES = (*PANEL, *(Side(Biclustering(found, _SHAPE), Biclustering(gold, _SHAPE)) for found, gold in _PAIRS))

# --- large pairs


def in_runs(*sizes: int, features: int = 1) -> Biclustering:
    """A clustering of consecutive objects into clusters of these sizes."""
    return Biclustering.from_labels([at for at, size in enumerate(sizes) for _ in range(size)], features)


def _windows(count: int, step: int, length: int, shape: tuple[int, int]) -> Biclustering:
    """Overlapping biclusters: each begins some objects and one feature after the last."""
    return Biclustering(
        [
            ([(at * step + row) % shape[0] for row in range(length)], {at % shape[1], (at + 2) % shape[1]})
            for at in range(count)
        ],
        shape,
    )


#: What implementations get wrong in size: counters of a byte, masks of a machine word, fixed buffers, caps. From
#: small to large; a baseline of a fast measure has them after the others.
LARGE = (
    # 65 objects, and 70 features: one more than fits into a mask of 64 bits.
    Side(in_runs(33, 32, features=2), in_runs(32, 33, features=2)),
    Side(
        Biclustering([(range(8), range(66)), (range(8, 20), range(4, 70))], (20, 70)),
        Biclustering([(range(9), range(64)), (range(9, 20), range(64, 70))], (20, 70)),
    ),
    # Intersections and sizes around 128 and 256, where a byte wraps.
    Side(in_runs(127, 1, 129), in_runs(128, 129)),
    Side(in_runs(255, 1, 256), in_runs(256, 256)),
    # Many clusters, more than classes, and fewer.
    Side(in_runs(*[1] * 100, *[2] * 50), in_runs(*[50] * 4)),
    Side(in_runs(150, 130), in_runs(*[1] * 80, *[4] * 50)),
    # Several features, disjoint and in part uncovered; overlapping.
    Side(
        Biclustering([(range(at, 300, 12), {at % 6}) for at in range(10)], (320, 6)),
        Biclustering([(range(30 * at, 30 * at + 30), {at % 6}) for at in range(9)], (320, 6)),
    ),
    Side(_windows(30, 7, 40, (200, 8)), _windows(24, 9, 32, (200, 8))),
)

#: Where products of two numbers of pairs need more than 64 bits. One pair only, as it takes some memory.
HUGE = (Side(in_runs(35_000, 35_000), in_runs(34_999, 35_001)),)
