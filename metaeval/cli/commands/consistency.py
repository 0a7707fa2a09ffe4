"""``metaeval consistency``: can any measure satisfy conditions together?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from metaeval.cli.options import complete
from metaeval.cli.tables import Growing, StepNotice, page_width, render
from metaeval.consistency import answer_text
from metaeval.consistency.decide import MOST_OBJECTS, OBJECTS, decide
from metaeval.consistency.graph import chosen
from metaeval.core.errors import InputError
from metaeval.display.layout import plural, wrapped
from metaeval.files.json_file import write_atomically
from metaeval.literature.shelf import SUITES, find_suite

if TYPE_CHECKING:
    from metaeval.catalogue.condition import Group
    from metaeval.consistency.survey import Surveyed

_EPILOG = """\b
Examples:
  metaeval consistency
  metaeval consistency --reading overlapping --objects 3
  metaeval consistency --reading literal --reading A.1=canonical
  metaeval consistency --condition A.1 --condition A.2 --out answer.json
  metaeval verify answer.json
  metaeval consistency --survey --out survey.json
  metaeval consistency --survey --suite all --objects 4
  metaeval report results.json --consistency survey.json
  metaeval consistency --results results.json --reading overlapping
"""


@click.command(epilog=_EPILOG)
@click.option("--condition", "conditions", multiple=True, metavar="ID", shell_complete=complete("condition"),
              help="Only this condition; may be repeated.  [default: the paper's ten]")  # fmt: skip
@click.option("--suite", metavar="NAME", shell_complete=complete("suite"),
              help=f"The conditions of a suite: {', '.join(SUITES)}.")  # fmt: skip
@click.option("--reading", "readings", multiple=True, metavar="NAME", shell_complete=complete("reading"),
              help="Reading of all conditions, or of one: A.1=literal; may be repeated.  "
              "[default: canonical]")  # fmt: skip
@click.option("--objects", type=click.IntRange(1, MOST_OBJECTS), default=OBJECTS, show_default=True,
              help="The most objects of a case; readings may list fewer.")  # fmt: skip
@click.option("--survey", "all_readings", is_flag=True, help="Answer for every reading, and for the paper's mixture.")
@click.option("--results", metavar="FILE",
              help="List the open problems: sets without a contradiction that no measure here satisfies.")  # fmt: skip
@click.option("--out", metavar="FILE", help="Save the answer, with its evidence, to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    conditions: tuple[str, ...],
    suite: str | None,
    readings: tuple[str, ...],
    objects: int,
    all_readings: bool,
    results: str | None,
    out: str | None,
    as_json: bool,
) -> None:
    """Say whether any measure that ignores names can satisfy conditions together.

    Every small case demands that one side scores lower than another, or the same. The answer is impossible if demands
    form a circle or add up to 0 > 0: it shows the fewest conditions that contradict each other. It is possible if a
    registered measure is proved to satisfy all. Otherwise it is open, up to a number of objects. `metaeval verify`
    re-checks each answer.

    --survey answers for each reading, and for every set of up to four conditions. --results lists the sets without a
    contradiction that no measure satisfies yet.
    """
    if all_readings and (readings or results):
        raise InputError("--survey answers under every reading; leave --reading and --results out")
    ids = conditions or (None if suite is None else tuple(find_suite(suite).condition_ids()))
    width = page_width()
    with StepNotice() as notice:
        if all_readings:
            from metaeval.consistency.survey import survey, survey_to_json

            found = survey(ids, objects, notice)
            data, words = survey_to_json(found), "\n\n".join(_survey_parts(found, width))
        elif results is not None:
            data, words = _problems(chosen(ids, readings), results, objects, width, notice)
        else:
            answer = decide(chosen(ids, readings), objects, notice)
            data, words = answer.to_json(), answer_text.told(answer, width)
    if out is not None:
        write_atomically(out, json.dumps(data, ensure_ascii=False) + "\n")
    click.echo(json.dumps(data, indent=1, ensure_ascii=False) if as_json else words)


def _survey_parts(found: Sequence[Surveyed], width: int) -> Iterator[str]:
    yield _sentence(answer_text.verdict(found), width)
    yield render(answer_text.ANSWERS, answer_text.answer_rows(found), right=answer_text.NUMBERS, width=width)
    yield from (_sentence(f"{name}: {words}", width) for name, words in answer_text.remarks(found))
    yield _sentence(answer_text.case_note(found), width)
    headers, *rows = answer_text.case_table(found)
    yield render(headers, rows, right=headers[1:], width=width)
    yield from (answer_text.contradiction_told(answer, width) for answer in answer_text.contradictions(found))


def _sentence(text: str, width: int) -> str:
    return "\n".join(wrapped(text, width))


def _problems(
    groups: Sequence[Group], results: str, objects: int, width: int, notice: StepNotice
) -> tuple[dict[str, Any], str]:
    from metaeval.consistency.survey import open_problems
    from metaeval.records.results import Results

    found = open_problems(Results.load(results), groups, objects, notice)
    readings = {group.condition.id: group.reading.name for group in groups}
    data = {"objects": objects, "readings": readings, "problems": [one.to_json() for one in found]}
    if not found:
        return data, _sentence(
            "No open problem: some measure satisfies each set of these conditions that has no contradiction.", width
        )
    said = (
        f"Open problems: sets without a contradiction up to {plural(objects, 'object')}, as far as cases are listed, "
        "that no measure satisfies. Beside each set are the measures that keep the most of its cases."
    )
    rows = [(" ".join(one.conditions), answer_text.closest(one)) for one in found]
    table = Growing(("conditions", "closest measures"), rows, (), width)
    return data, "\n".join([_sentence(said, width), "", table.head(), *map(table.row, rows)])
