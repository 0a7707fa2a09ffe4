"""The rows and columns that biclusters and classes share, and the best matching of all of them, by exact ratios."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import lcm

from metaeval.core.biclustering import Biclustering
from metaeval.core.grouping import holders

#: n/d as (n, d).
Ratio = tuple[int, int]
#: Some rows, or some columns.
Lines = frozenset[int]
#: By the numbers of the bicluster and of the class.
Ratios = Mapping[tuple[int, int], Ratio]

#: Floats hold all whole numbers up to here.
_WHOLE = 1 << 53


def rows_and_columns(side: Biclustering) -> tuple[list[Lines], list[Lines]]:
    """The row sets of a side, and its column sets."""
    return [rows for rows, _ in side], [cols for _, cols in side]


def shared_lines(these: Sequence[Lines], those: Sequence[Lines]) -> dict[Lines, Counter[int]]:
    """For each of these sets the number of elements that it shares with each of those, by their numbers."""
    held = holders(those)
    return {one: Counter(number for line in one for number in held.get(line, ())) for one in set(these)}


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


def _square(values: Mapping[tuple[int, int], int], size: int) -> list[list[int]]:
    """A table with one line per bicluster and one column per class, and zeros for whatever is missing."""
    table = [[0] * size for _ in range(size)]
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
