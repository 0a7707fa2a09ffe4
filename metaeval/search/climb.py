"""Climbing from the narrowest escapes to a violation: a measure's own margin guides what is tried next.

Cases that are listed or drawn do not know the measure. Here one that the measure passed by little is
varied, by an object or by many at a time, for as long as the margin narrows; the premise guards every step. This
finds what needs dozens or hundreds of objects in just the right places.

There are two slopes. In a larger case the same effect weighs less, so one is the margin times the number of
objects; rounding and penalties for large numbers show in the margin itself, which is the other. An equality is not
kept by more or less; there every step counts that does not bring the scores nearer to each other.

The technique is targeted property-based testing (Löscher & Sagonas, ISSTA 2017,
doi:10.1145/3092703.3092711): a search guided by a number that says how near an input comes to breaking the
property. ``hypothesis.target`` offers it too, and is not used for two reasons. Hypothesis draws in a clean
process that does not know the measure, so that a case drawn once serves every measure; and a climb starts
from cases of any origin, listed ones too, with the premise and not a strategy to keep it among the instances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from math import inf
from random import Random

from metaeval.core.case import Case, Side
from metaeval.core.effort import Effort
from metaeval.search.shrink import shrinking, smaller_cases
from metaeval.search.variations import varied

#: How often a proposal is two steps away.
_TWO_STEPS = 0.3

#: The measure's margin on a case, or None where it gives no score; it may raise to end the climb.
Margin = Callable[[Case], float | None]


@dataclass(frozen=True)
class Slope:
    """Where a climb may go, what it goes by, and how far.

    ``diluted`` where the margin is taken times the number of objects. ``right_is_gold`` and ``from_left`` as the
    condition has them. ``effort`` limits the proposals and the objects of all cases that are scored, so that large ones
    are fewer; ``most_objects`` is how large a case may grow.
    """

    premise: Callable[[Case], bool]
    margin: Margin
    effort: Effort
    most_objects: int
    diluted: bool = True
    right_is_gold: bool = False
    from_left: Callable[[Side, int], Iterator[Case]] | None = None

    def height(self, case: Case) -> float | None:
        """How far the case is from a violation; not positive where it is one."""
        value = self.margin(case)
        return None if value is None else value * (max(1, case.objects) if self.diluted else 1)

    def is_too_large(self, case: Case) -> bool:
        """Whether a climb does not go there."""
        return case.objects > self.most_objects or case.objects * case.features > self.effort.cells

    def proposal(self, case: Case, random: Random) -> Case:
        """A case that is one step away, or two now and then: some slopes have a dip."""
        steps = 2 if random.random() < _TWO_STEPS else 1
        if self.from_left is None:
            for _ in range(steps):
                case = varied(case, random, self.right_is_gold)
            return case
        left = Case(case.left, case.left)
        for _ in range(steps):
            left = varied(left, random, right_is_gold=False)
        most = max(2, self.most_objects // max(1, left.objects))
        number = random.randint(2, min(most, 1 << random.randint(1, 8)))
        return random.choice(list(self.from_left(left.left, number)) or [case])


def climb(start: Case, slope: Slope, random: Random) -> Case | None:
    """A case whose margin is not positive, or None. ``start`` has a positive one."""
    case, height = start, slope.height(start)
    objects_left = slope.effort.climbed_objects
    for _ in range(slope.effort.steps):
        proposal = slope.proposal(case, random)
        if slope.is_too_large(proposal) or _is_same(proposal, case) or not slope.premise(proposal):
            continue
        there = slope.height(proposal)
        if there is not None and there <= 0:
            return proposal
        if there is not None and (height is None or there <= height):
            case, height = proposal, there
        objects_left -= proposal.objects
        if objects_left <= 0:
            break
    return None


def _is_same(one: Case, other: Case) -> bool:
    """Whether a measure sees no difference; it does see the order of clusters."""
    return one == other and one.left.candidate.biclusters == other.left.candidate.biclusters


# --- where climbs begin

#: From how many of the narrowest cases the search climbs: by the margin itself, and by that times the objects.
STARTS = {False: 1, True: 2}


@dataclass
class Start:
    """The narrowest cases; ``diluted`` where the margin is taken times the number of objects."""

    diluted: bool
    kept: list[tuple[float, Case]] = field(default_factory=list)
    #: A case must be narrower than this to be kept.
    width: float = inf

    def note(self, width: float, case: Case) -> None:
        """Keep the case."""
        most = STARTS[self.diluted]
        self.kept.append((width, case))
        self.kept.sort(key=lambda entry: entry[0])
        del self.kept[most:]
        if len(self.kept) == most:
            self.width = self.kept[-1][0]


class Starts:
    """All starting points of one measure."""

    def __init__(self) -> None:
        self._starts = [Start(diluted=True), Start(diluted=False)]

    def __iter__(self) -> Iterator[Start]:
        return iter(self._starts)

    def note(self, margin: float, case: Case) -> None:
        """The measure passed a case by this margin; most are wider than what is kept, which is quickly seen."""
        diluted = margin * max(1, case.objects)
        for start in self._starts:
            width = diluted if start.diluted else margin
            if width < start.width:
                start.note(width, case)


# --- climbing below a counterexample: its objects in other places, fewer of them may be enough

#: From how many starting points, and how often from each, a climb is tried below a counterexample.
_STARTS_BELOW, _CLIMBS = 4, 2
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
    for start in _starts_below(case, lower):
        for _ in range(_CLIMBS):
            if (found := climb(start, lower, random)) is not None:
                return found
    return None


def _starts_below(case: Case, slope: Slope) -> list[Case]:
    """The smaller instances from which it is least far."""
    smaller = (one for one in smaller_cases(case) if one.objects < case.objects and slope.premise(one))
    heights = [(slope.height(one), one) for one in islice(smaller, _LOOKED_AT)]
    known = sorted(((height, one) for height, one in heights if height is not None), key=lambda entry: entry[0])
    return [one for _, one in known[:_STARTS_BELOW]]
