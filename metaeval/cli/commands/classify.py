"""``metaeval classify``: which conditions, under which readings, a pair is an instance of."""

from __future__ import annotations

import json

import click

from metaeval.cases import Case
from metaeval.condition import Condition, find_condition
from metaeval.errors import InputError
from metaeval.evidence.certificates import case_from_json
from metaeval.evidence.classification import classify, exchanged
from metaeval.files import read_json

_EPILOG = """\b
Examples:
  metaeval classify pair.json
  metaeval classify pair.json --json

\b
A pair's file, with biclusterings as `metaeval score` reads them:
  {"left":  {"candidate": {...}, "gold": {...}},
   "right": {"candidate": {...}, "gold": {...}}}
"""

#: A condition with the names of its readings that admit the pair.
Instance = tuple[Condition, list[str]]


@click.command(epilog=_EPILOG)
@click.argument("pair", metavar="PAIR")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(pair: str, as_json: bool) -> None:
    """Tell which conditions, under which readings, the pair in the file PAIR is an instance of.

    A certificate is a pair too; - is standard input.
    """
    case = _read_case(pair)
    found = _instances(case)
    click.echo(_json(found) if as_json else _text(found))
    if not found:
        _hint(case)


def _read_case(path: str) -> Case:
    data = read_json(path)
    try:
        return case_from_json(data)
    except InputError as error:
        raise InputError(f"{'standard input' if path == '-' else path}: {error}") from None


def _instances(case: Case) -> list[Instance]:
    readings: dict[str, list[str]] = {}
    for id, reading in classify(case):
        readings.setdefault(id, []).append(reading)
    return [(find_condition(id), names) for id, names in readings.items()]


def _text(found: list[Instance]) -> str:
    if not found:
        return "no condition"
    return "\n".join(
        f"{condition.id} {condition.name}: {', '.join(readings)}\n  {condition.relation.demand}"
        for condition, readings in found
    )


def _json(found: list[Instance]) -> str:
    entries = [
        {
            "condition": condition.id,
            "name": condition.name,
            "readings": readings,
            "relation": condition.relation.name,
            "demand": condition.relation.demand,
        }
        for condition, readings in found
    ]
    return json.dumps(entries, indent=2, ensure_ascii=False)


def _hint(case: Case) -> None:
    """A pair written the wrong way round is the likeliest mistake."""
    ids = dict.fromkeys(id for id, _ in classify(exchanged(case)))
    if ids:
        click.echo(f"with left and right exchanged it is an instance of {', '.join(ids)}", err=True)
