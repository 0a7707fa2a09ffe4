"""What a flaw is, and the table of all of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import metaeval
from metaeval import Case, Measure
from metaeval.catalogue.measure import ScoreFunction, make_measure

ORIGINALS = metaeval.measures()


@dataclass(frozen=True)
class Flaw:
    """A flawed measure: its original, the slip, and a valid counterexample for every cell that must catch it.

    ``off`` is by how much it may differ from its original on small inputs: rounding does. Where the slip is the
    idea itself there is no original.
    """

    measure: Measure
    of: str | None
    slip: str
    known: Mapping[str, Case]
    off: float

    @property
    def id(self) -> str:
        return self.measure.id

    @property
    def original(self) -> Measure | None:
        return None if self.of is None else ORIGINALS[self.of]


FLAWS: list[Flaw] = []


def flaw(
    id: str, *, of: str | None, slip: str, known: Mapping[str, Case], off: float = 0
) -> Callable[[ScoreFunction], ScoreFunction]:
    """Add a function to the table, with its original's optimum and direction."""

    def add(function: ScoreFunction) -> ScoreFunction:
        told = {}
        if of is not None:
            told = {"best": ORIGINALS[of].best, "smaller_is_better": ORIGINALS[of].smaller_is_better}
        FLAWS.append(Flaw(make_measure(function, id=id, **told), of, slip, known, off))
        return function

    return add


def in_cells(case: Case, *cells: str) -> dict[str, Case]:
    """One counterexample for several cells."""
    return dict.fromkeys(cells, case)
