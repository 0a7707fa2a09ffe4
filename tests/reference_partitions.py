"""The measures of partitions and of clusterings once more, object by object and pair by pair: slow, without the kernel.

A side is a list of sets of objects. As in :mod:`reference`, G are the clusters and C the classes. All are similarities.
What the measures state exactly with roots is given as a square with its sign, what they state with logarithms as a
float.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, permutations
from math import acos, exp, log, pi, sqrt

from reference import Family, covered, f1, holding


def cluster_of(family: Family, x: object) -> frozenset:
    (cluster,) = holding(family, x)
    return cluster


def mean(values: Iterable[Fraction]) -> Fraction:
    listed = list(values)
    return sum(listed, Fraction(0)) / len(listed)


# --- Matching ------------------------------------------------------------------------------------------------
def purity(G: Family, C: Family) -> Fraction:
    """The mean, over the objects, of how large a part of their cluster its prevailing class is."""
    return mean(max(Fraction(len(cluster_of(G, x) & c), len(cluster_of(G, x))) for c in C) for x in covered(G))


def best_f1(x: frozenset, family: Family) -> Fraction:
    return max(f1(Fraction(len(x & y), len(x)), Fraction(len(x & y), len(y))) for y in family)


def edit_distance(G: Family, C: Family) -> Fraction:
    """Every cluster is made once, and each object that is not of the class it stands for is moved."""
    moved = sum(len(g) - max(len(g & c) for c in C) for g in G)
    return 1 - Fraction(len(G) + moved, len(covered(G)))


def weighted_mean(family: Family, value: Callable[[frozenset], Fraction]) -> Fraction:
    """Over clusters, each as often as it has members."""
    return mean(value(x) for x in family for _ in x)


def weighted_f1(G: Family, C: Family, joined: Callable[[Fraction, Fraction], Fraction]) -> Fraction:
    if not G or not C:
        return Fraction(not G and not C)
    return joined(weighted_mean(G, lambda x: best_f1(x, C)), weighted_mean(C, lambda x: best_f1(x, G)))


def f1p(G: Family, C: Family) -> float:
    if not G or not C:
        return float(not G and not C)

    def one_sided(X: Family, Y: Family) -> float:
        best = (len(x) * max(len(x & y) / sqrt(len(x) * len(y)) for y in Y) for x in X)
        return sum(best) / sum(map(len, X))

    found, expected = one_sided(G, C), one_sided(C, G)
    return 2 * found * expected / (found + expected) if found + expected else 0.0


# --- Pairs of objects ----------------------------------------------------------------------------------------
def together(family: Family, x: object, y: object) -> int:
    return len(holding(family, x, y))


def pairs(G: Family, C: Family) -> tuple[int, int, int, int]:
    """N₁₁, N₁₀, N₀₁, N₀₀, by looking at every pair."""
    counts = Counter((together(C, x, y) > 0, together(G, x, y) > 0) for x, y in combinations(covered(G + C), 2))
    return counts[True, True], counts[True, False], counts[False, True], counts[False, False]


def part(of: int, whole: int) -> Fraction:
    return Fraction(of, whole) if whole else Fraction(1)


def of_pairs(score: Callable[[int, int, int, int], Fraction]) -> Callable[[Family, Family], Fraction]:
    return lambda G, C: score(*pairs(G, C))


rand = of_pairs(lambda n11, n10, n01, n00: part(n11 + n00, n11 + n10 + n01 + n00))
jaccard = of_pairs(lambda n11, n10, n01, n00: part(n11, n11 + n10 + n01))
dice = of_pairs(lambda n11, n10, n01, n00: part(2 * n11, 2 * n11 + n10 + n01))
wallace = of_pairs(lambda n11, n10, n01, n00: part(n11, n11 + n10))
# The square.
fowlkes_mallows = of_pairs(lambda n11, n10, n01, n00: part(n11, n11 + n10) * part(n11, n11 + n01))


def correlation(G: Family, C: Family) -> Fraction:
    """The square, with its sign: covariance and variances of two indicators over all pairs of objects."""
    indicators = [(together(G, x, y), together(C, x, y)) for x, y in combinations(covered(G), 2)]
    if all(found == true for found, true in indicators):
        return Fraction(1)
    found, true = ([Fraction(value) for value in side] for side in zip(*indicators, strict=True))
    deviations = [(a - mean(found), b - mean(true)) for a, b in zip(found, true, strict=True)]
    covariance, *variances = (sum(terms) for terms in zip(*((a * b, a * a, b * b) for a, b in deviations), strict=True))
    return covariance * abs(covariance) / (variances[0] * variances[1]) if all(variances) else Fraction(0)


def correlation_distance(G: Family, C: Family) -> float:
    square = correlation(G, C)
    return -acos(sqrt(abs(square)) * (1 if square > 0 else -1)) / pi


def sokal_sneath(G: Family, C: Family) -> Fraction:
    n11, n10, n01, n00 = pairs(G, C)
    return (part(n11, n11 + n10) + part(n11, n11 + n01) + part(n00, n00 + n10) + part(n00, n00 + n01)) / 4


def relabelled(family: Family) -> list[Family]:
    """The same clusters over the objects in every order."""
    rows = sorted(covered(family))
    orders = [dict(zip(rows, order, strict=True)) for order in permutations(rows)]
    return [[frozenset(order[x] for x in cluster) for cluster in family] for order in orders]


def adjusted_rand(G: Family, C: Family) -> Fraction:
    """Rand against its mean over all orders of the objects."""
    expected = mean(rand(other, C) for other in relabelled(G))
    return Fraction(1) if expected == 1 else (rand(G, C) - expected) / (1 - expected)


def omega(G: Family, C: Family) -> Fraction:
    """Agreement of two pairs' numbers, beyond that of one pair's number with any other pair's."""
    numbers = [(together(G, x, y), together(C, x, y)) for x, y in combinations(covered(G + C), 2)]
    if not numbers:
        return Fraction(1)
    observed = mean(Fraction(found == true) for found, true in numbers)
    expected = mean(Fraction(found == true) for found, _ in numbers for _, true in numbers)
    return Fraction(1) if expected == 1 else (observed - expected) / (1 - expected)


def soft_omega(G: Family, C: Family, deepest: Callable[[Family], int] | None = None) -> Fraction:
    """Algorithm 1 of the source, with vectors up to the most clusters an object is in, or what ``deepest`` says."""
    numbers = [(together(C, x, y), together(G, x, y)) for x, y in combinations(covered(G + C), 2)]
    if not numbers:
        return Fraction(1)
    deepest = deepest or (lambda family: max((len(holding(family, x)) for x in covered(family)), default=0))
    observed = sum(Fraction(1) if gn == cn else Fraction(min(gn, cn), max(gn, cn)) for gn, cn in numbers)
    ngs, ncs = (Counter(side) for side in zip(*numbers, strict=True))
    last_class, last_cluster = deepest(C), deepest(G)
    expected = sum(ngs[i] * ncs[i] for i in range(min(last_class, last_cluster) + 1))
    rest = ngs if last_class > last_cluster else ncs
    expected += sum(rest[i] for i in range(min(last_class, last_cluster) + 1, max(last_class, last_cluster) + 1))
    by_chance = Fraction(expected, len(numbers))
    if by_chance == len(numbers):
        return Fraction(observed == len(numbers))
    return (observed - by_chance) / (len(numbers) - by_chance)


# --- Information ---------------------------------------------------------------------------------------------
def entropy_of(family: Family) -> float:
    U = covered(family)
    return -sum(log(len(cluster_of(family, x)) / len(U)) for x in U) / len(U)


def conditional_entropy(of: Family, given: Family) -> float:
    U = covered(of)
    inside = ((cluster_of(of, x) & cluster_of(given, x), cluster_of(given, x)) for x in U)
    return -sum(log(len(both) / len(whole)) for both, whole in inside) / len(U)


def mutual_information(G: Family, C: Family) -> float:
    return entropy_of(C) - conditional_entropy(C, G)


def v_measure(G: Family, C: Family) -> float:
    homogeneity = 1 - conditional_entropy(C, G) / entropy_of(C) if len(C) > 1 else 1.0
    completeness = 1 - conditional_entropy(G, C) / entropy_of(G) if len(G) > 1 else 1.0
    return 2 * homogeneity * completeness / (homogeneity + completeness) if homogeneity + completeness else 0.0


def nmi(G: Family, C: Family) -> float:
    both = entropy_of(G) + entropy_of(C)
    return mutual_information(G, C) / (both / 2) if len(G) > 1 or len(C) > 1 else 1.0


def nmi_max(G: Family, C: Family) -> float:
    larger = max(entropy_of(G), entropy_of(C))
    return mutual_information(G, C) / larger if len(G) > 1 or len(C) > 1 else 1.0


def fnmi(G: Family, C: Family) -> float:
    return nmi(G, C) * exp(-abs(len(C) - len(G)) / len(C))


def expected_information(G: Family, C: Family) -> float:
    informations = [mutual_information(other, C) for other in relabelled(G)]
    return sum(informations) / len(informations)


def _adjusted(G: Family, C: Family, most: float) -> float:
    if len(G) == len(C) and len(G) in (1, len(covered(G))):
        return 1.0
    if len(G) == 1 or len(C) == 1:
        return 0.0
    expected = expected_information(G, C)
    return (mutual_information(G, C) - expected) / (most - expected)


#: By the ids of the registry.
MEASURES = {
    "purity": purity, "inverse-purity": lambda G, C: purity(C, G), "purity-f": lambda G,
    C: f1(purity(G, C), purity(C, G)), "f-measure": lambda G, C: mean(best_f1(cluster_of(C, x), G) for x in covered(C)),
    "f1a": lambda G, C: weighted_f1(G, C, lambda one, other: (one + other) / 2), "f1h": lambda G,
    C: weighted_f1(G, C, f1), "f1p": f1p, "entropy": lambda G, C: -conditional_entropy(C, G), "class-entropy": lambda G,
    C: -conditional_entropy(G, C), "ami": lambda G, C: _adjusted(G, C, (entropy_of(G) + entropy_of(C)) / 2),
    "ami-geometric": lambda G, C: _adjusted(G, C, sqrt(abs(entropy_of(G) * entropy_of(C)))),
    "edit-distance": edit_distance, "mutual-information": mutual_information, "v-measure": v_measure, "nmi": nmi,
    "nmi-max": nmi_max, "fnmi": fnmi, "jaccard": jaccard, "dice": dice, "wallace": wallace,
    "fowlkes-mallows": fowlkes_mallows, "correlation": correlation, "correlation-distance": correlation_distance,
    "sokal-sneath": sokal_sneath, "adjusted-rand": adjusted_rand, "omega": omega, "soft-omega": soft_omega,
}  # fmt: skip
