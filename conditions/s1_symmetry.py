"""S.1 Symmetry: which of two biclusterings is called the gold standard must not matter."""

from collections.abc import Callable, Iterator
from functools import partial

from hypothesis import strategies as st

from metaeval.catalogue.condition import Reading, condition, has_one_feature
from metaeval.conditions import _readings
from metaeval.conditions import a5_perfect_match as perfect_match
from metaeval.conditions._pairs import repeated_pairs, small_pairs
from metaeval.conditions._premise import has_repeats, is_of_kind
from metaeval.core.case import Case, Side
from metaeval.core.relation import EQUAL
from metaeval.proofs.situation import of_biclusterings, of_partitions


def premise(case: Case, reading: str) -> bool:
    """Right, candidate and gold have changed places."""
    repeats = reading != "repeated" and has_repeats(case)
    return have_changed_places(case) and not repeats and is_of_kind(case, reading)


def have_changed_places(case: Case) -> bool:
    """Whether the left's candidate is the right's gold and the other way round; they differ, on one matrix."""
    (candidate, gold), right = case
    same_matrix = candidate.shape == gold.shape
    return same_matrix and candidate != gold and (right.candidate, right.gold) == (gold, candidate)


def exchanged(side: Side) -> Case:
    """Left, a candidate and a gold; right, the same with their places exchanged."""
    return Case(side, Side(side.gold, side.candidate))


def from_left(side: Side, _: int) -> Iterator[Case]:
    """The pair exchanged; the number says nothing here."""
    yield exchanged(side)


def drawn(mismatch: Callable[[], st.SearchStrategy[Case]]) -> st.SearchStrategy[Case]:
    """The left pair of a mismatch, as A.5 draws it, exchanged."""
    return mismatch().map(lambda case: exchanged(case.left))


def drawn_pairs(disjoint: bool, lifted: bool = False) -> st.SearchStrategy[Case]:
    """Any two biclusterings that differ."""
    return drawn(partial(perfect_match.free, disjoint, lifted))


def enumerate_canonical(objects: int) -> Iterator[Case]:
    """Every two partitions."""
    return (exchanged(case.left) for case in perfect_match.enumerate_canonical(objects))


def enumerate_pairs(objects: int, disjoint: bool, proper: bool = False, lifted: bool = False) -> Iterator[Case]:
    """Every two families on a small matrix."""
    return map(exchanged, filter(_differ, small_pairs(objects, disjoint, proper, lifted)))


def enumerate_repeated(objects: int) -> Iterator[Case]:
    """Every two small multisets."""
    return map(exchanged, filter(_differ, repeated_pairs(objects, 1, _MOST_REPEATED)))


def _differ(side: Side) -> bool:
    return side.candidate != side.gold


#: The largest number of biclusters per side where repeats are listed.
_MOST_REPEATED = 2


def _few(case: Case) -> bool:
    """The scope of :func:`enumerate_repeated`, in code."""
    return has_one_feature(case) and all(len(family) <= _MOST_REPEATED for family in case.left)


_FEW = "one feature, and two features with up to two objects (there at most two biclusters per side), up to renaming"
#: What :func:`enumerate_pairs` lists under each reading.
LISTED = {
    "canonical": _readings.ListedScope(_readings.TWO_BY_TWO, complete=6),
    "literal": _readings.ListedScope(_readings.TWO_BY_TWO, complete=5),
    "overlapping": _readings.ListedScope(_FEW, complete=3),
    "proper": _readings.ListedScope(f"{_FEW}; with four objects at most two biclusters per side", complete=3, reach=4),
}


_READINGS = [
    _readings.of_partitions(partial(drawn, perfect_match.canonical), enumerate_canonical, complete=7),
    *(
        _readings.of_biclusterings(name, drawn_pairs, enumerate_pairs, adds, LISTED[name].scope, LISTED[name].complete)
        for name, adds in (
            ("literal", "Gold and candidate are any disjoint biclusterings."),
            ("overlapping", "Gold and candidate are any biclusterings, free to overlap."),
        )
    ),
    Reading(
        "repeated",
        adds="Gold and candidate are any biclusterings; biclusters may repeat.",
        domain="biclusterings",
        strategy=partial(drawn, partial(perfect_match.overlapping, most=2)),
        enumerate_=enumerate_repeated,
        scope="one feature, at most two biclusters per side, up to renaming",
        within=_few,
        complete=3,
    ),
]

condition(
    "S.1",
    name="Symmetry",
    statement="The score must be the same when candidate and gold change places.",
    citation=f"{_readings.GOSGENS}; {_readings.HORTA}",
    relation=EQUAL,
    step="with candidate and gold exchanged",
    premise=premise,
    situations={**of_partitions("swap"), **of_biclusterings("swap", "literal", "overlapping", "repeated")},
    from_left=from_left,
    readings=_READINGS,
    of_clusterings=_readings.of_clusterings(_READINGS, premise, drawn_pairs, enumerate_pairs),
)
