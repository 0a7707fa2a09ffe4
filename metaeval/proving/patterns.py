"""Patterns: small cases of which only the sizes are left open.

Objects that lie in the same clusters and classes, left and right, are of one *kind*. A case in which every kind has one
object is a pattern; with other numbers of each kind it stands for every case that has the same clusters and classes
and the same kinds. So a reading whose premise does not ask for sizes has few patterns of few kinds, and its own list of
small cases has them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, combinations, permutations
from typing import Any, NamedTuple, NoReturn

from metaeval.cases import Case, Side
from metaeval.condition import Reading, has_one_feature
from metaeval.kernel import Atom, Overlay, counted, keep_overlay
from metaeval.model import Biclustering
from metaeval.proving.refusal import Refused

#: Numbers of objects with which the premise is tried.
_SIZES = (2, 3, 8)
#: So many patterns are followed for a cell.
MOST = 60


class Kind(NamedTuple):
    """In which clusters and classes an object lies, left and right: bit i is set for the i-th."""

    left: int
    left_gold: int
    right: int
    right_gold: int


@dataclass(frozen=True)
class Pattern:
    """A case that has one object of every kind."""

    case: Case
    kinds: tuple[Kind, ...]
    #: Of which kinds there can be any number; of the others the condition admits one.
    free: tuple[bool, ...]

    def sized(self, sizes: Sequence[int]) -> Case:
        """The case with so many objects of every kind."""
        return _sized(self.case, sizes)


@lru_cache(maxsize=64)
def patterns(reading: Reading, kinds: int) -> tuple[Pattern, ...]:
    """Every pattern with so many kinds, on one feature; refused where the premise asks for sizes, or of very many."""
    if reading.within is not has_one_feature:
        raise Refused("The list of small cases leaves some patterns out.")
    found: list[Pattern] = []
    for case in reading.enumerate_(kinds):
        if case.features != 1 or not reading.premise(case):
            continue
        own = _kinds(case)
        if len({*own}) == kinds and all(map(any, own)):
            found.append(Pattern(case, own, _free(case, reading.premise)))
            if len(found) > MOST:
                raise Refused("There are more patterns than are followed.")
        elif not reading.premise(_collapsed(case, own)):
            raise Refused("The condition ties the sizes of clusters together.")
    return tuple(found)


def _kinds(case: Case) -> tuple[Kind, ...]:
    (left, left_gold), (right, right_gold) = case
    families = left, left_gold, right, right_gold
    return tuple(
        Kind(*(sum(1 << at for at, (rows, _) in enumerate(family) if row in rows) for family in families))
        for row in range(case.objects)
    )


def _collapsed(case: Case, kinds: tuple[Kind, ...]) -> Case:
    """With one object of every kind, and none that lies nowhere."""
    return _sized(case, [int(any(kind) and kinds.index(kind) == row) for row, kind in enumerate(kinds)])


def _sized(case: Case, sizes: Sequence[int]) -> Case:
    ends = [*accumulate(sizes)]
    copies = [range(end - size, end) for end, size in zip(ends, sizes, strict=True)]

    def wider(family: Biclustering) -> Biclustering:
        parts = ((frozenset(new for row in rows for new in copies[row]), cols) for rows, cols in family)
        return Biclustering.trusted(parts, (ends[-1], family.shape[1]))

    return Case(*(Side(*map(wider, side)) for side in case))


def _free(case: Case, premise: Callable[[Case], bool]) -> tuple[bool, ...]:
    """Of which objects there can be any number, each by itself and all together.

    Of the others there must be one, whatever becomes of the rest: sizes that only grow together are refused.
    """
    objects = range(case.objects)

    def admits(grown: Iterable[int], size: int) -> bool:
        many = {*grown}
        return premise(_sized(case, [size if row in many else 1 for row in objects]))

    free = [row for row in objects if all(admits([row], size) for size in _SIZES)]
    bound = [row for row in objects if row not in free]
    together = [*combinations(bound, 1), *combinations(bound, 2), tuple(bound)]
    tied = any(admits([*some, *rest], size) for some in together if some for rest in ((), free) for size in _SIZES)
    if tied or not all(admits(some, size) for some in (*combinations(free, 2), free) for size in _SIZES):
        raise Refused("The condition ties the sizes of clusters together.")
    return tuple(row in free for row in objects)


# --- a pattern as a measure sees it


class _Opaque:
    """A bicluster of which nothing can be asked: its objects have no number."""

    def _refuse(self, *_: object) -> NoReturn:
        raise Refused("It looks at the objects themselves.")

    __iter__ = __len__ = __bool__ = __getitem__ = __contains__ = __eq__ = __hash__ = __getattr__ = _refuse


class _Guarded:
    """A side whose sizes are open: it has a number of biclusters, and nothing else."""

    def __init__(self, length: int) -> None:
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[_Opaque]:
        return (_Opaque() for _ in range(self._length))

    def _refuse(self, *_: object) -> NoReturn:
        raise Refused("It looks at the objects themselves.")

    __getitem__ = __contains__ = __eq__ = __hash__ = __getattr__ = _refuse


class _Weighed(Overlay):
    """An overlay whose atoms have weights with symbols."""

    def __init__(self, candidate: Any, gold: Any, weights: dict[tuple[int, int], Any]) -> None:
        self.candidate, self.gold = candidate, gold
        self.atoms = [Atom(*masks, weight) for masks, weight in weights.items()]
        self.candidate_sizes = [self._size(0, at) for at in range(len(candidate))]
        self.gold_sizes = [self._size(1, at) for at in range(len(gold))]
        self._identities = {}
        self.values = {}
        self._counts = counted(self.atoms)

    def _size(self, side: int, at: int) -> Any:
        return sum(atom.weight for atom in self.atoms if atom[side] >> at & 1)

    @cached_property
    def matching(self) -> Any:
        """As the kernel defines it; SciPy, which finds it there, knows no symbols."""
        table = self.intersections
        if len(table) > len(self.gold_sizes):
            table = [list(line) for line in zip(*table, strict=True)]
        width = max(len(self.candidate_sizes), len(self.gold_sizes))
        return max(
            sum(line[at] for line, at in zip(table, places, strict=True))
            for places in permutations(range(width), len(table))
        )


def scores(pattern: Pattern, value: Callable[[Any, Any], Any], weights: Sequence[Any]) -> tuple[Any, Any]:
    """What a measure says of both sides where the kinds have these weights."""
    return (
        _score(value, pattern.case.left, [kind[:2] for kind in pattern.kinds], weights),
        _score(value, pattern.case.right, [kind[2:] for kind in pattern.kinds], weights),
    )


def _score(
    value: Callable[[Any, Any], Any], side: Side, masks: Sequence[tuple[int, ...]], weights: Sequence[Any]
) -> Any:
    atoms: dict[tuple[int, int], Any] = {}
    for (left, right), weight in zip(masks, weights, strict=True):
        if left or right:
            atoms[left, right] = atoms.get((left, right), 0) + weight
    found: Any = _Guarded(len(side.candidate))
    gold: Any = _Guarded(len(side.gold))
    keep_overlay(found, gold, _Weighed(found, gold, atoms))
    return value(found, gold)
