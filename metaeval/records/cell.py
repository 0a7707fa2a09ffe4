"""Cells: one measure, one condition, one reading; the verdict and its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, field

from metaeval.core.case import Case, Side
from metaeval.core.errors import InputError, naming
from metaeval.core.relation import Bounds, Scores
from metaeval.core.verdict import Verdict
from metaeval.equations.equation import Equation, stated_equation
from metaeval.files.codec import Count, Line, Lines, Record, decode, encode
from metaeval.files.shown import clean, show
from metaeval.proofs.proof import OLD, Proof, is_old
from metaeval.records.certificate import Certificate, StatedScores, case_from_json, case_to_json, scores_to_json
from metaeval.records.score import Score, digits_apart

CellKey = tuple[str, str, str]
#: The fields that name a cell.
KEY = ("measure", "condition", "reading")


class Exhaustive(Record, frozen=True):
    """All cases up to this number of objects were tried; ``cases`` counts them."""

    objects: Count
    cases: Count


class Reached(Record, frozen=True):
    """The largest cases tried: most objects, most biclusters of a family, most features."""

    objects: Count
    biclusters: Count
    features: Count


class Diagnosis(Record, frozen=True, kw_only=True):
    """The smallest known input on which a measure misbehaves, the line of its code, and what to do."""

    OPTIONAL: ClassVar[frozenset[str]] = frozenset({"trace"})

    kind: Line
    side: Side | None = field(name="input", default=None)
    where: Line | None = None
    code: Line | None = None
    hint: Line
    #: Python's traceback, if code of metaeval failed.
    trace: Lines | None = None


class Outside(Record, frozen=True, kw_only=True):
    """A score above the declared best or below the declared lowest one, and the side that has it."""

    OPTIONAL: ClassVar[frozenset[str]] = frozenset({"best", "low"})

    score: Score
    best: float | None = None
    low: float | None = None
    side: Side

    @classmethod
    def of(cls, score: Score, bounds: Bounds, side: Side) -> Outside:
        if bounds.best is not None and score.number > bounds.best:
            return cls(score=score, best=float(bounds.best), side=side)
        return cls(score=score, low=None if bounds.low is None else float(bounds.low), side=side)

    def __str__(self) -> str:
        return f"the score {' '.join(self.words)}"

    @property
    def words(self) -> tuple[str, str]:
        """The score, with enough digits to differ from the bound, and what is wrong with it."""
        above = self.best is not None
        bound = Score((self.best if above else self.low) or 0.0)
        alike = self.score.brief == bound.brief
        score = self.score.rounded(digits_apart(self.score, bound)) if alike else self.score.brief
        return score, f"{'exceeds the declared best' if above else 'is below the declared lowest'}, {bound.brief}"


@dataclass(frozen=True)
class Pass:
    """A case that keeps the demand. It proves nothing, so nobody re-checks it."""

    case: Case
    scores: tuple[Score, ...]

    @classmethod
    def of(cls, case: Case, scores: Scores) -> Pass:
        return cls(case, tuple(map(Score.of, scores)))

    def to_json(self) -> dict[str, Any]:
        return {**case_to_json(self.case), "scores": scores_to_json(self.scores)}

    @classmethod
    def from_json(cls, data: Any, where: str) -> Pass:
        case = case_from_json(data, where)
        scores = decode(StatedScores, data.get("scores"), f'"scores" of {where}')
        return cls(case, scores.of(case, where))


@dataclass(frozen=True)
class DeclaredEquation:
    """The equation that a plain function declares: the cases on which both were compared, and its own proof."""

    equation: Equation
    agreed: int = 0
    proof: Proof | None = None

    def to_json(self) -> dict[str, Any]:
        """The equation as data, with the number of cases and the proof."""
        return {**self.equation.to_json(), "agreed": self.agreed, "proof": encode(self.proof)}

    @classmethod
    def from_json(cls, data: Any) -> DeclaredEquation:
        """The same in parsed JSON."""
        if not isinstance(data, Mapping):
            raise InputError(f"it must be a JSON object, not {show(data)}")
        agreed, proof = data.get("agreed"), data.get("proof")
        if not isinstance(agreed, int) or isinstance(agreed, bool) or agreed < 0:
            raise InputError(f'"agreed" is {show(agreed)}; expected a whole number from 0 up')
        equation = stated_equation({key: value for key, value in data.items() if key not in ("agreed", "proof")})
        return cls(equation, agreed, None if proof is None else Proof.from_json(proof))


class Cell(Record, frozen=True):
    """One measure, one condition, one reading: the verdict and its evidence.

    ``narrowest`` is the listed case that keeps the demand by the smallest margin. ``reached`` is the size of the
    largest cases, if no counterexample was found.
    """

    OPTIONAL: ClassVar[frozenset[str]] = frozenset(
        {"narrowest", "reached", "fault", "printed", "proof", "unproved", "broken_rule", "equation", "stopped",
         "outside"}
    )  # fmt: skip

    measure: Line
    condition: Line
    reading: Line
    verdict: Verdict
    cases: Count = 0
    violations: Count | None = None
    exhaustive: Exhaustive | None = None
    claim: Literal["satisfies", "violates"] | None = None
    certificate: Certificate | None = None
    message: Line | None = None
    seconds: Annotated[float, Meta(ge=0)] = 0.0
    narrowest: Pass | None = None
    reached: Reached | None = None
    #: The input and the line on which the measure returned no score.
    fault: Diagnosis | None = None
    #: The first part of the measure's output.
    printed: Lines | None = None
    #: Why the condition holds for all sizes.
    proof: Proof | None = None
    #: Why no proof was found.
    unproved: Line | None = None
    #: An obligation that failed on an instance: a mistake of the prover, named by rule and instance.
    broken_rule: Line | None = None
    #: What a function with a declared equation was compared with.
    equation: DeclaredEquation | None = None
    #: Whether the budget ran out after a counterexample was found; the message says where.
    stopped: bool = False
    #: The smallest side whose score exceeds the declared best, whatever the verdict.
    outside: Outside | None = None

    def __post_init__(self) -> None:
        cases, violations = self.cases, self.violations or 0
        if violations > cases:
            raise ValueError(f"has {violations} violations among {cases} cases; expected no more violations than cases")
        if self.exhaustive is not None and self.exhaustive.cases > cases:
            raise ValueError(f"tried {self.exhaustive.cases} cases exhaustively, of {cases} in all; expected no more")
        if self.verdict is Verdict.VIOLATED and self.violations == 0:
            raise ValueError("is violated, and no case violates it; expected a violation")
        if violations and self.verdict not in (Verdict.VIOLATED, Verdict.FLAKY):
            raise ValueError(f"has the verdict {self.verdict}, and {violations} cases violate it; expected violated")
        if self.stopped and self.verdict is not Verdict.VIOLATED:
            raise ValueError(f"has the verdict {self.verdict} and was stopped; only a violated cell can be")

    @property
    def key(self) -> CellKey:
        """Measure, condition and reading."""
        return self.measure, self.condition, self.reading

    @property
    def bound(self) -> Exhaustive | None:
        """The size up to which all cases were tried; None if there is no case that small."""
        return self.exhaustive if self.exhaustive and self.exhaustive.cases else None

    def _repr_html_(self) -> str:
        """The verdict, the condition in words, the counterexample or the evidence, and how to see more."""
        return seen_in_a_notebook(self)

    def to_json(self) -> dict[str, Any]:
        """The cell as data."""
        return {**super().to_json(), "seconds": round(self.seconds, 3)}

    @classmethod
    def from_json(cls, data: Any, where: str = "a cell", witnessed: bool = True) -> Cell:
        """The cell in parsed JSON; ``where`` names it in an error.

        If ``witnessed`` is false, certificate and proof are neither read nor required: the caller checks them.
        """
        if not isinstance(data, dict):
            raise InputError(f"{where} must be a JSON object, not {show(data)}")
        names = [clean(name[:60]) for name in map(data.get, KEY) if isinstance(name, str)]
        if len(names) == len(KEY):
            where = f"{where} ({' '.join(names)})"
        entry = {key: value for key, value in data.items() if key != "all_sizes"}  # only in older files
        if entry.get("verdict") == Verdict.PROVED and is_old(entry.get("proof")):
            # What the search found stands; the proof is refused, and the other cells of the file are read.
            entry |= {"verdict": Verdict.HOLDS.value, "proof": None, "unproved": f"Its proof is refused: {OLD}."}
        if not witnessed:
            entry |= {"certificate": None, "proof": None}
        # These do not have the shape of their files.
        if entry.get("certificate") is not None:
            entry["certificate"] = Certificate.from_json(entry["certificate"], f"the certificate of {where}")
        if entry.get("narrowest") is not None:
            entry["narrowest"] = Pass.from_json(entry["narrowest"], f"the narrowest pass of {where}")
        for key, kind in (("proof", Proof), ("equation", DeclaredEquation)):
            if entry.get(key) is not None:
                with naming(f"the {key} of {where}"):
                    entry[key] = kind.from_json(entry[key])
        cell = decode(cls, entry, where)
        if witnessed and (reason := _mismatch(cell)) is not None:
            raise InputError(f"{where} {reason}")
        return cell


def seen_in_a_notebook(record: Any) -> str:
    """A record as HTML. Records are data and know no views: a notebook that asks for one finds it by its name."""
    return str(import_module("metaeval.display.notebook").html(record))


def _mismatch(cell: Cell) -> str | None:
    """Why the certificate or the proof does not belong to the cell, or None."""
    declared = None if cell.equation is None else cell.equation.proof
    kinds = (
        ("certificate", cell.certificate, Verdict.VIOLATED),
        ("proof", cell.proof, Verdict.PROVED),
        ("declared equation's proof", declared, None),
    )
    for kind, evidence, verdict in kinds:
        if verdict is not None and (evidence is not None) != (cell.verdict is verdict):
            held = f"no {kind}" if evidence is None else f"a {kind}"
            return f"has the verdict {cell.verdict} and {held}; expected one if, and only if, it is {verdict}"
        for name, own in zip(KEY, cell.key, strict=True):
            stated = getattr(evidence, name, own)
            if stated != own:
                return f"has a {kind} of the {name} {show(stated)}"
    if cell.equation is not None and cell.proof is not None:
        return "is proved and declares an equation; only the equation of such code can be proved"
    if cell.equation is not None and declared is not None and declared.equation != cell.equation.equation:
        return "has a declared equation's proof of another equation"
    return None
