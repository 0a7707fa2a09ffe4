"""Trying what a file says holds: of every such cell the smallest listed cases, up to the bound that it states.

That a cell holds cannot be certified, but refuted: most violations show in the first cases of their reading. A cell
that was violated, and was made to hold by hand, seldom survives this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from metaeval.catalogue.condition import Reading, conditions
from metaeval.catalogue.measure import measures
from metaeval.core.case import Case
from metaeval.core.verdict import Verdict
from metaeval.records.cell import Cell
from metaeval.verification.verify import Checked, Own, breaks, told_by
from metaeval.workers.worker import Notice

#: So many listed cases of a cell are tried: of the violations that are published, two thirds show in these.
CASES = 100

#: Seconds of processor time for all cells together: the published results take one.
SPOT_BUDGET = 2.0


def refuted(data: Any, own: Own, budget: float = SPOT_BUDGET) -> Iterator[Checked]:
    """The cells of a file, known to be well formed, that are said to hold and do not; as far as the budget goes."""
    entries = data.get("cells", []) if isinstance(data, Mapping) else []
    # One that holds and has a certificate is refused for that.
    cells = [Cell.from_json(entry, witnessed=False) for entry in entries if entry.get("certificate") is None]
    holding = [cell for cell in cells if cell.verdict is Verdict.HOLDS and cell.bound is not None]
    if holding:
        conditions(), measures()  # loaded here, not in the time that the cells have
        yield from told_by(budget, _refuted, holding, own)


def _refuted(notice: Notice, cells: Sequence[Cell], own: Own) -> Iterator[Checked]:
    notice(0)
    for cell in cells:
        case = _counterexample(cell, own)
        if case is not None:
            stated = 0 if cell.bound is None else cell.bound.objects
            reason = (
                f"it is said to hold in all cases up to {stated} objects, and one with {case.objects} breaks it"
            )
            yield Checked(" ".join(cell.key), None, reason)


def _counterexample(cell: Cell, own: Own) -> Case | None:
    """The first of the cell's listed cases that breaks it; None too where its measure or condition is not here."""
    measure = own.get(cell.measure) or measures().get(cell.measure)
    condition = conditions().get(cell.condition)
    reading = None if condition is None else condition.readings.get(cell.reading)
    if measure is None or condition is None or reading is None or cell.bound is None:
        return None
    listed = islice(_listed(reading, cell.bound.objects), CASES)
    return next((case for case in listed if breaks(measure, condition, case)), None)


def _listed(reading: Reading, objects: int) -> Iterator[Case]:
    return chain.from_iterable(reading.enumerate_(n) for n in range(1, min(objects, reading.complete) + 1))
