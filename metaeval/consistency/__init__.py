"""Can any measure satisfy several conditions together? The package itself can be called to get the answer.

A case demands that one side scores lower than another, or the same, from every measure that is blind to names. All
small cases form a graph: its nodes are sides up to names, and the optimum; each case is an arrow from lower to higher.
A circle with a strict arrow proves that no measure satisfies the conditions. So do multiples of demands that add up to
0 > 0, where a condition relates more than two scores. A measure that is proved under all of them shows that they are
possible. Otherwise the answer is open up to a number of objects.

>>> import metaeval
>>> metaeval.consistency(["A.1", "A.2"], objects=4).answer
'possible'
"""

from metaeval.catalogue.registry import callable_package
from metaeval.consistency.decide import consistency

callable_package(__name__, consistency)
