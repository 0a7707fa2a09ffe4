"""Situations against premises, in both directions.

A proof is about a situation; it is a proof of the condition only if every case of the reading is an instance of one
of its situations. So every listed case, and drawn ones, are read back into symbols here and compared entry by entry.
The other way, whatever symbols and context are drawn, the case that they make must be one that the premise admits.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from results_samples import scaled
from symbolic import disjoint_side

import metaeval
from metaeval import Biclustering
from metaeval.catalogue.condition import Reading
from metaeval.core.case import Case, Side
from metaeval.situation import Meeting, Named, Situation

Entry = tuple[int, int, int]
Objects = frozenset[int]

CELLS = [
    (condition.id, reading.name)
    for condition in metaeval.conditions().values()
    for reading in condition.readings.values()
    if reading.situations
]


def reading_of(cell: tuple[str, str]) -> Reading:
    return metaeval.conditions()[cell[0]].readings[cell[1]]


def size(family) -> int:
    return len(family[0]) * len(family[1])


def sizes(side: Biclustering) -> Counter[int]:
    return Counter(map(size, side))


def meeting(clusters, classes) -> Counter[Entry]:
    """(n, g, c) of the pairs that meet, cell by cell."""
    return Counter(
        (len(here), size(cluster), size(one))
        for cluster in clusters
        for one in classes
        if (here := {(r, c) for r in cluster[0] & one[0] for c in cluster[1] & one[1]})
    )


def cells_of(side: Biclustering) -> set[tuple[int, int]]:
    return {(row, col) for rows, cols in side for row in rows for col in cols}


def evaluated(text: str, values: dict[str, int]) -> int:
    return eval(text, {"__builtins__": {}}, values)


# --- A.1–A.4: a case read back into symbols --------------------------------------------------------------


@dataclass
class Read:
    """A case of A.1–A.4: its situation, the values of the symbols, and those of the family's own one by one."""

    situation: Situation
    values: dict[str, int]
    own: list[int] | None = None

    def entries(self, side: Named) -> Counter[Entry]:
        found: Counter[Entry] = Counter()
        for pair in side.pairs:
            texts = (pair.n, pair.g, pair.c)
            times = evaluated(pair.times, self.values)
            is_family = any(name in text for name in self.situation.own for text in texts)
            members = self.own if is_family else [0] * times
            assert len(members) == times
            for one in members:
                values = self.values | dict.fromkeys(self.situation.own, one)
                found[tuple(evaluated(text, values) for text in texts)] += 1
        return found

    def clusters(self, side: Named) -> Counter[int]:
        found: Counter[int] = Counter()
        for one in side.clusters:
            found[evaluated(one.g, self.values)] += evaluated(one.times, self.values)
        return found


def changed(case: Case) -> tuple[list[Objects], list[Objects], int]:
    """The clusters that only the left has, those that only the right has, and the number of features."""
    left, right = ({rows for rows, _ in side.candidate} for side in case)
    (columns,) = {cols for side in case for family in side for _, cols in family}
    return sorted(left - right, key=len), sorted(right - left, key=len), len(columns)


def class_of(case: Case, objects: Objects) -> Objects:
    return next(rows for rows, _ in case.left.gold if rows & objects)


def read_a1(case: Case, reading: str) -> Read:
    _, (one, other), f = changed(case)
    p, q = len(one) * f, len(other) * f
    e, h = len(class_of(case, one)) * f - p, len(class_of(case, other)) * f - q
    return Read(*reading_of(("A.1", reading)).situations, {"p": p, "q": q, "e": e, "h": h})


def read_a2(case: Case, reading: str) -> Read:
    (one, other), _, f = changed(case)
    p, q = len(one) * f, len(other) * f
    return Read(*reading_of(("A.2", reading)).situations, {"p": p, "q": q, "e": len(class_of(case, one)) * f - p - q})


def read_a3(case: Case, reading: str) -> Read:
    (noise, dirty), added, f = changed(case)
    clean = next(one for one in added if one < dirty)
    stray = dirty - clean
    values = {"m": len(noise), "f": f}
    if reading == "canonical":
        return Read(*reading_of(("A.3", reading)).situations, values)
    stranger, kin = reading_of(("A.3", reading)).situations
    home = class_of(case, stray)
    values["e"] = (len(class_of(case, clean)) - len(clean)) * f
    further = {row: (len(class_of(case, frozenset({row}))) - 1) * f for row in noise}
    if home & noise:
        (shared,) = home & noise
        del further[shared]
        return Read(kin, values | {"v": (len(home) - 2) * f}, [*further.values()])
    return Read(stranger, values | {"v": (len(home) - 1) * f}, [*further.values()])


def read_a4(case: Case, reading: str) -> Read:
    removed, _, f = changed(case)
    return Read(*reading_of(("A.4", reading)).situations, {"r": len(removed[-1]) - 1, "f": f})


READERS = {"A.1": read_a1, "A.2": read_a2, "A.3": read_a3, "A.4": read_a4}


def fits_same(condition: str, reading: str, case: Case) -> bool:
    """Whether what changes is what the situation names, symbol by symbol, and all else stays."""
    read = READERS[condition](case, reading)
    least = {symbol.name: symbol.least for symbol in read.situation.symbols}
    values = [*read.values.items(), *((name, one) for name in read.situation.own for one in read.own or ())]
    if any(value < least[name] for name, value in values):
        return False
    left, right = (list(side.candidate) for side in case)
    removed, added = [one for one in left if one not in right], [one for one in right if one not in left]
    if case.left.gold.family != case.right.gold.family or matrix(case.left) != matrix(case.right):
        return False
    if cells_of(case.left.candidate) != cells_of(case.right.candidate):
        return False
    return all(
        meeting(changing, case.left.gold) == read.entries(named)
        and Counter(map(size, changing)) == read.clusters(named)
        for changing, named in ((removed, read.situation.left), (added, read.situation.right))
    )


def matrix(side: Side) -> tuple[int, int]:
    return tuple(max(part.shape[axis] for part in side) for axis in (0, 1))


# --- the others ------------------------------------------------------------------------------------------


def fits_grown(case: Case) -> bool:
    """Every cluster of the right is in one of the left, which shares with the classes what it shared."""
    left, right = case
    grown = [
        (next(one for one in left.candidate if rows <= one[0] and cols == one[1]), (rows, cols))
        for rows, cols in right.candidate
    ]
    used = {id(one) for one, _ in grown}
    fresh = [one for one in left.candidate if id(one) not in used]
    return (
        len(used) == len(grown)
        and bool(meeting(right.candidate, right.gold))
        and left.gold.family == right.gold.family
        and matrix(left) == matrix(right)
        and not meeting(fresh, left.gold)
        and len(cells_of(left.candidate)) > len(cells_of(right.candidate))
        and all(
            size(larger) >= size(one)
            and Counter(n for n, _, _ in meeting([larger], left.gold).elements())
            == Counter(n for n, _, _ in meeting([one], left.gold).elements())
            for larger, one in grown
        )
    )


def fits_wider(case: Case) -> bool:
    left, right = case
    return all(one.family == other.family for one, other in zip(left, right, strict=True)) and (
        matrix(left)[0] * matrix(left)[1] <= matrix(right)[0] * matrix(right)[1]
    )


def fits_scaled(case: Case) -> bool:
    left, right = case
    factor = (matrix(right)[0] // matrix(left)[0]) ** 2
    scaled = Counter({tuple(factor * one for one in entry): n for entry, n in meeting(*left).items()})
    families = zip(left, right, strict=True)
    return (
        factor >= 4
        and matrix(right)[0] * matrix(right)[1] == factor * matrix(left)[0] * matrix(left)[1]
        and scaled == meeting(*right)
        and all(sizes(large) == Counter({factor * g: n for g, n in sizes(one).items()}) for one, large in families)
    )


def fits_copied(case: Case) -> bool:
    left, right = case
    times = matrix(right)[0] // matrix(left)[0]
    copied = [(meeting(*left), meeting(*right)), *((sizes(a), sizes(b)) for a, b in zip(left, right, strict=True))]
    return times >= 2 and all(Counter({entry: times * n for entry, n in one.items()}) == more for one, more in copied)


def fits_top(situation: Situation, case: Case) -> bool:
    (candidate, gold), right = case
    pairs = meeting(candidate, gold)
    found, classes = cells_of(candidate), cells_of(gold)
    imperfect = any(n < g or n < c for n, g, c in pairs)
    if right.candidate.family != gold.family or right.gold.family != gold.family:
        return False
    if not pairs and not situation.worlds:
        return False
    if situation.covering and found != classes:
        return False
    if situation.larger and not (classes <= found and all(n < g for n, g, _ in pairs)):
        return False
    return imperfect or found != classes


def fits(cell: tuple[str, str], case: Case) -> bool:
    situation = reading_of(cell).situations[0]
    disjoint = all(sum(sizes(family).elements()) == len(cells_of(family)) for side in case for family in side)
    lifted = len({cols for side in case for family in side for _, cols in family}) == 1
    if not disjoint or (situation.lifted and not lifted):
        return False
    if situation.context == "same":
        return fits_same(*cell, case)
    if situation.context == "top":
        return fits_top(situation, case)
    others = {"grown": fits_grown, "wider": fits_wider, "scaled": fits_scaled, "copied": fits_copied}
    return others[situation.context](case)


# --- every case is an instance of a situation ------------------------------------------------------------


@pytest.mark.parametrize("cell", CELLS, ids="-".join)
def test_every_listed_case_is_an_instance(cell: tuple[str, str]):
    reading = reading_of(cell)
    tried = 0
    for objects in range(1, 8 if cell[0] == "A.4" else 7 if cell[0] == "A.3" else 6):
        for case in islice(reading.enumerate_(objects), 4_000):
            tried += 1
            assert fits(cell, case), case
    assert tried > 0


@pytest.mark.parametrize("cell", CELLS, ids="-".join)
def test_every_drawn_case_is_an_instance(cell: tuple[str, str]):
    @settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(reading_of(cell).strategy())
    def check(case: Case) -> None:
        assert fits(cell, case)

    check()


# --- every instance is a case ------------------------------------------------------------------------------


def surrounded(draw: random.Random, named: tuple[list, list], classes: list[set[int]], partial: bool) -> Case:
    """The named clusters in a drawn context: further objects, with further clusters and classes."""
    inside = set().union(*named[0])
    start = max((row for one in (*named[0], *classes) for row in one), default=-1) + 1
    further = set(range(start, start + draw.randint(0, 6)))
    homes: dict[int, set[int]] = {}
    for row in further:
        homes.setdefault(draw.randint(0, 2), set()).add(row)
    around: dict[int, set[int]] = {}
    for row in (set().union(*classes) | further) - inside:
        around.setdefault(draw.randint(0, 2), set()).add(row)
    if partial:
        for groups in (homes, around):
            if draw.random() < 0.5:
                groups.pop(0, None)
    features = draw.randint(1, 3)
    shape = (start + len(further), features + draw.randint(0, 1))
    gold, *sides = (
        Biclustering.lifted(family, range(features), shape)
        for family in ([*classes, *homes.values()], *([*one, *around.values()] for one in named))
    )
    return Case(*(Side(side, gold) for side in sides))


def numbers(start: int, *counts: int) -> list[set[int]]:
    """Sets of so many objects each, one after the other."""
    found = []
    for count in counts:
        found.append(set(range(start, start + count)))
        start += count
    return found


def made_a1(draw: random.Random, partial: bool) -> Case:
    p, q, e, h = numbers(0, draw.randint(1, 5), draw.randint(1, 5), draw.randint(0, 4), draw.randint(0, 4))
    return surrounded(draw, ([p | q], [p, q]), [p | e, q | h], partial)


def made_a2(draw: random.Random, partial: bool) -> Case:
    p, q, e = numbers(0, draw.randint(1, 5), draw.randint(1, 5), draw.randint(0, 4))
    return surrounded(draw, ([p, q], [p | q]), [p | q | e], partial)


def made_a3(draw: random.Random, partial: bool) -> Case:
    m = draw.randint(2, 5)
    clean, stray, noise = numbers(0, m, 1, m)
    classes = [set(clean), set(stray), *({row} for row in noise)]
    if partial:
        extra = iter(range(2 * m + 1, 100))
        for one in classes:
            one |= set(islice(extra, draw.randint(0, 2)))
        joined = draw.randint(0, 2)
        if joined:  # 1: the stray's class is a noise object's; 2: the clean one's is
            one = classes.pop()
            classes[2 - joined] |= one
    return surrounded(draw, ([clean | stray, noise], [clean, noise | stray]), classes, partial)


def made_a4(draw: random.Random, partial: bool) -> Case:
    r = draw.randint(2, 5)
    kept, off, *pairs = numbers(0, r, 1, *[2] * r)
    singles = [{row} for pair in pairs for row in pair]
    return surrounded(draw, ([kept | off, *singles], [kept, off, *pairs]), [kept | off, *pairs], partial)


def drawn_side(draw: random.Random, nonempty: bool = False) -> Side:
    while True:
        shape = draw.randint(1, 6), draw.randint(1, 4)
        side = Side(*(disjoint_side(draw, *shape) for _ in range(2)))
        if not nonempty or meeting(*side):
            return side


def made_b1(draw: random.Random, partial: bool) -> Case:
    side = drawn_side(draw, nonempty=True)
    objects, features = side.gold.shape
    count = draw.randint(1, 4)
    family = [(set(rows), cols) for rows, cols in side.candidate]
    fresh = []
    for row in range(objects, objects + count):
        if draw.random() < 0.5:
            draw.choice(family)[0].add(row)
        else:
            fresh.append(({row}, draw.sample(range(features), draw.randint(1, features))))
    shape = (objects + count, features)
    left = Biclustering([*family, *fresh], shape)
    gold = side.gold.on(shape)
    return Case(Side(left, gold), Side(side.candidate.on(shape), gold))


def made_b2(draw: random.Random, partial: bool) -> Case:
    side = drawn_side(draw)
    more = draw.randint(0, 3), draw.randint(0, 3)
    shape = tuple(n + m for n, m in zip(side.gold.shape, more if any(more) else (1, 0), strict=True))
    return Case(side, Side(*(one.on(shape) for one in side)))


def made_b3(draw: random.Random, partial: bool) -> Case:
    side, k = drawn_side(draw), draw.randint(2, 3)
    return Case(side, Side(*(scaled(one, k) for one in side)))


def made_b4(draw: random.Random, partial: bool) -> Case:
    side, k = drawn_side(draw), draw.randint(2, 3)
    objects, features = side.gold.shape
    shift = features * draw.randint(0, 1)

    def copies(one: Biclustering) -> Biclustering:
        family = [
            ({row + at * objects for row in rows}, {col + at * shift for col in cols})
            for at in range(k)
            for rows, cols in one
        ]
        return Biclustering(family, (objects * k, features + shift * (k - 1)))

    return Case(side, Side(*map(copies, side)))


def made_a5(draw: random.Random, partial: bool) -> Case:
    while True:
        side = drawn_side(draw) if partial else drawn_partitions(draw)
        if side.candidate.family != side.gold.family:
            return Case(side, Side(side.gold, side.gold))


def drawn_partitions(draw: random.Random) -> Side:
    objects, features = draw.randint(2, 9), draw.randint(1, 3)
    labels = [[draw.randint(0, 3) for _ in range(objects)] for _ in range(2)]
    return Side(*(Biclustering.from_labels(one, features) for one in labels))


def made_b5(draw: random.Random, partial: bool) -> Case:
    while True:
        gold = drawn_side(draw).gold if partial else drawn_partitions(draw).gold
        if len(gold) >= 2:
            rows, cols = (set().union(*(pair[axis] for pair in gold)) for axis in (0, 1))
            return Case(Side(Biclustering([(rows, cols)], gold.shape), gold), Side(gold, gold))


MAKERS = {
    "A.1": made_a1, "A.2": made_a2, "A.3": made_a3, "A.4": made_a4, "A.5": made_a5,
    "B.1": made_b1, "B.2": made_b2, "B.3": made_b3, "B.4": made_b4, "B.5": made_b5,
}  # fmt: skip


@pytest.mark.parametrize("cell", CELLS, ids="-".join)
def test_every_instance_is_a_case(cell: tuple[str, str]):
    draw = random.Random(7)
    reading = reading_of(cell)
    for _ in range(300):
        case = MAKERS[cell[0]](draw, partial=cell[1] == "literal")
        assert reading.premise(case), case
        assert fits(cell, case), case


def test_both_situations_of_the_rag_bag_are_met():
    draw = random.Random(8)
    cases = [made_a3(draw, partial=True) for _ in range(100)]
    assert {id(read_a3(case, "literal").situation) for case in cases} == {
        id(one) for one in reading_of(("A.3", "literal")).situations
    }


# --- and these checks can fail -----------------------------------------------------------------------------


def with_situation(monkeypatch: pytest.MonkeyPatch, cell: tuple[str, str], **changed) -> None:
    """Let a reading's situation be another one."""
    reading = reading_of(cell)
    other = replace(reading, situations=(replace(reading.situations[0], **changed),))
    monkeypatch.setitem(globals(), "reading_of", lambda _: other)


def first_fits(cell: tuple[str, str], objects: int) -> list[bool]:
    return [fits(cell, case) for case in islice(reading_of(cell).enumerate_(objects), 20)]


@pytest.mark.parametrize(
    ("cell", "objects", "wrong"),
    [
        # A wrong entry, a bound that leaves cases out, and an entry dropped.
        (("A.2", "canonical"), 4,
         lambda one: {"right": replace(one.right, pairs=(Meeting("p + q", "p + q", "p + q"),))}),
        (("A.3", "canonical"), 5, lambda one: {"symbols": (replace(one.symbols[0], least=3), *one.symbols[1:])}),
        (("A.4", "canonical"), 7, lambda one: {"left": replace(one.left, pairs=one.left.pairs[:1])}),
    ],
)  # fmt: skip
def test_a_wrong_situation_is_noticed(monkeypatch: pytest.MonkeyPatch, cell, objects, wrong):
    assert all(first_fits(cell, objects))
    with_situation(monkeypatch, cell, **wrong(reading_of(cell).situations[0]))
    assert not all(first_fits(cell, objects))


def test_other_cases_do_not_fit():
    draw = random.Random(9)
    assert not any(fits_copied(made_a1(draw, partial=True)) for _ in range(20))
    assert not any(fits_grown(made_b2(draw, partial=False)) for _ in range(20))
    assert not any(fits_scaled(made_b4(draw, partial=False)) for _ in range(20))
