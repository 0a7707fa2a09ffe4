"""Whether conditions can be satisfied together at all: called, the answer; inside, how it is found and checked.

A case says that one side must score lower than another, or the same, and it says so of every measure that is blind to
names. On a finite scope that is a graph: its nodes are sides up to names, and the optimum; each case is an arrow from
the lower to the higher. A circle with a strict arrow proves that no measure whatever satisfies the conditions. Where
there is none, any order of the nodes along the arrows is a measure that does, on that scope.

``metaeval.consistency()`` takes the ids of ``conditions``, by default the paper's ten; ``readings``, one name for
all of them or words such as "A.1=literal" for one each, by default canonical; and how many ``objects`` cases may have
that are looked at. ``listen`` is told each condition and number of objects under way.

>>> import metaeval
>>> metaeval.consistency(["A.1", "A.2"], objects=4).answer
'consistent'
"""

# What is where:
#   choice.py       which conditions, under which readings
#   demands.py      what a relation demands, as arrows
#   scope.py        all small cases as a graph
#   circles.py      whether it has a circle with a strict arrow, and a shortest one
#   ordering.py     an order along the arrows
#   orders.py       the order as a measure
#   answers.py      the answer as data
#   deciding.py     from the choice to the answer
#   verifying.py    an answer re-checked, link by link or case by case
#   telling.py      an answer in words
#   survey.py       the conditions alone, in pairs and all together, under every reading
#   overview.py     a survey at a glance
#   problems.py     consistent sets that no measure satisfies
#   rechecking.py   an answer in a file, re-checked in a process of its own

from metaeval.catalogue.registry import callable_package
from metaeval.consistency.decide import consistency

callable_package(__name__, consistency)
