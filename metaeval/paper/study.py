"""What a source prints and claims, recomputed; :mod:`metaeval.literature` has only what it says."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from metaeval.catalogue.condition import find_condition
from metaeval.core.settings import Settings
from metaeval.literature.shelf import FIRST
from metaeval.literature.source import VIOLATES, Claim, Shortcoming, Slip, Source, fate
from metaeval.paper.recomputed import ScoredTable, TheoremOne, slips, theorem_1
from metaeval.records.results import Results
from metaeval.runner.events import Handler
from metaeval.runner.plan import CellId, Plan
from metaeval.session import carry_out


@dataclass(frozen=True)
class JudgedClaim:
    """A claim, the verdict and what becomes of it under each reading, and one word for all readings."""

    claim: Claim
    readings: Mapping[str, Mapping[str, str]]

    @property
    def fate(self) -> str:
        """A counterexample under any reading settles the claim; a proof does so under its own reading alone."""
        fates = {reading["fate"] for reading in self.readings.values()}
        if self.claim.says == VIOLATES:
            return "confirmed" if "confirmed" in fates else "refuted" if fates == {"refuted"} else "unconfirmed"
        if "refuted" in fates:
            return "refuted" if fates == {"refuted"} else "refuted in part"
        if not fates <= {"proved", "confirmed"} or not fates:
            return "unconfirmed"
        return "confirmed" if "proved" not in fates else "proved" if fates == {"proved"} else "proved in part"

    @property
    def fates(self) -> dict[str, str]:
        """What becomes of the claim under each reading.

        That a condition is violated is claimed under some reading: a proof under one of several does not refute that.
        """
        open_still = self.claim.says == VIOLATES and self.fate != "refuted"
        return {
            name: "unconfirmed" if open_still and reading["fate"] == "refuted" else reading["fate"]
            for name, reading in self.readings.items()
        }

    def to_json(self) -> Iterator[dict[str, Any]]:
        """The claim as data: an entry for each reading that it was judged under, or one without any."""
        claim = self.claim
        shared = {"says": claim.says, "place": claim.place, "readings": self.readings, "overall": self.fate}
        for reading, found in self.fates.items() or ((None, self.fate),):
            cell = {"measure": claim.measure, "condition": claim.condition, "reading": reading}
            yield {**cell, "claim": claim.says, "status": claim.status, "fate": found, **shared}


@dataclass(frozen=True)
class JudgedShortcoming:
    """The claim that a measure violates one of several conditions, with what becomes of each."""

    shortcoming: Shortcoming
    alternatives: tuple[JudgedClaim, ...]

    @property
    def fate(self) -> str:
        """One violation bears it out; only proofs of all the conditions refute it, where no others are meant."""
        fates = {judged.fate for judged in self.alternatives}
        if "confirmed" in fates:
            return "confirmed"
        return "refuted" if fates == {"refuted"} and not self.shortcoming.others else "unconfirmed"

    def to_json(self) -> dict[str, Any]:
        claim = self.shortcoming
        return {
            "measure": claim.measure,
            "conditions": [condition for condition, _ in claim.places],
            "claim": "violates one of them" + (", or another property" if claim.others else ""),
            "status": claim.status,
            "place": claim.place,
            "verdicts": {judged.claim.condition: judged.readings for judged in self.alternatives},
            "fate": self.fate,
        }


@dataclass(frozen=True)
class Study:
    """Everything a source says that can be checked, beside what was found."""

    source: Source
    tables: tuple[ScoredTable, ...]
    claims: tuple[JudgedClaim, ...]
    shortcomings: tuple[JudgedShortcoming, ...]
    theorem_1: TheoremOne | None
    slips: tuple[Slip, ...]
    results: Results

    def to_json(self) -> dict[str, Any]:
        tables = [table.to_json(self.source.conditions) for table in self.tables]
        first = tables[0] if tables else {"rows": [], "columns": []}
        return {
            "schema": "metaeval.paper/1", "id": self.source.id, "source": self.source.called,
            "citation": self.source.citation,
            # What the first table was called when there was one paper, with one table.
            "table": first["rows"], "pairs": first["columns"], "tables": tables,
            "claims": [entry for judged in self.claims for entry in judged.to_json()],
            "shortcomings": [judged.to_json() for judged in self.shortcomings],
            **({} if self.theorem_1 is None else {"theorem_1": asdict(self.theorem_1)}),
            "slips": [asdict(slip) for slip in self.slips], "results": self.results.to_json(),
        }  # fmt: skip


def study(results: Results, source: Source = FIRST) -> Study:
    """Hold what a source says against results."""
    return Study(
        source=source,
        tables=tuple(map(ScoredTable.of, source.tables)),
        claims=tuple(_judged(claim, results) for claim in source.claims),
        shortcomings=tuple(
            JudgedShortcoming(one, tuple(_judged(claim, results) for claim in one.alternatives))
            for one in source.shortcomings
        ),
        theorem_1=theorem_1() if source is FIRST else None,
        slips=tuple(slips(source)),
        results=results,
    )


def claimed_results(listen: Handler = lambda event: None, source: Source = FIRST, **settings: Any) -> Results:
    """Results on what is claimed and nothing else, found anew in one run; settings as for :func:`metaeval.run`."""
    claims = list(source.all_claims())
    plan = Plan.of(dict.fromkeys(claim.measure for claim in claims), {claim.condition for claim in claims})
    others = set(plan.cell_ids()) - claimed_cells(source)
    return carry_out(plan.without(others), Settings(**settings), listen=listen)


def claimed_cells(source: Source) -> set[CellId]:
    return {
        (claim.measure, claim.condition, reading)
        for claim in source.all_claims()
        for reading in find_condition(claim.condition).readings
        if claim.speaks_of(reading)
    }


def _judged(claim: Claim, results: Results) -> JudgedClaim:
    names = filter(claim.speaks_of, find_condition(claim.condition).readings)
    cells = filter(None, (results.get((claim.measure, claim.condition, name)) for name in names))
    found = ((cell.reading, str(cell.verdict), fate(claim.says, cell.verdict)) for cell in cells)
    return JudgedClaim(claim, {name: {"verdict": verdict, "fate": become} for name, verdict, become in found})
