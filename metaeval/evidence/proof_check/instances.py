"""Concrete cases of each condition, drawn by the checker itself, for readings that proofs can cover.

They are made neither by the conditions' strategies nor by the prover's situations. Most are small; some have clusters
of more than a thousand objects, where a measure might behave otherwise than on all that a search can reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from metaeval.core.biclustering import Bicluster, Biclustering, Shape
from metaeval.core.case import Case, Side

Draw = Callable[[Random, bool], Case]
Objects = list[int]

#: One case in so many is large, and how many objects a large cluster has.
_LARGE = 50
_MANY = 1_001, 1_500
#: Where each object brings a class or two clusters with it.
_MANY_EACH = 60, 120


def instances(condition: str, reading: str, random: Random, count: int) -> Iterator[Case]:
    """So many cases of a condition under a reading."""
    draw = _DRAWN[condition, reading]
    for number in range(count):
        yield draw(random, number % _LARGE == _LARGE - 1)


def _size(random: Random, large: bool, least: int = 1, many: tuple[int, int] = _MANY) -> int:
    """A number of objects: mostly a few, now and then a dozen."""
    if large:
        return random.randint(*many)
    return least + (random.randint(0, 3) if random.random() < 0.8 else random.randint(0, 15))


# --- clusterings


class _Objects:
    """Hands out new objects."""

    def __init__(self) -> None:
        self.count = 0

    def new(self, number: int) -> Objects:
        self.count += number
        return list(range(self.count - number, self.count))


def _surrounded(
    random: Random,
    objects: _Objects,
    classes: list[Objects],
    named: tuple[list[Objects], list[Objects]],
    large: bool,
    partial: bool,
    extended: Sequence[int] = (),
) -> Case:
    """The named clusters left and right among others; the classes at ``extended`` may get further objects.

    Without ``partial`` both sides are partitions; with it objects may lack a cluster, a class or both.
    """
    context: list[Objects] = [[] for _ in range(random.choice((1, 2, 3, 5, 15)))]
    further: list[Objects] = [[] for _ in range(random.choice((1, 2, 4, 10)))]
    homes = [*(classes[at] for at in extended), *further]
    many = random.randint(*_MANY) if large else random.choice((0, 0, 1, 2, 4, 8, 16, 32))
    for row in objects.new(many):
        if not partial or random.random() < 0.8:
            random.choice(homes).append(row)
        if not partial or random.random() < 0.8:
            random.choice(context).append(row)
    features = random.choice((1, 1, 2, 3))
    shape = (objects.count, features + random.randint(0, 1))
    gold = _lifted([*classes, *further], features, shape)
    left, right = (Side(_lifted([*side, *context], features, shape), gold) for side in named)
    return Case(left, right)


def _lifted(clusters: list[Objects], features: int, shape: Shape) -> Biclustering:
    cols = frozenset(range(features))
    return Biclustering([(frozenset(rows), cols) for rows in clusters if rows], shape=shape)


def _split(random: Random, large: bool, partial: bool) -> Case:
    objects = _Objects()
    p, q = objects.new(_size(random, large)), objects.new(_size(random, False))
    return _surrounded(random, objects, [[*p], [*q]], ([p + q], [p, q]), large, partial, (0, 1))


def _join(random: Random, large: bool, partial: bool) -> Case:
    objects = _Objects()
    p, q = objects.new(_size(random, large)), objects.new(_size(random, False))
    return _surrounded(random, objects, [p + q], ([p, q], [p + q]), large, partial, (0,))


def _move(random: Random, large: bool, partial: bool) -> Case:
    """Under the literal reading a noise object may be of the clean class, and the stray of a noise object's."""
    objects = _Objects()
    size = _size(random, large, 2, _MANY_EACH)
    clean, stray, noise = objects.new(size), objects.new(1), objects.new(size)
    classes = [[*clean], [*stray], *([row] for row in noise)]
    if partial:
        if random.random() < 0.3:
            classes[2] += classes[1]
            classes[1] = []
        if random.random() < 0.3:
            classes[0] += classes.pop()
    named = [clean + stray, noise], [clean, noise + stray]
    there = [one for one in classes if one]
    return _surrounded(random, objects, there, named, large, partial, range(len(there)) if partial else ())


def _exchange(random: Random, large: bool, partial: bool) -> Case:
    objects = _Objects()
    r = _size(random, large, 2, _MANY_EACH)
    whole, pairs = objects.new(r + 1), [objects.new(2) for _ in range(r)]
    singles = [[row] for pair in pairs for row in pair]
    named = [whole, *singles], [whole[:-1], whole[-1:], *pairs]
    return _surrounded(random, objects, [[*whole], *([*pair] for pair in pairs)], named, large, partial)


def _partitions(random: Random, large: bool, partial: bool) -> Case:
    """Two different partitions of the same objects, and the gold against itself."""
    objects = _Objects().new(_size(random, large, 2))
    shape = (len(objects), random.choice((1, 2, 3)))
    features = random.randint(1, shape[1])

    def drawn() -> list[Objects]:
        blocks: list[Objects] = [[] for _ in range(random.randint(1, min(6, len(objects))))]
        for row in objects:
            random.choice(blocks).append(row)
        return blocks

    gold, candidate = _lifted(drawn(), features, shape), _lifted(drawn(), features, shape)
    while candidate.family == gold.family:
        # From two objects on, one of these is another partition.
        candidate = _lifted(random.choice(([objects], [[row] for row in objects])), features, shape)
    return Case(Side(candidate, gold), Side(gold, gold))


# --- biclusterings


def _disjoint(random: Random, shape: Shape, most: int, empty: float = 0.1) -> Biclustering:
    """Rectangles that share no cell, some of scattered rows and columns; sometimes none."""
    kept: list[Bicluster] = []
    for _ in range(0 if random.random() < empty else random.randint(1, most)):
        new = _some(random, shape[0]), _some(random, shape[1])
        if all(new[0].isdisjoint(rows) or new[1].isdisjoint(cols) for rows, cols in kept):
            kept.append(new)
    return Biclustering(kept, shape=shape)


def _some(random: Random, count: int) -> frozenset[int]:
    return frozenset(random.sample(range(count), random.randint(1, max(1, count // random.choice((1, 2, 3))))))


def _pair(random: Random, large: bool, empty: float = 0.1) -> Side:
    rows = random.randint(*_MANY) if large else random.randint(1, 9)
    shape = rows, random.choice((1, 1, 2, 3, 4))
    gold = _disjoint(random, shape, 6, empty)
    # Often near the gold, which is where scores are high.
    near = [one for one in gold if random.random() < 0.8]
    candidate = Biclustering(near, shape=shape) if random.random() < 0.3 else _disjoint(random, shape, 6, empty)
    return Side(candidate, gold)


def _meet(side: Side) -> bool:
    return any(a[0] & b[0] and a[1] & b[1] for a in side.candidate for b in side.gold)


def _against_itself(random: Random, large: bool) -> Case:
    while True:
        side = _pair(random, large)
        if side.candidate.family != side.gold.family:
            return Case(side, Side(side.gold, side.gold))


def _grown(random: Random, large: bool) -> Case:
    side = _pair(random, large, empty=0)
    while not _meet(side):
        side = _pair(random, large, empty=0)
    (rows, cols), count = side.gold.shape, random.randint(1, 4)
    shape = rows + count, cols
    grown: list[Bicluster] = list(side.candidate)
    for row in range(rows, rows + count):
        at = random.randint(0, len(side.candidate))
        if at < len(side.candidate):
            grown[at] = (grown[at][0] | {row}, grown[at][1])
        else:
            grown.append((frozenset({row}), _some(random, cols)))
    candidate, gold = (Biclustering(one, shape=shape) for one in side)
    return Case(Side(Biclustering(grown, shape=shape), gold), Side(candidate, gold))


def _wider(random: Random, large: bool) -> Case:
    side = _pair(random, large)
    more = random.choice(((1, 0), (0, 1), (2, 3), (40, 0)))
    shape = side.gold.shape[0] + more[0], side.gold.shape[1] + more[1]
    return Case(side, Side(*(Biclustering(one, shape=shape) for one in side)))


def _scaled(random: Random, large: bool) -> Case:
    side, times = _pair(random, large), random.randint(2, 3)

    def copies(indices: frozenset[int]) -> frozenset[int]:
        return frozenset(times * index + copy for index in indices for copy in range(times))

    def scaled(one: Biclustering) -> Biclustering:
        shape = one.shape[0] * times, one.shape[1] * times
        return Biclustering([(copies(rows), copies(cols)) for rows, cols in one], shape=shape)

    return Case(side, Side(*map(scaled, side)))


def _copied(random: Random, large: bool) -> Case:
    side, times, fresh = _pair(random, large), random.randint(2, 4), random.random() < 0.5
    (height, width) = side.gold.shape
    step = width if fresh else 0

    def copied(one: Biclustering) -> Biclustering:
        return Biclustering(
            [
                (frozenset(row + copy * height for row in rows), frozenset(col + copy * step for col in cols))
                for copy in range(times)
                for rows, cols in one
            ],
            shape=(height * times, width + step * (times - 1)),
        )

    return Case(side, Side(*map(copied, side)))


def _spanned(random: Random, large: bool, tiled: bool) -> Case:
    """Classes that fill a rectangle, cut again and again; or, not ``tiled``, any disjoint ones."""
    rows = random.randint(*_MANY) if large else random.randint(2, 9)
    shape = rows, random.randint(1, 4)
    pieces: list[Bicluster] = [(frozenset(range(shape[0])), frozenset(range(shape[1])))]
    for _ in range(random.randint(1, 5)):
        pieces += _halves(random, pieces.pop(random.randrange(len(pieces))))
    if len(pieces) < 2:
        pieces = _halves(random, pieces[0], by_rows=True)
    if not tiled and len(pieces) > 2 and random.random() < 0.7:
        del pieces[random.randrange(len(pieces))]
    gold = Biclustering(pieces, shape=(shape[0] + random.randint(0, 2), shape[1]))
    whole = frozenset().union(*(r for r, _ in pieces)), frozenset().union(*(c for _, c in pieces))
    return Case(Side(Biclustering([whole], shape=gold.shape), gold), Side(gold, gold))


def _halves(random: Random, piece: Bicluster, by_rows: bool | None = None) -> list[Bicluster]:
    along_rows = random.random() < 0.5 if by_rows is None else by_rows
    line = sorted(piece[0] if along_rows else piece[1])
    if len(line) == 1:
        return [piece]
    one = frozenset(random.sample(line, random.randint(1, len(line) - 1)))
    other = frozenset(line) - one
    return [(part, piece[1]) if along_rows else (piece[0], part) for part in (one, other)]


def _covering(draw: Callable[[Random, bool, bool], Case]) -> Draw:
    return lambda random, large: draw(random, large, False)


def _partial(draw: Callable[[Random, bool, bool], Case]) -> Draw:
    return lambda random, large: draw(random, large, True)


_DRAWN: dict[tuple[str, str], Draw] = {
    ("A.1", "canonical"): _covering(_split),
    ("A.1", "literal"): _partial(_split),
    ("A.2", "canonical"): _covering(_join),
    ("A.2", "literal"): _partial(_join),
    ("A.3", "canonical"): _covering(_move),
    ("A.3", "literal"): _partial(_move),
    ("A.4", "canonical"): _covering(_exchange),
    ("A.5", "canonical"): _covering(_partitions),
    ("A.5", "literal"): _against_itself,
    ("B.1", "canonical"): _grown,
    ("B.2", "canonical"): _wider,
    ("B.3", "canonical"): _scaled,
    ("B.4", "canonical"): _copied,
    ("B.5", "canonical"): lambda random, large: _spanned(random, large, True),
    ("B.5", "literal"): lambda random, large: _spanned(random, large, False),
}
