"""The cases of a run: remembered from an earlier one in this process, shipped or kept on disk, or made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from metaeval.cases.cache_folder import Cache, StockKey
from metaeval.cases.pack import Supply, opened
from metaeval.cases.sampling import Sampler, Sampling, sample_here
from metaeval.cases.shipped import shipped
from metaeval.catalogue.condition import Condition, GroupId, find_condition
from metaeval.core.case import Case
from metaeval.core.settings import Settings

#: The stocks that this process has met: a test suite asks for the same cases again and again.
_REMEMBERED: dict[StockKey, bytes] = {}


class Draws:
    """What the conditions of some groups supply, as it comes in."""

    def __init__(self, group_ids: Sequence[GroupId], settings: Settings) -> None:
        self._settings = settings
        self._condition_ids = list(dict.fromkeys(condition for condition, _ in group_ids))
        self._supplies: dict[str, Supply] = {}
        self._numbers: dict[GroupId, int] = {}
        self._samplers: list[Sampler] = []
        self._cache = Cache.of_user() if settings.cache and settings.examples else None
        #: What was amiss with the cache, in a sentence each.
        self.complaints: list[str] = []

    def start(self) -> Iterator[GroupId]:
        """Take what is there already, which is told, and start to make the rest."""
        for id in self._condition_ids:
            yield from self._at_once(find_condition(id))
        rest = [id for id in self._condition_ids if id not in self._supplies]
        # Dealt out in turns: the stock of a condition does not depend on which process makes it.
        for first in range(min(self._settings.processes, len(rest))):
            hand = tuple(rest[first :: self._settings.processes])
            asked = self._settings.examples, self._settings.seed, self._settings.exhaustive
            self._samplers.append(Sampler(Sampling(hand, *asked)))

    @property
    def under_way(self) -> list[Sampler]:
        """The processes that are still making stocks."""
        return [sampler for sampler in self._samplers if not sampler.done]

    def arrivals(self) -> Iterator[GroupId]:
        """The groups whose cases have come in since this was last asked, of one condition from each process."""
        for sampler in self.under_way:
            if sampler.is_ready():
                id, stock = sampler.next()
                if stock is None:
                    yield from self._drawn_here(find_condition(id))
                else:
                    self._keep(id, stock)
                    yield from self._stocked(id, stock)

    def are_complete_for(self, condition: Condition) -> bool:
        """Whether its cases are there."""
        return condition.id in self._supplies

    def of(self, condition: Condition) -> Supply:
        """The stock of a condition, or what was drawn for its readings: a case of one may be one of another."""
        return self._supplies[condition.id]

    def number(self, group_id: GroupId) -> int:
        """How many cases were drawn for a group."""
        return self._numbers[group_id]

    def close(self) -> None:
        """End the processes."""
        for sampler in self._samplers:
            sampler.close()

    def _at_once(self, condition: Condition) -> Iterator[GroupId]:
        """Without examples only the lists are tried, and a condition of a user's own is unknown elsewhere."""
        if not self._settings.examples or not _is_ours(condition):
            yield from self._drawn_here(condition)
        elif (stock := self._known(condition.id)) is not None:
            yield from self._stocked(condition.id, stock)

    def _drawn_here(self, condition: Condition) -> Iterator[GroupId]:
        drawn: list[Case] = []
        for name in condition.readings:
            cases = sample_here((condition.id, name), self._settings.examples, self._settings.seed)
            self._numbers[condition.id, name] = len(cases)
            drawn += cases
        self._supplies[condition.id] = tuple(drawn)
        yield from ((condition.id, name) for name in condition.readings)

    def _stocked(self, id: str, data: bytes) -> Iterator[GroupId]:
        stock = opened(data)
        self._supplies[id] = data
        for name in stock.readings:
            self._numbers[id, name] = stock.number_drawn(name)
            yield id, name

    def _known(self, id: str) -> bytes | None:
        key = self._key(id)
        if key not in _REMEMBERED:
            stock = shipped(key)
            if stock is None and self._cache is not None:
                stock = self._cache.load(key, self.complaints.append)
            if stock is not None:
                _REMEMBERED[key] = stock
        return _REMEMBERED.get(key)

    def _keep(self, id: str, stock: bytes) -> None:
        _REMEMBERED[self._key(id)] = stock
        if self._cache is not None:
            self._cache.store(self._key(id), stock)

    def _key(self, id: str) -> StockKey:
        return StockKey(id, self._settings.examples, self._settings.seed, self._settings.exhaustive)


def _is_ours(condition: Condition) -> bool:
    """Whether a clean process knows the condition as it is here: one that was registered later, it does not."""
    parts = [part for one in condition.readings.values() for part in (one.enumerate_, one.premise)]
    return all(_origin(part).startswith("metaeval.conditions.") for part in parts)


def _origin(function: Callable[..., Any]) -> str:
    while isinstance(function, partial):
        function = function.func
    return str(getattr(function, "__module__", ""))
