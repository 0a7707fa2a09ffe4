"""Variations of a case: what a climb tries next. Most change one object, some of them very many at once.

None of them knows the condition; whoever varies a case asks the premise whether it still is an instance.
"""

from __future__ import annotations

from random import Random

from metaeval.cases.multiplying import KINDS, among, groups, multiplied, with_candidate_reversed
from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case, Side
from metaeval.search.shrink import replacing, without

#: So many objects at once, and features: 2 to the power of at most this.
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
    return without(case, (random.randrange(case.objects),))


def _taken_many_times(case: Case, random: Random) -> Case:
    """Objects of one kind, class or cluster, twice or many times as often, together or apart."""
    chosen = random.choice(groups(case) or [frozenset()])
    if not chosen:
        return case
    return multiplied(case, 0, chosen, _power_of_two(random), apart=random.random() < 0.4)


def _among_many(case: Case, random: Random) -> Case:
    """Many further objects, in classes and clusters of their own."""
    classes, clusters = random.choices(list(KINDS), k=2)
    return among(case, classes, clusters, _power_of_two(random), right_is_gold=False)


def _on_more_features(case: Case, random: Random) -> Case:
    """A feature two or three times."""
    if not 0 < case.features < _MOST_FEATURES:
        return case
    return multiplied(case, 1, [random.randrange(case.features)], random.randint(2, 3))


def _in_other_order(case: Case, random: Random) -> Case:
    """The left candidate's clusters the other way round: a measure must not mind."""
    return with_candidate_reversed(case)


def _power_of_two(random: Random) -> int:
    return 1 << random.randint(1, _MOST_DOUBLINGS)


def _common(case: Case) -> list[Bicluster]:
    """The clusters that all candidates have, which are not what the case is about."""
    there = [set(side.candidate) for side in case[1:]]
    return [bicluster for bicluster in case.left.candidate if all(bicluster in one for one in there)]


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


def _regrouped(case: Case, random: Random) -> Case:
    """In one of the biclusterings, wherever it stands, an object moves to another bicluster or to one of its own."""
    family = random.choice(list(dict.fromkeys(case.families)))
    biclusters = list(family)
    if not biclusters:
        return case
    source, target = random.randrange(len(biclusters)), random.randrange(-1, len(biclusters))
    rows, cols = biclusters[source]
    row = random.choice(sorted(rows))
    biclusters[source] = rows - {row}, cols
    if target >= 0:
        biclusters[target] = biclusters[target][0] | {row}, biclusters[target][1]
    else:
        biclusters.append((frozenset({row}), cols))
    kept = [one for one in biclusters if one[0]]
    return replacing(case, family, Biclustering.trusted(kept, family.shape))


def _merged(case: Case, random: Random) -> Case:
    """In one of the biclusterings, wherever it stands, two biclusters become one."""
    family = random.choice(list(dict.fromkeys(case.families)))
    if len(family) < 2:
        return case
    one, other = random.sample(family.biclusters, 2)
    rest = [bicluster for bicluster in family if bicluster not in (one, other)]
    return replacing(case, family, Biclustering.trusted([*rest, (one[0] | other[0], one[1])], family.shape))


_WAYS = (
    _cloned, _cloned, _grown, _grown, _grown, _isolated, _joined, _reclassed, _without,
    _taken_many_times, _taken_many_times, _among_many, _on_more_features, _in_other_order,
)  # fmt: skip

#: Where the gold standard of one side is the candidate of another, both must stay the same.
_WAYS_ACROSS = (
    _cloned, _cloned, _regrouped, _regrouped, _regrouped, _merged, _without, _taken_many_times, _taken_many_times,
    _among_many, _on_more_features, _in_other_order,
)  # fmt: skip
