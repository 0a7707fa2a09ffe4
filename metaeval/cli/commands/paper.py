"""``metaeval paper``: the paper's table and claims, recomputed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metaeval.cli.tables import terminal_width
from metaeval.errors import InputError

if TYPE_CHECKING:
    from metaeval.evidence.results import Results


@click.command(
    epilog="\b\nExamples:\n  metaeval paper\n  metaeval paper --results docs/results.json --json > paper.json",
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
def command(as_json: bool, path: Path | None, examples: int | None, seed: int | None, jobs: int | None) -> None:
    """The paper's Table 1 as the software computes it, and every claim against what was found."""
    from metaeval.paper.study import study
    from metaeval.reports.paper import render
    from metaeval.reports.text import WIDTH

    found = study(_stored(path) if path else _searched(examples, seed, jobs))
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=1, ensure_ascii=False))
    else:
        click.echo(render(found, min(terminal_width(), WIDTH)), nl=False)


def _stored(path: Path) -> Results:
    from metaeval.evidence.results import Results
    from metaeval.paper.claims import CLAIMS

    results = Results.load(path)
    for claim in CLAIMS:
        if not any((cell.measure, cell.condition) == (claim.measure, claim.condition) for cell in results):
            raise InputError(
                f"{path} has no cell for {claim.measure} {claim.condition}; run `metaeval run` in full"
            )
    return results


def _searched(examples: int | None, seed: int | None, jobs: int | None) -> Results:
    from metaeval.cli.progress import Watcher
    from metaeval.paper.study import claimed_results

    chosen = {"examples": examples, "seed": seed, "jobs": jobs}
    with Watcher() as watcher:
        given = {key: value for key, value in chosen.items() if value is not None}
        return claimed_results(listen=watcher.on_event, **given)
