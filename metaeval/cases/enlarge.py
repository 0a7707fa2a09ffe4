"""Large cases, made from small ones: objects, features and biclusters many times over.

Narrow counters, fixed buffers, caps and rounding are right on every small case. Sizes are powers of two and their
neighbours. How many large cases a measure gets is fixed by its effort level.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, product, zip_longest
from random import Random

from metaeval.catalogue.condition import Condition, Reading
from metaeval.core.biclustering import Bicluster, Biclustering
from metaeval.core.case import Case, Side
from metaeval.core.grouping import like_objects


def multiplied(case: Case, axis: int, members: Collection[int], times: int, apart: bool = False) -> Case:
    """The case with these objects (or features, ``axis`` 1) repeated to ``times`` copies.

    A bicluster that holds some of them holds their copies, too. If they are to stay ``apart``, one that holds
    nothing else is itself repeated instead: a cluster of one object becomes many clusters of one object.
    """
    start = min(family.shape[axis] for family in case.families)
    chosen = sorted(member for member in members if member < start)
    new = len(chosen) * (times - 1)
    copies = {member: range(start + place, start + new, len(chosen)) for place, member in enumerate(chosen)}

    def wider(family: Biclustering) -> Biclustering:
        parts: list[Bicluster] = []
        shape = [*family.shape]
        for bicluster in family:
            if shape[axis] > start:  # what lies behind is moved up to make room for the copies
                moved = frozenset(index + new if index >= start else index for index in bicluster[axis])
                bicluster = _with(bicluster, axis, moved)
            parts += _copied(bicluster, axis, copies, apart)
        shape[axis] += new
        return Biclustering.trusted(parts, (shape[0], shape[1]))

    return case.mapped(wider)


def _copied(bicluster: Bicluster, axis: int, copies: dict[int, range], apart: bool) -> list[Bicluster]:
    inside = bicluster[axis]
    shared = [copies[one] for one in inside if one in copies]
    if apart and len(shared) == len(inside):
        return [bicluster, *(_with(bicluster, axis, frozenset(images)) for images in zip(*shared, strict=True))]
    return [_with(bicluster, axis, inside.union(*shared))] if shared else [bicluster]


def _with(bicluster: Bicluster, axis: int, inside: frozenset[int]) -> Bicluster:
    return (inside, bicluster[1]) if axis == 0 else (bicluster[0], inside)


def turned(case: Case, axis: int = 0) -> Case:
    """The case with its objects (or features) in the opposite order, as far as all of its matrices have them."""
    sizes = [family.shape[axis] for family in case.families]
    names = [*reversed(range(min(sizes))), *range(min(sizes), max(sizes))]
    return case.mapped(lambda family: _renamed(family, axis, names.__getitem__))


def _renamed(family: Biclustering, axis: int, name: Callable[[int], int]) -> Biclustering:
    return Biclustering.trusted([_with(one, axis, frozenset(map(name, one[axis]))) for one in family], family.shape)


def with_candidate_reversed(case: Case) -> Case:
    """The case with the left candidate's clusters in the opposite order, which is no matter."""
    candidate, *others = case.left
    return Case(Side(Biclustering.trusted(candidate.biclusters[::-1], candidate.shape), *others), *case[1:])


def groups(case: Case) -> Sequence[frozenset[int]]:
    """Sets of objects that may be worth taking many times: kinds, classes and clusters, and all of them."""
    held = (rows for family in case.families for rows, _ in family)
    sets = [frozenset(range(case.objects)), *map(frozenset, like_objects(case)), *held]
    return [some for some in dict.fromkeys(sets) if some]


def nearly(family: Biclustering, random: Random) -> Biclustering:
    """The family with two objects or features exchanged, a bicluster cut or left out, or two put together."""
    if not family:
        return family
    axis = 1 if family.shape[1] > 1 and random.random() < 0.5 else 0
    return random.choice((_exchanged, _exchanged, _cut, _merged))(family, axis, random)


def _exchanged(family: Biclustering, axis: int, random: Random) -> Biclustering:
    """Two change places; at a distance that is a power of two, a wrapped number does not tell them apart."""
    one = random.randrange(family.shape[axis])
    distances = [1 << power for power in range(10) if one + (1 << power) < family.shape[axis]]
    other = one + random.choice(distances[-3:] or [0])
    places = {one: other, other: one}
    return _renamed(family, axis, lambda index: places.get(index, index))


def _cut(family: Biclustering, axis: int, random: Random) -> Biclustering:
    bicluster = random.choice(family.biclusters)
    half = frozenset(sorted(bicluster[axis])[: len(bicluster[axis]) // 2])
    rest = [one for one in family if one != bicluster]
    parts = [_with(bicluster, axis, part) for part in (half, bicluster[axis] - half) if part]
    return Biclustering.trusted(dict.fromkeys([*rest, *parts[: random.choice((0, 0, 1, 2))]]), family.shape)


def _merged(family: Biclustering, axis: int, random: Random) -> Biclustering:
    one, other = random.choice(family.biclusters), random.choice(family.biclusters)
    rest = [bicluster for bicluster in family if bicluster[axis] not in (one[axis], other[axis])]
    return Biclustering.trusted(dict.fromkeys([*rest, _with(one, axis, one[axis] | other[axis])]), family.shape)


# --- further objects around a case

#: The ways to group further objects into classes or into clusters.
KINDS: dict[str, Callable[[range], list[range]]] = {
    "together": lambda rows: [rows],
    "alone": lambda rows: _singles(rows),
    "in pairs": lambda rows: [rows[at : at + 2] for at in range(0, len(rows), 2)],
    "in eights": lambda rows: [rows[at : at + 8] for at in range(0, len(rows), 8)],
    "a third and the rest alone": lambda rows: [rows[: len(rows) // 3], *_singles(rows[len(rows) // 3 :])],
    "nowhere": lambda rows: [],
}
#: Further ways, in which classes or clusters overlap.
RELATED: dict[str, Callable[[range], list[range]]] = {
    "nested": lambda rows: [rows[:end] for end in (1, 2, 3, 4, len(rows) // 2, len(rows) - 1, len(rows))],
    "nearly equal": lambda rows: [rows, rows[1:], rows[:-1], rows[1:-1], rows[2:]],
    "laminar": lambda rows: [rows, *(rows[at : at + 4] for at in range(0, len(rows), 4)), *_singles(rows[::3])],
}


def among(case: Case, classes: str, clusters: str, size: int, right_is_gold: bool, inside: int | None = None) -> Case:
    """The case among ``size`` further objects, in classes and in clusters of these :data:`KINDS` or :data:`RELATED`.

    What the gold has first gives the features. ``right_is_gold`` where the condition has the gold itself on the right.
    If they are to be ``inside`` a class, the one of this number has them in place of classes of their own.
    """
    features = next((cols for family in case.families for _, cols in family), None)
    if features is None:
        return case
    rows = range(case.objects, case.objects + size)
    found = ((KINDS | RELATED)[kind](rows) for kind in (classes, clusters))
    more, grouped = ([(frozenset(run), features) for run in runs if run] for runs in found)
    shape = (rows.stop, case.features)
    if case.crosses_roles:
        # A biclustering that stands on several sides gets the same further biclusters everywhere.
        others = (family for family in case.families if family != case.left.gold)
        added = {case.left.gold: more, **dict.fromkeys(others, grouped)}
        wider = {family: Biclustering.trusted([*family, *new], shape) for family, new in added.items()}
        return case.mapped(wider.__getitem__)
    old = list(case.left.gold)
    if inside is not None:
        old[inside], more = (old[inside][0] | {*rows}, old[inside][1]), []
    gold = Biclustering.trusted([*old, *more], shape)
    candidates = [Biclustering.trusted([*side.candidate, *grouped], shape) for side in case]
    if right_is_gold:
        candidates[1] = gold
    return Case(*(Side(candidate, gold) for candidate in candidates))


def _singles(rows: range) -> list[range]:
    return [rows[at : at + 1] for at in range(len(rows))]


#: The number of large cases per reading, and of further ones that are less large; the limits of their size.
CASES = 84
_COMPANY = (10, 30)
MOST_OBJECTS = 400
MOST_FEATURES = 8
#: Cells of a matrix whose features are taken many times; and of one that a condition makes, which may need as
#: many as 16 bits can count.
_MOST_CELLS = 2400
_MOST_CELLS_OF_ALL = 257 * 257
#: Biclusters of a family: twice as many as 8 bits can count.
_MOST_BICLUSTERS = 2 * 257
#: Attempts per case that is wanted: the premise may refuse them.
_ATTEMPTS = 12

#: The numbers of copies.
TIMES = (2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257)


@dataclass(frozen=True)
class _Maker:
    """Makes the large cases of a reading out of ``cores``, small ones."""

    condition: Condition
    cores: Sequence[Case]
    random: Random

    def ways(self) -> list[Iterator[Case]]:
        """Every way of making a large case."""
        enlarged = self.among_families, self.weighted, self.on_many_features
        missed = enlarged if self.condition.right_is_gold else ()
        small = [*(way() for way in enlarged), self.of_its_own(), *(self._near_misses(way()) for way in missed)]
        return [*(map(self._completed, cases) for cases in small), self.far_from_the_left()]

    def among_families(self) -> Iterator[Case]:
        """Every kind of classes with every kind of clusters, at some sizes, around small cores."""
        pairs = [pair for pair in product(KINDS, KINDS) if pair != ("nowhere", "nowhere")]
        # Where a right follows from a left, most of these multiply: half as large is large enough.
        first = TIMES[-6:-3] if self.condition.from_left else TIMES[-3:]
        for sizes in (first, TIMES[-12:-6], TIMES[-6:-3], TIMES[5:-12]):
            self.random.shuffle(pairs)
            for classes, clusters in pairs:
                size = self.random.choice(sizes)
                core = self.random.choice(self.cores[:8])
                case = among(core, classes, clusters, size, self.condition.right_is_gold)
                if self.random.random() >= 0.5:
                    case = self._in_any(case, self.random.choice((1, 2, 3, 4, 5, 17)))
                yield self._at_any_place(case)

    def in_company(self) -> Iterator[Case]:
        """Cores among some more objects, in classes of their own or in one that is there: means give way to many."""
        while True:
            case, size = self.random.choice(self.cores), self.random.choice(_COMPANY)
            classes, clusters = self.random.choices(list(KINDS), k=2)
            inside = self.random.choice((None, None, 0, len(case.left.gold) - 1)) if case.left.gold else None
            yield self._completed(among(case, classes, clusters, size, self.condition.right_is_gold, inside))

    def among_related(self) -> Iterator[Case]:
        """Cores among some more objects whose classes or clusters overlap, and near misses; the premise may refuse."""
        while True:
            kinds = [self.random.choice(list(RELATED)), self.random.choice([*RELATED, *KINDS])]
            self.random.shuffle(kinds)
            case, size = self.random.choice(self.cores), self.random.choice(_COMPANY)
            case = among(case, kinds[0], kinds[1], size, self.condition.right_is_gold)
            missed = list(self._near_misses(iter([case])))
            yield from map(self._completed, missed if self.condition.right_is_gold else [case, *missed])

    def weighted(self) -> Iterator[Case]:
        """Cores with some of their objects and features many times."""
        while True:
            case = self.random.choice(self.cores)
            for _ in range(self.random.choice((1, 1, 2, 2, 3))):
                chosen = self.random.choice(groups(case) or [frozenset()])
                # What the matrix holds beside them counts as objects, too.
                room = (MOST_OBJECTS - case.objects) // max(1, len(chosen))
                fitting = [times for times in TIMES if times <= room + 1]
                if chosen and fitting:
                    times, apart = self.random.choice(fitting), self.random.random() < 0.4
                    case = multiplied(case, 0, chosen, times, apart)
            yield self._at_any_place(self._wider(case))

    def on_many_features(self) -> Iterator[Case]:
        """Cores with one of their features many times."""
        while True:
            case = self.random.choice(self.cores)
            if case.features:
                case = multiplied(case, 1, [self.random.randrange(case.features)], self.random.choice(TIMES))
            yield self._at_any_place(case)

    def of_its_own(self) -> Iterator[Case]:
        """What the condition names at many sizes, alone and among others."""
        while self.condition.sized is not None:
            case = self.random.choice(list(self.condition.sized(self.random.choice(TIMES[:20]))))
            if case.objects <= MOST_OBJECTS and self.random.random() < 0.5:
                case = self._in_any(case, self.random.choice(TIMES))
            yield self._at_any_place(self._wider(case))

    def _near_misses(self, cases: Iterator[Case]) -> Iterator[Case]:
        """Candidates that differ from a large gold by very little, or not at all; where any left may have a right."""
        condition, sides = self.condition, self.condition.relation.sides
        for case in cases if condition.right_is_gold or condition.from_left or sides == 1 else ():
            gold = case.left.gold
            equal = not condition.right_is_gold and self.random.random() < 0.5
            yield Case(*[Side(gold if equal else nearly(gold, self.random), gold), Side(gold, gold)][:sides])

    def far_from_the_left(self) -> Iterator[Case]:
        """Where the right follows from the left: the smallest lefts, with every number, the largest first."""
        follow = self.condition.from_left
        if follow is not None:
            for number, core in product(reversed(TIMES), self.cores[:8]):
                yield from follow(core.left, number)

    def _in_any(self, case: Case, size: int) -> Case:
        classes, clusters = self.random.choices(list(KINDS), k=2)
        return among(case, classes, clusters, size, self.condition.right_is_gold)

    def _wider(self, case: Case) -> Case:
        most = min(MOST_FEATURES, _MOST_CELLS // max(1, case.objects))
        while 0 < case.features < most and self.random.random() < 0.6:
            fitting = [times for times in TIMES if times <= 1 + most - case.features]
            if not fitting:
                break
            case = multiplied(case, 1, [self.random.randrange(case.features)], self.random.choice(fitting))
        return case

    def _at_any_place(self, case: Case) -> Case:
        """What the case is about at the beginning or at the end; the order of clusters now and then another."""
        for axis in (0, 1):
            case = turned(case, axis) if self.random.random() < 0.5 else case
        return with_candidate_reversed(case) if self.random.random() < 0.3 else case

    def _completed(self, case: Case) -> Case:
        """The case with a right side that its left asks for, where the condition says what follows from a left."""
        follow = self.condition.from_left
        if follow is None:
            return case
        # Most numbers multiply; one that is added may be larger, and what becomes too large is left out later.
        room = (MOST_OBJECTS if self.random.random() < 0.6 else 4000) // max(1, case.objects)
        fitting = [number for number in TIMES if number <= room] or [TIMES[0]]
        # Nothing may follow: a single object has none to exchange its name with.
        followed = list(follow(case.left, self.random.choice(fitting)))
        return self.random.choice(followed) if followed else case


def large_cases(
    condition: Condition, reading: Reading, cores: Sequence[Case], seed: int, count: int = CASES
) -> list[Case]:
    """At most ``count`` large cases, smallest first, in equal parts from every way of making them."""
    if not cores:
        return []
    if condition.from_left:
        cores = [Case(core.left, core.left) for core in cores]
    name = f"{condition.key}:{reading.name}:{seed}"
    kinds = ("large", "company", "related")
    maker, company, related = (_Maker(condition, cores, Random(f"{kind}:{name}")) for kind in kinds)
    # One case from each way in turn, for as long as the way has some.
    in_turn = filter(None, chain.from_iterable(zip_longest(*maker.ways())))
    ways = [in_turn, chain.from_iterable(zip(company.in_company(), related.among_related(), strict=False))]
    found = dict.fromkeys(chain.from_iterable(_instances(way, reading, count) for way in ways))
    return sorted(found, key=cost)


def _instances(cases: Iterator[Case], reading: Reading, count: int) -> dict[Case, None]:
    found: dict[Case, None] = {}
    for case in islice(cases, _ATTEMPTS * count):
        objects, features = case.objects, case.features
        within = objects <= MOST_OBJECTS and objects * features <= _MOST_CELLS_OF_ALL
        is_large = within and case.most_biclusters <= _MOST_BICLUSTERS and (objects > 9 or features > 4)
        if is_large and reading.premise(case):
            found.setdefault(case)
        if len(found) == count:
            break
    return found


def cost(case: Case) -> int:
    """The cells of the larger matrix: what a measure's time grows with."""
    return case.objects * case.features
