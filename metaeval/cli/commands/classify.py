"""``metaeval classify``: which conditions, under which readings, a pair is an instance of."""

import json
from dataclasses import replace
from operator import itemgetter

import click

from metaeval.catalogue.condition import GroupId, classify, conditions, exchanged, find_condition
from metaeval.cli.options import setting
from metaeval.core.case import Case
from metaeval.core.errors import InputError, naming
from metaeval.core.grouping import grouped
from metaeval.core.settings import OPTIONS
from metaeval.files.json_file import read_json, shown_name
from metaeval.records.certificate import case_from_json
from metaeval.verification.verify import BUDGET
from metaeval.workers.call import Notice
from metaeval.workers.worker import Finished, Hung, supervise

_EPILOG = """\b
Examples:
  metaeval classify pair.json
  metaeval classify pair.json --json

\b
A pair's file, with biclusterings as `metaeval score` reads them:
  {"left":  {"candidate": {...}, "gold": {...}},
   "right": {"candidate": {...}, "gold": {...}}}
"""


@click.command(epilog=_EPILOG)
@click.argument("pair", metavar="PAIR")
@setting(replace(OPTIONS["budget"], help="processor time for the pair", default=f"{BUDGET:g}"))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(pair: str, budget: float | None, as_json: bool) -> None:
    """Say which conditions, under which readings, the pair in the file PAIR is an instance of.

    PAIR may be a certificate; - is standard input.
    """
    data = read_json(pair)
    with naming(shown_name(pair)):
        case, limit = case_from_json(data), budget or BUDGET
        conditions()  # loaded here, so that it costs the pair no time
        ending = supervise(limit, _classified, case)
        if isinstance(ending, Hung):
            raise InputError(f"it could not be judged within {limit:g} s of processor time; --budget gives it more")
        if not isinstance(ending, Finished) or ending.value is None:
            raise InputError("it is too large to be judged; expected a pair that fits into memory")
        admitting, exchanged_admitting = ending.value
    by_condition = grouped(admitting, itemgetter(0))
    found = [(find_condition(some[0][0]), [reading for _, reading in some]) for some in by_condition]
    if as_json:
        entries = [
            {"condition": one.id, "name": one.name, "readings": names, "relation": one.relation.name,
             "demand": one.relation.demand}
            for one, names in found
        ]  # fmt: skip
        click.echo(json.dumps(entries, indent=2, ensure_ascii=False))
    else:
        lines = (f"{one.id} {one.name}: {', '.join(names)}\n  {one.relation.demand}" for one, names in found)
        click.echo("\n".join(lines) or "no condition")
    if ids := dict.fromkeys(id for id, _ in exchanged_admitting):
        # A pair written the wrong way round is the likeliest mistake.
        click.echo(f"with left and right exchanged it is an instance of {', '.join(ids)}", err=True)


def _classified(notice: Notice, case: Case) -> tuple[list[GroupId], list[GroupId]] | None:
    """The readings that admit a pair and, if none does, those that admit it exchanged; for a worker."""
    notice(0)
    try:
        found = classify(case)
        return found, [] if found else classify(exchanged(case))
    except (MemoryError, RecursionError):
        return None
