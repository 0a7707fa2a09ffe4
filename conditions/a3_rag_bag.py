"""A.3 Rag bag: a stray object does less harm in a bag of strays than in a clean cluster."""

from collections.abc import Iterator
from functools import partial as bind
from itertools import permutations, product

from hypothesis import strategies as st

from metaeval.catalogue.condition import Excluded, condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import Cluster, Sides, cut, lifted_case, mask_of
from metaeval.conditions._enumerate import Column, Vector, held, in_one_of_two, surrounded
from metaeval.conditions._premise import Clusters, admitted, clusterings
from metaeval.core.case import Case
from metaeval.core.relation import WORSE
from metaeval.proofs.situation import Situation, of_partitions
from metaeval.strategies import bits, integers

#: With one object in each, left and right can be isomorphic, and no label-blind measure could tell them apart.
LEAST = 2


def premise(case: Case, reading: str, least: int = LEAST) -> bool:
    """One object moved from an otherwise clean cluster to a bag of objects of different classes."""
    sets = clusterings(case)
    if sets is None or not admitted(sets, reading) or (len(sets.removed), len(sets.added)) != (2, 2):
        return False
    return any(
        len(noise) >= least and _moved(dirty, noise, clean, bag, sets.gold, reading == "canonical")
        for dirty, noise in permutations(sets.removed)
        for clean, bag in permutations(sets.added)
    )


def _moved(dirty: Cluster, noise: Cluster, clean: Cluster, bag: Cluster, gold: Clusters, whole: bool) -> bool:
    stray = dirty - clean
    if not (clean < dirty and len(stray) == 1 and stray.isdisjoint(noise) and bag == noise | stray):
        return False
    if len(clean) != len(noise):
        return False
    if whole:
        return clean in gold and all(frozenset({one}) in gold for one in noise | stray)
    return (
        any(clean <= one and stray.isdisjoint(one) for one in gold)
        and not any(dirty <= one for one in gold)
        and noise | stray <= frozenset().union(*gold)
        and all(len(noise & members) <= 1 for members in gold)
    )


def sides(clean: Cluster, stray: Cluster, noise: Cluster) -> Sides:
    """Left, the stray is in the clean cluster; right, it is in the bag of noise."""
    return [clean | stray, noise], [clean, stray | noise]


@st.composite
def disjoint(draw: _strategy.Draw, partial: bool) -> Case:
    """A clean cluster, a stray and a bag of noise; under the literal reading classes may be shared and extended."""
    size = draw(_strategy.quantities(LEAST))
    clean, stray, noise = cut((size, 1, size))
    if partial:
        named = _shared_classes(draw, clean, stray, noise)
    else:
        named = [[*clean], [*stray], *([row] for row in noise)]
    return _strategy.in_context(draw, named, sides(*map(frozenset, (clean, stray, noise))), partial, extend=partial)


def _shared_classes(draw: _strategy.Draw, clean: range, stray: range, noise: range) -> list[list[int]]:
    """Classes in which the stray may be with a noise object, and one noise object with the clean ones."""
    named = [[*clean], *([row] for row in noise)]
    guest = draw(integers(0, len(noise)))  # a noise object of the clean cluster's class, 0: none
    if guest:
        named[0] += named.pop(guest)
    home = draw(integers(0, len(named) - 1))  # the stray's class, 0: one of its own
    if home:
        named[home] += stray
    else:
        named.append([*stray])
    return named


@st.composite
def overlapping(draw: _strategy.Draw) -> Case:
    """Free sets, from which only what the premise forbids is cut away."""
    size = draw(integers(LEAST, 4))
    # The bag may share one object with the clean cluster; two would share a class there.
    common = draw(integers(0, 1))
    clean = mask_of(range(size))
    noise = mask_of(range(size - common, 2 * size - common))
    stray = 1 << (2 * size - common)
    objects = stray.bit_length() + draw(_strategy.FURTHER)

    def thinned(mask: int, keep: int) -> int:
        """At most one noise object per class; ``keep`` is the one to keep if there is a choice."""
        inside = mask & noise
        chosen = keep & inside or inside & -inside
        return mask & ~noise | chosen

    def torn(mask: int, spare: int) -> int:
        """A class that would hold the clean cluster and the stray goes without one of its objects."""
        return mask & ~spare if mask & clean == clean and mask & stray else mask

    gold = [thinned(_strategy.wider(draw, clean, objects), clean & noise) & ~stray]
    gold += filter(None, (torn(thinned(mask, 0), stray) for mask in _strategy.masks(draw, objects)))
    homeless = [1 << row for row in bits(noise | stray) if not any(mask >> row & 1 for mask in gold)]
    # The first object is in the clean cluster, and never in the bag.
    gold += [torn(thinned(_strategy.wider(draw, one, objects), one), 1) for one in homeless]
    return _strategy.in_free_context(draw, objects, gold, sides(bits(clean), bits(stray), bits(noise)))


def enumerate_disjoint(objects: int, partial: bool, least: int = LEAST) -> Iterator[Case]:
    """Every size; the clean cluster is a single item of a class, noise objects are one each."""

    def allowed(vector: Vector) -> bool:
        if partial:
            return in_one_of_two(vector) and vector[2] <= 1
        return sum(vector) == 1 or not any(vector[:3])

    for size in range(least, (objects - 1) // 2 + 1):
        clean, stray, noise = cut((size, 1, size))
        core: list[Column] = [[clean], [stray], [[row] for row in noise]]
        yield from surrounded(sides(*map(frozenset, (clean, stray, noise))), core, objects, partial, allowed)


def sized(size: int) -> Iterator[Case]:
    """As many clean objects as noise, all classes whole, and nothing else."""
    clean, stray, noise = map(frozenset, cut((max(LEAST, size), 1, max(LEAST, size))))
    gold = [clean, stray, *(frozenset({row}) for row in sorted(noise))]
    yield lifted_case(gold, sides(clean, stray, noise), [], (len(clean | stray | noise), 1))


def transfers(clusters: list[Cluster], gold: list[Cluster]) -> Iterator[Sides]:
    """Every two clusters between which an object can move."""
    # In a bag every object has a class, and no two share one.
    classified = frozenset().union(*gold)
    bags = [
        noise
        for noise in clusters
        if len(noise) >= LEAST and noise <= classified and all(len(noise & one) <= 1 for one in gold)
    ]
    for dirty, noise in product(clusters, bags):
        for stray in (frozenset({row}) for row in sorted(dirty - noise)) if len(dirty) == len(noise) + 1 else ():
            # It has a class, and all others of its cluster share one without it.
            if held(stray, gold) and any(one & dirty == dirty - stray for one in gold) and not held(dirty, gold):
                yield sides(dirty - stray, stray, noise)


condition(
    "A.3",
    name="Rag bag",
    statement=(
        "Let one cluster hold n objects of a class and one object of another, and a second cluster n objects "
        "of n different classes. If the one object moves to the second cluster, the score must rise."
    ),
    citation=_readings.AMIGO,
    relation=WORSE,
    step="after the move",
    premise=premise,
    situations={
        **of_partitions("rise", moves=("rag bag",)),
        # The moving object joins noise of other classes, or one noise object of its own class.
        "literal": Situation("rise", "disjoint", lifted=True, moves=("rag bag, stranger", "rag bag, kin")),
    },
    sized=sized,
    excluded=(Excluded("n = 1", bind(enumerate_disjoint, 3, partial=False, least=1)),),
    readings=[
        _readings.canonical(
            disjoint,
            enumerate_disjoint,
            adds="n ≥ 2; the n objects are a whole class; the moving object and all noise objects are classes alone.",
            complete=10,
        ),
        _readings.literal(
            disjoint,
            enumerate_disjoint,
            adds="n ≥ 2; no two noise objects share a class.",
            complete=8,
        ),
        _readings.overlapping(
            overlapping,
            adds="n ≥ 2; no two noise objects share a class; no class holds all of the cluster that the object leaves.",
            moves=transfers,
        ),
    ],
)
