"""Disjoint biclusterings drawn at random, for what is said of them with symbols."""

from __future__ import annotations

import random

from metaeval import Biclustering


def disjoint_side(draw: random.Random, objects: int, features: int) -> Biclustering:
    """Rectangles drawn at random, without those that meet one drawn before."""
    taken: set[tuple[int, int]] = set()
    family = []
    for _ in range(draw.randint(0, 6)):
        rows = frozenset(draw.sample(range(objects), draw.randint(1, objects)))
        cols = frozenset(draw.sample(range(features), draw.randint(1, features)))
        here = {(row, col) for row in rows for col in cols}
        if not here & taken:
            taken |= here
            family.append((rows, cols))
    return Biclustering(family, shape=(objects, features))
