"""Overlays of objects instead of cells, and the checks of what a measure is defined on.

In a lifted clustering every cluster has the same features, so each object is that many cells.
"""

from __future__ import annotations

from metaeval.core.biclustering import Biclustering
from metaeval.core.errors import Undefined
from metaeval.kernel.overlay import Overlay, overlay_of, remembered


def objects(cells: Overlay) -> Overlay:
    """The overlay with every bicluster's columns replaced by one common feature."""
    # An overlay that remembered itself would stay until the garbage collector finds it.
    return cells if cells.candidate.shape[1] == cells.gold.shape[1] == 1 else _objects(cells)


@remembered
def _objects(cells: Overlay) -> Overlay:
    sides = _objects_alone(cells.candidate), _objects_alone(cells.gold)
    width = _width(cells)
    if width is None or type(cells) is not Overlay:
        return overlay_of(*sides)
    return Overlay(*sides, tuple(atom._replace(weight=atom.weight // width) for atom in cells.atoms))


def _objects_alone(side: Biclustering) -> Biclustering:
    feature = frozenset({0})
    return Biclustering.trusted(((rows, feature) for rows, _ in side), (side.shape[0], 1))


def _width(cells: Overlay) -> int | None:
    """How many features all biclusters have in common; None where they differ."""
    different = {columns for side in (cells.candidate, cells.gold) for _, columns in side}
    return None if len(different) > 1 else len(next(iter(different), (0,)))


@remembered
def check_clusterings(cells: Overlay) -> None:
    """Raise where the biclusters have different features."""
    if cells.candidate.shape[1] == cells.gold.shape[1] == 1:
        return
    if _width(cells) is None:
        raise Undefined("the biclusters have different features, and the measure compares clusterings of objects")


@remembered
def check_partitions(cells: Overlay) -> None:
    """Raise where the sides are no two partitions of the same objects."""
    check_clusterings(cells)
    if not cells.disjoint:
        raise Undefined("an object is in two clusters of a side, and the measure compares partitions")
    if cells.shared < cells.union:
        raise Undefined(
            "an object is in no cluster of one side, and the measure compares partitions of the same objects"
        )


def check_disjoint(cells: Overlay) -> None:
    """Raise where a cell lies in two biclusters of a side."""
    if not cells.disjoint:
        raise Undefined("a cell is in two biclusters of a side, and the measure compares disjoint biclusterings")
