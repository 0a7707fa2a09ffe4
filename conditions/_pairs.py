"""Drawn and enumerated (candidate, gold) pairs, for the conditions that transform a pair as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st

from metaeval.cases import Side
from metaeval.conditions._enumerate import biclustering, disjoint_families, distinct_families, pairs
from metaeval.conditions._strategy import Draw
from metaeval.model import Biclustering
from metaeval.strategies import biclusterings


@st.composite
def drawn_pair(draw: Draw, disjoint: bool) -> Side:
    """A candidate and a gold on one matrix; often the candidate is a variation of the gold.

    Pairs drawn apart have little in common, and most of what goes wrong with a measure goes wrong where
    much is.
    """
    shape = (draw(st.one_of(st.integers(1, 8), st.integers(1, 24))), draw(st.integers(1, 6)))
    families = biclusterings(shape=shape, disjoint=disjoint, max_biclusters=draw(st.sampled_from((5, 5, 12))))
    gold = draw(families)
    if not draw(st.booleans()) or not gold:
        return Side(draw(families), gold)
    return Side(draw(_variation(gold)), gold)


@st.composite
def _variation(draw: Draw, gold: Biclustering) -> Biclustering:
    """The gold with some classes left out, some split in two and some made smaller."""
    kept = []
    for rows, cols in gold:
        change = draw(st.integers(0, 4))
        if change == 1:
            continue
        if change == 4 and len(rows) > 1:
            kept += [(frozenset({min(rows)}), cols), (rows - {min(rows)}, cols)]
            continue
        thinned = rows - {min(rows)} if change == 2 and len(rows) > 1 else rows
        narrowed = cols - {max(cols)} if change == 3 and len(cols) > 1 else cols
        kept.append((thinned, narrowed))
    return Biclustering.trusted(dict.fromkeys(kept), gold.shape)


def listed_pairs(objects: int, features: int, disjoint: bool, most: int = 2) -> Iterator[Side]:
    """Every pair on an n × m matrix, up to renaming; overlapping families as :func:`overlapping_families`."""
    families = disjoint_families(objects, features) if disjoint else overlapping_families(objects, features, most)
    for candidate, gold in pairs(objects, features, families, families):
        yield Side(biclustering(candidate, (objects, features)), biclustering(gold, (objects, features)))


def overlapping_families(objects: int, features: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Every family where there are at most seven biclusters to choose from, else those of at most ``most``."""
    biclusters = ((1 << objects) - 1) * ((1 << features) - 1)
    return distinct_families(objects, features, biclusters if biclusters <= 7 else most)
