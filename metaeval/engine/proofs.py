"""Proofs in a run: each measure's cells are given to the prover before they are searched.

The prover runs a measure's own code on symbols, in a process of its own, so that one that hangs or crashes on them
costs its proofs and no verdict. Proof and search do not know of each other: a cell is proved where there is a proof
and the search finds nothing either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec

from msgspec.structs import replace as changed

from metaeval.catalogue.condition import GroupId, find_condition
from metaeval.catalogue.measure import Measure, as_measure
from metaeval.core.verdict import Verdict
from metaeval.proof import Proof
from metaeval.runner.events import Attempted, Event, Noted, Settled
from metaeval.runner.jobs import Subject, is_nobodys_fault
from metaeval.runner.plan import CellId
from metaeval.workers.worker import Ending, Finished, Hung, Watch

#: Seconds of processor time for one cell; a proof takes some hundredths.
LIMIT = 10.0

#: A proof, or in a sentence what stands in its way.
Attempt = Proof | str


def missing_prover() -> str | None:
    """Why nothing can be proved here, and how to change that; None where the prover has what it needs."""
    if find_spec("flint") is not None:
        return None
    return (
        "python-flint is not installed, so nothing is proved for all sizes: pip install 'metaeval[proofs]', or say "
        "--no-proofs"
    )


@dataclass(frozen=True)
class Proving:
    """The attempt to prove the cells of a measure, one after the other."""

    subject: Subject
    group_ids: tuple[GroupId, ...]
    #: Cells of which it is known already that no proof comes of them, each with the reason.
    refused: tuple[tuple[GroupId, str], ...] = ()
    #: Whether the process was lost once already without anybody to blame.
    lost_before: bool = False

    @property
    def measure(self) -> Measure:
        """The measure itself."""
        return as_measure(self.subject)

    @property
    def label(self) -> str:
        return f"proofs {self.measure.id}"

    def work(self, watch: Watch) -> list[Attempt]:
        """What came of every cell; a cell is a position to watch."""
        watch.limit(LIMIT)
        found = []
        for position, group_id in enumerate(self.group_ids):
            watch(position)
            found.append(_attempt(self.measure, group_id))
            watch(None)
        return found

    def outcome(self, ending: Ending) -> tuple[list[Event], Proving | None]:
        if isinstance(ending, Finished):
            return self._attempted(dict(zip(self.group_ids, ending.value, strict=True))), None
        if is_nobodys_fault(ending) and not self.lost_before:
            return [], replace(self, lost_before=True)
        how = "gave no answer" if isinstance(ending, Hung) else f"lost its process, which {ending.how}"
        # What came before was well and is done again; after it, the code is not trusted with symbols any more.
        well = self.group_ids[: ending.position or 0]
        rest = self.group_ids[len(well) :]
        refused = tuple((group_id, f"On symbols, its code {how}.") for group_id in rest)
        if not well:
            return replace(self, refused=refused)._attempted({}), None
        return [], replace(self, group_ids=well, refused=refused, lost_before=False)

    def _attempted(self, found: Mapping[GroupId, Attempt]) -> list[Event]:
        return [Attempted(self.measure, {**found, **dict(self.refused)})]


def preload_prover() -> None:
    """Load here what every process that proves something needs, so that it is loaded once."""
    # With polynomials: only a run that wants proofs loads them.
    import_module("metaeval.proving.prover")


def _attempt(measure: Measure, group_id: GroupId) -> Attempt:
    from metaeval.proving.prover import prove

    try:
        found = prove(measure, find_condition(group_id[0]), group_id[1])
    except Exception as error:  # whatever the measure makes of symbols, it only fails to be proved
        return f"On symbols, its code raised {type(error).__name__}."
    return found if isinstance(found, Proof) else found.reason


class Proofs:
    """What came of the attempts of a run, and what that makes of cells once they are searched."""

    def __init__(self) -> None:
        self._attempts: dict[CellId, Attempt] = {}

    def note(self, event: Attempted) -> None:
        """Keep what came of a measure's cells."""
        for group_id, attempt in event.attempts.items():
            self._attempts[event.measure.id, *group_id] = attempt

    def told(self, event: Event) -> Iterator[Event]:
        """The event, or the one that takes its place where a cell that holds was also proved."""
        if not isinstance(event, Settled):
            yield event
            return
        place = event.measure.id, event.condition.id, event.reading.name
        attempt = self._attempts.get(place)
        cell = event.cell
        if isinstance(attempt, Proof) and cell.verdict is Verdict.VIOLATED:
            yield Noted(f"{'/'.join(place)} is proved and yet has a counterexample: please report this as a bug")
        if attempt is None or cell.verdict is not Verdict.HOLDS:
            yield event
        elif isinstance(attempt, str):
            yield replace(event, cell=changed(cell, unproved=attempt))
        elif cell.message is not None:
            # Cases without a score are none that a proof speaks of.
            yield replace(event, cell=changed(cell, unproved="It gives no score on some cases."))
        else:
            yield replace(event, cell=changed(cell, verdict=Verdict.PROVED, proof=attempt))
