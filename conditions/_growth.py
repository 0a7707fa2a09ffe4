"""Found biclusters that grow by cells which no class has: what H.1 and H.3 are about.

Found and reference share a cell throughout: where they share none, most measures give the lowest score there is, and it
cannot fall. Measures that see pairs of cells give it where no two cells are together in both; so there is a reading
*non-trivial*, in which a found and a reference bicluster share two cells or more.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from typing import NamedTuple

from hypothesis import strategies as st

from metaeval.catalogue.condition import Reading, has_one_feature
from metaeval.conditions import _readings
from metaeval.conditions._pairs import drawn_pair, listed_pairs, not_empty
from metaeval.conditions._premise import fits_reading, one_gold, shared_cells
from metaeval.conditions._strategy import Draw
from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case, Side
from metaeval.strategies import bits, integers, subsets

Cell = tuple[int, int]


def cells(family: Iterable[Bicluster]) -> frozenset[Cell]:
    """All cells of the biclusters."""
    return frozenset(cell for rows, cols in family for cell in product(rows, cols))


class Growth(NamedTuple):
    """A bicluster that has grown, what it was before (None where it is new), and what is beside it."""

    after: Bicluster
    before: Bicluster | None
    others: Sequence[Bicluster]
    gold: Biclustering

    @property
    def case(self) -> Case:
        """Left, the candidate with the grown bicluster; right, with what it was."""
        old = [] if self.before is None else [self.before]
        candidates = ([*self.others, self.after], [*self.others, *old])
        left, right = (Side(Biclustering.trusted(one, self.gold.shape), self.gold) for one in candidates)
        return Case(left, right)


# --- drawing


@st.composite
def roomy_pair(draw: Draw, disjoint: bool, hit: bool = False) -> Side:
    """A pair that shares a cell, with two or more objects in no bicluster, and sometimes such features.

    Where there must be a ``hit``, a reference bicluster is among the found ones.
    """
    side = draw(drawn_pair(disjoint))
    objects, features = side.gold.shape
    shape = (objects + draw(integers(2, 6)), features + draw(integers(0, 2)))
    gold = not_empty(side.gold or side.candidate)
    candidate = [*side.candidate] if cells(side.candidate) & cells(gold) else [gold.biclusters[0]]
    if hit and not {*candidate} & {*gold}:
        candidate.append(gold.biclusters[0])
    return Side(*(Biclustering.trusted(family, shape) for family in (candidate, gold)))


def growth(side: Side, after: Bicluster, before: Bicluster | None) -> Growth:
    """The growth beside all that the candidate has; nothing may repeat."""
    return Growth(after, before, [one for one in side.candidate if one not in (after, before)], side.gold)


def apart(draw: Draw, side: Side, avoided: Sequence[Bicluster], least: int) -> Bicluster:
    """A bicluster of at least ``least`` cells, one or two, that meets none of those to be avoided."""
    cols = some(draw, frozenset(range(side.gold.shape[1])))
    free = room(side, cols, avoided)
    rows = some(draw, free)
    return (rows if len(rows) * len(cols) >= least else rows | {max(free - rows)}), cols


def room(side: Side, cols: frozenset[int], avoided: Sequence[Bicluster]) -> frozenset[int]:
    """The objects whose cells on these features are in none of the biclusters to be avoided."""
    taken = [rows for rows, others in avoided if not cols.isdisjoint(others)]
    return frozenset(range(side.gold.shape[0])).difference(*taken)


def some(draw: Draw, elements: frozenset[int]) -> frozenset[int]:
    """One or more of the elements."""
    ordered = sorted(elements)
    return frozenset(ordered[place] for place in bits(draw(subsets(len(ordered)))))


# --- listing


def listed(objects: int, disjoint: bool, proper: bool) -> Iterator[Growth]:
    """Every pair on a small matrix, and every way in which one of the candidate's biclusters can have grown."""
    for features in (1, 2) if objects <= (3 if disjoint and proper else 2) else (1,):
        for left in listed_pairs(objects, features, disjoint, proper=proper):
            if cells(left.candidate) & cells(left.gold):
                yield from _growths(left, proper)


def _growths(left: Side, proper: bool) -> Iterator[Growth]:
    reference, least = cells(left.gold), 2 if proper else 1
    for after in left.candidate:
        others = [one for one in left.candidate if one != after]
        if not cells([after]) & reference:
            yield Growth(after, None, others, left.gold)
        for before in _smaller(after):
            kept = cells([before])
            if len(kept) >= least and before not in others and not (cells([after]) - kept) & reference:
                yield Growth(after, before, others, left.gold)


def _smaller(bicluster: Bicluster) -> Iterator[Bicluster]:
    """Every bicluster inside this one, but not itself."""
    rows, cols = (
        [frozenset(some) for size in range(1, len(part) + 1) for some in combinations(sorted(part), size)]
        for part in bicluster
    )
    return (inside for inside in product(rows, cols) if inside != bicluster)


def _few(case: Case) -> bool:
    """The scope of the lists in which biclusters overlap and none is degenerate, in code."""
    few = all(len(family) <= 2 for side in case for family in side)
    return has_one_feature(case) and (few or case.objects <= 3)


_FEW = (
    "one feature, and two features with up to two objects, up to renaming; with four objects or more at most two "
    "biclusters per side"
)
_LISTED = {
    "canonical": _readings.ListedScope(_readings.UP_TO_TWO_FEATURES, complete=6),
    "literal": _readings.ListedScope(_readings.TWO_BY_TWO, complete=5),
    "overlapping": _readings.ListedScope(
        "one feature, and two features with up to two objects (there at most two biclusters per side), up to renaming; "
        "with four objects at most two biclusters per side",
        complete=3,
        reach=4,
    ),
    "proper": _readings.ListedScope(_FEW, complete=5, within=_few),
}

#: The names of the readings.
NAMES = ("canonical", "literal", "overlapping", "non-trivial", "proper")


def readings(strategy: _readings.Strategy, choose: Callable[[Growth], bool] | None = None) -> list[Reading]:
    """The readings of a condition about growths: those that it chooses, or all."""

    def cases(objects: int, disjoint: bool, proper: bool) -> Iterator[Case]:
        return (growth.case for growth in filter(choose, listed(objects, disjoint, proper)))

    def cases_with_hits(objects: int) -> Iterator[Case]:
        for growth in filter(choose, listed(objects, disjoint=False, proper=True)):
            found = [*growth.others, *([growth.before] if growth.before else [])]
            if any(len(cells([one]) & cells([other])) > 1 for one, other in product(found, growth.gold)):
                yield growth.case

    non_trivial = Reading(
        "non-trivial", adds="As proper; a found and a reference bicluster share two cells or more.",
        domain="biclusterings", strategy=partial(strategy, disjoint=False, proper=True, hit=True),
        enumerate_=cases_with_hits, scope=_FEW, within=_few, complete=5,
    )  # fmt: skip
    fourfold = _readings.fourfold(strategy, cases, _LISTED, adds="Found and reference share a cell.")
    return _readings.in_order(*fourfold, non_trivial)


def fits(case: Case, reading: str) -> bool:
    """Whether two candidates are scored against one gold, as the reading has it, and something is found."""
    least = 2 if reading == "non-trivial" else 1
    return one_gold(case) and shared_cells(case.right) >= least and fits_reading(case, reading)
