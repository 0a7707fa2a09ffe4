"""Can any measure satisfy several conditions together? The package itself can be called to get the answer.

A case demands that one side scores lower than another, or the same, from every measure that is blind to names. All
small cases form a graph: its nodes are sides up to names, and the optimum; each case is an arrow from lower to higher.
A circle with a strict arrow proves that no measure satisfies the conditions. Without such a circle, any order of the
nodes along the arrows is a measure that satisfies them on these cases.

>>> import metaeval
>>> metaeval.consistency(["A.1", "A.2"], objects=4).answer
'consistent'
"""

from metaeval.catalogue.registry import callable_package
from metaeval.consistency.decide import consistency

callable_package(__name__, consistency)
