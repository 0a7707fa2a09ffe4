"""``metaeval verify``: re-check every certificate and every proof in a file, believing none of it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from itertools import chain
from typing import Any

import click

from metaeval.cli.options import setting
from metaeval.cli.tables import shorten
from metaeval.cli.targets import load_several
from metaeval.consistency.recheck import ANSWER_BUDGET, is_answer, recheck_answer
from metaeval.core.errors import InputError
from metaeval.core.settings import OPTIONS
from metaeval.display.layout import plural
from metaeval.evidence.proof_check.in_files import Rechecked, is_proof, recheck_proofs
from metaeval.files.json_file import read_json, shown_name
from metaeval.verification.verify import BUDGET, Checked, recheck, refuted, witnesses

_EPILOG = """\b
Examples:
  metaeval verify results.json
  metaeval verify certificate.json
  metaeval verify proof.json
  metaeval verify answer.json
  metaeval verify mine.json --target measures.py:mine
"""

_BUDGET = replace(
    OPTIONS["budget"],
    help="processor time that re-checking a certificate or a proof may take",
    default=f"{BUDGET:g}",
)
_NOT_HELD = 1


@click.command(epilog=_EPILOG)
@click.argument("file", metavar="FILE")
@click.option(
    "--target",
    "named",
    multiple=True,
    metavar="TARGET",
    help="A measure of your own that certificates or proofs are about; may be repeated.",
)
@setting(_BUDGET)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(file: str, named: tuple[str, ...], budget: float | None, as_json: bool) -> int:
    """Re-check every certificate and proof in FILE: results, a baseline, or a single one of them; - is standard input.
    An answer of `metaeval consistency` is re-checked too.

    A certificate's case must be an instance of the condition, the scores are computed anew, and the relation must
    really be broken; where a case is said to have the fewest objects, all smaller ones are tried. A proof's polynomials
    are derived anew, and it is tried on random cases. Ends with 1 if a certificate or a proof does not hold.

    Nothing else can be re-checked. A cell that holds is tried on some of the smallest cases. Else that it holds, and
    how many cases were tried, is what the file says; it must not contradict itself, and the rest a new run tells.
    """
    data = read_json(file)
    if is_answer(data):
        return _answered(data, budget or ANSWER_BUDGET, as_json)
    own = {measure.id: measure for measure in load_several(named)}
    try:
        found = [] if is_proof(data) else witnesses(data)
    except InputError as error:
        raise InputError(f"{shown_name(file)}: {error}") from None
    checked: list[Checked | Rechecked] = []
    limit = budget or BUDGET
    everything = chain[Checked | Rechecked](
        recheck(found, own, limit), refuted(data, own), recheck_proofs(data, own, limit)
    )
    for one in everything:
        checked.append(one)
        if not as_json:
            click.echo(_line(one) if isinstance(one, Checked) else _proof_line(one))
    proofs = sum(isinstance(one, Rechecked) for one in checked)
    wrong = len(checked) - len(found) - proofs
    refused = sum(one.refusal is not None for one in checked) - wrong
    if as_json:
        click.echo(json.dumps([asdict(one) for one in checked], indent=2, ensure_ascii=False))
    else:
        click.echo(_count(len(found), proofs, refused) + _count_of_cells(wrong))
    return _NOT_HELD if refused or wrong else 0


def _answered(data: Any, budget: float, as_json: bool) -> int:
    """Re-check an answer about conditions, and say what came out."""
    checked = recheck_answer(data, budget)
    if as_json:
        click.echo(json.dumps([asdict(checked)], indent=2, ensure_ascii=False))
    elif checked.refusal is not None:
        click.echo(f"REFUSED  {checked.place}  {shorten(checked.refusal, 300)}")
    else:
        click.echo(f"ok  {checked.place}  {checked.found}")
    return 0 if checked.refusal is None else _NOT_HELD


def _line(one: Checked) -> str:
    if one.refusal is not None:
        return f"REFUSED  {one.place}  {shorten(one.refusal, 300)}"
    size = f"{one.objects} object{'' if one.objects == 1 else 's'}"
    return f"ok  {one.place}  {size}" if one.claim is None else f"ok  {one.place}  {size}; {one.claim}"


def _proof_line(one: Rechecked) -> str:
    if one.proof is None:
        return f"REFUSED  {one.place}  {shorten(one.refusal or '', 300)}"
    done = f"{plural(one.proof.steps, 'step')} derived anew, tried on {plural(one.proof.cases, 'case')}"
    return f"ok  {one.place}  proof: {done}"


def _count(certificates: int, proofs: int, refused: int) -> str:
    if not certificates and not proofs:
        return "no certificates"
    numbers = [*([certificates] * bool(certificates)), *([proofs] * bool(proofs))]
    nouns = [*(["certificate"] * bool(certificates)), *(["proof"] * bool(proofs))]
    total = " and ".join(map(plural, numbers, nouns))
    return f"{total}, {refused} refused" if refused else f"{total}, all hold"


def _count_of_cells(wrong: int) -> str:
    if not wrong:
        return ""
    return (
        "; 1 cell is said to hold and does not" if wrong == 1 else f"; {wrong} cells are said to hold and do not"
    )
