"""Large cases written down in a line: so many objects of this cluster and that class.

A *group* is a number of objects with the cluster and the class that they share. A label is anything hashable;
None stands for no cluster, or no class, and a list for several. What surrounds a case comes first, so that the
objects and the clusters it is about are the last ones.
"""

from collections.abc import Hashable, Iterable

from metaeval import Biclustering, Case, Side
from metaeval.conditions.b3_scale_invariance import scaled
from metaeval.conditions.b4_copy_invariance import copied

Label = Hashable | list[Hashable] | None
#: So many objects, their cluster and their class.
Group = tuple[int, Label, Label]


def clusterings(groups: Iterable[tuple[int, Label, Label, Label]], features: int = 1) -> Case:
    """So many objects, their cluster on the left, their cluster on the right, their class."""
    families: list[dict[Hashable, set[int]]] = [{}, {}, {}]
    objects = 0
    for number, *labels in groups:
        new = range(objects, objects + number)
        objects = new.stop
        for family, label in zip(families, labels, strict=True):
            for one in several(label):
                family.setdefault(one, set()).update(new)
    shape = (objects, features)
    left, right, gold = (Biclustering.lifted(family.values(), range(features), shape) for family in families)
    return Case(Side(left, gold), Side(right, gold))


def several(label: Label) -> list[Hashable]:
    if isinstance(label, list):
        return label
    return [] if label is None else [label]


def on_both_sides(groups: Iterable[Group]) -> list[tuple[int, Label, Label, Label]]:
    return [(number, cluster, cluster, label) for number, cluster, label in groups]


def alone(number: int, label: Label = None, name: str = "alone") -> list[Group]:
    """So many objects, each a cluster of its own; each a class of its own as well, unless they share this one."""
    return [(1, (name, i), label or (name, i)) for i in range(number)]


def mixed_pairs(number: int) -> list[Group]:
    """So many clusters of one object of class P and one of class Q."""
    return [(1, ("mixed", i), label) for i in range(number) for label in "PQ"]


def split(one: int, other: int, around: Iterable[Group] = ()) -> Case:
    """A.1: a cluster of so many objects of class P and of class Q, and its two parts."""
    return clusterings([*on_both_sides(around), (one, "K", "P", "P"), (other, "K", "Q", "Q")])


def joined(one: int, other: int, around: Iterable[Group] = ()) -> Case:
    """A.2: two clusters of so many objects of class C, and their union."""
    return clusterings([*on_both_sides(around), (one, "P", "K", "C"), (other, "Q", "K", "C")])


def rag_bag(size: int, around: Iterable[Group] = ()) -> Case:
    """A.3: a stray object moves from a clean cluster to a bag of as many strays as that has objects."""
    noise = [(1, "noise", "noise", ("stray", i)) for i in range(size)]
    return clusterings([*on_both_sides(around), (size, "clean", "clean", "C"), *noise, (1, "clean", "noise", "stray")])


def broken_pairs(number: int, around: Iterable[Group] = ()) -> Case:
    """A.4: a large cluster is kept and so many pairs are broken, or the other way round."""
    pairs = [(1, ("half", i, half), ("pair", i), ("pair", i)) for i in range(number) for half in "ab"]
    large = [(number, "large", "large", "L"), (1, "large", "split off", "L")]
    return clusterings([*on_both_sides(around), *large, *pairs])


def against_gold(groups: Iterable[Group], features: int = 1) -> Case:
    """A.5: a candidate that is not the gold, and the gold itself."""
    return clusterings([(number, cluster, label, label) for number, cluster, label in groups], features)


def itself(candidate: Biclustering, gold: Biclustering) -> Case:
    """A.5 with biclusters."""
    return Case(Side(candidate, gold), Side(gold, gold))


def added(new: Iterable[tuple[int, Label]], around: Iterable[Group], features: int = 1) -> Case:
    """B.1: so many new objects join a cluster, or are one."""
    return clusterings([*on_both_sides(around), *((n, cluster, None, None) for n, cluster in new)], features)


def in_matrix(one: Side, objects: int, features: int) -> Case:
    """B.2: the same on a matrix of so many objects and features."""
    return Case(one, Side(*(family.on((objects, features)) for family in one)))


def side(groups: Iterable[Group], features: int = 1) -> Side:
    """A candidate and a gold."""
    return clusterings(on_both_sides(groups), features).left


def times(one: Side, factor: int) -> Case:
    """B.3: every object and every feature so many times."""
    return Case(one, Side(*(scaled(family, factor) for family in one)))


def copies(one: Side, factor: int) -> Case:
    """B.4: so many copies on objects of their own."""
    return Case(one, Side(*(copied(family, factor, fresh_features=False) for family in one)))


def spanned(gold: Biclustering) -> Case:
    """B.5: one bicluster with the rows and the columns of all classes."""
    rows = frozenset().union(*(rows for rows, _ in gold))
    cols = frozenset().union(*(cols for _, cols in gold))
    return itself(Biclustering([(rows, cols)], gold.shape), gold)
