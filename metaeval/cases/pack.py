"""Case packs: every case of a condition that does not depend on a measure, as bytes.

Making cases takes a hundred times longer than trying them, so they are made once and kept. A pack says which cases
each reading tries and in which order, and holds each case once for all readings. It consists of numbers and names, so
reading one executes nothing. Cases are built when they are tried. Cases with a common family or side share the object.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, chain, pairwise
from typing import Any

from metaeval.cases.order import CaseSource
from metaeval.catalogue.condition import Condition, Reading
from metaeval.core.biclustering import Bicluster, Biclustering, Shape
from metaeval.core.case import Case, Side

#: The arrays of a pack. A set is a run of elements, a bicluster is two sets, a family is a run of biclusters, a side is
#: a run of families, and a case is a fixed number of sides; ``ends`` are the ends of the runs. ``tried`` holds the
#: cases of the readings, one reading after the other.
_ARRAYS = (
    "set_ends", "elements", "biclusters", "family_ends", "families", "shapes", "side_ends", "sides", "cases", "tried",
)  # fmt: skip
_NUMBER = "I"
#: The number of parts after the lists: cases that narrower readings list, drawn cases, large cases.
_PARTS = 3
_WIDTH = array(_NUMBER).itemsize


class Malformed(ValueError):
    """Bytes that are not a case pack."""


# --- packing


def packed(
    condition: Condition, drawn: Mapping[str, Sequence[Case]], exhaustive: int | None, seed: int | None = 0,
    most_large: int = 0,
) -> bytes:  # fmt: skip
    """The pack of a condition; ``drawn`` are the drawn cases by the name of the reading.

    At most ``most_large`` large cases per reading are made, with the ``seed``; without a seed there are none.
    """
    packer, lists = _Packer(), _Lists()
    every = [case for cases in drawn.values() for case in cases]
    shared: dict[str, Any] = {"seed": seed, "most_large": most_large, "enlarged": {}}
    readings = {}
    for name, reading in condition.readings.items():
        source = CaseSource(condition, reading, every, exhaustive, lists.of, **shared)
        readings[name] = {"drawn": len(drawn.get(name, ())), **packer.add(source)}
    return packer.written({"condition": condition.key, "sides": condition.relation.sides, "readings": readings})


class _Lists:
    """The lists of the readings. Each is made once, because every reading also looks at the lists of the others."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], list[Case]] = {}
        self._families: dict[tuple[tuple[Bicluster, ...], Shape], Biclustering] = {}
        self._pools: dict[Side, Side] = {}

    def of(self, reading: Reading, objects: int) -> list[Case]:
        key = reading.name, objects
        if key not in self._known:
            # Equal families become one object, so that facts about a family are computed once.
            self._known[key] = [Case(*map(self._side, case)) for case in reading.enumerate_(objects)]
        return self._known[key]

    def _side(self, side: Side) -> Side:
        shared = Side(*[self._families.setdefault((one.biclusters, one.shape), one) for one in side])
        # A pool has many families and occurs often. As one object, it is recognized by its identity.
        return self._pools.setdefault(shared, shared) if side.is_pool else shared


class _Packer:
    def __init__(self) -> None:
        #: Everything by content, numbered in the order in which it is met.
        self._families: dict[tuple[tuple[Bicluster, ...], Shape], int] = {}
        self._sides: dict[tuple[int, ...], int] = {}
        self._cases: dict[tuple[int, ...], int] = {}
        self._order = array(_NUMBER)
        #: Numbers of families by the id of the object, faster than by content; they are kept, or others get their ids.
        self._met: dict[int, int] = {}
        self._kept: list[Biclustering] = []

    def add(self, source: CaseSource) -> dict[str, Any]:
        """Add the cases of a reading; the number of cases in each part is returned."""
        return {
            "levels": [self._tried(cases) for _, cases in source.levels()],
            "parts": [self._tried(some()) for some in (source.listed_elsewhere, source.drawn, source.large)],
        }

    def written(self, head: dict[str, Any]) -> bytes:
        sets: dict[frozenset[int], int] = {}
        biclusters: dict[Bicluster, int] = {}
        families = [[biclusters.setdefault(one, len(biclusters)) for one in family] for family, _ in self._families]
        pairs = array(_NUMBER, [sets.setdefault(one, len(sets)) for pair in biclusters for one in pair])
        shapes, cases = (_runs(some)[1] for some in ([shape for _, shape in self._families], self._cases))
        arrays = *_runs([*map(sorted, sets)]), pairs, *_runs(families), shapes, *_runs(self._sides), cases, self._order
        line = json.dumps({**head, "sizes": [len(numbers) for numbers in arrays]}).encode() + b"\n"
        return line + b"".join(_little_endian(numbers).tobytes() for numbers in arrays)

    def _tried(self, cases: Iterable[Case]) -> int:
        self._order.extend(numbers := [self._case(case) for case in cases])
        return len(numbers)

    def _case(self, case: Case) -> int:
        sides, met = self._sides, self._met
        try:
            numbers = [tuple([met[id(family)] for family in side]) for side in case]
        except KeyError:
            numbers = [tuple(map(self._family, side)) for side in case]
        key = tuple([sides.setdefault(side, len(sides)) for side in numbers])
        return self._cases.setdefault(key, len(self._cases))

    def _family(self, family: Biclustering) -> int:
        # Equal families may differ in order, which a measure can see.
        number = self._families.setdefault((family.biclusters, family.shape), len(self._families))
        self._kept.append(family)
        return self._met.setdefault(id(family), number)


def _runs(runs: Collection[Collection[int]]) -> tuple[array[int], array[int]]:
    """The ends of the runs, and their numbers one after the other."""
    return array(_NUMBER, accumulate(map(len, runs))), array(_NUMBER, chain.from_iterable(runs))


# --- reading


class CasePack:
    """A case pack, read from bytes."""

    def __init__(self, data: bytes) -> None:
        try:
            line, _, rest = data.partition(b"\n")
            header = json.loads(line)
            self.condition: str = header["condition"]
            self._per_case: int = header["sides"]
            self._readings: dict[str, dict[str, Any]] = header["readings"]
            self._arrays = dict(zip(_ARRAYS, _arrays(rest, header["sizes"]), strict=True))
            self._check()
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise Malformed(f"not a case pack: {error!r}") from None
        self._families: list[Biclustering | None] = [None] * len(self._arrays["family_ends"])
        self._sides: list[Side | None] = [None] * len(self._arrays["side_ends"])

    def number_drawn(self, reading: str) -> int:
        """The number of cases that were drawn for a reading."""
        return int(self._readings[reading]["drawn"])

    @property
    def readings(self) -> tuple[str, ...]:
        """The names of the readings."""
        return tuple(self._readings)

    def levels(self, reading: str) -> list[range]:
        """The positions of the listed cases, one range per number of objects."""
        return self._runs(reading)[:-_PARTS]

    def parts(self, reading: str) -> list[range]:
        """The positions of the cases that narrower readings list, of drawn cases, and of large cases."""
        return self._runs(reading)[-_PARTS:]

    def cases(self, run: range) -> Iterator[Case]:
        """The cases at these positions, built one by one."""
        cases, sides, width = self._arrays["cases"], self._sides, self._per_case
        for number in self._arrays["tried"][run.start : run.stop]:
            numbers = cases[width * number : width * number + width]
            yield Case(*[sides[one] or self._side(one) for one in numbers])

    def _side(self, number: int) -> Side:
        """A side, built once: the score cache recognizes it by its identity."""
        families = _run(self._arrays["sides"], self._arrays["side_ends"], number)
        side = self._sides[number] = Side(*[self._family(one) for one in families])
        return side

    def _runs(self, reading: str) -> list[range]:
        start = 0
        found: dict[str, list[range]] = {}
        for name, entry in self._readings.items():
            counts = *entry["levels"], *entry["parts"]
            found[name] = [range(start, start := start + count) for count in counts]
        return found[reading]

    def _family(self, number: int) -> Biclustering:
        known = self._families[number]
        if known is None:
            objects, features = self._arrays["shapes"][2 * number : 2 * number + 2]
            members = _run(self._arrays["families"], self._arrays["family_ends"], number)
            known = Biclustering.trusted([self._biclusters[one] for one in members], (objects, features))
            self._families[number] = known
        return known

    @cached_property
    def _biclusters(self) -> list[Bicluster]:
        ends, elements = self._arrays["set_ends"], self._arrays["elements"]
        sets = [frozenset(_run(elements, ends, number)) for number in range(len(ends))]
        numbers = iter(self._arrays["biclusters"])
        return [(sets[rows], sets[cols]) for rows, cols in zip(numbers, numbers, strict=True)]

    def _check(self) -> None:
        """Refuse numbers that refer to nothing."""
        a, width = self._arrays, self._per_case
        counts = [n for entry in self._readings.values() for n in (*entry["levels"], *entry["parts"])]
        _demand(all(type(n) is int and n >= 0 for n in counts) and sum(counts) == len(a["tried"]))
        _demand(all(len(entry["parts"]) == _PARTS for entry in self._readings.values()))
        _demand(type(width) is int and width > 0 and len(a["cases"]) % width == 0)
        _demand(len(a["biclusters"]) % 2 == 0 and len(a["shapes"]) == 2 * len(a["family_ends"]))
        for ends, values in (("set_ends", "elements"), ("family_ends", "families"), ("side_ends", "sides")):
            _demand(list(a[ends]) == sorted(a[ends]) and (a[ends][-1] if a[ends] else 0) == len(a[values]))
        _demand(all(end - start > 1 for start, end in pairwise([0, *a["side_ends"]])))
        _demand(max(a["biclusters"], default=-1) < len(a["set_ends"]))
        _demand(max(a["families"], default=-1) < len(a["biclusters"]) // 2)
        _demand(max(a["sides"], default=-1) < len(a["family_ends"]))
        _demand(max(a["cases"], default=-1) < len(a["side_ends"]))
        _demand(max(a["tried"], default=-1) < len(a["cases"]) // width)


@lru_cache(maxsize=32)  # opened before a worker is forked, so that workers share it
def opened(data: bytes) -> CasePack:
    """The pack in these bytes, or :class:`Malformed`."""
    return CasePack(data)


class PackedSource:
    """The cases of a reading from a pack, in the order of :class:`CaseSource`."""

    def __init__(self, reading: Reading, pack: CasePack) -> None:
        self.reading = reading
        self._pack = pack
        self._elsewhere, self._drawn, self._large = pack.parts(reading.name)

    def levels(self) -> Iterator[tuple[int, Iterator[Case]]]:
        """The numbers of objects, smallest first, each with the cases that the reading itself lists."""
        for objects, run in enumerate(self._pack.levels(self.reading.name), start=1):
            yield objects, self._pack.cases(run)

    def drawn(self) -> Iterator[Case]:
        """The cases that were drawn under any reading."""
        return self._pack.cases(self._drawn)

    def listed_elsewhere(self) -> Iterator[Case]:
        """The cases that narrower readings list."""
        return self._pack.cases(self._elsewhere)

    def large(self) -> Iterator[Case]:
        """Large cases, smallest first."""
        return self._pack.cases(self._large)


def _arrays(data: bytes, sizes: Sequence[int]) -> Iterator[array[int]]:
    _demand(len(data) == sum(sizes) * _WIDTH and all(size >= 0 for size in sizes))
    start = 0
    for size in sizes:
        numbers = array(_NUMBER)
        numbers.frombytes(data[start : (start := start + size * _WIDTH)])
        yield _little_endian(numbers)


def _little_endian(numbers: array[int]) -> array[int]:
    """Convert between the byte order of this machine and that of packs, in either direction."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers


def _run(values: array[int], ends: array[int], number: int) -> array[int]:
    return values[ends[number - 1] if number else 0 : ends[number]]


def _demand(fact: bool) -> None:
    if not fact:
        raise ValueError("its numbers do not fit together")
