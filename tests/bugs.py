"""Bugs that public libraries of clustering metrics really shipped, each re-enacted beside the right formula.

Nothing here is anybody's code: a bug is the mistake of a report or of a commit, written down anew. ``caught`` says what
catches it where a user does nothing but ``metaeval check``: the gate, a condition under a reading, or golden scores,
which is ``--save`` before the mistake and ``--against`` after it. What catches the wrong version passes the right one.

``python tests/bugs.py`` writes the table of docs/real-bugs.md.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, inf, log, log2, nan, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from metaeval import Biclustering, Measure, adapters
from metaeval.catalogue.measure import make_measure
from metaeval.search.gate import BEST, LABELS

CONDITION, GATE, GOLDEN = "condition", "gate", "golden scores"

PAGE = Path(__file__).parent.parent / "docs" / "real-bugs.md"
BEGIN, END = "<!-- bugs: written by tests/bugs.py -->", "<!-- end of bugs -->"


class Caught(NamedTuple):
    """What catches a bug: how, by which cell, check or pair, and on which smallest input: its objects, and in words."""

    how: str
    by: str
    objects: int
    on: str

    @property
    def group(self) -> tuple[str, str]:
        """The condition's id and the reading's name."""
        condition, reading = self.by.split("/")
        return condition, reading


@dataclass(frozen=True)
class Bug:
    """A bug: where it was, what was wrong and what is right, both as measures, and what catches it."""

    id: str
    where: str
    address: str
    mistake: str
    remedy: str
    caught: Caught
    wrong: Measure
    right: Measure


BUGS: list[Bug] = []

#: An adapter with what it is told, such as the domain.
Adapter = Callable[..., Measure]


def bug(
    id: str, where: str, address: str, *, mistake: str, remedy: str, caught: Caught, adapter: Adapter, **told: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add a function of two inputs and ``wrong``, whether to make the mistake, to the table."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        def wrong(one: Any, other: Any) -> Any:
            return function(one, other, wrong=True)

        def right(one: Any, other: Any) -> Any:
            return function(one, other, wrong=False)

        measures = adapter(wrong, id=id, **told), adapter(right, id=f"{id}-right", **told)
        BUGS.append(Bug(id, where, f"https://github.com/{address}", mistake, remedy, caught, *measures))
        return function

    return add


def plain(function: Callable[[Biclustering, Biclustering], Any], **told: Any) -> Measure:
    """A function of (candidate, gold), as it is."""
    return make_measure(function, **told)


# --- what the formulas are made of ---------------------------------------------------------------------------
def contingency(true: Sequence[int], found: Sequence[int]) -> np.ndarray:
    """How many objects each class (a line) has in each cluster (a column)."""
    classes, clusters = (np.unique(labels, return_inverse=True)[1] for labels in (true, found))
    table = np.zeros((classes.max() + 1, clusters.max() + 1), dtype=np.int64)
    np.add.at(table, (classes, clusters), 1)
    return table


def squares(numbers: np.ndarray) -> int:
    return sum(int(n) ** 2 for n in numbers.ravel())


class Pairs(NamedTuple):
    """Ordered pairs of different objects: together on both sides, in the gold, in the candidate; and all."""

    both: int
    gold: int
    candidate: int
    all: int


def pairs(true: Sequence[int], found: Sequence[int]) -> Pairs:
    table, n = contingency(true, found), len(true)
    lines, columns = table.sum(axis=1), table.sum(axis=0)
    return Pairs(squares(table) - n, squares(lines) - n, squares(columns) - n, n * (n - 1))


def entropy(sizes: Iterable[float]) -> float:
    """In nats, of parts of these sizes."""
    parts = [float(size) for size in sizes if size]
    return -sum(size / sum(parts) * log(size / sum(parts)) for size in parts)


def information(table: np.ndarray) -> float:
    """Mutual information, in nats."""
    return entropy(table.sum(axis=0)) + entropy(table.sum(axis=1)) - entropy(table.ravel())


def homogeneity(table: np.ndarray) -> float:
    classes = entropy(table.sum(axis=1))
    return information(table) / classes if classes else 1.0


def harmonic(one: Any, other: Any) -> Any:
    return 2 * one * other / (one + other) if one + other else 0 * one


def objects_of(side: Biclustering) -> list[frozenset[int]]:
    """The clusters of a lifted clustering."""
    return [rows for rows, _ in side]


# --- pairs of objects ----------------------------------------------------------------------------------------
@bug(
    "fowlkes-mallows-32-bits", "scikit-learn #8101", "scikit-learn/scikit-learn/issues/8101",
    mistake="Fowlkes–Mallows: the product of two numbers of pairs wraps in 32 bits", remedy="the product of two roots",
    caught=Caught(CONDITION, "S.3/canonical", 216, "216 objects in one class against themselves: no score"),
    adapter=adapters.labels,
)  # fmt: skip
def fowlkes_mallows_32_bits(true, found, wrong):
    both, gold, candidate, _ = pairs(true, found)
    if not gold or not candidate:
        return float(gold == candidate)
    if not wrong:
        return sqrt(both / gold) * sqrt(both / candidate)
    with np.errstate(all="ignore"):
        return float(both / np.sqrt(np.int32(gold) * np.int32(candidate)))


@bug(
    "fowlkes-mallows-singletons", "scikit-learn PR 34625", "scikit-learn/scikit-learn/pull/34625",
    mistake="Fowlkes–Mallows is 0 where no two objects are together on either side",
    remedy="1: both sides are the same singletons",
    caught=Caught(CONDITION, "S.3/canonical", 1, "a single object against itself: 0"), adapter=adapters.labels,
)  # fmt: skip
def fowlkes_mallows_singletons(true, found, wrong):
    both, gold, candidate, _ = pairs(true, found)
    if not both:
        return 0.0 if wrong else float(not gold and not candidate)
    return sqrt(both / gold) * sqrt(both / candidate)


@bug(
    "adjusted-rand-64-bits", "scikit-learn #20305", "scikit-learn/scikit-learn/issues/20305",
    mistake="adjusted Rand: products of numbers of pairs wrap in 64 bits", remedy="Python's integers",
    caught=Caught(
        GOLDEN, "the pair of 70,000 objects", 70_000,
        "two halves, of which one object is on the other side: −1.86 for 0.99994",
    ),
    adapter=adapters.labels,
)  # fmt: skip
def adjusted_rand_64_bits(true, found, wrong):
    both, gold, candidate, all_pairs = pairs(true, found)
    if both == gold == candidate:
        return 1.0
    kind = np.int64 if wrong else int
    n11, n10, n01, n00 = map(kind, (both, gold - both, candidate - both, all_pairs - gold - candidate + both))
    with np.errstate(over="ignore"):
        above, below = n11 * n00 - n10 * n01, (n11 + n10) * (n10 + n00) + (n11 + n01) * (n01 + n00)
    return 2.0 * above / below


def adjusted_rand(true, found, trivial: float) -> float:
    """Adjusted Rand, with what is given where no pair can be told from chance."""
    both, gold, candidate, all_pairs = pairs(true, found)
    by_chance = gold * candidate / all_pairs if all_pairs else 0.0
    most = (gold + candidate) / 2 - by_chance
    return (both - by_chance) / most if most else trivial


@bug(
    "adjusted-rand-trivial-0", "Clustering.jl #99", "JuliaStats/Clustering.jl/pull/99",
    mistake="adjusted Rand is 0 where both sides are one cluster, or singletons alone", remedy="1: they are the same",
    caught=Caught(CONDITION, "S.3/canonical", 1, "a single object against itself: 0"), adapter=adapters.labels,
)  # fmt: skip
def adjusted_rand_trivial_0(true, found, wrong):
    return adjusted_rand(true, found, 0.0 if wrong else 1.0)


@bug(
    "adjusted-rand-trivial-nan", "clusteval #26", "ramhiser/clusteval/issues/26",
    mistake="adjusted Rand is 0/0, not a number, where both sides are one cluster, or singletons alone",
    remedy="1: they are the same",
    caught=Caught(CONDITION, "S.3/canonical", 1, "a single object against itself: no score"), adapter=adapters.labels,
)  # fmt: skip
def adjusted_rand_trivial_nan(true, found, wrong):
    return adjusted_rand(true, found, nan if wrong else 1.0)


@bug(
    "omega-of-one-side", "multinet 3dc25c0", "uuinfolab/uunet/commit/3dc25c0",
    mistake="Omega: the agreement expected by chance is Σ n₁², from the candidate alone", remedy="Σ n₁·n₂",
    caught=Caught(CONDITION, "S.1/canonical", 3, "gold 01|2, candidate 012: 0, and exchanged −1/2"), adapter=plain,
    domain="clusterings",
)  # fmt: skip
def omega_of_one_side(candidate, gold, wrong):
    covered = sorted({row for side in (candidate, gold) for rows in objects_of(side) for row in rows})
    found, expected = (depths(side, covered) for side in (candidate, gold))
    agreed, all_pairs = int((found == expected).sum()), len(found)
    often, others = Counter(found.tolist()), Counter((found if wrong else expected).tolist())
    by_chance = sum(n * others[depth] for depth, n in often.items())
    if by_chance == all_pairs**2:
        return Fraction(agreed == all_pairs)
    return Fraction(all_pairs * agreed - by_chance, all_pairs**2 - by_chance)


def depths(side: Biclustering, covered: Sequence[int]) -> np.ndarray:
    """How many clusters hold both objects, for every pair of these."""
    inside = np.array([[row in rows for row in covered] for rows in objects_of(side)], dtype=np.int64)
    inside = inside.reshape(len(side), len(covered))
    return (inside.T @ inside)[np.triu_indices(len(covered), 1)]


# --- information ---------------------------------------------------------------------------------------------
@bug(
    "adjusted-information-of-2-and-4", "scikit-learn #30950", "scikit-learn/scikit-learn/issues/30950",
    mistake="adjusted mutual information of singletons is 0/0, and only the divisor is kept away from 0: 0",
    remedy="the dividend too", caught=Caught(CONDITION, "S.3/canonical", 2, "two objects apart against themselves: 0"),
    adapter=adapters.labels,
)  # fmt: skip
def adjusted_information_of_2_and_4(true, found, wrong):
    table = contingency(true, found)
    if table.shape == (1, 1):
        return 1.0
    expected = expected_information(table)
    above = information(table) - expected
    below = (entropy(table.sum(axis=0)) + entropy(table.sum(axis=1))) / 2 - expected
    return (above if wrong else away_from_0(above)) / away_from_0(below)


def away_from_0(number: float) -> float:
    least = float(np.finfo(np.float64).eps)
    return min(number, -least) if number < 0 else max(number, least)


def expected_information(table: np.ndarray) -> float:
    """The mean of the mutual information over all tables with these margins."""
    total = int(table.sum())
    return sum(
        n / total * log(total * n / (a * b)) * (comb(a, n) * comb(total - a, b - n) / comb(total, b))
        for a in map(int, table.sum(axis=1))
        for b in map(int, table.sum(axis=0))
        for n in range(max(1, a + b - total), min(a, b) + 1)
    )


@bug(
    "nmi-one-cluster", "torchmetrics #3469", "Lightning-AI/torchmetrics/issues/3469",
    mistake="normalised mutual information is 0 wherever the mutual information is, also for one cluster on both sides",
    remedy="1: they are the same", caught=Caught(CONDITION, "S.3/canonical", 1, "a single object against itself: 0"),
    adapter=adapters.labels,
)  # fmt: skip
def nmi_one_cluster(true, found, wrong):
    table = contingency(true, found)
    both = entropy(table.sum(axis=0)) + entropy(table.sum(axis=1))
    if not both:
        return 0.0 if wrong else 1.0
    return 2 * information(table) / both


@bug(
    "v-measure-of-nothing", "torchmetrics #3484", "Lightning-AI/torchmetrics/issues/3484",
    mistake="V-measure is 1 where homogeneity and completeness are both 0", remedy="0",
    caught=Caught(CONDITION, "A.5/canonical", 4, "gold 02|13, candidate 01|23: 1, as if it were the gold"),
    adapter=adapters.labels,
)  # fmt: skip
def v_measure_of_nothing(true, found, wrong):
    table = contingency(true, found)
    parts = [round(homogeneity(each), 12) for each in (table, table.T)]
    return 1.0 if wrong and not any(parts) else harmonic(*parts)


@bug(
    "v-measure-of-64-bits-as-32", "cuml #7199", "rapidsai/cuml/issues/7199",
    mistake="labels of 64 bits are read as twice as many of 32, of which the first half is used",
    remedy="labels converted to 32 bits",
    caught=Caught(
        GATE, "order of biclusters", 2,
        "gold 0|1, candidate the same: 1, and 0 where the clusters are listed the other way round",
    ),
    adapter=adapters.labels,
)  # fmt: skip
def v_measure_of_64_bits_as_32(true, found, wrong):
    if wrong:
        true, found = (labels.astype("<i8").view("<i4")[: len(labels)] for labels in (true, found))
    table = contingency(true, found)
    return harmonic(homogeneity(table), homogeneity(table.T))


@bug(
    "balanced-over-raw",
    "balanced-clustering #2",
    "hsmaan/balanced-clustering/issues/2",
    mistake="V-measure with equally weighted classes: the information is that of the weighted table, the entropies are "
    "those of the labels",
    remedy="all from the weighted table",
    caught=Caught(GATE, BEST, 4, "gold 0|12|3 against itself: 1.057"),
    adapter=adapters.labels,
)
def balanced_over_raw(true, found, wrong):
    table = contingency(true, found)
    balanced = table / table.sum(axis=1, keepdims=True)
    over = table if wrong else balanced
    sides = (entropy(over.sum(axis=axis)) for axis in (0, 1))
    return harmonic(*(information(balanced) / side if side else 1.0 for side in sides))


# --- matching and items --------------------------------------------------------------------------------------
@bug(
    "consensus-trace",
    "scikit-learn #2445",
    "scikit-learn/scikit-learn/issues/2445",
    mistake="consensus: the trace of the table with its columns permuted, which is the matching only if no bicluster "
    "is left over",
    remedy="the sum along the matching",
    caught=Caught(CONDITION, "S.1/canonical", 3, "gold 01|2, candidate 0|1|2: 1/6, and exchanged 1/2, which is right"),
    adapter=adapters.indicators,
)
def consensus_trace(candidate, gold, wrong):
    one, other = (np.einsum("kr,kc->krc", *side).reshape(len(side[0]), -1).astype(int) for side in (candidate, gold))
    common = one @ other.T
    alike = common / (one.sum(axis=1)[:, None] + other.sum(axis=1) - common)
    lines, columns = linear_sum_assignment(alike, maximize=True)
    matched = np.trace(alike[:, columns]) if wrong else alike[lines, columns].sum()
    return float(matched) / max(alike.shape)


Items = Sequence[frozenset[Any]]


@bug(
    "f1-last-community", "f1-communities #1", "GiulioRossetti/f1-communities/issues/1",
    mistake="mean F₁ of communities: a node that is in several keeps the last one only", remedy="all of them",
    caught=Caught(
        CONDITION, "S.3/overlapping", 1,
        "two classes that share a cell, one of two cells and one of one, against themselves: 5/6",
    ),
    adapter=adapters.cell_sets,
)  # fmt: skip
def f1_last_community(found, gold, wrong):
    if not found or not gold:
        return Fraction(not found and not gold)
    of_item = {item: [place] for place, community in enumerate(gold) for item in community}
    if not wrong:
        of_item = {item: [i for i, community in enumerate(gold) if item in community] for item in of_item}
    return sum(best_f1(cluster, gold, of_item) for cluster in found) / len(found)


def best_f1(cluster: frozenset[Any], gold: Items, of_item: dict[Any, list[int]]) -> Fraction:
    """The F₁ of a cluster and a class, where they share what the items know of their classes."""
    common = Counter(place for item in cluster for place in of_item.get(item, ()))
    return max((Fraction(2 * n, len(cluster) + len(gold[i])) for i, n in common.items()), default=Fraction(0))


@bug(
    "swapped-logarithm", "CommunityDetectionCodes #2", "RapidsAtHKUST/CommunityDetectionCodes/issues/2",
    mistake="overlapping NMI: log(2, p), the logarithm of 2 to the base p, for that of p to the base 2",
    remedy="log(p, 2)", caught=Caught(GATE, BEST, 4, "gold 0|12|3 against itself: 1.41"), adapter=plain,
    domain="clusterings",
)  # fmt: skip
def swapped_logarithm(candidate, gold, wrong):
    found, classes = objects_of(candidate), objects_of(gold)
    if not found or not classes:
        return float(not found and not classes)
    term = swapped_term if wrong else entropy_term
    return overlapping_nmi(found, classes, max(candidate.shape[0], gold.shape[0]), term)


def entropy_term(share: float) -> float:
    return -share * log2(share) if 0 < share < 1 else 0.0


def swapped_term(share: float) -> float:
    return -share * log(2, share) if 0 < share < 1 else 0.0


Term = Callable[[float], float]
#: Numbers of objects in neither cluster, in one, in the other, in both; and in all.
Counts = Callable[[frozenset[int], frozenset[int], int], tuple[Iterable[int], int]]


def counted(one: frozenset[int], other: frozenset[int], total: int) -> tuple[Iterable[int], int]:
    common = len(one & other)
    return (total - len(one | other), len(one) - common, len(other) - common, common), total


def overlapping_nmi(found: Items, gold: Items, total: int, term: Term, counts: Counts = counted) -> float:
    """1 less the mean, over both sides, of what a cluster leaves unknown of the one it tells most about."""
    sides = (found, gold), (gold, found)
    return 1 - sum(mean_unknown(one, other, total, term, counts) for one, other in sides) / 2


def mean_unknown(clusters: Items, known: Items, total: int, term: Term, counts: Counts) -> float:
    return sum(unknown(cluster, known, total, term, counts) for cluster in clusters) / len(clusters)


def unknown(cluster: frozenset[int], known: Items, total: int, term: Term, counts: Counts) -> float:
    """H(X | Y) / H(X), the least over the clusters Y that are more alike than opposite."""
    own = whether(cluster, total, term)
    least = min(conditional(cluster, other, total, term, counts) for other in known)
    return (own if least == inf else least) / own if own else 0.0


def whether(cluster: frozenset[int], total: int, term: Term) -> float:
    """The entropy of whether an object is in a cluster."""
    return term(len(cluster) / total) + term(1 - len(cluster) / total)


def conditional(one: frozenset[int], other: frozenset[int], total: int, term: Term, counts: Counts) -> float:
    numbers, whole = counts(one, other, total)
    neither, first, second, both = (term(n / whole) for n in numbers)
    if both + neither <= first + second:
        return inf
    return both + neither + first + second - whether(other, total, term)


@bug(
    "bcubed-without-oneself", "ELKI 14a30f4", "elki-project/elki/commit/14a30f4",
    mistake="BCubed: an object is not paired with itself, so that a singleton adds nothing", remedy="it is",
    caught=Caught(GATE, BEST, 1, "a single object against itself: 0"), adapter=adapters.labels,
)  # fmt: skip
def bcubed_without_oneself(true, found, wrong):
    table = contingency(true, found)
    return harmonic(*(mean_share(each, int(wrong)) for each in (table, table.T)))


def mean_share(table: np.ndarray, less: int) -> Fraction:
    """Of the objects in one's line, less so many, the mean share that is in one's column too."""
    lines = ((int(n), sum(map(int, line))) for line in table for n in line if n > less)
    return sum((Fraction(n * (n - less), whole - less) for n, whole in lines), Fraction(0)) / int(table.sum())


@bug(
    "precision-for-recall", "xmeasures ab81675", "eXascaleInfolab/xmeasures/commit/ab81675",
    mistake="precision and recall of the best matches are exchanged: what is called precision is recall",
    remedy="precision is the share of a cluster that lies in its best class",
    caught=Caught(CONDITION, "A.1/canonical", 2, "gold 0|1, candidate 01: 1, and 1 again where it is taken apart"),
    adapter=adapters.labels,
)  # fmt: skip
def precision_for_recall(true, found, wrong):
    table = contingency(true, found)
    best = (table if wrong else table.T).max(axis=1)
    return Fraction(int(best.sum()), len(true))


@bug(
    "labels-as-positions", "validation_indices 3559d93", "MartijnGosgens/validation_indices/commit/3559d93",
    mistake="BCubed: the contingency table is gone through by 0 … k−1, whatever the labels are", remedy="by label",
    caught=Caught(GATE, LABELS, 1, "a single object against itself, whose cluster is not called 0: 0"),
    adapter=adapters.labels,
)  # fmt: skip
def labels_as_positions(true, found, wrong):
    sides = [labels.tolist() for labels in (true, found)]
    sizes, met = [Counter(labels) for labels in sides], Counter(zip(*sides, strict=True))
    names = [range(len(side)) if wrong else side for side in sizes]
    parts = [
        sum(Fraction(met[i, j] ** 2, sizes[side][(i, j)[side]] or 1) for i in names[0] for j in names[1])
        for side in (0, 1)
    ]
    return harmonic(*(Fraction(part, len(true)) for part in parts))


@bug(
    "bcubed-of-what-was-found", "python-bcubed #7", "hhromic/python-bcubed/issues/7",
    mistake="BCubed: recall is that of the objects in the candidate, and what it misses costs nothing",
    remedy="recall is that of the objects in the gold standard",
    caught=Caught(
        CONDITION, "A.5/literal", 1, "a class of two cells, of which the candidate has one: 1, as if it had both",
    ),
    adapter=adapters.cell_sets,
)  # fmt: skip
def bcubed_of_what_was_found(found, gold, wrong):
    if not found or not gold:
        return float(not found and not gold)
    counts = Counter(kinds(found, gold).values())
    if wrong:
        counts = Counter({kind: n for kind, n in counts.items() if kind.found})
    return harmonic(*(mean_agreement(each) for each in (counts, turned(counts))))


class Kind(NamedTuple):
    """Which clusters hold an item, and which classes, as sets of bits."""

    found: int
    gold: int


def kinds(found: Items, gold: Items) -> dict[Any, Kind]:
    sides: list[Counter[Any]] = [Counter(), Counter()]
    for seen, side in zip(sides, (found, gold), strict=True):
        for place, cluster in enumerate(side):
            for item in cluster:
                seen[item] |= 1 << place
    return {item: Kind(sides[0][item], sides[1][item]) for item in (*sides[0], *sides[1])}


def turned(counts: Counter[Kind]) -> Counter[Kind]:
    """The same with candidate and gold exchanged."""
    return Counter({Kind(kind.gold, kind.found): n for kind, n in counts.items()})


def mean_agreement(counts: Counter[Kind]) -> float:
    """The mean over the items that are found, and over those in a cluster with one, of min(g, c) / g."""
    covered = {kind: n for kind, n in counts.items() if kind.found}
    return sum(n * agreement(kind, covered) for kind, n in covered.items()) / max(1, sum(covered.values()))


def agreement(kind: Kind, counts: dict[Kind, int]) -> float:
    total = around = 0.0
    for other, n in counts.items():
        g, c = (kind.found & other.found).bit_count(), (kind.gold & other.gold).bit_count()
        total, around = total + (n * min(g, c) / g if g else 0.0), around + (n if g else 0)
    return total / around


# --- the page ------------------------------------------------------------------------------------------------
def rows() -> Iterator[str]:
    """The table of the page, line by line."""
    yield "| where | what went wrong → what is right | caught by | smallest counterexample |"
    yield "|---|---|---|---|"
    for one in BUGS:
        how = one.caught.by if one.caught.how == CONDITION else f"{one.caught.how}: {one.caught.by}"
        yield f"| [{one.where}]({one.address}) | {one.mistake} → {one.remedy} | {how} | {one.caught.on} |"


def page(text: str) -> str:
    """The page with its table as the bench has it."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return "\n".join([f"{before}{BEGIN}", *rows(), f"{END}{after}"])


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
