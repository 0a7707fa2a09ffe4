"""Climbs: change a case step by step so that the margin of the measure shrinks, until it breaks the relation.

Steps move an object, change one bicluster or multiply one; the premise admits or refuses each. A climb starts from the
cases that the measure passed by the least. It also serves the reduction of a counterexample that cannot be cut further.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from math import inf
from random import Random

from metaeval.cases.enlarge import KINDS, among, groups, multiplied, with_candidate_reversed
from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.settings import Effort
from metaeval.search.shrink import replacing, shrinking, smaller_cases, with_role, without

#: Objects are multiplied by 2 to the power of at most this.
_MOST_DOUBLINGS = 6
_MOST_FEATURES = 8


def varied(case: Case, random: Random, right_is_gold: bool) -> Case:
    """The case, changed in one way; ``right_is_gold`` where the condition has the gold itself on the right."""
    changed = random.choice(_WAYS_ACROSS if case.crosses_roles else _WAYS)(case, random)
    return Case(changed.left, Side(changed.right.gold, changed.right.gold)) if right_is_gold else changed


def _cloned(case: Case, random: Random) -> Case:
    """One more object just like one that is there."""
    if not case.objects:
        return case
    row, new = random.randrange(case.objects), case.objects

    def wider(biclustering: Biclustering) -> Biclustering:
        family = [(rows | {new} if row in rows else rows, cols) for rows, cols in biclustering]
        return Biclustering.trusted(family, (new + 1, biclustering.shape[1]))

    return case.mapped(wider)


def _grown(case: Case, random: Random) -> Case:
    """One more object, in a class and a cluster that are there, or alone, or in none."""
    new = case.objects
    common, gold = _common(case), list(case.left.gold)
    place, home = random.randrange(-2, len(gold)), random.randrange(-2, len(common))
    if place >= 0:
        gold[place] = gold[place][0] | {new}, gold[place][1]
    elif place == -1 and gold:
        gold.append((frozenset({new}), gold[0][1]))
    changes = {common[home]: [(common[home][0] | {new}, common[home][1])]} if home >= 0 else {}
    more = [(frozenset({new}), (common or gold)[0][1])] if home == -1 and (common or gold) else []
    return _rebuilt(case, gold, changes, more, new + 1)


def _isolated(case: Case, random: Random) -> Case:
    """An object taken out of its cluster, into one of its own."""
    common = [bicluster for bicluster in _common(case) if len(bicluster[0]) > 1]
    if not common:
        return case
    rows, cols = random.choice(common)
    row = random.choice(sorted(rows))
    split = [(rows - {row}, cols), (frozenset({row}), cols)]
    return _rebuilt(case, case.left.gold, {(rows, cols): split}, [], case.objects)


def _joined(case: Case, random: Random) -> Case:
    """Two clusters that the case is not about become one."""
    common = _common(case)
    if len(common) < 2:
        return case
    one, other = random.sample(common, 2)
    return _rebuilt(case, case.left.gold, {one: [(one[0] | other[0], one[1])], other: []}, [], case.objects)


def _reclassed(case: Case, random: Random) -> Case:
    """An object moves to another class, or to one of its own."""
    gold = list(case.left.gold)
    if not gold:
        return case
    source = random.randrange(len(gold))
    moved = _with_row_moved(gold, source, random.choice(sorted(gold[source][0])), random.randrange(-1, len(gold)))
    return _rebuilt(case, moved, {}, [], case.objects)


def _with_row_moved(biclusters: list[Bicluster], source: int, row: int, target: int) -> list[Bicluster]:
    """The biclusters with an object moved from one to another, or to one of its own where the target is −1."""
    rows, cols = biclusters[source]
    biclusters[source] = rows - {row}, cols
    if target >= 0:
        biclusters[target] = biclusters[target][0] | {row}, biclusters[target][1]
    else:
        biclusters.append((frozenset({row}), cols))
    return [one for one in biclusters if one[0]]


def _without(case: Case, random: Random) -> Case:
    return without(case, (random.randrange(case.objects),)) if case.objects else case


def _taken_many_times(case: Case, random: Random) -> Case:
    """Objects of one kind, class or cluster, twice or many times as often, together or apart."""
    chosen = random.choice(groups(case) or [frozenset()])
    return multiplied(case, 0, chosen, _power_of_two(random), apart=random.random() < 0.4) if chosen else case


def _among_many(case: Case, random: Random) -> Case:
    """Many further objects, in classes and clusters of their own."""
    classes, clusters = random.choices(list(KINDS), k=2)
    return among(case, classes, clusters, _power_of_two(random), right_is_gold=False)


def _on_more_features(case: Case, random: Random) -> Case:
    """A feature two or three times."""
    if not 0 < case.features < _MOST_FEATURES:
        return case
    return multiplied(case, 1, [random.randrange(case.features)], random.randint(2, 3))


def _power_of_two(random: Random) -> int:
    return 1 << random.randint(1, _MOST_DOUBLINGS)


def _common(case: Case) -> list[Bicluster]:
    """The clusters that all candidates have, which are not what the case is about."""
    there = [set(side.candidate) for side in case[1:]]
    return [bicluster for bicluster in case.left.candidate if all(bicluster in one for one in there)]


def _rebuilt(
    case: Case, gold: Biclustering | list[Bicluster], changes: dict[Bicluster, list[Bicluster]],
    more: list[Bicluster], objects: int,
) -> Case:  # fmt: skip
    """The case with another gold and, in both candidates, some clusters changed and some added."""
    shape = (objects, case.features)
    new_gold = Biclustering.trusted(gold, shape)
    sides = []
    for side in case:
        family = [new for old in side.candidate for new in changes.get(old, [old])]
        sides.append(Side(Biclustering.trusted([*family, *more], shape), new_gold))
    return Case(*sides)


def _regrouped(case: Case, random: Random) -> Case:
    """In one of the biclusterings, wherever it stands, an object moves to another bicluster or to one of its own."""
    family = random.choice(list(dict.fromkeys(case.families)))
    biclusters = list(family)
    if not biclusters:
        return case
    source, target = random.randrange(len(biclusters)), random.randrange(-1, len(biclusters))
    moved = _with_row_moved(biclusters, source, random.choice(sorted(biclusters[source][0])), target)
    return replacing(case, family, Biclustering.trusted(moved, family.shape))


def _merged(case: Case, random: Random) -> Case:
    """In one of the biclusterings, wherever it stands, two biclusters become one."""
    family = random.choice(list(dict.fromkeys(case.families)))
    if len(family) < 2:
        return case
    one, other = random.sample(family.biclusters, 2)
    rest = [bicluster for bicluster in family if bicluster not in (one, other)]
    return replacing(case, family, Biclustering.trusted([*rest, (one[0] | other[0], one[1])], family.shape))


def _related(case: Case, random: Random) -> Case:
    """One more bicluster in the gold, or in all candidates: a part of one that is there, or nearly equal to it."""
    there, role = [*case.left.candidate, *case.left.gold], random.randrange(2)
    if not there:
        return case
    rows, cols = random.choice(there)
    part = frozenset(random.sample(sorted(rows), random.randint(1, len(rows))))
    new = random.choice((rows ^ {random.randrange(case.objects)} or rows, part)), cols
    families = [Biclustering.trusted([*side[role], new], side[role].shape) for side in case]
    return replacing(case, case.left[role], families[0]) if case.crosses_roles else with_role(case, role, families)


_WAYS = (
    _cloned, _cloned, _grown, _grown, _grown, _isolated, _joined, _reclassed, _related, _related, _without,
    _taken_many_times, _taken_many_times, _among_many, _on_more_features, lambda case, _: with_candidate_reversed(case),
    lambda case, _: with_role(case, 0, (side.gold for side in case)),  # every gold against itself
)  # fmt: skip

#: Where the gold standard of one side is the candidate of another, both must stay the same.
_WAYS_ACROSS = (
    _cloned, _cloned, _regrouped, _regrouped, _regrouped, _merged, _related, _related, _without, _taken_many_times,
    _taken_many_times, _among_many, _on_more_features, lambda case, _: with_candidate_reversed(case),
)  # fmt: skip

#: The share of proposals that are two steps away.
_TWO_STEPS = 0.3


@dataclass(frozen=True)
class Slope:
    """Where a climb may go, what it goes by, and how far.

    ``diluted`` where the margin is taken times the number of objects. ``right_is_gold`` and ``from_left`` as the
    condition has them. ``effort`` limits the proposals and the objects of all cases that are scored, so that large ones
    are fewer; ``most_objects`` is how large a case may grow.
    """

    premise: Callable[[Case], bool]
    #: The measure's margin on a case, or None where it gives no score; it may raise to end the climb.
    margin: Callable[[Case], float | None]
    effort: Effort
    most_objects: int
    diluted: bool = True
    right_is_gold: bool = False
    from_left: Callable[[Side, int], Iterator[Case]] | None = None

    def height(self, case: Case) -> float | None:
        """How far the case is from a violation; not positive where it is one."""
        value = self.margin(case)
        return None if value is None else value * (max(1, case.objects) if self.diluted else 1)

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
        most = max(2, self.most_objects // max(1, left.objects, left.most_biclusters))
        number = random.randint(2, min(most, 1 << random.randint(1, 8)))
        return random.choice(list(self.from_left(left.left, number)) or [case])


def climb(start: Case, slope: Slope, random: Random) -> Case | None:
    """A case whose margin is not positive, or None. ``start`` has a positive one."""
    case, height = start, slope.height(start)
    objects_left = slope.effort.climbed_objects
    for _ in range(slope.effort.steps):
        proposal = slope.proposal(case, random)
        too_large = proposal.objects > slope.most_objects or proposal.objects * proposal.features > slope.effort.cells
        # A measure does see the order of clusters.
        same = proposal == case and proposal.left.candidate.biclusters == case.left.candidate.biclusters
        if too_large or same or not slope.premise(proposal):
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


# --- where climbs begin


@dataclass
class Start:
    """The narrowest case of a measure; two cases where the margin is ``diluted``, taken times the number of objects."""

    diluted: bool
    kept: list[tuple[float, Case]] = field(default_factory=list)
    #: A case must be narrower than this to be kept.
    width: float = inf

    def note(self, margin: float, case: Case) -> None:
        """The measure passed a case by this margin. Most margins are wider than those kept, which is checked first."""
        width = margin * max(1, case.objects) if self.diluted else margin
        if width < self.width:
            most = 2 if self.diluted else 1
            self.kept = sorted([*self.kept, (width, case)], key=lambda entry: entry[0])[:most]
            if len(self.kept) == most:
                self.width = self.kept[-1][0]


# --- climbing below a counterexample: its objects in other places, fewer of them may be enough

#: The number of starting points below a counterexample, and of climbs per starting point.
_STARTS_BELOW, _CLIMBS = 4, 2
#: Counterexamples with more objects are not reduced by climbs.
_MOST_OBJECTS = 60
#: The number of smaller cases that are tried as starting points.
_LOOKED_AT = 120


def reductions(found: Case, stays: Callable[[Case], bool], slope: Slope, random: Random) -> Iterator[Case]:
    """Ever smaller cases that ``stays`` counterexamples, as ``found`` is."""
    below: Case | None = found
    while below is not None:
        for found in chain([below], shrinking(below, stays, from_left=slope.from_left)):
            yield found
        below = _below(found, slope, random) if found.objects <= _MOST_OBJECTS else None


def _below(case: Case, slope: Slope, random: Random) -> Case | None:
    lower = replace(slope, most_objects=case.objects - 1)
    smaller = (one for one in smaller_cases(case) if one.objects < case.objects and slope.premise(one))
    heights = [(lower.height(one), one) for one in islice(smaller, _LOOKED_AT)]
    nearest = sorted(((height, one) for height, one in heights if height is not None), key=lambda entry: entry[0])
    climbs = (climb(start, lower, random) for _, start in nearest[:_STARTS_BELOW] for _ in range(_CLIMBS))
    return next((found for found in climbs if found is not None), None)
