"""H.7 Homogeneity: mixing the minor parts of two biclusters must lower the score.

The source's words are "categories" and "minor"; they are read like this. The categories are the reference biclusters.
One of them is minor in a found bicluster where another one has more cells in it. Two found biclusters have minor
categories that differ, and neither has a cell of the other's. Of these minor cells, x of the one bicluster and x of the
other change places. So what was of one category in each is of two in both, and nothing else has changed.

At the end point all cells of both minor categories have changed places, as many here as there: each part is of one
category again. The score may be as before there, and such cases are left out. Everywhere else it must fall. That it
need only not rise cannot be meant: a measure that goes by the covered area alone never sees cells change places, and
the source's table says of RNIA that it lacks this property.

Biclusters stay biclusters. So the two have the same columns and exchange rows, or the other way round.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, permutations, product

from hypothesis import strategies as st

from metaeval.catalogue.condition import condition, has_one_feature
from metaeval.conditions import _readings, _strategy
from metaeval.conditions._clusters import Cluster, Sides, cut, lift, lifted_case, mask_of
from metaeval.conditions._enumerate import Column, Vector, arranged
from metaeval.conditions._premise import fits_reading, one_gold, only_left_and_right
from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case
from metaeval.core.relation import WORSE
from metaeval.strategies import integers

Cells = frozenset[tuple[int, int]]


def premise(case: Case, reading: str) -> bool:
    """Two biclusters of the right have exchanged some cells of their minor categories on the left."""
    if not one_gold(case) or not fits_reading(case, reading):
        return False
    mixed, pure = only_left_and_right(case)
    if (len(mixed), len(pure)) != (2, 2):
        return False
    before, after = ([frozenset(product(*bicluster)) for bicluster in some] for some in (pure, mixed))
    return any(_have_exchanged(before, order, case.left.gold) for order in permutations(after))


def _have_exchanged(before: Sequence[Cells], after: Sequence[Cells], gold: Biclustering) -> bool:
    (one, other), (new_one, new_other) = before, after
    given, taken = one - new_one, new_one - one
    if not given or len(given) != len(taken) or (other - new_other, new_other - other) != (taken, given):
        return False
    category, other_category = _category(given, gold), _category(taken, gold)
    if category is None or other_category is None or _shared(one, other_category) or _shared(other, category):
        return False
    minor, other_minor = _shared(one, category), _shared(other, other_category)
    if len(given) == minor == other_minor:
        return False  # the end point
    return _most(one, gold) > minor and _most(other, gold) > other_minor


def _category(cells: Cells, gold: Biclustering) -> Bicluster | None:
    """The one class that holds all the cells, where none of them is in another one too."""
    met = [reference for reference in gold if _shared(cells, reference)]
    return met[0] if len(met) == 1 and _shared(cells, met[0]) == len(cells) else None


def _shared(cells: Cells, reference: Bicluster) -> int:
    rows, cols = reference
    return sum(row in rows and col in cols for row, col in cells)


def _most(cells: Cells, gold: Biclustering) -> int:
    """How many of the cells the class has that has the most."""
    return max(_shared(cells, reference) for reference in gold)


def sides(given: Cluster, taken: Cluster, rest: Cluster, other_rest: Cluster) -> Sides:
    """Left, the first cluster has given objects to the second and taken others from it; right, it has not."""
    return [rest | taken, other_rest | given], [rest | given, other_rest | taken]


def _sizes(draw: _strategy.Draw) -> tuple[int, int, int]:
    """How many objects are exchanged, and how many more of both minor categories stay; not none of either."""
    exchanged, kept, other_kept = draw(integers(1, 3)), draw(integers(0, 3)), draw(integers(0, 3))
    return exchanged, kept, other_kept or (0 if kept else 1)


@st.composite
def strategy(draw: _strategy.Draw, disjoint: bool, proper: bool) -> Case:
    """Two biclusters with minor categories, among others; rows are exchanged, or columns."""
    case = _disjoint(draw) if disjoint else _overlapping(draw)
    if draw(st.booleans()):  # with rows for columns
        case = case.mapped(lambda one: Biclustering.trusted([(c, r) for r, c in one], one.shape[::-1]))
    return _strategy.stretched(case, every=True) if proper else case


def _disjoint(draw: _strategy.Draw) -> Case:
    """A major category of each, or one of both, and perhaps further objects of another category, or of none."""
    exchanged, kept, other_kept = _sizes(draw)
    majors = [exchanged + stay + draw(integers(1, 3)) for stay in (kept, other_kept)]
    further = [draw(integers(0, 2)) for _ in majors]
    runs = map(frozenset, cut((exchanged, exchanged, kept, other_kept, *majors, *further)))
    given, taken, stay, other_stay, major, other_major, more, other_more = runs
    minors = [given | stay, taken | other_stay]
    named = [*minors, major | other_major] if draw(st.booleans()) else [*minors, major, other_major]
    around = _strategy.Context(draw, [*named, more, other_more], partial=True)
    lost = draw(st.sampled_from(((), (0,), (1,), (0, 1))))  # these further objects are in no category
    classes = [one for place, one in enumerate(around.classes) if one and place - len(named) not in lost]
    count, features = _strategy.some_features(draw)
    pair = sides(given, taken, stay | major | more, other_stay | other_major | other_more)
    return lifted_case(classes, pair, around.clusters, (around.objects, count), features)


def _overlapping(draw: _strategy.Draw) -> Case:
    """The same with free sets, from which only what the premise forbids is cut away."""
    exchanged, kept, other_kept = _sizes(draw)
    common = draw(integers(0, 3))
    rests = [max(0, exchanged + stay + 1 - common) + draw(integers(0, 2)) for stay in (kept, other_kept)]
    runs = cut((exchanged, exchanged, kept, other_kept, *rests, common))
    first, objects = runs[-1].stop, runs[-1].stop + draw(_strategy.FURTHER)
    given, taken, stay, other_stay, own, other_own, both = map(frozenset, runs)

    def with_outsiders(members: Cluster) -> int:
        outsiders: int = draw(integers(0, (1 << objects - first) - 1))
        return mask_of(members) | outsiders << first

    def unmoved(mask: int) -> int:
        """What is exchanged belongs to no category but its own."""
        return mask & ~mask_of(given | taken)

    majors = [_strategy.wider(draw, mask_of(members | both), objects) for members in (own, other_own)]
    gold = [with_outsiders(given | stay), with_outsiders(taken | other_stay)]
    gold += filter(None, map(unmoved, (*majors, *_strategy.masks(draw, objects))))
    pair = sides(given, taken, stay | own | both, other_stay | other_own | both)
    return _strategy.in_free_context(draw, objects, gold, pair)


def enumerate_(objects: int, disjoint: bool, proper: bool) -> Iterator[Case]:
    """Every exchange, in every context or, where clusters and classes overlap, in none."""
    both, shape = frozenset({0, 1}), (objects, 2)
    for case in _listed_disjoint(objects) if disjoint else _listed_overlapping(objects):
        if proper:
            # On two features no bicluster is a single cell.
            yield case.mapped(lambda family: lift((rows for rows, _ in family), shape, both))
        if not proper or all(len(rows) > 1 for family in case.families for rows, _ in family):
            yield case


def _listed_disjoint(objects: int) -> Iterator[Case]:
    """By the sizes of both clusters; each minor part is an item of a class, all other objects are one each."""
    for minor, other_minor, rest, other_rest in product(range(1, objects), repeat=4):
        sizes, is_end = (minor, other_minor, rest, other_rest), minor == other_minor == 1
        outnumbered = minor < rest and other_minor < other_rest
        # The two clusters can be named either way.
        if sum(sizes) <= objects and outnumbered and not is_end and (minor, rest) <= (other_minor, other_rest):
            yield from _surrounded([frozenset(run) for run in cut(sizes)], objects)


def _surrounded(parts: list[Cluster], objects: int) -> Iterator[Case]:
    """Every gold standard and every context in which the first two parts are of minor categories."""
    minor, other_minor, rest, other_rest = parts
    core: list[Column] = [
        [minor],
        [other_minor],
        *([[row] for row in sorted(part)] for part in (rest, other_rest)),
    ]
    for gold, context in arranged(core, objects, True, _minor_alone, classified=2):
        most, other_most = (max(len(part & members) for members in gold) for part in (rest, other_rest))
        if most > len(minor) and other_most > len(other_minor):
            yield from (lifted_case(gold, pair, context, (objects, 1)) for pair in _exchanges(*parts))


def _minor_alone(vector: Vector) -> bool:
    """A minor category has nothing else in either cluster."""
    return sum(vector[:4]) == 1 if vector[0] or vector[1] else any(vector)


def _exchanges(minor: Cluster, other_minor: Cluster, rest: Cluster, other_rest: Cluster) -> Iterator[Sides]:
    """Every number of objects of each minor part, whichever: they are alike."""
    for count in range(1, min(len(minor), len(other_minor)) + 1):
        given, taken = (frozenset(sorted(part)[:count]) for part in (minor, other_minor))
        if given != minor or taken != other_minor:
            yield sides(given, taken, minor - given | rest, other_minor - taken | other_rest)


#: Where an object can be that is not exchanged: in the first cluster, in the second, in the minor class of each, and in
#: a third class, the major one of both.
_KINDS = [kind for kind in product((False, True), repeat=5) if not (kind[0] and kind[3]) and not (kind[1] and kind[2])]


def _listed_overlapping(objects: int) -> Iterator[Case]:
    """Two clusters and three classes, by how many objects there are of each kind."""
    for count in range(1, objects // 2 + 1):
        moved = [(True, False, True, False, False)] * count + [(False, True, False, True, False)] * count
        for kinds in combinations_with_replacement(_KINDS, objects - 2 * count):
            sets = [frozenset(row for row, kind in enumerate([*moved, *kinds]) if kind[at]) for at in range(5)]
            one, other, *gold = sets
            minors = len(one & gold[0]), len(other & gold[1])
            majors = len(one & gold[2]), len(other & gold[2])
            if minors != (count, count) and majors[0] > minors[0] and majors[1] > minors[1]:
                given, taken = (frozenset(run) for run in cut((count, count)))
                yield lifted_case(gold, sides(given, taken, one - given, other - taken), [], (objects, 1))


def _two_and_three(case: Case) -> bool:
    """The scope of the lists in which biclusters overlap, in code."""
    return has_one_feature(case) and len(case.left.candidate) == 2 and len(case.left.gold) <= 3


_TWICE = "the same on two features, single cells included"
_THREE = "one feature, two found and three reference biclusters, up to renaming"

condition(
    "H.7",
    name="Homogeneity",
    statement=(
        "If two found biclusters exchange some of the cells that each has of its minor category, the categories being "
        "different ones, the score must fall."
    ),
    citation=_readings.HORTA,
    relation=WORSE,
    step="with the minor cells back in their places",
    premise=premise,
    readings=_readings.fourfold(
        strategy,
        enumerate_,
        {
            "canonical": _readings.ListedScope(f"{_readings.ONE_FEATURE}; {_TWICE}", complete=10),
            "literal": _readings.ListedScope(_readings.ONE_FEATURE, complete=10),
            "overlapping": _readings.ListedScope(_THREE, complete=7, within=_two_and_three),
            "proper": _readings.ListedScope(f"{_THREE}; {_TWICE}", complete=7, within=_two_and_three),
        },
        adds="Not all of both minor categories are exchanged, as many here as there.",
    ),
)
