"""The proofs in a file, each checked again in a worker: derived from the equation, and run on other instances."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metaeval.cases.store import default_pack
from metaeval.catalogue.condition import conditions
from metaeval.catalogue.measure import Measure, measures
from metaeval.core.errors import InputError
from metaeval.core.verdict import Verdict
from metaeval.files.shown import clean, show
from metaeval.proofs.proof import LEAST_INSTANCES, SCHEMA, BrokenRule, Proof, Unproved, derive, run_obligations
from metaeval.records.cell import KEY
from metaeval.search.prove import instances
from metaeval.verification.certificate_check import Refused
from metaeval.verification.verify import BUDGET, Witness, one_by_one, place_in, unknown_measure
from metaeval.workers.call import Notice
from metaeval.workers.worker import Ending, Hung

#: How many instances a check runs each obligation on, and the seed that chooses them: another than that of a run.
INSTANCES, SEED = 500, 1


@dataclass(frozen=True)
class RecheckedProof:
    """A proof that was checked again: whose it is, what was derived and run, or why it was refused."""

    place: str
    obligations: int = 0
    instances: int = 0
    refusal: str | None = None


def is_proof(data: Any) -> bool:
    """Whether parsed JSON is a proof by itself, of this schema or an older one."""
    return isinstance(data, Mapping) and str(data.get("schema")).startswith(SCHEMA.partition("/")[0] + "/")


def recheck_proofs(data: Any, own: Mapping[str, Measure], budget: float = BUDGET) -> Iterator[RecheckedProof]:
    """Check the proofs of a file again, of ``own`` or registered measures; no file decides which code runs."""

    def given_up(proof: Witness, ending: Ending) -> RecheckedProof:
        limit = f"it could not be re-checked within {budget:g} s of processor time; --budget gives it more"
        lost = "the process that re-checked it was lost"
        return RecheckedProof(proof.place, refusal=limit if isinstance(ending, Hung) else lost)

    return one_by_one(list(_proofs(data)), own, budget, _recheck_all, given_up)


def _proofs(data: Any) -> Iterator[Witness]:
    if is_proof(data):
        yield Witness(place_in(data), data)
        return
    cells = data.get("cells") if isinstance(data, Mapping) else None
    for cell in filter(lambda cell: isinstance(cell, Mapping), cells if isinstance(cells, list) else ()):
        proof, verdict = cell.get("proof"), cell.get("verdict")
        if proof is None and verdict == Verdict.PROVED:
            yield Witness(place_in(cell), None, "the cell is proved and has no proof")
        elif proof is not None:
            wrong = None if verdict == Verdict.PROVED else f"the cell has a proof and the verdict {show(verdict)}"
            yield Witness(place_in(cell), proof, wrong or _misplaced(cell, proof) or _misdescribed(data, proof))
        declared = cell.get("equation")
        if isinstance(declared, Mapping) and declared.get("proof") is not None:
            place = f"{place_in(cell)} (declared equation)"
            yield Witness(place, declared["proof"], _misplaced(cell, declared["proof"]), declared=True)


def _misdescribed(data: Mapping[str, Any], proof: Any) -> str | None:
    """Why the file's description of a measure is not that of the proof, or None where it is."""
    try:
        described = data["measures"][proof["measure"]]["equation"]
    except (LookupError, TypeError):
        return None
    return None if described == proof.get("equation") else "the file describes the measure by another equation"


def _misplaced(cell: Mapping[str, Any], proof: Any) -> str | None:
    """Why a proof is none for this cell, or None where it is."""
    wrong = [key for key in KEY if isinstance(proof, Mapping) and proof.get(key) != cell.get(key)]
    return f"its proof is about the {wrong[0]} {show(proof.get(wrong[0]))}" if wrong else None


def _recheck_all(notice: Notice, found: Sequence[Witness], own: Mapping[str, Measure]) -> Iterator[RecheckedProof]:
    for one in found:
        notice(0)
        try:
            if one.refusal is not None:
                raise Refused(one.refusal)
            yield RecheckedProof(one.place, *check_proof(one.data, own, one.declared))
        except Refused as refusal:
            yield RecheckedProof(one.place, refusal=clean(str(refusal))[:1000])
        notice(None)


def check_proof(data: Any, own: Mapping[str, Measure], declared: bool = False) -> tuple[int, int]:
    """The number of obligations derived again, and of instances on which each held; or :class:`Refused`.

    A proof is about a measure that is an equation or, where it is ``declared``, about the equation that code declares.
    """
    try:
        proof = Proof.from_json(data)
    except InputError as error:
        raise Refused(str(error)) from None
    if (measure := own.get(proof.measure) or measures().get(proof.measure)) is None:
        raise Refused(unknown_measure(proof.measure))
    known = conditions().get(proof.condition)
    condition = known and known.form(measure.domain, proof.reading)
    if condition is None or proof.reading not in condition.readings:
        raise Refused(f"no condition has the reading {show(f'{proof.condition}/{proof.reading}')} here")
    reading = condition.readings[proof.reading]
    if declared and measure.is_equation:
        raise Refused(f"{measure.id} is an equation, and declares none for code")
    if measure.equation is None or not (declared or measure.is_equation):
        raise Refused(f"{measure.id} is code, and only an equation can be proved")
    if proof.instances < LEAST_INSTANCES:
        raise Refused(f"its obligations were run on {proof.instances} instances; expected {LEAST_INSTANCES} or more")
    if measure.equation != proof.equation:
        raise Refused(f"its equation is not that of {measure.id}")
    if not reading.lies_in(measure.equation.domain):
        raise Refused(f"the equation of {measure.id} is not defined on all cases of {proof.condition} {proof.reading}")
    try:
        derivation = derive(measure.equation, reading.situation)
        if (proof.scheme, proof.obligations) != (derivation.scheme, derivation.statements):
            raise Refused("its obligations are not those that the rules derive from the equation")
        cases = instances(reading, default_pack(condition.key), INSTANCES, SEED)
        return len(derivation.obligations), run_obligations(measure.equation, derivation, cases, INSTANCES)
    except Unproved as why:
        raise Refused(f"the rules do not derive it: {why}") from None
    except BrokenRule as why:
        raise Refused(str(why)) from None
