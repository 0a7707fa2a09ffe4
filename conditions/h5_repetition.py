"""H.5 Repetition: finding a reference bicluster more than once must lower the score."""

from collections import Counter
from collections.abc import Iterator

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition, has_one_feature
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._enumerate import pairs
from metaeval.conditions._pairs import drawn_pair, listed_families, not_empty
from metaeval.conditions._premise import has_repeats, is_degenerate, is_disjoint, same_gold
from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.relation import WORSE
from metaeval.strategies import integers

_FEW = (
    "one feature, and two features with up to two objects (there at most two found biclusters), up to renaming; with "
    "four objects at most two found biclusters"
)
#: How often a bicluster occurs where repetitions are listed.
_TIMES = (2, 3)


def premise(case: Case, reading: str) -> bool:
    """One of the right's biclusters that is a class occurs more than once on the left; the classes are disjoint."""
    left, right = case
    if not same_gold(case) or left.shape != right.shape or has_repeats(Case(right, right)):
        return False
    more = Counter(left.candidate)
    more.subtract(Counter(right.candidate))
    repeated = [bicluster for bicluster, times in more.items() if times]
    if len(repeated) != 1 or more[repeated[0]] < 1 or repeated[0] not in {*right.candidate} & {*right.gold}:
        return False
    if reading in ("canonical", "proper") and any(map(is_degenerate, right)):
        return False
    return is_disjoint(right.gold) and (reading in ("overlapping", "proper") or is_disjoint(right.candidate))


def _repeated(right: Side, match: Bicluster, times: int) -> Case:
    """Left, the match ``times`` times; right, once."""
    again = [*right.candidate, *[match] * (times - 1)]
    return Case(Side(Biclustering.trusted(again, right.gold.shape), right.gold), right)


@st.composite
def strategy(draw: _strategy.Draw, disjoint: bool, proper: bool) -> Case:
    """A disjoint reference, a candidate that has one of its biclusters, and how often it has it."""
    candidate, gold = draw(drawn_pair(disjoint=True))
    found = [*candidate] if disjoint else [*candidate, *draw(drawn_pair(disjoint=False)).candidate]
    gold = not_empty(gold)
    match = gold.biclusters[draw(integers(0, len(gold) - 1))]
    others = [
        (rows, cols)
        for rows, cols in dict.fromkeys(found)
        if (rows, cols) != match and not (disjoint and rows & match[0] and cols & match[1])
    ]
    objects, features = (max(map(max, axis)) for axis in zip(*gold, *others, strict=True))
    shape = (1 + objects + draw(integers(0, 2)), 1 + features + draw(integers(0, 1)))
    right = Side(*(Biclustering.trusted(family, shape) for family in ([*others, match], gold)))
    case = _repeated(right, match, draw(integers(2, 4)))
    return _strategy.stretched(case) if proper else case


def enumerate_(objects: int, disjoint: bool, proper: bool) -> Iterator[Case]:
    """Every disjoint reference, every candidate that has one of its biclusters, and that two or three times."""
    for features in (1, 2) if objects <= 2 else (1,):
        golds = listed_families(objects, features, disjoint=True, most=0, proper=proper)
        candidates = listed_families(objects, features, disjoint, most=2, proper=proper)
        for right in pairs((objects, features), golds, candidates):
            for match in (one for one in right.candidate if one in right.gold.biclusters):
                yield from (_repeated(right, match, times) for times in _TIMES)


def _seldom(case: Case) -> bool:
    """The scope of the lists, in code: on one feature, twice or three times."""
    return has_one_feature(case) and len(case.left.candidate) - len(case.right.candidate) < max(_TIMES)


def _listed(scope: str, complete: int, reach: int = 0) -> _readings.ListedScope:
    return _readings.ListedScope(f"{scope}, two or three times", complete, reach, _seldom)


condition(
    "H.5",
    name="Repetition",
    statement=(
        "If a found bicluster that is a reference bicluster occurs more than once, the reference being disjoint, the "
        "score must fall."
    ),
    citation=_readings.HORTA,
    relation=WORSE,
    step="without the repetition",
    premise=premise,
    readings=_readings.fourfold(
        strategy,
        enumerate_,
        {
            "canonical": _listed(_readings.TWO_BY_TWO, complete=6),
            "literal": _listed(_readings.TWO_BY_TWO, complete=5),
            "overlapping": _listed(_FEW, complete=3, reach=4),
            "proper": _listed(_FEW, complete=3, reach=4),
        },
        adds="This is before the repetition; the reference is always disjoint.",
        domain="biclusterings",
    ),
)
