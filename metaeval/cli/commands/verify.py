"""``metaeval verify``: re-check every certificate and every proof in a file, believing none of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import click

from metaeval.cli.tables import shorten
from metaeval.cli.targets import load_several
from metaeval.errors import InputError
from metaeval.evidence import certificates, results
from metaeval.evidence.certificates import Refused
from metaeval.evidence.proof_check.in_files import Rechecked, is_proof, recheck_proofs
from metaeval.evidence.wording import plural
from metaeval.files import read_json
from metaeval.measuring import Measure
from metaeval.verdicts import Verdict

_EPILOG = """\b
Examples:
  metaeval verify results.json
  metaeval verify certificate.json
  metaeval verify proof.json
  metaeval verify mine.json --target measures.py:mine
"""

#: Measures that are not registered, by id.
Own = Mapping[str, Measure]

_PLACE = ("measure", "condition", "reading")
_NOT_HELD = 1


@dataclass(frozen=True)
class Checked:
    """A certificate that was re-checked: whose it is, its size, and why it was refused, if it was."""

    place: str
    objects: int | None
    refusal: str | None


@click.command(epilog=_EPILOG)
@click.argument("file", metavar="FILE")
@click.option(
    "--target",
    "named",
    multiple=True,
    metavar="TARGET",
    help="A measure of your own that certificates are about; may be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(file: str, named: tuple[str, ...], as_json: bool) -> int:
    """Re-check every certificate and proof in FILE, a results file or a single one of them; - is standard input.

    A certificate's case must be an instance of the condition, the scores are computed anew, and the relation must
    really be broken. A proof's polynomials are derived anew and it is tried on random cases. Ends with 1 if a
    certificate or a proof does not hold.
    """
    data = read_json(file)
    name = "standard input" if file == "-" else file
    own = {measure.id: measure for measure in load_several(named)}
    try:
        checked = [] if is_proof(data) else list(check_file(data, own))
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    proofs = []
    if not as_json:
        click.echo("".join(f"{_line(one)}\n" for one in checked), nl=False)
    for proof in recheck_proofs(data, own):
        proofs.append(proof)
        if not as_json:
            click.echo(_proof_line(proof))
    found: list[Checked | Rechecked] = [*checked, *proofs]
    refused = sum(one.refusal is not None for one in found)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in found], indent=2, ensure_ascii=False))
    else:
        click.echo(_count(len(checked), len(proofs), refused))
    return _NOT_HELD if refused else 0


def check_file(data: Any, own: Own) -> Iterator[Checked]:
    """Re-check a certificate, or every certificate in the cells of a results or baseline file.

    ``own`` measures are looked to for their ids before the registered ones; no file decides what code is run.
    """
    if isinstance(data, Mapping) and data.get("schema") == certificates.SCHEMA:
        yield _checked(data, own)
        return
    if not isinstance(data, Mapping) or not isinstance(data.get("cells"), list):
        raise InputError(
            f"neither results nor a certificate; expected an object with the schema {results.SCHEMA!r} "
            f"or {certificates.SCHEMA!r}"
        )
    if data.get("schema") == results.SCHEMA:
        # Only for what it refuses; a bad certificate is not the file's fault but is refused by itself below.
        results.Results.from_json({**data, "cells": [_without_certificate(cell) for cell in data["cells"]]})
    for position, cell in enumerate(data["cells"], start=1):
        if not isinstance(cell, Mapping) or not all(isinstance(cell.get(key), str) for key in _PLACE):
            raise InputError(f"cell {position} must be an object with {', '.join(_PLACE)}")
        if cell.get("certificate") is not None or cell.get("verdict") == Verdict.VIOLATED:
            yield _checked_cell(cell, own)


def _without_certificate(cell: Any) -> Any:
    return {**cell, "certificate": None, "proof": None} if isinstance(cell, Mapping) else cell


def _checked_cell(cell: Mapping[str, Any], own: Own) -> Checked:
    """A cell's certificate must hold, and must be about this cell."""
    witness = cell.get("certificate")
    place = " ".join(shorten(cell[key], 60) for key in _PLACE)
    if witness is None:
        return Checked(place, None, "the cell is violated and has no certificate")
    if cell.get("verdict") != Verdict.VIOLATED:
        return Checked(place, None, f"the cell has a certificate and the verdict {cell.get('verdict')!r}")
    if isinstance(witness, Mapping):
        for key in _PLACE:
            if key in witness and witness[key] != cell[key]:
                return Checked(place, None, f"its certificate is about the {key} {witness[key]!r}")
    return _checked(witness, own, place)


def _checked(witness: Any, own: Own, place: str | None = None) -> Checked:
    if place is None:
        place = " ".join(shorten(str(witness.get(key)), 60) for key in _PLACE)
    try:
        stated = witness.get("measure") if isinstance(witness, Mapping) else None
        certificate = certificates.verify(witness, own.get(stated) if isinstance(stated, str) else None)
    except Refused as refusal:
        return Checked(place, None, str(refusal))
    return Checked(place, certificate.objects, None)


def _line(one: Checked) -> str:
    if one.refusal is not None:
        return f"REFUSED  {one.place}  {shorten(one.refusal, 300)}"
    return f"ok  {one.place}  {one.objects} object{'' if one.objects == 1 else 's'}"


def _proof_line(one: Rechecked) -> str:
    if one.proof is None:
        return f"REFUSED  {one.place}  {shorten(one.refusal or '', 300)}"
    done = f"{plural(one.proof.steps, 'step')} derived anew, tried on {plural(one.proof.cases, 'case')}"
    return f"ok  {one.place}  proof: {done}"


def _count(certificates: int, proofs: int, refused: int) -> str:
    numbers = [plural(certificates, "certificate")] if certificates or not proofs else []
    total = " and ".join([*numbers, *([plural(proofs, "proof")] if proofs else [])])
    if not certificates and not proofs:
        return "no certificates"
    return f"{total}, {refused} refused" if refused else f"{total}, all hold"
