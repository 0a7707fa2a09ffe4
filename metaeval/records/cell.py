"""Cells: one measure, one condition, one reading; the verdict and its evidence, read and written in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from metaeval.core.case import Case
from metaeval.core.errors import InputError
from metaeval.core.relation import Scores
from metaeval.core.verdict import Verdict
from metaeval.files.fields import (
    count,
    flag,
    mapping,
    need,
    number,
    optional_count,
    optional_lines,
    optional_text,
    refuse_unknown,
    text,
)
from metaeval.files.shown import show
from metaeval.proof import Proof
from metaeval.records.certificate import (
    Certificate,
    case_from_json,
    case_to_json,
    scores_from_json,
    scores_to_json,
)
from metaeval.records.diagnosis import Diagnosis, fault_from_json, fault_to_json
from metaeval.records.score import Score

CellKey = tuple[str, str, str]
CLAIMS = ("satisfies", "violates")
#: The verdicts of a cell in which cases broke the demand: once, or again when they were asked again.
_WITH_VIOLATIONS = (Verdict.VIOLATED, Verdict.FLAKY)

_CELL_KEYS = (
    "measure",
    "condition",
    "reading",
    "verdict",
    "cases",
    "violations",
    "exhaustive",
    "claim",
    "certificate",
    "message",
    "seconds",
    "narrowest",
    "fault",
    "printed",
    "reached",
    "proof",
    "unproved",
    "stopped",
    # Of older files: not read any more.
    "all_sizes",
)


class _Counts:
    """A record of counts, as data and back."""

    def to_json(self) -> dict[str, int]:
        """The counts by their names."""
        return dict(vars(self))

    @classmethod
    def from_json(cls, data: Any, where: str) -> Self | None:
        """The counts in parsed JSON; null or absent where there are none."""
        if data is None:
            return None
        entry, names = mapping(data, where), list(cls.__annotations__)
        refuse_unknown(entry, names, where)
        return cls(**{name: count(entry, name, where) for name in names})


@dataclass(frozen=True)
class Exhaustive(_Counts):
    """Up to how many objects every case was tried, and how many cases these were."""

    objects: int
    cases: int


@dataclass(frozen=True)
class Reached(_Counts):
    """How far the cases went that were tried: most objects, most biclusters of a family, most features."""

    objects: int
    biclusters: int
    features: int


@dataclass(frozen=True)
class Pass:
    """A case that keeps the demand; nobody re-checks it, for it proves nothing."""

    case: Case
    scores: tuple[Score, ...]

    @classmethod
    def of(cls, case: Case, scores: Scores) -> Pass:
        """A pass that was seen."""
        return cls(case, tuple(map(Score.of, scores)))

    def to_json(self) -> dict[str, Any]:
        """The pass as data."""
        return {**case_to_json(self.case), "scores": scores_to_json(self.scores)}

    @classmethod
    def from_json(cls, data: Any, where: str) -> Pass | None:
        """The pass in parsed JSON; null or absent where there is none."""
        if data is None:
            return None
        scores = mapping(need(mapping(data, where), "scores", where), f'"scores" of {where}')
        case = case_from_json(data, where)
        return cls(case, scores_from_json(scores, len(case), where))


@dataclass(frozen=True)
class Cell:
    """One measure, one condition, one reading: the verdict and its evidence.

    ``narrowest`` is, of the listed cases that keep the demand, the one that keeps it by the least; ``reached`` is
    how far all cases went where nothing was found.
    """

    measure: str
    condition: str
    reading: str
    verdict: Verdict
    cases: int = 0
    violations: int | None = None
    exhaustive: Exhaustive | None = None
    claim: str | None = None
    certificate: Certificate | None = None
    message: str | None = None
    seconds: float = 0.0
    narrowest: Pass | None = None
    #: On what, and in which line, the measure gave no score, where that happened.
    fault: Diagnosis | None = None
    #: What the measure printed, as far as it was kept.
    printed: str | None = None
    reached: Reached | None = None
    #: Why the condition is kept for all sizes, where that is proved.
    proof: Proof | None = None
    #: What stood in the way of a proof, where one was tried.
    unproved: str | None = None
    #: Whether the budget ran out after a counterexample was found; the message says where.
    stopped: bool = False

    @property
    def key(self) -> CellKey:
        """What names the cell."""
        return self.measure, self.condition, self.reading

    @property
    def bound(self) -> Exhaustive | None:
        """How far all cases were tried; None where no case is that small, and so nothing can be said."""
        return self.exhaustive if self.exhaustive and self.exhaustive.cases else None

    def to_json(self) -> dict[str, Any]:
        """The cell as data."""
        return {
            "measure": self.measure,
            "condition": self.condition,
            "reading": self.reading,
            "verdict": str(self.verdict),
            "cases": self.cases,
            "violations": self.violations,
            "exhaustive": None if self.exhaustive is None else self.exhaustive.to_json(),
            "claim": self.claim,
            "certificate": None if self.certificate is None else self.certificate.to_json(),
            "message": self.message,
            "seconds": round(self.seconds, 3),
            # Most cells have few of these.
            **({} if self.narrowest is None else {"narrowest": self.narrowest.to_json()}),
            **({} if self.reached is None else {"reached": self.reached.to_json()}),
            **({} if self.fault is None else {"fault": fault_to_json(self.fault)}),
            **({} if self.printed is None else {"printed": self.printed}),
            **({} if self.proof is None else {"proof": self.proof.to_json()}),
            **({} if self.unproved is None else {"unproved": self.unproved}),
            **({"stopped": True} if self.stopped else {}),
        }

    @classmethod
    def from_json(cls, data: Any, where: str = "a cell", witnessed: bool = True) -> Cell:
        """The cell in parsed JSON; ``where`` names it in an error.

        Without ``witnessed`` its certificate is neither read nor demanded: whoever re-checks it does that by itself.
        """
        entry = mapping(data, where)
        refuse_unknown(entry, _CELL_KEYS, where)
        measure, condition, reading = (text(entry, key, where) for key in _CELL_KEYS[:3])
        named = f"{where} ({measure} {condition} {reading})"
        certificate = entry.get("certificate") if witnessed else None
        cell = cls(
            measure=measure,
            condition=condition,
            reading=reading,
            verdict=_verdict(entry, named),
            cases=count(entry, "cases", named),
            violations=optional_count(entry, "violations", named),
            exhaustive=Exhaustive.from_json(entry.get("exhaustive"), f'"exhaustive" of {named}'),
            claim=_claim(entry, named),
            certificate=None
            if certificate is None
            else Certificate.from_json(certificate, f"the certificate of {named}"),
            message=optional_text(entry, "message", named),
            seconds=number(entry.get("seconds", 0.0), f'"seconds" of {named}'),
            narrowest=Pass.from_json(entry.get("narrowest"), f"the narrowest pass of {named}"),
            fault=fault_from_json(entry.get("fault"), f'"fault" of {named}'),
            printed=optional_lines(entry, "printed", named),
            reached=Reached.from_json(entry.get("reached"), f'"reached" of {named}'),
            proof=_proof(entry.get("proof") if witnessed else None, named),
            unproved=optional_text(entry, "unproved", named),
            stopped="stopped" in entry and flag(entry, "stopped", named),
        )
        if (reason := _contradiction(cell) or (_mismatch(cell) if witnessed else None)) is not None:
            raise InputError(f"{named} {reason}")
        return cell


def _verdict(entry: Mapping[str, Any], where: str) -> Verdict:
    word = text(entry, "verdict", where)
    verdict = Verdict.named(word)
    if verdict is None:
        raise InputError(f"the verdict of {where} is {show(word)}; expected one of {', '.join(Verdict)}")
    return verdict


def _proof(data: Any, where: str) -> Proof | None:
    if data is None:
        return None
    try:
        return Proof.from_json(data)
    except InputError as error:
        raise InputError(f"the proof of {where}: {error}") from None


def _claim(entry: Mapping[str, Any], where: str) -> str | None:
    claim = optional_text(entry, "claim", where)
    if claim not in (None, *CLAIMS):
        raise InputError(f'the claim of {where} is {show(claim)}; expected "satisfies", "violates" or null')
    return claim


def _contradiction(cell: Cell) -> str | None:
    """Why no run can have counted like this, or None."""
    violations = cell.violations or 0
    if violations > cell.cases:
        return f"has {violations} violations among {cell.cases} cases; expected no more violations than cases"
    if cell.exhaustive is not None and cell.exhaustive.cases > cell.cases:
        return f"tried {cell.exhaustive.cases} cases exhaustively, of {cell.cases} in all; expected no more"
    if cell.verdict is Verdict.VIOLATED and cell.violations == 0:
        return "is violated, and no case violates it; expected a violation"
    if violations and cell.verdict not in _WITH_VIOLATIONS:
        return f"has the verdict {cell.verdict}, and {violations} cases violate it; expected violated"
    if cell.stopped and cell.verdict is not Verdict.VIOLATED:
        return f"has the verdict {cell.verdict} and was stopped; expected that only where it is violated"
    if cell.seconds < 0:
        return f"took {cell.seconds:g} seconds; expected a number from 0 up"
    return None


def _mismatch(cell: Cell) -> str | None:
    """Why the certificate or the proof is not that of the cell, or None."""
    kinds = (("certificate", cell.certificate, Verdict.VIOLATED), ("proof", cell.proof, Verdict.PROVED))
    for kind, evidence, verdict in kinds:
        if (evidence is not None) != (cell.verdict is verdict):
            held = f"no {kind}" if evidence is None else f"a {kind}"
            return f"has the verdict {cell.verdict} and {held}; expected one if, and only if, it is {verdict}"
        for name, own in zip(_CELL_KEYS[:3], cell.key, strict=True):
            stated = getattr(evidence, name, own)
            if stated != own:
                return f"has a {kind} of the {name} {show(stated)}"
    return None
