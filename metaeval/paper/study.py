"""The paper's Table 1 and its claims, recomputed: arXiv:1512.00228.

Typed in here and beside this file is only what the paper prints: its two pairs of biclusterings, its scores,
its claims. What becomes of them is computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from metaeval.cases import WORSE, broken
from metaeval.condition import find_condition
from metaeval.engine.evaluation import evaluate
from metaeval.engine.events import Handler
from metaeval.engine.plan import Plan
from metaeval.engine.settings import Settings
from metaeval.evidence.certificates import case_to_json
from metaeval.evidence.classification import classify
from metaeval.evidence.results import Results
from metaeval.evidence.scores import Score
from metaeval.measuring import find_measure
from metaeval.model import Biclustering
from metaeval.paper.claims import CLAIMS, Claim, fate
from metaeval.paper.printed import ROWS, TABLE_1, PrintedPair
from metaeval.paper.slips import Slip, rounded, slips
from metaeval.paper.suites import PAPER
from metaeval.session import carry_out


@dataclass(frozen=True)
class ScoredPair:
    """A measure on a pair of Table 1: its scores, whether they fail to rise, and what is printed."""

    pair: str
    scores: tuple[Score, Score]
    fails: bool
    printed: tuple[str, str] | None

    @property
    def rounded(self) -> tuple[str, str]:
        """Both scores as the table would print them."""
        left, right = (rounded(score.number) for score in self.scores)
        return left, right

    @property
    def differs(self) -> bool:
        """Whether something else is printed."""
        return self.printed is not None and self.rounded != self.printed

    def to_json(self) -> dict[str, Any]:
        """The scores as data."""
        return {
            "pair": self.pair,
            "scores": [score.to_json() for score in self.scores],
            "rounded": list(self.rounded),
            "fails": self.fails,
            "printed": self.printed and list(self.printed),
            "differs": self.differs,
        }


@dataclass(frozen=True)
class TableRow:
    """A row of Table 1."""

    measure: str
    name: str
    columns: tuple[ScoredPair, ...]

    def to_json(self) -> dict[str, Any]:
        """The row as data."""
        columns = [column.to_json() for column in self.columns]
        return {"measure": self.measure, "name": self.name, "columns": columns}


@dataclass(frozen=True)
class JudgedClaim:
    """A claim, the verdict and what becomes of it under each reading, and one word for all readings."""

    claim: Claim
    readings: Mapping[str, Mapping[str, str]]

    @property
    def fate(self) -> str:
        """A counterexample under any reading settles the claim; a proof does so under its own reading alone."""
        fates = {reading["fate"] for reading in self.readings.values()}
        if self.claim.says == "violates":
            return "confirmed" if "confirmed" in fates else "refuted" if fates == {"refuted"} else "unconfirmed"
        if "refuted" in fates:
            return "refuted" if fates == {"refuted"} else "refuted in part"
        if not fates <= {"proved", "confirmed"} or not fates:
            return "unconfirmed"
        return "confirmed" if "proved" not in fates else "proved" if fates == {"proved"} else "proved in part"

    def to_json(self) -> dict[str, Any]:
        """The claim as data."""
        return {**self.claim._asdict(), "readings": self.readings, "fate": self.fate}


@dataclass(frozen=True)
class TheoremOne:
    """How many pairs were compared, on how many objects and features, and how many differed."""

    pairs: int
    objects: int
    features: int
    differences: int


@dataclass(frozen=True)
class Study:
    """Everything the paper says that can be checked, beside what was found."""

    table: tuple[TableRow, ...]
    pairs: tuple[PrintedPair, ...]
    claims: tuple[JudgedClaim, ...]
    theorem_1: TheoremOne
    slips: tuple[Slip, ...]
    results: Results
    source: str = "arXiv:1512.00228"

    def to_json(self) -> dict[str, Any]:
        """The study as data for ``json.dump``."""
        return {
            "schema": "metaeval.paper/1",
            "source": self.source,
            "table": [row.to_json() for row in self.table],
            "pairs": [_pair_to_json(pair) for pair in self.pairs],
            "claims": [claim.to_json() for claim in self.claims],
            "theorem_1": asdict(self.theorem_1),
            "slips": [asdict(slip) for slip in self.slips],
            "results": self.results.to_json(),
        }


def _pair_to_json(pair: PrintedPair) -> dict[str, Any]:
    return {
        "name": pair.name,
        "filed_under": pair.filed_under,
        "instance_of": [list(place) for place in classify(pair.case, PAPER.conditions)],
        **case_to_json(pair.case),
    }


def study(results: Results) -> Study:
    """Hold what the paper says against results."""
    return Study(
        table=tuple(_row(id) for id in ROWS),
        pairs=TABLE_1,
        claims=tuple(_judged(claim, results) for claim in CLAIMS),
        theorem_1=theorem_1(),
        slips=tuple(slips()),
        results=results,
    )


def claimed_results(listen: Handler = lambda event: None, **settings: Any) -> Results:
    """Results on what is claimed and nothing else, found anew in one run; settings as for :func:`metaeval.run`."""
    claimed = {(claim.measure, claim.condition) for claim in CLAIMS}
    plan = Plan.of(dict.fromkeys(claim.measure for claim in CLAIMS), {condition for _, condition in claimed})
    others = {cell for cell in plan.cell_ids() if cell[:2] not in claimed}
    return carry_out(plan.without(others), Settings(**settings), listen=listen)


def _row(id: str) -> TableRow:
    measure = find_measure(id)
    columns = []
    for pair in TABLE_1:
        left, right = (evaluate(measure, side) for side in pair.case)
        fails = broken(WORSE, left, right, measure.optimum) is not None
        scores = Score.of(left), Score.of(right)
        columns.append(ScoredPair(pair.name, scores, fails, pair.printed.get(id)))
    return TableRow(id, measure.name, tuple(columns))


def _judged(claim: Claim, results: Results) -> JudgedClaim:
    readings = {}
    for name in find_condition(claim.condition).readings:
        cell = results.get((claim.measure, claim.condition, name))
        if cell is not None:
            readings[name] = {"verdict": str(cell.verdict), "fate": fate(claim.says, cell.verdict)}
    return JudgedClaim(claim, readings)


def theorem_1(objects: int = 3, features: int = 2) -> TheoremOne:
    """MOCICE of clusterings lifted to some features against CICE of them, on every small pair of A.5, each once.

    A pair on fewer objects is one on this many of which some lie in no cluster, and the overlapping reading has the
    partitions too; so one list holds all.
    """
    mocice, cice = find_measure("mocice"), find_measure("cice")
    pairs = differences = 0
    for case in find_condition("A.5").reading("overlapping").enumerate_(objects):
        if case.features == 1:
            pairs += 1
            lifted = [Biclustering.lifted([rows for rows, _ in family], range(features)) for family in case.left]
            differences += mocice.exact(*lifted) != cice.exact(*case.left)
    return TheoremOne(pairs, objects, features, differences)
