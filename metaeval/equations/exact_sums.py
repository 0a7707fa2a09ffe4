"""What compiled equations ask of an overlay: lists of meetings, depths, pairs of cells and mates, and exact arithmetic.

All lists are remembered by the overlay, so that the measures of a run share them. None can be changed.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from types import MappingProxyType
from typing import Any

from metaeval.exact import LogSum, RootSum, simplest, sum_of_roots
from metaeval.exact import log as exact_log
from metaeval.exact import sqrt as exact_sqrt
from metaeval.kernel.atoms import reach as reach_of
from metaeval.kernel.overlay import Overlay, Ratio, assigned, remembered

#: (clusters in view, classes in view, number of cells or pairs of cells), as masks or as counts.
Views = tuple[tuple[int, int, int], ...]
#: Floats hold all whole numbers up to here.
_WHOLE = 1 << 53


@remembered
def met(o: Overlay) -> tuple[tuple[int, int, int, int, int], ...]:
    """(i, j, n, g, c) of each cluster and class that share a cell."""
    sizes, gold_sizes = o.candidate_sizes, o.gold_sizes
    return tuple([(i, j, n, sizes[i], gold_sizes[j]) for (i, j), n in o.meetings.items()])


@remembered
def partners(o: Overlay) -> tuple[tuple[int, ...], ...]:
    """(i, j, n, g, c, n.rows, g.rows, c.rows, n.cols, g.cols, c.cols) of every cluster and every class."""
    return _with_lines(o, product(range(len(o.candidate)), range(len(o.gold))))


@remembered
def met_partners(o: Overlay) -> tuple[tuple[int, ...], ...]:
    """The same of those that share a cell."""
    return _with_lines(o, o.meetings)


def _with_lines(o: Overlay, numbers: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    found, gold, table = o.candidate.biclusters, o.gold.biclusters, []
    for i, j in numbers:
        (rows, cols), (gold_rows, gold_cols) = found[i], gold[j]
        in_rows, in_cols = (len(rows & gold_rows), len(rows), len(gold_rows)), (len(cols & gold_cols), len(cols))
        sizes = in_rows[0] * in_cols[0], o.candidate_sizes[i], o.gold_sizes[j]
        table.append((i, j, *sizes, *in_rows, *in_cols, len(gold_cols)))
    return tuple(table)


@remembered
def depths(o: Overlay) -> Views:
    """(clusters, classes, cells): in how many of each the cells are."""
    return _by_number(o.atoms)


def _by_number(views: Iterable[tuple[int, int, int]]) -> Views:
    """Views as counts, of views as masks."""
    found: defaultdict[tuple[int, int], int] = defaultdict(int)
    for a, b, weight in views:
        found[a.bit_count(), b.bit_count()] += weight
    return tuple([(x, y, weight) for (x, y), weight in found.items()])


@remembered
def pair_kinds(o: Overlay) -> Views:
    """(1 or 0, 1 or 0, pairs of cells): whether some cluster, and some class, holds both cells."""
    if o.disjoint:
        both, first, second = (
            sum([n * (n - 1) for n in sizes]) // 2 for sizes in (o.meetings.values(), o.candidate_sizes, o.gold_sizes)
        )
    elif o.is_tangled:
        known = pair_depths(o)
        first, second = sum([n for x, _, n in known if x]), sum([n for _, y, n in known if y])
        both = sum([n for x, y, n in known if x and y])
    else:
        both = first = second = 0
        for place, (candidate, gold, weight) in enumerate(o.atoms):
            in_cluster = in_class = in_both = 0
            for other_candidate, other_gold, other in o.atoms[:place]:
                if candidate & other_candidate:
                    in_cluster += other
                    if gold & other_gold:
                        in_both += other
                        in_class += other
                elif gold & other_gold:
                    in_class += other
            own = weight * (weight - 1) // 2
            first += weight * in_cluster + (own if candidate else 0)
            second += weight * in_class + (own if gold else 0)
            both += weight * in_both + (own if candidate and gold else 0)
    rest = o.union * (o.union - 1) // 2 - first - second + both
    return (1, 1, both), (1, 0, first - both), (0, 1, second - both), (0, 0, rest)


@remembered
def pair_depths(o: Overlay) -> Views:
    """(clusters, classes, pairs of cells): how many of each hold both cells."""
    if o.disjoint:
        return pair_kinds(o)
    if o.is_tangled:
        # Imported here: NumPy takes longer to load than most commands take to run.
        from metaeval.kernel.pair_sums_exact import pair_depths as by_arrays

        return by_arrays(o)
    return _by_number(pair_views(o))


@remembered
def pair_views(o: Overlay) -> Views:
    """(mask of clusters, mask of classes, pairs of cells): which of each hold both cells."""
    found: defaultdict[tuple[int, int], int] = defaultdict(int)
    for place, (candidate, gold, weight) in enumerate(o.atoms):
        found[candidate, gold] += weight * (weight - 1) // 2
        for other_candidate, other_gold, other in o.atoms[:place]:
            found[candidate & other_candidate, gold & other_gold] += weight * other
    return tuple([(a, b, number) for (a, b), number in found.items()])


def mates(o: Overlay, candidate: int, gold: int, side: int) -> Views:
    """(mask, mask, cells): what the cells with these masks share with each cell of their clusters, or classes."""
    asked = mates, candidate, gold, side
    known: Views | None = o._values.get(asked)
    if known is None:
        found: dict[tuple[int, int], int] = {}
        for other_candidate, other_gold, weight in o.atoms:
            key = candidate & other_candidate, gold & other_gold
            if key[side]:
                found[key] = found.get(key, 0) + weight
        known = o._values[asked] = tuple([(a, b, number) for (a, b), number in found.items()])
    return known


@remembered
def reach(o: Overlay) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """For each mask of clusters the number of cells that share one of them, and the same for classes."""
    return MappingProxyType({0: 0, **reach_of(o.atoms, 0)}), MappingProxyType({0: 0, **reach_of(o.atoms, 1)})


# --- Arithmetic ----------------------------------------------------------------------------------------------


def root_sum(terms: Sequence[tuple[int, int, int]]) -> RootSum:
    """Σ k/d·√n of triples (k, d, n)."""
    common = lcm(*[d for _, d, _ in terms])
    return sum_of_roots([(k * (common // d), n) for k, d, n in terms], common)


def turned(n: int, d: int) -> Ratio:
    """The same ratio over a positive number."""
    if not d:
        raise ZeroDivisionError("a divisor of an equation is 0")
    return (-n, -d) if d < 0 else (n, d)


def matching(ratios: dict[tuple[int, int], Ratio], o: Overlay) -> Ratio:
    """The largest sum of ratios over one-to-one matchings, which need not match everyone."""
    if not o.candidate_sizes or not o.gold_sizes:
        return 0, 1
    useful = {pair: turned(*ratio) for pair, ratio in ratios.items()}
    return best_matching({pair: r for pair, r in useful.items() if r[0] > 0}, len(o.candidate), len(o.gold))


def best_matching(ratios: Mapping[tuple[int, int], Ratio], n_clusters: int, n_classes: int) -> Ratio:
    """The largest sum of ratios over one-to-one matchings."""
    over = lcm(*(d for _, d in ratios.values()))
    size = max(n_clusters, n_classes)
    table = [[0] * size for _ in range(size)]
    for (i, j), (n, d) in ratios.items():
        table[i][j] = n * (over // d)
    top = max(map(max, table))
    # What SciPy adds up on its way are sums and differences along a path.
    if 4 * top * (len(table) + 1) < _WHOLE:
        places = assigned(table)[1].tolist()
    else:
        # Rounded, what comes out may fall short of the best by a little.
        places = improved(table, assigned([[n / top for n in line] for line in table])[1].tolist())
    return sum(line[place] for line, place in zip(table, places, strict=True)), over


def improved(table: Sequence[Sequence[int]], places: Sequence[int]) -> list[int]:
    """The best matching, from any other: lines exchange their places in circles for as long as that raises the sum."""
    found = list(places)
    while circle := _rising_circle(table, found):
        moved = [found[line] for line in (*circle[1:], circle[0])]
        for line, place in zip(circle, moved, strict=True):
            found[line] = place
    return found


def _rising_circle(table: Sequence[Sequence[int]], places: Sequence[int]) -> list[int]:
    """Lines that gain if each takes the next one's place; none where the matching is the best (Bellman & Ford)."""
    lines = range(len(table))
    gained, before = [0] * len(table), [-1] * len(table)
    for _ in lines:
        last = -1
        for one in lines:
            start = gained[one] - table[one][places[one]]
            for other in lines:
                if start + table[one][places[other]] > gained[other]:
                    gained[other], before[other], last = start + table[one][places[other]], one, other
        if last < 0:
            return []
    # What still grows after all rounds is connected to a circle.
    for _ in lines:
        last = before[last]
    circle = [last]
    while (previous := before[circle[0]]) != last:
        circle.insert(0, previous)
    return circle


def _either(exact: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Exact where both numbers are of a kind that can be combined, else in floats."""

    def combined(a: Any, b: Any) -> Any:
        try:
            return exact(a, b)
        except TypeError:
            return exact(float(a), float(b))

    return combined


plus = _either(lambda a, b: a + b)
times = _either(lambda a, b: a * b)
#: Whole numbers divide to fractions.
divided = _either(lambda a, b: (Fraction(a) if isinstance(a, int) else a) / b)


def extreme_number(numbers: Sequence[Any], sign: int) -> Any:
    """The largest number with sign 1, the least with −1."""
    choose = max if sign > 0 else min
    try:
        return choose(numbers)
    except TypeError:
        return choose(map(float, numbers))


def logarithm(x: Any) -> Any:
    """The logarithm: exact of a rational number, else a float."""
    x = simplest(x) if isinstance(x, (LogSum, RootSum)) else x
    return exact_log(x) if isinstance(x, (int, Fraction)) else math.log(float(x))


def root(x: Any) -> Any:
    """The square root: exact of a rational number, else a float."""
    x = simplest(x) if isinstance(x, (LogSum, RootSum)) else x
    return exact_sqrt(x) if isinstance(x, (int, Fraction)) else math.sqrt(float(x))


def exponential(x: Any) -> float:
    """e to the power of x; infinity where that is beyond the floats, as arrays have it."""
    try:
        return math.exp(float(x))
    except OverflowError:
        return math.inf if x > 0 else 0.0


def half_turns(x: Any) -> float:
    """The angle with this cosine, in half turns; what rounding moved beyond ±1 is moved back."""
    return math.acos(min(1.0, max(-1.0, float(x)))) / math.pi


def settled(x: Any) -> Any:
    """A score: whole numbers become fractions."""
    return Fraction(x) if isinstance(x, int) else x


def tangled_mean(o: Overlay, side: int, identity: bool) -> Ratio:
    """Σ over cells of a mean over mates (side 0) or classmates, by arrays; ``identity`` adds Φ to each pair."""
    from metaeval.kernel.pair_sums_exact import precision_recall

    share = precision_recall(o, identity)[side]
    return (share * (o.gold_covered if side else o.candidate_covered)).as_integer_ratio()
