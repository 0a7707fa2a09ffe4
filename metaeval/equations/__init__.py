"""A measure as an equation: ``n``, ``g``, ``c``, sums over clusters, classes, meetings, cells and pairs."""

from functools import partial

from metaeval.equations.equation import Equation
from metaeval.equations.tree import (
    Expression, arccos, best, c, cells, classes, classmates, clusters, exp, f1, g, in_class, in_cluster, largest, least,
    log, matching, mates, matrix, meetings, n, over, pairs, share, sqrt, swapped,
)  # fmt: skip

__all__ = [
    "Equation", "Expression", "arccos", "best", "c", "cells", "classes", "classmates", "clusters", "exp", "f1", "g",
    "in_class", "in_cluster", "largest", "least", "log", "matching", "mates", "matrix", "meetings", "n", "over",
    "pairs", "share", "sqrt", "swapped",
]  # fmt: skip

#: An equation of two partitions of the same objects, which does not see their columns.
partition_equation = partial(Equation, unit="objects", domain="partitions")
