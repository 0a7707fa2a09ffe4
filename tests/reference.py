"""Every measure once more, straight from its equation over single cells: slow, and independent of the kernel.

A side is any iterable of (rows, columns). As in the paper, G is the candidate and C the gold standard.
Families are lists of sets, so that a repeated bicluster is one more member of G(x).
"""

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from itertools import combinations, permutations, product
from math import log, prod, sqrt

Family = list[frozenset[Hashable]]
Similarity = Callable[[Family, Family, Hashable, Hashable], Fraction]


def cells(side: Iterable) -> Family:
    """The micro-object transformation: rows × columns of each bicluster."""
    return [frozenset(product(rows, cols)) for rows, cols in side]


def objects(side: Iterable) -> Family:
    return [frozenset(rows) for rows, _ in side]


def covered(family: Family) -> frozenset[Hashable]:
    return frozenset().union(*family)


def holding(family: Family, *items: Hashable) -> Family:
    """G(x), or G(x, y): the members that hold all the items."""
    return [member for member in family if all(item in member for item in items)]


# --- MOCICE, CICE and BCubed ---------------------------------------------------------------------------------
def phi(G: Family, C: Family, x: Hashable, y: Hashable) -> Fraction:
    """The cluster identity index; 0 where no cluster or no class holds both."""
    clusters, classes = holding(G, x, y), holding(C, x, y)
    if not clusters or not classes:
        return Fraction(0)
    return sum(max(Fraction(len(g & c), len(g | c)) for c in classes) for g in clusters) / Fraction(len(clusters))


def one(G: Family, C: Family, x: Hashable, y: Hashable) -> Fraction:
    """Φ of plain BCubed."""
    return Fraction(1)


def family_mean(of: Family, G: Family, C: Family, Phi: Similarity) -> Fraction:
    """Precision, the mean over the items of G and their mates there of ς; or recall, that of τ over those of C."""
    if not G or not C:
        return Fraction(not G and not C)
    U, total = covered(of), Fraction(0)
    for x in U:
        E = covered(holding(of, x))
        for y in E:
            both = min(len(holding(G, x, y)), len(holding(C, x, y)))
            total += both * Phi(G, C, x, y) / len(holding(of, x, y)) / len(E)
    return total / len(U)


def family_f1(G: Family, C: Family, Phi: Similarity) -> Fraction:
    return f1(family_mean(G, G, C, Phi), family_mean(C, G, C, Phi))


def f1(precision: Fraction, recall: Fraction) -> Fraction:
    return 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)


def mocice_precision(candidate: Iterable, gold: Iterable) -> Fraction:
    return family_mean(cells(candidate), cells(candidate), cells(gold), phi)


def mocice_recall(candidate: Iterable, gold: Iterable) -> Fraction:
    return family_mean(cells(gold), cells(candidate), cells(gold), phi)


def mocice(candidate: Iterable, gold: Iterable) -> Fraction:
    return f1(mocice_precision(candidate, gold), mocice_recall(candidate, gold))


def cice(candidate: Iterable, gold: Iterable) -> Fraction:
    """On the objects themselves: no cells, no features."""
    return family_f1(objects(candidate), objects(gold), phi)


def bcubed(candidate: Iterable, gold: Iterable) -> Fraction:
    return family_f1(cells(candidate), cells(gold), one)


# --- CE, RNIA, E4SC ------------------------------------------------------------------------------------------
def best_matching(candidate: Iterable, gold: Iterable) -> int:
    """D_max, by trying every one-to-one matching."""
    fewer, more = sorted((cells(candidate), cells(gold)), key=len)
    return max(sum(len(a & b) for a, b in zip(fewer, chosen, strict=True)) for chosen in permutations(more, len(fewer)))


def ce(candidate: Iterable, gold: Iterable) -> Fraction:
    U = covered(cells(candidate) + cells(gold))
    return Fraction(best_matching(candidate, gold), len(U)) if U else Fraction(1)


def ce_multiset(candidate: Iterable, gold: Iterable) -> Fraction:
    G, C = cells(candidate), cells(gold)
    U = covered(G + C)
    size = sum(max(len(holding(G, x)), len(holding(C, x))) for x in U)
    return Fraction(best_matching(candidate, gold), size) if U else Fraction(1)


def rnia(candidate: Iterable, gold: Iterable) -> Fraction:
    U_G, U_C = covered(cells(candidate)), covered(cells(gold))
    return Fraction(len(U_G & U_C), len(U_G | U_C)) if U_G | U_C else Fraction(1)


def e4sc(candidate: Iterable, gold: Iterable) -> Fraction:
    G, C = cells(candidate), cells(gold)
    if not G or not C:
        return Fraction(not G and not C)
    return f1(_macro_f1(G, C), _macro_f1(C, G))


def _macro_f1(G: Family, C: Family) -> Fraction:
    return mean(max(f1(Fraction(len(g & c), len(g)), Fraction(len(g & c), len(c))) for c in C) for g in G)


# --- Rand and VI ---------------------------------------------------------------------------------------------
def padded(family: Family, universe: frozenset[Hashable]) -> Family:
    """With a singleton for every item of the universe that the family leaves out."""
    return family + [frozenset({x}) for x in universe - covered(family)]


def rand(candidate: Iterable, gold: Iterable) -> Fraction:
    return _rand_over(candidate, gold, covered(cells(candidate) + cells(gold)))


def rand_background(candidate, gold) -> Fraction:
    """Over every cell of the smallest matrix that holds both matrices."""
    n, m = (max(sizes) for sizes in zip(candidate.shape, gold.shape, strict=True))
    return _rand_over(candidate, gold, frozenset(product(range(n), range(m))))


def _rand_over(candidate: Iterable, gold: Iterable, universe: frozenset[Hashable]) -> Fraction:
    G, C = padded(cells(candidate), universe), padded(cells(gold), universe)
    pairs = list(combinations(universe, 2))
    agreed = sum(bool(holding(G, x, y)) == bool(holding(C, x, y)) for x, y in pairs)
    return Fraction(agreed, len(pairs)) if pairs else Fraction(1)


def vi(candidate: Iterable, gold: Iterable) -> float:
    """As a similarity: −VI."""
    U = covered(cells(candidate) + cells(gold))
    G, C = padded(cells(candidate), U), padded(cells(gold), U)
    total = sum(len(g & c) * log(len(g) * len(c) / len(g & c) ** 2) for g in G for c in C if g & c)
    return -total / len(U) if U else 0.0


def vi_product(candidate: Iterable, gold: Iterable) -> tuple[Fraction, int]:
    """e^(|U|·VI), which is a rational number, and |U|."""
    U = covered(cells(candidate) + cells(gold))
    G, C = padded(cells(candidate), U), padded(cells(gold), U)
    factors = (Fraction(len(g) * len(c), len(g & c) ** 2) ** len(g & c) for g in G for c in C if g & c)
    return prod(factors, start=Fraction(1)), len(U)


# --- Horta & Campello 2014 -----------------------------------------------------------------------------------
def jaccard(a: frozenset[Hashable], b: frozenset[Hashable]) -> Fraction:
    return Fraction(len(a & b), len(a | b))


def dice(a: frozenset[Hashable], b: frozenset[Hashable]) -> Fraction:
    return Fraction(2 * len(a & b), len(a) + len(b))


def mean(values: Iterable[Fraction]) -> Fraction:
    found = list(values)
    return sum(found, Fraction(0)) / len(found)


def mean_of_best(alike: Callable[..., Fraction], these: Iterable, those: Iterable) -> Fraction:
    """How like its best counterpart each of these is, in the mean."""
    return mean(max(alike(one, other) for other in those) for one in these)


def unless_empty(definition: Callable[..., Fraction]) -> Callable[[Iterable, Iterable], Fraction]:
    """1 where both sides are empty, 0 where one is."""

    def scored(candidate, gold) -> Fraction:
        if not list(candidate) or not list(gold):
            return Fraction(not list(candidate) and not list(gold))
        return definition(candidate, gold)

    return scored


@unless_empty
def prelic_relevance_squared(candidate: Iterable, gold: Iterable) -> Fraction:
    """What is below the root, which is a rational number."""
    (rows, cols), (rows_, cols_) = (zip(*side, strict=True) for side in (candidate, gold))
    return mean_of_best(jaccard, rows, rows_) * mean_of_best(jaccard, cols, cols_)


@unless_empty
def rnia_multiset(candidate: Iterable, gold: Iterable) -> Fraction:
    G, C = cells(candidate), cells(gold)
    N = [(len(holding(G, x)), len(holding(C, x))) for x in covered(G + C)]
    return Fraction(sum(map(min, N)), sum(map(max, N)))


@unless_empty
def bozdag_u(candidate: Iterable, gold: Iterable) -> Fraction:
    U_G, U_C = covered(cells(candidate)), covered(cells(gold))
    return Fraction(len(U_G & U_C), len(U_C))


@unless_empty
def liu_wang(candidate: Iterable, gold: Iterable) -> Fraction:
    def alike(one, other) -> Fraction:
        (R, S), (R_, S_) = one, other
        return Fraction(len(R & R_) + len(S & S_), len(R | R_) + len(S | S_))

    return mean_of_best(alike, candidate, gold)


@unless_empty
def ayadi(candidate: Iterable, gold: Iterable) -> Fraction:
    def alike(one, other) -> Fraction:
        (R, S), (R_, S_) = one, other
        return Fraction(len(R & R_) * len(S & S_), len(R | R_) * len(S | S_))

    return mean_of_best(alike, candidate, gold)


@unless_empty
def eren_relevance(candidate: Iterable, gold: Iterable) -> Fraction:
    return mean_of_best(jaccard, cells(candidate), cells(gold))


def _weighted(alike: Callable[..., Fraction], G: Family, C: Family) -> Fraction:
    """The mean over the cells of the clusters, where each bicluster counts in all of its cells."""
    return mean(max(alike(g, c) for c in C) for g in G for _ in g)


@unless_empty
def consensus(candidate: Iterable, gold: Iterable) -> Fraction:
    """By trying every one-to-one matching."""
    fewer, more = sorted((cells(candidate), cells(gold)), key=len)
    best = max(
        sum((jaccard(a, b) for a, b in zip(fewer, chosen, strict=True)), Fraction(0))
        for chosen in permutations(more, len(fewer))
    )
    return best / len(more)


def soft_clusterings(candidate, gold) -> tuple[Family, Family]:
    """Both sides with a singleton for every cell of the matrix that they leave uncovered."""
    n, m = (max(sizes) for sizes in zip(candidate.shape, gold.shape, strict=True))
    universe = frozenset(product(range(n), range(m)))
    return padded(cells(candidate), universe), padded(cells(gold), universe)


def names(family: Family) -> dict[Hashable, set[int]]:
    """For every item the numbers of the members that hold it."""
    found: dict[Hashable, set[int]] = {}
    for number, member in enumerate(family):
        for item in member:
            found.setdefault(item, set()).add(number)
    return found


@unless_empty
def csi(candidate, gold) -> Fraction:
    """Equations 16 to 20 of the paper's appendix."""
    P, P_ = map(names, soft_clusterings(candidate, gold))
    beta = {x: (len(P[x]) - 1, len(P_[x]) - 1) for x in P}
    a = d = 0
    for x, y in combinations(P, 2):
        for one, other in ((len(P[x] & P[y]), len(P_[x] & P_[y])), beta[x], beta[y]):
            a += min(one, other)
            d += abs(one - other)
    return Fraction(a, a + d) if a + d else Fraction(1)


@unless_empty
def ebc(candidate, gold) -> Fraction:
    return family_f1(*soft_clusterings(candidate, gold), one)


#: By the ids of the registry.
MEASURES = {
    "ce": ce, "ce-multiset": ce_multiset, "rnia": rnia, "rand": rand, "rand-background": rand_background, "vi": vi,
    "e4sc": e4sc, "bcubed": bcubed, "cice": cice, "mocice": mocice, "mocice-precision": mocice_precision,
    "mocice-recall": mocice_recall, "rnia-multiset": rnia_multiset, "liu-wang": liu_wang, "consensus": consensus,
    "prelic-relevance": lambda candidate, gold: sqrt(prelic_relevance_squared(candidate, gold)),
    "prelic-recovery": lambda candidate, gold: sqrt(prelic_relevance_squared(gold, candidate)),
    "santamaria": unless_empty(lambda candidate, gold: mean_of_best(dice, cells(candidate), cells(gold))),
    "weighted-jaccard": unless_empty(lambda candidate, gold: _weighted(jaccard, cells(candidate), cells(gold))),
    "weighted-dice": unless_empty(lambda candidate, gold: _weighted(dice, cells(candidate), cells(gold))),
    "bozdag-u": bozdag_u, "bozdag-e": lambda candidate, gold: bozdag_u(gold, candidate), "ayadi": ayadi,
    "eren-relevance": eren_relevance, "eren-recovery": lambda candidate, gold: eren_relevance(gold, candidate),
    "csi": csi, "ebc": ebc,
}  # fmt: skip
