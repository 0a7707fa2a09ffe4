"""The cases of a cell: those of its reading, and those of the condition's other readings that its premise admits.

Readings are nested or overlap, and each lists and draws cases that others lack. Without sharing, a measure could fail
a condition under one reading and seem to satisfy it under a wider one.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from metaeval.cases.enlarge import CASES, cost, large_cases
from metaeval.catalogue.condition import Condition, Reading
from metaeval.core.case import Case

#: The cases that a reading lists, for a number of objects.
Listing = Callable[[Reading, int], Iterable[Case]]
#: The number of smallest listed cases that are enlarged, and about the number of others.
_SMALLEST, _CORES = 8, 60


@dataclass
class CaseSource:
    """All cases of a reading that do not depend on a measure, in a fixed order.

    ``samples`` are drawn cases of any reading of the condition; ``listing`` may cache the lists. ``most_large`` large
    cases are made per reading, with the ``seed``; without a seed there are none. Sources with the same ``enlarged``
    make the large cases of each reading only once.
    """

    condition: Condition
    reading: Reading
    samples: Sequence[Case]
    exhaustive: int | None
    listing: Listing = field(default=lambda reading, objects: reading.enumerate_(objects))
    seed: int | None = None
    most_large: int = 0
    enlarged: dict[str, list[Case]] = field(default_factory=dict)
    _seen: set[Case] = field(default_factory=set, init=False)

    def levels(self) -> Iterator[tuple[int, Iterator[Case]]]:
        """The numbers of objects, smallest first, each with the cases that the reading itself lists."""
        for objects in range(1, self._bound(self.reading) + 1):
            yield objects, self._own(objects)

    def drawn(self) -> Iterator[Case]:
        """The cases that were drawn under any reading."""
        return self._admitted(self.samples)

    def listed_elsewhere(self) -> Iterator[Case]:
        """The cases that narrower readings list. For example, fewer objects may suffice with more features."""
        return self._admitted(case for other in self._narrower for case in self._listed(other))

    def large(self) -> Iterator[Case]:
        """Large cases, also of narrower readings, smallest first; none for pools."""
        if self.seed is None or self.condition.relation.pooled:
            return
        made: list[Case] = []
        for reading in (self.reading, *self._narrower):
            if reading.name not in self.enlarged:
                # If no case is small enough to be listed, enlarge drawn cases.
                drawn = filter(reading.premise, self.samples)
                listed = list(self._listed(reading)) or sorted(drawn, key=lambda case: case.size)
                cores = [*listed[:_SMALLEST], *listed[_SMALLEST :: max(1, len(listed) // _CORES)]]
                count = min(CASES, self.most_large)
                self.enlarged[reading.name] = large_cases(self.condition, reading, cores, self.seed, count)
            made += self.enlarged[reading.name]
        # Its own were judged when they were made; to judge a large case takes long.
        yield from self._admitted(sorted(made, key=cost), judged={*self.enlarged[self.reading.name]})

    @cached_property
    def _narrower(self) -> list[Reading]:
        """The readings whose smallest cases this reading admits."""
        others = [other for other in self.condition.readings.values() if other.name != self.reading.name]
        smallest = {other.name: list(islice(self._listed(other), _SMALLEST)) for other in others}
        return [one for one in others if smallest[one.name] and all(map(self.reading.premise, smallest[one.name]))]

    def _bound(self, reading: Reading) -> int:
        return reading.reach if self.exhaustive is None else min(self.exhaustive, reading.reach)

    def _own(self, objects: int) -> Iterator[Case]:
        for case in self.listing(self.reading, objects):
            if objects > self._complete or not self.reading.within(case):
                self._seen.add(case)
            yield case

    def _listed(self, reading: Reading) -> Iterator[Case]:
        levels = range(1, self._bound(reading) + 1)
        return (case for objects in levels for case in self.listing(reading, objects))

    def _admitted(self, cases: Iterable[Case], judged: Collection[Case] = ()) -> Iterator[Case]:
        for case in cases:
            known = self._covers(case) or case in self._seen
            if not known and (case in judged or self.reading.premise(case)):
                self._seen.add(case)
                yield case

    @cached_property
    def _complete(self) -> int:
        return min(self.reading.complete, self._bound(self.reading))

    def _covers(self, case: Case) -> bool:
        """Whether the reading's own list has the case, perhaps with other names."""
        return case.objects <= self._complete and self.reading.within(case)
