"""``metaeval verify``: re-check every certificate and proof in a file."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import chain
from typing import Any

import click

from metaeval.cli.commands import check
from metaeval.cli.options import setting
from metaeval.cli.targets import Said, load_several
from metaeval.consistency.recheck import ANSWER_BUDGET, CheckedAnswer, is_answer, recheck_answer
from metaeval.core.errors import naming
from metaeval.core.settings import OPTIONS
from metaeval.display.layout import plural, shorten
from metaeval.equations.tree import MOST_BYTES
from metaeval.files.json_file import demand_small, read_json, shown_name
from metaeval.verification.baseline import entries
from metaeval.verification.proof_check import RecheckedProof, is_proof, recheck_proofs
from metaeval.verification.verify import BUDGET, Checked, recheck, refuted, witnesses

_EPILOG = """\b
Examples:
  metaeval verify results.json
  metaeval verify certificate.json
  metaeval verify proof.json
  metaeval verify answer.json
  metaeval verify mine.json --target measures.py:mine
  metaeval verify distance.json --target measures.py:distance --smaller-is-better
"""

_NOT_HELD = 1


@click.command(epilog=_EPILOG)
@click.argument("file", metavar="FILE")
@click.option("--target", "named", multiple=True, metavar="TARGET",
              help="Your own measure, which the file is about; may be repeated.")  # fmt: skip
@setting(replace(OPTIONS["budget"], help="processor time per certificate or proof", default=f"{BUDGET:g}"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(file: str, named: tuple[str, ...], budget: float | None, as_json: bool, **declared: Any) -> int:
    """Re-check every certificate and proof in FILE; - is standard input.

    FILE holds results, a baseline, a certificate, a proof, or an answer of `metaeval consistency`.

    The case of a certificate must be an instance of the condition. Its scores are computed again and must break the
    relation. Where a case is said to have the fewest objects, all smaller ones are tried. A proof is derived
    again from the equation of the measure, and each of its obligations is run on 500 instances. The exit code is 1 if a
    certificate or a proof does not hold.

    A cell that holds is tried on some of the smallest cases. The rest, such as the number of cases, cannot be
    re-checked without a new run; the file must only agree with itself.
    """
    data = read_json(file)
    if is_answer(data):
        answer = recheck_answer(data, budget or ANSWER_BUDGET)
        click.echo(_json([answer]) if as_json else _line(answer.place, answer.refusal, answer.found))
        return 0 if answer.refusal is None else _NOT_HELD
    if is_proof(data):
        demand_small(file, MOST_BYTES)
    own = {measure.id: measure for measure in load_several(named, Said(**declared))}
    with naming(shown_name(file)):
        parts = entries(data)
        found = [] if is_proof(data) else [one for part in parts for one in witnesses(part)]
    checked: list[Checked | RecheckedProof] = []
    limit = budget or BUDGET
    untrue, proofs_of = (refuted(part, own) for part in parts), (recheck_proofs(part, own, limit) for part in parts)
    for one in chain[Checked | RecheckedProof](recheck(found, own, limit), *untrue, *proofs_of):
        checked.append(one)
        if not as_json:
            click.echo(_line(one.place, one.refusal, _found(one)))
    proofs = sum(isinstance(one, RecheckedProof) for one in checked)
    wrong = len(checked) - len(found) - proofs
    refused = sum(one.refusal is not None for one in checked) - wrong
    counted = [(len(found), "certificate"), (proofs, "proof")]
    total = " and ".join(plural(number, noun) for number, noun in counted if number)
    summary = f"{total}, {refused} refused" if refused else f"{total}, all hold"
    several = f"; but {wrong} cells are said to hold and do not"
    cells = {0: "", 1: "; but 1 cell is said to hold and does not"}.get(wrong, several)
    click.echo(_json(checked) if as_json else (summary if total else "no certificates") + cells)
    return _NOT_HELD if refused or wrong else 0


#: The options that declare a function, as for a check.
command.params += [option for option in check.command.params if option.name in Said._fields]


def _json(checked: Sequence[Checked | RecheckedProof | CheckedAnswer]) -> str:
    return json.dumps([asdict(one) for one in checked], indent=2, ensure_ascii=False)


def _line(place: str, refusal: str | None, found: str | None) -> str:
    return f"ok  {place}  {found}" if refusal is None else f"REFUSED  {place}  {shorten(refusal, 300)}"


def _found(one: Checked | RecheckedProof) -> str:
    """What a certificate or a proof shows, where it holds."""
    if isinstance(one, Checked):
        size = plural(one.objects or 0, "object")
        return size if one.claim is None else f"{size}; {one.claim}"
    derived = plural(one.obligations, "obligation")
    return f"proof: {derived} derived again, each run on {plural(one.instances, 'instance')} or more"
