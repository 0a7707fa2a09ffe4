"""BCubed as users write it in plain Python: on sets of cells, and by comparing every pair of cells."""

from __future__ import annotations


def on_sets(candidate, gold):
    """Linear in the cells if biclusters are disjoint: it counts each combination of clusters and classes."""
    found, true = _numbered(candidate), _numbered(gold)
    return _f1(_share(found, true), _share(true, found))


def _numbered(family):
    """For every cell, the indices of the biclusters that hold it."""
    holders = {}
    for number, (rows, cols) in enumerate(family):
        for row in rows:
            for col in cols:
                holders.setdefault((row, col), set()).add(number)
    return holders


def _share(own, other):
    """The share of a cell's mates on its own side that are also its mates on the other side, averaged over cells."""
    kinds = {}
    for cell, mine in own.items():
        kind = frozenset(mine), frozenset(other.get(cell, ()))
        kinds[kind] = kinds.get(kind, 0) + 1
    total = 0.0
    for (mine, theirs), number in kinds.items():
        mates = right = 0
        for (near, far), count in kinds.items():
            if mine & near:
                mates += count
                right += count * bool(theirs & far)
        total += number * right / mates
    return total / len(own) if own else None


def by_pairs(candidate, gold):
    """Quadratic in the cells: every pair is looked up in every bicluster."""
    found, true = ([{(row, col) for row in rows for col in cols} for rows, cols in one] for one in (candidate, gold))
    return _f1(_share_by_pairs(found, true), _share_by_pairs(true, found))


def _share_by_pairs(own, other):
    cells = sorted(set().union(*own))
    total = 0.0
    for one in cells:
        mates = right = 0
        for two in cells:
            if any(one in members and two in members for members in own):
                mates += 1
                right += any(one in members and two in members for members in other)
        total += right / mates
    return total / len(cells) if cells else None


def _f1(precision, recall):
    if precision is None or recall is None:
        return 1.0 if precision is recall else 0.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
