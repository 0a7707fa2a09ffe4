"""Whether conditions can be satisfied together at all: called, the answer; inside, how it is found and checked.

A case says that one side must score lower than another, or the same, and it says so of every measure that is blind to
names. On a finite scope that is a graph: its nodes are sides up to names, and the optimum; each case is an arrow from
the lower to the higher. A circle with a strict arrow proves that no measure whatever satisfies the conditions. Where
there is none, any order of the nodes along the arrows is a measure that does, on that scope.

``metaeval.consistency()`` takes the ids of ``conditions``, by default the paper's ten; ``readings``, one name for
all of them or words such as "A.1=literal" for one each, by default canonical; and the largest number of ``objects`` of
the cases. ``listen`` is called with each condition and number of objects under way.

>>> import metaeval
>>> metaeval.consistency(["A.1", "A.2"], objects=4).answer
'consistent'
"""

from metaeval.catalogue.registry import callable_package
from metaeval.consistency.decide import consistency

callable_package(__name__, consistency)
