"""How large cases come from small ones: objects or features taken many times, and many further objects around."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random

from metaeval.core.biclustering import Bicluster, Biclustering, Shape
from metaeval.core.case import Case, Side

#: For every element of an axis its places in the new matrix, copies included.
_Images = list[dict[int, int]]


def multiplied(case: Case, axis: int, members: Collection[int], times: int, apart: bool = False) -> Case:
    """The case with these objects (or features, ``axis`` 1) so many times.

    A bicluster that holds some of them holds their copies, too. If they are to stay ``apart``, one that holds
    nothing else is itself repeated instead: a cluster of one object becomes many clusters of one object.
    """
    start = min(family.shape[axis] for side in case for family in side)
    chosen = sorted(member for member in members if member < start)
    new = len(chosen) * (times - 1)
    images = [
        {member: start + copy * len(chosen) + place for place, member in enumerate(chosen)}
        for copy in range(times - 1)
    ]

    def wider(family: Biclustering) -> Biclustering:
        parts = chain.from_iterable(
            _copied(one, axis, images, apart) for one in _shifted(family, axis, start, new)
        )
        shape = [*family.shape]
        shape[axis] += new
        return Biclustering.trusted(parts, (shape[0], shape[1]))

    return Case(*(Side(*map(wider, side)) for side in case))


def _shifted(family: Biclustering, axis: int, start: int, by: int) -> Iterator[Bicluster]:
    """The biclusters with everything from ``start`` on moved up, which makes room for the copies."""
    for bicluster in family:
        inside = bicluster[axis]
        if by and max(inside) >= start:
            inside = frozenset(index + by if index >= start else index for index in inside)
        yield _with(bicluster, axis, inside)


def _copied(bicluster: Bicluster, axis: int, images: _Images, apart: bool) -> Iterator[Bicluster]:
    inside = bicluster[axis]
    if not images or inside.isdisjoint(images[0]):
        yield bicluster
    elif apart and inside <= images[0].keys():
        yield bicluster
        yield from (_with(bicluster, axis, frozenset(image[one] for one in inside)) for image in images)
    else:
        shared = inside & images[0].keys()
        yield _with(bicluster, axis, inside.union(image[one] for image in images for one in shared))


def _with(bicluster: Bicluster, axis: int, inside: frozenset[int]) -> Bicluster:
    return (inside, bicluster[1]) if axis == 0 else (bicluster[0], inside)


def turned(case: Case, axis: int = 0) -> Case:
    """The case with its objects (or features) in the opposite order, as far as all of its matrices have them."""
    last = min(family.shape[axis] for side in case for family in side) - 1

    def turn(family: Biclustering) -> Biclustering:
        renamed = (
            _with(one, axis, frozenset(last - index if index <= last else index for index in one[axis]))
            for one in family
        )
        return Biclustering.trusted(renamed, family.shape)

    return Case(*(Side(*map(turn, side)) for side in case))


def with_candidate_reversed(case: Case) -> Case:
    """The case with the left candidate's clusters in the opposite order, which is no matter."""
    candidate, *others = case.left
    return Case(Side(Biclustering.trusted(candidate.biclusters[::-1], candidate.shape), *others), *case[1:])


def alike(case: Case) -> list[list[int]]:
    """The objects, those together that all families treat alike."""
    kinds: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for row, places in enumerate(memberships(case)):
        kinds.setdefault(places, []).append(row)
    return list(kinds.values())


def memberships(case: Case) -> list[tuple[tuple[int, ...], ...]]:
    """For every object and every family the numbers of the biclusters that hold it."""
    return list(zip(*(_holders(family, case.objects) for side in case for family in side), strict=True))


def _holders(family: Biclustering, objects: int) -> list[tuple[int, ...]]:
    holders: list[list[int]] = [[] for _ in range(objects)]
    for number, (rows, _) in enumerate(family):
        for row in rows:
            holders[row].append(number)
    return list(map(tuple, holders))


def groups(case: Case) -> Sequence[frozenset[int]]:
    """Sets of objects that may be worth taking many times: kinds, classes and clusters, and all of them."""
    sets: Iterable[frozenset[int]] = chain(
        [frozenset(range(case.objects))],
        map(frozenset, alike(case)),
        (rows for side in case for family in side for rows, _ in family),
    )
    return [some for some in dict.fromkeys(sets) if some]


def nearly(family: Biclustering, random: Random) -> Biclustering:
    """The family with two objects or features exchanged, a bicluster cut in half, or two of them put together."""
    if not family:
        return family
    axis = 1 if family.shape[1] > 1 and random.random() < 0.5 else 0
    return random.choice((_exchanged, _exchanged, _cut, _merged))(family, axis, random)


def _exchanged(family: Biclustering, axis: int, random: Random) -> Biclustering:
    """Two change places; at a distance that is a power of two, a wrapped number does not tell them apart."""
    one = random.randrange(family.shape[axis])
    distances = [1 << power for power in range(10) if one + (1 << power) < family.shape[axis]]
    other = one + random.choice(distances[-3:] or [0])
    places = {one: other, other: one}
    renamed = (
        _with(bicluster, axis, frozenset(places.get(index, index) for index in bicluster[axis]))
        for bicluster in family
    )
    return Biclustering.trusted(renamed, family.shape)


def _cut(family: Biclustering, axis: int, random: Random) -> Biclustering:
    bicluster = random.choice(family.biclusters)
    half = frozenset(sorted(bicluster[axis])[: len(bicluster[axis]) // 2])
    rest = [one for one in family if one != bicluster]
    parts = [_with(bicluster, axis, part) for part in (half, bicluster[axis] - half) if part]
    return Biclustering.trusted(dict.fromkeys([*rest, *parts]), family.shape)


def _merged(family: Biclustering, axis: int, random: Random) -> Biclustering:
    one, other = random.choice(family.biclusters), random.choice(family.biclusters)
    rest = [bicluster for bicluster in family if bicluster[axis] not in (one[axis], other[axis])]
    return Biclustering.trusted(dict.fromkeys([*rest, _with(one, axis, one[axis] | other[axis])]), family.shape)


# --- further objects around a case

#: The ways to group further objects into classes or into clusters.
KINDS: dict[str, Callable[[range], list[range]]] = {
    "together": lambda rows: [rows],
    "alone": lambda rows: _singles(rows),
    "in pairs": lambda rows: [rows[at : at + 2] for at in range(0, len(rows), 2)],
    "in eights": lambda rows: [rows[at : at + 8] for at in range(0, len(rows), 8)],
    "a third and the rest alone": lambda rows: [rows[: len(rows) // 3], *_singles(rows[len(rows) // 3 :])],
    "nowhere": lambda rows: [],
}


def among(
    case: Case, classes: str, clusters: str, size: int, right_is_gold: bool, inside: int | None = None
) -> Case:
    """The case among so many further objects, in classes and in clusters of these kinds of :data:`KINDS`.

    What the gold has first gives the features. ``right_is_gold`` where the condition has the gold itself on the right.
    If they are to be ``inside`` a class, the one of this number has them in place of classes of their own.
    """
    features = next((cols for family in case.families for _, cols in family), None)
    if features is None:
        return case
    rows = range(case.objects, case.objects + size)
    more, grouped = (
        [(frozenset(run), features) for run in KINDS[kind](rows) if run] for kind in (classes, clusters)
    )
    shape = (rows.stop, case.features)
    if case.crosses_roles:
        others = (family for family in case.families if family != case.left.gold)
        return _around_across(case, {case.left.gold: more, **dict.fromkeys(others, grouped)}, shape)
    old = list(case.left.gold)
    if inside is not None:
        old[inside], more = (old[inside][0] | {*rows}, old[inside][1]), []
    gold = Biclustering.trusted([*old, *more], shape)
    candidates = [Biclustering.trusted([*side.candidate, *grouped], shape) for side in case]
    if right_is_gold:
        candidates[1] = gold
    return Case(*(Side(candidate, gold) for candidate in candidates))


def _around_across(case: Case, added: Mapping[Biclustering, list[Bicluster]], shape: Shape) -> Case:
    """The case where a biclustering that stands on several sides gets the same further biclusters everywhere."""
    wider = {family: Biclustering.trusted([*family, *more], shape) for family, more in added.items()}
    return Case(*(Side(*(wider[family] for family in side)) for side in case))


def _singles(rows: range) -> list[range]:
    return [rows[at : at + 1] for at in range(len(rows))]
