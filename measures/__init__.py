"""The measures, each an equation where one can express it; called, the registry of all of them.

``metaeval.measures()`` is an ordered, read-only mapping of every measure by its id: metaeval's own in the order of the
tables, then those of plug-ins and those that the program registered.
"""

from importlib import import_module

from metaeval.catalogue.measure import measures
from metaeval.catalogue.registry import callable_package
from metaeval.equations.equation import unchecked

#: The order of every table.
FILES = (
    "areas", "rand", "vi", "e4sc", "mocice", "likeness", "csi", "ebc", "purity", "information", "ami", "pair_counts",
    "omega", "mean_f1",
)  # fmt: skip

#: What the measures of a family have in common.
FAMILIES = {
    "cells": "Measures of covered cells: how much of what one side covers the other covers too, or explains when "
             "matched.",
    "pairs": "Measures of pairs of cells, or of objects: whether both sides put the two together.",
    "information": "Measures of information: what one side tells about the other, in logarithms.",
    "matching": "Measures of matching: each cluster beside the class that is most like it.",
    "items": "Measures item by item: how pure and how complete each cell finds the clusters that hold it.",
}  # fmt: skip

# The tests show that each of these equations is total; that costs seconds, which no command should pay.
with unchecked():
    for _file in FILES:
        import_module(f"metaeval.measures.{_file}")

callable_package(__name__, measures)
