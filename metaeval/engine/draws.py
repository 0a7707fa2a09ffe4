"""The drawn cases of a run: remembered from an earlier one in this process, or drawn by clean processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from metaeval.cases import Case
from metaeval.condition import Condition
from metaeval.engine.plan import GroupId
from metaeval.engine.sampling import Sampler, Sampling
from metaeval.engine.settings import Settings

#: What this process has drawn, by group, number and seed: a test suite asks for the same cases again and again.
_REMEMBERED: dict[tuple[GroupId, int, int], list[Case]] = {}


class Draws:
    """The cases of some groups, as they come in."""

    def __init__(self, group_ids: Sequence[GroupId], settings: Settings) -> None:
        self._settings = settings
        self._cases: dict[GroupId, list[Case]] = {}
        self._samplers: list[Sampler] = []
        self._group_ids = group_ids

    def start(self) -> Iterator[GroupId]:
        """Take what is there already, which is told, and start to draw the rest."""
        for group_id in self._group_ids:
            cases = _REMEMBERED.get(self._key(group_id)) if self._settings.examples else []
            if cases is not None:
                self._cases[group_id] = cases
                yield group_id
        rest = [group_id for group_id in self._group_ids if group_id not in self._cases]
        # Dealt out in turns: the cases of a group do not depend on which process draws it.
        for first in range(min(self._settings.processes, len(rest))):
            hand = tuple(rest[first :: self._settings.processes])
            self._samplers.append(Sampler(Sampling(hand, self._settings.examples, self._settings.seed)))

    @property
    def under_way(self) -> list[Sampler]:
        """The processes that are still drawing."""
        return [sampler for sampler in self._samplers if not sampler.done]

    def arrivals(self) -> Iterator[GroupId]:
        """The groups whose cases have come in since this was last asked, at most one from each process."""
        for sampler in self.under_way:
            if sampler.is_ready():
                group_id, cases = sampler.next()
                self._cases[group_id] = _REMEMBERED[self._key(group_id)] = cases
                yield group_id

    def are_complete_for(self, condition: Condition) -> bool:
        """Whether the cases of all its readings are there."""
        return all((condition.id, name) in self._cases for name in condition.readings)

    def of(self, condition: Condition) -> tuple[Case, ...]:
        """The cases drawn for any reading of a condition: those of one may be instances of another."""
        return tuple(case for name in condition.readings for case in self._cases[condition.id, name])

    def number(self, group_id: GroupId) -> int:
        """How many cases were drawn for a group."""
        return len(self._cases[group_id])

    def close(self) -> None:
        """End the processes."""
        for sampler in self._samplers:
            sampler.close()

    def _key(self, group_id: GroupId) -> tuple[GroupId, int, int]:
        return group_id, self._settings.examples, self._settings.seed
