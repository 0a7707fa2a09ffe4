"""The proofs in a file, each re-checked apart and within a budget: of a results file's cells, or a single one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metaeval.catalogue.condition import conditions
from metaeval.catalogue.measure import Measure, measures
from metaeval.core.verdict import Verdict
from metaeval.evidence.proof_check.stated import SCHEMA
from metaeval.evidence.proof_check.verification import CheckedProof, check_proof
from metaeval.files.shown import clean, show
from metaeval.verification.certificate_check import Refused
from metaeval.verification.verify import BUDGET, told_by
from metaeval.workers.call import Notice
from metaeval.workers.worker import Finished, Hung

_PLACE = ("measure", "condition", "reading")


@dataclass(frozen=True)
class Rechecked:
    """A proof that was re-checked: whose it is, what came out, or why it was refused."""

    place: str
    proof: CheckedProof | None
    refusal: str | None


def is_proof(data: Any) -> bool:
    """Whether parsed JSON is a proof by itself."""
    return isinstance(data, Mapping) and data.get("schema") == SCHEMA


@dataclass(frozen=True)
class _Found:
    """A proof as it stands in a file, whose it is, and why it is refused unseen, if it is."""

    place: str
    data: Any
    refusal: str | None = None


def recheck_proofs(data: Any, own: Mapping[str, Measure], budget: float = BUDGET) -> Iterator[Rechecked]:
    """Re-check a proof, or those in the cells of a file; one whose measure hangs or crashes costs itself alone.

    ``own`` measures are looked to for their ids before the registered ones; no file decides what code is run.
    """
    found = list(_proofs(data))
    if found:
        conditions(), measures()  # loaded here, once, for every process that is forked
    done = 0
    while done < len(found):
        ending = yield from told_by(budget, _recheck_all, found[done:], own)
        if isinstance(ending, Finished):
            return
        done += ending.told
        why = (
            f"it could not be re-checked within {budget:g} s of processor time; --budget gives it more"
            if isinstance(ending, Hung)
            else "its measure took the process down that re-checked it"
        )
        yield Rechecked(found[done].place, None, why)
        done += 1


def _proofs(data: Any) -> Iterator[_Found]:
    if is_proof(data):
        yield _Found(_place(data), data)
        return
    cells = data.get("cells") if isinstance(data, Mapping) else None
    for cell in cells if isinstance(cells, list) else ():
        if isinstance(cell, Mapping) and (cell.get("proof") is not None or cell.get("verdict") == Verdict.PROVED):
            yield _Found(_place(cell), cell.get("proof"), _misplaced(cell))


def _recheck_all(notice: Notice, found: Sequence[_Found], own: Mapping[str, Measure]) -> Iterator[Rechecked]:
    for one in found:
        notice(0)
        yield _rechecked(one, own)
        notice(None)


def _misplaced(cell: Mapping[str, Any]) -> str | None:
    """Why the proof of a cell is none for this cell, or None where it is."""
    proof = cell.get("proof")
    if proof is None:
        return "the cell is proved and has no proof"
    if cell.get("verdict") != Verdict.PROVED:
        return f"the cell has a proof and the verdict {show(cell.get('verdict'))}"
    if isinstance(proof, Mapping):
        for key in _PLACE:
            if proof.get(key) != cell.get(key):
                return f"its proof is about the {key} {show(proof.get(key))}"
    return None


def _rechecked(one: _Found, own: Mapping[str, Measure]) -> Rechecked:
    stated = one.data.get("measure") if isinstance(one.data, Mapping) else None
    try:
        if one.refusal is not None:
            raise Refused(one.refusal)
        proof = check_proof(one.data, own.get(stated) if isinstance(stated, str) else None)
    except Refused as refusal:
        return Rechecked(one.place, None, clean(str(refusal)))
    return Rechecked(one.place, proof, None)


def _place(entry: Mapping[str, Any]) -> str:
    named = (entry.get(key) for key in _PLACE)
    return " ".join(clean(name[:60]) if isinstance(name, str) else show(name) for name in named)
