"""How alike biclusters and classes are, the best counterpart of each, and the best matching of all of them.

Similarities are ratios (n, d), not reduced, and 0 where a pair is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import fsum, lcm
from typing import TypeVar

from metaeval.core.biclustering import Biclustering
from metaeval.core.grouping import holders
from metaeval.kernel.overlay import Overlay, largest, remembered

#: n/d as (n, d).
Ratio = tuple[int, int]
Number = TypeVar("Number", int, float)
#: Some rows, or some columns.
Lines = frozenset[int]
#: By the numbers of the bicluster and of the class.
Ratios = Mapping[tuple[int, int], Ratio]

#: Floats hold all whole numbers up to here.
_WHOLE = 1 << 53


@remembered
def jaccards(cells: Overlay) -> Ratios:
    """|G ∩ C| / |G ∪ C| in cells, for every bicluster and class that meet."""
    sizes, gold_sizes = cells.candidate_sizes, cells.gold_sizes
    return {(i, j): (n, sizes[i] + gold_sizes[j] - n) for (i, j), n in cells.meetings.items()}


@remembered
def dices(cells: Overlay) -> Ratios:
    """2·|G ∩ C| / (|G| + |C|) in cells, for every bicluster and class that meet."""
    sizes, gold_sizes = cells.candidate_sizes, cells.gold_sizes
    return {(i, j): (2 * n, sizes[i] + gold_sizes[j]) for (i, j), n in cells.meetings.items()}


def best_counterparts(ratios: Ratios, length: int, side: int = 0) -> list[Ratio]:
    """The largest ratio per bicluster, of ``length`` biclusters; with side 1, per class."""
    best = [(0, 1)] * length
    for pair, ratio in ratios.items():
        at = pair[side]
        if ratio[0] * best[at][1] > best[at][0] * ratio[1]:
            best[at] = ratio
    return best


# --- Rows and columns by themselves --------------------------------------------------------------------------


def rows_and_columns(side: Biclustering) -> tuple[list[Lines], list[Lines]]:
    """The row sets of a side, and its column sets."""
    return [rows for rows, _ in side], [cols for _, cols in side]


def shared_lines(these: Sequence[Lines], those: Sequence[Lines]) -> dict[Lines, Counter[int]]:
    """For each of these sets the number of elements that it shares with each of those, by their numbers."""
    held = holders(those)
    return {one: Counter(number for line in one for number in held.get(line, ())) for one in set(these)}


def best_lines(these: Sequence[Lines], those: Sequence[Lines]) -> list[Ratio]:
    """For each of these sets the largest |A ∩ B| / |A ∪ B| with any of those."""
    best = {
        one: largest([(0, 1), *((n, len(one) + len(those[number]) - n) for number, n in shared.items())])
        for one, shared in shared_lines(these, those).items()
    }
    return [best[one] for one in these]


# --- The best matching ---------------------------------------------------------------------------------------


def best_matching(ratios: Ratios, n_clusters: int, n_classes: int) -> Ratio:
    """The largest sum of ratios over one-to-one matchings."""
    over = lcm(*(d for _, d in ratios.values()))
    table = _square({pair: n * (over // d) for pair, (n, d) in ratios.items()}, max(n_clusters, n_classes))
    top = max(map(max, table))
    # What SciPy adds up on its way are sums and differences along a path.
    if 4 * top * (len(table) + 1) < _WHOLE:
        places = _assigned(table)
    else:
        # Rounded, what comes out may fall short of the best by a little.
        places = improved(table, _assigned([[n / top for n in line] for line in table]))
    return sum(line[place] for line, place in zip(table, places, strict=True)), over


def rounded_matching(ratios: Ratios, n_clusters: int, n_classes: int) -> float:
    """The same as a float."""
    table = _square({pair: n / d for pair, (n, d) in ratios.items()}, max(n_clusters, n_classes))
    return fsum(line[place] for line, place in zip(table, _assigned(table), strict=True))


def _square(values: Mapping[tuple[int, int], Number], size: int) -> list[list[Number | int]]:
    """A table with one line per bicluster and one column per class, and zeros for whatever is missing."""
    table: list[list[Number | int]] = [[0] * size for _ in range(size)]
    for (i, j), value in values.items():
        table[i][j] = value
    return table


def _assigned(table: Sequence[Sequence[float]]) -> list[int]:
    """For each line of a square table its place in the matching with the largest sum, as floats tell."""
    # Imported here: SciPy takes longer to load than most commands take to run.
    from scipy.optimize import linear_sum_assignment

    return list(linear_sum_assignment(table, maximize=True)[1].tolist())


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
    last = -1
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
