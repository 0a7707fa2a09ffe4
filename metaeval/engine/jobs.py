"""Jobs: what is done in processes of its own, and what follows from how it ended.

A job holds ids and plain data wherever it can, so that it can be sent to another machine; only a measure
that is not metaeval's own goes along as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from metaeval.condition import find_condition
from metaeval.engine.events import Event, Gated, GroupDone, Restarted, Settled
from metaeval.engine.findings import Finding
from metaeval.engine.gate import GateFailure, gate
from metaeval.engine.isolation import Died, Ending, Finished, Hung, News, Notice, Told
from metaeval.engine.memory import Memories
from metaeval.engine.metering import Clock
from metaeval.engine.plan import Group, GroupId
from metaeval.engine.sampling import made_anew
from metaeval.engine.search import Supply, Tainted, search
from metaeval.engine.settings import Settings
from metaeval.measuring import Measure, as_measure
from metaeval.measuring import measures as all_measures
from metaeval.verdicts import Verdict

#: The id of a measure that every metaeval has, or any other measure itself.
Subject = str | Measure


class Job(Protocol):
    """Something done in a child: its name for whoever watches, the work, and the consequences."""

    @property
    def label(self) -> str:
        """What is shown while the job is under way."""

    def work(self, notice: Notice) -> Any:
        """Done in the child; ``notice`` is told before and after a measure is called, and which."""

    def outcome(self, news: Any) -> tuple[list[Event], Job | None]:
        """What there is to tell now that the child has told something or ended, and a job that follows from it."""


@dataclass(frozen=True)
class Gating:
    """A measure at the gate."""

    subject: Subject
    budget: float | None
    #: Whether the process was lost once already without anybody to blame.
    lost_before: bool = False

    @property
    def measure(self) -> Measure:
        """The measure itself."""
        return as_measure(self.subject)

    @property
    def label(self) -> str:
        return f"gate {self.measure.id}"

    def work(self, notice: Notice) -> tuple[GateFailure | None, float | None]:
        clock = Clock()

        def entering() -> None:
            clock.mark()
            notice(0)

        failure = gate(self.measure, entering)
        notice(None)
        return failure, clock.typical

    def outcome(self, ending: Ending) -> tuple[list[Event], Gating | None]:
        if is_nobodys_fault(ending) and not self.lost_before:
            return [], replace(self, lost_before=True)
        seconds = ending.value[1] if isinstance(ending, Finished) else None
        return [Gated(self.measure, self._failure(ending), seconds)], None

    def _failure(self, ending: Ending) -> GateFailure | None:
        if isinstance(ending, Finished):
            failure: GateFailure | None = ending.value[0]
            return failure
        if isinstance(ending, Hung):
            return GateFailure("answers", Verdict.TIMEOUT, f"it gave no answer within {self.budget:g} s")
        return GateFailure("survives", Verdict.ERROR, f"its process {ending.how}")


@dataclass(frozen=True)
class Searching:
    """The search in a group, for all its measures at once."""

    group_id: GroupId
    subjects: tuple[Subject, ...]
    drawn: Supply
    settings: Settings
    #: Whether the process was lost once already without anybody to blame.
    lost_before: bool = False
    #: Measures whose turn comes after this job, each alone.
    apart: tuple[Subject, ...] = ()

    @property
    def group(self) -> Group:
        """The condition and the reading themselves."""
        condition = find_condition(self.group_id[0])
        return Group(condition, condition.reading(self.group_id[1]))

    @property
    def label(self) -> str:
        return " ".join(self.group_id)

    def work(self, notice: Notice, memories: Memories | None = None) -> list[Finding]:
        try:
            return self._search(self.drawn, notice, memories)
        except Tainted:
            return self._search(made_anew(self.group.condition, self.settings), notice, None)

    def _search(self, drawn: Supply, notice: Notice, memories: Memories | None) -> list[Finding]:
        return search(
            *self.group,
            [as_measure(subject) for subject in self.subjects],
            drawn,
            exhaustive=self.settings.exhaustive,
            budget=self.settings.budget,
            notice=notice,
            memories=memories,
            # Without drawn cases the caller asked for the lists alone.
            seed=self.settings.seed if drawn else None,
        )

    def outcome(self, ending: Ending) -> tuple[list[Event], Searching | None]:
        if isinstance(ending, Finished):
            pairs = zip(self.subjects, ending.value, strict=True)
            return self._followed([self._settled(*pair) for pair in pairs])
        if ending.position is not None:
            return self._without_culprit(ending.position, self._fatal(ending))
        if not self.lost_before:
            return [], replace(self, lost_before=True)
        if len(self.subjects) > 1:
            # One of them may be what takes the process down; alone, it costs the others nothing.
            return [], replace(self, subjects=(), apart=self.subjects + self.apart)._next()
        return self._followed([self._settled(self.subjects[0], self._fatal(ending))])

    def _without_culprit(self, position: int, finding: Finding) -> tuple[list[Event], Searching | None]:
        """The culprit's cell is settled; the others start anew without it."""
        settled = self._settled(self.subjects[position], finding)
        rest = self.subjects[:position] + self.subjects[position + 1 :]
        if not rest:
            return self._followed([settled])
        return [settled, Restarted(self.group)], replace(self, subjects=rest, lost_before=False)

    def _followed(self, settled: Sequence[Settled]) -> tuple[list[Event], Searching | None]:
        """The cells of this job are settled; the group is done unless there are measures apart."""
        successor = self._next()
        return [*settled, (Restarted if successor else GroupDone)(self.group)], successor

    def _next(self) -> Searching | None:
        if not self.apart:
            return None
        return replace(self, subjects=self.apart[:1], apart=self.apart[1:], lost_before=False)

    def _settled(self, subject: Subject, finding: Finding) -> Settled:
        return Settled(as_measure(subject), *self.group, finding)

    def _fatal(self, ending: Hung | Died) -> Finding:
        if isinstance(ending, Hung):
            budget = self.settings.budget
            return Finding(Verdict.TIMEOUT, message=f"it gave no answer on a case within {budget:g} s")
        return Finding(Verdict.ERROR, message=f"its process was lost on a case: {ending.how}")


@dataclass(frozen=True)
class InTurn:
    """The searches in some groups of one condition, one after the other in one process.

    Readings share cases, and more of them share a side: what a measure said of one is not asked again.
    """

    searches: tuple[Searching, ...]

    @property
    def label(self) -> str:
        return self.searches[0].group_id[0]

    def work(self, notice: Notice) -> Iterator[list[Finding]]:
        """Tells the findings of each search."""
        memories = Memories()
        for one in self.searches:
            yield one.work(notice, memories)

    def outcome(self, news: News) -> tuple[list[Event], Job | None]:
        if isinstance(news, Told):
            return self.searches[news.number].outcome(Finished(news.value))
        if isinstance(news, Finished) or news.told == len(self.searches):
            return [], None
        told, successor = self.searches[news.told].outcome(news)
        rest = self.searches[news.told + 1 :]
        return told, in_turn([successor, *rest] if successor else rest)


def in_turn(searches: Sequence[Searching]) -> Job | None:
    """One job for several searches of a condition, or none where there are none."""
    return InTurn(tuple(searches)) if len(searches) > 1 else next(iter(searches), None)


def is_nobodys_fault(ending: Ending) -> bool:
    """Whether the process was lost while no measure was called, so far as is known."""
    return isinstance(ending, Died) and ending.position is None


def subject_of(measure: Measure) -> Subject:
    """A measure as a job holds it."""
    known = all_measures().get(measure.id) is measure
    # Another machine's registry knows nothing of what a notebook has registered here.
    home = getattr(measure.function, "__module__", None) or ""
    return measure.id if known and home.startswith("metaeval.measures.") else measure
