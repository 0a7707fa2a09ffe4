"""The proofs in a file, each re-checked: of a results file's cells, or a single one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from metaeval.evidence.certificates import Refused
from metaeval.evidence.proof_check.stated import SCHEMA
from metaeval.evidence.proof_check.verification import CheckedProof, check_proof
from metaeval.fields import clean, show
from metaeval.measuring import Measure
from metaeval.verdicts import Verdict

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


def recheck_proofs(data: Any, own: Mapping[str, Measure]) -> Iterator[Rechecked]:
    """Re-check a proof, or those in the cells of a file.

    ``own`` measures are looked to for their ids before the registered ones; no file decides what code is run.
    """
    if is_proof(data):
        yield _rechecked(_place(data), data, own)
        return
    cells = data.get("cells") if isinstance(data, Mapping) else None
    for cell in cells if isinstance(cells, list) else ():
        if isinstance(cell, Mapping) and (cell.get("proof") is not None or cell.get("verdict") == Verdict.PROVED):
            refusal = _misplaced(cell)
            place = _place(cell)
            yield _rechecked(place, cell["proof"], own) if refusal is None else Rechecked(place, None, refusal)


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


def _rechecked(place: str, data: Any, own: Mapping[str, Measure]) -> Rechecked:
    stated = data.get("measure") if isinstance(data, Mapping) else None
    try:
        return Rechecked(place, check_proof(data, own.get(stated) if isinstance(stated, str) else None), None)
    except Refused as refusal:
        return Rechecked(place, None, clean(str(refusal)))


def _place(entry: Mapping[str, Any]) -> str:
    named = (entry.get(key) for key in _PLACE)
    return " ".join(clean(name[:60]) if isinstance(name, str) else show(name) for name in named)
