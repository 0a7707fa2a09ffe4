"""``metaeval paper``: what a source prints and claims, recomputed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metaeval.cli.tables import terminal_width
from metaeval.core.errors import InputError
from metaeval.literature.shelf import FIRST, SOURCES, find_source

if TYPE_CHECKING:
    from metaeval.literature.source import Source
    from metaeval.records.results import Results

_EPILOG = """\b
Examples:
  metaeval paper
  metaeval paper --results docs/results.json --json > paper.json
  metaeval paper --source horta2014

\b
Sources:
""" + "\n".join(f"  {source.id:<14}{source.citation}" for source in SOURCES.values())


@click.command(epilog=_EPILOG)
@click.option(
    "--source", "id", metavar="ID", default=FIRST.id, show_default=True, help="Whose table and claims; see below."
)
@click.option("--json", "as_json", is_flag=True, help="Print the same as data.")
@click.option(
    "--results",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Take the verdicts from this results file instead of searching anew.",
)
@click.option("--examples", type=int, help="Cases drawn for a condition under a reading.")
@click.option("--seed", type=int, help="The seed of the drawn cases.")
@click.option("--jobs", type=int, help="Processes to use; all cores by default.")
def command(
    id: str, as_json: bool, path: Path | None, examples: int | None, seed: int | None, jobs: int | None
) -> None:
    """A source's tables as the software computes them, and every claim against what was found.

    The source is the first paper, with its Table 1, unless another is named.
    """
    source = find_source(id)
    from metaeval.paper.study import study
    from metaeval.reports.paper_text import render
    from metaeval.reports.text import WIDTH

    found = study(_stored(path, source) if path else _searched(source, examples, seed, jobs), source)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=1, ensure_ascii=False))
    else:
        click.echo(render(found, min(terminal_width(), WIDTH)), nl=False)


def _stored(path: Path, source: Source) -> Results:
    from metaeval.records.results import Results

    results = Results.load(path)
    held = {cell.key[:2] for cell in results}
    for claim in source.all_claims():
        if (claim.measure, claim.condition) not in held:
            suite = "" if source is FIRST else f" --suite {source.id}"
            raise InputError(
                f"{path} has no cell for {claim.measure} {claim.condition}; run `metaeval run{suite}` in full"
            )
    return results


def _searched(source: Source, examples: int | None, seed: int | None, jobs: int | None) -> Results:
    from metaeval.cli.progress import Watcher
    from metaeval.paper.study import claimed_results

    chosen = {"examples": examples, "seed": seed, "jobs": jobs}
    with Watcher() as watcher:
        given = {key: value for key, value in chosen.items() if value is not None}
        return claimed_results(listen=watcher.on_event, source=source, **given)
