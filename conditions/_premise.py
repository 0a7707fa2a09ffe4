"""Tools of the premises: predicates that judge a case and never construct one."""

from collections.abc import Callable, Iterable
from itertools import combinations, product
from typing import NamedTuple

from metaeval.conditions._clusters import Cluster
from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case, Side

Clusters = frozenset[Cluster]


class Clusterings(NamedTuple):
    """A case of traditional clusterings: the objects' number, the classes, the clusters left and right."""

    objects: int
    gold: Clusters
    left: Clusters
    right: Clusters

    @property
    def removed(self) -> Clusters:
        """The clusters that only the left has."""
        return self.left - self.right

    @property
    def added(self) -> Clusters:
        """The clusters that only the right has."""
        return self.right - self.left


def clusterings(case: Case) -> Clusterings | None:
    """The case as clusterings of one gold standard, or None where it is not one (or repeats a cluster)."""
    if not one_gold(case):
        return None
    families = (case.left.gold, case.left.candidate, case.right.candidate)
    if len({cols for family in families for _, cols in family.biclusters}) != 1:
        return None
    return Clusterings(case.objects, *[frozenset([rows for rows, _ in family.biclusters]) for family in families])


def admitted(sets: Clusterings, reading: str) -> bool:
    """Whether gold and candidates are of the kind that the reading is about."""
    families = (sets.gold, sets.left, sets.right)
    if reading == "overlapping":
        return True
    sizes = [sum(map(len, family)) for family in families]
    covers = [len(frozenset().union(*family)) for family in families]
    return sizes == covers and (reading == "literal" or covers == [sets.objects] * 3)


def are_partitions(families: Iterable[Biclustering]) -> bool:
    """Whether all are partitions of the objects of one matrix, on one set of features."""
    some = list(families)
    columns = {cols for family in some for _, cols in family}
    return (
        len({family.shape for family in some}) == 1
        and len(columns) == 1
        and all(sorted(row for rows, _ in family for row in rows) == [*range(family.shape[0])] for family in some)
    )


def is_of_kind(case: Case, reading: str) -> bool:
    """Whether all families are partitions if the reading is canonical, and disjoint if it is literal."""
    if reading == "canonical":
        return are_partitions(case.families)
    return reading != "literal" or all_disjoint(case)


def on_one_feature(case: Case, premise: Callable[..., bool], reading: str) -> bool:
    """Whether every family is a clustering of objects on the one feature there is, and the ``premise`` admits it."""
    return all(family.shape[1] == 1 for family in case.families) and premise(case, reading=reading)


def inside_one_class(objects: Iterable[int], gold: Clusters) -> bool:
    """Whether some class holds all these objects."""
    members = frozenset(objects)
    return any(members <= one for one in gold)


def same_gold(case: Case) -> bool:
    """Whether both sides are scored against one gold standard."""
    one, other = case.left.gold, case.right.gold
    return one is other or one.family == other.family


def has_repeats(case: Case) -> bool:
    """Whether any family holds a bicluster twice."""
    return any(len(family.family) < len(family.biclusters) for family in case.families)


def one_gold(case: Case) -> bool:
    """Whether two candidates on one matrix are scored against one gold standard, none of them with repeats."""
    return same_gold(case) and case.left.shape == case.right.shape and not has_repeats(case)


def right_is_gold(case: Case) -> bool:
    """The same, the right candidate being the gold itself."""
    return one_gold(case) and case.right.candidate.family == case.right.gold.family


def only_left_and_right(case: Case) -> tuple[list[Bicluster], list[Bicluster]]:
    """The biclusters that only the left candidate has, and those that only the right one has."""
    left, right = set(case.left.candidate), set(case.right.candidate)
    return list(left - right), list(right - left)


def holds(larger: Bicluster, smaller: Bicluster) -> bool:
    """Whether a bicluster has all cells of another."""
    return larger[0] >= smaller[0] and larger[1] >= smaller[1]


def is_degenerate(family: Biclustering) -> bool:
    """Whether some bicluster is a single cell."""
    return any(len(rows) == len(cols) == 1 for rows, cols in family)


def fits_reading(case: Case, reading: str) -> bool:
    """Whether biclusterings overlap, and are degenerate, only where the reading admits it."""
    if reading not in ("literal", "overlapping") and any(is_degenerate(family) for side in case for family in side):
        return False
    return reading not in ("canonical", "literal") or all_disjoint(case)


def share_a_cell(a: Bicluster, b: Bicluster) -> bool:
    """Whether two biclusters share a cell."""
    return not (a[0].isdisjoint(b[0]) or a[1].isdisjoint(b[1]))


def is_disjoint(family: Biclustering) -> bool:
    """Whether no two biclusters share a cell."""
    if sum(len(rows) for rows, _ in family) == len({row for rows, _ in family for row in rows}):
        return True  # not even a row
    cells = sum(len(rows) * len(cols) for rows, cols in family)
    if cells < len(family) ** 2:  # of very many biclusters the cells are fewer than the pairs
        return len({cell for rows, cols in family for cell in product(rows, cols)}) == cells
    return not any(share_a_cell(a, b) for a, b in combinations(family, 2))


def all_disjoint(case: Case) -> bool:
    """Whether every family of the case is disjoint."""
    return all(is_disjoint(family) for side in case for family in side)


def shared_cells(side: Side) -> int:
    """The most cells that a bicluster of the candidate has in common with one of the gold."""
    pairs = product(side.candidate, side.gold)
    return max((len(a[0] & b[0]) * len(a[1] & b[1]) for a, b in pairs), default=0)


def meet(side: Side) -> bool:
    """Whether candidate and gold share a cell."""
    return any(share_a_cell(a, b) for a in side.candidate for b in side.gold)
