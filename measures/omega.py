"""The Omega index, adjusted Rand for clusterings that overlap, and its soft form.

These are functions: equations have no sum over the numbers of clusters that a pair shares. Where nothing overlaps there
is an equation for Omega, which it declares.
"""

from collections import Counter
from fractions import Fraction

from metaeval.catalogue.measure import measure
from metaeval.core.biclustering import Biclustering
from metaeval.equations import Equation, in_class, in_cluster, pairs, share
from metaeval.equations.exact_sums import pair_depths
from metaeval.kernel.overlay import Overlay, check_clusterings, objects, overlay, sum_of_ratios

PAIRS = pairs(1)
TOGETHER, EXPECTED = pairs(in_cluster), pairs(in_class)
AGREED = pairs(1 - in_cluster - in_class + 2 * in_cluster * in_class)
BY_CHANCE = TOGETHER * EXPECTED + (PAIRS - TOGETHER) * (PAIRS - EXPECTED)
#: Omega where no object is in two clusters of a side: then it is the adjusted Rand index.
DISJOINT = Equation(
    share(PAIRS * AGREED - BY_CHANCE, PAIRS**2 - BY_CHANCE), empty=1, unit="objects", domain="disjoint", low=-1
)


@measure(
    "omega", name="Omega", citation="Collins & Dent 1988, doi:10.1207/s15327906mbr2302_6", domain="clusterings",
    equation=DISJOINT, family="pairs",
)  # fmt: skip
def omega(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """How far pairs of objects share as many clusters as classes, beyond what chance would bring.

        Omega = (Obs − Exp) / (1 − Exp),  Obs = Σⱼ Aⱼ/P,  Exp = Σⱼ Pⱼ·P′ⱼ/P²

    over the P pairs of the objects that either side covers. Pⱼ of them share j clusters, P′ⱼ share j classes, and Aⱼ
    share j of each. On partitions this is the adjusted Rand index. In general it is Cohen's κ of the two numbers, which
    is never below −1.

    Undefined when Exp is 1, and with fewer than two objects; 1 by convention, for then no pair tells the sides apart.

    >>> gold = Biclustering.lifted([{0, 1, 2}, {1, 2, 3}])
    >>> omega(Biclustering.lifted([{0, 1, 2}, {2, 3}]), gold)
    Fraction(1, 3)
    """
    found = _pairs_by_depth(overlay(candidate, gold))
    clusters, classes = _depths(found)
    agreed = sum(n for (shared, expected), n in found.items() if shared == expected)
    by_chance = sum(n * classes[depth] for depth, n in clusters.items())
    return _beyond_chance(Fraction(agreed), by_chance, found.total())


@measure(
    "soft-omega", name="Soft Omega", citation="Lutov et al. 2019, arXiv:1902.01691, doi:10.1109/BIGCOMP.2019.8679398",
    domain="clusterings", family="pairs",
)  # fmt: skip
def soft_omega(candidate: Biclustering, gold: Biclustering) -> Fraction:
    """Omega where a pair that shares j clusters and j′ classes agrees to min(j, j′)/max(j, j′), not to 0 or 1.

        Soft Omega = (Obs − Exp) / (1 − Exp)
        Obs        = 1/P · Σ_pairs min(j, j′)/max(j, j′),  0/0 being 1
        Exp        = 1/P² · ( Σ_{j ≤ m} Pⱼ·P′ⱼ + Σ_{j > m} Rⱼ ),  m = min(J, J′)

    Pairs are those of the objects that either side covers; Pⱼ of them share j clusters and P′ⱼ share j classes. J and
    J′ are the largest numbers of clusters, and of classes, that an object is in; R is P′ where J′ is larger, else P.
    The source has "a pair" for "an object" there, but only so do its own example, 1/3, and its remark come out that on
    partitions Soft Omega is Omega.

    Undefined when Exp is 1, and with fewer than two objects; by convention 1 when all pairs agree, else 0.

    >>> gold = Biclustering.lifted([{0, 1, 2}, {1, 2, 3}, {2, 3, 0}, {3, 0, 1}])
    >>> soft_omega(Biclustering.lifted([{0, 1}, {1, 2}, {2, 3}, {3, 0}]), gold)
    Fraction(1, 3)
    """
    cells = overlay(candidate, gold)
    found = _pairs_by_depth(cells)
    agreed = sum_of_ratios([(n * min(shared), max(shared)) if any(shared) else (n, 1) for shared, n in found.items()])
    clusters, classes = _depths(found)
    deepest = max((atom.candidate.bit_count() for atom in cells.atoms), default=0)
    deepest_class = max((atom.gold.bit_count() for atom in cells.atoms), default=0)
    least, deeper = min(deepest, deepest_class), classes if deepest_class > deepest else clusters
    by_chance = sum(n * classes[depth] for depth, n in clusters.items() if depth <= least)
    by_chance += sum(n for depth, n in deeper.items() if depth > least)
    return _beyond_chance(agreed, by_chance, found.total())


def _pairs_by_depth(cells: Overlay) -> Counter[tuple[int, int]]:
    """How many pairs of the objects that a side covers share so many clusters and so many classes."""
    check_clusterings(cells)
    return Counter({(x, y): number for x, y, number in pair_depths(objects(cells))})


def _depths(found: Counter[tuple[int, int]]) -> tuple[Counter[int], Counter[int]]:
    """P and P′: how many pairs share so many clusters, and so many classes."""
    clusters, classes = Counter[int](), Counter[int]()
    for (shared, expected), n in found.items():
        clusters[shared] += n
        classes[expected] += n
    return clusters, classes


def _beyond_chance(agreed: Fraction, by_chance: int, pairs: int) -> Fraction:
    """(Obs − Exp)/(1 − Exp); where Exp is 1, 1 if all pairs agree."""
    if by_chance == pairs**2:
        return Fraction(1) if agreed == pairs else Fraction(0)
    return (pairs * agreed - by_chance) / (pairs**2 - by_chance)
