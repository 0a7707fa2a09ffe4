"""A.4 Size versus quantity: one object split off a large cluster does less harm than many broken pairs."""

from collections.abc import Iterable, Iterator
from functools import partial as bind
from itertools import combinations, product

from hypothesis import strategies as st

from metaeval.catalogue.condition import Excluded, condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import Cluster, Sides, cut, lifted_case, mask_of
from metaeval.conditions._enumerate import (
    clusters_of,
    held,
    rectangles,
    small_families,
    surrounded,
    up_to_renaming,
)
from metaeval.conditions._premise import Clusterings, admitted, clusterings, inside_one_class
from metaeval.core.case import Case
from metaeval.core.relation import WORSE
from metaeval.proofs.situation import of_clusterings
from metaeval.strategies import bits, integers, lists

#: With one pair, left and right can be isomorphic, and no label-blind measure could tell them apart.
LEAST = 2


def premise(case: Case, reading: str, least: int = LEAST) -> bool:
    """A large cluster lost one object, and in exchange as many pairs as it has left were put together."""
    sets = clusterings(case)
    # Else A.4 would contradict A.5: the gold itself would be worse than another candidate.
    if sets is None or not admitted(sets, reading) or sets.left == sets.gold:
        return False
    return any(
        _exchanged(sets, large, kept, reading == "canonical")
        for large in sets.removed
        for kept in sets.added
        if kept < large and len(kept) == len(large) - 1 >= least
    )


def _exchanged(sets: Clusterings, large: Cluster, kept: Cluster, whole: bool) -> bool:
    split_off = large - kept
    pairs = sets.added - {kept, split_off}
    loose = frozenset(frozenset({one}) for pair in pairs for one in pair)
    if len(pairs) != len(kept) or any(len(pair) != 2 for pair in pairs) or len(loose) != 2 * len(pairs):
        return False
    context, new = sets.left - {large} - loose, pairs | {kept, split_off}
    if not (loose <= sets.left and context.isdisjoint(new) and sets.right == context | new):
        return False
    if whole:
        return large in sets.gold and pairs <= sets.gold
    return inside_one_class(large, sets.gold) and all(inside_one_class(pair, sets.gold) for pair in pairs)


def sides(large: Cluster, split_off: Cluster, pairs: Iterable[Iterable[int]], paired: Iterable[int]) -> Sides:
    """Left, the pairs are broken into singletons; right, they are kept and the large cluster is broken.

    ``paired`` are the objects of the pairs, in the order of the singletons.
    """
    singletons = [frozenset({one}) for one in paired]
    return [large, *singletons], [large - split_off, split_off, *map(frozenset, pairs)]


@st.composite
def disjoint(draw: _strategy.Draw, partial: bool) -> Case:
    """A large cluster and its pairs; under the literal reading classes may be shared and extended."""
    quantity = draw(_strategy.quantities(LEAST))
    large, *pairs = cut((quantity + 1, *[2] * quantity))
    named = [[*large]]
    for pair in pairs:
        # 0: a class of its own; else one that is there already, the large cluster's included.
        home = draw(integers(0, len(named))) if partial else 0
        if home:
            named[home - 1] += pair
        else:
            named.append([*pair])
    return _strategy.in_context(draw, named, _broken_at_the_end(large, pairs), partial, extend=partial)


def _broken_at_the_end(large: range, pairs: list[range]) -> Sides:
    """Which object is split off makes no difference where nothing overlaps: the last one."""
    return sides(frozenset(large), frozenset(large[-1:]), pairs, range(large.stop, pairs[-1].stop))


@st.composite
def overlapping(draw: _strategy.Draw) -> Case:
    """Free sets; pairs do not share objects (their singletons would repeat) but may lie in the large cluster."""
    quantity = draw(integers(LEAST, 4))
    borrowed = draw(lists(integers(0, quantity), unique=True, max_size=quantity + 1))
    fresh = range(quantity + 1, quantity + 1 + 2 * quantity - len(borrowed))
    paired = [*borrowed, *fresh]
    pairs = [frozenset(pair) for pair in zip(paired[::2], paired[1::2], strict=True)]
    large = frozenset(range(quantity + 1))
    # What is kept of the large cluster must not be one of the pairs, or it would repeat.
    split_off = frozenset({draw(st.sampled_from([row for row in sorted(large) if large - {row} not in pairs]))})
    objects = 1 + max(*large, *paired) + draw(_strategy.FURTHER)
    gold = [_strategy.wider(draw, mask_of(large), objects)]
    homeless = [pair for pair in map(mask_of, pairs) if pair & gold[0] != pair]
    gold += [_strategy.wider(draw, pair, objects) for pair in homeless]
    gold += _strategy.masks(draw, objects)
    return _strategy.in_free_context(draw, objects, gold, sides(large, split_off, pairs, paired))


def enumerate_disjoint(objects: int, partial: bool, least: int = LEAST) -> Iterator[Case]:
    """Every number of pairs; the large cluster and each pair are single items of a class."""
    for quantity in range(least, (objects - 1) // 3 + 1):
        large, *pairs = cut((quantity + 1, *[2] * quantity))
        allowed = any if partial else lambda vector: sum(vector) == 1 or not any(vector[:2])
        yield from surrounded(_broken_at_the_end(large, pairs), [[large], pairs], objects, partial, allowed)


def sized(quantity: int) -> Iterator[Case]:
    """This number of pairs and their large cluster, all classes whole, and nothing else."""
    large, *pairs = cut((max(LEAST, quantity) + 1, *[2] * max(LEAST, quantity)))
    yield lifted_case([large, *pairs], _broken_at_the_end(large, pairs), [], (pairs[-1].stop, 1))


def enumerate_overlapping(objects: int) -> Iterator[Case]:
    """Two pairs and a cluster of three that take all objects; of four also with one more cluster around them.

    With at most three classes, the left is never the gold itself.
    """
    if objects < 4:
        return
    every = [bits(rows) for rows, _ in rectangles(objects, 1)]
    contexts = [[], *([cluster] for cluster in every)] if objects == 4 else [[]]
    families = small_families(objects, 1, largest=3 if objects == 4 else 2)
    for gold in map(clusters_of, up_to_renaming((objects, 1), families)):
        for named, context in product(exchanges(every, gold), contexts):
            if not any(cluster in side for cluster in context for side in named):
                yield lifted_case(gold, named, context, (objects, 1))


def exchanges(clusters: list[Cluster], gold: list[Cluster]) -> Iterator[Sides]:
    """Every three objects and two pairs, each inside a class, that take all objects of the clusters."""
    inside, objects = [cluster for cluster in clusters if held(cluster, gold)], frozenset().union(*clusters)
    threes, twos = ([cluster for cluster in inside if len(cluster) == size] for size in (3, 2))
    for large, pairs in product(threes, combinations(twos, 2)):
        paired = pairs[0] | pairs[1]
        if len(paired) == 4 and large | paired == objects:
            for row in sorted(large):
                # What is kept of the large cluster would repeat if it were one of the pairs.
                if large - {row} not in pairs:
                    yield sides(large, frozenset({row}), pairs, sorted(paired))


condition(
    "A.4",
    name="Size versus quantity",
    statement=(
        "Let r + 1 objects of one class be a cluster, and r pairs of objects of one class each be clusters. "
        "Breaking all the pairs into singletons must score worse than splitting one object off the large cluster."
    ),
    citation=_readings.AMIGO,
    relation=WORSE,
    step="with one object split off, the pairs kept",
    premise=premise,
    situations=of_clusterings("rise", moves=("size versus quantity",)),
    sized=sized,
    excluded=(Excluded("r = 1", bind(enumerate_disjoint, 4, partial=False, least=1)),),
    readings=[
        _readings.canonical(
            disjoint,
            enumerate_disjoint,
            adds="r ≥ 2; the large cluster is a whole class and so is each pair.",
            complete=10,
        ),
        _readings.literal(disjoint, enumerate_disjoint, adds="r ≥ 2; pairs may share a class.", complete=10),
        _readings.overlapping(
            overlapping,
            enumerate_=enumerate_overlapping,
            adds="r ≥ 2; pairs may share a class; the left is not the gold itself.",
            moves=exchanges,
            scope=(
                "one feature, up to renaming of the classes; with four objects at most three classes and one "
                "further cluster, with five at most two classes and no further cluster"
            ),
            reach=5,
        ),
    ],
)
