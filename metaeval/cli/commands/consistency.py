"""``metaeval consistency``: whether any measure can satisfy conditions together."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from metaeval.cli.notices import Waiting
from metaeval.cli.tables import Growing, render, terminal_width
from metaeval.consistency.answer_text import circle_told, closest, told
from metaeval.consistency.decide import MOST_OBJECTS, OBJECTS, decide
from metaeval.consistency.graph import chosen
from metaeval.core.errors import InputError
from metaeval.display.layout import plural, wrapped
from metaeval.files.json_file import write_atomically

if TYPE_CHECKING:
    from metaeval.catalogue.condition import Group
    from metaeval.consistency.survey import Problem, Surveyed

_WIDEST = 100

_EPILOG = """\b
Examples:
  metaeval consistency
  metaeval consistency --reading overlapping --objects 3
  metaeval consistency --reading literal --reading A.1=canonical
  metaeval consistency --condition A.1 --condition A.2 --out answer.json
  metaeval verify answer.json
  metaeval consistency --survey --out survey.json
  metaeval report results.json --consistency survey.json
  metaeval consistency --results results.json --reading overlapping
"""


@click.command(epilog=_EPILOG)
@click.option("--condition", "conditions", multiple=True, metavar="ID",
              help="Only this condition; may be repeated.  [default: the paper's ten]")  # fmt: skip
@click.option("--reading", "readings", multiple=True, metavar="NAME",
              help="The reading of all or, as A.1=literal, of one; may be repeated.  [default: canonical]")  # fmt: skip
@click.option("--objects", type=click.IntRange(1, MOST_OBJECTS), default=OBJECTS, show_default=True,
              help="Look at cases with up to so many objects, as far as they are listed.")  # fmt: skip
@click.option(
    "--survey", "all_readings", is_flag=True, help="Answer under every reading, and in the paper's mixture."
)
@click.option("--results", metavar="FILE",
              help="List the open problems: consistent sets that no measure of these results satisfies.")  # fmt: skip
@click.option("--out", metavar="FILE", help="Save the answer, with its circle or its order.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def command(
    conditions: tuple[str, ...],
    readings: tuple[str, ...],
    objects: int,
    all_readings: bool,
    results: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Whether any measure that is blind to names can satisfy conditions together.

    Every small case says that one side must score lower than another, or the same. If that leads round in a circle, no
    measure whatever satisfies the conditions: the answer is a shortest such circle, of the fewest conditions. If it
    does not, the answer is an order of all sides that keeps every case. `metaeval verify` re-checks both.

    With --survey all is asked under each reading, with --results which consistent sets are still without a measure.
    """
    if all_readings and (readings or results):
        raise InputError("--survey answers under every reading; leave --reading and --results out")
    under_way = _Listener()
    width = min(terminal_width(), _WIDEST)
    if all_readings:
        _give(*_surveyed(conditions, objects, under_way, width), out, as_json)
    elif results is not None:
        _give(*_problems(chosen(conditions or None, readings), results, objects, width), out, as_json)
    else:
        answer = decide(chosen(conditions or None, readings), objects, under_way)
        _give(answer.to_json(), told(answer, width), out, as_json)


class _Listener:
    """Tells what is listed, now and again."""

    def __init__(self) -> None:
        self._tell = Waiting()

    def __call__(self, group: Group, objects: int) -> None:
        self._tell(f"listing {group} with {plural(objects, 'object')}")


def _give(data: dict[str, Any], words: str, out: str | None, as_json: bool) -> None:
    if out is not None:
        write_atomically(out, json.dumps(data, ensure_ascii=False) + "\n")
    click.echo(json.dumps(data, indent=1, ensure_ascii=False) if as_json else words)


# --- the survey


def _surveyed(
    conditions: Sequence[str], objects: int, listen: _Listener, width: int
) -> tuple[dict[str, Any], str]:
    from metaeval.consistency.survey import survey, survey_to_json

    found = survey(conditions or None, objects, listen)
    return survey_to_json(found), "\n\n".join(_survey_parts(found, width))


def _survey_parts(found: Sequence[Surveyed], width: int) -> Iterator[str]:
    from metaeval.consistency import answer_text as overview

    yield _sentence(overview.verdict(found), width)
    yield render(overview.ANSWERS, overview.answer_rows(found), right=overview.NUMBERS, width=width)
    yield from (_sentence(f"{name}: {words}", width) for name, words in overview.remarks(found))
    yield _sentence(overview.case_note(found), width)
    headers, *rows = overview.case_table(found)
    yield render(headers, rows, right=headers[1:], width=width)
    yield from (circle_told(answer, width) for answer in overview.contradictions(found))


def _sentence(text: str, width: int) -> str:
    return "\n".join(wrapped(text, width))


# --- open problems


def _problems(groups: Sequence[Group], results: str, objects: int, width: int) -> tuple[dict[str, Any], str]:
    from metaeval.consistency.survey import open_problems
    from metaeval.records.results import Results

    found = open_problems(Results.load(results), groups, objects, Waiting())
    readings = {group.condition.id: group.reading.name for group in groups}
    data = {"objects": objects, "readings": readings, "problems": [one.to_json() for one in found]}
    return data, "\n\n".join(_problem_parts(found, objects, width))


def _problem_parts(found: Sequence[Problem], objects: int, width: int) -> Iterator[str]:
    if not found:
        yield _sentence(
            "No open problem: some measure satisfies every set of these conditions that is consistent.", width
        )
        return
    yield _sentence(
        f"Open problems: no contradiction up to {plural(objects, 'object')}, as far as cases are listed, and no "
        "measure that satisfies them together. Beside each the measures that keep the most of what is demanded there.",
        width,
    )
    rows = [(" ".join(one.conditions), closest(one)) for one in found]
    table = Growing(("conditions", "closest measures"), rows, (), width)
    yield "\n".join([table.head(), *map(table.row, rows)])
