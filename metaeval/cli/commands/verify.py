"""``metaeval verify``: re-check every certificate in a file, believing none of it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from itertools import chain

import click

from metaeval.cli.options import setting
from metaeval.cli.tables import shorten
from metaeval.cli.targets import load_several
from metaeval.engine.settings import OPTIONS
from metaeval.errors import InputError
from metaeval.evidence.rechecking import BUDGET, Checked, recheck, witnesses
from metaeval.evidence.spot_checks import refuted
from metaeval.files import read_json, shown_name

_EPILOG = """\b
Examples:
  metaeval verify results.json
  metaeval verify certificate.json
  metaeval verify mine.json --target measures.py:mine
"""

_BUDGET = replace(
    OPTIONS["budget"], help="processor time that re-checking a certificate may take", default=f"{BUDGET:g}"
)
_NOT_HELD = 1


@click.command(epilog=_EPILOG)
@click.argument("file", metavar="FILE")
@click.option(
    "--target",
    "named",
    multiple=True,
    metavar="TARGET",
    help="A measure of your own that certificates are about; may be repeated.",
)
@setting(_BUDGET)
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(file: str, named: tuple[str, ...], budget: float | None, as_json: bool) -> int:
    """Re-check every certificate in FILE, a results file, a baseline or a single certificate; - is standard input.

    The case must be an instance of the condition, the scores are computed anew, and the relation must really
    be broken; where a case is said to have the fewest objects, all smaller ones are tried. Ends with 1 if a
    certificate does not hold.

    Only certificates can be re-checked. A cell that holds is tried on some of the smallest cases. Else that it holds,
    and how many cases were tried, is what the file says; it must not contradict itself, and the rest a new run tells.
    """
    data = read_json(file)
    own = {measure.id: measure for measure in load_several(named)}
    try:
        found = witnesses(data)
    except InputError as error:
        raise InputError(f"{shown_name(file)}: {error}") from None
    checked = []
    for one in chain(recheck(found, own, budget or BUDGET), refuted(data, own)):
        checked.append(one)
        if not as_json:
            click.echo(_line(one))
    refused = sum(one.refusal is not None for one in checked[: len(found)])
    wrong = len(checked) - len(found)
    if as_json:
        click.echo(json.dumps([asdict(one) for one in checked], indent=2, ensure_ascii=False))
    else:
        click.echo(_count(len(found), refused) + _count_of_cells(wrong))
    return _NOT_HELD if refused or wrong else 0


def _line(one: Checked) -> str:
    if one.refusal is not None:
        return f"REFUSED  {one.place}  {shorten(one.refusal, 300)}"
    size = f"{one.objects} object{'' if one.objects == 1 else 's'}"
    return f"ok  {one.place}  {size}" if one.claim is None else f"ok  {one.place}  {size}; {one.claim}"


def _count(amount: int, refused: int) -> str:
    total = f"{amount} certificate{'' if amount == 1 else 's'}"
    return f"{total}, {refused} refused" if refused else f"{total}, all hold" if amount else "no certificates"


def _count_of_cells(wrong: int) -> str:
    if not wrong:
        return ""
    return (
        "; 1 cell is said to hold and does not" if wrong == 1 else f"; {wrong} cells are said to hold and do not"
    )
