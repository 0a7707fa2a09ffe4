"""A.1 Homogeneity: splitting a mixed cluster into its two pure parts must raise the score."""

from collections.abc import Iterator

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import Cluster, Sides, mask_of
from metaeval.conditions._enumerate import held, in_one_of_two, surrounded, two_clusters
from metaeval.conditions._premise import admitted, clusterings, inside_one_class
from metaeval.core.case import Case
from metaeval.core.relation import WORSE
from metaeval.proofs.situation import of_clusterings
from metaeval.strategies import bits, integers


def premise(case: Case, reading: str) -> bool:
    """A cluster inside no class gave way to two disjoint parts of it, each inside a class."""
    sets = clusterings(case)
    if sets is None or not admitted(sets, reading) or (len(sets.removed), len(sets.added)) != (1, 2):
        return False
    (mixed,), (one, other) = sets.removed, sets.added
    return (
        one | other == mixed
        and one.isdisjoint(other)
        and not inside_one_class(mixed, sets.gold)
        and inside_one_class(one, sets.gold)
        and inside_one_class(other, sets.gold)
    )


def sides(one: Cluster, other: Cluster) -> Sides:
    """Left, the cluster that mixes both; right, its two sets."""
    return [one | other], [one, other]


@st.composite
def disjoint(draw: _strategy.Draw, partial: bool) -> Case:
    """A cluster of two classes' objects, with other objects around it."""
    one, other = _strategy.two_clusters(draw)
    return _strategy.in_context(draw, [one, other], sides(one, other), partial)


@st.composite
def overlapping(draw: _strategy.Draw) -> Case:
    """The same with classes and clusters drawn as free sets; only what the premise forbids is cut away."""
    size = draw(integers(1, 3))
    mixed = mask_of(range(size + draw(integers(1, 3))))
    one = mask_of(range(size))
    other = mixed & ~one
    objects = mixed.bit_length() + draw(_strategy.FURTHER)

    def torn(mask: int, spare: int) -> int:
        """A class that would hold the whole mixed cluster goes without one object of it."""
        return mask & ~spare if mask & mixed == mixed else mask

    # The spare object is the first of the other part.
    gold = [torn(_strategy.wider(draw, core, objects), spare & -spare) for core, spare in ((one, other), (other, one))]
    for more in _strategy.masks(draw, objects):
        gold.append(torn(more, 1 << draw(integers(0, mixed.bit_length() - 1))))
    return _strategy.in_free_context(draw, objects, filter(None, gold), sides(bits(one), bits(other)))


def enumerate_disjoint(objects: int, partial: bool) -> Iterator[Case]:
    """Every two sets, each a single item of a class: it fills one place."""
    for one, other in two_clusters(objects):
        yield from surrounded(sides(one, other), [[one], [other]], objects, partial, in_one_of_two)


def splits(clusters: list[Cluster], gold: list[Cluster]) -> Iterator[Sides]:
    """Every cluster inside no class that can be cut in two parts inside classes."""
    for cluster in clusters:
        for one, other in _halves(cluster) if not held(cluster, gold) else ():
            if held(one, gold) and held(other, gold):
                yield sides(one, other)


def _halves(cluster: Cluster) -> Iterator[tuple[Cluster, Cluster]]:
    """Every way to cut a cluster in two, each once: the part with the larger bitmask comes first."""
    whole = mask_of(cluster)
    one = (whole - 1) & whole
    while one > whole & ~one:
        yield bits(one), bits(whole & ~one)
        one = (one - 1) & whole


condition(
    "A.1",
    name="Homogeneity",
    statement=(
        "If a cluster that mixes objects of two classes is replaced by two clusters, each with objects of "
        "one of these classes only, the score must rise."
    ),
    citation=_readings.AMIGO,
    relation=WORSE,
    step="after the split",
    premise=premise,
    situations=of_clusterings("rise", moves=("split",)),
    readings=[
        _readings.canonical(disjoint, enumerate_disjoint, complete=8),
        _readings.literal(disjoint, enumerate_disjoint, complete=7),
        _readings.overlapping(
            overlapping,
            adds="The mixed cluster lies inside no class; an object of both classes may go to either part.",
            moves=splits,
        ),
    ],
)
