"""Events: what happens in a run, in the order it happens.

The runner yields these and does nothing else with what it finds. Collecting results, saving them and showing
progress are handlers of the stream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from metaeval.catalogue.condition import Condition, Group, GroupId, Reading
from metaeval.catalogue.measure import Measure
from metaeval.proof import Proof
from metaeval.records.described import GateFailure
from metaeval.runner.plan import Plan
from metaeval.search.findings import Finding


@dataclass(frozen=True)
class Started:
    """The run begins. It takes ``steps``: so many :class:`Drawn`, :class:`Gated` and :class:`GroupDone` follow."""

    plan: Plan
    steps: int


@dataclass(frozen=True)
class UnderWay:
    """What is being worked on has changed."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class Drawn:
    """The cases of a condition under a reading have been drawn."""

    group_id: GroupId
    cases: int


@dataclass(frozen=True)
class Gated:
    """A measure has passed the gate, or failed one of its checks; ``seconds`` is what a call took there.

    One that passes may still deserve a ``remark`` on extreme inputs. What it ``printed`` is told where it failed.
    ``effort`` is its level, and ``sample`` the processor time from which that follows, where it was timed.
    """

    measure: Measure
    failure: GateFailure | None
    seconds: float | None = None
    remark: GateFailure | None = None
    printed: str | None = None
    effort: int | None = None
    sample: float | None = None


@dataclass(frozen=True)
class Attempted:
    """It was tried to prove cells of a measure: the proofs, or in a sentence each what stood in the way."""

    measure: Measure
    attempts: Mapping[GroupId, Proof | str]


@dataclass(frozen=True)
class Settled:
    """A cell has its verdict."""

    measure: Measure
    condition: Condition
    reading: Reading
    finding: Finding


@dataclass(frozen=True)
class Restarted:
    """A group goes on in another process without the measures that are settled: one took the last process down."""

    group: Group


@dataclass(frozen=True)
class GroupDone:
    """Every cell of a group is settled."""

    group: Group


@dataclass(frozen=True)
class Estimated:
    """What the search is about to take, by the calls at the gate: a call at the median, and the whole.

    ``more`` is what the next effort level would take beyond that; 0 where that is not known, or there is none.
    """

    call: float
    seconds: float
    more: float = 0.0


@dataclass(frozen=True)
class Noted:
    """Something that a user may want to know, in a sentence; the run goes on."""

    sentence: str


Event = Estimated | Noted | Started | UnderWay | Drawn | Gated | Attempted | Settled | Restarted | GroupDone
Handler = Callable[[Event], None]
