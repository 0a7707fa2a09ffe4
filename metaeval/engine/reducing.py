"""The smallest counterexample that can be made of one: by taking away, and then by climbing below it.

Where nothing can be taken away any more, a counterexample with fewer objects may still be near, with its objects in
other places. So a climb starts from what is left when something is taken away after all, and must stay below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice
from random import Random

from metaeval.cases import Case
from metaeval.engine.climbing import Slope, climb
from metaeval.engine.shrinking import shrinking, smaller_cases

#: From how many starting points, and how often from each, a climb is tried below a counterexample.
_STARTS, _CLIMBS = 4, 2
#: Counterexamples with more objects are left as they are: each is as good as the other.
_MOST_OBJECTS = 60
#: How many of the smaller cases are looked at for starting points.
_LOOKED_AT = 120


def reductions(found: Case, stays: Callable[[Case], bool], slope: Slope, random: Random) -> Iterator[Case]:
    """Ever smaller cases that ``stays`` counterexamples, as ``found`` is."""
    below: Case | None = found
    while below is not None:
        for found in chain([below], shrinking(below, stays, from_left=slope.from_left)):
            yield found
        below = _below(found, slope, random) if found.objects <= _MOST_OBJECTS else None


def _below(case: Case, slope: Slope, random: Random) -> Case | None:
    """A counterexample with fewer objects, or None."""
    lower = replace(slope, most_objects=case.objects - 1)
    for start in _starts(case, lower):
        for _ in range(_CLIMBS):
            if (found := climb(start, lower, random)) is not None:
                return found
    return None


def _starts(case: Case, slope: Slope) -> list[Case]:
    """The smaller instances from which it is least far."""
    smaller = (one for one in smaller_cases(case) if one.objects < case.objects and slope.premise(one))
    heights = [(slope.height(one), one) for one in islice(smaller, _LOOKED_AT)]
    known = sorted(((height, one) for height, one in heights if height is not None), key=lambda entry: entry[0])
    return [one for _, one in known[:_STARTS]]
