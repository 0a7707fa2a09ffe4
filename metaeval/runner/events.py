"""Events: what happens in a run, in order. The runner only yields them; others save results and show progress."""

from collections.abc import Callable
from dataclasses import dataclass

from metaeval.catalogue.condition import Condition, Group, GroupId, Reading
from metaeval.catalogue.measure import Measure
from metaeval.records.cell import Cell
from metaeval.records.described import GateFailure
from metaeval.runner.plan import Plan


@dataclass(frozen=True)
class Started:
    """The run begins. ``steps`` is the total number of :class:`Drawn`, :class:`Gated`, :class:`GroupDone` to come."""

    plan: Plan
    steps: int


@dataclass(frozen=True)
class UnderWay:
    """The jobs that are running have changed; ``labels`` are their labels."""

    labels: tuple[str, ...]


@dataclass(frozen=True)
class Drawn:
    """The cases of a condition under a reading are there; ``cases`` of them were drawn."""

    group_id: GroupId
    cases: int


@dataclass(frozen=True)
class Gated:
    """A measure has passed the gate, or failed one of its checks; ``seconds`` is the typical time of a call.

    A measure that passes may get a ``remark`` on extreme inputs. ``printed`` is its output, given only if it failed.
    ``effort`` is its level; ``sample`` is the processor time that decides the level, if the measure was timed.
    """

    measure: Measure
    failure: GateFailure | None
    seconds: float | None = None
    remark: GateFailure | None = None
    printed: str | None = None
    effort: int | None = None
    sample: float | None = None


@dataclass(frozen=True)
class Settled:
    """A cell has its verdict."""

    measure: Measure
    condition: Condition
    reading: Reading
    cell: Cell


@dataclass(frozen=True)
class Restarted:
    """A measure killed the worker of a group. The other measures continue in another worker."""

    group: Group


@dataclass(frozen=True)
class GroupDone:
    """Every cell of a group has its verdict."""

    group: Group


@dataclass(frozen=True)
class Estimated:
    """The seconds that the search will take, estimated from calls at the gate: per call (the median), and in all.

    ``more`` is what the next effort level would add; 0 if that is unknown, or there is no higher level.
    """

    call: float
    seconds: float
    more: float = 0.0


@dataclass(frozen=True)
class Noted:
    """A sentence for the user; the run goes on."""

    sentence: str


Event = Estimated | Noted | Started | UnderWay | Drawn | Gated | Settled | Restarted | GroupDone
Handler = Callable[[Event], None]
