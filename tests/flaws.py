"""Flawed measures: what implementations get wrong in size only, each to be found by the search.

A flaw is right on what is small: its counters are wide enough, its buffers long enough, its rounding too fine to
show. Each is declared with the cells in which it must be caught, and for each of them with a valid counterexample,
made by reasoning about the slip and never taken from the search. Only cells are named in which the original holds.

They are written apart from the search. Whoever changes how large cases are made should not tune it to this list,
and whoever adds a flaw should not look there first.
"""

from flawed import counters, limits, numbers, rounding, thresholds
from flawed.registry import FLAWS, Flaw

#: Imported for what they add to the table.
KINDS = (rounding, counters, limits, thresholds, numbers)

#: Every cell that a flaw names, with the flaws that must be caught there.
CELLS = {cell: [one for one in FLAWS if cell in one.known] for cell in sorted({c for one in FLAWS for c in one.known})}

__all__ = ["CELLS", "FLAWS", "KINDS", "Flaw"]
