"""Climbing from the narrowest escapes to a violation: a measure's own margin guides what is tried next.

Cases that are listed or drawn do not know the measure. Here one that the measure passed by little is
varied, an object at a time, for as long as the margin narrows; the premise guards every step. This finds
what needs dozens of objects in just the right places.

The technique is targeted property-based testing (Löscher & Sagonas, ISSTA 2017,
doi:10.1145/3092703.3092711): a search guided by a number that says how near an input comes to breaking the
property. ``hypothesis.target`` offers it too, and is not used for two reasons. Hypothesis draws in a clean
process that does not know the measure, so that a case drawn once serves every measure; and a climb starts
from cases of any origin, listed ones too, with the premise and not a strategy to keep it among the instances.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from metaeval.cases import Case, Side
from metaeval.engine.shrinking import dropped
from metaeval.model import Bicluster, Biclustering

#: Proposals from one starting point, and how large a case may grow.
STEPS = 150
MOST_OBJECTS = 40
#: How often a proposal is two steps away.
_TWO_STEPS = 0.3

#: The measure's margin on a case, or None where it gives no score; it may raise to end the climb.
Margin = Callable[[Case], float | None]


def climb(
    start: Case, premise: Callable[[Case], bool], margin: Margin, random: Random, right_is_gold: bool
) -> Case | None:
    """A case whose margin is not positive, or None. ``start`` has a positive one.

    ``right_is_gold`` where the condition has the gold itself on the right.
    """
    case, height = start, _height(start, margin)
    for _ in range(STEPS):
        proposal = _proposal(case, random, right_is_gold)
        if proposal.objects > MOST_OBJECTS or proposal == case or not premise(proposal):
            continue
        there = _height(proposal, margin)
        if there is not None and there <= 0:
            return proposal
        if there is not None and (height is None or there <= height):
            case, height = proposal, there
    return None


def _height(case: Case, margin: Margin) -> float | None:
    """The margin, undiluted: in a larger case the same effect weighs less."""
    value = margin(case)
    return None if value is None else value * max(1, case.objects)


def _proposal(case: Case, random: Random, right_is_gold: bool) -> Case:
    varied = _varied(case, random, right_is_gold)
    # Two steps at once now and then: some slopes have a dip.
    return _varied(varied, random, right_is_gold) if random.random() < _TWO_STEPS else varied


def _varied(case: Case, random: Random, right_is_gold: bool) -> Case:
    kind = random.choice((_cloned, _cloned, _grown, _grown, _isolated, _joined, _reclassed, _without))
    varied = kind(case, random)
    return Case(varied.left, Side(varied.right.gold, varied.right.gold)) if right_is_gold else varied


def _cloned(case: Case, random: Random) -> Case:
    """One more object just like one that is there."""
    if not case.objects:
        return case
    row, new = random.randrange(case.objects), case.objects

    def wider(biclustering: Biclustering) -> Biclustering:
        family = [(rows | {new} if row in rows else rows, cols) for rows, cols in biclustering]
        return Biclustering.trusted(family, (new + 1, biclustering.shape[1]))

    return Case(*(Side(*map(wider, side)) for side in case))


def _grown(case: Case, random: Random) -> Case:
    """One more object, in a class and a cluster that are there, or alone, or in none."""
    new = case.objects
    common = _common(case)
    gold, place = list(case.left.gold), random.randrange(-2, len(case.left.gold))
    home = random.randrange(-2, len(common))

    def wider(bicluster: Bicluster) -> Bicluster:
        return bicluster[0] | {new}, bicluster[1]

    if place >= 0:
        gold[place] = wider(gold[place])
    elif place == -1 and gold:
        gold.append((frozenset({new}), gold[0][1]))
    changes = {common[home]: [wider(common[home])]} if home >= 0 else {}
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
    rows, cols = gold[source]
    row = random.choice(sorted(rows))
    target = random.randrange(-1, len(gold))
    gold[source] = rows - {row}, cols
    if target >= 0:
        gold[target] = gold[target][0] | {row}, gold[target][1]
    else:
        gold.append((frozenset({row}), cols))
    return _rebuilt(case, [one for one in gold if one[0]], {}, [], case.objects)


def _without(case: Case, random: Random) -> Case:
    """One object less."""
    if not case.objects:
        return case
    gone = (random.randrange(case.objects),)
    return Case(dropped(case.left, 0, gone), dropped(case.right, 0, gone))


def _common(case: Case) -> list[Bicluster]:
    """The clusters that both candidates have, which are not what the case is about."""
    there = set(case.right.candidate)
    return [bicluster for bicluster in case.left.candidate if bicluster in there]


def _rebuilt(
    case: Case,
    gold: Biclustering | list[Bicluster],
    changes: dict[Bicluster, list[Bicluster]],
    more: list[Bicluster],
    objects: int,
) -> Case:
    """The case with another gold and, in both candidates, some clusters changed and some added."""
    shape = (objects, case.features)
    new_gold = Biclustering.trusted(gold, shape)
    sides = []
    for side in case:
        family = [new for old in side.candidate for new in changes.get(old, [old])]
        sides.append(Side(Biclustering.trusted([*family, *more], shape), new_gold))
    return Case(*sides)
